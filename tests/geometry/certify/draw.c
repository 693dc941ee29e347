/*
 * Random pairs of shapes.
 *
 * Half of the pairs are apart by 1e-9 to 0.4 of the size, in every order of magnitude. A tenth touch to round-off. The others overlap by
 * 1e-9 to 0.1 of the size. The size of a pair is that of its smaller shape. Two shapes are drawn somewhere, solved, and
 * moved along the normal. The normal stays the right one on the way.
 */
#include "draw.h"

#include <math.h>

static d3 turned(const double q[4], d3 v)
{
    v3 frame[3];
    frame_of(q, frame);
    const d3 sum = d3_plus(d3_scale(v3_double(frame[0]), v.x), v3_double(frame[1]), v.y);
    return d3_plus(sum, v3_double(frame[2]), v.z);
}

static void random_rotation(generator *g, double q[4])
{
    double square;
    do {
        square = 0;
        for (int i = 0; i < 4; ++i) {
            q[i] = uniform(g, -1, 1);
            square += q[i] * q[i];
        }
    } while (square > 1 || square < 0.01);
    for (int i = 0; i < 4; ++i) {
        q[i] /= sqrt(square);
    }
}

static d3 random_place(generator *g)
{
    return (d3){uniform(g, -1, 1), uniform(g, -1, 1), uniform(g, -1, 1)};
}

static double random_gap(generator *g, double size)
{
    const double which = uniform(g, 0, 1);
    if (which < 0.5) {
        return size * pow(10, uniform(g, -9, log10(0.4)));
    }
    return which < 0.6 ? 0 : -size * pow(10, uniform(g, -9, -1.01));
}

/* Features that face each other -------------------------------------------------------------------------------- */

/* A point of a shape, a direction out of it there, and one along the surface. */
typedef struct spot {
    d3 point, out, along;
} spot;

static spot on_face(generator *g, const shape *s)
{
    const int face = below(g, s->face_count), *corners = s->faces[face], k = below(g, 3);
    const double u = uniform(g, 0, 1), v = uniform(g, 0, 1 - u);
    const d3 base = s->corners[corners[0]];
    const d3 one = d3_sub(s->corners[corners[1]], base), two = d3_sub(s->corners[corners[2]], base);
    const double sign = s->kind == MESH && below(g, 2) ? -1 : 1;
    return (spot){
        d3_plus(d3_plus(base, one, u), two, v),
        d3_scale(s->normals[face], sign),
        d3_unit(d3_sub(s->corners[corners[(k + 1) % 3]], s->corners[corners[k]])),
    };
}

static spot on_edge(generator *g, const shape *s)
{
    const int *edge = s->edges[below(g, s->edge_count)];
    const d3 start = s->corners[edge[0]], arm = d3_sub(s->corners[edge[1]], start), along = d3_unit(arm);
    d3 out = {0, 0, 0};
    for (int i = 0; i < s->face_count && s->kind != MESH; ++i) {
        const int *face = s->faces[i];
        const int has_start = face[0] == edge[0] || face[1] == edge[0] || face[2] == edge[0];
        const int has_end = face[0] == edge[1] || face[1] == edge[1] || face[2] == edge[1];
        out = has_start && has_end ? d3_plus(out, s->normals[i], uniform(g, 0.1, 1)) : out;
    }
    if (d3_norm(out) == 0) {
        const d3 any = direction(g);
        out = d3_plus(any, along, -d3_dot(any, along));
    }
    return (spot){d3_plus(d3_plus(start, arm, uniform(g, 0, 1)), d3_unit(out), s->grown), d3_unit(out), along};
}

static spot on_cylinder(generator *g, const shape *s)
{
    const double angle = below(g, 2) ? 0 : uniform(g, 0, 2 * acos(-1)), height = uniform(g, -1, 1) * s->half_height;
    const d3 out = {cos(angle), sin(angle), 0}, z = {0, 0, 1};
    if (below(g, 2)) {
        return (spot){d3_plus(d3_scale(out, s->radius), z, height), out, z};
    }
    const double sign = below(g, 2) ? 1 : -1;
    const d3 point = d3_plus(d3_scale(out, s->radius * uniform(g, 0, 1)), z, sign * s->half_height);
    return (spot){point, d3_scale(z, sign), out};
}

static spot random_spot(generator *g, const shape *s)
{
    if (s->kind == HALF_SPACE) {
        const d3 n = d3_unit(s->plane_normal);
        return (spot){d3_scale(n, s->plane_offset), n, d3_across(n)};
    }
    if (s->kind == CYLINDER) {
        return on_cylinder(g, s);
    }
    return s->face_count > 0 && below(g, 3) ? on_face(g, s) : on_edge(g, s);
}

static void product(const double a[4], const double b[4], double out[4])
{
    const d3 u = {a[0], a[1], a[2]}, v = {b[0], b[1], b[2]};
    const d3 sum = d3_plus(d3_plus(d3_cross(u, v), v, a[3]), u, b[3]);
    out[3] = a[3] * b[3] - d3_dot(u, v);
    out[0] = sum.x;
    out[1] = sum.y;
    out[2] = sum.z;
}

