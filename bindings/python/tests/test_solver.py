"""The solver without a world, against closed forms."""

from __future__ import annotations

import os
import re
import signal
import threading
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import drystone
from drystone import Compatibility, ContactState, Projection, Settings, Solver, World

Problem = dict[str, Any]


def test_a_ball_that_lands_and_slides(ball_on_floor: Problem) -> None:
    with Solver() as solver:
        solution = solver.solve(**ball_on_floor)
    # it stops with an impulse of m v = 6 N s, of which friction takes a tenth: 0.5 - 0.6 / 2 = 0.2 m/s are left
    assert solution.contacts["normal_impulse"][0] == pytest.approx(6, rel=1e-12)
    assert solution.velocities[0] == pytest.approx([0.2, 0, 0, 0, 0, 0], abs=1e-12)
    assert solution.contacts["state"][0] & ContactState.SLIDING
    assert solution.report.contacts == 1 and solution.report.residual_max < 1e-12
    assert solution.row_impulses.shape == (0,)


def test_arrays_of_the_caller_are_written(ball_on_floor: Problem) -> None:
    with Solver() as solver:
        first = solver.solve(**ball_on_floor)
        ball_on_floor["bodies"]["velocity"] = (0, 0, -1)
        second = solver.solve(**ball_on_floor, out=first)
    assert np.shares_memory(second.velocities, first.velocities)
    assert np.shares_memory(second.contacts, first.contacts)
    assert first.contacts["normal_impulse"][0] == pytest.approx(2, rel=1e-12)
    assert second.report.new_contacts == 0 and second.report is first.report


def held_along_x(speed: float) -> Any:
    """A row without bounds that gives the ball this speed."""
    rows = np.zeros(1, drystone.PROBLEM_ROW_DTYPE)
    rows["body_a"] = drystone.FIXED_WORLD
    rows["jacobian_b"] = (1, 0, 0, 0, 0, 0)
    rows["rhs"] = speed
    rows["lower"], rows["upper"] = -np.inf, np.inf
    rows["friction_row"] = -1
    return rows


def test_rows(ball_on_floor: Problem) -> None:
    rows = held_along_x(2)
    with Solver() as solver:
        solution = solver.solve(ball_on_floor["step"], ball_on_floor["bodies"], rows=rows)
    # the row wants 2 m/s of a ball of 2 kg that has 0.5 m/s
    assert solution.row_impulses == pytest.approx([3], rel=1e-12)
    assert solution.compatible_row_impulses == solution.row_impulses
    assert solution.velocities[0, :3] == pytest.approx([2, 0, -3], rel=1e-12)


def two_supports() -> tuple[Problem, np.ndarray]:
    """A platform on three supports at x = -1, 0, 1, pressed by 9 N s; an arrangement of impulses that carries it."""
    bodies = np.zeros(1, drystone.PROBLEM_BODY_DTYPE)
    bodies["inverse_mass"], bodies["inverse_inertia"] = 1, (1, 1, 1, 0, 0, 0)
    bodies["velocity"] = (0, 0, -9)
    contacts = np.zeros(3, drystone.PROBLEM_CONTACT_DTYPE)
    contacts["body_a"] = drystone.FIXED_WORLD
    contacts["normal"] = (0, 0, 1)
    contacts["arm_b"] = [(-1, 0, 0), (0, 0, 0), (1, 0, 0)]
    impulses = np.zeros((3, 3))
    impulses[1, 2] = 9
    return {"step": 0.01, "bodies": bodies, "contacts": contacts}, impulses


