"""Worlds: every call, with what it must answer."""

from __future__ import annotations

import copy
import pickle
import re
import subprocess
import sys

import numpy as np
import pytest

import drystone
from drystone import BodyKind, ContactState, Lock, Projection, Settings, SolverKind, World
from scenes import BALL_MASS, Scene


def test_the_floor_carries_the_ball(scene: Scene) -> None:
    weight = BALL_MASS * 9.81
    force, torque = scene.world.body_force(scene.ball)
    # the gap is zero, so that the first step holds the ball to round-off
    assert force == pytest.approx([0, 0, weight], rel=1e-12, abs=1e-9)
    assert torque == pytest.approx([0, 0, 0], abs=1e-9)
    assert scene.world.body_force(scene.floor).force == pytest.approx([0, 0, -weight], rel=1e-12, abs=1e-9)


def test_the_period_of_a_world_is_known_however_it_was_made() -> None:
    period = (4.0, 0.0, 8.1)
    with World() as open_world, World(period=period, gravity=(1, 2, 3)) as world:
        assert open_world.period.tolist() == [0, 0, 0] and world.period.tolist() == [*period]
        world.period[0] = 9  # of a copy
        world.configure(sleeping=True, substeps=3, iterations=7)
        world.add_body(shape=world.sphere(0.5), material=world.add_material(density=7))
        world.step(0.1)
        for made in (world.copy(), World.from_snapshot(world.snapshot()), pickle.loads(pickle.dumps(world))):
            assert made.period.tolist() == [*period]
        world.restore(open_world.snapshot())
        assert world.period.tolist() == [0, 0, 0]
        open_world.restore(made.snapshot())
        assert open_world.copy().period.tolist() == [*period]


def test_balls_touch_across_the_side_of_a_periodic_box() -> None:
    forces = []
    for x in (1.0, -3.0, 17.0):
        with World(gravity=(0, 0, 0), period=(4, 0, 8)) as world:
            ball = world.sphere(0.5)
            first = world.add_body(shape=ball, linear_velocity=(1, 0, 0))
            world.add_body(shape=ball, position=(x, 0, 0))
            world.step(0.01)
            assert world.contacts()["point"][0] == pytest.approx([0.5, 0, 0], abs=1e-12)
            forces.append(world.body_force(first).force)
    assert forces[0][0] < -1 and np.array_equal(forces[0], forces[1]) and np.array_equal(forces[0], forces[2])
    with World(period=(1.5, 0, 0)) as world, pytest.raises(ValueError, match=re.escape("period[0] is 1.5 m")):
        world.add_body(shape=world.sphere(0.5))
    with pytest.raises(ValueError, match=re.escape("period[2] is -1")):
        World(period=(0, 0, -1))


def test_report(scene: Scene) -> None:
    report = scene.steps(1)
    assert (report.bodies, report.contacts, report.islands, report.new_contacts) == (2, 1, 1, 0)
    assert report.worst_contact == scene.world.contacts()["key"][0]
    assert report.flags == drystone.ReportFlag(0)
    assert report.seconds_total > 0


def test_contacts(scene: Scene) -> None:
    contacts = scene.world.contacts()
    assert contacts.shape == (1,) and contacts.dtype == drystone.CONTACT_DTYPE
    contact = contacts[0]
    assert {contact["body_a"], contact["body_b"]} == {scene.floor, scene.ball}
    assert contact["point"] == pytest.approx([0, 0, 0], abs=1e-12)
    assert contact["normal_force"] == pytest.approx(BALL_MASS * 9.81, rel=1e-12)
    assert ContactState(int(contact["state"])) & ContactState.ACTIVE


def test_arrays_of_the_caller_are_written(scene: Scene) -> None:
    room = np.zeros(5, drystone.CONTACT_DTYPE)
    contacts = scene.world.contacts(out=room)
    assert len(contacts) == 1 and contacts.base is room and room["key"][0] == contacts["key"][0]
    states = np.zeros(2, drystone.BODY_STATE_DTYPE)
    assert np.shares_memory(scene.world.states(out=states), states)
    assert states["position"][1] == pytest.approx([0, 0, 0.5], abs=1e-9)
    bodies = np.zeros(9, np.uint64)
    assert scene.world.bodies(out=bodies).tolist() == [scene.floor, scene.ball]
    some = scene.world.states([scene.ball], out=states)
    assert len(some) == 1 and some["position"][0, 2] == states["position"][0, 2] == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("room", "kind", "message"),
    [
        (np.zeros(5), TypeError, "out is of type float64, expected structures (body_a, body_b, key, ...)"),
        (np.zeros(5, drystone.BODY_STATE_DTYPE), TypeError, "out is of type structures (position,"),
        (np.zeros(9, drystone.CONTACT_DTYPE)[::2], ValueError, "out is not contiguous"),
        (np.zeros((2, 2), drystone.CONTACT_DTYPE), ValueError, "out is of shape (2, 2), expected (0,)"),
        ([1, 2], TypeError, "out is a list, expected a numpy array"),
        (np.zeros(0, drystone.CONTACT_DTYPE), drystone.CapacityError, "capacity"),
    ],
)
def test_arrays_that_cannot_be_written(scene: Scene, room: np.ndarray, kind: type, message: str) -> None:
    with pytest.raises(kind, match=re.escape(message)):
        scene.world.contacts(out=room)


