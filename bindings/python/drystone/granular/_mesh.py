"""A closed surface of triangles, and the spheres that it holds."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._arrays import Numbers, integers
from ._cells import Place
from ._valid import places

COLUMNS = 32
"""Columns along x and along y by which triangles are found."""
PAIRS = 20000
"""Pairs of a place and a triangle that are looked at together."""


class ClosedMesh:
    """A closed surface. Inside are the points with a winding number above 0, so that a shell that faces inward is a cavity.

    vertices: (n, 3), world axes [m]. Vertices at the same place are one.
    triangles: (m, 3) indices below n, counterclockwise as seen from outside.
    reach: the largest radius of a sphere that it may hold, and the largest distance that `clearance` returns [m].

    Raises ValueError if the surface is not closed, or encloses no volume.
    """

    def __init__(self, vertices: Any, triangles: Any, reach: float) -> None:
        points = places("vertices", vertices, -1, 3)
        faces = integers("triangles", triangles, np.uint32, -1, 3).astype(np.int64)
        if faces.size and int(faces.max()) >= len(points):
            raise ValueError(f"triangles has {int(faces.max())}, expected indices below {len(points)}, the number of vertices")
        _require_closed(points, faces)
        self._corners = points[faces]
        self._along = np.roll(self._corners, -1, axis=1) - self._corners
        self._normals = np.cross(self._along[:, 0], self._along[:, 1])
        self.volume = float(_dot(self._corners[:, 0] - self._corners[:1, 0], self._normals).sum()) / 6
        if not self.volume > 0:
            raise ValueError(
                f"triangles encloses a volume of {self.volume} m^3, expected one above 0: "
                "a closed surface, counterclockwise as seen from outside"
            )
        self._inward = np.cross(self._normals[:, None], self._along)  # in the plane of a triangle, from its edges
        self._low, self._high = self._corners.min(axis=1), self._corners.max(axis=1)
        self.lower, self.upper = self._low.min(axis=0), self._high.max(axis=0)
        self._reach, self._columns = reach, dict[tuple[int, int], Any]()

    def holds(self, centre: Place, radius: float) -> bool:
        """Whether a centre is inside and no triangle is nearer than the radius, which is at most `reach`."""
        place, column = np.array(centre), self._column(centre)
        is_near = (self._low[column] < place + radius) & (self._high[column] > place - radius)
        near = column[is_near.all(axis=1)]
        if len(near) and self._square_distances(place, near).min() < radius * radius:
            return False
        return self._winding_number(place, column) > 0

    def _column(self, centre: Place) -> Any:
        """The triangles that may be above, below or within reach of places in the same column."""
        edges = (self.upper[:2] - self.lower[:2]) / COLUMNS
        x, y = (int((centre[axis] - self.lower[axis]) / edges[axis]) for axis in range(2))
        if (x, y) not in self._columns:
            # a thousandth more than an edge: the column of a place at its side is subject to round-off
            low = self.lower[:2] + (x - 1e-3, y - 1e-3) * edges - self._reach
            high = self.lower[:2] + (x + 1.001, y + 1.001) * edges + self._reach
            is_near = ((self._low[:, :2] <= high) & (self._high[:, :2] >= low)).all(axis=1)
            self._columns[x, y] = np.flatnonzero(is_near)
        return self._columns[x, y]

    def clearance(self, centres: Numbers) -> Numbers:
        """How far places (n, 3) inside are from the nearest triangle, at most `reach`; -1 for those that are outside [m]."""
        clear = np.full(len(centres), -1.0)
        is_in = ((centres >= self.lower) & (centres <= self.upper)).all(axis=1)
        edges = (self.upper[:2] - self.lower[:2]) / COLUMNS
        columns = np.floor((centres[:, :2] - self.lower[:2]) / edges).astype(np.int64)
        numbers = np.where(is_in, columns[:, 0] * (COLUMNS + 1) + columns[:, 1], -1)
        order = np.argsort(numbers, kind="stable")
        bounds = np.flatnonzero(np.diff(numbers[order], prepend=-2, append=-2))
        for first, last in zip(bounds[:-1].tolist(), bounds[1:].tolist()):
            if numbers[order[first]] < 0:
                continue
            x, y, z = centres[order[first]].tolist()
            column = self._column((x, y, z))
            most = max(1, PAIRS // max(len(column), 1))
            for begin in range(first, last, most):
                chosen = order[begin : min(begin + most, last)]
                some = centres[chosen]
                nearest = np.sqrt(self._square_distances(some[:, None, None], column).min(axis=1, initial=self._reach**2))
                clear[chosen] = np.where(self._windings(some, column) > 0, nearest, -1)
        return clear

    def _square_distances(self, place: Numbers, near: Any) -> Numbers:
        """Squared distances of a place (3,), or of places (n, 1, 1, 3), from some triangles [m^2]."""
        to, along, normals = place - self._corners[near], self._along[near], self._normals[near]
        # edges and triangles without extent have 0 over 1
        lengths, areas = _dot(along, along), _dot(normals, normals)
        parts = np.clip(_dot(to, along) / np.where(lengths > 0, lengths, 1), 0, 1)
        beside = to - parts[..., None] * along
        to_edges = _dot(beside, beside).min(axis=-1)
        is_over = (_dot(to, self._inward[near]) > 0).all(axis=-1)
        to_planes = _dot(to[..., 0, :], normals) ** 2 / np.where(areas > 0, areas, 1)
        nearest: Numbers = np.where(is_over, np.minimum(to_planes, to_edges), to_edges)
        return nearest

    @property
    def bounds(self) -> tuple[Numbers, Numbers]:
        """The corners of the bounding boxes of triangles, (m, 3) each [m]."""
        return self._low, self._high

    def nearest(self, places: Numbers, triangles: Any) -> Numbers:
        """The points of triangles (k,) that are nearest to places (k, 3), one for each [m]."""
        corners, along, normals = self._corners[triangles], self._along[triangles], self._normals[triangles]
        to = places[:, None] - corners
        # edges and triangles without extent have 0 over 1
        lengths, areas = _dot(along, along), _dot(normals, normals)
        parts = np.clip(_dot(to, along) / np.where(lengths > 0, lengths, 1), 0, 1)
        beside = to - parts[..., None] * along
        edge = _dot(beside, beside).argmin(axis=1)
        on_edges = places - beside[np.arange(len(edge)), edge]
        height = _dot(to[:, 0], normals) / np.where(areas > 0, areas, 1)
        is_over = (_dot(to, self._inward[triangles]) > 0).all(axis=1, keepdims=True)
        points: Numbers = np.where(is_over, places - height[:, None] * normals, on_edges)
        return points

    def _winding_number(self, place: Numbers, column: Any) -> int:
        """How often the surface goes around a place that is not on it.

        Of the triangles above the place, those that face up count 1 and those that face down -1. A triangle is above the place if
        its outline from above has the place within. That is decided for each edge, from its lower end in y to its upper one, so that
        triangles with a common edge never both have the place, or both miss it.
        """
        is_near = (self._low[column, :2] <= place[:2]) & (self._high[column, :2] >= place[:2])
        near = column[is_near.all(axis=1) & (self._high[column, 2] > place[2])]
        return int(self._windings(place[None], near)[0])

    def _windings(self, places: Numbers, near: Any) -> Any:
        """The winding numbers of places (n, 3) by some triangles, those above or below them."""
        starts = self._corners[near]
        ends = np.roll(starts, -1, axis=1)
        at = places[:, None, None]
        rises = (starts[..., 1] <= at[..., 1]) & (ends[..., 1] > at[..., 1])
        falls = (ends[..., 1] <= at[..., 1]) & (starts[..., 1] > at[..., 1])
        first, last = np.where(rises[..., None], starts, ends), np.where(rises[..., None], ends, starts)
        along, to = last - first, at - first
        is_right = along[..., 0] * to[..., 1] > to[..., 0] * along[..., 1]
        turns = (rises & is_right).sum(axis=-1) - (falls & is_right).sum(axis=-1)
        over = _dot(starts[:, 0] - places[:, None], self._normals[near])
        is_above = (self._low[near, 2] > places[:, None, 2]) | (over * turns > 0)
        return np.where(is_above, turns, 0).sum(axis=-1)


def _require_closed(points: Numbers, faces: Any) -> None:
    """Raises ValueError for an edge that triangles do not have as often in one direction as in the other."""
    # adding 0 makes 0 of -0
    same = np.unique(points + 0.0, axis=0, return_inverse=True)[1].reshape(-1) if len(points) else np.empty(0, np.int64)
    starts, ends = faces.ravel(), np.roll(faces, -1, axis=1).ravel()
    edges = np.stack([same[starts], same[ends]], axis=-1)
    edges.sort(axis=1)
    which = np.unique(edges[:, 0] * max(len(points), 1) + edges[:, 1], return_inverse=True)[1].reshape(-1)
    ahead = np.bincount(which, same[starts] < same[ends])
    back = np.bincount(which, same[starts] > same[ends])
    is_open = (ahead != back)[which]
    if is_open.any():
        index = int(is_open.argmax())
        forward = int((ahead if same[starts[index]] < same[ends[index]] else back)[which[index]])
        backward = int((ahead + back)[which[index]]) - forward
        raise ValueError(
            f"triangles[{index // 3}] has an edge from vertex {starts[index]} to vertex {ends[index]}, which triangles have {forward} "
            f"times in this direction and {backward} times in the other, expected as often in both: "
            "a closed surface, counterclockwise as seen from outside"
        )


def _dot(a: Numbers, b: Numbers) -> Numbers:
    product: Numbers = a[..., 0] * b[..., 0] + a[..., 1] * b[..., 1] + a[..., 2] * b[..., 2]
    return product
