"""A box whose faces are walls or periodic."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from .._arrays import Numbers
from .._checks import shown, truth
from ._cells import Place
from ._valid import corners, refuse_larger


class Box:
    """A box with its periodic axes.

    lower, upper: (3,), corners, lower < upper [m].
    periodic: True, False, or a flag for each axis.
    """

    def __init__(self, lower: Any, upper: Any, periodic: Any) -> None:
        self.lower, self.upper = corners(lower, upper, 3)
        self.edges = self.upper - self.lower
        self.is_periodic = np.array(_flags(periodic))
        self.volume = float(np.prod(self.edges))
        self._divisors = np.where(self.is_periodic, self.edges, np.inf)

    def require_room(self, diameters: Numbers, gap: float) -> None:
        """Raises ValueError for a sphere that is too large for the walls, or that images may touch.

        Along periodic axes, diameter and gap are at most half of the period, as a body and the contact margin in a periodic world.
        """
        walls, periods = self.edges[~self.is_periodic], self.edges[self.is_periodic]
        if len(walls):
            refuse_larger(diameters, float(walls.min()), "the shortest edge of the box")
        if len(periods):
            half = float(periods.min()) / 2
            if gap >= half:
                raise ValueError(f"gap is {gap}, expected below {half}, half of the shortest period")
            less = f" less the gap of {gap}" if gap else ""
            what = f"half of the shortest period{less}, since a body in a periodic world has at most half of each period"
            refuse_larger(diameters, half - gap, what)

    def place(self, draw: Any, radius: float) -> Place:
        """The centre that belongs to three numbers from 0 to 1. The sphere is within the walls, and the centre in the box."""
        insets = [0.0 if flag else radius for flag in self.is_periodic.tolist()]
        ends = zip(self.lower.tolist(), self.upper.tolist(), draw, insets)
        x, y, z = (low + inset + u * (high - low - 2 * inset) for low, high, u, inset in ends)
        return x, y, z

    def images(self, centre: Place, reach: float) -> list[Place]:
        """A centre in the box and those of its images that are within `reach` of the box."""
        shifts = [(0.0, edge, -edge) if flag else (0.0,) for edge, flag in zip(self.edges.tolist(), self.is_periodic.tolist())]
        low, high = self.lower.tolist(), self.upper.tolist()
        moved = ((centre[0] + x, centre[1] + y, centre[2] + z) for x, y, z in itertools.product(*shifts))
        return [image for image in moved if all(a - reach <= w <= b + reach for a, w, b in zip(low, image, high))]

    def nearest(self, differences: Numbers) -> Numbers:
        """Differences of places (n, 3), each to the nearest image [m]."""
        # a division by infinity rounds to 0: no shift along open axes
        return differences - self.edges * np.round(differences / self._divisors)

    def wrapped(self, places: Numbers) -> Numbers:
        """Places (n, 3), moved by whole periods into the box; those within it stay as they are [m]."""
        is_in = ~self.is_periodic | ((places >= self.lower) & (places <= self.upper))
        return np.where(is_in, places, np.minimum(self.lower + np.mod(places - self.lower, self.edges), self.upper))


def _flags(periodic: Any) -> list[bool]:
    given = periodic.tolist() if isinstance(periodic, (np.ndarray, np.generic)) else periodic
    if not isinstance(given, (tuple, list)):
        return [bool(truth("periodic", given))] * 3
    if len(given) != 3:
        raise ValueError(f"periodic is {shown(given)}, expected True, False or three flags")
    flags = [flag.item() if isinstance(flag, np.generic) else flag for flag in given]
    return [bool(truth(f"periodic[{axis}]", flag)) for axis, flag in enumerate(flags)]
