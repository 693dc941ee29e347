/*
 * The distance of two cores, proved by duality.
 *
 * Pairs of features are compared in doubles. The nearest ones are evaluated in long numbers. Their two points belong to
 * the solids, so their distance is an upper bound. The separation along the line between them is a lower bound. A pair is proved where
 * both agree.
 */
#include <math.h>
#include <stdlib.h>

#include "circle.h"
#include "solid.h"

enum { LIMIT = 32768, MOST = 400 };

/* Bounds that agree this well end the search, and count as proved [of the size]. */
static const double EXACT = 1e-20, PROVED = 1e-13;
/* Below this distance doubles do not tell which pair of features is nearest [of the size]. */
static const double CLOSE = 1e-6;
/* Errors of distances in doubles where lines are nearly parallel, and elsewhere [of the size]. */
static const double COARSE = 1e-7, FINE = 1e-12;

typedef enum feature { EDGES, CORNER_FACE, FACE_CORNER, EDGE_ROUND, FACE_ROUND, RIM, CAP, SIDES } feature;

typedef struct candidate {
    double distance, least;
    feature feature;
    /* Numbers of corners, edges and faces; of a rim or a cap its solid and its end. */
    int i, j;
    /* Of a rim. */
    double angle, width;
} candidate;

typedef struct search {
    const solid *a, *b;
    double size, best;
    int count;
    candidate *list;
} search;

static candidate storage[LIMIT];

/* Takes a candidate. One that is not certain to belong to both solids does not rule out others. */
static void note(search *s, candidate c, double slack, int is_certain)
{
    c.least = c.distance - slack * s->size;
    s->best = is_certain && c.distance < s->best ? c.distance : s->best;
    if (c.least <= s->best && s->count < LIMIT) {
        s->list[s->count++] = c;
    }
}

/* Edges and edges ---------------------------------------------------------------------------------------------- */

static void edges_to_edges(search *s)
{
    const solid *a = s->a, *b = s->b;
    for (int i = 0; i < a->shape->edge_count; ++i) {
        const d3 p = a->points[a->shape->edges[i][0]], d = d3_sub(a->points[a->shape->edges[i][1]], p);
        const double dd_ = d3_dot(d, d);
        for (int j = 0; j < b->shape->edge_count; ++j) {
            const d3 q = b->points[b->shape->edges[j][0]], e = d3_sub(b->points[b->shape->edges[j][1]], q);
            const d3 r = d3_sub(p, q);
            const double de = d3_dot(d, e), dr = d3_dot(d, r), ee = d3_dot(e, e), er = d3_dot(e, r);
            const double determinant = dd_ * ee - de * de;
            double u = determinant > 0 ? fmin(fmax((de * er - dr * ee) / determinant, 0), 1) : 0;
            const double t = ee > 0 ? fmin(fmax((de * u + er) / ee, 0), 1) : 0;
            u = dd_ > 0 ? fmin(fmax((de * t - dr) / dd_, 0), 1) : 0;
            const d3 arm = d3_sub(d3_plus(r, d, u), d3_scale(e, t));
            const double sine = dd_ * ee > 0 ? sqrt(fmax(determinant, 0) / (dd_ * ee)) : 1;
            const double slack = sine < 1e-4 ? 2 * (sine + 1e-7) : FINE;
            note(s, (candidate){.distance = d3_norm(arm), .feature = EDGES, .i = i, .j = j}, slack, 1);
        }
    }
}

static dd ratio(dd a, dd b)
{
    return dd_positive(b) ? dd_div(a, b) : dd_of(0);
}

static const dd zero = {0, 0}, one = {1, 0};

