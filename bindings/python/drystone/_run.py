"""Many steps in one call, with a function between them."""

from __future__ import annotations

from ctypes import Structure, sizeof, string_at
from typing import Any, Callable, NamedTuple, Optional

from ._checks import shown
from .raw import IterationProgress, Progress, RunProgress, SolverProgress, StepReport

Watch = Callable[[int, int, StepReport], Any]
"""Is handed how many steps are done, of how many, and the report of the last one; a true answer stops the run."""


IterationWatch = Callable[[int], Any]
"""Is handed how many iterations are done; a true answer stops the call of the solver."""


class Run(NamedTuple):
    """How far a run came."""

    steps: int
    """Steps that were completed; fewer than were asked for if the function stopped the run."""
    report: Optional[StepReport]
    """Of the last of them; None if there is none."""


class _Thrower:
    """Keeps what a function of the caller raised while the library called it."""

    def __init__(self) -> None:
        self._thrown: Optional[BaseException] = None

    def raise_thrown(self) -> None:
        """Raises what the function raised."""
        error, self._thrown = self._thrown, None
        if error is not None:
            raise error


class Watched(_Thrower):
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
        try:
            if self._watch is None:
                return 0
            copy = StepReport.from_buffer_copy(string_at(report, sizeof(StepReport)))
            return 1 if self._watch(done, count, copy) else 0
        except BaseException as error:
            self._thrown = error
            return 1


class WatchedIterations(_Thrower):
    """Stands between a solver and the caller's function, whose exceptions must not enter the library."""

    def __init__(self, watch: IterationWatch, every: int) -> None:
        if not callable(watch):
            raise TypeError(f"progress is {shown(watch)}, expected a function or None")
        super().__init__()
        self._watch = watch
        # kept here: the library holds no reference to it
        self._call = IterationProgress(self._called)
        self.callback: Structure = SolverProgress(progress=self._call, every=every)

    def _called(self, _: Optional[int], done: int) -> int:
        try:
            return 1 if self._watch(done) else 0
        except BaseException as error:
            self._thrown = error
            return 1
