/*
 * Bad input, third part: bodies, forces, queries, snapshots.
 */
#include "refuse.h"

static dry_material material;
static dry_shape round_shape, mesh, half_space, removed_shape;
static dry_body ball, floor_body, removed_body;

static void set_up(void)
{
    const double points[9] = {-9, -9, -1, 9, -9, -1, 0, 9, -1}, up[3] = {0, 0, 1};
    const uint32_t triangle[3] = {0, 1, 2};
    world = new_world(NULL, GRAVITY);
    material = add_material(world, 0.5, 0, 1000);
    round_shape = sphere(world, 0.5);
    MUST(dry_shape_mesh(world, points, 3, triangle, 1, &mesh));
    MUST(dry_shape_half_space(world, up, 0, &half_space));
    dry_body_def def = body_at(half_space, material, 0, 0, 0);
    def.kind = DRY_STATIC;
    floor_body = add_body(world, &def);
    def = body_at(round_shape, material, 0, 0, 0.5);
    ball = add_body(world, &def);
    def.position[0] = 1;
    removed_body = add_body(world, &def);
    def.position[0] = -1;
    add_body(world, &def);
    for (int k = 0; k < 3; ++k)
        MUST(dry_world_step(world, 0.01, NULL));
    MUST(dry_body_remove(world, removed_body));
    removed_shape = sphere(world, 1);
    MUST(dry_shape_remove(world, removed_shape));
    accept_state();
}

/* ---- adding ---------------------------------------------------------------------------------- */

static void body_numbers(dry_body_def def)
{
#define ADD dry_body_add(world, &def, &out.handles[0])
    for (int c = 0; c < 3; ++c) {
        BAD_NUMBERS("position", def.position[c], 0, ADD);
        BAD_NUMBERS("linear_velocity", def.linear_velocity[c], 0, ADD);
        BAD_NUMBERS("angular_velocity", def.angular_velocity[c], 0, ADD);
        BAD_NUMBERS("center_of_mass", def.center_of_mass[c], 0, ADD);
    }
    for (int c = 0; c < 4; ++c) {
        BAD_NUMBERS("rotation", def.rotation[c], 0, ADD);
        BAD_VALUE(DRY_ERR_ARGUMENT, "rotation", def.rotation[c], double, 1.5, ADD);
    }
    BAD_NUMBERS("rotation", def.rotation[3], ZERO, ADD);
    BAD_VALUE(DRY_ERR_ARGUMENT, "rotation", def.rotation[3], double, 1 + 2e-6, ADD);
    BAD_NUMBERS("mass", def.mass, NEGATIVE, ADD);
    BAD_NUMBERS("gravity_scale", def.gravity_scale, 0, ADD);
    BAD_NUMBERS("linear_damping", def.linear_damping, NEGATIVE, ADD);
    BAD_NUMBERS("angular_damping", def.angular_damping, NEGATIVE, ADD);
    for (int c = 0; c < 6; ++c)
        BAD_NUMBERS("inertia", def.inertia[c], 0, ADD);
    BAD_VALUE(DRY_ERR_ARGUMENT, "inertia", def.inertia[0], double, 1, ADD); /* without a mass */
    def.mass = 2;
    def.inertia[0] = def.inertia[1] = def.inertia[2] = 1;
    ACCEPTED(ADD);
    BAD_VALUE(DRY_ERR_ARGUMENT, "inertia", def.inertia[0], double, -1, ADD); /* not positive definite */
    BAD_VALUE(DRY_ERR_ARGUMENT, "inertia", def.inertia[1], double, 0, ADD);
    BAD_VALUE(DRY_ERR_ARGUMENT, "inertia", def.inertia[3], double, 1.5, ADD);
}

