/* The rules of structures and arrays: sizes, strides, reserved members, numbers that are no choice, capacities. */
#include "expect.h"

static void sizes(dry_world *world) {
    dry_world_def def;
    dry_settings settings;
    dry_material_def material;
    dry_pair_def pair;
    dry_body_def body;
    dry_step_report report;
    dry_material handle = 7;
    dry_world *other = NULL;

    /* Not initialised: every byte the same. */
    memset(&def, 0xAA, sizeof def);
    EXPECT_STATUS(dry_world_create(&def, &other), DRY_ERR_ABI, "def.struct_size is");
    memset(&material, 0, sizeof material);
    EXPECT_STATUS(dry_material_add(world, &material, &handle), DRY_ERR_ABI, "def.struct_size is 0, expected 72");
    EXPECT(other == NULL && handle == 7);

    /* A wrong size fills nothing in. */
    memset(&settings, 0x55, sizeof settings);
    EXPECT_STATUS(dry_settings_init(&settings, sizeof settings + 4096), DRY_ERR_ABI, "the size of dry_settings");
    EXPECT_STATUS(dry_world_def_init(&def, sizeof def - 16), DRY_ERR_ABI, "the size of dry_world_def");
    EXPECT_STATUS(dry_pair_def_init(&pair, 0), DRY_ERR_ABI, "size is 0");
    EXPECT_STATUS(dry_body_def_init(&body, sizeof body + 1), DRY_ERR_ABI, "the size of dry_body_def");
    EXPECT_STATUS(dry_world_get_settings(world, &settings, 8), DRY_ERR_ABI, "size is 8");
    EXPECT(settings.iterations == 0x55555555u && settings.struct_size == (size_t)0x5555555555555555u);

    /* A report is checked before anything is done. */
    memset(&report, 0, sizeof report);
    {
        const uint64_t before = hash_of(world);
        EXPECT_STATUS(dry_world_step(world, 0.01, &report), DRY_ERR_ABI, "report.struct_size is 0");
        EXPECT(hash_of(world) == before);
    }

    OK(dry_settings_init(&settings, sizeof settings));
    settings.struct_size = 1;
    EXPECT_STATUS(dry_world_set_settings(world, &settings), DRY_ERR_ABI, "settings.struct_size is 1");
    OK(dry_world_def_init(&def, sizeof def));
    def.settings = &settings;
    EXPECT_STATUS(dry_world_create(&def, &other), DRY_ERR_ABI, "settings.struct_size is 1");
}

/* A host that knows a shorter report gets so much of it, and not a byte more. */
static void older_reports(dry_world *world) {
    const size_t known[] = {176, 184, 208};
    for (size_t k = 0; k < 3; ++k) {
        union {
            dry_step_report report;
            unsigned char bytes[sizeof(dry_step_report)];
        } place;
        size_t written = known[k], byte;
        memset(&place, 0x55, sizeof place);
        place.report.struct_size = written;
        OK(dry_world_step(world, 0.01, &place.report));
        EXPECT(place.report.struct_size == written && place.report.contacts == 0);
        EXPECT(memcmp(&place.bytes[written - sizeof(double)], "\0\0\0\0\0\0\0", sizeof(double)) == 0 || k == 0);
        for (byte = written; byte < sizeof place && place.bytes[byte] == 0x55; ++byte) {
        }
        EXPECT(byte == sizeof place);
    }
}

/* A host built before tasks existed gets a world without them, whatever lies behind its structure. */
static void older_world_def(void) {
    const size_t known = 48;
    union {
        dry_world_def def;
        unsigned char bytes[sizeof(dry_world_def)];
    } place;
    size_t byte;
    dry_world *other = NULL;
    memset(&place, 0x55, sizeof place);
    OK(dry_world_def_init(&place.def, known));
    for (byte = known; byte < sizeof place && place.bytes[byte] == 0x55; ++byte) {
    }
    EXPECT(byte == sizeof place && place.def.struct_size == known);
    OK(dry_world_create(&place.def, &other));
    OK(dry_world_step(other, 0.01, NULL));
    dry_world_destroy(other);
}

