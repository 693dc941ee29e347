/*
 * One contact in closed form: sliding, rolling, rest, and the signs of what a contact reports (rebound: rebound.c).
 * Where the discrete motion itself has a closed form the bound is round-off.
 */
#include "scene.h"

#define PI 3.14159265358979323846

/* Force on `body`, and the direction into it, of a contact that has the body on either side. */
static vec3 force_on(const dry_contact *contact, dry_body body)
{
    return scale(contact->body_b == body ? 1 : -1, contact_force(contact));
}

static vec3 normal_into(const dry_contact *contact, dry_body body)
{
    return scale(contact->body_b == body ? 1 : -1, vec(contact->normal));
}

/* ---- sliding and rolling -------------------------------------------------------------- */

/* About a point of the floor on its path the sphere's angular momentum is constant: m r v0 = m r v + (2/5) m r^2 w, and
   rolling means r w = v: v = 5/7 v0, whatever mu and h. */
static void sliding_to_rolling(void)
{
    dry_world *world = new_world(NULL, GRAVITY);
    dry_material material = add_material(world, 0.3, 0, 1000);
    add_floor(world, material);
    dry_body_def def = body_at(sphere(world, 0.5), material, 0, 0, 0.5);
    def.linear_velocity[0] = 3;
    def.linear_velocity[1] = -1.5;
    dry_body ball = add_body(world, &def);
    for (int k = 0; k < 1000; ++k)
        MUST(dry_world_step(world, 0.001, NULL));
    dry_body_state end = state_of(world, ball);
    vec3 v = vec(end.linear_velocity), rolling = add(v, cross(vec(end.angular_velocity), (vec3){0, 0, -0.5}));
    vec3 expected = scale(5.0 / 7, vec(def.linear_velocity));
    check_at_most("sliding sphere ends at 5/7 of its velocity, relative", norm(sub(v, expected)) / norm(expected),
                  1e-12);
    check_at_most("and rolls: velocity of its lowest point [m/s]", norm(rolling), 1e-12);
    dry_world_destroy(world);
}

/* Deceleration mu g in every step: it stops v h / 2 short of v^2 / (2 mu g). */
static void sliding_box_stops(void)
{
    const double mu = 0.3, v = 2, h = 0.002;
    dry_settings settings = default_settings();
    settings.iterations = 2000;
    settings.tolerance = 1e-11;
    dry_world *world = new_world(&settings, GRAVITY);
    dry_material material = add_material(world, mu, 0, 1000);
    add_floor(world, material);
    dry_body_def def = body_at(box(world, 0.5, 0.5, 0.5), material, 0, 0, 0.5);
    def.linear_velocity[0] = 0.8 * v;
    def.linear_velocity[1] = 0.6 * v;
    dry_body body = add_body(world, &def);
    for (int k = 0; k < 500; ++k)
        MUST(dry_world_step(world, h, NULL));
    dry_body_state end = state_of(world, body);
    double distance = hypot(end.position[0], end.position[1]), expected = v * v / (2 * mu * GRAVITY);
    check_at_most("sliding box: distance - v^2/(2 mu g), in units of v h", fabs(distance - expected) / (v * h), 1);
    check_at_most("sliding box: speed after it stopped [m/s]", norm(vec(end.linear_velocity)), 1e-9);
    dry_world_destroy(world);
}

/*
 * Friction is opposite to the sliding velocity at the end of the step, and as large as mu times the normal force: for
 * every heading, and also where the block of the contact couples all three directions, as for a ball whose mass is not
 * at its centre.
 */
static void sliding_ball(double heading, int lopsided, double *angle, double *size)
{
    dry_world *world = new_world(NULL, GRAVITY);
    dry_material material = add_material(world, 0.3, 0, 1000);
    add_floor(world, material);
    dry_body_def def = body_at(sphere(world, 0.5), material, 0, 0, 0.5);
    def.linear_velocity[0] = 3 * cos(heading);
    def.linear_velocity[1] = 3 * sin(heading);
    if (lopsided) {
        const double center[3] = {0.05, -0.1, 0.08}, inertia[6] = {0.2, 0.3, 0.25, 0.04, -0.03, 0.05};
        def.mass = 2;
        memcpy(def.center_of_mass, center, sizeof center);
        memcpy(def.inertia, inertia, sizeof inertia);
    }
    add_body(world, &def);
    contacts found = {0};
    int slid = 0;
    for (int k = 0; k < 20; ++k) {
        step_world(world, 0.001);
        contacts_read(world, &found);
        if (found.count != 1 || found.at[0].normal_force == 0)
            continue;
        const dry_contact *contact = &found.at[0];
        vec3 n = vec(contact->normal), u = vec(contact->relative_velocity), f = vec(contact->friction_force);
        vec3 slip = sub(u, scale(dot(u, n), n));
        keep_worst(angle, norm(add(unit(f), unit(slip))));
        keep_worst(size, fabs(norm(f) / (0.3 * contact->normal_force) - 1));
        slid += (contact->state & (DRY_CONTACT_ACTIVE | DRY_CONTACT_SLIDING)) ==
                (DRY_CONTACT_ACTIVE | DRY_CONTACT_SLIDING);
    }
    if (slid < 10)
        *angle = INFINITY;
    free(found.at);
    dry_world_destroy(world);
}

