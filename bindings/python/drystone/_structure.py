"""Structures of C that refuse what does not fit, where ctypes would cut it off."""

from __future__ import annotations

import ctypes
import inspect
from ctypes import byref, c_double, c_int, c_int32, c_size_t, c_uint32, c_uint64, sizeof
from enum import Enum, IntEnum, IntFlag
from typing import TYPE_CHECKING, Any, Callable, Optional, TypeVar

import numpy as np

from . import _checks
from ._arrays import integers
from ._errors import check
from ._handles import Handle
from ._loading import opened
from ._signatures import SHOWN, keywords, no_member

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Bits = NDArray[np.uint32]
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
    _chosen_: tuple[str, ...] = ()

    def __init__(self, *values: Any, **members: Any) -> None:
        if values:
            raise TypeError(f"{type(self).__name__} takes its members by name: expected {self._usage()}")
        super().__init__()
        if self._initialiser_ is not None:
            self.update(**{name: members[name] for name in self._chosen_ if name in members})
            chosen = [c_int(getattr(self, name)) for name in self._chosen_]
            check(getattr(opened(), self._initialiser_)(byref(self), c_size_t(sizeof(self)), *chosen))
        elif self._fields_[0][0] == "struct_size":
            self.struct_size = sizeof(self)
        self.update(**members)

    def update(self, **members: Any) -> None:
        """Sets members by their names."""
        names = [field[0] for field in self._fields_]
        for name, value in members.items():
            if name not in names:
                raise no_member(type(self).__name__, name, names)
            setattr(self, name, value)

    def copy(self: Any) -> Any:
        """Another one with the same members."""
        return type(self).from_buffer_copy(self)

    @classmethod
    def _usage(cls) -> str:
        names = [field[0] for field in cls._fields_ if field[0] not in ("struct_size", "reserved")]
        shown = ", ".join([f"{name}=..." for name in names[:SHOWN]] + ["..."] * (len(names) > SHOWN))
        return f"{cls.__name__}({shown})"

    def __repr__(self) -> str:
        names = [field[0] for field in self._fields_ if field[0] not in ("struct_size", "reserved")]
        values = [(name, getattr(self, name)) for name in names]
        said = ", ".join(f"{name}={_plain(value)}" for name, value in values)
        return f"{type(self).__name__}({said})"


def _plain(value: Any) -> str:
    if isinstance(value, Enum) and value.name is not None:
        return f"{type(value).__name__}.{value.name}"
    return repr(value.tolist() if isinstance(value, np.ndarray) else value)


def members(listed: Any, **kinds: Any) -> Callable[[Kind], Kind]:
    """Lets the members of a structure be read as what they are (`method=Method`) and set to nothing else.

    listed: the TypedDict of the members that a program sets, which become the keywords of the structure.
    """

    def decorate(structure: Kind) -> Kind:
        structure.__signature__ = inspect.Signature(keywords(listed))  # type: ignore[attr-defined]
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
        plain.__set__(self, _checks.real(where, value))

    return property(plain.__get__, write)


def _integer(plain: Any, bounds: tuple[int, int], kind: Any, where: str) -> property:
    low, high = bounds

    def read(self: Structure) -> Any:
        return kind(plain.__get__(self))

    def write(self: Structure, value: Any) -> None:
        if kind is bool:
            number = _checks.truth(where, value)
        elif issubclass(kind, Handle):
            number = _checks.handle(where, value, kind)
        elif issubclass(kind, (IntEnum, IntFlag)):
            number = _checks.choice(where, value, kind)
        else:
            number = value
        plain.__set__(self, _checks.whole(where, number, low, high))

    return property(read, write)


def _array(plain: Any, kind: Any, where: str) -> property:
    element = {c_double: np.float64, c_uint32: np.uint32}.get(kind._type_)
    if element is None:
        raise TypeError(f"{where}: an array of {kind._type_}")

    def read(self: Structure) -> Any:
        return np.frombuffer(plain.__get__(self), element)

    def write(self: Structure, value: Any) -> None:
        given = _checks.given(where, value)
        is_whole = element is np.uint32
        fits = given.dtype.kind in "iu" if is_whole else np.can_cast(given.dtype, element, "safe")
        if given.shape != (kind._length_,) or not fits:
            wrong, numbers = ValueError if fits else TypeError, "whole numbers" if is_whole else "numbers"
            raise wrong(f"{where} is {_checks.shown(value)}, expected {kind._length_} {numbers}")
        read(self)[:] = integers(where, given, element, kind._length_) if is_whole else given

    return property(read, write)
