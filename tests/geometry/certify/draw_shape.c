/*
 * Random numbers and random shapes. Sizes are between 0.1 and 1 m, as in compare.py.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw.h"

/* Corners of hulls are in a face, or at least FLATNESS away: the library merges nearer ones [of the size]. */
static const double IN_FACE = 1e-12, FLATNESS = 1e-5;

static uint64_t next(generator *g)
{
    uint64_t z = g->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

double uniform(generator *g, double low, double high)
{
    return low + (high - low) * ((double)(next(g) >> 11) * 0x1p-53);
}

int below(generator *g, int count)
{
    return (int)(uniform(g, 0, 1) * count);
}

d3 direction(generator *g)
{
    const double z = uniform(g, -1, 1), angle = uniform(g, 0, 2 * acos(-1)), r = sqrt(fmax(0, 1 - z * z));
    return (d3){r * cos(angle), r * sin(angle), z};
}

static void add_face(shape *s, int i, int j, int k)
{
    if (s->face_count == MAX_FACES) {
        fputs("a shape has too many faces\n", stderr);
        exit(2);
    }
    s->faces[s->face_count][0] = i;
    s->faces[s->face_count][1] = j;
    s->faces[s->face_count++][2] = k;
}

/* The triangles of a hull: all three corners below which there is no other. Returns 0 where a corner is nearly in a face. */
static int add_hull(shape *s)
{
    const int count = s->corner_count;
    for (int i = 0; i < count; ++i) {
        for (int j = i + 1; j < count; ++j) {
            for (int k = j + 1; k < count; ++k) {
                d3 n = d3_cross(d3_sub(s->corners[j], s->corners[i]), d3_sub(s->corners[k], s->corners[i]));
                if (d3_norm(n) < FLATNESS) {
                    return 0;
                }
                n = d3_unit(n);
                int is_below = 1, is_above = 1, is_near = 0;
                for (int m = 0; m < count && (is_below || is_above); ++m) {
                    const double height = m == i || m == j || m == k ? 0 : d3_dot(n, d3_sub(s->corners[m], s->corners[i]));
                    is_near |= fabs(height) > IN_FACE && fabs(height) < FLATNESS;
                    is_below &= height < IN_FACE;
                    is_above &= height > -IN_FACE;
                }
                if ((is_below || is_above) && is_near) {
                    return 0;
                }
                if (is_below || is_above) {
                    add_face(s, i, is_below ? j : k, is_below ? k : j);
                }
            }
        }
    }
    return 1;
}

/* Keeps the corners that faces have. */
static void drop_inner(shape *s)
{
    int place[MAX_CORNERS], count = 0;
    for (int i = 0; i < s->corner_count; ++i) {
        place[i] = -1;
        for (int j = 0; j < s->face_count; ++j) {
            if (s->faces[j][0] == i || s->faces[j][1] == i || s->faces[j][2] == i) {
                place[i] = count;
            }
        }
        if (place[i] >= 0) {
            s->corners[count++] = s->corners[i];
        }
    }
    s->corner_count = count;
    for (int j = 0; j < s->face_count; ++j) {
        for (int k = 0; k < 3; ++k) {
            s->faces[j][k] = place[s->faces[j][k]];
        }
    }
}

static void stretch(shape *s, generator *g, double scale, double least)
{
    const d3 by = {scale * uniform(g, least, 1), scale * uniform(g, least, 1), scale * uniform(g, least, 1)};
    for (int i = 0; i < s->corner_count; ++i) {
        s->corners[i] = (d3){s->corners[i].x * by.x, s->corners[i].y * by.y, s->corners[i].z * by.z};
    }
}

/* A prism of 3 to 6 sides, or a pyramid, with flat faces of several triangles. */
static void prism(shape *s, generator *g)
{
    const int sides = 3 + below(g, 4), is_regular = below(g, 2), is_pyramid = below(g, 4) == 0;
    const double turn = uniform(g, 0, 2), height = uniform(g, 0.2, 1);
    for (int i = 0; i < sides; ++i) {
        const double angle = (is_regular ? 0 : turn + uniform(g, -0.3, 0.3) * (6.0 / sides)) + 2 * acos(-1) * i / sides;
        for (int k = is_pyramid; k < 2; ++k) {
            s->corners[s->corner_count++] = (d3){cos(angle), sin(angle), k ? height : -height};
        }
    }
    if (is_pyramid) {
        s->corners[s->corner_count++] = (d3){0, 0, -height};
    }
}

/* The hull of 4 to 20 random points, in a box or on an ellipsoid, or a prism. */
static void hull(shape *s, generator *g, double scale, int is_prism)
{
    const shape empty = *s;
    do {
        *s = empty;
        if (is_prism) {
            prism(s, g);
        } else {
            const int count = 4 + below(g, 17), is_round = below(g, 2);
            for (int i = 0; i < count; ++i) {
                const d3 point = {uniform(g, -1, 1), uniform(g, -1, 1), uniform(g, -1, 1)};
                s->corners[s->corner_count++] = is_round ? d3_unit(point) : point;
            }
        }
        stretch(s, g, 1, 0.3);
    } while (!add_hull(s));
    drop_inner(s);
    for (int i = 0; i < s->corner_count; ++i) {
        s->corners[i] = d3_scale(s->corners[i], scale);
    }
}

static void box(shape *s, d3 half)
{
    static const int sides[6][4] = {{0, 1, 3, 2}, {4, 6, 7, 5}, {0, 4, 5, 1}, {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 5, 7, 3}};
    for (int i = 0; i < 8; ++i) {
        s->corners[i] = (d3){i & 4 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 1 ? half.z : -half.z};
    }
    s->corner_count = 8;
    for (int i = 0; i < 6; ++i) {
        add_face(s, sides[i][0], sides[i][1], sides[i][2]);
        add_face(s, sides[i][0], sides[i][2], sides[i][3]);
    }
}

/* An icosahedron whose edges are halved, on an ellipsoid: 80 triangles. */
static void icosphere(shape *s, generator *g, double scale)
{
    const double t = 0.5 * (1 + sqrt(5));
    for (int i = 0; i < 4; ++i) {
        const double x = i & 1 ? 1 : -1, y = i & 2 ? t : -t;
        s->corners[i] = d3_unit((d3){x, y, 0});
        s->corners[4 + i] = d3_unit((d3){0, x, y});
        s->corners[8 + i] = d3_unit((d3){y, 0, x});
    }
    s->corner_count = 12;
    add_hull(s);
    finish(s);
    const int edges = s->edge_count;
    for (int i = 0; i < edges; ++i) {
        const d3 sum = d3_add(s->corners[s->edges[i][0]], s->corners[s->edges[i][1]]);
        s->corners[s->corner_count++] = d3_unit(sum);
    }
    s->face_count = s->edge_count = 0;
    stretch(s, g, 1, 0.5);
    add_hull(s);
    for (int i = 0; i < s->corner_count; ++i) {
        s->corners[i] = d3_scale(s->corners[i], scale);
    }
}

static void triangle(shape *s, generator *g, double scale)
{
    double area;
    do {
        for (int i = 0; i < 3; ++i) {
            s->corners[i] = (d3){scale * uniform(g, -1, 1), scale * uniform(g, -1, 1), scale * uniform(g, -1, 1)};
        }
        area = d3_norm(d3_cross(d3_sub(s->corners[1], s->corners[0]), d3_sub(s->corners[2], s->corners[0])));
    } while (area <= 0.1 * scale * scale);
    s->corner_count = 3;
    add_face(s, 0, 1, 2);
}

void draw_shape(generator *g, kind kind, shape *s)
{
    memset(s, 0, sizeof *s);
    s->kind = kind;
    const double scale = pow(10, uniform(g, -1, 0));
    const d3 r = {scale * uniform(g, 0.1, 1), scale * uniform(g, 0.1, 1), scale * uniform(g, 0.1, 1)};
    if (kind == SPHERE || kind == CAPSULE) {
        s->grown = r.y;
        s->corner_count = kind == SPHERE ? 1 : 2;
        s->corners[0].z = kind == SPHERE ? 0 : -r.x;
        s->corners[1].z = r.x;
        s->edge_count = 1;
        s->edges[0][1] = kind == CAPSULE;
    } else if (kind == BOX) {
        box(s, r);
    } else if (kind == CYLINDER) {
        s->half_height = r.x;
        s->radius = r.y;
    } else if (kind == HULL) {
        hull(s, g, scale, below(g, 3) == 0);
    } else if (kind == HALF_SPACE) {
        s->plane_normal = below(g, 2) ? (d3){0, 0, 1} : direction(g);
        s->plane_offset = uniform(g, -1, 1);
    } else if (kind == MESH) {
        triangle(s, g, scale);
    } else {
        const int which = below(g, 3);
        if (which == 0) {
            box(s, r);
        } else if (which == 1) {
            icosphere(s, g, scale);
        } else {
            hull(s, g, scale, 0);
        }
    }
    finish(s);
}