/* The closest points of two segments. */
static void closest_on_segments(const v3 a[2], const v3 b[2], v3 *on_a, v3 *on_b)
{
    const v3 d = v3_sub(a[1], a[0]), e = v3_sub(b[1], b[0]), r = v3_sub(a[0], b[0]);
    const dd d2 = v3_dot(d, d), de = v3_dot(d, e), dr = v3_dot(d, r), ee = v3_dot(e, e), er = v3_dot(e, r);
    const dd determinant = dd_sub(dd_mul(d2, ee), dd_mul(de, de));
    dd u = dd_clamp(ratio(dd_sub(dd_mul(de, er), dd_mul(dr, ee)), determinant), zero, one);
    dd t = zero;
    /* Once is enough unless the segments are parallel to round-off. */
    for (int k = 0; k < 3; ++k) {
        t = dd_clamp(ratio(dd_add(dd_mul(de, u), er), ee), zero, one);
        u = dd_clamp(ratio(dd_sub(dd_mul(de, t), dr), d2), zero, one);
    }
    *on_a = v3_plus(a[0], d, u);
    *on_b = v3_plus(b[0], e, t);
}

static void edge_of(const solid *s, int edge, v3 ends[2])
{
    ends[0] = s->corners[s->shape->edges[edge][0]];
    ends[1] = s->corners[s->shape->edges[edge][1]];
}

/* Corners and faces -------------------------------------------------------------------------------------------- */

/* Whether a point is over a triangle: 0, 2, or 1 where it is nearly over an edge. */
static int is_over(const solid *s, int face, d3 point)
{
    int is_certain = 2;
    for (int k = 0; k < 3; ++k) {
        const d3 start = s->points[s->shape->faces[face][k]], end = s->points[s->shape->faces[face][(k + 1) % 3]];
        const double inside = d3_dot(d3_sub(point, start), d3_cross(s->normals[face], d3_sub(end, start)));
        if (inside < -1e-9) {
            return 0;
        }
        is_certain = inside < 1e-9 ? 1 : is_certain;
    }
    return is_certain;
}

static void corners_to_faces(search *s, const solid *of, const solid *to, feature feature)
{
    for (int j = 0; j < to->shape->face_count; ++j) {
        const d3 base = to->points[to->shape->faces[j][0]];
        for (int i = 0; i < of->shape->corner_count; ++i) {
            const double height = fabs(d3_dot(d3_sub(of->points[i], base), to->normals[j]));
            const int over = height - FINE * s->size <= s->best ? is_over(to, j, of->points[i]) : 0;
            if (over) {
                note(s, (candidate){.distance = height, .feature = feature, .i = i, .j = j}, FINE, over == 2);
            }
        }
    }
}

/* The foot of a point on the plane of a triangle. Returns whether it is in the triangle. */
static int onto_face(const solid *s, int face, v3 point, v3 *on_face)
{
    v3 corners[3];
    for (int k = 0; k < 3; ++k) {
        corners[k] = s->corners[s->shape->faces[face][k]];
    }
    const v3 normal = v3_cross(v3_sub(corners[1], corners[0]), v3_sub(corners[2], corners[0]));
    const dd height = v3_dot(v3_sub(point, corners[0]), normal);
    *on_face = v3_plus(point, normal, dd_neg(dd_div(height, v3_dot(normal, normal))));
    for (int k = 0; k < 3; ++k) {
        const v3 inward = v3_cross(normal, v3_sub(corners[(k + 1) % 3], corners[k]));
        if (dd_less(v3_dot(v3_sub(*on_face, corners[k]), inward), zero)) {
            return 0;
        }
    }
    return 1;
}

/* Polytopes and cylinders -------------------------------------------------------------------------------------- */

/* The slope of the squared distance to a cylinder along a segment, which grows along it. */
typedef struct segment {
    v3 start, along;
    const solid *round;
} segment;

static dd segment_slope(const void *context, dd t)
{
    const segment *s = context;
    const v3 point = v3_plus(s->start, s->along, t);
    return v3_dot(v3_sub(point, foot(s->round, point)), s->along);
}

static double segment_slope_double(const solid *round, d3 point, d3 along)
{
    return d3_dot(d3_sub(point, foot_double(round, point)), along);
}

/* The point of a segment that is nearest to a cylinder, as a part of the segment. */
static double nearest_on_segment(const solid *round, d3 start, d3 along)
{
    double low = 0, high = 1, at_low = segment_slope_double(round, start, along);
    double at_high = segment_slope_double(round, d3_add(start, along), along);
    if (at_low >= 0 || at_high <= 0) {
        return at_low >= 0 ? 0 : 1;
    }
    for (int k = 0; k < 60; ++k) {
        const double t = k % 2 ? 0.5 * (low + high) : low - at_low * (high - low) / (at_high - at_low);
        const double value = segment_slope_double(round, d3_plus(start, along, t), along);
        if (value < 0) {
            low = t;
            at_low = value;
        } else {
            high = t;
            at_high = value;
        }
        if (value == 0 || high - low < 1e-9) {
            return t;
        }
    }
    return 0.5 * (low + high);
}

