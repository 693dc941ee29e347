/*
 * The compatibility correction of piles: what it leaves alone, steps that start from compatible forces, and a step's
 * forces corrected once more by dry_solver_correct, from what the queries tell.
 */
#include "compatible.h"

/* The forces of a pile that slides and rolls, after so many steps; the caller frees them. */
static contacts pile_forces(const dry_settings *settings, int steps)
{
    dry_world *w = poured_pile(40, 0.1, 0.05, settings);
    contacts found = {0};
    for (int k = 0; k < steps; ++k)
        step_world(w, 0.002);
    contacts_read(w, &found);
    dry_world_destroy(w);
    return found;
}

/* What the correction leaves alone: everything but the compatible forces, bit for bit. */
static void nothing_else_changes(void)
{
    dry_settings settings = default_settings();
    contacts off = pile_forces(&settings, 300);
    settings.compatibility = DRY_COMPATIBILITY_HERTZ;
    settings.compatible_friction = DRY_COMPATIBLE_FRICTION_ASSOCIATED;
    contacts on = pile_forces(&settings, 300), again = pile_forces(&settings, 300);
    int same = on.count == off.count, equal = 1, corrected = 0, repeated = on.count == again.count;
    for (size_t k = 0; same && k < off.count; ++k) {
        dry_contact *a = &off.at[k], *b = &on.at[k];
        repeated = repeated && memcmp(b, &again.at[k], sizeof *b) == 0;
        equal = equal && memcmp(&a->normal_force, &a->compatible_normal_force, sizeof a->normal_force) == 0 &&
                memcmp(a->friction_force, a->compatible_friction_force, sizeof a->friction_force) == 0;
        corrected += b->compatible_normal_force != b->normal_force;
        b->compatible_normal_force = b->normal_force;
        memcpy(b->compatible_friction_force, b->friction_force, sizeof b->friction_force);
        b->stiffness = a->stiffness; /* that of Hertz */
        same = same && memcmp(a, b, sizeof *a) == 0;
    }
    printf("-- a pile of 40 after 300 steps, %zu contacts\n", off.count);
    check_true("off: compatible forces are the forces, bit for bit", equal);
    check_true("on: nothing but compatible forces and stiffness changes, bit for bit", same);
    check_at_least("on: contacts corrected", corrected, 20);
    check_true("on: the same bits again", repeated);
    free(off.at);
    free(on.at);
    free(again.at);
}

/* ---- warm starting ------------------------------------------------------------------------------------- */

/* A pile at rest: a step that starts from the compatible forces of the last one starts balanced. */
static void balanced_start(void)
{
    dry_settings settings = default_settings();
    settings.contact_margin = 5e-5;
    dry_world *w = cannonball_pyramid(5, 0, &settings);
    for (int k = 0; k < 150; ++k)
        step_world(w, 0.001);
    settings.compatibility = DRY_COMPATIBILITY_HOOKE;
    settings.compatibility_tolerance = 1e-12;
    settings.tolerance = 1e-12;
    settings.iterations = 100000;
    settings.warm_start = DRY_WARM_COMPATIBLE;
    MUST(dry_world_set_settings(w, &settings));
    contacts before = {0}, after = {0};
    dry_step_report first = step_world(w, 0.001);
    contacts_read(w, &before);
    dry_step_report second = step_world(w, 0.001);
    contacts_read(w, &after);
    double changed = 0, moved = 0, largest = 0;
    for (size_t k = 0; k < after.count; ++k) {
        keep_worst(&changed, fabs(after.at[k].normal_force - before.at[k].compatible_normal_force));
        keep_worst(&moved, fabs(before.at[k].normal_force - before.at[k].compatible_normal_force));
        keep_worst(&largest, after.at[k].normal_force);
    }
    printf("-- a pyramid of base 5 at rest, started from compatible forces\n");
    check_true("the step that they come from converged", (first.flags | second.flags) == 0);
    check_at_least("what the correction changed / largest force", moved / largest, 0.01);
    check_at_most("sweeps of the next step", second.iterations, 1);
    /* one sweep that moves no contact by more than the tolerance, of the speed g h = 0.01 m/s that the forces stop */
    check_at_most("its forces against them / largest force", changed / largest, 1e-8);
    check_at_most("fastest residual [m/s]", second.residual_max, 1e-12);
    free(before.at);
    free(after.at);
    dry_world_destroy(w);
}

/* Without a correction it is warm starting as usual: the same bits. */
static void uncorrected_start(void)
{
    dry_settings settings = default_settings();
    contacts usual = pile_forces(&settings, 200);
    settings.warm_start = DRY_WARM_COMPATIBLE;
    contacts compatible = pile_forces(&settings, 200);
    check_true("DRY_WARM_COMPATIBLE without a correction is DRY_WARM_HISTORY, bit for bit",
               usual.count == compatible.count && usual.count > 20 &&
                   memcmp(usual.at, compatible.at, usual.count * sizeof *usual.at) == 0);
    free(usual.at);
    free(compatible.at);
}

/* ---- another engine's forces --------------------------------------------------------------------------- */

/* A step's contacts as a host sees them, in another order of contacts and bodies, and its forces for
   dry_solver_correct. */
typedef struct host_problem {
    dry_problem_body *bodies;
    dry_problem_contact *contacts;
    double (*impulses)[3], (*compatible)[3];
    size_t *place; /* of each contact of the world among these */
    dry_problem problem;
} host_problem;