def test_arrays_that_must_not_be_written(scene: Scene) -> None:
    room = np.zeros(5, drystone.CONTACT_DTYPE)
    room.setflags(write=False)
    with pytest.raises(ValueError, match="out is read-only, expected"):
        scene.world.contacts(out=room)
    with pytest.raises(ValueError, match=re.escape("out is of shape (1,), expected (2,), or longer")):
        scene.world.states(out=np.zeros(1, drystone.BODY_STATE_DTYPE))


def test_arrays_outlive_the_world() -> None:
    with World() as world:
        scene = Scene(world)
        scene.steps(1)
        states, contacts = world.states(), world.contacts()
    assert states["position"][1, 2] == pytest.approx(0.5)
    assert contacts["normal_force"][0] > 0


def test_inputs_may_be_anything_that_fits(scene: Scene) -> None:
    spread = np.zeros((3, 2))
    spread[:, 0] = (0, 0, -5)
    scene.world.set_gravity(spread[:, 0])  # not contiguous: copied
    scene.world.set_gravity(np.float32([0, 0, -5]))
    scene.world.set_gravity((0, 0, -5))
    scene.steps(1)
    assert scene.world.body_force(scene.ball).force[2] == pytest.approx(BALL_MASS * 5, rel=1e-9)


@pytest.mark.parametrize(
    ("gravity", "kind", "message"),
    [
        ((0, 0), ValueError, "gravity is of shape (2,), expected (3,)"),
        ([[0, 0, 1]], ValueError, "gravity is of shape (1, 3), expected (3,)"),
        ("abc", TypeError, "gravity is of type <U3, expected numbers"),
        ((0, 0, 1j), TypeError, "gravity is of type complex128, expected numbers"),
        ((0, 0, None), TypeError, "gravity is of type object, expected numbers"),
        ((0, 0, float("nan")), drystone.NotFiniteError, "gravity[2] is NaN"),
    ],
)
def test_inputs_that_do_not_fit(scene: Scene, gravity: object, kind: type, message: str) -> None:
    with pytest.raises(kind, match=re.escape(message)):
        scene.world.set_gravity(gravity)


def test_many_bodies_at_once() -> None:
    with World() as world:
        definitions = drystone.body_defs(1000, shape=world.sphere(0.1), user_data=5)
        definitions["position"][:, 0] = np.arange(1000)
        bodies = world.add_bodies(definitions)
        assert bodies.dtype == np.uint64 and bodies.tolist() == world.bodies().tolist()
        assert world.states()["position"][:, 0].tolist() == list(range(1000))
        assert world.states(bodies[::-1])["position"][0, 0] == 999
        assert world.user_data(bodies[17]) == 5
        definitions["mass"][3] = -1
        with pytest.raises(drystone.ArgumentError, match=re.escape("defs[3]: mass is -1")):
            world.add_bodies(definitions)
        assert len(world.bodies()) == 1000
        assert world.add_bodies(drystone.body_defs(0)).size == 0


def test_definitions_with_gaps_between_them_are_copied() -> None:
    with World() as world:
        definitions = drystone.body_defs(4, shape=world.sphere(0.1))
        definitions["position"][:, 2] = [1, 2, 3, 4]
        world.add_bodies(definitions[::2])
        assert world.states()["position"][:, 2].tolist() == [1, 3]
        with pytest.raises(TypeError, match="definitions is of type float64, expected an array of structures"):
            world.add_bodies(np.zeros(3))


