/*
 * Rolling and twisting resistance in closed form: a torque of at most mu_r r* N against rolling and mu_tw r* N against
 * spinning on the spot. The discrete motion has a closed form in every step; 1e-13 leaves room for the roundings of
 * some hundred steps.
 */
#include "scene.h"

/* The contact of a world that has one, after a step. */
static dry_contact only_contact(const dry_world *world)
{
    contacts found = {0};
    contacts_read(world, &found);
    if (found.count != 1) {
        printf("FAIL %zu contacts instead of one\n", found.count);
        exit(EXIT_FAILURE);
    }
    dry_contact contact = found.at[0];
    free(found.at);
    return contact;
}

static uint32_t state_bits(const dry_world *world)
{
    return only_contact(world).state & ~DRY_CONTACT_NEW;
}

static dry_settings precise(void)
{
    dry_settings settings = default_settings();
    settings.iterations = 100;
    return settings;
}

/* ---- a sphere on a plane -------------------------------------------------------------- */

/* A sphere of 0.5 m that rolls with the speed v at an angle to the x axis, along which the floor falls off. */
static dry_body rolling_ball(dry_world *world, dry_material floor, dry_material own, double sine, double cosine,
                             double v)
{
    add_half_space(world, floor, sine, 0, cosine, 0);
    dry_body_def def = body_at(sphere(world, 0.5), own, 0.5 * sine, 0, 0.5 * cosine);
    vec3 along = {0.6 * cosine, 0.8, -0.6 * sine}, spin = cross((vec3){sine, 0, cosine}, along);
    const double linear[3] = {v * along.x, v * along.y, v * along.z};
    const double angular[3] = {2 * v * spin.x, 2 * v * spin.y, 2 * v * spin.z};
    memcpy(def.linear_velocity, linear, sizeof linear);
    memcpy(def.angular_velocity, angular, sizeof angular);
    return add_body(world, &def);
}

/*
 * Rolling with v = r w, friction f and the torque mu_r r N with N = m g:
 *
 *   m v' = f,  (2/5) m r^2 w' = -r f - mu_r r m g   =>   v' = -(5/7) mu_r g,  |f| = (5/7) mu_r m g <= mu m g
 *
 * constant until it stops, so that the same holds for each step. Returns the largest error of v in units of v.
 */
static double rolls_with(dry_world *world, dry_material floor, dry_material own, double mu_r, int steps)
{
    const double v = 2, h = 0.005;
    dry_body ball = rolling_ball(world, floor, own, 0, 1, v);
    double worst = 0;
    for (int k = 1; k <= steps; ++k) {
        step_world(world, h);
        dry_body_state state = state_of(world, ball);
        vec3 expected = scale(v - 5.0 / 7 * mu_r * GRAVITY * h * k, (vec3){0.6, 0.8, 0});
        vec3 spin = cross((vec3){0, 0, 2}, expected);
        keep_worst(&worst, norm(sub(vec(state.linear_velocity), expected)) / v);
        keep_worst(&worst, 0.5 * norm(sub(vec(state.angular_velocity), spin)) / v);
    }
    return worst;
}

/* v = 2 m/s is gone after 2 / (5/7 0.1 g) = 2.85 s, 570.9 steps. */
static void ball_slows_and_stops(void)
{
    dry_settings settings = precise();
    dry_world *world = new_world(&settings, GRAVITY);
    dry_material material = add_rolling_material(world, 0.5, 0.1, 0);
    check_at_most("rolling: velocity and spin in each step, relative", rolls_with(world, material, material, 0.1, 570),
                  1e-13);
    dry_contact contact = only_contact(world);
    check_true("rolling: state", state_bits(world) == (DRY_CONTACT_ACTIVE | DRY_CONTACT_ROLLING));
    /* against the spin z x (0.6, 0.8), on the ball, which is body b */
    vec3 expected = scale(0.1 * 0.5 * contact.normal_force, (vec3){0.8, -0.6, 0});
    check_at_most("rolling: torque - mu_r r N, relative",
                  norm(sub(vec(contact.rolling_torque), expected)) / norm(expected), 1e-14);
    double fastest = 0;
    for (int k = 0; k < 2000; ++k) {
        step_world(world, 0.005);
        dry_body_state state = state_of(world, contact.body_b);
        if (k >= 10)
            keep_worst(&fastest, norm(vec(state.linear_velocity)) + norm(vec(state.angular_velocity)));
    }
    check_at_most("rolling: speed plus spin after it stopped, at most", fastest, 1e-16);
    check_true("rolling: state at rest", state_bits(world) == DRY_CONTACT_ACTIVE);
    dry_world_destroy(world);
}

