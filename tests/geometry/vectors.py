"""Vectors of decimals."""

from __future__ import annotations

import decimal
from decimal import Decimal
from typing import Optional, Sequence, Tuple

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Vector = Tuple[Decimal, Decimal, Decimal]
Edge = Tuple[int, int]
Face = Tuple[int, int, int]

DIGITS = 60
PROOF = Decimal("1e-35")
"""Largest distance between the two sides of the proof, over the size [-]."""
NEAR = 1e-6
"""Candidates this close to the best one are evaluated in decimals, over the size [-]."""
FIRST = 12
"""Pairs of features that are tried before the solids count as overlapping."""
GRIDS = (64, 512, 4096)
"""Samples of a circle, between which critical points are searched. More are used where nothing is proved with few."""
AXES = 3000
"""Random axes of all directions to which an overlap is compared, and as many near the best one."""
ZERO, ONE = Decimal(0), Decimal(1)

decimal.getcontext().prec = DIGITS


class Unproved(Exception):
    """No candidate was proved to be the answer."""


# Vectors of decimals


def dot(a: Vector, b: Vector) -> Decimal:
    """Returns a . b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def add(a: Vector, b: Vector, factor: Decimal = ONE) -> Vector:
    """Returns a + factor b."""
    return (a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2])


def sub(a: Vector, b: Vector) -> Vector:
    """Returns a - b."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def times(a: Vector, factor: Decimal) -> Vector:
    """Returns factor a."""
    return (a[0] * factor, a[1] * factor, a[2] * factor)


def cross(a: Vector, b: Vector) -> Vector:
    """Returns a x b."""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def norm(a: Vector) -> Decimal:
    """Returns the length of a."""
    return dot(a, a).sqrt()


def unit(a: Vector) -> Optional[Vector]:
    """Returns a vector of length 1 along a, or None where a is 0."""
    length = norm(a)
    return times(a, ONE / length) if length > 0 else None


def exact(values: Sequence[float]) -> Vector:
    """Returns three doubles as decimals, without rounding."""
    x, y, z = (Decimal(float(value)) for value in values)
    return (x, y, z)


def doubles(vectors: Sequence[Vector]) -> Array:
    """Returns vectors rounded to doubles, of shape (n, 3)."""
    return np.array([[float(value) for value in vector] for vector in vectors]).reshape(-1, 3)


def clamp(value: Decimal) -> Decimal:
    """Returns the number in [0, 1] that is nearest to a value."""
    return min(max(value, ZERO), ONE)
