"""Packings: no overlaps by brute force, walls kept, and densities against closed forms."""

from __future__ import annotations

import math
import re
from typing import Any, Callable

import numpy as np
import pytest

from drystone.granular import packings, sizes
from drystone.granular._voids import Voids

LOWER, UPPER = np.array([-0.1, 0.2, 0.0]), np.array([0.3, 0.5, 0.35])


def least_gap(centres: np.ndarray, diameters: Any) -> float:
    """The least distance between surfaces of all pairs."""
    radii = np.broadcast_to(np.asarray(diameters) / 2, len(centres))
    distances = np.linalg.norm(centres[:, None] - centres[None], axis=-1) - radii[:, None] - radii[None]
    return float(distances[~np.eye(len(centres), dtype=bool)].min())


def in_the_box(centres: np.ndarray, diameters: Any) -> bool:
    reach = np.broadcast_to(np.asarray(diameters) / 2, len(centres))[:, None] - 1e-12
    return bool(((centres - reach >= LOWER) & (centres + reach <= UPPER)).all())


@pytest.mark.parametrize("lattice", [packings.cubic, packings.hexagonal])
@pytest.mark.parametrize("gap", [0, 0.003])
def test_lattices(lattice: Callable[..., np.ndarray], gap: float) -> None:
    centres = lattice(LOWER, UPPER, 0.05, gap)
    assert least_gap(centres, 0.05) == pytest.approx(gap, abs=1e-12)
    assert in_the_box(centres, 0.05)
    assert centres.min(axis=0) == pytest.approx(LOWER + 0.025, abs=1e-12)


def test_cubic_fills_a_box_of_whole_pitches() -> None:
    # 0.3 / 0.1 is below 3 in doubles
    assert len(packings.cubic((0, 0, 0), (0.3, 0.3, 0.1), 0.1)) == 9
    assert len(packings.cubic((0, 0, 0), (0.29, 0.3, 0.1), 0.1)) == 6
    assert packings.cubic((0, 0, 0), (0.05, 1, 1), 0.1).shape == (0, 3)


def test_lattices_without_room_along_one_axis_are_empty() -> None:
    # however many there would be along the others
    assert packings.cubic((0, 0, 0), (1e-10, 1, 1), 1e-9).shape == (0, 3)
    assert packings.hexagonal((0, 0, 0), (1e-10, 1, 1), 1e-9).shape == (0, 3)
    assert packings.layer((0, 0), (1, 1e-10), 0, 1e-9, 0, seed=1).shape == (0, 3)


def test_hexagonal_is_close_packed() -> None:
    centres = packings.hexagonal((0, 0, 0), (7, 7, 7), 1)
    middle = np.argmin(np.linalg.norm(centres - 3.5, axis=1))
    distances = np.linalg.norm(centres - centres[middle], axis=1)
    assert int((distances < 1 + 1e-9).sum()) == 1 + 12
    # hexagonal and not face-centred: a layer lies above the one two below
    assert np.isclose(distances, math.sqrt(8 / 3)).sum() == 2
    assert packings.hexagonal((0, 0, 0), (0.5, 1, 1), 1).shape == (0, 3)


def test_hexagonal_in_a_long_thin_box() -> None:
    # a million rows, every other one without room for a sphere, and no loop over them
    centres = packings.hexagonal((0, 0, 0), (1, 1e6, 1), 1)
    assert len(centres) == 577350 and (centres[:, [0, 2]] == 0.5).all()
    assert centres[1, 1] - centres[0, 1] == pytest.approx(math.sqrt(3))


def test_random_box_with_many_sizes() -> None:
    diameters = sizes.uniform(0.01, 0.06).sample(300, seed=1)
    centres = packings.random_box(LOWER, UPPER, diameters, seed=2, gap=1e-4)
    assert least_gap(centres, diameters) >= 1e-4 and in_the_box(centres, diameters)
    # in the order of the diameters: with those of others there are overlaps
    assert least_gap(centres, diameters[::-1]) < 0


def test_random_box_with_one_size_reaches_0_3() -> None:
    count = int(0.3 * 0.2**3 / (math.pi / 6 * 0.02**3))
    centres = packings.random_box((0, 0, 0), (0.2, 0.2, 0.2), np.full(count, 0.02), seed=1)
    assert len(centres) == 572 and least_gap(centres, 0.02) >= 0
    # evenly: the mean of each coordinate is that of the box within 4 of its standard deviations
    assert centres.mean(axis=0) == pytest.approx(np.full(3, 0.1), abs=4 * 0.18 / math.sqrt(12 * count))


