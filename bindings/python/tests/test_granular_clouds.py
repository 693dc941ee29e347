"""Clouds in periodic boxes and meshes, and grown clouds: no overlaps by brute force, containers kept, and fractions reached."""

from __future__ import annotations

import math
import re
from typing import Any, Callable

import numpy as np
import pytest

import drystone
from drystone import World
from drystone.granular import packings, sizes
from drystone.granular._mesh import ClosedMesh

LOWER, UPPER = np.array([-0.1, 0.2, 0.0]), np.array([0.3, 0.5, 0.35])
CUBE = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)], np.float64)
SQUARES = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
SIDES = np.array([(a, b, c) for a, b, c, _ in SQUARES] + [(a, c, d) for a, _, c, d in SQUARES])


def least_gap(centres: np.ndarray, diameters: Any, periods: Any = (np.inf, np.inf, np.inf)) -> float:
    """The least distance between surfaces of all pairs, by their nearest images."""
    radii = np.broadcast_to(np.asarray(diameters) / 2, len(centres))
    apart = np.abs(centres[:, None] - centres[None])
    apart = np.minimum(apart, np.abs(np.asarray(periods) - apart))
    distances = np.sqrt((apart**2).sum(axis=-1)) - radii[:, None] - radii[None]
    return float(distances[~np.eye(len(centres), dtype=bool)].min())


def edge_of(diameters: np.ndarray, fraction: float) -> float:
    """The edge of a cube of which spheres fill a fraction."""
    return float(math.pi / 6 * (diameters**3).sum() / fraction) ** (1 / 3)


def torus(radius: float, tube: float, around: int, across: int) -> tuple[np.ndarray, np.ndarray]:
    """Vertices and triangles of a torus about the z axis."""
    i, j = (index.ravel() for index in np.meshgrid(np.arange(around), np.arange(across), indexing="ij"))
    turn, roll = 2 * np.pi * i / around, 2 * np.pi * j / across
    reach = radius + tube * np.cos(roll)
    vertices = np.stack([reach * np.cos(turn), reach * np.sin(turn), tube * np.sin(roll)], axis=-1)
    a, b = i * across + j, (i + 1) % around * across + j
    c, d = (i + 1) % around * across + (j + 1) % across, i * across + (j + 1) % across
    return vertices, np.concatenate([np.stack([a, b, c], axis=-1), np.stack([a, c, d], axis=-1)])


@pytest.mark.parametrize("periodic", [True, (True, False, True), np.array([False, False, True]), list(np.array([True, True, False]))])
@pytest.mark.parametrize("cloud", [packings.random_box, packings.grown_box])
def test_periodic_boxes(cloud: Callable[..., np.ndarray], periodic: Any) -> None:
    diameters = sizes.uniform(0.01, 0.06).sample(300, seed=1)
    centres = cloud(LOWER, UPPER, diameters, seed=2, gap=1e-4, periodic=periodic)
    flags = np.broadcast_to(periodic, 3)
    assert least_gap(centres, diameters, np.where(flags, UPPER - LOWER, np.inf)) >= 1e-4
    assert ((centres >= LOWER) & (centres <= UPPER)).all()
    reach = diameters[:, None] / 2
    is_in = (centres - reach >= LOWER - 1e-12) & (centres + reach <= UPPER + 1e-12)
    # within the walls, and through the other faces
    assert (is_in.all(axis=0) != flags).all()
    assert cloud(LOWER, UPPER, diameters, 2, 1e-4, periodic=periodic).tobytes() == centres.tobytes()
    assert cloud(LOWER, UPPER, diameters, 3, 1e-4, periodic=periodic).tobytes() != centres.tobytes()


def test_a_periodic_world_takes_the_cloud() -> None:
    # the largest sphere has half of the period, less the contact margin
    with World(period=(0.2, 0.2, 0.2)) as world:
        margin = world.settings().contact_margin
        diameters = np.array([0.1 - margin] + [0.02] * 200)
        centres = packings.random_box((0, 0, 0), (0.2, 0.2, 0.2), diameters, seed=1, gap=margin, periodic=True)
        definitions = drystone.body_defs(len(centres))
        definitions["shape"] = [world.sphere(diameter / 2) for diameter in diameters]
        definitions["position"] = centres
        world.add_bodies(definitions)
        assert world.step(1e-6).max_overlap == 0
        assert len(world.contacts()) == 0


