/*
 * The cannonball pyramid of 2870 spheres, found from positions alone, comes to rest, and its base carries its weight.
 */
#include "scene.h"

/* Contacts at rest: 4 of each free sphere with the layer below, and the neighbours within a layer of k x k: 2 k (k - 1). */
static size_t contacts_of(size_t base)
{
    size_t count = 0;
    for (size_t k = 1; k < base; ++k)
        count += 4 * k * k + 2 * k * (k - 1);
    return count;
}

static void rest(const char *name, double friction)
{
    dry_settings settings = default_settings();
    settings.contact_margin = 5e-5; /* 4 % of a radius */
    dry_world *world = cannonball_pyramid(20, friction, &settings);
    bodies all = bodies_of(world);
    dry_step_report report = {0};
    for (int step = 0; step < 400; ++step)
        report = step_world(world, 0.001);
    bodies_read(world, &all);
    double weight = 0, base = 0, fastest = 0;
    for (size_t i = 0; i < all.count; ++i) {
        double force[3], torque[3];
        MUST(dry_query_body_force(world, all.handle[i], force, torque));
        weight += all.mass[i] * GRAVITY;
        base -= all.mass[i] > 0 ? 0 : force[2];
        keep_worst(&fastest, norm(vec(all.state[i].linear_velocity)));
    }
    printf("-- %s\n", name);
    check_at_least("contacts", report.contacts, (double)contacts_of(20));
    check_at_most("contacts", report.contacts, (double)contacts_of(20));
    /* without friction the sweeps converge from step to step, to round-off; with it they stay at about 1e-5 m/s, and the
       balance of the whole is better than that of its parts */
    check_at_most("fastest sphere [m/s]", fastest, friction > 0 ? 1e-4 : 1e-12);
    check_at_most("force on the base / weight - 1", fabs(base / weight - 1), friction > 0 ? 1e-6 : 1e-10);
    check_at_most("residual [m/s]", report.residual_max, friction > 0 ? 1e-4 : 1e-12);
    bodies_free(&all);
    dry_world_destroy(world);
}

int main(void)
{
    rest("without friction", 0);
    rest("friction 0.5", 0.5);
    return check_result();
}
