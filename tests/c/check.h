/*
 * What every test host shares: checks that print one line each, calls that must succeed, vectors, and the reading of
 * bodies and contacts. It does not depend on scenes; those are in scene.h.
 */
#ifndef DRYSTONE_TESTS_CHECK_H
#define DRYSTONE_TESTS_CHECK_H
#include <drystone.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int check_failures;

/* Prints the measured worst value and its bound; a value that is not a number fails. */
static inline void check_at_most(const char *name, double value, double bound)
{
    int holds = value <= bound;
    printf("%-4s %-66s %11.3e  <= %.1e\n", holds ? "ok" : "FAIL", name, value, bound);
    check_failures += !holds;
}

static inline void check_at_least(const char *name, double value, double bound)
{
    int holds = value >= bound;
    printf("%-4s %-66s %11.3e  >= %.1e\n", holds ? "ok" : "FAIL", name, value, bound);
    check_failures += !holds;
}

static inline void check_true(const char *name, int holds)
{
    printf("%-4s %s\n", holds ? "ok" : "FAIL", name);
    check_failures += !holds;
}

/* What main returns. */
static inline int check_result(void)
{
    return check_failures ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* Keeps the larger value; one that is not a number counts as infinite, and so fails any bound. */
static inline void keep_worst(double *worst, double value)
{
    if (isnan(value))
        *worst = INFINITY;
    else if (value > *worst)
        *worst = value;
}

/* A call without which there is nothing to check: a failure ends the program. */
static inline void must(dry_status status, const char *call, const char *file, int line)
{
    if (status == DRY_OK)
        return;
    char message[512] = "";
    (void)dry_last_error(message, sizeof message, NULL);
    printf("FAIL %s:%d %s: %s: %s\n", file, line, call, dry_status_name(status), message);
    exit(EXIT_FAILURE);
}
#define MUST(call) must((call), #call, __FILE__, __LINE__)

static inline void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (memory == NULL) {
        printf("FAIL no memory for the test itself\n");
        exit(EXIT_FAILURE);
    }
    return memory;
}

/* ---- vectors ------------------------------------------------------------------------- */

typedef struct vec3 {
    double x, y, z;
} vec3;

static inline vec3 vec(const double v[3])
{
    return (vec3){v[0], v[1], v[2]};
}
static inline vec3 add(vec3 a, vec3 b)
{
    return (vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}
static inline vec3 scale(double s, vec3 a)
{
    return (vec3){s * a.x, s * a.y, s * a.z};
}
static inline vec3 sub(vec3 a, vec3 b)
{
    return add(a, scale(-1, b));
}
static inline double dot(vec3 a, vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline vec3 cross(vec3 a, vec3 b)
{
    return (vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline double norm(vec3 a)
{
    return sqrt(dot(a, a));
}
static inline vec3 unit(vec3 a)
{
    return scale(1 / norm(a), a);
}
/* Body axes to world axes: v + 2 q x (q x v + w v). */
static inline vec3 rotate(const double q[4], vec3 v)
{
    vec3 axis = vec(q);
    return add(v, scale(2, cross(axis, add(cross(axis, v), scale(q[3], v)))));
}
static inline vec3 rotate_back(const double q[4], vec3 v)
{
    double conjugate[4] = {-q[0], -q[1], -q[2], q[3]};
    return rotate(conjugate, v);
}
/* A symmetric matrix xx yy zz xy yz xz times a vector. */
static inline vec3 symmetric_times(const double s[6], vec3 v)
{
    return (vec3){s[0] * v.x + s[3] * v.y + s[5] * v.z, s[3] * v.x + s[1] * v.y + s[4] * v.z,
                  s[5] * v.x + s[4] * v.y + s[2] * v.z};
}

/* ---- reading a world ------------------------------------------------------------------ */

/* All bodies in creation order, with what of them does not change. */
typedef struct bodies {
    size_t count;
    dry_body *handle;
    double *mass;         /* 0: not dynamic */
    double (*center)[3];  /* of mass, body axes */
    double (*inertia)[6]; /* about it, body axes */
    dry_body_state *state;
} bodies;

static inline void bodies_read(const dry_world *world, bodies *all)
{
    MUST(dry_bodies_get_states(world, NULL, all->count, all->state));
}

static inline bodies bodies_of(const dry_world *world)
{
    bodies all;
    MUST(dry_query_bodies(world, NULL, 0, &all.count));
    all.handle = allocate(all.count, sizeof *all.handle);
    all.mass = allocate(all.count, sizeof *all.mass);
    all.center = allocate(all.count, sizeof *all.center);
    all.inertia = allocate(all.count, sizeof *all.inertia);
    all.state = allocate(all.count, sizeof *all.state);
    MUST(dry_query_bodies(world, all.handle, all.count, &all.count));
    for (size_t i = 0; i < all.count; ++i)
        MUST(dry_body_get_mass(world, all.handle[i], &all.mass[i], all.center[i], all.inertia[i]));
    bodies_read(world, &all);
    return all;
}

static inline void bodies_free(bodies *all)
{
    free(all->handle);
    free(all->mass);
    free(all->center);
    free(all->inertia);
    free(all->state);
}

static inline size_t body_index(const bodies *all, dry_body body)
{
    for (size_t i = 0; i < all->count; ++i)
        if (all->handle[i] == body)
            return i;
    printf("FAIL a contact names a body that is not in the world\n");
    exit(EXIT_FAILURE);
}

/* Centre of mass in the world. */
static inline vec3 body_center(const bodies *all, size_t i, const dry_body_state *state)
{
    return add(vec(state->position), rotate(state->rotation, vec(all->center[i])));
}

/* Angular momentum about the centre of mass, world axes. */
static inline vec3 body_momentum(const bodies *all, size_t i, const dry_body_state *state)
{
    vec3 spin = rotate_back(state->rotation, vec(state->angular_velocity));
    return rotate(state->rotation, symmetric_times(all->inertia[i], spin));
}

static inline dry_body_state state_of(const dry_world *world, dry_body body)
{
    dry_body_state state;
    MUST(dry_body_get_state(world, body, &state));
    return state;
}

typedef struct contacts {
    size_t count, capacity;
    dry_contact *at;
} contacts;

/* Reads the contacts of the last step; the array grows as needed, start from zeros. */
static inline void contacts_read(const dry_world *world, contacts *all)
{
    for (;;) {
        dry_status status = dry_query_contacts(world, all->at, sizeof *all->at, all->capacity, &all->count);
        if (status == DRY_OK && (all->at != NULL || all->count == 0))
            return;
        if (status != DRY_OK && status != DRY_ERR_CAPACITY)
            MUST(status);
        free(all->at);
        all->capacity = 2 * all->count;
        all->at = allocate(all->capacity, sizeof *all->at);
    }
}

/* Normal and friction force on body b. */
static inline vec3 contact_force(const dry_contact *contact)
{
    return add(scale(contact->normal_force, vec(contact->normal)), vec(contact->friction_force));
}

/* One step with a report. */
static inline dry_step_report step_world(dry_world *world, double step)
{
    dry_step_report report;
    memset(&report, 0, sizeof report);
    report.struct_size = sizeof report;
    MUST(dry_world_step(world, step, &report));
    return report;
}

static inline uint64_t world_hash(const dry_world *world)
{
    uint64_t hash = 0;
    MUST(dry_world_hash(world, &hash));
    return hash;
}
#endif
