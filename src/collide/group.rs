//! The neighbours of some consecutive slots, and how they are updated.

use crate::error::{Result, out_of_memory, refill, reserve, resize};

/// The neighbours of some consecutive slots.
#[derive(Debug, Default, Clone, Copy)]
pub struct Part<'a> {
    /// The first slot.
    pub first: usize,
    /// For each slot the index of its first partner, and the end.
    pub starts: &'a [u32],
    /// The neighbours that are in greater slots.
    pub partners: &'a [u32],
}

/// The number of slots of a group. An update of a group iterates over all its neighbours. Each group is one unit of work.
pub(super) const SLOTS: usize = 512;

/// For each slot of the group its neighbours in greater slots, which may be in other groups.
#[derive(Debug, Default)]
pub(super) struct Group {
    /// For each slot the index of its first partner, and the end. While pairs are counted, the number of partners of each slot.
    pub(super) starts: Vec<u32>,
    /// Ascending for each slot.
    pub(super) partners: Vec<u32>,
    /// Whether its pairs may include reinserted bodies.
    pub(super) is_touched: bool,
}

impl Group {
    /// Makes it a group of `slots` slots without neighbours.
    pub(super) fn clear(&mut self, slots: usize) -> Result<()> {
        self.is_touched = false;
        self.partners.clear();
        refill(&mut self.starts, slots + 1, 0, "bodies of the pairs")
    }

    /// Gives a range to each slot, after all pairs were counted, and reserves memory for them.
    pub(super) fn reserve_partners(&mut self) -> Result<()> {
        let mut end = 0;
        for start in &mut self.starts {
            end += *start;
            *start = end;
        }
        resize(&mut self.partners, end as usize, 0, "pairs of bodies")
    }

    /// Places a neighbour that was counted. Each range is filled from its end, so that each start is right once all are placed.
    pub(super) fn place(&mut self, slot: usize, partner: u32) {
        let start = &mut self.starts[slot];
        *start -= 1;
        self.partners[*start as usize] = partner;
    }

    pub(super) fn sort(&mut self) {
        for bounds in self.starts.windows(2) {
            self.partners[bounds[0] as usize..bounds[1] as usize].sort_unstable();
        }
    }

    /// Reserves memory for `slots` slots and for `more` additional neighbours.
    pub(super) fn reserve(&mut self, slots: usize, more: usize) -> Result<()> {
        let total = self.partners.len() + more;
        // The list has indices of 32 bits.
        let end = u32::try_from(total).map_err(|_| out_of_memory("pairs of bodies", total))? - more as u32;
        if self.starts.len() <= slots {
            resize(&mut self.starts, slots + 1, end, "bodies of the pairs")?;
        }
        reserve(&mut self.partners, more, "pairs of bodies")
    }

    /// Removes the pairs of bodies that moved. `moved` has a flag for each slot of the whole list; `first` is the first slot of
    /// the group.
    pub(super) fn remove_moved(&mut self, first: usize, moved: &[bool]) {
        let Self { starts, partners, .. } = self;
        let (mut begin, mut kept) = (0, 0);
        let slots = starts.len().saturating_sub(1);
        for (slot, is_moved) in moved[first..].iter().take(slots).enumerate() {
            let end = starts[slot + 1] as usize;
            starts[slot] = kept as u32;
            let own = if *is_moved { end..end } else { begin..end };
            // The remaining partners move to the front.
            for at in own {
                let partner = partners[at];
                partners[kept] = partner;
                kept += usize::from(!moved[partner as usize]);
            }
            begin = end;
        }
        partners.truncate(kept);
        if let Some(last) = starts.last_mut() {
            *last = kept as u32;
        }
    }

    /// Inserts the `found` pairs, which are sorted and for which memory is reserved. It merges them from the end, and stops when all
    /// are inserted: the pairs before them keep their places.
    pub(super) fn put_in(&mut self, first: usize, found: &[(u32, u32)]) {
        let Self { starts, partners, .. } = self;
        let mut left = found;
        let mut old = partners.len();
        partners.resize(old + found.len(), 0);
        let mut free = partners.len();
        for slot in (0..starts.len().saturating_sub(1)).rev() {
            if left.is_empty() {
                break;
            }
            let begin = starts[slot] as usize;
            starts[slot + 1] = free as u32;
            while let Some(((_, new), rest)) = left.split_last().filter(|((one, _), _)| *one as usize == first + slot) {
                while old > begin && partners[old - 1] > *new {
                    (old, free) = (old - 1, free - 1);
                    partners[free] = partners[old];
                }
                free -= 1;
                partners[free] = *new;
                left = rest;
            }
            partners.copy_within(begin..old, free - (old - begin));
            (old, free) = (begin, free - (old - begin));
        }
    }
}
