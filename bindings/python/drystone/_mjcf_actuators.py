"""Actuators of MuJoCo: force = gain * control + bias, on one axis of a joint."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np

from ._mjcf_joints import joint_name
from ._robot import Actuator, Robot
from .raw import JointMotor


def add_actuators(robot: Robot, mujoco: Any, model: Any) -> None:
    """Gives a robot those actuators of its model that motors of drystone can be."""
    taken: set[str] = set()
    for actuator in range(len(model.actuator_trntype)):
        name = model.actuator(actuator).name or f"actuator{actuator}"
        reason = _refusal(mujoco, model, actuator)
        drive = joint_name(model, model.actuator_trnid[actuator, 0]) if reason is None else ""
        if drive in taken:
            reason = f"joint {drive!r} has another one"
        if reason is not None:
            robot.ignored.append(f"actuator {name!r} ({reason})")
            continue
        taken.add(drive)
        robot.actuators[name] = _made(robot, model, actuator, drive)
    robot.set_controls({name: 0.0 for name in robot.actuators})


def _refusal(mujoco: Any, model: Any, actuator: int) -> Optional[str]:
    """Why an actuator has no counterpart, or None."""
    joint = model.actuator_trnid[actuator, 0]
    for what, kind, prefix, value, offered in (
        ("transmission", mujoco.mjtTrn, "mjTRN_", model.actuator_trntype[actuator], ("JOINT", "JOINTINPARENT")),
        ("joint of type", mujoco.mjtJoint, "mjJNT_", model.jnt_type[joint], ("HINGE", "SLIDE")),
        ("dynamics", mujoco.mjtDyn, "mjDYN_", model.actuator_dyntype[actuator], ("NONE",)),
        ("gain", mujoco.mjtGain, "mjGAIN_", model.actuator_gaintype[actuator], ("FIXED",)),
        ("bias", mujoco.mjtBias, "mjBIAS_", model.actuator_biastype[actuator], ("NONE", "AFFINE")),
    ):
        found = kind(value).name[len(prefix) :]
        if found not in offered:
            return f"{what} {found.lower()}"
    limited = model.actuator_forcelimited[actuator] or model.jnt_actfrclimited[joint]
    _, stiff, damped = _bias(model, actuator)
    if stiff > 0 or damped > 0:
        return "bias that grows with position or velocity"
    if stiff == 0 and damped < 0 and limited:
        return "velocity servo with a range of force"
    return None


def _made(robot: Robot, model: Any, actuator: int, name: str) -> Actuator:
    """An actuator; sets the motor, or the damping, of its drive."""
    gear, gain = float(model.actuator_gear[actuator, 0]), float(model.actuator_gainprm[actuator, 0])
    constant, stiff, damped = _bias(model, actuator)
    least, most = _forces(model, actuator, gear)
    control = (-np.inf, np.inf)
    if model.actuator_ctrllimited[actuator]:
        control = tuple(model.actuator_ctrlrange[actuator].tolist())
    drive, world = robot.drives[name], robot.world
    if stiff == 0:
        damping = world.joint_axis(drive.joint, drive.axis).damping - damped * gear**2
        world.set_joint_axis(drive.joint, drive.axis, damping=damping)
        return Actuator(name, False, gear * gain, gear * constant, *control, least, most)
    world.set_joint_axis(
        drive.joint,
        drive.axis,
        motor=JointMotor.POSITION,
        motor_stiffness=-stiff * gear**2,
        motor_damping=-damped * gear**2,
        force_lower=least,
        force_upper=most,
    )
    return Actuator(name, True, gain / (-stiff * gear), constant / (-stiff * gear), *control, -np.inf, np.inf)


def _bias(model: Any, actuator: int) -> tuple[float, float, float]:
    """The force without control, and its change with position and velocity of the actuator."""
    if model.actuator_biastype[actuator] == 0:
        return 0.0, 0.0, 0.0
    constant, stiff, damped = model.actuator_biasprm[actuator, :3].tolist()
    return constant, stiff, damped


def _forces(model: Any, actuator: int, gear: float) -> tuple[float, float]:
    """Least and largest force on the joint."""
    least, most = -np.inf, np.inf
    if model.actuator_forcelimited[actuator]:
        least, most = sorted((gear * model.actuator_forcerange[actuator]).tolist())
    joint = model.actuator_trnid[actuator, 0]
    if model.jnt_actfrclimited[joint]:
        low, high = model.jnt_actfrcrange[joint].tolist()
        least, most = max(least, low), min(most, high)
    return least, most
