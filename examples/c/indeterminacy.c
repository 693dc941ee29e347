/*
 * What rigid contacts leave open, and the compatibility correction, which closes it: a platform on three supports, then
 * the cannonball pyramid at rest, each solved more than once from the same state with another order of visits. The motion
 * is the same every time, the contact forces are not; the corrected forces are.
 *
 * After T. Olsen and K. Kamrin, Resolving Force Indeterminacy in Contact Dynamics Using Compatibility Conditions, section 8.
 *
 *     cc -std=c99 -O2 -Iinclude examples/c/indeterminacy.c -Ltarget/release -ldrystone -lm -o indeterminacy
 *     LD_LIBRARY_PATH=target/release ./indeterminacy [seeds.svg] [spheres along an edge of the base] [laws.svg]
 */
#include "beam.h"
#include "network_picture.h"

/* A pile settled with less care leaves the sweeps more to do, and the seeds would agree to fewer digits. */
static const double rest_speed = 1e-10;      /* [m/s] */
static const double margin = 0.04 * 1.25e-3; /* contacts are made up to this gap [m] */

/* The two claims, which decide on the exit status. */
static const double most_beam_error = 1e-9;  /* [N] */
static const double most_difference = 1e-6;  /* between corrected forces of the seeds, over the largest [-] */

enum { SEEDS = 2, LAWS = 3 };

/* Stiffness of contacts between two spheres of even index, of even and odd, of two of odd index: only ratios matter. */
typedef struct elastic_law {
    const char *name;
    dry_compatibility compatibility;
    double even_even, even_odd, odd_odd; /* 0: from the materials, which are equal */
} elastic_law;

static const elastic_law laws[LAWS] = {{"Hooke", DRY_COMPATIBILITY_HOOKE, 0.0, 0.0, 0.0},
                                       /* two moduli, 1 : 5, in series */
                                       {"two species", DRY_COMPATIBILITY_HOOKE, 1.0 / 5.0, 1.0 / 3.0, 1.0},
                                       {"Hertz", DRY_COMPATIBILITY_HERTZ, 0.0, 0.0, 0.0}};

/* What one seed gave. */
typedef struct result {
    force_network classic, compatible[LAWS];
    dry_step_report found, corrected[LAWS];
    uint64_t *keys;                          /* of the contacts */
} result;

static void set_stiffness(const pile *pyramid, dry_material first, dry_material second, double stiffness)
{
    dry_pair_def pair;
    CHECK(dry_pair_def_init(&pair, sizeof pair));
    pair.friction = 0.0;
    pair.stiffness = stiffness;
    CHECK(dry_material_pair_set(pyramid->world, first, second, &pair));
}

/* Puts every sphere where the pile at rest has it, and makes one step. */
static dry_step_report step_from(const pile *pyramid, const dry_body_state *states, const dry_settings *settings)
{
    dry_step_report report = empty_report();
    CHECK(dry_world_set_settings(pyramid->world, settings));
    for (size_t i = 0; i < pyramid->count; ++i) {
        CHECK(dry_body_set_state(pyramid->world, pyramid->bodies[i], &states[i]));
    }
    CHECK(dry_world_step(pyramid->world, time_step, &report));
    return report;
}

/* A world of its own in the state of the pile at rest, without memory of any force. */
static result solve_with_seed(const pile *rest, uint64_t seed)
{
    dry_settings settings;
    CHECK(dry_settings_init(&settings, sizeof settings));
    settings.sweep = DRY_SWEEP_RANDOM;
    settings.seed = seed;
    settings.iterations = 2000;
    settings.tolerance = 1e-10;              /* [m/s] */
    settings.contact_margin = margin;
    settings.warm_start = DRY_WARM_OFF;
    pile pyramid = pile_create(rest->side, &settings);

    result answer = {.found = step_from(&pyramid, rest->states, &settings)};
    /* the forces are found: another law starts from them, and one sweep more does no harm */
    settings.warm_start = DRY_WARM_HISTORY;
    settings.iterations = 1;
    size_t count = 0;
    dry_contact *contacts = pile_contacts(&pyramid, &count);
    answer.classic = network_of(&pyramid, contacts, count, false);
    for (size_t law = 0; law < LAWS; ++law) {
        free(contacts);
        set_stiffness(&pyramid, pyramid.even, pyramid.even, laws[law].even_even);
        set_stiffness(&pyramid, pyramid.even, pyramid.odd, laws[law].even_odd);
        set_stiffness(&pyramid, pyramid.odd, pyramid.odd, laws[law].odd_odd);
        settings.compatibility = laws[law].compatibility;
        answer.corrected[law] = step_from(&pyramid, rest->states, &settings);
        contacts = pile_contacts(&pyramid, &count);
        answer.compatible[law] = network_of(&pyramid, contacts, count, true);
    }
    answer.keys = allocate(count, sizeof *answer.keys);
    for (size_t i = 0; i < count; ++i) {
        answer.keys[i] = contacts[i].key;
    }
    free(contacts);
    pile_destroy(&pyramid);
    return answer;
}