static void adding_one(void)
{
    const uint64_t bad_shapes[5] = {0, removed_shape, ball, material, UINT64_MAX};
    const uint64_t bad_materials[4] = {round_shape, ball, material + 1000, UINT64_MAX};
    dry_body_def def = body_at(round_shape, material, 5, 0, 3);
    size_t size = sizeof def;
    ACCEPTED(ADD);
    body_numbers(def);
    BAD_VALUE(DRY_ERR_ARGUMENT, "kind", def.kind, dry_body_kind, 77, ADD);
    BAD_VALUE(DRY_ERR_ARGUMENT, "lock", def.lock, uint32_t, 64, ADD);
    BAD_VALUE(DRY_ERR_ARGUMENT, "reserved", def.reserved, uint32_t, 1, ADD);
    BAD_VALUE(DRY_ERR_UNSUPPORTED, "mesh", def.shape, dry_shape, mesh, ADD); /* of a dynamic body */
    BAD_VALUE(DRY_ERR_UNSUPPORTED, "half", def.shape, dry_shape, half_space, ADD);
    BAD_HANDLES("shape", def.shape, bad_shapes, ADD);
    BAD_HANDLES("material", def.material, bad_materials, ADD);
    BAD_SIZES("struct_size", def.struct_size, ADD);
#undef ADD
    REFUSED(DRY_ERR_NULL, "world", dry_body_add(NULL, &def, &out.handles[0]));
    REFUSED(DRY_ERR_NULL, "def", dry_body_add(world, NULL, &out.handles[0]));
    REFUSED(DRY_ERR_NULL, "body", dry_body_add(world, &def, NULL));
    REFUSED(DRY_ERR_NULL, "def", dry_body_def_init(NULL, size));
    BAD_SIZES("size", size, dry_body_def_init(&out.body_def, size));
    check_refused("dry_body_add");
    /* a quaternion a little off is made one, not kept as it is */
    dry_body body;
    dry_body_state state;
    def.rotation[3] = 1 + 9e-7;
    ACCEPTED(dry_body_add(world, &def, &body));
    MUST(dry_body_get_state(world, body, &state));
    check_at_most("rotation of length 1 + 9e-7: length of what is kept - 1", fabs(state.rotation[3] - 1), 1e-15);
}

static void adding_many(void)
{
    dry_body_def defs[4];
    for (int k = 0; k < 4; ++k)
        defs[k] = body_at(round_shape, material, 2.0 * k, 5, 3);
#define ADD dry_bodies_add(world, defs, 4, out.handles)
    ACCEPTED(ADD);
    for (int k = 0; k < 4; ++k) {
        char name[16];
        snprintf(name, sizeof name, "defs[%d]", k);
        BAD_NUMBERS(name, defs[k].position[2], 0, ADD);
        BAD_NUMBERS("mass", defs[k].mass, NEGATIVE, ADD);
        BAD_VALUE(DRY_ERR_STALE_HANDLE, name, defs[k].shape, dry_shape, removed_shape, ADD);
        BAD_VALUE(DRY_ERR_UNSUPPORTED, name, defs[k].shape, dry_shape, mesh, ADD);
        BAD_VALUE(DRY_ERR_ARGUMENT, name, defs[k].kind, dry_body_kind, 77, ADD);
        BAD_SIZES(name, defs[k].struct_size, ADD);
    }
#undef ADD
    REFUSED(DRY_ERR_NULL, "world", dry_bodies_add(NULL, defs, 4, out.handles));
    REFUSED(DRY_ERR_NULL, "defs", dry_bodies_add(world, NULL, 4, out.handles));
    REFUSED(DRY_ERR_NULL, "bodies", dry_bodies_add(world, defs, 4, NULL));
    REFUSED(DRY_ERR_ARGUMENT, "count", dry_bodies_add(world, defs, SIZE_MAX, out.handles));
    REFUSED(DRY_ERR_ARGUMENT, "count", dry_bodies_add(world, defs, SIZE_MAX / sizeof defs[0] + 1, out.handles));
    ABSURD("bodies", dry_bodies_add(world, defs, HUNDREDS_OF_TERABYTES / 16, out.handles));
    check_refused("dry_bodies_add");
}

