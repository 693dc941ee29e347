/*
 * Unique forces from end to end, [K] section 8: a pyramid of spheres without friction is dropped and settles, in five
 * orders of sweeps. Then steps are solved, warm and cold, and corrected: whatever the order, the base carries what
 * the elastic equilibrium of that step's contacts has it carry, while the forces of the solver differ widely.
 */
#include "equilibrium.h"
#include "scene.h"

enum { BASE = 10, SETTLING = 200, RUNS = 5, MODELS = 4 };

static const double STEP = 0.001;

static const struct {
    const char *name;
    dry_sweep sweep;
    uint64_t seed;
} runs[RUNS] = {{"coloured", DRY_SWEEP_COLORED, 0},
                {"natural", DRY_SWEEP_NATURAL, 0},
                {"symmetric", DRY_SWEEP_SYMMETRIC, 0},
                {"random, seed 1", DRY_SWEEP_RANDOM, 1},
                {"random, seed 77", DRY_SWEEP_RANDOM, 77}};

static const struct {
    const char *name;
    dry_compatibility law;
    double exponent;
    int species; /* two, of moduli 1 : 5, alternately */
} models[MODELS] = {{"uniform, Hooke", DRY_COMPATIBILITY_HOOKE, 2, 0},
                    {"two species, Hooke", DRY_COMPATIBILITY_HOOKE, 2, 1},
                    {"uniform, Hertz", DRY_COMPATIBILITY_HERTZ, 2.5, 0},
                    {"two species, Hertz", DRY_COMPATIBILITY_HERTZ, 2.5, 1}};

/* How the watched steps are solved, the finest first: what opens by its tolerance decides the contacts of the next
   step. The speed that their forces stop is g h = 0.01 m/s. */
enum { STAGES = 3 };

static const struct {
    const char *name;
    dry_warm_start start;
    double tolerance; /* [m/s] */
} stages[STAGES] = {{"warm, 1e-8 m/s", DRY_WARM_HISTORY, 1e-8},
                    {"cold, 1e-8 g h", DRY_WARM_OFF, 1e-8 * 9.81e-3},
                    {"cold, 1e-8 m/s", DRY_WARM_OFF, 1e-8}};

typedef struct pile {
    dry_world *world;
    dry_material species[2];
    bodies all;
    contacts found;
    size_t moving; /* the base comes first in `all` and does not count */
} pile;

/* As cannonball_pyramid, of two materials alternately. */
static pile new_pile(const dry_settings *settings)
{
    const double r = 0.00125;
    pile one = {.world = new_world(settings, GRAVITY)};
    for (int k = 0; k < 2; ++k) {
        dry_material_def def;
        MUST(dry_material_def_init(&def, sizeof def));
        def.friction = 0;
        def.density = 2000;
        def.young_modulus = k ? 5 : 1;
        MUST(dry_material_add(one.world, &def, &one.species[k]));
    }
    dry_shape ball = sphere(one.world, r);
    int number = 0;
    for (int layer = 0; layer < BASE; ++layer)
        for (int j = 0; j < BASE - layer; ++j)
            for (int i = 0; i < BASE - layer; ++i) {
                double shift = 0.5 * layer - 0.5 * (BASE - 1);
                dry_body_def def = body_at(ball, one.species[number++ % 2], 2 * r * (i + shift), 2 * r * (j + shift),
                                           r + layer * r * (sqrt(2.0) + 0.05));
                def.kind = layer == 0 ? DRY_STATIC : DRY_DYNAMIC;
                add_body(one.world, &def);
            }
    one.all = bodies_of(one.world);
    one.moving = one.all.count - (size_t)BASE * BASE;
    return one;
}

/* All pairs alike, or by their moduli. */
static void set_model(pile *one, dry_settings *settings, int model)
{
    for (int pair = 0; pair < 3; ++pair) {
        dry_pair_def def;
        MUST(dry_pair_def_init(&def, sizeof def));
        def.friction = 0;
        def.stiffness = models[model].species ? 0 : 1;
        MUST(dry_material_pair_set(one->world, one->species[pair / 2], one->species[(pair + 1) / 2], &def));
    }
    settings->compatibility = models[model].law;
    MUST(dry_world_set_settings(one->world, settings));
}

/* Moduli in series, and nothing of the library's. */
static double stiffness_of(int model, size_t a, size_t b)
{
    if (!models[model].species)
        return 1;
    return 1 / (1 / (a % 2 ? 5.0 : 1.0) + 1 / (b % 2 ? 5.0 : 1.0));
}

/* Forces on the base, three numbers for each of its spheres, from one force for each contact. */
typedef struct base_forces {
    vec3 of[BASE * BASE];
} base_forces;

static double apart(const base_forces *x, const base_forces *y)
{
    double difference = 0, size = 0;
    for (int k = 0; k < BASE * BASE; ++k) {
        vec3 d = sub(x->of[k], y->of[k]);
        difference += dot(d, d);
        size += dot(y->of[k], y->of[k]);
    }
    return sqrt(difference / size);
}

