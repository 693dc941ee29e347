"""Sources of grains: what is due comes, nothing overlaps, and a state goes on with the same bits."""

from __future__ import annotations

import json
import math
import pickle
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import drystone
from drystone import BodyKind, World
from drystone.granular import Emitter
from scenes import Scene
from sources import source

STEP = 1 / 240


def least_gap(world: World, emitter: Emitter) -> float:
    """The least distance between surfaces of the source's grains."""
    state = emitter.state()
    centres = world.states(state["grains"])["position"]
    radii = np.array(state["radii"])[state["kinds"]]
    gaps = np.linalg.norm(centres[:, None] - centres[None], axis=-1) - radii[:, None] - radii[None]
    return float(gaps[~np.eye(len(gaps), dtype=bool)].min())


def test_the_rate(world: World) -> None:
    emitter = source(world, rate=30, start=1)
    assert len(emitter.emit(world, 0.5)) == len(emitter.emit(world, 1.0)) == 0
    assert len(emitter.emit(world, 1.0 + 3 / 30)) == 3  # despite round-off
    assert len(emitter.emit(world, 1.0 + 3.9 / 30)) == 0
    bodies = emitter.emit(world, 1.0 + 7 / 30)
    assert bodies.tolist() == world.bodies()[-4:].tolist() and emitter.emitted == 7
    states = world.states(emitter.state()["grains"])
    assert (states["position"][:, 2] == 0.5).all()
    assert len(np.unique(states["position"][:, 0])) == 7


def test_what_grains_start_with(world: World) -> None:
    heavy = world.add_material(density=5000)
    emitter = source(world, material=heavy, velocity=(0.1, 0, -2))
    bodies = emitter.emit(world, 2 / 300)
    assert world.states(bodies)["linear_velocity"].tolist() == 2 * [[0.1, 0, -2]]
    assert world.mass(bodies[0]).mass == pytest.approx(5000 * 4 / 3 * np.pi * 0.01**3)


def test_grains_stay_in_the_rectangle(world: World) -> None:
    emitter = source(world)
    for number in range(60):
        emitter.emit(world, number * STEP * 4)
        for _ in range(4):
            world.step(STEP)
    assert emitter.emitted == int(59 * STEP * 4 * 300)
    state = emitter.state()
    assert state["made"] == pytest.approx(np.array([1, 3]) / 4 * emitter.emitted, abs=1)
    started = source(world, seed=8)
    bodies = np.concatenate([started.emit(world, time) for time in (0.05, 0.1)])
    radii = np.array([0.02, 0.01])[started.state()["kinds"]]
    x, y = world.states(bodies)["position"][:, :2].T
    assert (x >= radii).all() and (x <= 0.2 - radii).all() and (y >= radii).all() and (y <= 0.3 - radii).all()


def test_grains_wait_for_room(world: World) -> None:
    emitter = source(world, rate=1e5)
    first = emitter.emit(world, 0.01)
    assert 20 < len(first) < 200 and least_gap(world, emitter) >= 0
    # nothing has moved: there is hardly any room; once they have fallen the rest comes
    assert len(emitter.emit(world, 0.01)) < 5
    for _ in range(60):
        world.step(STEP)
    more = emitter.emit(world, 0.01 + 60 * STEP)
    assert len(more) > 20 and emitter.emitted == len(world.bodies()) - 1
    grains = np.array(emitter.state()["grains"], np.uint64)  # as doubles, handles would lose digits
    new = np.isin(grains, more)
    assert new.sum() == len(more)
    heights = world.states(grains)["position"][:, 2]
    assert heights[new].min() == 0.5 > heights[~new].max() + 0.04


def test_removed_grains_leave_room(world: World) -> None:
    emitter = source(world, rate=1e5)
    for body in emitter.emit(world, 0.01):
        world.remove_body(body)
    assert len(emitter.emit(world, 0.01)) > 10
    assert len(emitter.state()["grains"]) == len(world.bodies()) - 1