@pytest.mark.parametrize("cloud", ["box", "periodic", "cylinder"])
def test_random_clouds_of_one_size_reach_0_35(cloud: str) -> None:
    # in a cube of 14 diameters and more, and in a cylinder as wide and as high
    edge, fraction = (0.25, 0.38) if cloud == "periodic" else (0.3, 0.35)
    volume = math.pi / 4 * edge**3 if cloud == "cylinder" else edge**3
    diameters = np.full(int(fraction * volume / (math.pi / 6 * 0.02**3)), 0.02)

    def made(seed: int) -> np.ndarray:
        if cloud == "cylinder":
            return packings.random_cylinder((1, 2, 3), edge / 2, edge, diameters, seed)
        return packings.random_box((1, 2, 3), (1 + edge, 2 + edge, 3 + edge), diameters, seed, periodic=cloud == "periodic")

    centres = made(1)
    apart = np.abs(centres[:, None] - centres[None])
    if cloud == "periodic":
        apart = np.minimum(apart, edge - apart)
    distances = np.sqrt((apart**2).sum(axis=-1))
    assert distances[~np.eye(len(centres), dtype=bool)].min() >= 0.02
    lower = np.array((1, 2, 3)) - (0 if cloud != "cylinder" else np.array((edge, edge, 0)) / 2)
    within = np.minimum(centres - lower, lower + edge - centres)
    assert within.min() >= (0 if cloud == "periodic" else 0.01 - 1e-12)
    if cloud == "cylinder":
        assert np.hypot(*(centres[:, :2] - (1, 2)).T).max() <= edge / 2 - 0.01 + 1e-12
    assert made(1).tobytes() == centres.tobytes() != made(2).tobytes()


def test_voids_are_chosen_evenly() -> None:
    # one sphere leaves the corners of a box: the cells of them all have as many places, within 4 standard deviations
    spheres = np.array([(0.5, 0.5, 0.5, 0.5)])
    corners = np.zeros(8)
    generator = np.random.default_rng(1)
    for _ in range(400):
        voids = Voids(np.full(3, 0.1), np.full(3, 0.9), 0.1, spheres, 0, None)
        place = np.array(voids.place(generator))
        assert np.linalg.norm(place - 0.5) >= 0.6
        corners[int((place > 0.5) @ (4, 2, 1))] += 1
    assert corners == pytest.approx(np.full(8, 50), abs=4 * math.sqrt(400 * 7 / 64))


def test_voids_find_a_small_place() -> None:
    # 8 spheres at the corners of a cube, whose middle is just free for one more
    middle = np.sqrt(3) / 2
    spheres = np.array([(x, y, z, 0.5) for x in (0, 1) for y in (0, 1) for z in (0, 1)])
    walls = np.full(3, 0.2), np.full(3, 0.8)
    place = Voids(*walls, middle - 0.5 - 0.005, spheres, 0, None).place(np.random.default_rng(1))
    assert place == pytest.approx(np.full(3, 0.5), abs=0.01)
    assert Voids(*walls, middle - 0.5 + 0.005, spheres, 0, None).place(np.random.default_rng(1)) is None
    # the gap counts
    assert Voids(*walls, middle - 0.5 - 0.005, spheres, 0.01, None).place(np.random.default_rng(1)) is None


def test_random_cylinder() -> None:
    diameters = sizes.uniform(0.01, 0.03).sample(400, seed=1)
    centres = packings.random_cylinder((1, 2, 3), 0.1, 0.3, diameters, seed=5)
    assert least_gap(centres, diameters) >= 0
    reach = np.linalg.norm(centres[:, :2] - (1, 2), axis=1) + diameters / 2
    assert reach.max() <= 0.1 + 1e-12 and reach.max() > 0.095
    assert (centres[:, 2] - diameters / 2).min() >= 3 - 1e-12
    assert (centres[:, 2] + diameters / 2).max() <= 3.3 + 1e-12


def test_random_cylinder_is_even() -> None:
    # so few that they do not hinder each other: half are in the inner half of the disc, within 4 standard deviations
    centres = packings.random_cylinder((0, 0, 0), 0.1, 0.3, np.full(2000, 1e-3), seed=5)
    inner = np.linalg.norm(centres[:, :2], axis=1) < (0.1 - 5e-4) / math.sqrt(2)
    assert inner.mean() == pytest.approx(0.5, abs=4 * 0.5 / math.sqrt(2000))
    assert centres[:, 2].mean() == pytest.approx(0.15, abs=4 * 0.3 / math.sqrt(12 * 2000))


def test_the_same_seed_gives_the_same_bits() -> None:
    def cloud(seed: int) -> bytes:
        return packings.random_box(LOWER, UPPER, np.full(100, 0.04), seed).tobytes()

    assert cloud(1) == cloud(1) != cloud(2)


