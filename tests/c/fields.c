/*
 * Fields and files: what dry_query_fields and dry_world_export_vtk say of a ball at rest on a floor.
 *
 *   the ball      a mass m spread by the kernel: density m phi(0) at its centre
 *   the contact   the weight along the branch of one radius from the centre to the floor: over the vertical axis
 *                 contact_stress_zz integrates to -m g r times the integral of phi along it
 *   the files     exist, are listed by their series, and are refused where they cannot be written
 */
#define _POSIX_C_SOURCE 200809L
#include <unistd.h>
#include "scene.h"

static const double PI = 3.14159265358979323846, RADIUS = 0.5, MASS = 2, STEP = 1.0 / 240;

static dry_world *ball_at_rest(void)
{
    dry_world *world = new_world(NULL, GRAVITY);
    dry_body_def def = body_at(sphere(world, RADIUS), add_material(world, 0.5, 0, 1000), 0, 0, RADIUS);
    def.mass = MASS;
    add_floor(world, 0);
    add_body(world, &def);
    for (int k = 0; k < 5; ++k)
        MUST(dry_world_step(world, STEP, NULL));
    return world;
}

static void fields(const dry_world *world)
{
    enum { COUNT = 4000 };
    static double points[3 * COUNT];
    static dry_field found[COUNT];
    const double w = 0.25, R = 2 * w, peak = 105 / (16 * PI * R * R * R);
    for (int k = 0; k < COUNT; ++k)
        points[3 * k + 2] = -0.5 + (k + 0.5) * 1.5 / COUNT;
    MUST(dry_query_fields(world, points, COUNT, DRY_KERNEL_LUCY, w, found, sizeof found[0]));
    double mass_along = 0, force_along = 0, sideways = 0, moving = 0;
    for (int k = 0; k < COUNT; ++k) {
        mass_along += found[k].density * 1.5 / COUNT;
        force_along += found[k].contact_stress[8] * 1.5 / COUNT;
        sideways = fmax(sideways, fabs(found[k].contact_stress[0]) + fabs(found[k].contact_stress[2]));
        moving = fmax(moving, fabs(found[k].velocity[2]) + found[k].granular_temperature);
    }
    /* the integral of (1 + 3 a)(1 - a)^3 over a from -1 to 1 is 4/5 */
    const double along = peak * R * 0.8;
    check_at_most("mass along the axis, relative", fabs(mass_along / (MASS * along) - 1), 1e-6);
    check_at_most("force along the axis, relative", fabs(-force_along / (MASS * GRAVITY * RADIUS * along) - 1), 1e-6);
    check_at_most("stress sideways", sideways, 1e-9);
    check_at_most("motion", moving, 1e-9);

    const double centre[3] = {0, 0, RADIUS};
    dry_field at;
    MUST(dry_query_fields(world, centre, 1, DRY_KERNEL_LUCY, w, &at, sizeof at));
    check_at_most("density at the centre, relative", fabs(at.density / (MASS * peak) - 1), 1e-12);
    const double volume = 4 * PI / 3 * RADIUS * RADIUS * RADIUS;
    check_at_most("packing at the centre, relative", fabs(at.packing_fraction / (volume * peak) - 1), 1e-12);
    /* width 0 is the diameter */
    dry_field by_default;
    MUST(dry_query_fields(world, centre, 1, DRY_KERNEL_GAUSSIAN, 0, &by_default, sizeof by_default));
    MUST(dry_query_fields(world, centre, 1, DRY_KERNEL_GAUSSIAN, 2 * RADIUS, &at, sizeof at));
    check_true("width 0 is the mean diameter", memcmp(&at, &by_default, sizeof at) == 0);
    MUST(dry_query_fields(world, NULL, 0, DRY_KERNEL_LUCY, w, NULL, sizeof at));
}

/* Whether a file is there; it is removed. */
static int was_written(const char *folder, const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return remove(path) == 0;
}

static void files(const dry_world *world)
{
    char folder[] = "/tmp/drystone-fields-XXXXXX", prefix[64], message[512] = "";
    if (mkdtemp(folder) == NULL) {
        check_true("a folder for temporary files", 0);
        return;
    }
    snprintf(prefix, sizeof prefix, "%s/run", folder);
    MUST(dry_world_export_vtk(world, prefix, 3, 0.5, NULL));
    check_true("grains", was_written(folder, "run_grains_000003.vtp") && was_written(folder, "run_grains.pvd"));
    check_true("contacts", was_written(folder, "run_contacts_000003.vtp") && was_written(folder, "run_contacts.pvd"));
    check_true("surfaces", was_written(folder, "run_surfaces_000003.vtp") && was_written(folder, "run_surfaces.pvd"));
    check_true("no fields by default", !was_written(folder, "run_fields_000003.vti"));

    dry_vtk_def def;
    MUST(dry_vtk_def_init(&def, sizeof def));
    def.parts = DRY_VTK_FIELDS;
    for (int axis = 0; axis < 3; ++axis) {
        def.grid_spacing[axis] = 0.25;
        def.grid_count[axis] = 5;
    }
    MUST(dry_world_export_vtk(world, prefix, 3, 0.5, &def));
    check_true("fields", was_written(folder, "run_fields_000003.vti") && was_written(folder, "run_fields.pvd"));
    check_true("nothing else", rmdir(folder) == 0);

    dry_status status = dry_world_export_vtk(world, prefix, 4, 0.5, NULL);
    (void)dry_last_error(message, sizeof message, NULL);
    check_true("a missing folder is DRY_ERR_IO", status == DRY_ERR_IO);
    check_true("with its path and the reason", strstr(message, prefix) && strstr(message, "cannot be written: No such file"));
}

int main(void)
{
    dry_world *world = ball_at_rest();
    fields(world);
    files(world);
    dry_world_destroy(world);
    return check_result();
}