static void edges_to_round(search *s)
{
    const solid *a = s->a, *b = s->b;
    for (int i = 0; i < a->shape->edge_count; ++i) {
        const d3 start = a->points[a->shape->edges[i][0]], along = d3_sub(a->points[a->shape->edges[i][1]], start);
        const d3 point = d3_plus(start, along, nearest_on_segment(b, start, along));
        const double distance = d3_norm(d3_sub(foot_double(b, point), point));
        note(s, (candidate){.distance = distance, .feature = EDGE_ROUND, .i = i}, COARSE, 1);
    }
    for (int i = 0; i < a->shape->face_count; ++i) {
        for (int sign = -1; sign <= 1; sign += 2) {
            const v3 point = extreme(b, v3_scale(v3_of(a->normals[i]), dd_of(-sign)));
            const d3 arm = d3_sub(v3_double(point), a->points[a->shape->faces[i][0]]);
            const int over = is_over(a, i, v3_double(point));
            if (over) {
                const double height = fabs(d3_dot(arm, a->normals[i]));
                note(s, (candidate){.distance = height, .feature = FACE_ROUND, .i = i, .j = sign}, COARSE, over == 2);
            }
        }
    }
}

/* Cylinders ---------------------------------------------------------------------------------------------------- */

static void rims_to(search *s, int is_second, int samples)
{
    const solid *of = is_second ? s->b : s->a, *to = is_second ? s->a : s->b;
    const double step = 2 * acos(-1) / samples;
    double *distances = malloc((size_t)samples * sizeof *distances);
    for (int sign = -1; sign <= 1; sign += 2) {
        for (int i = 0; i < samples && distances; ++i) {
            const d3 point = rim_double(of, sign, 0.1234 + i * step, NULL);
            distances[i] = d3_norm(d3_sub(foot_double(to, point), point));
        }
        for (int i = 0; i < samples && distances; ++i) {
            const double before = distances[(i + samples - 1) % samples], after = distances[(i + 1) % samples];
            if (distances[i] > before || distances[i] > after) {
                continue;
            }
            const candidate c = {.feature = RIM, .i = is_second, .j = sign, .angle = 0.1234 + i * step, .width = step};
            const d3 point = v3_double(rim_nearest(of, sign, c.angle, step, to, 1e-9));
            candidate found = c;
            found.distance = d3_norm(d3_sub(foot_double(to, point), point));
            note(s, found, COARSE, 1);
        }
    }
    free(distances);
    for (int sign = -1; sign <= 1; sign += 2) {
        const d3 point = v3_double(extreme(of, v3_scale(to->frame[2], dd_of(-sign))));
        const double distance = d3_norm(d3_sub(foot_double(to, point), point));
        note(s, (candidate){.distance = distance, .feature = CAP, .i = is_second, .j = sign}, COARSE, 1);
    }
}

static void sides(const solid *a, const solid *b, v3 *p, v3 *q)
{
    const v3 axis_a[2] = {
        v3_plus(a->center, a->frame[2], dd_of(-a->shape->half_height)),
        v3_plus(a->center, a->frame[2], dd_of(a->shape->half_height)),
    };
    const v3 axis_b[2] = {
        v3_plus(b->center, b->frame[2], dd_of(-b->shape->half_height)),
        v3_plus(b->center, b->frame[2], dd_of(b->shape->half_height)),
    };
    v3 on_a, on_b;
    closest_on_segments(axis_a, axis_b, &on_a, &on_b);
    *q = foot(b, on_a);
    *p = foot(a, *q);
}

/* All of them -------------------------------------------------------------------------------------------------- */

