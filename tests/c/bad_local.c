/*
 * Problems without bodies that cannot be posed: each is refused with a message that names the element, and nothing is
 * written.
 */
#include "problem.h"

enum { CONTACTS = 3, BLOCKS = 7 };

/* Three contacts in a row, each beside the next one, with rolling where the dimension is 5. */
typedef struct local {
    dry_local_problem problem;
    uint32_t row_offsets[CONTACTS + 1], columns[BLOCKS];
    double blocks[BLOCKS * 25], q[CONTACTS * 5], friction[CONTACTS], rolling[CONTACTS];
    double impulses[CONTACTS * 5];
    dry_step_report report;
} local;

static dry_solver *solver;
static dry_settings settings;
static local good, bad;
static int refused_calls, refused_wrongly;

static void take_good(void)
{
    bad = good;
    bad.problem.row_offsets = bad.row_offsets;
    bad.problem.columns = bad.columns;
    bad.problem.blocks = bad.blocks;
    bad.problem.q = bad.q;
    bad.problem.friction = bad.friction;
    bad.problem.rolling = good.problem.dimension == 5 ? bad.rolling : NULL;
}

static void make_good(uint32_t dimension)
{
    const uint32_t offsets[CONTACTS + 1] = {0, 2, 5, 7}, columns[BLOCKS] = {0, 1, 2, 0, 1, 2, 1};
    memset(&good, 0, sizeof good);
    good.problem.struct_size = sizeof good.problem;
    good.problem.contact_count = CONTACTS;
    good.problem.dimension = dimension;
    memcpy(good.row_offsets, offsets, sizeof offsets);
    memcpy(good.columns, columns, sizeof columns);
    for (uint32_t k = 0; k < BLOCKS; ++k) {
        uint32_t row = k < 2 ? 0 : k < 5 ? 1 : 2;
        for (uint32_t i = 0; i < dimension; ++i)
            good.blocks[(k * dimension + i) * dimension + i] = columns[k] == row ? 2 : -0.5;
    }
    for (uint32_t k = 0; k < CONTACTS * dimension; ++k)
        good.q[k] = k % dimension == 0 ? -1 : 0.1;
    for (int k = 0; k < CONTACTS; ++k)
        good.friction[k] = good.rolling[k] = 0.5;
    memset(good.impulses, 0xA5, sizeof good.impulses);
    memset(&good.report, 0xA5, sizeof good.report);
    good.report.struct_size = sizeof good.report;
    take_good();
}

static void solve_bad(int line, dry_status expected, const char *word, const char *other, double *impulses)
{
    char message[1024] = "";
    const local before = bad;
    dry_status status = dry_solver_solve_local(solver, &bad.problem, &settings, impulses, &bad.report);
    (void)dry_last_error(message, sizeof message, NULL);
    int same = memcmp(&before, &bad, sizeof bad) == 0;
    int right = status == expected && strstr(message, word) && (other == NULL || strstr(message, other)) && same;
    ++refused_calls;
    refused_wrongly += !right;
    if (!right)
        printf("FAIL line %d: expected %s naming \"%s\" and \"%s\", found %s%s: %s\n", line, dry_status_name(expected),
               word, other ? other : "", dry_status_name(status), same ? "" : ", with something written", message);
    take_good();
}

#define BAD(expected, word, other, change) (change, solve_bad(__LINE__, expected, word, other, bad.impulses))
#define ARGUMENT(word, other, change) BAD(DRY_ERR_ARGUMENT, word, other, change)
#define NUMBER(name, member)                                                \
    do {                                                                    \
        BAD(DRY_ERR_NOT_FINITE, name, "NaN", bad.member = NAN);             \
        BAD(DRY_ERR_NOT_FINITE, name, "inf", bad.member = INFINITY);        \
        BAD(DRY_ERR_NOT_FINITE, name, "-inf", bad.member = -INFINITY);      \
    } while (0)

static void check_refused(const char *group)
{
    char name[96];
    snprintf(name, sizeof name, "%s, d = %u: wrong among %d refused calls", group, good.problem.dimension,
             refused_calls);
    check_at_most(name, refused_wrongly, 0);
    refused_calls = refused_wrongly = 0;
}

