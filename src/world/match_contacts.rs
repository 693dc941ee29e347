//! Matching: contacts of this step take over the keys and impulses of the contacts of the last step that they continue.

use crate::collide::Ball;
use crate::contact::{ContactList, ContactRecord, ImpulseCache, Memory, Shared};
use crate::error::Result;
use crate::tasks::Tasks;
use crate::world::removed::RemovedBodies;
use crate::world::sleep::SleepState;

/// Two points of a pair of bodies are the same contact up to this distance, in units of the smaller body's radius [-].
const MATCH_DISTANCE: f64 = 0.1;

/// What matching reads.
pub(in crate::world) struct MatchInput<'a> {
    pub(in crate::world) tasks: &'a dyn Tasks,
    pub(in crate::world) memory: &'a Memory,
    pub(in crate::world) sleep: &'a SleepState,
    pub(in crate::world) removed: &'a RemovedBodies,
    /// The bounding sphere of each slot's shape.
    pub(in crate::world) spheres: &'a [Ball],
}

/// The scratch buffers of matching.
#[derive(Debug, Default)]
pub(in crate::world) struct MatchScratch {
    /// The ranges of contacts in which the work is done.
    spans: Vec<[u32; 2]>,
}

/// Contacts of the last step and what they carried, where bodies were woken since: the memory does not have theirs.
#[derive(Debug, Default)]
pub(in crate::world) struct MergedContacts {
    pub(in crate::world) contact_list: ContactList,
    pub(in crate::world) loads: ImpulseCache,
}

/// The result of matching.
#[derive(Debug, Clone, Copy)]
pub(in crate::world) struct Matched {
    /// The number of contacts that continue none of the last step.
    pub(in crate::world) new_contacts: u32,
    /// The key that follows the last one given to a new contact.
    pub(in crate::world) next_key: u64,
}

/// Gives each contact the key of the contact that it continues, or a new one. Writes the index of that contact to `origins`: in the
/// memory, or in `merged` where bodies were woken.
///
/// # Errors
///
/// Memory is exhausted.
pub(in crate::world) fn match_contacts(
    input: &MatchInput,
    contact_list: &mut ContactList,
    origins: &mut Vec<u32>,
    merged: &mut MergedContacts,
    scratch: &mut MatchScratch,
) -> Result<Matched> {
    let &MatchInput { tasks, memory, sleep, removed, spheres } = input;
    let radius = |slot: u32| spheres[slot as usize].radius;
    let reach = |record: &ContactRecord| MATCH_DISTANCE * radius(record.body_a).min(radius(record.body_b));
    let old = if sleep.woken_count() == 0 {
        &memory.contact_list
    } else {
        merged.merge(memory, sleep, removed)?;
        &merged.contact_list
    };
    let shared = Shared { tasks, spans: &mut scratch.spans };
    let (new_contacts, next_key) = memory.inherit(old, (contact_list, origins), reach, shared)?;
    Ok(Matched { new_contacts, next_key })
}

impl MergedContacts {
    /// Merges the contacts in the memory with those of the bodies woken since, sorted by pair.
    fn merge(&mut self, memory: &Memory, sleep: &SleepState, removed: &RemovedBodies) -> Result<()> {
        let Self { contact_list, loads } = self;
        let most = memory.contact_list.len() + sleep.contacts.len();
        contact_list.clear(most)?;
        loads.clear(most)?;
        let mut awake = memory.sums().map(|(record, _, load, _)| (record, load)).peekable();
        let woken = sleep.contacts.iter().map(|contact| (contact, contact.touch.pair()));
        for (contact, pair) in woken.filter(|(_, pair)| !sleep.is_pair_asleep(*pair) && !removed.has_any_of(*pair)) {
            while let Some((record, load)) = awake.next_if(|(record, _)| record.pair() < pair) {
                contact_list.push(record.pair(), record.key, record.geometry(&memory.contact_list.spots));
                loads.push(&load);
            }
            contact_list.push(pair, contact.touch.key, Some(&contact.touch.spot));
            loads.push(&contact.scaled_load(memory.step / contact.step, memory.substep / contact.substep));
        }
        for (record, load) in awake {
            contact_list.push(record.pair(), record.key, record.geometry(&memory.contact_list.spots));
            loads.push(&load);
        }
        Ok(())
    }
}
