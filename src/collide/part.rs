//! The neighbours of some slots in a row, to read.

/// The neighbours of some slots in a row.
#[derive(Debug, Default, Clone, Copy)]
pub struct Part<'a> {
    /// The first slot.
    pub first: usize,
    /// Where the partners of each slot begin, and the end.
    pub starts: &'a [u32],
    /// The greater slots of their neighbours.
    pub partners: &'a [u32],
}

impl<'a> Part<'a> {
    /// Its pairs, sorted.
    pub(super) fn pairs(self) -> impl Iterator<Item = (u32, u32)> + 'a {
        let Part { first, starts, partners } = self;
        let groups = starts.windows(2).map(|ends| &partners[ends[0] as usize..ends[1] as usize]);
        (first as u32..).zip(groups).flat_map(|(slot, partners)| partners.iter().map(move |partner| (slot, *partner)))
    }
}
