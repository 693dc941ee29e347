//! The result of the sleep test becomes the world's state.

use crate::body::{Bodies, Wrench};
use crate::contact::Memory;
use crate::query::forces_on;
use crate::solver::Velocity;
use crate::world::active_bodies::ActiveBodies;
use crate::world::commit::ContactForces;
use crate::world::readback::ReadbackState;
use crate::world::sleep::sleep_test::SleepTest;
use crate::world::sleep::state::{Activity, SleepState};

/// Puts the islands that fall asleep to sleep; woken bodies become awake. Row `i` of the step is the body in `slots[i]`,
/// with the velocity `velocities[i]` at its end.
pub(in crate::world) fn commit_sleep(
    test: &mut SleepTest,
    (slots, velocities): (&[u32], &[Velocity]),
    sleep: &mut SleepState,
    bodies: &mut Bodies,
    active_bodies: &mut ActiveBodies,
) {
    for (slot, timer) in slots.iter().zip(&test.sleep_timer) {
        sleep.sleep_timer[*slot as usize] = *timer;
    }
    sleep.modified.clear();
    if !test.is_changed {
        return;
    }
    sleep.count -= sleep.woken.len();
    for slot in sleep.woken.drain(..) {
        sleep.activity[slot as usize] = Activity::Awake;
    }
    sleep.count += test.falling.len();
    for falling in &test.falling {
        let slot = slots[falling.row] as usize;
        sleep.activity[slot] = Activity::Asleep;
        sleep.sleep_timer[slot] = 0.0;
        sleep.velocities[slot] = velocities[falling.row];
        bodies.set_asleep(slot, true);
        sleep.next_in_island[slot] = slots[falling.next];
        active_bodies.note_sleep();
    }
    sleep.potential = test.potential;
    std::mem::swap(&mut sleep.contacts, &mut test.contacts);
    std::mem::swap(&mut sleep.supports, &mut test.supports);
}

/// Removes the contacts of sleeping bodies from those of the step, and their forces from those of the bodies that they rest on. The
/// forces on the sleeping bodies themselves remain. Does nothing if no body fell asleep.
pub(in crate::world) fn remove_sleeping_contacts(
    test: &SleepTest,
    sleep: &SleepState,
    bodies: &Bodies,
    memory: &mut Memory,
    readback: &ReadbackState,
    forces: &mut ContactForces,
) {
    let ContactForces { sums, slots } = forces;
    if test.falling.is_empty() {
        return;
    }
    memory.retain(|record| !sleep.is_pair_asleep(record.pair()));
    slots.retain(|slot| !sleep.is_asleep(*slot));
    let supports = |slot: u32| !bodies.mass[slot as usize].is_movable();
    for slot in slots.iter().filter(|slot| supports(**slot)) {
        sums[*slot as usize] = Wrench::ZERO;
    }
    let context = readback.of(bodies);
    let mut mixing = context.mixing();
    for (record, point, _, total) in memory.sums() {
        for slot in [record.body_a, record.body_b] {
            if supports(slot) {
                let touch = context.touch(record, &memory.contact_list, &point, &mut mixing);
                sums[slot as usize].add(&forces_on(slot, [(touch, total, memory.step)].into_iter()));
            }
        }
    }
}
