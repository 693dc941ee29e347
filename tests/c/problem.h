/*
 * What the hosts with contacts of their own share: small problems, built body by body, and what their answers must obey
 * whatever they are. It does not depend on scenes.
 */
#ifndef DRYSTONE_TESTS_PROBLEM_H
#define DRYSTONE_TESTS_PROBLEM_H
#include "scene.h"

enum { MAX_ITEMS = 64 };

/* A problem with room for its answer. */
typedef struct own {
    dry_problem_body bodies[MAX_ITEMS];
    dry_problem_contact contacts[MAX_ITEMS];
    dry_problem_row rows[MAX_ITEMS];
    double velocities[MAX_ITEMS][6];
    dry_contact_solution solved[MAX_ITEMS];
    double row_impulses[MAX_ITEMS];
    double compatible_row_impulses[MAX_ITEMS];
    dry_step_report report;
    dry_problem problem;
    dry_solution solution;
} own;

/* Empty, with every pointer in place. */
static inline void own_begin(own *all, double step)
{
    memset(all, 0, sizeof *all);
    all->problem.struct_size = sizeof all->problem;
    all->problem.step = step;
    all->problem.bodies = all->bodies;
    all->problem.contacts = all->contacts;
    all->problem.rows = all->rows;
    all->solution.struct_size = sizeof all->solution;
    all->solution.velocities = all->velocities[0];
    all->solution.contacts = all->solved;
    all->solution.row_impulses = all->row_impulses;
    all->solution.compatible_row_impulses = all->compatible_row_impulses;
    all->solution.report = &all->report;
    all->report.struct_size = sizeof all->report;
}

/* A body with the principal moments of inertia ixx, iyy, izz, at rest. */
static inline uint32_t own_body(own *all, double mass, double ixx, double iyy, double izz)
{
    dry_problem_body *body = &all->bodies[all->problem.body_count];
    body->inverse_mass = 1 / mass;
    body->inverse_inertia[0] = 1 / ixx;
    body->inverse_inertia[1] = 1 / iyy;
    body->inverse_inertia[2] = 1 / izz;
    return (uint32_t)all->problem.body_count++;
}

/* A solid cube of half edge a, kicked by gravity along -z. */
static inline uint32_t own_cube(own *all, double mass, double a, double x_velocity)
{
    double inertia = mass * 2 * a * a / 3; /* m (4 a^2 + 4 a^2) / 12 */
    uint32_t cube = own_body(all, mass, inertia, inertia, inertia);
    all->bodies[cube].velocity[0] = x_velocity;
    all->bodies[cube].velocity[2] = -GRAVITY * all->problem.step;
    return cube;
}

static inline dry_problem_contact *own_contact(own *all, uint32_t a, uint32_t b, vec3 normal, vec3 arm_a, vec3 arm_b,
                                               double friction)
{
    dry_problem_contact *contact = &all->contacts[all->problem.contact_count++];
    contact->body_a = a;
    contact->body_b = b;
    memcpy(contact->normal, &normal, sizeof contact->normal);
    memcpy(contact->arm_a, &arm_a, sizeof contact->arm_a);
    memcpy(contact->arm_b, &arm_b, sizeof contact->arm_b);
    contact->friction = friction;
    return contact;
}

/* The four contacts at the corners of the lower face of cube b, of half edge a, on cube `below` of the same size, or on
   the fixed world. Keys count up from first_key, unless that is 0. */
static inline void own_corners(own *all, uint32_t below, uint32_t b, double a, double friction, uint64_t first_key)
{
    for (int k = 0; k < 4; ++k) {
        double x = k % 2 ? a : -a, y = k / 2 ? a : -a;
        dry_problem_contact *contact =
            own_contact(all, below, b, (vec3){0, 0, 1}, (vec3){x, y, a}, (vec3){x, y, -a}, friction);
        contact->key = first_key ? first_key + (uint64_t)k : 0;
    }
}

/* A row without bounds. */
static inline dry_problem_row *own_row(own *all, uint32_t a, uint32_t b)
{
    dry_problem_row *row = &all->rows[all->problem.row_count++];
    row->body_a = a;
    row->body_b = b;
    row->lower = -INFINITY;
    row->upper = INFINITY;
    row->friction_row = -1;
    return row;
}

static inline void own_solve(own *all, dry_solver *solver, const dry_settings *settings)
{
    MUST(dry_solver_solve(solver, &all->problem, settings, &all->solution));
}

