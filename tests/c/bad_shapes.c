/*
 * Bad input, second part: materials and shapes.
 */
#include "refuse.h"

static dry_material material;
static dry_shape used_shape, removed_shape;
static dry_body ball;

/* A ball on a floor, a few steps old. */
static void set_up(void)
{
    world = new_world(NULL, GRAVITY);
    material = add_material(world, 0.5, 0, 1000);
    add_floor(world, material);
    used_shape = sphere(world, 0.5);
    dry_body_def def = body_at(used_shape, material, 0, 0, 0.5);
    ball = add_body(world, &def);
    removed_shape = sphere(world, 1);
    MUST(dry_shape_remove(world, removed_shape));
    for (int k = 0; k < 3; ++k)
        MUST(dry_world_step(world, 0.01, NULL));
    accept_state();
}

/* ---- materials ------------------------------------------------------------------------------------ */

static void materials(void)
{
    dry_material_def def;
    size_t size = sizeof def;
    MUST(dry_material_def_init(&def, sizeof def));
    ACCEPTED(dry_material_add(world, &def, &out.handles[0]));
#define ADD dry_material_add(world, &def, &out.handles[0])
    BAD_NUMBERS("friction", def.friction, NEGATIVE, ADD);
    BAD_NUMBERS("rolling_friction", def.rolling_friction, NEGATIVE, ADD);
    BAD_NUMBERS("twisting_friction", def.twisting_friction, NEGATIVE, ADD);
    BAD_NUMBERS("restitution", def.restitution, NEGATIVE | LARGE, ADD);
    BAD_NUMBERS("young_modulus", def.young_modulus, NEGATIVE | ZERO, ADD);
    BAD_NUMBERS("poisson_ratio", def.poisson_ratio, NEGATIVE | LARGE, ADD);
    BAD_NUMBERS("density", def.density, NEGATIVE | ZERO, ADD);
    BAD_NUMBERS("contact_damping", def.contact_damping, NEGATIVE, ADD);
    BAD_NUMBERS("normal_stiffness", def.normal_stiffness, NEGATIVE, ADD);
    BAD_VALUE(DRY_ERR_ARGUMENT, "normal_stiffness", def.normal_stiffness, double, 1e-310, ADD);
    BAD_VALUE(DRY_ERR_ARGUMENT, "tangential_stiffness", def.tangential_stiffness, double, 1.0, ADD);
    def.normal_stiffness = 1.0;
    BAD_NUMBERS("tangential_stiffness", def.tangential_stiffness, NEGATIVE, ADD);
    def.normal_stiffness = 0.0;
    BAD_SIZES("struct_size", def.struct_size, ADD);
    REFUSED(DRY_ERR_NULL, "world", dry_material_add(NULL, &def, &out.handles[0]));
    REFUSED(DRY_ERR_NULL, "def", dry_material_add(world, NULL, &out.handles[0]));
    REFUSED(DRY_ERR_NULL, "material", dry_material_add(world, &def, NULL));
    REFUSED(DRY_ERR_NULL, "def", dry_material_def_init(NULL, size));
    BAD_SIZES("size", size, dry_material_def_init(&out.material_def, size));
#undef ADD
    check_refused("dry_material_add");
}

static void pairs(void)
{
    const uint64_t bad[4] = {used_shape, ball, material + 1000, UINT64_MAX};
    uint64_t first = material, second = 0; /* with the default material */
    dry_pair_def def;
    size_t size = sizeof def;
    MUST(dry_pair_def_init(&def, sizeof def));
#define SET dry_material_pair_set(world, first, second, &def)
    ACCEPTED(SET);
    BAD_NUMBERS("friction", def.friction, NEGATIVE, SET);
    BAD_NUMBERS("rolling_friction", def.rolling_friction, NEGATIVE, SET);
    BAD_NUMBERS("twisting_friction", def.twisting_friction, NEGATIVE, SET);
    BAD_NUMBERS("restitution", def.restitution, NEGATIVE | LARGE, SET);
    BAD_NUMBERS("stiffness", def.stiffness, NEGATIVE, SET);
    BAD_NUMBERS("contact_stiffness", def.contact_stiffness, NEGATIVE, SET);
    BAD_NUMBERS("contact_damping", def.contact_damping, NEGATIVE, SET);
    /* INFINITY: rigid */
    BAD_VALUE(DRY_ERR_ARGUMENT, "normal_stiffness", def.normal_stiffness, double, -1.0, SET);
    BAD_VALUE(DRY_ERR_NOT_FINITE, "normal_stiffness", def.normal_stiffness, double, NAN, SET);
    BAD_VALUE(DRY_ERR_ARGUMENT, "tangential_stiffness", def.tangential_stiffness, double, -1.0, SET);
    BAD_VALUE(DRY_ERR_NOT_FINITE, "tangential_stiffness", def.tangential_stiffness, double, NAN, SET);
    BAD_SIZES("struct_size", def.struct_size, SET);
    BAD_HANDLES("first", first, bad, SET);
    BAD_HANDLES("second", second, bad, SET);
#undef SET
    REFUSED(DRY_ERR_NULL, "world", dry_material_pair_set(NULL, first, second, &def));
    REFUSED(DRY_ERR_NULL, "def", dry_material_pair_set(world, first, second, NULL));
    REFUSED(DRY_ERR_NULL, "def", dry_pair_def_init(NULL, size));
    BAD_SIZES("size", size, dry_pair_def_init(&out.pair_def, size));
    check_refused("dry_material_pair_set");
}

