//! Torques of the step before that a step starts from.

use super::scene::{STEP, close, resisting, turning};
use crate::contact::material::{Material, Pair};
use crate::world::{BodyState, Settings};

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