/* One step, and what its contacts are. */
typedef struct answer {
    dry_step_report report;
    base_forces classic, compatible;
    base_forces carried, rest; /* equilibria: of weights and momentum changes; of the weights alone */
    double imbalance; /* of the compatible forces against the change of momentum, relative to the loads */
    double unsolved;  /* of the equilibrium */
    double pull;
} answer;

static void add_to_base(const pile *one, base_forces *base, const spring *contact, double force)
{
    size_t first = one->moving; /* bodies that move have the first numbers */
    if (contact->a >= first)
        base->of[contact->a - first] = sub(base->of[contact->a - first], scale(force, contact->normal));
    if (contact->b >= first)
        base->of[contact->b - first] = add(base->of[contact->b - first], scale(force, contact->normal));
}

/* In `all` the base comes first; here it comes last. */
static size_t renumbered(const pile *one, size_t body)
{
    size_t base = (size_t)BASE * BASE;
    return body < base ? one->moving + body : body - base;
}

/* What the contacts gave each moving body: m (v+ - v)/h - m g. */
static vec3 *loads_of(const pile *one, const dry_body_state *start)
{
    vec3 *load = allocate(one->moving, sizeof *load);
    for (size_t k = 0; k < one->moving; ++k) {
        size_t body = k + (size_t)BASE * BASE;
        vec3 change = sub(vec(one->all.state[body].linear_velocity), vec(start[body].linear_velocity));
        load[k] = add(scale(one->all.mass[body] / STEP, change), (vec3){0, 0, one->all.mass[body] * GRAVITY});
    }
    return load;
}

/* What the compatible forces lack of the loads, over the sums of the solver's forces. */
static void measure_balance(const pile *one, const vec3 *needed, const spring *springs, answer *out)
{
    vec3 *rest = allocate(2 * one->moving, sizeof *rest), *load = rest + one->moving;
    network all = {.count = one->moving};
    for (size_t c = 0; c < one->found.count; ++c) {
        add_force(&all, &springs[c], one->found.at[c].compatible_normal_force, rest);
        add_force(&all, &springs[c], one->found.at[c].normal_force, load);
        keep_worst(&out->pull, -one->found.at[c].compatible_normal_force);
    }
    double missing = 0, size = 0;
    for (size_t k = 0; k < one->moving; ++k) {
        vec3 off = sub(rest[k], needed[k]);
        missing += dot(off, off);
        size += dot(load[k], load[k]);
    }
    out->imbalance = sqrt(missing / size);
    free(rest);
}

/* The base forces of the equilibrium under these loads, or under the weights alone. */
static void find_equilibrium(const pile *one, int model, const spring *springs, const vec3 *load_or_null,
                             base_forces *base, double *unsolved)
{
    vec3 *load = allocate(one->moving, sizeof *load);
    double *force = allocate(one->found.count, sizeof *force), weight = one->all.mass[BASE * BASE] * GRAVITY;
    for (size_t k = 0; k < one->moving; ++k) /* in units of a weight: all are equal */
        load[k] = load_or_null ? scale(1 / weight, load_or_null[k]) : (vec3){0, 0, 1};
    network all = {.springs = one->found.count, .count = one->moving, .spring = springs, .load = load,
                   .exponent = models[model].exponent};
    keep_worst(unsolved, equilibrium(&all, force));
    for (size_t c = 0; c < one->found.count; ++c)
        add_to_base(one, base, &springs[c], weight * force[c]);
    free(load);
    free(force);
}

static void watched_step(pile *one, int model, answer *out)
{
    dry_body_state *start = allocate(one->all.count, sizeof *start);
    memset(out, 0, sizeof *out);
    bodies_read(one->world, &one->all);
    memcpy(start, one->all.state, one->all.count * sizeof *start);
    out->report = step_world(one->world, STEP);
    bodies_read(one->world, &one->all);
    contacts_read(one->world, &one->found);
    spring *springs = allocate(one->found.count, sizeof *springs);
    for (size_t c = 0; c < one->found.count; ++c) {
        const dry_contact *contact = &one->found.at[c];
        size_t a = body_index(&one->all, contact->body_a), b = body_index(&one->all, contact->body_b);
        springs[c] = (spring){renumbered(one, a), renumbered(one, b), vec(contact->normal),
                              stiffness_of(model, a, b)};
        add_to_base(one, &out->classic, &springs[c], contact->normal_force);
        add_to_base(one, &out->compatible, &springs[c], contact->compatible_normal_force);
    }
    vec3 *load = loads_of(one, start);
    measure_balance(one, load, springs, out);
    find_equilibrium(one, model, springs, load, &out->carried, &out->unsolved);
    find_equilibrium(one, model, springs, NULL, &out->rest, &out->unsolved);
    free(load);
    free(springs);
    free(start);
}

