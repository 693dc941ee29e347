/*
 * A platform of weight 10 N on three supports, after Olsen and Kamrin, section 8.1: what balance leaves open is how much
 * the middle one carries. Through the solver alone, which is handed the three contacts, and through a world, which finds
 * them.
 */
#ifndef BEAM_H
#define BEAM_H

#include "host.h"

#include <math.h>

enum { SUPPORTS = 3 };

static const double beam_weight = 10.0;                       /* [N] */
static const double beam_gravity = 10.0;                      /* [m/s^2], so that its mass is 1 kg */
static const double beam_step = 1e-3;                         /* [s] */
static const double beam_support[SUPPORTS] = {-1.0, 0.0, 1.0};/* where they stand along x [m] */
static const double beam_half[3] = {1.1, 0.1, 0.05};          /* half extents of the platform [m] */

/* An order of visits: that in which the supports are listed, or a random one. */
typedef struct beam_order {
    const char *name;
    dry_sweep sweep;
    uint64_t seed;
    size_t listed[SUPPORTS];
} beam_order;

/* What left, middle and right carry [N]. */
typedef struct beam_forces {
    double classic[SUPPORTS], compatible[SUPPORTS];
} beam_forces;

static inline dry_settings beam_settings(const beam_order *order)
{
    dry_settings settings;
    CHECK(dry_settings_init(&settings, sizeof settings));
    settings.sweep = order->sweep;
    settings.seed = order->seed;
    settings.warm_start = DRY_WARM_OFF;
    settings.iterations = 10000;
    settings.tolerance = 1e-14;
    settings.compatibility = DRY_COMPATIBILITY_HOOKE;
    settings.compatibility_tolerance = 1e-12;
    return settings;
}

/* The three contacts handed over, each with its stiffness. */
static inline beam_forces beam_by_solver(const beam_order *order, const double stiffness[SUPPORTS])
{
    const double mass = beam_weight / beam_gravity;
    const double inertia = mass / 3.0 * (beam_half[0] * beam_half[0] + beam_half[2] * beam_half[2]);
    /* it moves along x and z and turns about y: its velocity already has what gravity adds in a step */
    const dry_problem_body platform = {.inverse_mass = 1.0 / mass,
                                       .inverse_inertia = {0.0, 1.0 / inertia, 0.0, 0.0, 0.0, 0.0},
                                       .velocity = {0.0, 0.0, -beam_gravity * beam_step}};
    dry_problem_contact contacts[SUPPORTS];
    for (size_t i = 0; i < SUPPORTS; ++i) {
        const size_t place = order->listed[i];
        contacts[i] = (dry_problem_contact){.key = place + 1, .body_a = UINT32_MAX, .body_b = 0,
                                            .normal = {0.0, 0.0, 1.0},
                                            .arm_b = {beam_support[place], 0.0, -beam_half[2]},
                                            .stiffness = stiffness[place]};
    }
    const dry_problem problem = {.struct_size = sizeof problem, .step = beam_step, .bodies = &platform,
                                 .body_count = 1, .contacts = contacts, .contact_count = SUPPORTS};
    dry_contact_solution found[SUPPORTS];
    dry_solution solution = {.struct_size = sizeof solution, .contacts = found};
    const dry_settings settings = beam_settings(order);
    dry_solver *solver = NULL;
    CHECK(dry_solver_create(&solver));
    CHECK(dry_solver_solve(solver, &problem, &settings, &solution));
    dry_solver_destroy(solver);

    beam_forces forces;
    for (size_t i = 0; i < SUPPORTS; ++i) {
        forces.classic[order->listed[i]] = found[i].impulse[2] / beam_step;
        forces.compatible[order->listed[i]] = found[i].compatible_impulse[2] / beam_step;
    }
    return forces;
}

static inline dry_material beam_material(dry_world *world)
{
    dry_material_def def;
    dry_material material = 0;
    CHECK(dry_material_def_init(&def, sizeof def));
    def.friction = 0.0;
    CHECK(dry_material_add(world, &def, &material));
    return material;
}

/* Each support of a material of its own, whose pair with the platform's has the stiffness. */
static inline void beam_add_supports(dry_world *world, const beam_order *order, const double stiffness[SUPPORTS],
                                     dry_material platform, dry_body supports[SUPPORTS])
{
    const double ball = 0.1; /* [m] */
    dry_body_def def;
    CHECK(dry_body_def_init(&def, sizeof def));
    CHECK(dry_shape_sphere(world, ball, &def.shape));
    def.kind = DRY_STATIC;
    def.position[2] = -ball; /* so that the platform lies at z = 0 */
    for (size_t i = 0; i < SUPPORTS; ++i) {
        const size_t place = order->listed[i];
        dry_pair_def pair;
        CHECK(dry_pair_def_init(&pair, sizeof pair));
        pair.friction = 0.0;
        pair.stiffness = stiffness[place];
        def.material = beam_material(world);
        CHECK(dry_material_pair_set(world, platform, def.material, &pair));
        def.position[0] = beam_support[place];
        CHECK(dry_body_add(world, &def, &supports[place]));
    }
}