/* ---- shapes --------------------------------------------------------------------------------------- */

static void simple_shapes(void)
{
    dry_shape *shape = &out.handles[0];
    double a = 0.5, b = 0.25, v[3] = {0.5, 0.25, 1}, n[3] = {0, 0, 1};
    ACCEPTED(dry_shape_sphere(world, a, shape));
    BAD_NUMBERS("radius", a, NEGATIVE | ZERO, dry_shape_sphere(world, a, shape));
    REFUSED(DRY_ERR_NULL, "world", dry_shape_sphere(NULL, a, shape));
    REFUSED(DRY_ERR_NULL, "shape", dry_shape_sphere(world, a, NULL));
    ACCEPTED(dry_shape_box(world, v, shape));
    for (int c = 0; c < 3; ++c)
        BAD_NUMBERS("half_extents", v[c], NEGATIVE | ZERO, dry_shape_box(world, v, shape));
    REFUSED(DRY_ERR_NULL, "world", dry_shape_box(NULL, v, shape));
    REFUSED(DRY_ERR_NULL, "half_extents", dry_shape_box(world, NULL, shape));
    REFUSED(DRY_ERR_NULL, "shape", dry_shape_box(world, v, NULL));
    ACCEPTED(dry_shape_capsule(world, a, b, shape));
    BAD_NUMBERS("half_height", a, NEGATIVE, dry_shape_capsule(world, a, b, shape));
    BAD_NUMBERS("radius", b, NEGATIVE | ZERO, dry_shape_capsule(world, a, b, shape));
    REFUSED(DRY_ERR_NULL, "world", dry_shape_capsule(NULL, a, b, shape));
    REFUSED(DRY_ERR_NULL, "shape", dry_shape_capsule(world, a, b, NULL));
    ACCEPTED(dry_shape_cylinder(world, a, b, shape));
    BAD_NUMBERS("half_height", a, NEGATIVE | ZERO, dry_shape_cylinder(world, a, b, shape));
    BAD_NUMBERS("radius", b, NEGATIVE | ZERO, dry_shape_cylinder(world, a, b, shape));
    REFUSED(DRY_ERR_NULL, "world", dry_shape_cylinder(NULL, a, b, shape));
    REFUSED(DRY_ERR_NULL, "shape", dry_shape_cylinder(world, a, b, NULL));
    ACCEPTED(dry_shape_half_space(world, n, a, shape));
    for (int c = 0; c < 3; ++c)
        BAD_NUMBERS("normal", n[c], 0, dry_shape_half_space(world, n, a, shape));
    BAD_NUMBERS("normal", n[2], ZERO, dry_shape_half_space(world, n, a, shape));
    BAD_NUMBERS("offset", a, 0, dry_shape_half_space(world, n, a, shape));
    REFUSED(DRY_ERR_NULL, "world", dry_shape_half_space(NULL, n, a, shape));
    REFUSED(DRY_ERR_NULL, "normal", dry_shape_half_space(world, NULL, a, shape));
    REFUSED(DRY_ERR_NULL, "shape", dry_shape_half_space(world, n, a, NULL));
    check_refused("sphere, box, capsule, cylinder, half-space");
}

