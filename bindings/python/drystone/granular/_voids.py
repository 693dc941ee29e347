"""What spheres leave free, as small cells: random places for one more sphere where nearly all are taken.

The centres that are free for a sphere are covered by cells. A cell that one sphere takes as a whole is left out. Random places in the
other cells are tried. If all are taken, each cell is split into eight. So places are even over what is free, as those of random
sequential addition are (Zhang and Torquato 2013, Physical Review E 88, 053312).
"""

from __future__ import annotations

from typing import Any, Callable, Optional

import numpy as np

from .._arrays import Numbers
from ._cells import Place

EDGE = 0.3
"""The edge of a cell at first, at most, of the radius."""
FINEST = 1e-3
"""Cells are split until their edge is below this, of the radius."""
MOST = 2**22
"""The most cells, and pairs of a cell and a sphere; 2^4 times as many cells at first, most of which are left out."""
BLOCK = 3
"""How many cells along each axis are left out together beyond walls: the block then has half a diagonal below the radius."""
FEW = 32
"""How many new spheres are looked at apart from the others."""
TRIED = (64, 1024)
"""How many places are tried before cells are split."""


class Voids:
    """The cells in which a sphere may find a place; none if there are too many.

    lower, upper: (3,), the box of the centres of such a sphere [m].
    radius: of the sphere [m].
    spheres: (n, 4), centre and radius of those that are there, half of the gap included [m].
    apart: half of the gap [m].
    clearance: returns how far places (n, 3) are from the walls of the container, where that is below twice the radius, and -1 beyond
        them [m]; None: the box is the container.
    """

    def __init__(
        self,
        lower: Numbers,
        upper: Numbers,
        radius: float,
        spheres: Numbers,
        apart: float,
        clearance: Optional[Callable[[Numbers], Numbers]],
    ) -> None:
        self.radius, self._clearance = radius, clearance
        self._reach = radius + apart
        self._spheres, self._new = spheres, np.empty((0, 4))
        counts = np.maximum(np.ceil((upper - lower) / (EDGE * radius)), 1)
        self._middles, self._halves = np.empty((0, 3)), (upper - lower) / counts / 2
        self._cell, self._sphere = np.empty(0, np.int64), np.empty(0, np.int64)
        if counts.prod() <= 2**4 * MOST:
            self._fill(lower, counts.astype(np.int64))
        self._sort()

    def place(self, generator: Any) -> Optional[Place]:
        """A random place for the sphere, or None if none was found."""
        while len(self._middles) > 0:
            for count in TRIED:
                draws = generator.random((count, 4))
                cells = (draws[:, 3] * len(self._middles)).astype(np.int64)
                places = self._middles[cells] + (2 * draws[:, :3] - 1) * self._halves
                free = places[self._are_free(places, cells)]
                away = free[:, None] - self._new[:, :3]
                free = free[((away * away).sum(axis=2) >= (self._new[:, 3] + self._reach) ** 2).all(axis=1)]
                if self._clearance is not None:
                    free = free[self._clearance(free) >= self.radius]
                if len(free) > 0:
                    x, y, z = free[0].tolist()
                    return x, y, z
            if 2 * self._halves.max() < FINEST * self.radius or 8 * max(len(self._middles), len(self._cell)) > MOST:
                return None
            self._take_new()
            self._split()
        return None

    def add(self, spheres: Numbers) -> None:
        """Takes the places of spheres (n, 4) as of a new one: its centre and images, and its radius with half of the gap [m]."""
        self._new = np.concatenate([self._new, spheres])
        if len(self._new) >= FEW:
            self._take_new()

    def _take_new(self) -> None:
        """Adds the new spheres to the pairs, and leaves out the cells that they take."""
        are_open = np.ones(len(self._middles), np.bool_)
        for x, y, z, radius in self._new.tolist():
            is_near, is_taken = _meets(np.abs(self._middles - (x, y, z)), self._halves, radius + self._reach)
            near = np.flatnonzero(is_near)
            self._cell = np.concatenate([self._cell, near])
            self._sphere = np.concatenate([self._sphere, np.full(len(near), len(self._spheres))])
            self._spheres = np.concatenate([self._spheres, [(x, y, z, radius)]])
            are_open &= ~is_taken
        self._new = np.empty((0, 4))
        self._keep(are_open)
        self._sort()

    def _fill(self, lower: Numbers, counts: Any) -> None:
        """Makes the first cells."""
        axes = [low + half * (2 * np.arange(count) + 1) for low, half, count in zip(lower, self._halves, counts)]
        is_open, near = self._open_blocks(lower, counts), []
        for index, (*centre, radius) in enumerate(self._spheres.tolist()):
            # the cells that the sphere may meet
            reach, slices, away = radius + self._reach, [], []
            for axis, at, half in zip(axes, centre, self._halves.tolist()):
                first, last = np.searchsorted(axis, (at - reach - half, at + reach + half))
                slices.append(slice(int(first), int(last)))
                away.append(np.abs(axis[first:last] - at))
            is_near, is_taken = _meets(np.stack(np.meshgrid(*away, indexing="ij"), axis=-1), self._halves, reach)
            is_open[tuple(slices)] &= ~is_taken
            around = np.argwhere(is_near & is_open[tuple(slices)]) + [part.start for part in slices]
            near.append((np.ravel_multi_index(tuple(around.T), tuple(counts)), np.full(len(around), index)))
        cells = np.flatnonzero(is_open)
        self._middles = np.stack([axis[at] for axis, at in zip(axes, np.unravel_index(cells, tuple(counts)))], axis=-1)
        if near:
            cell, sphere = (np.concatenate(part) for part in zip(*near))
            still = is_open.ravel()[cell]
            self._cell, self._sphere = np.searchsorted(cells, cell[still]), sphere[still]
        self._leave_outside()

    def _split(self) -> None:
        """Splits each cell into eight, and leaves out those that are taken."""
        self._halves = self._halves / 2
        signs = np.stack(np.meshgrid(*3 * [(-1, 1)], indexing="ij"), axis=-1).reshape(-1, 3)
        self._middles = (self._middles[:, None] + signs * self._halves).reshape(-1, 3)
        cell = (8 * self._cell[:, None] + np.arange(8)).ravel()
        sphere = np.repeat(self._sphere, 8)
        away = np.abs(self._middles[cell] - self._spheres[sphere, :3])
        is_near, is_taken = _meets(away, self._halves, self._spheres[sphere, 3] + self._reach)
        are_open = np.ones(len(self._middles), np.bool_)
        are_open[cell[is_taken]] = False
        self._cell, self._sphere = cell[is_near], sphere[is_near]
        self._keep(are_open)
        self._leave_outside()
        self._sort()

    def _open_blocks(self, lower: Numbers, counts: Any) -> Any:
        """The first cells (nx, ny, nz) that may have a place in the container, by blocks of cells."""
        if self._clearance is None:
            return np.ones(counts, np.bool_)
        blocks = -(-counts // BLOCK)
        middles = [low + half * BLOCK * (2 * np.arange(count) + 1) for low, half, count in zip(lower, self._halves, blocks)]
        places = np.stack(np.meshgrid(*middles, indexing="ij"), axis=-1).reshape(-1, 3)
        are_open = (self._clearance(places) >= self.radius - float(np.linalg.norm(BLOCK * self._halves))).reshape(blocks)
        for axis in range(3):
            are_open = np.repeat(are_open, BLOCK, axis=axis)
        return are_open[tuple(slice(int(count)) for count in counts)].copy()

    def _leave_outside(self) -> None:
        """Leaves out the cells without a place in the container."""
        if self._clearance is not None:
            # no place in a cell is further from the walls than its middle and half of its diagonal
            self._keep(self._clearance(self._middles) >= self.radius - float(np.linalg.norm(self._halves)))

    def _keep(self, are_kept: Any) -> None:
        still = are_kept[self._cell]
        self._cell, self._sphere = (np.cumsum(are_kept) - 1)[self._cell[still]], self._sphere[still]
        self._middles = self._middles[are_kept]

    def _sort(self) -> None:
        """Sorts the pairs by cell."""
        order = np.argsort(self._cell, kind="stable")
        self._cell, self._sphere = self._cell[order], self._sphere[order]
        self._starts = np.searchsorted(self._cell, np.arange(len(self._middles) + 1))

    def _are_free(self, places: Numbers, cells: Any) -> Any:
        """Whether a sphere at each of the places, which are in these cells, would overlap none."""
        first, sizes = self._starts[cells], self._starts[cells + 1] - self._starts[cells]
        tried = np.repeat(np.arange(len(places)), sizes)
        spheres = self._spheres[self._sphere[np.arange(len(tried)) - np.repeat(np.cumsum(sizes) - sizes - first, sizes)]]
        away = places[tried] - spheres[:, :3]
        is_taken = (away * away).sum(axis=1) < (spheres[:, 3] + self._reach) ** 2
        return np.bincount(tried[is_taken], minlength=len(places)) == 0


def _meets(away: Numbers, halves: Numbers, reach: Any) -> tuple[Any, Any]:
    """Whether boxes meet a ball, and whether they are within it, by how far their middles are from its centre along each axis."""
    least, most = np.maximum(away - halves, 0), away + halves
    return (least * least).sum(axis=-1) < reach**2, (most * most).sum(axis=-1) < reach**2
