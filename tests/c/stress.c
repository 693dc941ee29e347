/*
 * The stress in a packing: what dry_query_stress says of crystals of spheres whose load is known.
 *
 *   simple cubic   columns that a plate loads: -load / area in every box of whole layers, nothing sideways
 *   face centred   layers in pockets of each other, between walls: hyperstatic, and still the mean over all of it is
 *                  1/V sum x (x) t of the forces t on it from outside, whatever the contact forces inside (Cauchy)
 *
 * Solved to 1e-12 m/s at each contact. A plate of 100 kg on columns of seven contacts may then gain 7e-12 m/s in a step
 * of 1/240 s, which takes 1.7e-7 N of its 1000 N. The crystals are put together with gaps of round-off, and lie still.
 * So 1e-9 of the load is the bound here, and 1e-8 where forces are corrected, to 1e-10 relative over all bodies.
 */
#include "scene.h"

static const double LOAD = 1000, RADIUS = 0.125, STEP = 1.0 / 240, BOUND = 1e-9,
                    CORRECTED = 1e-8;

typedef struct crystal {
    dry_world *world;
    dry_material grain, wall;
    dry_body plate, outside[5]; /* floor, then walls at -x, +x, -y, +y */
    double floor_to_plate;
    double push[3]; /* on the centre of the plate, by its host [N] */
    double weight;  /* of the plate; nothing else has any [N] */
} crystal;

typedef struct region {
    double lower[3], upper[3];
} region;

static double volume(const region *in)
{
    return (in->upper[0] - in->lower[0]) * (in->upper[1] - in->lower[1]) * (in->upper[2] - in->lower[2]);
}

/* `wall_friction` is that of spheres against floor, walls and plate; between spheres it is 0.4. */
static crystal new_crystal(double wall_friction, double gravity, const dry_settings *settings)
{
    crystal made = {0};
    dry_pair_def pair;
    made.world = new_world(settings, gravity);
    made.grain = add_material(made.world, 0.4, 0, 2000);
    made.wall = add_material(made.world, 0, 0, 2000);
    made.weight = LOAD / GRAVITY * gravity;
    MUST(dry_pair_def_init(&pair, sizeof pair));
    pair.friction = wall_friction;
    MUST(dry_material_pair_set(made.world, made.grain, made.wall, &pair));
    made.outside[0] = add_floor(made.world, made.wall);
    return made;
}

/* A square layer of n x n weightless spheres that touch, with its centres at the height z. */
static void add_layer(crystal *to, int n, double z)
{
    dry_shape ball = sphere(to->world, RADIUS);
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
            double x = (2 * i - n + 1) * RADIUS, y = (2 * j - n + 1) * RADIUS;
            dry_body_def def = body_at(ball, to->grain, x, y, z);
            def.gravity_scale = 0;
            add_body(to->world, &def);
        }
}

/* A plate of the weight LOAD where there is gravity, its lower face at `floor_to_plate`. */
static void add_plate(crystal *to, double half_width, double floor_to_plate)
{
    dry_shape slab = box(to->world, half_width, half_width, 0.0625);
    dry_body_def def = body_at(slab, to->wall, 0, 0, floor_to_plate + 0.0625);
    def.mass = LOAD / GRAVITY;
    to->plate = add_body(to->world, &def);
    to->floor_to_plate = floor_to_plate;
}

static void settle(crystal *crystal, int steps)
{
    dry_step_report report = {0};
    for (int k = 0; k < steps; ++k) {
        MUST(dry_body_add_force(crystal->world, crystal->plate, crystal->push, NULL));
        report = step_world(crystal->world, STEP);
    }
    check_at_most("residual of the last step [m/s]", report.residual_max, 1e-12);
}

/* ---- simple cubic ----------------------------------------------------------------------------------- */

/* `layers` layers of 4 x 4 spheres on each other, 1 m wide, and a plate on top. */
static crystal simple_cubic(int layers, double gravity, const dry_settings *settings)
{
    crystal made = new_crystal(0.4, gravity, settings);
    for (int layer = 0; layer < layers; ++layer)
        add_layer(&made, 4, (2 * layer + 1) * RADIUS);
    add_plate(&made, 4 * RADIUS, 2 * layers * RADIUS);
    return made;
}

