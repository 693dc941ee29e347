/*
 * A dumbbell, a clump of two balls and a bar, falls onto ice and comes to rest on both balls.
 * The examples in the other languages make the same calls in the same order, and print the same numbers.
 *
 *     cc -std=c99 clump.c $(pkg-config --cflags --libs drystone) -lm -o clump
 */
#include <drystone.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { PARTS = 3, STEPS = 480 };

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
    const double gravity = 9.81, up[3] = {0, 0, 1}, bar[3] = {0.5, 0.08, 0.08}, pi = acos(-1.0);
    dry_world_def world_def;
    dry_world *world;
    dry_material_def material_def;
    dry_material ice;
    dry_clump_part parts[PARTS];
    dry_shape clump;
    dry_body_def def;
    dry_body dumbbell;
    dry_body_state state;
    dry_contact contacts[8];
    size_t count;
    double volume, mass, center[3], inertia[6], place[3], on_large = 0.0, on_small = 0.0;

    check(dry_world_def_init(&world_def, sizeof world_def));
    world_def.gravity[2] = -gravity;
    check(dry_world_create(&world_def, &world));
    check(dry_material_def_init(&material_def, sizeof material_def));
    material_def.friction = 0.0;
    check(dry_material_add(world, &material_def, &ice));
    check(dry_body_def_init(&def, sizeof def));
    check(dry_shape_half_space(world, up, 0.0, &def.shape));
    def.kind = DRY_STATIC, def.material = ice;
    check(dry_body_add(world, &def, &dumbbell));

    for (int k = 0; k < PARTS; ++k) check(dry_clump_part_init(&parts[k], sizeof parts[k]));
    check(dry_shape_sphere(world, 0.3, &parts[0].shape));
    check(dry_shape_sphere(world, 0.2, &parts[1].shape));
    check(dry_shape_box(world, bar, &parts[2].shape)); /* it reaches into both balls */
    parts[0].position[0] = -0.5, parts[1].position[0] = 0.5;
    check(dry_shape_clump(world, parts, PARTS, &clump));
    for (int k = 0; k < PARTS; ++k) check(dry_shape_remove(world, parts[k].shape)); /* the clump has copies */
    check(dry_shape_mass_properties(world, clump, &volume, &mass, center, inertia));
    check(dry_body_def_init(&def, sizeof def));
    def.shape = clump, def.material = ice;
    def.position[2] = 0.5;
    check(dry_body_add(world, &def, &dumbbell));

    for (int n = 0; n < STEPS; ++n) check(dry_world_step(world, 1.0 / 240.0, NULL));
    check(dry_query_contacts(world, contacts, sizeof contacts[0], sizeof contacts / sizeof contacts[0], &count));
    check(dry_body_get_state(world, dumbbell, &state));
    for (size_t n = 0; n < count; ++n)
        *(contacts[n].point[0] < state.position[0] ? &on_large : &on_small) += contacts[n].normal_force;
    printf("volume %.6f\ncenter_of_mass %.6f\n", volume, center[0]);
    check(dry_body_get_mass(world, dumbbell, &mass, place, inertia));
    printf("weight %.6f\ncontacts %d\n", mass * gravity, (int)count);
    printf("on_large_ball %.6f\non_small_ball %.6f\n", on_large, on_small);
    printf("leaning_degrees %.2f\n", 2.0 * atan2(state.rotation[1], state.rotation[3]) * 180.0 / pi);
    dry_world_destroy(world);
}
