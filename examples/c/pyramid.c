/*
 * The cannonball pyramid: a square pile of close-packed spheres, the lowest layer fixed, every other layer
 * lifted a little and dropped. The program steps the pile until it is at rest, prints what the contacts carry
 * and draws it: the pressure on the base and the force chains of a cut.
 *
 * After T. Olsen and K. Kamrin, Resolving Force Indeterminacy in Contact Dynamics Using Compatibility Conditions, section
 * 8.2. Nobody tells the library who touches whom: contacts are found from the positions.
 *
 *     cc -std=c99 -O2 -Iinclude examples/c/pyramid.c -Ltarget/release -ldrystone -lm -o pyramid
 *     LD_LIBRARY_PATH=target/release ./pyramid [picture.svg] [spheres along an edge of the base]
 */
#define _POSIX_C_SOURCE 200112L /* clock_gettime, fileno, isatty: for the progress line only */

#include "drystone.h"
#include "pyramid_picture.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const double radius = 1.25e-3;        /* of every sphere [m] */
static const double density = 2000.0;        /* [kg/m^3] */
static const double gravity = 9.81;          /* downwards, along -z [m/s^2] */
static const double lift = 0.05 * 1.25e-3;   /* of each layer above its place on the one below [m] */
static const double time_step = 1e-3;        /* [s] */

/* At rest: no sphere faster than this for so many steps in a row. Gravity adds 1e-2 m/s in one step. */
static const double rest_speed = 1e-8;       /* [m/s] */
enum { REST_STEPS = 10, MOST_STEPS = 5000, MOST_SPHERES_ALONG_BASE = 100 };

typedef struct pile {
    dry_world *world;
    size_t side;              /* spheres along an edge of the base */
    size_t base_count, count; /* spheres of the base, and all; the base comes first */
    dry_body *bodies;
    dry_body_state *states;
} pile;

typedef struct outcome {
    bool at_rest;
    uint32_t steps;
    double largest_speed;     /* at the end [m/s] */
    double seconds;           /* wall time of the stepping [s] */
    dry_step_report report;   /* of the last step */
} outcome;

typedef struct balance {
    size_t contacts, active;
    double weight;            /* of the free spheres [N] */
    double on_base;           /* sum of the vertical forces on the base, downwards positive [N] */
    double largest_force;     /* of one contact [N] */
} balance;

/* Every call of the library goes through this: a host that ignores a status does not know what it computed. */
#define CHECK(call) check((call), #call)

static void check(dry_status status, const char *call)
{
    char message[512] = "";
    if (status == DRY_OK) {
        return;
    }
    (void)dry_last_error(message, sizeof message, NULL);
    fprintf(stderr, "\n%s\n  %s: %s\n", call, dry_status_name(status), message);
    exit(EXIT_FAILURE);
}

static void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count > 0 ? count : 1, size);
    if (memory == NULL) {
        fprintf(stderr, "out of memory\n");
        exit(EXIT_FAILURE);
    }
    return memory;
}

static double wall_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static dry_world *create_world(void)
{
    dry_settings settings;
    CHECK(dry_settings_init(&settings, sizeof settings));
    settings.method = DRY_METHOD_RIGID;          /* contacts do not give way */
    settings.solver = DRY_SOLVER_PGS;            /* contact by contact, each one solved exactly */
    settings.sweep = DRY_SWEEP_SYMMETRIC;        /* forth and back, so that no side of the pile comes first */
    settings.warm_start = DRY_WARM_HISTORY;      /* begin from the forces of the last step */
    settings.warm_start_factor = 1.0;            /* all of them: a pile at rest then stays at its solution */
    settings.iterations = 100;                   /* sweeps in each step */
    settings.tolerance = 0.0;                    /* make all sweeps: the forces are what this program is about */
    settings.contact_margin = 0.04 * radius;     /* contacts are made up to this gap [m] */

    dry_world_def def;
    CHECK(dry_world_def_init(&def, sizeof def));
    def.settings = &settings;
    def.gravity[0] = 0.0;
    def.gravity[1] = 0.0;
    def.gravity[2] = -gravity;

    dry_world *world = NULL;
    CHECK(dry_world_create(&def, &world));
    return world;
}

