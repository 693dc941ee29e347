"""Arrays at the border to the library.

What is read by the library may be anything of the right shape that numpy turns into the right numbers without loss; it is
copied if it is not contiguous. What the library writes must be the right array already, since a copy would be lost.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _checks

Numbers = NDArray[np.float64]
Records = NDArray[np.void]
Handles = NDArray[np.uint64]


def numbers(name: str, value: ArrayLike, *shape: int) -> Numbers:
    """An array of doubles for the library to read; -1 in `shape` is any length."""
    given = _checks.given(name, value)
    if given.size == 0:
        given = given.astype(np.float64)  # numpy has no better type for []
    if not np.can_cast(given.dtype, np.float64, "safe"):
        raise TypeError(f"{name} is of type {given.dtype}, expected numbers that fit doubles")
    _shaped(name, given, shape)
    return np.ascontiguousarray(given, np.float64)


def integers(name: str, value: ArrayLike, dtype: Any, *shape: int) -> NDArray[Any]:
    """An array of integers for the library to read: of any integer type, if they fit."""
    given = _checks.given(name, value)
    if given.size == 0:
        given = given.astype(dtype)
    if given.dtype.kind not in "iu":
        raise TypeError(f"{name} is of type {given.dtype}, expected integers")
    _shaped(name, given, shape)
    if given.dtype != dtype and given.size:
        low, high = int(given.min()), int(given.max())
        if low < 0 or high > np.iinfo(dtype).max:
            raise ValueError(f"{name} has {low if low < 0 else high}, expected 0 to {np.iinfo(dtype).max}")
    return np.ascontiguousarray(given, dtype)


def records(name: str, value: Any, dtype: np.dtype[Any]) -> Records:
    """An array of structures for the library to read."""
    given = _checks.given(name, value)
    if given.dtype != dtype:
        raise TypeError(f"{name} is of type {_told(given.dtype)}, expected an array of {_told(dtype)}")
    _shaped(name, given, (-1,))
    return np.ascontiguousarray(given)


def output(name: str, array: Any, dtype: Any, *shape: int) -> NDArray[Any]:
    """An array for the library to write: that of the caller if it fits, a new one if there is none.

    A length in `shape` must be matched, except the first: an array may be longer.
    """
    if array is None:
        return np.empty(shape, dtype)
    if not isinstance(array, np.ndarray):
        raise TypeError(f"{name} is a {type(array).__name__}, expected a numpy array")
    if array.dtype != dtype:
        raise TypeError(f"{name} is of type {_told(array.dtype)}, expected {_told(np.dtype(dtype))}")
    if array.ndim != len(shape) or array.shape[1:] != shape[1:] or array.shape[0] < shape[0]:
        raise ValueError(f"{name} is of shape {array.shape}, expected {shape}, or longer")
    if not array.flags.c_contiguous or not array.flags.aligned:
        raise ValueError(f"{name} is not contiguous, expected an array without gaps")
    if not array.flags.writeable:
        raise ValueError(f"{name} is read-only, expected an array that can be written")
    return array


def address(array: NDArray[Any], kind: Any) -> Any:
    """A pointer to the first element, as ctypes has it, which keeps the array alive."""
    return array.ctypes.data_as(kind)


def _shaped(name: str, given: NDArray[Any], shape: tuple[int, ...]) -> None:
    fits = given.ndim == len(shape) and all(want in (-1, have) for want, have in zip(shape, given.shape))
    if not fits:
        wanted = ", ".join("n" if want < 0 else str(want) for want in shape)
        raise ValueError(f"{name} is of shape {given.shape}, expected ({wanted}{',' if len(shape) == 1 else ''})")


def _told(dtype: np.dtype[Any]) -> str:
    """A type for a message: structures by their first members."""
    names = dtype.names
    return str(dtype) if names is None else f"structures ({', '.join(names[:3])}, ...)"
