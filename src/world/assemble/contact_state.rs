//! What the world keeps of the contacts of a substep, beside the contact buffer and in the same order.

use crate::contact::Marks;
use crate::math::lanes::{WIDE, Wide};

/// Gaps and marks of eight contacts.
#[derive(Debug, Clone, Copy)]
pub(in crate::world) struct ContactStateX8 {
    /// At the start of the substep, above zero: apart [m].
    pub(in crate::world) gap: Wide,
    /// Up to this gap the bodies touch [m].
    pub(in crate::world) round_off: Wide,
    /// What is known of each contact.
    pub(in crate::world) marks: [Marks; WIDE],
}

impl ContactStateX8 {
    /// No contacts.
    pub(in crate::world) const NONE: Self =
        Self { gap: Wide::splat(0.0), round_off: Wide::splat(0.0), marks: [Marks::NONE; WIDE] };
}