/* The crystal of `layers` layers from the middle of one layer to that of a higher one. */
static region layers_between(int low, int high)
{
    double width = 4 * RADIUS;
    return (region){{-width, -width, (2 * low + 1) * RADIUS}, {width, width, (2 * high + 1) * RADIUS}};
}

static dry_settings accurate(dry_compatibility correction)
{
    dry_settings settings = default_settings();
    settings.solver = DRY_SOLVER_NEWTON;
    settings.tolerance = 1e-12;
    settings.contact_margin = 1e-4;
    settings.compatibility = correction;
    settings.compatibility_tolerance = 1e-10;
    return settings;
}

static void uniform_load(int pushed)
{
    enum { LAYERS = 6 };
    dry_settings settings = accurate(DRY_COMPATIBILITY_OFF);
    crystal cubic = simple_cubic(LAYERS, pushed ? 0 : GRAVITY, &settings);
    double worst_normal = 0, worst_other = 0, stress[9];
    printf("-- simple cubic, 4 x 4 x %d spheres, plate %s\n", LAYERS, pushed ? "pushed by its host" : "of 1000 N");
    cubic.push[2] = pushed ? -LOAD : 0;
    settle(&cubic, 5);
    for (int low = 0; low < LAYERS; ++low)
        for (int high = low + 1; high < LAYERS; ++high) {
            region in = layers_between(low, high);
            MUST(dry_query_stress(cubic.world, in.lower, in.upper, stress));
            for (int k = 0; k < 8; ++k)
                keep_worst(&worst_other, fabs(stress[k]) / LOAD);
            keep_worst(&worst_normal, fabs(stress[8] / -LOAD - 1)); /* on 1 m^2 */
        }
    check_at_most("sigma_zz of whole layers against -load / area, relative", worst_normal, BOUND);
    check_at_most("the other components against load / area", worst_other, BOUND);
    /* The floor's contacts lie at z = 0, and their branches end there: half a layer's height, all the load. */
    region lowest = {{-0.5, -0.5, -RADIUS}, {0.5, 0.5, RADIUS}};
    MUST(dry_query_stress(cubic.world, lowest.lower, lowest.upper, stress));
    check_at_most("half a layer above the floor, in a box of a whole layer", fabs(stress[8] / LOAD + 0.5), BOUND);
    dry_world_destroy(cubic.world);
}

/* A rigid plate may rest on its 16 columns in many ways, and does after sweeps in random order; elastic columns that are
   alike carry alike. */
static void uniform_columns(dry_compatibility correction)
{
    enum { LAYERS = 6 };
    dry_settings settings = accurate(correction);
    settings.solver = DRY_SOLVER_PGS_ACCELERATED;
    settings.sweep = DRY_SWEEP_RANDOM;
    settings.iterations = 20000;
    crystal cubic = simple_cubic(LAYERS, GRAVITY, &settings);
    double worst_normal = 0, worst_other = 0, stress[9];
    printf("-- simple cubic, corrected by law %d\n", (int)correction);
    settle(&cubic, 1);
    for (int column = 0; column < 16; ++column) {
        region in = layers_between(0, LAYERS - 1);
        for (int axis = 0; axis < 2; ++axis) {
            in.lower[axis] = 2 * RADIUS * ((axis ? column / 4 : column % 4) - 2);
            in.upper[axis] = in.lower[axis] + 2 * RADIUS;
        }
        MUST(dry_query_stress(cubic.world, in.lower, in.upper, stress));
        for (int k = 0; k < 8; ++k)
            keep_worst(&worst_other, fabs(stress[k]) / LOAD);
        keep_worst(&worst_normal, fabs(stress[8] / -LOAD - 1));
    }
    if (correction == DRY_COMPATIBILITY_OFF)
        check_at_least("sigma_zz of the columns against -load / area, worst, relative", worst_normal, 0.01);
    else
        check_at_most("sigma_zz of the columns against -load / area, worst, relative", worst_normal, CORRECTED);
    check_at_most("the other components against load / area", worst_other, CORRECTED);
    dry_world_destroy(cubic.world);
}