static void pointers(void)
{
    BAD(DRY_ERR_ABI, "problem.struct_size", "0", bad.problem.struct_size = 0);
    BAD(DRY_ERR_ABI, "report.struct_size", "9", bad.report.struct_size = 9);
    BAD(DRY_ERR_NULL, "row_offsets is NULL", NULL, bad.problem.row_offsets = NULL);
    BAD(DRY_ERR_NULL, "columns is NULL", NULL, bad.problem.columns = NULL);
    BAD(DRY_ERR_NULL, "blocks is NULL", NULL, bad.problem.blocks = NULL);
    BAD(DRY_ERR_NULL, "q is NULL", NULL, bad.problem.q = NULL);
    BAD(DRY_ERR_NULL, "friction is NULL", NULL, bad.problem.friction = NULL);
    if (good.problem.dimension == 5)
        BAD(DRY_ERR_NULL, "rolling is NULL", NULL, bad.problem.rolling = NULL);
    else
        ARGUMENT("rolling is not NULL", "dimension", bad.problem.rolling = bad.rolling);
    ARGUMENT("dimension is 4", "3 or 5", bad.problem.dimension = 4);
    ARGUMENT("dimension is 0", "3 or 5", bad.problem.dimension = 0);
    ARGUMENT("reserved is 1", NULL, bad.problem.reserved = 1);
    ARGUMENT("contact_count is", NULL, bad.problem.contact_count = SIZE_MAX);
    ARGUMENT("contact_count is", NULL, bad.problem.contact_count = (size_t)1 << 44);
    solve_bad(__LINE__, DRY_ERR_NULL, "impulses is NULL", NULL, NULL);
    solve_bad(__LINE__, DRY_ERR_ARGUMENT, "impulses", "blocks", bad.blocks + 3);
    solve_bad(__LINE__, DRY_ERR_ARGUMENT, "impulses", "q", bad.q);
    solve_bad(__LINE__, DRY_ERR_ARGUMENT, "impulses", "friction", bad.friction);
    solve_bad(__LINE__, DRY_ERR_ARGUMENT, "impulses", "problem", (double *)(void *)&bad.problem);
    solve_bad(__LINE__, DRY_ERR_ARGUMENT, "impulses", "settings", (double *)(void *)&settings);
    solve_bad(__LINE__, DRY_ERR_ARGUMENT, "report", "impulses", (double *)(void *)&bad.report);
    check_refused("pointers and counts");
}

static void pattern(void)
{
    ARGUMENT("row_offsets[0] is 1", "0", bad.row_offsets[0] = 1);
    ARGUMENT("row_offsets[2] is 1", "row_offsets[1]", bad.row_offsets[2] = 1);
    ARGUMENT("row_offsets[2] is 2", "row_offsets[1]", bad.row_offsets[2] = 2);
    ARGUMENT("row_offsets[3] is 4", "row_offsets[2]", bad.row_offsets[3] = 4);
    ARGUMENT("columns[1] is 3", "contact_count", bad.columns[1] = 3);
    ARGUMENT("columns[1] is 4294967295", "contact_count", bad.columns[1] = UINT32_MAX);
    ARGUMENT("columns[0] to columns[1]", "diagonal block of contact 0", bad.columns[0] = 2);
    ARGUMENT("columns[1] is 0", "columns[0]", bad.columns[1] = 0);
    ARGUMENT("columns[4] is 2", "columns[2]", bad.columns[4] = 2);
    ARGUMENT("columns[1] is 2", "column 0", bad.columns[1] = 2);
    check_refused("the pattern");
}

static void numbers(void)
{
    size_t d = good.problem.dimension;
    NUMBER("blocks[1]", blocks[1]);
    NUMBER("q[4]", q[4]);
    NUMBER("friction[2]", friction[2]);
    ARGUMENT("friction[2] is -1", NULL, bad.friction[2] = -1);
    if (d == 5) {
        NUMBER("rolling[1]", rolling[1]);
        ARGUMENT("rolling[1] is -1", NULL, bad.rolling[1] = -1);
    }
    ARGUMENT("blocks[1] is 0.1", "mirrors", bad.blocks[1] = 0.1);                   /* of a diagonal block */
    ARGUMENT("mirrors", "symmetric", bad.blocks[d * d] = -0.5 + 1e-7);              /* of two that mirror each other */
    ARGUMENT("contact 0", "indefinite", bad.blocks[0] = -1);
    ARGUMENT("contact 0", "indefinite", bad.blocks[1] = bad.blocks[d] = 3);
    ARGUMENT("contact 0", "zero", memset(bad.blocks, 0, d * d * sizeof *bad.blocks));
    check_refused("numbers");
}

static void not_for_these(void)
{
    const dry_settings usual = settings;
    settings.projection = DRY_PROJECTION_STICK;
    BAD(DRY_ERR_UNSUPPORTED, "projection", NULL, (void)0);
    settings = usual;
    settings.friction_law = DRY_FRICTION_BOX;
    BAD(DRY_ERR_UNSUPPORTED, "friction_law", NULL, (void)0);
    settings = usual;
    check_refused("settings");
}

/* Two entries apart by round-off, and columns in any order, are no reason to refuse. */
static void accepted(void)
{
    dry_status status = dry_solver_solve_local(solver, &bad.problem, &settings, bad.impulses, &bad.report);
    check_true("the good problem is solved", status == DRY_OK && bad.impulses[0] > 0);
    bad.blocks[1] = 1e-12;
    dry_status other = dry_solver_solve_local(solver, &bad.problem, &settings, bad.impulses, NULL);
    check_true("so is one with round-off in it", other == DRY_OK);
    take_good();
    memset(&bad.problem, 0, sizeof bad.problem);
    bad.problem.struct_size = sizeof bad.problem;
    bad.problem.dimension = 3;
    other = dry_solver_solve_local(solver, &bad.problem, &settings, NULL, NULL);
    check_true("so is one without contacts", other == DRY_OK);
    take_good();
}

int main(void)
{
    solver = new_solver();
    settings = default_settings();
    for (uint32_t dimension = 3; dimension <= 5; dimension += 2) {
        make_good(dimension);
        accepted();
        pointers();
        pattern();
        numbers();
        not_for_these();
    }
    dry_solver_destroy(solver);
    return check_result();
}
