"""Structures of C that refuse what does not fit, where ctypes would cut it off."""

from __future__ import annotations

import ctypes
import operator
from ctypes import byref, c_double, c_int, c_int32, c_size_t, c_uint32, c_uint64, sizeof
from enum import Enum
from typing import TYPE_CHECKING, Any, Callable, Optional, TypeVar

import numpy as np

from ._errors import check
from ._loading import opened

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]

Kind = TypeVar("Kind", bound="type[Structure]")

# The least and the largest value of what ctypes would take modulo its size.
_RANGES: dict[Any, tuple[int, int]] = {
    c_int: (-(2**31), 2**31 - 1),
    c_int32: (-(2**31), 2**31 - 1),
    c_uint32: (0, 2**32 - 1),
    c_uint64: (0, 2**64 - 1),
    c_size_t: (0, 2**64 - 1),
}


class Structure(ctypes.Structure):
    """A structure of the interface.

    Made with defaults, if the library has any for it, else with zeros; `struct_size` is set. Members are then given by name:
    `Settings(iterations=100)`. A member that it does not have is a TypeError, or an AttributeError when it is set later.
    """

    __slots__ = ()
    _initialiser_: Optional[str] = None

    def __init__(self, **members: Any) -> None:
        super().__init__()
        if self._initialiser_ is not None:
            check(getattr(opened(), self._initialiser_)(byref(self), c_size_t(sizeof(self))))
        elif self._fields_[0][0] == "struct_size":
            self.struct_size = sizeof(self)
        self.update(**members)

    def update(self, **members: Any) -> None:
        """Sets members by their names."""
        names = {field[0] for field in self._fields_}
        for name, value in members.items():
            if name not in names:
                raise TypeError(f"{type(self).__name__} has no member {name!r}")
            setattr(self, name, value)

    def copy(self: Any) -> Any:
        """Another one with the same members."""
        return type(self).from_buffer_copy(self)

    def __repr__(self) -> str:
        names = [field[0] for field in self._fields_ if field[0] not in ("struct_size", "reserved")]
        values = [(name, getattr(self, name)) for name in names]
        said = ", ".join(f"{name}={_plain(value)}" for name, value in values)
        return f"{type(self).__name__}({said})"


def _plain(value: Any) -> str:
    if isinstance(value, Enum) and value.name is not None:
        return f"{type(value).__name__}.{value.name}"
    return repr(value.tolist() if isinstance(value, np.ndarray) else value)


def members(**kinds: Any) -> Callable[[Kind], Kind]:
    """Lets the members of a structure be read as what they are (`method=Method`) and set to nothing else."""

    def decorate(structure: Kind) -> Kind:
        for name, kind, *_ in structure._fields_:
            plain = getattr(structure, name)
            where = f"{structure.__name__}.{name}"
            if isinstance(kind, type) and issubclass(kind, ctypes.Array):
                setattr(structure, name, _array(plain, kind, where))
            elif kind in _RANGES:
                setattr(structure, name, _integer(plain, _RANGES[kind], kinds.get(name, int), where))
            elif kind is c_double:
                setattr(structure, name, _real(plain, where))
        return structure

    return decorate


def _real(plain: Any, where: str) -> property:
    def write(self: Structure, value: Any) -> None:
        try:
            plain.__set__(self, value)
        except TypeError:
            raise TypeError(f"{where} is {value!r}, expected a number") from None

    return property(plain.__get__, write)


def _integer(plain: Any, bounds: tuple[int, int], kind: Any, where: str) -> property:
    low, high = bounds

    def read(self: Structure) -> Any:
        return kind(plain.__get__(self))

    def write(self: Structure, value: Any) -> None:
        try:
            number = operator.index(value)
        except TypeError:
            raise TypeError(f"{where} is {value!r}, expected a whole number") from None
        if not low <= number <= high:
            raise ValueError(f"{where} is {number}, expected {low} to {high}")
        if kind is bool and number not in (0, 1):
            raise ValueError(f"{where} is {number}, expected True or False")
        if kind is not int and kind is not bool:
            number = kind(number)
        plain.__set__(self, number)

    return property(read, write)


def _array(plain: Any, kind: Any, where: str) -> property:
    if kind._type_ is not c_double:
        raise TypeError(f"{where}: an array of {kind._type_}")

    def read(self: Structure) -> Any:
        return np.frombuffer(plain.__get__(self), np.float64)

    def write(self: Structure, value: Any) -> None:
        given = np.asarray(value)
        if given.shape != (kind._length_,) or not np.can_cast(given.dtype, np.float64, "safe"):
            raise ValueError(f"{where} is {given.dtype} of shape {given.shape}, expected {kind._length_} numbers")
        read(self)[:] = given

    return property(read, write)
