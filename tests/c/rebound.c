/*
 * One contact in closed form: rebound. v- is the velocity at the start of the step in which the impact is solved, v+
 * the one at its end.
 */
#include "scene.h"

/* Touching at the start of the step: v+ = -e v- exactly. */
static void rebound_at_touch(double e, double *worst)
{
    dry_body ball;
    dry_world *world = ball_above_floor(e, 0, -2, 1e-3, &ball);
    MUST(dry_world_step(world, 1.0 / 240, NULL));
    keep_worst(worst, fabs(state_of(world, ball).linear_velocity[2] / -2 + e));
    dry_world_destroy(world);
}

typedef struct rebound {
    double before, after; /* velocities at the start and the end of the step with the impact */
    double rise;          /* highest point above the place where that step ended */
    double height;        /* highest point of the ball's lowest one above the floor */
} rebound;

static rebound drop(double e, double gap, double margin, double h)
{
    rebound out = {0, 0, 0, 0};
    dry_body ball;
    dry_world *world = ball_above_floor(e, gap, 0, margin, &ball);
    double low = 0;
    for (int k = 0; k * h < 2; ++k) {
        dry_body_state start = state_of(world, ball);
        MUST(dry_world_step(world, h, NULL));
        dry_body_state end = state_of(world, ball);
        if (out.before == 0 && end.linear_velocity[2] > start.linear_velocity[2]) {
            out.before = start.linear_velocity[2];
            out.after = end.linear_velocity[2];
            low = end.position[2];
        } else if (out.before != 0 && end.linear_velocity[2] < 0) {
            break; /* the highest point is behind it */
        }
        if (out.before != 0) {
            out.rise = fmax(out.rise, end.position[2] - low);
            out.height = fmax(out.height, end.position[2] - 0.125);
        }
    }
    dry_world_destroy(world);
    return out;
}

/*
 * After the impact at speed v the ball has e v, and v_k = e v - k g h from then on: it rises sum h v_k =
 * (e v)^2 / (2 g) - e v h / 2 up to g h^2 / 8, which is short by g h / (e v), relatively. With e = 1 the fall and the
 * rise mirror each other, and the drop height is reached again up to second order.
 */
static void rebound_height(double e)
{
    char name[96];
    double error[4], ratio_low = INFINITY, ratio_high = 0, speed = 0, height = 0, back = 0, wide = 0;
    for (int k = 0; k < 4; ++k) {
        double h = 0.008 / (1 << k), drop_height = 0.5;
        rebound far = drop(e, drop_height, 0.1, h), near = drop(e, drop_height, 1e-3, h);
        keep_worst(&speed, fabs(far.after / far.before + e));
        keep_worst(&wide, fabs(near.after / near.before + e));
        double v = fabs(far.before), bound = 4 * GRAVITY * h / v;
        error[k] = fabs(far.rise * 2 * GRAVITY / (e * e * v * v) - 1);
        keep_worst(&height, error[k] / bound);
        keep_worst(&back, fabs(far.height / drop_height - 1) / bound);
        if (k > 0) {
            ratio_low = fmin(ratio_low, error[k - 1] / error[k]);
            ratio_high = fmax(ratio_high, error[k - 1] / error[k]);
        }
    }
    snprintf(name, sizeof name, "drop, e = %.1f: |v+/v- + e|", e);
    check_at_most(name, speed, 1e-12);
    snprintf(name, sizeof name, "drop, e = %.1f, contact_margin 1 mm: |v+/v- + e|", e);
    check_at_most(name, wide, 1e-12);
    snprintf(name, sizeof name, "drop, e = %.1f: error of the rise in units of 4 g h/|v|", e);
    check_at_most(name, height, 1);
    snprintf(name, sizeof name, "drop, e = %.1f: the error halves with h, least ratio", e);
    check_at_least(name, ratio_low, 1.9);
    snprintf(name, sizeof name, "drop, e = %.1f: the error halves with h, largest ratio", e);
    check_at_most(name, ratio_high, 2.1);
    if (e == 1)
        check_at_most("drop, e = 1.0: drop height regained, in units of 4 g h/|v|", back, 1);
}

int main(void)
{
    const double values[3] = {0, 0.5, 1};
    double touch = 0;
    for (int k = 0; k < 3; ++k)
        rebound_at_touch(values[k], &touch);
    check_at_most("impact at zero gap, e = 0, 0.5, 1: |v+/v- + e|", touch, 1e-12);
    rebound_height(0.5);
    rebound_height(1);
    /* e = 0: the ball stops in the step of the impact, wherever that finds it, and then comes to rest on the floor */
    rebound dead = drop(0, 0.5, 0.1, 1.0 / 240);
    check_at_most("drop, e = 0.0: |v+/v-|", fabs(dead.after / dead.before), 1e-12);
    dry_body ball;
    dry_world *world = ball_above_floor(0, 0.5, 0, 0.1, &ball);
    for (int k = 0; k < 240; ++k)
        MUST(dry_world_step(world, 1.0 / 240, NULL));
    dry_body_state end = state_of(world, ball);
    check_at_most("drop, e = 0.0: speed after 1 s [m/s]", norm(vec(end.linear_velocity)), 1e-12);
    check_at_most("drop, e = 0.0: |gap| after 1 s [m]", fabs(end.position[2] - 0.125), 1e-12);
    dry_world_destroy(world);
    return check_result();
}
