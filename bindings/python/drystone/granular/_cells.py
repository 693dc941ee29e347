"""A grid of cells that finds the spheres near a place."""

from __future__ import annotations

import math

Place = tuple[float, float, float]


class Cells:
    """Spheres by the cell that their centre is in. The edge of a cell is the largest diameter."""

    def __init__(self, edge: float) -> None:
        self._edge = edge
        self._spheres: dict[tuple[int, int, int], list[tuple[float, float, float, float]]] = {}

    def add(self, centre: Place, radius: float) -> None:
        """Adds a sphere; its diameter is at most the edge."""
        x, y, z = centre
        cell = self._index(x), self._index(y), self._index(z)
        self._spheres.setdefault(cell, []).append((x, y, z, radius))

    def is_free(self, centre: Place, radius: float) -> bool:
        """Whether a sphere would overlap none. Those that just touch do not overlap."""
        x, y, z = centre
        reach = radius + self._edge / 2
        for i in range(self._index(x - reach), self._index(x + reach) + 1):
            for j in range(self._index(y - reach), self._index(y + reach) + 1):
                for k in range(self._index(z - reach), self._index(z + reach) + 1):
                    for a, b, c, size in self._spheres.get((i, j, k), ()):
                        if (x - a) ** 2 + (y - b) ** 2 + (z - c) ** 2 < (radius + size) ** 2:
                            return False
        return True

    def _index(self, place: float) -> int:
        return math.floor(place / self._edge)
