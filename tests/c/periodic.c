/* A periodic box: balls that touch across its side, the stress of one box, and what it refuses. */
#include "expect.h"

#include <math.h>

static dry_world *box(double x, double y, double z) {
    dry_world_def def;
    dry_world *world = NULL;
    OK(dry_world_def_init(&def, sizeof def));
    EXPECT(def.period[0] == 0 && def.period[1] == 0 && def.period[2] == 0);
    def.gravity[2] = 0;
    def.period[0] = x;
    def.period[1] = y;
    def.period[2] = z;
    OK(dry_world_create(&def, &world));
    return world;
}

static dry_body ball_at(dry_world *world, dry_shape shape, double x, double speed) {
    dry_body_def def;
    dry_body body = 0;
    OK(dry_body_def_init(&def, sizeof def));
    def.shape = shape;
    def.mass = 2;
    def.position[0] = x;
    def.linear_velocity[0] = speed;
    OK(dry_body_add(world, &def, &body));
    return body;
}

/* Two balls meet at 1 m/s; the second one is whole periods away from x = 1. They move on together: 2 kg get 0.5 m/s in 0.01 s. */
static void touching(double x) {
    const double lower[3] = {0.25, -1, 5}, upper[3] = {4.25, 1, 13};
    dry_world *world = box(4, 0, 8);
    dry_shape shape = 0;
    dry_body first, second;
    dry_contact contact;
    double force[3], torque[3], stress[9];
    uint64_t key;
    size_t count = 0;
    OK(dry_shape_sphere(world, 0.5, &shape));
    first = ball_at(world, shape, 0, 1);
    second = ball_at(world, shape, x, 0);
    OK(dry_world_step(world, 0.01, NULL));
    OK(dry_query_body_force(world, first, force, torque));
    EXPECT(fabs(force[0] + 100) < 1e-9);
    OK(dry_query_body_force(world, second, force, torque));
    EXPECT(fabs(force[0] - 100) < 1e-9);
    OK(dry_query_contacts(world, &contact, sizeof contact, 1, &count));
    EXPECT(count == 1 && contact.body_a == first && fabs(contact.point[0] - 0.5) < 1e-12);
    /* One contact in a box of 64 m^3: -l f / V, wherever the box begins. */
    OK(dry_query_stress(world, lower, upper, stress));
    EXPECT(fabs(stress[0] + 100.0 / 64) < 1e-9);
    key = contact.key;
    OK(dry_world_step(world, 0.01, NULL));
    OK(dry_query_contacts(world, &contact, sizeof contact, 1, &count));
    EXPECT(count == 1 && contact.key == key);
    dry_world_destroy(world);
}

static void refused_bodies(void) {
    dry_world *world = box(4, 2.002, 0);
    dry_shape fits = 0, large = 0, wall = 0;
    dry_body_def def;
    dry_settings settings;
    dry_body body = 7;
    double numbers[3];
    OK(dry_world_get_period(world, numbers));
    EXPECT(numbers[0] == 4 && numbers[1] == 2.002 && numbers[2] == 0);
    OK(dry_world_get_gravity(world, numbers));
    EXPECT(numbers[0] == 0 && numbers[1] == 0 && numbers[2] == 0);
    OK(dry_body_def_init(&def, sizeof def));
    OK(dry_shape_sphere(world, 0.5, &fits));
    OK(dry_shape_sphere(world, 0.51, &large));
    def.shape = large;
    EXPECT_STATUS(dry_body_add(world, &def, &body), DRY_ERR_ARGUMENT, "period[1] is 2.002 m");
    EXPECT_STATUS(dry_bodies_add(world, &def, 1, &body), DRY_ERR_ARGUMENT, "defs[0]: period[1]");
    {
        const double normal[3] = {1, 0, 0};
        OK(dry_shape_half_space(world, normal, 0, &wall));
    }
    def.shape = wall;
    def.kind = DRY_STATIC;
    EXPECT_STATUS(dry_body_add(world, &def, &body), DRY_ERR_ARGUMENT, "axis 0");
    EXPECT(body == 7);
    ball_at(world, fits, 0, 0);
    OK(dry_world_get_settings(world, &settings, sizeof settings));
    settings.contact_margin = 0.0011;
    EXPECT_STATUS(dry_world_set_settings(world, &settings), DRY_ERR_ARGUMENT, "contact_margin is 0.0011 m");
    OK(dry_world_step(world, 0.01, NULL));
    dry_world_destroy(world);
}

static void refused_lengths(void) {
    dry_world_def def;
    dry_world *world = NULL;
    OK(dry_world_def_init(&def, sizeof def));
    def.period[1] = -4;
    EXPECT_STATUS(dry_world_create(&def, &world), DRY_ERR_ARGUMENT, "period[1] is -4");
    def.period[1] = NAN;
    EXPECT_STATUS(dry_world_create(&def, &world), DRY_ERR_NOT_FINITE, "period[1]");
    def.period[1] = 1e-3;
    EXPECT_STATUS(dry_world_create(&def, &world), DRY_ERR_ARGUMENT, "contact_margin is 0.001 m");
    EXPECT(world == NULL);
}

int main(void) {
    touching(1);
    touching(-3);
    touching(41);
    refused_bodies();
    refused_lengths();
    return verdict();
}
