/*
 * Convergence is measured, not assumed: the tolerance ends the sweeps, the reported residual is the true one,
 * require_convergence undoes the step; problems that no velocities solve are reported; and what the sweep orders
 * and the warm start promise.
 */
#include "scene.h"

static int has_flag(const dry_step_report *report, uint32_t flag)
{
    return (report->flags & flag) != 0;
}

/* ---- the residual, recomputed from what a host can read ----------------------------------- */

/*
 * | lambda - proj_K(lambda - rho (w + mu |w_t| n)) | / rho with rho = 3 / trace(D_aa), for a contact of spheres or of a
 * sphere and a static body: trace D = sum over the bodies of 3/m + 2 |arm|^2 / I. No compliance, no restitution, and
 * b_n = gap/h for gaps above round-off, since overlap is undone by the position pass.
 */
static double residual_of(const dry_contact *contact, const bodies *all, const dry_body_state *start, double h)
{
    const double epsilon = 2.220446049250313e-16, size = 0.1;
    size_t body[2] = {body_index(all, contact->body_a), body_index(all, contact->body_b)};
    double trace = 0, round_off = size;
    for (int k = 0; k < 2; ++k) {
        size_t i = body[k];
        vec3 center = body_center(all, i, &start[i]), arm = sub(vec(contact->point), center);
        round_off += norm(center);
        if (all->mass[i] > 0)
            trace += 3 / all->mass[i] + 2 * dot(arm, arm) / all->inertia[i][0];
    }
    round_off *= 64 * epsilon;
    double rho = 3 / trace, mu = contact->friction;
    vec3 n = vec(contact->normal), u = vec(contact->relative_velocity), w_t = sub(u, scale(dot(u, n), n));
    double w_n = dot(u, n) + (contact->gap > round_off ? contact->gap / h : 0);
    double lambda_n = h * contact->normal_force;
    vec3 lambda_t = scale(h, vec(contact->friction_force));
    /* the point to be projected */
    double z_n = lambda_n - rho * (w_n + mu * norm(w_t));
    vec3 z_t = sub(lambda_t, scale(rho, w_t));
    double length = norm(z_t), p_n = z_n;
    vec3 p_t = z_t;
    if (mu * length <= -z_n) { /* in the polar cone */
        p_n = 0;
        p_t = (vec3){0, 0, 0};
    } else if (length > mu * z_n) { /* beside the cone: to the nearest point of its surface */
        p_n = (z_n + mu * length) / (1 + mu * mu);
        p_t = scale(mu * p_n / length, z_t);
    }
    vec3 tangential = sub(lambda_t, p_t);
    return sqrt((lambda_n - p_n) * (lambda_n - p_n) + dot(tangential, tangential)) / rho;
}

static void reported_residual_is_true(void)
{
    dry_settings settings = default_settings();
    settings.iterations = 8;
    settings.projection = DRY_PROJECTION_OFF; /* with it contacts touch a little longer */
    settings.restitution_threshold = 1e3; /* nothing rebounds, so that every bias is known here */
    const double h = 1.0 / 240;
    dry_world *world = spheres_in_a_well(30, &settings);
    bodies all = bodies_of(world);
    contacts found = {0};
    dry_body_state *start = allocate(all.count, sizeof *start);
    double worst_max = 0, worst_mean = 0, worst_key = 0, wrong_count = 0, largest = 0;
    for (int k = 0; k < 400; ++k) {
        memcpy(start, all.state, all.count * sizeof *start);
        dry_step_report report = step_world(world, h);
        bodies_read(world, &all);
        contacts_read(world, &found);
        double max = 0, sum = 0, at_worst = 0;
        for (size_t c = 0; c < found.count; ++c) {
            double residual = residual_of(&found.at[c], &all, start, h);
            sum += residual;
            max = fmax(max, residual);
            at_worst = found.at[c].key == report.worst_contact ? residual : at_worst;
        }
        double mean = found.count ? sum / (double)found.count : 0;
        keep_worst(&worst_max, fabs(report.residual_max - max) / (1e-12 + 1e-9 * max));
        keep_worst(&worst_mean, fabs(report.residual_mean - mean) / (1e-12 + 1e-9 * mean));
        keep_worst(&worst_key, fabs(report.residual_max - at_worst) / (1e-12 + 1e-9 * max));
        wrong_count += report.contacts != found.count;
        largest = fmax(largest, max);
    }
    /* the measured errors are in units of 1e-12 m/s + 1e-9 of the value */
    check_at_least("30 spheres in a well: contacts at the end", (double)found.count, 60);
    check_at_least("largest residual of any step at 8 sweeps [m/s]", largest, 1e-3);
    check_at_most("residual_max against the recomputed one", worst_max, 1);
    check_at_most("residual_mean against the recomputed one", worst_mean, 1);
    check_at_most("residual of worst_contact against residual_max", worst_key, 1);
    check_at_most("steps in which report.contacts is not the number of contacts", wrong_count, 0);
    free(start);
    free(found.at);
    bodies_free(&all);
    dry_world_destroy(world);
}