def test_layers(world: World) -> None:
    emitter = source(world, rate=None, interval=0.25, jitter=0.001)
    layer = int(0.2 / 0.042) * int(0.3 / 0.042)
    assert len(emitter.emit(world, 0)) == layer == 28
    # the shapes come in turns of four, and would stand in such
    places, kinds = world.states(emitter.state()["grains"])["position"], np.array(emitter.state()["kinds"])
    row, column = np.floor((places[:, :2] - (0.016, 0.003)) / 0.042).T  # of the lattice, which is in the middle
    kinds = kinds[np.lexsort([column, row])]
    assert not (kinds[4:] == kinds[:-4]).all()
    assert len(emitter.emit(world, 0.1)) == 0
    # due, but the first one is still there
    stuck = len(emitter.emit(world, 0.25))
    assert stuck < layer and emitter.emitted == layer + stuck and least_gap(world, emitter) >= 0
    for _ in range(60):
        world.step(STEP)
    assert len(emitter.emit(world, 0.3)) == layer - stuck
    assert emitter.state()["made"] == [14, 42]


def test_the_limit(world: World) -> None:
    emitter = source(world, rate=100, limit=7)
    assert len(emitter.emit(world, 0.05)) == 5
    assert len(emitter.emit(world, 1)) == 2 and len(emitter.emit(world, 2)) == 0
    for body in emitter.state()["grains"]:
        world.remove_body(drystone.Body(body))
    layers = source(world, rate=None, interval=1, limit=7)
    assert len(layers.emit(world, 0)) == 7 and len(layers.emit(world, 9)) == 0


@pytest.mark.parametrize("mode", [{"rate": 3000}, {"rate": None, "interval": 0.02, "jitter": 0.002}])
def test_a_state_goes_on_with_the_same_bits(mode: dict[str, Any]) -> None:
    hashes = []
    for stop in (None, 7):
        with World() as world:
            scene = Scene(world, position=(5, 5, 0.5))
            emitter = source(world, **mode)
            for number in range(20):
                if number == stop:
                    # layers have grains that wait, which must be kept
                    assert emitter.state()["waiting"] or "interval" not in mode
                    emitter = Emitter.from_state(json.loads(json.dumps(emitter.state())))
                emitter.emit(world, number * STEP * 2)
                scene.steps(2)
            assert emitter.emitted > 60
            hashes.append((world.hash(), emitter.state()))
    assert hashes[0] == hashes[1]


