/*
 * A semicircular arch of 16 voussoirs: the horizontal acceleration at which it falls, and how. The examples in the other
 * languages make the same calls in the same order, and print the same numbers.
 *
 *     cc -std=c99 arch.c $(pkg-config --cflags --libs drystone) -lm -o arch
 */
#include <drystone.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { VOUSSOIRS = 16, BODIES = VOUSSOIRS + 2 };

static void check(dry_status status)
{
    if (status != DRY_OK) {
        char message[512] = "";
        dry_last_error(message, sizeof message, NULL);
        fprintf(stderr, "%s: %s\n", dry_status_name(status), message);
        exit(EXIT_FAILURE);
    }
}

/* A voussoir between two angles. Its corners are in the axes of the world, so that its body is at the origin. */
static void corners_between(double from, double to, double corners[24])
{
    const double radii[2] = {0.9, 1.1}; /* the thickness is a fifth of the radius [m] */
    for (int n = 0; n < 8; ++n) {
        const double angle = n & 1 ? to : from, radius = radii[n >> 1 & 1];
        corners[3 * n] = radius * cos(angle);
        corners[3 * n + 1] = n & 4 ? 0.5 : -0.5;
        corners[3 * n + 2] = radius * sin(angle);
    }
}

int main(void)
{
    const double half[3] = {0.2, 0.5, 0.1}, gravity = 9.81, pi = acos(-1.0);
    dry_world_def world_def;
    dry_world *world;
    dry_shape shape;
    dry_material_def material_def;
    dry_material material;
    dry_body_def def;
    dry_body body;
    dry_static_def static_def;
    dry_static_report report = {.struct_size = sizeof report};
    double corners[24], mass, center[3], inertia[6], loads[BODIES][6] = {{0}}, moves[BODIES][6], force[3], torque[3];

    /* What is not set here is as the library has it: gravity 9.81 m/s^2 along -z, 1000 kg/m^3. */
    check(dry_world_def_init(&world_def, sizeof world_def));
    check(dry_world_create(&world_def, &world));
    check(dry_material_def_init(&material_def, sizeof material_def));
    material_def.friction = 0.8;
    check(dry_material_add(world, &material_def, &material));
    check(dry_body_def_init(&def, sizeof def));
    check(dry_shape_box(world, half, &def.shape));
    def.kind = DRY_STATIC, def.material = material;
    for (int side = 0; side < 2; ++side) { /* the abutments */
        def.position[0] = side ? -1.0 : 1.0;
        def.position[2] = -half[2];
        check(dry_body_add(world, &def, &body));
    }
    check(dry_body_def_init(&def, sizeof def));
    def.material = material;
    for (int n = 0; n < VOUSSOIRS; ++n) {
        corners_between(pi * n / VOUSSOIRS, pi * (n + 1) / VOUSSOIRS, corners);
        check(dry_shape_hull(world, corners, 8, &shape));
        def.shape = shape;
        check(dry_body_add(world, &def, &body));
        check(dry_body_get_mass(world, body, &mass, center, inertia));
        loads[n + 2][0] = mass * gravity;
    }

    check(dry_static_def_init(&static_def, sizeof static_def));
    static_def.tolerance = 1e-9;
    check(dry_world_solve_static(world, &static_def, NULL, 0, &report));
    if (report.flags != 0) return EXIT_FAILURE;
    check(dry_query_body_force(world, body, force, torque)); /* the last voussoir, beside the abutment */
    printf("weight_of_a_voussoir %.6f\ncontacts_carry %.6f\n", mass * gravity, force[2]);
    check(dry_world_limit_load(world, loads[0], BODIES, &static_def, moves[0], &report));
    printf("falls_at_acceleration_over_g %.6f\n", report.load_factor);
    printf("slides %d\n", (report.flags & DRY_STATIC_SLIDING_MECHANISM) != 0);
    /* Between two voussoirs that turn apart there is a hinge. */
    for (int n = 1; n < BODIES; ++n) {
        const double before = n == 1 ? 0.0 : moves[n][4], after = n == BODIES - 1 ? 0.0 : moves[n + 1][4];
        if (fabs(after - before) > 1e-6) printf("hinge_at_degrees %.2f\n", 180.0 * (n - 1) / VOUSSOIRS);
    }
    dry_world_destroy(world);
}
