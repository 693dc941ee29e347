//! The end of a step: how bodies of each kind move.

use super::scene::{STEP, Scene, close};
use crate::body::{Definition, Kind};
use crate::world::Settings;

#[test]
fn kinematic_bodies_keep_their_velocity_and_static_ones_do_not_move() {
    let mut scene = Scene::new(Settings::default());
    // A quarter turn about z in 64 steps.
    let rate = std::f64::consts::FRAC_PI_2 / (64.0 * STEP);
    let definition = Definition {
        linear_velocity: [1.0, -2.0, 0.5],
        angular_velocity: [0.0, 0.0, rate],
        ..scene.ball_at([0.0, 0.0, 50.0])
    };
    let driven = scene.add(&Definition { kind: Kind::Kinematic, ..definition });
    let still = scene.add(&Definition { kind: Kind::Static, position: [9.0; 3], ..definition });
    scene.world.set_gravity([0.0, 0.0, -10.0]).expect("gravity");
    scene.steps(64);
    let state = scene.state(driven);
    assert_eq!(state.position, [0.5, -1.0, 50.25]);
    assert_eq!(
        (state.linear_velocity, state.angular_velocity),
        (definition.linear_velocity, definition.angular_velocity)
    );
    // Exact turns, multiplied 64 times.
    let half = 0.5_f64.sqrt();
    close([state.rotation[2], state.rotation[3], state.rotation[0]], [half, half, 0.0], 64.0 * f64::EPSILON);
    assert_eq!(scene.state(still).position, [9.0; 3]);
    assert_eq!(scene.state(still).rotation, [0.0, 0.0, 0.0, 1.0]);
}

#[test]
fn a_body_turns_about_its_centre_of_mass() {
    // The centre of mass is 0.25 m from the shape's origin along x; spinning about z without any force, it stays.
    let mut scene = Scene::new(Settings::default());
    scene.world.set_gravity([0.0; 3]).expect("gravity");
    let body = Definition {
        center_of_mass: [0.25, 0.0, 0.0],
        angular_velocity: [0.0, 0.0, 3.0],
        ..scene.ball_at([1.0, 0.0, 0.0])
    };
    let body = scene.add(&body);
    for _ in 0..100 {
        scene.steps(1);
        let state = scene.state(body);
        let [_, _, z, w] = state.rotation;
        // The origin is at the centre minus 0.25 m along the turned x axis (cos, sin) = (w^2 - z^2, 2 z w).
        let expected = [1.25 - 0.25 * (w * w - z * z), -0.5 * z * w, 0.0];
        close(state.position, expected, 1e-15);
        assert_eq!(state.linear_velocity, [0.0; 3]);
    }
    assert!(scene.state(body).rotation[2] > 0.5, "it turned");
}

#[test]
fn nothing_gains_energy_by_being_pushed_out() {
    // Two balls overlap and hang free: pushed apart by displacement, they are still at rest, and their centre stays.
    let mut scene = Scene::new(Settings::default());
    scene.world.set_gravity([0.0; 3]).expect("gravity");
    let one = scene.ball([0.0, 0.0, 0.0]);
    let other = scene.add(&Definition { mass: 3.0, ..scene.ball_at([0.75, 0.0, 0.0]) });
    scene.steps(1);
    let (a, b) = (scene.state(one).position[0], scene.state(other).position[0]);
    // A fifth of 0.25 m, but at most h times 1 m/s; shares 3 : 1; round-off of 0.75 m.
    let opened = STEP.min(0.05);
    assert!((a + 0.75 * opened).abs() <= 1e-15 && (b - 0.75 - 0.25 * opened).abs() <= 1e-15, "{a} {b}");
    assert_eq!((scene.velocity(one), scene.velocity(other)), ([0.0; 3], [0.0; 3]));
    assert_eq!(scene.force(one), [0.0; 3]);
}
