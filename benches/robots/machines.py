"""The time of a step of machines in drystone and in MuJoCo: an arm that lifts a box, chains, and closed loops.

    pip install "drystone[robots]"
    taskset -c 1 python benches/robots/machines.py [rounds] [arm] [linkages]

Steps are 1 ms long. The engines alternate, and each figure is the median over the steps of a phase, then over the rounds.
Of MuJoCo it is the processor time of ten steps in one call, over ten; of drystone it is what the report of the step says. Neither
contains Python. The results stand in `benches/README.md`.
"""

from __future__ import annotations

import sys
import time
from functools import partial
from typing import Any, Callable, NamedTuple

import mujoco
import numpy as np

import drystone
from gripping_arm import arm_controls, arm_xml
from linkages import Rod, chain, in_drystone, in_mujoco, length_error, three_loops

STEP, BATCH = 1e-3, 10  # [s]; steps in a call of MuJoCo, and between two controls
PHASES = {"gripped on the floor": (1.0, 1.45), "lifts": (1.55, 2.25), "turns": (2.35, 3.25), "holds": (4.0, 5.0)}  # [s]
GRAVITY = (0.0, 0.0, -9.81)
TILTED = (3.0, 0.0, -9.81)  # of the loops, so that they swing
OPTIONS: dict[str, dict[str, Any]] = {
    "drystone": {},
    "drystone, tolerance 1e-6": {"tolerance": 1e-6},
    "drystone, rows": {"joint_solver": drystone.JointSolver.ROWS},
}


class Batch(NamedTuple):
    """Ten steps of the arm."""

    micros: float
    """Time of a step."""
    contacts: int
    below: float
    """Where the box is along a finger, downwards [m]."""


class Second(NamedTuple):
    """One second of a linkage."""

    millis: float
    """Time of a step."""
    error: float
    """Of the lengths at its end [-]."""
    tip: np.ndarray[Any, Any]
    """Centre of the last rod at its end [m]."""


def times() -> list[float]:
    """When the controls of the arm are set."""
    return [number * BATCH * STEP for number in range(round(PHASES["holds"][1] / STEP / BATCH))]


def batch_in_mujoco(model: mujoco.MjModel, data: mujoco.MjData) -> float:
    """Makes ten steps, and returns the time of one [s]."""
    before = time.process_time()
    mujoco.mj_step(model, data, nstep=BATCH)
    return (time.process_time() - before) / BATCH


def arm_in_mujoco(armature: float) -> list[Batch]:
    """The whole motion of the arm."""
    model = mujoco.MjModel.from_xml_string(arm_xml(armature))
    data = mujoco.MjData(model)
    data.qpos[:9] = arm_controls(0)
    found = []
    for moment in times():
        data.ctrl[:] = arm_controls(moment)
        took = batch_in_mujoco(model, data)
        finger, box = data.body("left"), data.body("box")
        below = finger.xmat.reshape(3, 3)[:, 2] @ (box.xpos - finger.xpos)
        found.append(Batch(1e6 * took, data.ncon, float(below)))
    return found


def arm_in_drystone(armature: float, settings: dict[str, Any]) -> list[Batch]:
    """The whole motion of the arm."""
    model = mujoco.MjModel.from_xml_string(arm_xml(armature))
    start = np.array(model.qpos0)
    start[:9] = arm_controls(0)
    found = []
    with drystone.World(settings=drystone.Settings(**settings), gravity=GRAVITY) as world:
        robot = drystone.load_mjcf(world, model, qpos=start)
        for moment in times():
            robot.set_controls(arm_controls(moment))
            reports = [world.step(STEP) for _ in range(BATCH)]
            took = np.median([report.seconds_total for report in reports])
            finger, box = robot.link_pose("left"), robot.link_pose("box")
            below = finger[:3, 2] @ (box[:3, 3] - finger[:3, 3])
            found.append(Batch(1e6 * float(took), reports[-1].contacts, float(below)))
    return found


