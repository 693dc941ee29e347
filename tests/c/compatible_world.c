/*
 * The compatibility correction in a world: beams on spheres, and the stiffness of contacts from materials and radii.
 */
#include "compatible.h"

/* [N], of weights around 10 */
static const double EXACT = 1e-10;

static dry_material elastic_material(dry_world *w, double young_modulus, double poisson_ratio, double friction)
{
    dry_material_def def;
    dry_material material;
    MUST(dry_material_def_init(&def, sizeof def));
    def.young_modulus = young_modulus;
    def.poisson_ratio = poisson_ratio;
    def.friction = friction;
    MUST(dry_material_add(w, &def, &material));
    return material;
}

static void set_stiffness(dry_world *w, dry_material first, dry_material second, double stiffness)
{
    dry_pair_def def;
    MUST(dry_pair_def_init(&def, sizeof def));
    def.friction = 0;
    def.stiffness = stiffness;
    MUST(dry_material_pair_set(w, first, second, &def));
}

/* ---- beams --------------------------------------------------------------------------------------------- */

/* A flat box on `count` static spheres below the places x, each of its own material; its centre of mass over
   `center`. */
typedef struct beam {
    dry_world *world;
    dry_material material, of_support[5];
    dry_body support[5];
    size_t count;
} beam;

static beam new_beam(const dry_settings *settings, double weight, double center, size_t count, const double *x,
                     const double *moduli_or_null)
{
    beam all = {.world = new_world(settings, 10), .count = count};
    /* 6 in series with 6/5 is 1 */
    all.material = elastic_material(all.world, 6, 0.25, 0);
    dry_shape ball = sphere(all.world, 0.1);
    for (size_t k = 0; k < count; ++k) {
        all.of_support[k] = elastic_material(all.world, moduli_or_null ? moduli_or_null[k] : 1.2, 0.25, 0);
        dry_body_def def = body_at(ball, all.of_support[k], x[k], 0, -0.1);
        def.kind = DRY_STATIC;
        all.support[k] = add_body(all.world, &def);
    }
    dry_body_def def = body_at(box(all.world, 2.5, 0.2, 0.05), all.material, 0, 0, 0.05);
    def.mass = weight / 10;
    def.center_of_mass[0] = center;
    def.inertia[0] = 0.02 * def.mass;
    def.inertia[1] = def.inertia[2] = 2 * def.mass;
    add_body(all.world, &def);
    return all;
}

/* The compatible force on each support; infinite where it has not one contact. */
static void support_forces(const beam *all, double *found)
{
    contacts touching = {0};
    contacts_read(all->world, &touching);
    for (size_t k = 0; k < all->count; ++k) {
        int number = 0;
        for (size_t c = 0; c < touching.count; ++c) {
            const dry_contact *contact = &touching.at[c];
            if (contact->body_a != all->support[k] && contact->body_b != all->support[k])
                continue;
            found[k] = contact->compatible_normal_force;
            ++number;
        }
        if (number != 1)
            found[k] = INFINITY;
    }
    free(touching.at);
}

static double step_error(beam *all, int steps, const double *expected)
{
    double found[5], worst = 0;
    for (int k = 0; k < steps; ++k) {
        dry_step_report report = step_world(all->world, 0.01);
        support_forces(all, found);
        keep_worst(&worst, farthest(all->count, found, expected));
        keep_worst(&worst, report.flags + report.infeasible_islands + report.contacts_beyond_friction);
        keep_worst(&worst, fabs((double)report.closed_contacts - (double)all->count));
    }
    return worst;
}

