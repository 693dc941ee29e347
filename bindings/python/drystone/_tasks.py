"""A program's own threads for the steps of a world."""

from __future__ import annotations

import itertools
from concurrent.futures import Executor, Future
from ctypes import c_void_p
from typing import Any, Optional

from ._checks import shown, whole
from ._interrupts import Interrupts
from ._signatures import explained
from .raw import TaskCallbacks, TaskRun, TaskWait


@explained
class Tasks:
    """Lets the steps of a world be shared by the threads of a `concurrent.futures.ThreadPoolExecutor`.

    executor: which runs the work; it must have threads of this process, and last as long as the world.
    workers: how many threads work at most, the one that steps included; 1 to 1024.

    A step asks for up to some hundred tasks of microseconds, each through the interpreter: threads of drystone's own
    (`World(threads=n)`) are faster. This is for programs that must not have more threads than they already do.
    """

    def __init__(self, executor: Executor, workers: int) -> None:
        if not callable(getattr(executor, "submit", None)):
            raise TypeError(f"executor is {shown(executor)}, expected a concurrent.futures.Executor")
        self._executor = executor
        self._running: dict[int, Future[None]] = {}
        self._numbers = itertools.count(1)
        # kept here: the library holds no reference to them
        self._run, self._wait = TaskRun(self._run_task), TaskWait(self._wait_for)
        count = whole("workers", workers, 0, 2**32 - 1)
        self.callbacks = TaskCallbacks(run_task=self._run, wait=self._wait, worker_count=count)
        self.interrupts = Interrupts()
        self._interruption: Optional[BaseException] = None

    def _run_task(self, _: Optional[int], task: Any, argument: Optional[int]) -> Optional[int]:
        """Hands out a task. Returns None if it will not be called; the step then does its work."""
        number = next(self._numbers)
        # an exception must not leave: ctypes would return any number
        try:
            self._running[number] = self._executor.submit(task, c_void_p(argument))
        except Exception:  # of an executor that takes no more
            return None
        except BaseException as error:
            self._interruption = error
            return None
        return number

    def _wait_for(self, _: Optional[int], number: int) -> None:
        try:
            future = self._running.pop(number)
            # a task that has not begun, of an executor that is busy, is given up: the step does its work
            if not future.cancel():
                future.result()
        except BaseException as error:
            self._interruption = error

    def raise_interruption(self) -> None:
        """Raises what came up within a step, after it: Ctrl-C."""
        error, self._interruption = self._interruption or self.interrupts.error, None
        self.interrupts.error = None
        if error is not None:
            raise error
