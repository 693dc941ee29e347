"""Checks of the arguments of this sub-package: the parameter, its value, and what is valid."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .._arrays import Numbers, numbers
from .._checks import real


SHORTEST, LONGEST = 1e-50, 1e50
"""Edges of a box [m]: those of a world's shapes."""


def finite(name: str, value: Any) -> float:
    """A finite number."""
    number = real(name, value)
    if not math.isfinite(number):
        raise ValueError(f"{name} is {number}, expected a finite number")
    return number


def positive(name: str, value: Any) -> float:
    """A finite number above 0."""
    number = real(name, value)
    if not (number > 0 and math.isfinite(number)):
        raise ValueError(f"{name} is {number}, expected a finite number above 0")
    return number


def not_negative(name: str, value: Any) -> float:
    """A finite number, 0 or above."""
    number = real(name, value)
    if not (number >= 0 and math.isfinite(number)):
        raise ValueError(f"{name} is {number}, expected a finite number, 0 or above")
    return number


def finites(name: str, value: Any, *shape: int) -> Numbers:
    """A copy of an array of finite numbers; -1 in `shape` is any length."""
    array = numbers(name, value, *shape).copy()
    refuse(name, array, ~np.isfinite(array), "a finite number")
    return array


def positives(name: str, value: Any) -> Numbers:
    """A copy of an array (n,) of finite numbers above 0."""
    array = numbers(name, value, -1).copy()
    refuse(name, array, ~((array > 0) & np.isfinite(array)), "a finite number above 0")
    return array


def refuse(name: str, array: Numbers, is_wrong: Any, expected: str) -> None:
    """Raises ValueError for the first element that is wrong."""
    if is_wrong.any():
        index = tuple(int(each[0]) for each in np.nonzero(is_wrong))
        where = ", ".join(map(str, index))
        raise ValueError(f"{name}[{where}] is {array[index]}, expected {expected}")


def corners(lower: Any, upper: Any, dimensions: int) -> tuple[Numbers, Numbers]:
    """The corners of a box or a rectangle: finite, lower < upper in every component."""
    low, high = finites("lower", lower, dimensions), finites("upper", upper, dimensions)
    for axis in range(dimensions):
        if not low[axis] < high[axis]:
            raise ValueError(f"upper[{axis}] is {high[axis]}, expected above lower[{axis}], which is {low[axis]}")
        if not SHORTEST <= float(high[axis]) - float(low[axis]) <= LONGEST:
            raise ValueError(f"upper[{axis}] is {high[axis]}, expected {SHORTEST} to {LONGEST} above lower[{axis}], which is {low[axis]}")
    return low, high


def refuse_larger(diameters: Numbers, room: float, what: str) -> None:
    """Raises ValueError for the largest of the diameters if it is above `room`, which is `what`."""
    if len(diameters) and diameters.max() > room:
        index = int(diameters.argmax())
        raise ValueError(f"diameters[{index}] is {diameters[index]}, expected at most {room}, {what}")
