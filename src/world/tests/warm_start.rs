//! Torques of the step before that a step starts from.

use super::scene::{STEP, close, resisting, turning};
use crate::body::{Definition, Kind};
use crate::contact::material::{Material, Pair};
use crate::shape::Shape;
use crate::world::settings::{Method, Projection};
use crate::world::{BodyState, Settings, World};

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
            scene.world.memory.contact_list = Default::default();
        }
        let thrown = BodyState { linear_velocity: [2.0, 0.0, -4.0], ..scene.state(ball) };
        scene.world.set_body_state(ball, &thrown).expect("a state");
        scene.steps(1);
        scene.state(ball)
    };
    assert_eq!(run(false), run(true));
}

/// With a tolerance contacts are swept island by island, in other lanes. A bed at rest has no impact stage that would notice.
#[test]
fn a_bed_at_rest_keeps_its_impulses_where_its_lanes_change() {
    let settings = Settings {
        method: Method::Spook,
        projection: Projection::Off,
        warm_start_factor: 1.0,
        iterations: 50,
        tolerance: 0.0,
        regularisation: 0.0,
        contact_margin: 1e-4,
        ..Settings::default()
    };
    let mut world = World::new(settings, [0.0, 0.0, -10.0]).expect("settings");
    let material = Material { young_modulus: 6e6, ..resisting(0.1, 0.1) };
    let material = world.add_material(material).expect("a material");
    for (normal, offset) in [
        ([0.0, 0.0, 1.0], 0.0),
        ([1.0, 0.0, 0.0], -0.045),
        ([-1.0, 0.0, 0.0], -0.045),
        ([0.0, 1.0, 0.0], -0.045),
        ([0.0, -1.0, 0.0], -0.045),
    ] {
        let shape = world.add_shape(Shape::half_space(normal, offset).expect("a plane")).expect("memory");
        world.add_body(&Definition { kind: Kind::Static, shape, material, ..Definition::default() }).expect("a wall");
    }
    let shape = world.add_shape(Shape::sphere(4.5e-3).expect("a sphere")).expect("memory");
    let mut random = super::digest::words::Random(1);
    let mut off = || random.between(-4.5e-4, 4.5e-4);
    for number in 0..729 {
        let at = |part: i32| 0.01 * f64::from(part % 9) - 0.04;
        let position = [at(number) + off(), at(number / 9) + off(), 9.1e-3 * f64::from(number / 81) + 4.5e-3];
        world.add_body(&Definition { shape, material, position, ..Definition::default() }).expect("a ball");
    }
    (0..400).for_each(|_| _ = world.step(2.5e-3).expect("a step"));
    let before = world.step(2.5e-3).expect("a step");
    assert!(before.residual_max < 1e-12 && before.contacts > 1500, "{before:?}");
    for tolerance in [1e-10, 0.0, 1e-10] {
        world.set_settings(Settings { tolerance, ..settings }).expect("settings");
        let report = world.step(2.5e-3).expect("a step");
        assert!(report.residual_max < 1e-12 && report.new_contacts == 0, "{tolerance}: {report:?}");
    }
}
