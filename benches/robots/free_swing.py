"""Robots that swing freely, in drystone and in MuJoCo: the largest difference of a joint angle after a while.

    pip install drystone[robots] "gymnasium[mujoco]" gymnasium-robotics example-robot-data
    python benches/robots/free_swing.py

Each robot starts at rest, its base fixed, with its springs, dampers, armature and, of the hand, position motors. Contacts,
limits, dry friction and constraints of MuJoCo are left out: it has them soft. So is the armature of the humanoid, whose
joints of two turns do not carry it exactly yet. drystone steps with h. MuJoCo steps with h
too, by its default integrator, and is the reference with its Runge-Kutta integrator (of the Fetch, whose dampers are too stiff
for that, the implicit one) and a step of 0.05 ms. The results stand in `benches/README.md`.
"""

from __future__ import annotations

import sys
import xml.etree.ElementTree as xml
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Callable

import mujoco
import numpy as np

import drystone

STEPS = (4e-3, 2e-3, 1e-3, 5e-4)
FINE = 5e-5
URDF = "cmeel.prefix/share/example-robot-data/robots"


def packages() -> Path:
    """The folder that the packages of the models are installed in."""
    found = find_spec("mujoco")
    assert found is not None and found.origin is not None
    return Path(found.origin).parents[1]


def hung(path: Path) -> mujoco.MjModel:
    """A model without what is not compared, its base fixed where it is."""
    spec = mujoco.MjSpec.from_file(str(path))
    for joint in list(spec.joints):
        if joint.type == mujoco.mjtJoint.mjJNT_FREE:
            spec.delete(joint)
    model = spec.compile()
    model.geom_contype[:] = model.geom_conaffinity[:] = 0
    model.jnt_limited[:] = model.dof_frictionloss[:] = 0
    model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_EQUALITY)
    model.tendon_limited[:] = 0
    return model


def from_urdf(path: Path) -> mujoco.MjModel:
    """MuJoCo's own reading of a URDF file, without shapes, friction and the mass of the base, which is fixed."""
    tree = xml.parse(path)
    held = {child.get("link") for child in tree.iterfind("joint/child")}
    for link in tree.iterfind("link"):
        if link.get("name") not in held:
            link[:] = []
    for parent in list(tree.iter()):
        for name in ("visual", "collision", "transmission", "gazebo", "mimic"):
            for child in parent.findall(name):
                parent.remove(child)
    model = mujoco.MjModel.from_xml_string(xml.tostring(tree.getroot(), encoding="unicode"))
    model.jnt_limited[:] = model.dof_frictionloss[:] = 0
    return model


def in_mujoco(model: mujoco.MjModel, step: float, duration: float, integrator: int) -> dict[str, float]:
    """The joint angles at the end, by name."""
    model.opt.timestep, model.opt.integrator = step, integrator
    data = mujoco.MjData(model)
    for _ in range(round(duration / step)):
        mujoco.mj_step(model, data)
    return {model.joint(joint).name: float(data.qpos[model.jnt_qposadr[joint]]) for joint in range(model.njnt)}


def in_drystone(load: Callable[[drystone.World], drystone.Robot], step: float, duration: float) -> dict[str, float]:
    """The joint angles at the end, by name."""
    with drystone.World() as world:
        robot = load(world)
        for _ in range(round(duration / step)):
            world.step(step)
        return dict(zip(robot.drives, robot.positions().tolist()))


def load_hanging(world: drystone.World, path: Path) -> drystone.Robot:
    """A URDF robot without limits and dry friction."""
    robot = drystone.load_urdf(world, path, fixed_base=True, free_mimic=True)
    for drive in robot.drives.values():
        world.set_joint_axis(drive.joint, drive.axis, mode=drystone.JointMode.FREE, friction=0)
    return robot


def difference(found: dict[str, float], reference: dict[str, float]) -> float:
    """The largest one of a joint."""
    return max(abs(found[name] - reference[name]) for name in reference)


def rows(duration: float) -> list[tuple[str, Any, Callable[[drystone.World], drystone.Robot]]]:
    """Names of robots, their models in MuJoCo, and what loads them into a world."""
    place = packages()
    made: list[tuple[str, Any, Callable[[drystone.World], drystone.Robot]]] = []
    for name, file in (
        ("half cheetah", "gymnasium/envs/mujoco/assets/half_cheetah.xml"),
        ("ant", "gymnasium/envs/mujoco/assets/ant.xml"),
        ("humanoid, no armature", "gymnasium/envs/mujoco/assets/humanoid.xml"),
        ("Fetch", "gymnasium_robotics/envs/assets/fetch/reach.xml"),
        ("Shadow hand", "gymnasium_robotics/envs/assets/hand/reach.xml"),
    ):
        model = hung(place / file)
        if "no armature" in name:
            model.dof_armature[:] = 0
        made.append((name, model, partial(drystone.load_mjcf, model=model)))
    for name, file in (
        ("Panda", f"{URDF}/panda_description/urdf/panda.urdf"),
        ("UR10", f"{URDF}/ur_description/urdf/ur10_robot.urdf"),
        ("Go1", f"{URDF}/go1_description/urdf/go1.urdf"),
    ):
        made.append((name, from_urdf(place / file), partial(load_hanging, path=place / file)))
    return made


def main(duration: float) -> None:
    """Prints the table."""
    steps = " | ".join(f"{1e3 * step:g} ms" for step in STEPS)
    print(f"| robot | largest angle [rad] | drystone, {steps} | MuJoCo, {1e3 * STEPS[-1]:g} ms |")
    print("|---|" + "---:|" * (len(STEPS) + 2))
    kinds = mujoco.mjtIntegrator
    for name, model, load in rows(duration):
        is_stiff = np.max(model.dof_damping) > 1e3
        reference = in_mujoco(model, FINE, duration, kinds.mjINT_IMPLICIT if is_stiff else kinds.mjINT_RK4)
        found = [difference(in_drystone(load, step, duration), reference) for step in STEPS]
        theirs = difference(in_mujoco(model, STEPS[-1], duration, kinds.mjINT_EULER), reference)
        size = max(abs(value) for value in reference.values())
        print(f"| {name} | {size:.2f} | " + " | ".join(f"{each:.1e}" for each in found) + f" | {theirs:.1e} |", flush=True)


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 0.4)
