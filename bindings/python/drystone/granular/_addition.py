"""Random sequential addition: spheres are placed one by one, each at a random one of the free places.

Random places are tried first. Where nearly all are taken, the places that are free are found by cells (`_voids`).
"""

from __future__ import annotations

import math
from typing import Any, Callable, NamedTuple, Optional

import numpy as np

from .._arrays import Numbers
from .._checks import whole
from ._cells import Cells, Place
from ._valid import distance
from ._voids import Voids

MANY = 500
"""After a sphere that needed more attempts, those of the same size are placed in the voids at once."""
SEARCHES = 32
"""For so many sizes the voids are searched: it takes long where each of many spheres has a size of its own."""


class Container(NamedTuple):
    """What random sequential addition fills."""

    volume: float
    """[m^3]"""
    place: Callable[[Any, float], Place]
    """Makes a centre of three random numbers from 0 to 1 and a radius."""
    ends: Callable[[float], tuple[Numbers, Numbers]]
    """The lowest and the highest coordinates of a centre for a radius, (3,) each [m]."""
    holds: Callable[[Place, float], bool] = lambda centre, radius: True
    """Whether a sphere at such a centre lies within the container."""
    clearance: Optional[Callable[[Numbers], Numbers]] = None
    """Returns how far places (n, 3) are from the walls, see `Voids`; None: spheres between the ends lie within the container."""
    images: Callable[[Place, float], list[Place]] = lambda centre, reach: [centre]
    """Returns a centre, and its images that are within a distance of the container."""


def add(container: Container, diameters: Numbers, seed: Any, gap: Any, attempts: Any) -> Numbers:
    """Places spheres by random sequential addition and returns their centres (n, 3) [m].

    Raises ValueError if a sphere finds no place.
    """
    tries, apart = whole("attempts", attempts, 1, 2**31 - 1), distance("gap", gap)
    generator, centres, filled = random(seed), np.empty((len(diameters), 3)), 0.0
    edge = float(diameters.max()) + apart if len(diameters) else 1.0
    cells, there = Cells(edge), list[tuple[float, float, float, float]]()
    voids, used, last, searches = None, 0, 0.0, 0
    for done, index in enumerate(np.argsort(-diameters, kind="stable").tolist()):
        radius, found = float(diameters[index]) / 2, None
        if radius != last:
            voids, used, last = None, 0, radius
        if used <= MANY:
            found, used = _free(cells, container, radius, apart, generator, tries)
        if found is None and (voids is not None or searches < SEARCHES):
            if voids is None:
                searches += 1
                voids = Voids(*container.ends(radius), radius, np.array(there).reshape(-1, 4), apart / 2, container.clearance)
            found, used = voids.place(generator), tries
        if found is None:
            raise ValueError(
                f"diameters[{index}] is {diameters[index]}, which found no place after {done} of {len(diameters)} spheres, at a volume "
                f"fraction of {filled / container.volume:.3f}, in at most {tries} attempts and a search of what they leave free; "
                "expected fewer spheres or more room"
            )
        centres[index] = found
        taken = [(*image, radius + apart / 2) for image in container.images(found, edge)]
        for x, y, z, reach in taken:
            cells.add((x, y, z), reach)
        there += taken
        if voids is not None:
            voids.add(np.array(taken))
        filled += math.pi / 6 * float(diameters[index]) ** 3
    return centres


def random(seed: Any) -> Any:
    """The source of random numbers of a seed."""
    return np.random.Generator(np.random.PCG64(whole("seed", seed, 0, 2**64 - 1)))


def _free(cells: Cells, container: Container, radius: float, apart: float, generator: Any, tries: int) -> tuple[Optional[Place], int]:
    """The first random place that is free, or None, and how many were tried."""
    block, left = 8, tries
    while left > 0:
        # few random numbers at first: most spheres find a place soon
        for used, draw in enumerate(generator.random((min(block, left), 3)).tolist(), tries - left + 1):
            centre = container.place(draw, radius)
            if cells.is_free(centre, radius + apart / 2) and container.holds(centre, radius):
                return centre, used
        left, block = left - block, min(2 * block, 1024)
    return None, tries