typedef struct worst {
    double carried, vague[STAGES], rest[STAGES], balance, unsolved, pull, flags, moved;
    int closed;
} worst;

static void keep(worst *found, int stage, const answer *now)
{
    double reported = now->report.compatibility_residual;
    keep_worst(&found->carried, apart(&now->compatible, &now->carried));
    keep_worst(&found->rest[stage], apart(&now->compatible, &now->rest));
    keep_worst(&found->balance, fabs(now->imbalance - reported) / (reported + 1e-14));
    keep_worst(&found->unsolved, now->unsolved);
    keep_worst(&found->pull, now->pull);
    /* solved to a tolerance, resultants are unique to a part of it only */
    keep_worst(&found->flags, now->report.flags & ~DRY_REPORT_COMPATIBILITY_NOT_UNIQUE);
    keep_worst(&found->vague[stage], now->report.flags);
    keep_worst(&found->moved, apart(&now->classic, &now->compatible));
    found->closed = found->closed && now->report.closed_contacts == now->report.contacts;
}

/* The steps of a settled pile with all models. The solver's own forces go to `classic`. */
static void watch(int run, worst *found, base_forces classic[STAGES])
{
    dry_settings settings = default_settings();
    settings.contact_margin = 5e-5; /* 4 % of a radius */
    /* at rest from its first steps the pile keeps gaps that cold sweeps of one order do not get over */
    settings.projection = DRY_PROJECTION_OFF;
    settings.compatibility_tolerance = 1e-8; /* so that there is an error to be reported */
    settings.sweep = runs[run].sweep;
    settings.seed = runs[run].seed;
    pile one = new_pile(&settings);
    for (int step = 0; step < SETTLING; ++step)
        step_world(one.world, STEP);
    settings.iterations = 20000;
    for (int stage = 0; stage < STAGES; ++stage) {
        settings.tolerance = stages[stage].tolerance;
        settings.warm_start = stages[stage].start;
        for (int model = 0; model < MODELS; ++model) {
            static answer now;
            set_model(&one, &settings, model);
            watched_step(&one, model, &now);
            keep(found, stage, &now);
            printf("     %-16s %s  %-19s loads %7.1e  weights %7.1e  sweeps %3u  Newton %2u\n", runs[run].name,
                   stages[stage].name, models[model].name, apart(&now.compatible, &now.carried),
                   apart(&now.compatible, &now.rest), now.report.iterations, now.report.compatibility_iterations);
            classic[stage] = now.classic;
        }
    }
    free(one.found.at);
    bodies_free(&one.all);
    dry_world_destroy(one.world);
}

/* The largest difference of the solver's forces between two orders. */
static double largest_difference(base_forces classic[RUNS][STAGES], int stage)
{
    double difference = 0;
    for (int i = 0; i < RUNS; ++i)
        for (int j = 0; j < i; ++j)
            keep_worst(&difference, apart(&classic[i][stage], &classic[j][stage]));
    return difference;
}

int main(void)
{
    static base_forces classic[RUNS][STAGES];
    worst found = {.closed = 1};
    printf("-- a pyramid of base %d, after %d steps; forces on the base, relative\n", BASE, SETTLING);
    for (int run = 0; run < RUNS; ++run)
        watch(run, &found, classic[run]);
    check_true("all contacts count as closed: they are those of the equilibria", found.closed);
    check_at_most("the equilibria: forces less loads", found.unsolved, 1e-12);
    /* compatibility_tolerance is 1e-8 of the loads, which stiffness turns into forces */
    check_at_most("compatible, against the equilibrium of what the step carried", found.carried, 1e-7);
    check_at_most("warm, to 1e-8 m/s: against that of the weights", found.rest[0], 1e-6);
    check_at_most("cold, to 1e-8 of g h: against that of the weights", found.rest[1], 1e-6);
    /* 1e-8 m/s are 1e-6 of a weight, once for every layer above the base */
    check_at_most("cold, to 1e-8 m/s: against that of the weights", found.rest[2], 1e-6 * (BASE - 1));
    check_at_most("compatible forces that pull [N]", found.pull, 0);
    check_at_most("flags", found.flags, 0);
    check_at_most("warm, at rest: unique", found.vague[0], 0);
    check_at_least("cold, to 1e-8 m/s: not unique", found.vague[2], DRY_REPORT_COMPATIBILITY_NOT_UNIQUE);
    /* of residuals of 1e-10 to 1e-8, before round-off of the sums comes in */
    check_at_most("balance of every sphere against the reported residual", found.balance, 1e-5);
    for (int stage = 0; stage < STAGES; ++stage)
        check_at_least("the solver's own forces: largest difference between orders",
                       largest_difference(classic, stage), 0.1);
    check_at_least("the solver's own forces against compatible ones", found.moved, 0.1);
    return check_result();
}