def test_a_state_in_a_world_built_anew(world: World) -> None:
    emitter = source(world, rate=5000)
    emitter.emit(world, 0.001)
    state = emitter.state()
    with World() as other:
        for _ in range(3):
            other.add_body(shape=other.sphere(1), position=(9, 9, 9))  # handles differ
        shapes = [other.sphere(0.02), other.sphere(0.01)]
        definitions = drystone.body_defs(len(state["grains"]))
        definitions["shape"] = np.array(shapes)[state["kinds"]]
        definitions["position"] = world.states(state["grains"])["position"]
        grains = other.add_bodies(definitions)
        again = Emitter.from_state(state, shapes=shapes, material=other.add_material(), grains=grains)
        assert grains.tolist() != state["grains"]
        mine, others = emitter.emit(world, 0.002), again.emit(other, 0.002)
        assert len(mine) > 0
        assert world.states(mine)["position"].tobytes() == other.states(others)["position"].tobytes()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"interval": 1}, "rate is 300 and interval is 1, expected one of them"),
        ({"rate": None}, "rate is None and interval is None, expected one of them"),
        ({"rate": 0}, "rate is 0.0, expected a finite number above 0"),
        ({"shares": [1]}, "shares is of shape (1,), expected (2,)"),
        ({"shares": [0, 0]}, "shares has the sum 0.0, expected a sum above 0"),
        ({"limit": -1}, "limit is -1, expected 0 to"),
        ({"rate": None, "interval": 1, "jitter": 0.1}, "jitter is 0.1, expected 0 to 0.08, so that the rectangle has room"),
        ({"rate": math.inf}, "rate is inf, expected a finite number above 0"),
        ({"jitter": 1e300}, "jitter is 1e+300, expected at most 1e+50"),
        ({"shares": [1e300, 1]}, "shares[0] is 1e+300, expected at most 1e+50"),
        ({"start": math.nan}, "start is nan, expected a finite number"),
    ],
)
def test_sources_that_are_refused(world: World, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        source(world, **changes)


def test_calls_that_are_refused(world: World) -> None:
    ball = world.sphere(0.2)
    with pytest.raises(ValueError, match=re.escape("radii[0] is 0.2, expected at most 0.15, half the shorter edge")):
        Emitter([ball], [0.2], (0, 0), (0.3, 1), 1, rate=1)
    with pytest.raises(ValueError, match=re.escape("radii is of shape (2,), expected (1,), one for each of shapes")):
        Emitter([ball], [0.1, 0.1], (0, 0), (0.3, 1), 1, rate=1)
    emitter = source(world)
    emitter.emit(world, 1)
    with pytest.raises(ValueError, match=re.escape("time is 0.5, expected no less than that of the call before, 1.0")):
        emitter.emit(world, 0.5)
    state = emitter.state()
    del state["made"]
    with pytest.raises(ValueError, match="state has no 'made', expected what Emitter.state returns"):
        Emitter.from_state(state)
    with pytest.raises(ValueError, match=re.escape("grains is of shape (1,), expected (")):
        Emitter.from_state(emitter.state(), grains=[1])


def test_times_that_are_due_too_much_are_refused(world: World) -> None:
    for given, time, message in (
        ({"rate": 1e300}, 1e10, "time is 10000000000.0, which makes inf grains at a rate of 1e+300 since 0.0, expected at most"),
        ({"rate": 1e20}, 1, "time is 1.0, which makes 1e+20 grains at a rate of 1e+20 since 0.0, expected at most 9223372036854775807"),
        ({"start": -1e308}, 1e308, "time is 1e+308, which makes inf grains at a rate of 300.0 since -1e+308, expected at most"),
        ({"rate": None, "interval": 1e-320}, 1, "which makes inf layers at an interval of 1e-320 since 0.0, expected at most"),
    ):
        emitter = source(world, **given)
        before = emitter.state()
        with pytest.raises(ValueError, match=re.escape(message)):
            emitter.emit(world, time)
        assert emitter.state() == before


def test_arguments_of_sources_that_overflow_are_refused(world: World) -> None:
    ball = world.sphere(0.01)
    for radius, height, rate, message in (
        (1e-320, 1, {"rate": 1}, "radii[0] is 1e-320, expected 1e-50 to 1e+50"),
        (0.01, 1e300, {"rate": 1}, "height is 1e+300, expected -1e+50 to 1e+50"),
        (1e-9, 1, {"interval": 1}, "radii[0] is 1e-09, which makes 2.5e+17 grains in a layer, expected at most 134217728"),
    ):
        with pytest.raises(ValueError, match=re.escape(message)):
            Emitter([ball], [radius], (0, 0), (1, 1), height, **rate)


@pytest.mark.parametrize(
    ("member", "value", "message"),
    [
        ("time", math.nan, "state['time'] is nan, expected a finite number"),
        ("time", "1", "state['time'] is '1', expected a number"),
        ("layers", -1, "state['layers'] is -1, expected 0 to 9223372036854775807"),
        ("layers", 0.5, "state['layers'] is 0.5, expected a whole number"),
        ("made", [3], "state['made'] is of shape (1,), expected (2,), one for each of state['shapes']"),
        ("made", [-1, 2], "state['made'][0] is -1, expected 0 to 9223372036854775807"),
        ("made", [0.5, 2], "state['made'] is of type float64, expected integers"),
        ("made", [2**62, 2**62], "state['made'] has the sum 9223372036854775808, expected at most 9223372036854775807, the limit"),
        ("made", [0, 0], "state['made'][0] is 0, expected at least the grains of this shape in 'waiting' and 'kinds'"),
        ("limit", 1, "expected at most 1, the limit"),
        ("grains", [-1], "state['grains'] has -1, expected 0 to"),
        ("grains", [1], "state['kinds'] is of shape (28,), expected (1,), one for each of state['grains']"),
        ("kinds", 28 * [2], "state['kinds'][0] is 2, expected 0 to 1"),
        ("waiting", 3, "state['waiting'] is 3, expected a list of [index of a shape, x, y]"),
        ("waiting", [(0, 0.1)], "state['waiting'][0] is (0, 0.1), expected the index of a shape, x and y"),
        ("waiting", [(2, 0.1, 0.1)], "state['waiting'][0][0] is 2, expected 0 to 1"),
        ("waiting", [(0, 0.1, math.nan)], "state['waiting'][0][2] is nan, expected a finite number"),
        ("waiting", [(0, 0.3, 0.1)], "state['waiting'][0][1] is 0.3, expected 0.0 to 0.2"),
        ("random", None, "state['random'] is None, expected the state of a numpy.random.PCG64"),
        ("random", {"bit_generator": "MT19937", "state": {}}, "expected the state of a numpy.random.PCG64"),
        ("random", {"bit_generator": "PCG64", "state": {}}, "state['random']['state']['state'] is None, expected a whole number"),
        ("random", {"bit_generator": "PCG64", "state": {"state": 1, "inc": 2}}, "state['random']['state']['inc'] is 2, expected an odd"),
        ("shapes", 3, "state['shapes'] is of shape (), expected (n,)"),
        ("radii", [0.02, math.nan], "state['radii'][1] is nan, expected a finite number"),
        ("radii", [0.02], "state['radii'] is of shape (1,), expected (2,), one for each of shapes"),
        ("shapes", [], "state['shapes'] is of shape (0,), expected at least one shape"),
        ("velocity", [0, 0], "state['velocity'] is of shape (2,), expected (3,)"),
        ("rate", 3.0, "state['rate'] is 3.0 and interval is 0.25, expected one of them"),
        ("limit", -1, "state['limit'] is -1, expected 0 to 9223372036854775807"),
        ("height", None, "state['height'] is None, expected a number"),
        ("interval", -1, "state['interval'] is -1.0, expected a finite number above 0"),
    ],
)
def test_states_that_are_refused(world: World, member: str, value: Any, message: str) -> None:
    emitter = source(world, rate=None, interval=0.25, jitter=0.001)
    assert len(emitter.emit(world, 0)) == 28
    state = {**emitter.state(), member: value}
    with pytest.raises((ValueError, TypeError), match=re.escape(message)):
        Emitter.from_state(state)


def test_other_states_that_are_refused(world: World) -> None:
    state = source(world).state()
    with pytest.raises(TypeError, match="state is None, expected what Emitter.state returns"):
        Emitter.from_state(None)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=re.escape("state['waiting'] has 1 grains, expected none, as the source has a rate")):
        Emitter.from_state({**state, "made": [1, 0], "waiting": [(0, 0.1, 0.1)]})
    with pytest.raises(ValueError, match=re.escape("state['shapes'] is of shape (), expected (n,)")):
        Emitter.from_state({**state, "shapes": 1}, shapes=[1, 2])
    for argument in ("shapes", "grains"):
        with pytest.raises(ValueError, match=re.escape(f"{argument} is of shape (1,), expected ({2 if argument == 'shapes' else 0},), one for")):
            Emitter.from_state(state, **{argument: [1]})
    with pytest.raises(TypeError, match="^material is 'steel', expected a Material"):
        Emitter.from_state(state, material="steel")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=re.escape("state['time'] is nan, expected a finite number")):
        Emitter.from_json(json.dumps({**state, "time": math.nan}))


