"""Mechanisms in the plane of x and z: what the examples of joints share. Angles count from x towards z, about -y."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from drystone import Body, Joint, JointDef, JointKind, World

Points = npt.NDArray[np.float64]
ACROSS = (0.0, -1.0, 0.0)  # the axis of every hinge
FIXED = Body(0)  # the world, as a body of a joint


def turned(angle: float) -> tuple[float, float, float, float]:
    """The rotation by an angle from x towards z."""
    return (0.0, -float(np.sin(0.5 * angle)), 0.0, float(np.cos(0.5 * angle)))


def angle_of(rotation: Points) -> Points:
    """The angle of rotations in the plane, from -pi to pi."""
    turn = 2 * np.arctan2(-rotation[..., 1], rotation[..., 3])
    wrapped: Points = np.arctan2(np.sin(turn), np.cos(turn))
    return wrapped


def direction(angle: Points) -> Points:
    """Unit vectors (x, z) at these angles."""
    return np.stack([np.cos(angle), np.sin(angle)], axis=-1)


def rod(world: World, mass: float, start: Points, end: Points) -> Body:
    """A slender rod between two points (x, z), its body x axis along it. It touches nothing."""
    span = end - start
    length = float(np.hypot(*span))
    moment = mass * length**2 / 12
    middle = 0.5 * (start + end)
    return world.add_body(
        shape=world.box((0.5 * length, 0.01, 0.01)),
        mass=mass,
        inertia=(0.01 * moment, moment, moment, 0, 0, 0),
        position=(middle[0], 0, middle[1]),
        rotation=turned(float(np.arctan2(span[1], span[0]))),
        filter_mask=0,
    )


def hinge(world: World, body_a: Body, body_b: Body, point: Points) -> Joint:
    """A hinge between two bodies, or a body and FIXED, at a point (x, z)."""
    definition = JointDef(kind=JointKind.HINGE, body_a=body_a, body_b=body_b)
    return world.add_joint(world.place_joint(definition, (point[0], 0, point[1]), ACROSS))
