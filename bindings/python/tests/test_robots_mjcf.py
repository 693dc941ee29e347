"""Robots from models of MuJoCo."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any, Iterator

import numpy as np
import pytest

pytest.importorskip("mujoco")

import mujoco

import drystone
from drystone import JointKind, JointMode, JointMotor, World
from robot_files import (
    GYMNASIUM,
    ROBOTICS,
    difference,
    is_first_order,
    mujoco_positions,
    positions_after,
    random_start,
    without_contacts,
)

# of files that are not those of this project
pytestmark = pytest.mark.filterwarnings("ignore:compiler attribute 'settotalmass':UserWarning")

GEOM = '<geom type="box" size=".1 .15 .2" pos=".3 .2 .1" mass="1" contype="0" conaffinity="0"/>'


@pytest.fixture
def world() -> Iterator[World]:
    with World() as made:
        yield made


def compiled(bodies: str, rest: str = "") -> Any:
    return mujoco.MjModel.from_xml_string(f"<mujoco><worldbody>{bodies}</worldbody>{rest}</mujoco>")


def chained(*joints: str) -> Any:
    """A body with several joints."""
    listed = "".join(f'<joint name="j{number}" {each}/>' for number, each in enumerate(joints))
    return compiled(f'<body name="b" pos="0 0 1" quat="1 .2 .3 .1">{listed}{GEOM}</body>')


HINGE, SLIDE = 'type="hinge" axis="{}" pos=".1 0 .2"', 'type="slide" axis="{}"'
CHAINS = {
    "hinge": ([HINGE.format("1 2 0")], [JointKind.HINGE]),
    "hinge with a reference": ([HINGE.format("1 2 0") + ' ref="40"'], [JointKind.HINGE]),
    "slide": ([SLIDE.format("1 2 3") + ' ref=".3"'], [JointKind.SLIDER]),
    "universal": ([HINGE.format("2 1 1"), HINGE.format("0 -1 1") + ' ref="20"'], [JointKind.UNIVERSAL]),
    "oblique": ([HINGE.format("1 0 0"), HINGE.format("1 1 0")], [JointKind.HINGE, JointKind.HINGE]),
    "hip": ([HINGE.format("1 0 0"), HINGE.format("0 0 1"), HINGE.format("0 1 0")], [JointKind.UNIVERSAL, JointKind.HINGE]),
    "plane": ([SLIDE.format("1 0 0"), SLIDE.format("0 0 1") + ' ref=".5"', HINGE.format("0 1 0")], [JointKind.GENERAL]),
    "plane, otherwise": ([SLIDE.format("0 0 1"), SLIDE.format("1 0 0"), HINGE.format("0 1 0")], [JointKind.GENERAL]),
    "space": ([SLIDE.format("1 0 0"), SLIDE.format("0 1 0"), SLIDE.format("0 0 1")], [JointKind.GENERAL]),
    "screw": ([SLIDE.format("0 0 1"), HINGE.format("0 0 1")], [JointKind.GENERAL]),
    "two slides": ([SLIDE.format("0 1 0"), SLIDE.format("1 0 0")], [JointKind.GENERAL]),
}


@pytest.mark.parametrize("name", CHAINS)
def test_joints_of_one_body(name: str) -> None:
    """The body stands where that of MuJoCo stands, and moves as it does; the error of a ring is below that of these steps."""
    joints, kinds = CHAINS[name]
    model = chained(*joints)
    start = random_start(model) * 0.5
    data = mujoco.MjData(model)
    data.qpos[:] = start
    mujoco.mj_forward(model, data)
    expected = mujoco_positions(model, 1e-4, 0.24, start)
    errors = []
    for step in (4e-3, 2e-3, 1e-3):
        with World() as world:
            robot = drystone.load_mjcf(world, model, qpos=start)
            assert [world.joint_definition(drystone.Joint(int(each))).kind for each in world.joints()] == kinds
            assert robot.positions() == pytest.approx(start, abs=1e-14)
            assert robot.link_pose("b")[:3, 3] == pytest.approx(data.body("b").xpos, abs=1e-14)
            assert robot.link_pose("b")[:3, :3] == pytest.approx(data.body("b").xmat.reshape(3, 3), abs=1e-14)
            errors.append(difference(positions_after(robot, world, step, 0.24), expected))
    assert is_first_order(errors)


def test_three_hinges_share_the_names_of_two_joints(world: World) -> None:
    joints, _ = CHAINS["hip"]
    robot = drystone.load_mjcf(world, chained(*joints))
    assert list(robot.joints) == ["j0", "j1", "j2"] and robot.joints["j0"] == robot.joints["j1"] != robot.joints["j2"]
    assert [(drive.joint, drive.axis) for drive in robot.drives.values()] == [
        (robot.joints["j0"], 3),
        (robot.joints["j0"], 4),
        (robot.joints["j2"], 5),
    ]
    masses = [world.mass(robot.links[name]).mass for name in ("b:ring0", "b")]
    assert masses == pytest.approx([1e-4, 0.9999], rel=1e-12)


def test_a_ball_and_a_free_body(world: World) -> None:
    bodies = f'<body name="b" pos="0 0 1"><joint name="j" type="ball"/>{GEOM}</body><body name="f"><freejoint/>{GEOM}</body>'
    model = compiled(bodies)
    start = [0.5, 0.5, 0.5, 0.5, 1, 2, 3, 0.6, 0.8, 0, 0]
    robot = drystone.load_mjcf(world, model, qpos=start)
    data = mujoco.MjData(model)
    data.qpos[:] = start
    mujoco.mj_forward(model, data)
    for name in ("b", "f"):
        assert robot.link_pose(name)[:3, 3] == pytest.approx(data.body(name).xpos, abs=1e-15)
        assert robot.link_pose(name)[:3, :3] == pytest.approx(data.body(name).xmat.reshape(3, 3), abs=1e-15)
    assert list(robot.joints) == ["j"] and not robot.drives
    assert world.joint_definition(robot.joints["j"]).kind is JointKind.BALL


def test_axes_and_actuators(world: World) -> None:
    joint = '<joint name="{}" range="-20 30" damping=".2" stiffness="3" springref="10" frictionloss=".05" armature=".01"/>'
    body = '<body name="{0}">' + joint.format("{0}") + GEOM + "</body>"
    rest = """<actuator><motor name="m" joint="a" gear="3" ctrlrange="-2 2" forcerange="-1 1"/>
        <position name="p" joint="b" gear="2" kp="5" kv="0.5" forcerange="-4 6"/><velocity name="v" joint="c" kv="0.7" gear="2"/>
        <motor name="again" joint="a"/><muscle name="w" joint="c" ctrlrange="0 1"/></actuator>"""
    model = compiled("".join(body.format(name) for name in "abc"), rest)
    robot = drystone.load_mjcf(world, model)
    axis = world.joint_axis(robot.joints["a"], 5)
    found = axis.mode, axis.lower, axis.upper, axis.damping, axis.stiffness, axis.rest, axis.friction, axis.armature
    wanted = JointMode.LIMITED, np.radians(-20), np.radians(30), 0.2, 3, np.radians(10), 0.05, 0.01
    assert found == pytest.approx(wanted, rel=1e-12)
    assert list(robot.actuators) == ["m", "p", "v"]
    assert robot.ignored == ["actuator 'again' (joint 'a' has another one)", "actuator 'w' (dynamics muscle)"]
    robot.set_controls([5, 0.4, 0.3])
    motor = world.joint_axis(robot.joints["a"], 5)
    assert (motor.force_lower, motor.force_upper) == (3, 3)  # 3 * 2 is more than 3 * 1
    servo = world.joint_axis(robot.joints["b"], 5)
    assert (servo.motor, servo.motor_stiffness, servo.motor_damping) == (JointMotor.POSITION, 20, 2)
    assert (servo.target_position, servo.force_lower, servo.force_upper) == (0.2, -8, 12)
    damper = world.joint_axis(robot.joints["c"], 5)
    assert (damper.damping, damper.force_upper) == pytest.approx((0.2 + 0.7 * 4, 2 * 0.7 * 0.3), rel=1e-12)
    with pytest.raises(KeyError, match="controls has 'x', which is not an actuator: expected m, p, v"):
        robot.set_controls({"x": 1})


def test_controls_act_as_in_mujoco() -> None:
    rest = '<actuator><motor joint="a" gear="3"/><position joint="b" kp="5" kv="0.5" gear="2"/><velocity joint="c" kv="2"/></actuator>'
    bodies = "".join(f'<body><joint name="{name}" axis="1 2 0" armature=".1"/>{GEOM}' for name in "abc") + 3 * "</body>"
    model, controls = compiled(bodies, rest), [0.8, 0.6, 0.7]
    expected = mujoco_positions(model, 1e-4, 0.24, controls=controls)
    errors = []
    for step in (4e-3, 2e-3, 1e-3):
        with World() as world:
            robot = drystone.load_mjcf(world, model)
            robot.set_controls(controls)
            errors.append(difference(positions_after(robot, world, step, 0.24), expected))
    assert is_first_order(errors)


def test_what_collides_with_what(world: World) -> None:
    """Balls in one place: pairs by contype and conaffinity, parents, excludes, and all of them with a body of the host."""
    ball = '<geom type="sphere" size=".1" mass="1" contype="{}" conaffinity="{}" friction="{}"/>'
    kinds = {"a": (1, 1, 0.3), "b": (2, 1, 0.9), "c": (4, 2, 0.5), "d": (0, 0, 1)}
    free = "".join(f'<body name="{name}"><freejoint/>{ball.format(*kind)}</body>' for name, kind in kinds.items())
    chain = "".join(f'<body name="{name}"><joint/>{ball.format(1, 1, 0.2)}' for name in "xyz") + 3 * "</body>"
    model = compiled(free + chain, '<contact><exclude body1="a" body2="z"/></contact>')
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    bodies = [[model.geom_bodyid[geom] for geom in data.contact[each].geom] for each in range(data.ncon)]
    expected = {
        tuple(sorted(model.body(body).name for body in pair)): float(data.contact[each].friction[0])
        for each, pair in enumerate(bodies)
    }
    robot = drystone.load_mjcf(world, model)
    host = world.add_body(shape=world.sphere(0.1))
    world.step(1e-4)
    owner = {int(body): name for name, body in robot.links.items()}
    found = {
        tuple(sorted(owner.get(int(contact[end]), "host") for end in ("body_a", "body_b"))): float(contact["friction"])
        for contact in world.contacts()
    }
    assert {pair for pair in found if "host" in pair} == {tuple(sorted(("host", name))) for name in "abcxyz"} and host
    assert {pair: value for pair, value in found.items() if "host" not in pair} == pytest.approx(expected)
    assert ("x", "z") in expected and ("x", "y") not in expected and ("a", "z") not in expected and ("a", "c") not in expected


def test_shapes(world: World) -> None:
    """Each kind of geom rests on a plane at the height that it has in MuJoCo."""
    sizes = {"sphere": ".1", "capsule": ".1 .2", "cylinder": ".1 .2", "box": ".1 .15 .2", "ellipsoid": ".1 .15 .2"}
    heights = {"sphere": 0.1, "capsule": 0.3, "cylinder": 0.2, "box": 0.2, "ellipsoid": 0.2}
    bodies = "".join(
        f'<body name="{kind}" pos="{number} 0 {heights[kind]}"><joint type="slide" axis="0 0 1"/>'
        f'<geom type="{kind}" size="{size}"/></body>'
        for number, (kind, size) in enumerate(sizes.items())
    )
    model = compiled(f'<geom type="plane" size="1 1 1"/>{bodies}')
    robot = drystone.load_mjcf(world, model)
    for _ in range(50):
        world.step(1e-3)
    for kind, height in heights.items():
        assert robot.link_pose(kind)[2, 3] == pytest.approx(height, abs=1e-4), kind
    assert robot.fixed == {"world"} and len(world.contacts()) >= 5


def test_what_is_ignored(world: World) -> None:
    body = f'<body name="b"><joint name="j" type="ball" damping="1" range="0 30"/><site name="s"/>{GEOM}</body>'
    body += '<geom type="hfield" hfield="h" name="g"/>'
    rest = '<asset><hfield name="h" nrow="2" ncol="2" size="1 1 1 1" elevation="0 0 0 1"/></asset>'
    rest += '<equality><connect name="e" body1="b" anchor="0 0 0"/></equality>'
    rest += '<tendon><spatial name="t"><site site="s"/><site site="w"/></spatial></tendon>'
    robot = drystone.load_mjcf(world, compiled(body + '<site name="w"/><body name="o" mocap="true"/>', rest))
    assert robot.ignored == [
        "geom 'g' (hfield)",
        "damping of ball joint 'j'",
        "range of ball joint 'j'",
        "tendon 't'",
        "equality constraint 'e' (connect)",
        "mocap of body 'o'",
        "2 sites",
    ]


@pytest.mark.parametrize(
    ("path", "drives", "actuators", "ignored"),
    [
        (GYMNASIUM / "ant.xml", 8, 8, []),
        (GYMNASIUM / "humanoid.xml", 17, 17, ["tendon 'left_hipknee'", "tendon 'right_hipknee'"]),
        (ROBOTICS / "fetch/reach.xml", 15, 0, ["equality constraint '' (weld)", "mocap of body 'robot0:mocap'", "2 sites"]),
        (ROBOTICS / "hand/reach.xml", 24, 20, ["tendon 'robot0:T_WRJ1r'"]),
    ],
    ids=lambda each: each.parent.name + "/" + each.stem if isinstance(each, Path) else "",
)
def test_robots_of_a_package(world: World, path: Path, drives: int, actuators: int, ignored: list[str]) -> None:
    """All links stand where MuJoCo has them, and the joints hold while everything moves."""
    model = mujoco.MjModel.from_xml_path(str(path))
    start = random_start(model)
    data = mujoco.MjData(model)
    data.qpos[:] = start
    mujoco.mj_forward(model, data)
    robot = drystone.load_mjcf(world, model, qpos=start)
    assert (len(robot.drives), len(robot.actuators)) == (drives, actuators)
    assert set(ignored) <= set(robot.ignored)
    for body in range(model.nbody):
        pose = robot.link_pose(model.body(body).name or f"body{body}")
        assert pose[:3, 3] == pytest.approx(data.xpos[body], abs=1e-13)
        assert pose[:3, :3] == pytest.approx(data.xmat[body].reshape(3, 3), abs=1e-13)
    moving = sum(float(model.body_mass[body]) for body in range(model.nbody) if model.body(body).name not in robot.fixed)
    assert sum(world.mass(drystone.Body(int(body))).mass for body in world.bodies()) == pytest.approx(moving, rel=1e-12)
    for _ in range(100):
        world.step(0.002)
    assert robot.states()["linear_error"].max() < 1e-5


SWINGING = [GYMNASIUM / "ant.xml", GYMNASIUM / "half_cheetah.xml", ROBOTICS / "hand/reach.xml"]


@pytest.mark.parametrize("path", SWINGING, ids=lambda path: path.stem)
def test_robots_swing_as_in_mujoco(path: Path) -> None:
    model = without_contacts(path)
    expected = mujoco_positions(model, 1e-4, 0.24)
    errors = []
    for step in (4e-3, 2e-3, 1e-3):
        with World() as world:
            robot = drystone.load_mjcf(world, model)
            errors.append(difference(positions_after(robot, world, step, 0.24), expected))
    assert is_first_order(errors)


def test_refusals(tmp_path: Path, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(FileNotFoundError, match="model is 'none.xml', which is no file"):
        drystone.load_mjcf(world, "none.xml")
    path = tmp_path / "wrong.xml"
    path.write_text("<mujoco><worldbody><body><joint type='screw'/></body></worldbody></mujoco>", encoding="ascii")
    with pytest.raises(ValueError, match="screw"):
        drystone.load_mjcf(world, path)
    many = "".join(f'<geom size="1" contype="{1 << bit % 31}" conaffinity="{bit}"/>' for bit in range(1, 33))
    with pytest.raises(NotImplementedError, match="model has 32 pairs of contype, conaffinity, expected 31 at most"):
        drystone.load_mjcf(world, compiled(many))
    with pytest.raises(ValueError, match=re.escape("qpos is of shape (2,), expected (1,)")):
        drystone.load_mjcf(world, chained(HINGE.format("1 0 0")), qpos=[0, 1])
    monkeypatch.setitem(sys.modules, "mujoco", None)
    with pytest.raises(ImportError, match=re.escape("load_mjcf needs mujoco: pip install drystone[robots]")):
        drystone.load_mjcf(world, path)
