//! What the world keeps of the contacts of a substep, beside the contact buffer and in the same order.

use crate::contact::Marks;
use crate::math::LaneSlot;
use crate::math::lanes::{WIDE, Wide};

/// What the world keeps of eight contacts.
#[derive(Debug, Clone, Copy)]
pub(in crate::world) struct ContactStateX8 {
    /// Up to this gap the bodies touch [m].
    pub(in crate::world) round_off: Wide,
    /// The lane of each contact in the substep before, or [`LaneSlot::NONE`].
    pub(in crate::world) lane_before: [LaneSlot; WIDE],
    /// What is known of each contact.
    pub(in crate::world) marks: [Marks; WIDE],
    /// Whether the bodies of each contact touch at other points too.
    pub(in crate::world) of_several: [bool; WIDE],
}

impl ContactStateX8 {
    /// No contacts.
    pub(in crate::world) const EMPTY: Self = Self {
        round_off: Wide::splat(0.0),
        lane_before: [LaneSlot::NONE; WIDE],
        marks: [Marks::NONE; WIDE],
        of_several: [false; WIDE],
    };
}
