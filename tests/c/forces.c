/*
 * The force contract, in every step: the reported contact forces are those that changed the momenta.
 *
 *   m (v+ - v) / h  =  m g + sum of the body's contact forces
 *   (L+ - L) / h    =  sum of their moments about the centre of mass at the start of the step, and of the torques
 *                      against rolling and twisting
 *
 * Errors are measured in units of the larger of the body's weight and its largest contact force, times the longest arm
 * for moments. 1e-10 leaves four digits for the cancellation in v+ - v, whose round-off is 1e-16 v / (h g).
 */
#include "scene.h"

typedef struct sums { /* of the contacts of one body */
    vec3 force, moment;
    double largest, arm;
} sums;

typedef struct errors { /* the worst of all steps */
    double momentum, spin, query_force, query_torque, total_force, total_torque, cone;
    size_t most_contacts;
} errors;

/* The contact's force on body `i` (sign -1 for body a) joins its sums. */
static void join(sums *sum, vec3 center, const dry_contact *contact, double sign)
{
    vec3 force = scale(sign, contact_force(contact)), arm = sub(vec(contact->point), center);
    sum->force = add(sum->force, force);
    sum->moment = add(sum->moment, add(cross(arm, force), scale(sign, vec(contact->rolling_torque))));
    sum->largest = fmax(sum->largest, norm(force));
    sum->arm = fmax(sum->arm, norm(arm));
}

static void compare_body(errors *worst, const bodies *all, size_t i, const dry_body_state *start, const sums *sum,
                         double h)
{
    double mass = all->mass[i];
    if (mass == 0)
        return;
    const dry_body_state *end = &all->state[i];
    vec3 weight = {0, 0, -mass * GRAVITY};
    vec3 push = scale(mass / h, sub(vec(end->linear_velocity), vec(start->linear_velocity)));
    vec3 turn = scale(1 / h, sub(body_momentum(all, i, end), body_momentum(all, i, start)));
    double unit_force = fmax(norm(weight), sum->largest);
    /* without contact: the radius of gyration */
    double arm = fmax(sum->arm, sqrt((all->inertia[i][0] + all->inertia[i][1] + all->inertia[i][2]) / mass));
    keep_worst(&worst->momentum, norm(sub(push, add(weight, sum->force))) / unit_force);
    keep_worst(&worst->spin, norm(sub(turn, sum->moment)) / (unit_force * arm));
}

/* What dry_query_body_force says of each body, and its total over all of them, moments about the origin. */
static void compare_queries(errors *worst, const dry_world *world, const bodies *all, const dry_body_state *start,
                            const sums *sum)
{
    vec3 total_force = {0, 0, 0}, total_torque = {0, 0, 0};
    double forces = 0, torques = 0;
    for (size_t i = 0; i < all->count; ++i) {
        double force[3], torque[3];
        MUST(dry_query_body_force(world, all->handle[i], force, torque));
        double unit_force = sum[i].largest > 0 ? sum[i].largest : 1, arm = sum[i].arm > 0 ? sum[i].arm : 1;
        keep_worst(&worst->query_force, norm(sub(vec(force), sum[i].force)) / unit_force);
        keep_worst(&worst->query_torque, norm(sub(vec(torque), sum[i].moment)) / (unit_force * arm));
        vec3 center = body_center(all, i, &start[i]);
        total_force = add(total_force, vec(force));
        total_torque = add(total_torque, add(vec(torque), cross(center, vec(force))));
        forces += norm(vec(force));
        torques += norm(vec(torque)) + norm(center) * norm(vec(force));
    }
    if (forces > 0)
        keep_worst(&worst->total_force, norm(total_force) / forces);
    if (torques > 0)
        keep_worst(&worst->total_torque, norm(total_torque) / torques);
}

static void watch_step(errors *worst, dry_world *world, bodies *all, contacts *found, double h)
{
    dry_body_state *start = allocate(all->count, sizeof *start);
    sums *sum = allocate(all->count, sizeof *sum);
    memcpy(start, all->state, all->count * sizeof *start);
    step_world(world, h);
    bodies_read(world, all);
    contacts_read(world, found);
    for (size_t c = 0; c < found->count; ++c) {
        const dry_contact *contact = &found->at[c];
        size_t a = body_index(all, contact->body_a), b = body_index(all, contact->body_b);
        join(&sum[a], body_center(all, a, &start[a]), contact, -1);
        join(&sum[b], body_center(all, b, &start[b]), contact, 1);
        vec3 friction = vec(contact->friction_force);
        double f_n = contact->normal_force, excess = norm(friction) - contact->friction * f_n;
        if (f_n != 0) {
            keep_worst(&worst->cone, fmax(-f_n, excess) / fabs(f_n));
            keep_worst(&worst->cone, fabs(dot(friction, vec(contact->normal))) / fabs(f_n));
        } else {
            keep_worst(&worst->cone, norm(friction));
        }
    }
    for (size_t i = 0; i < all->count; ++i)
        compare_body(worst, all, i, &start[i], &sum[i], h);
    compare_queries(worst, world, all, start, sum);
    worst->most_contacts = found->count > worst->most_contacts ? found->count : worst->most_contacts;
    free(start);
    free(sum);
}