def test_correction() -> None:
    problem, impulses = two_supports()
    settings = Settings(compatibility=Compatibility.HOOKE)
    with Solver() as solver:
        corrected = solver.correct(**problem, impulses=impulses, settings=settings)
        assert corrected.impulses[:, 2] == pytest.approx([3, 3, 3], rel=1e-7)
        assert corrected.report.closed_contacts == 3
        room = np.zeros((3, 3))
        assert solver.correct(**problem, impulses=impulses, settings=settings, out=room).impulses.base is room
        with pytest.raises(drystone.ArgumentError, match="compatibility"):
            solver.correct(**problem, impulses=impulses, settings=Settings())
        with pytest.raises(ValueError, match=re.escape("impulses is of shape (2, 3), expected (3, 3)")):
            solver.correct(**problem, impulses=impulses[:2], settings=settings)
        with pytest.raises(ValueError, match=re.escape("out is not contiguous")):
            solver.correct(**problem, impulses=impulses, settings=settings, out=np.zeros((3, 6))[:, ::2])


def test_a_delassus_operator() -> None:
    blocks = np.array([np.diag([0.5, 0.5, 0.5])])
    with Solver() as solver:
        solution = solver.solve_local([0, 1], [0], blocks, q=[[-3, 0.5, 0]], friction=[0.1])
        # as the ball above: 6 N s along the normal, a tenth of it against the sliding
        assert solution.impulses[0] == pytest.approx([6, -0.6, 0], rel=1e-10, abs=1e-12)
        five = np.array([np.diag([0.5] * 5)])
        rolling = solver.solve_local([0, 1], [0], five, q=[[-3, 0, 0, 1, 0]], friction=[0.1], rolling=[0.01])
        assert rolling.impulses[0, 0] == pytest.approx(6, rel=1e-10)
        assert rolling.impulses[0, 3] == pytest.approx(-0.06, rel=1e-10)
        with pytest.raises(ValueError, match="row_offsets.1. is 2"):
            solver.solve_local([0, 2], [0], blocks, q=[[-3, 0.5, 0]], friction=[0.1])
        with pytest.raises(ValueError, match=re.escape("blocks is of shape (1, 3, 3), expected (n, 5, 5)")):
            solver.solve_local([0, 1], [0], blocks, q=np.zeros((1, 5)), friction=[0.1])
        with pytest.raises(drystone.ArgumentError, match=re.escape("columns[0] is 4")):
            solver.solve_local([0, 1], [4], blocks, q=[[-3, 0.5, 0]], friction=[0.1])
        assert solver.solve_local([0], [], np.zeros((0, 3, 3)), np.zeros((0, 3)), []).impulses.shape == (0, 3)


def test_what_does_not_converge_has_a_solution() -> None:
    problem, _ = two_supports()
    problem["bodies"]["angular_velocity"] = (0, 1, 0)
    settings = Settings(require_convergence=True, tolerance=1e-15, iterations=1, projection=Projection.OFF)
    with Solver() as solver, pytest.raises(drystone.NotConvergedError) as caught:
        solver.solve(**problem, settings=settings)
    assert caught.value.solution.velocities.shape == (1, 6)
    assert caught.value.solution.contacts["normal_impulse"].sum() > 0
    assert caught.value.report.residual_max > 1e-15


@pytest.mark.parametrize(
    ("change", "kind", "message"),
    [
        ({"bodies": np.zeros(1)}, TypeError, "bodies is of type float64, expected an array of structures (inverse_mass,"),
        ({"contacts": np.zeros((1, 1), drystone.PROBLEM_CONTACT_DTYPE)}, ValueError, "contacts is of shape (1, 1)"),
        ({"rows": [(1, 2)]}, TypeError, "rows is of type int64, expected an array of structures (key,"),
        ({"step": 0.0}, drystone.ArgumentError, "step is 0"),
        ({"settings": Settings(relaxation=5)}, drystone.ArgumentError, "relaxation is 5"),
        ({"contacts": np.zeros(1, drystone.PROBLEM_CONTACT_DTYPE)}, drystone.ArgumentError, "contacts[0]"),
    ],
)
def test_problems_that_are_refused(ball_on_floor: Problem, change: Problem, kind: type, message: str) -> None:
    with Solver() as solver, pytest.raises(kind, match=re.escape(message)):
        solver.solve(**{**ball_on_floor, **change})


