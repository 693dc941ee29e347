"""Many steps in one call, with a function between them."""

from __future__ import annotations

from ctypes import Structure, sizeof, string_at
from typing import Any, Callable, NamedTuple, Optional

from ._checks import shown
from ._interrupts import Interrupts
from .raw import IterationProgress, Progress, RunProgress, SolverProgress, StepReport

Watch = Callable[[int, int, StepReport], Any]
"""Is handed how many steps are done, of how many, and the report of the last one; a true answer stops the run."""


IterationWatch = Callable[[int], Any]
"""Is handed how many iterations are done; a true answer stops the call."""


class Run(NamedTuple):
    """How far a run came."""

    steps: int
    """Steps that were completed; fewer than were asked for if the function stopped the run."""
    report: Optional[StepReport]
    """Of the last of them; None if there is none."""


class _Watcher:
    """Calls a function of the caller for the library, which its exceptions must not enter. Keeps them, and Ctrl-C, until the call is over.

    The library is called within `with watched.interrupts.held():`, then comes `raise_thrown`.
    """

    def __init__(self) -> None:
        self.interrupts = Interrupts()
        self._thrown: Optional[BaseException] = None

    def raise_thrown(self) -> None:
        """Raises what the function raised, or Ctrl-C."""
        error, self._thrown = self._thrown or self.interrupts.error, None
        self.interrupts.error = None
        if error is not None:
            raise error

    def _stops(self, watch: Callable[..., Any], *arguments: Any) -> int:
        """Whether the library has to stop, as its number."""
        try:
            self.interrupts.is_open = True
            stops = watch(*arguments)
            self.interrupts.is_open = False
            return 1 if stops or self.interrupts.error is not None else 0
        except BaseException as error:
            self.interrupts.is_open = False
            self._thrown = error
            return 1


class Watched(_Watcher):
    """Stands between a run and the caller's function, whose exceptions must not enter the library.

    Without a function it is called nevertheless, so that Ctrl-C stops the run between two steps.
    """

    def __init__(self, watch: Optional[Watch], every: int) -> None:
        if watch is not None and not callable(watch):
            raise TypeError(f"progress is {shown(watch)}, expected a function or None")
        super().__init__()
        self._watch = watch
        # kept here: the library holds no reference to it
        self._call = Progress(self._called)
        self.callback: Structure = RunProgress(progress=self._call, every=every)

    def _called(self, _: Optional[int], done: int, count: int, report: int) -> int:
        if self.interrupts.error is not None:
            return 1
        if self._watch is None:
            return 0
        copy = StepReport.from_buffer_copy(string_at(report, sizeof(StepReport)))
        return self._stops(self._watch, done, count, copy)


class WatchedIterations(_Watcher):
    """Stands between a call that iterates and the caller's function, whose exceptions must not enter the library.

    Without a function it is called nevertheless, so that Ctrl-C stops the call between two iterations.
    """

    def __init__(self, watch: Optional[IterationWatch], every: int) -> None:
        if watch is not None and not callable(watch):
            raise TypeError(f"progress is {shown(watch)}, expected a function or None")
        super().__init__()
        self._watch, self.every = watch, every
        # kept here: the library holds no reference to it
        self.call = IterationProgress(self._called)
        self.callback: Structure = SolverProgress(progress=self.call, every=every)

    def _called(self, _: Optional[int], done: int) -> int:
        if self.interrupts.error is not None:
            return 1
        return 0 if self._watch is None else self._stops(self._watch, done)
