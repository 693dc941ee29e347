/*
 * The scenes more than one test host uses, and short ways to add what they consist of. It has no checks.
 */
#ifndef DRYSTONE_TESTS_SCENE_H
#define DRYSTONE_TESTS_SCENE_H
#include "check.h"

#define GRAVITY 9.81

static inline dry_settings default_settings(void)
{
    dry_settings settings;
    MUST(dry_settings_init(&settings, sizeof settings));
    return settings;
}

static inline dry_world *new_world(const dry_settings *settings_or_null, double gravity)
{
    dry_world_def def;
    dry_world *world = NULL;
    MUST(dry_world_def_init(&def, sizeof def));
    def.settings = settings_or_null;
    def.gravity[2] = -gravity;
    MUST(dry_world_create(&def, &world));
    return world;
}

static inline dry_material add_material(dry_world *world, double friction, double restitution, double density)
{
    dry_material_def def;
    dry_material material;
    MUST(dry_material_def_init(&def, sizeof def));
    def.friction = friction;
    def.restitution = restitution;
    def.density = density;
    MUST(dry_material_add(world, &def, &material));
    return material;
}

/* A material that resists rolling and twisting as well. */
static inline dry_material add_rolling_material(dry_world *world, double friction, double rolling, double twisting)
{
    dry_material_def def;
    dry_material material;
    MUST(dry_material_def_init(&def, sizeof def));
    def.friction = friction;
    def.rolling_friction = rolling;
    def.twisting_friction = twisting;
    MUST(dry_material_add(world, &def, &material));
    return material;
}

/* A definition with defaults except for shape, material and place. */
static inline dry_body_def body_at(dry_shape shape, dry_material material, double x, double y, double z)
{
    dry_body_def def;
    MUST(dry_body_def_init(&def, sizeof def));
    def.shape = shape;
    def.material = material;
    def.position[0] = x;
    def.position[1] = y;
    def.position[2] = z;
    return def;
}

static inline dry_body add_body(dry_world *world, const dry_body_def *def)
{
    dry_body body;
    MUST(dry_body_add(world, def, &body));
    return body;
}

static inline dry_shape sphere(dry_world *world, double radius)
{
    dry_shape shape;
    MUST(dry_shape_sphere(world, radius, &shape));
    return shape;
}

static inline dry_shape box(dry_world *world, double x, double y, double z)
{
    const double half_extents[3] = {x, y, z};
    dry_shape shape;
    MUST(dry_shape_box(world, half_extents, &shape));
    return shape;
}

/* A static half-space: solid where (x, y, z) . p <= offset. */
static inline dry_body add_half_space(dry_world *world, dry_material material, double x, double y, double z,
                                      double offset)
{
    const double normal[3] = {x, y, z};
    dry_shape shape;
    MUST(dry_shape_half_space(world, normal, offset, &shape));
    dry_body_def def = body_at(shape, material, 0, 0, 0);
    def.kind = DRY_STATIC;
    return add_body(world, &def);
}

static inline dry_body add_floor(dry_world *world, dry_material material)
{
    return add_half_space(world, material, 0, 0, 1, 0);
}

/* Uniform in [low, high), the same numbers on every machine. */
static inline double uniform(uint64_t *seed, double low, double high)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * ((double)(*seed >> 11) / 9007199254740992.0);
}

/* The world of a ball of radius 0.125 with its lowest point `gap` above the floor and the velocity (0, 0, v). */
static inline dry_world *ball_above_floor(double restitution, double gap, double v, double margin,
                                          dry_body *ball)
{
    dry_settings settings = default_settings();
    settings.contact_margin = margin;
    dry_world *world = new_world(&settings, GRAVITY);
    dry_material material = add_material(world, 0.5, restitution, 1000);
    add_floor(world, material);
    dry_body_def def = body_at(sphere(world, 0.125), material, 0, 0, 0.125 + gap);
    def.linear_velocity[2] = v;
    *ball = add_body(world, &def);
    return world;
}