/* The two points of a candidate in long numbers. Returns 0 where there are none. */
static int evaluate(const search *s, const candidate *c, v3 *p, v3 *q)
{
    const solid *a = s->a, *b = s->b;
    const solid *of = c->i ? b : a, *to = c->i ? a : b;
    v3 first[2], second[2];
    switch (c->feature) {
    case EDGES:
        edge_of(a, c->i, first);
        edge_of(b, c->j, second);
        closest_on_segments(first, second, p, q);
        return 1;
    case CORNER_FACE:
        *p = a->corners[c->i];
        return onto_face(b, c->j, *p, q);
    case FACE_CORNER:
        *q = b->corners[c->i];
        return onto_face(a, c->j, *q, p);
    case EDGE_ROUND: {
        edge_of(a, c->i, first);
        const segment segment = {first[0], v3_sub(first[1], first[0]), b};
        *p = v3_plus(first[0], segment.along, root(segment_slope, &segment, zero, one, 1e-31));
        *q = foot(b, *p);
        return 1;
    }
    case FACE_ROUND: {
        const int *face = a->shape->faces[c->i];
        const v3 base = a->corners[face[0]];
        const v3 normal = v3_cross(v3_sub(a->corners[face[1]], base), v3_sub(a->corners[face[2]], base));
        *q = extreme(b, v3_scale(normal, dd_of(-c->j)));
        return onto_face(a, c->i, *q, p);
    }
    case RIM:
        *p = rim_nearest(of, c->j, c->angle, c->width, to, 1e-31);
        break;
    case CAP:
        *p = extreme(of, v3_scale(to->frame[2], dd_of(-c->j)));
        break;
    case SIDES:
        sides(a, b, p, q);
        return 1;
    }
    *q = foot(to, *p);
    if (c->i) {
        const v3 swapped = *p;
        *p = *q;
        *q = swapped;
    }
    return 1;
}

static int by_distance(const void *a, const void *b)
{
    const double x = ((const candidate *)a)->distance, y = ((const candidate *)b)->distance;
    return (x > y) - (x < y);
}

static void collect(search *s, int samples)
{
    if (is_cylinder(s->a)) {
        v3 p, q;
        sides(s->a, s->b, &p, &q);
        note(s, (candidate){.distance = dd_double(v3_norm(v3_sub(q, p))), .feature = SIDES}, COARSE, 1);
        rims_to(s, 0, samples);
        rims_to(s, 1, samples);
    } else if (is_cylinder(s->b)) {
        edges_to_round(s);
    } else {
        edges_to_edges(s);
        corners_to_faces(s, s->a, s->b, CORNER_FACE);
        corners_to_faces(s, s->b, s->a, FACE_CORNER);
    }
    int kept = 0;
    for (int i = 0; i < s->count; ++i) {
        if (s->list[i].least <= s->best) {
            s->list[kept++] = s->list[i];
        }
    }
    s->count = kept;
    qsort(s->list, (size_t)kept, sizeof *s->list, by_distance);
}

int nearest(const solid *a, const solid *b, int samples, answer *found)
{
    search s = {.a = a, .b = b, .size = fmin(a->shape->size, b->shape->size), .best = HUGE_VAL, .list = storage};
    dd low = dd_of(-HUGE_VAL), high = dd_of(HUGE_VAL);
    collect(&s, samples);
    for (int i = 0; i < s.count && i < MOST; ++i) {
        v3 p, q;
        if (!evaluate(&s, &s.list[i], &p, &q)) {
            continue;
        }
        const v3 arm = v3_sub(q, p), n = v3_unit(arm);
        const dd distance = v3_norm(arm);
        high = dd_min(high, distance);
        if (!dd_positive(distance)) {
            continue;
        }
        const double about = separation_double(a, b, v3_double(n));
        if (distance.hi - about > 1e-8 * s.size && distance.hi > CLOSE * s.size) {
            continue;
        }
        const dd bound = separation(a, b, n);
        if (dd_less(low, bound)) {
            low = bound;
            found->normal = v3_double(n);
        }
        if (dd_sub(high, low).hi <= EXACT * s.size) {
            break;
        }
    }
    found->low = low;
    found->high = high;
    /* Of cores that touch to round-off it is 0: their normal means nothing. */
    found->core = dd_double(high);
    found->is_single = 1;
    return found->is_proved = dd_sub(high, low).hi <= PROVED * s.size;
}
