/*
 * The compatibility correction with friction: what the normal form leaves, and the associated and the elastic form
 * against closed forms and against each other; own problems and worlds.
 */
#include "compatible.h"

static const double STEP = 0.01;

/* Of impulses of 0.1 N s, and of forces in units of a weight. */
static const double EXACT = 1e-12;

static const dry_compatible_friction forms[2] = {DRY_COMPATIBLE_FRICTION_ASSOCIATED, DRY_COMPATIBLE_FRICTION_ELASTIC};
static const char *const form_names[2] = {"associated", "elastic"};

/* ---- a beam that is pushed along itself ------------------------------------------------------------------ */

/* On supports at -1, 0, 1, with these impulses on the middle one alone; 0.1 N s of weight. */
typedef struct pushed {
    double normal[3], friction[3];
    dry_step_report report;
} pushed;

static pushed push(const dry_settings *settings, const double *stiffness, const double *mu, double tangential)
{
    static const double x[3] = {-1, 0, 1};
    own all;
    pushed answer = {.report = {.struct_size = sizeof answer.report}};
    double given[3][3] = {{0}}, found[3][3];
    dry_solver *solver = new_solver();
    own_beam(&all, STEP, 10, 0, 3, x, stiffness);
    for (int k = 0; k < 3; ++k)
        all.contacts[k].friction = mu[k];
    all.bodies[0].velocity[0] = -tangential;
    given[1][0] = tangential;
    given[1][2] = 0.1;
    MUST(dry_solver_correct(solver, &all.problem, settings, given[0], found[0], &answer.report));
    for (int k = 0; k < 3; ++k) {
        answer.normal[k] = found[k][2];
        answer.friction[k] = found[k][0];
        if (found[k][1] != 0)
            answer.friction[k] = INFINITY;
    }
    dry_solver_destroy(solver);
    return answer;
}

/* Normal forces alone: friction stays on the middle support, beyond what its part of the weight allows. */
static void friction_left_alone(void)
{
    static const double stiffness[3] = {1, 3, 1}, mu[3] = {0.5, 0.5, 0.5}, expected[3] = {0.02, 0.06, 0.02};
    dry_settings settings = corrected_settings(DRY_COMPATIBILITY_HOOKE);
    settings.compatible_friction = DRY_COMPATIBLE_FRICTION_OFF;
    for (int beyond = 0; beyond < 2; ++beyond) {
        double tangential = beyond ? 0.031 : 0.029; /* the bound is 0.5 * 0.06 */
        pushed found = push(&settings, stiffness, mu, tangential);
        check_at_most("normal form: normal impulses 0.02, 0.06, 0.02 [N s]", farthest(3, found.normal, expected),
                      EXACT);
        check_true("normal form: friction unchanged, bit for bit",
                   found.friction[0] == 0 && found.friction[1] == tangential && found.friction[2] == 0);
        check_at_most("normal form: contacts beyond their friction", found.report.contacts_beyond_friction, beyond);
        check_at_least("normal form: contacts beyond their friction", found.report.contacts_beyond_friction, beyond);
    }
}

/* All supports are sheared alike, since they lie in one plane: friction in proportion to the stiffness, whatever
   the ratio of tangential to normal stiffness and whatever the exponent. */
static void all_stick(void)
{
    static const dry_compatibility laws[3] = {DRY_COMPATIBILITY_HOOKE, DRY_COMPATIBILITY_HERTZ,
                                              DRY_COMPATIBILITY_POWER};
    static const double stiffness[3] = {1, 3, 1}, mu[3] = {0.5, 0.5, 0.5};
    static const double normal[3] = {0.02, 0.06, 0.02}, friction[3] = {0.008, 0.024, 0.008};
    static const double ratios[3] = {0.01, 2.0 / 7, 10};
    for (int form = 0; form < 2; ++form)
        for (int k = 0; k < 3; ++k) {
            dry_settings settings = corrected_settings(laws[k]);
            settings.compatible_friction = forms[form];
            settings.tangential_stiffness = ratios[k];
            settings.compatibility_exponent = 1.7;
            pushed found = push(&settings, stiffness, mu, 0.04);
            printf("-- beam that sticks, %s, law %d, tangential stiffness %g\n", form_names[form], k, ratios[k]);
            check_at_most("normal impulses [N s]", farthest(3, found.normal, normal), EXACT);
            check_at_most("friction [N s]", farthest(3, found.friction, friction), EXACT);
            check_true("the report: nothing beyond friction, nothing not found",
                       found.report.flags == 0 && found.report.contacts_beyond_friction == 0 &&
                           found.report.associated_islands == 0);
        }
}

