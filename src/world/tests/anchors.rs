//! Contacts that stick keep their material points together while their bodies turn.

use super::scene::Scene;
use crate::body::{Definition, Kind};
use crate::id::Handle;
use crate::math::{Quat, Quaternion, Vec3};
use crate::query::SLIDING;
use crate::shape::Shape;
use crate::world::{BodyState, Settings};

/// [s]
const STEP: f64 = 1.0 / 240.0;

/// How fast the turntable turns [rad/s], and how far the coin lies from its axis [m].
const SPIN: [f64; 3] = [0.0, 0.0, 3.0];
const DISTANCE: f64 = 0.2;

/// A turntable of this shape about the vertical axis through the origin, with its surface at height 0.
fn turntable(scene: &mut Scene, material: Handle, shape: Shape, depth: f64) -> Handle {
    let shape = scene.world.add_shape(shape).expect("memory");
    let position = [0.0, 0.0, -depth];
    let angular_velocity = SPIN;
    let kind = Kind::Kinematic;
    scene.add(&Definition { kind, shape, material, position, angular_velocity, ..Definition::default() })
}

/// A coin of 20 mm that lies on a turntable, a plane, and turns with it. Table and coin follow the scene.
fn coin(settings: Settings, friction: f64) -> (Scene, Handle, Handle) {
    let mut scene = Scene::new(settings);
    let material = scene.material(friction, 0.0);
    let plane = Shape::half_space([0.0, 0.0, 1.0], 0.0).expect("a plane");
    let table = turntable(&mut scene, material, plane, 0.0);
    let coin = on_table(&mut scene, material, Shape::cylinder(0.002, 0.02).expect("a cylinder"));
    (scene, table, coin)
}

/// Puts a body of this shape on the turntable, which it follows.
fn on_table(scene: &mut Scene, material: Handle, shape: Shape) -> Handle {
    let shape = scene.world.add_shape(shape).expect("memory");
    scene.add(&Definition {
        shape,
        material,
        mass: 0.01,
        position: [DISTANCE, 0.0, 0.002],
        linear_velocity: [0.0, SPIN[2] * DISTANCE, 0.0],
        angular_velocity: SPIN,
        ..Definition::default()
    })
}

fn rotation(state: &BodyState) -> Quat {
    let [x, y, z, w] = state.rotation;
    Quat::new_unchecked(Quaternion::new(w, x, y, z))
}

/// Where a body is, seen from another one [m].
fn seen_from(scene: &Scene, table: Handle, body: Handle) -> Vec3 {
    let (table, body) = (scene.state(table), scene.state(body));
    rotation(&table).inverse() * (Vec3::from(body.position) - Vec3::from(table.position))
}

/// Steps so many times, and returns how far a body moved over the table [m].
fn drift(scene: &mut Scene, [table, body]: [Handle; 2], steps: usize) -> f64 {
    let start = seen_from(scene, table, body);
    for _ in 0..steps {
        scene.world.step(STEP).expect("a step");
    }
    (seen_from(scene, table, body) - start).norm()
}

/// Each of 1e5 steps rounds places of 0.2 m: 3e-17 m times the root of their number is 1e-14 m.
#[test]
fn a_coin_stays_where_it_lies_on_a_turntable() {
    let (mut scene, table, coin) = coin(Settings::default(), 0.8);
    let drift = drift(&mut scene, [table, coin], 100_000);
    assert!(drift < 1e-12, "the coin moved by {drift:e} m");
}

#[test]
fn a_box_stays_where_it_lies_on_a_turntable() {
    let mut scene = Scene::new(Settings::default());
    let material = scene.material(0.8, 0.0);
    let table = turntable(&mut scene, material, Shape::cuboid([1.0, 1.0, 0.05]).expect("a box"), 0.05);
    let body = on_table(&mut scene, material, Shape::cuboid([0.02, 0.03, 0.002]).expect("a box"));
    let drift = drift(&mut scene, [table, body], 10_000);
    assert!(drift < 1e-12, "the box moved by {drift:e} m");
}

#[test]
fn a_coin_stays_with_substeps() {
    let (mut scene, table, coin) = coin(Settings { substeps: 4, ..Settings::default() }, 0.8);
    let drift = drift(&mut scene, [table, coin], 1000);
    assert!(drift < 1e-12, "the coin moved by {drift:e} m");
}

