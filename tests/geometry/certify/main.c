/*
 * Compares gaps and normals of the library with certificates in double-double arithmetic. certify.sh runs it.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw.h"
#include "library.h"

/* Bounds of errors [of the size]: shapes apart, overlapping, and cylinders apart from cylinders or hulls. */
static const double APART = 1e-12, OVERLAPPING = 1e-9, ITERATED = 1e-9;
/* The limit of nearly parallel faces: 0.8 degrees in docs/limits.md, rounded up [rad], and the distance of two normals of one face [-]. */
static const double TILT = 0.0142, SAME_FACE = 1e-9;

/* The errors of a pair. */
typedef struct verdict {
    double gap_error, normal_error, turn;
    int is_apart, is_missing, is_near_face, is_undecided, is_above, is_allowed, is_hanging;
} verdict;

/* A row of the table: a combination. Errors are those of pairs that overlap and that are apart. */
typedef struct row {
    kind a, b;
    int is_tilted;
    long counts[2], ties, near_face, undecided, allowed, missing, above;
    double gaps[2], normals[2];
    long worst_gap[2], worst_normal[2];
} row;

static FILE *list_file;

/* The verdict -------------------------------------------------------------------------------------------------- */

static double bound_of(const pair *p, int is_apart)
{
    const int is_iterated = (p->a.kind == CYLINDER) + (p->b.kind == CYLINDER) == 2 ||
        (p->a.kind == CYLINDER && p->b.kind == HULL);
    return !is_apart ? OVERLAPPING : is_iterated ? ITERATED : APART;
}

static int has_face(const shape *s, const pose *pose, d3 normal)
{
    static solid placed;
    place(&placed, s, pose, pose->position);
    int is_found = s->kind == CYLINDER && d3_norm(d3_cross(placed.axes[2], normal)) < SAME_FACE;
    for (int i = 0; i < s->face_count; ++i) {
        is_found |= d3_norm(d3_cross(placed.normals[i], normal)) < SAME_FACE;
    }
    return is_found;
}

/*
 * Compares the axis of the library with the best one of overlapping shapes. It is a better answer where its depth is less. Returns
 * whether an axis near it has the depth that the library reports, while the axis of the answer has more: then the tool has missed an axis.
 */
static int use_axis(pair *p, const finding *found)
{
    static solid a, b;
    if (p->b.kind == HALF_SPACE || dd_double(p->answer.high) >= 0) {
        return 0;
    }
    place(&a, &p->a, &p->pa, p->pa.position);
    place(&b, &p->b, &p->pb, p->pa.position);
    const dd grown = dd_add(dd_of(p->a.grown), dd_of(p->b.grown));
    const dd along = dd_sub(separation(&a, &b, v3_unit(v3_of(found->normal))), grown);
    if (p->answer.core < 0 && dd_less(p->answer.low, along)) {
        p->answer.low = p->answer.high = along;
        p->answer.normal = found->normal;
        p->answer.is_proved |= p->answer.seen <= dd_double(dd_add(along, grown)) + 0.1 * OVERLAPPING * p->size;
    }
    d3 n = found->normal;
    const double depth = climb(&a, &b, &n, 0.03) - dd_double(grown), slack = OVERLAPPING * p->size;
    return found->gap > dd_double(p->answer.high) + slack && depth > found->gap - slack;
}

/* Whether the separation along the normal of the library is the gap: nearly parallel lines have many such normals. */
static int is_as_good(const pair *p, const finding *found, double bound)
{
    static solid a, b;
    if (p->tilt < 0 || p->b.kind == HALF_SPACE) {
        return 0;
    }
    place(&a, &p->a, &p->pa, p->pa.position);
    place(&b, &p->b, &p->pb, p->pa.position);
    const dd grown = dd_add(dd_of(p->a.grown), dd_of(p->b.grown));
    const dd along = dd_sub(separation(&a, &b, v3_unit(v3_of(found->normal))), grown);
    return dd_sub(p->answer.high, along).hi <= bound * p->size;
}

