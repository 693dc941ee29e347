/*
 * The compatibility correction of random clusters: loads that are carried by construction are never said not to be,
 * and loads that nothing carries always are. Up to four bodies and a dozen contacts, free to fly off, near
 * isostatic, with stiffness over two decades.
 */
#include "compatible.h"

enum { PROBLEMS = 400 };

static vec3 any_vector(uint64_t *seed, double low_z)
{
    vec3 v;
    do
        v = (vec3){uniform(seed, -1, 1), uniform(seed, -1, 1), uniform(seed, low_z, 1)};
    while (norm(v) < 0.1);
    return v;
}

/* Bodies and contacts; `given` gets impulses that push, a third of them 0, with friction within 0.9 of its bound. */
static void any_cluster(own *all, uint64_t *seed, int friction, double (*given)[3])
{
    own_begin(all, 0.01);
    uint32_t bodies = 1 + (uint32_t)uniform(seed, 0, 4);
    int contacts = 1 + (int)uniform(seed, 0, 12);
    for (uint32_t b = 0; b < bodies; ++b)
        own_body(all, 1, 0.1, 0.2, 0.3);
    for (int c = 0; c < contacts; ++c) {
        uint32_t b = (uint32_t)uniform(seed, 0, bodies), a = (uint32_t)uniform(seed, 0, bodies + 1);
        vec3 normal = unit(any_vector(seed, -0.2)), arm_a = any_vector(seed, -1), arm_b = any_vector(seed, -1);
        dry_problem_contact *contact =
            own_contact(all, a >= bodies || a == b ? UINT32_MAX : a, b, normal, arm_a, arm_b, uniform(seed, 0, 1));
        contact->stiffness = pow(10, uniform(seed, -1, 1));
        double size = fmax(uniform(seed, -0.5, 1), 0), across = friction ? 0.9 * uniform(seed, 0, 1) : 0;
        vec3 tangent = cross(normal, unit(any_vector(seed, -1)));
        vec3 impulse = add(scale(size, normal), scale(across * contact->friction * size, tangent));
        memcpy(given[c], &impulse, sizeof impulse);
    }
}

typedef struct tally {
    int infeasible, unconverged;
    double resultant, pull, cone;
} tally;

/* The sums of what the correction changed on each body, forces and moments, over the given impulses. */
static double changed_resultant(const own *all, double (*given)[3], double (*found)[3])
{
    vec3 force[MAX_ITEMS] = {{0}}, moment[MAX_ITEMS] = {{0}};
    double size = 0, worst = 0;
    for (size_t c = 0; c < all->problem.contact_count; ++c) {
        const dry_problem_contact *contact = &all->contacts[c];
        vec3 change = sub(vec(found[c]), vec(given[c]));
        size += norm(vec(given[c]));
        force[contact->body_b] = add(force[contact->body_b], change);
        moment[contact->body_b] = add(moment[contact->body_b], cross(vec(contact->arm_b), change));
        if (contact->body_a == UINT32_MAX)
            continue;
        force[contact->body_a] = sub(force[contact->body_a], change);
        moment[contact->body_a] = sub(moment[contact->body_a], cross(vec(contact->arm_a), change));
    }
    for (size_t b = 0; b < all->problem.body_count; ++b)
        keep_worst(&worst, norm(force[b]) + norm(moment[b]));
    return size > 0 ? worst / size : worst;
}

static void watch(tally *worst, const own *all, const dry_settings *settings, double (*given)[3])
{
    double found[MAX_ITEMS][3] = {{0}};
    dry_solver *solver = new_solver();
    dry_step_report report = {.struct_size = sizeof report};
    MUST(dry_solver_correct(solver, &all->problem, settings, given[0], found[0], &report));
    dry_solver_destroy(solver);
    worst->infeasible += (report.flags & DRY_REPORT_COMPATIBILITY_INFEASIBLE) != 0;
    worst->unconverged += (report.flags & DRY_REPORT_COMPATIBILITY_NOT_CONVERGED) != 0;
    keep_worst(&worst->resultant, changed_resultant(all, given, found));
    for (size_t c = 0; c < all->problem.contact_count; ++c) {
        vec3 impulse = vec(found[c]), direction = vec(all->contacts[c].normal);
        double normal = dot(impulse, direction), across = norm(sub(impulse, scale(normal, direction)));
        keep_worst(&worst->pull, -normal);
        if (settings->compatible_friction != DRY_COMPATIBLE_FRICTION_OFF)
            keep_worst(&worst->cone, across - all->contacts[c].friction * normal);
    }
}

