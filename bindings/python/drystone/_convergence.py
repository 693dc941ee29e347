"""The failure to converge, which has the report of the step or solve."""

from __future__ import annotations

from typing import Any

from ._errors import Error
from .raw import StepReport


class NotConvergedError(Error, ArithmeticError):
    """With `require_convergence`: the residual stayed above the tolerance.

    Attributes:
        report: of the step, which was undone, or of the solve.
        solution: of a solve, what was found; of a step None.
    """

    number = 8
    report: StepReport
    solution: Any = None
