//! Mechanisms whose answer is known.

use super::scene::{Scene, WORLD, flat};
use crate::math::{BodyRow, Vec3};
use crate::solver::mechanism::{BodyImpulse, Port};

#[test]
fn each_joint_of_a_hanging_chain_carries_what_is_below() {
    const FALL: f64 = 0.0981;
    let mut scene = Scene::default();
    let mut before = WORLD;
    for link in 0..20 {
        let top = -0.1 * f64::from(link);
        let own = scene.ball(0.1, 0.05, Vec3::new(0.0, 0.0, top - 0.05));
        scene.hinge([before, own], Vec3::new(0.0, 0.0, top), Vec3::y());
        before = own;
    }
    let weight = scene.ball(100.0, 0.3, Vec3::new(0.0, 0.0, -2.0));
    scene.hinge([before, weight], Vec3::new(0.0, 0.0, -2.0), Vec3::y());
    scene.velocities.iter_mut().for_each(|velocity| velocity.linear.z = -FALL);
    let solved = scene.solve();
    for (joint, lambda) in solved.lambda.chunks(5).enumerate() {
        let expected = FALL * (100.0 + 0.1 * (20 - joint) as f64);
        // Round-off times the ratio of masses.
        assert!((lambda[2] - expected).abs() <= 1e-12 * expected, "joint {joint}: {} {expected}", lambda[2]);
    }
    // The joints turn a link by 10 N s at 0.05 m over 1e-4 kg m^2: two terms of 5e3 rad/s, which cancel up to round-off.
    assert!(flat(&solved.velocities).amax() <= 2e-12);
}

/// An arm of 8 t: swing, boom, stick and bucket on four hinges, each held by a motor.
fn arm() -> Scene {
    let mut scene = Scene::default();
    let swing = scene.ball(2000.0, 1.0, Vec3::new(0.0, 0.0, 1.0));
    let boom = scene.ball(3000.0, 1.5, Vec3::new(2.0, 0.0, 3.0));
    let stick = scene.ball(2000.0, 1.2, Vec3::new(5.0, 0.2, 3.5));
    let bucket = scene.ball(1000.0, 0.6, Vec3::new(6.5, 0.3, 1.5));
    let joints = [
        ([WORLD, swing], Vec3::zeros(), Vec3::z()),
        ([swing, boom], Vec3::new(0.3, 0.0, 1.8), Vec3::y()),
        ([boom, stick], Vec3::new(4.0, 0.1, 4.0), Vec3::y()),
        ([stick, bucket], Vec3::new(6.3, 0.3, 2.2), Vec3::y()),
    ];
    for (pair, point, axis) in joints {
        scene.hinge(pair, point, axis);
        scene.lock_turn(pair, axis);
    }
    scene
}

#[test]
fn an_arm_with_held_motors_does_not_move() {
    let scene = arm();
    let (mut mechanism, bucket) = (scene.mechanism(), BodyRow(3));
    let (mut changes, mut lambda) = (Vec::new(), vec![0.0; scene.rows.len()]);
    let (impulse, arm) = (Vec3::new(-300.0, 0.0, 400.0), Vec3::new(0.4, 0.5, -0.6));
    let hit = BodyImpulse { body: bucket, impulse, moment: arm.cross(&impulse) };
    mechanism.respond(&[hit], &mut changes, &mut lambda).expect("memory");
    // 500 N s on 1 t would be 0.5 m/s.
    assert!(flat(&changes).amax() <= 1e-12, "{changes:?}");
    // The first joint hands the whole impulse to the world, with its moment.
    let force = Vec3::new(lambda[0], lambda[1], lambda[2]);
    assert!((force + impulse).norm() <= 1e-10, "{force}");
    let moment = (scene.centres[bucket] + arm).cross(&impulse);
    let (t1, t2) = crate::math::tangents(&Vec3::z());
    let carried = lambda[3] * t1 + lambda[4] * t2 + lambda[5] * Vec3::z();
    assert!((carried + moment).norm() <= 1e-9, "{carried} {moment}");
}

#[test]
fn half_a_tonne_stops_at_the_bucket() {
    let scene = arm();
    let mut b = Vec::new();
    scene.mechanism().mobility(&scene.problem(), &Port::of_body(BodyRow(3)), &mut b).expect("memory");
    // A plastic hit at 1 m/s along x: the impulse is over the sum of the two mobilities.
    let impulse = 1.0 / (1.0 / 500.0 + b[0]);
    assert!((impulse - 500.0).abs() <= 1e-9, "{impulse}");
    assert!(b.iter().all(|entry| entry.abs() <= 1e-15), "{b:?}");
}

#[test]
fn a_released_motor_gives_the_mobility_of_a_pendulum() {
    // One rod on a hinge: the mobility of its end is arm^2 over the inertia about the hinge.
    let mut scene = Scene::default();
    let rod = scene.ball(2.0, 0.5, Vec3::new(0.7, 0.0, 0.0));
    scene.hinge([WORLD, rod], Vec3::zeros(), Vec3::y());
    let impulse = BodyImpulse { body: rod, impulse: Vec3::z(), moment: Vec3::new(0.3, 0.0, 0.0).cross(&Vec3::z()) };
    let mut changes = Vec::new();
    scene.mechanism().response(impulse, &mut changes).expect("memory");
    let inertia = 0.4 * 2.0 * 0.25 + 2.0 * 0.49;
    let speed = changes[0].at(&Vec3::new(0.3, 0.0, 0.0)).z;
    assert!((speed - 1.0 / inertia).abs() <= 1e-14, "{speed}");
}
