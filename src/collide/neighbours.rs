//! The pairs of bodies that are near each other: found once, kept, and mended where bodies went away.
//!
//! Bodies are filed with bounds that are larger than they need (a skin). While every body stays inside its filed bounds,
//! all pairs that can touch are on the list; so what is made of it depends on where the bodies are, and not on when they
//! were filed.

use crate::collide::grid::Grid;
use crate::error::{Result, out_of_memory, reserve, resize};
use crate::math::Aabb;

/// What the list asks of the bodies it is made of.
pub trait Filed {
    /// How many slots there are.
    fn slots(&self) -> usize;

    /// The bounds that the body in `slot` is filed with; none if there is no body, or one without bounds.
    fn bounds(&self, slot: u32) -> Option<Aabb>;

    /// The slots of bodies without bounds, sorted.
    fn unbounded(&self) -> &[u32];

    /// Whether two bodies may touch while both stay in their filed bounds. Of two bounded ones, these overlap.
    fn admits(&self, one: u32, other: u32) -> bool;
}

/// For each slot the greater slots of its neighbours.
#[derive(Debug, Default)]
pub struct Neighbours {
    grid: Grid,
    /// Where the partners of each slot begin; one more for the end.
    starts: Vec<u32>,
    /// Ascending for each slot.
    partners: Vec<u32>,
    /// Slots that are being refiled.
    is_moved: Vec<bool>,
    /// Bodies refiled since all were.
    refiled: usize,
}

/// The neighbours of some slots in a row.
#[derive(Debug, Clone, Copy)]
pub struct Part<'a> {
    /// The first slot.
    pub first: usize,
    /// Where the partners of each slot begin in the whole list, and the end.
    pub starts: &'a [u32],
    /// The greater slots of their neighbours.
    pub partners: &'a [u32],
}

/// Workspace for pairs while they are found.
pub type Pairs = Vec<(u32, u32)>;

impl Neighbours {
    /// How many slots it was made for.
    pub fn slots(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// All pairs, as the greater slots of each slot's neighbours, ascending, slot after slot.
    pub fn partners(&self) -> &[u32] {
        &self.partners
    }

    /// All pairs, the smaller slot first, sorted.
    pub fn pairs(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let groups = self.starts.windows(2).map(|ends| &self.partners[ends[0] as usize..ends[1] as usize]);
        (0..).zip(groups).flat_map(|(slot, partners)| partners.iter().map(move |partner| (slot, *partner)))
    }

    /// The neighbours of at most `count` slots from `first` on.
    pub fn part(&self, first: usize, count: usize) -> Part<'_> {
        let end = (first + count).min(self.slots());
        let starts = if first < end { &self.starts[first..=end] } else { &[] };
        let partners = match (starts.first(), starts.last()) {
            (Some(begin), Some(end)) => &self.partners[*begin as usize..*end as usize],
            _ => &[],
        };
        Part { first, starts, partners }
    }

    /// Bodies refiled one by one since all were.
    pub fn refiled(&self) -> usize {
        self.refiled
    }

    /// Whether it is time to file all bodies anew, if `moved` are to be refiled.
    pub fn is_worn(&self, moved: usize) -> bool {
        let slots = self.slots();
        // Looking one body up costs twice its share of a search for all pairs; and what is refiled lies anywhere in memory.
        MOST_MOVED * moved > slots || self.refiled > slots
    }

    /// Files all bodies and finds all pairs.
    pub fn rebuild(&mut self, bodies: &impl Filed, found: &mut Pairs) -> Result<()> {
        let slots = bodies.slots();
        found.clear();
        self.refiled = 0;
        self.grid.fill(slots, |slot| bodies.bounds(slot))?;
        self.grid.pairs(|one, other| if bodies.admits(one, other) { push(found, one, other) } else { Ok(()) })?;
        for plane in bodies.unbounded() {
            for slot in (0..slots as u32).filter(|slot| bodies.bounds(*slot).is_some()) {
                if bodies.admits(*plane, slot) {
                    push(found, *plane, slot)?;
                }
            }
        }
        self.take(found, slots)
    }

    /// Sorts the found pairs by counting over the smaller slot, then within its few partners.
    fn take(&mut self, found: &Pairs, slots: usize) -> Result<()> {
        check_count(found.len())?;
        self.starts.clear();
        resize(&mut self.starts, slots + 1, 0, "bodies of the pairs")?;
        self.partners.clear();
        resize(&mut self.partners, found.len(), 0, "pairs of bodies")?;
        for (first, _) in found {
            self.starts[*first as usize] += 1;
        }
        let mut end = 0;
        for start in &mut self.starts {
            end += *start;
            *start = end;
        }
        // Filled from the back, each start comes to where its partners begin.
        for (first, second) in found.iter().rev() {
            let start = &mut self.starts[*first as usize];
            *start -= 1;
            self.partners[*start as usize] = *second;
        }
        for slot in 0..slots {
            self.partners[self.starts[slot] as usize..self.starts[slot + 1] as usize].sort_unstable();
        }
        Ok(())
    }