static void friction_directions(void)
{
    for (int lopsided = 0; lopsided < 2; ++lopsided) {
        double angle = 0, size = 0;
        for (int k = 0; k < 16; ++k)
            sliding_ball(2 * PI * k / 16, lopsided, &angle, &size);
        const char *what = lopsided ? "16 headings, lopsided ball" : "16 headings, ball";
        char name[96];
        snprintf(name, sizeof name, "%s: friction against the slip, angle", what);
        check_at_most(name, angle, 1e-12);
        snprintf(name, sizeof name, "%s: |f_t| / (mu f_n) - 1", what);
        check_at_most(name, size, 1e-12);
    }
}

/* ---- rest, and signs -------------------------------------------------------------------- */

static void ball_at_rest(void)
{
    dry_body ball;
    dry_world *world = ball_above_floor(0, 0, 0, 1e-3, &ball);
    double mass, center[3], inertia[6], worst = 0;
    MUST(dry_body_get_mass(world, ball, &mass, center, inertia));
    check_at_most("mass of a ball, relative", fabs(mass / (1000 * 4.0 / 3 * PI * 0.125 * 0.125 * 0.125) - 1), 1e-14);
    contacts found = {0};
    for (int k = 0; k < 100; ++k) {
        step_world(world, 1.0 / 240);
        contacts_read(world, &found);
        keep_worst(&worst, found.count == 1 ? fabs(found.at[0].normal_force / (mass * GRAVITY) - 1) : INFINITY);
    }
    check_at_most("ball at rest: normal_force / (m g) - 1", worst, 1e-12);
    free(found.at);
    dry_world_destroy(world);
}

/* gap > 0 apart, < 0 overlapping, at the start of the step; the point lies between the two surfaces. */
static void signs_of_gaps(void)
{
    const double gaps[3] = {0.0005, 0, -0.0005};
    double worst = 0, outside = 0, overlap = 0;
    contacts found = {0};
    for (int k = 0; k < 3; ++k) {
        dry_body ball;
        dry_world *world = ball_above_floor(0, gaps[k], 0, 1e-3, &ball);
        dry_step_report report = step_world(world, 1e-4);
        contacts_read(world, &found);
        keep_worst(&worst, found.count == 1 ? fabs(found.at[0].gap - gaps[k]) : INFINITY);
        keep_worst(&outside,
                   found.count == 1 ? fabs(found.at[0].point[2] - gaps[k] / 2) - fabs(gaps[k] / 2) : INFINITY);
        keep_worst(&overlap, fabs(report.max_overlap - fmax(-gaps[k], 0)));
        dry_world_destroy(world);
    }
    check_at_most("gap at the start of the step, apart, touching, overlapping [m]", worst, 1e-15);
    check_at_most("the point is between the surfaces, outside by [m]", outside, 1e-15);
    check_at_most("max_overlap of the report [m]", overlap, 1e-15);
    free(found.at);
}

/* A block held by friction on a slope of tan = 0.28/0.96 < mu, added before or after the slope: the forces on it point
   away from the slope and up along it, and together they carry its weight. */
static void block_on_slope(int block_first)
{
    const vec3 up = {0.28, 0, 0.96}, uphill = {-0.96, 0, 0.28};
    dry_settings settings = default_settings();
    settings.iterations = 20000;
    settings.tolerance = 1e-12;
    dry_world *world = new_world(&settings, GRAVITY);
    dry_material material = add_material(world, 0.5, 0, 1000);
    dry_body_def def = body_at(box(world, 0.5, 0.5, 0.5), material, 0.5 * up.x, 0, 0.5 * up.z);
    def.rotation[1] = sin(0.5 * atan2(0.28, 0.96));
    def.rotation[3] = cos(0.5 * atan2(0.28, 0.96));
    dry_body block = 0;
    if (block_first)
        block = add_body(world, &def);
    add_half_space(world, material, up.x, up.y, up.z, 0);
    if (!block_first)
        block = add_body(world, &def);
    contacts found = {0};
    double mass, center[3], inertia[6], away = 0;
    MUST(dry_body_get_mass(world, block, &mass, center, inertia));
    for (int k = 0; k < 50; ++k)
        step_world(world, 1.0 / 240);
    contacts_read(world, &found);
    vec3 sum = {0, 0, 0};
    for (size_t c = 0; c < found.count; ++c) {
        keep_worst(&away, norm(sub(normal_into(&found.at[c], block), up)));
        sum = add(sum, force_on(&found.at[c], block));
    }
    double weight = mass * GRAVITY;
    printf("-- block on a slope, added %s\n", block_first ? "before it" : "after it");
    check_at_least("contacts under the block", (double)found.count, 3);
    check_at_most("normals point from the slope into the block", away, 1e-12);
    check_at_most("force along the slope - weight sin, in weights", fabs(dot(sum, uphill) / weight - 0.28), 1e-8);
    check_at_most("force across the slope - weight cos, in weights", fabs(dot(sum, up) / weight - 0.96), 1e-8);
    check_at_most("creep in 50 steps [m]", norm(sub(vec(state_of(world, block).position), vec(def.position))), 1e-10);
    free(found.at);
    dry_world_destroy(world);
}

int main(void)
{
    sliding_to_rolling();
    sliding_box_stops();
    friction_directions();
    ball_at_rest();
    signs_of_gaps();
    block_on_slope(0);
    block_on_slope(1);
    return check_result();
}