/*
 * Whether docs/limits.md allows the errors of a pair. The gap of the end of a cylinder on a face is exact to 1e-9 of the size. A
 * closed mesh that is overlapped has contacts of its triangles: the depth may be larger, or less by up to a half.
 */
static int is_allowed(const pair *p, const finding *found, const verdict *v)
{
    if (!v->is_apart) {
        return p->b.kind == CLOSED && found->gap < 0.5 * dd_double(p->answer.high) + OVERLAPPING * p->size;
    }
    const int is_round = p->a.kind == CYLINDER || p->b.kind == CYLINDER;
    const int is_at_face = p->b.kind == HALF_SPACE || has_face(&p->a, &p->pa, found->normal) ||
        has_face(&p->b, &p->pb, found->normal);
    const int is_turned = v->normal_error > bound_of(p, 1);
    return is_round && is_at_face && v->gap_error <= ITERATED && (!is_turned || v->is_near_face);
}

static verdict measure(pair *p, const finding *found)
{
    verdict v = {.is_apart = dd_double(p->answer.high) >= 0};
    const double high = dd_double(p->answer.high);
    if (found->count < 0) {
        v.is_hanging = v.is_above = 1;
        return v;
    }
    if (found->count == 0) {
        const int is_round = p->a.kind == CYLINDER || p->b.kind == CYLINDER;
        v.is_missing = high < p->margin * (1 - 1e-9) - (is_round ? ITERATED : APART) * p->size;
        v.is_above = v.is_missing;
        return v;
    }
    const int is_missed = use_axis(p, found);
    const dd gap = dd_of(found->gap);
    v.gap_error = fmax(fabs(dd_double(dd_sub(gap, p->answer.low))), fabs(dd_double(dd_sub(gap, p->answer.high)))) / p->size;
    v.turn = d3_norm(d3_sub(found->normal, p->answer.normal));
    const double core = p->answer.core / p->size;
    v.normal_error = p->answer.is_single ? v.turn * (core >= 0 ? fmin(core, 1) : 1) : 0;
    const double bound = bound_of(p, v.is_apart);
    const int is_turned = v.normal_error > bound;
    v.is_near_face = is_turned && v.turn < TILT &&
        (has_face(&p->a, &p->pa, found->normal) || has_face(&p->b, &p->pb, found->normal) ||
            is_as_good(p, found, bound));
    v.is_above = v.gap_error > bound || (is_turned && !v.is_near_face);
    v.is_undecided = !p->answer.is_proved || is_missed;
    v.is_allowed = is_allowed(p, found, &v);
    return v;
}

/* Measures a pair, and again with a finer reference where it is above its bound. */
static verdict judge(pair *p, finding *found)
{
    *found = ask(p);
    verdict v = measure(p, found);
    if (v.is_above || v.is_undecided) {
        p->answer = solve(&p->a, &p->pa, &p->b, &p->pb, 1);
        v = measure(p, found);
    }
    return v;
}

/* Texts -------------------------------------------------------------------------------------------------------- */

static void print_solid(FILE *file, const char *name, const shape *s, const pose *pose)
{
    const double *q = pose->rotation;
    fprintf(file, "\"%s\": {\"kind\": \"%s\", \"position\": [%.17g, %.17g, %.17g], ", name, kind_names[s->kind],
        pose->position.x, pose->position.y, pose->position.z);
    fprintf(file, "\"rotation\": [%.17g, %.17g, %.17g, %.17g], ", q[0], q[1], q[2], q[3]);
    fprintf(file, "\"grown\": %.17g, \"half_height\": %.17g, \"radius\": %.17g, ", s->grown, s->half_height, s->radius);
    fprintf(file, "\"plane\": [%.17g, %.17g, %.17g, %.17g], \"corners\": [", s->plane_normal.x, s->plane_normal.y,
        s->plane_normal.z, s->plane_offset);
    for (int i = 0; i < s->corner_count; ++i) {
        fprintf(file, "%s[%.17g, %.17g, %.17g]", i ? ", " : "", s->corners[i].x, s->corners[i].y, s->corners[i].z);
    }
    fprintf(file, "], \"faces\": [");
    for (int i = 0; i < s->face_count; ++i) {
        fprintf(file, "%s[%d, %d, %d]", i ? ", " : "", s->faces[i][0], s->faces[i][1], s->faces[i][2]);
    }
    fprintf(file, "]}");
}