static void free_result(result *answer)
{
    network_free(&answer->classic);
    for (size_t law = 0; law < LAWS; ++law) {
        network_free(&answer->compatible[law]);
    }
    free(answer->keys);
}

/* Forces can be compared one by one only if both seeds had the same contacts. */
static bool same_contacts(const result answers[SEEDS])
{
    const size_t count = answers[0].classic.contact_count;
    bool same = answers[1].classic.contact_count == count;
    for (size_t law = 0; law < LAWS; ++law) {
        same = same && answers[0].compatible[law].contact_count == count && answers[1].compatible[law].contact_count == count;
    }
    return same && memcmp(answers[0].keys, answers[1].keys, count * sizeof *answers[0].keys) == 0;
}

static pile settle(size_t side, outcome *end)
{
    dry_settings settings;
    CHECK(dry_settings_init(&settings, sizeof settings));
    settings.sweep = DRY_SWEEP_SYMMETRIC;
    settings.iterations = 100;
    settings.contact_margin = margin;
    pile pyramid = pile_create(side, &settings);
    while (!end->at_rest && end->steps < MAX_STEPS) {
        pile_step(&pyramid, rest_speed, end);
    }
    return pyramid;
}

/* ---- what is printed: a column for the classic forces and one for each law -------------------------------------------- */

/* The columns of a seed: 0 is the classic one. */
static const force_network *column_of(const result *answer, size_t column)
{
    return column == 0 ? &answer->classic : &answer->compatible[column - 1];
}

typedef enum quantity { LARGEST, BEARING, ASYMMETRY, ITERATIONS, RESIDUAL, MILLISECONDS, QUANTITIES } quantity;

static const struct {
    const char *label, *format;
} rows[QUANTITIES] = {[LARGEST] = {"largest force [mN]", "%14.6f"},
                      [BEARING] = {"contacts that carry", "%14.0f"},
                      [ASYMMETRY] = {"asymmetry of the base [-]", "%14.1e"},
                      [ITERATIONS] = {"sweeps; Newton steps", "%14.0f"},
                      [RESIDUAL] = {"residual [m/s]; [-]", "%14.1e"},
                      [MILLISECONDS] = {"time [ms]", "%14.1f"}};

static double value_of(const result *answer, quantity row, size_t column)
{
    const bool classic = column == 0;
    const force_network *network = column_of(answer, column);
    const dry_step_report *report = classic ? &answer->found : &answer->corrected[column - 1];
    switch (row) {
    case LARGEST:
        return 1e3 * network->largest;
    case BEARING:
        return (double)network->bearing;
    case ASYMMETRY:
        return network->asymmetry;
    case ITERATIONS:
        return classic ? report->iterations : report->compatibility_iterations;
    case RESIDUAL:
        return classic ? report->residual_max : report->compatibility_residual;
    default:
        return 1e3 * (classic ? report->seconds_solve : report->seconds_compatibility);
    }
}

static void print_rows(const result answers[SEEDS])
{
    for (size_t row = 0; row < QUANTITIES; ++row) {
        for (size_t seed = 0; seed < SEEDS; ++seed) {
            printf("  %-30s seed %zu", seed == 0 ? rows[row].label : "", seed + 1);
            for (size_t column = 0; column <= LAWS; ++column) {
                printf(rows[row].format, value_of(&answers[seed], (quantity)row, column));
            }
            printf("\n");
        }
    }
}

/* Prints the comparison; answers the largest difference between the corrected forces of the seeds [-]. */
static double print_comparison(const result answers[SEEDS])
{
    double largest[LAWS + 1], mean[LAWS + 1], worst = 0.0;
    for (size_t column = 0; column <= LAWS; ++column) {
        network_difference(column_of(&answers[0], column), column_of(&answers[1], column), &largest[column], &mean[column]);
        worst = column > 0 ? fmax(worst, largest[column]) : worst;
    }
    printf("  %-36s%14s", "", "classic");
    for (size_t law = 0; law < LAWS; ++law) {
        printf("%14s", laws[law].name);
    }
    printf("\n");
    print_rows(answers);
    printf("  %-36s", "seeds differ by at most");
    for (size_t column = 0; column <= LAWS; ++column) {
        printf("%14.1e", largest[column]);
    }
    printf("\n  %-36s", "and in the mean");
    for (size_t column = 0; column <= LAWS; ++column) {
        printf("%14.1e", mean[column]);
    }
    printf("\n");
    return worst;
}