/* ---- one body ---------------------------------------------------------------------------------- */

static void states(void)
{
    const uint64_t bad[5] = {0, removed_body, round_shape, material, UINT64_MAX};
    uint64_t body = ball;
    dry_body_state state;
    MUST(dry_body_get_state(world, ball, &state));
    ACCEPTED(dry_body_set_state(world, ball, &state));
    REFUSED(DRY_ERR_NULL, "world", dry_body_get_state(NULL, ball, &out.states[0]));
    REFUSED(DRY_ERR_NULL, "state", dry_body_get_state(world, ball, NULL));
    BAD_HANDLES("body", body, bad, dry_body_get_state(world, body, &out.states[0]));
    REFUSED(DRY_ERR_NULL, "world", dry_body_set_state(NULL, ball, &state));
    REFUSED(DRY_ERR_NULL, "state", dry_body_set_state(world, ball, NULL));
    BAD_HANDLES("body", body, bad, dry_body_set_state(world, body, &state));
    for (int c = 0; c < 3; ++c) {
        BAD_NUMBERS("position", state.position[c], 0, dry_body_set_state(world, ball, &state));
        BAD_NUMBERS("linear_velocity", state.linear_velocity[c], 0, dry_body_set_state(world, ball, &state));
        BAD_NUMBERS("angular_velocity", state.angular_velocity[c], 0, dry_body_set_state(world, ball, &state));
    }
    for (int c = 0; c < 4; ++c) {
        BAD_NUMBERS("rotation", state.rotation[c], 0, dry_body_set_state(world, ball, &state));
        BAD_VALUE(DRY_ERR_ARGUMENT, "rotation", state.rotation[c], double, 1.5,
                  dry_body_set_state(world, ball, &state));
    }
    check_refused("dry_body_get_state, dry_body_set_state");

    dry_body two[2] = {ball, floor_body};
    size_t count;
    MUST(dry_query_bodies(world, NULL, 0, &count));
    ACCEPTED(dry_bodies_get_states(world, two, 2, out.states));
    REFUSED(DRY_ERR_NULL, "world", dry_bodies_get_states(NULL, two, 2, out.states));
    REFUSED(DRY_ERR_NULL, "states", dry_bodies_get_states(world, two, 2, NULL));
    BAD_HANDLES("bodies", two[1], bad, dry_bodies_get_states(world, two, 2, out.states));
    REFUSED(DRY_ERR_ARGUMENT, "count", dry_bodies_get_states(world, NULL, count - 1, out.states));
    REFUSED(DRY_ERR_ARGUMENT, "count", dry_bodies_get_states(world, NULL, count + 1, out.states));
    REFUSED(DRY_ERR_ARGUMENT, "count", dry_bodies_get_states(world, two, SIZE_MAX, out.states));
    REFUSED(DRY_ERR_ARGUMENT, "count",
            dry_bodies_get_states(world, two, SIZE_MAX / sizeof(dry_body_state) + 1, out.states));
    check_refused("dry_bodies_get_states");
}

static void mass_and_user_data(void)
{
    const uint64_t bad[5] = {0, removed_body, round_shape, material, UINT64_MAX};
    uint64_t body = ball;
    double *mass = &out.numbers[0], *center = &out.numbers[1], *inertia = &out.numbers[4];
    ACCEPTED(dry_body_get_mass(world, ball, mass, center, inertia));
    REFUSED(DRY_ERR_NULL, "world", dry_body_get_mass(NULL, ball, mass, center, inertia));
    REFUSED(DRY_ERR_NULL, "mass", dry_body_get_mass(world, ball, NULL, center, inertia));
    REFUSED(DRY_ERR_NULL, "center_of_mass", dry_body_get_mass(world, ball, mass, NULL, inertia));
    REFUSED(DRY_ERR_NULL, "inertia", dry_body_get_mass(world, ball, mass, center, NULL));
    BAD_HANDLES("body", body, bad, dry_body_get_mass(world, body, mass, center, inertia));
    REFUSED(DRY_ERR_NULL, "world", dry_body_get_user_data(NULL, ball, &out.handles[0]));
    REFUSED(DRY_ERR_NULL, "user_data", dry_body_get_user_data(world, ball, NULL));
    BAD_HANDLES("body", body, bad, dry_body_get_user_data(world, body, &out.handles[0]));
    check_refused("dry_body_get_mass, dry_body_get_user_data");
}

