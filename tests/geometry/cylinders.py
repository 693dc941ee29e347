"""Pairs with a cylinder."""

from __future__ import annotations

from decimal import Decimal
from typing import Callable, Optional, Tuple

import numpy as np
import numpy.typing as npt

from circles import Rim, rims, roots
from features import (
    along_edge,
    closest_on_segments,
    edge_of,
    is_over,
    onto_face,
    onto_line,
    segment_distances,
    signed,
)
from polytopes import Pair
from solids import Candidates, Points, Solid, units
from vectors import NEAR, ONE, PROOF, ZERO, Array, Vector, add, cross, dot, doubles, norm, sub, times, unit


class PolytopeCylinder(Pair):
    """A polytope and a cylinder."""

    def __init__(self, a: Solid, b: Solid, grid: int) -> None:
        super().__init__(a, b, grid)
        self.rims = rims(b)
        feet = b.feet(a.points)
        self.pairs.add(
            np.linalg.norm(feet - a.points, axis=1), units(feet - a.points), lambda i: (a.corners[i], b.foot(a.corners[i]))
        )
        self.edges = np.flatnonzero(np.linalg.norm(a.segments[:, 1] - a.segments[:, 0], axis=1) > 0)
        self.directions = units(a.segments[self.edges, 1] - a.segments[self.edges, 0])
        self.roots = [roots(rim, self._onto_edges, len(self.edges), grid) for rim in self.rims]
        for rim, (angles, which) in zip(self.rims, self.roots):
            self._rim_to_edges(rim, angles, which)
        self._side_to_edges()
        self._faces_to_rims()

    def _onto_edges(self, points: Array, which: npt.NDArray[np.int64]) -> Array:
        start, direction = self.a.segments[self.edges[which], 0], self.directions[which]
        return np.asarray(start + ((points - start) * direction).sum(-1)[..., None] * direction)

    def _rim_to_edges(self, rim: Rim, angles: Array, which: npt.NDArray[np.int64]) -> None:
        a = self.a
        points = rim.at(angles)[0]
        feet = self._onto_edges(points, which)
        start, end = a.segments[self.edges[which], 0], a.segments[self.edges[which], 1]
        is_between = ((feet - start) * (feet - end)).sum(-1) <= NEAR
        distances = np.where(is_between, np.linalg.norm(points - feet, axis=-1), np.inf)

        def evaluate(index: int) -> Points:
            start, end = edge_of(a, int(self.edges[which[index]]))
            foot = onto_line(start, sub(end, start))
            found = rim.critical(float(angles[index]), foot)
            if found is None:
                return None
            on_edge = foot(found[0])
            return (on_edge, found[0]) if dot(sub(on_edge, start), sub(on_edge, end)) <= 0 else None

        self.pairs.add(distances, units(points - feet), evaluate)

    def _side_to_edges(self) -> None:
        a, b = self.a, self.b
        height, radius = b.shape.half_height, b.shape.radius
        axis = np.stack([b.middle - height * b.axes[2], b.middle + height * b.axes[2]])[None]
        distances, arms = segment_distances(a.segments[self.edges], axis)

        def evaluate(index: int) -> Points:
            z = b.frame[2]
            ends = (add(b.center, z, -b.half_height), add(b.center, z, b.half_height))
            p, q = closest_on_segments(edge_of(a, int(self.edges[index])), ends)
            inward = unit(sub(q, p))
            return (p, add(q, inward, -b.radius)) if inward is not None and abs(dot(inward, z)) < PROOF else None

        is_across = np.abs(units(arms) @ b.axes[2]) < NEAR
        self.pairs.add(np.where(is_across, np.abs(distances - radius), np.inf), units(arms), evaluate)

    def _faces_to_rims(self) -> None:
        a, b = self.a, self.b
        if not len(a.triangles):
            return
        faces = [(i, sign) for i in range(len(a.triangles)) for sign in ((1, -1) if a.shape.kind == "mesh" else (1,))]
        which, signs = np.array([i for i, _ in faces]), np.array([sign for _, sign in faces], float)
        normals = a.outward[which] * signs[:, None]
        along = normals @ b.axes[2]
        z = np.where(along > 0, -b.shape.half_height, b.shape.half_height)[:, None] * b.axes[2]
        points = b.middle + z - b.shape.radius * units(normals - along[:, None] * b.axes[2])
        heights = ((points - a.triangles[which, 0]) * normals).sum(-1)
        is_inside = np.array([is_over(a, [i], point[None])[0, 0] for i, point in zip(which, points)])

        def evaluate(index: int) -> Points:
            face, sign = faces[index]
            point = b.extreme(times(a.normals[face], Decimal(-sign)))
            foot = None if point is None else onto_face(a, face, point)
            return None if foot is None or point is None else (foot, point)

        self.pairs.add(np.where(is_inside, np.abs(heights), np.inf), normals, evaluate)

    def axes(self) -> Candidates:
        """Returns the normals at which two features span an area of the sum of the solids."""
        a, b = self.a, self.b
        z = b.axes[2]
        found = Candidates([], [], [])

        def include(vectors: Array, evaluate: Callable[[int], Optional[Vector]]) -> None:
            if len(vectors):
                axes, both = signed(vectors, evaluate)
                found.add(np.empty(len(axes)), axes, both)

        include(z[None], lambda _: b.frame[2])
        include(a.outward, a.normals.__getitem__)
        include(np.cross(z, self.directions), lambda i: cross(b.frame[2], along_edge(a, int(self.edges[i]))))
        arms = a.points - b.middle

        def radial(index: int) -> Vector:
            arm = sub(a.corners[index], b.center)
            return add(arm, b.frame[2], -dot(arm, b.frame[2]))

        include(arms - (arms @ z)[:, None] * z, radial)
        for rim, (angles, which) in zip(self.rims, self.roots):
            include(*self._rim_and_edges(rim, angles, which))
        return found

    def _rim_and_edges(
        self, rim: Rim, angles: Array, which: npt.NDArray[np.int64]
    ) -> Tuple[Array, Callable[[int], Optional[Vector]]]:
        def evaluate(index: int) -> Optional[Vector]:
            edge = int(self.edges[which[index]])
            direction = along_edge(self.a, edge)
            critical = rim.critical(float(angles[index]), onto_line(edge_of(self.a, edge)[0], direction))
            return None if critical is None else cross(critical[1], direction)

        return np.cross(rim.at(angles)[1], self.directions[which]), evaluate


