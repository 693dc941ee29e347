"""Ctrl-C while the library calls functions of Python."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from typing import Any, Iterator, Optional


class Interrupts:
    """Holds Ctrl-C back while the library works, since an exception must not pass through it.

    Python raises KeyboardInterrupt at the start of the next function. Where the library calls that function, ctypes prints the exception
    and drops it. Within `held` the exception is kept in `error` instead: the function returns early, and the caller raises it.
    """

    def __init__(self) -> None:
        self.error: Optional[BaseException] = None
        self.is_open = False
        """Whether a function of the caller runs, whose exceptions are caught: it is interrupted at once."""
        self._handler: Any = None

    @contextmanager
    def held(self) -> Iterator[None]:
        """The library is called within this."""
        replaced = signal.getsignal(signal.SIGINT) if threading.current_thread() is threading.main_thread() else None
        # in a call from within a call the handler is that of the program too
        outer = getattr(replaced, "__self__", None)
        handler = outer._handler if isinstance(outer, Interrupts) else replaced
        if not callable(handler):
            yield
            return
        self._handler = handler
        signal.signal(signal.SIGINT, self._caught)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, replaced)

    def _caught(self, number: int, frame: Any) -> None:
        try:
            self._handler(number, frame)
        except BaseException as error:
            if self.is_open:
                raise
            self.error = error