static void forces(void)
{
    const uint64_t bad[5] = {0, removed_body, round_shape, material, UINT64_MAX};
    uint64_t body = ball;
    double force[3] = {1, 2, 3}, point[3] = {0, 0, 1};
    ACCEPTED(dry_body_add_force(world, ball, force, point));
    ACCEPTED(dry_body_add_torque(world, ball, force));
    for (int c = 0; c < 3; ++c) {
        BAD_NUMBERS("force", force[c], 0, dry_body_add_force(world, ball, force, point));
        BAD_NUMBERS("point", point[c], 0, dry_body_add_force(world, ball, force, point));
        BAD_NUMBERS("torque", force[c], 0, dry_body_add_torque(world, ball, force));
    }
    REFUSED(DRY_ERR_NULL, "world", dry_body_add_force(NULL, ball, force, NULL));
    REFUSED(DRY_ERR_NULL, "force", dry_body_add_force(world, ball, NULL, NULL));
    REFUSED(DRY_ERR_NULL, "world", dry_body_add_torque(NULL, ball, force));
    REFUSED(DRY_ERR_NULL, "torque", dry_body_add_torque(world, ball, NULL));
    BAD_HANDLES("body", body, bad, dry_body_add_force(world, body, force, NULL));
    BAD_HANDLES("body", body, bad, dry_body_add_torque(world, body, force));
    REFUSED(DRY_ERR_ARGUMENT, "body", dry_body_add_force(world, floor_body, force, NULL)); /* static */
    REFUSED(DRY_ERR_ARGUMENT, "body", dry_body_add_torque(world, floor_body, force));
    check_refused("dry_body_add_force, dry_body_add_torque");
}

static void surfaces(void)
{
    const uint64_t bad[5] = {0, removed_body, round_shape, material, UINT64_MAX};
    uint64_t body = ball;
    double linear[3] = {1, 2, 3}, angular[3] = {4, 5, 6};
    double *to = &out.numbers[0], *spin = &out.numbers[3];
    ACCEPTED(dry_body_set_surface_velocity(world, ball, linear, angular));
    ACCEPTED(dry_body_set_surface_velocity(world, floor_body, linear, angular));
    ACCEPTED(dry_body_get_surface_velocity(world, ball, to, spin));
    for (int c = 0; c < 3; ++c) {
        BAD_NUMBERS("linear", linear[c], 0, dry_body_set_surface_velocity(world, ball, linear, angular));
        BAD_NUMBERS("angular", angular[c], 0, dry_body_set_surface_velocity(world, ball, linear, angular));
    }
    REFUSED(DRY_ERR_NULL, "world", dry_body_set_surface_velocity(NULL, ball, linear, angular));
    REFUSED(DRY_ERR_NULL, "linear", dry_body_set_surface_velocity(world, ball, NULL, angular));
    REFUSED(DRY_ERR_NULL, "angular", dry_body_set_surface_velocity(world, ball, linear, NULL));
    REFUSED(DRY_ERR_NULL, "world", dry_body_get_surface_velocity(NULL, ball, to, spin));
    REFUSED(DRY_ERR_NULL, "linear", dry_body_get_surface_velocity(world, ball, NULL, spin));
    REFUSED(DRY_ERR_NULL, "angular", dry_body_get_surface_velocity(world, ball, to, NULL));
    BAD_HANDLES("body", body, bad, dry_body_set_surface_velocity(world, body, linear, angular));
    BAD_HANDLES("body", body, bad, dry_body_get_surface_velocity(world, body, to, spin));
    check_refused("dry_body_set_surface_velocity, dry_body_get_surface_velocity");
}

