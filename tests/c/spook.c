/*
 * Compliant contacts from C, with the grains of [W] table 1: forces at rest are those of the overlap, the ledger closes, and the
 * pair's own stiffness holds.
 */
#include "scene.h"

enum { GRAINS = 20 };
static const double radius = 6.5e-3, density = 3700, step = 5e-3, pi = 3.14159265358979323846;

static dry_material add_grain_material(dry_world *world)
{
    dry_material_def def;
    dry_material material;
    MUST(dry_material_def_init(&def, sizeof def));
    def.friction = 0.91;
    def.rolling_friction = 0.32;
    def.twisting_friction = 0.32;
    def.restitution = 0.18;
    def.young_modulus = 6e6;
    def.density = density;
    MUST(dry_material_add(world, &def, &material));
    return material;
}

static dry_settings compliant(dry_contact_law law)
{
    dry_settings settings = default_settings();
    settings.method = DRY_METHOD_SPOOK;
    settings.contact_law = law;
    settings.solver = DRY_SOLVER_PGS_ACCELERATED;
    settings.iterations = 2000;
    settings.tolerance = 1e-14;
    settings.restitution_threshold = 0.05;
    settings.contact_margin = 1e-4;
    settings.diagnostics = DRY_DIAGNOSE_ENERGY | DRY_DIAGNOSE_RESIDUALS;
    return settings;
}

/* A column of grains, each above the other without overlap, until it rests. Returns the height of the top of the last one. */
static double column(dry_contact_law law, double pair_stiffness)
{
    dry_settings settings = compliant(law);
    dry_world *world = new_world(&settings, GRAVITY);
    dry_material material = add_grain_material(world);
    if (pair_stiffness > 0) {
        dry_pair_def pair;
        MUST(dry_pair_def_init(&pair, sizeof pair));
        pair.contact_stiffness = pair_stiffness;
        MUST(dry_material_pair_set(world, material, material, &pair));
    }
    add_floor(world, material);
    dry_shape shape = sphere(world, radius);
    dry_body top = 0;
    for (int i = 0; i < GRAINS; i++) {
        dry_body_def def = body_at(shape, material, 0, 0, radius * (2 * i + 1));
        def.lock = DRY_LOCK_X | DRY_LOCK_Y | DRY_LOCK_ROTATION_X | DRY_LOCK_ROTATION_Y | DRY_LOCK_ROTATION_Z;
        top = add_body(world, &def);
    }
    double worst = 0, before = 0, elastic = 0;
    for (int i = 0; i < 3000; i++) {
        dry_step_report r = step_world(world, step);
        double now = r.kinetic_energy + r.potential_energy;
        double gained = r.wall_work + r.joint_work + r.force_work + r.numerical_energy;
        double lost = r.friction_loss + r.rolling_loss + r.impact_loss + r.damping_loss;
        if (i > 0)
            keep_worst(&worst, fabs(now + r.elastic_energy - before - elastic - (gained - lost)) / fabs(now));
        before = now;
        elastic = r.elastic_energy;
    }
    /* round-off of the sums of the energies themselves */
    check_at_most("the ledger of a column is off by, relative", worst, 1e-13);
    contacts found = {0};
    contacts_read(world, &found);
    double force = 0;
    for (size_t i = 0; i < found.count; i++) {
        keep_worst(&force, fabs(found.at[i].compatible_normal_force - found.at[i].normal_force));
        double overlap = fmax(-found.at[i].gap, 0);
        double law_force = found.at[i].stiffness * (law == DRY_LAW_HERTZ ? pow(overlap, 1.5) : overlap);
        keep_worst(&force, fabs(found.at[i].normal_force - law_force));
        keep_worst(&force, fabs(found.at[i].impact_force[2]));
    }
    free(found.at);
    /* of up to 0.84 N, at a gap whose round-off of 3e-17 m moves the force by 1e-13 N */
    check_at_most("forces of the overlaps are off by [N]", force, 1e-11);
    double height = state_of(world, top).position[2] + radius;
    dry_world_destroy(world);
    return height;
}

