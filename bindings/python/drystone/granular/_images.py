"""Images of places in a periodic box."""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import NDArray

from .._arrays import Numbers
from ._cells import Place


class Images:
    """A box with the images of places along its periodic axes. Along open axes it has no ends.

    lower, upper: (3,), corners, lower < upper along periodic axes [m].
    edges: (3,), the difference of the corners, or the period itself without round-off [m].
    is_periodic: (3,).
    """

    def __init__(self, lower: Numbers, upper: Numbers, edges: Numbers, is_periodic: NDArray[np.bool_]) -> None:
        self.lower, self.upper, self.edges, self.is_periodic = lower, upper, edges, is_periodic
        self.is_open = not is_periodic.any()
        # a division by infinity rounds to 0: no shift along open axes
        self._divisors = np.where(is_periodic, self.edges, np.inf)

    def images(self, centre: Place, reach: float) -> list[Place]:
        """A centre in the box and those of its images that are within `reach` of the box."""
        if self.is_open:
            return [centre]
        flags, edges, low, high = (each.tolist() for each in (self.is_periodic, self.edges, self.lower, self.upper))
        shifts = [(0.0, edge, -edge) if flag else (0.0,) for edge, flag in zip(edges, flags)]
        moved = ((centre[0] + x, centre[1] + y, centre[2] + z) for x, y, z in itertools.product(*shifts))
        ends = list(zip(flags, low, high))
        return [
            image for image in moved if all(not flag or a - reach <= w <= b + reach for w, (flag, a, b) in zip(image, ends))
        ]

    def nearest(self, differences: Numbers) -> Numbers:
        """Differences of places (n, 3), each to the nearest image [m]."""
        return differences if self.is_open else differences - self.edges * np.round(differences / self._divisors)

    def wrapped(self, places: Numbers) -> Numbers:
        """Places (n, 3), moved by whole periods into the box; those within it stay as they are [m]."""
        is_in = ~self.is_periodic | ((places >= self.lower) & (places <= self.upper))
        return np.where(is_in, places, np.minimum(self.lower + np.mod(places - self.lower, self._divisors), self.upper))