    /// Refiles the bodies of the slots `moved` (sorted), which left their bounds, came, went or changed.
    pub fn mend(&mut self, bodies: &impl Filed, moved: &[u32], found: &mut Pairs) -> Result<()> {
        let slots = bodies.slots();
        self.refiled += moved.len();
        resize(&mut self.is_moved, slots, false, "bodies of the pairs")?;
        for slot in moved {
            self.is_moved[*slot as usize] = true;
            self.grid.refile(*slot, bodies.bounds(*slot).as_ref(), slots)?;
        }
        found.clear();
        let done = self.find_partners(bodies, moved, found).and_then(|()| self.merge(found, slots));
        moved.iter().for_each(|slot| self.is_moved[*slot as usize] = false);
        done
    }

    /// All pairs of the refiled bodies, sorted.
    fn find_partners(&self, bodies: &impl Filed, moved: &[u32], found: &mut Pairs) -> Result<()> {
        // Of two refiled bodies the smaller slot finds the pair.
        let mut note = |slot: u32, other: u32| {
            let counted = self.is_moved[other as usize] && other < slot;
            if counted || !bodies.admits(slot, other) { Ok(()) } else { push(found, slot, other) }
        };
        for slot in moved {
            if bodies.unbounded().binary_search(slot).is_ok() {
                let bounded = (0..bodies.slots() as u32).filter(|other| bodies.bounds(*other).is_some());
                bounded.into_iter().try_for_each(|other| note(*slot, other))?;
            } else if bodies.bounds(*slot).is_some() {
                self.grid.partners(*slot, |other| note(*slot, other))?;
                bodies.unbounded().iter().try_for_each(|plane| note(*slot, *plane))?;
            }
        }
        found.sort_unstable();
        Ok(())
    }

    /// Leaves out the pairs of refiled bodies, and puts in the `found` ones.
    fn merge(&mut self, found: &Pairs, slots: usize) -> Result<()> {
        check_count(self.partners.len() + found.len())?;
        let end = self.partners.len() as u32;
        resize(&mut self.starts, slots + 1, end, "bodies of the pairs")?;
        reserve(&mut self.partners, found.len(), "pairs of bodies")?;
        self.leave_out();
        // there is room
        self.partners.resize(self.partners.len() + found.len(), 0);
        self.put_in(found);
        Ok(())
    }

    /// Leaves out the pairs of refiled bodies: what is left moves to the front.
    fn leave_out(&mut self) {
        let Self { starts, partners, is_moved, .. } = self;
        let (mut begin, mut kept) = (0, 0);
        for (slot, is_moved_itself) in is_moved.iter().enumerate() {
            let end = starts[slot + 1] as usize;
            starts[slot] = kept as u32;
            let own = if *is_moved_itself { end..end } else { begin..end };
            for at in own {
                let partner = partners[at];
                partners[kept] = partner;
                kept += usize::from(!is_moved[partner as usize]);
            }
            begin = end;
        }
        partners.truncate(kept);
        if let Some(last) = starts.last_mut() {
            *last = kept as u32;
        }
    }

    /// Puts in the `found` pairs, sorted, for which there is room behind the list. What comes behind each moves back, the last first;
    /// once all are in, the others are where they were.
    fn put_in(&mut self, found: &[(u32, u32)]) {
        let Self { starts, partners, .. } = self;
        let mut left = found;
        let mut old = partners.len() - found.len();
        let mut free = partners.len();
        for slot in (0..starts.len().saturating_sub(1)).rev() {
            if left.is_empty() {
                break;
            }
            let begin = starts[slot] as usize;
            starts[slot + 1] = free as u32;
            while let Some(((_, new), rest)) = left.split_last().filter(|((one, _), _)| *one as usize == slot) {
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

/// All bodies are filed anew if more than one of this many moved.
const MOST_MOVED: usize = 4;

fn push(found: &mut Pairs, one: u32, other: u32) -> Result<()> {
    if found.len() == found.capacity() {
        let more = (found.len() / 4).max(64);
        reserve(found, more, "pairs of bodies")?;
    }
    found.push((one.min(other), one.max(other)));
    Ok(())
}

/// The list counts in 32 bits.
fn check_count(pairs: usize) -> Result<()> {
    if pairs < u32::MAX as usize { Ok(()) } else { Err(out_of_memory("pairs of bodies", pairs)) }
}