/* ---- tolerance and require_convergence ----------------------------------------------------- */

static void tolerance_ends_the_sweeps(void)
{
    dry_settings settings = default_settings();
    settings.iterations = 5000;
    settings.tolerance = 1e-7;
    dry_world *world = spheres_in_a_well(30, &settings);
    double early = 0, residual = 0, late = 0, wrong_flags = 0;
    for (int k = 0; k < 200; ++k) {
        dry_step_report report = step_world(world, 1.0 / 240);
        if (report.iterations < settings.iterations) {
            early += 1;
            keep_worst(&residual, report.residual_max);
        } else {
            late += report.residual_max <= settings.tolerance;
        }
        wrong_flags += has_flag(&report, DRY_REPORT_NOT_CONVERGED) != (report.residual_max > settings.tolerance);
    }
    check_at_least("tolerance 1e-7: steps of 200 that end before 5000 sweeps", early, 150);
    check_at_most("tolerance 1e-7: residual_max of those steps [m/s]", residual, 1e-7);
    check_at_most("tolerance 1e-7: steps with all 5000 sweeps though below the tolerance", late, 0);
    check_at_most("tolerance 1e-7: steps with a wrong DRY_REPORT_NOT_CONVERGED", wrong_flags, 0);
    /* out of reach with three sweeps: flagged, and carried out nevertheless */
    settings.iterations = 3;
    settings.tolerance = 1e-14;
    settings.warm_start = DRY_WARM_OFF;
    MUST(dry_world_set_settings(world, &settings));
    uint64_t before = world_hash(world);
    dry_step_report report = step_world(world, 1.0 / 240);
    check_true("unreachable tolerance: flagged, all sweeps done, step taken",
               has_flag(&report, DRY_REPORT_NOT_CONVERGED) && report.iterations == 3 && world_hash(world) != before);
    dry_world_destroy(world);
}

/* Two worlds alike; one of them fails a step on the way. Afterwards they go on alike. */
static void require_convergence_undoes_the_step(void)
{
    dry_settings lax = default_settings(), strict;
    lax.iterations = 10;
    strict = lax;
    strict.iterations = 3;
    strict.tolerance = 1e-14;
    strict.require_convergence = 1;
    dry_world *world = spheres_in_a_well(30, &lax), *twin = spheres_in_a_well(30, &lax);
    for (int k = 0; k < 120; ++k) {
        MUST(dry_world_step(world, 1.0 / 240, NULL));
        MUST(dry_world_step(twin, 1.0 / 240, NULL));
    }
    MUST(dry_world_set_settings(world, &strict));
    bodies before = bodies_of(world), after = bodies_of(world);
    contacts contacts_before = {0}, contacts_after = {0};
    contacts_read(world, &contacts_before);
    const double push[3] = {0.3, 0, 0};
    MUST(dry_body_add_force(world, before.handle[20], push, NULL));
    MUST(dry_body_add_force(twin, before.handle[20], push, NULL));
    uint64_t hash = world_hash(world);
    dry_step_report report;
    memset(&report, 0, sizeof report);
    report.struct_size = sizeof report;
    dry_status status = dry_world_step(world, 1.0 / 240, &report);
    bodies_read(world, &after);
    contacts_read(world, &contacts_after);
    check_true("require_convergence: DRY_ERR_NOT_CONVERGED", status == DRY_ERR_NOT_CONVERGED);
    check_true("require_convergence: the report is written and flagged",
               report.contacts > 0 && report.iterations == 3 && has_flag(&report, DRY_REPORT_NOT_CONVERGED));
    check_at_least("require_convergence: residual_max in the report [m/s]", report.residual_max, 1e-14);
    check_true("require_convergence: hash as before", world_hash(world) == hash);
    check_true("require_convergence: all states as before",
               memcmp(before.state, after.state, before.count * sizeof *before.state) == 0);
    check_true("require_convergence: contacts as before",
               contacts_before.count == contacts_after.count &&
                   memcmp(contacts_before.at, contacts_after.at, contacts_after.count * sizeof(dry_contact)) == 0);
    MUST(dry_world_set_settings(world, &lax));
    double differ = 0;
    for (int k = 0; k < 20; ++k) {
        MUST(dry_world_step(world, 1.0 / 240, NULL));
        MUST(dry_world_step(twin, 1.0 / 240, NULL));
        differ += world_hash(world) != world_hash(twin);
    }
    check_at_most("require_convergence: steps after it that differ from a twin's", differ, 0);
    free(contacts_before.at);
    free(contacts_after.at);
    bodies_free(&before);
    bodies_free(&after);
    dry_world_destroy(world);
    dry_world_destroy(twin);
}

