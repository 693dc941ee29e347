"""Coarse-grained fields on a grid: density, velocity, stress and so on, means over time, and profiles.

    from drystone.granular import fields

    grid = fields.Grid((-0.5, -0.5, 0), (0.5, 0.5, 1), spacing=0.02)
    mean = fields.Mean(grid, width=0.04)
    for _ in range(1000):
        world.step(1e-3)
        mean.add(world)
    profile = mean.fields().along("x", "y")
    plot(profile.coordinates["z"], profile.stress[:, 2, 2])

`World.fields` has the fields at any points, and says what they are.
"""

from __future__ import annotations

import math
from typing import Any, TypedDict

import numpy as np
from numpy.typing import ArrayLike

from .._arrays import Numbers
from .._checks import choice, instance
from .._world import World
from ..raw import Kernel
from ._valid import corners, distance, positive, refuse_many

AXES = ("x", "y", "z")


class GridMembers(TypedDict):
    """The members of a `VtkDef` that stand for a grid; its text is there."""

    grid_origin: tuple[float, float, float]
    grid_spacing: tuple[float, float, float]
    grid_count: tuple[int, int, int]


class Grid:
    """Points along the axes that fill a box, its faces included.

    lower, upper: corners of the box, world axes, lower < upper in every component [m].
    spacing: of the points, at most; it is made smaller to fit each edge [m].

    Raises ValueError if there would be more than 2^27 points.
    """

    def __init__(self, lower: ArrayLike, upper: ArrayLike, spacing: float) -> None:
        low, high = corners(lower, upper, 3)
        most = positive("spacing", spacing)
        parts = [max(1.0, edge / most * (1 - 1e-12)) for edge in (high - low).tolist()]
        refuse_many("spacing", most, [part + 1 for part in parts], "points")
        counts = [math.ceil(part) + 1 for part in parts]
        self.coordinates: dict[str, Numbers] = {
            axis: np.linspace(*ends, count) for axis, ends, count in zip(AXES, zip(low, high), counts)
        }
        """Of the points along each axis, by its name [m]."""

    @property
    def shape(self) -> tuple[int, int, int]:
        """The number of points along each axis."""
        x, y, z = (len(each) for each in self.coordinates.values())
        return x, y, z

    @property
    def spacing(self) -> tuple[float, float, float]:
        """From point to point along each axis [m]."""
        x, y, z = (float(each[1] - each[0]) for each in self.coordinates.values())
        return x, y, z

    @property
    def for_vtk(self) -> GridMembers:
        """What `World.export_vtk` takes to write fields on this grid: `world.export_vtk(..., **grid.for_vtk)`."""
        x, y, z = (float(each[0]) for each in self.coordinates.values())
        return {"grid_origin": (x, y, z), "grid_spacing": self.spacing, "grid_count": self.shape}

    @property
    def points(self) -> Numbers:
        """All points, (n, 3), z running fastest [m]."""
        every: Numbers = np.stack(np.meshgrid(*self.coordinates.values(), indexing="ij"), axis=-1)
        return every.reshape(-1, 3)


class Fields:
    """Fields at the points of a grid, or their means along some of its axes.

    Arrays have the axes of the grid first, those in `coordinates`, then those of vectors and matrices.
    """

    def __init__(self, coordinates: dict[str, Numbers], **sums: Numbers) -> None:
        self.coordinates = coordinates
        """Of the points along each axis that is left, by its name [m]."""
        self.density: Numbers = sums["density"]
        """Of mass [kg/m^3]."""
        self.momentum: Numbers = sums["momentum"]
        """(..., 3) [kg/(m^2 s)]."""
        self.packing_fraction: Numbers = sums["packing_fraction"]
        """The part of the volume that is solid [-]."""
        self.kinetic_stress: Numbers = sums["kinetic_stress"]
        """(..., 3, 3), tension positive [Pa]. Of a mean: the mean of what each step has about its own velocity."""
        self.contact_stress: Numbers = sums["contact_stress"]
        """(..., 3, 3), tension positive [Pa]."""

    @property
    def velocity(self) -> Numbers:
        """momentum over density, (..., 3); 0 where there is no mass [m/s]."""
        return _over(self.momentum, self.density[..., None])

    @property
    def granular_temperature(self) -> Numbers:
        """A third of the mean square of velocities about their mean; 0 where there is no mass [m^2/s^2]."""
        return _over(-np.trace(self.kinetic_stress, axis1=-2, axis2=-1), 3 * self.density)

    @property
    def stress(self) -> Numbers:
        """kinetic_stress + contact_stress, (..., 3, 3) [Pa]."""
        return self.kinetic_stress + self.contact_stress

    @property
    def pressure(self) -> Numbers:
        """Minus a third of the trace of `stress` [Pa]."""
        mean: Numbers = -np.trace(self.stress, axis1=-2, axis2=-1) / 3
        return mean

    def along(self, *axes: str) -> Fields:
        """The means along one or several axes, "x", "y" or "z"; velocity and temperature weighted by mass."""
        left = list(self.coordinates)
        for axis in axes:
            if not isinstance(axis, str) or axis not in left or axes.count(axis) > 1:
                raise ValueError(f"axes are {axes}, expected different ones of {left}")
        where = tuple(left.index(axis) for axis in axes)
        sums = {name: each.mean(axis=where) for name, each in self._sums().items()}
        return Fields({axis: each for axis, each in self.coordinates.items() if axis not in axes}, **sums)

    def _sums(self) -> dict[str, Numbers]:
        return {name: getattr(self, name) for name in _SHAPES}


class Mean:
    """The mean of fields over time: `add` after each step that counts, then `fields`.

    grid: where the fields are.
    kernel: how bodies and forces are spread over the space around them.
    width: of the kernel [m]; 0: the mean diameter of the dynamic spheres.
    """

    def __init__(self, grid: Grid, kernel: Kernel = Kernel.LUCY, width: float = 0) -> None:
        self._grid = instance("grid", grid, Grid)
        self._kernel, self._width = choice("kernel", kernel, Kernel), distance("width", width)
        self._points = grid.points
        self._buffer: Any = None
        self._sums: dict[str, Numbers] = {}
        self.count = 0
        """How often `add` was called."""

    def add(self, world: World) -> None:
        """Adds the fields of the last step of a world; those of all calls have the same weight."""
        instance("world", world, World)
        self._buffer = found = world.fields(self._points, self._kernel, self._width, self._buffer)
        for name, shape in _SHAPES.items():
            each = found[name].reshape(self._grid.shape + shape)
            self._sums[name] = self._sums[name] + each if self.count else each.copy()
        self.count += 1

    def fields(self) -> Fields:
        """The mean so far."""
        if not self.count:
            raise ValueError("nothing was added, expected a call of add before")
        sums = {name: each / self.count for name, each in self._sums.items()}
        return Fields(dict(self._grid.coordinates), **sums)


def sample(world: World, grid: Grid, kernel: Kernel = Kernel.LUCY, width: float = 0) -> Fields:
    """The fields of the last step of a world on a grid; see `Mean`."""
    one = Mean(grid, kernel, width)
    one.add(world)
    return one.fields()


_SHAPES: dict[str, tuple[int, ...]] = {
    "density": (),
    "momentum": (3,),
    "packing_fraction": (),
    "kinetic_stress": (3, 3),
    "contact_stress": (3, 3),
}
"""Fields that add up, and the shape of each at a point."""


def _over(above: Numbers, below: Numbers) -> Numbers:
    """A quotient, 0 where the divisor is 0."""
    return np.divide(above, below, out=np.zeros_like(above), where=below > 0)