/* The same with bodies: a box on three spheres. */
static inline beam_forces beam_by_world(const beam_order *order, const double stiffness[SUPPORTS])
{
    const dry_settings settings = beam_settings(order);
    dry_world_def def;
    CHECK(dry_world_def_init(&def, sizeof def));
    def.settings = &settings;
    def.gravity[2] = -beam_gravity;
    dry_world *world = NULL;
    CHECK(dry_world_create(&def, &world));

    dry_body supports[SUPPORTS], platform;
    dry_body_def box;
    CHECK(dry_body_def_init(&box, sizeof box));
    box.material = beam_material(world);
    beam_add_supports(world, order, stiffness, box.material, supports);
    CHECK(dry_shape_box(world, beam_half, &box.shape));
    box.mass = beam_weight / beam_gravity;
    box.position[2] = beam_half[2];
    box.lock = DRY_LOCK_Y | DRY_LOCK_ROTATION_X | DRY_LOCK_ROTATION_Z; /* it is a problem in the plane */
    CHECK(dry_body_add(world, &box, &platform));
    CHECK(dry_world_step(world, beam_step, NULL));

    dry_contact contacts[SUPPORTS];
    size_t count = 0;
    CHECK(dry_query_contacts(world, contacts, sizeof *contacts, SUPPORTS, &count));
    beam_forces forces = {{0.0}, {0.0}};
    for (size_t i = 0; i < count; ++i) {
        for (size_t place = 0; place < SUPPORTS; ++place) {
            if (contacts[i].body_a == supports[place] || contacts[i].body_b == supports[place]) {
                forces.classic[place] = contacts[i].normal_force;
                forces.compatible[place] = contacts[i].compatible_normal_force;
            }
        }
    }
    dry_world_destroy(world);
    return forces;
}

/* Prints one row of both forms; answers the largest error of the compatible forces, which are known: the shares go as the
 * stiffness, the outer ones being equal. */
static inline double beam_compare(const char *route, const beam_order *order,
                                  beam_forces (*solve)(const beam_order *, const double[SUPPORTS]))
{
    static const double stiffness[2][SUPPORTS] = {{1.0, 1.0, 1.0}, {1.0, 3.0, 1.0}};
    static const double expected[2][SUPPORTS] = {{10.0 / 3.0, 10.0 / 3.0, 10.0 / 3.0}, {2.0, 6.0, 2.0}};
    double error = 0.0;
    printf("  %-8s %-20s", route, order->name);
    for (size_t kind = 0; kind < 2; ++kind) {
        const beam_forces forces = solve(order, stiffness[kind]);
        if (kind == 0) {
            printf("%8.4f%8.4f%8.4f  ", forces.classic[0], forces.classic[1], forces.classic[2]);
        }
        printf("  %8.4f%8.4f%8.4f", forces.compatible[0], forces.compatible[1], forces.compatible[2]);
        for (size_t place = 0; place < SUPPORTS; ++place) {
            error = fmax(error, fabs(forces.compatible[place] - expected[kind][place]));
        }
    }
    printf("\n");
    return error;
}

/* Prints the table; answers the largest error of the compatible forces [N]. */
static inline double beam_table(void)
{
    static const beam_order orders[] = {{"left, middle, right", DRY_SWEEP_NATURAL, 0, {0, 1, 2}},
                                        {"middle, left, right", DRY_SWEEP_NATURAL, 0, {1, 0, 2}},
                                        {"random, seed 3", DRY_SWEEP_RANDOM, 3, {0, 1, 2}},
                                        {"random, seed 5", DRY_SWEEP_RANDOM, 5, {0, 1, 2}}};
    const size_t count = sizeof orders / sizeof *orders;
    double error = 0.0;
    printf("A platform of weight %g N on three supports: what left, middle and right carry [N]\n\n", beam_weight);
    printf("  %-8s %-20s%-24s    %-24s  %-24s\n", "contacts", "visited", "      without correction",
           "  corrected, 1 : 1 : 1", "  corrected, 1 : 3 : 1");
    for (size_t i = 0; i < count; ++i) {
        error = fmax(error, beam_compare("handed", &orders[i], beam_by_solver));
    }
    for (size_t i = 0; i < count; ++i) {
        error = fmax(error, beam_compare("found", &orders[i], beam_by_world));
    }
    printf("\n  largest error of corrected forces: %.1e N\n", error);
    return error;
}

#endif
