"""Pairs of spheres that are near each other, by grids of cells in numpy.

Spheres are sorted into levels by size, from one to the next by a factor of 2. Each level has a grid whose cells are as large as its
spheres. A sphere searches the grids of its own level and of larger ones: 27 cells each, at any ratio of sizes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .._arrays import Numbers
from ._box import Box


def pairs(box: Box, places: Numbers, reaches: Numbers) -> tuple[Any, Any]:
    """The indices i and j of all pairs that are nearer than the sum of their reaches, (m,) each, every pair once.

    box: along periodic axes the distance is that of the nearest images.
    places: (n, 3), within the box [m].
    reaches: (n,), above 0, twice each at most a period [m].
    """
    levels = -np.frexp(reaches / reaches.max())[1] if len(reaches) else np.empty(0, np.int64)
    found = [(np.empty(0, np.int64), np.empty(0, np.int64))]
    for level in np.unique(levels):
        members, others = np.flatnonzero(levels == level), np.flatnonzero(levels >= level)
        i, j = _candidates(box, places, 2 * float(reaches[members].max()), members, others)
        once = (levels[i] > level) | (i < j)
        i, j = i[once], j[once]
        x, y, z = box.nearest(places[i] - places[j]).T
        near = x * x + y * y + z * z < (reaches[i] + reaches[j]) ** 2
        found.append((i[near], j[near]))
    return np.concatenate([i for i, _ in found]), np.concatenate([j for _, j in found])


def _candidates(box: Box, places: Numbers, edge: float, members: Any, others: Any) -> tuple[Any, Any]:
    """Pairs of one of `others` and one of `members` in the same cell or in neighbouring ones."""
    counts = np.clip(np.floor(box.edges / edge), 1, 2**20)
    while counts.prod() > 4 * len(members) + 64:  # more cells than spheres have no use
        counts = np.maximum(counts // 2, 1)
    nx, ny, nz = (int(count) for count in counts)
    cells = np.clip((places - box.lower) / box.edges * counts, 0, counts - 1).astype(np.int64)
    numbers = (cells[members, 0] * ny + cells[members, 1]) * nz + cells[members, 2]
    order = np.argsort(numbers, kind="stable")
    # the spheres of cell c are members[order[starts[c]:starts[c + 1]]]; the cell after the last one is empty
    starts = np.append(np.searchsorted(numbers[order], np.arange(nx * ny * nz + 1)), len(members))
    x, y, z = (_around(cells[others, axis], (nx, ny, nz)[axis], bool(box.is_periodic[axis])) for axis in range(3))
    x, y, z = x[:, :, None, None], y[:, None, :, None], z[:, None, None, :]
    around = np.where((x < 0) | (y < 0) | (z < 0), nx * ny * nz, (x * ny + y) * nz + z).reshape(len(others), -1)
    first, last = starts[around], starts[around + 1]
    sizes = (last - first).ravel()
    i = np.repeat(np.repeat(others, around.shape[1]), sizes)
    ranks = np.arange(len(i)) - np.repeat(np.cumsum(sizes) - sizes - first.ravel(), sizes)
    return i, members[order[ranks]]


def _around(cells: Any, count: int, is_periodic: bool) -> Any:
    """The different cells along one axis next to each one, and itself; -1 beyond a wall."""
    offsets = np.arange(-1, 2) if count > 2 or not is_periodic else np.arange(count)
    around = cells[:, None] + offsets
    return around % count if is_periodic else np.where((around >= 0) & (around < count), around, -1)