static void mixing(void)
{
    dry_settings settings = precise();
    dry_world *world = new_world(&settings, GRAVITY);
    dry_material rough = add_rolling_material(world, 0.5, 0.4, 0), smooth = add_rolling_material(world, 0.5, 0.025, 0);
    check_at_most("mixing: sqrt(0.4 0.025) = 0.1 [relative speed]", rolls_with(world, rough, smooth, 0.1, 100), 1e-13);
    dry_world_destroy(world);

    world = new_world(&settings, GRAVITY);
    rough = add_rolling_material(world, 0.5, 0.4, 0);
    smooth = add_rolling_material(world, 0.5, 0, 0);
    check_at_most("mixing: with 0 nothing resists", rolls_with(world, rough, smooth, 0, 100), 1e-13);
    check_true("mixing: no torque, not ROLLING",
               norm(vec(only_contact(world).rolling_torque)) == 0 && state_bits(world) == DRY_CONTACT_ACTIVE);
    dry_pair_def pair;
    MUST(dry_pair_def_init(&pair, sizeof pair));
    pair.rolling_friction = 0.2;
    dry_world_destroy(world);

    world = new_world(&settings, GRAVITY);
    rough = add_rolling_material(world, 0.5, 0.4, 0);
    smooth = add_rolling_material(world, 0.5, 0, 0);
    MUST(dry_material_pair_set(world, smooth, rough, &pair));
    check_at_most("mixing: a pair of 0.2 instead", rolls_with(world, rough, smooth, 0.2, 100), 1e-13);
    /* and off again: what is remembered of the torque must not act */
    pair.rolling_friction = 0;
    MUST(dry_material_pair_set(world, smooth, rough, &pair));
    dry_contact contact = only_contact(world);
    vec3 before = vec(state_of(world, contact.body_b).linear_velocity);
    step_world(world, 0.005);
    check_at_most("mixing: a pair of 0 ends it [m/s]",
                  norm(sub(vec(state_of(world, contact.body_b).linear_velocity), before)), 1e-15);
    dry_world_destroy(world);
}

/*
 * On a slope the ball stays while m g sin r <= mu_r r m g cos, tan <= mu_r (and tan <= mu); beyond it rolls with
 * v' = (5/7) g (sin - mu_r cos). It starts at rest.
 */
static void slope(double mu_r, double tangent, double held)
{
    const double cosine = 1 / sqrt(1 + tangent * tangent), sine = tangent * cosine, h = 0.005;
    dry_settings settings = precise();
    dry_world *world = new_world(&settings, GRAVITY);
    dry_material material = add_rolling_material(world, 0.5, mu_r, 0);
    dry_body ball = rolling_ball(world, material, material, sine, cosine, 0);
    dry_body_state first = state_of(world, ball);
    double worst = 0, acceleration = held > 0 ? 0 : 5.0 / 7 * GRAVITY * (sine - mu_r * cosine);
    for (int k = 1; k <= 1000; ++k) {
        step_world(world, h);
        vec3 v = vec(state_of(world, ball).linear_velocity);
        vec3 expected = scale(acceleration * h * k, (vec3){cosine, 0, -sine});
        keep_worst(&worst, norm(sub(v, expected)) / fmax(norm(expected), 1));
    }
    printf("-- slope of %.7g, rolling friction %.7g\n", tangent, mu_r);
    if (held > 0) {
        check_at_most("stays: largest speed [m/s]", worst, 1e-14);
        check_at_most("stays: way [m]", norm(sub(vec(state_of(world, ball).position), vec(first.position))), 1e-14);
        check_true("stays: state", state_bits(world) == DRY_CONTACT_ACTIVE);
    } else {
        check_at_most("rolls: velocity, relative", worst, 1e-13);
        check_true("rolls: state", state_bits(world) == (DRY_CONTACT_ACTIVE | DRY_CONTACT_ROLLING));
    }
    dry_world_destroy(world);
}

