/*
 * Corrections that cannot be asked for: each is refused with a message that names what is wrong, nothing is
 * written, and the solver and what it remembers are as they were.
 */
#include "compatible.h"

static dry_solver *solver;
static dry_settings settings;
static int refused_calls, refused_wrongly;

/* All arguments of a call, so that one comparison finds a write. */
typedef struct call {
    own all;
    dry_settings settings;
    double impulses[MAX_ITEMS][3], compatible[MAX_ITEMS][3];
    dry_step_report report;
    /* NULL, or one of the above, or elsewhere */
    const dry_problem *problem;
    const dry_settings *chosen;
    const double *given;
    double *answer;
    dry_step_report *report_to;
} call;

static call good, bad;

/* Copies `good`, so that its pointers show the copy. */
static void take_good(void)
{
    bad = good;
    bad.all.problem.bodies = bad.all.bodies;
    bad.all.problem.contacts = bad.all.contacts;
    bad.all.problem.rows = bad.all.rows;
    bad.all.solution.velocities = bad.all.velocities[0];
    bad.all.solution.contacts = bad.all.solved;
    bad.all.solution.row_impulses = bad.all.row_impulses;
    bad.all.solution.report = &bad.all.report;
    bad.problem = &bad.all.problem;
    bad.chosen = &bad.settings;
    bad.given = bad.impulses[0];
    bad.answer = bad.compatible[0];
    bad.report_to = &bad.report;
}

static void refused(int line, dry_solver *of, dry_status expected, const char *word, const char *other)
{
    static call before;
    char message[1024] = "";
    before = bad;
    dry_status status = dry_solver_correct(of, bad.problem, bad.chosen, bad.given, bad.answer, bad.report_to);
    (void)dry_last_error(message, sizeof message, NULL);
    int written = memcmp(&before, &bad, sizeof bad) != 0;
    ++refused_calls;
    if (status != expected || strstr(message, word) == NULL || strstr(message, other) == NULL || written) {
        ++refused_wrongly;
        printf("FAIL line %d: expected %s naming \"%s\" and \"%s\", found %s%s: %s\n", line,
               dry_status_name(expected),
               word, other, dry_status_name(status), written ? ", with something written" : "", message);
    }
    take_good();
}

/* The good call with one thing changed. */
#define BAD(expected, word, other, change) (change, refused(__LINE__, solver, expected, word, other))
#define ARGUMENT(word, other, change) BAD(DRY_ERR_ARGUMENT, word, other, change)

static void check_refused(const char *group)
{
    char name[96];
    snprintf(name, sizeof name, "%s: wrong among %d refused calls", group, refused_calls);
    check_at_most(name, refused_wrongly, 0);
    refused_calls = refused_wrongly = 0;
}

/* Two cubes on each other on an immovable body, and a row that does not count. Outputs hold a pattern. */
static void make_good(void)
{
    own *all = &good.all;
    own_begin(all, 0.01);
    own_cube(all, 3, 0.5, 0);
    own_cube(all, 3, 0.5, 0);
    all->problem.body_count = 3;
    own_corners(all, 2, 1, 0.5, 0.5, 10);
    own_corners(all, 1, 0, 0.5, 0.5, 20);
    dry_problem_row *row = own_row(all, UINT32_MAX, 0);
    row->jacobian_b[0] = 1;
    row->key = 30;
    good.settings = settings;
    for (int k = 0; k < 8; ++k)
        good.impulses[k][2] = k % 4 == 0 || k % 4 == 3 ? (k < 4 ? 2 : 1) * 1.5 * GRAVITY * 0.01 : 0;
    memset(good.compatible, 0xA5, sizeof good.compatible);
    memset(&good.report, 0xA5, sizeof good.report);
    good.report.struct_size = sizeof good.report;
    take_good();
}

static void pointers_and_sizes(void)
{
    refused(__LINE__, NULL, DRY_ERR_NULL, "solver is NULL", "");
    BAD(DRY_ERR_NULL, "problem is NULL", "", bad.problem = NULL);
    BAD(DRY_ERR_NULL, "settings is NULL", "", bad.chosen = NULL);
    BAD(DRY_ERR_NULL, "impulses is NULL", "", bad.given = NULL);
    BAD(DRY_ERR_NULL, "compatible_impulses is NULL", "", bad.answer = NULL);
    BAD(DRY_ERR_NULL, "bodies is NULL", "", bad.all.problem.bodies = NULL);
    BAD(DRY_ERR_NULL, "contacts is NULL", "", bad.all.problem.contacts = NULL);
    BAD(DRY_ERR_NULL, "rows is NULL", "", bad.all.problem.rows = NULL);
    const size_t sizes[] = {0, 1, SIZE_MAX};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k) {
        BAD(DRY_ERR_ABI, "problem.struct_size", "dry_problem", bad.all.problem.struct_size = sizes[k]);
        BAD(DRY_ERR_ABI, "settings.struct_size", "dry_settings", bad.settings.struct_size = sizes[k]);
        BAD(DRY_ERR_ABI, "report.struct_size", "dry_step_report", bad.report.struct_size = sizes[k]);
    }
    BAD(DRY_ERR_ABI, "problem.struct_size is 72", "64", bad.all.problem.struct_size += 8);
    BAD(DRY_ERR_ABI, "report.struct_size is 360", "352", bad.report.struct_size += 8);
    BAD(DRY_ERR_ABI, "report.struct_size is 351", "352", bad.report.struct_size -= 1);
    const size_t counts[] = {SIZE_MAX, SIZE_MAX / 24 + 1, (size_t)1 << 60, (size_t)1 << 44};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; ++k) {
        ARGUMENT("body_count", "", bad.all.problem.body_count = counts[k]);
        ARGUMENT("contact_count", "", bad.all.problem.contact_count = counts[k]);
        ARGUMENT("row_count", "", bad.all.problem.row_count = counts[k]);
    }
    ARGUMENT("impulses", "divisible by 8", bad.given = (void *)((char *)bad.impulses + 4));
    ARGUMENT("compatible_impulses", "divisible by 8", bad.answer = (void *)((char *)bad.compatible + 4));
    ARGUMENT("report", "divisible by 8", bad.report_to = (void *)((char *)&bad.report - 4));
    check_refused("pointers, sizes and counts");
}

