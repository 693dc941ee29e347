"""Puts robots into a world: links become bodies, couplings become joints."""

from __future__ import annotations

import itertools
from typing import Any, Mapping

import numpy as np

from ._arrays import Numbers
from ._errors import Error
from ._frames import frame, inverse, quaternion
from ._parts import Coupling, Geometry, Link
from ._robot import Drive, Robot
from ._world import World
from .raw import Body, BodyKind, Joint, JointDef, JointKind

WORLD = ""
"""Name of the parent of what is joined to the world, or fixed to it."""

_groups = itertools.count(1)

SPECK = 1e-3
"""Radius of the shape of a body that has none and collides with nothing [m]."""


class Assembly:
    """A robot on its way into a world.

    The library has one shape for each body. A link of several shapes becomes as many bodies, welded by FIXED joints. All of
    them have the link's centre of mass and an equal share of its mass and inertia, so that the sum is exactly that of the link.
    """

    def __init__(self, world: World, self_collision: bool) -> None:
        self.world = world
        self.robot = Robot(world)
        # far from the groups that a host uses
        self._group = 0 if self_collision else -(2**30) - next(_groups)
        self._poses: dict[str, Numbers] = {WORLD: frame()}
        self._pieces: dict[str, list[Body]] = {WORLD: []}
        self._frames: dict[str, Numbers] = {WORLD: frame()}

    def add_fixed(self, link: Link, pose: Numbers) -> None:
        """Adds a link that is fixed to the world, at its pose: one static body for each shape."""
        pieces = [self._added(link, each, pose, kind=BodyKind.STATIC) for each in link.geometries]
        self.robot.fixed.update(link.merged)
        self._know(link, pose, pieces, link.geometries)

    def add(self, link: Link, pose: Numbers) -> None:
        """Adds a link that moves, at its pose."""
        if not link.inertia.mass > 0:
            raise ValueError(f"link {link.name!r} has mass {link.inertia.mass:g} kg; a link that moves needs a mass above 0")
        shapes = link.geometries or [Geometry(lambda world: world.sphere(SPECK), frame(), category=0, mask=0)]
        pieces: list[Body] = []
        for each in shapes:
            mass, center, tensor = link.inertia.share(1 / len(shapes)).seen_from(inverse(each.pose))
            six = [*np.diag(tensor), tensor[0, 1], tensor[1, 2], tensor[0, 2]]
            pieces.append(self._added(link, each, pose, mass=mass, center_of_mass=center, inertia=six))
        self._know(link, pose, pieces, shapes)
        first = inverse(shapes[0].pose)
        for body, each in zip(pieces[1:], shapes[1:]):
            ends = pieces[0], first, body, inverse(each.pose)
            self.robot.welds.append(self.world.add_joint(_joined(JointKind.FIXED, *ends)))

    def join(self, coupling: Coupling, positions: Mapping[str, float], link: Link) -> None:
        """Adds a link and the joint that holds it; the positions are those of the joint's axes."""
        pose = self._poses[coupling.parent] @ coupling.frame_a @ coupling.motion(positions) @ inverse(coupling.frame_b)
        self.add(link, pose)
        parent, parent_frame = self._end(coupling.parent)
        child, child_frame = self._end(link.name)
        ends = parent, parent_frame @ coupling.frame_a, child, child_frame @ coupling.frame_b
        try:
            joint = self.world.add_joint(_joined(coupling.kind, *ends))
            self.robot.joints[coupling.name] = joint
            for axis in coupling.axes:
                self.world.set_joint_axis(joint, axis.number, **axis.settings)
                self.robot.drives[axis.name] = Drive(joint, axis.number, axis.effort, axis.velocity)
        except Error as error:
            raise type(error)(f"joint {coupling.name!r}: {error.message}", error.number) from error

    def pose(self, name: str) -> Numbers:
        """The pose of a link that was added."""
        return self._poses[name]

    def exclude(self, first: str, second: str, joined: bool) -> None:
        """Lets two links have no contacts with each other. Joined ones have a joint between their first bodies already."""
        if self._group:
            return
        pairs = itertools.product(self._pieces[first], self._pieces[second])
        for a, b in itertools.islice(pairs, 1 if joined else 0, None):
            if not self._moves(a) and not self._moves(b):
                continue
            # a joint that is off carries nothing, and its bodies do not collide
            separator = self.world.place_joint(JointDef(kind=JointKind.BALL, body_a=a, body_b=b), (0, 0, 0), (0, 0, 1))
            joint = self.world.add_joint(separator)
            self.world.set_joint_enabled(joint, False)
            self.robot.separators.append(joint)

    def _moves(self, body: Body) -> bool:
        return self.world.mass(body).mass > 0

    def _end(self, name: str) -> tuple[Body, Numbers]:
        """The body that joints of a link hold, and the link as seen from that body."""
        if name == WORLD or name in self.robot.fixed:
            return Body(0), self._poses[name]
        return self._pieces[name][0], self._frames[name]

    def _know(self, link: Link, pose: Numbers, pieces: list[Body], shapes: list[Geometry]) -> None:
        self._poses[link.name], self._pieces[link.name] = pose, pieces
        self._frames[link.name] = inverse(shapes[0].pose) if shapes else pose
        for name, where in link.merged.items():
            self.robot.links[name] = pieces[0] if pieces else Body(0)
            self.robot.pieces[name] = list(pieces)
            self.robot.offsets[name] = self._frames[link.name] @ where

    def _added(self, link: Link, geometry: Geometry, pose: Numbers, **members: Any) -> Body:
        where = pose @ geometry.pose
        try:
            return self.world.add_body(
                shape=geometry.make(self.world),
                material=geometry.material,
                position=where[:3, 3],
                rotation=quaternion(where[:3, :3]),
                gravity_scale=link.gravity_scale,
                filter_category=geometry.category,
                filter_mask=geometry.mask,
                filter_group=self._group,
                **members,
            )
        except Error as error:
            raise type(error)(f"link {link.name!r}: {error.message}", error.number) from error


def _joined(kind: JointKind, body_a: Body, frame_a: Numbers, body_b: Body, frame_b: Numbers) -> JointDef:
    return JointDef(
        kind=kind,
        body_a=body_a,
        body_b=body_b,
        point_a=frame_a[:3, 3],
        rotation_a=quaternion(frame_a[:3, :3]),
        point_b=frame_b[:3, 3],
        rotation_b=quaternion(frame_b[:3, :3]),
    )
