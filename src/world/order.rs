//! Order: the rows of the bodies and the order of the contacts.

use crate::body::Bodies;
use crate::contact::{Loads, Memory, Touches};
use crate::error::Result;
use crate::tasks::Tasks;
use crate::world::active_bodies::ActiveBodies;
use crate::world::index::Index;

/// What the order is made from.
pub(in crate::world) struct OrderInput<'a> {
    pub(in crate::world) tasks: &'a dyn Tasks,
    pub(in crate::world) bodies: &'a Bodies,
    pub(in crate::world) memory: &'a Memory,
    pub(in crate::world) touches: &'a Touches,
    /// The index in the memory of the contact that each contact continues.
    pub(in crate::world) origins: &'a [u32],
    /// Whether bodies were woken, so that `origins` are not indices in the memory.
    pub(in crate::world) is_woken: bool,
}

/// Assigns rows to the bodies of the step and an order to its contacts. Returns whether each contact has the number of the contact that
/// it continues.
///
/// # Errors
///
/// Memory is exhausted.
pub(in crate::world) fn order(
    input: &OrderInput,
    active_bodies: &mut ActiveBodies,
    index: &mut Index,
    loads: &mut Loads,
) -> Result<bool> {
    let &OrderInput { tasks, bodies, memory, touches, origins, is_woken } = input;
    active_bodies.arrange(bodies, tasks)?;
    loads.begin(touches.len())?;
    let continued = !is_woken && memory.is_continued(origins);
    let remembered = (&touches.found[..], &memory.loads.ranks[..], continued);
    index.make(active_bodies, bodies.slots(), remembered, &loads.pushes, tasks)
}