static void hulls(void)
{
    dry_shape *shape = &out.handles[0];
    double solid[15] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1};
    const double flat[15] = {0, 0, 2, 1, 0, 2, 0, 1, 2, 1, 1, 2, 0.5, 0.3, 2}, same[15] = {0};
    const double tilted[15] = {0, 0, 0, 1, 0, 1, 0, 1, 1, 1, 1, 2, 0.5, 0.25, 0.75}; /* z = x + y */
    const double line[15] = {0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4};
    ACCEPTED(dry_shape_hull(world, solid, 5, shape));
    REFUSED(DRY_ERR_NULL, "world", dry_shape_hull(NULL, solid, 5, shape));
    REFUSED(DRY_ERR_NULL, "points", dry_shape_hull(world, NULL, 5, shape));
    REFUSED(DRY_ERR_NULL, "shape", dry_shape_hull(world, solid, 5, NULL));
    for (int c = 0; c < 15; ++c)
        BAD_NUMBERS("points", solid[c], 0, dry_shape_hull(world, solid, 5, shape));
    for (size_t count = 0; count < 4; ++count)
        REFUSED(DRY_ERR_ARGUMENT, "point", dry_shape_hull(world, solid, count, shape));
    REFUSED(DRY_ERR_ARGUMENT, "points", dry_shape_hull(world, flat, 5, shape));
    REFUSED(DRY_ERR_ARGUMENT, "points", dry_shape_hull(world, tilted, 5, shape));
    REFUSED(DRY_ERR_ARGUMENT, "points", dry_shape_hull(world, line, 5, shape));
    REFUSED(DRY_ERR_ARGUMENT, "points", dry_shape_hull(world, same, 5, shape));
    REFUSED(DRY_ERR_ARGUMENT, "point_count", dry_shape_hull(world, solid, SIZE_MAX, shape));
    REFUSED(DRY_ERR_ARGUMENT, "point_count", dry_shape_hull(world, solid, OVERFLOWING_TO_SMALL, shape));
    ABSURD("point", dry_shape_hull(world, solid, HUNDREDS_OF_TERABYTES, shape));
    check_refused("dry_shape_hull");
}

static void meshes(void)
{
    dry_shape *shape = &out.handles[0];
    double points[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};
    uint32_t triangles[6] = {0, 1, 2, 1, 3, 2};
#define MESH(point_count, triangle_count) dry_shape_mesh(world, points, point_count, triangles, triangle_count, shape)
    ACCEPTED(MESH(4, 2));
    REFUSED(DRY_ERR_NULL, "world", dry_shape_mesh(NULL, points, 4, triangles, 2, shape));
    REFUSED(DRY_ERR_NULL, "points", dry_shape_mesh(world, NULL, 4, triangles, 2, shape));
    REFUSED(DRY_ERR_NULL, "triangles", dry_shape_mesh(world, points, 4, NULL, 2, shape));
    REFUSED(DRY_ERR_NULL, "shape", dry_shape_mesh(world, points, 4, triangles, 2, NULL));
    for (int c = 0; c < 12; ++c)
        BAD_NUMBERS("points", points[c], 0, MESH(4, 2));
    for (int c = 0; c < 6; ++c) {
        BAD_VALUE(DRY_ERR_ARGUMENT, "triangles", triangles[c], uint32_t, 4, MESH(4, 2));
        BAD_VALUE(DRY_ERR_ARGUMENT, "triangles", triangles[c], uint32_t, UINT32_MAX, MESH(4, 2));
    }
    REFUSED(DRY_ERR_ARGUMENT, "triangles", MESH(3, 2));
    REFUSED(DRY_ERR_ARGUMENT, "triangle", MESH(4, 0));
    REFUSED(DRY_ERR_ARGUMENT, "point_count", MESH(SIZE_MAX, 2));
    REFUSED(DRY_ERR_ARGUMENT, "point_count", MESH(OVERFLOWING_TO_SMALL, 2));
    REFUSED(DRY_ERR_ARGUMENT, "triangle_count", MESH(4, SIZE_MAX));
    REFUSED(DRY_ERR_ARGUMENT, "triangle_count", MESH(4, SIZE_MAX / sizeof(uint32_t[3]) + 1));
    ABSURD("point", MESH(HUNDREDS_OF_TERABYTES, 2));
    ABSURD("triangle", MESH(4, HUNDREDS_OF_TERABYTES));
#undef MESH
    check_refused("dry_shape_mesh");
}