/* Exponents, and whether doubles hold the displacements that small forces need: c = (f/k)^(1/(p-1)). */
static const struct {
    double p;
    int converges;
} exponents[] = {{1.5, 0}, {2, 1}, {2.5, 1}, {3, 1}, {6, 1}};

static void carried(int friction)
{
    for (size_t n = 0; n < sizeof exponents / sizeof *exponents; ++n) {
        dry_settings settings = corrected_settings(DRY_COMPATIBILITY_POWER);
        settings.compatibility_exponent = exponents[n].p;
        settings.compatibility_tolerance = 1e-8;
        settings.compatible_friction = friction ? DRY_COMPATIBLE_FRICTION_ASSOCIATED : DRY_COMPATIBLE_FRICTION_OFF;
        uint64_t seed = 3;
        tally worst = {0};
        for (int k = 0; k < PROBLEMS; ++k) {
            own all;
            double given[MAX_ITEMS][3] = {{0}};
            any_cluster(&all, &seed, friction, given);
            watch(&worst, &all, &settings, given);
        }
        printf("-- %d clusters %s friction, exponent %g: %d not converged\n", PROBLEMS, friction ? "with" : "without",
               exponents[n].p, worst.unconverged);
        check_at_most("loads that are carried, said not to be", worst.infeasible, 0);
        if (exponents[n].converges)
            check_at_most("not converged", worst.unconverged, 0);
        /* 1e-8 where it converged, 1e-6 where it stopped; moments by arms of 1.7 at most */
        check_at_most("change of the resultants / the impulses", worst.resultant,
                      exponents[n].converges ? 1e-7 : 1e-5);
        check_at_most("impulses that pull [N s]", worst.pull, 1e-14);
        check_at_most("friction beyond its bound [N s]", worst.cone, 1e-14);
    }
}

/* One body on supports within 1 m of its centre, loaded off them by `reach`: what holds it must pull. */
static void not_carried(double reach)
{
    const dry_compatibility laws[2] = {DRY_COMPATIBILITY_HOOKE, DRY_COMPATIBILITY_HERTZ};
    int missed = 0, changed = 0;
    uint64_t seed = 9;
    for (int k = 0; k < PROBLEMS; ++k) {
        own all;
        double given[MAX_ITEMS][3] = {{0}}, found[MAX_ITEMS][3];
        dry_settings settings = corrected_settings(laws[k % 2]);
        settings.compatibility_tolerance = 1e-8;
        settings.compatible_friction = k % 4 < 2 ? DRY_COMPATIBLE_FRICTION_OFF : DRY_COMPATIBLE_FRICTION_ASSOCIATED;
        own_begin(&all, 0.01);
        own_body(&all, 1, 0.1, 0.2, 0.3);
        int supports = 3 + (int)uniform(&seed, 0, 5);
        for (int c = 0; c < supports; ++c) {
            double x = c < 2 ? 2.0 * c - 1 : uniform(&seed, -1, 1);
            vec3 arm = {x, uniform(&seed, -1, 1), -0.3};
            dry_problem_contact *contact = own_contact(&all, UINT32_MAX, 0, (vec3){0, 0, 1}, arm, arm, 0.3);
            contact->stiffness = pow(10, uniform(&seed, -1, 1));
        }
        /* 1 N s at x = 1 + reach, by the supports at -1 and 1 */
        given[0][2] = -0.5 * reach;
        given[1][2] = 1 + 0.5 * reach;
        dry_solver *solver = new_solver();
        dry_step_report report = {.struct_size = sizeof report};
        MUST(dry_solver_correct(solver, &all.problem, &settings, given[0], found[0], &report));
        missed += report.flags != (DRY_REPORT_COMPATIBILITY_INFEASIBLE | DRY_REPORT_COMPATIBILITY_NOT_UNIQUE);
        changed += memcmp(given, found, (size_t)supports * sizeof *given) != 0;
        dry_solver_destroy(solver);
    }
    printf("-- %d bodies loaded %g m off their supports\n", PROBLEMS, reach);
    check_at_most("not said to be infeasible", missed, 0);
    check_at_most("impulses that did not come back as they were", changed, 0);
}

int main(void)
{
    carried(0);
    carried(1);
    not_carried(0.01);
    not_carried(0.5);
    not_carried(5);
    return check_result();
}