/* The cannonball pyramid on a square base of n x n fixed spheres of 2.5 mm; every layer starts 5 % of a radius
   too high above the one below it. 2000 kg/m^3. */
static inline dry_world *cannonball_pyramid(int n, double friction, const dry_settings *settings)
{
    const double r = 0.00125;
    dry_world *world = new_world(settings, GRAVITY);
    dry_material material = add_material(world, friction, 0, 2000);
    dry_shape ball = sphere(world, r);
    for (int layer = 0; layer < n; ++layer)
        for (int j = 0; j < n - layer; ++j)
            for (int i = 0; i < n - layer; ++i) {
                double shift = 0.5 * layer - 0.5 * (n - 1);
                dry_body_def def = body_at(ball, material, 2 * r * (i + shift), 2 * r * (j + shift),
                                           r + layer * r * (sqrt(2.0) + 0.05));
                def.kind = layer == 0 ? DRY_STATIC : DRY_DYNAMIC;
                add_body(world, &def);
            }
    return world;
}

/* `count` spheres of radius 0.05 m that fall into a well of half-spaces, four by four. */
static inline dry_world *spheres_in_a_well(int count, const dry_settings *settings)
{
    const double r = 0.05, half_width = 4.4 * r;
    uint64_t seed = 7;
    dry_world *world = new_world(settings, GRAVITY);
    dry_material material = add_material(world, 0.4, 0, 2000);
    dry_shape ball = sphere(world, r);
    add_floor(world, material);
    add_half_space(world, material, 1, 0, 0, -half_width);
    add_half_space(world, material, -1, 0, 0, -half_width);
    add_half_space(world, material, 0, 1, 0, -half_width);
    add_half_space(world, material, 0, -1, 0, -half_width);
    for (int k = 0; k < count; ++k) {
        double x = 2.15 * r * (k % 4 - 1.5) + uniform(&seed, -0.05 * r, 0.05 * r);
        double y = 2.15 * r * (k / 4 % 4 - 1.5) + uniform(&seed, -0.05 * r, 0.05 * r);
        double z = 1.2 * r + 2.3 * r * (k / 16) + uniform(&seed, 0, 0.2 * r);
        dry_body_def def = body_at(ball, material, x, y, z);
        add_body(world, &def);
    }
    return world;
}

/* `count` spheres of 0.04 to 0.05 m, every fourth one a capsule or a cylinder as wide, poured from a narrow shaft onto
   the open floor. */
static inline dry_world *poured_pile(int count, double rolling, double twisting, const dry_settings *settings)
{
    uint64_t seed = 11;
    dry_world *world = new_world(settings, GRAVITY);
    dry_material material = add_rolling_material(world, 0.5, rolling, twisting);
    add_floor(world, material);
    for (int k = 0; k < count; ++k) {
        double r = uniform(&seed, 0.04, 0.05);
        dry_shape shape;
        if (k % 8 == 3)
            MUST(dry_shape_capsule(world, 0.5 * r, r, &shape));
        else if (k % 8 == 7)
            MUST(dry_shape_cylinder(world, 0.8 * r, r, &shape));
        else
            shape = sphere(world, r);
        double x = 0.16 * (k % 3 - 1) + uniform(&seed, -0.01, 0.01);
        double y = 0.16 * (k / 3 % 3 - 1) + uniform(&seed, -0.01, 0.01);
        dry_body_def def = body_at(shape, material, x, y, 0.1 + 0.16 * (k / 9));
        add_body(world, &def);
    }
    return world;
}

