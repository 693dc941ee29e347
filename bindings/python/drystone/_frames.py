"""Frames as (4, 4) matrices: the last column is the origin, the others are the axes."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np

from ._arrays import Numbers


def frame(origin: Any = (0, 0, 0), rotation: Optional[Any] = None) -> Numbers:
    """A frame from its origin and the (3, 3) matrix of its axes."""
    made = np.eye(4)
    made[:3, 3] = origin
    if rotation is not None:
        made[:3, :3] = rotation
    return made


def inverse(given: Numbers) -> Numbers:
    """The frame that undoes another one."""
    turned = given[:3, :3].T
    return frame(-turned @ given[:3, 3], turned)


def turn(axis: int, angle: float) -> Numbers:
    """The frame turned about x, y or z (0, 1, 2) by an angle [rad]."""
    after, last = (axis + 1) % 3, (axis + 2) % 3
    made = np.eye(4)
    made[[after, last], [after, last]] = np.cos(angle)
    made[last, after], made[after, last] = np.sin(angle), -np.sin(angle)
    return made


def matrix(quaternion: Any) -> Numbers:
    """The (3, 3) matrix of a quaternion (x, y, z, w) of any length but 0."""
    x, y, z, w = np.asarray(quaternion, np.float64) / np.linalg.norm(quaternion)
    across = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    turned: Numbers = np.eye(3) + 2 * w * across + 2 * across @ across
    return turned


def quaternion(rotation: Numbers) -> Numbers:
    """The quaternion (x, y, z, w) of a (3, 3) matrix; of both signs that with the larger part above 0."""
    m = rotation
    # four times the outer product of the quaternion with itself: its longest row is the most accurate one
    outer = np.array(
        [
            [1 + m[0, 0] - m[1, 1] - m[2, 2], m[1, 0] + m[0, 1], m[2, 0] + m[0, 2], m[2, 1] - m[1, 2]],
            [m[1, 0] + m[0, 1], 1 - m[0, 0] + m[1, 1] - m[2, 2], m[2, 1] + m[1, 2], m[0, 2] - m[2, 0]],
            [m[2, 0] + m[0, 2], m[2, 1] + m[1, 2], 1 - m[0, 0] - m[1, 1] + m[2, 2], m[1, 0] - m[0, 1]],
            [m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1], 1 + m[0, 0] + m[1, 1] + m[2, 2]],
        ]
    )
    row = outer[np.argmax(np.diag(outer))]
    unit: Numbers = row / np.linalg.norm(row)
    return unit


def along(axis: Any) -> Numbers:
    """A (3, 3) matrix whose z is along an axis."""
    z = np.asarray(axis, np.float64) / np.linalg.norm(axis)
    side = np.eye(3)[np.argmin(np.abs(z))]
    x = np.cross(side, z)
    x /= np.linalg.norm(x)
    return np.stack([x, np.cross(z, x), z], axis=1)


def moved_inertia(mass: float, inertia: Numbers, offset: Numbers) -> Numbers:
    """The inertia about a point that is off the centre of mass by an offset [kg m^2]."""
    moved: Numbers = inertia + mass * (offset @ offset * np.eye(3) - np.outer(offset, offset))
    return moved
