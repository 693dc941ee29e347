//! What a periodic box refuses, and what it lets pass.

use super::boxed;
use crate::body::{Definition, Kind};
use crate::error::ErrorKind;
use crate::shape::Shape;
use crate::world::Settings;
use crate::world::tests::scene::Scene;

const TURNED: [f64; 4] = [std::f64::consts::FRAC_1_SQRT_2, 0.0, 0.0, std::f64::consts::FRAC_1_SQRT_2];

#[test]
fn bodies_must_fit_into_half_a_period() {
    // Twice the radius and the margin of 1 mm: 4 r + 2 mm at most 4 m.
    let mut scene = boxed(Settings::default(), [8.0, 4.0, 0.0]);
    let mut add = |radius: f64| {
        let shape = scene.world.add_shape(Shape::sphere(radius).expect("a sphere")).expect("memory");
        scene.world.add_body(&Definition { shape, mass: 1.0, ..Definition::default() })
    };
    add(0.9994).expect("it fits");
    let error = add(0.9996).expect_err("too large");
    assert_eq!(error.kind, ErrorKind::Argument);
    assert!(error.message.contains("period[1] is 4 m") && error.message.contains("0.9996 m"), "{}", error.message);
    // A static box counts as well: its corner is 1.1 m from its middle.
    let shape = scene.world.add_shape(Shape::cuboid([1.1, 0.01, 0.01]).expect("a box")).expect("memory");
    let wall = Definition { kind: Kind::Static, shape, ..Definition::default() };
    assert_eq!(scene.world.add_body(&wall).expect_err("too large").kind, ErrorKind::Argument);
    assert_eq!(scene.world.body_count(), 1, "nothing was added");
}

#[test]
fn a_margin_must_leave_room_for_the_bodies() {
    let mut scene = boxed(Settings::default(), [4.0, 0.0, 0.0]);
    scene.ball([0.0; 3]);
    let with = |contact_margin: f64| Settings { contact_margin, ..Settings::default() };
    scene.world.set_settings(with(1.0)).expect("twice 0.5 m and 1 m are 2 m");
    let error = scene.world.set_settings(with(1.01)).expect_err("too much");
    assert!(error.message.contains("contact_margin is 1.01 m"), "{}", error.message);
    assert_eq!(scene.world.settings().contact_margin, 1.0, "nothing changed");
}

#[test]
fn half_spaces_are_the_same_in_all_images() {
    let mut scene = boxed(Settings::default(), [4.0, 4.0, 0.0]);
    let floor = Definition { kind: Kind::Kinematic, shape: scene.plane, ..Definition::default() };
    let body = scene.world.add_body(&floor).expect("a floor");
    let error = scene.world.add_body(&Definition { rotation: TURNED, ..floor }).expect_err("a wall along y");
    assert_eq!(error.kind, ErrorKind::Argument);
    assert!(error.message.contains("axis 1") && error.message.contains("period[1] is 4 m"), "{}", error.message);
    let turning = Definition { angular_velocity: [0.0, 0.0, 1.0], ..floor };
    assert!(scene.world.add_body(&turning).expect_err("it turns").message.contains("angular_velocity"));
    let mut state = scene.state(body);
    state.linear_velocity = [1.0, 2.0, 0.0];
    scene.world.set_body_state(body, &state).expect("it slides");
    state.rotation = TURNED;
    assert_eq!(scene.world.set_body_state(body, &state).expect_err("a wall").kind, ErrorKind::Argument);
    assert_eq!(scene.state(body).linear_velocity, [1.0, 2.0, 0.0]);
}

#[test]
fn a_box_is_given_to_a_world_without_bodies() {
    let mut scene = Scene::new(Settings::default());
    scene.ball([0.0; 3]);
    assert_eq!(scene.world.period(), [0.0; 3]);
    assert_eq!(scene.world.with_period([4.0; 3]).expect_err("a body").kind, ErrorKind::Argument);
    let world = |lengths| Scene::new(Settings::default()).world.with_period(lengths);
    assert_eq!(world([4.0, 0.0, 2.0]).expect("a box").period(), [4.0, 0.0, 2.0]);
    assert_eq!(world([4.0, -1.0, 2.0]).expect_err("a length").kind, ErrorKind::Argument);
    assert_eq!(world([4.0, 1e-3, 2.0]).expect_err("the margin").kind, ErrorKind::Argument);
}