/* One line of JSON about a pair, as decide.py reads it. */
static void print_pair(FILE *file, const row *r, long number, const pair *p, const finding *found, const verdict *v)
{
    const char *const what = v->is_hanging ? "hanging" :
        v->is_missing ? "missing" :
        v->is_undecided ? "undecided" :
        v->is_above && !v->is_allowed ? "above" : "within";
    fprintf(file, "{\"pair\": \"%s-%s%s:%ld\", \"is\": \"%s\", ", kind_names[r->a], kind_names[r->b],
        r->is_tilted ? "-tilted" : "", number, what);
    fprintf(file, "\"size\": %.17g, \"margin\": %.17g, \"tilt\": %.17g, \"swapped\": %d, \"dynamic\": %d, ", p->size,
        p->margin, p->tilt, p->is_swapped, p->is_dynamic);
    fprintf(file, "\"gap_error\": %.3g, \"normal_error\": %.3g, \"turn\": %.3g, \"near_face\": %d, \"single\": %d, ",
        v->gap_error, v->normal_error, v->turn, v->is_near_face, p->answer.is_single);
    fprintf(file, "\"gap\": %.17g, \"width\": %.3g, \"core\": %.17g, \"normal\": [%.17g, %.17g, %.17g], ",
        dd_double(p->answer.low), dd_double(dd_sub(p->answer.high, p->answer.low)), p->answer.core, p->answer.normal.x,
        p->answer.normal.y, p->answer.normal.z);
    fprintf(file, "\"contacts\": %d, \"library_gap\": %.17g, \"library_normal\": [%.17g, %.17g, %.17g], ", found->count,
        found->count > 0 ? found->gap : 0, found->normal.x, found->normal.y, found->normal.z);
    print_solid(file, "a", &p->a, &p->pa);
    fprintf(file, ", ");
    print_solid(file, "b", &p->b, &p->pb);
    fprintf(file, "}\n");
    fflush(file);
}

static void print_error(double error, long pair)
{
    if (pair < 0) {
        printf(" - |");
    } else {
        printf(" %.1e (:%ld) |", error, pair);
    }
}

static void print_row(const row *r)
{
    printf("| %s-%s%s |", kind_names[r->a], kind_names[r->b], r->is_tilted ? " tilted" : "");
    for (int k = 1; k >= 0; --k) {
        printf(" %ld |", r->counts[k]);
        print_error(r->gaps[k], r->worst_gap[k]);
        print_error(r->normals[k], r->worst_normal[k]);
    }
    printf(" %ld | %ld | %ld | %ld | %ld | %ld |\n", r->ties, r->near_face, r->undecided, r->allowed, r->missing, r->above);
    fflush(stdout);
}

/* The run ------------------------------------------------------------------------------------------------------ */

static void note(row *r, long number, const pair *p, const finding *found, const verdict *v)
{
    const int side = v->is_apart;
    ++r->counts[side];
    r->ties += !p->answer.is_single;
    r->near_face += v->is_near_face;
    r->undecided += v->is_undecided;
    r->missing += v->is_missing || v->is_hanging;
    r->allowed += v->is_above && v->is_allowed;
    r->above += v->is_above && !v->is_allowed && !v->is_undecided;
    if (found->count > 0 && (r->worst_gap[side] < 0 || v->gap_error > r->gaps[side])) {
        r->gaps[side] = v->gap_error;
        r->worst_gap[side] = number;
    }
    if (found->count > 0 && (r->worst_normal[side] < 0 || v->normal_error > r->normals[side])) {
        r->normals[side] = v->normal_error;
        r->worst_normal[side] = number;
    }
    if (list_file != NULL && ((v->is_above && !v->is_allowed) || v->is_undecided)) {
        print_pair(list_file, r, number, p, found, v);
    }
}

