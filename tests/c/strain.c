/* A strained periodic box: the motion of images at a contact, the work, the periods, what is saved, and what is refused. */
#include "expect.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static dry_world *box(double x, double y, double z, uint32_t diagnostics) {
    dry_world_def def;
    dry_settings settings;
    dry_world *world = NULL;
    OK(dry_settings_init(&settings, sizeof settings));
    settings.diagnostics = diagnostics;
    OK(dry_world_def_init(&def, sizeof def));
    def.settings = &settings;
    def.gravity[2] = 0;
    def.period[0] = x;
    def.period[1] = y;
    def.period[2] = z;
    OK(dry_world_create(&def, &world));
    return world;
}

static dry_body ball_at(dry_world *world, dry_shape shape, double x) {
    dry_body_def def;
    dry_body body = 0;
    OK(dry_body_def_init(&def, sizeof def));
    def.shape = shape;
    def.mass = 2;
    def.position[0] = x;
    OK(dry_body_add(world, &def, &body));
    return body;
}

/* The image of the second ball comes at 4 m * 0.5 1/s: each ball gets half of it, 2 kg by 200 N in 0.01 s. */
static void pressed(void) {
    const double rates[3] = {-0.5, 0, 0.25}, still[3] = {0, 0, 0};
    dry_world *world = box(4, 0, 8, DRY_DIAGNOSE_ENERGY), *copy = NULL;
    dry_shape shape = 0;
    dry_body first, second;
    dry_body_state state;
    dry_contact contact;
    dry_step_report report;
    dry_world_def def;
    double numbers[3], torque[3];
    uint64_t hash = 0, other = 1;
    size_t count = 0;
    void *bytes;
    OK(dry_shape_sphere(world, 0.5, &shape));
    first = ball_at(world, shape, 0.25);
    second = ball_at(world, shape, 3.25);
    OK(dry_world_get_strain_rate(world, numbers));
    EXPECT(memcmp(numbers, still, sizeof still) == 0);
    OK(dry_world_set_strain_rate(world, rates));
    OK(dry_world_get_strain_rate(world, numbers));
    EXPECT(memcmp(numbers, rates, sizeof rates) == 0);
    memset(&report, 0, sizeof report);
    report.struct_size = sizeof report;
    OK(dry_world_step(world, 0.01, &report));
    OK(dry_query_body_force(world, first, numbers, torque));
    EXPECT(fabs(numbers[0] - 200) < 1e-9);
    OK(dry_body_get_state(world, second, &state));
    EXPECT(fabs(state.linear_velocity[0] + 1) < 1e-12 && fabs(state.position[0] - 3.24) < 1e-12);
    OK(dry_query_contacts(world, &contact, sizeof contact, 1, &count));
    EXPECT(count == 1 && fabs(contact.relative_velocity[0]) < 1e-12 && fabs(contact.normal[0] + 1) < 1e-15);
    /* 2 N s along 2 m/s; a half is lost, as the balls do not rebound. */
    EXPECT(fabs(report.wall_work - 4) < 1e-12 && fabs(report.impact_loss - 2) < 1e-12);
    EXPECT(fabs(report.kinetic_energy - 2) < 1e-12);
    OK(dry_world_get_period(world, numbers));
    EXPECT(fabs(numbers[0] - 3.98) < 1e-15 && numbers[1] == 0 && fabs(numbers[2] - 8.02) < 1e-14);

    OK(dry_world_snapshot(world, NULL, 0, &count));
    bytes = malloc(count);
    OK(dry_world_snapshot(world, bytes, count, &count));
    OK(dry_world_def_init(&def, sizeof def));
    OK(dry_world_create(&def, &copy));
    OK(dry_world_restore(copy, bytes, count));
    free(bytes);
    OK(dry_world_get_strain_rate(copy, numbers));
    EXPECT(memcmp(numbers, rates, sizeof rates) == 0);
    OK(dry_world_step(world, 0.01, NULL));
    OK(dry_world_step(copy, 0.01, NULL));
    OK(dry_world_hash(world, &hash));
    OK(dry_world_hash(copy, &other));
    EXPECT(hash == other);
    dry_world_destroy(copy);
    dry_world_destroy(world);
}

static void refused(void) {
    const double beyond[3] = {0, 1, 0}, shrinking[3] = {-1, 0, 0};
    dry_world *world = box(4, 0, 8, 0);
    dry_shape shape = 0;
    double numbers[3];
    uint64_t before = 0, after = 1;
    EXPECT_STATUS(dry_world_set_strain_rate(world, beyond), DRY_ERR_ARGUMENT, "rates[1] is 1 1/s");
    OK(dry_shape_sphere(world, 0.5, &shape));
    ball_at(world, shape, 0);
    OK(dry_world_set_strain_rate(world, shrinking));
    OK(dry_world_hash(world, &before));
    /* A ball of 0.5 m needs a period of 2 m and twice the margin. */
    EXPECT_STATUS(dry_world_step(world, 0.5, NULL), DRY_ERR_ARGUMENT, "strain_rate[0] is -1 1/s");
    EXPECT_STATUS(dry_world_step(world, 0.5, NULL), DRY_ERR_ARGUMENT, "period[0] is 2 m");
    EXPECT_STATUS(dry_world_step(world, 1, NULL), DRY_ERR_ARGUMENT, "strain_rate[0] is -1 1/s");
    EXPECT_STATUS(dry_world_step(world, 3, NULL), DRY_ERR_ARGUMENT, "period[0] is -8");
    OK(dry_world_hash(world, &after));
    OK(dry_world_get_period(world, numbers));
    EXPECT(before == after && numbers[0] == 4);
    OK(dry_world_step(world, 0.25, NULL));
    dry_world_destroy(world);
}

int main(void) {
    pressed();
    refused();
    return verdict();
}
