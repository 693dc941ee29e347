//! Sleep: islands that are slow for long enough stop taking part in steps.
//!
//! An island falls asleep as a whole and wakes as a whole. A body that is woken is part of steps from then on. Its contacts stay in the
//! list of sleeping contacts until the end of the next step, which starts from their impulses. So a failed step can put the bodies
//! that it woke back to sleep.

mod commit;
mod saved;
mod saved_contacts;
mod sleep_test;
mod state;

#[cfg(test)]
mod tests;

use crate::body::Motion;
use crate::error::Result;
use crate::world::active_bodies::ActiveBodies;

pub(in crate::world) use commit::{commit_sleep, remove_sleeping_contacts};
pub(in crate::world) use sleep_test::{SleepInput, SleepTest};
pub(in crate::world) use state::{SleepState, StepContact, Waker};

/// Finds the islands that fall asleep at the end of the step and stops their bodies. The result is in `test` until it is committed.
pub(in crate::world) fn sleep(
    input: &SleepInput,
    sleep: &mut SleepState,
    active_bodies: &mut ActiveBodies,
    motion: &mut [Motion],
    test: &mut SleepTest,
) -> Result<()> {
    test.clear();
    if input.settings.sleeping && !input.is_strained {
        // The commit cannot fail, so it finds its memory reserved.
        sleep.reserve(input.context.bodies.slots())?;
        active_bodies.reserve(0, input.context.bodies.slots())?;
        if test.count_timers(input, sleep, motion)? {
            test.find_falling(input, sleep, active_bodies.moving, motion)?;
        }
    }
    test.stop_bodies(motion);
    test.update_contacts(input, sleep, motion)
}