static int is_offered(kind a, kind b, int is_tilted)
{
    return a < HALF_SPACE && a <= b && !(is_tilted && a == SPHERE);
}

static int run_only(uint64_t seed, const char *name)
{
    static pair p;
    for (int k = 0; k < KINDS * KINDS * 2; ++k) {
        const row r = {.a = (kind)(k / 2 / KINDS), .b = (kind)(k / 2 % KINDS), .is_tilted = k % 2};
        char start[64];
        snprintf(start, sizeof start, "%s-%s%s:", kind_names[r.a], kind_names[r.b], r.is_tilted ? "-tilted" : "");
        if (is_offered(r.a, r.b, r.is_tilted) && strncmp(name, start, strlen(start)) == 0) {
            const long number = atol(name + strlen(start));
            finding found;
            draw_pair(seed, r.a, r.b, r.is_tilted, (uint64_t)number, &p);
            const verdict v = judge(&p, &found);
            print_pair(stdout, &r, number, &p, &found, &v);
            return (v.is_above && !v.is_allowed) || v.is_undecided;
        }
    }
    fprintf(stderr, "--only is %s; valid is for example box-hull:17 or box-hull-tilted:17\n", name);
    return 2;
}

static int run_all(uint64_t seed, long first, long pairs, const char *kinds)
{
    static pair p;
    long above = 0, total = 0;
    puts("| kinds | apart | gap | normal | overlap | gap | normal | ties | near a face | undecided | allowed | missing | above |");
    puts("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    for (int k = 0; k < KINDS * KINDS * 2; ++k) {
        const int cell = k % (KINDS * KINDS);
        row r = {.a = (kind)(cell / KINDS), .b = (kind)(cell % KINDS), .is_tilted = k / (KINDS * KINDS),
            .worst_gap = {-1, -1}, .worst_normal = {-1, -1}};
        char name[64];
        snprintf(name, sizeof name, "%s-%s%s", kind_names[r.a], kind_names[r.b], r.is_tilted ? "-tilted" : "");
        if (!is_offered(r.a, r.b, r.is_tilted) || (kinds != NULL && strcmp(kinds, name) != 0)) {
            continue;
        }
        for (long i = first; i < first + pairs; ++i) {
            finding found;
            draw_pair(seed, r.a, r.b, r.is_tilted, (uint64_t)i, &p);
            const verdict v = judge(&p, &found);
            note(&r, i, &p, &found, &v);
        }
        print_row(&r);
        above += r.above + r.undecided;
        total += pairs;
    }
    printf("\n%ld pairs with seed %llu, %ld above a bound or undecided\n", total, (unsigned long long)seed, above);
    return above > 0;
}

int main(int count, char **arguments)
{
    uint64_t seed = 1;
    long first = 0, pairs = 1000;
    const char *kinds = NULL, *only = NULL;
    for (int i = 1; i + 1 < count; i += 2) {
        const char *name = arguments[i], *value = arguments[i + 1];
        if (strcmp(name, "--seed") == 0) {
            seed = strtoull(value, NULL, 10);
        } else if (strcmp(name, "--pairs") == 0) {
            pairs = atol(value);
        } else if (strcmp(name, "--first") == 0) {
            first = atol(value);
        } else if (strcmp(name, "--kinds") == 0) {
            kinds = value;
        } else if (strcmp(name, "--only") == 0) {
            only = value;
        } else if (strcmp(name, "--list") == 0) {
            list_file = fopen(value, "w");
        } else {
            fprintf(stderr, "unknown option %s; valid are --seed, --pairs, --first, --kinds, --only, --list\n", name);
            return 2;
        }
    }
    return only != NULL ? run_only(seed, only) : run_all(seed, first, pairs, kinds);
}
