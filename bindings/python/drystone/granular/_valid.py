"""Checks of the arguments of this sub-package: the parameter, its value, and what is valid."""

from __future__ import annotations

import math
from typing import Any, Sequence

import numpy as np
from numpy.typing import NDArray

from .._arrays import Numbers, numbers
from .._checks import real


SHORTEST, LONGEST = 1e-50, 1e50
"""Lengths [m]: those of a world's shapes. Squares and volumes of them are numbers."""
MOST = 2**27
"""The most points or spheres of a result: their coordinates take 3 GB."""


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


def length(name: str, value: Any) -> float:
    """A length above 0 [m]."""
    number = positive(name, value)
    if not SHORTEST <= number <= LONGEST:
        raise ValueError(f"{name} is {number}, expected {SHORTEST} to {LONGEST}")
    return number


def distance(name: str, value: Any) -> float:
    """A length, 0 or above [m]."""
    number = real(name, value)
    if not (number >= 0 and math.isfinite(number)):
        raise ValueError(f"{name} is {number}, expected a finite number, 0 or above")
    if number > LONGEST:
        raise ValueError(f"{name} is {number}, expected at most {LONGEST}")
    return number


def finites(name: str, value: Any, *shape: int) -> Numbers:
    """A copy of an array of finite numbers; -1 in `shape` is any length."""
    array = numbers(name, value, *shape).copy()
    refuse(name, array, ~np.isfinite(array), "a finite number")
    return array


def positives(name: str, value: Any) -> Numbers:
    """A copy of an array (n,) of finite numbers above 0."""
    array = finites(name, value, -1)
    refuse(name, array, ~(array > 0), "a finite number above 0")
    return array


def place(name: str, value: Any) -> float:
    """A coordinate [m]."""
    number = finite(name, value)
    if abs(number) > LONGEST:
        raise ValueError(f"{name} is {number}, expected {-LONGEST} to {LONGEST}")
    return number


def lengths(name: str, value: Any, *shape: int) -> Numbers:
    """A copy of an array of lengths above 0 [m]; of shape (n,) unless `shape` says another one."""
    array = finites(name, value, *(shape or (-1,)))
    refuse(name, array, ~(array > 0), "a finite number above 0")
    refuse(name, array, (array < SHORTEST) | (array > LONGEST), f"{SHORTEST} to {LONGEST}")
    return array


def places(name: str, value: Any, *shape: int) -> Numbers:
    """A copy of an array of coordinates [m]; -1 in `shape` is any length."""
    array = finites(name, value, *shape)
    refuse(name, array, np.abs(array) > LONGEST, f"{-LONGEST} to {LONGEST}")
    return array


def shares(value: Any, count: int) -> Numbers:
    """A copy of the argument `shares`, (count,): 0 or above, not all 0."""
    array = finites("shares", value, count)
    refuse("shares", array, array < 0, "0 or above")
    refuse("shares", array, array > LONGEST, f"at most {LONGEST}")
    if not array.sum() > 0:
        raise ValueError(f"shares has the sum {array.sum()}, expected a sum above 0")
    return array


def refuse(name: str, array: NDArray[Any], is_wrong: Any, expected: str) -> None:
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


def refuse_many(name: str, value: float, counts: Sequence[float], what: str) -> None:
    """Raises ValueError if the product of the counts is above `MOST`. `name` is the argument that they follow from."""
    number = math.prod(map(float, counts))
    if not number <= MOST:
        raise ValueError(f"{name} is {value}, which makes {number:.3g} {what}, expected at most {MOST}")


def refuse_larger(diameters: Numbers, room: float, what: str) -> None:
    """Raises ValueError for the largest of the diameters if it is above `room`, which is `what`."""
    if len(diameters) and diameters.max() > room:
        index = int(diameters.argmax())
        raise ValueError(f"diameters[{index}] is {diameters[index]}, expected at most {room}, {what}")
