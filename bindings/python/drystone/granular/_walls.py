"""A closed mesh as the walls of spheres that grow."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._arrays import Numbers
from ._box import Box
from ._mesh import ClosedMesh

PASSES = 10
"""How often a sphere is moved off the triangle that is deepest in it, in one relaxation."""
DEPTH = 1e-9
"""How deep a triangle may be in a sphere at the end, of its radius."""
LONGEST_MOVE, LONGEST_CHANGE = 0.5, 0.9
"""How far a centre moves before and after triangles keep it in, at most, of its radius: it never passes a triangle."""
SKIN = 0.4
"""How far triangles are listed beyond those that a sphere can meet in one relaxation, of the mean diameter."""
CELLS = 32
"""The most cells along an axis by which triangles are found."""


class Walls:
    """The region inside a closed mesh. A sphere that triangles hinder from its place stays where it was.

    mesh: whose `reach` is at least the largest radius.
    radii: (n,), of the spheres [m].
    attempts: places that are tried for a sphere at the start, 1 or above.
    """

    def __init__(self, mesh: ClosedMesh, radii: Numbers, attempts: int) -> None:
        self._mesh, self._attempts = mesh, attempts
        self.around = Box(mesh.lower, mesh.upper, False)
        self._radii, self._skin = radii, SKIN * 2 * float(radii.mean()) if len(radii) else 0.0
        # a centre changes by less than its radius, and meets triangles that are nearer than another radius
        self._reaches = 2 * radii + self._skin / 2
        self._cells = _Cells(mesh, self.around, float(self._reaches.max(initial=0)))
        self._listed = np.empty((0, 3))
        self._spheres, self._triangles, self._gaps = np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0)

    def start(self, generator: Any, radii: Numbers) -> Numbers:
        """Random centres (n, 3) at which spheres of these radii lie within the mesh [m].

        Raises ValueError if a sphere finds no place.
        """
        places = np.empty((len(radii), 3))
        for index, radius in enumerate(radii.tolist()):
            for _ in range(self._attempts):
                places[index] = self.around.place(generator.random(3).tolist(), radius)
                if self._mesh.holds(tuple(places[index].tolist()), radius):
                    break
            else:
                raise ValueError(
                    f"diameters[{index}] is {2 * radius}, for which {self._attempts} random places in the mesh had no room, "
                    "expected a smaller diameter or a wider mesh"
                )
        self._list(places)
        return places

    def kept(self, moved: Numbers, before: Numbers, radii: Numbers) -> Numbers:
        """Centres near `moved`, (n, 3), at which spheres lie within the mesh, as they do at `before` [m]."""
        if len(before) and (_lengths(before - self._listed) > self._skin / 2).any():
            self._list(before)
        step = moved - before
        places = before + step * np.minimum(1, LONGEST_MOVE * radii / np.maximum(_lengths(step), _TINY))[:, None]
        are_moved = np.ones(len(radii), np.bool_)
        for _ in range(PASSES):
            spheres, triangles = self._close(places, are_moved)
            depths, away = self._depths(places, spheres, triangles, radii)
            deep = np.flatnonzero(depths > DEPTH * radii[spheres])
            # one triangle for each sphere, the deepest: the last by depth
            deepest = np.full(len(radii), -1)
            order = deep[np.argsort(depths[deep], kind="stable")]
            deepest[spheres[order]] = order
            are_moved = deepest >= 0
            pairs = deepest[are_moved]
            places[are_moved] += depths[pairs, None] * away[pairs]
            if len(pairs) == 0:
                break
        spheres, triangles = self._close(places, are_moved)
        depths, _ = self._depths(places, spheres, triangles, radii)
        is_wrong = _lengths(places - before) > LONGEST_CHANGE * radii
        is_wrong[spheres[depths > DEPTH * radii[spheres]]] = True
        return np.where(is_wrong[:, None], before, places)

    def _close(self, places: Numbers, are_moved: Any) -> tuple[Any, Any]:
        """The listed pairs of spheres that have moved by more than their gap to the triangle was, as indices (m,) each."""
        room = np.where(are_moved, _lengths(places - self._listed), -np.inf)
        close = np.flatnonzero(self._gaps < room[self._spheres])
        return self._spheres[close], self._triangles[close]

    def _depths(self, places: Numbers, spheres: Any, triangles: Any, radii: Numbers) -> tuple[Numbers, Numbers]:
        """How deep triangles are in spheres (m,) [m], and the directions out of them (m, 3)."""
        away = places[spheres] - self._mesh.nearest(places[spheres], triangles)
        distances = _lengths(away)
        return radii[spheres] - distances, away / np.maximum(distances, _TINY)[:, None]

    def _list(self, places: Numbers) -> None:
        """Lists the pairs of a sphere and a triangle that may meet before a sphere has moved by half the skin."""
        self._listed = places
        spheres, triangles = self._cells.near(places)
        distances = _lengths(places[spheres] - self._mesh.nearest(places[spheres], triangles))
        near = distances < self._reaches[spheres]
        self._spheres, self._triangles = spheres[near], triangles[near]
        # places are no deeper than this in a triangle
        self._gaps = (distances - (1 + DEPTH) * self._radii[spheres])[near]


class _Cells:
    """Triangles by the cells of a grid that they are within `reach` of, by their bounding boxes."""

    def __init__(self, mesh: ClosedMesh, around: Box, reach: float) -> None:
        self._lower, self._edges = around.lower, around.edges
        counts = np.clip(np.floor(around.edges / max(reach, _TINY)), 1, CELLS)
        low, high = mesh.bounds
        self._counts = counts.astype(np.int64)
        first, last = self._indices(low - reach), self._indices(high + reach)
        spans = last - first + 1
        sizes = spans.prod(axis=1)
        triangles = np.repeat(np.arange(len(low)), sizes)
        ranks = np.arange(len(triangles)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        _, ny, nz = spans[triangles].T
        x, y, z = (first[triangles] + np.stack([ranks // (ny * nz), ranks // nz % ny, ranks % nz], axis=-1)).T
        cells = self._numbers(x, y, z)
        order = np.argsort(cells, kind="stable")
        self._triangles = triangles[order]
        self._starts = np.searchsorted(cells[order], np.arange(int(self._counts.prod()) + 1))

    def near(self, places: Numbers) -> tuple[Any, Any]:
        """Pairs of a place and a triangle, as indices (m,) each: all that are within reach, and others."""
        cells = self._numbers(*self._indices(places).T)
        first, sizes = self._starts[cells], self._starts[cells + 1] - self._starts[cells]
        spheres = np.repeat(np.arange(len(places)), sizes)
        ranks = np.arange(len(spheres)) - np.repeat(np.cumsum(sizes) - sizes - first, sizes)
        return spheres, self._triangles[ranks]

    def _indices(self, places: Numbers) -> Any:
        """The cells of places along each axis, the outer ones beyond the grid."""
        return np.clip(np.floor((places - self._lower) / self._edges * self._counts), 0, self._counts - 1).astype(np.int64)

    def _numbers(self, x: Any, y: Any, z: Any) -> Any:
        return (x * self._counts[1] + y) * self._counts[2] + z


_TINY = float(np.finfo(np.float64).tiny)


def _lengths(vectors: Numbers) -> Numbers:
    x, y, z = vectors.T
    lengths: Numbers = np.sqrt(x * x + y * y + z * z)
    return lengths
