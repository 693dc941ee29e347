"""Small robots as texts, the files of packages, and what tests of robots do with them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from drystone import Robot, World

PACKAGES = Path(mujoco.__file__).parents[1]
URDFS = PACKAGES / "cmeel.prefix/share/example-robot-data/robots"
GYMNASIUM = PACKAGES / "gymnasium/envs/mujoco/assets"
ROBOTICS = PACKAGES / "gymnasium_robotics/envs/assets"

ARM = """
<robot name="arm">
  <link name="base"><collision><geometry><box size="0.2 0.2 0.2"/></geometry></collision></link>
  <link name="upper">
    <inertial><origin xyz="0.4 0 0.1" rpy="0 0 0.5"/><mass value="2"/>
      <inertia ixx="0.02" iyy="0.05" izz="0.06" ixy="0.003" ixz="-0.002" iyz="0.001"/></inertial>
    <collision><origin xyz="0.3 0 0"/><geometry><box size="0.4 0.1 0.1"/></geometry></collision>
    <collision><origin xyz="0.6 0 0" rpy="0 1.2 0"/><geometry><cylinder radius="0.05" length="0.2"/></geometry></collision>
  </link>
  <link name="lower">
    <inertial><origin xyz="0.2 0.1 0"/><mass value="1.5"/>
      <inertia ixx="0.01" iyy="0.03" izz="0.03" ixy="0" ixz="0.001" iyz="0"/></inertial>
    <collision><origin xyz="0.2 0 0"/><geometry><sphere radius="0.06"/></geometry></collision>
  </link>
  <link name="hand"><inertial><origin xyz="0.1 0 0"/><mass value="0.5"/>
    <inertia ixx="0.001" iyy="0.002" izz="0.002" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><origin xyz="0 0 0.2" rpy="0.3 0 0"/>
    <axis xyz="0 1 0"/><limit lower="-2" upper="2.5" effort="80" velocity="3"/><dynamics damping="0.4" friction="0"/></joint>
  <joint name="elbow" type="continuous"><parent link="upper"/><child link="lower"/><origin xyz="0.7 0 0" rpy="0 0.2 0.4"/>
    <axis xyz="0 1 1"/><dynamics damping="0.1"/></joint>
  <joint name="wrist" type="fixed"><parent link="lower"/><child link="hand"/><origin xyz="0.4 0 0" rpy="0 0 1"/></joint>
</robot>
"""
"""An arm of two moving links; the hand is fixed to the lower one."""


def arm_in_mujoco() -> Any:
    """The same arm without shapes, limits and the base, written for MuJoCo, which has other conventions for inertias."""
    c, s = np.cos(0.5), np.sin(0.5)
    turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    upper = turn @ np.array([[0.02, 0.003, -0.002], [0.003, 0.05, 0.001], [-0.002, 0.001, 0.06]]) @ turn.T
    six = " ".join(str(upper[i, j]) for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)))
    return mujoco.MjModel.from_xml_string(f"""<mujoco><compiler angle="radian" eulerseq="XYZ"/><worldbody>
        <body name="upper" pos="0 0 0.2" euler="0.3 0 0"><joint name="shoulder" axis="0 1 0" damping="0.4"/>
          <inertial pos="0.4 0 0.1" mass="2" fullinertia="{six}"/>
          <body name="lower" pos="0.7 0 0" euler="0 0.2 0.4"><joint name="elbow" axis="0 1 1" damping="0.1"/>
            <inertial pos="0.2 0.1 0" mass="1.5" fullinertia="0.01 0.03 0.03 0 0.001 0"/>
            <body name="hand" pos="0.4 0 0" euler="0 0 1">
              <inertial pos="0.1 0 0" mass="0.5" diaginertia="0.001 0.002 0.002"/>
        </body></body></body></worldbody></mujoco>""")


def mujoco_positions(model: Any, step: float, duration: float, start: Any = None, controls: Any = None) -> dict[str, float]:
    """The positions of hinges and slides, by name, after a time in MuJoCo with its Runge-Kutta integrator."""
    model.opt.timestep, model.opt.integrator = step, mujoco.mjtIntegrator.mjINT_RK4
    data = mujoco.MjData(model)
    if start is not None:
        data.qpos[:] = start
    if controls is not None:
        data.ctrl[:] = controls
    for _ in range(round(duration / step)):
        mujoco.mj_step(model, data)
    joints = [each for each in range(model.njnt) if model.jnt_type[each] >= 2]
    return {model.joint(joint).name: float(data.qpos[model.jnt_qposadr[joint]]) for joint in joints}


def positions_after(robot: Robot, world: World, step: float, duration: float) -> dict[str, float]:
    """The positions of the drives, by name, after a time."""
    for _ in range(round(duration / step)):
        world.step(step)
    return dict(zip(robot.drives, robot.positions().tolist()))


def difference(found: dict[str, float], expected: dict[str, float]) -> float:
    """The largest one of a joint."""
    return max(abs(found[name] - expected[name]) for name in expected)


def is_first_order(errors: list[float]) -> bool:
    """Whether errors halve with the step, each time."""
    return all(0.45 < after / before < 0.55 for before, after in zip(errors, errors[1:]))


def without_contacts(path: Path) -> Any:
    """A model of MuJoCo with its base fixed and nothing that MuJoCo has soft: contacts, limits, dry friction, constraints."""
    spec = mujoco.MjSpec.from_file(str(path))
    for joint in list(spec.joints):
        if joint.type == mujoco.mjtJoint.mjJNT_FREE:
            spec.delete(joint)
    model = spec.compile()
    model.geom_contype[:] = model.geom_conaffinity[:] = 0
    model.jnt_limited[:] = model.dof_frictionloss[:] = model.tendon_limited[:] = 0
    model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_EQUALITY)
    return model


def random_start(model: Any) -> Any:
    """Positions of all hinges and slides within their ranges, the same ones in every run."""
    random, start = np.random.default_rng(1), np.array(model.qpos0)
    for joint in range(model.njnt):
        if model.jnt_type[joint] >= 2:
            low, high = model.jnt_range[joint] if model.jnt_limited[joint] else (-1, 1)
            start[model.jnt_qposadr[joint]] = random.uniform(low, high)
    return start
