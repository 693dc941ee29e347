/*
 * Bad input, first part: status and version, settings, worlds and steps. Materials and shapes are in bad_shapes.c,
 * bodies and queries in bad_bodies.c, problems of a host in bad_problem.c.
 */
#include "refuse.h"

/* A ball on a floor, a few steps old. */
static void set_up(void)
{
    world = new_world(NULL, GRAVITY);
    dry_material material = add_material(world, 0.5, 0, 1000);
    add_floor(world, material);
    dry_body_def def = body_at(sphere(world, 0.5), material, 0, 0, 0.5);
    add_body(world, &def);
    for (int k = 0; k < 3; ++k)
        MUST(dry_world_step(world, 0.01, NULL));
    accept_state();
}

/* ---- status, last error, version ------------------------------------------------------------- */

static void errors_and_version(void)
{
    const char *names[14] = {"DRY_OK", "DRY_ERR_NULL", "DRY_ERR_ABI", "DRY_ERR_ARGUMENT", "DRY_ERR_NOT_FINITE",
                             "DRY_ERR_STALE_HANDLE", "DRY_ERR_CAPACITY", "DRY_ERR_UNSUPPORTED",
                             "DRY_ERR_NOT_CONVERGED", "DRY_ERR_FORMAT", "DRY_ERR_IO", "DRY_ERR_BUSY",
                             "DRY_ERR_INTERNAL", "DRY_ERR_MEMORY"};
    int named = 0;
    for (int k = 0; k < 14; ++k)
        named += strcmp(dry_status_name((dry_status)k), names[k]) == 0;
    check_true("dry_status_name: 14 names", named == 14);
    check_true("dry_status_name of 77: a text", dry_status_name((dry_status)77) != NULL);

    char whole[512] = "", cut[8], again[512] = "";
    size_t needed = 0, needed_again = 0;
    (void)dry_world_step(world, -1, NULL);
    check_true("dry_last_error: the whole text and its size",
               dry_last_error(whole, sizeof whole, &needed) == DRY_OK && needed == strlen(whole) + 1 && needed > 8);
    check_true("dry_last_error: the size alone",
               dry_last_error(NULL, 0, &needed_again) == DRY_OK && needed_again == needed);
    check_true("dry_last_error: cut, with a zero at the end",
               dry_last_error(cut, sizeof cut, &needed_again) == DRY_ERR_CAPACITY && needed_again == needed &&
                   strlen(cut) == 7 && memcmp(cut, whole, 7) == 0);
    check_true("dry_last_error: NULL with a capacity", dry_last_error(NULL, 8, NULL) == DRY_ERR_NULL);
    MUST(dry_world_step(world, 0.01, NULL));
    accept_state();
    MUST(dry_last_error(again, sizeof again, NULL));
    check_true("dry_last_error: kept until the next failing call", strcmp(again, whole) == 0);

    unsigned major = 0, minor = 0, patch = 0;
    int read = sscanf(dry_version_string(), "%u.%u.%u", &major, &minor, &patch);
    check_true("dry_version and dry_version_string agree",
               read == 3 && dry_version() == (major << 22 | minor << 12 | patch));
}

/* ---- settings --------------------------------------------------------------------------------- */

/* The two ways to give settings to a world, which must judge alike. */
static dry_status give_settings(const dry_settings *settings)
{
    dry_world_def def;
    MUST(dry_world_def_init(&def, sizeof def));
    def.settings = settings;
    dry_status set = dry_world_set_settings(world, settings), created = dry_world_create(&def, &out.world);
    if (set != created)
        printf("FAIL dry_world_set_settings and dry_world_create differ: %s, %s\n", dry_status_name(set),
               dry_status_name(created));
    refused_wrongly += set != created;
    return created;
}