class Cylinders(Pair):
    """Two cylinders."""

    def __init__(self, a: Solid, b: Solid, grid: int) -> None:
        super().__init__(a, b, grid)
        self._rims_to(a, b, False)
        self._rims_to(b, a, True)
        self._sides()

    def _rims_to(self, of: Solid, to: Solid, is_swapped: bool) -> None:
        def include(distances: Array, arms: Array, evaluate: Callable[[int], Points]) -> None:
            def ordered(index: int) -> Points:
                points = evaluate(index)
                return (points[1], points[0]) if points is not None and is_swapped else points

            self.pairs.add(distances, -arms if is_swapped else arms, ordered)

        for rim in rims(of):
            include(*self._rim_to_side(rim, to, self.grid))
            for other in rims(to):
                include(*self._rim_to_rim(rim, other, self.grid))
        z = to.frame[2]
        ends = [(times(z, sign), of.extreme(times(z, -sign))) for sign in (ONE, -ONE)]
        feet = [None if point is None else to.foot(point) for _, point in ends]
        arms = [(ZERO, ZERO, ZERO) if f is None or p is None else sub(f, p) for f, (_, p) in zip(feet, ends)]
        include(np.linalg.norm(doubles(arms), axis=1), units(doubles(arms)), lambda i: self._both(ends[i][1], feet[i]))

    @staticmethod
    def _both(p: Optional[Vector], q: Optional[Vector]) -> Points:
        return None if p is None or q is None else (p, q)

    @staticmethod
    def _rim_to_side(rim: Rim, to: Solid, grid: int) -> Tuple[Array, Array, Callable[[int], Points]]:
        def onto_axis(points: Array, _: npt.NDArray[np.int64]) -> Array:
            return np.asarray(to.middle + ((points - to.middle) @ to.axes[2])[..., None] * to.axes[2])

        angles, which = roots(rim, onto_axis, 1, grid)
        points = rim.at(angles)[0]
        feet = onto_axis(points, which)
        feet += to.shape.radius * units(points - feet)
        foot = onto_line(to.center, to.frame[2])

        def evaluate(index: int) -> Points:
            critical = rim.critical(float(angles[index]), foot)
            if critical is None:
                return None
            on_axis = foot(critical[0])
            out = unit(sub(critical[0], on_axis))
            if out is None or norm(sub(on_axis, to.center)) > to.half_height:
                return None
            return critical[0], add(on_axis, out, to.radius)

        return np.linalg.norm(feet - points, axis=1), units(feet - points), evaluate

    @staticmethod
    def _rim_to_rim(rim: Rim, other: Rim, grid: int) -> Tuple[Array, Array, Callable[[int], Points]]:
        angles, _ = roots(rim, lambda points, _: other.feet(points), 1, grid)
        points = rim.at(angles)[0]
        feet = other.feet(points)

        def evaluate(index: int) -> Points:
            critical = rim.critical(float(angles[index]), other.foot)
            return None if critical is None else (critical[0], other.foot(critical[0]))

        return np.linalg.norm(feet - points, axis=1), units(feet - points), evaluate

    def _sides(self) -> None:
        axes = [
            np.stack([s.middle - s.shape.half_height * s.axes[2], s.middle + s.shape.half_height * s.axes[2]])[None]
            for s in (self.a, self.b)
        ]
        distances, arms = segment_distances(*axes)

        def evaluate(_: int) -> Points:
            a, b = self.a, self.b
            p, q = closest_on_segments(*(
                (add(s.center, s.frame[2], -s.half_height), add(s.center, s.frame[2], s.half_height)) for s in (a, b)
            ))
            normal = unit(sub(q, p))
            if normal is None or max(abs(dot(normal, a.frame[2])), abs(dot(normal, b.frame[2]))) > PROOF:
                return None
            return add(p, normal, a.radius), add(q, normal, -b.radius)

        arms = units(arms)
        is_across = np.maximum(np.abs(arms @ self.a.axes[2]), np.abs(arms @ self.b.axes[2])) < NEAR
        between = np.abs(distances - self.a.shape.radius - self.b.shape.radius)
        self.pairs.add(np.where(is_across, between, np.inf), arms, evaluate)

    def axes(self) -> Candidates:
        """Returns the normals at which two features span an area of the sum of the solids."""
        a, b = self.a, self.b
        found = Candidates([], [], [])

        def include(vectors: Array, evaluate: Callable[[int], Optional[Vector]]) -> None:
            if len(vectors):
                axes, both = signed(vectors, evaluate)
                found.add(np.empty(len(axes)), axes, both)

        include(a.axes[2][None], lambda _: a.frame[2])
        include(b.axes[2][None], lambda _: b.frame[2])
        include(np.cross(a.axes[2], b.axes[2])[None], lambda _: cross(a.frame[2], b.frame[2]))
        for of, to in ((a, b), (b, a)):
            for rim in rims(of):
                include(*self._rim_and_side(rim, to, self.grid))
        for rim in rims(a):
            for other in rims(b):
                include(*self._rim_and_rim(rim, other, self.grid))
        return found

    @staticmethod
    def _rim_and_side(rim: Rim, to: Solid, grid: int) -> Tuple[Array, Callable[[int], Optional[Vector]]]:
        z = to.axes[2]

        def onto_axis(points: Array, _: npt.NDArray[np.int64]) -> Array:
            return np.asarray(to.middle + ((points - to.middle) @ z)[..., None] * z)

        angles, which = roots(rim, onto_axis, 1, grid)
        points = rim.at(angles)[0]
        foot = onto_line(to.center, to.frame[2])

        def evaluate(index: int) -> Optional[Vector]:
            critical = rim.critical(float(angles[index]), foot)
            return None if critical is None else sub(critical[0], foot(critical[0]))

        return points - onto_axis(points, which), evaluate

    @staticmethod
    def _rim_and_rim(rim: Rim, other: Rim, grid: int) -> Tuple[Array, Callable[[int], Optional[Vector]]]:
        angles, _ = roots(rim, lambda points, _: other.feet(points), 1, grid)
        points, tangents = rim.at(angles)
        arms = other.feet(points) - other.middle

        def evaluate(index: int) -> Optional[Vector]:
            critical = rim.critical(float(angles[index]), other.foot)
            if critical is None:
                return None
            arm = sub(other.foot(critical[0]), other.center)
            return cross(critical[1], cross(other.solid.frame[2], arm))

        return np.cross(tangents, np.cross(other.solid.axes[2], arms)), evaluate
