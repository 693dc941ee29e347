/*
 * Compiled against a header of the future, in which every structure that grows has one number more: each is refused,
 * with both sizes, and nothing happens.
 */
#include "expect.h"

/* The message names the host's size. The call that checks it looks for the size of today too. */
static const char *sizes(const char *name, size_t size) {
    static char text[128];
    snprintf(text, sizeof text, "%s is %lu, expected ", name, (unsigned long)size);
    return text;
}

/* Refused, and the last message names today's size, which is one number less. */
#define REFUSED(call, name, size)                                                             \
    do {                                                                                      \
        char text_[32];                                                                       \
        EXPECT_STATUS(call, DRY_ERR_ABI, sizes(name, size));                                  \
        snprintf(text_, sizeof text_, " %lu, the size of", (unsigned long)(size - sizeof(double))); \
        EXPECT_STATUS(call, DRY_ERR_ABI, text_);                                              \
    } while (0)

#define INIT_REFUSED(type, init)                                                       \
    do {                                                                               \
        type value, untouched;                                                         \
        memset(&value, 0x55, sizeof value);                                            \
        memset(&untouched, 0x55, sizeof untouched);                                    \
        REFUSED(init(&value, sizeof value), "size", sizeof value);                     \
        EXPECT(memcmp(&value, &untouched, sizeof value) == 0);                         \
    } while (0)

static dry_status ball_def_init(dry_joint_def *def, size_t size) {
    return dry_joint_def_init(def, size, DRY_JOINT_BALL);
}

/* Of a world that knows the sizes of today. */
static void joints(dry_world *world) {
    dry_joint_def def;
    dry_joint_axis axis;
    dry_joint_state state;
    dry_joint joint = 7;
    memset(&state, 0x55, sizeof state);
    REFUSED(dry_joint_get_state(world, 0, &state, sizeof state), "size", sizeof state);
    REFUSED(dry_joints_get_states(world, NULL, 0, &state, sizeof state), "size", sizeof state);
    REFUSED(dry_joint_get_def(world, 0, &def, sizeof def), "size", sizeof def);
    REFUSED(dry_joint_get_axis(world, 0, 5, &axis, sizeof axis), "size", sizeof axis);
    memset(&def, 0, sizeof def);
    def.struct_size = sizeof def;
    REFUSED(dry_joint_add(world, &def, &joint), "def.struct_size", sizeof def);
    REFUSED(dry_joints_add(world, &def, 1, &joint), "defs[0].struct_size", sizeof def);
    EXPECT(joint == 7 && state.flags == 0x55555555u);
}

static void worlds(void) {
    dry_world_def def;
    dry_world *world = NULL;
    memset(&def, 0, sizeof def);
    def.struct_size = sizeof def;
    REFUSED(dry_world_create(&def, &world), "def.struct_size", sizeof def);
    EXPECT(world == NULL);

    /* A host that knows the smaller size gets its world. */
    OK(dry_world_def_init(&def, sizeof def - sizeof(double)));
    OK(dry_world_create(&def, &world));
    {
        dry_world *other = NULL;
        dry_task_callbacks tasks;
        memset(&tasks, 0, sizeof tasks);
        tasks.struct_size = sizeof tasks;
        def.tasks = &tasks;
        REFUSED(dry_world_create(&def, &other), "tasks.struct_size", sizeof tasks);
        EXPECT(other == NULL);
    }
    if (world != NULL) {
        dry_step_report report;
        dry_settings settings;
        dry_contact contact;
        dry_body_def defs[2];
        dry_body bodies[2] = {7, 7};
        size_t count = 7;
        const uint64_t before = hash_of(world);
        memset(&report, 0, sizeof report);
        memset(&settings, 0, sizeof settings);
        memset(defs, 0, sizeof defs);
        report.struct_size = sizeof report;
        settings.struct_size = sizeof settings;
        defs[0].struct_size = defs[1].struct_size = sizeof defs[0];
        REFUSED(dry_world_step(world, 0.01, &report), "report.struct_size", sizeof report);
        REFUSED(dry_world_set_settings(world, &settings), "settings.struct_size", sizeof settings);
        REFUSED(dry_world_get_settings(world, &settings, sizeof settings), "size", sizeof settings);
        REFUSED(dry_query_contacts(world, &contact, sizeof contact, 1, &count), "contact_size", sizeof contact);
        REFUSED(dry_bodies_add(world, defs, 2, bodies), "defs[0].struct_size", sizeof defs[0]);
        EXPECT(count == 7 && bodies[0] == 7 && report.bodies == 0 && hash_of(world) == before);
        joints(world);
        EXPECT(hash_of(world) == before);
        dry_world_destroy(world);
    }
}

static void solvers(void) {
    double numbers[3] = {0.0}, corrected[3] = {7.0, 7.0, 7.0};
    dry_solver *solver = NULL;
    dry_settings settings;
    dry_problem problem;
    dry_solution solution;
    dry_local_problem local;
    dry_step_report report;
    memset(&report, 0, sizeof report);
    memset(&problem, 0, sizeof problem);
    memset(&solution, 0, sizeof solution);
    memset(&local, 0, sizeof local);
    problem.struct_size = sizeof problem;
    solution.struct_size = sizeof solution;
    local.struct_size = sizeof local;
    report.struct_size = sizeof report;
    OK(dry_solver_create(&solver));
    OK(dry_settings_init(&settings, sizeof settings - sizeof(double)));
    REFUSED(dry_solver_solve(solver, &problem, &settings, &solution), "problem.struct_size", sizeof problem);
    REFUSED(dry_solver_solve_local(solver, &local, &settings, numbers, NULL), "problem.struct_size", sizeof local);
    REFUSED(dry_solver_correct(solver, &problem, &settings, numbers, corrected, NULL), "problem.struct_size",
            sizeof problem);
    problem.struct_size = sizeof problem - sizeof(double);
    REFUSED(dry_solver_solve(solver, &problem, &settings, &solution), "solution.struct_size", sizeof solution);
    REFUSED(dry_solver_correct(solver, &problem, &settings, numbers, corrected, &report), "report.struct_size",
            sizeof report);
    EXPECT(corrected[0] == 7.0 && report.bodies == 0);
    dry_solver_destroy(solver);
}

int main(void) {
    INIT_REFUSED(dry_settings, dry_settings_init);
    INIT_REFUSED(dry_world_def, dry_world_def_init);
    INIT_REFUSED(dry_material_def, dry_material_def_init);
    INIT_REFUSED(dry_pair_def, dry_pair_def_init);
    INIT_REFUSED(dry_body_def, dry_body_def_init);
    INIT_REFUSED(dry_joint_def, ball_def_init);
    INIT_REFUSED(dry_joint_axis, dry_joint_axis_init);
    worlds();
    solvers();
    return verdict();
}