/* ---- the pictures ----------------------------------------------------------------------------------------------------- */

static bool draw(const char *path, const pile *rest, const uint64_t *keys, const force_network *const networks[3],
                 const picture *texts)
{
    size_t count = 0;
    dry_contact *contacts = pile_contacts(rest, &count);
    picture drawing = *texts;
    drawing.pyramid = rest;
    drawing.contacts = contacts;
    drawing.networks = networks;
    drawing.network_count = 3;
    bool same = count == networks[0]->contact_count;
    for (size_t i = 0; same && i < count; ++i) {
        same = contacts[i].key == keys[i];
    }
    const bool drawn = same && picture_write(&drawing, path);
    printf(drawn ? "  picture: %s\n" : "cannot write %s\n", path);
    free(contacts);
    return drawn;
}

static void describe(force_network *network, const char *name)
{
    snprintf(network->name, sizeof network->name, "%s", name);
    snprintf(network->note, sizeof network->note, "largest %.3f mN, %zu contacts carry", 1e3 * network->largest,
             network->bearing);
}

static bool draw_seeds(const char *path, const pile *rest, result answers[SEEDS])
{
    const force_network *const networks[] = {&answers[0].classic, &answers[1].classic, &answers[0].compatible[0]};
    char differences[200];
    picture texts = {.caption = {"All three hold every sphere in balance. Rigid contacts cannot choose between them; "
                                 "stiff elastic ones do.", differences}};
    double classic, compatible, mean;
    describe(&answers[0].classic, "Classic, seed 1");
    describe(&answers[1].classic, "Classic, seed 2");
    describe(&answers[0].compatible[0], "Compatible (Hooke), either seed");
    network_difference(&answers[0].classic, &answers[1].classic, &classic, &mean);
    network_difference(&answers[0].compatible[0], &answers[1].compatible[0], &compatible, &mean);
    snprintf(texts.title, sizeof texts.title, "One pile of %zu rigid spheres at rest, three force networks", rest->count);
    snprintf(differences, sizeof differences,
             "The seeds of the sweeps differ by up to %.0f %% of the largest force; after the correction by %.0e of it.",
             100.0 * classic, compatible);
    return draw(path, rest, answers[0].keys, networks, &texts);
}

static bool draw_laws(const char *path, const pile *rest, result answers[SEEDS])
{
    const force_network *const networks[] = {&answers[0].compatible[0], &answers[0].compatible[1],
                                             &answers[0].compatible[2]};
    picture texts = {.caption = {"Two species: spheres of odd index have five times the modulus, which makes contacts 1/5, "
                                 "1/3 and 1 of the stiffest.",
                                 "Each network is unique: whatever forces the sweeps found, the correction ends here."}};
    describe(&answers[0].compatible[0], "Hooke");
    describe(&answers[0].compatible[1], "Hooke, two species");
    describe(&answers[0].compatible[2], "Hertz");
    snprintf(texts.title, sizeof texts.title, "Compatible forces of %zu spheres under three elastic laws", rest->count);
    return draw(path, rest, answers[0].keys, networks, &texts);
}

int main(int argc, char **argv)
{
    const size_t side = argc > 2 ? parse_side(argv[2]) : 20;
    const double beam_error = beam_table();

    outcome end = {.at_rest = false};
    pile rest = settle(side, &end);
    printf("\nA pyramid of %zu spheres, %s after %" PRIu32 " steps, %zu of them free, solved twice from there\n\n", rest.count,
           end.at_rest ? "at rest" : "NOT AT REST", end.steps, rest.count - rest.base_count);
    result answers[SEEDS];
    for (size_t seed = 0; seed < SEEDS; ++seed) {
        answers[seed] = solve_with_seed(&rest, seed + 1);
    }
    const bool comparable = same_contacts(answers);
    const double difference = comparable ? print_comparison(answers) : HUGE_VAL;
    printf("\n  differences are relative to the largest force, asymmetries to the largest load of a base sphere\n");

    bool drawn = comparable && draw_seeds(argc > 1 ? argv[1] : "indeterminacy.svg", &rest, answers);
    if (argc > 3) {
        drawn = drawn && draw_laws(argv[3], &rest, answers);
    }
    for (size_t seed = 0; seed < SEEDS; ++seed) {
        free_result(&answers[seed]);
    }
    pile_destroy(&rest);

    const bool held = beam_error <= most_beam_error && difference <= most_difference;
    if (!held) {
        fprintf(stderr, "the corrected forces are not what they should be\n");
    }
    return held && end.at_rest && drawn ? EXIT_SUCCESS : EXIT_FAILURE;
}
