/*
 * Friction as a constraint: a box, and a sphere that resists rolling, on a slope below the friction angle does not creep, above it slides as the closed form
 * says, and the change from one to the other is at the angle. Projection DRY_PROJECTION_STICK.
 */
#include "scene.h"

#define STEP (1.0 / 240)
#define SLOPE 0.4 /* tan(theta) */

/* A unit box lying on a slope that falls along +x, with few sweeps: the projection does the rest. */
static dry_world *box_on_slope(double friction, dry_body *body)
{
    const double theta = atan(SLOPE);
    dry_settings settings = default_settings();
    settings.iterations = 10;
    settings.projection = DRY_PROJECTION_STICK;
    dry_world *world = new_world(&settings, GRAVITY);
    dry_material material = add_material(world, friction, 0, 1000);
    add_half_space(world, material, sin(theta), 0, cos(theta), 0);
    dry_body_def def = body_at(box(world, 0.5, 0.5, 0.5), material, 0.5 * sin(theta), 0, 0.5 * cos(theta));
    def.rotation[1] = sin(theta / 2);
    def.rotation[3] = cos(theta / 2);
    *body = add_body(world, &def);
    return world;
}

static void steps(dry_world *world, int count)
{
    for (int k = 0; k < count; ++k)
        MUST(dry_world_step(world, STEP, NULL));
}

/* From the first step on: how far it went after so many, the largest speed seen on the way after the first ten. */
static double displacement(double friction, int thousands, double *speed)
{
    dry_body body;
    dry_world *world = box_on_slope(friction, &body);
    vec3 start = vec(state_of(world, body).position);
    steps(world, 10);
    *speed = 0;
    for (int k = 0; k < thousands; ++k) {
        steps(world, 1000);
        dry_body_state state = state_of(world, body);
        keep_worst(speed, norm(vec(state.linear_velocity)));
        keep_worst(speed, norm(vec(state.angular_velocity)));
    }
    double moved = norm(sub(vec(state_of(world, body).position), start));
    dry_world_destroy(world);
    return moved;
}

static void does_not_creep(void)
{
    double speed, moved = displacement(0.5, 1000, &speed);
    check_at_most("friction 0.5 on tan 0.4, 10^6 steps: displacement [m]", moved, 1e-9);
    check_at_most("friction 0.5 on tan 0.4, 10^6 steps: largest speed [m/s, rad/s]", speed, 1e-14);
}

/* Constant acceleration g (sin - mu cos): exact for the step's scheme up to round-off and the error of the solve. */
static void slides(double friction)
{
    dry_body body;
    dry_world *world = box_on_slope(friction, &body);
    const double theta = atan(SLOPE), expected = GRAVITY * (sin(theta) - friction * cos(theta));
    steps(world, 200);
    double before = norm(vec(state_of(world, body).linear_velocity));
    steps(world, 800);
    double after = norm(vec(state_of(world, body).linear_velocity));
    double acceleration = (after - before) / (800 * STEP);
    char name[80];
    snprintf(name, sizeof name, "friction %.2f on tan 0.4: acceleration, relative error", friction);
    check_at_most(name, fabs(acceleration - expected) / expected, 1e-6);
    dry_world_destroy(world);
}

/* A change of the slope by 1e-6 rad changes its tangent by (1 + 0.4^2) 1e-6. */
static void changes_at_the_angle(void)
{
    const double margin = (1 + SLOPE * SLOPE) * 1e-6, seconds = 2010 * STEP;
    double speed, moved = displacement(SLOPE + margin, 2, &speed);
    check_at_most("1e-6 rad below the friction angle: displacement in 8 s [m]", moved, 1e-9);
    check_at_most("1e-6 rad below the friction angle: speed [m/s, rad/s]", speed, 1e-14);
    double expected = 0.5 * GRAVITY * margin * cos(atan(SLOPE)) * seconds * seconds;
    moved = displacement(SLOPE - margin, 2, &speed);
    check_at_least("1e-6 rad above it: displacement over that of the closed form", moved / expected, 0.5);
}

/* A sphere of 0.5 m with rolling friction on the slope: r* = r on a plane, so that it rests where the coefficient of
   rolling is at least tan(theta). */
static dry_world *sphere_on_slope(double rolling, dry_body *body)
{
    const double theta = atan(SLOPE), radius = 0.5;
    dry_settings settings = default_settings();
    settings.iterations = 10;
    settings.projection = DRY_PROJECTION_STICK;
    dry_world *world = new_world(&settings, GRAVITY);
    dry_material_def def;
    dry_material material;
    MUST(dry_material_def_init(&def, sizeof def));
    def.friction = 0.5;
    def.rolling_friction = rolling;
    MUST(dry_material_add(world, &def, &material));
    add_half_space(world, material, sin(theta), 0, cos(theta), 0);
    dry_body_def ball = body_at(sphere(world, radius), material, radius * sin(theta), 0, radius * cos(theta));
    *body = add_body(world, &ball);
    return world;
}

static void sphere_sticks(double rolling, int thousands)
{
    char name[100];
    dry_body body;
    dry_world *world = sphere_on_slope(rolling, &body);
    vec3 start = vec(state_of(world, body).position);
    double speed = 0;
    for (int k = 0; k < thousands; ++k) {
        steps(world, 1000);
        dry_body_state state = state_of(world, body);
        keep_worst(&speed, norm(vec(state.linear_velocity)));
        keep_worst(&speed, norm(vec(state.angular_velocity)));
    }
    (void)snprintf(name, sizeof name, "sphere, rolling friction %.7g, %d steps: displacement [m]", rolling, 1000 * thousands);
    check_at_most(name, norm(sub(vec(state_of(world, body).position), start)), 1e-9);
    (void)snprintf(name, sizeof name, "sphere, rolling friction %.7g: largest speed [m/s, rad/s]", rolling);
    check_at_most(name, speed, 1e-14);
    dry_world_destroy(world);
}

/* It rolls without sliding: m a = m g sin - f, (2/5) m r a = f r - rolling r N, so a = (5/7) g (sin - rolling cos). */
static void sphere_rolls(double rolling)
{
    char name[100];
    dry_body body;
    dry_world *world = sphere_on_slope(rolling, &body);
    const double theta = atan(SLOPE), expected = GRAVITY * (sin(theta) - rolling * cos(theta)) / 1.4;
    steps(world, 200);
    double before = norm(vec(state_of(world, body).linear_velocity));
    steps(world, 800);
    double after = norm(vec(state_of(world, body).linear_velocity));
    (void)snprintf(name, sizeof name, "sphere, rolling friction %.7g: acceleration, relative error", rolling);
    check_at_most(name, fabs((after - before) / (800 * STEP) - expected) / expected, 1e-6);
    dry_world_destroy(world);
}

int main(void)
{
    does_not_creep();
    slides(0.39);
    slides(0.1);
    changes_at_the_angle();
    sphere_sticks(0.5, 1000);
    sphere_sticks(SLOPE + 1e-6, 10);
    sphere_rolls(0.39);
    sphere_rolls(SLOPE - 1e-3);
    return check_result();
}