/* ---- problems without an answer ------------------------------------------------------------ */

/* A ball of 1 kg between two kinematic walls, each of which moves towards it with a speed. */
static dry_world *ball_between_walls(double speed, uint32_t require_convergence, dry_body *ball)
{
    dry_settings settings = default_settings();
    settings.friction_law = DRY_FRICTION_ASSOCIATED;
    settings.solver = DRY_SOLVER_CONIC;
    settings.tolerance = 1e-8;
    settings.require_convergence = require_convergence;
    dry_world *world = new_world(&settings, 0);
    for (int side = -1; side <= 1; side += 2) {
        dry_body_def wall = body_at(box(world, 0.1, 1, 1), 0, 0.6 * side, 0, 0);
        wall.kind = DRY_KINEMATIC;
        wall.linear_velocity[0] = -speed * side;
        add_body(world, &wall);
    }
    dry_body_def def = body_at(sphere(world, 0.5), 0, 0, 0, 0);
    def.mass = 1;
    *ball = add_body(world, &def);
    return world;
}

static void closing_walls_are_infeasible(void)
{
    dry_body ball;
    dry_world *world = ball_between_walls(0.2, 0, &ball);
    dry_step_report report = step_world(world, 0.01);
    check_true("walls that close: DRY_REPORT_INFEASIBLE and DRY_REPORT_NOT_CONVERGED",
               report.flags == (DRY_REPORT_INFEASIBLE | DRY_REPORT_NOT_CONVERGED));
    /* Each wall closes by 0.2 m/s on a ball in the middle, which no impulse changes. */
    check_at_most("walls that close: residual_max against their speed [m/s]", fabs(report.residual_max - 0.2), 1e-6);
    check_at_most("walls that close: velocity of the ball [m/s]", fabs(state_of(world, ball).linear_velocity[0]), 1e-3);
    dry_world_destroy(world);

    world = ball_between_walls(0.2, 1, &ball);
    const uint64_t hash = world_hash(world);
    memset(&report, 0, sizeof report);
    report.struct_size = sizeof report;
    dry_status status = dry_world_step(world, 0.01, &report);
    check_true("walls that close, convergence required: DRY_ERR_NOT_CONVERGED", status == DRY_ERR_NOT_CONVERGED);
    check_true("walls that close, convergence required: flagged", has_flag(&report, DRY_REPORT_INFEASIBLE));
    check_true("walls that close, convergence required: hash as before", world_hash(world) == hash);
    dry_world_destroy(world);

    /* Walls that stay or open are feasible. */
    for (int k = 0; k < 2; ++k) {
        world = ball_between_walls(-0.2 * k, 1, &ball);
        check_true("walls that do not close: no flags", step_world(world, 0.01).flags == 0);
        dry_world_destroy(world);
    }
}

/* ---- sweep orders, warm start, determinism --------------------------------------------------- */