static void values(dry_world *world) {
    dry_world_def def;
    dry_world *other = NULL;
    dry_settings usual, settings, after;
    dry_body_def body;
    dry_body handle = 7;

    OK(dry_world_get_settings(world, &usual, sizeof usual));
#define REFUSED(member, value, text)                                                           \
    settings = usual;                                                                          \
    settings.member = value;                                                                   \
    EXPECT_STATUS(dry_world_set_settings(world, &settings), DRY_ERR_ARGUMENT, text)
    REFUSED(method, (dry_method)77, "method is 77, expected a DRY_METHOD_ constant");
    REFUSED(solver, (dry_solver_kind)5, "solver is 5");
    REFUSED(sweep, (dry_sweep)4, "sweep is 4");
    REFUSED(local_solver, (dry_local_solver)2, "local_solver is 2");
    REFUSED(warm_start, (dry_warm_start)7, "warm_start is 7");
    REFUSED(friction_law, (dry_friction_law)3, "friction_law is 3");
    REFUSED(projection, (dry_projection)3, "projection is 3");
    REFUSED(compatibility, (dry_compatibility)4, "compatibility is 4");
    REFUSED(compatible_friction, (dry_compatible_friction)0xFFFFFFFFu, "compatible_friction is 4294967295");
    REFUSED(joint_solver, (dry_joint_solver)2, "joint_solver is 2");
    REFUSED(joint_aim, 2, "joint_aim is 2, expected 0 or 1");
    REFUSED(position_projection, 2, "position_projection is 2, expected 0 or 1");
    REFUSED(sleeping, 2, "sleeping is 2, expected 0 or 1");
    REFUSED(require_convergence, 2, "require_convergence is 2, expected 0 or 1");
    REFUSED(require_convergence, 1, "tolerance is 0");
    REFUSED(substeps, 1001, "substeps is 1001");
    OK(dry_world_get_settings(world, &after, sizeof after));
    EXPECT(memcmp(&usual, &after, sizeof usual) == 0);

    /* What is set is what is read. */
    settings = usual;
    settings.sweep = DRY_SWEEP_RANDOM;
    settings.warm_start = DRY_WARM_COMPATIBLE;
    settings.compatibility = DRY_COMPATIBILITY_POWER;
    settings.compatible_friction = DRY_COMPATIBLE_FRICTION_ELASTIC;
    settings.compatibility_exponent = 1.75;
    settings.compatibility_tolerance = 1e-11;
    settings.tangential_stiffness = 0.5;
    settings.iterations = 123;
    settings.position_projection = 0;
    settings.seed = 0x123456789abcdefu;
    settings.tolerance = 1e-7;
    settings.require_convergence = 1;
    settings.restitution_threshold = 0.25;
    settings.substeps = 7;
    settings.joint_solver = DRY_JOINTS_ROWS;
    settings.joint_aim = 0;
    OK(dry_world_set_settings(world, &settings));
    OK(dry_world_get_settings(world, &after, sizeof after));
    EXPECT(memcmp(&settings, &after, sizeof settings) == 0);
    OK(dry_world_set_settings(world, &usual));

    /* One substep is said by 0, which older hosts have in a reserved member, or by 1. */
    settings = usual;
    settings.substeps = 1;
    OK(dry_world_set_settings(world, &settings));
    OK(dry_world_get_settings(world, &after, sizeof after));
    EXPECT(memcmp(&usual, &after, sizeof usual) == 0 && usual.substeps == 0);

    OK(dry_world_def_init(&def, sizeof def));
    def.reserved = 1;
    EXPECT_STATUS(dry_world_create(&def, &other), DRY_ERR_ARGUMENT, "reserved is 1, expected 0");
    OK(dry_body_def_init(&body, sizeof body));
    body.reserved = 9;
    EXPECT_STATUS(dry_body_add(world, &body, &handle), DRY_ERR_ARGUMENT, "reserved is 9, expected 0");
    body.reserved = 0;
    body.kind = (dry_body_kind)3;
    EXPECT_STATUS(dry_body_add(world, &body, &handle), DRY_ERR_ARGUMENT, "kind is 3");
    EXPECT(other == NULL && handle == 7);
}

