"""The arm of `machines.py`: seven hinges and two sliding fingers, which lift a box by friction.

One MJCF model serves both engines. Motors have position targets and bounds of their force, as in a robot. Fingers touch the
box and the box touches the floor; the links of the arm touch nothing.
"""

from __future__ import annotations

import numpy as np

HEIGHT, UPPER, FORE, HAND = 0.36, 0.42, 0.40, 0.12  # of the shoulder above the floor; lengths [m]
REACH, LOW, HIGH = 0.5, 0.20, 0.50  # of the wrist: from the column; lowest and highest above the floor [m]
SIDE, OPEN = 0.08, 0.02  # edge of the box; gap between an open finger and the box [m]
FINGER, PRESS = 4000.0, 0.008  # stiffness of a finger's motor [N/m]; its target inside the box [m]
FRICTION = 0.8
DOWN, CLOSE, LIFT, TURN = (0.1, 0.6), (0.6, 1.0), (1.5, 2.3), (2.3, 3.3)  # when each begins and ends [s]

LENGTHS = (HEIGHT, UPPER / 2, UPPER / 2, FORE / 2, FORE / 2, HAND / 2, HAND / 2)
MASSES = (4.0, 4.0, 3.0, 2.7, 1.7, 1.8, 0.5)
MOTORS = (  # of the hinges: stiffness [N m/rad], damping [N m s/rad], bound [N m]
    (4000, 400, 320),
    (4000, 400, 320),
    (2000, 200, 176),
    (2000, 200, 176),
    (500, 30, 110),
    (500, 30, 40),
    (200, 10, 40),
)


def arm_xml(armature: float = 0.0) -> str:
    """The model. Its hinges turn about z and y alternately; all have this armature [kg m^2]."""
    actuators = [
        f"<position name='hinge{number}' joint='hinge{number}' kp='{stiff}' kv='{damped}' forcerange='-{bound} {bound}'/>"
        for number, (stiff, damped, bound) in enumerate(MOTORS)
    ] + [f"<position name='{name}' joint='{name}' kp='{FINGER}' kv='100' forcerange='-40 40'/>" for name in ("left", "right")]
    return f"""<mujoco><compiler angle='radian'/><option timestep='0.001' integrator='implicitfast' cone='elliptic'/>
    <worldbody><geom type='plane' size='5 5 0.1' contype='0' conaffinity='1' friction='{FRICTION}'/>{_links(armature)}
    <body name='box' pos='{REACH} 0 {SIDE / 2}'><freejoint/>
    <geom type='box' size='{SIDE / 2} {SIDE / 2} {SIDE / 2}' mass='1' contype='1' conaffinity='3' friction='{FRICTION}'/></body>
    </worldbody><actuator>{"".join(actuators)}</actuator></mujoco>"""


def arm_controls(time: float) -> list[float]:
    """Targets of the motors: the wrist goes down, the fingers close, the wrist goes up, the column turns, all is held."""
    drop = HIGH - (HIGH - LOW) * (_smooth(time, DOWN) - _smooth(time, LIFT)) - HEIGHT
    distance = np.hypot(REACH, drop)
    bend = np.arccos((UPPER**2 + distance**2 - FORE**2) / (2 * UPPER * distance))
    upper = float(np.arctan2(drop, REACH) + bend)
    fore = float(np.arctan2(drop - UPPER * np.sin(upper), REACH - UPPER * np.cos(upper)))
    finger = (OPEN + PRESS) * _smooth(time, CLOSE)
    # hinges count from straight up; the hand points down
    turns = (np.pi / 2 * _smooth(time, TURN), np.pi / 2 - upper, 0.0, upper - fore, 0.0, np.pi / 2 + fore, 0.0)
    return [*turns, finger, finger]


def _links(armature: float) -> str:
    """Links inside each other, the fingers in the last one."""
    text, above = "", 0.0
    for number, (length, mass) in enumerate(zip(LENGTHS, MASSES)):
        axis = "0 1 0" if number % 2 else "0 0 1"
        text += f"""<body pos='0 0 {above}'><joint name='hinge{number}' axis='{axis}' armature='{armature}'/>
        <geom type='capsule' size='0.05' fromto='0 0 0 0 0 {length}' mass='{mass}' contype='0' conaffinity='0'/>"""
        above = length
    for name, side in (("left", 1), ("right", -1)):
        text += f"""<body name='{name}' pos='0 {side * (SIDE / 2 + OPEN + 0.01)} {above + 0.06}'>
        <joint name='{name}' type='slide' axis='0 {-side} 0'/>
        <geom type='box' size='0.02 0.01 0.06' mass='0.2' contype='2' conaffinity='0' friction='{FRICTION}'/></body>"""
    return text + "</body>" * len(LENGTHS)


def _smooth(time: float, span: tuple[float, float]) -> float:
    """From 0 to 1 over a span of time, without a jump of the acceleration."""
    s = float(np.clip((time - span[0]) / (span[1] - span[0]), 0, 1))
    return s**3 * (10 - 15 * s + 6 * s * s)