/* (2/5) m r^2 w' = -mu_tw r m g about the vertical: w' = -(5/2) mu_tw g / r. It stops after 10 / 4.905 = 2.04 s. */
static void spinning_ball(void)
{
    const double spin = 10, h = 0.005, rate = 2.5 * 0.1 * GRAVITY / 0.5;
    dry_world *world = new_world(NULL, GRAVITY);
    dry_material material = add_rolling_material(world, 0.5, 0.3, 0.1);
    add_floor(world, material);
    dry_body_def def = body_at(sphere(world, 0.5), material, 0, 0, 0.5);
    def.angular_velocity[2] = spin;
    dry_body ball = add_body(world, &def);
    double worst = 0, moved = 0, left = 0;
    uint32_t states = 0;
    for (int k = 1; k <= 1000; ++k) {
        step_world(world, h);
        dry_body_state state = state_of(world, ball);
        double expected = fmax(spin - rate * h * k, 0);
        keep_worst(&worst, norm(sub(vec(state.angular_velocity), (vec3){0, 0, expected})) / spin);
        keep_worst(&moved, norm(vec(state.linear_velocity)));
        keep_worst(&left, expected == 0 && k > 420 ? norm(vec(state.angular_velocity)) : 0);
        states |= state_bits(world);
    }
    check_at_most("spinning: spin in each step, relative", worst, 1e-13);
    check_at_most("spinning: speed of the centre [m/s]", moved, 0);
    check_at_most("spinning: spin after it stopped [rad/s]", left, 1e-16);
    check_true("spinning is not ROLLING", states == DRY_CONTACT_ACTIVE);
    dry_world_destroy(world);
}

/*
 * On the axis of a plate that turns at 10 rad/s, which no impulse moves, the same torque takes the ball along: w' = (5/2) mu_tw g / r
 * until it turns as the plate does.
 */
static void turntable(void)
{
    const double spin = 10, h = 0.005, rate = 2.5 * 0.1 * GRAVITY / 0.5;
    dry_settings settings = precise();
    dry_world *world = new_world(&settings, GRAVITY);
    dry_material material = add_rolling_material(world, 0.5, 0.3, 0.1);
    dry_body_def plate = body_at(box(world, 2, 2, 0.1), material, 0, 0, -0.1);
    plate.kind = DRY_KINEMATIC;
    plate.angular_velocity[2] = spin;
    add_body(world, &plate);
    dry_body_def def = body_at(sphere(world, 0.5), material, 0, 0, 0.5);
    dry_body ball = add_body(world, &def);
    double worst = 0, moved = 0;
    for (int k = 1; k <= 1000; ++k) {
        step_world(world, h);
        dry_body_state state = state_of(world, ball);
        double expected = fmin(rate * h * k, spin);
        keep_worst(&worst, norm(sub(vec(state.angular_velocity), (vec3){0, 0, expected})) / spin);
        keep_worst(&moved, norm(vec(state.linear_velocity)));
        if (k == 100) {
            dry_contact contact = only_contact(world);
            /* along the spin, on the ball, which is body b */
            vec3 torque = {0, 0, 0.1 * 0.5 * contact.normal_force};
            check_at_most("turntable: torque - mu_tw r N, relative",
                          norm(sub(vec(contact.rolling_torque), torque)) / norm(torque), 1e-14);
        }
    }
    check_at_most("turntable: spin in each step, relative", worst, 1e-13);
    check_at_most("turntable: speed of the centre [m/s]", moved, 0);
    dry_world_destroy(world);
}

