/*
 * A grain of three lobes, a NURBS curve, falls onto an elastic floor in the plane and comes to rest by the theta method.
 * The examples in the other languages make the same calls in the same order, and print the same numbers.
 *
 *     cc -std=c99 grain.c $(pkg-config --cflags --libs drystone) -lm -o grain
 */
#include <drystone.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { POINTS = 9, STEPS = 2400 };

static void check(dry_status status)
{
    if (status != DRY_OK) {
        char message[512] = "";
        dry_last_error(message, sizeof message, NULL);
        fprintf(stderr, "%s: %s\n", dry_status_name(status), message);
        exit(EXIT_FAILURE);
    }
}

int main(void)
{
    const double stiffness = 1e6, up[3] = {0, 1, 0}, pi = acos(-1.0);
    dry_settings settings;
    dry_world_def world_def;
    dry_world *world;
    dry_material_def material_def;
    dry_material material;
    dry_nurbs_curve_def curve;
    dry_body_def def;
    dry_body grain;
    dry_body_state state;
    dry_contact contacts[8];
    size_t count;
    double points[2 * POINTS], knots[POINTS + 1], mass, center[3], inertia[6], carried = 0.0, pressed = 0.0;

    check(dry_settings_init(&settings, sizeof settings));
    settings.method = DRY_METHOD_THETA;
    settings.theta = 0.7; /* 0.5 keeps the energy, 1 damps most */
    check(dry_world_def_init(&world_def, sizeof world_def));
    world_def.settings = &settings;
    world_def.gravity[1] = -9.81, world_def.gravity[2] = 0.0;
    check(dry_world_create(&world_def, &world));
    check(dry_material_def_init(&material_def, sizeof material_def));
    material_def.friction = 0.5;
    material_def.normal_stiffness = 2.0 * stiffness; /* of grain and floor in series, at each contact point [N/m] */
    check(dry_material_add(world, &material_def, &material));

    check(dry_body_def_init(&def, sizeof def));
    check(dry_shape_half_space(world, up, 0.0, &def.shape));
    def.kind = DRY_STATIC, def.material = material;
    check(dry_body_add(world, &def, &grain));

    /* Every third point is nearer to the middle: the curve is not convex there. */
    for (int k = 0; k < POINTS; ++k) {
        const double radius = k % 3 == 1 ? 0.25 : 0.5, angle = 2.0 * pi * k / POINTS;
        points[2 * k] = radius * cos(angle);
        points[2 * k + 1] = radius * sin(angle);
    }
    for (int k = 0; k <= POINTS; ++k) knots[k] = k;
    check(dry_nurbs_curve_def_init(&curve, sizeof curve)); /* cubic, periodic, a prism 1 m long */
    curve.points_xy = points, curve.point_count = POINTS;
    curve.knots = knots, curve.knot_count = POINTS + 1;
    check(dry_body_def_init(&def, sizeof def));
    check(dry_shape_nurbs_curve(world, &curve, &def.shape));
    def.material = material, def.lock = DRY_LOCK_PLANAR;
    def.position[1] = 1.0;
    check(dry_body_add(world, &def, &grain));
    check(dry_body_get_mass(world, grain, &mass, center, inertia));

    for (int n = 0; n < STEPS; ++n) check(dry_world_step(world, 1.0 / 240.0, NULL));
    check(dry_query_contacts(world, contacts, sizeof contacts[0], sizeof contacts / sizeof contacts[0], &count));
    for (size_t n = 0; n < count; ++n) {
        carried += contacts[n].normal_force;
        pressed -= stiffness * contacts[n].gap;
    }
    check(dry_body_get_state(world, grain, &state));
    printf("weight %.6f\ncontacts %d\ncontacts_carry %.6f\n", mass * 9.81, (int)count, carried);
    printf("stiffness_times_overlap %.6f\n", pressed);
    printf("height %.6f\n", state.position[1]);
    printf("turned_by_degrees %.3f\n", 2.0 * atan2(state.rotation[2], state.rotation[3]) * 180.0 / pi);
    dry_world_destroy(world);
}