static void removing(void)
{
    const uint64_t bad[5] = {0, removed_body, round_shape, material, UINT64_MAX};
    uint64_t body = ball;
    REFUSED(DRY_ERR_NULL, "world", dry_body_remove(NULL, ball));
    BAD_HANDLES("body", body, bad, dry_body_remove(world, body));
    dry_body_def def = body_at(round_shape, material, 0, 0, 9);
    body = add_body(world, &def);
    ACCEPTED(dry_body_remove(world, body));
    REFUSED(DRY_ERR_STALE_HANDLE, "body", dry_body_remove(world, body));
    add_body(world, &def); /* takes the place of the one removed, but not its name */
    accept_state();
    REFUSED(DRY_ERR_STALE_HANDLE, "body", dry_body_remove(world, body));
    check_refused("dry_body_remove");
}

/* ---- queries ------------------------------------------------------------------------------------- */

/* Too small a buffer: only the count is written. */
static void capacities(void)
{
    size_t count = 0, bodies = 0, contacts = 0;
    MUST(dry_query_bodies(world, NULL, 0, &bodies));
    MUST(dry_query_contacts(world, NULL, sizeof(dry_contact), 0, &contacts));
    check_at_least("bodies in the world", (double)bodies, 3);
    check_at_least("contacts in the world", (double)contacts, 2);
    REFUSED(DRY_ERR_CAPACITY, "capacity", dry_query_bodies(world, out.handles, bodies - 1, &count));
    check_true("dry_query_bodies, too small: count", count == bodies);
    count = 0;
    REFUSED(DRY_ERR_CAPACITY, "capacity", dry_query_contacts(world, out.contacts, sizeof(dry_contact), 1, &count));
    check_true("dry_query_contacts, too small: count", count == contacts);
}

static void queries(void)
{
    const uint64_t bad[5] = {0, removed_body, round_shape, material, UINT64_MAX};
    uint64_t body = ball;
    size_t size = sizeof(dry_contact), *count = &out.count;
    double *numbers = out.numbers;
    capacities();
    REFUSED(DRY_ERR_NULL, "world", dry_query_bodies(NULL, NULL, 0, count));
    REFUSED(DRY_ERR_NULL, "bodies", dry_query_bodies(world, NULL, 4, count));
    REFUSED(DRY_ERR_NULL, "count", dry_query_bodies(world, NULL, 0, NULL));
    REFUSED(DRY_ERR_ARGUMENT, "capacity", dry_query_bodies(world, out.handles, SIZE_MAX, count));
    REFUSED(DRY_ERR_NULL, "world", dry_query_contacts(NULL, NULL, size, 0, count));
    REFUSED(DRY_ERR_NULL, "contacts", dry_query_contacts(world, NULL, size, 4, count));
    REFUSED(DRY_ERR_NULL, "count", dry_query_contacts(world, NULL, size, 0, NULL));
    REFUSED(DRY_ERR_ARGUMENT, "capacity", dry_query_contacts(world, out.contacts, size, SIZE_MAX, count));
    BAD_SIZES("contact_size", size, dry_query_contacts(world, out.contacts, size, 8, count));
    BAD_SIZES("contact_size", size, dry_query_contacts(world, NULL, size, 0, count));
    REFUSED(DRY_ERR_NULL, "world", dry_query_body_force(NULL, ball, numbers, numbers + 3));
    REFUSED(DRY_ERR_NULL, "force", dry_query_body_force(world, ball, NULL, numbers + 3));
    REFUSED(DRY_ERR_NULL, "torque", dry_query_body_force(world, ball, numbers, NULL));
    BAD_HANDLES("body", body, bad, dry_query_body_force(world, body, numbers, numbers + 3));
    REFUSED(DRY_ERR_NULL, "world", dry_query_energy(NULL, numbers, numbers + 1));
    REFUSED(DRY_ERR_NULL, "kinetic", dry_query_energy(world, NULL, numbers + 1));
    REFUSED(DRY_ERR_NULL, "potential", dry_query_energy(world, numbers, NULL));
    REFUSED(DRY_ERR_NULL, "world", dry_world_hash(NULL, &out.handles[0]));
    REFUSED(DRY_ERR_NULL, "hash", dry_world_hash(world, NULL));
    check_refused("queries");
}

