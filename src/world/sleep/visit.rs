//! What the state of sleep is.

use crate::body::Bodies;
use crate::visit::StateVisitor;
use crate::world::removed::RemovedBodies;
use crate::world::sleep::state::{Activity, SleepState, SleepingContact};

impl SleepState {
    /// Visits how bodies take part in steps, and the contacts of sleeping bodies. Slots without a body have no state.
    pub(in crate::world) fn visit_state(
        &self,
        visitor: &mut impl StateVisitor,
        bodies: &Bodies,
        removed: &RemovedBodies,
    ) {
        let Self {
            sleep_timer,
            activity,
            next_in_island,
            contacts,
            supports: _, // Follows from the contacts and the bodies.
            woken,
            modified: _, // The same slots as in `is_modified`, in an order that has no effect.
            is_modified,
            count,
            potential,
        } = self;
        for at in bodies.order.iter().map(|slot| *slot as usize) {
            let activity = activity.get(at).copied().unwrap_or(Activity::Awake);
            visitor.word(activity as u64);
            visitor.number(sleep_timer.get(at).copied().unwrap_or(0.0));
            if activity == Activity::Asleep {
                visitor.word(u64::from(next_in_island[at]));
            }
        }
        // Which bodies were woken is a part of their activity, unless they were removed. The order has no effect.
        visitor.length(woken.len());
        let modified = (0..).zip(is_modified).filter(|(_, is_modified)| **is_modified);
        visitor.slots(modified.map(|(slot, _)| slot));
        visitor.length(*count);
        visitor.number(*potential);
        let kept = contacts.iter().filter(|contact| !removed.has_any_of(contact.touch.pair()));
        visitor.length(kept.clone().count());
        kept.for_each(|contact| contact.visit_state(visitor));
    }
}

impl SleepingContact {
    fn visit_state(&self, visitor: &mut impl StateVisitor) {
        let Self { touch, load, total, step, substep } = self;
        touch.visit_state(visitor);
        load.visit_state(visitor);
        total.visit_state(visitor);
        visitor.numbers([step, substep]);
    }
}