static inline dry_solver *new_solver(void)
{
    dry_solver *solver = NULL;
    MUST(dry_solver_create(&solver));
    return solver;
}

/* Many sweeps, ended by the residual. */
static inline dry_settings settled_settings(double tolerance)
{
    dry_settings settings = default_settings();
    settings.iterations = 100000;
    settings.tolerance = tolerance;
    settings.require_convergence = 1;
    return settings;
}

/* The impulses on a body in sum, and how fast the largest one would make it. */
typedef struct {
    vec3 impulse, moment;
    double largest;
} own_total;

static inline void own_add(const own *all, own_total *totals, uint32_t index, vec3 impulse, vec3 moment)
{
    if (index == UINT32_MAX)
        return;
    const dry_problem_body *body = &all->bodies[index];
    own_total *total = &totals[index];
    total->impulse = add(total->impulse, impulse);
    total->moment = add(total->moment, moment);
    keep_worst(&total->largest,
               norm(scale(body->inverse_mass, impulse)) + norm(symmetric_times(body->inverse_inertia, moment)));
}

/* How far the velocities are from v = vhat + M^-1 J^T lambda, relative to the largest term: large impulses may cancel. */
static inline double own_balance_error(const own *all)
{
    own_total totals[MAX_ITEMS] = {{{0, 0, 0}, {0, 0, 0}, 0}};
    double worst = 0;
    for (size_t k = 0; k < all->problem.contact_count; ++k) {
        const dry_problem_contact *contact = &all->contacts[k];
        const uint32_t body[2] = {contact->body_a, contact->body_b};
        const double *const arm[2] = {contact->arm_a, contact->arm_b};
        for (int side = 0; side < 2; ++side) {
            vec3 impulse = scale(side ? 1 : -1, vec(all->solved[k].impulse));
            vec3 torque = scale(side ? 1 : -1, vec(all->solved[k].torque_impulse));
            own_add(all, totals, body[side], impulse, add(cross(vec(arm[side]), impulse), torque));
        }
    }
    for (size_t k = 0; k < all->problem.row_count; ++k) {
        const dry_problem_row *row = &all->rows[k];
        const double lambda = all->row_impulses[k];
        own_add(all, totals, row->body_a, scale(lambda, vec(row->jacobian_a)), scale(lambda, vec(row->jacobian_a + 3)));
        own_add(all, totals, row->body_b, scale(lambda, vec(row->jacobian_b)), scale(lambda, vec(row->jacobian_b + 3)));
    }
    for (size_t k = 0; k < all->problem.body_count; ++k) {
        const dry_problem_body *body = &all->bodies[k];
        vec3 kick = scale(body->inverse_mass, totals[k].impulse);
        vec3 spin = symmetric_times(body->inverse_inertia, totals[k].moment);
        double size = 1 + totals[k].largest + norm(vec(body->velocity)) + norm(vec(body->angular_velocity));
        vec3 off = sub(vec(all->velocities[k]), add(vec(body->velocity), kick));
        vec3 off_spin = sub(vec(all->velocities[k] + 3), add(vec(body->angular_velocity), spin));
        keep_worst(&worst, (norm(off) + norm(off_spin)) / size);
    }
    return worst;
}

/* What holds for every answer: velocities balance, the report counts, no impulse pulls. */
static inline void own_check(const own *all, const char *name)
{
    char line[96];
    double pull = 0, residual = 0;
    size_t movable = 0;
    for (size_t k = 0; k < all->problem.contact_count; ++k) {
        keep_worst(&pull, -all->solved[k].normal_impulse);
        keep_worst(&residual, all->solved[k].residual);
        keep_worst(&pull, norm(sub(vec(all->solved[k].impulse), vec(all->solved[k].compatible_impulse))));
    }
    for (size_t k = 0; k < all->problem.body_count; ++k)
        movable += all->bodies[k].inverse_mass > 0;
    snprintf(line, sizeof line, "%s: velocities against vhat + M^-1 J^T lambda", name);
    check_at_most(line, own_balance_error(all), 1e-13);
    snprintf(line, sizeof line, "%s: no impulse pulls, none was corrected", name);
    check_at_most(line, pull, 0);
    snprintf(line, sizeof line, "%s: the report counts bodies and contacts", name);
    check_true(line, all->report.bodies == all->problem.body_count && all->report.awake_bodies == movable &&
                         all->report.contacts == all->problem.contact_count && all->report.residual_max >= residual);
}
#endif