#[test]
fn a_coin_slides_off_where_friction_is_too_small() {
    // It would take 0.18 of the weight to hold it.
    let (mut scene, table, coin) = coin(Settings::default(), 0.15);
    drift(&mut scene, [table, coin], 100);
    let distance = seen_from(&scene, table, coin).xy().norm() - DISTANCE;
    assert!(distance > 1e-3, "the coin is {distance} m further out");
    assert!(scene.world.anchors.all.is_empty(), "what slides has no anchor");
}

/// The anchor is that of the place to which the host moved it.
#[test]
fn a_coin_stays_where_the_host_moves_it() {
    let (mut scene, table, coin) = coin(Settings::default(), 0.8);
    drift(&mut scene, [table, coin], 10);
    let mut state = scene.state(coin);
    // Small enough that it could be what a step missed, and with the velocity of the table there.
    (state.position[0], state.linear_velocity[1]) = (state.position[0] + 1e-6, state.linear_velocity[1] + 3e-6);
    scene.world.set_body_state(coin, &state).expect("a state");
    let drift = drift(&mut scene, [table, coin], 100);
    assert!(drift < 1e-10, "the coin moved by {drift:e} m");
}

/// Rolls a body of 1 kg and 0.5 m about the y axis at 10 rad/s on the floor. Returns by how much its path differs from the length of the arc
/// that touched, after each of `steps` steps of several substeps [m].
fn rolled(shape: Shape, substeps: u32, steps: usize) -> Vec<f64> {
    let mut scene = Scene::new(Settings { substeps, ..Settings::default() });
    scene.floor();
    let shape = scene.world.add_shape(shape).expect("memory");
    let half = 0.5_f64.sqrt();
    let body = scene.add(&Definition {
        shape,
        mass: 1.0,
        position: [0.0, 0.0, 0.5],
        // the z axis of the shape lies along y
        rotation: [half, 0.0, 0.0, half],
        linear_velocity: [5.0, 0.0, 0.0],
        angular_velocity: [0.0, 10.0, 0.0],
        ..Definition::default()
    });
    let mut slips = vec![];
    let mut slip = 0.0;
    for _ in 0..steps {
        let before = scene.state(body);
        scene.world.step(STEP).expect("a step");
        let after = scene.state(body);
        let turn = rotation(&after) * rotation(&before).inverse();
        let angle = 2.0 * turn.imag().y.atan2(turn.w);
        slip += after.position[0] - before.position[0] - 0.5 * angle;
        slips.push(slip);
    }
    slips
}

/// A wheel and a capsule slip by some um in the steps in which they begin to stick, then no more. A ball never slips. 2400 steps of 20 mm.
#[test]
fn what_rolls_keeps_its_arc_equal_to_its_path() {
    let shapes = [
        ("a ball", Shape::sphere(0.5), 0),
        ("a wheel", Shape::cylinder(0.1, 0.5), 10),
        ("a capsule", Shape::capsule(0.5, 0.5), 10),
    ];
    for (name, shape, begin) in shapes {
        for substeps in [1, 3] {
            let slips = rolled(shape.clone().expect(name), substeps, 2400);
            let farthest =
                slips[begin..].iter().fold(0.0, |farthest: f64, slip| farthest.max((slip - slips[begin]).abs()));
            // Positions of 50 m and angles have round-off of 1e-14.
            assert!(farthest < 1e-11, "{name} slips by {farthest:e} m with {substeps} substeps");
        }
    }
}

/// Friction of 0.18 of the weight holds the coin, in every part of a step.
#[test]
fn friction_turns_the_velocity_evenly_over_the_substeps() {
    let (mut scene, table, coin) = coin(Settings { substeps: 8, ..Settings::default() }, 0.2);
    let start = seen_from(&scene, table, coin);
    for _ in 0..300 {
        scene.world.step(1.0 / 30.0).expect("a step");
    }
    let drift = (seen_from(&scene, table, coin) - start).norm();
    assert!(drift < 1e-12, "the coin moved by {drift:e} m");
}

