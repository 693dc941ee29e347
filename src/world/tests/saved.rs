//! A restored world is the world that was saved: it answers alike and goes on alike, to the last bit.

use std::sync::Arc;

use super::digest::build::Scene;
use super::digest::scenes::SCENES;
use super::saved_scenes::{self, LENGTH};
use super::scene::column;
use crate::error::ErrorKind;
use crate::tasks::Serial;
use crate::visit::{FORMAT, tests::words};
use crate::world::{Settings, World};

/// The bytes of an empty world's snapshot in format 1. Where this number changes, the format does: [`FORMAT`] is to be raised if a
/// version was released with it.
const EMPTY: (u32, usize) = (1, 579);

fn copy(world: &World) -> World {
    World::from_snapshot(&world.snapshot().expect("memory"), Arc::new(Serial)).expect("a world")
}

/// What a host reads of a world.
fn answers(world: &World) -> Vec<String> {
    let mut answers = vec![format!("{:?}", world.energy()), format!("{:?}", world.settings())];
    answers.extend(world.contacts().map(|contact| format!("{contact:?}")));
    for body in world.body_handles() {
        answers.push(format!("{body:?} {:?} {:?}", world.body_state(body), world.body_mass(body)));
        answers.push(format!("{:?} {:?}", world.body_force(body), world.is_awake(body)));
        answers.push(format!("{:?} {:?}", world.body_user_data(body), world.body_joint_force(body)));
    }
    for joint in world.joint_handles() {
        let read = (world.joint_definition(joint), world.joint_bodies(joint), world.joint_user_data(joint));
        answers.push(format!("{joint:?} {read:?} {:?}", world.joint_state(joint)));
    }
    answers.push(format!("{:?}", world.stress([-1.0; 3], [1.0; 3])));
    answers
}

/// Asserts that both worlds are equal in all that is visible.
fn assert_equal(name: &str, one: &World, other: &World) {
    assert_eq!(answers(one), answers(other), "{name}");
    let state = |world: &World| words(|recorded| world.visit_state(recorded));
    let (words, others) = (state(one), state(other));
    let place = words.iter().zip(&others).position(|(a, b)| a != b);
    assert_eq!((place, words.len()), (None, others.len()), "{name}: the word at which the states differ");
    assert_eq!(one.hash(), other.hash(), "{name}");
    assert_eq!(one.snapshot().expect("memory"), other.snapshot().expect("memory"), "{name}");
}

#[test]
fn worlds_with_all_kinds_of_content_go_on_alike() {
    for (name, mut world) in saved_scenes::all() {
        let mut other = copy(&world);
        assert_equal(name, &world, &other);
        for step in 0..60 {
            if step % 7 == 0 {
                other.restore(&other.snapshot().expect("memory")).expect("a world");
            }
            let (report, others) = (world.step(LENGTH).expect("a step"), other.step(LENGTH).expect("a step"));
            assert_eq!(report.residual_max.to_bits(), others.residual_max.to_bits(), "{name}, step {step}");
            assert_eq!(world.hash(), other.hash(), "{name}, step {step}");
        }
        assert_equal(name, &world, &other);
    }
}

/// Whether sleeping was on before is no state: the next step decides what counts as modified.
#[test]
fn a_copy_goes_on_alike_after_sleeping_was_on_and_off() {
    let on = Settings { sleeping: true, ..Settings::default() };
    let off = Settings { sleeping: false, ..on };
    let mut scene = super::scene::Scene::new(on);
    let floor = scene.floor();
    scene.ball([0.0, 0.0, 0.5]);
    scene.steps(50);
    scene.world.set_settings(off).expect("settings");
    scene.steps(1);
    let mut other = copy(&scene.world);
    let state = scene.state(floor);
    for world in [&mut scene.world, &mut other] {
        world.set_body_state(floor, &state).expect("a state");
        world.set_settings(on).expect("settings");
    }
    assert_equal("modified", &scene.world, &other);
    for step in 0..200 {
        let awake = [&mut scene.world, &mut other].map(|world| world.step(LENGTH).expect("a step").awake_bodies);
        assert_eq!(awake[0], awake[1], "step {step}");
    }
    assert_equal("asleep", &scene.world, &other);
}

/// What a step leaves can be saved: it is refused where impulses are beyond the limits of a snapshot.
#[test]
fn impulses_beyond_the_limits_are_refused_by_the_step() {
    let mut scene = super::scene::Scene::new(Settings::default());
    scene.floor();
    let ball = scene.ball_at([0.0, 0.0, 0.5]);
    scene.add(&crate::body::Definition { mass: 1e80, ..ball });
    let before = scene.world.hash();
    // A weight of 1e81 N over 1e80 s.
    let error = scene.world.step(1e80).expect_err("an impulse").error;
    assert!(error.kind == ErrorKind::NotFinite && error.message.contains("1e150 N s"), "{error:?}");
    assert_eq!(scene.world.hash(), before);
    scene.world.step(1e60).expect("a step");
    assert_equal("heavy", &scene.world, &copy(&scene.world));
}