static void three_supports(void)
{
    const double x[3] = {-1, 0, 1}, equal[3] = {10.0 / 3, 10.0 / 3, 10.0 / 3}, unequal[3] = {2, 6, 2};
    const double moduli[3] = {1.2, 6, 1.2}; /* 6 in series with 6 is 3 */
    dry_settings settings = corrected_settings(DRY_COMPATIBILITY_HOOKE);
    printf("-- a box of weight 10 on three spheres\n");
    beam all = new_beam(&settings, 10, 0, 3, x, NULL);
    check_at_most("of equal stiffness: 10/3 each, for 20 steps [N]", step_error(&all, 20, equal), EXACT);
    for (int k = 0; k < 3; ++k)
        set_stiffness(all.world, k == 1 ? all.of_support[k] : all.material, k == 1 ? all.material : all.of_support[k],
                      k == 1 ? 3e7 : 1e7);
    check_at_most("of stiffness 1:3:1 by pairs, from the next step on: 2, 6, 2 [N]", step_error(&all, 20, unequal),
                  EXACT);
    settings.compatibility = DRY_COMPATIBILITY_HERTZ;
    MUST(dry_world_set_settings(all.world, &settings));
    check_at_most("the same pairs with Hertz: 2, 6, 2 [N]", step_error(&all, 3, unequal), EXACT);
    dry_world_destroy(all.world);

    settings.compatibility = DRY_COMPATIBILITY_HOOKE;
    settings.warm_start = DRY_WARM_COMPATIBLE;
    all = new_beam(&settings, 10, 0, 3, x, moduli);
    check_at_most("of stiffness 1:3:1 by moduli in series: 2, 6, 2 [N]", step_error(&all, 20, unequal), EXACT);
    dry_world_destroy(all.world);
}

/* Sums of forces k c^(p-1), c = max(a + b x, 0), and their centre: see compatible.c. */
static void five_supports(void)
{
    static const double x[5] = {-2, -1, 0, 1, 2}, stiffness[5] = {2, 7, 4, 1, 3};
    static const double hooke[5] = {0, 0, 4, 3, 15}; /* a = 1, b = 2: 22 N at 33/22 */
    printf("-- a box on five spheres, loaded off its centre\n");
    for (int power = 0; power < 2; ++power) {
        dry_settings settings = corrected_settings(power ? DRY_COMPATIBILITY_POWER : DRY_COMPATIBILITY_HOOKE);
        settings.compatibility_exponent = 1.5; /* a = 1, b = 4: c = 1, 5, 9 */
        const double power_forces[5] = {0, 0, 4, sqrt(5), 9}, *forces = power ? power_forces : hooke;
        double weight = 0, moment = 0;
        for (int k = 0; k < 5; ++k) {
            weight += forces[k];
            moment += forces[k] * x[k];
        }
        beam all = new_beam(&settings, weight, moment / weight, 5, x, NULL);
        for (int k = 0; k < 5; ++k)
            set_stiffness(all.world, all.material, all.of_support[k], stiffness[k]);
        check_at_most(power ? "exponent 1.5: 0, 0, 4, sqrt 5, 9 [N]" : "Hooke: 0, 0, 4, 3, 15 [N]",
                      step_error(&all, 10, forces), EXACT);
        dry_world_destroy(all.world);
    }
}

/* ---- stiffness ------------------------------------------------------------------------------------------- */

/* The stiffness of the only contact between two bodies. */
static double stiffness_between(const contacts *all, dry_body first, dry_body second)
{
    double found = NAN;
    for (size_t c = 0; c < all->count; ++c)
        if ((all->at[c].body_a == first && all->at[c].body_b == second) ||
            (all->at[c].body_a == second && all->at[c].body_b == first))
            found = all->at[c].stiffness;
    return found;
}

/* On a floor, far from each other: a ball with another ball on it, a box, a capsule lying, and a cylinder standing
   and one lying. */