def test_shapes() -> None:
    corners = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    with World() as world:
        # volumes times 1000 kg/m^3
        shapes = {
            world.sphere(1): 4 / 3 * np.pi,
            world.box((1, 2, 3)): 48,
            world.capsule(1, 1): 4 / 3 * np.pi + 2 * np.pi,
            world.cylinder(1, 1): 2 * np.pi,
            world.hull(corners): 8,
        }
        for shape, volume in shapes.items():
            mass = world.mass(world.add_body(shape=shape)).mass
            assert mass == pytest.approx(1000 * volume, rel=1e-9)
        triangles = np.array([(0, 1, 2), (1, 2, 3)])  # int64: turned into uint32
        mesh = world.mesh(corners[:4], triangles)
        assert world.mass(world.add_body(shape=mesh, kind=BodyKind.STATIC)).mass == 0
        with pytest.raises(drystone.UnsupportedError, match="mesh"):
            world.add_body(shape=mesh)
        with pytest.raises(ValueError, match="triangles has -1, expected 0 to 4294967295"):
            world.mesh(corners, triangles - 1)
        with pytest.raises(TypeError, match="triangles is of type float64, expected integers"):
            world.mesh(corners, triangles * 0.5)
        with pytest.raises(drystone.ArgumentError, match=re.escape("triangles[")):
            world.mesh(corners[:4], triangles + 1)
        with pytest.raises(ValueError, match=re.escape("points is of shape (8,), expected (n, 3)")):
            world.hull(corners[:, 0])
        square = world.nurbs_curve([(-1, -1), (1, -1), (1, 1), (-1, 1)], range(5), degree=1, weights=np.full(4, 2.0))
        found = world.closest(square, (3, 0.5, 0.25))
        assert (found.distance, list(found.foot), list(found.normal)) == (2, [1, 0.5, 0.25], [1, 0, 0])
        locks = Lock.Z | Lock.ROTATION_X | Lock.ROTATION_Y
        assert world.mass(world.add_body(shape=square, lock=locks)).mass == pytest.approx(4000)
        with pytest.raises(drystone.UnsupportedError, match="DRY_LOCK_Z"):
            world.add_body(shape=square)
        with pytest.raises(drystone.ArgumentError, match="crosses or touches itself"):
            world.nurbs_curve([(0, 0), (1, 1), (1, 0), (0, 1)], range(5), degree=1)
        with pytest.raises(drystone.ArgumentError):
            world.remove_shape(mesh)
        spare = world.sphere(1)
        world.remove_shape(spare)
        with pytest.raises(drystone.StaleHandleError):
            world.add_body(shape=spare)


def test_state(scene: Scene) -> None:
    scene.world.set_state(scene.ball, position=(1, 2, 3), linear_velocity=(0, 0, 4))
    state = scene.world.state(scene.ball)
    assert state.position.tolist() == [1, 2, 3] and state.rotation.tolist() == [0, 0, 0, 1]
    state.angular_velocity[2] = 7
    scene.world.set_state(scene.ball, state, position=(0, 0, 9))
    after = scene.world.state(scene.ball)
    assert after.angular_velocity[2] == 7 and after.linear_velocity[2] == 4 and after.position[2] == 9
    assert state.position[2] == 3
    with pytest.raises(drystone.ArgumentError, match="rotation"):
        scene.world.set_state(scene.ball, rotation=(0, 0, 0, 2))


def test_mass_and_forces() -> None:
    with World(gravity=(0, 0, 0)) as world:
        inertia = (2, 2, 2, 0, 0, 0)
        body = world.add_body(shape=world.sphere(1), mass=2, inertia=inertia, lock=Lock.X | Lock.ROTATION_Y)
        mass = world.mass(body)
        assert (mass.mass, mass.inertia.tolist()) == (2, list(map(float, inertia)))
        world.add_force(body, (1, 2, 4))
        world.add_force(body, (0, 0, 4), point=(0, 0, 0))
        world.add_torque(body, (1, 1, 6))
        world.step(0.5)
        state = world.state(body)
        # v = F h / m, w = T h / I, none of it along what is locked
        assert state.linear_velocity == pytest.approx([0, 0.5, 2], abs=1e-12)
        assert state.angular_velocity == pytest.approx([0.25, 0, 1.5], abs=1e-12)
        assert world.energy().kinetic > 0


