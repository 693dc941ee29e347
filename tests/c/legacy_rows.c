/*
 * One and the same scene as a legacy module states it, in rows (one that presses, two across it whose bounds are
 * friction times its impulse), and as contacts with DRY_FRICTION_BOX: the same velocities. In the scenes here velocities
 * are determined by the equations, forces are not.
 */
#include "problem.h"

static const double STEP = 0.01;

/* The directions across a normal that the library's header names. */
static void tangents(const double n[3], vec3 *t1, vec3 *t2)
{
    double x = n[0], y = n[1], z = n[2], s = z >= 0 ? 1 : -1, c = 1 / (s + z);
    *t1 = (vec3){1 - s * c * x * x, -s * c * x * y, -s * x};
    *t2 = (vec3){-c * x * y, s - c * y * y, -y};
}

static dry_problem_row *add_row(own *all, const dry_problem_contact *contact, vec3 direction)
{
    dry_problem_row *row = own_row(all, contact->body_a, contact->body_b);
    vec3 back = scale(-1, direction);
    vec3 turn_a = cross(vec(contact->arm_a), back), turn_b = cross(vec(contact->arm_b), direction);
    memcpy(row->jacobian_a, &back, sizeof back);
    memcpy(row->jacobian_a + 3, &turn_a, sizeof turn_a);
    memcpy(row->jacobian_b, &direction, sizeof direction);
    memcpy(row->jacobian_b + 3, &turn_b, sizeof turn_b);
    return row;
}

/* The contacts of `from` as rows. */
static void as_rows(const own *from, own *to)
{
    own_begin(to, STEP);
    memcpy(to->bodies, from->bodies, sizeof to->bodies);
    to->problem.body_count = from->problem.body_count;
    for (size_t k = 0; k < from->problem.contact_count; ++k) {
        const dry_problem_contact *contact = &from->contacts[k];
        vec3 t[2];
        tangents(contact->normal, &t[0], &t[1]);
        int32_t normal = (int32_t)to->problem.row_count;
        dry_problem_row *row = add_row(to, contact, vec(contact->normal));
        row->rhs = -contact->normal_bias;
        row->lower = 0;
        for (int i = 0; i < 2; ++i) {
            row = add_row(to, contact, t[i]);
            row->rhs = dot(t[i], vec(contact->surface_velocity));
            row->lower = -contact->friction;
            row->upper = contact->friction;
            row->friction_row = normal;
        }
    }
}

/* Both forms, each by a solver of its own, to round-off. */
static void same_velocities(const own *scene, const char *name)
{
    static own contacts, rows;
    char line[96];
    dry_solver *first = new_solver(), *second = new_solver();
    dry_settings settings = settled_settings(1e-13);
    double differ = 0, moving = 0, normals = 0, pressed = 0;
    contacts = *scene;
    settings.friction_law = DRY_FRICTION_BOX;
    own_begin(&contacts, STEP); /* the pointers of the copy */
    memcpy(contacts.bodies, scene->bodies, sizeof contacts.bodies);
    memcpy(contacts.contacts, scene->contacts, sizeof contacts.contacts);
    contacts.problem.body_count = scene->problem.body_count;
    contacts.problem.contact_count = scene->problem.contact_count;
    own_solve(&contacts, first, &settings);
    own_check(&contacts, name);
    as_rows(scene, &rows);
    settings.friction_law = DRY_FRICTION_COULOMB; /* rows do not use it */
    settings.sweep = DRY_SWEEP_SYMMETRIC;         /* another way to the same velocities */
    own_solve(&rows, second, &settings);
    own_check(&rows, name);
    for (size_t k = 0; k < scene->problem.body_count; ++k)
        for (int i = 0; i < 6; ++i) {
            keep_worst(&differ, fabs(contacts.velocities[k][i] - rows.velocities[k][i]));
            keep_worst(&moving, fabs(rows.velocities[k][i]));
        }
    for (size_t k = 0; k < scene->problem.contact_count; ++k)
        normals += contacts.solved[k].normal_impulse - rows.row_impulses[3 * k];
    for (size_t k = 0; k < scene->problem.contact_count; ++k)
        pressed += rows.row_impulses[3 * k];
    snprintf(line, sizeof line, "%s: rows and contacts, velocities", name);
    check_at_most(line, differ, 1e-9);
    snprintf(line, sizeof line, "%s: rows and contacts, sum of the normal impulses", name);
    check_at_most(line, fabs(normals), 1e-9);
    snprintf(line, sizeof line, "%s: something moves", name);
    check_at_least(line, moving, 0.1);
    snprintf(line, sizeof line, "%s: something presses", name);
    check_at_least(line, pressed, 0.1);
    dry_solver_destroy(first);
    dry_solver_destroy(second);
}