static void settings_numbers(dry_settings s)
{
    BAD_NUMBERS("tolerance", s.tolerance, NEGATIVE, give_settings(&s));
    BAD_NUMBERS("relaxation", s.relaxation, NEGATIVE | ZERO | LARGE, give_settings(&s));
    BAD_NUMBERS("warm_start_factor", s.warm_start_factor, NEGATIVE | LARGE, give_settings(&s));
    BAD_NUMBERS("theta", s.theta, NEGATIVE | ZERO | LARGE, give_settings(&s));
    BAD_NUMBERS("compatibility_exponent", s.compatibility_exponent, NEGATIVE | ZERO, give_settings(&s));
    BAD_VALUE(DRY_ERR_ARGUMENT, "compatibility_exponent is 1,", s.compatibility_exponent, double, 1, give_settings(&s));
    BAD_NUMBERS("compatibility_tolerance", s.compatibility_tolerance, NEGATIVE | ZERO, give_settings(&s));
    BAD_NUMBERS("tangential_stiffness", s.tangential_stiffness, NEGATIVE | ZERO, give_settings(&s));
    BAD_NUMBERS("contact_margin", s.contact_margin, NEGATIVE, give_settings(&s));
    BAD_NUMBERS("push_out_velocity", s.push_out_velocity, NEGATIVE, give_settings(&s));
    BAD_NUMBERS("restitution_threshold", s.restitution_threshold, NEGATIVE, give_settings(&s));
    BAD_NUMBERS("spook_relaxation", s.spook_relaxation, NEGATIVE, give_settings(&s));
    BAD_NUMBERS("regularisation", s.regularisation, NEGATIVE, give_settings(&s));
}

#define BAD_CHOICE(member, type) BAD_VALUE(DRY_ERR_ARGUMENT, #member, s.member, type, 77, give_settings(&s))
#define BAD_FLAG(member) BAD_VALUE(DRY_ERR_ARGUMENT, #member, s.member, uint32_t, 2, give_settings(&s))

static void settings_integers(dry_settings s)
{
    BAD_CHOICE(method, dry_method);
    BAD_CHOICE(solver, dry_solver_kind);
    BAD_CHOICE(sweep, dry_sweep);
    BAD_CHOICE(local_solver, dry_local_solver);
    BAD_CHOICE(warm_start, dry_warm_start);
    BAD_CHOICE(friction_law, dry_friction_law);
    BAD_CHOICE(projection, dry_projection);
    BAD_CHOICE(compatibility, dry_compatibility);
    BAD_CHOICE(compatible_friction, dry_compatible_friction);
    BAD_CHOICE(joint_solver, dry_joint_solver);
    BAD_CHOICE(contact_law, dry_contact_law);
    BAD_VALUE(DRY_ERR_ARGUMENT, "diagnostics", s.diagnostics, uint32_t, 4, give_settings(&s));
    BAD_FLAG(joint_aim);
    BAD_FLAG(position_projection);
    BAD_FLAG(sleeping);
    BAD_FLAG(require_convergence);
    /* it needs a tolerance */
    BAD_VALUE(DRY_ERR_ARGUMENT, "tolerance", s.require_convergence, uint32_t, 1, give_settings(&s));
}

