"""What is refused before the library is called, in Python's words: the parameter, its value, and what is valid."""

from __future__ import annotations

import operator
import reprlib
import warnings
from enum import IntEnum, IntFlag
from typing import Any, TypeVar

import numpy as np

from ._handles import Handle

_RAGGED_ARE_OBJECTS = tuple(map(int, np.__version__.split(".")[:2])) < (1, 24)
"""Whether numpy makes an array of objects, with a warning, of lists whose lengths differ. Later versions refuse them."""

Kind = TypeVar("Kind")
Number = TypeVar("Number", bound=int)


def real(name: str, value: Any) -> float:
    """A number for the library, of any type that is one: not a text with digits, not an array."""
    kind = type(value)
    is_number = hasattr(kind, "__float__") or hasattr(kind, "__index__")
    is_array = isinstance(value, np.ndarray) and value.ndim > 0
    if not is_number or is_array or isinstance(value, (complex, np.complexfloating)):
        raise TypeError(f"{name} is {shown(value)}, expected a number")
    try:
        return float(value)
    except OverflowError:
        raise ValueError(f"{name} is {shown(value)}, expected a number below 1.8e308") from None


def whole(name: str, value: Any, low: int, high: int, expected: str = "a whole number") -> int:
    """A whole number from `low` to `high`; `expected` says what is valid where the type is wrong."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is {shown(value)}, expected {expected}") from None
    if not low <= number <= high:
        raise ValueError(f"{name} is {number}, expected {low} to {high}")
    return number


def truth(name: str, value: Any) -> int:
    """A flag: True or False, or 1 or 0."""
    number = whole(name, value, -(2**63), 2**64 - 1, "True or False")
    if number not in (0, 1):
        raise ValueError(f"{name} is {number}, expected True or False")
    return number


def choice(name: str, value: Any, kind: type[Number]) -> Number:
    """An element of an enumeration, or bits of a set."""
    number = whole(name, value, -(2**63), 2**64 - 1, choices(kind))
    try:
        return kind(number)
    except ValueError:
        raise ValueError(f"{name} is {number}, expected {choices(kind)}") from None


def choices(kind: Any) -> str:
    """What an enumeration offers: `BodyKind.STATIC, BodyKind.KINEMATIC or BodyKind.DYNAMIC`."""
    names = [f"{kind.__name__}.{member.name}" for member in kind]
    if issubclass(kind, IntFlag):
        return f"bits of {kind.__name__}: {' | '.join(names)}"
    return " or ".join([", ".join(names[:-1]), names[-1]])


def handle(name: str, value: Any, kind: type[Handle]) -> int:
    """A handle for the library to look up: of this kind, or an integer."""
    expected = f"a {kind.__name__}"
    if isinstance(value, Handle) and not isinstance(value, kind):
        raise TypeError(f"{name} is {value!r}, expected {expected}")
    return whole(name, value, 0, 2**64 - 1, expected)


def instance(name: str, value: Any, kind: type[Kind]) -> Kind:
    """An object of a class of this package."""
    if not isinstance(value, kind):
        expected = "bytes" if kind is bytes else f"a {kind.__name__}"
        raise TypeError(f"{name} is {shown(value)}, expected {expected}")
    return value


def given(name: str, value: Any) -> np.ndarray[Any, Any]:
    """What numpy makes of a value, if that is an array."""
    try:
        if not _RAGGED_ARE_OBJECTS:
            return np.asarray(value)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            return np.asarray(value)
    except (ValueError, Warning):  # of lists whose lengths differ
        raise ValueError(f"{name} is {shown(value)}, expected an array without gaps") from None


def shown(value: Any) -> str:
    """A value for a message, shortened."""
    if isinstance(value, (IntEnum, IntFlag)):
        return str(value)
    return reprlib.repr(value)
