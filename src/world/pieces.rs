//! How the work on bodies is cut into pieces, and how far ahead their data are prefetched.

use crate::math::lanes::prefetch_one_of;

/// The number of bodies in a piece of work. A smaller piece costs more to hand out; a larger one leaves threads idle at the end.
pub(in crate::world) const BODIES_PER_PIECE: usize = 128;

/// The number of rows between the row in work and the row whose body is prefetched. Body data are stored by slot, not by row.
pub(in crate::world) const BODIES_AHEAD: usize = 4;

/// Prefetches the value of a slot, if there is one.
#[inline(always)]
pub(in crate::world) fn prefetch_slot<T>(values: &[T], slot: Option<&u32>) {
    if let Some(slot) = slot {
        prefetch_one_of(values, *slot as usize);
    }
}
