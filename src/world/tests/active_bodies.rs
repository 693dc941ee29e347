//! The order of the bodies that take part in a step: along the curve, those that impulses move first.

use super::scene::Scene;
use crate::body::{Definition, Kind, Lock};
use crate::world::{BodyState, Settings};

/// The places of the bodies of the solver along x, and how many of them impulses move.
fn order(scene: &Scene) -> (Vec<f64>, usize) {
    let bodies = &scene.world.bodies;
    let slots = scene.world.workspace.index.slots();
    (slots.iter().map(|slot| bodies.motion[*slot as usize].center.x).collect(), scene.world.active_bodies.moving)
}

#[test]
fn moving_bodies_come_first_and_static_ones_only_where_they_are_touched() {
    let mut scene = Scene::new(Settings::default());
    let floor =
        Definition { kind: Kind::Static, shape: scene.plane, position: [100.0, 0.0, 0.0], ..Definition::default() };
    scene.add(&floor);
    let [apart, resting] = [200.0, 300.0].map(|x| Definition { kind: Kind::Kinematic, ..scene.ball_at([x, 0.0, 9.0]) });
    let driven = Definition { linear_velocity: [0.0, 1.0, 0.0], position: [400.0, 0.0, 9.0], ..apart };
    let held = Definition { lock: Lock(63), ..scene.ball_at([500.0, 0.0, 9.0]) };
    for definition in [driven, held, resting, apart] {
        scene.add(&definition);
    }
    for x in [7.0, -3.0, 2.0] {
        scene.ball([x, 0.0, 9.0]);
    }
    scene.steps(1);
    assert_eq!(order(&scene), (vec![-3.0, 2.0, 7.0, 400.0, 500.0], 3));
    scene.ball([9.0, 0.0, 0.5]);
    scene.steps(1);
    assert_eq!(order(&scene), (vec![-3.0, 2.0, 7.0, 9.0, 400.0, 500.0, 100.0], 4), "the floor is touched");
}

#[test]
fn the_order_depends_on_the_places_alone() {
    // The same places after different ways: removed bodies, bodies thrown about, bodies that took a slot over.
    let mut scene = Scene::new(Settings::default());
    let balls = [4.0, 1.0, 3.0, 2.0, 0.0].map(|x| scene.ball([2.0 * x, 0.0, 9.0]));
    scene.steps(2);
    let found = order(&scene).0;
    assert_eq!(found, [0.0, 2.0, 4.0, 6.0, 8.0]);
    scene.world.remove_body(balls[1]).expect("a body");
    scene.floor();
    scene.world.remove_body(balls[4]).expect("a body");
    scene.ball([9.0, 0.0, 9.0]);
    let far = BodyState { position: [-5.0, 0.0, 9.0], ..scene.state(balls[0]) };
    scene.world.set_body_state(balls[0], &far).expect("a state");
    scene.steps(1);
    assert_eq!(order(&scene), (vec![-5.0, 4.0, 6.0, 9.0], 4));
}
