"""Joints of worlds: every call, with what it must answer."""

from __future__ import annotations

import re
from typing import Iterator

import numpy as np
import pytest

import drystone
from drystone import Joint, JointDef, JointFlag, JointKind, JointMode, JointMotor, World
from scenes import BALL_MASS, Scene

WEIGHT = BALL_MASS * 9.81


@pytest.fixture
def hung() -> Iterator[tuple[World, drystone.Body, Joint]]:
    """A ball on a hinge through its centre, along y."""
    with World() as world:
        ball = world.add_body(shape=world.sphere(0.5), position=(1, 0, 4))
        placed = world.place_joint(JointDef(kind=JointKind.HINGE, body_b=ball), (1, 0, 4), (0, 1, 0))
        yield world, ball, world.add_joint(placed, user_data=7)


def test_a_fixed_ball_hangs() -> None:
    with World() as world:
        world.configure(iterations=500, tolerance=1e-14)
        ball = world.add_body(shape=world.sphere(0.5), position=(1, 0, 4))
        fixed = world.place_joint(JointDef(kind=JointKind.FIXED, body_b=ball), (0, 0, 4), (0, 0, 1), (1, 0, 0))
        assert fixed.point_b.tolist() == [-1, 0, 0]
        joint = world.add_joint(fixed)
        for _ in range(20):
            world.step(1 / 240)
        state = world.joint_state(joint)
        assert state.force == pytest.approx([0, 0, WEIGHT], rel=1e-9, abs=1e-6)
        assert state.torque == pytest.approx([0, -WEIGHT, 0], rel=1e-9, abs=1e-6)
        assert state.flags == JointFlag(0) and state.axis_flags.tolist() == [0] * 6
        force, torque = world.body_joint_force(ball)
        assert force == pytest.approx(state.force, rel=1e-12, abs=1e-9)
        assert torque == pytest.approx([0, 0, 0], abs=1e-6)
        assert world.body_force(ball).force.tolist() == [0, 0, 0]


def test_definitions(hung: tuple[World, drystone.Body, Joint]) -> None:
    world, ball, joint = hung
    definition = world.joint_definition(joint)
    assert (definition.kind, definition.body_a, definition.body_b) == (JointKind.HINGE, 0, ball)
    assert definition.user_data == 7 and repr(joint).startswith("Joint(")
    assert JointDef(kind=JointKind.GENERAL).kind is JointKind.GENERAL and JointDef().length_max == np.inf
    kept = definition.copy()
    moved = world.place_joint(definition, (1, 0, 4), (0, 2, 0), reference=(0, 0, 1))
    assert definition.rotation_b.tolist() == kept.rotation_b.tolist() != moved.rotation_b.tolist()
    world.set_joint_frames(joint, moved)
    assert world.joint_definition(joint).rotation_b.tolist() == moved.rotation_b.tolist()
    with pytest.raises(drystone.ArgumentError, match="axis"):
        world.place_joint(definition, (1, 0, 4), (0, 0, 0))
    with pytest.raises(TypeError, match=re.escape("JointDef.kind is 'ball', expected JointKind.BALL, ")):
        JointDef(kind="ball")  # type: ignore[arg-type]


def test_axes_and_motors(hung: tuple[World, drystone.Body, Joint]) -> None:
    world, _, joint = hung
    world.set_joint_axis(joint, 5, motor=JointMotor.VELOCITY, target_velocity=2, mode=JointMode.LIMITED, upper=0.1)
    axis = world.joint_axis(joint, 5)
    assert (axis.motor, axis.mode, axis.upper, axis.lower) == (JointMotor.VELOCITY, JointMode.LIMITED, 0.1, -np.inf)
    world.step(0.01)
    assert world.joint_state(joint).velocity[5] == pytest.approx(2)
    world.set_joint_axis(joint, 5, force_upper=5)
    for _ in range(50):
        world.step(0.01)
    state = world.joint_state(joint)
    assert state.position[5] == pytest.approx(0.1) and state.limit_force[5] == pytest.approx(-5)
    assert JointFlag(int(state.axis_flags[5])) == JointFlag.AT_UPPER | JointFlag.SATURATED
    world.set_joint_target(joint, 5, 0, -1)
    assert world.joint_axis(joint, 5).target_velocity == -1
    axis.friction = 3
    world.set_joint_axis(joint, 5, axis, ratio=0.5)
    assert (world.joint_axis(joint, 5).friction, world.joint_axis(joint, 5).ratio, axis.ratio) == (3, 0.5, 0)
    with pytest.raises(drystone.ArgumentError, match="index is 2, expected one of"):
        world.joint_axis(joint, 2)


def test_switching_off_and_removing(hung: tuple[World, drystone.Body, Joint]) -> None:
    world, ball, joint = hung
    world.set_joint_enabled(joint, False)
    assert world.joint_state(joint).flags == JointFlag.DISABLED
    world.set_joint_enabled(joint, True)
    assert world.joint_state(joint).flags == JointFlag(0)
    assert world.body_joints(ball).tolist() == world.joints().tolist() == [joint]
    world.remove_joint(joint)
    assert world.joints().size == 0
    with pytest.raises(drystone.StaleHandleError, match="joint"):
        world.joint_state(joint)
    with pytest.raises(TypeError, match="expected a Joint"):
        world.remove_joint(ball)  # type: ignore[arg-type]