/* The rotation that takes `out` to z and `along` to x. */
static void upright(const spot *spot, double q[4])
{
    const d3 rows[3] = {spot->along, d3_cross(spot->out, spot->along), spot->out};
    const double m[3][3] = {
        {rows[0].x, rows[0].y, rows[0].z}, {rows[1].x, rows[1].y, rows[1].z}, {rows[2].x, rows[2].y, rows[2].z},
    };
    const double trace = m[0][0] + m[1][1] + m[2][2];
    int i = 0;
    for (int k = 1; k < 3; ++k) {
        i = m[k][k] > m[i][i] ? k : i;
    }
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    if (trace > 0) {
        const double w = 0.5 * sqrt(1 + trace);
        q[3] = w;
        q[0] = (m[2][1] - m[1][2]) / (4 * w);
        q[1] = (m[0][2] - m[2][0]) / (4 * w);
        q[2] = (m[1][0] - m[0][1]) / (4 * w);
        return;
    }
    q[i] = 0.5 * sqrt(1 + m[i][i] - m[j][j] - m[k][k]);
    q[j] = (m[i][j] + m[j][i]) / (4 * q[i]);
    q[k] = (m[i][k] + m[k][i]) / (4 * q[i]);
    q[3] = (m[k][j] - m[j][k]) / (4 * q[i]);
}

static double random_tilt(generator *g)
{
    return below(g, 19) == 0 ? 0 : below(g, 2) ? pow(10, -17 + below(g, 15)) : pow(10, uniform(g, -17, -3));
}

/* Turns both shapes so that a feature of each faces the other, except for a tilt. */
static void face_each_other(generator *g, pair *p)
{
    static const double half_turn[4] = {1, 0, 0, 0};
    const spot a = random_spot(g, &p->a), b = random_spot(g, &p->b);
    const double angle = below(g, 3) == 0 ? uniform(g, 0, 6) : 0.5 * acos(-1) * below(g, 4);
    const double spin[4] = {0, 0, angle == 0 ? 0 : sin(0.5 * angle), angle == 0 ? 1 : cos(0.5 * angle)};
    const d3 axis = below(g, 2) ? direction(g) : (d3){below(g, 2), below(g, 2), below(g, 4) == 0};
    p->tilt = random_tilt(g);
    const double tilt[4] = {0.5 * p->tilt * axis.x, 0.5 * p->tilt * axis.y, 0.5 * p->tilt * axis.z, 1};
    double q[4], r[4], whole[4] = {0, 0, 0, 1};
    upright(&a, p->pa.rotation);
    upright(&b, q);
    product(half_turn, q, r);
    product(spin, r, q);
    product(tilt, q, p->pb.rotation);
    const double apart = p->size * uniform(g, 0.01, 0.4);
    p->pa.position = d3_scale(turned(p->pa.rotation, a.point), -1);
    p->pb.position = d3_sub((d3){0, 0, apart}, turned(p->pb.rotation, b.point));
    if (below(g, 2)) {
        random_rotation(g, whole);
    }
    const d3 by = below(g, 2) ? random_place(g) : (d3){0, 0, 0};
    pose *poses[2] = {&p->pa, &p->pb};
    for (int i = 0; i < 2; ++i) {
        product(whole, poses[i]->rotation, q);
        const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        for (int k = 0; k < 4; ++k) {
            poses[i]->rotation[k] = fabs(length - 1) > 1e-15 ? q[k] / length : q[k];
        }
        poses[i]->position = d3_add(turned(whole, poses[i]->position), by);
    }
}

static void somewhere(generator *g, pair *p)
{
    random_rotation(g, p->pa.rotation);
    random_rotation(g, p->pb.rotation);
    p->pa.position = p->pb.position = random_place(g);
    if (p->b.kind != HALF_SPACE) {
        const double part = below(g, 2) ? uniform(g, 0.1, 0.7) : 1.05;
        p->pb.position = d3_plus(p->pa.position, direction(g), part * (p->a.size + p->b.size));
    } else {
        p->pb.position = random_place(g);
    }
}

/* Moves the second shape along the normal until the gap is a random one. Returns whether it is in the range. */
static int to_gap(generator *g, pair *p)
{
    const double wanted = random_gap(g, p->size);
    double gap = 0;
    for (int i = 0; i < 4; ++i) {
        p->answer = solve(&p->a, &p->pa, &p->b, &p->pb, 0);
        gap = dd_double(p->answer.low);
        if (fabs(gap - wanted) <= 1e-15 + 0.01 * fabs(wanted)) {
            break;
        }
        if (i < 3) {
            p->pb.position = d3_plus(p->pb.position, p->answer.normal, wanted - gap);
        }
    }
    return gap > -0.1 * p->size && gap < 0.45 * p->size;
}

void draw_pair(uint64_t seed, kind a, kind b, int is_tilted, uint64_t number, pair *p)
{
    generator g = {((seed * 64 + a) * 64 + b) * 2 + (uint64_t)is_tilted};
    g.state = g.state * 0xd1342543de82ef95u + number * 0xaf251af3b0f025b5u;
    below(&g, 2);
    do {
        p->is_swapped = below(&g, 2);
        p->is_dynamic = below(&g, 2) && b < HALF_SPACE;
        draw_shape(&g, a, &p->a);
        draw_shape(&g, b, &p->b);
        p->size = fmin(p->a.size, p->b.size);
        p->tilt = -1;
        if (is_tilted) {
            face_each_other(&g, p);
        } else {
            somewhere(&g, p);
        }
    } while (!to_gap(&g, p));
    const double gap = fmax(dd_double(p->answer.high), 0);
    p->margin = below(&g, 8) == 0 ? 1.001 * gap + 1e-9 * p->size : 0.5 * p->size;
}
