"""A box whose faces are walls or periodic."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._arrays import Numbers
from .._checks import shown, truth
from ._cells import Place
from ._images import Images
from ._valid import corners, refuse_larger


class Box(Images):
    """A box with its periodic axes.

    lower, upper: (3,), corners, lower < upper [m].
    periodic: True, False, or a flag for each axis.
    """

    def __init__(self, lower: Any, upper: Any, periodic: Any) -> None:
        low, high = corners(lower, upper, 3)
        super().__init__(low, high, high - low, np.array(_flags(periodic)))
        self.volume = float(np.prod(self.edges))

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

    def ends(self, radius: float) -> tuple[Numbers, Numbers]:
        """The lowest and the highest centre of a sphere within the walls, (3,) each [m]."""
        lowest, highest = self._ends(np.array([radius]))
        return lowest[0], highest[0]

    @property
    def around(self) -> Box:
        """The box itself."""
        return self

    def start(self, generator: Any, radii: Numbers) -> Numbers:
        """Random centres (n, 3) at which spheres of these radii lie within the walls [m]."""
        first, last = self._ends(radii)
        places: Numbers = first + generator.random((len(radii), 3)) * (last - first)
        return places

    def kept(self, moved: Numbers, before: Numbers, radii: Numbers) -> Numbers:
        """The centres nearest to `moved`, (n, 3), at which spheres lie within the walls [m]."""
        if self.is_periodic.all():
            return moved
        return np.where(self.is_periodic, moved, np.clip(moved, *self._ends(radii)))

    def _ends(self, radii: Numbers) -> tuple[Numbers, Numbers]:
        """The lowest and the highest centres of spheres within the walls, (n, 3) each [m]."""
        insets = np.where(self.is_periodic, 0.0, radii[:, None])
        return self.lower + insets, self.upper - insets


def _flags(periodic: Any) -> list[bool]:
    given = periodic.tolist() if isinstance(periodic, (np.ndarray, np.generic)) else periodic
    if not isinstance(given, (tuple, list)):
        return [bool(truth("periodic", given))] * 3
    if len(given) != 3:
        raise ValueError(f"periodic is {shown(given)}, expected True, False or three flags")
    flags = [flag.item() if isinstance(flag, np.generic) else flag for flag in given]
    return [bool(truth(f"periodic[{axis}]", flag)) for axis, flag in enumerate(flags)]
