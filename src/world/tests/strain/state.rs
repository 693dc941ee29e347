//! The rates as state: read, saved, compared, and refused.

use super::boxed;
use crate::error::ErrorKind;
use crate::world::tests::saved_fuzz::seal;
use crate::world::{Settings, World};

#[test]
fn rates_are_refused_by_name() {
    let mut scene = boxed(Settings::default(), [4.0, 0.0, 4.0]);
    for (rates, kind, words) in [
        ([0.0, 0.5, 0.0], ErrorKind::Argument, "rates[1] is 0.5 1/s, expected 0"),
        ([f64::NAN, 0.0, 0.0], ErrorKind::NotFinite, "rates[0]"),
        ([0.0, 0.0, f64::INFINITY], ErrorKind::NotFinite, "rates[2]"),
    ] {
        let error = scene.world.set_strain_rate(rates).expect_err("no rates");
        assert!(error.kind == kind && error.message.contains(words), "{}", error.message);
    }
    scene.world.set_strain_rate([1.0, -0.0, -0.5]).expect("rates");
    assert_eq!(scene.world.strain_rate().map(f64::to_bits), [1.0, 0.0, -0.5].map(f64::to_bits));
}

#[test]
fn a_step_that_leaves_too_little_room_changes_nothing() {
    let mut scene = boxed(Settings::default(), [4.0, 4.0, 0.0]);
    scene.ball([0.0, 0.0, 0.0]);
    for (rate, step, words) in [
        (-1.0, 0.5, "period[0] is 2 m, the radius of a bounding sphere is 0.5 m"),
        (-1.0, 1.0, "strain_rate[0] is -1 1/s, which changes the period of 4 m in a step of 1 s"),
        (-1.0, 2.0, "period[0] is -4, expected"),
        (1e99, 1e5, "period[0] is 4e104, expected"),
        (1e300, 1e99, "period[0]"),
    ] {
        scene.world.set_strain_rate([rate, 0.0, 0.0]).expect("rates");
        let before = scene.world.hash();
        let failure = scene.world.step(step).expect_err("no room");
        assert_eq!(failure.error.kind, ErrorKind::Argument);
        assert!(failure.error.message.contains(words), "{}", failure.error.message);
        assert_eq!((scene.world.hash(), scene.world.period()), (before, [4.0, 4.0, 0.0]));
    }
    // An image too fast to be counted.
    scene.ball([3.0, 0.0, 0.0]);
    scene.world.set_strain_rate([1e60, 0.0, 0.0]).expect("rates");
    let before = scene.world.hash();
    let failure = scene.world.step(1e-50).expect_err("too fast");
    assert!(failure.error.message.contains("an image at 4e60 m/s"), "{}", failure.error.message);
    assert_eq!(scene.world.hash(), before);
}

/// A box that is not strained is saved as before there were rates.
#[test]
fn rates_are_saved_behind_the_rest() {
    let mut scene = boxed(Settings::default(), [4.0, 4.0, 0.0]);
    scene.ball([0.0, 0.0, 0.0]);
    let plain = scene.world.snapshot().expect("memory");
    let hash = scene.world.hash();
    scene.world.set_strain_rate([0.0, -0.25, 0.0]).expect("rates");
    assert_ne!(scene.world.hash(), hash);
    let strained = scene.world.snapshot().expect("memory");
    // A count of no impacts, and three numbers.
    assert_eq!(strained.len(), plain.len() + 8 + 24);
    let copy = scene.world.try_clone().expect("memory");
    assert!(copy.has_same_state(&scene.world).expect("memory") && copy.strain_rate() == [0.0, -0.25, 0.0]);
    let rates = strained.len() - 8 - 24;
    for (bytes, words) in [
        ([0.0, 0.0, 0.25], "rates[2] is 0.25 1/s"),
        ([0.0, 0.0, 0.0], "the rates of a strained box are 0"),
        ([f64::NAN, 0.0, 0.0], ""),
    ] {
        let mut damaged = strained.clone();
        damaged[rates..rates + 24].copy_from_slice(&bytes.map(f64::to_le_bytes).concat());
        seal(&mut damaged);
        let error = World::from_snapshot(&damaged, scene.world.tasks.clone()).expect_err("no rates");
        assert!(error.kind == ErrorKind::Format && error.message.contains(words), "{}", error.message);
    }
    scene.world.set_strain_rate([0.0; 3]).expect("rates");
    assert_eq!(scene.world.snapshot().expect("memory"), plain);
    assert_eq!(scene.world.hash(), hash);
}