def test_room_of_other_lengths(ball_on_floor: Problem) -> None:
    with Solver() as solver:
        found = solver.solve(**ball_on_floor)
        with pytest.raises(ValueError, match=re.escape("out.velocities is of shape (0, 6), expected (1, 6), or longer")):
            solver.solve(**ball_on_floor, out=found._replace(velocities=np.zeros((0, 6))))
        with pytest.raises(TypeError, match="out.contacts is of type float64"):
            solver.solve(**ball_on_floor, out=found._replace(contacts=np.zeros(1)))


def test_use_after_close(ball_on_floor: Problem) -> None:
    solver = Solver()
    solver.close()
    with pytest.raises(drystone.ClosedError, match="Solver is closed"):
        solver.solve(**ball_on_floor)


COLD = Settings(projection=Projection.OFF, warm_start=drystone.WarmStart.OFF)
"""Every solve of an island with rows makes all sweeps, from zero."""


def test_progress_is_called_and_may_stop(ball_on_floor: Problem) -> None:
    ball_on_floor["settings"], ball_on_floor["rows"] = COLD, held_along_x(2)
    with Solver() as solver:
        expected = solver.solve(**ball_on_floor).velocities.copy()
        calls: list[int] = []
        solver.set_progress(calls.append, every=10)
        assert (solver.solve(**ball_on_floor).velocities == expected).all()
        assert calls and calls == [10 * (k + 1) for k in range(len(calls))]
        solver.set_progress(lambda done: done >= 3)
        out = Solver().solve(**ball_on_floor)
        out.velocities[:] = 7
        with pytest.raises(drystone.StoppedError, match="after 3 iterations"):
            solver.solve(**ball_on_floor, out=out)
        assert (out.velocities == 7).all()
        solver.set_progress(None)
        assert (solver.solve(**ball_on_floor).velocities == expected).all()


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Makes Ctrl-C raise an exception: background jobs ignore it, and endless calls would not stop."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no signals from timers")
@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_stops_a_call_and_a_run() -> None:
    count = 1000
    bodies = np.zeros(count, drystone.PROBLEM_BODY_DTYPE)
    bodies["inverse_mass"], bodies["velocity"][:, 2] = 1, -1
    contacts = np.zeros(count, drystone.PROBLEM_CONTACT_DTYPE)
    contacts["body_a"] = [drystone.FIXED_WORLD, *range(count - 1)]
    contacts["body_b"], contacts["normal"] = range(count), (0, 0, 1)
    with Solver() as solver, World() as world:
        world.add_body(shape=world.sphere(0.5))
        solver.set_progress(lambda _: False, every=10)
        endless = Settings(iterations=2**32 - 1)
        for call in (
            lambda: solver.solve(0.01, bodies, contacts, settings=endless),
            lambda: world.run(0.01, 10**12),
            lambda: world.run(0.01, 10**12, lambda done, count, report: False),
            lambda: world.run(0.01, 1, lambda done, count, report: time.sleep(60)),
        ):
            before = signal.getsignal(signal.SIGINT)
            timer = threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT))
            timer.start()
            with pytest.raises(KeyboardInterrupt):
                call()
            timer.join()
            assert signal.getsignal(signal.SIGINT) is before


def test_an_exception_of_progress_stops_a_call(ball_on_floor: Problem) -> None:
    ball_on_floor["settings"] = COLD

    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    with Solver() as solver:
        solver.set_progress(interrupt)
        with pytest.raises(KeyboardInterrupt):
            solver.solve(**ball_on_floor)
        blocks = np.diag([0.5, 1.75, 1.75])[None]
        with pytest.raises(KeyboardInterrupt):
            solver.solve_local([0, 1], [0], blocks, [[-1, 100, 0]], [0.3])
        solver.set_progress(lambda _: solver.snapshot())
        with pytest.raises(drystone.BusyError, match="solver runs this callback"):
            solver.solve(**ball_on_floor)
        with pytest.raises(ValueError, match="every is 0, expected 1 to"):
            solver.set_progress(interrupt, every=0)
        with pytest.raises(TypeError, match="progress is 7, expected a function or None"):
            solver.set_progress(7)  # type: ignore[arg-type]
