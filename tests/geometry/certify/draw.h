/*
 * Random pairs of shapes.
 */
#ifndef CERTIFY_DRAW_H
#define CERTIFY_DRAW_H

#include <stdint.h>

#include "solid.h"

typedef struct pair {
    shape a, b;
    pose pa, pb;
    /* The margin of contacts [m]. */
    double margin, size;
    /* Whether the second shape is added first, and whether it can move. */
    int is_swapped, is_dynamic;
    /* The angle by which features were turned that face each other; -1 elsewhere [rad]. */
    double tilt;
    /* The answer for the pair. */
    answer answer;
} pair;

/* Draws the pair of a number. It depends on nothing else. `is_tilted`: features are parallel except for a small angle. */
void draw_pair(uint64_t seed, kind a, kind b, int is_tilted, uint64_t number, pair *pair);

/* Random numbers: the generator splitmix64. */
typedef struct generator {
    uint64_t state;
} generator;

double uniform(generator *g, double low, double high);
int below(generator *g, int count);
d3 direction(generator *g);
void draw_shape(generator *g, kind kind, shape *s);

#endif