/* A bumpy static mesh of 8 x 8 cells, 4 m x 4 m, whose own frame is moved and turned. */
static inline dry_body add_mesh_floor(dry_world *world, dry_material material)
{
    enum { SIDE = 9 };
    double points[SIDE * SIDE * 3];
    uint32_t triangles[(SIDE - 1) * (SIDE - 1) * 6], *next = triangles;
    for (int j = 0; j < SIDE; ++j)
        for (int i = 0; i < SIDE; ++i) {
            double *p = &points[3 * (j * SIDE + i)];
            p[0] = 0.5 * i - 2;
            p[1] = 0.5 * j - 2;
            p[2] = 0.1 * sin(2.3 * i) * cos(1.7 * j) + 0.05 * (p[0] * p[0] + p[1] * p[1]);
        }
    for (uint32_t j = 0; j + 1 < SIDE; ++j)
        for (uint32_t i = 0; i + 1 < SIDE; ++i) {
            uint32_t a = j * SIDE + i, b = a + 1, c = a + SIDE, d = c + 1;
            const uint32_t cell[6] = {a, b, d, a, d, c};
            memcpy(next, cell, sizeof cell);
            next += 6;
        }
    dry_shape mesh;
    MUST(dry_shape_mesh(world, points, SIDE * SIDE, triangles, (SIDE - 1) * (SIDE - 1) * 2, &mesh));
    dry_body_def def = body_at(mesh, material, 2, 0, 0.3);
    def.kind = DRY_STATIC;
    def.rotation[2] = sqrt(0.5);
    def.rotation[3] = sqrt(0.5);
    return add_body(world, &def);
}

static inline dry_shape random_hull(dry_world *world, uint64_t *seed)
{
    enum { POINTS = 14 };
    double points[3 * POINTS];
    for (int i = 0; i < POINTS; ++i) {
        vec3 direction = {uniform(seed, -1, 1), uniform(seed, -1, 1), uniform(seed, -1, 1)};
        direction = scale(uniform(seed, 0.15, 0.28) / norm(direction), direction);
        points[3 * i] = direction.x;
        points[3 * i + 1] = direction.y;
        points[3 * i + 2] = direction.z;
    }
    dry_shape hull;
    MUST(dry_shape_hull(world, points, POINTS, &hull));
    return hull;
}

/* `count` boxes, capsules, hulls and cylinders alternately, in layers of eight, tumbling down: those with x < 0 onto a
   half-space, the others into the mesh. */
static inline dry_world *mixed_heap(int count, const dry_settings *settings)
{
    uint64_t seed = 12345;
    dry_world *world = new_world(settings, GRAVITY);
    dry_material material = add_material(world, 0.5, 0.2, 1000);
    add_floor(world, material);
    add_mesh_floor(world, material);
    for (int k = 0; k < count; ++k) {
        double size = uniform(&seed, 0.1, 0.16);
        dry_shape shape = 0;
        switch (k % 7) { /* 7 and the 8 columns share no factor: every kind falls everywhere */
        case 0: case 4: shape = box(world, size, 0.8 * size, 1.3 * size); break;
        case 1: case 5: MUST(dry_shape_capsule(world, size, 0.6 * size, &shape)); break;
        case 2: case 6: shape = random_hull(world, &seed); break;
        default: MUST(dry_shape_cylinder(world, size, 0.7 * size, &shape)); break;
        }
        dry_body_def def = body_at(shape, material, 0.62 * (k % 4 - 1.5) + uniform(&seed, -0.02, 0.02),
                                   0.62 * (k / 4 % 2 - 0.5) + uniform(&seed, -0.02, 0.02), 1.2 + 0.62 * (k / 8));
        double length = 0;
        for (int c = 0; c < 4; ++c) {
            def.rotation[c] = uniform(&seed, -1, 1);
            length += def.rotation[c] * def.rotation[c];
        }
        for (int c = 0; c < 4; ++c)
            def.rotation[c] /= sqrt(length);
        for (int c = 0; c < 3; ++c)
            def.angular_velocity[c] = uniform(&seed, -4, 4);
        add_body(world, &def);
    }
    return world;
}
#endif
