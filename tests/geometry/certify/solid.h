/*
 * Convex shapes, where they are, and what is found for two of them.
 */
#ifndef CERTIFY_SOLID_H
#define CERTIFY_SOLID_H

#include <stdint.h>

#include "dd.h"

enum { MAX_CORNERS = 48, MAX_EDGES = 192, MAX_FACES = 192, LANES = 8 };

/* KINDS is their number. A mesh is one triangle; a closed mesh is the surface of a convex polytope. */
typedef enum kind { SPHERE, BOX, CAPSULE, CYLINDER, HULL, HALF_SPACE, MESH, CLOSED, KINDS } kind;

extern const char *const kind_names[KINDS];

/* A shape in its own axes: a polytope, whose core is grown by a radius, or a cylinder along z. */
typedef struct shape {
    kind kind;
    /* By which the core is grown: of spheres and capsules [m]. */
    double grown;
    /* Of a cylinder [m]. */
    double half_height, radius;
    /* The radius of the sphere about the origin that holds the shape; infinite for a half-space [m]. */
    double size;
    /* Of a half-space. */
    d3 plane_normal;
    double plane_offset;
    int corner_count, edge_count, face_count;
    d3 corners[MAX_CORNERS];
    int edges[MAX_EDGES][2];
    /* Counterclockwise from outside. */
    int faces[MAX_FACES][3];
    /* Unit normals of the faces. */
    d3 normals[MAX_FACES];
} shape;

typedef struct pose {
    d3 position;
    double rotation[4];
} pose;

/* A shape at a pose, in long numbers and in doubles. Positions are from an origin that both solids of a pair share. */
typedef struct solid {
    const shape *shape;
    v3 center, frame[3], corners[MAX_CORNERS];
    d3 middle, axes[3], points[MAX_CORNERS];
    /* The points again, by coordinate; the last one is repeated up to a multiple of LANES. */
    double xs[MAX_CORNERS], ys[MAX_CORNERS], zs[MAX_CORNERS];
    int padded;
    /* Unit normals of faces and unit vectors along edges; 0 for an edge without length. */
    d3 normals[MAX_FACES], directions[MAX_EDGES];
} solid;

/* What is known about two solids. */
typedef struct answer {
    /* The gap is between these two. Where the cores overlap, both are the depth of the best axis [m]. */
    dd low, high;
    /* From the first to the second. */
    d3 normal;
    /* The distance of the cores, below 0 where they overlap [m]. */
    double core;
    /* The largest separation of overlapping cores that a search without features found [m]. */
    double seen;
    int is_proved, is_single;
} answer;

static inline int is_cylinder(const solid *s) { return s->shape->kind == CYLINDER; }

/* A unit quaternion as three axes, in long numbers. */
void frame_of(const double rotation[4], v3 frame[3]);
void place(solid *s, const shape *shape, const pose *pose, d3 origin);
/* The least and the largest n.x over the core, in doubles. */
void extent(const solid *s, d3 n, double *low, double *high);
/* The largest n.x over the core, and the least separation of two cores along a unit vector. */
dd support(const solid *s, v3 n);
dd separation(const solid *a, const solid *b, v3 n);
double separation_double(const solid *a, const solid *b, d3 n);
/* The point of a solid cylinder that is closest to a point. */
d3 foot_double(const solid *s, d3 point);
v3 foot(const solid *s, v3 point);
/* The point of a cylinder with the largest n.x. */
v3 extreme(const solid *s, v3 n);
/* Makes size, edges and normals of a shape from its corners and faces. */
void finish(shape *s);

/* The gap of two shapes, proved where they are apart. Only the second one may be a half-space. */
answer solve(const shape *a, const pose *pa, const shape *b, const pose *pb, int is_thorough);

/* The distance of two cores in `found`, or 0 where none is proved: then they overlap, or more samples of circles are needed. */
int nearest(const solid *a, const solid *b, int samples, answer *found);
/* The axis with the largest separation of overlapping cores. */
void deepest(const solid *a, const solid *b, int samples, answer *found);
/* The largest separation that a search from an axis finds uphill. The axis moves to it. */
double climb(const solid *a, const solid *b, d3 *n, double step);

#endif
