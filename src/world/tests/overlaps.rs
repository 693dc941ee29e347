//! Which bodies a shape would overlap: gaps with a closed form, every kind of shape, images, and what is refused.

use super::periodic::boxed;
use super::scene::{Scene, close};
use crate::body::{Definition, Kind};
use crate::error::Result;
use crate::id::Handle;
use crate::shape::Shape;
use crate::world::{Overlap, Settings, ShapePose, World};

const UPRIGHT: [f64; 4] = [0.0, 0.0, 0.0, 1.0];

fn at(shape: Handle, position: [f64; 3]) -> ShapePose {
    ShapePose { shape, position, rotation: UPRIGHT }
}

fn find(world: &World, poses: &[ShapePose], margin: f64) -> Result<Vec<Overlap>> {
    world.overlaps(poses.iter().copied(), margin)
}

fn found(world: &World, poses: &[ShapePose], margin: f64) -> Vec<(usize, Handle)> {
    let overlaps = find(world, poses, margin).expect("an answer");
    overlaps.iter().map(|overlap| (overlap.pose, overlap.body)).collect()
}

#[test]
fn balls_on_a_floor_have_the_gaps_of_their_centres() {
    let mut scene = Scene::new(Settings::default());
    let (ball, floor) = (scene.ball([0.0, 0.0, 0.5]), scene.floor());
    let sphere = scene.sphere;
    // 0.75 from the ball's centre, and 0.25 above the floor
    let overlaps = find(&scene.world, &[at(sphere, [0.0, 0.75, 0.5]), at(sphere, [0.0, 0.0, 0.25])], 0.0);
    let expected = [(0, ball, -0.25), (1, ball, -0.75), (1, floor, -0.25)];
    let overlaps = overlaps.expect("an answer");
    assert_eq!(overlaps.len(), 3, "the first just touches the floor");
    for (overlap, (pose, body, gap)) in overlaps.iter().zip(expected) {
        assert_eq!((overlap.pose, overlap.body), (pose, body));
        close([overlap.gap, 0.0, 0.0], [gap, 0.0, 0.0], 1e-15);
    }
    assert_eq!(found(&scene.world, &[at(sphere, [0.0, 1.0, 0.5])], 0.0), [], "touching is not overlapping");
    assert_eq!(found(&scene.world, &[at(sphere, [0.0, 1.0, 0.75])], 0.3).len(), 2);
    assert_eq!(found(&scene.world, &[at(sphere, [0.0, 1.0, 0.75])], 0.1), [(0, ball)]);
    assert_eq!(found(&scene.world, &[], 1.0), []);
}