/// Two boxes on each other, and one whose corners carry different loads: friction at the bound of one corner is no sliding.
#[test]
fn a_stack_rides_on_a_turntable() {
    let mut scene = Scene::new(Settings::default());
    let material = scene.material(0.8, 0.0);
    let table = turntable(&mut scene, material, Shape::cuboid([1.0, 1.0, 0.05]).expect("a box"), 0.05);
    let shape = scene.world.add_shape(Shape::cuboid([0.05, 0.03, 0.02]).expect("a box")).expect("memory");
    let boxes = [0.02, 0.06].map(|height| {
        scene.add(&Definition {
            shape,
            material,
            mass: 1.0,
            position: [DISTANCE, 0.0, height],
            linear_velocity: [0.0, SPIN[2] * DISTANCE, 0.0],
            angular_velocity: SPIN,
            ..Definition::default()
        })
    });
    let start = boxes.map(|body| seen_from(&scene, table, body));
    for step in 0..1200 {
        scene.world.step(1.0 / 60.0).expect("a step");
        for contact in scene.world.contacts() {
            assert_eq!(contact.state & SLIDING, 0, "step {step}: {contact:?}");
        }
    }
    for (body, start) in boxes.into_iter().zip(start) {
        let drift = (seen_from(&scene, table, body) - start).norm();
        assert!(drift < 1e-12, "a box moved by {drift:e} m");
    }
}

/// To set the state that was read moves nothing, though it rounds the rotation.
#[test]
fn a_state_that_is_set_again_keeps_the_anchor() {
    let (mut scene, table, coin) = coin(Settings::default(), 0.8);
    let start = seen_from(&scene, table, coin);
    for _ in 0..1000 {
        let state = scene.state(coin);
        scene.world.set_body_state(coin, &state).expect("a state");
        scene.world.step(STEP).expect("a step");
    }
    assert!(scene.world.anchors.all.iter().all(|anchor| anchor.holds), "every contact has stuck since the first step");
    let drift = (seen_from(&scene, table, coin) - start).norm();
    assert!(drift < 1e-10, "the coin moved by {drift:e} m");
}

/// A wheel needs no friction to roll on, at any speed, also where it turns too far in a step for an anchor.
#[test]
fn a_wheel_that_rolls_is_free() {
    let mut scene = Scene::new(Settings::default());
    scene.floor();
    let shape = scene.world.add_shape(Shape::cylinder(0.1, 0.5).expect("a cylinder")).expect("memory");
    let half = 0.5_f64.sqrt();
    let spins = [24.0, 59.0, 61.0, 100.0];
    let wheels = spins.map(|spin: f64| {
        scene.add(&Definition {
            shape,
            mass: 1.0,
            position: [0.0, spin, 0.5],
            rotation: [half, 0.0, 0.0, half],
            linear_velocity: [0.5 * spin, 0.0, 0.0],
            angular_velocity: [0.0, spin, 0.0],
            ..Definition::default()
        })
    });
    for _ in 0..120 {
        scene.world.step(1.0 / 60.0).expect("a step");
        for (wheel, spin) in wheels.iter().zip(spins) {
            let state = scene.state(*wheel);
            // Round-off of the velocity, over the step.
            assert!(scene.force(*wheel)[0].abs() < 1e-9, "{spin} rad/s: {:?} N", scene.force(*wheel));
            assert!((state.linear_velocity[0] - 0.5 * spin).abs() < 1e-10, "{spin} rad/s: {:?}", state.linear_velocity);
        }
    }
}

/// A top of 0.1 kg on a tip of 1 um, tilted by 0.3 rad, precesses about its tip. Its centre of mass turns about the tip.
#[test]
fn the_tip_of_a_top_stays() {
    let mut scene = Scene::new(Settings::default());
    let material = scene.material(0.8, 0.0);
    scene.add(&Definition { kind: Kind::Static, shape: scene.plane, material, ..Definition::default() });
    let tip = scene.world.add_shape(Shape::sphere(1e-6).expect("a ball")).expect("memory");
    let tilt: f64 = 0.3;
    let top = scene.add(&Definition {
        shape: tip,
        material,
        mass: 0.1,
        center_of_mass: [0.0, 0.0, 0.03],
        inertia: [1e-4, 1e-4, 6e-5, 0.0, 0.0, 0.0],
        position: [0.0, 0.0, 1e-6],
        rotation: [(0.5 * tilt).sin(), 0.0, 0.0, (0.5 * tilt).cos()],
        angular_velocity: [0.0, -150.0 * tilt.sin(), 150.0 * tilt.cos()],
        ..Definition::default()
    });
    for _ in 0..4000 {
        scene.world.step(1e-3).expect("a step");
        let [x, y, _] = scene.state(top).position;
        // Ten times the tip: it rolls and sinks a little while the axis wobbles.
        assert!(x.hypot(y) < 2e-5, "the tip moved by {:e} m", x.hypot(y));
    }
}
