"""What grains of a source keep off: bodies, obstacles, and each other, in periodic boxes too."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

import drystone
from drystone import BodyKind, World
from drystone.granular import Emitter, Obstacles
from sources import source

PERIOD = np.array([0.2, 0.3, 0.7])


def test_grains_keep_off_obstacles(world: World) -> None:
    turned = (0, 0, math.sin(math.pi / 8), math.cos(math.pi / 8))  # by 45 degrees about z
    still = {"kind": drystone.BodyKind.STATIC}
    paddle = world.add_body(shape=world.box((0.05, 0.02, 0.1)), position=(0.1, 0.1, 0.5), rotation=turned, **still)
    ball = world.add_body(shape=world.sphere(0.1), position=(0.2, 0.3, 0.55), **still)
    obstacles = [
        Obstacles([paddle], half_extents=[(0.05, 0.02, 0.1)]),
        Obstacles([ball], radii=[0.1], planes=[(2, 0, 0, 0.1)]),  # solid where x <= 0.05
    ]
    emitter = source(world, rate=1e5)
    grains = emitter.emit(world, 0.01, beside=obstacles)
    assert len(grains) > 5
    centres, radii = world.states(grains)["position"], np.array(emitter.state()["radii"])[emitter.state()["kinds"]]
    assert (centres[:, 0] - radii >= 0.05).all()
    assert (np.linalg.norm(centres - (0.2, 0.3, 0.55), axis=1) >= radii + 0.1).all()
    along, across = np.array([1, 1]) / math.sqrt(2), np.array([-1, 1]) / math.sqrt(2)
    flat = centres[:, :2] - 0.1
    beyond = np.maximum(np.abs(np.column_stack([flat @ along, flat @ across])) - (0.05, 0.02), 0)
    assert (np.linalg.norm(beyond, axis=1) >= radii).all()
    # as many seeds without them put grains there
    free = source(world, rate=1e5, seed=5)
    world.remove_body(paddle)
    world.remove_body(ball)
    for body in grains:
        world.remove_body(body)
    assert len(free.emit(world, 0.01, beside=obstacles[:1])) > len(grains), "the paddle is gone"


def test_grains_keep_off_all_bodies(world: World) -> None:
    turned = (0, 0, math.sin(math.pi / 8), math.cos(math.pi / 8))  # by 45 degrees about z
    still = {"kind": drystone.BodyKind.STATIC}
    world.add_body(shape=world.box((0.05, 0.02, 0.1)), position=(0.1, 0.1, 0.5), rotation=turned, **still)
    world.add_body(shape=world.half_space((1, 0, 0), 0.02), **still)
    emitter = source(world, rate=1e5)
    grains = emitter.emit(world, 0.01)
    centres, radii = world.states(grains)["position"], np.array(emitter.state()["radii"])[emitter.state()["kinds"]]
    assert (centres[:, 0] - radii >= 0.02).all()
    along, across = np.array([1, 1]) / math.sqrt(2), np.array([-1, 1]) / math.sqrt(2)
    flat = centres[:, :2] - 0.1
    beyond = np.maximum(np.abs(np.column_stack([flat @ along, flat @ across])) - (0.05, 0.02), 0)
    distance = np.linalg.norm(beyond, axis=1) - radii
    # the shape itself counts, not a ball about it
    assert (distance >= -1e-12).all() and np.linalg.norm(flat, axis=1).min() < 0.11


def test_grains_see_each_other_through_the_sides_of_a_periodic_box() -> None:
    with World(period=(0.2, 0.3, 0)) as world:
        # a rectangle that is wider than the box: places a period apart are the same
        balls = [world.sphere(0.02), world.sphere(0.01)]
        emitter = Emitter(balls, [0.02, 0.01], (-0.1, 0), (0.5, 0.3), 0.5, rate=1e5, seed=5)
        grains = emitter.emit(world, 0.01)
        radii = np.array([0.02, 0.01])[emitter.state()["kinds"]]
        places = world.states(grains)["position"]
        apart = places[:, None] - places
        apart[..., :2] -= PERIOD[:2] * np.round(apart[..., :2] / PERIOD[:2])
        gaps = np.linalg.norm(apart, axis=2) - radii[:, None] - radii
        assert len(grains) > 20 and gaps[np.triu_indices(len(grains), 1)].min() >= -1e-12
        assert len(np.unique(np.floor(places[:, 0] / 0.2))) == 4


@pytest.mark.parametrize("extents", [(0.06, 0.02, 0.1), (0.4, 0.02, 0.02), (0.01, 0.015, 0.7)])
@pytest.mark.parametrize("shift", [(0, 0, 0), (0.2, -0.3, 0.7), (-1.2, 0.9, 2.1)])
def test_obstacles_are_seen_through_the_sides_of_a_periodic_box(extents: tuple[float, ...], shift: tuple[float, ...]) -> None:
    turned = (0, 0, math.sin(math.pi / 12), math.cos(math.pi / 12))  # by 30 degrees about z
    axes = np.array([(math.cos(math.pi / 6), math.sin(math.pi / 6), 0), (-math.sin(math.pi / 6), math.cos(math.pi / 6), 0), (0, 0, 1)])
    middles = np.array([(0.19, 0.1, -0.19), (0.02, 0.29, -0.2), (0.1, 0.2, -0.18)]) + shift  # a paddle, and a large and a small ball
    with World(period=PERIOD) as world:
        made = [
            world.add_body(shape=world.sphere(1e-3), position=middle, rotation=turned, kind=BodyKind.STATIC) for middle in middles
        ]
        obstacles = [Obstacles(made[:1], half_extents=[extents]), Obstacles(made[1:], radii=[0.05, 0.009])]
        emitter = Emitter([world.sphere(0.01)], [0.01], (0, 0), (0.2, 0.3), 0.5, rate=1e5, seed=5)
        grains = emitter.emit(world, 0.01, beside=obstacles)
        alone = world.copy()
        for body in grains:
            alone.remove_body(body)
        places = world.states(grains)["position"]
        shifts = np.stack(np.meshgrid(*3 * [np.arange(-9, 10)], indexing="ij"), axis=-1).reshape(-1, 3) * PERIOD
        away = places[:, None, None] - middles[:, None] - shifts
        beyond = np.maximum(np.abs(away[:, 0] @ axes.T) - extents, 0)
        gaps = [np.linalg.norm(beyond, axis=-1), np.linalg.norm(away[:, 1], axis=-1) - 0.05, np.linalg.norm(away[:, 2], axis=-1) - 0.009]
        assert len(grains) > 3 and min(gap.min() for gap in gaps) >= 0.01 - 1e-12
        # most places of other grains would overlap an image
        assert len(emitter.from_state({**emitter.state(), "made": [0], "grains": [], "kinds": []}).emit(alone, 0.01)) > len(grains)


def test_obstacles_that_a_periodic_world_refuses() -> None:
    with World(period=(0.2, 0, 0)) as world:
        body = world.add_body(shape=world.sphere(0.01), position=(0, 0, 9))
        emitter = source(world, rate=1e3)
        before = emitter.state()
        for obstacles, message in (
            (Obstacles(planes=[(0, 1, 0, 0), (3, 0, 4, 1)]), "planes[1, 0] is 0.6, expected 0 along an axis with a period"),
            (Obstacles([body], half_extents=[(1, 0.01, 0.01)]), "expected a box and a grain that reach over at most 4 periods"),
        ):
            with pytest.raises(ValueError, match=re.escape(message)):
                emitter.emit(world, 0.01, beside=[obstacles])
            assert emitter.state() == before
        assert len(emitter.emit(world, 0.01, beside=[Obstacles(planes=[(0, 1, 0, 0.1)])])) == 10


def test_obstacles_far_away(world: World) -> None:
    body = world.add_body(shape=world.sphere(0.01), position=(1e300, 0, 0.5))
    for obstacles in (Obstacles([body], radii=[0.01]), Obstacles([body], radii=[9]), Obstacles([body], half_extents=[(1, 1, 1)])):
        assert len(source(world, rate=1e3).emit(world, 0.002, beside=[obstacles])) == 2
        world.remove_body(drystone.Body(world.bodies()[-1]))
        world.remove_body(drystone.Body(world.bodies()[-1]))


def test_obstacles_that_are_refused(world: World) -> None:
    for arguments, message in (
        ({"bodies": [1]}, "radii and half_extents are both given or both missing"),
        ({"bodies": [1], "radii": [1, 2]}, "radii is of shape (2,), expected (1,)"),
        ({"bodies": [1], "radii": [0]}, "radii[0] is 0.0"),
        ({"bodies": [1], "half_extents": [(1, 1, -1)]}, "half_extents[0, 2] is -1.0, expected a finite number above 0"),
        ({"planes": [(0, 0, 0, 1)]}, "planes[0] has the normal 0"),
        ({"planes": [(0, 0, 1, math.nan)]}, "planes[0, 3] is nan, expected a finite number"),
        ({"planes": [(0, 0, 1e-300, 1e300)]}, "planes[0, 3] is 1e+300, expected an offset that is finite over the length"),
    ):
        with pytest.raises(ValueError, match=re.escape(message)):
            Obstacles(**arguments)
    for beside, named in (([7], "beside[0] is 7, expected an Emitter or"), (7, "beside is 7, expected a list of Emitter or Obstacles")):
        with pytest.raises(TypeError, match=re.escape(named)):
            source(world).emit(world, 0.1, beside=beside)
