"""Two solids, and the case of two polytopes."""

from __future__ import annotations

from decimal import Decimal
from typing import Optional, Sequence, Tuple

import numpy as np

from features import (
    along_edge,
    closest_on_segments,
    edge_of,
    grid_of,
    is_over,
    onto_face,
    segment_distances,
    signed,
)
from solids import Answer, Candidates, Points, Solid, units
from vectors import (
    AXES,
    FIRST,
    NEAR,
    ONE,
    PROOF,
    ZERO,
    Array,
    Unproved,
    Vector,
    add,
    cross,
    dot,
    doubles,
    sub,
    times,
    unit,
)


class Pair:
    """Two solids: candidates for the closest points, and for the axis of least depth."""

    def __init__(self, a: Solid, b: Solid, grid: int) -> None:
        self.a, self.b, self.grid = a, b, grid
        self.pairs = Candidates([], [], [])
        self.size = min(a.shape.size, b.shape.size)

    def axes(self) -> Candidates:
        """Returns the axes along which the depth can be least."""
        raise NotImplementedError

    def separations(self, normals: Array) -> Array:
        """Returns separations along vectors in doubles."""
        return -self.a.supports(normals) - self.b.supports(-normals)

    def separation(self, normal: Vector) -> Decimal:
        """Returns the separation along a unit vector."""
        return -self.a.support(normal) - self.b.support(times(normal, -ONE))

    def estimate(self) -> Tuple[float, Array]:
        """Returns the largest separation and its axis in doubles."""
        distances, normals = self.pairs.all()
        first = np.argsort(distances)[:FIRST]
        axes = self.axes().all()[1]
        every = np.concatenate([normals[first], axes])
        values = np.where(np.linalg.norm(every, axis=1) > 0.5, self.separations(every), -np.inf)
        best = int(np.argmax(values))
        return float(values[best]), every[best]

    def _apart(self, indices: Sequence[int]) -> Optional[Answer]:
        for index in indices:
            points: Points = self.pairs.evaluate(index)
            if points is None:
                continue
            arm = sub(points[1], points[0])
            normal = unit(arm)
            if normal is None:
                continue
            distance = dot(arm, normal)
            if distance - self.separation(normal) <= PROOF * Decimal(self.size):
                return Answer(distance, normal, distance)
        return None

    def answer(self) -> Answer:
        """Returns the gap of the cores, proved."""
        distances = self.pairs.all()[0]
        order = [int(index) for index in np.argsort(distances) if np.isfinite(distances[index])]
        answer = self._apart(order[:FIRST]) or self._overlap() or self._apart(order[FIRST:])
        if answer is None:
            raise Unproved(f"{len(order)} pairs of features")
        return answer

    def _overlap(self) -> Optional[Answer]:
        candidates = self.axes()
        axes = candidates.all()[1]
        values = np.where(np.linalg.norm(axes, axis=1) > 0.5, self.separations(axes), -np.inf)
        top = float(values.max())
        if top > NEAR * self.size:
            return None
        near = [int(index) for index in np.argsort(-values) if values[index] >= top - NEAR * self.size]
        best: Optional[Tuple[Decimal, Vector]] = None
        for index in near:
            axis: Optional[Vector] = candidates.evaluate(index)
            if axis is not None and (best is None or self.separation(axis) > best[0]):
                best = self.separation(axis), axis
        if best is None or best[0] > 0:
            return None
        separation, normal = best
        self._check_nearby(separation, normal)
        rounded = doubles([normal])[0]
        others = axes[near][np.linalg.norm(axes[near] - rounded, axis=1) > NEAR]
        return Answer(separation, normal, separation, len(others) == 0)

    def _check_nearby(self, separation: Decimal, normal: Vector) -> None:
        """Checks that no axis beside the best one has a larger separation, and none of many random ones."""
        side = unit(cross(normal, (ONE, ZERO, ZERO) if abs(normal[0]) < Decimal("0.7") else (ZERO, ONE, ZERO)))
        assert side is not None
        other = cross(normal, side)
        for i in range(8):
            turn = np.pi * i / 4 + 0.1
            step = add(times(side, Decimal(float(np.cos(turn)))), other, Decimal(float(np.sin(turn))))
            beside = unit(add(normal, step, Decimal("1e-10")))
            if beside is None or self.separation(beside) > separation + PROOF * Decimal(self.size):
                raise Unproved("an axis nearby has a smaller depth")
        random = np.random.default_rng(1)
        spread = units(random.normal(size=(AXES, 3)))
        close = units(doubles([normal]) + random.normal(size=(AXES, 3)) * 10 ** random.uniform(-6, -0.5, (AXES, 1)))
        if self.separations(np.concatenate([spread, close])).max() > float(separation) + 1e-13 * self.size:
            raise Unproved("a random axis has a smaller depth")


class Polytopes(Pair):
    """Two polytopes, points and segments among them."""

    def __init__(self, a: Solid, b: Solid, grid: int) -> None:
        super().__init__(a, b, grid)
        distances, arms = segment_distances(a.segments, b.segments)
        columns = len(b.segments)

        def edges(index: int) -> Points:
            i, j = grid_of(index, columns)
            return closest_on_segments(edge_of(a, i), edge_of(b, j))

        self.pairs.add(distances, units(arms), edges)
        self._corners_to_faces(a, b, False)
        self._corners_to_faces(b, a, True)

    def _corners_to_faces(self, of: Solid, to: Solid, is_swapped: bool) -> None:
        if not len(to.triangles):
            return
        heights = ((of.points[:, None] - to.triangles[:, 0]) * to.outward).sum(-1)
        is_inside = is_over(to, slice(None), of.points)
        arms = units(-heights[..., None] * to.outward)
        columns = len(to.triangles)

        def evaluate(index: int) -> Points:
            corner, face = grid_of(index, columns)
            foot = onto_face(to, face, of.corners[corner])
            if foot is None:
                return None
            return (foot, of.corners[corner]) if is_swapped else (of.corners[corner], foot)

        distances = np.where(is_inside, np.abs(heights), np.inf)
        self.pairs.add(distances, -arms if is_swapped else arms, evaluate)

    def axes(self) -> Candidates:
        """Returns the normals of faces, and the vectors across two edges."""
        a, b = self.a, self.b
        found = Candidates([], [], [])
        for solid in (a, b):
            if len(solid.normals):
                axes, both = signed(solid.outward, solid.normals.__getitem__)
                found.add(np.empty(len(axes)), axes, both)
        d, e = (units(solid.segments[:, 1] - solid.segments[:, 0]) for solid in (a, b))
        across = np.cross(d[:, None], e[None]).reshape(-1, 3)
        across[np.linalg.norm(across, axis=1) < 1e-9] = 0
        columns = len(e)

        def crossed(index: int) -> Vector:
            i, j = grid_of(index, columns)
            return cross(along_edge(a, i), along_edge(b, j))

        axes, both = signed(across, crossed)
        found.add(np.empty(len(axes)), axes, both)
        return found