/* A stack of `count` cubes of which each is faster than the one below it: all faces slide, or some grip. */
static void stack(own *all, int count, double friction, double dx, double dy)
{
    uint32_t below = UINT32_MAX;
    own_begin(all, STEP);
    for (int k = 0; k < count; ++k) {
        uint32_t cube = own_cube(all, 3 - 0.5 * k, 0.5, 1 + dx * k);
        all->bodies[cube].velocity[1] = dy * (k + 1);
        own_corners(all, below, cube, 0.5, friction, 0);
        below = cube;
    }
}

/* A cube that lies askew on a slope whose normal is along no axis, with a spin about it. */
static void slope(own *all)
{
    const vec3 normal = unit((vec3){0.3, -0.2, 1}), along = unit(cross((vec3){0, 1, 0}, normal)),
               across = cross(normal, along);
    own_begin(all, STEP);
    uint32_t cube = own_cube(all, 2, 0.4, -0.7);
    all->bodies[cube].angular_velocity[2] = 0.5;
    for (int k = 0; k < 4; ++k) {
        vec3 corner = add(scale(k % 2 ? 0.4 : -0.4, along), scale(k / 2 ? 0.4 : -0.4, across));
        own_contact(all, UINT32_MAX, cube, normal, (vec3){0, 0, 0}, sub(corner, scale(0.4, normal)), 0.3);
    }
    all->contacts[2].normal_bias = 1e-3;
    all->contacts[3].surface_velocity[1] = 0.02;
}

/* The law itself: each direction across the normal on its own, mu g h of speed lost along both. */
static void diagonal(void)
{
    static own all;
    dry_solver *solver = new_solver();
    dry_settings settings = default_settings();
    settings.friction_law = DRY_FRICTION_BOX;
    own_begin(&all, STEP);
    uint32_t ball = own_body(&all, 2, 0.2, 0.2, 0.2);
    all.bodies[ball].velocity[0] = 3;
    all.bodies[ball].velocity[1] = -3;
    all.bodies[ball].velocity[2] = -GRAVITY * STEP;
    own_contact(&all, UINT32_MAX, ball, (vec3){0, 0, 1}, (vec3){0, 0, 0}, (vec3){0, 0, -0.5}, 0.1);
    own_solve(&all, solver, &settings);
    double lost = 0.1 * GRAVITY * STEP;
    check_at_most("box friction, sliding along the diagonal: both components lose mu g h",
                  fabs(all.velocities[ball][0] - (3 - lost)) + fabs(all.velocities[ball][1] + (3 - lost)), 1e-14);
    check_true("box friction, sliding along the diagonal: the contact slides",
               (all.solved[0].state & DRY_CONTACT_SLIDING) != 0);
    dry_solver_destroy(solver);

    /* The same in a world, and on Coulomb's cone for comparison: there friction opposes sliding. */
    for (int coulomb = 0; coulomb < 2; ++coulomb) {
        settings.friction_law = coulomb ? DRY_FRICTION_COULOMB : DRY_FRICTION_BOX;
        dry_world *world = new_world(&settings, GRAVITY);
        dry_material material = add_material(world, 0.1, 0, 1000);
        add_floor(world, material);
        dry_body_def def = body_at(sphere(world, 0.5), material, 0, 0, 0.5);
        def.linear_velocity[0] = 3;
        def.linear_velocity[1] = -3;
        dry_body body = add_body(world, &def);
        step_world(world, STEP);
        dry_body_state state = state_of(world, body);
        double expected = 3 - (coulomb ? lost * sqrt(0.5) : lost);
        check_at_most(coulomb ? "a world with Coulomb's cone: speed along each axis"
                              : "a world with box friction: speed along each axis",
                      fabs(state.linear_velocity[0] - expected) + fabs(state.linear_velocity[1] + expected), 1e-14);
        dry_world_destroy(world);
    }
}

int main(void)
{
    static own scene;
    stack(&scene, 1, 0.5, 0, 0.4);
    same_velocities(&scene, "a cube");
    stack(&scene, 3, 0.3, 0.5, 0.2);
    same_velocities(&scene, "three sliding cubes");
    stack(&scene, 4, 0.1, 0, 0); /* so little that it does not tip: tipping has several answers */
    same_velocities(&scene, "four cubes of one speed");
    slope(&scene);
    same_velocities(&scene, "a turning cube on a slope");
    diagonal();
    return check_result();
}
