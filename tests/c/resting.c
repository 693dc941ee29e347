/*
 * Walls, columns and piles come to rest at round-off, and stay: projection DRY_PROJECTION_STICK, no sleeping.
 */
#include "scene.h"

#define STEP (1.0 / 240)

static dry_world *resting_world(uint32_t sweeps, double density, dry_material *material)
{
    dry_settings settings = default_settings();
    settings.iterations = sweeps;
    settings.projection = DRY_PROJECTION_STICK;
    dry_world *world = new_world(&settings, GRAVITY);
    *material = add_material(world, 0.5, 0, density);
    add_floor(world, *material);
    return world;
}

static double kinetic_energy(const dry_world *world)
{
    double kinetic, potential;
    MUST(dry_query_energy(world, &kinetic, &potential));
    return kinetic;
}

/* Stands for so long. The last body added is on top. */
static void stands(const char *what, dry_world *world, double seconds)
{
    bodies all = bodies_of(world);
    size_t top = all.count - 1, moving = all.count - 1;
    vec3 start = vec(all.state[top].position);
    double drift = 0;
    for (int k = 0; k < (int)(seconds / STEP); ++k) {
        MUST(dry_world_step(world, STEP, NULL));
        keep_worst(&drift, norm(sub(vec(state_of(world, all.handle[top]).position), start)));
    }
    char name[96];
    snprintf(name, sizeof name, "%s, %.0f s: farthest drift of the top [m]", what, seconds);
    check_at_most(name, drift, 1e-6);
    snprintf(name, sizeof name, "%s: kinetic energy for each body at the end [J]", what);
    check_at_most(name, kinetic_energy(world) / (double)moving, 1e-20);
    bodies_free(&all);
    dry_world_destroy(world);
}

static void column(void)
{
    dry_material material;
    dry_world *world = resting_world(50, 1000, &material);
    dry_shape cube = box(world, 0.5, 0.5, 0.5);
    for (int k = 0; k < 20; ++k) {
        dry_body_def def = body_at(cube, material, 0, 0, 0.5 + k);
        add_body(world, &def);
    }
    stands("column of 20 boxes", world, 10);
}

/* Rows of 20, 19, ..., 1 boxes with 0.1 m between neighbours. */
static void wall(void)
{
    dry_material material;
    dry_world *world = resting_world(50, 1000, &material);
    dry_shape cube = box(world, 0.5, 0.5, 0.5);
    for (int row = 0; row < 20; ++row)
        for (int i = 0; i < 20 - row; ++i) {
            dry_body_def def = body_at(cube, material, 1.1 * (i - 0.5 * (19 - row)), 0, 0.5 + row);
            add_body(world, &def);
        }
    stands("wall of 210 boxes", world, 10);
}

/* Steps until the kinetic energy is below 1e-24 of the potential energy of lifting every body by a diameter, then checks
   that it stays there for 3000 steps. */
static void comes_to_rest(const char *what, dry_world *world, int most_steps, double diameter)
{
    bodies all = bodies_of(world);
    double mass = 0;
    for (size_t i = 0; i < all.count; ++i)
        mass += all.mass[i];
    const double unit = mass * GRAVITY * diameter;
    int steps = 0;
    double largest = INFINITY;
    while (steps < most_steps && largest > 1e-24 * unit) {
        /* not the instant at which a bounce turns */
        largest = 0;
        for (int k = 0; k < 20; ++k, ++steps) {
            MUST(dry_world_step(world, STEP, NULL));
            keep_worst(&largest, kinetic_energy(world));
        }
    }
    char name[96];
    snprintf(name, sizeof name, "%s: steps to rest", what);
    check_at_most(name, steps, most_steps - 1);
    largest = 0;
    for (int k = 0; k < 3000; ++k) {
        MUST(dry_world_step(world, STEP, NULL));
        keep_worst(&largest, kinetic_energy(world));
    }
    snprintf(name, sizeof name, "%s: largest kinetic energy in 3000 steps over m g d", what);
    check_at_most(name, largest / unit, 1e-24);
    bodies_free(&all);
    dry_world_destroy(world);
}

/* A block that nothing but friction keeps in its place. */
static void block(dry_world *world, dry_material material, double x, double y, double half_x, double half_y)
{
    dry_body_def def = body_at(box(world, half_x, half_y, 0.1), material, x, y, 0.1);
    add_body(world, &def);
}

/* Ten disks, four, three, two, one, between two blocks. Without the blocks the outermost disks roll away. */
static void disks(void)
{
    const double r = 0.05, apart = 2.002 * r;
    uint64_t seed = 3;
    dry_material material;
    dry_world *world = resting_world(50, 2000, &material);
    dry_shape ball = sphere(world, r);
    for (int row = 0; row < 4; ++row)
        for (int i = 0; i < 4 - row; ++i) {
            double noise = uniform(&seed, -0.0005 * r, 0.0005 * r);
            dry_body_def def = body_at(ball, material, apart * (i + 0.5 * row) + noise, 0, r + 1.735 * r * row);
            def.lock = DRY_LOCK_Y | DRY_LOCK_ROTATION_X | DRY_LOCK_ROTATION_Z;
            add_body(world, &def);
        }
    block(world, material, -1.002 * r - 0.1, 0, 0.1, 0.1);
    block(world, material, 3 * apart + 1.002 * r + 0.1, 0, 0.1, 0.1);
    comes_to_rest("ten disks", world, 4000, 2 * r);
}

/* Thirty spheres, sixteen, nine, four, one, in a frame of four blocks. Between two contact points a sphere spins about the
   line through them for ever, since no friction opposes that: damping takes this spin away, and nothing else, for all
   other motion of the pile ends by friction. */
static void spheres(void)
{
    const double r = 0.05, apart = 2.002 * r, middle = 1.5 * apart, out = middle + 1.002 * r + 0.1;
    uint64_t seed = 3;
    dry_material material;
    dry_world *world = resting_world(50, 2000, &material);
    dry_shape ball = sphere(world, r);
    for (int layer = 0; layer < 4; ++layer)
        for (int j = 0; j < 4 - layer; ++j)
            for (int i = 0; i < 4 - layer; ++i) {
                double x = apart * (i + 0.5 * layer) + uniform(&seed, -0.0005 * r, 0.0005 * r);
                double y = apart * (j + 0.5 * layer) + uniform(&seed, -0.0005 * r, 0.0005 * r);
                dry_body_def def = body_at(ball, material, x, y, r + 1.42 * r * layer);
                def.angular_damping = 5;
                add_body(world, &def);
            }
    block(world, material, middle - out, middle, 0.1, 0.3);
    block(world, material, middle + out, middle, 0.1, 0.3);
    block(world, material, middle, middle - out, 0.19, 0.1);
    block(world, material, middle, middle + out, 0.19, 0.1);
    comes_to_rest("thirty spheres", world, 4000, 2 * r);
}

int main(void)
{
    column();
    wall();
    disks();
    spheres();
    return check_result();
}
