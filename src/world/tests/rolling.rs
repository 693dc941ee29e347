//! Rolling and twisting resistance from materials to motion: lengths, memory, and what a host reads.

use super::scene::{STEP, Scene, close};
use crate::body::{Definition, Kind};
use crate::contact::material::{Material, Pair};
use crate::id::Handle;
use crate::query::contacts::{ACTIVE, ROLLING};
use crate::world::{BodyState, Settings};

/// A ball of 0.5 m and 1 kg on the floor that turns with `spin`, and rolls if that has a part across the vertical. Gravity
/// is 10 m/s^2. The ball and the material of both follow the scene.
fn turning(settings: Settings, material: Material, spin: [f64; 3]) -> (Scene, Handle, Handle) {
    let mut scene = Scene::new(settings);
    let material = scene.world.add_material(material).expect("a material");
    scene.add(&Definition { kind: Kind::Static, shape: scene.plane, material, ..Definition::default() });
    let [x, y, _] = spin;
    let ball = scene.add(&Definition {
        material,
        linear_velocity: [0.5 * y, -0.5 * x, 0.0],
        angular_velocity: spin,
        ..scene.ball_at([0.0, 0.0, 0.5])
    });
    (scene, ball, material)
}

fn resisting(rolling_friction: f64, twisting_friction: f64) -> Material {
    Material { rolling_friction, twisting_friction, ..Material::default() }
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

#[test]
fn torques_are_remembered() {
    // After a step that was solved there is nothing left to sweep.
    let (mut scene, ..) = turning(Settings::default(), resisting(0.125, 0.25), [0.0, 4.0, 4.0]);
    scene.steps(1);
    let settings = Settings { tolerance: 1e-12, ..Settings::default() };
    scene.world.set_settings(settings).expect("settings");
    assert_eq!(scene.world.step(STEP).expect("a step").iterations, 0);
    // Twice the step: twice the impulses.
    assert_eq!(scene.world.step(2.0 * STEP).expect("a step").iterations, 0);
    scene.world.memory.loads.torques[0].fill(0.0);
    assert!(scene.world.step(STEP).expect("a step").iterations > 0, "without it there is something to find");
}

#[test]
fn a_torque_that_nothing_carries_any_more_is_forgotten() {
    let (mut scene, ball, material) = turning(Settings::default(), resisting(0.125, 0.25), [0.0, 4.0, 4.0]);
    scene.steps(1);
    scene.world.set_material_pair(material, material, Pair::default()).expect("a pair");
    let before = scene.state(ball);
    scene.steps(3);
    let after = scene.state(ball);
    close(after.linear_velocity, before.linear_velocity, 1e-15);
    close(after.angular_velocity, before.angular_velocity, 4e-15);
    assert_eq!(scene.world.contacts().next().expect("a contact").rolling_torque, [0.0; 3]);
}

#[test]
fn an_impact_starts_without_the_torque_of_before() {
    let settings = Settings { iterations: 1, ..Settings::default() };
    let run = |forget: bool| {
        let material = Material { restitution: 0.5, ..resisting(0.125, 0.25) };
        let (mut scene, ball, _) = turning(settings, material, [0.0, 4.0, 4.0]);
        scene.steps(1);
        if forget {
            scene.world.memory.touches = Default::default();
        }
        let thrown = BodyState { linear_velocity: [2.0, 0.0, -4.0], ..scene.state(ball) };
        scene.world.set_body_state(ball, &thrown).expect("a state");
        scene.steps(1);
        scene.state(ball)
    };
    assert_eq!(run(false), run(true));
}
