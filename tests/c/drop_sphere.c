/* The main job in small: a sphere falls on the ground, comes to rest, and the ground carries its weight. */
#include "expect.h"

#include <math.h>

int main(void) {
    dry_world *world = new_world();
    const double up[3] = {0.0, 0.0, 1.0};
    const double gravity = 9.81, pi = 3.14159265358979323846;
    dry_shape ground = 0, sphere = 0;
    dry_body fixed, ball;
    dry_body_state state;
    dry_step_report report;
    dry_contact contact;
    double mass, center[3], inertia[6], weight, force[3], torque[3], kinetic, potential;
    size_t count = 0;
    int step;

    OK(dry_shape_half_space(world, up, 0.0, &ground));
    OK(dry_shape_sphere(world, 0.5, &sphere));
    fixed = new_body(world, DRY_STATIC, ground, 0.0);
    ball = new_body(world, DRY_DYNAMIC, sphere, 0.6);

    /* Before the first step there are no contacts. */
    OK(dry_query_contacts(world, NULL, sizeof contact, 0, &count));
    EXPECT(count == 0);

    memset(&report, 0, sizeof report);
    report.struct_size = sizeof report;
    for (step = 0; step < 300; ++step) {
        OK(dry_world_step(world, 0.01, &report));
    }
    EXPECT(report.bodies == 2 && report.contacts == 1 && report.struct_size == sizeof report);

    /* The default density is 1000 kg/m^3. */
    OK(dry_body_get_mass(world, ball, &mass, center, inertia));
    EXPECT(fabs(mass - 1000.0 * 4.0 / 3.0 * pi * 0.125) < 1e-9 * mass);
    weight = mass * gravity;

    /* A speculative contact stops the ball exactly on the ground; at rest the force is the weight, to round-off. */
    OK(dry_body_get_state(world, ball, &state));
    EXPECT(fabs(state.position[2] - 0.5) < 1e-9);
    OK(dry_query_contacts(world, &contact, sizeof contact, 1, &count));
    EXPECT(count == 1);
    EXPECT(fabs(contact.normal_force - weight) < 1e-9 * weight);
    EXPECT((contact.body_a == fixed && contact.body_b == ball && contact.normal[2] > 0.999999) ||
           (contact.body_a == ball && contact.body_b == fixed && contact.normal[2] < -0.999999));
    EXPECT((contact.state & DRY_CONTACT_ACTIVE) != 0 && contact.key != 0);
    EXPECT(contact.compatible_normal_force == contact.normal_force && contact.reserved == 0);

    OK(dry_query_body_force(world, ball, force, torque));
    EXPECT(fabs(force[2] - weight) < 1e-9 * weight);
    OK(dry_query_body_force(world, fixed, force, torque));
    EXPECT(fabs(force[2] + weight) < 1e-9 * weight);
    OK(dry_query_energy(world, &kinetic, &potential));
    EXPECT(kinetic < 1e-18 * weight);

    dry_world_destroy(world);
    return verdict();
}
