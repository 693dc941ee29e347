//! Worlds in a periodic box: contacts with images are those of the bodies side by side.

mod gas;
mod refused;

use super::scene::{Scene, close};
use crate::body::{Definition, Kind};
use crate::id::Handle;
use crate::math::{Period, Vec3};
use crate::shape::Shape;
use crate::world::{ContactReport, Settings, World};

/// A scene in a box of 4 m along some axes, without gravity.
pub(super) fn boxed(settings: Settings, period: [f64; 3]) -> Scene {
    let mut scene = Scene::new(settings);
    scene.world.set_gravity([0.0; 3]).expect("gravity");
    scene.world = scene.world.with_period(period).expect("a box");
    scene
}

/// Settings whose answers do not depend on the order of contacts.
pub(super) fn converged() -> Settings {
    Settings { iterations: 20_000, tolerance: 1e-15, ..Settings::default() }
}

pub(super) fn contacts(world: &World) -> Vec<ContactReport> {
    world.contacts().collect()
}

/// Two balls of radius 0.5 m that meet at 1 m/s.
fn meeting(first: [f64; 3], second: [f64; 3]) -> (Scene, [Handle; 2]) {
    let mut scene = boxed(Settings::default(), [4.0, 8.0, 0.0]);
    let one = Definition { linear_velocity: [0.5, 0.25, 0.0], ..scene.ball_at(first) };
    let other = Definition { linear_velocity: [-0.5, 0.0, 0.125], ..scene.ball_at(second) };
    let balls = [one, other].map(|ball| scene.add(&ball));
    scene.steps(1);
    (scene, balls)
}

#[test]
fn balls_that_touch_across_a_side_are_as_two_in_the_middle() {
    let (middle, [a, b]) = meeting([1.5, 1.0, 1.0], [2.5, 1.0, 1.0]);
    let expected = contacts(&middle.world);
    assert_eq!(expected.len(), 1);
    assert!(expected[0].normal_force > 1.0);
    // The second ball on the other side of the box, or whole periods away along both axes.
    for shift in [[4.0, 0.0], [-4.0, 0.0], [-4.0, 16.0], [64.0, -8.0]] {
        let (across, balls) = meeting([1.5, 1.0, 1.0], [2.5 + shift[0], 1.0 + shift[1], 1.0]);
        let found = contacts(&across.world);
        assert_eq!(found, expected, "powers of two: the same bits, and the point beside the first ball");
        assert_eq!(balls.map(|ball| across.force(ball)), [a, b].map(|ball| middle.force(ball)));
        let moved = across.state(balls[1]).position;
        close(moved, [0, 1, 2].map(|k| middle.state(b).position[k] + [shift[0], shift[1], 0.0][k]), 1e-13);
    }
}

/// A column on a half-space, whose balls stand in different images of one place.
#[test]
fn a_column_stands_across_the_side() {
    let mut scene = boxed(converged(), [4.0, 4.0, 0.0]);
    scene.world.set_gravity([0.0, 0.0, -10.0]).expect("gravity");
    let floor = scene.floor();
    let shifts = [0.0, -4.0, 4.0, 40.0, 0.0];
    let balls: Vec<Handle> = (0..5).map(|k| scene.ball([shifts[k], shifts[4 - k], 0.5 + k as f64])).collect();
    scene.steps(20);
    close(scene.force(floor), [0.0, 0.0, -50.0], 1e-9);
    for (k, ball) in balls.iter().enumerate() {
        let contact =
            contacts(&scene.world).into_iter().find(|contact| contact.body_b == *ball || contact.body_a == *ball);
        assert!(contact.is_some(), "{k}");
        close(scene.velocity(*ball), [0.0; 3], 1e-9);
    }
    assert_eq!(contacts(&scene.world).len(), 5);
}