/* ---- other shapes --------------------------------------------------------------------- */

/*
 * A capsule or a cylinder on its side, axis along y, rolling along x: with the moment of inertia I about its axis
 * v' = -mu_r g / (1 + I / (m r^2)), shared by its two contacts as it may be.
 */
static void roller(const char *name, int cylinder)
{
    const double r = 0.2, v = 1.5, h = 0.005, mu_r = 0.05;
    dry_settings settings = precise();
    dry_world *world = new_world(&settings, GRAVITY);
    dry_material material = add_rolling_material(world, 0.5, mu_r, 0);
    add_floor(world, material);
    dry_shape shape;
    if (cylinder)
        MUST(dry_shape_cylinder(world, 0.5, r, &shape));
    else
        MUST(dry_shape_capsule(world, 0.5, r, &shape));
    dry_body_def def = body_at(shape, material, 0, 0, r);
    def.rotation[0] = sqrt(0.5);
    def.rotation[3] = sqrt(0.5);
    def.linear_velocity[0] = v;
    def.angular_velocity[1] = v / r;
    dry_body body = add_body(world, &def);
    double mass, center[3], inertia[6], worst = 0, at_rest = 0;
    MUST(dry_body_get_mass(world, body, &mass, center, inertia));
    double rate = mu_r * GRAVITY / (1 + inertia[2] / (mass * r * r));
    int stops = (int)ceil(v / (rate * h));
    for (int k = 1; k < stops + 500; ++k) {
        step_world(world, h);
        vec3 now = vec(state_of(world, body).linear_velocity);
        if (k < stops)
            keep_worst(&worst, norm(sub(now, (vec3){v - rate * h * k, 0, 0})) / v);
        else if (k > stops + 100)
            keep_worst(&at_rest, norm(now));
    }
    printf("-- %s, stops after %d steps\n", name, stops);
    check_at_most("velocity in each step, relative", worst, 1e-13);
    check_at_most("speed from 0.5 s after it stopped on [m/s]", at_rest, 1e-14);
    dry_world_destroy(world);
}

/* On top of a fixed sphere of 0.3 m a ball of 0.2 m has r* = 0.3 0.2 / 0.5 = 0.12 m; on a fixed box, capsule or
   cylinder as the line says. One step of a ball that spins about all three axes. */
static void effective_radius(const char *name, dry_world *world, dry_shape below, const double rotation[4], double top,
                             double expected)
{
    dry_material material = add_rolling_material(world, 0.5, 0.25, 0.125);
    dry_body_def def = body_at(below, material, 0, 0, 0);
    def.kind = DRY_STATIC;
    memcpy(def.rotation, rotation, 4 * sizeof(double));
    add_body(world, &def);
    def = body_at(sphere(world, 0.2), material, 0, 0, top + 0.2);
    def.angular_velocity[0] = -30;
    def.angular_velocity[1] = 40;
    def.angular_velocity[2] = 20;
    add_body(world, &def);
    step_world(world, 0.005);
    dry_contact contact = only_contact(world);
    /* against the spin (-0.6, 0.8) across and +z along the normal */
    vec3 torque = scale(expected * contact.normal_force, (vec3){0.6 * 0.25, -0.8 * 0.25, -0.125});
    check_at_most(name, norm(sub(vec(contact.rolling_torque), torque)) / norm(torque), 1e-14);
    dry_world_destroy(world);
}

