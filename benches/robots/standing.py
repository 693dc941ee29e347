"""Robots that stand on a slope, in drystone and in MuJoCo: how far their feet creep.

    pip install drystone[robots] "gymnasium[mujoco]" example-robot-data
    python benches/robots/standing.py

Position motors hold the joints. Gravity is tilted by a fifth of a radian, less than the friction angle of 0.46 rad (friction
0.5), so that nothing should move once the robot is at rest. The drift is the largest way of a foot, or of a lower leg of
the ant, from 2 s to 12 s. The ant has twenty times its mass and a hundredth of its armature: its file has legs of 40 g.
The results stand in `benches/README.md`.
"""

from __future__ import annotations

from typing import Any, Callable

import mujoco
import numpy as np

import drystone
from free_swing import URDF, packages

STEP = 2e-3
SLOPE = 0.2
GRAVITY = (9.81 * np.sin(SLOPE), 0.0, -9.81 * np.cos(SLOPE))
FRICTION = 0.5


def ant() -> tuple[mujoco.MjModel, np.ndarray[Any, Any], list[str]]:
    """The ant with position motors on firm ground, a start, and the names of its feet."""
    path = packages() / "gymnasium/envs/mujoco/assets/ant.xml"
    spec = mujoco.MjSpec.from_file(str(path))
    for actuator in spec.actuators:
        actuator.gear = [1, 0, 0, 0, 0, 0]
        actuator.set_to_position(kp=50, kv=5)
        actuator.ctrllimited = 0
    names: list[str] = []
    for body in spec.bodies:
        if not body.name:
            body.name = f"foot{len(names)}"
            names.append(body.name)
    spec.option.gravity = GRAVITY
    spec.option.timestep = STEP
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    model = spec.compile()
    model.dof_armature[6:] = 0.01
    model.body_mass[:] *= 20
    model.body_inertia[:] *= 20
    model.geom_friction[:, 0] = FRICTION
    mujoco.mj_setConst(model, mujoco.MjData(model))
    start = np.array(model.qpos0)
    start[2] = 0.55
    start[7:] = [0, 1, 0, -1, 0, -1, 0, 1]
    return model, start, names


def controls(model: mujoco.MjModel, start: np.ndarray[Any, Any]) -> dict[str, float]:
    """Controls that hold the joints where they start, by the name of the actuator."""
    return {
        model.actuator(each).name or f"actuator{each}": float(start[model.jnt_qposadr[model.actuator_trnid[each, 0]]])
        for each in range(model.nu)
    }


def drift(step: Callable[[], object], feet: Callable[[], np.ndarray[Any, Any]]) -> float:
    """The drift of feet, (n, 3), from 2 s to 12 s [m]."""
    places: list[np.ndarray[Any, Any]] = []
    for duration in (2, 10):
        for _ in range(round(duration / STEP)):
            step()
        places.append(feet())
    return float(np.linalg.norm(places[1] - places[0], axis=1).max())


def drift_in_mujoco(model: mujoco.MjModel, start: np.ndarray[Any, Any], feet: list[str]) -> float:
    """The drift of a model that holds its start."""
    data = mujoco.MjData(model)
    data.qpos[:] = start
    data.ctrl[:] = list(controls(model, start).values())
    return drift(lambda: mujoco.mj_step(model, data), lambda: np.array([data.body(name).xpos for name in feet]))


def drift_in_drystone(world: drystone.World, robot: drystone.Robot, feet: list[str]) -> float:
    """The drift of a robot of a world."""
    return drift(lambda: world.step(STEP), lambda: np.array([robot.link_pose(name)[:3, 3] for name in feet]))


def go1(world: drystone.World) -> tuple[drystone.Robot, list[str]]:
    """The Go1 on a floor, its legs bent, and the names of its feet."""
    floor = world.add_material(friction=FRICTION)
    world.add_body(shape=world.half_space((0, 0, 1), 0), kind=drystone.BodyKind.STATIC, material=floor)
    bent = {f"{leg}_{joint}_joint": angle for leg in ("FR", "FL", "RR", "RL") for joint, angle in (("thigh", 0.8), ("calf", -1.6))}
    robot = drystone.load_urdf(world, packages() / URDF / "go1_description/urdf/go1.urdf", position=(0, 0, 0.32), positions=bent)
    robot.set_position_motors(stiffness=200, damping=5)
    return robot, [f"{leg}_foot" for leg in ("FR", "FL", "RR", "RL")]


def main() -> None:
    """Prints the table."""
    print("| robot | engine | drift of the feet in 10 s [m] |\n|---|---|---:|")
    model, start, feet = ant()
    for cone in ("PYRAMIDAL", "ELLIPTIC"):
        model.opt.cone = getattr(mujoco.mjtCone, f"mjCONE_{cone}")
        way = drift_in_mujoco(model, start, feet)
        print(f"| ant | MuJoCo, {cone.lower()} cone | {way:.1e} |", flush=True)
    with drystone.World(gravity=GRAVITY) as world:
        robot = drystone.load_mjcf(world, model, qpos=start)
        robot.set_controls(controls(model, start))
        way = drift_in_drystone(world, robot, feet)
        print(f"| ant | drystone | {way:.1e} |", flush=True)
    with drystone.World(gravity=GRAVITY) as world:
        way = drift_in_drystone(world, *go1(world))
        print(f"| Go1 | drystone | {way:.1e} |", flush=True)


if __name__ == "__main__":
    main()
