//! Order: the rows of the bodies and the numbers of the contacts.

use crate::body::Bodies;
use crate::contact::{ContactList, Memory};
use crate::error::Result;
use crate::tasks::Tasks;
use crate::world::active_bodies::ActiveBodies;
use crate::world::index::Index;

/// What the order is made from.
pub(in crate::world) struct OrderInput<'a> {
    pub(in crate::world) tasks: &'a dyn Tasks,
    pub(in crate::world) bodies: &'a Bodies,
    pub(in crate::world) memory: &'a Memory,
    pub(in crate::world) contact_list: &'a ContactList,
    /// The index in the memory of the contact that each contact continues.
    pub(in crate::world) origins: &'a [u32],
    /// Whether bodies were woken, so that `origins` are not indices in the memory.
    pub(in crate::world) is_woken: bool,
    /// Whether the step has several substeps.
    pub(in crate::world) has_substeps: bool,
}

/// Assigns rows to the bodies of the step and numbers to its contacts. Returns whether each contact has the number of the contact that it
/// continues.
///
/// # Errors
///
/// Memory is exhausted.
pub(in crate::world) fn order(input: &OrderInput, active_bodies: &mut ActiveBodies, index: &mut Index) -> Result<bool> {
    let &OrderInput { tasks, bodies, memory, contact_list, origins, is_woken, has_substeps } = input;
    active_bodies.arrange(bodies, tasks)?;
    let are_continued = !is_woken && memory.is_continued(origins);
    let same_contacts = index.make(active_bodies, bodies.slots(), contact_list, are_continued, tasks)?;
    if has_substeps {
        // A contact whose arms are along the normal must not become general in a later substep.
        index.mark_general(|slot| bodies.mass[slot as usize].constant_inverse().is_none(), tasks);
    }
    Ok(same_contacts)
}
