/*
 * The static equilibrium of spheres on elastic contacts without friction, in the limit of great stiffness: found
 * here, with nothing of the library, by Newton steps and conjugate gradients in the displacements u of the spheres.
 * It minimises
 *
 *     sum (k/p) c^p + load . u,     c = max(-n . (u_b - u_a), 0)
 *
 * where the forces f = k c^(p-1) along the normals hold the loads: sum of the forces on each sphere = its load.
 */
#ifndef DRYSTONE_TESTS_EQUILIBRIUM_H
#define DRYSTONE_TESTS_EQUILIBRIUM_H
#include "check.h"

typedef struct spring {
    size_t a, b; /* bodies; the fixed ones have the number `count` or above */
    vec3 normal; /* from a to b */
    double stiffness;
} spring;

typedef struct network {
    size_t springs, count; /* of bodies that move */
    const spring *spring;
    const vec3 *load; /* what the contacts are to give each body that moves */
    double exponent;
} network;

/* How much each spring opens: n . (u_b - u_a). */
static inline double opening(const network *all, const spring *one, const vec3 *u)
{
    double opens = one->b < all->count ? dot(one->normal, u[one->b]) : 0;
    return one->a < all->count ? opens - dot(one->normal, u[one->a]) : opens;
}

static inline void add_force(const network *all, const spring *one, double force, vec3 *sum)
{
    if (one->a < all->count)
        sum[one->a] = sub(sum[one->a], scale(force, one->normal));
    if (one->b < all->count)
        sum[one->b] = add(sum[one->b], scale(force, one->normal));
}

static inline double force_of(const network *all, const spring *one, double opens)
{
    return opens < 0 ? one->stiffness * pow(-opens, all->exponent - 1) : 0;
}

static inline double dots(size_t count, const vec3 *x, const vec3 *y)
{
    double sum = 0;
    for (size_t k = 0; k < count; ++k)
        sum += dot(x[k], y[k]);
    return sum;
}

/* The gradient: load minus the forces. */
static inline void unbalanced(const network *all, const vec3 *u, vec3 *rest)
{
    memcpy(rest, all->load, all->count * sizeof *rest);
    for (size_t k = 0; k < all->springs; ++k)
        add_force(all, &all->spring[k], -force_of(all, &all->spring[k], opening(all, &all->spring[k], u)), rest);
}

/* The step with sum n (d (n . step)) = -rest, to `relative`, by conjugate gradients. work: 4 count. */
static inline void newton_step(const network *all, const double *d, const vec3 *rest, double relative, vec3 *step,
                               vec3 *work)
{
    size_t n = all->count;
    vec3 *r = work, *direction = work + n, *image = work + 2 * n, *weighted = work + 3 * n;
    double *diagonal = allocate(n, sizeof *diagonal), before = 1;
    for (size_t k = 0; k < all->springs; ++k) {
        const spring *one = &all->spring[k];
        if (one->a < n)
            diagonal[one->a] += d[k];
        if (one->b < n)
            diagonal[one->b] += d[k];
    }
    memset(step, 0, n * sizeof *step);
    memset(direction, 0, n * sizeof *direction);
    for (size_t k = 0; k < n; ++k)
        r[k] = scale(-1, rest[k]);
    double enough = relative * relative * dots(n, r, r);
    for (int iteration = 0; iteration < 20000 && dots(n, r, r) > enough; ++iteration) {
        for (size_t k = 0; k < n; ++k)
            weighted[k] = scale(1 / diagonal[k], r[k]);
        double now = dots(n, r, weighted);
        for (size_t k = 0; k < n; ++k)
            direction[k] = add(weighted[k], scale(now / before, direction[k]));
        memset(image, 0, n * sizeof *image);
        for (size_t k = 0; k < all->springs; ++k)
            add_force(all, &all->spring[k], d[k] * opening(all, &all->spring[k], direction), image);
        double length = now / dots(n, direction, image);
        for (size_t k = 0; k < n; ++k) {
            step[k] = add(step[k], scale(length, direction[k]));
            r[k] = sub(r[k], scale(length, image[k]));
        }
        before = now;
    }
    free(diagonal);
}

/* Where the potential is least along a step, by bisection of its slope. */
static inline double best_length(const network *all, const vec3 *u, const vec3 *step)
{
    double low = 0, high = 1, *at = allocate(2 * all->springs, sizeof *at), *change = at + all->springs;
    double work = dots(all->count, all->load, step);
    for (size_t k = 0; k < all->springs; ++k) {
        at[k] = opening(all, &all->spring[k], u);
        change[k] = opening(all, &all->spring[k], step);
    }
    for (int round = 0, found = 0; round < 80; ++round) {
        double length = found ? 0.5 * (low + high) : high, slope = work;
        for (size_t k = 0; k < all->springs; ++k)
            slope -= force_of(all, &all->spring[k], at[k] + length * change[k]) * change[k];
        found = found || slope >= 0;
        if (slope >= 0)
            high = length;
        else
            low = length;
        if (!found)
            high *= 2;
    }
    free(at);
    return high;
}

/* The forces of the equilibrium, one for each spring; returns what is unbalanced, relative to the loads. */
static inline double equilibrium(const network *all, double *force)
{
    size_t n = all->count;
    vec3 *u = allocate(7 * n, sizeof *u), *rest = u + n, *step = u + 2 * n, *work = u + 3 * n;
    double *d = allocate(all->springs, sizeof *d), load = sqrt(dots(n, all->load, all->load)), residual = 1;
    for (int round = 0; round < 100; ++round) {
        unbalanced(all, u, rest);
        residual = sqrt(dots(n, rest, rest)) / load;
        if (residual < 1e-13)
            break;
        for (size_t k = 0; k < all->springs; ++k) {
            const spring *one = &all->spring[k];
            double opens = opening(all, one, u), p = all->exponent;
            /* a part of all springs keeps the matrix regular; at the start they are all that there is */
            d[k] = one->stiffness * fmin(residual, 1) * (round ? 1e-3 : 1);
            d[k] += opens < 0 ? (p - 1) * one->stiffness * pow(-opens, p - 2) : 0;
        }
        newton_step(all, d, rest, fmin(1e-2, residual), step, work);
        double length = best_length(all, u, step);
        for (size_t k = 0; k < n; ++k)
            u[k] = add(u[k], scale(length, step[k]));
    }
    for (size_t k = 0; k < all->springs; ++k)
        force[k] = force_of(all, &all->spring[k], opening(all, &all->spring[k], u));
    free(u);
    free(d);
    return residual;
}
#endif
