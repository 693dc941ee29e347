//! Matching: finds for each contact the contact of the last step that it continues. It takes over its key and impulses.

use crate::collide::Ball;
use crate::contact::{ContactList, ContactRecord, ImpulseCache, MatchContext, Memory};
use crate::error::Result;
use crate::id::SlotSet;
use crate::math::ListPlace;
use crate::world::assemble::LastStep;
use crate::world::sleep::SleepState;

/// The largest distance between two points of a pair of bodies that count as the same contact, over the radius of the smaller body [-].
const MATCH_DISTANCE: f64 = 0.1;

/// The old contacts and their impulses, if bodies were woken: those of the memory and of the woken bodies together.
#[derive(Debug, Default)]
pub(in crate::world) struct MergedContacts {
    pub(in crate::world) contact_list: ContactList,
    pub(in crate::world) loads: ImpulseCache,
}

/// Gives each contact the key of the contact of `old` that it continues, or a new one. Writes the index of that contact to `origins`.
/// `spheres` has the bounding sphere of each slot's shape. Returns the number of contacts that continue none, and the key that follows the
/// last one given to a new contact.
pub(in crate::world) fn match_contacts(
    shared: MatchContext,
    memory: &Memory,
    old: &ContactList,
    spheres: &[Ball],
    contact_list: &mut ContactList,
    origins: &mut Vec<ListPlace>,
) -> Result<(u32, u64)> {
    let radius = |slot: u32| spheres[slot as usize].radius;
    let reach = |record: &ContactRecord| MATCH_DISTANCE * radius(record.body_a).min(radius(record.body_b));
    memory.inherit(old, (contact_list, origins), reach, shared)
}

impl MergedContacts {
    /// Merges the contacts in the memory with those of the bodies woken since, sorted by pair. Those of `removed` bodies are omitted.
    pub(in crate::world) fn merge(&mut self, memory: &Memory, sleep: &SleepState, removed: &SlotSet) -> Result<()> {
        let Self { contact_list, loads } = self;
        let capacity = memory.contact_list.len() + sleep.contacts.len();
        contact_list.clear(capacity)?;
        loads.clear(capacity)?;
        let mut awake = memory.sums().map(|(record, _, load, _)| (record, load)).peekable();
        let woken = sleep.contacts.iter().map(|contact| (contact, contact.touch.pair()));
        for (contact, pair) in woken.filter(|(_, pair)| !sleep.is_pair_asleep(*pair) && !removed.has_any_of(*pair)) {
            while let Some((record, load)) = awake.next_if(|(record, _)| record.pair() < pair) {
                contact_list.push(record.pair(), record.key, record.geometry(&memory.contact_list.geometries));
                loads.push(&load);
            }
            contact_list.push(pair, contact.touch.key, Some(&contact.touch.geometry));
            loads.push(&contact.scaled_load(memory.step / contact.step, memory.substep / contact.substep));
        }
        for (record, load) in awake {
            contact_list.push(record.pair(), record.key, record.geometry(&memory.contact_list.geometries));
            loads.push(&load);
        }
        Ok(())
    }
}

/// Returns the results of the step before: the memory, or `merged` if bodies were woken.
pub(in crate::world) fn last_step<'a>(
    memory: &'a Memory,
    sleep: &SleepState,
    merged: &'a MergedContacts,
) -> LastStep<'a> {
    let loads = if sleep.woken_count() > 0 { &merged.loads } else { &memory.loads };
    LastStep { loads, step: memory.step, substep: memory.substep }
}
