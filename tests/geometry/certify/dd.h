/*
 * Numbers of twice the length of a double, about 32 digits, and vectors of them.
 *
 * The compiler must not contract a * b + c: -ffp-contract=off. Sources: Dekker (1971), Knuth's two-sum, and Karp and Markstein (1997)
 * for the square root.
 */
#ifndef CERTIFY_DD_H
#define CERTIFY_DD_H

#include <math.h>

typedef struct dd {
    double hi, lo;
} dd;

/* A vector of doubles. */
typedef struct d3 {
    double x, y, z;
} d3;

/* A vector of long numbers. */
typedef struct v3 {
    dd x, y, z;
} v3;

static inline dd two_sum(double a, double b)
{
    const double sum = a + b, part = sum - a;
    return (dd){sum, (a - (sum - part)) + (b - part)};
}

/* The same for |a| >= |b|. */
static inline dd quick_sum(double a, double b)
{
    const double sum = a + b;
    return (dd){sum, b - (sum - a)};
}

static inline dd dd_of(double a) { return (dd){a, 0}; }

static inline double dd_double(dd a) { return a.hi + a.lo; }

static inline dd dd_neg(dd a) { return (dd){-a.hi, -a.lo}; }

static inline dd dd_add(dd a, dd b)
{
    dd sum = two_sum(a.hi, b.hi), rest = two_sum(a.lo, b.lo);
    sum = quick_sum(sum.hi, sum.lo + rest.hi);
    return quick_sum(sum.hi, sum.lo + rest.lo);
}

static inline dd dd_sub(dd a, dd b) { return dd_add(a, dd_neg(b)); }

static inline dd dd_mul(dd a, dd b)
{
    const double product = a.hi * b.hi;
    const double rest = fma(a.hi, b.hi, -product) + (a.hi * b.lo + a.lo * b.hi);
    return quick_sum(product, rest);
}

static inline dd dd_div(dd a, dd b)
{
    const double first = a.hi / b.hi;
    dd rest = dd_sub(a, dd_mul(b, dd_of(first)));
    const double second = rest.hi / b.hi;
    rest = dd_sub(rest, dd_mul(b, dd_of(second)));
    return dd_add(quick_sum(first, second), dd_of(rest.hi / b.hi));
}

static inline dd dd_sqrt(dd a)
{
    if (a.hi <= 0) {
        return dd_of(0);
    }
    const double inverse = 1 / sqrt(a.hi), root = a.hi * inverse;
    const dd rest = dd_sub(a, dd_mul(dd_of(root), dd_of(root)));
    return quick_sum(root, rest.hi * inverse * 0.5);
}

static inline int dd_less(dd a, dd b) { return a.hi < b.hi || (a.hi == b.hi && a.lo < b.lo); }

static inline int dd_positive(dd a) { return a.hi > 0; }

static inline dd dd_abs(dd a) { return a.hi < 0 ? dd_neg(a) : a; }

static inline dd dd_max(dd a, dd b) { return dd_less(a, b) ? b : a; }

static inline dd dd_min(dd a, dd b) { return dd_less(a, b) ? a : b; }

static inline dd dd_clamp(dd a, dd low, dd high) { return dd_max(low, dd_min(a, high)); }

/* Vectors of doubles. */

static inline d3 d3_add(d3 a, d3 b) { return (d3){a.x + b.x, a.y + b.y, a.z + b.z}; }

static inline d3 d3_sub(d3 a, d3 b) { return (d3){a.x - b.x, a.y - b.y, a.z - b.z}; }

static inline d3 d3_scale(d3 a, double s) { return (d3){a.x * s, a.y * s, a.z * s}; }

/* a + s b */
static inline d3 d3_plus(d3 a, d3 b, double s) { return (d3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z}; }

static inline double d3_dot(d3 a, d3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static inline d3 d3_cross(d3 a, d3 b)
{
    return (d3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double d3_norm(d3 a) { return sqrt(d3_dot(a, a)); }

/* The unit vector along a, or 0 where a is 0. */
static inline d3 d3_unit(d3 a)
{
    const double length = d3_norm(a);
    return length > 0 ? d3_scale(a, 1 / length) : (d3){0, 0, 0};
}

/* A unit vector across a unit vector. */
static inline d3 d3_across(d3 a)
{
    const d3 other = fabs(a.x) < 0.6 ? (d3){1, 0, 0} : (d3){0, 1, 0};
    return d3_unit(d3_cross(a, other));
}

/* Vectors of long numbers. */

static inline v3 v3_of(d3 a) { return (v3){dd_of(a.x), dd_of(a.y), dd_of(a.z)}; }

static inline d3 v3_double(v3 a) { return (d3){dd_double(a.x), dd_double(a.y), dd_double(a.z)}; }

static inline v3 v3_neg(v3 a) { return (v3){dd_neg(a.x), dd_neg(a.y), dd_neg(a.z)}; }

static inline v3 v3_add(v3 a, v3 b) { return (v3){dd_add(a.x, b.x), dd_add(a.y, b.y), dd_add(a.z, b.z)}; }

static inline v3 v3_sub(v3 a, v3 b) { return v3_add(a, v3_neg(b)); }

static inline v3 v3_scale(v3 a, dd s) { return (v3){dd_mul(a.x, s), dd_mul(a.y, s), dd_mul(a.z, s)}; }

/* a + s b */
static inline v3 v3_plus(v3 a, v3 b, dd s) { return v3_add(a, v3_scale(b, s)); }

static inline dd v3_dot(v3 a, v3 b) { return dd_add(dd_add(dd_mul(a.x, b.x), dd_mul(a.y, b.y)), dd_mul(a.z, b.z)); }

static inline v3 v3_cross(v3 a, v3 b)
{
    return (v3){
        dd_sub(dd_mul(a.y, b.z), dd_mul(a.z, b.y)),
        dd_sub(dd_mul(a.z, b.x), dd_mul(a.x, b.z)),
        dd_sub(dd_mul(a.x, b.y), dd_mul(a.y, b.x)),
    };
}

static inline dd v3_norm(v3 a) { return dd_sqrt(v3_dot(a, a)); }

/* The unit vector along a, or 0 where a is 0. */
static inline v3 v3_unit(v3 a)
{
    const dd length = v3_norm(a);
    return dd_positive(length) ? v3_scale(a, dd_div(dd_of(1), length)) : (v3){{0, 0}, {0, 0}, {0, 0}};
}

#endif
