"""Robots: links and joints of a world, by the names that their file has for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Mapping, NamedTuple, Optional, Union

import numpy as np

from ._arrays import Numbers, Records, numbers
from ._frames import frame, matrix
from ._world import World
from .raw import Body, Joint, JointMotor

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    Values = Union[ArrayLike, Mapping[str, float]]


class Drive(NamedTuple):
    """A free axis of a joint, and the limits of its motor that the file has."""

    joint: Joint
    axis: int
    """Of the axis: 0 to 2 displacements, 3 to 5 turns."""
    effort: float
    """Largest force of the motor [N] or [N m]; infinite where the file has none."""
    velocity: float
    """Largest speed [m/s] or [rad/s]; infinite where the file has none. Kept as data: nothing enforces it."""


class Actuator(NamedTuple):
    """What a control value of a file does to a drive."""

    drive: str
    is_position: bool
    """Whether it sets the target of a position motor; else it sets the force."""
    gain: float
    """Target over control, or force over control."""
    bias: float
    """Force without control."""
    low: float
    """Least control."""
    high: float
    """Largest control."""
    least: float
    """Least force [N] or [N m]."""
    most: float
    """Largest force."""


class Robot:
    """What `load_urdf` and `load_mjcf` put into a world. The world owns it: links are bodies and joints of that world.

    Attributes:
        links: the body of each link, by name. Links that are fixed to each other have the same one. Body(0) stands for a link that
            is fixed to the world and has no shape.
        pieces: all bodies of each link: one for each shape. They are welded together.
        joints: the joint of each name in the file. One that stands for several joints of the file has all their names.
        drives: the free axes that have a name, in the order of all arrays of this class.
        actuators: of the file, in its order.
        ignored: what the file has and this robot has not, in words.
        fixed: names of the links that are fixed to the world.
        welds: the joints between the bodies of one link.
        separators: joints that are switched off and keep links from colliding.
        offsets: the frame of each link as seen from its body, (4, 4).
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self.links: dict[str, Body] = {}
        self.pieces: dict[str, list[Body]] = {}
        self.joints: dict[str, Joint] = {}
        self.drives: dict[str, Drive] = {}
        self.actuators: dict[str, Actuator] = {}
        self.ignored: list[str] = []
        self.fixed: set[str] = set()
        self.welds: list[Joint] = []
        self.separators: list[Joint] = []
        self.offsets: dict[str, Numbers] = {}

    def positions(self) -> Numbers:
        """The positions of the drives [m] or [rad]."""
        return self._axes("position")

    def velocities(self) -> Numbers:
        """The velocities of the drives [m/s] or [rad/s]."""
        return self._axes("velocity")

    def forces(self) -> Numbers:
        """The forces of the motors and rotors of the drives in the last step [N] or [N m]."""
        return self._axes("motor_force")

    def set_targets(self, positions: Optional[Values] = None, velocities: Optional[Values] = None) -> None:
        """Sets targets of motors: arrays in the order of `drives`, or values by name, which leave the others as they are."""
        for key, values in (("positions", positions), ("velocities", velocities)):
            if values is not None:
                names, given = self._named(key, values)
                drives = [self.drives[name] for name in names]
                joints = np.array([drive.joint for drive in drives], np.uint64)
                targets: dict[str, Any] = {key: given}
                self.world.set_joint_targets(joints, [drive.axis for drive in drives], **targets)

    def set_position_motors(self, stiffness: Values, damping: Values, force: Optional[Values] = None) -> None:
        """Gives drives position motors, which hold their present positions until `set_targets`.

        stiffness, damping: numbers for all drives, arrays in their order, or values by name: then of these drives alone.
        force: the largest one; None: the effort of the file.
        """
        names, stiff = self._named("stiffness", stiffness)
        damped = self._of("damping", damping, names)
        bounds = self._bounds(force, names)
        now = dict(zip(self.drives, self.positions()))
        for name, k, d, bound in zip(names, stiff, damped, bounds):
            self._set(
                name,
                motor=JointMotor.POSITION,
                motor_stiffness=k,
                motor_damping=d,
                target_position=now[name],
                target_velocity=0,
                force_lower=-bound,
                force_upper=bound,
            )

    def set_velocity_motors(self, velocity: Values, force: Optional[Values] = None) -> None:
        """Gives drives velocity motors; the arguments are those of `set_position_motors`."""
        names, speeds = self._named("velocity", velocity)
        for name, speed, bound in zip(names, speeds, self._bounds(force, names)):
            limits = {"force_lower": -bound, "force_upper": bound}
            self._set(name, motor=JointMotor.VELOCITY, target_velocity=speed, **limits)

    def set_forces(self, forces: Values) -> None:
        """Lets drives act with these forces from the next step on, until they are set again [N] or [N m].

        Limits of the file do not cut them off. A drive with a force has no other motor.
        """
        for name, force in zip(*self._named("forces", forces)):
            # a motor whose bounds are one value acts with that
            self._set(name, motor=JointMotor.VELOCITY, target_velocity=0, force_lower=force, force_upper=force)

    def set_controls(self, controls: Values) -> None:
        """Sets the controls of actuators as the file means them: an array in the order of `actuators`, or values by name.

        Controls are cut off at the range that the file has for them.
        """
        names, given = _named("controls", controls, list(self.actuators), "an actuator")
        positions: dict[str, float] = {}
        forces: dict[str, float] = {}
        for name, control in zip(names, given):
            actuator = self.actuators[name]
            cut = min(max(control, actuator.low), actuator.high)
            value = actuator.gain * cut + actuator.bias
            if actuator.is_position:
                positions[actuator.drive] = value
            else:
                forces[actuator.drive] = min(max(value, actuator.least), actuator.most)
        if positions:
            self.set_targets(positions=positions)
        if forces:
            self.set_forces(forces)

    def link_pose(self, name: str) -> Numbers:
        """The frame of a link in the world, (4, 4): its axes and, in the last column, its origin [m]."""
        if name not in self.links:
            raise KeyError(f"link is {name!r}, expected one of {', '.join(self.links)}")
        body = self.links[name]
        if body == 0:
            return self.offsets[name].copy()
        state = self.world.state(body)
        pose: Numbers = frame(state.position, matrix(state.rotation)) @ self.offsets[name]
        return pose

    def states(self) -> Records:
        """Where the joints of the drives are, as an array of JOINT_STATE_DTYPE in the order of `drives`."""
        return self.world.joint_states(np.array([drive.joint for drive in self.drives.values()], np.uint64))

    def _axes(self, member: str) -> Numbers:
        index = [drive.axis for drive in self.drives.values()]
        chosen: Numbers = self.states()[member][np.arange(len(index)), index]
        return chosen

    def _set(self, name: str, **members: Any) -> None:
        drive = self.drives[name]
        self.world.set_joint_axis(drive.joint, drive.axis, **members)

    def _bounds(self, force: Optional[Values], names: list[str]) -> Numbers:
        if force is None:
            return np.array([self.drives[name].effort for name in names])
        return self._of("force", force, names)

    def _of(self, what: str, values: Values, names: list[str]) -> Numbers:
        """Values for these drives: those by name must have all of them."""
        found, given = self._named(what, values)
        by_name = dict(zip(found, given))
        missing = [name for name in names if name not in by_name]
        if missing:
            raise ValueError(f"{what} lacks {missing[0]!r}, expected a value for each of {', '.join(names)}")
        return np.array([by_name[name] for name in names])

    def _named(self, what: str, values: Values) -> tuple[list[str], Numbers]:
        return _named(what, values, list(self.drives), "a drive")


def _named(what: str, values: Values, names: list[str], kind: str) -> tuple[list[str], Numbers]:
    """Names and values, of an array, of a number for all, or by name."""
    if isinstance(values, Mapping):
        for name in values:
            if name not in names:
                raise KeyError(f"{what} has {name!r}, which is not {kind}: expected {', '.join(names)}")
        return list(values), numbers(what, list(values.values()), len(values))
    if np.ndim(values) == 0:
        return names, np.full(len(names), numbers(what, values))
    return names, numbers(what, values, len(names))
