//! The impulses of impact stages in snapshots.

use super::saved_fuzz::seal;
use super::scene::Scene;
use crate::error::ErrorKind;
use crate::math::{Impulse, Vec3};
use crate::world::settings::Method;
use crate::world::{Settings, World};

/// The bytes behind the content of a snapshot.
const TAIL: usize = 8;
/// The bytes of the impulse of one contact, behind their number.
const CONTACT: usize = 36;

/// A ball that hits the floor, beside one that lies on it and sleeps.
fn struck(speed: f64) -> Scene {
    let settings = Settings { method: Method::Spook, sleeping: true, ..Settings::default() };
    let mut scene = Scene::new(settings);
    scene.floor();
    scene.ball([3.0, 0.0, 0.5]);
    scene.steps(200);
    assert!(!scene.world.sleep.contacts.is_empty(), "the ball on the floor does not sleep");
    let ball = scene.ball_at([0.0, 0.0, 0.5]);
    scene.add(&crate::body::Definition { linear_velocity: [0.0, 0.0, -speed], ..ball });
    scene.steps(1);
    scene
}

fn impacts(world: &World) -> Vec<[f64; 3]> {
    world.contacts().map(|contact| contact.impact_force).collect()
}

fn assert_copied(world: &World) {
    let other = world.try_clone().expect("memory");
    assert_eq!(impacts(&other), impacts(world));
    assert!(other.has_same_state(world).expect("memory") && other.hash() == world.hash());
    assert_eq!(other.snapshot().expect("memory"), world.snapshot().expect("memory"));
}

#[test]
fn a_copy_reports_the_same_impacts() {
    let mut scene = struck(1.0);
    assert_eq!(impacts(&scene.world).iter().filter(|force| force[2] > 0.0).count(), 1);
    assert_copied(&scene.world);
    // Of a contact that sleeps.
    scene.world.sleep.contacts[0].impact = Impulse::force(0.5, Vec3::new(0.1, 0.0, 0.0));
    assert_eq!(impacts(&scene.world).iter().filter(|force| force[2] > 0.0).count(), 2);
    assert_copied(&scene.world);
    // The place of a contact does not count those of removed bodies.
    let first = scene.world.body_handles().nth(1).expect("a body");
    scene.world.remove_body(first).expect("a body");
    assert_eq!(impacts(&scene.world).len(), 1);
    assert_copied(&scene.world);
}

/// What versions without impacts wrote.
#[test]
fn a_snapshot_without_impacts_is_read() {
    let mut scene = struck(1.0);
    let with = scene.world.snapshot().expect("memory");
    scene.world.memory.loads.impacts.clear();
    let without = scene.world.snapshot().expect("memory");
    assert_eq!(with.len(), without.len() + 8 + CONTACT);
    scene.world.restore(&without).expect("a world");
    assert!(impacts(&scene.world).iter().all(|force| *force == [0.0; 3]));
    let bytes = struck(0.0).world.snapshot().expect("memory").len();
    assert!(bytes <= without.len(), "a world without impacts writes nothing about them");
}

#[test]
fn impacts_of_no_contact_are_refused() {
    let mut scene = struck(1.0);
    let good = scene.world.snapshot().expect("memory");
    let at = good.len() - TAIL - CONTACT;
    let number = |number: u32| (at, number.to_le_bytes().to_vec());
    let normal = |normal: f64| (at + 4, normal.to_le_bytes().to_vec());
    let count = |count: u64| (at - 8, count.to_le_bytes().to_vec());
    for (place, bytes) in [number(9), number(u32::MAX), normal(0.0), normal(-1.0), normal(1e200), count(2), count(0)] {
        let mut bad = good.clone();
        bad[place..place + bytes.len()].copy_from_slice(&bytes);
        seal(&mut bad);
        let refused = scene.world.restore(&bad).map_err(|error| error.kind);
        assert_eq!(refused, Err(ErrorKind::Format), "{bytes:?} at {place}");
    }
    scene.world.restore(&good).expect("a world");
}
