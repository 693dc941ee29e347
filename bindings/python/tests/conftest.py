"""What the tests share. They are run against an installed wheel: `pip install drystone`, then `pytest`."""

from __future__ import annotations

from typing import Any, Iterator

import numpy as np
import pytest

import drystone
from drystone import BodyKind, World
from scenes import Scene


@pytest.fixture
def scene() -> Iterator[Scene]:
    """A ball at rest on a floor, one step after its beginning."""
    with World() as world:
        scene = Scene(world)
        scene.steps(1)
        yield scene


@pytest.fixture
def world() -> Iterator[World]:
    """A world with a floor."""
    with World() as world:
        world.add_body(shape=world.half_space((0, 0, 1), 0), kind=BodyKind.STATIC)
        yield world


@pytest.fixture
def ball_on_floor() -> dict[str, Any]:
    """A problem: a ball of 2 kg that falls at 3 m/s and slides at 0.5 m/s, on the fixed world."""
    bodies = np.zeros(1, drystone.PROBLEM_BODY_DTYPE)
    bodies["inverse_mass"] = 0.5
    bodies["velocity"] = (0.5, 0, -3)
    contacts = np.zeros(1, drystone.PROBLEM_CONTACT_DTYPE)
    contacts["key"] = 7
    contacts["body_a"] = drystone.FIXED_WORLD
    contacts["normal"] = (0, 0, 1)
    contacts["arm_b"] = (0, 0, -1)
    contacts["friction"] = 0.1
    return {"step": 0.01, "bodies": bodies, "contacts": contacts}