static host_problem make_problem(const bodies *all, const dry_body_state *start, const contacts *found, double h, size_t shift)
{
    host_problem out = {.bodies = allocate(all->count, sizeof *out.bodies),
                .contacts = allocate(found->count, sizeof *out.contacts),
                .impulses = allocate(found->count, sizeof *out.impulses),
                .compatible = allocate(found->count, sizeof *out.compatible),
                .place = allocate(found->count, sizeof *out.place)};
    for (size_t k = 0; k < all->count; ++k) {
        /* spheres; before the contacts act */
        dry_problem_body *body = &out.bodies[(k * 7 + shift) % all->count];
        if (all->mass[k] == 0)
            continue;
        body->inverse_mass = 1 / all->mass[k];
        for (int axis = 0; axis < 3; ++axis) {
            body->inverse_inertia[axis] = 1 / all->inertia[k][axis];
            body->velocity[axis] = start[k].linear_velocity[axis] - (axis == 2 ? GRAVITY * h : 0);
        }
    }
    for (size_t c = 0; c < found->count; ++c) {
        out.place[c] = (c * 11 + shift) % found->count;
        const dry_contact *from = &found->at[c];
        dry_problem_contact *to = &out.contacts[out.place[c]];
        size_t a = body_index(all, from->body_a), b = body_index(all, from->body_b);
        vec3 arm_a = sub(vec(from->point), body_center(all, a, &start[a]));
        vec3 arm_b = sub(vec(from->point), body_center(all, b, &start[b]));
        vec3 impulse = scale(h, contact_force(from));
        to->body_a = (uint32_t)((a * 7 + shift) % all->count);
        to->body_b = (uint32_t)((b * 7 + shift) % all->count);
        memcpy(to->normal, from->normal, sizeof to->normal);
        memcpy(to->arm_a, &arm_a, sizeof to->arm_a);
        memcpy(to->arm_b, &arm_b, sizeof to->arm_b);
        to->friction = from->friction;
        to->stiffness = from->stiffness;
        memcpy(out.impulses[out.place[c]], &impulse, sizeof impulse);
    }
    out.problem = (dry_problem){.struct_size = sizeof out.problem, .step = h, .bodies = out.bodies,
                                .body_count = all->count, .contacts = out.contacts, .contact_count = found->count};
    return out;
}

static void problem_free(host_problem *all)
{
    free(all->bodies);
    free(all->contacts);
    free(all->impulses);
    free(all->compatible);
    free(all->place);
}

/* Corrected alone, in five orders, the forces of a step become those that the world had. */
static void corrected_outside(dry_compatible_friction form)
{
    const double h = 0.001;
    double worst = 0, largest = 0;
    dry_settings settings = default_settings();
    settings.contact_margin = 5e-5;
    dry_world *w = cannonball_pyramid(5, form ? 0.2 : 0, &settings);
    bodies all = bodies_of(w);
    dry_body_state *start = allocate(all.count, sizeof *start);
    contacts found = {0};
    for (int k = 0; k < 200; ++k)
        step_world(w, h);
    settings.compatibility = DRY_COMPATIBILITY_HOOKE;
    settings.compatible_friction = form;
    settings.compatibility_tolerance = 1e-12;
    settings.tolerance = 1e-12;
    settings.iterations = 100000;
    MUST(dry_world_set_settings(w, &settings));
    bodies_read(w, &all);
    memcpy(start, all.state, all.count * sizeof *start);
    dry_step_report report = step_world(w, h);
    contacts_read(w, &found);
    dry_solver *solver = new_solver();
    for (size_t shift = 0; shift < 5; ++shift) {
        dry_step_report outside = {.struct_size = sizeof outside};
        host_problem given = make_problem(&all, start, &found, h, 3 * shift);
        MUST(dry_solver_correct(solver, &given.problem, &settings, given.impulses[0], given.compatible[0], &outside));
        keep_worst(&worst, outside.closed_contacts == report.closed_contacts ? 0 : INFINITY);
        keep_worst(&worst, outside.flags == 0 && report.flags == 0 ? 0 : INFINITY);
        for (size_t c = 0; c < found.count; ++c) {
            const dry_contact *contact = &found.at[c];
            vec3 inside = add(scale(contact->compatible_normal_force, vec(contact->normal)),
                              vec(contact->compatible_friction_force));
            keep_worst(&worst, norm(sub(inside, scale(1 / h, vec(given.compatible[given.place[c]])))));
            keep_worst(&largest, norm(inside));
        }
        problem_free(&given);
    }
    /* compatibility_tolerance of 1e-12, and 30 spheres on 160 contacts */
    check_at_most(form ? "corrected outside, with friction: against the world's, of the largest"
                       : "corrected outside, in five orders: against the world's, of the largest",
                  worst / largest, 1e-10);
    dry_solver_destroy(solver);
    free(start);
    free(found.at);
    bodies_free(&all);
    dry_world_destroy(w);
}

int main(void)
{
    nothing_else_changes();
    balanced_start();
    uncorrected_start();
    printf("-- the forces of a step, corrected by dry_solver_correct\n");
    corrected_outside(DRY_COMPATIBLE_FRICTION_OFF);
    corrected_outside(DRY_COMPATIBLE_FRICTION_ASSOCIATED);
    return check_result();
}
