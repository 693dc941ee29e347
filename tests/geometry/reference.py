"""The gap and the normal of two convex solids, to 40 digits and more, with a proof.

The separation of two solids along a unit vector n is the least n.x of the second minus the largest n.x of the first. The
gap is the largest separation over all n, and the normal is that n. This holds for solids that are apart and for solids
that overlap: there the gap is the least depth, below 0.

A sphere is a point with a radius, a capsule is a segment with a radius. The radii are subtracted at the end.

1. Candidates are found in doubles: pairs of features for solids apart, axes for solids that overlap.
2. The best candidates are evaluated in decimals of 60 digits. Circles need a few steps of the secant method.
3. Where the solids are apart, the answer is proved by duality. Its two points belong to the solids, and their distance
   is the separation along the line between them, to 1e-35 of the size. No other pair of points can then be closer.
4. Where they overlap, the answer is the best of all axes that two features have. No axis nearby and none of 6000 random
   axes has a larger separation.

What cannot be proved raises `Unproved`. Nothing here uses the library.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Tuple

from cylinders import Cylinders, PolytopeCylinder
from polytopes import Pair, Polytopes
from solids import Answer, Pose, Shape, Solid
from vectors import GRIDS, ONE, Array, Unproved, Vector, add, dot, doubles, exact, sub, times, unit


def paired(a: Tuple[Shape, Pose], b: Tuple[Shape, Pose], grid: int = GRIDS[0]) -> Tuple[Pair, bool]:
    """Returns the candidates of two bounded shapes, and whether their order was changed."""
    origin = exact(a[1].position)
    solids = Solid(*a, origin), Solid(*b, origin)
    is_cylinder = [solid.shape.is_cylinder for solid in solids]
    if all(is_cylinder):
        return Cylinders(*solids, grid), False
    if is_cylinder[0]:
        return PolytopeCylinder(solids[1], solids[0], grid), True
    return (PolytopeCylinder if is_cylinder[1] else Polytopes)(*solids, grid), False


def grown(shape: Shape) -> float:
    """Returns the radius by which the core of a shape is grown [m]."""
    return 0.0 if shape.is_cylinder else shape.radius


def plane_of(shape: Shape, pose: Pose, origin: Vector) -> Tuple[Vector, Decimal]:
    """Returns the unit normal of a half-space and its offset from `origin` along it."""
    *direction, offset = shape.parameters
    normal = unit(exact(direction))
    assert normal is not None
    x, y, z = pose.columns()
    outward = add(add(times(x, normal[0]), y, normal[1]), z, normal[2])
    return outward, Decimal(offset) + dot(outward, sub(exact(pose.position), origin))


def solve(a: Tuple[Shape, Pose], b: Tuple[Shape, Pose]) -> Answer:
    """Returns the gap of two shapes and the normal from the first to the second. Only the second may be a half-space."""
    if b[0].kind == "half_space":
        origin = exact(a[1].position)
        outward, offset = plane_of(*b, origin)
        core = -Solid(*a, origin).support(times(outward, -ONE)) - offset
        return Answer(core - Decimal(grown(a[0])), times(outward, -ONE), core)
    for grid in GRIDS:
        pair, is_swapped = paired(a, b, grid)
        try:
            answer = pair.answer()
            break
        except Unproved:
            if grid == GRIDS[-1] or not (a[0].is_cylinder or b[0].is_cylinder):
                raise
    answer.gap -= Decimal(grown(a[0])) + Decimal(grown(b[0]))
    return answer.flipped() if is_swapped else answer


def estimate(a: Tuple[Shape, Pose], b: Tuple[Shape, Pose]) -> Tuple[float, Array]:
    """Returns about the same in doubles, without proof."""
    if b[0].kind == "half_space":
        answer = solve(a, b)
        return float(answer.gap), doubles([answer.normal])[0]
    pair, is_swapped = paired(a, b)
    core, normal = pair.estimate()
    return core - grown(a[0]) - grown(b[0]), -normal if is_swapped else normal
