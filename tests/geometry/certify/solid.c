/*
 * Supports, feet and frames of shapes at poses.
 */
#include "solid.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const char *const kind_names[KINDS] = {"sphere", "box", "capsule", "cylinder", "hull", "half_space", "mesh", "closed"};

void frame_of(const double rotation[4], v3 frame[3])
{
    const dd x = dd_of(rotation[0]), y = dd_of(rotation[1]), z = dd_of(rotation[2]), w = dd_of(rotation[3]);
    const dd square = dd_add(dd_add(dd_mul(x, x), dd_mul(y, y)), dd_add(dd_mul(z, z), dd_mul(w, w)));
    const dd s = dd_div(dd_of(2), square), one = dd_of(1);
    const dd xx = dd_mul(x, x), yy = dd_mul(y, y), zz = dd_mul(z, z);
    const dd xy = dd_mul(x, y), yz = dd_mul(y, z), xz = dd_mul(x, z);
    const dd xw = dd_mul(x, w), yw = dd_mul(y, w), zw = dd_mul(z, w);
    frame[0] = (v3){dd_sub(one, dd_mul(s, dd_add(yy, zz))), dd_mul(s, dd_add(xy, zw)), dd_mul(s, dd_sub(xz, yw))};
    frame[1] = (v3){dd_mul(s, dd_sub(xy, zw)), dd_sub(one, dd_mul(s, dd_add(xx, zz))), dd_mul(s, dd_add(yz, xw))};
    frame[2] = (v3){dd_mul(s, dd_add(xz, yw)), dd_mul(s, dd_sub(yz, xw)), dd_sub(one, dd_mul(s, dd_add(xx, yy)))};
}

static v3 rotated(const v3 frame[3], d3 v)
{
    v3 sum = v3_scale(frame[0], dd_of(v.x));
    sum = v3_plus(sum, frame[1], dd_of(v.y));
    return v3_plus(sum, frame[2], dd_of(v.z));
}

static d3 rotated_double(const d3 axes[3], d3 v)
{
    return d3_plus(d3_plus(d3_scale(axes[0], v.x), axes[1], v.y), axes[2], v.z);
}

void place(solid *s, const shape *shape, const pose *pose, d3 origin)
{
    s->shape = shape;
    frame_of(pose->rotation, s->frame);
    s->center = v3_sub(v3_of(pose->position), v3_of(origin));
    s->middle = v3_double(s->center);
    for (int i = 0; i < 3; ++i) {
        s->axes[i] = v3_double(s->frame[i]);
    }
    for (int i = 0; i < shape->corner_count; ++i) {
        s->corners[i] = v3_add(s->center, rotated(s->frame, shape->corners[i]));
        s->points[i] = v3_double(s->corners[i]);
    }
    s->padded = (shape->corner_count + LANES - 1) / LANES * LANES;
    for (int i = 0; i < s->padded && shape->corner_count > 0; ++i) {
        const d3 p = s->points[i < shape->corner_count ? i : shape->corner_count - 1];
        s->xs[i] = p.x;
        s->ys[i] = p.y;
        s->zs[i] = p.z;
    }
    for (int i = 0; i < shape->face_count; ++i) {
        s->normals[i] = rotated_double(s->axes, shape->normals[i]);
    }
    for (int i = 0; i < shape->edge_count; ++i) {
        s->directions[i] = d3_unit(d3_sub(s->points[shape->edges[i][1]], s->points[shape->edges[i][0]]));
    }
}

void extent(const solid *s, d3 n, double *low, double *high)
{
    if (is_cylinder(s)) {
        const double along = d3_dot(n, s->axes[2]), across = d3_norm(d3_plus(n, s->axes[2], -along));
        const double middle = d3_dot(n, s->middle), reach = s->shape->half_height * fabs(along) + s->shape->radius * across;
        *low = middle - reach;
        *high = middle + reach;
        return;
    }
    double least[LANES], most[LANES];
    for (int k = 0; k < LANES; ++k) {
        least[k] = HUGE_VAL;
        most[k] = -HUGE_VAL;
    }
    for (int i = 0; i < s->padded; i += LANES) {
        for (int k = 0; k < LANES; ++k) {
            const double value = s->xs[i + k] * n.x + s->ys[i + k] * n.y + s->zs[i + k] * n.z;
            least[k] = value < least[k] ? value : least[k];
            most[k] = value > most[k] ? value : most[k];
        }
    }
    *low = least[0];
    *high = most[0];
    for (int k = 1; k < LANES; ++k) {
        *low = least[k] < *low ? least[k] : *low;
        *high = most[k] > *high ? most[k] : *high;
    }
}

