"""What type checkers must accept, and what they must not: mypy complains of an `ignore` that hides nothing."""

import numpy as np

import drystone
from drystone import granular, masonry
from drystone import BodyDef, BodyKind, Compatibility, JointDef, JointKind, JointMotor, Settings, Solver, SolverKind, World

with World(gravity=(0, 0, -9.81), settings=Settings(solver=SolverKind.NEWTON)) as world:
    ball = world.sphere(0.5)
    body = world.add_body(shape=ball, position=(0, 0, 1), kind=BodyKind.DYNAMIC)
    bodies = world.add_bodies(drystone.body_defs(3, shape=ball))
    state = world.state(bodies[0])
    state.position = np.zeros(3)
    height: float = world.states()["position"][:, 2].max()
    force: float = world.body_force(body).force[2]
    kind: BodyKind = BodyDef().kind
    world.configure(iterations=50, compatibility=Compatibility.HOOKE)
    report = world.step(1 / 240)
    overlap: float = report.max_overlap

    hinge = world.add_joint(world.place_joint(JointDef(kind=JointKind.HINGE, body_b=body), (0, 0, 1), (0, 1, 0)))
    world.set_joint_axis(hinge, 5, motor=JointMotor.VELOCITY, target_velocity=2)
    world.set_joint_targets([hinge], [5], velocities=np.ones(1))
    torque: float = world.joint_state(hinge).motor_force[5]
    turned: float = world.joint_states()["position"][:, 5].max()

    diameters = granular.sizes.log_normal(0.02, 0.2, 0.01, 0.04, by="mass").sample(10, seed=1)
    cloud = granular.packings.random_box((0, 0, 0), (1, 1, 1), diameters, 1, periodic=True)
    dense = granular.packings.grown_box((0, 0, 0), (1, 1, 1), diameters, 1, periodic=(True, True, False))
    round_cloud = granular.packings.grown_cylinder((0, 0, 0), 1, 1, diameters, 1, gap=0.001)
    reach: float = max(cloud.max(), dense.max(), round_cloud.max())
    source = granular.Emitter([ball], [0.5], (0, 0), (2, 2), 5, rate=10)
    grains = source.emit(world, 1.0)
    z: float = granular.statistics.coordination(world.contacts(), grains).mean
    granular.tables.write("grains.txt", granular.tables.grains_of(world, grains, np.full(len(grains), 0.5), [0] * len(grains)))

    pressed: float = masonry.interfaces(world)["normal_force"].max()
    masonry.write("forces.csv", masonry.interfaces(world))

    masonry.write(3, masonry.interfaces(world))  # type: ignore[arg-type]
    granular.Emitter([ball], [0.5], (0, 0), (2, 2), 5, speed=10)  # type: ignore[call-arg]
    granular.sizes.uniform("1", 2)  # type: ignore[arg-type]
    granular.packings.random_box((0, 0, 0), (1, 1, 1), diameters, 1, periodic="x")  # type: ignore[arg-type]
    world.joint_state(body)  # type: ignore[arg-type]
    world.set_joint_axis(hinge, 5, moter=3)  # type: ignore[call-arg]
    world.state(ball)  # type: ignore[arg-type]
    world.add_body(shape=body)  # type: ignore[arg-type]
    world.add_body(shape=ball, positon=(0, 0, 1))  # type: ignore[call-arg]
    world.configure(solver=3)  # type: ignore[arg-type]
    world.step("1")  # type: ignore[arg-type]
    Settings(iteration=3)  # type: ignore[call-arg]
    drystone.raw.library.dry_world_step(None, 1.0)  # type: ignore[call-arg]

with Solver() as solver:
    solution = solver.solve(0.01, np.zeros(1, drystone.PROBLEM_BODY_DTYPE))
    speeds: list[float] = solution.velocities[:, 0].tolist()
    solver.solve(0.01)  # type: ignore[call-arg]