def test_no_walls_leave_a_periodic_cloud_even() -> None:
    centres = packings.random_box((0, 0, 0), (1, 1, 1), np.full(3000, 0.02), seed=1, periodic=True)
    # as many within a tenth of the faces as elsewhere, within 4 standard deviations
    is_near = (np.abs(centres - 0.5) > 0.4).mean(axis=0)
    assert is_near == pytest.approx(np.full(3, 0.2), abs=4 * math.sqrt(0.2 * 0.8 / 3000))


@pytest.mark.parametrize(("periodic", "fraction"), [(True, 0.55), (True, 0.6), (False, 0.55), ((True, True, False), 0.58)])
def test_growth_of_one_size(periodic: Any, fraction: float) -> None:
    diameters = np.full(1000, 0.02)
    edge = edge_of(diameters, fraction)
    centres = packings.grown_box((1, 2, 3), (1 + edge, 2 + edge, 3 + edge), diameters, seed=1, periodic=periodic)
    assert least_gap(centres, diameters, np.where(periodic, edge, np.inf)) >= 0


def test_growth_of_many_sizes() -> None:
    # by mass: most spheres are small ones
    diameters = sizes.uniform(0.005, 0.05, by="mass").sample(500, seed=1)
    edge = edge_of(diameters, 0.6)
    centres = packings.grown_box((0, 0, 0), (edge, edge, edge), diameters, seed=1)
    assert least_gap(centres, diameters) >= 0
    # in the order of the diameters: with those of others there are overlaps
    assert least_gap(centres, diameters[::-1]) < 0


def test_growth_of_few_spheres() -> None:
    assert packings.grown_box((0, 0, 0), (1, 1, 1), [], seed=0).shape == (0, 3)
    assert packings.grown_box((0, 0, 0), (1, 1, 1), [1.0], seed=0) == pytest.approx(np.full((1, 3), 0.5))
    # two cells along each axis: each is a neighbour of the other on both sides
    centres = packings.grown_box((0, 0, 0), (1, 1, 1), np.full(8, 0.48), seed=1, periodic=True)
    assert least_gap(centres, 0.48, np.ones(3)) >= 0


def test_growth_that_ends_before_says_how_far_it_came() -> None:
    diameters = np.full(200, 0.1)
    edge = edge_of(diameters, 0.7)
    message = "200 spheres of 0.700 of the volume of the box; growth reached ([0-9.]+) in 600 iterations"
    with pytest.raises(ValueError, match=message) as caught:
        packings.grown_box((0, 0, 0), (edge, edge, edge), diameters, seed=1, iterations=600, periodic=True)
    # random close packing is about 0.64
    assert 0.57 < float(re.search(message, str(caught.value)).group(1)) < 0.66


@pytest.mark.parametrize("fraction", [0.35, 0.55])
def test_growth_in_a_cylinder(fraction: float) -> None:
    diameters = sizes.uniform(0.01, 0.02).sample(600, seed=1)
    radius = float((diameters**3).sum() / 6 / fraction / 4) ** (1 / 3)
    cylinder = ((1, 2, 3), radius, 4 * radius)
    centres = packings.grown_cylinder(*cylinder, diameters, seed=2)
    assert least_gap(centres, diameters) >= 0
    assert least_gap(centres, diameters[::-1]) < 0
    within = np.array([radius - np.hypot(*(centres[:, :2] - (1, 2)).T), centres[:, 2] - 3, 3 + 4 * radius - centres[:, 2]]) - diameters / 2
    assert within.min() >= -1e-14
    # all walls are touched
    assert (within.min(axis=1) < 1e-3).all()
    assert packings.grown_cylinder(*cylinder, diameters, 2).tobytes() == centres.tobytes()
    assert packings.grown_cylinder(*cylinder, diameters, 3).tobytes() != centres.tobytes()


def test_growth_in_a_cylinder_keeps_a_gap() -> None:
    centres = packings.grown_cylinder((0, 0, 0), 1, 1, np.full(60, 0.3), seed=1, gap=0.01)
    assert least_gap(centres, 0.3) >= 0.01
    assert packings.grown_cylinder((0, 0, 0), 0.5, 1, [1.0], seed=0) == pytest.approx(np.array([[0, 0, 0.5]]))
    assert packings.grown_cylinder((0, 0, 0), 0.5, 1, [], seed=0).shape == (0, 3)


def test_growth_in_the_mesh_of_a_cube() -> None:
    diameters = sizes.uniform(0.05, 0.3).sample(200, seed=1)
    edge = edge_of(diameters, 0.5)
    centres = packings.grown_mesh(edge * CUBE, SIDES, diameters, seed=2, gap=1e-4)
    assert least_gap(centres, diameters) >= 1e-4
    assert least_gap(centres, diameters[::-1]) < 0
    within = np.minimum(centres, edge - centres) - diameters[:, None] / 2
    assert (within >= -1e-9 * diameters[:, None]).all() and within.min() < 1e-3
    assert packings.grown_mesh(edge * CUBE, SIDES, diameters, 2, 1e-4).tobytes() == centres.tobytes()
    assert packings.grown_mesh(edge * CUBE, SIDES, diameters, 3, 1e-4).tobytes() != centres.tobytes()


