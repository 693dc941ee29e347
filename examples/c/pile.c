/*
 * A pile of 91 spheres, stepped for two seconds, and what can be known of it. The examples in the other languages make
 * the same calls in the same order, and print the same numbers.
 *
 *     cc -std=c99 pile.c $(pkg-config --cflags --libs drystone) -lm -o pile
 */
#include <drystone.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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
    /* What is not set here is as the library has it: gravity 9.81 m/s^2 along -z, 50 sweeps, 1000 kg/m^3. */
    const double up[3] = {0.0, 0.0, 1.0}, gravity = 9.81;
    dry_world_def world_def;
    dry_world *world;
    dry_shape ground, ball;
    dry_material_def material_def;
    dry_material material;
    dry_body_def def;
    dry_body bottom, sphere;
    size_t count, contacts, spheres = 0;
    double mass, center[3], inertia[6], force[3], torque[3], kinetic, potential, largest = 0.0, highest = 0.0;
    uint64_t hash;

    check(dry_world_def_init(&world_def, sizeof world_def));
    check(dry_world_create(&world_def, &world));
    check(dry_shape_half_space(world, up, 0.0, &ground));
    check(dry_shape_sphere(world, 0.1, &ball));
    check(dry_material_def_init(&material_def, sizeof material_def));
    material_def.friction = 0.5, material_def.rolling_friction = 0.2; /* else the pile would roll apart */
    check(dry_material_add(world, &material_def, &material));
    check(dry_body_def_init(&def, sizeof def));
    def.kind = DRY_STATIC, def.shape = ground, def.material = material;
    check(dry_body_add(world, &def, &bottom));
    def.kind = DRY_DYNAMIC, def.shape = ball;
    for (int k = 0; k <= 5; ++k)
        for (int i = 0; i <= 5 - k; ++i)
            for (int j = 0; j <= 5 - k; ++j, ++spheres) {
                def.position[0] = (i - (5 - k) * 0.5) * 0.21;
                def.position[1] = (j - (5 - k) * 0.5) * 0.21;
                def.position[2] = 0.1 + k * 0.17;
                check(dry_body_add(world, &def, &sphere));
            }
    for (int step = 0; step < 480; ++step) check(dry_world_step(world, 1.0 / 240.0, NULL));

    check(dry_query_contacts(world, NULL, sizeof(dry_contact), 0, &contacts));
    dry_contact *contact = calloc(contacts + 1, sizeof *contact);
    dry_body_state *state = calloc(spheres + 1, sizeof *state);
    if (contact == NULL || state == NULL) return EXIT_FAILURE;
    check(dry_query_contacts(world, contact, sizeof *contact, contacts, &count));
    for (size_t n = 0; n < count; ++n) largest = fmax(largest, contact[n].normal_force);
    check(dry_bodies_get_states(world, NULL, spheres + 1, state)); /* as they were added: the floor is the first */
    for (size_t n = 1; n <= spheres; ++n) highest = fmax(highest, state[n].position[2]);
    check(dry_body_get_mass(world, sphere, &mass, center, inertia));
    check(dry_query_body_force(world, bottom, force, torque));
    check(dry_query_energy(world, &kinetic, &potential));
    check(dry_world_hash(world, &hash));

    printf("contacts %zu\nfloor_over_weight %.12e\n", count, -force[2] / ((double)spheres * mass * gravity));
    printf("largest_normal_force %.12e\nkinetic_energy %.12e\n", largest, kinetic);
    printf("highest_centre %.12e\nhash %016" PRIx64 "\n", highest, hash);
    free(contact), free(state);
    dry_world_destroy(world);
}