static void stiffness_of_contacts(void)
{
    const double floor_e = 3e9, floor_nu = 0.1, e = 7e8, nu = 0.4, soft_e = 2e7, soft_nu = 0.49, margin = 1e-3;
    dry_settings settings = corrected_settings(DRY_COMPATIBILITY_HERTZ);
    settings.contact_margin = margin;
    dry_world *w = new_world(&settings, 10);
    dry_material ground = elastic_material(w, floor_e, floor_nu, 0.5), hard = elastic_material(w, e, nu, 0.5);
    dry_material soft = elastic_material(w, soft_e, soft_nu, 0.5);
    dry_body floor_body = add_floor(w, ground);
    dry_shape capsule, cylinder;
    MUST(dry_shape_capsule(w, 0.3, 0.15, &capsule));
    MUST(dry_shape_cylinder(w, 0.3, 0.25, &cylinder));
    dry_body_def low = body_at(sphere(w, 0.5), hard, 0, 0, 0.5), high = body_at(sphere(w, 0.2), soft, 0, 0, 1.2);
    dry_body_def cube = body_at(box(w, 0.5, 0.5, 0.5), hard, 10, 0, 0.5), lying = body_at(capsule, hard, 20, 0, 0.15);
    dry_body_def standing = body_at(cylinder, hard, 30, 0, 0.3), rolling = body_at(cylinder, hard, 40, 0, 0.25);
    lying.rotation[0] = lying.rotation[3] = rolling.rotation[0] = rolling.rotation[3] = sqrt(0.5);
    dry_body b[6] = {add_body(w, &low), add_body(w, &high), add_body(w, &cube), add_body(w, &lying),
                     add_body(w, &standing), add_body(w, &rolling)};
    contacts found = {0};
    step_world(w, 1e-4);
    contacts_read(w, &found);
    double star = 1 / ((1 - nu * nu) / e + (1 - floor_nu * floor_nu) / floor_e); /* E* of hard on the floor */
    double star_soft = 1 / ((1 - nu * nu) / e + (1 - soft_nu * soft_nu) / soft_e);
    double series = 1 / (1 / e + 1 / floor_e), hertz = 4.0 / 3;
    double r = 0.5 * 0.2 / (0.5 + 0.2);
    const struct {
        const char *name;
        dry_body first, second;
        double expected;
    } pairs[] = {
        {"ball on the floor: (4/3) E* sqrt(r)", b[0], floor_body, hertz * star * sqrt(0.5)},
        {"ball on ball: (4/3) E* sqrt(r*)", b[0], b[1], hertz * star_soft * sqrt(r)},
        {"box on the floor: moduli in series", b[2], floor_body, series},
        {"capsule on its side: (4/3) E* sqrt(r)", b[3], floor_body, hertz * star * sqrt(0.15)},
        {"cylinder on its end: moduli in series", b[4], floor_body, series},
        {"cylinder on its side: (4/3) E* sqrt(r)", b[5], floor_body, hertz * star * sqrt(0.25)},
    };
    printf("-- stiffness of contacts, relative error\n");
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; ++k) {
        double stiffness = stiffness_between(&found, pairs[k].first, pairs[k].second);
        check_at_most(pairs[k].name, fabs(stiffness / pairs[k].expected - 1), 1e-14);
    }

    set_stiffness(w, hard, ground, 123.5);
    step_world(w, 1e-4);
    contacts_read(w, &found);
    check_true("said of a pair: that, round or flat",
               stiffness_between(&found, b[0], floor_body) == 123.5 &&
                   stiffness_between(&found, b[2], floor_body) == 123.5);
    check_at_most("said of another pair: no matter",
                  fabs(stiffness_between(&found, b[1], b[0]) / (hertz * star_soft * sqrt(r)) - 1), 1e-14);
    set_stiffness(w, ground, hard, 0);
    settings.compatibility = DRY_COMPATIBILITY_HOOKE;
    MUST(dry_world_set_settings(w, &settings));
    step_world(w, 1e-4);
    contacts_read(w, &found);
    check_at_most("Hooke: ball on the floor: moduli in series",
                  fabs(stiffness_between(&found, b[0], floor_body) / series - 1), 1e-14);
    check_at_most("Hooke: ball on ball: moduli in series",
                  fabs(stiffness_between(&found, b[0], b[1]) * (1 / e + 1 / soft_e) - 1), 1e-14);
    free(found.at);
    dry_world_destroy(w);
}

int main(void)
{
    three_supports();
    five_supports();
    stiffness_of_contacts();
    return check_result();
}