#define NOT_OFFERED(member, type, choice)                                                                          \
    BAD_VALUE(DRY_ERR_UNSUPPORTED, #member, s.member, type, choice, give_settings(&s))

/* To be shortened as the library grows: what it offers is tested where it is offered. */
static void settings_not_offered(dry_settings s)
{
    NOT_OFFERED(warm_start, dry_warm_start, DRY_WARM_MODEL);
}

static void settings_structures(void)
{
    dry_settings s = default_settings();
    size_t size = sizeof s;
    ACCEPTED(dry_world_set_settings(world, &s));
    settings_numbers(s);
    settings_integers(s);
    BAD_SIZES("struct_size", s.struct_size, give_settings(&s));
    REFUSED(DRY_ERR_NULL, "settings", dry_world_set_settings(world, NULL));
    REFUSED(DRY_ERR_NULL, "world", dry_world_set_settings(NULL, &s));
    REFUSED(DRY_ERR_NULL, "settings", dry_settings_init(NULL, size));
    BAD_SIZES("size", size, dry_settings_init(&out.settings, size));
    REFUSED(DRY_ERR_NULL, "world", dry_world_get_settings(NULL, &out.settings, size));
    REFUSED(DRY_ERR_NULL, "settings", dry_world_get_settings(world, NULL, size));
    BAD_SIZES("size", size, dry_world_get_settings(world, &out.settings, size));
    check_refused("dry_settings and its functions");
    settings_not_offered(s);
    check_refused("settings that are not offered");
}

/* ---- worlds and steps --------------------------------------------------------------------------- */

static void worlds(void)
{
    dry_world_def def;
    size_t size = sizeof def;
    dry_world *created = NULL;
    MUST(dry_world_def_init(&def, sizeof def));
    ACCEPTED(dry_world_create(&def, &created));
    dry_world_destroy(created);
    dry_world_destroy(NULL); /* nothing to do */
    REFUSED(DRY_ERR_NULL, "def", dry_world_def_init(NULL, size));
    BAD_SIZES("size", size, dry_world_def_init(&out.world_def, size));
    REFUSED(DRY_ERR_NULL, "def", dry_world_create(NULL, &out.world));
    REFUSED(DRY_ERR_NULL, "world", dry_world_create(&def, NULL));
    BAD_SIZES("struct_size", def.struct_size, dry_world_create(&def, &out.world));
    BAD_VALUE(DRY_ERR_ARGUMENT, "reserved", def.reserved, uint32_t, 1, dry_world_create(&def, &out.world));
    BAD_VALUE(DRY_ERR_ARGUMENT, "threads is 1025", def.threads, uint32_t, 1025, dry_world_create(&def, &out.world));
    BAD_VALUE(DRY_ERR_ARGUMENT, "threads", def.threads, uint32_t, UINT32_MAX, dry_world_create(&def, &out.world));
    double gravity[3] = {0, 0, -9.81};
    for (int c = 0; c < 3; ++c) {
        BAD_NUMBERS("gravity", def.gravity[c], 0, dry_world_create(&def, &out.world));
        BAD_NUMBERS("gravity", gravity[c], 0, dry_world_set_gravity(world, gravity));
    }
    REFUSED(DRY_ERR_NULL, "world", dry_world_set_gravity(NULL, gravity));
    REFUSED(DRY_ERR_NULL, "gravity", dry_world_set_gravity(world, NULL));
    REFUSED(DRY_ERR_NULL, "world", dry_world_get_gravity(NULL, out.numbers));
    REFUSED(DRY_ERR_NULL, "gravity", dry_world_get_gravity(world, NULL));
    REFUSED(DRY_ERR_NULL, "world", dry_world_get_period(NULL, out.numbers));
    REFUSED(DRY_ERR_NULL, "period", dry_world_get_period(world, NULL));
    double rates[3] = {0, 0, 0};
    ACCEPTED(dry_world_set_strain_rate(world, rates));
    for (int c = 0; c < 3; ++c)
        BAD_NUMBERS("rates", rates[c], 0, dry_world_set_strain_rate(world, rates));
    BAD_VALUE(DRY_ERR_ARGUMENT, "rates[1] is -0.5 1/s", rates[1], double, -0.5, dry_world_set_strain_rate(world, rates));
    REFUSED(DRY_ERR_NULL, "world", dry_world_set_strain_rate(NULL, rates));
    REFUSED(DRY_ERR_NULL, "rates", dry_world_set_strain_rate(world, NULL));
    REFUSED(DRY_ERR_NULL, "world", dry_world_get_strain_rate(NULL, out.numbers));
    REFUSED(DRY_ERR_NULL, "rates", dry_world_get_strain_rate(world, NULL));
    check_refused("worlds");
}

/* A step with a report, which must stay as it is. */
static dry_status step_reported(dry_world *which, double step, size_t struct_size)
{
    dry_step_report report, before;
    memset(&report, PATTERN, sizeof report);
    report.struct_size = struct_size;
    before = report;
    dry_status status = dry_world_step(which, step, &report);
    if (memcmp(&report, &before, sizeof report) != 0) {
        printf("FAIL dry_world_step wrote the report of a refused step\n");
        ++refused_wrongly;
    }
    return status;
}

static void steps(void)
{
    double step = 0.01;
    size_t size = sizeof(dry_step_report);
    BAD_NUMBERS("step", step, NEGATIVE | ZERO, step_reported(world, step, size));
    BAD_NUMBERS("step", step, NEGATIVE | ZERO, dry_world_step(world, step, NULL));
    BAD_SIZES("report", size, step_reported(world, step, size));
    REFUSED(DRY_ERR_NULL, "world", step_reported(NULL, step, size));
    /* two bodies of which the second would leave the numbers: 1e300 m/s for 1e10 s */
    dry_world *usual = world;
    world = new_world(NULL, 0);
    dry_body_def def = body_at(sphere(world, 1), 0, 0, 0, 0);
    add_body(world, &def);
    def.position[0] = 100;
    def.linear_velocity[0] = 1e300;
    add_body(world, &def);
    accept_state();
    REFUSED(DRY_ERR_NOT_FINITE, "body", step_reported(world, 1e10, size));
    ACCEPTED(dry_world_step(world, 0.01, NULL));
    dry_world_destroy(world);
    world = usual;
    accept_state();
    check_refused("dry_world_step");
}

int main(void)
{
    size_t needed = 0;
    watch_standard_error();
    MUST(dry_last_error(NULL, 0, &needed));
    check_true("dry_last_error before any error: empty", needed == 1);
    set_up();
    errors_and_version();
    settings_structures();
    worlds();
    steps();
    dry_world_destroy(world);
    check_silence();
    return check_result();
}
