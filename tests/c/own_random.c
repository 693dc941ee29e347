/*
 * Random problems of a host, degenerate ones among them: whatever is accepted is answered with finite numbers that obey
 * the bounds, and velocities that balance; the same call on two solvers gives the same bits.
 */
#include "problem.h"

static uint64_t seed = 11;

static double between(double low, double high)
{
    return uniform(&seed, low, high);
}

static uint32_t below(uint32_t count)
{
    return (uint32_t)between(0, count);
}

static vec3 direction(void)
{
    vec3 v;
    do
        v = (vec3){between(-1, 1), between(-1, 1), between(-1, 1)};
    while (norm(v) < 0.1);
    /* twice: to a unit within round-off */
    return below(3) == 0 ? (vec3){0, 0, 1} : unit(unit(v));
}

/* A number that is often 0, and sometimes far from 1. */
static double odd_number(void)
{
    static const double sizes[] = {0, 0, 1, 1, 1e-6, 1e6};
    return sizes[below(6)] * between(0.5, 1);
}

/* R diag R^T of rank 0 to 3. */
static void random_inertia(double inertia[6])
{
    vec3 x = direction(), y = unit(cross(x, fabs(x.x) < 0.5 ? (vec3){1, 0, 0} : (vec3){0, 1, 0})), z = cross(x, y);
    const vec3 axes[3] = {x, y, z};
    memset(inertia, 0, 6 * sizeof *inertia);
    for (int k = 0; k < 3; ++k) {
        double d = below(5) == 0 ? 0 : between(0.1, 10);
        const vec3 a = axes[k];
        const double products[6] = {a.x * a.x, a.y * a.y, a.z * a.z, a.x * a.y, a.y * a.z, a.x * a.z};
        for (int i = 0; i < 6; ++i)
            inertia[i] += d * products[i];
    }
}

static void random_problem(own *all)
{
    own_begin(all, 0.01);
    all->problem.body_count = 1 + below(8);
    for (size_t k = 0; k < all->problem.body_count; ++k) {
        dry_problem_body *body = &all->bodies[k];
        body->inverse_mass = below(20) == 0 ? 0 : between(0.01, 10);
        random_inertia(body->inverse_inertia);
        for (int i = 0; i < 3; ++i) {
            body->velocity[i] = between(-1, 1);
            body->angular_velocity[i] = between(-1, 1);
        }
    }
    const uint32_t bodies = (uint32_t)all->problem.body_count;
    const uint32_t contacts = below(20), rows = below(12);
    for (uint64_t k = 0; k < contacts; ++k) {
        uint32_t a = below(bodies + 1), b = below(bodies);
        if (a == b && below(40))
            a = bodies;
        vec3 arm = direction(), other = scale(below(4) ? 1 : 0, direction()), normal = direction();
        if (below(3) == 0)
            other = scale(-1, normal); /* through the centre of mass */
        dry_problem_contact *contact =
            own_contact(all, a == bodies ? UINT32_MAX : a, b, normal, arm, other, odd_number());
        contact->key = k + 1;
        contact->rolling = odd_number();
        contact->twisting = odd_number();
        contact->normal_bias = below(2) ? 0 : between(-0.1, 0.1);
        contact->surface_velocity[below(3)] = odd_number();
        contact->normal_compliance = odd_number();
        contact->tangential_compliance = odd_number();
    }
    for (uint64_t k = 0; k < rows; ++k) {
        uint32_t a = below(bodies + 1), b = below(bodies);
        if (a == b && below(40))
            a = bodies;
        dry_problem_row *row = own_row(all, a == bodies ? UINT32_MAX : a, b);
        row->key = 100 + k;
        for (int i = 0; i < 6; ++i) {
            row->jacobian_a[i] = below(2) ? 0 : between(-1, 1);
            row->jacobian_b[i] = below(2) ? 0 : between(-1, 1);
        }
        row->rhs = between(-1, 1);
        row->compliance = odd_number();
        if (below(2)) {
            row->lower = -odd_number();
            row->upper = odd_number();
        }
        if (k > 0 && below(3) == 0)
            row->friction_row = 0;
    }
}