/* Three balls of 1 kg in a row without gravity, the first of them at 1 m/s. With a restitution e the first contact carries p and the
   second q: 2 p - q = 1 + e, and 2 q - p = 0, for the second contact is at rest before. */
static void a_row_that_is_struck(double restitution)
{
    dry_settings settings = compliant(DRY_LAW_HERTZ);
    dry_world *world = new_world(&settings, 0);
    dry_material_def def;
    dry_material material;
    const double expected[2] = {2 * (1 + restitution) / 3, (1 + restitution) / 3};
    contacts found = {0};
    const size_t older = offsetof(dry_contact, impact_force);
    dry_contact room[2];
    const unsigned char *bytes = (const unsigned char *)room;
    size_t count = 0;
    double worst = 0, most = 0, rest = 0;
    MUST(dry_material_def_init(&def, sizeof def));
    def.friction = 0;
    def.restitution = restitution;
    def.young_modulus = 6e6;
    MUST(dry_material_add(world, &def, &material));
    for (int i = 0; i < 3; i++) {
        dry_body_def ball = body_at(sphere(world, 0.5), material, i, 0, 0);
        ball.mass = 1;
        ball.linear_velocity[0] = i == 0;
        add_body(world, &ball);
    }
    step_world(world, step);
    contacts_read(world, &found);
    check_true("a row that is struck has two contacts", found.count == 2);
    for (size_t i = 0; i < found.count; i++) {
        const dry_contact *at = &found.at[i];
        keep_worst(&worst, fabs(step * at->impact_force[0] - expected[i]));
        keep_worst(&most, fabs(at->normal_force * at->normal[0] - at->impact_force[0]) * step);
        keep_worst(&rest, fmax(fabs(at->impact_force[1]), fabs(at->impact_force[2])));
    }
    check_at_most("the impulses of the impact are off by [N s]", worst, 1e-12);
    check_at_most("beside them the contacts carry [N s]", most, 1e-12);
    check_at_most("across the row [N]", rest, 0);
    /* a host that was compiled before there were impact forces */
    MUST(dry_query_contacts(world, room, older, 2, &count));
    check_true("contacts of the older size", count == 2 && memcmp(bytes, &found.at[0], older) == 0 &&
                                                 memcmp(bytes + older, &found.at[1], older) == 0);
    free(found.at);
    dry_world_destroy(world);
}

/* The height in closed form: contact i from below carries the weight of all above it. */
static double expected_height(dry_contact_law law, double pair_stiffness)
{
    double mass = density * 4.0 / 3.0 * pi * radius * radius * radius, modulus = 3e6 / (1 - 0.25 * 0.25);
    double height = 2 * radius * GRAINS;
    for (int i = 0; i < GRAINS; i++) {
        double r = i == 0 ? radius : 0.5 * radius, weight = mass * GRAVITY * (GRAINS - i), k = pair_stiffness;
        if (k == 0)
            k = law == DRY_LAW_HERTZ ? 4.0 / 3.0 * modulus * sqrt(r) : modulus * r;
        height -= law == DRY_LAW_HERTZ ? pow(weight / k, 2.0 / 3.0) : weight / k;
    }
    return height;
}

static void judge(const char *name, dry_contact_law law, double pair_stiffness)
{
    check_at_most(name, fabs(column(law, pair_stiffness) / expected_height(law, pair_stiffness) - 1), 1e-11);
}

int main(void)
{
    judge("column by Hertz, off by, relative", DRY_LAW_HERTZ, 0);
    judge("column by Hooke, off by, relative", DRY_LAW_HOOKE, 0);
    judge("column of the pair's stiffness, off by, relative", DRY_LAW_HERTZ, 1e5);
    a_row_that_is_struck(0);
    a_row_that_is_struck(0.5);
    dry_settings settings = default_settings();
    settings.method = DRY_METHOD_SPOOK;
    settings.warm_start = DRY_WARM_MODEL;
    dry_world *world = new_world(&settings, GRAVITY);
    dry_world_destroy(world);
    return check_result();
}
