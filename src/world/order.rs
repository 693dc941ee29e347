//! Order: assigns rows to bodies and numbers to contacts.

use crate::body::Bodies;
use crate::contact::ContactList;
use crate::error::Result;
use crate::tasks::Tasks;
use crate::world::active_bodies::ActiveBodies;
use crate::world::index::Index;

/// Assigns rows to the bodies of the step and numbers to its contacts. `are_continued` means that each contact continues the one at the
/// same place in the list of the step before. Returns whether these also had the same numbers.
pub(in crate::world) fn order(
    tasks: &dyn Tasks,
    bodies: &Bodies,
    contact_list: &ContactList,
    are_continued: bool,
    active_bodies: &mut ActiveBodies,
    index: &mut Index,
) -> Result<bool> {
    active_bodies.arrange(bodies, tasks)?;
    index.make(active_bodies, bodies.slots(), contact_list, are_continued, tasks)
}
