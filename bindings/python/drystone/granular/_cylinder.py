"""An upright cylinder that spheres fill."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .._arrays import Numbers
from ._box import Box
from ._cells import Place
from ._valid import length, places, refuse_larger


class Cylinder:
    """A cylinder along z.

    base: (3,), centre of the lower end [m].
    radius, height: above 0 [m].
    diameters: (n,), of the spheres [m].

    Raises ValueError for a sphere that is too large.
    """

    def __init__(self, base: Any, radius: Any, height: Any, diameters: Numbers) -> None:
        self._base = places("base", base, 3)
        self._radius, self._height = length("radius", radius), length("height", height)
        self.volume = math.pi * self._radius**2 * self._height
        refuse_larger(diameters, min(2 * self._radius, self._height), "the smaller of width and height of the cylinder")

    @property
    def around(self) -> Box:
        """The box about the cylinder."""
        reach = np.array([self._radius, self._radius, 0.0])
        return Box(self._base - reach, self._base + reach + (0, 0, self._height), False)

    def place(self, draw: Any, size: float) -> Place:
        """The centre that belongs to three numbers from 0 to 1, for a sphere of the radius `size`."""
        x, y, z = self._base.tolist()
        # the root spreads the places evenly over the disc
        reach, angle = (self._radius - size) * math.sqrt(draw[0]), 2 * math.pi * draw[1]
        return x + reach * math.cos(angle), y + reach * math.sin(angle), z + size + draw[2] * (self._height - 2 * size)

    def clearance(self, places: Numbers) -> Numbers:
        """How far places (n, 3) are from the mantle, below 0 beyond it [m]."""
        x, y, _ = (places - self._base).T
        apart: Numbers = self._radius - np.hypot(x, y)
        return apart

    def start(self, generator: Any, radii: Numbers) -> Numbers:
        """Random centres (n, 3) at which spheres of these radii lie within the cylinder [m]."""
        draws = generator.random((len(radii), 3)).tolist()
        return np.array([self.place(draw, radius) for draw, radius in zip(draws, radii.tolist())]).reshape(-1, 3)

    def kept(self, moved: Numbers, before: Numbers, radii: Numbers) -> Numbers:
        """The centres nearest to `moved`, (n, 3), at which spheres lie within the cylinder [m]."""
        x, y, z = (moved - self._base).T
        out, reach = np.sqrt(x * x + y * y), self._radius - radii
        inward = np.where(out > reach, reach / np.maximum(out, np.finfo(np.float64).tiny), 1.0)
        within: Numbers = self._base + np.stack([x * inward, y * inward, np.clip(z, radii, self._height - radii)], axis=-1)
        return within