static void arrays(dry_world *world, dry_shape sphere) {
    const size_t overflow = (size_t)1 << 62, absurd = (size_t)1 << 52;
    dry_body_def defs[3];
    dry_body bodies[3] = {7, 7, 7}, listed[4] = {7, 7, 7, 7};
    dry_body_state states[3];
    dry_contact contact;
    size_t count = 99, index;
    const uint64_t before = hash_of(world);

    for (index = 0; index < 3; ++index) {
        OK(dry_body_def_init(&defs[index], sizeof defs[index]));
        defs[index].shape = sphere;
        defs[index].position[0] = 2.0 * (double)index;
        defs[index].user_data = index + 40;
    }
    defs[2].struct_size = 8;
    EXPECT_STATUS(dry_bodies_add(world, defs, 3, bodies), DRY_ERR_ABI, "defs[2].struct_size is 8");
    defs[2].struct_size = sizeof defs[2];
    defs[1].reserved = 5;
    EXPECT_STATUS(dry_bodies_add(world, defs, 3, bodies), DRY_ERR_ARGUMENT, "defs[1]: reserved is 5");
    defs[1].reserved = 0;
    defs[1].mass = -1.0;
    EXPECT_STATUS(dry_bodies_add(world, defs, 3, bodies), DRY_ERR_ARGUMENT, "defs[1]: mass is -1");
    defs[1].mass = 0.0;
    EXPECT_STATUS(dry_bodies_add(world, NULL, 3, bodies), DRY_ERR_NULL, "defs is NULL");
    EXPECT_STATUS(dry_bodies_add(world, defs, 3, NULL), DRY_ERR_NULL, "bodies is NULL");
    EXPECT_STATUS(dry_bodies_add(world, defs, overflow, bodies), DRY_ERR_ARGUMENT, "count is 4611686018427387904");
    EXPECT_STATUS(dry_bodies_add(world, defs, absurd / 4, bodies), DRY_ERR_MEMORY, "bodies");
    OK(dry_bodies_add(world, NULL, 0, NULL));
    EXPECT(hash_of(world) == before && bodies[0] == 7 && bodies[1] == 7 && bodies[2] == 7);

    OK(dry_bodies_add(world, defs, 3, bodies));
    for (index = 0; index < 3; ++index) {
        uint64_t user_data = 0;
        OK(dry_body_get_user_data(world, bodies[index], &user_data));
        EXPECT(user_data == index + 40);
    }

    EXPECT_STATUS(dry_query_bodies(world, listed, 2, &count), DRY_ERR_CAPACITY, "capacity is 2, expected at least 3");
    EXPECT(count == 3 && listed[0] == 7);
    EXPECT_STATUS(dry_query_bodies(world, listed, 0, &count), DRY_ERR_CAPACITY, "capacity is 0");
    EXPECT_STATUS(dry_query_bodies(world, NULL, 1, &count), DRY_ERR_NULL, "bodies is NULL");
    EXPECT_STATUS(dry_query_bodies(world, listed, 4, NULL), DRY_ERR_NULL, "count is NULL");
    EXPECT_STATUS(dry_query_bodies(world, listed, overflow, &count), DRY_ERR_ARGUMENT, "capacity is 46");
    count = 0;
    OK(dry_query_bodies(world, NULL, 0, &count));
    EXPECT(count == 3);
    OK(dry_query_bodies(world, listed, 4, &count));
    EXPECT(count == 3 && memcmp(listed, bodies, sizeof bodies) == 0 && listed[3] == 7);

    memset(states, 0x55, sizeof states);
    EXPECT_STATUS(dry_bodies_get_states(world, NULL, 2, states), DRY_ERR_ARGUMENT, "count is 2, expected 3");
    EXPECT_STATUS(dry_bodies_get_states(world, NULL, 3, NULL), DRY_ERR_NULL, "states is NULL");
    EXPECT_STATUS(dry_bodies_get_states(world, bodies, overflow, states), DRY_ERR_ARGUMENT, "count is 46");
    listed[1] = 0;
    EXPECT_STATUS(dry_bodies_get_states(world, listed, 3, states), DRY_ERR_STALE_HANDLE, "bodies[1]");
    {
        dry_body_state untouched;
        memset(&untouched, 0x55, sizeof untouched);
        EXPECT(memcmp(&states[0], &untouched, sizeof untouched) == 0);
    }
    OK(dry_bodies_get_states(world, NULL, 3, states));
    EXPECT(states[2].position[0] == 4.0 && states[2].rotation[3] == 1.0);
    OK(dry_bodies_get_states(world, &bodies[1], 1, states));
    EXPECT(states[0].position[0] == 2.0);
    OK(dry_bodies_get_states(world, bodies, 0, NULL));

    EXPECT_STATUS(dry_query_contacts(world, &contact, sizeof contact - 8, 1, &count), DRY_ERR_ABI, "contact_size is");
    EXPECT_STATUS(dry_query_contacts(world, &contact, 0, 0, &count), DRY_ERR_ABI, "contact_size is 0");
    EXPECT_STATUS(dry_query_contacts(world, NULL, sizeof contact, 1, &count), DRY_ERR_NULL, "contacts is NULL");
}

static void addresses(dry_world *world) {
    char bytes[64] = {0};
    double numbers[4] = {0.0};
    dry_shape shape = 7;
    const double *crooked = (const double *)(const void *)((const char *)(const void *)numbers + 4);
    EXPECT_STATUS(dry_shape_box(world, crooked, &shape), DRY_ERR_ARGUMENT, "expected an address divisible by 8");
    EXPECT_STATUS(dry_shape_hull(world, numbers, (size_t)1 << 50, &shape), DRY_ERR_MEMORY, "points_xyz");
    EXPECT_STATUS(dry_shape_hull(world, numbers, (size_t)1 << 60, &shape), DRY_ERR_ARGUMENT, "point_count is");
    EXPECT(shape == 7 && bytes[0] == 0);
}

int main(void) {
    dry_world *world = new_world();
    dry_shape sphere = 0;
    OK(dry_shape_sphere(world, 0.5, &sphere));
    sizes(world);
    older_reports(world);
    older_world_def();
    values(world);
    arrays(world, sphere);
    addresses(world);
    dry_world_destroy(world);
    return verdict();
}
