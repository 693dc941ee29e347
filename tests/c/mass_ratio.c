/*
 * A heavy box on a light one: it must hold, without sinking in. Unit boxes of 1 kg below and 10^3 or 10^6 kg above, put
 * down touching, for 5 s.
 */
#include "scene.h"

#define STEP (1.0 / 240)

static void heavy_on_light(const char *how, const dry_settings *settings, double mass)
{
    char text[120];
    dry_world *world = new_world(settings, GRAVITY);
    dry_material material = add_material(world, 0.5, 0, 1000);
    add_floor(world, material);
    dry_shape cube = box(world, 0.5, 0.5, 0.5);
    const double masses[2] = {1, mass};
    for (int k = 0; k < 2; ++k) {
        dry_body_def def = body_at(cube, material, 0, 0, 0.5 + k);
        def.mass = masses[k];
        add_body(world, &def);
    }
    bodies all = bodies_of(world);
    double overlap = 0, residual = 0, away = 0;
    for (int k = 0; k < 1200; ++k) {
        dry_step_report report = step_world(world, STEP);
        keep_worst(&overlap, report.max_overlap);
        keep_worst(&residual, report.residual_max);
        bodies_read(world, &all);
        for (int b = 0; b < 2; ++b)
            keep_worst(&away, norm(sub(vec(all.state[b + 1].position), (vec3){0, 0, 0.5 + b})));
    }
    (void)snprintf(text, sizeof text, "%.0e kg on 1 kg, %s: overlap of any step [m]", mass, how);
    check_at_most(text, overlap, 1e-6);
    (void)snprintf(text, sizeof text, "%.0e kg on 1 kg, %s: farthest from its place [m]", mass, how);
    check_at_most(text, away, 1e-6);
    printf("     largest residual of any step %.1e m/s\n", residual);
    bodies_free(&all);
    dry_world_destroy(world);
}

int main(void)
{
    const double masses[] = {1e3, 1e6};
    for (int k = 0; k < 2; ++k) {
        dry_settings settings = default_settings();
        settings.solver = DRY_SOLVER_NEWTON;
        heavy_on_light("NEWTON", &settings, masses[k]);
        settings = default_settings();
        settings.projection = DRY_PROJECTION_STICK;
        heavy_on_light("PGS and STICK", &settings, masses[k]);
    }
    return check_result();
}