/// Bodies of every kind around a place, and shapes of every kind there: found or not found as detection finds contacts.
#[test]
fn shapes_of_every_kind_are_seen() {
    let corners = [[0.4, 0.0, -0.3], [-0.4, 0.3, -0.3], [-0.4, -0.3, -0.3], [0.0, 0.0, 0.4]];
    let triangles = [[0, 1, 2], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
    let shapes = [
        Shape::sphere(0.4),
        Shape::cuboid([0.3, 0.4, 0.5]),
        Shape::capsule(0.2, 0.3),
        Shape::cylinder(0.3, 0.4),
        Shape::hull(&corners),
        Shape::mesh(&corners, &triangles),
        Shape::half_space([0.0, 0.0, 1.0], 0.0),
    ];
    let turned = [0.0, 0.6, 0.0, 0.8];
    for (number, (shape, other)) in
        shapes.iter().flat_map(|one| shapes.iter().map(move |other| (one, other))).enumerate()
    {
        let [shape, other] = [shape, other].map(|shape| shape.as_ref().expect("a shape").clone());
        let is_hollow = |shape: &Shape| matches!(shape, Shape::Mesh(_) | Shape::HalfSpace(_));
        let none = is_hollow(&shape) && is_hollow(&other);
        let mut scene = Scene::new(Settings::default());
        let [shape, other] = [shape, other].map(|shape| scene.world.add_shape(shape).expect("memory"));
        let still = Definition { kind: Kind::Static, shape, position: [7.0, -3.0, 2.0], ..Definition::default() };
        let body = scene.add(&Definition { rotation: turned, ..still });
        let near = ShapePose { rotation: turned, ..at(other, [7.1, -3.0, 2.1]) };
        let far = at(other, [7.0, 9.0, -20.0]);
        let expected: &[_] = if none { &[] } else { &[(0, body)] };
        let seen = found(&scene.world, &[near], 0.0);
        assert_eq!(seen, expected, "{number}");
        let is_plane = number / 7 == 6 || number % 7 == 6;
        assert!(is_plane || found(&scene.world, &[far], 0.5).is_empty(), "{number}");
    }
}

/// A body that was moved or added since the step is where it is now, asleep or not, whatever it collides with.
#[test]
fn positions_are_those_of_now() {
    let mut scene = Scene::new(Settings::default());
    let first = scene.add(&Definition { filter_mask: 0, ..scene.ball_at([0.0, 0.0, 5.0]) });
    scene.steps(3);
    let moved = scene.state(first);
    scene.world.set_body_state(first, &crate::world::BodyState { position: [9.0, 0.0, 5.0], ..moved }).expect("moved");
    let second = scene.ball([9.0, 0.6, 5.0]);
    let third = scene.ball([9.0, 30.0, 5.0]);
    let poses = [at(scene.sphere, [9.0, 0.3, 5.0]), at(scene.sphere, [0.0, 0.0, 5.0])];
    assert_eq!(found(&scene.world, &poses, 0.0), [(0, first), (0, second)]);
    scene.world.remove_body(first).expect("a body");
    assert_eq!(found(&scene.world, &poses, 0.0), [(0, second)]);
    assert_eq!(found(&scene.world, &[at(scene.sphere, [9.0, 15.0, 5.0])], 14.5), [(0, second), (0, third)]);
}

/// Many poses at once have the answers of one after the other.
#[test]
fn many_poses_are_as_one_after_the_other() {
    for period in [[0.0; 3], [8.0, 8.0, 0.0]] {
        let mut scene = boxed(Settings::default(), period);
        for k in 0..60 {
            let k = f64::from(k);
            scene.ball([(k * 1.7) % 8.0, (k * 2.9) % 8.0, (k * 0.37) % 3.0]);
        }
        scene.floor();
        let poses: Vec<ShapePose> = (0..80)
            .map(|k| at(scene.sphere, [(f64::from(k) * 2.3) % 8.0, (f64::from(k) * 1.1) % 8.0, f64::from(k % 7) * 0.5]))
            .collect();
        let all = find(&scene.world, &poses, 0.125).expect("an answer");
        assert!(all.len() > 100);
        let singly = poses.iter().enumerate().flat_map(|(pose, one)| {
            let overlaps = find(&scene.world, std::slice::from_ref(one), 0.125).expect("an answer");
            overlaps.into_iter().map(move |overlap| Overlap { pose, ..overlap })
        });
        assert_eq!(all, singly.collect::<Vec<_>>());
        // By brute force: all bodies but the floor are balls.
        let nearest = |a: [f64; 3], b: [f64; 3]| {
            let along = |k: usize| {
                let d: f64 = a[k] - b[k];
                if period[k] > 0.0 { d - period[k] * (d / period[k]).round() } else { d }
            };
            (along(0).powi(2) + along(1).powi(2) + along(2).powi(2)).sqrt() - 1.0
        };
        let balls: Vec<[f64; 3]> = scene.world.body_states().take(60).map(|state| state.position).collect();
        let count: usize = poses
            .iter()
            .map(|pose| {
                let near = balls.iter().filter(|ball| nearest(pose.position, **ball) < 0.125).count();
                near + usize::from(pose.position[2] - 0.5 < 0.125)
            })
            .sum();
        assert_eq!(all.len(), count);
    }
}

#[test]
fn images_count() {
    let mut scene = boxed(Settings::default(), [4.0, 8.0, 0.0]);
    let ball = scene.ball([0.25, 0.25, 1.0]);
    let sphere = scene.sphere;
    for position in [[3.75, 0.25, 1.0], [0.25, 7.75, 1.0], [-3.75, 8.25, 1.0], [404.0, -800.0, 1.25]] {
        assert_eq!(found(&scene.world, &[at(sphere, position)], 0.0), [(0, ball)], "{position:?}");
    }
    assert_eq!(found(&scene.world, &[at(sphere, [2.25, 4.25, 1.0])], 0.0), []);
    let error = find(&scene.world, &[at(sphere, [0.0; 3])], 1.5).expect_err("too large a margin").message;
    assert!(error.starts_with("poses[0]: period[0] is 4 m") && error.contains("margin is 1.5 m"), "{error}");
}

#[test]
fn what_cannot_be_is_refused() {
    let mut scene = Scene::new(Settings::default());
    scene.floor();
    let good = at(scene.sphere, [0.0; 3]);
    let message = |poses: &[ShapePose], margin| find(&scene.world, poses, margin).expect_err("refused").message;
    for (pose, word) in [
        (ShapePose { shape: Handle(77), ..good }, "poses[1]: shape"),
        (ShapePose { position: [0.0, f64::NAN, 0.0], ..good }, "poses[1]: position"),
        (ShapePose { position: [0.0, f64::MAX, 0.0], ..good }, "poses[1]: position"),
        (ShapePose { rotation: [0.0; 4], ..good }, "poses[1]: the length of rotation"),
    ] {
        let message = message(&[good, pose], f64::MAX / 2.0);
        assert!(message.starts_with(word), "{message}");
    }
    for margin in [-1e-300, f64::NAN, f64::INFINITY] {
        assert!(message(&[good], margin).starts_with("margin is"), "{margin}");
    }
}