def test_a_cloud_that_does_not_fit_says_how_far_it_came() -> None:
    with pytest.raises(ValueError, match="found no place after [0-9]+ of 2000 spheres, at a volume fraction of 0.3[0-9]+, in at most 500 attempts") as caught:
        packings.random_box((0, 0, 0), (1, 1, 1), np.full(2000, 0.1), seed=1, attempts=500)
    done = int(re.search("after ([0-9]+) of", str(caught.value)).group(1))
    fraction = float(re.search(r"fraction of ([0-9.]+)", str(caught.value)).group(1))
    assert fraction == pytest.approx(done * math.pi / 6 * 0.1**3, abs=5e-4)
    assert 0.2 < fraction < 0.38  # what random sequential addition reaches, less the walls


def test_no_spheres() -> None:
    assert packings.random_box((0, 0, 0), (1, 1, 1), [], seed=0).shape == (0, 3)


def test_layer() -> None:
    centres = packings.layer((0, 1), (1, 1.5), 2, 0.09, 0.005, seed=1)
    assert centres.shape == (10 * 5, 3) and (centres[:, 2] == 2).all()
    assert least_gap(centres, 0.09) >= 0
    assert (centres[:, :2] >= (0.045, 1.045)).all() and (centres[:, :2] <= (0.955, 1.455)).all()
    lattice = packings.layer((0, 1), (1, 1.5), 2, 0.09, 0, seed=1)
    assert lattice[:, :2].mean(axis=0) == pytest.approx([0.5, 1.25])  # in the middle
    assert not (packings.layer((0, 1), (1, 1.5), 2, 0.09, 0.005, seed=2) == centres)[:, :2].any()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: packings.cubic((0, 0, 0), (1, 0, 1), 0.1), "upper[1] is 0.0, expected above lower[1], which is 0.0"),
        (lambda: packings.cubic((0, 0), (1, 1), 0.1), "lower is of shape (2,), expected (3,)"),
        (lambda: packings.hexagonal((0, 0, 0), (1, 1, 1), -0.1), "diameter is -0.1, expected a finite number above 0"),
        (lambda: packings.cubic((0, 0, 0), (1, 1, 1), 0.1, -1), "gap is -1.0, expected a finite number, 0 or above"),
        (lambda: packings.random_box((0, 0, 0), (1, 2, 3), [0.1, 1.5], 0), "diameters[1] is 1.5, expected at most 1.0"),
        (
            lambda: packings.random_cylinder((0, 0, 0), 0.5, 2, [1.5], 0),
            "diameters[0] is 1.5, expected at most 1.0, the smaller of width and height of the cylinder",
        ),
        (lambda: packings.random_box((0, 0, 0), (1, 2, 3), [0.1], 0, attempts=0), "attempts is 0, expected 1 to"),
        (lambda: packings.cubic((0, 0, 0), (1, 1, 1), 1e-6), "diameter is 1e-06, which makes 1e+18 spheres, expected at most 134217728"),
        (lambda: packings.cubic((-1e308, 0, 0), (1e308, 1, 1), 1e-300), "upper[0] is 1e+308, expected 1e-50 to 1e+50 above"),
        (lambda: packings.cubic((0, 0, 0), (1, 1, 1), 1e-300), "diameter is 1e-300, which makes inf spheres, expected"),
        (lambda: packings.hexagonal((0, 0, 0), (1, 1, 1), 1e-6), "diameter is 1e-06, which makes 1.41e+18 spheres, expected at most"),
        (lambda: packings.layer((0, 0), (1, 1), 0, 1e-6, 0, 0), "diameter is 1e-06, which makes 1e+12 spheres, expected at most"),
        (lambda: packings.layer((0, 0), (1, 1), float("inf"), 0.1, 0, 0), "height is inf, expected a finite number"),
        (lambda: packings.random_box((0, 0, 0), (1, 1, 1), [1e-320], 0), "diameters[0] is 1e-320, expected 1e-50 to 1e+50"),
        (lambda: packings.random_box((0, 0, 0), (1, 1, 1), [[0.1]], 0), "diameters is of shape (1, 1), expected (n,)"),
        (lambda: packings.random_box((0, 0, 0), (1, 1, 1), [0.1], 0, gap=1e300), "gap is 1e+300, expected at most 1e+50"),
        (lambda: packings.grown_box((0, 0, 0), (1, 1, 1), [float("nan")], 0), "diameters[0] is nan, expected a finite number"),
        (lambda: packings.grown_box((0, 0, 0), (1, 1, 1), [0.1], 0, gap=1e300), "gap is 1e+300, expected at most 1e+50"),
        (lambda: packings.random_cylinder((0, 0, 0), 1e300, 1, [0.1], 0), "radius is 1e+300, expected 1e-50 to 1e+50"),
        (lambda: packings.random_cylinder((0, 0, 1e300), 1, 1, [0.1], 0), "base[2] is 1e+300, expected -1e+50 to 1e+50"),
        (lambda: packings.random_mesh(np.full((4, 3), 1e300), [(0, 1, 2)], [0.1], 0), "vertices[0, 0] is 1e+300, expected -1e+50 to"),
    ],
)
def test_what_is_refused(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        call()
