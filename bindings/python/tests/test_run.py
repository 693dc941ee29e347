"""Belts, and many steps in one call."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import drystone
from drystone import Run, StepReport, World
from scenes import Scene

STEP = 1 / 200


def test_a_ball_on_a_belt(scene: Scene) -> None:
    world = scene.world
    assert world.surface_velocity(scene.floor).linear.tolist() == [0, 0, 0]
    world.set_surface_velocity(scene.floor, (0.3, 0, 0))
    belt = world.surface_velocity(scene.floor)
    assert (belt.linear.tolist(), belt.angular.tolist()) == ([0.3, 0, 0], [0, 0, 0])
    scene.steps(300)
    assert world.state(scene.ball).linear_velocity == pytest.approx([0.3 * 2 / 7, 0, 0], abs=1e-9)
    with pytest.raises(drystone.NotFiniteError, match="angular"):
        world.set_surface_velocity(scene.floor, (0, 0, 0), (0, np.nan, 0))
    with pytest.raises(ValueError, match="linear is of shape"):
        world.set_surface_velocity(scene.floor, (0, 0))
    with pytest.raises(drystone.StaleHandleError):
        world.surface_velocity(drystone.Body(0))


def test_a_run_has_the_bits_of_its_steps() -> None:
    hashes = []
    for together in (False, True):
        with World() as world:
            Scene(world, position=(0, 0, 2))
            if together:
                far = world.run(STEP, 100)
                assert far.steps == 100 and far.report is not None and far.report.bodies == 2
            else:
                for _ in range(100):
                    world.step(STEP)
            hashes.append(world.hash())
    assert hashes[0] == hashes[1]


def test_progress_can_stop_a_run(scene: Scene) -> None:
    calls: list[tuple[int, int, StepReport]] = []

    def progress(done: int, count: int, report: StepReport) -> bool:
        calls.append((done, count, report))
        return done >= 5

    far = scene.world.run(STEP, 20, progress, every=2)
    assert far.steps == 6 and [call[:2] for call in calls] == [(2, 20), (4, 20), (6, 20)]
    # the reports are copies, which outlive the run
    assert all(call[2].contacts == 1 for call in calls)
    assert scene.world.run(STEP, 3, lambda *_: None).steps == 3
    assert scene.world.run(STEP, 0) == Run(0, None)


def test_an_exception_stops_a_run(scene: Scene) -> None:
    before = []

    def progress(done: int, count: int, report: StepReport) -> None:
        before.append(done)
        if done == 3:
            raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        scene.world.run(STEP, 20, progress)
    assert before == [1, 2, 3]
    # in the last step it is raised too
    with pytest.raises(KeyError):
        scene.world.run(STEP, 3, progress)
    scene.world.step(STEP)


@pytest.mark.parametrize("call", ["energy", "contacts", "hash", "step", "close"])
def test_calls_from_progress_are_busy(scene: Scene, call: str) -> None:
    arguments: tuple[Any, ...] = (STEP,) if call == "step" else ()
    with pytest.raises(drystone.BusyError):
        scene.world.run(STEP, 3, lambda *_: getattr(scene.world, call)(*arguments))
    assert scene.world.energy().kinetic >= 0


def test_runs_that_are_refused(scene: Scene) -> None:
    with pytest.raises(TypeError, match="progress is 7, expected a function or None"):
        scene.world.run(STEP, 3, 7)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="every is 0, expected 1 to"):
        scene.world.run(STEP, 3, every=0)
    with pytest.raises(ValueError, match="steps is -1, expected 0 to"):
        scene.world.run(STEP, -1)
    with pytest.raises(drystone.ArgumentError, match="step is -1"):
        scene.world.run(-1, 3)


def test_a_run_that_does_not_converge(scene: Scene) -> None:
    scene.world.configure(require_convergence=True, tolerance=1e-300, iterations=1, projection=drystone.Projection.OFF)
    scene.world.set_surface_velocity(scene.floor, (0.3, 0, 0))
    scene.world.set_state(scene.ball, angular_velocity=(1, 2, 3))
    scene.world.add_body(shape=scene.sphere, position=(0.7, 0, 1.2))
    with pytest.raises(drystone.NotConvergedError) as failure:
        scene.world.run(STEP, 300)
    assert failure.value.report.residual_max > 1e-300
