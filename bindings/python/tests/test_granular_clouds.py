"""Clouds in periodic boxes: no overlaps by brute force, and walls kept."""

from __future__ import annotations

import math
import re
from typing import Any, Callable

import numpy as np
import pytest

import drystone
from drystone import World
from drystone.granular import packings, sizes

LOWER, UPPER = np.array([-0.1, 0.2, 0.0]), np.array([0.3, 0.5, 0.35])


def least_gap(centres: np.ndarray, diameters: Any, periods: Any = (np.inf, np.inf, np.inf)) -> float:
    """The least distance between surfaces of all pairs, by their nearest images."""
    radii = np.broadcast_to(np.asarray(diameters) / 2, len(centres))
    apart = np.abs(centres[:, None] - centres[None])
    apart = np.minimum(apart, np.abs(np.asarray(periods) - apart))
    distances = np.sqrt((apart**2).sum(axis=-1)) - radii[:, None] - radii[None]
    return float(distances[~np.eye(len(centres), dtype=bool)].min())


@pytest.mark.parametrize("periodic", [True, (True, False, True), np.array([False, False, True]), list(np.array([True, True, False]))])
@pytest.mark.parametrize("cloud", [packings.random_box])
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


BOX = ((0, 0, 0), (1, 2, 3))


@pytest.mark.parametrize("cloud", [packings.random_box])
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
