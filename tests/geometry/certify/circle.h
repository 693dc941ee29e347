/*
 * Roots of growing functions, and the rims of cylinders.
 */
#ifndef CERTIFY_CIRCLE_H
#define CERTIFY_CIRCLE_H

#include "solid.h"

typedef dd (*slope)(const void *context, dd t);

/* Where a function that grows passes 0, or the end of the range that is nearer to it. */
dd root(slope f, const void *context, dd low, dd high, double width);
/* The point of a rim at an angle in doubles, and the unit tangent there unless that is NULL. */
d3 rim_double(const solid *s, int sign, double angle, d3 *tangent);
/* The point of a rim that is nearest to a solid cylinder, within an angle on both sides of another one. */
v3 rim_nearest(const solid *s, int sign, double angle, double width, const solid *to, double accuracy);

#endif
