"""Joints of a world."""

from __future__ import annotations

from ctypes import POINTER, byref, c_double, c_size_t, c_uint32, c_uint64, sizeof
from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as np

from ._arrays import Handles, Records, address, integers, numbers, output, records
from ._checks import handle, instance, real, truth, whole
from ._filled import Filled
from ._results import Force
from ._signatures import takes
from .raw import (
    JOINT_DEF_DTYPE,
    JOINT_EVENT_DTYPE,
    JOINT_STATE_DTYPE,
    Body,
    Joint,
    JointAxis,
    JointDef,
    JointEvent,
    JointState,
    library,
)

if TYPE_CHECKING:
    from numpy.typing import ArrayLike
    from typing_extensions import Unpack

    from .raw import JointAxisMembers, JointDefMembers

    # elements of an array of handles have numpy's type
    BodyLike = Union[Body, np.uint64]
    JointLike = Union[Joint, np.uint64]

_DOUBLES = POINTER(c_double)
_HANDLES = POINTER(c_uint64)
_INDICES = POINTER(c_uint32)


class Joints(Filled):
    """The calls of a world that are about its joints."""

    def place_joint(
        self, definition: JointDef, point: ArrayLike, axis: ArrayLike, reference: Optional[ArrayLike] = None
    ) -> JointDef:
        """A definition with frames that coincide now: `world.place_joint(hinge, point=(0, 0, 1), axis=(0, 1, 0))`.

        definition: with its kind and its bodies; it is not changed.
        point: the origin of both frames, world axes [m].
        axis: z of both frames, world axes.
        reference: x of both frames is its part perpendicular to the axis; None: any such direction.
        """
        placed = instance("definition", definition, JointDef).copy()
        where = address(numbers("point", point, 3), _DOUBLES), address(numbers("axis", axis, 3), _DOUBLES)
        side = None if reference is None else address(numbers("reference", reference, 3), _DOUBLES)
        self._call(library.dry_joint_def_place, byref(placed), *where, side)
        return placed  # type: ignore[no-any-return]

    def place_joint_points(self, definition: JointDef, point_a: ArrayLike, point_b: ArrayLike) -> JointDef:
        """A definition of a rod between two points of the world, with its length.

        definition: of JointKind.DISTANCE, with its bodies; it is not changed.
        point_a, point_b: fixed in body a and in body b, world axes [m].
        """
        placed = instance("definition", definition, JointDef).copy()
        points = address(numbers("point_a", point_a, 3), _DOUBLES), address(numbers("point_b", point_b, 3), _DOUBLES)
        self._call(library.dry_joint_def_place_points, byref(placed), *points)
        return placed  # type: ignore[no-any-return]

    @takes(JointDef)
    def add_joint(self, definition: Optional[JointDef] = None, **members: Unpack[JointDefMembers]) -> Joint:
        """Adds a joint: `world.add_joint(kind=JointKind.BALL, body_a=first, body_b=second)`.

        definition: as `place_joint` makes it, or None: the default one.
        members: what differs from that.
        """
        if definition is None:
            definition = JointDef(**members)
        else:
            definition = instance("definition", definition, JointDef).copy()
            definition.update(**members)
        return Joint(self._made(library.dry_joint_add, byref(definition)))

    def add_joints(self, definitions: Records) -> Handles:
        """Adds many joints, all or none, and answers their handles in the same order.

        definitions: an array of JOINT_DEF_DTYPE, made by `joint_defs`.
        """
        given = records("definitions", definitions, JOINT_DEF_DTYPE)
        joints = np.empty(len(given), np.uint64)
        defs = address(given, POINTER(JointDef))
        self._call(library.dry_joints_add, defs, len(given), address(joints, _HANDLES))
        return joints

    def remove_joint(self, joint: JointLike) -> None:
        """Removes a joint."""
        self._call(library.dry_joint_remove, handle("joint", joint, Joint))

    def joints(self, out: Optional[Handles] = None) -> Handles:
        """All joints in the order of their creation.

        out: where to write them, if it has room for all; the part of it that was written is answered.
        """
        return self._filled(library.dry_query_joints, out, np.uint64, _HANDLES)

    def body_joints(self, body: BodyLike, out: Optional[Handles] = None) -> Handles:
        """The joints of a body in the order of their creation; out as of `joints`."""
        number = handle("body", body, Body)

        def query(world: int, *rest: Any) -> int:
            return library.dry_query_body_joints(world, number, *rest)

        return self._filled(query, out, np.uint64, _HANDLES)

    def joint_definition(self, joint: JointLike) -> JointDef:
        """What a joint was added with, and the frames that were set last."""
        definition = JointDef()
        self._call(library.dry_joint_get_def, handle("joint", joint, Joint), byref(definition), sizeof(definition))
        return definition

    def set_joint_frames(self, joint: JointLike, definition: JointDef) -> None:
        """Moves the frames of a joint to those of a definition, whose other members are not used."""
        frames = byref(instance("definition", definition, JointDef))
        self._call(library.dry_joint_set_frames, handle("joint", joint, Joint), frames)

    def set_joint_enabled(self, joint: JointLike, enabled: bool) -> None:
        """Switches a joint off or on. A broken joint that is switched on acts again."""
        self._call(library.dry_joint_set_enabled, handle("joint", joint, Joint), truth("enabled", enabled))

    def joint_axis(self, joint: JointLike, index: int) -> JointAxis:
        """A free axis of a joint, 0 to 5: a copy, which changes nothing until it goes to `set_joint_axis`."""
        axis, where = JointAxis(), (handle("joint", joint, Joint), whole("index", index, 0, 2**32 - 1))
        self._call(library.dry_joint_get_axis, *where, byref(axis), sizeof(axis))
        return axis

    @takes(JointAxis)
    def set_joint_axis(
        self, joint: JointLike, index: int, axis: Optional[JointAxis] = None, **members: Unpack[JointAxisMembers]
    ) -> None:
        """Sets a free axis of a joint, 0 to 5: `world.set_joint_axis(hinge, 5, friction=2)`.

        axis: all of it, or None: as it is.
        members: what differs from that.
        """
        axis = self.joint_axis(joint, index) if axis is None else instance("axis", axis, JointAxis).copy()
        axis.update(**members)
        where = handle("joint", joint, Joint), whole("index", index, 0, 2**32 - 1)
        self._call(library.dry_joint_set_axis, *where, byref(axis))

    def set_joint_target(self, joint: JointLike, index: int, position: float, velocity: float) -> None:
        """Sets the target of the motor of an axis: its position [m] or [rad], and its velocity."""
        where = handle("joint", joint, Joint), whole("index", index, 0, 2**32 - 1)
        self._call(library.dry_joint_set_target, *where, real("position", position), real("velocity", velocity))

    def set_joint_targets(
        self,
        joints: ArrayLike,
        indices: ArrayLike,
        positions: Optional[ArrayLike] = None,
        velocities: Optional[ArrayLike] = None,
    ) -> None:
        """Sets the targets of many motors, all or none.

        joints: (n,) handles.
        indices: (n,) indices of their axes.
        positions, velocities: (n,) targets; None leaves them as they are.
        """
        named = integers("joints", joints, np.uint64, -1)
        count = len(named)
        axes = integers("indices", indices, np.uint32, count)
        given = (("positions", positions), ("velocities", velocities))
        targets = [None if each is None else address(numbers(name, each, count), _DOUBLES) for name, each in given]
        self._call(
            library.dry_joints_set_targets, address(named, _HANDLES), address(axes, _INDICES), c_size_t(count), *targets
        )

    def joint_state(self, joint: JointLike) -> JointState:
        """Where a joint is, and what it carried in the last step."""
        state = JointState()
        self._call(library.dry_joint_get_state, handle("joint", joint, Joint), byref(state), sizeof(state))
        return state

    def joint_states(self, joints: Optional[ArrayLike] = None, out: Optional[Records] = None) -> Records:
        """Where joints are, and what they carried, as an array of JOINT_STATE_DTYPE: `world.joint_states()["force"]`.

        joints: handles in any order; None: every joint, in the order of creation.
        out: where to write them; the part of it that was written is answered.
        """
        named = None if joints is None else integers("joints", joints, np.uint64, -1)
        count = self._count(library.dry_query_joints) if named is None else len(named)
        states = output("out", out, JOINT_STATE_DTYPE, count)
        handles = None if named is None else address(named, _HANDLES)
        into = address(states, POINTER(JointState)), JOINT_STATE_DTYPE.itemsize
        self._call(library.dry_joints_get_states, handles, count, *into)
        return states[:count]

    def joint_events(self, out: Optional[Records] = None) -> Records:
        """What happened to joints in the last step, as an array of JOINT_EVENT_DTYPE; a `JointEventType` each.

        By the indices of the joints, then by axis; each event once, however many substeps the step had.

        out: where to write them, if it has room for all; the part of it that was written is answered.
        """
        return self._filled(library.dry_query_joint_events, out, JOINT_EVENT_DTYPE, POINTER(JointEvent))

    def body_joint_force(self, body: BodyLike) -> Force:
        """The sum of the joint forces on a body in the last step; `body_force` has those of contacts."""
        force, torque = np.empty(3), np.empty(3)
        into = address(force, _DOUBLES), address(torque, _DOUBLES)
        self._call(library.dry_query_body_joint_force, handle("body", body, Body), *into)
        return Force(force, torque)
