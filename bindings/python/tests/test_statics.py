"""Static increments and limit loads."""

from __future__ import annotations

import signal
from copy import copy

import numpy as np
import pytest

import drystone
from drystone import BodyKind, StaticFlag, World


def block_on_floor(world: World, friction: float = 0.8) -> None:
    """A block of 2 x 1 x 4 m."""
    rough = world.add_material(friction=friction)
    world.add_body(shape=world.half_space((0, 0, 1), 0), kind=BodyKind.STATIC, material=rough)
    world.add_body(shape=world.box((1, 0.5, 2)), mass=1, position=(0, 0, 2), material=rough)


def test_a_block_rests_and_its_floor_carries_it() -> None:
    with World() as world:
        block_on_floor(world)
        report, displacements = world.solve_static()
        assert report.flags == 0 and displacements.shape == (2, 6)
        assert np.abs(displacements).max() < 1e-12
        assert world.body_force(world.bodies()[1]).force == pytest.approx([0, 0, 9.81], abs=1e-9)


@pytest.mark.parametrize(("friction", "factor"), [(0.8, 0.5), (0.3, 0.3)])
def test_a_push_turns_a_block_over_or_lets_it_slide(friction: float, factor: float) -> None:
    with World() as world:
        block_on_floor(world, friction)
        push = [[0] * 6, [9.81, 0, 0, 0, 0, 0]]
        found = world.limit_load(push)
        assert found.report.load_factor == pytest.approx(factor, abs=1e-9)
        assert bool(StaticFlag.SLIDING_MECHANISM & found.report.flags) == (factor == friction)
        assert (found.mechanism * push).sum() == pytest.approx(1, abs=1e-9)


def test_a_block_in_the_air_is_a_collapse_and_stays_there() -> None:
    with World() as world:
        world.add_body(shape=world.sphere(0.5), position=(0, 0, 9))
        report, displacements = world.solve_static()
        assert StaticFlag.COLLAPSE & report.flags and displacements[0, 2] < 0
        assert world.states()["position"][0, 2] == 9


@pytest.mark.parametrize(
    ("stiffness", "flags"),
    [(2e5, StaticFlag.COLLAPSE | StaticFlag.NOT_CONVERGED), (0, StaticFlag.NOT_COULOMB)],
)
def test_coulombs_law_does_not_hold_a_block_between_walls(stiffness: float, flags: StaticFlag) -> None:
    # Walls that do not press hold nothing. Rigid ones can press by a stress of their own, of the associated law.
    with World(settings=drystone.Settings(friction_law=drystone.FrictionLaw.COULOMB)) as world:
        rough = world.add_material(friction=0.5, normal_stiffness=stiffness)
        for normal in ((1, 0, 0), (-1, 0, 0)):
            world.add_body(shape=world.half_space(normal, -0.5), kind=BodyKind.STATIC, material=rough)
        world.add_body(shape=world.box((0.5, 0.5, 0.5)), mass=1, material=rough)
        report, displacements = world.solve_static()
        assert report.flags == flags
        assert (displacements[2, 2] < -1e-3) == bool(flags & StaticFlag.COLLAPSE)


def test_what_is_wrong_is_named() -> None:
    with World() as world:
        block_on_floor(world)
        with pytest.raises(ValueError, match="count is 1, expected 2"):
            world.limit_load([[0] * 6])
        with pytest.raises(ValueError, match="tolerance is 0"):
            world.solve_static(tolerance=0)


def test_progress_is_called_and_may_stop() -> None:
    push = [[0] * 6, [9.81, 0, 0, 0, 0, 0]]
    with World() as world:
        block_on_floor(world)
        for of in (World.solve_static, lambda world, **named: world.limit_load(push, **named)):
            with copy(world) as other:
                expected = of(other)
            before: int = world.hash()
            calls: list[int] = []
            with pytest.raises(drystone.StoppedError, match="after 3 iterations"):
                of(world, progress=lambda done: done >= 3)
            assert world.hash() == before
            found = of(world, progress=calls.append, every=2)
            assert calls and calls == [2 * (k + 1) for k in range(len(calls))]
            assert found.report.iterations == expected.report.iterations
            assert (found[1] == expected[1]).all()


def test_an_exception_of_progress_stops_a_static_problem() -> None:
    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    with World() as world:
        block_on_floor(world)
        before = world.hash()
        with pytest.raises(KeyboardInterrupt):
            world.solve_static(progress=interrupt)
        with pytest.raises(drystone.BusyError, match="world runs this callback"):
            world.solve_static(progress=lambda _: world.hash())
        with pytest.raises(ValueError, match="every is 0, expected 1 to"):
            world.solve_static(progress=interrupt, every=0)
        with pytest.raises(TypeError, match="progress is 7, expected a function or None"):
            world.solve_static(progress=7)
        assert world.hash() == before
        assert world.solve_static().report.flags == 0


def test_ctrl_c_stops_a_static_problem() -> None:
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with World() as world:
            block_on_floor(world)
            before = world.hash()
            with pytest.raises(KeyboardInterrupt):
                world.solve_static(progress=lambda _: signal.raise_signal(signal.SIGINT))
            assert world.hash() == before
    finally:
        signal.signal(signal.SIGINT, handler)
