//! Data of a contact that is read back: arms, lengths of rolling and twisting resistance, and what a host reads of them.

use super::scene::{STEP, Scene, close, resisting, turning};
use crate::body::{Definition, Kind};
use crate::contact::ContactGeometry;
use crate::math::Vec3;
use crate::query::{ACTIVE, ROLLING};
use crate::world::Settings;
use crate::world::sleep::StepContact;

/// The arms of a contact of balls are along its normal, and end where it is.
#[test]
fn arms_of_balls_are_along_the_normal() {
    let mut scene = Scene::new(Settings { contact_margin: 0.1, ..Settings::default() });
    let centers = [[0.1, 0.2, 0.3], [0.7, 0.8, 0.75]];
    for center in centers {
        scene.ball(center);
    }
    scene.steps(1);
    let StepContact { touch, .. } = scene.world.live_contacts().next().expect("a contact");
    let ContactGeometry { arm_a, arm_b, gap, normal, point, local, .. } = touch.geometry;
    for (arm, side) in [(arm_a, 1.0), (arm_b, -1.0)] {
        // Half the gap and the radius, to the round-off of numbers of about 1.
        let length = 0.5 + 0.5 * gap;
        assert!((arm - normal * (side * length)).norm() <= 2e-16, "{arm:?}");
    }
    assert!((Vec3::from(centers[1]) + arm_b - point).norm() <= 4e-16);
    assert_eq!(local, arm_a);
}

fn lengths(scene: &Scene) -> Vec<(f64, f64)> {
    scene.world.live_contacts().map(|contact| (contact.touch.surface.rolling, contact.touch.surface.twisting)).collect()
}

#[test]
fn lengths_are_coefficients_times_the_effective_radius() {
    let mut scene = Scene::new(Settings::default());
    scene.world.set_gravity([0.0; 3]).expect("gravity");
    let material = scene.world.add_material(resisting(0.5, 0.25)).expect("a material");
    let shapes = [
        crate::shape::Shape::sphere(0.25),
        crate::shape::Shape::cuboid([0.5; 3]),
        crate::shape::Shape::capsule(0.5, 0.25),
        crate::shape::Shape::cylinder(0.5, 0.25),
    ];
    for (k, shape) in (0..).zip(shapes) {
        let shape = scene.world.add_shape(shape.expect("a shape")).expect("memory");
        let x = 10.0 * f64::from(k);
        // a fixed one, and a ball of 0.5 m beside it along x: at the side of the upright capsule and cylinder
        scene.add(&Definition {
            kind: Kind::Static,
            shape,
            material,
            position: [x, 0.0, 0.0],
            ..Definition::default()
        });
        let reach = if k == 1 { 1.0 } else { 0.75 };
        scene.add(&Definition { material, ..scene.ball_at([x + reach, 0.0, 0.0]) });
    }
    scene.steps(1);
    // 0.25 0.5 / 0.75 = 1/6, and 1/2 beside the box.
    let (round, flat) = ((1.0 / 12.0, 1.0 / 24.0), (0.25, 0.125));
    let found = lengths(&scene);
    assert_eq!(found.len(), 4);
    for (found, expected) in found.into_iter().zip([round, flat, round, round]) {
        // three roundings
        assert!((found.0 - expected.0).abs() <= 1e-16 && (found.1 - expected.1).abs() <= 1e-16, "{found:?}");
    }
}

#[test]
fn nothing_resists_between_flat_places_or_without_coefficients() {
    let mut scene = Scene::new(Settings::default());
    let material = scene.world.add_material(resisting(0.5, 0.25)).expect("a material");
    scene.add(&Definition { kind: Kind::Static, shape: scene.plane, material, ..Definition::default() });
    let cube = crate::shape::Shape::cuboid([0.5; 3]).expect("a box");
    let cube = scene.world.add_shape(cube).expect("memory");
    scene.add(&Definition { shape: cube, material, mass: 1.0, position: [0.0, 0.0, 0.5], ..Definition::default() });
    // a ball of the default material, whose mean with the floor is 0
    scene.ball([5.0, 0.0, 0.5]);
    scene.steps(1);
    assert_eq!(lengths(&scene), [(0.0, 0.0); 5]);
}

#[test]
fn huge_coefficients_stay_finite() {
    let (mut scene, ball, _) = turning(Settings::default(), resisting(f64::MAX, f64::MAX), [0.0, 4.0, 4.0]);
    scene.steps(3);
    assert_eq!(lengths(&scene), [(0.5 * f64::MAX, 0.5 * f64::MAX)]);
    // The ball cannot turn: it slides, and mu g = 5 m/s^2 slow it down.
    close(scene.velocity(ball), [2.0 - 15.0 * STEP, 0.0, 0.0], 1e-14);
    close(scene.state(ball).angular_velocity, [0.0; 3], 1e-14);
}

/// The spin about the normal is no part of the speed. A force moves the contact point by 7/(2 m), a torque turns the ball by 5/(2 m r^2).
#[test]
fn the_rolling_speed_is_that_of_the_tangential_spin() {
    for (rolling, expected) in [(0.125, 0.5 * 1.4_f64.sqrt()), (0.0, 0.0)] {
        let (mut scene, ball, _) = turning(Settings::default(), resisting(rolling, 0.25), [3.0, 4.0, 4.0]);
        scene.steps(2);
        let [x, y, _] = scene.state(ball).angular_velocity;
        let StepContact { load, .. } = scene.world.live_contacts().next().expect("a contact");
        let expected = expected * x.hypot(y);
        assert!((load.rolling_speed - expected).abs() <= 1e-14, "{} m/s, not {expected}", load.rolling_speed);
    }
}

#[test]
fn what_a_host_reads_of_a_rolling_contact() {
    let (mut scene, ball, _) = turning(Settings::default(), resisting(0.125, 0.25), [0.0, 4.0, 4.0]);
    scene.steps(2);
    let contact = scene.world.contacts().next().expect("a contact");
    // 10 N at 1/16 and 1/8 m, against the spin.
    close(contact.rolling_torque, [0.0, -0.625, -1.25], 1e-14);
    assert_eq!(contact.state, ACTIVE | ROLLING);
    // (5/7) mu_r m g of friction against the motion, whose moment turns the ball on. Its torque is the sum of both.
    close(contact.friction_force, [-6.25 / 7.0, 0.0, 0.0], 1e-14);
    let (force, torque) = scene.world.body_force(ball).expect("a body");
    close(force, [-6.25 / 7.0, 0.0, 10.0], 1e-14);
    close(torque, [0.0, -0.625 + 0.5 * 6.25 / 7.0, -1.25], 1e-14);
    // The same from the contacts one by one, as after the removal of a body.
    let other = scene.ball([9.0; 3]);
    scene.steps(1);
    let before = scene.world.body_force(ball).expect("a body");
    scene.world.remove_body(other).expect("a body");
    let after = scene.world.body_force(ball).expect("a body");
    close(after.0, before.0, 1e-14);
    close(after.1, before.1, 1e-14);
}
