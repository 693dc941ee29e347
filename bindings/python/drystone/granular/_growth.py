"""Growth of spheres to their sizes while those that overlap push each other apart.

The method is a form of the force-biased algorithm (Moscinski, Bargiel, Rycerz and Jacobs 1989, Molecular Simulation 3, 201-212):
the diameters are kept a little above those at which no two spheres overlap, and overlaps become displacements.
Displacements have momentum, which spreads them faster through dense clouds.
"""

from __future__ import annotations

import math
from typing import Any, Optional, Protocol

import numpy as np

from .._arrays import Numbers
from ._box import Box
from ._neighbours import pairs

AHEAD = 0.1
"""How far the scale of the diameters is above that at which no two overlap, at first; it decreases to 0 [-]."""
LARGEST = 1.001
"""The largest scale of the diameters: above 1, since an overlap only tends to 0 [-]."""
ROUND_OFF = 1e-9
"""How far spheres are apart at the end, at least, of the sum of their radii."""
STEP = 0.3
"""The part of an overlap that becomes a displacement in one relaxation [-]."""
MOMENTUM = 0.9
"""The part of the last displacement that is repeated [-]."""
SKIN = 0.4
"""How far beyond touching pairs are listed, of the mean diameter."""


class Region(Protocol):
    """What grown spheres fill."""

    @property
    def around(self) -> Box:
        """The box about the region, with its periodic axes."""

    def start(self, generator: Any, radii: Numbers) -> Numbers:
        """Random centres (n, 3) at which spheres of these radii lie within the region [m]."""

    def kept(self, moved: Numbers, before: Numbers, radii: Numbers) -> Numbers:
        """Centres near `moved` at which spheres lie within the region, as they do at `before`; (n, 3) each [m]."""


def grow(region: Region, diameters: Numbers, gap: float, generator: Any, iterations: int) -> tuple[Optional[Numbers], float]:
    """Returns centres (n, 3) in the region and 1; or None and the largest scale of diameters and gap at which none overlapped."""
    count, radii, box = len(diameters), diameters / 2, region.around
    places = region.start(generator, radii)
    displacements, reached = np.zeros_like(places), 0.0
    near = _Near(box, diameters, gap, places)
    for iteration in range(iterations + 1):
        near.follow(places)
        x, y, z = box.nearest(places[near.i] - places[near.j]).T
        distances = np.sqrt(x * x + y * y + z * z)
        scale = float((distances / near.sums).min(initial=math.inf))
        reached = max(reached, min(scale, 1.0))
        if scale >= 1 + ROUND_OFF:
            return places, 1.0
        target = min(LARGEST, scale + AHEAD * (1 - iteration / iterations))
        overlaps = np.maximum(near.sums * target - distances, 0)
        pushes = STEP * overlaps / np.maximum(distances, np.finfo(np.float64).tiny)
        moves = [
            np.bincount(near.i, near.shares * pushes * away, count) - np.bincount(near.j, (1 - near.shares) * pushes * away, count)
            for away in (x, y, z)
        ]
        moved = region.kept(places + MOMENTUM * displacements + np.stack(moves, axis=-1), places, radii)
        # wrapped at once, so that distances are those of the centres that are returned
        places, displacements = box.wrapped(moved), moved - places
    return None, reached


class _Near:
    """The pairs that may touch before a sphere has moved by half the skin."""

    def __init__(self, box: Box, diameters: Numbers, gap: float, places: Numbers) -> None:
        self._box, self._diameters, self._gap = box, diameters, gap
        self._skin = SKIN * float(diameters.mean()) if len(diameters) else 0.0
        self._list(places)

    def follow(self, places: Numbers) -> None:
        """Lists the pairs again if a sphere has moved by half the skin."""
        x, y, z = self._box.nearest(places - self._places).T
        if (x * x + y * y + z * z).max(initial=0) > (self._skin / 2) ** 2:
            self._list(places)

    def _list(self, places: Numbers) -> None:
        self._places = places
        reaches = LARGEST * (self._diameters + self._gap) / 2 + self._skin / 2
        self.i, self.j = pairs(self._box, places, reaches)
        a, b = self._diameters[self.i], self._diameters[self.j]
        self.sums = (a + b) / 2 + self._gap
        # in inverse proportion to the volumes: many small spheres do not throw a large one about
        self.shares = b * b * b / (a * a * a + b * b * b)
