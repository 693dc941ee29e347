"""What is free where a source puts its grains."""

from __future__ import annotations

from typing import Optional

import numpy as np
from numpy.typing import ArrayLike

from .._arrays import Numbers, integers
from .._world import World
from ._cells import Cells, Place
from ._images import Images
from ._valid import finites, lengths, refuse


ALONG = 4 * float(np.finfo(np.float64).eps)
"""The largest component of a normal along a periodic axis: round-off of a rotation [-]."""
FAR = 1e100
"""Obstacles that are further from the origin reach no source [m]."""
MOST_PERIODS = 4
"""How far a box and a grain reach, at most, in periods of the world."""


class Obstacles:
    """Obstacles for the grains of a source, in addition to the bodies of the world: balls or boxes that move with bodies, and half-spaces.

        paddle = Obstacles([paddle_body], half_extents=[(0.2, 0.12, 0.4)])  # where it will be soon
        funnel = Obstacles(planes=[(1, 0, 0, -0.2), (-1, 0, 0, -0.2)])  # that is added later
        source.emit(world, time, beside=[paddle, funnel])

    bodies: (n,), handles. They may be removed later; those that are not in the world are left out.
    radii: (n,), of balls about the origins of the shapes of `bodies` [m]. Either these or `half_extents` go with bodies.
    half_extents: (n, 3), of boxes about the origins, in body axes [m].
    planes: (m, 4), normal and offset: solid is where normal . x <= offset, world axes [-, m]. Normals need not be unit vectors: the
        offset is over the same length.

    In a periodic world, balls and boxes are obstacles with all their images. Normals have no component along periodic axes there.
    """

    def __init__(
        self,
        bodies: ArrayLike = (),
        *,
        radii: Optional[ArrayLike] = None,
        half_extents: Optional[ArrayLike] = None,
        planes: Optional[ArrayLike] = None,
    ) -> None:
        self.bodies = np.array(integers("bodies", bodies, np.uint64, -1))
        count = len(self.bodies)
        if count > 0 and (radii is None) == (half_extents is None):
            raise ValueError("radii and half_extents are both given or both missing, expected one of them")
        self.radii = None if radii is None else lengths("radii", radii)
        if self.radii is not None and len(self.radii) != count:
            raise ValueError(f"radii is of shape {self.radii.shape}, expected ({count},), one for each of bodies")
        self.half_extents = None if half_extents is None else lengths("half_extents", half_extents, count, 3)
        self.planes = _unit_planes(finites("planes", np.empty((0, 4)) if planes is None else planes, -1, 4))