/* A support without friction carries none; the others share it. What slides there has nothing to lift it. */
static void one_is_smooth(void)
{
    static const double stiffness[3] = {1, 1, 1}, mu[3] = {0, 0.5, 0.5};
    static const double normal[3] = {0.1 / 3, 0.1 / 3, 0.1 / 3}, friction[3] = {0, 0.015, 0.015};
    for (int form = 0; form < 2; ++form) {
        dry_settings settings = corrected_settings(DRY_COMPATIBILITY_HOOKE);
        settings.compatible_friction = forms[form];
        pushed found = push(&settings, stiffness, mu, 0.03);
        printf("-- beam with one support without friction, %s\n", form_names[form]);
        check_at_most("normal impulses [N s]", farthest(3, found.normal, normal), EXACT);
        check_at_most("friction [N s]", farthest(3, found.friction, friction), EXACT);
    }
}

/*
 * The first support slides, the others stick; all of stiffness 1, and of tangential stiffness r. Moments make the
 * outer normal impulses equal, F, so that the middle one is 0.1 - 2 F. With the pressings c = (a - b, a, a + b):
 *
 *     elastic: F = a - b = a + b = 0.1/3, friction mu F there, half of the rest at each of the others.
 *     associated: a + b = F and a = 0.1 - 2 F, so that a - b = 0.2 - 5 F. The trial (a - b, sqrt(r) s) goes to the
 *     nearest point (F, nu F) of the cone of slope nu = mu / sqrt(r): (1 + nu^2) F = a - b + nu sqrt(r) s; and
 *     2 r s = T - mu F: F (6 + 3/2 mu^2 / r) = 0.2 + mu T / (2 r).
 */
static void one_slides(void)
{
    static const double stiffness[3] = {1, 1, 1}, mu[3] = {0.1, 0.5, 0.5};
    double r = 2.0 / 7, t = 0.03;
    for (int form = 0; form < 2; ++form) {
        dry_settings settings = corrected_settings(DRY_COMPATIBILITY_HOOKE);
        settings.compatible_friction = forms[form];
        settings.tangential_stiffness = r;
        double f = form ? 0.1 / 3 : (0.2 + mu[0] * t / (2 * r)) / (6 + 1.5 * mu[0] * mu[0] / r);
        double rest = 0.5 * (t - mu[0] * f);
        const double normal[3] = {f, 0.1 - 2 * f, f}, friction[3] = {mu[0] * f, rest, rest};
        pushed found = push(&settings, stiffness, mu, t);
        printf("-- beam of which one support slides, %s\n", form_names[form]);
        check_at_most("normal impulses [N s]", farthest(3, found.normal, normal), EXACT);
        check_at_most("friction [N s]", farthest(3, found.friction, friction), EXACT);
        check_true("the report: found", found.report.flags == 0 && found.report.associated_islands == 0);
    }
}

/* Pushed harder than all friction together holds, 0.05 N s: no forces do that. */
static void beyond_all_friction(void)
{
    static const double stiffness[3] = {1, 3, 1}, mu[3] = {0.5, 0.5, 0.5};
    for (int form = 0; form < 2; ++form)
        for (int far = 0; far < 2; ++far) {
            dry_settings settings = corrected_settings(DRY_COMPATIBILITY_HOOKE);
            settings.compatible_friction = forms[form];
            double t = far ? 5 : 0.06;
            pushed found = push(&settings, stiffness, mu, t);
            printf("-- beam pushed by %g N s, %s\n", t, form_names[form]);
            check_true("said to be infeasible",
                       found.report.flags == (DRY_REPORT_COMPATIBILITY_INFEASIBLE | DRY_REPORT_COMPATIBILITY_NOT_UNIQUE) &&
                           found.report.infeasible_islands == 1);
            check_true("impulses as they were, bit for bit",
                       found.normal[0] == 0 && found.normal[1] == 0.1 && found.normal[2] == 0 &&
                           found.friction[0] == 0 && found.friction[1] == t && found.friction[2] == 0);
        }
}

