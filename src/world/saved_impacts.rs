//! The impulses of impact stages in snapshots. They are behind the rest of a world, and most worlds have none. A snapshot that ends before
//! them, as versions without them wrote it, has none either. Behind them are the rates of a box that is strained.

use crate::contact::{Memory, check_impulses};
use crate::error::{Result, resize, text};
use crate::id::SlotSet;
use crate::math::Impulse;
use crate::visit::{Reader, State, StateVisitor, format_error};
use crate::world::sleep::SleepState;

/// The bytes of a contact: its number and its impulse.
const CONTACT_BYTES: usize = 36;

/// Writes the impulses of contacts of bodies that are not `removed`. Contacts count from 0 as they are written: those of the memory, then those
/// of sleeping bodies. Without impulses nothing is written, unless more of the world follows.
pub(in crate::world) fn save_impacts(
    visitor: &mut impl StateVisitor,
    (memory, sleep): (&Memory, &SleepState),
    removed: &SlotSet,
    is_followed: bool,
) {
    // Most worlds have none: then contacts are not counted.
    if memory.loads.impacts.is_empty() && sleep.contacts.iter().all(|contact| contact.impact.normal == 0.0) {
        if is_followed {
            visitor.length(0);
        }
        return;
    }
    let awake = memory.contact_list.records.iter().enumerate();
    let awake = awake.map(|(place, record)| (record.pair(), memory.loads.impact(place)));
    let asleep = sleep.contacts.iter().map(|contact| (contact.touch.pair(), contact.impact));
    let kept = awake.chain(asleep).filter(|(pair, _)| !removed.has_any_of(*pair)).map(|(_, impact)| impact);
    let struck = (0..).zip(kept).filter(|(_, impact)| impact.normal != 0.0);
    let count = struck.clone().count();
    if count > 0 || is_followed {
        visitor.length(count);
        for (number, impact) in struck {
            visitor.half(number);
            impact.visit(visitor);
        }
    }
}

/// Reads the impulses that [`save_impacts`] wrote, if any.
///
/// # Errors
///
/// Memory is exhausted, or there are no such contacts.
pub(in crate::world) fn load_impacts(reader: &mut Reader, memory: &mut Memory, sleep: &mut SleepState) -> Result<()> {
    if reader.is_at_end() {
        return Ok(());
    }
    let (count, awake) = (reader.length(CONTACT_BYTES)?, memory.contact_list.len());
    let mut next = 0;
    for _ in 0..count {
        let number = reader.half()? as usize;
        let impact = Impulse::read(reader)?;
        check_impulses(&[impact.into()])?;
        if number < next || impact.normal <= 0.0 {
            return Err(format_error(text!("contact {number} was struck by {impact:?}")));
        }
        next = number + 1;
        let own = if number < awake {
            resize(&mut memory.loads.impacts, awake, Impulse::ZERO, "contacts")?;
            // The lanes of contacts that were read are their places.
            memory.loads.impacts.get_mut(number)
        } else {
            sleep.contacts.get_mut(number - awake).map(|contact| &mut contact.impact)
        };
        *own.ok_or_else(|| format_error(text!("contact {number} does not exist")))? = impact;
    }
    if count > 0 || !reader.is_at_end() { Ok(()) } else { Err(format_error("no contact was struck")) }
}