/* One layer rests in the hollows of the one below: it has one sphere less along each edge and lies higher by
 * the diameter over sqrt 2. Layers are lifted one by one, so that layer k starts k times `lift` too high. */
static void place_spheres(const pile *pyramid, dry_body_def *defs, const dry_body_def *model)
{
    size_t next = 0;
    for (size_t layer = 0; layer < pyramid->side; ++layer) {
        const size_t along = pyramid->side - layer;
        const double first = -(double)(along - 1) * radius;
        for (size_t cell = 0; cell < along * along; ++cell, ++next) {
            defs[next] = *model;
            defs[next].kind = layer == 0 ? DRY_STATIC : DRY_DYNAMIC;
            defs[next].position[0] = first + 2.0 * (double)(cell % along) * radius;
            defs[next].position[1] = first + 2.0 * (double)(cell / along) * radius;
            defs[next].position[2] = (double)layer * (sqrt(2.0) * radius + lift);
        }
    }
}

static pile create_pile(size_t side)
{
    pile pyramid = {.world = create_world(), .side = side};
    pyramid.base_count = side * side;
    pyramid.count = side * (side + 1) * (2 * side + 1) / 6;
    pyramid.bodies = allocate(pyramid.count, sizeof *pyramid.bodies);
    pyramid.states = allocate(pyramid.count, sizeof *pyramid.states);

    dry_material_def material_def;
    CHECK(dry_material_def_init(&material_def, sizeof material_def));
    material_def.friction = 0.0;
    material_def.restitution = 0.0;
    material_def.density = density;
    dry_material material = 0;
    CHECK(dry_material_add(pyramid.world, &material_def, &material));

    /* one shape serves all spheres */
    dry_shape sphere = 0;
    CHECK(dry_shape_sphere(pyramid.world, radius, &sphere));

    dry_body_def model;
    CHECK(dry_body_def_init(&model, sizeof model));
    model.shape = sphere;
    model.material = material;

    dry_body_def *defs = allocate(pyramid.count, sizeof *defs);
    place_spheres(&pyramid, defs, &model);
    CHECK(dry_bodies_add(pyramid.world, defs, pyramid.count, pyramid.bodies));
    free(defs);
    return pyramid;
}