dd support(const solid *s, v3 n)
{
    if (is_cylinder(s)) {
        const dd along = v3_dot(n, s->frame[2]), across = v3_norm(v3_plus(n, s->frame[2], dd_neg(along)));
        const dd reach = dd_add(
            dd_mul(dd_of(s->shape->half_height), dd_abs(along)), dd_mul(dd_of(s->shape->radius), across));
        return dd_add(v3_dot(n, s->center), reach);
    }
    dd best = v3_dot(n, s->corners[0]);
    for (int i = 1; i < s->shape->corner_count; ++i) {
        best = dd_max(best, v3_dot(n, s->corners[i]));
    }
    return best;
}

dd separation(const solid *a, const solid *b, v3 n)
{
    return dd_neg(dd_add(support(a, n), support(b, v3_neg(n))));
}

double separation_double(const solid *a, const solid *b, d3 n)
{
    double low_a, high_a, low_b, high_b;
    extent(a, n, &low_a, &high_a);
    extent(b, n, &low_b, &high_b);
    return low_b - high_a;
}

d3 foot_double(const solid *s, d3 point)
{
    const d3 z = s->axes[2], arm = d3_sub(point, s->middle);
    const double height = s->shape->half_height, along = d3_dot(arm, z);
    d3 across = d3_plus(arm, z, -along);
    const double distance = d3_norm(across);
    if (distance > s->shape->radius) {
        across = d3_scale(across, s->shape->radius / distance);
    }
    return d3_plus(d3_add(s->middle, across), z, fmin(fmax(along, -height), height));
}

v3 foot(const solid *s, v3 point)
{
    const v3 z = s->frame[2], arm = v3_sub(point, s->center);
    const dd height = dd_of(s->shape->half_height), along = v3_dot(arm, z);
    v3 across = v3_plus(arm, z, dd_neg(along));
    const dd distance = v3_norm(across);
    if (dd_less(dd_of(s->shape->radius), distance)) {
        across = v3_scale(across, dd_div(dd_of(s->shape->radius), distance));
    }
    return v3_plus(v3_add(s->center, across), z, dd_clamp(along, dd_neg(height), height));
}

v3 extreme(const solid *s, v3 n)
{
    const v3 z = s->frame[2];
    const dd along = v3_dot(n, z), height = dd_of(s->shape->half_height);
    const v3 across = v3_plus(n, z, dd_neg(along));
    /* What is left of a vector along the axis is round-off, and has no direction. Then the middle of the end is as far. */
    const int is_along = dd_double(v3_norm(across)) <= 1e-28 * dd_double(v3_norm(n));
    const v3 out = is_along ? (v3){{0, 0}, {0, 0}, {0, 0}} : v3_unit(across);
    const v3 end = v3_plus(s->center, z, dd_positive(along) ? height : dd_neg(height));
    return v3_plus(end, out, dd_of(s->shape->radius));
}

static void add_edge(shape *s, int i, int j)
{
    for (int k = 0; k < s->edge_count; ++k) {
        if ((s->edges[k][0] == i && s->edges[k][1] == j) || (s->edges[k][0] == j && s->edges[k][1] == i)) {
            return;
        }
    }
    if (s->edge_count == MAX_EDGES) {
        fputs("a shape has too many edges\n", stderr);
        exit(2);
    }
    s->edges[s->edge_count][0] = i;
    s->edges[s->edge_count++][1] = j;
}

void finish(shape *s)
{
    s->size = s->kind == HALF_SPACE ? HUGE_VAL : s->kind == CYLINDER ? hypot(s->radius, s->half_height) : 0;
    for (int i = 0; i < s->corner_count; ++i) {
        s->size = fmax(s->size, d3_norm(s->corners[i]) + s->grown);
    }
    for (int i = 0; i < s->face_count; ++i) {
        const int *face = s->faces[i];
        const v3 first = v3_of(s->corners[face[0]]);
        const v3 one = v3_sub(v3_of(s->corners[face[1]]), first), two = v3_sub(v3_of(s->corners[face[2]]), first);
        s->normals[i] = v3_double(v3_unit(v3_cross(one, two)));
        for (int k = 0; k < 3; ++k) {
            add_edge(s, face[k], face[(k + 1) % 3]);
        }
    }
}