/* Forces on the base of a pyramid (fixed, hyperstatic, frictional) after 150 steps of few sweeps from a cold start. */
static double *base_forces(dry_sweep sweep, uint64_t seed, uint64_t *hash, double *residual)
{
    enum { BASE = 5 };
    dry_settings settings = default_settings();
    settings.iterations = 6;
    settings.sweep = sweep;
    settings.seed = seed;
    settings.warm_start = DRY_WARM_OFF;
    settings.contact_margin = 1e-4;
    dry_world *world = cannonball_pyramid(BASE, 0.5, &settings);
    dry_step_report report = {0};
    for (int k = 0; k < 150; ++k)
        report = step_world(world, 0.001);
    bodies all = bodies_of(world);
    double *forces = allocate(3 * BASE * BASE, sizeof *forces), torque[3];
    for (size_t i = 0; i < BASE * BASE; ++i)
        MUST(dry_query_body_force(world, all.handle[i], &forces[3 * i], torque));
    *hash = world_hash(world);
    *residual = report.residual_max;
    bodies_free(&all);
    dry_world_destroy(world);
    return forces;
}

/* Largest difference of two force networks, in units of the largest force of the first. */
static double difference(const double *first, const double *second)
{
    double largest = 0, worst = 0;
    for (int k = 0; k < 75; ++k) {
        largest = fmax(largest, fabs(first[k]));
        keep_worst(&worst, fabs(first[k] - second[k]));
    }
    return worst / largest;
}

static void sweep_orders(void)
{
    const dry_sweep sweeps[6] = {DRY_SWEEP_COLORED, DRY_SWEEP_NATURAL, DRY_SWEEP_SYMMETRIC,
                                 DRY_SWEEP_RANDOM,  DRY_SWEEP_RANDOM,  DRY_SWEEP_RANDOM};
    const uint64_t seeds[6] = {0, 0, 0, 1, 2, 1};
    double *forces[6], residual, largest = 0;
    uint64_t hash[6];
    for (int k = 0; k < 6; ++k) {
        forces[k] = base_forces(sweeps[k], seeds[k], &hash[k], &residual);
        keep_worst(&largest, residual);
    }
    check_at_most("coloured, natural, symmetric, random: residual_max at 6 sweeps [m/s]", largest, 0.02);
    check_at_least("coloured against natural: another force network", difference(forces[0], forces[1]), 1e-6);
    check_at_least("natural against symmetric: another force network", difference(forces[1], forces[2]), 1e-6);
    check_at_least("seed 1 against seed 2: another force network", difference(forces[3], forces[4]), 1e-6);
    check_at_most("seed 1 twice: the same force network", difference(forces[3], forces[5]), 0);
    check_true("seed 1 twice: the same hash", hash[3] == hash[5]);
    for (int k = 0; k < 6; ++k)
        free(forces[k]);
}

static double settled_residual(dry_warm_start warm_start)
{
    dry_settings settings = default_settings();
    settings.iterations = 15;
    settings.warm_start = warm_start;
    settings.contact_margin = 1e-4;
    dry_world *world = cannonball_pyramid(6, 0.5, &settings);
    dry_step_report report = {0};
    for (int k = 0; k < 300; ++k)
        report = step_world(world, 0.001);
    dry_world_destroy(world);
    return report.residual_max;
}

static void same_again(void)
{
    dry_settings settings = default_settings();
    settings.iterations = 15;
    dry_world *one = mixed_heap(16, &settings), *other = mixed_heap(16, &settings);
    double differ = 0;
    for (int k = 0; k < 400; ++k) {
        MUST(dry_world_step(one, 0.004, NULL));
        MUST(dry_world_step(other, 0.004, NULL));
        differ += world_hash(one) != world_hash(other);
    }
    check_at_most("two equal worlds: steps of 400 after which the hashes differ", differ, 0);
    dry_world_destroy(one);
    dry_world_destroy(other);
}

int main(void)
{
    reported_residual_is_true();
    tolerance_ends_the_sweeps();
    require_convergence_undoes_the_step();
    closing_walls_are_infeasible();
    sweep_orders();
    double cold = settled_residual(DRY_WARM_OFF), warm = settled_residual(DRY_WARM_HISTORY);
    check_at_most("settled pyramid, 15 sweeps: residual of history over that of a cold start", warm / cold, 0.1);
    same_again();
    return check_result();
}
