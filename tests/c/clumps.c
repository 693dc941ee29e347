/*
 * Clumps: the mass of the union, weights at rest, locks of a planar world.
 */
#include "scene.h"

static dry_world *world;

static dry_clump_part part_at(dry_shape shape, double x, double y, double z)
{
    dry_clump_part part;
    MUST(dry_clump_part_init(&part, sizeof part));
    part.shape = shape;
    part.position[0] = x;
    part.position[1] = y;
    part.position[2] = z;
    return part;
}

static int near(double found, double expected, double tolerance)
{
    return fabs(found - expected) <= tolerance;
}

/* An L of two bars that share a cube of 1 m. */
static dry_shape angle(void)
{
    dry_clump_part parts[2];
    parts[0] = part_at(box(world, 1.5, 0.5, 0.5), 1.5, 0, 0.5);
    parts[1] = part_at(box(world, 0.5, 0.5, 1.5), 0.5, 0, 1.5);
    dry_shape clump = 0;
    MUST(dry_shape_clump(world, parts, 2, &clump));
    for (int k = 0; k < 2; ++k)
        MUST(dry_shape_remove(world, parts[k].shape)); /* the clump has copies */
    return clump;
}

static void mass_of_the_union(void)
{
    double volume, mass, center[3], inertia[6];
    MUST(dry_shape_mass_properties(world, angle(), &volume, &mass, center, inertia));
    check_true("the volume of an L", near(volume, 5, 1e-14) && near(mass, 5, 1e-14));
    check_true("its centre", near(center[0], 1.1, 1e-14) && near(center[1], 0, 1e-15) && near(center[2], 1.1, 1e-14));
    /* Of the foot, 3 x 1 x 1 at (1.5, 0.5), and of the rest of the leg, 1 x 1 x 2 at (0.5, 2). */
    const double about_y = 3 * 10 / 12.0 + 3 * (0.16 + 0.36) + 2 * 5 / 12.0 + 2 * (0.36 + 0.81);
    check_true("its inertia", near(inertia[1], about_y, 1e-13));
    dry_clump_part parts[2];
    parts[0] = part_at(box(world, 1, 1, 1), 0, 0, 0);
    parts[1] = parts[0];
    parts[1].position[0] = 1;
    parts[1].density_factor = 3;
    dry_shape shape;
    MUST(dry_shape_clump(world, parts, 2, &shape));
    MUST(dry_shape_mass_properties(world, shape, &volume, &mass, center, inertia));
    check_true("the first part has the shared half", near(volume, 12, 1e-13) && near(mass, 20, 1e-13));
}

static void weight_at_rest(void)
{
    dry_body_def def;
    MUST(dry_body_def_init(&def, sizeof def));
    const double up[3] = {0, 0, 1};
    MUST(dry_shape_half_space(world, up, 0, &def.shape));
    def.kind = DRY_STATIC;
    dry_body floor_body, body;
    MUST(dry_body_add(world, &def, &floor_body));
    MUST(dry_body_def_init(&def, sizeof def));
    def.shape = angle();
    MUST(dry_body_add(world, &def, &body));
    for (int k = 0; k < 30; ++k)
        MUST(dry_world_step(world, 0.01, NULL));
    double force[3], torque[3];
    MUST(dry_query_body_force(world, body, force, torque));
    check_true("the weight of an L", near(force[2], 5000 * 9.81, 1e-5) && near(force[0], 0, 1e-5));
    size_t count;
    MUST(dry_query_contacts(world, NULL, sizeof(dry_contact), 0, &count));
    check_true("it stands on four points", count == 4);
}

static void planar(void)
{
    check_true("the planar locks", DRY_LOCK_PLANAR == (DRY_LOCK_Z | DRY_LOCK_ROTATION_X | DRY_LOCK_ROTATION_Y));
}

int main(void)
{
    dry_world_def def;
    MUST(dry_world_def_init(&def, sizeof def));
    MUST(dry_world_create(&def, &world));
    mass_of_the_union();
    weight_at_rest();
    planar();
    dry_world_destroy(world);
    return check_result();
}