/* ---- worlds at rest ------------------------------------------------------------------------------------- */

typedef struct rest_errors {
    double balance, cone, residual;
    int sliding;
} rest_errors;

/* Of the last step: compatible forces and weight on each body, forces and moments, in units of its weight; and the
   cones. */
static rest_errors errors_at_rest(dry_world *w, vec3 gravity, contacts *found)
{
    rest_errors worst = {0};
    bodies all = bodies_of(w);
    vec3 *force = allocate(2 * all.count, sizeof *force), *moment = force + all.count;
    contacts_read(w, found);
    for (size_t c = 0; c < found->count; ++c) {
        const dry_contact *contact = &found->at[c];
        vec3 friction = vec(contact->compatible_friction_force);
        double normal = contact->compatible_normal_force;
        vec3 both = add(scale(normal, vec(contact->normal)), friction);
        size_t body[2] = {body_index(&all, contact->body_a), body_index(&all, contact->body_b)};
        for (int side = 0; side < 2; ++side) {
            vec3 signed_force = scale(side ? 1 : -1, both);
            vec3 arm = sub(vec(contact->point), body_center(&all, body[side], &all.state[body[side]]));
            force[body[side]] = add(force[body[side]], signed_force);
            moment[body[side]] = add(moment[body[side]], cross(arm, signed_force));
        }
        double excess = fmax(-normal, norm(friction) - contact->friction * normal);
        keep_worst(&worst.cone, excess / fmax(normal, 1e-300) * (excess > 1e-16));
        keep_worst(&worst.cone, fabs(dot(friction, vec(contact->normal))) / fmax(norm(friction), 1e-300));
        worst.sliding += norm(friction) > contact->friction * normal * (1 - 1e-9) && normal > 0;
    }
    for (size_t k = 0; k < all.count; ++k) {
        double weight = all.mass[k] * norm(gravity);
        double size = sqrt((all.inertia[k][0] + all.inertia[k][1]) / all.mass[k]);
        if (all.mass[k] == 0)
            continue;
        keep_worst(&worst.balance, norm(add(force[k], scale(all.mass[k], gravity))) / weight);
        keep_worst(&worst.balance, norm(moment[k]) / (weight * size));
    }
    free(force);
    bodies_free(&all);
    return worst;
}

/* Steps a world into a step that is solved to 1e-13 m/s and corrected by this form. */
static dry_step_report corrected_step(dry_world *w, dry_compatible_friction form)
{
    dry_settings settings;
    MUST(dry_world_get_settings(w, &settings, sizeof settings));
    settings.solver = DRY_SOLVER_NEWTON;
    settings.tolerance = 1e-13;
    settings.compatibility = DRY_COMPATIBILITY_HOOKE;
    settings.compatible_friction = form;
    settings.compatibility_tolerance = 1e-13;
    MUST(dry_world_set_settings(w, &settings));
    return step_world(w, 0.001);
}

static void check_rest(const rest_errors *found, const dry_step_report *report)
{
    check_true("solved, corrected, nothing beyond friction",
               report->flags == 0 && report->contacts_beyond_friction == 0 && report->infeasible_islands == 0);
    check_at_most("compatible forces and moments and the weight, of each body", found->balance, 1e-10);
    check_at_most("compatible forces outside the cone", found->cone, 1e-12);
}

/* A block of 2 x 1 x 0.6 m held by friction where gravity pulls along the floor too, by a fifth. Its corners are
   sheared alike: a quarter of m g_x each; and pressed in proportion to the moment: m g_z / 4 +- c m g_x / (4 a). */
