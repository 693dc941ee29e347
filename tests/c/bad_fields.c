/*
 * Bad input: fields, and files for VTK.
 */
#include "refuse.h"

/* A ball on a floor, a few steps old. */
static void set_up(void)
{
    world = new_world(NULL, GRAVITY);
    add_floor(world, 0);
    dry_body_def def = body_at(sphere(world, 0.5), 0, 0, 0, 0.5);
    add_body(world, &def);
    for (int k = 0; k < 3; ++k)
        MUST(dry_world_step(world, 0.01, NULL));
    accept_state();
}

static void fields(void)
{
    double points[6] = {0, 0, 1, 0, 0, 2}, width = 0.5;
    dry_field *found = (dry_field *)(void *)out.bytes;
    size_t size = sizeof *found, count = 2;
    dry_kernel kernel = DRY_KERNEL_LUCY;
#define QUERY dry_query_fields(world, points, count, kernel, width, found, size)
    ACCEPTED(QUERY);
    for (int c = 0; c < 6; ++c)
        BAD_NUMBERS("points_xyz", points[c], 0, QUERY);
    BAD_NUMBERS("width", width, NEGATIVE, QUERY);
    BAD_VALUE(DRY_ERR_ARGUMENT, "width", width, double, 1e-51, QUERY);
    BAD_VALUE(DRY_ERR_ARGUMENT, "width", width, double, 1e51, QUERY);
    BAD_VALUE(DRY_ERR_ARGUMENT, "kernel", kernel, dry_kernel, 2, QUERY);
    BAD_VALUE(DRY_ERR_ARGUMENT, "count", count, size_t, SIZE_MAX, QUERY);
    BAD_VALUE(DRY_ERR_ARGUMENT, "count", count, size_t, (size_t)1 << 32, QUERY);
    BAD_SIZES("size", size, QUERY);
    REFUSED(DRY_ERR_NULL, "world", dry_query_fields(NULL, points, count, kernel, width, found, size));
    REFUSED(DRY_ERR_NULL, "points_xyz", dry_query_fields(world, NULL, count, kernel, width, found, size));
    REFUSED(DRY_ERR_NULL, "fields", dry_query_fields(world, points, count, kernel, width, NULL, size));
    REFUSED(DRY_ERR_ARGUMENT, "overlaps",
            dry_query_fields(world, out.numbers, 1, kernel, width, (dry_field *)(void *)(out.bytes + 16), size));
#undef QUERY
    check_refused("dry_query_fields");

    dry_world *empty = new_world(NULL, GRAVITY);
    REFUSED(DRY_ERR_ARGUMENT, "no dynamic sphere", dry_query_fields(empty, points, count, kernel, 0, found, size));
    dry_world_destroy(empty);
    check_refused("dry_query_fields, width 0");
}

static void files(void)
{
    const char *prefix = "/nowhere/run";
    double time = 1;
    dry_vtk_def def;
    size_t size = sizeof def;
    MUST(dry_vtk_def_init(&def, sizeof def));
    def.parts = DRY_VTK_GRAINS | DRY_VTK_FIELDS;
    for (int axis = 0; axis < 3; ++axis) {
        def.grid_spacing[axis] = 1;
        def.grid_count[axis] = 2;
    }
#define EXPORT dry_world_export_vtk(world, prefix, 1, time, &def)
    REFUSED(DRY_ERR_IO, "/nowhere/run_grains_000001.vtp cannot be written", EXPORT);
    BAD_NUMBERS("time", time, 0, EXPORT);
    BAD_VALUE(DRY_ERR_ARGUMENT, "parts", def.parts, uint32_t, 0, EXPORT);
    BAD_VALUE(DRY_ERR_ARGUMENT, "parts", def.parts, uint32_t, 16, EXPORT);
    BAD_VALUE(DRY_ERR_ARGUMENT, "sides", def.sides, uint32_t, 2, EXPORT);
    BAD_VALUE(DRY_ERR_ARGUMENT, "sides", def.sides, uint32_t, 1025, EXPORT);
    BAD_NUMBERS("half_space_size", def.half_space_size, NEGATIVE, EXPORT);
    for (int axis = 0; axis < 3; ++axis) {
        BAD_NUMBERS("grid_origin", def.grid_origin[axis], 0, EXPORT);
        BAD_NUMBERS("grid_spacing", def.grid_spacing[axis], NEGATIVE | ZERO, EXPORT);
        BAD_VALUE(DRY_ERR_ARGUMENT, "grid_count", def.grid_count[axis], uint32_t, 0, EXPORT);
        BAD_VALUE(DRY_ERR_ARGUMENT, "grid_count", def.grid_count[axis], uint32_t, UINT32_MAX, EXPORT);
    }
    BAD_VALUE(DRY_ERR_ARGUMENT, "kernel", def.kernel, dry_kernel, 2, EXPORT);
    BAD_SIZES("struct_size", def.struct_size, EXPORT);
    BAD_VALUE(DRY_ERR_ARGUMENT, "prefix", prefix, const char *, "", EXPORT);
    BAD_VALUE(DRY_ERR_ARGUMENT, "prefix", prefix, const char *, "folder/", EXPORT);
    BAD_VALUE(DRY_ERR_ARGUMENT, "utf-8", prefix, const char *, "\xff", EXPORT);
    REFUSED(DRY_ERR_NULL, "world", dry_world_export_vtk(NULL, prefix, 1, time, &def));
    REFUSED(DRY_ERR_NULL, "prefix", dry_world_export_vtk(world, NULL, 1, time, &def));
#undef EXPORT
    check_refused("dry_world_export_vtk");
    REFUSED(DRY_ERR_NULL, "def", dry_vtk_def_init(NULL, size));
    BAD_SIZES("size", size, dry_vtk_def_init((dry_vtk_def *)(void *)out.bytes, size));
    check_refused("dry_vtk_def_init");
}

int main(void)
{
    watch_standard_error();
    set_up();
    fields();
    files();
    dry_world_destroy(world);
    check_silence();
    return check_result();
}
