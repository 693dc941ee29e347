"""Clumps: their mass, the bodies that have them, and meshes as clumps."""

from __future__ import annotations

import re
import sys
from functools import partial
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


def test_bad_meshes_are_refused_before_coacd_sees_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "coacd", None)
    points, triangles = bar((1, 1, 1), (0, 0, 0))
    with pytest.raises(ValueError, match="triangles has 8, expected indices below 8"):
        drystone.decompose(points, triangles + 1)
    with pytest.raises(ValueError, match="threshold is 2"):
        drystone.decompose(points, triangles, threshold=2)
    for value in (np.nan, np.inf, -np.inf, 1e200):
        bad = points.copy()
        bad[3, 1] = value
        for call in (drystone.decompose, partial(drystone.clump_of_mesh, None)):
            with pytest.raises(ValueError, match=re.escape(f"points[3, 1] is {value}, expected a finite number of at most 1e+50 m")):
                call(bad, triangles)
    with pytest.raises(ValueError, match="triangles has 12 rows, of which none has three different points"):
        drystone.decompose(points, np.zeros_like(triangles))
    with pytest.raises(ValueError, match="triangles has 0 rows"):
        drystone.decompose(points[:0], triangles[:0])


def test_open_meshes_are_refused() -> None:
    points, triangles = bar((1, 1, 1), (0, 0, 0))
    # The first triangle is (0, 1, 3): without it, its three edges have a triangle on one side alone.
    with pytest.raises(ValueError, match=r"0 go from points\[0\] to points\[1\] and 1 back, expected as many each way; open edges: 3"):
        drystone.decompose(points, triangles[1:])
    turned = triangles.copy()
    turned[0] = turned[0][::-1]
    with pytest.raises(ValueError, match=r"0 go from points\[0\] to points\[1\] and 2 back"):
        drystone.decompose(points, turned)


def test_flat_and_empty_surfaces_are_refused() -> None:
    points, triangles = bar((1, 1, 1), (0, 0, 0))
    oblique = np.linalg.qr(np.array([[1, 2, 3], [0, 1, 5], [2, 1, 1]], float))[0]
    for flat in (points * 0 + 1, points * [1, 0, 0], points * [1, 1, 0], points * [1, 1, 1e-12] @ oblique, points * 7 * [0, 1, 1] + 1e3):
        with pytest.raises(ValueError, match=r"the surface of points\[0\] is flat: it extends by .* m in one direction"):
            drystone.decompose(flat, triangles)
    # beside a whole one
    with pytest.raises(ValueError, match=r"the surface of points\[8\] is flat"):
        drystone.decompose(np.vstack([points, points * [1, 1, 0] + 5]), np.vstack([triangles, triangles + 8]))
    # two plates, each with two sides, along one edge
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], float)
    plates = np.array([[0, 1, 2], [0, 2, 1], [0, 1, 3], [0, 3, 1]])
    with pytest.raises(ValueError, match=r"the surface of points\[0\] encloses 0 of the box around it"):
        drystone.decompose(corners, plates)


def test_points_may_be_listed_for_each_triangle() -> None:
    coacd = pytest.importorskip("coacd")
    coacd.set_log_level("error")
    points, triangles = bar((1, 0.5, 0.5), (3, 0, 0))
    listed = np.vstack([points[triangles].reshape(-1, 3), [[1e3, 0, 0]]])  # and a point that no triangle has
    # a triangle with a point twice encloses nothing
    parts = drystone.decompose(listed, np.vstack([np.arange(36).reshape(-1, 3), [[0, 0, 1]]]), seed=1)
    assert len(parts) == 1
    # coacd scales the mesh to a cube of 2 and back
    assert np.ptp(parts[0], axis=0) == pytest.approx([2, 1, 1], rel=1e-12)


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
