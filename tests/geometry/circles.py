"""Circles: the rims of cylinders."""

from __future__ import annotations

from decimal import Decimal
from typing import Callable, List, Optional, Tuple

import numpy as np
import numpy.typing as npt

from solids import Solid, units
from vectors import ZERO, Array, Vector, add, cross, dot, doubles, sub, times, unit


class Rim:
    """The circle at an end of a cylinder."""

    def __init__(self, solid: Solid, sign: int) -> None:
        self.solid = solid
        self.center = add(solid.center, solid.frame[2], sign * solid.half_height)
        self.middle = doubles([self.center])[0]

    def at(self, angles: Array) -> Tuple[Array, Array]:
        """Returns points and unit tangents at angles, (..., 3)."""
        x, y, _ = self.solid.axes
        cos, sin = np.cos(angles)[..., None], np.sin(angles)[..., None]
        return self.middle + self.solid.shape.radius * (cos * x + sin * y), cos * y - sin * x

    def near(self, angle: float) -> Callable[[Decimal], Tuple[Vector, Vector]]:
        """Returns a function of a parameter, 0 at an angle, that has points and unit tangents in decimals."""
        x, y, z = self.solid.frame
        start = unit(add(times(x, Decimal(float(np.cos(angle)))), y, Decimal(float(np.sin(angle)))))
        assert start is not None
        side = cross(z, start)

        def at(t: Decimal) -> Tuple[Vector, Vector]:
            scale = 1 / (1 + t * t)
            cos, sin = (1 - t * t) * scale, 2 * t * scale
            out = add(times(start, cos), side, sin)
            return add(self.center, out, self.solid.radius), add(times(side, cos), start, -sin)

        return at

    def critical(self, angle: float, foot: Callable[[Vector], Vector]) -> Optional[Tuple[Vector, Vector]]:
        """Returns the point and the tangent where the line from the circle to `foot` is across the circle."""
        at = self.near(angle)

        def slope(t: Decimal) -> Decimal:
            point, tangent = at(t)
            return dot(sub(point, foot(point)), tangent)

        t0, t1 = ZERO, Decimal("1e-8")
        f0, f1 = slope(t0), slope(t1)
        for _ in range(40):
            if f1 == f0:
                break
            t0, t1, f0 = t1, t1 - f1 * (t1 - t0) / (f1 - f0), f1
            if abs(t1) > 1:
                return None
            f1 = slope(t1)
            if abs(t1 - t0) < Decimal("1e-57"):
                break
        return at(t1)

    def foot(self, point: Vector) -> Vector:
        """Returns the point of the circle that is closest to a point."""
        z = self.solid.frame[2]
        arm = sub(point, self.center)
        out = unit(add(arm, z, -dot(arm, z))) or self.solid.frame[0]
        return add(self.center, out, self.solid.radius)

    def feet(self, points: Array) -> Array:
        """Returns the same in doubles, (..., 3)."""
        arms = points - self.middle
        z = self.solid.axes[2]
        return np.asarray(self.middle + self.solid.shape.radius * units(arms - (arms @ z)[..., None] * z))


def rims(solid: Solid) -> List[Rim]:
    """Returns the two circles of a cylinder."""
    return [Rim(solid, 1), Rim(solid, -1)]


def roots(
    rim: Rim, foot: Callable[[Array, npt.NDArray[np.int64]], Array], count: int, samples: int
) -> Tuple[Array, npt.NDArray[np.int64]]:
    """Returns angles where the line from the circle to the foot is across the circle, and to which of `count` feet it goes."""

    def slope(angles: Array, which: npt.NDArray[np.int64]) -> Array:
        points, tangents = rim.at(angles)
        return np.asarray(((points - foot(points, which)) * tangents).sum(axis=-1))

    grid = 0.1234 + np.linspace(0, 2 * np.pi, samples + 1)
    every = np.arange(count)
    values = slope(np.broadcast_to(grid, (count, samples + 1)).copy(), np.broadcast_to(every[:, None], (count, samples + 1)))
    which, cell = np.nonzero(values[:, :-1] * values[:, 1:] < 0)
    low, high = grid[cell], grid[cell + 1]
    sign = values[which, cell]
    for _ in range(24):
        middle = 0.5 * (low + high)
        is_left = slope(middle, which) * sign > 0
        low, high = np.where(is_left, middle, low), np.where(is_left, high, middle)
    return 0.5 * (low + high), which