static void watch(const char *scene, dry_world *world, int steps, double h, size_t contacts_expected)
{
    errors worst = {0};
    contacts found = {0};
    bodies all = bodies_of(world);
    for (int k = 0; k < steps; ++k)
        watch_step(&worst, world, &all, &found, h);
    printf("-- %s: %d steps, at most %zu contacts\n", scene, steps, worst.most_contacts);
    check_at_least("contacts", (double)worst.most_contacts, (double)contacts_expected);
    check_at_most("m dv/h - m g - sum of contact forces, relative", worst.momentum, 1e-10);
    check_at_most("dL/h - sum of their moments, relative", worst.spin, 1e-10);
    check_at_most("forces outside the friction cone or not tangential, relative", worst.cone, 1e-9);
    /* sums of up to some dozen terms in another order */
    check_at_most("dry_query_body_force - the force summed here", worst.query_force, 1e-13);
    check_at_most("dry_query_body_force - the torque summed here", worst.query_torque, 1e-13);
    check_at_most("force of all bodies together, relative", worst.total_force, 1e-14);
    check_at_most("torque of all bodies about the origin, relative", worst.total_torque, 1e-14);
    free(found.at);
    bodies_free(&all);
    dry_world_destroy(world);
}

/* A sphere thrown with spin onto a slope: slides, then rolls. */
static dry_world *rolling_sphere(void)
{
    dry_world *world = new_world(NULL, GRAVITY);
    dry_material material = add_material(world, 0.3, 0, 1000);
    add_half_space(world, material, 0.28, 0, 0.96, 0);
    dry_body_def def = body_at(sphere(world, 0.5), material, 0.28 * 0.5, 0, 0.96 * 0.5);
    def.linear_velocity[0] = -1;
    def.linear_velocity[1] = 2;
    def.angular_velocity[0] = 3;
    def.angular_velocity[2] = 5;
    add_body(world, &def);
    return world;
}

/* Euler's equations of the free body by Runge and Kutta's fourth order: d(q, spin)/dt, spin in body axes. */
static void free_rates(const double *inertia, const double state[7], double rates[7])
{
    vec3 spin = vec(state + 4), q = vec(state);
    vec3 turned = scale(0.5, add(scale(state[3], spin), cross(q, spin)));
    vec3 torque = cross(symmetric_times(inertia, spin), spin);
    const double all[7] = {turned.x, turned.y, turned.z, -0.5 * dot(q, spin), torque.x / inertia[0],
                           torque.y / inertia[1], torque.z / inertia[2]};
    memcpy(rates, all, sizeof all);
}

static void free_motion(const double *inertia, double state[7], double seconds, int steps)
{
    double h = seconds / steps, k[4][7], at[7];
    for (int s = 0; s < steps; ++s) {
        for (int stage = 0; stage < 4; ++stage) {
            double reach = stage == 0 ? 0 : stage == 3 ? h : h / 2;
            for (int c = 0; c < 7; ++c)
                at[c] = state[c] + (stage ? reach * k[stage - 1][c] : 0);
            free_rates(inertia, at, k[stage]);
        }
        for (int c = 0; c < 7; ++c)
            state[c] += h / 6 * (k[0][c] + 2 * k[1][c] + 2 * k[2][c] + k[3][c]);
    }
}

static void free_body(void)
{
    dry_world *world = new_world(NULL, 0);
    dry_body_def def = body_at(box(world, 0.5, 1, 1.5), 0, 0, 0, 0);
    const vec3 axis = {0.48, 0.6, 0.64};
    def.angular_velocity[0] = 5 * axis.x;
    def.angular_velocity[1] = 5 * axis.y;
    def.angular_velocity[2] = 5 * axis.z;
    dry_body body = add_body(world, &def);
    bodies all = bodies_of(world);
    vec3 first = body_momentum(&all, 0, &all.state[0]);
    double energy_first = 0, ignored, momentum = 0, energy = 0;
    double reference[7] = {0, 0, 0, 1, 5 * axis.x, 5 * axis.y, 5 * axis.z};
    free_motion(all.inertia[0], reference, 1.0, 4000);
    MUST(dry_query_energy(world, &energy_first, &ignored));
    for (int k = 1; k <= 100000; ++k) {
        double kinetic;
        MUST(dry_world_step(world, 0.001, NULL));
        MUST(dry_body_get_state(world, body, &all.state[0]));
        MUST(dry_query_energy(world, &kinetic, &ignored));
        keep_worst(&momentum, norm(sub(body_momentum(&all, 0, &all.state[0]), first)) / norm(first));
        keep_worst(&energy, fabs(kinetic / energy_first - 1));
        if (k == 1000) {
            /* second order: (w h)^2 / 12 of the 5 rad turned, about 1e-5 */
            vec3 end = rotate(all.state[0].rotation, axis), exact = rotate(reference, axis);
            check_at_most("free body: an axis after 1 s against Runge-Kutta", norm(sub(end, exact)), 1e-4);
        }
    }
    check_at_most("free body: angular momentum over 100 000 steps, relative", momentum, 1e-11);
    check_at_most("free body: kinetic energy over 100 000 steps, relative", energy, 1e-11);
    bodies_free(&all);
    dry_world_destroy(world);
}

int main(void)
{
    dry_settings settings = default_settings();
    settings.contact_margin = 1e-4;
    watch("pyramid of spheres on a base of 20 x 20", cannonball_pyramid(20, 0.5, &settings), 120, 0.001, 14440);
    settings.contact_margin = 1e-3;
    settings.iterations = 20;
    watch("heap of boxes, capsules, hulls and cylinders", mixed_heap(40, &settings), 1000, 0.002, 60);
    watch("rolling sphere", rolling_sphere(), 400, 0.005, 1);
    watch("pile that resists rolling and twisting", poured_pile(200, 0.3, 0.2, &settings), 600, 0.002, 300);
    free_body();
    return check_result();
}