#[test]
fn impulses_of_joints_beyond_the_limits_are_refused_by_the_step() {
    let mut scene = super::scene::Scene::new(Settings::default());
    let ball = scene.ball_at([0.0, 0.0, 4.0]);
    let ball = scene.add(&crate::body::Definition { mass: 1e80, ..ball });
    let ends = [crate::id::Handle::NULL, ball];
    let fixed = super::joints::request(&scene, crate::joint::JointKind::Fixed, ends, [0.0, 0.0, 4.0]);
    scene.world.add_joint(&fixed).expect("a joint");
    let before = scene.world.hash();
    // It carries a weight of 1e81 N over 1e80 s.
    let error = scene.world.step(1e80).expect_err("an impulse").error;
    assert!(error.kind == ErrorKind::NotFinite && error.message.contains("joint"), "{error:?}");
    assert_eq!(scene.world.hash(), before);
    scene.world.step(1e60).expect("a step");
    assert_equal("hanging", &scene.world, &copy(&scene.world));
}

#[test]
fn all_scenes_go_on_alike() {
    for (name, make) in SCENES {
        let (mut kept, mut saved): (Scene, Scene) = (make(), make());
        for step in 1..=kept.steps {
            (kept.act)(&mut kept.world, step);
            (saved.act)(&mut saved.world, step);
            if step % 9 == 0 {
                saved.world = copy(&saved.world);
                assert_eq!(saved.world.hash(), kept.world.hash(), "{name}, step {step}");
            }
            kept.world.step(kept.step).expect("a step");
            saved.world.step(saved.step).expect("a step");
            assert_eq!(saved.world.hash(), kept.world.hash(), "{name}, step {step}");
        }
        assert_equal(name, &kept.world, &saved.world);
    }
}

#[test]
fn handles_and_new_objects_are_the_same() {
    for (_, mut world) in saved_scenes::all() {
        let mut other = copy(&world);
        let shape = crate::shape::Shape::sphere(0.3).expect("a sphere");
        let shapes = [&mut world, &mut other].map(|world| world.add_shape(shape.clone()).expect("memory"));
        assert_eq!(shapes[0], shapes[1]);
        let ball = crate::body::Definition { shape: shapes[0], position: [0.0, 0.0, 9.0], ..Default::default() };
        for _ in 0..3 {
            assert_eq!(world.add_body(&ball).expect("a body"), other.add_body(&ball).expect("a body"));
        }
        let first = world.body_handles().next().expect("a body");
        assert_eq!(world.remove_body(first), other.remove_body(first));
        world.step(LENGTH).expect("a step");
        other.step(LENGTH).expect("a step");
        assert_eq!(world.hash(), other.hash());
    }
}

#[test]
fn a_refused_snapshot_changes_nothing_and_reports_why() {
    let (mut scene, _) = column(Settings::default());
    let (before, snapshot) = (scene.world.hash(), scene.world.snapshot().expect("memory"));
    let mut refused = |bytes: &[u8], text: &str| {
        let error = scene.world.restore(bytes).expect_err(text);
        assert_eq!((error.kind, scene.world.hash()), (ErrorKind::Format, before), "{error}");
        assert!(error.message.contains(text), "{error}");
    };
    let changed = |at: usize, byte: u8| {
        let mut bytes = snapshot.clone();
        bytes[at] = byte;
        bytes
    };
    refused(&[], "has 0 bytes, expected at least 40");
    refused(&snapshot[..20], "ends too early");
    refused(&snapshot[..snapshot.len() - 1], "bytes, expected");
    refused(&changed(0, b'x'), "no snapshot of drystone");
    refused(&changed(16, 9), "snapshot has format 9, expected 1");
    refused(&changed(16, 0), "snapshot has format 0, expected 1");
    refused(&changed(100, snapshot[100] ^ 1), "checksum");
    let solver = crate::world::external::ContactSolver::default().snapshot().expect("memory");
    refused(&solver, "a solver, expected one of a world");
}

/// Also of a world whose bodies, if any, have no radius.
#[test]
fn a_period_in_which_the_contact_margin_does_not_fit_is_refused() {
    let settings = Settings { contact_margin: 0.001, ..Settings::default() };
    let world = World::new(settings, [0.0; 3]).and_then(|world| world.with_period([4.0, 5.0, 0.0])).expect("a box");
    let snapshot = world.snapshot().expect("memory");
    let period = [4_f64, 5.0, 0.0].map(f64::to_le_bytes).concat();
    let at = snapshot.windows(period.len()).position(|window| window == period).expect("the period");
    for (length, fits) in [(0.002, true), (0.0019, false), (1e-72, false)] {
        let mut other = snapshot.clone();
        other[at + 8..at + 16].copy_from_slice(&f64::to_le_bytes(length));
        super::saved_fuzz::seal(&mut other);
        let found = World::from_snapshot(&other, Arc::new(Serial));
        assert_eq!(found.is_ok(), fits, "{length} m: {:?}", found.err());
    }
}

#[test]
fn the_format_is_that_of_its_number() {
    let empty = World::new(Settings::default(), [0.0; 3]).expect("a world");
    assert_eq!((FORMAT, empty.snapshot().expect("memory").len()), EMPTY);
    assert_eq!(empty.snapshot_size(), Ok(EMPTY.1));
}
