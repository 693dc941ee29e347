//! Damaged snapshots are refused, or describe a world that steps and answers.

use std::sync::Arc;

use super::digest::words::Random;
use super::saved_scenes::{self, LENGTH};
use crate::error::ErrorKind;
use crate::tasks::Serial;
use crate::visit::xxh64;
use crate::world::{Settings, World};

/// Numbers that are at the ends of something.
const ENDS: [u64; 16] = [
    0,
    1,
    2,
    u64::MAX,
    u32::MAX as u64,
    1 << 31,
    1 << 62,
    0x7FF0_0000_0000_0000, // infinity
    0x7FF8_0000_0000_0000, // no number
    0xFFF0_0000_0000_0000, // minus infinity
    0x7FEF_FFFF_FFFF_FFFF, // the largest number
    0x8000_0000_0000_0000, // minus zero
    0x0000_0000_0000_0001, // the smallest number
    0xBFF0_0000_0000_0000, // -1
    0x5FF0_0000_0000_0000, // 2.7e154
    0x1FF0_0000_0000_0000, // 2.0e-154
];

/// Damages a snapshot.
fn damage(bytes: &mut Vec<u8>, others: &[u8], random: &mut Random) {
    let at = random.index(bytes.len());
    let room = bytes.len() - at;
    match random.index(9) {
        0 => bytes[at] ^= 1 << random.index(8),
        1 => bytes[at] = random.word() as u8,
        2 => bytes[at..][..8.min(room)].fill(if random.index(2) == 0 { 0 } else { 255 }),
        3 | 4 => {
            let word = ENDS[random.index(ENDS.len())].to_le_bytes();
            let count = [4, 8][random.index(2)].min(room);
            bytes[at..][..count].copy_from_slice(&word[..count]);
        }
        5 => _ = bytes.drain(at..at + random.index(room.min(64))),
        6 => {
            let word = random.word().to_le_bytes();
            _ = bytes.splice(at..at, word.into_iter().take(1 + random.index(8)));
        }
        7 => {
            let count = random.index(room.min(200));
            let from = random.index(bytes.len() - count);
            bytes.copy_within(from..from + count, at);
        }
        _ => {
            let from = random.index(others.len());
            let count = random.index(room.min(others.len() - from).min(400));
            bytes[at..at + count].copy_from_slice(&others[from..from + count]);
        }
    }
}

/// Makes length and checksum fit.
pub(super) fn seal(bytes: &mut [u8]) {
    if bytes.len() < 40 {
        return;
    }
    let length = bytes.len() as u64;
    bytes[24..32].copy_from_slice(&length.to_le_bytes());
    let body = bytes.len() - 8;
    let checksum = xxh64(&bytes[..body]);
    bytes[body..].copy_from_slice(&checksum.to_le_bytes());
}

/// Uses a world that was accepted.
fn exercise(mut world: World) {
    let again = world.snapshot().expect("memory");
    let other = World::from_snapshot(&again, Arc::new(Serial)).expect("a world that was accepted is accepted again");
    assert_eq!(world.hash(), other.hash());
    // Whatever a host may ask for, a test ends.
    let settings = *world.settings();
    let bounded = Settings {
        iterations: settings.iterations.min(20),
        substeps: settings.substeps.min(3),
        projection_passes: settings.projection_passes.min(2),
        newton_limit: settings.newton_limit.min(50),
        ..settings
    };
    for step in 0..4 {
        let _ = (world.energy(), world.contacts().map(|contact| contact.key).max(), world.stress([-1e3; 3], [1e3; 3]));
        let bodies: Vec<_> = world.body_handles().collect();
        for body in &bodies {
            let _ = (world.body_state(*body), world.body_force(*body), world.body_joint_force(*body));
        }
        world.joint_handles().for_each(|joint| _ = world.joint_state(joint).map(|state| state.force));
        world.joint_events().for_each(|event| _ = event.kind);
        if step == 1 {
            world.set_settings(bounded).expect("settings");
            bodies.iter().take(1).for_each(|body| world.remove_body(*body).expect("a body"));
            bodies.last().map(|body| world.wake(*body).is_ok());
        }
        if settings.iterations <= 20 && settings.substeps <= 3 && settings.newton_limit <= 10_000 || step >= 1 {
            let _ = world.step(LENGTH);
        }
    }
    world.snapshot().expect("memory");
}

/// The number of damaged snapshots; more with `DRYSTONE_FUZZ`.
fn count() -> usize {
    std::env::var("DRYSTONE_FUZZ").ok().and_then(|count| count.parse().ok()).unwrap_or(20_000)
}

#[test]
fn damaged_snapshots_are_refused_or_worlds() {
    let snapshots: Vec<Vec<u8>> =
        saved_scenes::all().iter().map(|(_, world)| world.snapshot().expect("memory")).collect();
    let mut random = Random(std::env::var("DRYSTONE_FUZZ_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1));
    let (mut refused, mut accepted) = (0, 0);
    for number in 0..count() {
        let mut bytes = snapshots[random.index(snapshots.len())].clone();
        let others = &snapshots[random.index(snapshots.len())];
        for _ in 0..1 + random.index(3) {
            damage(&mut bytes, others, &mut random);
        }
        // One in eight keeps the checksum that does not fit.
        if number % 8 != 0 {
            seal(&mut bytes);
        }
        match World::from_snapshot(&bytes, Arc::new(Serial)) {
            Ok(world) => {
                accepted += 1;
                exercise(world);
            }
            Err(error) => {
                refused += 1;
                assert_eq!(error.kind, ErrorKind::Format, "{error}");
            }
        }
    }
    println!("{refused} refused, {accepted} worlds");
    assert!(refused > 0 && accepted > 0);
}
