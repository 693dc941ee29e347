"""The results of calls, as `drystone.h` declares them.

Generated from bindings/drystone.json by bindings/generate/python.py: do not edit.
"""

from __future__ import annotations

from enum import IntEnum


class Status(IntEnum):
    """The status that a call returns if it can fail.

    After a failure outputs are untouched and the world is as before the call. There are three exceptions.
    DRY_ERR_CAPACITY writes the full number. DRY_ERR_NOT_CONVERGED writes the report, and of a solver the solution.
    dry_world_run keeps the steps that it completed, and writes their number.
    """

    OK = 0
    """The call succeeded."""
    ERR_NULL = 1
    """A required pointer was NULL."""
    ERR_ABI = 2
    """The library does not know this struct_size: the structure was not initialised, or its header is newer."""
    ERR_ARGUMENT = 3
    """A value outside its range."""
    ERR_NOT_FINITE = 4
    """NaN or infinity in the input, or a step or solve that would have ended in one or beyond the limits, undone."""
    ERR_STALE_HANDLE = 5
    """No such object, or it was removed or destroyed, or the handle is of another kind."""
    ERR_CAPACITY = 6
    """The caller's buffer is too small; the count is the full number."""
    ERR_UNSUPPORTED = 7
    """A function, setting or combination that this version does not offer."""
    ERR_NOT_CONVERGED = 8
    """Only with require_convergence: the step was undone, its report is written; of a solver the solution too."""
    ERR_FORMAT = 9
    """A snapshot or a file that does not have the format of its kind."""
    ERR_IO = 10
    """Reading or writing a file failed."""
    ERR_BUSY = 11
    """A call from inside a callback, or while a step runs on the host's tasks; a solver in use by another thread."""
    ERR_INTERNAL = 12
    """A defect of drystone, caught; the world, or the solver, can only be destroyed."""
    ERR_MEMORY = 13
    """An allocation sized by the input failed."""
    ERR_STOPPED = 14
    """The function that dry_world_run calls between steps, or a solver or a static problem between iterations, asked to
    stop. A run keeps the steps before; otherwise the solver or the world is as before the call.
    """