/* ---- face centred, between walls --------------------------------------------------------------------- */

/* Layers of 4 x 4 spheres, of which the first and the last are such, with layers of 3 x 3 in the pockets between. The
   larger ones touch all four walls. */
static crystal face_centred(double wall_friction, const dry_settings *settings)
{
    enum { LAYERS = 5 };
    const double half_width = 4 * RADIUS;
    crystal made = new_crystal(wall_friction, GRAVITY, settings);
    made.outside[1] = add_half_space(made.world, made.wall, 1, 0, 0, -half_width);
    made.outside[2] = add_half_space(made.world, made.wall, -1, 0, 0, -half_width);
    made.outside[3] = add_half_space(made.world, made.wall, 0, 1, 0, -half_width);
    made.outside[4] = add_half_space(made.world, made.wall, 0, -1, 0, -half_width);
    for (int layer = 0; layer < LAYERS; ++layer)
        add_layer(&made, 4 - layer % 2, RADIUS * (1 + layer * sqrt(2.0)));
    add_plate(&made, half_width - 0.01, RADIUS * (2 + (LAYERS - 1) * sqrt(2.0)));
    return made;
}

static region whole(const crystal *crystal)
{
    return (region){{-0.75, -0.75, -0.25}, {0.75, 0.75, crystal->floor_to_plate + 0.25}};
}

/* Weight and push act on the plate at its centre. */
static void add_load(const crystal *crystal, double moment[9])
{
    dry_body_state state = state_of(crystal->world, crystal->plate);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            moment[3 * i + j] += state.position[i] * (crystal->push[j] - (j == 2 ? crystal->weight : 0));
}

/*
 * sum x (x) t from the force and torque on each wall alone. Without friction t has one component, along the wall's axis
 * n, and x_n is the same all over the wall. The rest is in the torque: with the axes m and l that follow n cyclically,
 * (x * t)_l = -x_m t_n and (x * t)_m = x_l t_n. The centre of a half-space is the origin.
 */
static void moment_of_smooth_walls(const crystal *crystal, double moment[9])
{
    const double half_width = 4 * RADIUS, offset[5] = {0, -half_width, half_width, -half_width, half_width};
    double tangential = 0;
    memset(moment, 0, 9 * sizeof *moment);
    for (int wall = 0; wall < 5; ++wall) {
        int n = wall == 0 ? 2 : (wall - 1) / 2, m = (n + 1) % 3, l = (n + 2) % 3;
        double force[3], torque[3]; /* on the wall: the packing has the opposite */
        MUST(dry_query_body_force(crystal->world, crystal->outside[wall], force, torque));
        moment[3 * n + n] -= offset[wall] * force[n];
        moment[3 * m + n] += torque[l];
        moment[3 * l + n] -= torque[m];
        keep_worst(&tangential, fmax(fabs(force[m]), fabs(force[l])));
    }
    check_at_most("friction of the smooth walls [N]", tangential, 0);
    add_load(crystal, moment);
}

/* On body b. */
static vec3 compatible_force(const dry_contact *contact)
{
    return add(scale(contact->compatible_normal_force, vec(contact->normal)), vec(contact->compatible_friction_force));
}

/* The same from the contacts with walls, rough ones as well. */
static void moment_of_walls(const crystal *crystal, const contacts *found, double moment[9])
{
    memset(moment, 0, 9 * sizeof *moment);
    for (size_t c = 0; c < found->count; ++c) {
        const dry_contact *contact = &found->at[c];
        vec3 force = compatible_force(contact);
        const double on_b[3] = {force.x, force.y, force.z};
        double sign = 0;
        for (int wall = 0; wall < 5; ++wall)
            sign += (contact->body_a == crystal->outside[wall]) - (contact->body_b == crystal->outside[wall]);
        for (int k = 0; k < 9; ++k)
            moment[k] += sign * contact->point[k / 3] * on_b[k % 3];
    }
    add_load(crystal, moment);
}

