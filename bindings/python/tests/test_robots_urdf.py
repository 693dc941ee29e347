"""Robots from URDF files."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any, Iterator

import numpy as np
import pytest

pytest.importorskip("yourdfpy")
pytest.importorskip("mujoco")

import mujoco

import drystone
from drystone import JointKind, JointMode, Robot, World
from robot_files import ARM, URDFS, arm_in_mujoco, difference, is_first_order, mujoco_positions, positions_after

LINK = '<link name="{}"><inertial><mass value="{}"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>'
LIMIT = '<limit lower="0" upper="0"/>'


@pytest.fixture
def world() -> Iterator[World]:
    with World() as made:
        yield made


def written(folder: Path, text: str) -> Path:
    path = folder / "robot.urdf"
    path.write_text(text, encoding="ascii")
    return path


def two_links(kind: str, rest: str = "", mass: float = 1) -> str:
    """A robot of two links and a joint, which begins at z = 1."""
    joint = f'<joint name="j" type="{kind}"><parent link="a"/><child link="b"/><origin xyz="0 0 1"/><axis xyz="0 0 1"/>{rest}</joint>'
    return f'<robot name="two">{LINK.format("a", 1)}{LINK.format("b", mass)}{joint}</robot>'


def test_masses_frames_and_limits(tmp_path: Path, world: World) -> None:
    robot = drystone.load_urdf(world, written(tmp_path, ARM), fixed_base=True, position=(1, 2, 3), positions={"elbow": 0.7})
    assert list(robot.links) == ["base", "upper", "lower", "hand"] and list(robot.joints) == ["shoulder", "elbow"]
    assert robot.links["hand"] == robot.links["lower"] and robot.fixed == {"base"}
    assert len(robot.pieces["upper"]) == 2 and len(robot.welds) == 1
    assert robot.positions() == pytest.approx([0, 0.7], abs=1e-15)
    # 1.5 kg at x = 0.2 and y = 0.1, and 0.5 kg at 0.1 along a hand turned by 1 rad
    mass, center, inertia = world.mass(robot.links["lower"])
    assert mass == 2
    sphere = np.array([0.2, 0, 0])
    hand = np.array([0.4, 0, 0]) + 0.1 * np.array([np.cos(1), np.sin(1), 0])
    assert center + sphere == pytest.approx((1.5 * np.array([0.2, 0.1, 0]) + 0.5 * hand) / 2, abs=1e-15)
    apart = hand - (0.2, 0.1, 0)
    c, s = np.cos(1), np.sin(1)
    assert inertia[0] == pytest.approx(0.01 + 0.001 * c**2 + 0.002 * s**2 + 0.375 * apart[1] ** 2, rel=1e-12)
    assert inertia[2] == pytest.approx(0.03 + 0.002 + 0.375 * apart @ apart, rel=1e-12)
    assert inertia[3] == pytest.approx((0.001 - 0.002) * c * s - 0.375 * apart[0] * apart[1], rel=1e-12)
    assert inertia[5] == pytest.approx(0.001, rel=1e-12) and inertia[4] == pytest.approx(0, abs=1e-15)
    shoulder = world.joint_axis(robot.joints["shoulder"], 5)
    assert (shoulder.mode, shoulder.lower, shoulder.upper, shoulder.damping) == (JointMode.LIMITED, -2, 2.5, 0.4)
    assert world.joint_axis(robot.joints["elbow"], 5).mode is JointMode.FREE
    assert (robot.drives["shoulder"].effort, robot.drives["shoulder"].velocity) == (80, 3)
    assert robot.drives["elbow"].effort == np.inf
    assert robot.link_pose("base")[:3, 3].tolist() == [1, 2, 3]
    x = np.cos(0.3), np.sin(0.3)
    assert robot.link_pose("upper")[:3, 2] == pytest.approx([0, -x[1], x[0]], abs=1e-15)


def test_the_pieces_of_a_link_have_its_mass(tmp_path: Path, world: World) -> None:
    robot = drystone.load_urdf(world, written(tmp_path, ARM), fixed_base=True)
    states = world.states(robot.pieces["upper"])
    given = [world.mass(drystone.Body(int(body))) for body in robot.pieces["upper"]]
    assert [each.mass for each in given] == [1, 1]
    turns = [mujoco_matrix(state["rotation"]) for state in states]
    centers = [state["position"] + turn @ each.center_of_mass for state, turn, each in zip(states, turns, given)]
    assert centers[0] == pytest.approx(centers[1], abs=1e-15)
    tensors = [turn @ full(each.inertia) @ turn.T for turn, each in zip(turns, given)]
    assert tensors[0] == pytest.approx(tensors[1], abs=1e-15)


def mujoco_matrix(rotation: Any) -> Any:
    """The (3, 3) matrix of a quaternion of drystone, by MuJoCo."""
    made = np.empty(9)
    mujoco.mju_quat2Mat(made, np.roll(rotation, 1))
    return made.reshape(3, 3)


def full(six: Any) -> Any:
    """The (3, 3) inertia of its six numbers."""
    xx, yy, zz, xy, yz, xz = six
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def test_a_pendulum_has_the_period_of_the_closed_form(tmp_path: Path, world: World) -> None:
    text = two_links("continuous").replace('axis xyz="0 0 1"', 'axis xyz="0 1 0"')
    text = text.replace('<mass value="1"/>', '<origin xyz="0 0 -0.5"/><mass value="1"/>')
    robot = drystone.load_urdf(world, written(tmp_path, text), fixed_base=True, positions={"j": 0.01})
    # inertia about the axis 1 + 1 * 0.5^2, moment of the weight 9.81 * 0.5 per radian; the amplitude adds 6e-6 to the period
    period = 2 * np.pi * np.sqrt(1.25 / (9.81 * 0.5))
    crossings, before = [], 0.01
    for number in range(int(2.2 * period / 1e-3)):
        world.step(1e-3)
        now = float(robot.positions()[0])
        if now * before < 0:
            crossings.append((number + now / (now - before) * -1 + 1) * 1e-3)
        before = now
    assert crossings[2] - crossings[0] == pytest.approx(period, rel=2e-5)


def test_an_arm_swings_as_in_mujoco(tmp_path: Path) -> None:
    path = written(tmp_path, ARM)
    expected = mujoco_positions(arm_in_mujoco(), 1e-4, 0.48)
    assert abs(expected["elbow"]) > 1
    errors = []
    for step in (4e-3, 2e-3, 1e-3):
        with World() as world:
            robot = drystone.load_urdf(world, path, fixed_base=True)
            errors.append(difference(positions_after(robot, world, step, 0.48), expected))
    assert is_first_order(errors) and errors[-1] < 5e-3


def test_kinds_of_joints(tmp_path: Path, world: World) -> None:
    slider = drystone.load_urdf(world, written(tmp_path, two_links("prismatic", LIMIT)))
    assert world.joint_definition(slider.joints["j"]).kind is JointKind.SLIDER
    planar = drystone.load_urdf(world, written(tmp_path, two_links("planar")), fixed_base=True, positions={"j:x": 0.5, "j:turn": 1})
    assert list(planar.drives) == ["j:x", "j:y", "j:turn"] and planar.positions() == pytest.approx([0.5, 0, 1])
    floating = drystone.load_urdf(world, written(tmp_path, two_links("floating")), fixed_base=True)
    assert not floating.joints and floating.link_pose("b")[:3, 3].tolist() == [0, 0, 1]
    for _ in range(10):
        world.step(0.01)
    # a step of 0.01 s adds 9.81 * 0.01 m/s before it moves the body: 55 times 0.01^2
    assert floating.link_pose("b")[2, 3] == pytest.approx(1 - 9.81 * 0.0055, rel=1e-9)
    assert floating.link_pose("a")[:3, 3].tolist() == [0, 0, 0]


def test_motors(tmp_path: Path, world: World) -> None:
    robot = drystone.load_urdf(world, written(tmp_path, ARM), fixed_base=True)
    robot.set_position_motors(stiffness=4000, damping={"shoulder": 80, "elbow": 60}, force=500)
    robot.set_targets(positions={"elbow": 0.5})
    for _ in range(1000):
        world.step(0.004)
    assert robot.velocities() == pytest.approx([0, 0], abs=1e-6)
    # the motors hold the weight: a spring's length off their targets
    assert robot.forces() == pytest.approx(4000 * (np.array([0, 0.5]) - robot.positions()), rel=1e-6)
    assert abs(robot.forces()[0]) > 10 and robot.states()["motor_force"].shape == (2, 6)
    robot.set_targets([0.1, 0.2], velocities=np.zeros(2))
    robot.set_velocity_motors({"shoulder": 0.25})
    for _ in range(100):
        world.step(0.004)
    # the links turn about no principal axis: within a step their speed changes by some of speed^2 times the step
    assert robot.velocities()[0] == pytest.approx(0.25, abs=2e-6)
    assert world.joint_axis(robot.joints["shoulder"], 5).force_upper == 80
    robot.set_forces([3, -2])
    world.step(0.004)
    assert robot.forces() == pytest.approx([3, -2], abs=1e-12)
    with pytest.raises(KeyError, match="positions has 'knee', which is not a drive: expected shoulder, elbow"):
        robot.set_targets(positions={"knee": 1})
    with pytest.raises(ValueError, match=re.escape("positions is of shape (3,), expected (2,)")):
        robot.set_targets([1, 2, 3])
    with pytest.raises(ValueError, match="damping lacks 'elbow', expected a value for each of shoulder, elbow"):
        robot.set_position_motors(1, {"shoulder": 1})
    with pytest.raises(KeyError, match="link is 'foot', expected one of base, upper"):
        robot.link_pose("foot")


@pytest.mark.parametrize("self_collision", [False, True])
def test_self_collision(tmp_path: Path, world: World, self_collision: bool) -> None:
    """Of three links in one place the first and the last have no joint: they collide if the robot does with itself."""
    shapes = '<sphere radius="0.2"/>', '<box size="0.3 0.3 0.3"/>'
    ball = "".join(f"<collision><geometry>{shape}</geometry></collision>" for shape in shapes) + "</link>"
    joint = '<joint name="{0}{1}" type="continuous"><parent link="{0}"/><child link="{1}"/><axis xyz="0 0 1"/></joint>'
    links = "".join(LINK.format(name, 1).replace("</link>", ball) for name in "abc")
    text = f'<robot name="three">{links}{joint.format("a", "b")}{joint.format("b", "c")}</robot>'
    robot = drystone.load_urdf(world, written(tmp_path, text), self_collision=self_collision)
    world.step(1e-3)
    owner = {int(body): name for name, bodies in robot.pieces.items() for body in bodies}
    pairs = {tuple(sorted((owner[int(c["body_a"])], owner[int(c["body_b"])]))) for c in world.contacts()}
    assert pairs == ({("a", "c")} if self_collision else set())
    assert len(robot.separators) == (6 if self_collision else 0)


@pytest.mark.parametrize("fixed", [False, True])
def test_a_mesh_is_its_hull_and_of_the_base_itself(tmp_path: Path, world: World, fixed: bool) -> None:
    """A ball in the gap between two tetrahedra touches their hull and not their mesh; the scale makes it 2 m wide."""
    faces = [(1, 3, 2), (1, 2, 4), (2, 3, 4), (3, 1, 4)]
    corners = [(x + a, b, c) for x in (-1, 0.75) for a, b, c in ((0, 0, 0), (0.25, 0, 0), (0, 1, 0), (0, 0, 1))]
    lines = [f"v {x} {y} {z}" for x, y, z in corners]
    lines += ["f " + " ".join(str(corner + add) for corner in face) for add in (0, 4) for face in faces]
    (tmp_path / "gap.obj").write_text("\n".join(lines), encoding="ascii")
    mesh = '<collision><geometry><mesh filename="package://some/gap.obj" scale="2 2 2"/></geometry></collision></link>'
    path = written(tmp_path, two_links("continuous").replace("</link>", mesh, 1))
    robot = drystone.load_urdf(world, path, fixed_base=fixed)
    ball = world.add_body(shape=world.sphere(0.1), position=(0, 0.3, 0.3))
    world.step(1e-3)
    assert {int(each) for each in world.contacts()["body_b"]} == (set() if fixed else {int(ball)})
    world.set_state(ball, position=(1.6, 0.3, 0.3))
    world.step(1e-3)
    assert [int(each) for each in world.contacts()["body_a"]] == [int(robot.links["a"])]
    (tmp_path / "gap.obj").unlink()
    with pytest.raises(FileNotFoundError, match="link 'a' has mesh 'package://some/gap.obj'"):
        drystone.load_urdf(world, path)


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        (two_links("screw"), ValueError, "joint 'j' has type 'screw', expected revolute, "),
        (two_links("revolute"), ValueError, "joint 'j' has no <limit>, which its type 'revolute' needs"),
        (two_links("continuous", mass=0), ValueError, "link 'b' has mass 0 kg; a link that moves needs a mass above 0"),
        (two_links("continuous", '<mimic joint="k"/>'), NotImplementedError, "joint 'j' mimics 'k': coupled joints"),
        (two_links("continuous").replace('child link="b"', 'child link="c"'), ValueError, "joint 'j' has link 'c', which"),
        (two_links("continuous").replace('parent link="a"', 'parent link="b"'), ValueError, "has links ['b'] that no chain"),
        (two_links("continuous").replace("</robot>", LINK.format("c", 1) + "</robot>"), ValueError, "has 2 root links ['a', 'c']"),
        (two_links("continuous").replace('axis xyz="0 0 1"', 'axis xyz="0 0 0"'), ValueError, "joint 'j' has axis [0.0, 0.0, 0.0]"),
        (two_links("continuous").replace('izz="1"', 'izz="3"'), drystone.ArgumentError, "link 'a': dry_body_add: inertia is"),
    ],
)
def test_refusals(tmp_path: Path, world: World, text: str, kind: type, message: str) -> None:
    with pytest.raises(kind, match=re.escape(message)):
        drystone.load_urdf(world, written(tmp_path, text))


def test_other_refusals(tmp_path: Path, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(FileNotFoundError, match="path is 'none.urdf', which is no file"):
        drystone.load_urdf(world, "none.urdf")
    path = written(tmp_path, two_links("continuous", '<mimic joint="k"/>'))
    assert list(drystone.load_urdf(world, path, free_mimic=True).drives) == ["j"]
    with pytest.raises(KeyError, match="positions has 'k', which is no joint that moves: expected j"):
        drystone.load_urdf(world, path, free_mimic=True, positions={"k": 1})
    monkeypatch.setitem(sys.modules, "yourdfpy", None)
    with pytest.raises(ImportError, match=re.escape("load_urdf needs yourdfpy: pip install drystone[robots]")):
        drystone.load_urdf(world, path)


@pytest.mark.parametrize(
    ("file", "fixed", "links", "drives"),
    [
        ("panda_description/urdf/panda.urdf", True, 13, 9),
        ("ur_description/urdf/ur10_robot.urdf", True, 11, 6),
        ("go1_description/urdf/go1.urdf", False, 46, 12),
    ],
)
def test_robots_of_a_package(world: World, file: str, fixed: bool, links: int, drives: int) -> None:
    robot = drystone.load_urdf(world, URDFS / file, fixed_base=fixed, free_mimic=True)
    assert (len(robot.links), len(robot.drives)) == (links, drives)
    robot.set_position_motors(stiffness=300, damping=30)
    for _ in range(100):
        world.step(0.002)
    states = robot.states()
    assert states["linear_error"].max() < 1e-12 and states["angular_error"].max() < 1e-12


def test_go1_stands(world: World) -> None:
    world.add_body(shape=world.half_space((0, 0, 1), 0), kind=drystone.BodyKind.STATIC)
    bent = {f"{leg}_{part}_joint": angle for leg in ("FR", "FL", "RR", "RL") for part, angle in (("thigh", 0.8), ("calf", -1.6))}
    robot: Robot = drystone.load_urdf(world, URDFS / "go1_description/urdf/go1.urdf", position=(0, 0, 0.32), positions=bent)
    robot.set_position_motors(stiffness=200, damping=5)
    feet = [f"{leg}_foot" for leg in ("FR", "FL", "RR", "RL")]
    places = []
    for _ in range(2):
        for _ in range(500):
            world.step(0.002)
        places.append(np.array([robot.link_pose(foot)[:3, 3] for foot in feet]))
    assert robot.link_pose("base")[2, 3] > 0.3
    assert np.abs(places[1] - places[0]).max() < 1e-5
    weight = 9.81 * sum(world.mass(drystone.Body(int(body))).mass for body in world.bodies())
    assert world.contacts()["normal_force"].sum() == pytest.approx(weight, rel=1e-3)