class Free:
    """The places at one height at which no grain would overlap obstacles, or a grain of the same call.

    lower: (2,), corner of the rectangle of the places [m].
    height: of the places [m].
    largest: the largest radius of a grain [m].
    period: (3,), of the world, 0 along open axes [m].
    """

    def __init__(self, lower: Numbers, height: float, largest: float, period: Numbers) -> None:
        corner = np.array([*lower, height - float(period[2]) / 2])
        self._images = Images(corner, corner + period, period, period > 0)
        self._height, self._largest = height, largest
        self._cells = Cells(2 * largest)
        self._planes = np.empty((0, 4))
        self._boxes: list[tuple[Numbers, Numbers, Numbers, Numbers]] = []  # centre, axes as rows, half extents, shifts of images
        self._balls = np.empty((0, 4))  # larger than a cell: centre and radius

    def add(self, centre: Place, radius: float) -> None:
        """Occupies a place by a ball that is no larger than the largest grain."""
        for image in self._images.images(self._wrapped(centre), 2 * self._largest):
            self._cells.add(image, radius)

    def _wrapped(self, centre: Place) -> Place:
        """The image of a place in the box."""
        if self._images.is_open:
            return centre
        x, y, z = self._images.wrapped(np.array(centre)).tolist()
        return x, y, z

    def _add_balls(self, centres: Numbers, radii: Numbers) -> None:
        heights = self._images.nearest(centres - (0, 0, self._height))[:, 2]
        near = np.flatnonzero(np.abs(heights) < radii + self._largest)
        is_small = radii[near] <= self._largest
        for index in near[is_small]:
            x, y, z = centres[index].tolist()
            self.add((x, y, z), float(radii[index]))
        large = near[~is_small]
        self._balls = np.concatenate([self._balls, np.column_stack([centres[large], radii[large]])])

    def add_obstacles(self, world: World, obstacles: Obstacles) -> None:
        """Occupies what obstacles do now."""
        normals = obstacles.planes[:, :3]
        refuse("planes", normals, np.abs(normals) * self._images.is_periodic > ALONG, "0 along an axis with a period of the world")
        self._planes = np.concatenate([self._planes, obstacles.planes])
        here = np.flatnonzero(np.isin(obstacles.bodies, world.bodies()))
        states = world.states(obstacles.bodies[here])
        is_near = np.abs(states["position"]).max(axis=1, initial=0) < FAR
        here, states = here[is_near], states[is_near]
        if obstacles.radii is not None:
            self._add_balls(states["position"], obstacles.radii[here])
        elif obstacles.half_extents is not None:
            for state, half in zip(states, obstacles.half_extents[here]):
                self._boxes.append((state["position"], _axes(state["rotation"]), half, self._shifts(half)))

    def _shifts(self, half: Numbers) -> Numbers:
        """The shifts from the nearest image of a box to all that may reach a grain, (n, 3) [m]."""
        reach = float(np.linalg.norm(half)) + self._largest
        period = self._images.edges
        # an image that is k periods from the nearest one is at least k - 1/2 periods away
        most = np.floor(np.divide(reach, period, out=np.zeros(3), where=period > 0) + np.where(period > 0, 0.5, 0))
        if most.max() > MOST_PERIODS:
            raise ValueError(
                f"half_extents has {tuple(half.tolist())} in a world with the period {tuple(period.tolist())}, "
                f"expected a box and a grain that reach over at most {MOST_PERIODS} periods"
            )
        numbers = [np.arange(-count, count + 1) for count in most]
        shifts: Numbers = np.stack(np.meshgrid(*numbers, indexing="ij"), axis=-1).reshape(-1, 3) * period
        return shifts

    def holds(self, centre: Place, radius: float) -> bool:
        """Whether a ball overlaps nothing."""
        place = np.array(centre)
        if (self._planes[:, :3] @ place - self._planes[:, 3] < radius).any():
            return False
        away = self._images.nearest(self._balls[:, :3] - place)
        if ((away**2).sum(axis=1) < (self._balls[:, 3] + radius) ** 2).any():
            return False
        for middle, axes, half, shifts in self._boxes:
            beyond = np.maximum(np.abs((self._images.nearest(place - middle) + shifts) @ axes.T) - half, 0)
            if ((beyond**2).sum(axis=1) < radius**2).any():
                return False
        return self._cells.is_free(self._wrapped(centre), radius)


def _unit_planes(planes: Numbers) -> Numbers:
    """Planes with normals of length 1."""
    largest = np.abs(planes[:, :3]).max(axis=1, initial=0)
    if not (largest > 0).all():
        raise ValueError(f"planes[{int(largest.argmin())}] has the normal 0, expected a direction")
    with np.errstate(over="ignore"):  # infinite offsets are refused
        scaled: Numbers = planes / largest[:, None]
        scaled /= np.linalg.norm(scaled[:, :3], axis=1)[:, None]
    refuse("planes", planes, ~np.isfinite(scaled), "an offset that is finite over the length of the normal")
    return scaled


def _axes(rotation: Numbers) -> Numbers:
    """The axes of a body in world axes, as rows, by its quaternion (x, y, z, w)."""
    x, y, z, w = rotation.tolist()
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)],
            [2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)],
            [2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)],
        ]
    )
