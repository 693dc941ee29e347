/*
 * Checks of the programs beside it: one line each on the standard output, "ok" or "FAIL" first.
 */
#ifndef CHECK_H
#define CHECK_H

#include <drystone_ode.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static const dReal STEP = 1.0 / 240, GRAVITY = 9.81;
static int failures;

static inline void say(int good, const char *what) {
    if (!good) failures++;
    printf("%s %s: ", good ? "ok  " : "FAIL", what);
}

static inline void check(const char *what, double value, double expected, double within) {
    say(fabs(value - expected) <= within, what);
    printf("%.9g, expected %.9g within %.1g\n", value, expected, within);
}

static inline void check_vector(const char *what, const dReal *v, double x, double y, double z,
                                double within) {
    say(fabs(v[0] - x) <= within && fabs(v[1] - y) <= within && fabs(v[2] - z) <= within, what);
    printf("%.9g %.9g %.9g, expected %.9g %.9g %.9g within %.1g\n", (double)v[0], (double)v[1], (double)v[2],
           x, y, z, within);
}

/* A call that answered 0 has a message with this word in it. */
static inline void refused(const char *what, int answer, const char *word) {
    char text[256] = "";
    dry_ode_last_error(text, sizeof text, NULL);
    say(answer == 0 && strstr(text, word) != NULL, what);
    printf("%s\n", text);
}

#endif
