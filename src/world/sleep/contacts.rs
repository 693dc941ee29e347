//! The contacts of the last completed step, those of sleeping bodies included.

use crate::body::{Bodies, Wrench};
use crate::contact::{ContactState, ContactView, Memory, StepImpulse};
use crate::query::contacts::forces_on;
use crate::world::readback::ReadbackState;
use crate::world::sleep::state::SleepState;

/// A contact of a completed step.
#[derive(Debug, Clone, Copy)]
pub(in crate::world) struct StepContact {
    pub(in crate::world) touch: ContactView,
    pub(in crate::world) load: ContactState,
    /// The impulses over the step.
    pub(in crate::world) total: StepImpulse,
    /// Length of the step [s].
    pub(in crate::world) step: f64,
}

/// Where the contacts of the last completed step are stored.
#[derive(Clone, Copy)]
pub(in crate::world) struct ContactSources<'a> {
    pub(in crate::world) sleep: &'a SleepState,
    pub(in crate::world) memory: &'a Memory,
    pub(in crate::world) readback: &'a ReadbackState,
    pub(in crate::world) bodies: &'a Bodies,
}

/// Returns the contacts of the last completed step and those of sleeping bodies, sorted by pair. Contacts of pairs that have `ended` are
/// omitted.
pub(in crate::world) fn all_contacts<'a>(
    sources: ContactSources<'a>,
    ended: impl Fn((u32, u32)) -> bool + 'a,
) -> impl Iterator<Item = StepContact> + 'a {
    let ContactSources { sleep, memory, readback, bodies } = sources;
    let (mut awake, mut asleep) = (memory.sums().peekable(), sleep.contacts.iter().peekable());
    let context = readback.of(bodies);
    let mut mixing = context.mixing();
    // The next contact, `Some(None)` if it has ended.
    let mut next = move || {
        let is_awake = match (awake.peek(), asleep.peek()) {
            (Some((record, ..)), Some(contact)) => record.pair() < contact.touch.pair(),
            (record, _) => record.is_some(),
        };
        if is_awake {
            let (record, point, load, total) = awake.next()?;
            let is_there = !ended(record.pair());
            Some(is_there.then(|| {
                let touch = context.touch(record, &memory.contact_list, &point, &mut mixing);
                let load = ContactState { relative_velocity: readback.relative_velocity(&touch), ..load };
                StepContact { touch, load, total, step: memory.step }
            }))
        } else {
            let contact = asleep.next()?;
            Some((!ended(contact.touch.pair())).then_some(StepContact {
                touch: contact.touch,
                load: contact.load,
                total: contact.total,
                step: contact.step,
            }))
        }
    };
    std::iter::from_fn(move || {
        loop {
            if let Some(contact) = next()? {
                return Some(contact);
            }
        }
    })
}

impl SleepState {
    /// Returns the sum of the forces of sleeping bodies on the body in `slot`, which impulses do not move.
    pub(in crate::world) fn force_on_support(&self, slot: u32) -> Wrench {
        let begin = self.supports.partition_point(|support| support.slot < slot);
        let own = self.supports[begin..].iter().take_while(|support| support.slot == slot);
        let own = own.map(|support| &self.contacts[support.contact as usize]);
        forces_on(slot, own.map(|contact| (contact.touch, contact.total, contact.step)))
    }
}