@pytest.mark.parametrize("mode", [{"rate": 3000}, {"rate": None, "interval": 0.02, "jitter": 0.002}])
def test_a_refused_call_counts_nothing(world: World, mode: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    emitter = source(world, **mode)
    before = emitter.state()

    def refuse(self: World, definitions: Any) -> Any:
        raise drystone.OutOfMemoryError("bodies")

    with monkeypatch.context() as patch:
        patch.setattr(World, "add_bodies", refuse)
        with pytest.raises(drystone.OutOfMemoryError):
            emitter.emit(world, 0.05)
    assert emitter.state() == before
    assert len(emitter.emit(world, 0.05)) > 0


def test_sources_side_by_side_do_not_overlap(world: World) -> None:
    one, other = source(world, rate=1e5, seed=1, limit=8), source(world, rate=1e5, seed=2)
    assert len(one.emit(world, 0.01)) == 8
    assert len(other.emit(world, 0.01)) > 5
    grains = np.array(one.state()["grains"] + other.state()["grains"], np.uint64)
    kinds = one.state()["kinds"] + other.state()["kinds"]
    centres, radii = world.states(grains)["position"], np.array(one.state()["radii"])[kinds]
    gaps = np.linalg.norm(centres[:, None] - centres, axis=2) - radii[:, None] - radii
    assert gaps[np.triu_indices(len(grains), 1)].min() >= 0
    # naming them changes nothing, as they are bodies
    with World.from_snapshot(world.snapshot()) as again:
        added = source(world, rate=1e5, seed=3).emit(world, 0.01)
        named = source(again, rate=1e5, seed=3).emit(again, 0.01, beside=[one, other])
        assert world.states(added).tobytes() == again.states(named).tobytes()


def test_grains_that_are_no_balls_keep_apart(world: World) -> None:
    rods = [world.capsule(0.015, 0.005), world.box((0.01, 0.01, 0.02))]
    emitter = Emitter(rods, [0.02, 0.03], (0, 0), (0.2, 0.3), 0.5, rate=1e5, seed=4)
    bodies = emitter.emit(world, 0.01)
    for body in bodies[:5]:
        world.remove_body(body)
    bodies = np.concatenate([bodies[5:], emitter.emit(world, 0.01)])
    states = world.states(bodies)
    kinds = np.array(emitter.state()["kinds"])
    assert len(kinds) == len(bodies) > 10
    found = world.overlaps(np.array(rods)[kinds], states["position"], states["rotation"])
    assert found["body"].tolist() == bodies.tolist(), "each overlaps itself alone"


def test_places_do_not_depend_on_how_many_are_looked_at_together(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    for most in (1, 3, 64):
        with World.from_snapshot(world.snapshot()) as again, monkeypatch.context() as patch:
            patch.setattr("drystone.granular._emitter.FIRST", most)
            patch.setattr("drystone.granular._emitter.MAX_GRAINS", most)
            emitter = source(again, rate=1e5)
            bodies = np.concatenate([emitter.emit(again, time) for time in (0.0001, 0.001, 0.01)])
            made.append((again.states(bodies).tobytes(), emitter.to_json()))
    assert made[0] == made[1] == made[2]


@pytest.mark.parametrize("mode", [{"rate": 3000}, {"rate": None, "interval": 0.02, "jitter": 0.002}])
def test_a_text_and_a_pickle_go_on_with_the_same_bits(world: World, mode: dict[str, Any]) -> None:
    emitter = source(world, **mode)
    emitter.emit(world, 0.01)
    again = [Emitter.from_json(emitter.to_json()), pickle.loads(pickle.dumps(emitter))]
    for each in again:
        assert each.state() == emitter.state()
    for text in ("", "[]", "{", 100000 * "["):
        with pytest.raises(ValueError, match="expected what Emitter.to_json returns"):
            Emitter.from_json(text)
    with pytest.raises(ValueError, match="state has no"):
        Emitter.from_json("{}")
    with pytest.raises(TypeError, match="text is None"):
        Emitter.from_json(None)  # type: ignore[arg-type]


RUN = """
import sys
from pathlib import Path
from drystone import World
from drystone.granular import Emitter

def run(world, emitter, first, last):
    for number in range(first, last):
        emitter.emit(world, number / 240)
        world.step(1 / 240)

def save(folder, world, emitter):
    (folder / "world").write_bytes(world.snapshot())
    (folder / "source").write_text(emitter.to_json())

if __name__ == "__main__":
    folder = Path(sys.argv[1])
    emitter = Emitter.from_json((folder / "source").read_text())
    with World.from_snapshot((folder / "world").read_bytes(), threads=int(sys.argv[2])) as world:
        run(world, emitter, 500, 1000)
        save(folder, world, emitter)
        print(world.hash())
"""
"""A restart, as a program of its own."""


@pytest.mark.parametrize("mode", [{"rate": 25}, {"rate": None, "interval": 1.2, "jitter": 0.002}])
def test_a_restart_in_another_process_goes_on_with_the_same_bits(tmp_path: Path, mode: dict[str, Any]) -> None:
    program: dict[str, Any] = {"__name__": "restart"}
    exec(RUN, program)
    with World() as world:
        world.configure(sleeping=True, substeps=2, iterations=30)
        material = world.add_material(rolling_friction=0.5, twisting_friction=0.5)
        world.add_body(shape=world.half_space((0, 0, 1), 0), kind=BodyKind.STATIC, material=material)
        # A paddle on a hinge swings through the grains.
        paddle = world.add_body(shape=world.box((0.05, 0.01, 0.1)), position=(0.1, 0.15, 0.15))
        hinge = drystone.JointDef(kind=drystone.JointKind.HINGE, body_b=paddle)
        world.add_joint(world.place_joint(hinge, (0.1, 0.15, 0.25), (1, 0, 0)))
        world.add_force(paddle, (0, 5, 0), (0.1, 0.15, 0.1))
        emitter = source(world, material=material, limit=120, **mode)

        program["run"](world, emitter, 0, 500)
        assert emitter.emitted > 40 and len(world.contacts()) > 40
        program["save"](tmp_path, world, emitter)
        command = [sys.executable, "-c", RUN, str(tmp_path), "1"]
        other = subprocess.run(command, capture_output=True, text=True, check=True)

        asleep = 0
        for number in range(500, 1000):
            emitter.emit(world, number * STEP)
            asleep = max(asleep, len(world.bodies()) - 1 - world.step(STEP).awake_bodies)
        assert asleep > 10 and emitter.emitted > 90, "some sleep, and more come"
        assert int(other.stdout) == world.hash()
        assert (tmp_path / "world").read_bytes() == world.snapshot()
        assert (tmp_path / "source").read_text() == emitter.to_json()


@pytest.mark.parametrize("threads", [2, 1])
def test_a_restart_of_a_world_of_two_threads_goes_on_with_the_same_bits(tmp_path: Path, threads: int) -> None:
    program: dict[str, Any] = {"__name__": "restart"}
    exec(RUN, program)
    with World(threads=2) as world:
        world.configure(iterations=10)
        world.add_body(shape=world.half_space((0, 0, 1), 0), kind=BodyKind.STATIC)
        # A heap that falls into itself: a stage of a step is shared out from some hundreds of bodies or contacts on.
        definitions = drystone.body_defs(9**3, shape=world.sphere(0.02))
        x, y, z = np.unravel_index(np.arange(9**3), (9, 9, 9))
        definitions["position"] = np.stack([0.04 * x - 0.2, 0.04 * y - 0.2 + 0.001 * z, 0.04 * z + 0.02], axis=-1)
        world.add_bodies(definitions)
        emitter = source(world, rate=20)

        program["run"](world, emitter, 0, 500)
        program["save"](tmp_path, world, emitter)
        command = [sys.executable, "-c", RUN, str(tmp_path), str(threads)]
        other = subprocess.run(command, capture_output=True, text=True, check=True)
        assert len(world.contacts()) > 1024
        program["run"](world, emitter, 500, 1000)
        assert emitter.emitted > 60
        assert int(other.stdout) == world.hash()
        assert (tmp_path / "world").read_bytes() == world.snapshot()
        assert (tmp_path / "source").read_text() == emitter.to_json()
