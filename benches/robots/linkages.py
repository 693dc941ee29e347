"""Rods on hinges about y, without contacts, for `machines.py`: chains and closed loops, in drystone and in MuJoCo."""

from __future__ import annotations

from typing import Any, NamedTuple

import mujoco
import numpy as np

import drystone

THICK = 0.01  # half the edges of a rod across it [m]
Place = tuple[float, float]  # x and z [m]


class Rod(NamedTuple):
    """A rod, which hangs by its start on the rod before it in the tree, or on the ground: -1."""

    parent: int
    start: Place
    end: Place
    mass: float
    is_pinned: bool = False
    """Whether a hinge holds its end to the ground too, which closes a loop."""

    def along(self) -> np.ndarray[Any, Any]:
        """From start to end, (3,)."""
        return np.array([self.end[0] - self.start[0], 0.0, self.end[1] - self.start[1]])

    def length(self) -> float:
        """Between the ends [m]."""
        return float(np.linalg.norm(self.along()))

    def rotation(self) -> tuple[float, float]:
        """The y and w of the quaternion that turns x to the rod."""
        angle = np.arctan2(self.start[1] - self.end[1], self.end[0] - self.start[0])
        return float(np.sin(angle / 2)), float(np.cos(angle / 2))


def chain(count: int) -> list[Rod]:
    """A straight chain of rods of 0.1 m and 0.1 kg, horizontal."""
    return [Rod(number - 1, (0.1 * number, 0.0), (0.1 * (number + 1), 0.0), 0.1) for number in range(count)]


def three_loops() -> list[Rod]:
    """Four posts, three couplers between their tops, and a pendulum on each coupler: 10 bodies, 13 hinges, 3 loops."""
    rods = [Rod(-1, (0.0, 0.0), (0.0, 1.0), 1.0)]
    post = 0
    for number in range(3):
        coupler = len(rods)
        rods.append(Rod(post, (number, 1.0), (number + 1.0, 1.0), 1.0))
        rods.append(Rod(coupler, (number + 0.5, 1.0), (number + 0.5, 0.6), 1.0))
        post = len(rods)
        rods.append(Rod(coupler, (number + 1.0, 1.0), (number + 1.0, 0.0), 1.0, is_pinned=True))
    return rods


def in_mujoco(rods: list[Rod], gravity: tuple[float, float, float]) -> mujoco.MjModel:
    """The model. Loops are closed by `connect` constraints as stiff as MuJoCo takes them: a time of two steps."""
    spec = mujoco.MjSpec()
    spec.option.timestep, spec.option.gravity = 1e-3, gravity
    bodies = [spec.worldbody]
    starts = [np.zeros(3)]
    for number, rod in enumerate(rods):
        start, (y, w) = np.array([rod.start[0], 0.0, rod.start[1]]), rod.rotation()
        body = bodies[rod.parent + 1].add_body(name=f"rod{number}", pos=start - starts[rod.parent + 1])
        body.add_joint(type=mujoco.mjtJoint.mjJNT_HINGE, axis=[0, 1, 0])
        size = [rod.length() / 2, THICK, THICK]
        shape = {"type": mujoco.mjtGeom.mjGEOM_BOX, "contype": 0, "conaffinity": 0}
        body.add_geom(size=size, pos=rod.along() / 2, quat=[w, 0, y, 0], mass=rod.mass, **shape)
        if rod.is_pinned:
            pin = spec.add_equality(type=mujoco.mjtEq.mjEQ_CONNECT, objtype=mujoco.mjtObj.mjOBJ_BODY, name1=f"rod{number}")
            pin.data[:3], pin.solref, pin.solimp[:2] = rod.along(), [0.002, 1], [0.9999, 0.9999]
        bodies.append(body)
        starts.append(start)
    return spec.compile()


def in_drystone(world: drystone.World, rods: list[Rod]) -> list[drystone.Body]:
    """Adds the bodies and their hinges."""
    bodies = [drystone.Body(0)]
    for rod in rods:
        shape, (y, w) = world.box((rod.length() / 2, THICK, THICK)), rod.rotation()
        centre = np.array([rod.start[0], 0.0, rod.start[1]]) + rod.along() / 2
        body = world.add_body(shape=shape, mass=rod.mass, position=centre, rotation=(0, y, 0, w), filter_mask=0)
        _hinge(world, bodies[rod.parent + 1], body, rod.start)
        if rod.is_pinned:
            _hinge(world, drystone.Body(0), body, rod.end)
        bodies.append(body)
    return bodies[1:]


def length_error(rods: list[Rod], centres: np.ndarray[Any, Any], axes: np.ndarray[Any, Any]) -> float:
    """The largest distance of the two points that a hinge joins, over the length of its rod.

    centres: of the rods, (n, 3). axes: unit vectors along them, from start to end, (n, 3).
    """
    worst = 0.0
    for rod, centre, axis in zip(rods, centres, axes):
        half, held = rod.length() / 2 * axis, np.array([rod.start[0], 0.0, rod.start[1]])
        if rod.parent >= 0:
            parent = rods[rod.parent]
            inside = np.array([rod.start[0] - parent.start[0], 0.0, rod.start[1] - parent.start[1]])
            way = float(inside @ parent.along()) / parent.length() - parent.length() / 2
            held = centres[rod.parent] + way * axes[rod.parent]
        gaps = [centre - half - held]
        if rod.is_pinned:
            gaps.append(centre + half - [rod.end[0], 0.0, rod.end[1]])
        worst = max(worst, *(float(np.linalg.norm(gap)) / rod.length() for gap in gaps))
    return worst


def _hinge(world: drystone.World, above: drystone.Body, below: drystone.Body, place: Place) -> None:
    definition = drystone.JointDef(kind=drystone.JointKind.HINGE, body_a=above, body_b=below)
    world.add_joint(world.place_joint(definition, (place[0], 0, place[1]), (0, 1, 0)))
