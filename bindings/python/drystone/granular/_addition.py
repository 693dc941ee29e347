"""Random sequential addition: spheres are placed one by one, each at the first free random place."""

from __future__ import annotations

import math
from typing import Any, Callable, NamedTuple, Optional

import numpy as np

from .._arrays import Numbers
from .._checks import whole
from ._cells import Cells, Place
from ._valid import distance


class Container(NamedTuple):
    """What random sequential addition fills."""

    volume: float
    """[m^3]"""
    place: Callable[[Any, float], Place]
    """Makes a centre of three random numbers from 0 to 1 and a radius."""
    holds: Callable[[Place, float], bool] = lambda centre, radius: True
    """Whether a sphere at such a centre lies within the container."""
    images: Callable[[Place, float], list[Place]] = lambda centre, reach: [centre]
    """Returns a centre, and its images that are within a distance of the container."""


def add(container: Container, diameters: Numbers, seed: Any, gap: Any, attempts: Any) -> Numbers:
    """Places spheres by random sequential addition and returns their centres (n, 3) [m].

    Raises ValueError if a sphere finds no place.
    """
    tries, apart = whole("attempts", attempts, 1, 2**31 - 1), distance("gap", gap)
    generator, centres, filled = random(seed), np.empty((len(diameters), 3)), 0.0
    edge = float(diameters.max()) + apart if len(diameters) else 1.0
    cells = Cells(edge)
    for done, index in enumerate(np.argsort(-diameters, kind="stable").tolist()):
        radius = float(diameters[index]) / 2
        found = _free(cells, container, radius, apart, generator, tries)
        if found is None:
            raise ValueError(
                f"diameters[{index}] is {diameters[index]}, which found no place in {tries} attempts after {done} of "
                f"{len(diameters)} spheres, at a volume fraction of {filled / container.volume:.3f}; expected fewer spheres or more room"
            )
        centres[index] = found
        for image in container.images(found, edge):
            cells.add(image, radius + apart / 2)
        filled += math.pi / 6 * float(diameters[index]) ** 3
    return centres


def random(seed: Any) -> Any:
    """The source of random numbers of a seed."""
    return np.random.Generator(np.random.PCG64(whole("seed", seed, 0, 2**64 - 1)))


def _free(cells: Cells, container: Container, radius: float, apart: float, generator: Any, tries: int) -> Optional[Place]:
    """The first random place that is free, or None."""
    block = 8
    while tries > 0:
        # few random numbers at first: most spheres find a place soon
        for draw in generator.random((min(block, tries), 3)).tolist():
            centre = container.place(draw, radius)
            if cells.is_free(centre, radius + apart / 2) and container.holds(centre, radius):
                return centre
        tries, block = tries - block, min(2 * block, 1024)
    return None
