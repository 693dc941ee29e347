/*
 * What the hosts here share: a failed expectation prints where it stands, and the program ends with 1.
 */
#ifndef EXPECT_H
#define EXPECT_H

#include <drystone.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;

#define EXPECT(condition)                                                \
    do {                                                                 \
        if (!(condition)) {                                              \
            printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);       \
            failures += 1;                                               \
        }                                                                \
    } while (0)

/* The call answers this status; if it fails, the last error names the given text. */
#define EXPECT_STATUS(call, status, text) expect_status(__FILE__, __LINE__, #call, call, status, text)

static inline void expect_status(
    const char *file, int line, const char *call, dry_status found, dry_status expected, const char *text) {
    char message[512];
    memset(message, 0, sizeof message);
    if (found != DRY_OK) {
        dry_last_error(message, sizeof message, NULL);
    }
    if (found != expected || (text != NULL && strstr(message, text) == NULL)) {
        printf("%s:%d: %s\n  is %s (%s), expected %s (%s)\n", file, line, call, dry_status_name(found), message,
               dry_status_name(expected), text == NULL ? "any message" : text);
        failures += 1;
    }
}

#define OK(call) EXPECT_STATUS(call, DRY_OK, NULL)

static inline int verdict(void) {
    return failures == 0 ? 0 : 1;
}

/* A default world. */
static inline dry_world *new_world(void) {
    dry_world_def def;
    dry_world *world = NULL;
    OK(dry_world_def_init(&def, sizeof def));
    OK(dry_world_create(&def, &world));
    if (world == NULL) {
        exit(1);
    }
    return world;
}

/* A body of this shape at a height above the origin. */
static inline dry_body new_body(dry_world *world, dry_body_kind kind, dry_shape shape, double height) {
    dry_body_def def;
    dry_body body = 0;
    OK(dry_body_def_init(&def, sizeof def));
    def.kind = kind;
    def.shape = shape;
    def.position[2] = height;
    OK(dry_body_add(world, &def, &body));
    return body;
}

/* The hash of the world's state. */
static inline uint64_t hash_of(const dry_world *world) {
    uint64_t hash = 0;
    OK(dry_world_hash(world, &hash));
    return hash;
}

#endif