static void stresses(void)
{
    double lower[3] = {-1, -1, -1}, upper[3] = {1, 1, 1};
    ACCEPTED(dry_query_stress(world, lower, upper, out.numbers));
    REFUSED(DRY_ERR_NULL, "world", dry_query_stress(NULL, lower, upper, out.numbers));
    REFUSED(DRY_ERR_NULL, "lower", dry_query_stress(world, NULL, upper, out.numbers));
    REFUSED(DRY_ERR_NULL, "upper", dry_query_stress(world, lower, NULL, out.numbers));
    REFUSED(DRY_ERR_NULL, "stress", dry_query_stress(world, lower, upper, NULL));
    for (int c = 0; c < 3; ++c) {
        BAD_NUMBERS("lower", lower[c], LARGE, dry_query_stress(world, lower, upper, out.numbers));
        BAD_NUMBERS("upper", upper[c], NEGATIVE, dry_query_stress(world, lower, upper, out.numbers));
        BAD_VALUE(DRY_ERR_ARGUMENT, "lower", upper[c], double, -1, /* a box of no height */
                  dry_query_stress(world, lower, upper, out.numbers));
        BAD_VALUE(DRY_ERR_ARGUMENT, "volume", upper[c], double, 1e308, /* times 4 */
                  dry_query_stress(world, lower, upper, out.numbers));
    }
    const double zero[3] = {0, 0, 0}, tiny[3] = {1e-200, 1e-200, 1e-200};
    REFUSED(DRY_ERR_ARGUMENT, "volume", dry_query_stress(world, zero, tiny, out.numbers));
    check_refused("dry_query_stress");
}

/* ---- snapshots ---------------------------------------------------------------------------------------- */

static void snapshots(void)
{
    const unsigned char bytes[8] = {0};
    size_t *count = &out.count;
    REFUSED(DRY_ERR_NULL, "world", dry_world_snapshot(NULL, NULL, 0, count));
    REFUSED(DRY_ERR_NULL, "buffer", dry_world_snapshot(world, NULL, 16, count));
    REFUSED(DRY_ERR_NULL, "count", dry_world_snapshot(world, NULL, 0, NULL));
    REFUSED(DRY_ERR_FORMAT, "has 8 bytes, expected at least 40", dry_world_restore(world, bytes, sizeof bytes));
    REFUSED(DRY_ERR_NULL, "world", dry_world_restore(NULL, bytes, sizeof bytes));
    REFUSED(DRY_ERR_NULL, "buffer", dry_world_restore(world, NULL, 8));
    REFUSED(DRY_ERR_NULL, "world", dry_world_clone(NULL, &out.world));
    REFUSED(DRY_ERR_NULL, "copy", dry_world_clone(world, NULL));
    check_refused("snapshot, restore");
}

int main(void)
{
    watch_standard_error();
    set_up();
    queries();
    stresses();
    states();
    mass_and_user_data();
    forces();
    surfaces();
    removing();
    adding_one();
    adding_many();
    snapshots();
    dry_world_destroy(world);
    check_silence();
    return check_result();
}