def test_materials_and_pairs() -> None:
    with World() as world:
        scene = Scene(world)
        ice, rubber = world.add_material(friction=0.0), world.add_material(friction=0.9)
        world.remove_body(scene.floor)
        world.add_body(shape=scene.ground, kind=BodyKind.STATIC, material=ice)
        world.set_state(scene.ball, linear_velocity=(1, 0, 0))
        other = world.add_body(shape=scene.sphere, material=rubber, position=(5, 0, 0.5))
        world.set_pair(ice, rubber, friction=0.25)
        scene.steps(1)
        found = {int(contact["body_b"]): contact["friction"] for contact in world.contacts()}
        found |= {int(contact["body_a"]): contact["friction"] for contact in world.contacts()}
        assert found[scene.ball] == 0 and found[other] == 0.25
        with pytest.raises(drystone.StaleHandleError, match="second is .* expected a material"):
            world.set_pair(ice, np.uint64(scene.sphere), friction=1)


def test_settings() -> None:
    with World(settings=Settings(iterations=7), gravity=(0, 0, -2)) as world:
        assert world.settings().iterations == 7
        world.configure(solver=SolverKind.NEWTON, sleeping=True, tolerance=1e-9)
        settings = world.settings()
        assert (settings.solver, settings.sleeping, settings.iterations) == (SolverKind.NEWTON, True, 7)
        settings.iterations = 9
        assert world.settings().iterations == 7
        world.set_settings(settings)
        assert world.settings().iterations == 9
        with pytest.raises(drystone.ArgumentError, match="relaxation is 3"):
            world.configure(relaxation=3)
        with pytest.raises(TypeError, match="no member 'iteration'"):
            world.configure(iteration=3)  # type: ignore[call-arg]
        with pytest.raises(drystone.UnsupportedError, match="solver is DRY_SOLVER_CONIC, which needs the friction_law DRY_FRICTION_ASSOCIATED"):
            world.configure(solver=SolverKind.CONIC)


def test_sleep() -> None:
    with World(settings=Settings(sleeping=True)) as world:
        scene = Scene(world)
        scene.steps(240)
        assert not world.is_awake(scene.ball) and world.is_awake(scene.floor)
        world.wake(scene.ball)
        assert world.is_awake(scene.ball)


def test_a_step_that_does_not_converge_is_undone() -> None:
    settings = Settings(require_convergence=True, tolerance=1e-14, iterations=1, projection=Projection.OFF)
    with World(settings=settings) as world:
        world.add_body(shape=world.half_space((0, 0, 1), 0), kind=BodyKind.STATIC)
        box = world.box((0.5, 0.5, 0.5))
        for height in range(5):
            world.add_body(shape=box, position=(0.1 * height, 0, 0.5 + height))
        before = world.hash()
        with pytest.raises(drystone.NotConvergedError, match="tolerance") as caught:
            for _ in range(100):
                before = world.hash()
                world.step(1 / 60)
        assert caught.value.report.residual_max > 1e-14
        assert caught.value.status is drystone.Status.ERR_NOT_CONVERGED
        assert world.hash() == before


def test_stress(scene: Scene) -> None:
    stress = scene.world.stress((-1, -1, -1), (1, 1, 1))
    contact = scene.world.contacts()[0]
    # the branch ends at the contact point on the floor's side: l = (0, 0, 0.5) f = (0, 0, mg), V = 8
    assert stress[2, 2] == pytest.approx(-0.5 * contact["normal_force"] / 8, rel=1e-9)
    with pytest.raises(drystone.ArgumentError):
        scene.world.stress((0, 0, 0), (1, 0, 1))


def test_the_same_calls_give_the_same_bits() -> None:
    hashes = set()
    for threads in (1, 1, 2):
        with World(threads=threads) as world:
            scene = Scene(world, position=(0, 0, 0.6))
            scene.steps(50)
            hashes.add(world.hash())
    assert len(hashes) == 1


def test_snapshots_and_copies_go_on_alike(scene: Scene) -> None:
    scene.steps(5)
    world, saved = scene.world, scene.world.snapshot()
    others = [
        copy.copy(world),
        copy.deepcopy(world),
        pickle.loads(pickle.dumps(world)),
        drystone.World.from_snapshot(saved, threads=2),
    ]
    for _ in range(3):
        assert {other.hash() for other in others} == {world.hash()}
        for each in [world, *others]:
            each.step(0.01)
    world.restore(saved)
    assert world.snapshot() == saved and world.hash() != others[0].hash()
    with pytest.raises(drystone.FormatError, match="checksum"):
        world.restore(saved[:100] + bytes([saved[100] ^ 1]) + saved[101:])
    with pytest.raises(drystone.FormatError, match="expected at least 40"):
        world.restore(b"abc")
    assert world.snapshot() == saved


