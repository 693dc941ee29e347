"""Clumps: their mass, the bodies that have them, and meshes as clumps."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

import drystone
from drystone import ClumpPart, Lock, World

BARS = [((1.5, 0.5, 0.5), (1.5, 0.0, 0.5)), ((0.5, 0.5, 1.5), (0.5, 0.0, 1.5))]
"""An L of two bars that share a cube: half edges and places."""


def parts(world: World) -> list[ClumpPart]:
    return [ClumpPart(shape=world.box(half), position=place) for half, place in BARS]


def test_the_mass_is_that_of_the_union() -> None:
    with World() as world:
        found = world.mass_properties(world.clump(parts(world)))
        assert found.volume == found.mass == pytest.approx(5, rel=1e-14)
        assert found.center_of_mass == pytest.approx([1.1, 0, 1.1], rel=1e-14, abs=1e-15)
        first, second = parts(world)
        second.density_factor = 3
        # 3 m^3 of the first, 2 m^3 of the second that it does not hold
        assert world.mass_properties(world.clump([first, second])).mass == pytest.approx(9, rel=1e-14)


def test_a_clump_rests_with_its_weight() -> None:
    with World(gravity=(0, 0, -10)) as world:
        world.add_body(shape=world.half_space((0, 0, 1), 0), kind=drystone.BodyKind.STATIC)
        body = world.add_body(shape=world.clump(parts(world)))
        for _ in range(20):
            world.step(0.01)
        assert world.body_force(body).force == pytest.approx([0, 0, 50_000], rel=1e-9, abs=1e-6)


def test_what_is_no_part_is_refused() -> None:
    with World() as world:
        part = ClumpPart(shape=world.sphere(1))
        with pytest.raises(TypeError, match=r"parts\[1\]"):
            world.clump([part, "ball"])  # type: ignore[list-item]
        with pytest.raises(ValueError, match="count is 0"):
            world.clump([])
        clump = world.clump([part])
        with pytest.raises(ValueError, match=r"parts\[0\]: shape is a clump"):
            world.clump([ClumpPart(shape=clump)])
        with pytest.raises(drystone.UnsupportedError, match="half-space"):
            world.mass_properties(world.half_space((0, 0, 1), 0))


def test_a_planar_body_stays_in_its_plane() -> None:
    assert Lock.PLANAR == Lock.Z | Lock.ROTATION_X | Lock.ROTATION_Y
    with World() as world:
        body = world.add_body(shape=world.sphere(1), lock=Lock.PLANAR, linear_velocity=(1, 2, 3), angular_velocity=(1, 2, 3))
        state = world.state(body)
        assert list(state.linear_velocity) == [1, 2, 0] and list(state.angular_velocity) == [0, 0, 3]


def bar(half: tuple[float, float, float], place: tuple[float, float, float]) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
    faces = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    triangles = np.array([[f[0], f[i], f[i + 1]] for f in faces for i in (1, 2)])
    return corners * half + place, triangles


def test_without_coacd_the_error_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "coacd", None)
    with pytest.raises(ImportError, match=r"needs coacd: pip install drystone\[decomposition\]"):
        drystone.decompose(*bar((1, 1, 1), (0, 0, 0)))


def test_bad_meshes_are_refused_before_coacd_sees_them() -> None:
    points, triangles = bar((1, 1, 1), (0, 0, 0))
    with pytest.raises(ValueError, match="triangles has 8, expected indices below 8"):
        drystone.decompose(points, triangles + 1)
    with pytest.raises(ValueError, match="threshold is 2"):
        drystone.decompose(points, triangles, threshold=2)


def test_a_hollow_mesh_becomes_a_clump() -> None:
    coacd = pytest.importorskip("coacd")
    coacd.set_log_level("error")
    # An L as one closed surface: a polygon of six corners, 1 m deep.
    outline = np.array([[0, 0], [3, 0], [3, 1], [1, 1], [1, 3], [0, 3]], float)
    count = len(outline)
    points = np.vstack([np.column_stack([outline, np.full(count, y)]) for y in (0.0, 1.0)])
    flat = np.array([[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]])
    sides = [[i, (i + 1) % count, count + (i + 1) % count] for i in range(count)]
    sides += [[i, count + (i + 1) % count, count + i] for i in range(count)]
    triangles = np.vstack([flat[:, ::-1], flat + count, sides])
    with World() as world:
        shape = drystone.clump_of_mesh(world, points, triangles, seed=1)
        found = world.mass_properties(shape)
        assert len(drystone.decompose(points, triangles, seed=1)) >= 2
        # The convex hull has 7 m^3, the L 5.
        assert found.volume == pytest.approx(5, rel=0.03)
        assert found.center_of_mass == pytest.approx([1.1, 1.1, 0.5], abs=0.03)