/* -1/V sum l (x) f, summed here, with the compatible forces. `start` holds the states before the step. */
static void stress_summed(const bodies *all, const dry_body_state *start, const contacts *found, const region *in,
                          double stress[9])
{
    memset(stress, 0, 9 * sizeof *stress);
    for (size_t c = 0; c < found->count; ++c) {
        const dry_contact *contact = &found->at[c];
        int inside = 1;
        for (int axis = 0; axis < 3; ++axis)
            inside &= in->lower[axis] <= contact->point[axis] && contact->point[axis] < in->upper[axis];
        if (!inside)
            continue;
        size_t a = body_index(all, contact->body_a), b = body_index(all, contact->body_b);
        vec3 from = all->mass[a] > 0 ? body_center(all, a, &start[a]) : vec(contact->point);
        vec3 to = all->mass[b] > 0 ? body_center(all, b, &start[b]) : vec(contact->point);
        vec3 l = sub(to, from), f = compatible_force(contact);
        const double branch[3] = {l.x, l.y, l.z}, force[3] = {f.x, f.y, f.z};
        for (int k = 0; k < 9; ++k)
            stress[k] -= branch[k / 3] * force[k % 3] / volume(in);
    }
}

/* Boxes that tile the whole: each is what is summed here, and all together are the stress of the whole. */
static void compare_parts(const crystal *crystal, const bodies *all, const dry_body_state *start,
                          const contacts *found, const double mean[9])
{
    const region in = whole(crystal);
    double sum[9] = {0}, worst = 0, worst_sum = 0, largest = 0;
    for (int part = 0; part < 27; ++part) {
        const int at[3] = {part % 3, part / 3 % 3, part / 9};
        region third = in;
        double found_here[9], expected[9];
        for (int axis = 0; axis < 3; ++axis) {
            double side = in.upper[axis] - in.lower[axis];
            if (at[axis] > 0)
                third.lower[axis] = in.lower[axis] + side * at[axis] / 3;
            if (at[axis] < 2)
                third.upper[axis] = in.lower[axis] + side * (at[axis] + 1) / 3;
        }
        MUST(dry_query_stress(crystal->world, third.lower, third.upper, found_here));
        stress_summed(all, start, found, &third, expected);
        for (int k = 0; k < 9; ++k) {
            keep_worst(&worst, fabs(found_here[k] - expected[k]));
            keep_worst(&largest, fabs(found_here[k]));
            sum[k] += found_here[k] * volume(&third) / volume(&in);
        }
    }
    for (int k = 0; k < 9; ++k)
        keep_worst(&worst_sum, fabs(sum[k] - mean[k]));
    /* sums of some hundred terms in another order */
    check_at_most("27 boxes: stress against the sum over contacts made here, relative", worst / largest, 1e-13);
    check_at_most("27 boxes: all together against the stress of the whole, relative", worst_sum / largest, 1e-13);
}

static double apart(const double stress[9], const double moment[9], double volume)
{
    double worst = 0;
    for (int k = 0; k < 9; ++k)
        keep_worst(&worst, fabs(stress[k] * volume - moment[k]));
    return worst;
}

/* More components of contact forces than equations: 3 for each contact that carries, 6 for each body. */
static double redundancy(const contacts *found, const bodies *all)
{
    double active = 0, moving = 0;
    for (size_t c = 0; c < found->count; ++c)
        active += (found->at[c].state & DRY_CONTACT_ACTIVE) != 0;
    for (size_t i = 0; i < all->count; ++i)
        moving += all->mass[i] > 0;
    return 3 * active - 6 * moving;
}

static double change(const contacts *found)
{
    double most = 0;
    for (size_t c = 0; c < found->count; ++c)
        most = fmax(most, norm(sub(compatible_force(&found->at[c]), contact_force(&found->at[c]))));
    return most;
}

