//! Waking islands, and undoing it when a step fails.

use crate::body::Bodies;
use crate::contact::ContactRecord;
use crate::world::active_bodies::ActiveBodies;
use crate::world::sleep::state::{Activity, SleepState};

/// What changes when a body wakes.
pub(in crate::world) struct Waker<'a> {
    pub(in crate::world) sleep: &'a mut SleepState,
    pub(in crate::world) active_bodies: &'a mut ActiveBodies,
    pub(in crate::world) bodies: &'a mut Bodies,
}

impl Waker<'_> {
    /// Wakes the island of the body in `slot` if it sleeps.
    pub(in crate::world) fn wake(&mut self, slot: u32) {
        let Self { sleep, active_bodies, bodies } = self;
        let mut at = slot;
        while sleep.is_asleep(at) {
            sleep.activity[at as usize] = Activity::Woken;
            sleep.woken.push(at);
            bodies.set_asleep(at as usize, false);
            active_bodies.add(at);
            at = sleep.next_in_island[at as usize];
        }
    }

    /// Wakes the island of the body in `slot`, which the host modifies, adds or removes, and all islands that rest on it.
    pub(in crate::world) fn wake_modified(&mut self, slot: usize) {
        let at = slot as u32;
        self.wake(at);
        if !self.bodies.mass[slot].is_movable() {
            self.wake_supported_by(at);
            self.sleep.mark_modified(at);
        }
    }

    /// Wakes all islands that rest on the body in `slot`.
    fn wake_supported_by(&mut self, slot: u32) {
        let begin = self.sleep.supports.partition_point(|support| support.slot < slot);
        let end = self.sleep.supports.partition_point(|support| support.slot <= slot);
        for at in begin..end {
            let touch = &self.sleep.contacts[self.sleep.supports[at].contact as usize].touch;
            let (a, b) = (touch.body_a, touch.body_b);
            self.wake(if a == slot { b } else { a });
        }
    }

    /// Wakes all islands and resets all sleep timers.
    pub(in crate::world) fn wake_all(&mut self) {
        for slot in 0..self.sleep.activity.len() as u32 {
            self.wake(slot);
        }
        self.sleep.sleep_timer.fill(0.0);
    }

    /// Wakes the islands of all bodies that have one of these contacts. Returns whether any was asleep.
    pub(in crate::world) fn wake_touched(&mut self, contacts: &[ContactRecord]) -> bool {
        if !self.sleep.is_used() {
            return false;
        }
        let before = self.sleep.woken.len();
        for contact in contacts {
            self.wake(contact.body_a);
            self.wake(contact.body_b);
        }
        self.sleep.woken.len() > before
    }

    /// Puts the bodies that a failed step woke back to sleep: all woken ones except the first `before`.
    pub(in crate::world) fn undo_wake(&mut self, before: usize) {
        for slot in self.sleep.woken.drain(before..) {
            self.sleep.activity[slot as usize] = Activity::Asleep;
            self.bodies.set_asleep(slot as usize, true);
            self.active_bodies.note_sleep();
        }
    }
}
