/*
 * Bad input: static increments and limit loads.
 */
#include "refuse.h"

static dry_static_def def;
static dry_static_report shown, *report = &shown;

static void set_up(void)
{
    world = new_world(NULL, GRAVITY);
    add_floor(world, 0);
    const dry_body_def ball = body_at(sphere(world, 0.5), 0, 0, 0, 0.5);
    add_body(world, &ball);
    MUST(dry_static_def_init(&def, sizeof def));
    shown.struct_size = sizeof shown;
    accept_state();
}

static void increments(void)
{
    double *moves = out.numbers;
    size_t count = 2;
#define SOLVE dry_world_solve_static(world, &def, moves, count, report)
    BAD_NUMBERS("increment", def.increment, 0, SOLVE);
    BAD_NUMBERS("max_displacement", def.max_displacement, NEGATIVE, SOLVE);
    BAD_NUMBERS("tolerance", def.tolerance, NEGATIVE | ZERO, SOLVE);
    BAD_NUMBERS("proximal", def.proximal, NEGATIVE | ZERO, SOLVE);
    BAD_VALUE(DRY_ERR_ARGUMENT, "increment", def.increment, double, -1e51, SOLVE);
    BAD_VALUE(DRY_ERR_ARGUMENT, "max_displacement", def.max_displacement, double, 1e308, SOLVE);
    BAD_VALUE(DRY_ERR_ARGUMENT, "iterations", def.iterations, uint32_t, 0, SOLVE);
    BAD_VALUE(DRY_ERR_ARGUMENT, "reserved", def.reserved, uint32_t, 1, SOLVE);
    BAD_SIZES("def.struct_size", def.struct_size, SOLVE);
    BAD_SIZES("report.struct_size", report->struct_size, SOLVE);
    BAD_VALUE(DRY_ERR_ARGUMENT, "count is 1, expected 2", count, size_t, 1, SOLVE);
    BAD_VALUE(DRY_ERR_ARGUMENT, "count", count, size_t, SIZE_MAX, SOLVE);
    REFUSED(DRY_ERR_ARGUMENT, "count is 1, expected 2", dry_world_solve_static(world, &def, NULL, 1, report));
    REFUSED(DRY_ERR_NULL, "world", dry_world_solve_static(NULL, &def, moves, count, report));
    REFUSED(DRY_ERR_NULL, "def", dry_world_solve_static(world, NULL, moves, count, report));
    REFUSED(DRY_ERR_NULL, "report", dry_world_solve_static(world, &def, moves, count, NULL));
    REFUSED(DRY_ERR_ARGUMENT, "overlap", dry_world_solve_static(world, &def, (double *)(void *)report, count, report));
#undef SOLVE
    check_refused("dry_world_solve_static");
}

static void limits(void)
{
    double loads[12] = {0}, *mechanism = out.numbers;
    size_t count = 2;
#define LIMIT dry_world_limit_load(world, loads, count, &def, mechanism, report)
    for (int c = 0; c < 12; ++c)
        BAD_NUMBERS("unit_loads", loads[c], 0, LIMIT);
    REFUSED(DRY_ERR_ARGUMENT, "unit_loads act on no body", LIMIT);
    loads[6] = loads[7] = 1.7e308;
    REFUSED(DRY_ERR_ARGUMENT, "unit_loads", LIMIT);
    loads[6] = 1;
    loads[7] = 0;
    BAD_NUMBERS("tolerance", def.tolerance, NEGATIVE | ZERO, LIMIT);
    BAD_SIZES("def.struct_size", def.struct_size, LIMIT);
    BAD_SIZES("report.struct_size", report->struct_size, LIMIT);
    BAD_VALUE(DRY_ERR_ARGUMENT, "count is 3, expected 2", count, size_t, 3, LIMIT);
    REFUSED(DRY_ERR_NULL, "world", dry_world_limit_load(NULL, loads, count, &def, mechanism, report));
    REFUSED(DRY_ERR_NULL, "unit_loads", dry_world_limit_load(world, NULL, count, &def, mechanism, report));
    REFUSED(DRY_ERR_NULL, "def", dry_world_limit_load(world, loads, count, NULL, mechanism, report));
    REFUSED(DRY_ERR_NULL, "report", dry_world_limit_load(world, loads, count, &def, mechanism, NULL));
    REFUSED(DRY_ERR_ARGUMENT, "overlap", dry_world_limit_load(world, loads, count, &def, loads, report));
#undef LIMIT
    check_refused("dry_world_limit_load");
    size_t size = sizeof def;
    REFUSED(DRY_ERR_NULL, "def", dry_static_def_init(NULL, size));
    BAD_SIZES("size", size, dry_static_def_init((dry_static_def *)(void *)out.bytes, size));
    check_refused("dry_static_def_init");
}

int main(void)
{
    watch_standard_error();
    set_up();
    increments();
    limits();
    check_true("no report was written", shown.flags == 0 && shown.iterations == 0);
    dry_world_destroy(world);
    check_silence();
    return check_result();
}
