"""The solver without a world: bring your own contacts."""

from __future__ import annotations

from ctypes import POINTER, byref, c_double, c_uint8, c_uint32, c_void_p, pointer
from typing import TYPE_CHECKING, Any, NamedTuple, Optional

import numpy as np

from ._arrays import Numbers, Records, address, integers, numbers, output, records
from ._checks import instance, whole
from ._convergence import NotConvergedError
from ._errors import StoppedError, check
from ._filled import Filled
from ._run import IterationWatch, WatchedIterations
from ._signatures import explained
from .raw import (
    CONTACT_SOLUTION_DTYPE,
    PROBLEM_BODY_DTYPE,
    PROBLEM_CONTACT_DTYPE,
    PROBLEM_ROW_DTYPE,
    ContactSolution,
    LocalProblem,
    Problem,
    ProblemBody,
    ProblemContact,
    ProblemRow,
    Settings,
    Solution as RawSolution,
    StepReport,
    library,
)

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

_DOUBLES = POINTER(c_double)
_INDICES = POINTER(c_uint32)

FIXED_WORLD = 2**32 - 1
"""The index of the fixed world, as body_a or body_b of a contact or row of a problem."""


class Solution(NamedTuple):
    """What the solver found. Its arrays may be handed to the next `solve`, which then writes there."""

    velocities: Numbers
    """(bodies, 6): linear and angular velocity after the solve [m/s, rad/s]."""
    contacts: Records
    """One for each contact, of CONTACT_SOLUTION_DTYPE."""
    row_impulses: Numbers
    """One for each row."""
    report: StepReport
    """How the solve went."""
    compatible_row_impulses: Numbers = None  # type: ignore[assignment]
    """One for each row, after the compatibility correction."""


class Correction(NamedTuple):
    """Compatible impulses."""

    impulses: Numbers
    """(contacts, 3): on body b, world axes [N s]."""
    report: StepReport
    """How the correction went; its residuals are those of the given impulses."""


class LocalSolution(NamedTuple):
    """Impulses of a problem that is given by its Delassus operator."""

    impulses: Numbers
    """(contacts, 3 or 5): normal, tangent 1, tangent 2, rolling 1, rolling 2 [N s, N m s]."""
    report: StepReport
    """How the solve went; its worst_contact is an index."""