def linkage_in_mujoco(rods: list[Rod], gravity: tuple[float, float, float]) -> Second:
    """A second of a linkage."""
    model = in_mujoco(rods, gravity)
    data = mujoco.MjData(model)
    took = [batch_in_mujoco(model, data) for _ in range(round(1 / STEP / BATCH))]
    mujoco.mj_kinematics(model, data)
    axes = data.geom_xmat.reshape(-1, 3, 3)[:, :, 0]
    return Second(1e3 * float(np.median(took)), length_error(rods, data.geom_xpos, axes), np.array(data.geom_xpos[-1]))


def linkage_in_drystone(rods: list[Rod], gravity: tuple[float, float, float], settings: dict[str, Any]) -> Second:
    """A second of a linkage."""
    with drystone.World(settings=drystone.Settings(**settings), gravity=gravity) as world:
        bodies = in_drystone(world, rods)
        took = [world.step(STEP).seconds_total for _ in range(round(1 / STEP))]
        states = world.states(bodies)
    x, y, z, w = states["rotation"].T
    axes = np.stack([1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)], axis=1)
    return Second(1e3 * float(np.median(took)), length_error(rods, states["position"], axes), states["position"][-1])


def during(batches: list[Batch], phase: str) -> list[Batch]:
    """Those of a phase of the arm."""
    begin, end = (round(moment / STEP / BATCH) for moment in PHASES[phase])
    return batches[begin:end]


def print_arm(rounds: int) -> None:
    """Prints the table of the arm."""
    print("| arm, time of a step [us] | " + " | ".join(PHASES) + " | contacts, gripped and held | slip in 1 s [m] |")
    print("|---|" + "---:|" * (len(PHASES) + 2))
    for armature in (0.0, 0.1):
        engines: dict[str, Callable[[], list[Batch]]] = {"MuJoCo": partial(arm_in_mujoco, armature)}
        for name, settings in OPTIONS.items():
            engines[name] = partial(arm_in_drystone, armature, settings)
        motions = [{name: run() for name, run in engines.items()} for _ in range(rounds)]
        for name in engines:
            runs = [motion[name] for motion in motions]
            medians = [np.median([np.median([each.micros for each in during(run, phase)]) for run in runs]) for phase in PHASES]
            gripped, held = (during(runs[0], phase) for phase in ("gripped on the floor", "holds"))
            row = [f"{name}, armature {armature:g} kg m²"] + [f"{each:.1f}" for each in medians]
            row += [f"{gripped[-1].contacts}, {held[-1].contacts}", f"{held[-1].below - held[0].below:.1e}"]
            print("| " + " | ".join(row) + " |", flush=True)


def print_linkages(rounds: int) -> None:
    """Prints the table of chains and loops."""
    print("| linkage | engine | time of a step [ms] | error of lengths after 1 s [-] | last rod after 1 s, x and z [m] |")
    print("|---|---|---:|---:|---:|")
    linkages = [(f"chain of {count}", chain(count), GRAVITY) for count in (20, 100, 200, 1000)]
    for title, rods, gravity in [*linkages, ("10 bodies, 3 loops", three_loops(), TILTED)]:
        engines: dict[str, Callable[[], Second]] = {"MuJoCo": partial(linkage_in_mujoco, rods, gravity)}
        engines["drystone"] = partial(linkage_in_drystone, rods, gravity, {})
        seconds = [{name: run() for name, run in engines.items()} for _ in range(rounds)]
        for name in engines:
            runs = [each[name] for each in seconds]
            found = float(np.median([run.millis for run in runs]))
            tip = runs[0].tip
            print(f"| {title} | {name} | {found:.4f} | {runs[0].error:.0e} | {tip[0]:.4f}, {tip[2]:.4f} |", flush=True)


def main(arguments: list[str]) -> None:
    """Prints the tables."""
    rounds = int(arguments[0]) if arguments else 5
    tables = {"arm": print_arm, "linkages": print_linkages}
    for name in arguments[1:] or tables:
        tables[name](rounds)


if __name__ == "__main__":
    main(sys.argv[1:])
