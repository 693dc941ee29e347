//! Shapes are shared, and stay while a body has them.

use super::scene::Scene;
use crate::error::ErrorKind;
use crate::shape::Shape;
use crate::world::Settings;

#[test]
fn a_shape_in_use_stays() {
    let mut scene = Scene::new(Settings::default());
    let [one, other] = [0.0, 2.0].map(|x| scene.ball([x, 0.0, 0.0]));
    let sphere = scene.sphere;
    let error = scene.world.remove_shape(sphere).expect_err("two bodies have it");
    assert_eq!(error.kind, ErrorKind::Argument);
    assert!(error.message.contains("2 bodies"), "{error}");
    scene.world.remove_body(one).expect("a body");
    assert!(scene.world.remove_shape(sphere).is_err(), "one still has it");
    scene.world.remove_body(other).expect("a body");
    scene.world.remove_shape(sphere).expect("unused");
    assert_eq!(scene.world.remove_shape(sphere).expect_err("gone").kind, ErrorKind::StaleHandle);
    let definition = scene.ball_at([0.0; 3]);
    assert_eq!(scene.world.add_body(&definition).expect_err("gone").kind, ErrorKind::StaleHandle);
}

#[test]
fn a_new_shape_in_an_old_slot_is_another_one() {
    let mut scene = Scene::new(Settings::default());
    let old = scene.sphere;
    scene.world.remove_shape(old).expect("unused");
    scene.sphere = scene.world.add_shape(Shape::sphere(2.0).expect("sphere")).expect("memory");
    assert_ne!(scene.sphere, old);
    assert_eq!(scene.world.remove_shape(old).expect_err("stale").kind, ErrorKind::StaleHandle);
    // Its size is the new one: 2 m above the floor it touches.
    scene.floor();
    scene.ball([0.0, 0.0, 2.0]);
    scene.steps(1);
    assert_eq!(scene.world.contact_count(), 1);
}

#[test]
fn a_body_handle_is_no_shape() {
    let mut scene = Scene::new(Settings::default());
    let ball = scene.ball([0.0; 3]);
    let error = scene.world.remove_shape(ball).expect_err("a body");
    assert_eq!(error.kind, ErrorKind::StaleHandle);
    assert!(error.message.contains("another kind"), "{error}");
}