def test_growth_in_a_mesh_with_acute_edges() -> None:
    vertices, triangles = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]), [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
    count = int(0.45 / 6 / (math.pi / 6 * 0.08**3))
    centres = packings.grown_mesh(vertices, triangles, np.full(count, 0.08), seed=1)
    assert least_gap(centres, 0.08) >= 0
    assert centres.min() >= 0.04 * (1 - 1e-9) and ((1 - centres.sum(axis=1)) / math.sqrt(3)).min() >= 0.04 * (1 - 1e-9)


def test_growth_in_a_mesh_with_a_hole_and_a_cavity() -> None:
    vertices, triangles = torus(1, 0.4, 20, 10)
    inner, turned = torus(1, 0.1, 20, 10)
    shell = np.concatenate([vertices, inner]), np.concatenate([triangles, turned[:, ::-1] + len(vertices)])
    mesh = ClosedMesh(*shell, 0.1)
    diameters = np.full(int(0.4 * mesh.volume / (math.pi / 6 * 0.15**3)), 0.15)
    centres = packings.grown_mesh(*shell, diameters, seed=1)
    assert least_gap(centres, diameters) >= 0
    # the check of random clouds, which looks for inside and outside apart
    assert all(mesh.holds(tuple(centre), 0.075 * (1 - 1e-9)) for centre in centres.tolist())
    # random sequential addition reaches less
    with pytest.raises(ValueError, match="found no place after"):
        packings.random_mesh(*shell, diameters, seed=1, attempts=2000)


def test_growth_in_a_mesh_of_few_spheres() -> None:
    assert packings.grown_mesh(CUBE, SIDES, [], seed=0).shape == (0, 3)
    assert packings.grown_mesh(CUBE, SIDES, [1.0], seed=0) == pytest.approx(np.full((1, 3), 0.5))


def test_a_mesh_of_a_cube_holds_what_the_cube_holds() -> None:
    diameters = sizes.uniform(0.05, 0.3).sample(60, seed=1)
    centres = packings.random_mesh(CUBE, SIDES, diameters, seed=3, gap=0.01)
    assert least_gap(centres, diameters) >= 0.01
    reach = diameters[:, None] / 2 - 1e-12
    assert ((centres - reach >= 0) & (centres + reach <= 1)).all()
    # all places in the bounding box of a cube are inside: the same draws as in a box
    assert centres.tobytes() == packings.random_box((0, 0, 0), (1, 1, 1), diameters, seed=3, gap=0.01).tobytes()
    assert packings.random_mesh(CUBE, SIDES, [], seed=0).shape == (0, 3)


def test_a_mesh_with_a_hole() -> None:
    vertices, triangles = torus(1, 0.4, 40, 20)
    diameters = sizes.uniform(0.05, 0.2).sample(300, seed=1)
    centres = packings.random_mesh(vertices, triangles, diameters, seed=1)
    assert least_gap(centres, diameters) >= 0
    depths = 0.4 - np.hypot(np.hypot(centres[:, 0], centres[:, 1]) - 1, centres[:, 2])
    # facets are nearer than the torus where it bends outward, and further where it bends inward
    assert (depths - diameters / 2).min() > -0.01
    assert (depths - diameters / 2).min() < 0.03
    assert packings.random_mesh(vertices, triangles, diameters, 1).tobytes() == centres.tobytes()


def test_a_mesh_is_filled_evenly() -> None:
    # a tetrahedron whose corners take part: the mean of small spheres is its centroid
    vertices, triangles = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
    centres = packings.random_mesh(vertices, triangles, np.full(1000, 1e-3), seed=1)
    assert (centres.min(axis=1) >= 5e-4 - 1e-12).all() and ((1 - centres.sum(axis=1)) / math.sqrt(3) >= 5e-4 - 1e-12).all()
    assert centres.mean(axis=0) == pytest.approx(np.full(3, 0.25), abs=4 * math.sqrt(3 / 80 / 1000))


def test_shells_that_face_inward_are_cavities() -> None:
    # vertices of triangles of their own, as in files of CAD programs
    inner = (CUBE - 0.5) * 0.6 + 0.5
    vertices = np.concatenate([CUBE[SIDES].reshape(-1, 3), inner[SIDES[:, ::-1]].reshape(-1, 3)])
    centres = packings.random_mesh(vertices, np.arange(72).reshape(-1, 3), np.full(100, 0.08), seed=1)
    assert least_gap(centres, 0.08) >= 0
    beyond = np.maximum(np.abs(centres - 0.5) - 0.3, 0)
    assert np.sqrt((beyond**2).sum(axis=1)).min() >= 0.04 - 1e-12
    assert np.abs(centres - 0.5).max() <= 0.46 + 1e-12


def test_a_mesh_that_is_full_says_the_fraction() -> None:
    with pytest.raises(ValueError, match="found no place after [0-9]+ of 2000 spheres.* in at most 300 attempts") as caught:
        packings.random_mesh(CUBE, SIDES, np.full(2000, 0.1), seed=1, attempts=300)
    fraction = float(re.search(r"fraction of ([0-9.]+)", str(caught.value)).group(1))
    assert 0.2 < fraction < 0.38


def test_an_edge_of_a_mesh_that_is_open_or_turned() -> None:
    turned = SIDES.copy()
    turned[3] = turned[3, ::-1]
    for triangles, counts in ((SIDES[1:], "1 times in this direction and 0 times in the other"), (turned, "2 times in this")):
        with pytest.raises(ValueError, match=f"from vertex ([0-9]) to vertex ([0-9]), which triangles have {counts}") as caught:
            packings.random_mesh(CUBE, triangles, [0.1], 0)
        found = re.search(r"triangles\[([0-9]+)\] has an edge from vertex ([0-9]) to vertex ([0-9])", str(caught.value))
        index, start, end = map(int, found.groups())
        corners = triangles[index].tolist()
        assert (start, end) in zip(corners, corners[1:] + corners[:1])


BOX = ((0, 0, 0), (1, 2, 3))


@pytest.mark.parametrize("cloud", [packings.random_box, packings.grown_box])
@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"lower": (0, 0)}, "lower is of shape (2,), expected (3,)"),
        ({"upper": (1, 0, 1)}, "upper[1] is 0.0, expected above lower[1], which is 0.0"),
        ({"diameters": [0.1, -1]}, "diameters[1] is -1.0, expected a finite number above 0"),
        ({"diameters": [0.1, 1.5]}, "diameters[1] is 1.5, expected at most 1.0, the shortest edge of the box"),
        ({"diameters": [0.6], "periodic": True}, "diameters[0] is 0.6, expected at most 0.5, half of the shortest period"),
        ({"upper": (2, 1.5, 3), "diameters": [0.9], "periodic": (False, True, True)}, "diameters[0] is 0.9, expected at most 0.75, half"),
        ({"diameters": [0.4], "periodic": True, "gap": 0.125}, "expected at most 0.375, half of the shortest period less the gap of 0.125"),
        ({"gap": 0.5, "periodic": True}, "gap is 0.5, expected below 0.5, half of the shortest period"),
        ({"gap": -1}, "gap is -1.0, expected a finite number, 0 or above"),
        ({"seed": -1}, "seed is -1, expected 0 to 18446744073709551615"),
        ({"periodic": 2}, "periodic is 2, expected True or False"),
        ({"periodic": (True, False)}, "periodic is (True, False), expected True, False or three flags"),
        ({"periodic": (True, False, 3)}, "periodic[2] is 3, expected True or False"),
    ],
)
def test_what_boxes_refuse(cloud: Callable[..., Any], change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        cloud(**{"lower": BOX[0], "upper": BOX[1], "diameters": [0.1], "seed": 0, **change})


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: packings.grown_box(*BOX, [0.1], 0, iterations=0), "iterations is 0, expected 1 to 2147483647"),
        (lambda: packings.grown_box(*BOX, np.full(7, 1.0), 0, iterations=1), "7 spheres of 0.611 of the volume of the box; growth"),
        (lambda: packings.grown_box(*BOX, np.full(99, 1.0), 0), "99 spheres of 8.639 of the volume of the box, expected fewer"),
        (
            lambda: packings.grown_cylinder((0, 0, 0), 1, 1, np.full(150, 0.3), 0, iterations=100),
            "150 spheres of 0.675 of the volume of the cylinder; growth reached 0.",
        ),
        (lambda: packings.grown_cylinder((0, 0, 0), 1, 1, np.full(9, 1.0), 0), "9 spheres of 1.500 of the volume of the cylinder, expected"),
        (lambda: packings.grown_cylinder((0, 0, 0), 1, 1, [0.1, 1.5], 0), "diameters[1] is 1.5, expected at most 1.0, the smaller of width"),
        (lambda: packings.grown_cylinder((0, 0, 0), -1, 1, [0.1], 0), "radius is -1.0, expected a finite number above 0"),
        (lambda: packings.grown_cylinder((0, 0), 1, 1, [0.1], 0), "base is of shape (2,), expected (3,)"),
        (lambda: packings.grown_cylinder((0, 0, 0), 1, 0, [0.1], 0), "height is 0.0, expected a finite number above 0"),
        (lambda: packings.grown_cylinder((0, 0, 0), 1, 1, [0.1], 0, gap=-1), "gap is -1.0, expected a finite number, 0 or above"),
        (lambda: packings.grown_cylinder((0, 0, 0), 1, 1, [0.1], 0, iterations=0), "iterations is 0, expected 1 to 2147483647"),
        (lambda: packings.grown_cylinder((0, 0, 0), 1, 1, [0.1], -1), "seed is -1, expected 0 to"),
        (lambda: packings.grown_mesh(CUBE, SIDES, np.full(9, 0.5), 0, iterations=9), "9 spheres of 0.589 of the volume of the mesh; growth"),
        (lambda: packings.grown_mesh(CUBE, SIDES, np.full(9, 1.0), 0), "9 spheres of 4.712 of the volume of the mesh, expected fewer"),
        (lambda: packings.grown_mesh(CUBE, SIDES, [1.5], 0), "diameters[0] is 1.5, expected at most 1.0, the shortest edge of the box"),
        (lambda: packings.grown_mesh(CUBE, SIDES, [0.1, -1], 0), "diameters[1] is -1.0, expected a finite number above 0"),
        (lambda: packings.grown_mesh(CUBE, SIDES + 1, [0.1], 0), "triangles has 8, expected indices below 8, the number of vertices"),
        (lambda: packings.grown_mesh(CUBE, SIDES[:, ::-1], [0.1], 0), "triangles encloses a volume of -1.0 m^3, expected one above 0"),
        (
            lambda: packings.grown_mesh(*torus(1, 0.1, 20, 10), [0.05, 0.19], 0),
            "diameters[1] is 0.19, for which 20000 random places in the mesh had no room, expected a smaller diameter or a wider mesh",
        ),
        (lambda: packings.random_mesh(CUBE[:, :2], SIDES, [0.1], 0), "vertices is of shape (8, 2), expected (n, 3)"),
        (lambda: packings.random_mesh(CUBE * np.nan, SIDES, [0.1], 0), "vertices[0, 0] is nan, expected a finite number"),
        (lambda: packings.random_mesh(CUBE, SIDES[:, :2], [0.1], 0), "triangles is of shape (12, 2), expected (n, 3)"),
        (lambda: packings.random_mesh(CUBE, SIDES + 1, [0.1], 0), "triangles has 8, expected indices below 8, the number of vertices"),
        (lambda: packings.random_mesh(CUBE, SIDES[:, ::-1], [0.1], 0), "triangles encloses a volume of -1.0 m^3, expected one above 0"),
        (lambda: packings.random_mesh([], np.empty((0, 3), int), [0.1], 0), "vertices is of shape (0,), expected (n, 3)"),
        (lambda: packings.random_mesh(CUBE, np.empty((0, 3), int), [0.1], 0), "triangles encloses a volume of 0.0 m^3"),
        (lambda: packings.random_mesh(CUBE, SIDES, [0.1, 0], 0), "diameters[1] is 0.0, expected a finite number above 0"),
        (lambda: packings.random_mesh(CUBE, SIDES, [1.5], 0), "diameters[0] is 1.5, expected at most 1.0, the shortest edge of the box"),
        (lambda: packings.random_mesh(CUBE, SIDES, [0.1], -1), "seed is -1, expected 0 to"),
        (lambda: packings.random_mesh(CUBE, SIDES, [0.1], 0, gap=-1), "gap is -1.0, expected a finite number, 0 or above"),
        (lambda: packings.random_mesh(CUBE, SIDES, [0.1], 0, attempts=0), "attempts is 0, expected 1 to"),
    ],
)
def test_what_growth_and_meshes_refuse(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        call()


def test_types_that_are_refused() -> None:
    with pytest.raises(TypeError, match="periodic is 'x', expected True or False"):
        packings.random_box(*BOX, [0.1], 0, periodic="x")
    with pytest.raises(TypeError, match="triangles is of type float64, expected integers"):
        packings.random_mesh(CUBE, SIDES * 1.0, [0.1], 0)
    with pytest.raises(TypeError, match="iterations is 0.5, expected a whole number"):
        packings.grown_box(*BOX, [0.1], 0, iterations=0.5)