static void effective_radii(void)
{
    const double upright[4] = {0, 0, 0, 1}, lying[4] = {sqrt(0.5), 0, 0, sqrt(0.5)};
    dry_shape shape;
    dry_world *world = new_world(NULL, GRAVITY);
    effective_radius("torque on a sphere, r* = 0.12 m", world, sphere(world, 0.3), upright, 0.3, 0.12);
    world = new_world(NULL, GRAVITY);
    effective_radius("torque on a box, r* = 0.2 m", world, box(world, 1, 1, 0.25), upright, 0.25, 0.2);
    world = new_world(NULL, GRAVITY);
    MUST(dry_shape_capsule(world, 1, 0.3, &shape));
    effective_radius("torque on a lying capsule, r* = 0.12 m", world, shape, lying, 0.3, 0.12);
    world = new_world(NULL, GRAVITY);
    MUST(dry_shape_cylinder(world, 1, 0.3, &shape));
    effective_radius("torque on a lying cylinder, r* = 0.12 m", world, shape, lying, 0.3, 0.12);
    world = new_world(NULL, GRAVITY);
    MUST(dry_shape_cylinder(world, 0.5, 0.3, &shape));
    effective_radius("torque on a standing cylinder, r* = 0.2 m", world, shape, upright, 0.5, 0.2);
}

/* Boxes on a floor, tumbling and sliding: the same bits, whatever their rolling friction. */
static void flats(void)
{
    dry_body_state end[2][3];
    for (int resists = 0; resists < 2; ++resists) {
        dry_world *world = new_world(NULL, GRAVITY);
        dry_material material = add_rolling_material(world, 0.4, 0.5 * resists, 0.5 * resists);
        dry_body body[3];
        add_floor(world, material);
        dry_shape cube = box(world, 0.2, 0.3, 0.25);
        for (int k = 0; k < 3; ++k) {
            dry_body_def def = body_at(cube, material, 0.1 * k, 0.05 * k, 0.4 + 0.7 * k);
            def.angular_velocity[0] = 1 + k;
            def.angular_velocity[1] = 2 - k;
            def.angular_velocity[2] = 5;
            body[k] = add_body(world, &def);
        }
        double torque = 0, most = 0;
        contacts found = {0};
        for (int k = 0; k < 400; ++k) {
            step_world(world, 0.004);
            contacts_read(world, &found);
            keep_worst(&most, (double)found.count);
            for (size_t c = 0; c < found.count; ++c)
                keep_worst(&torque, norm(vec(found.at[c].rolling_torque)));
        }
        check_at_least("boxes: contacts", most, 8);
        check_at_most("boxes: largest rolling torque [N m]", torque, 0);
        for (int k = 0; k < 3; ++k)
            end[resists][k] = state_of(world, body[k]);
        free(found.at);
        dry_world_destroy(world);
    }
    check_true("boxes: rolling friction changes no bit of their motion", memcmp(end[0], end[1], sizeof end[0]) == 0);
}

/* ---- a pile --------------------------------------------------------------------------- */

/* The mean height of the bodies after 6 s, and the kinetic energy of a body then. */
static void settle(double rolling, double *height, double *energy)
{
    dry_settings settings = default_settings();
    settings.contact_margin = 1e-3;
    settings.iterations = 30;
    dry_world *world = poured_pile(200, rolling, rolling, &settings);
    for (int k = 0; k < 2000; ++k)
        MUST(dry_world_step(world, 0.003, NULL));
    bodies all = bodies_of(world);
    double potential, weight = 0;
    MUST(dry_query_energy(world, energy, &potential));
    for (size_t i = 0; i < all.count; ++i)
        weight += all.mass[i] * GRAVITY;
    *height = potential / weight;
    *energy /= 200;
    bodies_free(&all);
    dry_world_destroy(world);
}

static void pile(void)
{
    double high, flat, resting, running;
    settle(0.3, &high, &resting);
    settle(0, &flat, &running);
    printf("-- 200 bodies poured: mean height %.3f m, and without rolling friction %.3f m\n", high, flat);
    check_at_least("pile: mean height over that without rolling friction", high / flat, 1.3);
    check_at_most("pile: kinetic energy per body [J]", resting, 1e-6);
}

int main(void)
{
    ball_slows_and_stops();
    mixing();
    slope(0.5, 0.4, 1);
    slope(0.4 * (1 + 1e-6), 0.4, 1);
    slope(0.4 * (1 - 1e-6), 0.4, 0);
    slope(0.3, 0.4, 0);
    spinning_ball();
    turntable();
    roller("capsule", 0);
    roller("cylinder", 1);
    effective_radii();
    flats();
    pile();
    return check_result();
}
