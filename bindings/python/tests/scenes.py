"""The scene that most tests are about."""

from __future__ import annotations

from typing import Any

import numpy as np

import drystone
from drystone import Body, BodyKind, Shape, World

BALL_MASS = 1000 * 4 / 3 * np.pi * 0.5**3
"""Of the scene's ball [kg]."""


class Scene:
    """A floor, and a ball of radius 0.5 m on it."""

    def __init__(self, world: World, **ball: Any) -> None:
        self.world = world
        self.ground = world.half_space((0, 0, 1), 0)
        self.floor: Body = world.add_body(shape=self.ground, kind=BodyKind.STATIC)
        self.sphere: Shape = world.sphere(0.5)
        self.ball: Body = world.add_body(shape=self.sphere, **{"position": (0, 0, 0.5), **ball})

    def steps(self, count: int) -> drystone.StepReport:
        """Some steps of 1/240 s; the report of the last."""
        for _ in range(count - 1):
            self.world.step(1 / 240)
        return self.world.step(1 / 240)
