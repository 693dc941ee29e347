/*
 * The cannonball pyramid of T. Olsen and K. Kamrin, section 8.2: a square pile of close-packed spheres without friction,
 * the lowest layer fixed. One layer rests in the hollows of the one below.
 */
#ifndef CANNONBALL_H
#define CANNONBALL_H

#include "host.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>

static const double radius = 1.25e-3;        /* of every sphere [m] */
static const double density = 2000.0;        /* [kg/m^3] */
static const double gravity = 9.81;          /* downwards, along -z [m/s^2] */
static const double lift = 0.05 * 1.25e-3;   /* of each layer above its place on the one below [m] */

static const double time_step = 1e-3;        /* [s] */

enum { REST_STEPS = 10, MAX_STEPS = 5000, MAX_SPHERES_ALONG_BASE = 100 };

typedef struct pile {
    dry_world *world;
    size_t side;              /* spheres along an edge of the base */
    size_t base_count, count; /* spheres of the base, and all; the base comes first */
    dry_body *bodies;
    dry_body_state *states;   /* as of the last pile_read */
    dry_material even, odd;   /* of the spheres of even and of odd index: equal, until a host changes one */
} pile;

typedef struct outcome {
    bool at_rest;
    uint32_t steps, quiet_steps;
    double largest_speed;     /* at the end [m/s] */
    double seconds;           /* wall time of the stepping [s] */
    dry_step_report report;   /* of the last step */
} outcome;

/* A layer has one sphere less along each edge than the one below and lies higher by the diameter over sqrt 2. Layers are
 * lifted one by one, so that layer k starts k times `lift` too high. */
static inline void pile_place(const pile *pyramid, dry_body_def *defs, const dry_body_def *model)
{
    size_t next = 0;
    for (size_t layer = 0; layer < pyramid->side; ++layer) {
        const size_t along = pyramid->side - layer;
        const double first = -(double)(along - 1) * radius;
        for (size_t cell = 0; cell < along * along; ++cell, ++next) {
            defs[next] = *model;
            defs[next].kind = layer == 0 ? DRY_STATIC : DRY_DYNAMIC;
            defs[next].position[0] = first + 2.0 * (double)(cell % along) * radius;
            defs[next].position[1] = first + 2.0 * (double)(cell / along) * radius;
            defs[next].position[2] = (double)layer * (sqrt(2.0) * radius + lift);
        }
    }
}

static inline dry_material pile_material(dry_world *world)
{
    dry_material_def def;
    CHECK(dry_material_def_init(&def, sizeof def));
    def.friction = 0.0;
    def.restitution = 0.0;
    def.density = density;
    dry_material material = 0;
    CHECK(dry_material_add(world, &def, &material));
    return material;
}

static inline dry_world *pile_world(const dry_settings *settings)
{
    dry_world_def def;
    CHECK(dry_world_def_init(&def, sizeof def));
    def.settings = settings;
    def.gravity[0] = 0.0;
    def.gravity[1] = 0.0;
    def.gravity[2] = -gravity;
    dry_world *world = NULL;
    CHECK(dry_world_create(&def, &world));
    return world;
}

/* The layers lifted, nothing moving. */
static inline pile pile_create(size_t side, const dry_settings *settings)
{
    pile pyramid = {.world = pile_world(settings), .side = side};
    pyramid.base_count = side * side;
    pyramid.count = side * (side + 1) * (2 * side + 1) / 6;
    pyramid.bodies = allocate(pyramid.count, sizeof *pyramid.bodies);
    pyramid.states = allocate(pyramid.count, sizeof *pyramid.states);

    /* one shape serves all spheres */
    dry_body_def model;
    CHECK(dry_body_def_init(&model, sizeof model));
    CHECK(dry_shape_sphere(pyramid.world, radius, &model.shape));
    pyramid.even = pile_material(pyramid.world);
    pyramid.odd = pile_material(pyramid.world);

    dry_body_def *defs = allocate(pyramid.count, sizeof *defs);
    pile_place(&pyramid, defs, &model);
    for (size_t i = 0; i < pyramid.count; ++i) {
        defs[i].material = i % 2 == 0 ? pyramid.even : pyramid.odd;
        defs[i].user_data = i;
    }
    CHECK(dry_bodies_add(pyramid.world, defs, pyramid.count, pyramid.bodies));
    free(defs);
    return pyramid;
}

static inline void pile_destroy(pile *pyramid)
{
    dry_world_destroy(pyramid->world);
    free(pyramid->states);
    free(pyramid->bodies);
}

static inline void pile_read(const pile *pyramid)
{
    CHECK(dry_bodies_get_states(pyramid->world, pyramid->bodies, pyramid->count, pyramid->states));
}

/* Reads the states; answers the largest speed [m/s]. */
static inline double pile_largest_speed(const pile *pyramid)
{
    double largest = 0.0;
    pile_read(pyramid);
    for (size_t i = 0; i < pyramid->count; ++i) {
        const double *v = pyramid->states[i].linear_velocity;
        largest = fmax(largest, sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
    }
    return largest;
}

/* One step. The pile is at rest when no sphere was faster than `rest_speed` for REST_STEPS steps in a row. */
static inline void pile_step(const pile *pyramid, double rest_speed, outcome *now)
{
    now->report = empty_report();
    CHECK(dry_world_step(pyramid->world, time_step, &now->report));
    now->seconds += now->report.seconds_total;
    ++now->steps;
    now->largest_speed = pile_largest_speed(pyramid);
    now->quiet_steps = now->largest_speed < rest_speed ? now->quiet_steps + 1 : 0;
    now->at_rest = now->quiet_steps == REST_STEPS;
}

static inline double pile_free_weight(const pile *pyramid)
{
    const double pi = acos(-1.0);
    const double sphere_weight = 4.0 / 3.0 * pi * radius * radius * radius * density * gravity;
    return (double)(pyramid->count - pyramid->base_count) * sphere_weight;
}

/* The contacts of the last step; the caller frees them. */
static inline dry_contact *pile_contacts(const pile *pyramid, size_t *count)
{
    /* without a buffer the call returns the number alone */
    CHECK(dry_query_contacts(pyramid->world, NULL, sizeof(dry_contact), 0, count));
    dry_contact *contacts = allocate(*count, sizeof *contacts);
    CHECK(dry_query_contacts(pyramid->world, contacts, sizeof *contacts, *count, count));
    return contacts;
}

/* Index of a sphere in the order of their creation, which is that of the layers. */
static inline size_t pile_index(const pile *pyramid, dry_body body)
{
    uint64_t index = 0;
    CHECK(dry_body_get_user_data(pyramid->world, body, &index));
    return (size_t)index;
}

static inline size_t parse_side(const char *text)
{
    char *end = NULL;
    const long side = strtol(text, &end, 10);
    if (end == text || *end != '\0' || side < 2 || side > MAX_SPHERES_ALONG_BASE) {
        fprintf(stderr, "spheres along an edge of the base: 2 to %d, not '%s'\n", MAX_SPHERES_ALONG_BASE, text);
        exit(EXIT_FAILURE);
    }
    return (size_t)side;
}

#endif