static void block_on_a_slope(void)
{
    const double gravity[3] = {2, 0, -10}, a = 1, c = 0.3, m = 1;
    for (int form = 0; form < 2; ++form) {
        dry_world *w = new_world(NULL, 10);
        dry_material material = add_material(w, 0.5, 0, 1000);
        add_floor(w, material);
        dry_body_def def = body_at(box(w, a, 0.5, c), material, 0, 0, c);
        def.mass = m;
        add_body(w, &def);
        MUST(dry_world_set_gravity(w, gravity));
        contacts found = {0};
        dry_step_report report = corrected_step(w, forms[form]);
        rest_errors errors = errors_at_rest(w, vec(gravity), &found);
        double worst = 0;
        for (size_t k = 0; k < found.count; ++k) {
            double normal = m * 10 / 4 + (found.at[k].point[0] > 0 ? 1 : -1) * c * m * 2 / (4 * a);
            double sign = found.at[k].normal[2]; /* force on body b: the block, or the floor */
            keep_worst(&worst, fabs(found.at[k].compatible_normal_force - normal));
            keep_worst(&worst, fabs(found.at[k].compatible_friction_force[0] + sign * m * 2 / 4));
        }
        printf("-- block on a slope, %s\n", form_names[form]);
        check_true("four corners, none slides", found.count == 4 && errors.sliding == 0);
        check_at_most("forces of the corners [N]", worst, 1e-10);
        check_rest(&errors, &report);
        free(found.at);
        dry_world_destroy(w);
    }
}

/* A ball on four fixed ones, touched at 45 degrees: it sinks by d, which presses by d cos 45 and shears by
   d sin 45. So friction is r = 2/7 of the normal force, which is m g / 4 / (cos 45 (1 + r)). */
static void ball_on_four(void)
{
    for (int form = 0; form < 2; ++form) {
        dry_settings settings = default_settings();
        settings.contact_margin = 1e-4;
        dry_world *w = new_world(&settings, 10);
        dry_material material = add_material(w, 0.5, 0, 1000);
        dry_shape ball = sphere(w, 0.5);
        for (int k = 0; k < 4; ++k) {
            dry_body_def def = body_at(ball, material, k % 2 ? 0.5 : -0.5, k / 2 ? 0.5 : -0.5, 0);
            def.kind = DRY_STATIC;
            add_body(w, &def);
        }
        dry_body_def def = body_at(ball, material, 0, 0, sqrt(0.5));
        def.mass = 1;
        add_body(w, &def);
        contacts found = {0};
        dry_step_report report = corrected_step(w, forms[form]);
        rest_errors errors = errors_at_rest(w, (vec3){0, 0, -10}, &found);
        double worst = 0, normal = 10.0 / 4 / (sqrt(0.5) * (1 + 2.0 / 7));
        for (size_t k = 0; k < found.count; ++k) {
            keep_worst(&worst, fabs(found.at[k].compatible_normal_force - normal));
            keep_worst(&worst, fabs(norm(vec(found.at[k].compatible_friction_force)) - normal * 2 / 7));
        }
        printf("-- ball on four, %s\n", form_names[form]);
        check_true("four contacts, none slides", found.count == 4 && errors.sliding == 0);
        check_at_most("normal forces and friction [N]", worst, 1e-10);
        check_rest(&errors, &report);
        free(found.at);
        dry_world_destroy(w);
    }
}

/* A pyramid of spheres: here much slides in the correction, though nothing moves. */
static void pyramid_with_friction(void)
{
    for (int form = 0; form < 2; ++form) {
        dry_settings settings = default_settings();
        settings.contact_margin = 5e-5;
        dry_world *w = cannonball_pyramid(4, 0.2, &settings);
        for (int k = 0; k < 200; ++k)
            step_world(w, 0.001);
        contacts found = {0};
        dry_step_report report = corrected_step(w, forms[form]);
        rest_errors errors = errors_at_rest(w, (vec3){0, 0, -GRAVITY}, &found);
        printf("-- pyramid of base 4, friction 0.2, %s: %d contacts on the cone\n", form_names[form], errors.sliding);
        check_rest(&errors, &report);
        check_at_least("contacts on the cone", errors.sliding, 1);
        free(found.at);
        dry_world_destroy(w);
    }
}

int main(void)
{
    friction_left_alone();
    all_stick();
    one_is_smooth();
    one_slides();
    beyond_all_friction();
    block_on_a_slope();
    ball_on_four();
    pyramid_with_friction();
    return check_result();
}