static void numbers(void)
{
    static const struct {
        double value;
        const char *text;
    } broken[3] = {{NAN, "NaN"}, {INFINITY, "inf"}, {-INFINITY, "-inf"}};
    for (int n = 0; n < 3; ++n) {
        double value = broken[n].value;
        const char *text = broken[n].text;
        for (int k = 0; k < 3; ++k) {
            /* three numbers for each contact */
            static const char *first[3] = {"impulses[0]", "impulses[1]", "impulses[2]"};
            static const char *eighth[3] = {"impulses[21]", "impulses[22]", "impulses[23]"};
            BAD(DRY_ERR_NOT_FINITE, first[k], text, bad.impulses[0][k] = value);
            BAD(DRY_ERR_NOT_FINITE, eighth[k], text, bad.impulses[7][k] = value);
            BAD(DRY_ERR_NOT_FINITE, "contacts[5].normal", text, bad.all.contacts[5].normal[k] = value);
            BAD(DRY_ERR_NOT_FINITE, "contacts[5].arm_b", text, bad.all.contacts[5].arm_b[k] = value);
            BAD(DRY_ERR_NOT_FINITE, "bodies[1].velocity", text, bad.all.bodies[1].velocity[k] = value);
        }
        BAD(DRY_ERR_NOT_FINITE, "step", text, bad.all.problem.step = value);
        BAD(DRY_ERR_NOT_FINITE, "contacts[3].stiffness", text, bad.all.contacts[3].stiffness = value);
        BAD(DRY_ERR_NOT_FINITE, "bodies[0].inverse_mass", text, bad.all.bodies[0].inverse_mass = value);
        BAD(DRY_ERR_NOT_FINITE, "tolerance", text, bad.settings.tolerance = value);
        BAD(DRY_ERR_NOT_FINITE, "compatibility_exponent", text, bad.settings.compatibility_exponent = value);
        BAD(DRY_ERR_NOT_FINITE, "compatibility_tolerance", text, bad.settings.compatibility_tolerance = value);
        BAD(DRY_ERR_NOT_FINITE, "tangential_stiffness", text, bad.settings.tangential_stiffness = value);
    }
    ARGUMENT("step is 0", "", bad.all.problem.step = 0);
    ARGUMENT("contacts[3].stiffness is -1", "", bad.all.contacts[3].stiffness = -1);
    ARGUMENT("contacts[3].friction is -1", "", bad.all.contacts[3].friction = -1);
    ARGUMENT("contacts[3].normal", "length", bad.all.contacts[3].normal[2] = 2);
    ARGUMENT("contacts[3].body_a is 3", "body_count", bad.all.contacts[3].body_a = 3);
    ARGUMENT("contacts[3].body_a", "immovable", bad.all.contacts[3].body_b = UINT32_MAX);
    /* forces whose squares no double holds: an answer that is not finite is none */
    BAD(DRY_ERR_NOT_FINITE, "not finite", "",
        (bad.impulses[4][2] = 1e200, bad.settings.compatible_friction = DRY_COMPATIBLE_FRICTION_ASSOCIATED));
    check_refused("numbers");
}