/* How far impulses are outside their bounds, relative to them; infinite where one is no number. */
static double outside(const own *all, int box)
{
    const double most = box ? sqrt(2) : 1;
    double worst = 0;
    for (size_t k = 0; k < all->problem.contact_count; ++k) {
        const dry_problem_contact *contact = &all->contacts[k];
        const dry_contact_solution *solved = &all->solved[k];
        vec3 n = vec(contact->normal), torque = vec(solved->torque_impulse), impulse = vec(solved->impulse);
        double pressed = solved->normal_impulse, twist = fabs(dot(torque, n));
        double friction = norm(sub(impulse, scale(pressed, n))), rolling = norm(sub(torque, scale(dot(torque, n), n)));
        keep_worst(&worst, -pressed);
        keep_worst(&worst, isfinite(solved->residual) ? 0 : INFINITY);
        /* the parts are differences of the vectors */
        keep_worst(&worst, (friction - most * contact->friction * pressed) / (1e-300 + norm(impulse)));
        keep_worst(&worst, (rolling - most * contact->rolling * pressed) / (1e-300 + norm(torque)));
        keep_worst(&worst, (twist - contact->twisting * pressed) / (1e-300 + norm(torque)));
    }
    for (size_t k = 0; k < all->problem.row_count; ++k) {
        const dry_problem_row *row = &all->rows[k];
        double factor = row->friction_row < 0 ? 1 : fabs(all->row_impulses[row->friction_row]);
        double upper = factor > 0 ? factor * row->upper : 0, lower = factor > 0 ? factor * row->lower : 0;
        double size = 1e-300 + fabs(all->row_impulses[k]);
        keep_worst(&worst, (all->row_impulses[k] - upper) / size);
        keep_worst(&worst, (lower - all->row_impulses[k]) / size);
    }
    for (size_t k = 0; k < all->problem.body_count; ++k)
        for (int i = 0; i < 6; ++i)
            keep_worst(&worst, isfinite(all->velocities[k][i]) ? 0 : INFINITY);
    return worst;
}

int main(void)
{
    static own all, again;
    dry_solver *first = new_solver(), *second = new_solver();
    double worst_bound = 0, worst_balance = 0, differ = 0, refused = 0, solved = 0, other = 0;
    for (int round = 0; round < 10000; ++round) {
        dry_settings settings = default_settings();
        settings.sweep = (dry_sweep)below(4);
        settings.solver = (dry_solver_kind)below(4); /* PGS, PGS_ACCELERATED, NEWTON, APGD */
        settings.projection = (dry_projection)below(3);
        settings.warm_start = below(2) ? DRY_WARM_HISTORY : DRY_WARM_GUARDED;
        settings.friction_law = (dry_friction_law)below(3);
        settings.iterations = 1 + below(60);
        settings.tolerance = below(2) ? 0 : 1e-9;
        random_problem(&all);
        dry_status status = dry_solver_solve(first, &all.problem, &settings, &all.solution);
        again = all;
        memset(again.velocities, 0, sizeof again.velocities);
        again.solution.velocities = again.velocities[0];
        again.solution.contacts = NULL;
        again.solution.row_impulses = NULL;
        again.solution.report = NULL;
        differ += dry_solver_solve(second, &all.problem, &settings, &again.solution) != status;
        if (status == DRY_ERR_ARGUMENT) {
            ++refused; /* both bodies the same or immovable, or a row that nothing moves */
            continue;
        }
        if (status != DRY_OK) {
            char message[256] = "";
            (void)dry_last_error(message, sizeof message, NULL);
            printf("FAIL round %d: %s: %s\n", round, dry_status_name(status), message);
            ++other;
            continue;
        }
        ++solved;
        differ += memcmp(all.velocities, again.velocities, sizeof all.velocities) != 0;
        keep_worst(&worst_bound, outside(&all, settings.friction_law == DRY_FRICTION_BOX));
        keep_worst(&worst_balance, own_balance_error(&all));
    }
    check_at_least("random problems solved", solved, 1000);
    check_at_least("random problems refused", refused, 1000);
    check_at_most("random problems neither solved nor refused", other, 0);
    /* round-off of a vector's parts, and of sums of up to 30 impulses */
    check_at_most("impulses outside their bounds", worst_bound, 1e-14);
    check_at_most("velocities against vhat + M^-1 J^T lambda", worst_balance, 1e-13);
    check_at_most("two solvers that differ", differ, 0);
    dry_solver_destroy(first);
    dry_solver_destroy(second);
    return check_result();
}
