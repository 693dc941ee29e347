"""A source of grains for the tests."""

from __future__ import annotations

from typing import Any

from drystone import World
from drystone.granular import Emitter


def source(world: World, **changes: Any) -> Emitter:
    """Two sizes above a rectangle of 0.2 m by 0.3 m."""
    given = {"rate": 300, "shares": [1, 3], "seed": 5, **changes}
    return Emitter([world.sphere(0.02), world.sphere(0.01)], [0.02, 0.01], (0, 0), (0.2, 0.3), 0.5, **given)
