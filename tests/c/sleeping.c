/* A ball falls asleep on the ground, carries on carrying, and is woken: by the host, and by a ball that falls on it. */
#include "expect.h"

#include <math.h>

static uint32_t is_awake(const dry_world *world, dry_body body) {
    uint32_t awake = 2;
    OK(dry_body_is_awake(world, body, &awake));
    return awake;
}

static dry_step_report stepped(dry_world *world, int steps) {
    dry_step_report report;
    int step;
    memset(&report, 0, sizeof report);
    report.struct_size = sizeof report;
    for (step = 0; step < steps; ++step) {
        OK(dry_world_step(world, 0.01, &report));
    }
    return report;
}

static void refusals(dry_world *world, dry_body ball) {
    uint32_t awake = 7;
    EXPECT_STATUS(dry_body_is_awake(NULL, ball, &awake), DRY_ERR_NULL, "world");
    EXPECT_STATUS(dry_body_is_awake(world, ball, NULL), DRY_ERR_NULL, "awake");
    EXPECT_STATUS(dry_body_is_awake(world, 0, &awake), DRY_ERR_STALE_HANDLE, "body");
    EXPECT_STATUS(dry_body_wake(NULL, ball), DRY_ERR_NULL, "world");
    EXPECT_STATUS(dry_body_wake(world, 0), DRY_ERR_STALE_HANDLE, "body");
    EXPECT(awake == 7);
}

int main(void) {
    dry_world *world = new_world();
    const double up[3] = {0.0, 0.0, 1.0}, push[3] = {0.1, 0.0, 0.0};
    dry_shape ground = 0, sphere = 0;
    dry_body fixed, ball, other;
    dry_settings settings;
    dry_step_report report;
    double mass, center[3], inertia[6], weight, force[3], torque[3];
    size_t count = 0;
    int step;

    OK(dry_settings_init(&settings, sizeof settings));
    settings.sleeping = 1;
    OK(dry_world_set_settings(world, &settings));
    OK(dry_shape_half_space(world, up, 0.0, &ground));
    OK(dry_shape_sphere(world, 0.5, &sphere));
    fixed = new_body(world, DRY_STATIC, ground, 0.0);
    ball = new_body(world, DRY_DYNAMIC, sphere, 0.5);
    EXPECT(is_awake(world, ball) == 1);
    OK(dry_body_get_mass(world, ball, &mass, center, inertia));
    weight = mass * 9.81;

    /* Half a second, and a step for the round-off of the sum. */
    report = stepped(world, 51);
    EXPECT(is_awake(world, ball) == 0 && is_awake(world, fixed) == 1);
    report = stepped(world, 1);
    EXPECT(report.bodies == 2 && report.awake_bodies == 0 && report.islands == 0 && report.contacts == 1);
    OK(dry_query_contacts(world, NULL, sizeof(dry_contact), 0, &count));
    EXPECT(count == 1);
    OK(dry_query_body_force(world, ball, force, torque));
    EXPECT(fabs(force[2] - weight) < 1e-9 * weight);
    OK(dry_query_body_force(world, fixed, force, torque));
    EXPECT(fabs(force[2] + weight) < 1e-9 * weight);

    OK(dry_body_wake(world, ball));
    EXPECT(is_awake(world, ball) == 1);
    report = stepped(world, 51);
    EXPECT(is_awake(world, ball) == 0);
    OK(dry_body_add_force(world, ball, push, NULL));
    EXPECT(is_awake(world, ball) == 1);
    report = stepped(world, 200);
    EXPECT(is_awake(world, ball) == 0);

    other = new_body(world, DRY_DYNAMIC, sphere, 2.5);
    for (step = 0; step < 100 && is_awake(world, ball) == 0; ++step) {
        report = stepped(world, 1);
        EXPECT(report.awake_bodies == 1 + is_awake(world, ball));
    }
    /* A fall of 1 m takes 0.45 s. */
    EXPECT(step > 40 && step < 50);
    refusals(world, other);
    dry_world_destroy(world);
    return verdict();
}