static void clumps(void)
{
    const uint64_t bad[4] = {0, removed_shape, ball, UINT64_MAX};
    const double up[3] = {0, 0, 1};
    dry_shape *shape = &out.handles[0];
    dry_shape plane, clump;
    dry_clump_part parts[2];
    size_t size = sizeof parts[0];
    MUST(dry_shape_half_space(world, up, 0, &plane));
    for (int k = 0; k < 2; ++k) {
        MUST(dry_clump_part_init(&parts[k], sizeof parts[k]));
        parts[k].shape = used_shape;
        parts[k].position[0] = 0.25 * k;
    }
    MUST(dry_shape_clump(world, parts, 1, &clump));
    accept_state();
#define CLUMP(count) dry_shape_clump(world, parts, count, shape)
    ACCEPTED(CLUMP(2));
    REFUSED(DRY_ERR_NULL, "world", dry_shape_clump(NULL, parts, 2, shape));
    REFUSED(DRY_ERR_NULL, "parts", dry_shape_clump(world, NULL, 2, shape));
    REFUSED(DRY_ERR_NULL, "shape", dry_shape_clump(world, parts, 2, NULL));
    REFUSED(DRY_ERR_ARGUMENT, "count", CLUMP(0));
    REFUSED(DRY_ERR_ARGUMENT, "count", CLUMP(SIZE_MAX));
    ABSURD("parts", CLUMP(HUNDREDS_OF_TERABYTES));
    BAD_SIZES("parts[0].struct_size", parts[0].struct_size, CLUMP(2));
    BAD_SIZES("parts[1].struct_size", parts[1].struct_size, CLUMP(2));
    BAD_HANDLES("parts[1]: shape", parts[1].shape, bad, CLUMP(2));
    BAD_VALUE(DRY_ERR_ARGUMENT, "parts[1]: shape", parts[1].shape, uint64_t, plane, CLUMP(2));
    BAD_VALUE(DRY_ERR_ARGUMENT, "parts[1]: shape", parts[1].shape, uint64_t, clump, CLUMP(2));
    for (int c = 0; c < 3; ++c) {
        BAD_NUMBERS("position", parts[1].position[c], 0, CLUMP(2));
        BAD_VALUE(DRY_ERR_ARGUMENT, "position", parts[1].position[c], double, 1e51, CLUMP(2));
    }
    for (int c = 0; c < 4; ++c)
        BAD_NUMBERS("rotation", parts[1].rotation[c], 0, CLUMP(2));
    BAD_NUMBERS("density_factor", parts[1].density_factor, NEGATIVE | ZERO, CLUMP(2));
    BAD_VALUE(DRY_ERR_ARGUMENT, "density_factor", parts[1].density_factor, double, 1e21, CLUMP(2));
    REFUSED(DRY_ERR_NULL, "part", dry_clump_part_init(NULL, size));
    BAD_SIZES("size", size, dry_clump_part_init((dry_clump_part *)(void *)out.bytes, size));
#undef CLUMP
    check_refused("dry_shape_clump");
    uint64_t of = clump;
    double *n = out.numbers;
#define MASS dry_shape_mass_properties(world, of, n, n + 1, n + 2, n + 5)
    ACCEPTED(MASS);
    BAD_HANDLES("shape", of, bad, MASS);
    BAD_VALUE(DRY_ERR_UNSUPPORTED, "shape", of, uint64_t, plane, MASS);
    REFUSED(DRY_ERR_NULL, "world", dry_shape_mass_properties(NULL, of, n, n + 1, n + 2, n + 5));
    REFUSED(DRY_ERR_NULL, "volume", dry_shape_mass_properties(world, of, NULL, n + 1, n + 2, n + 5));
    REFUSED(DRY_ERR_NULL, "mass", dry_shape_mass_properties(world, of, n, NULL, n + 2, n + 5));
    REFUSED(DRY_ERR_NULL, "center_of_mass", dry_shape_mass_properties(world, of, n, n + 1, NULL, n + 5));
    REFUSED(DRY_ERR_NULL, "inertia", dry_shape_mass_properties(world, of, n, n + 1, n + 2, NULL));
#undef MASS
    check_refused("dry_shape_mass_properties");
}

static void removing_shapes(void)
{
    const uint64_t bad[5] = {0, removed_shape, ball, material, UINT64_MAX};
    uint64_t shape = used_shape;
    REFUSED(DRY_ERR_ARGUMENT, "shape", dry_shape_remove(world, shape)); /* in use */
    BAD_HANDLES("shape", shape, bad, dry_shape_remove(world, shape));
    REFUSED(DRY_ERR_NULL, "world", dry_shape_remove(NULL, shape));
    check_refused("dry_shape_remove");
}

int main(void)
{
    watch_standard_error();
    set_up();
    materials();
    pairs();
    simple_shapes();
    hulls();
    meshes();
    clumps();
    removing_shapes();
    dry_world_destroy(world);
    check_silence();
    return check_result();
}