/// Boxes, whose points the narrow phase finds, and a ball whose centre of mass is not at its middle.
#[test]
fn other_shapes_touch_across_a_side() {
    let run = |shift: [f64; 3], swap: bool| {
        let mut scene = boxed(converged(), [4.0, 0.0, 8.0]);
        scene.world.set_gravity([0.0, -10.0, 0.0]).expect("gravity");
        let cuboid = scene.world.add_shape(Shape::cuboid([0.5, 0.25, 0.375]).expect("a box")).expect("memory");
        let below =
            Definition { kind: Kind::Static, shape: cuboid, position: [0.25, 0.0, 0.0], ..Definition::default() };
        let above = Definition { shape: cuboid, mass: 2.0, position: [0.125, 0.5, 0.125], ..Definition::default() };
        let odd = Definition {
            shape: scene.sphere,
            mass: 1.0,
            center_of_mass: [0.125, 0.0, 0.0],
            position: [0.25, 1.25, 0.0],
            ..Definition::default()
        };
        let place =
            |body: &Definition| Definition { position: [0, 1, 2].map(|k| body.position[k] + shift[k]), ..*body };
        let bodies = match swap {
            false => [below, place(&above), odd].map(|body| scene.add(&body)),
            true => [place(&above), below, odd].map(|body| scene.add(&body)),
        };
        scene.steps(3);
        (bodies.map(|body| scene.force(body)), contacts(&scene.world))
    };
    for swap in [false, true] {
        let (expected, side_by_side) = run([0.0; 3], swap);
        assert!(expected[0][1].abs() > 5.0 && side_by_side.len() >= 5);
        for shift in [[4.0, 0.0, 0.0], [-16.0, 0.0, 8.0], [0.0, 0.0, -8.0]] {
            let (forces, across) = run(shift, swap);
            assert_eq!(across.len(), side_by_side.len());
            for (found, expected) in forces.into_iter().zip(expected) {
                close(found, expected, 1e-9);
            }
            for (found, expected) in across.iter().zip(&side_by_side) {
                assert_eq!(found.key, expected.key);
                close(found.normal, expected.normal, 1e-12);
                assert!((found.gap - expected.gap).abs() <= 1e-12);
            }
        }
    }
}

/// Two balls side by side travel ten times around the box, on a floor.
#[test]
fn a_contact_keeps_its_key_around_the_box() {
    let mut scene = boxed(Settings::default(), [4.0, 0.0, 0.0]);
    scene.world.set_gravity([0.0, 0.0, -10.0]).expect("gravity");
    scene.floor();
    let smooth = scene.material(0.0, 0.0);
    for (x, y) in [(0.0, 0.0), (1.0, 0.0), (1.5, 0.75_f64.sqrt())] {
        scene.add(&Definition { material: smooth, linear_velocity: [8.0, 0.0, 0.0], ..scene.ball_at([x, y, 0.5]) });
    }
    scene.steps(1);
    let keys = |scene: &Scene| contacts(&scene.world).iter().map(|contact| contact.key).collect::<Vec<_>>();
    let first = keys(&scene);
    assert_eq!(first.len(), 5, "three on the floor, two between the balls");
    for _ in 0..640 {
        scene.steps(1);
        assert_eq!(keys(&scene), first);
    }
    let travelled = scene.world.body_handles().map(|body| scene.state(body).position[0]).fold(0.0, f64::max);
    assert!(travelled > 40.0, "{travelled} m");
}

#[test]
fn a_body_that_is_moved_by_whole_periods_keeps_its_contacts() {
    let (mut scene, [a, b]) = meeting([1.5, 1.0, 1.0], [2.5, 1.0, 1.0]);
    let key = contacts(&scene.world)[0].key;
    for (body, shift) in [(a, 4.0), (b, -8.0), (a, 40.0), (b, 4.0)] {
        let mut state = scene.state(body);
        state.position[0] += shift;
        scene.world.set_body_state(body, &state).expect("a state");
        scene.steps(1);
        assert_eq!(contacts(&scene.world).iter().map(|contact| contact.key).collect::<Vec<_>>(), [key]);
    }
}

/// The period is a part of the state; an open box is none.
#[test]
fn the_hash_distinguishes_boxes() {
    let world = || World::new(Settings::default(), [0.0; 3]).expect("settings");
    let hashes = [[0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [4.0, 4.0, 0.0]]
        .map(|lengths| world().with_period(lengths).expect("a box").hash());
    assert_eq!(hashes[0], world().hash());
    assert!((0..4).all(|one| (0..one).all(|other| hashes[one] != hashes[other])), "{hashes:?}");
}

/// `-1/V sum l (x) f` over the contacts, the branch vectors from the nearest images of the centres before the step.
pub(super) fn virial(contacts: &[ContactReport], center: impl Fn(Handle) -> Vec3, period: [f64; 3]) -> [f64; 9] {
    let of_box = Period::new(period).expect("a box");
    let mut stress = [0.0; 9];
    for contact in contacts {
        let branch = of_box.nearest(&(center(contact.body_b) - center(contact.body_a)));
        let force = contact.normal_force * Vec3::from(contact.normal) + Vec3::from(contact.friction_force);
        for (entry, sum) in stress.iter_mut().enumerate() {
            *sum -= branch[entry / 3] * force[entry % 3] / period.iter().product::<f64>();
        }
    }
    stress
}
