/*
 * What the library says about a pair.
 */
#ifndef CERTIFY_LIBRARY_H
#define CERTIFY_LIBRARY_H

#include "draw.h"

/* What the library says about a pair. */
typedef struct finding {
    int count;
    double gap;
    /* From the first shape to the second. */
    d3 normal;
} finding;

/* The deepest contact of a pair after one step. The count is -1 where the step does not end. */
finding ask(const pair *p);

#endif