def test_a_rod() -> None:
    with World() as world:
        ball = world.add_body(shape=world.sphere(0.5), position=(0, 0, 2))
        rod = world.place_joint_points(JointDef(kind=JointKind.DISTANCE, body_b=ball), (0, 0, 4), (0, 0, 2))
        assert rod.length_min == rod.length_max == 2
        joint = world.add_joint(rod)
        world.step(0.01)
        assert world.joint_state(joint).position[0] == pytest.approx(2, rel=1e-12)
        with pytest.raises(drystone.ArgumentError, match="DRY_JOINT_DISTANCE"):
            world.place_joint_points(JointDef(kind=JointKind.BALL, body_b=ball), (0, 0, 4), (0, 0, 2))


def test_many_joints_at_once() -> None:
    with World(gravity=(0, 0, 0)) as world:
        bodies = drystone.body_defs(100, shape=world.sphere(0.1))
        bodies["position"][:, 0] = np.arange(100)
        definitions = drystone.joint_defs(100, kind=JointKind.HINGE)
        definitions["body_b"] = world.add_bodies(bodies)
        definitions["point_a"] = bodies["position"]
        joints = world.add_joints(definitions)
        assert joints.tolist() == world.joints().tolist()
        for joint in joints:
            world.set_joint_axis(joint, 5, motor=JointMotor.VELOCITY)
        axes = np.full(100, 5)
        speeds = np.linspace(-1, 1, 100)
        world.set_joint_targets(joints, axes, velocities=speeds)
        world.step(0.01)
        states = world.joint_states()
        assert states.dtype == drystone.JOINT_STATE_DTYPE and states["velocity"][:, 5] == pytest.approx(speeds)
        room = np.zeros(3, drystone.JOINT_STATE_DTYPE)
        some = world.joint_states(joints[[7, 3]], out=room)
        assert len(some) == 2 and np.shares_memory(some, room)
        assert some["velocity"][:, 5].tolist() == states["velocity"][[7, 3], 5].tolist()
        world.set_joint_targets(joints[:2], [5, 5], positions=[3, 4])
        assert world.joint_axis(joints[1], 5).target_position == 4
        assert world.joint_axis(joints[1], 5).target_velocity == speeds[1]
        with pytest.raises(drystone.NotFiniteError, match=re.escape("positions[1] is NaN")):
            world.set_joint_targets(joints[:2], [5, 5], positions=[0, np.nan])
        with pytest.raises(ValueError, match=re.escape("indices is of shape (1,), expected (2,)")):
            world.set_joint_targets(joints[:2], [5])
        definitions["break_force"][3] = -1
        with pytest.raises(drystone.ArgumentError, match=re.escape("defs[3]: break_force is -1")):
            world.add_joints(definitions)
        assert len(world.joints()) == 100


def swinging(world: World) -> Joint:
    """A motor that turns a ball to a bound."""
    ball = world.add_body(shape=world.sphere(0.5), position=(1, 0, 4))
    hinge = world.place_joint(JointDef(kind=JointKind.HINGE, body_b=ball), (1, 0, 4), (0, 1, 0))
    joint = world.add_joint(hinge)
    bounds = {"mode": drystone.JointMode.LIMITED, "lower": -1, "upper": 0.1}
    world.set_joint_axis(joint, 5, motor=JointMotor.VELOCITY, target_velocity=2, force_upper=5, **bounds)
    return joint


def test_events() -> None:
    with World() as world:
        joint = swinging(world)
        weak = world.add_body(shape=world.sphere(0.5), position=(4, 0, 4))
        fixed = world.place_joint(JointDef(kind=JointKind.FIXED, body_b=weak, break_force=1), (4, 0, 4), (0, 0, 1))
        broken = world.add_joint(fixed)
        assert world.joint_events().size == 0
        found = []
        for _ in range(200):
            world.step(0.01)
            found += world.joint_events().tolist()
        assert found == [(broken, drystone.JointEventType.BROKEN, 0), (joint, drystone.JointEventType.LIMIT, 5)]
        assert world.joint_events().dtype == drystone.JOINT_EVENT_DTYPE


def test_a_record_is_what_single_steps_read() -> None:
    with World() as world, World() as other:
        joint, same = swinging(world), swinging(other)
        record = world.record_joints(0.01, 20)
        assert record.shape == (20, 1) and record.dtype == drystone.JOINT_STATE_DTYPE
        for after in record:
            other.step(0.01)
            assert after.tobytes() == other.joint_states([same]).tobytes()
        room = np.zeros((9, 2), drystone.JOINT_STATE_DTYPE)
        some = world.record_joints(0.01, 3, [joint, joint], out=room)
        assert some.shape == (3, 2) and np.shares_memory(some, room)
        assert not np.any(room["position"][3:]) and np.all(some["position"][:, 0, 5] > 0)
        assert world.record_joints(0.01, 0).shape == (0, 1)
        assert world.record_joints(0.01, 2, []).shape == (2, 0)
        with pytest.raises(ValueError, match=re.escape("out is of shape (9, 2), expected (3, 1)")):
            world.record_joints(0.01, 3, out=room)
        with pytest.raises(ValueError, match="steps is -1"):
            world.record_joints(0.01, -1)
        with pytest.raises(drystone.ArgumentError, match="step is -1"):
            world.record_joints(-1, 3)


def test_joints_go_with_their_bodies(scene: Scene) -> None:
    joint = scene.world.add_joint(kind=JointKind.BALL, body_a=scene.floor, body_b=scene.ball)
    scene.world.remove_body(scene.ball)
    assert scene.world.joints().size == 0
    with pytest.raises(drystone.StaleHandleError):
        scene.world.joint_definition(joint)
