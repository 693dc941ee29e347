"""What a program must end: worlds and solvers."""

from __future__ import annotations

import ctypes
import threading
import weakref
from types import TracebackType
from typing import Any, Callable, Optional, TypeVar

from ._errors import BusyError, ClosedError, check

Self = TypeVar("Self", bound="Owned")


class Owned:
    """An object of the library, ended by `close`, by the end of a `with` block, or with its last reference.

    The library handles calls from several threads. Here the end waits for calls that are still running, and later ones
    raise ClosedError.
    """

    def __init__(self, pointer: int, destroy: Callable[[int], None]) -> None:
        self._pointer = pointer
        self._changed = threading.Condition()
        self._callers: list[int] = []
        self._closed = False
        self._destroy = weakref.finalize(self, destroy, pointer)
        # at exit a thread may still be stepping, and the memory goes with the process
        self._destroy.atexit = False

    @property
    def closed(self) -> bool:
        """Whether it was closed."""
        return self._closed

    def close(self) -> None:
        """Ends it, with everything in it; nothing to do the second time. Waits for calls of other threads."""
        with self._changed:
            if threading.get_ident() in self._callers:
                raise BusyError(f"{self._name()} is closed from within one of its own calls")
            self._closed = True
            self._changed.wait_for(lambda: not self._callers)
        self._destroy()

    def __enter__(self: Self) -> Self:
        if self._closed:
            raise ClosedError(f"{self._name()} is closed")
        return self

    def __exit__(
        self, kind: Optional[type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<{self._name()} {'closed' if self._closed else f'at {self._pointer:#x}'}>"

    def _call(self, function: Callable[..., int], *arguments: Any) -> None:
        """Calls a function of the library on this object, and raises what it answers."""
        caller = threading.get_ident()
        with self._changed:
            if self._closed:
                raise ClosedError(f"{self._name()} is closed")
            self._callers.append(caller)
        try:
            check(function(self._pointer, *arguments))
        except ctypes.ArgumentError as error:
            raise TypeError(f"{getattr(function, '__name__', 'a function')}: {error}") from None
        finally:
            with self._changed:
                self._callers.remove(caller)
                if self._closed:
                    self._changed.notify_all()

    def _name(self) -> str:
        return type(self).__name__