RESTARTED = """
import sys
import drystone
world = drystone.World.from_snapshot(sys.stdin.buffer.read(), threads=int(sys.argv[1]))
for _ in range(50):
    world.step(0.01)
print(world.hash())
"""


@pytest.mark.parametrize("threads", [1, 2])
def test_another_process_goes_on_alike(scene: Scene, threads: int) -> None:
    scene.steps(50)
    command = [sys.executable, "-c", RESTARTED, str(threads)]
    other = subprocess.run(command, input=scene.world.snapshot(), capture_output=True, check=True)
    for _ in range(50):
        scene.world.step(0.01)
    assert int(other.stdout) == scene.world.hash()


def test_stale_handles(scene: Scene) -> None:
    scene.world.remove_body(scene.ball)
    for call in (scene.world.state, scene.world.body_force, scene.world.remove_body, scene.world.mass):
        with pytest.raises(drystone.StaleHandleError, match="body"):
            call(scene.ball)
    with pytest.raises(LookupError):
        scene.world.states([scene.floor, scene.ball])
    with pytest.raises(ValueError, match="body is 18446744073709551616, expected 0 to 18446744073709551615"):
        scene.world.state(2**64)  # type: ignore[arg-type]


def test_use_after_close() -> None:
    world = World()
    scene = Scene(world)
    world.close()
    world.close()
    assert world.closed
    for call in (world.bodies, world.contacts, world.hash, world.settings, lambda: world.step(0.1)):
        with pytest.raises(drystone.ClosedError, match="World is closed"):
            call()
    with pytest.raises(ValueError):
        world.state(scene.ball)
    with pytest.raises(drystone.ClosedError), world:
        pass


def test_errors_have_the_message_of_the_library() -> None:
    with World() as world:
        with pytest.raises(drystone.ArgumentError) as caught:
            world.sphere(-1)
        assert caught.value.status is drystone.Status.ERR_ARGUMENT
        assert caught.value.message == str(caught.value)
        assert "radius" in caught.value.message and "-1" in caught.value.message
        with pytest.raises(drystone.NotFiniteError):
            world.step(float("inf"))
        assert {kind.number for kind in drystone.Error.__subclasses__()} == set(drystone.Status) - {0}


def test_overlaps(scene: Scene) -> None:
    world = scene.world
    ball = world.sphere(0.25)
    other = world.add_body(shape=world.box((0.5, 0.5, 0.5)), position=(3, 0, 5))
    places = [(3, 0, 5.625), (30, 0, 5), (3, 0.7, 5)]
    found = world.overlaps(ball, places)
    assert found["pose"].tolist() == [0, 2] and (found["body"] == other).all()
    assert found["gap"] == pytest.approx([-0.125, -0.05], abs=1e-14)
    assert len(world.overlaps(ball, [(3, 0, 5.75)])) == 0, "touching is not overlapping"
    assert len(world.overlaps(ball, [(3, 0, 5.75)], margin=0.1)) == 1
    assert world.overlaps([ball, ball], places[:2], 2 * [(0, 0, 0, 1)]).tolist() == found[:1].tolist()
    assert len(world.overlaps(ball, np.empty((0, 3)))) == 0
    # more than there is room for at first
    bodies = world.add_bodies(drystone.body_defs(100, shape=ball, position=(9, 9, 9)))
    assert world.overlaps(ball, [(9, 9, 9)])["body"].tolist() == bodies.tolist()
    with pytest.raises(drystone.ArgumentError, match="margin is -1"):
        world.overlaps(ball, places, margin=-1)
    with pytest.raises(drystone.StaleHandleError, match=r"poses\[0\]: shape"):
        world.overlaps(drystone.Shape(7), places)
    with pytest.raises(ValueError, match="rotations is of shape"):
        world.overlaps(ball, places, [(0, 0, 0, 1)])


def test_contacts_have_the_force_of_an_impact() -> None:
    with World(gravity=(0, 0, 0)) as world:
        world.configure(method=drystone.Method.SPOOK, tolerance=1e-14, iterations=1000)
        bouncing = world.add_material(friction=0, restitution=0.5, young_modulus=6e6)
        ball = world.sphere(0.5)
        for x, speed in ((0, 1), (1, 0)):
            world.add_body(shape=ball, mass=1, material=bouncing, position=(x, 0, 0), linear_velocity=(speed, 0, 0))
        world.step(0.01)
        assert 0.01 * world.contacts()["impact_force"] == pytest.approx(np.array([[0.75, 0, 0]]), abs=1e-12)
        world.step(0.01)
        assert not world.contacts()["impact_force"].any()