static void hyperstatic(double wall_friction, dry_compatibility correction)
{
    dry_settings settings = accurate(correction);
    const double bound = correction == DRY_COMPATIBILITY_OFF ? BOUND : CORRECTED;
    crystal packing = face_centred(wall_friction, &settings);
    bodies all = bodies_of(packing.world);
    dry_body_state *start = allocate(all.count, sizeof *start);
    contacts found = {0};
    double stress[9], moment[9];
    printf("-- face centred between walls, friction of the walls %g, corrected by law %d\n", wall_friction,
           (int)correction);
    packing.push[0] = wall_friction > 0 ? 100 : 0; /* a third of what friction holds: shear */
    packing.push[1] = wall_friction > 0 ? -40 : 0;
    settle(&packing, 4);
    bodies_read(packing.world, &all);
    memcpy(start, all.state, all.count * sizeof *start);
    settle(&packing, 1);
    contacts_read(packing.world, &found);
    const region in = whole(&packing);
    const double unit = LOAD * packing.floor_to_plate;
    MUST(dry_query_stress(packing.world, in.lower, in.upper, stress));
    check_at_least("components of contact forces beyond the equations", redundancy(&found, &all), 100);
    check_at_least("sideways stress over upright stress", stress[0] / stress[8], 0.05);
    if (wall_friction > 0)
        check_at_least("shear stress over upright stress", stress[2] / -stress[8], 0.01);
    moment_of_walls(&packing, &found, moment);
    check_at_most("V sigma against sum x (x) t, from contacts of the walls", apart(stress, moment, volume(&in)) / unit,
                  bound);
    if (correction != DRY_COMPATIBILITY_OFF)
        check_at_least("largest change of a force by the correction over the load", change(&found) / LOAD, 1e-3);
    else if (wall_friction == 0) {
        moment_of_smooth_walls(&packing, moment);
        check_at_most("V sigma against sum x (x) t, from forces and torques on walls",
                      apart(stress, moment, volume(&in)) / unit, bound);
    }
    compare_parts(&packing, &all, start, &found, stress);
    free(found.at);
    free(start);
    bodies_free(&all);
    dry_world_destroy(packing.world);
}

/* ---- nothing there, and what is no box ------------------------------------------------------------------ */

static double largest(const dry_world *world, const region *in)
{
    double stress[9], worst = 0;
    MUST(dry_query_stress(world, in->lower, in->upper, stress));
    for (int k = 0; k < 9; ++k)
        keep_worst(&worst, fabs(stress[k]));
    return worst;
}

static void nothing_there(void)
{
    crystal cubic = simple_cubic(2, GRAVITY, NULL);
    const region in = whole(&cubic), above = {{-1, -1, 5}, {1, 1, 6}}, on_top = {{-1, -1, 0.4}, {1, 1, 0.6}};
    const region thin = {{0, 0, 0}, {1e-100, 1e-100, 1e-100}};
    printf("-- nothing there\n");
    check_at_most("before the first step", largest(cubic.world, &in), 0);
    step_world(cubic.world, STEP);
    check_at_least("after it", largest(cubic.world, &in), 100);
    check_at_most("in an empty box", largest(cubic.world, &above), 0);
    check_at_most("in an empty box of 1e-300 m^3", largest(cubic.world, &thin), 0);
    check_at_least("under the plate", largest(cubic.world, &on_top), 100);
    MUST(dry_body_remove(cubic.world, cubic.plate));
    check_at_most("under the plate that was removed", largest(cubic.world, &on_top), 0);
    check_at_least("elsewhere, then", largest(cubic.world, &in), 100);
    dry_world_destroy(cubic.world);
}

int main(void)
{
    uniform_load(0);
    uniform_load(1);
    uniform_columns(DRY_COMPATIBILITY_OFF);
    uniform_columns(DRY_COMPATIBILITY_HOOKE);
    uniform_columns(DRY_COMPATIBILITY_HERTZ);
    hyperstatic(0, DRY_COMPATIBILITY_OFF);
    hyperstatic(0.3, DRY_COMPATIBILITY_OFF);
    hyperstatic(0.3, DRY_COMPATIBILITY_HOOKE);
    hyperstatic(0.3, DRY_COMPATIBILITY_HERTZ);
    nothing_there();
    return check_result();
}
