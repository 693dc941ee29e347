/*
 * The forces of a pile's contacts, classic or compatible, and what is to be said about them in a few numbers.
 */
#ifndef FORCE_NETWORK_H
#define FORCE_NETWORK_H

#include "cannonball.h"

#include <string.h>

typedef struct force_network {
    char name[64], note[64];      /* headings of its pictures */
    size_t contact_count;
    double *force;                /* normal force of each contact [N] */
    double *load;                 /* vertical force on each sphere of the base, downwards positive [N] */
    double largest;               /* of the forces [N] */
    size_t bearing;               /* contacts with more than a millionth of that */
    double on_base;               /* sum of the loads [N] */
    double asymmetry;             /* of the loads, see load_asymmetry */
} force_network;

/* Where the cell (x, y) of a square goes in one of the square's 8 symmetries. */
static inline size_t mirrored(size_t side, size_t x, size_t y, unsigned symmetry)
{
    const size_t last = side - 1;
    const size_t across = (symmetry & 1u) != 0 ? last - x : x;
    const size_t along = (symmetry & 2u) != 0 ? last - y : y;
    return (symmetry & 4u) != 0 ? across * side + along : along * side + across;
}

/* The largest difference between loads that the square's symmetries make equal, over the largest load [-]. */
static inline double load_asymmetry(size_t side, const double *load)
{
    double difference = 0.0, largest = 0.0;
    for (size_t y = 0; y < side; ++y) {
        for (size_t x = 0; x < side; ++x) {
            const double here = load[y * side + x];
            largest = fmax(largest, fabs(here));
            for (unsigned symmetry = 1; symmetry < 8; ++symmetry) {
                difference = fmax(difference, fabs(here - load[mirrored(side, x, y, symmetry)]));
            }
        }
    }
    return largest > 0.0 ? difference / largest : 0.0;
}

static inline force_network network_of(const pile *pyramid, const dry_contact *contacts, size_t count, bool compatible)
{
    force_network found = {.contact_count = count};
    found.force = allocate(count, sizeof *found.force);
    found.load = allocate(pyramid->base_count, sizeof *found.load);
    for (size_t i = 0; i < count; ++i) {
        const dry_contact *contact = &contacts[i];
        const double force = compatible ? contact->compatible_normal_force : contact->normal_force;
        const size_t a = pile_index(pyramid, contact->body_a), b = pile_index(pyramid, contact->body_b);
        found.force[i] = force;
        found.largest = fmax(found.largest, force);
        /* the force is that on body_b, and body_a receives the opposite */
        if (a < pyramid->base_count) {
            found.load[a] += force * contact->normal[2];
        }
        if (b < pyramid->base_count) {
            found.load[b] -= force * contact->normal[2];
        }
    }
    for (size_t i = 0; i < count; ++i) {
        found.bearing += found.force[i] > 1e-6 * found.largest;
    }
    for (size_t i = 0; i < pyramid->base_count; ++i) {
        found.on_base += found.load[i];
    }
    found.asymmetry = load_asymmetry(pyramid->side, found.load);
    return found;
}

static inline void network_free(force_network *network)
{
    free(network->force);
    free(network->load);
}

/* The largest and the mean difference between two networks of the same contacts, over their largest force [-]. */
static inline void network_difference(const force_network *one, const force_network *other, double *largest, double *mean)
{
    const double unit = fmax(one->largest, other->largest);
    *largest = 0.0;
    *mean = 0.0;
    for (size_t i = 0; i < one->contact_count; ++i) {
        const double difference = fabs(one->force[i] - other->force[i]) / unit;
        *largest = fmax(*largest, difference);
        *mean += difference / (double)one->contact_count;
    }
}

#endif