static double largest_speed(const pile *pyramid)
{
    double largest = 0.0;
    CHECK(dry_bodies_get_states(pyramid->world, pyramid->bodies, pyramid->count, pyramid->states));
    for (size_t i = 0; i < pyramid->count; ++i) {
        const double *v = pyramid->states[i].linear_velocity;
        largest = fmax(largest, sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
    }
    return largest;
}

/* On a terminal one line, rewritten with every step; elsewhere a line now and then. */
static void show_progress(const outcome *now, bool terminal, bool last)
{
    if (now->steps == 1) {
        printf("\n%10s %10s %10s %10s %10s %10s\n%10s %10s %10s %10s %10s %10s\n", "time", "contacts", "energy", "fastest",
               "residual", "per step", "[ms]", "", "[J]", "[m/s]", "[m/s]", "[ms]");
    }
    if (terminal || last || now->steps <= 5 || now->steps % 20 == 0) {
        printf("%s%10.0f %10" PRIu32 " %10.1e %10.1e %10.1e %10.1f%s", terminal ? "\r" : "",
               1e3 * time_step * now->steps, now->report.contacts, now->report.kinetic_energy, now->largest_speed,
               now->report.residual_max, 1e3 * now->seconds / now->steps, terminal && !last ? "" : "\n");
        fflush(stdout);
    }
}

static outcome step_to_rest(const pile *pyramid)
{
    const bool terminal = isatty(fileno(stdout)) != 0;
    uint32_t quiet_steps = 0;
    outcome now = {.at_rest = false};

    while (!now.at_rest && now.steps < MOST_STEPS) {
        memset(&now.report, 0, sizeof now.report);
        now.report.struct_size = sizeof now.report;
        const double start = wall_seconds();
        CHECK(dry_world_step(pyramid->world, time_step, &now.report));
        now.seconds += wall_seconds() - start;

        ++now.steps;
        now.largest_speed = largest_speed(pyramid);
        quiet_steps = now.largest_speed < rest_speed ? quiet_steps + 1 : 0;
        now.at_rest = quiet_steps == REST_STEPS;
        show_progress(&now, terminal, now.at_rest || now.steps == MOST_STEPS);
    }
    return now;
}

static dry_contact *read_contacts(const pile *pyramid, size_t *count)
{
    /* without a buffer the call tells the number alone */
    CHECK(dry_query_contacts(pyramid->world, NULL, sizeof(dry_contact), 0, count));
    dry_contact *contacts = allocate(*count, sizeof *contacts);
    CHECK(dry_query_contacts(pyramid->world, contacts, sizeof *contacts, *count, count));
    return contacts;
}

static double vertical_force_on(const pile *pyramid, size_t sphere)
{
    double force[3], torque[3];
    CHECK(dry_query_body_force(pyramid->world, pyramid->bodies[sphere], force, torque));
    return -force[2];
}

static balance measure(const pile *pyramid, const dry_contact *contacts, size_t contact_count)
{
    const double pi = acos(-1.0);
    const double sphere_weight = 4.0 / 3.0 * pi * radius * radius * radius * density * gravity;
    balance sum = {.contacts = contact_count, .weight = (double)(pyramid->count - pyramid->base_count) * sphere_weight};
    for (size_t i = 0; i < contact_count; ++i) {
        sum.active += (contacts[i].state & DRY_CONTACT_ACTIVE) != 0;
        sum.largest_force = fmax(sum.largest_force, contacts[i].normal_force);
    }
    for (size_t i = 0; i < pyramid->base_count; ++i) {
        sum.on_base += vertical_force_on(pyramid, i);
    }
    return sum;
}

static double relative_difference(const balance *sum)
{
    return fabs(sum->on_base - sum->weight) / sum->weight;
}

static void print_report(const pile *pyramid, const outcome *end, const balance *sum)
{
    printf("\n%s after %" PRIu32 " steps of %g s\n\n", end->at_rest ? "at rest" : "NOT AT REST", end->steps, time_step);
    printf("  spheres                   %zu, of which %zu free\n", pyramid->count,
           pyramid->count - pyramid->base_count);
    printf("  contacts                  %zu, of which %zu carry a force\n", sum->contacts, sum->active);
    printf("  sweeps per step           %" PRIu32 "\n", end->report.iterations);
    printf("  residual                  %.2e m/s\n", end->report.residual_max);
    printf("  largest speed             %.2e m/s\n", end->largest_speed);
    printf("  kinetic energy            %.2e J\n", end->report.kinetic_energy);
    printf("  largest overlap           %.2e m\n", end->report.max_overlap);
    printf("  weight of free spheres    %.10f N\n", sum->weight);
    printf("  vertical force on base    %.10f N\n", sum->on_base);
    printf("  relative difference       %.1e\n", relative_difference(sum));
    printf("  largest contact force     %.4f mN\n", 1e3 * sum->largest_force);
    printf("  wall time                 %.2f s, %.2f ms per step\n", end->seconds, 1e3 * end->seconds / end->steps);
}

/* ---- the picture: a cut through the pile along a diagonal of the base, where spheres meet in the plane -------- */

/* Whether a point lies in the cut, and if so how far along the diagonal. */
static bool in_cut(const double position[3], double *along)
{
    *along = (position[0] + position[1]) / sqrt(2.0);
    return fabs(position[0] - position[1]) < 0.5 * radius;
}

static void add_cut(const pile *pyramid, const dry_contact *contacts, size_t contact_count, picture *drawing)
{
    double along;
    for (size_t i = 0; i < pyramid->count; ++i) {
        const double *position = pyramid->states[i].position;
        if (in_cut(position, &along)) {
            drawing->spheres[drawing->sphere_count++] = (picture_disc){along, position[2], 0.0};
        }
    }
    for (size_t i = 0; i < contact_count; ++i) {
        dry_body_state a, b;
        double along_a, along_b;
        CHECK(dry_body_get_state(pyramid->world, contacts[i].body_a, &a));
        CHECK(dry_body_get_state(pyramid->world, contacts[i].body_b, &b));
        if (in_cut(a.position, &along_a) && in_cut(b.position, &along_b)) {
            drawing->chains[drawing->chain_count++] =
                (picture_chain){along_a, a.position[2], along_b, b.position[2], contacts[i].normal_force};
        }
    }
}

static bool draw(const char *path, const pile *pyramid, const outcome *end, const balance *sum,
                 const dry_contact *contacts)
{
    picture drawing = {.radius = radius};
    snprintf(drawing.title, sizeof drawing.title, "%zu spheres %s, and what their %zu contacts carry",
             pyramid->count, end->at_rest ? "at rest" : "not yet at rest", sum->contacts);
    snprintf(drawing.caption, sizeof drawing.caption,
             "Weight of the free spheres %.4f mN, on the base %.4f mN (difference %.0e); "
             "fastest sphere %.0e m/s; residual %.0e m/s.",
             1e3 * sum->weight, 1e3 * sum->on_base, relative_difference(sum), end->largest_speed,
             end->report.residual_max);
    drawing.base = allocate(pyramid->base_count, sizeof *drawing.base);
    drawing.spheres = allocate(pyramid->count, sizeof *drawing.spheres);
    drawing.chains = allocate(sum->contacts, sizeof *drawing.chains);
    for (size_t i = 0; i < pyramid->base_count; ++i) {
        const double *position = pyramid->states[i].position;
        drawing.base[drawing.base_count++] = (picture_disc){position[0], position[1], vertical_force_on(pyramid, i)};
    }
    add_cut(pyramid, contacts, sum->contacts, &drawing);

    const bool drawn = picture_write(&drawing, path);
    printf(drawn ? "\n  picture                   %s\n" : "\ncannot write %s\n", path);
    free(drawing.base);
    free(drawing.spheres);
    free(drawing.chains);
    return drawn;
}

static size_t parse_side(const char *text)
{
    char *end = NULL;
    const long side = strtol(text, &end, 10);
    if (end == text || *end != '\0' || side < 2 || side > MOST_SPHERES_ALONG_BASE) {
        fprintf(stderr, "spheres along an edge of the base: 2 to %d, not '%s'\n", MOST_SPHERES_ALONG_BASE, text);
        exit(EXIT_FAILURE);
    }
    return (size_t)side;
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "pyramid.svg";
    pile pyramid = create_pile(argc > 2 ? parse_side(argv[2]) : 20);
    printf("drystone %s: a pyramid of %zu spheres, its layers dropped from %g %% of a radius\n", dry_version_string(),
           pyramid.count, 100.0 * lift / radius);

    const outcome end = step_to_rest(&pyramid);
    size_t contact_count = 0;
    dry_contact *contacts = read_contacts(&pyramid, &contact_count);
    const balance sum = measure(&pyramid, contacts, contact_count);
    print_report(&pyramid, &end, &sum);
    const bool drawn = draw(path, &pyramid, &end, &sum, contacts);

    free(contacts);
    free(pyramid.states);
    free(pyramid.bodies);
    dry_world_destroy(pyramid.world);
    const bool balanced = relative_difference(&sum) <= 1e-6;
    if (!balanced)
        fprintf(stderr, "the base does not carry the weight of the pile\n");
    return end.at_rest && balanced && drawn ? EXIT_SUCCESS : EXIT_FAILURE;
}
