"""What is free where a source puts its grains."""

from __future__ import annotations

from typing import Optional

import numpy as np
from numpy.typing import ArrayLike

from .._arrays import Handles, Numbers, integers
from .._world import World
from ._cells import Cells
from ._valid import finites, positives


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
        self.radii = None if radii is None else positives("radii", radii)
        if self.radii is not None and len(self.radii) != count:
            raise ValueError(f"radii is of shape {self.radii.shape}, expected ({count},), one for each of bodies")
        self.half_extents = None if half_extents is None else finites("half_extents", half_extents, count, 3)
        if self.half_extents is not None and not (self.half_extents > 0).all():
            raise ValueError("half_extents has a number that is not above 0, expected edges above 0")
        self.planes = finites("planes", np.empty((0, 4)) if planes is None else planes, -1, 4)
        lengths = np.linalg.norm(self.planes[:, :3], axis=1)
        if not (lengths > 0).all():
            raise ValueError(f"planes[{int(lengths.argmin())}] has the normal 0, expected a direction")
        self.planes = self.planes / lengths[:, None]


class Free:
    """The places at one height at which no grain would overlap obstacles, or a grain of the same call."""

    def __init__(self, height: float, largest: float) -> None:
        self._height, self._largest = height, largest
        self._cells = Cells(2 * largest)
        self._planes = np.empty((0, 4))
        self._boxes: list[tuple[Numbers, Numbers, Numbers]] = []  # centre, axes as rows, half extents
        self._balls = np.empty((0, 4))  # larger than a cell: centre and radius

    def add(self, centre: tuple[float, float, float], radius: float) -> None:
        """Occupies a place by a grain of the source."""
        self._cells.add(centre, radius)

    def _add_balls(self, world: World, bodies: Handles, radii: Numbers) -> None:
        """Occupies balls about bodies."""
        centres = world.states(bodies)["position"]
        near = np.flatnonzero(np.abs(centres[:, 2] - self._height) < radii + self._largest)
        is_small = radii[near] <= self._largest
        for index in near[is_small]:
            x, y, z = centres[index].tolist()
            self._cells.add((x, y, z), float(radii[index]))
        large = near[~is_small]
        self._balls = np.concatenate([self._balls, np.column_stack([centres[large], radii[large]])])

    def add_obstacles(self, world: World, obstacles: Obstacles) -> None:
        """Occupies what obstacles do now."""
        self._planes = np.concatenate([self._planes, obstacles.planes])
        here = np.isin(obstacles.bodies, world.bodies())
        bodies = obstacles.bodies[here]
        if obstacles.radii is not None:
            self._add_balls(world, bodies, obstacles.radii[here])
        elif obstacles.half_extents is not None:
            states = world.states(bodies)
            for state, half in zip(states, obstacles.half_extents[here]):
                self._boxes.append((state["position"], _axes(state["rotation"]), half))

    def holds(self, centre: tuple[float, float, float], radius: float) -> bool:
        """Whether a ball overlaps nothing."""
        place = np.array(centre)
        if (self._planes[:, :3] @ place - self._planes[:, 3] < radius).any():
            return False
        if (((self._balls[:, :3] - place) ** 2).sum(axis=1) < (self._balls[:, 3] + radius) ** 2).any():
            return False
        for middle, axes, half in self._boxes:
            beyond = np.maximum(np.abs(axes @ (place - middle)) - half, 0)
            if (beyond**2).sum() < radius**2:
                return False
        return self._cells.is_free(centre, radius)


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
