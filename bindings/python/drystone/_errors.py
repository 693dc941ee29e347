"""Failures of the library as exceptions, each with its status and the library's own message."""

from __future__ import annotations

import ctypes

from ._loading import opened
from ._status import Status


class Error(Exception):
    """A call that the library refused, or that failed.

    Attributes:
        status: why, as a number with a name.
        message: which argument, its value, and what was expected.
    """

    number = 0

    def __init__(self, message: str, number: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.number = type(self).number if number is None else number

    @property
    def status(self) -> Status:
        """Why, as a number with a name."""
        return Status(self.number)


class NullError(Error, ValueError):
    """Something that is needed was not given."""

    number = 1


class AbiError(Error, RuntimeError):
    """The library does not know the structures of this package."""

    number = 2


class ArgumentError(Error, ValueError):
    """A value outside its range."""

    number = 3


class NotFiniteError(Error, ValueError):
    """NaN or infinity in the input, or a step or solve that would have ended in one and was undone."""

    number = 4


class StaleHandleError(Error, LookupError):
    """No such object, or it was removed, or it is of another kind."""

    number = 5


class CapacityError(Error, ValueError):
    """An array to be filled is too small."""

    number = 6


class UnsupportedError(Error, NotImplementedError):
    """A function, setting or combination that this version does not offer."""

    number = 7


class FormatError(Error, ValueError):
    """A snapshot that is not what it claims."""

    number = 9


class FileError(Error, OSError):
    """Reading or writing a file failed."""

    number = 10


class BusyError(Error, RuntimeError):
    """A call while a step runs on tasks of this program, or of a solver that another thread uses."""

    number = 11


class InternalError(Error, RuntimeError):
    """A defect of the library, caught; the world, or the solver, can only be closed."""

    number = 12


class OutOfMemoryError(Error, MemoryError):
    """An allocation sized by the input failed."""

    number = 13


class StoppedError(Error, RuntimeError):
    """A function between iterations asked to stop: that of a solver or of a static problem. `World.run` answers how far it came instead."""

    number = 14


class ClosedError(Error, ValueError):
    """A world or a solver that is used after it was closed; its status is that of a stale handle."""

    number = 5


def check(status: int) -> None:
    """Raises what a status means, unless it is DRY_OK."""
    if status != 0:
        raise error_class(status)(last_error(), status)


def error_class(status: int) -> type[Error]:
    """Returns the exception of a status."""
    kinds = (kind for kind in Error.__subclasses__() if kind is not ClosedError)
    return next((kind for kind in kinds if kind.number == status), Error)


def last_error() -> str:
    """The message of this thread's last failing call."""
    library, needed = opened(), ctypes.c_size_t()
    library.dry_last_error(None, 0, ctypes.byref(needed))
    buffer = ctypes.create_string_buffer(max(needed.value, 1))
    library.dry_last_error(buffer, len(buffer), None)
    return buffer.value.decode("utf-8", "replace")