static void choices(void)
{
    ARGUMENT("compatibility is DRY_COMPATIBILITY_OFF", "", bad.settings.compatibility = DRY_COMPATIBILITY_OFF);
    ARGUMENT("compatibility is 4", "DRY_COMPATIBILITY_", bad.settings.compatibility = (dry_compatibility)4);
    ARGUMENT("compatible_friction is 4", "", bad.settings.compatible_friction = (dry_compatible_friction)4);
    /* checked for every law */
    const dry_compatibility laws[3] = {DRY_COMPATIBILITY_HOOKE, DRY_COMPATIBILITY_HERTZ, DRY_COMPATIBILITY_POWER};
    for (int k = 0; k < 3; ++k) {
        ARGUMENT("compatibility_exponent is 1,", "above 1",
                 (bad.settings.compatibility = laws[k], bad.settings.compatibility_exponent = 1));
        ARGUMENT("compatibility_exponent is 0,", "above 1",
                 (bad.settings.compatibility = laws[k], bad.settings.compatibility_exponent = 0));
        ARGUMENT("compatibility_exponent is -2,", "above 1",
                 (bad.settings.compatibility = laws[k], bad.settings.compatibility_exponent = -2));
    }
    ARGUMENT("compatibility_tolerance is 0,", "above 0", bad.settings.compatibility_tolerance = 0);
    ARGUMENT("compatibility_tolerance is -1,", "above 0", bad.settings.compatibility_tolerance = -1);
    ARGUMENT("tangential_stiffness is 0,", "above 0", bad.settings.tangential_stiffness = 0);
    ARGUMENT("tangential_stiffness is -1,", "above 0", bad.settings.tangential_stiffness = -1);
    BAD(DRY_ERR_UNSUPPORTED, "warm_start", "", bad.settings.warm_start = DRY_WARM_MODEL);
    check_refused("settings");
}

static void overlaps(void)
{
    const struct {
        void *place;
        const char *name;
    } inputs[] = {{&bad.all.bodies[1], "bodies"},      {&bad.all.contacts[2], "contacts"}, {bad.all.rows, "rows"},
                  {&bad.all.problem, "problem"},       {&bad.settings, "settings"},        {bad.impulses, "impulses"},
                  {&bad.impulses[7][2], "impulses"}};
    for (size_t k = 0; k < sizeof inputs / sizeof *inputs; ++k)
        ARGUMENT("compatible_impulses", inputs[k].name, bad.answer = inputs[k].place);
    ARGUMENT("overlaps", "compatible_impulses", bad.answer = (void *)&bad.report);
    /* A report begins with its size, which may be a key or what an output held. */
    ARGUMENT("report", "compatible_impulses",
             (memcpy(&bad.compatible[1], &(size_t){sizeof bad.report}, sizeof(size_t)),
              bad.report_to = (void *)&bad.compatible[1]));
    ARGUMENT("report", "contacts",
             (bad.all.contacts[1].key = sizeof bad.report, bad.report_to = (void *)&bad.all.contacts[1]));
    check_refused("outputs that overlap");
}

/* The good call, the report of which is not wanted either; what it answers, so that it can be compared. */
static void good_answer(double answer[8][3])
{
    dry_step_report report = {.struct_size = sizeof report};
    MUST(dry_solver_correct(solver, bad.problem, bad.chosen, bad.given, bad.answer, NULL));
    memcpy(answer, bad.compatible, 8 * sizeof *answer);
    take_good();
    MUST(dry_solver_correct(solver, bad.problem, bad.chosen, bad.given, bad.answer, &report));
    check_true("the good call: corrected, nothing infeasible",
               report.flags == 0 && report.infeasible_islands == 0 && report.compatibility_residual <= 1e-13);
    double worst = 0;
    for (int k = 0; k < 8; ++k)
        keep_worst(&worst, fabs(answer[k][2] - (k < 4 ? 2 : 1) * 0.75 * GRAVITY * 0.01));
    check_at_most("the good call: a quarter of the weight on each corner [N s]", worst, 1e-13);
    take_good();
}

/* What a solve remembers is not touched by corrections, good or bad. */
static void still_remembers(void)
{
    own_solve(&bad.all, solver, &settings);
    check_true("the solver still remembers the good problem",
               bad.all.report.new_contacts == 0 && bad.all.report.iterations <= 1);
    take_good();
}

/* Zero contacts need no arrays. */
static void nothing_to_correct(void)
{
    bad.all.problem.contact_count = 0;
    bad.all.problem.contacts = NULL;
    MUST(dry_solver_correct(solver, bad.problem, bad.chosen, NULL, NULL, bad.report_to));
    check_true("zero contacts with NULL arrays: nothing to correct",
               bad.report.contacts == 0 && bad.report.flags == 0 && bad.report.closed_contacts == 0);
    take_good();
}

/* Good calls, with all the bad ones in between or without: what is answered at the end. */
static void answered(int with_bad_calls, double answer[8][3])
{
    solver = new_solver();
    make_good();
    own_solve(&bad.all, solver, &settings);
    check_true("the good problem is solved, from nothing",
               bad.all.report.new_contacts == 8 && bad.all.report.iterations > 1);
    take_good();
    good_answer(answer);
    if (with_bad_calls) {
        pointers_and_sizes();
        numbers();
        choices();
        overlaps();
    }
    still_remembers();
    good_answer(answer);
    nothing_to_correct();
    still_remembers();
    dry_solver_destroy(solver);
}

int main(void)
{
    double without[8][3], with[8][3];
    settings = corrected_settings(DRY_COMPATIBILITY_HOOKE);
    settings.solver = DRY_SOLVER_PGS;
    settings.iterations = 100000;
    answered(0, without);
    answered(1, with);
    check_true("with bad calls and without: the same answer, bit for bit", memcmp(without, with, sizeof with) == 0);
    return check_result();
}