@explained
class Solver(Filled):
    """A solver that is called without a world.

    It keeps impulses by key, for warm starting. One thread may make a call at a time: BusyError for others.
    """

    def __init__(self) -> None:
        solver = c_void_p()
        check(library.dry_solver_create(byref(solver)))
        assert solver.value is not None
        super().__init__(solver.value, library.dry_solver_destroy)
        self._watched: Optional[WatchedIterations] = None

    def set_progress(self, progress: Optional[IterationWatch], every: int = 1) -> None:
        """Sets the function that the calls to come call between their iterations; None: none.

        With one, Ctrl-C stops a call too. A copy of the solver has none.

        progress: a function of the iterations done; a true answer stops the call, which raises StoppedError and is forgotten. So does
            an exception, which is raised. Calls on this solver from it raise BusyError.
        every: it is called after so many iterations and again after as many more.
        """
        number = whole("every", every, 1, 2**64 - 1)
        watched = None if progress is None else WatchedIterations(progress, number)
        self._call(library.dry_solver_set_progress, None if watched is None else byref(watched.callback))
        self._watched = watched

    def _iterate(self, function: Any, *arguments: Any) -> None:
        """Calls a function that iterates."""
        watched = self._watched
        if watched is None:
            self._call(function, *arguments)
            return
        try:
            with watched.interrupts.held():
                self._call(function, *arguments)
        except StoppedError:
            watched.raise_thrown()
            raise
        watched.raise_thrown()

    def snapshot(self) -> bytes:
        """What the solver remembers from call to call, as bytes."""
        return self._filled(library.dry_solver_snapshot, None, np.uint8, POINTER(c_uint8)).tobytes()

    def restore(self, snapshot: bytes) -> None:
        """Makes the solver remember what a snapshot holds, and nothing else."""
        buffer = np.frombuffer(instance("snapshot", snapshot, bytes), np.uint8)
        self._call(library.dry_solver_restore, address(buffer, POINTER(c_uint8)), len(buffer))

    @classmethod
    def from_snapshot(cls, snapshot: bytes) -> Solver:
        """A new solver that remembers what a snapshot holds."""
        solver = cls()
        solver.restore(snapshot)
        return solver

    def __copy__(self) -> Solver:
        return self.from_snapshot(self.snapshot())

    def __deepcopy__(self, memo: dict[int, Any]) -> Solver:
        return self.__copy__()

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).from_snapshot, (self.snapshot(),)

    def solve(
        self,
        step: float,
        bodies: Records,
        contacts: Optional[Records] = None,
        rows: Optional[Records] = None,
        settings: Optional[Settings] = None,
        out: Optional[Solution] = None,
    ) -> Solution:
        """Solves a problem: velocities, and impulses of contacts and rows, which obey the laws of the contacts.

        step: duration of the step, above 0 [s].
        bodies, contacts, rows: of PROBLEM_BODY_DTYPE, PROBLEM_CONTACT_DTYPE and PROBLEM_ROW_DTYPE.
        settings: as of a world; None: the defaults.
        out: where to write, of the lengths of the problem.

        NotConvergedError, only with `require_convergence`, has the report and the solution.
        """
        problem = _problem(step, bodies, contacts, rows)
        count, lengths = problem.body_count, (problem.contact_count, problem.row_count)
        none = Solution(None, None, None, StepReport())  # type: ignore[arg-type]
        given = none if out is None else instance("out", out, Solution)
        found = Solution(
            output("out.velocities", given.velocities, np.float64, count, 6)[:count],
            output("out.contacts", given.contacts, CONTACT_SOLUTION_DTYPE, lengths[0])[: lengths[0]],
            output("out.row_impulses", given.row_impulses, np.float64, lengths[1])[: lengths[1]],
            given.report,
            output("out.compatible_row_impulses", given.compatible_row_impulses, np.float64, lengths[1])[: lengths[1]],
        )
        into = RawSolution(
            velocities=address(found.velocities, _DOUBLES),
            contacts=address(found.contacts, POINTER(ContactSolution)),
            row_impulses=address(found.row_impulses, _DOUBLES),
            report=pointer(found.report),
            compatible_row_impulses=address(found.compatible_row_impulses, _DOUBLES),
        )
        try:
            self._iterate(library.dry_solver_solve, byref(problem), byref(_settings(settings)), byref(into))
        except NotConvergedError as error:
            error.report, error.solution = found.report, found
            raise
        return found

    def correct(
        self,
        step: float,
        bodies: Records,
        contacts: Records,
        impulses: ArrayLike,
        settings: Settings,
        out: Optional[Numbers] = None,
    ) -> Correction:
        """Corrects given impulses, from whatever solver, to compatible ones with the same resultant on every body.

        step, bodies, contacts: the problem, as of `solve`.
        impulses: (contacts, 3), on body b, world axes [N s].
        settings: whose `compatibility` is not OFF.
        out: where to write them.
        """
        problem, report = _problem(step, bodies, contacts, None), StepReport()
        count = problem.contact_count
        given = numbers("impulses", impulses, count, 3)
        found = output("out", out, np.float64, count, 3)[:count]
        arrays = address(given, _DOUBLES), address(found, _DOUBLES)
        chosen = instance("settings", settings, Settings)
        self._iterate(library.dry_solver_correct, byref(problem), byref(chosen), *arrays, byref(report))
        return Correction(found, report)

    def solve_local(
        self,
        row_offsets: ArrayLike,
        columns: ArrayLike,
        blocks: ArrayLike,
        q: ArrayLike,
        friction: ArrayLike,
        rolling: Optional[ArrayLike] = None,
        settings: Optional[Settings] = None,
        out: Optional[Numbers] = None,
    ) -> LocalSolution:
        """Solves u = W r + q, a problem that is given by its Delassus operator W alone.

        row_offsets, columns, blocks: W in block compressed rows: `indptr`, `indices` and `data` of a
            scipy.sparse.bsr_array; blocks (k, d, d) with d = 3 or 5, both halves of the symmetric matrix.
        q: (contacts, d): velocities without any impulse [m/s, rolling rad/s].
        friction: Coulomb's coefficient of each contact [-].
        rolling: with d = 5, for each contact: rolling impulse over normal impulse, at most [m].
        settings: as of a world; None: the defaults.
        out: where to write the impulses, (contacts, d).
        """
        velocities = numbers("q", q, -1, -1)
        count, dimension = velocities.shape
        given: dict[str, Any] = {
            "row_offsets": integers("row_offsets", row_offsets, np.uint32, count + 1),
            "columns": integers("columns", columns, np.uint32, -1),
            "blocks": numbers("blocks", blocks, -1, dimension, dimension),
            "q": velocities,
            "friction": numbers("friction", friction, count),
        }
        if rolling is not None:
            given["rolling"] = numbers("rolling", rolling, count)
        last = int(given["row_offsets"][-1])
        if not last == len(given["columns"]) == len(given["blocks"]):
            raise ValueError(
                f"row_offsets[{count}] is {last}, expected the number of columns ({len(given['columns'])})"
                f" and of blocks ({len(given['blocks'])})"
            )
        kinds = {np.dtype(np.uint32): _INDICES, np.dtype(np.float64): _DOUBLES}
        problem = LocalProblem(contact_count=count, dimension=dimension)
        problem.update(**{name: address(array, kinds[array.dtype]) for name, array in given.items()})
        impulses, report = output("out", out, np.float64, count, dimension)[:count], StepReport()
        into = address(impulses, _DOUBLES), byref(report)
        self._iterate(library.dry_solver_solve_local, byref(problem), byref(_settings(settings)), *into)
        return LocalSolution(impulses, report)


def _settings(settings: Optional[Settings]) -> Settings:
    return Settings() if settings is None else instance("settings", settings, Settings)


def _problem(step: float, bodies: Records, contacts: Optional[Records], rows: Optional[Records]) -> Problem:
    """The problem with pointers to its arrays, which ctypes keeps alive with it."""
    problem = Problem(step=step)
    for name, given, dtype, kind in (
        ("bodies", bodies, PROBLEM_BODY_DTYPE, ProblemBody),
        ("contacts", contacts, PROBLEM_CONTACT_DTYPE, ProblemContact),
        ("rows", rows, PROBLEM_ROW_DTYPE, ProblemRow),
    ):
        if given is not None:
            array = records(name, given, dtype)
            problem.update(**{name: address(array, POINTER(kind))})
            setattr(problem, {"bodies": "body_count"}.get(name, f"{name[:-1]}_count"), len(array))
    return problem
