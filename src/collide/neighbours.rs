//! The list of pairs of bodies that are near each other. It is kept from step to step, and updated where bodies left
//! their fat bounds.
//!
//! Fat bounds are the bounds of a body plus a skin. While every body stays inside its fat bounds, the list has all
//! pairs that can touch. It may have more pairs, depending on when bodies were stored. The narrow phase drops those, so
//! its result depends on the present positions only.

use crate::collide::grid::Grid;
use crate::collide::group::{Group, Part, SLOTS};
use crate::error::{Result, empty, out_of_memory, push, reserve, resize};
use crate::math::{Aabb, Period};

/// The bodies of the list, as it reads them.
pub trait ProxySource {
    /// Returns the number of slots.
    fn slots(&self) -> usize;

    /// Returns the fat bounds of the body in `slot`; `None` if there is no body, or one without bounds.
    fn bounds(&self, slot: u32) -> Option<Aabb>;

    /// Returns the slots of bodies without bounds, sorted.
    fn unbounded(&self) -> &[u32];

    /// Returns the periodic box. If it changes, the list must be rebuilt.
    fn period(&self) -> Period {
        Period::OPEN
    }

    /// Returns whether two bodies may touch while both stay in their fat bounds. It is called for bodies whose fat bounds overlap, and
    /// for those without bounds.
    fn admits(&self, one: u32, other: u32) -> bool;
}

/// For each slot its neighbours in greater slots.
#[derive(Debug, Default)]
pub struct Neighbours {
    grid: Grid,
    /// The number of slots at the last update.
    pub(super) slots: usize,
    /// Groups of [`SLOTS`] slots, so that an update iterates only over groups that change.
    groups: Vec<Group>,
    /// The groups that have neighbours. Two sleeping bodies are not neighbours of each other.
    nonempty: Vec<u32>,
    /// The slots of bodies without bounds at the last update.
    unbounded: Vec<u32>,
    /// Marks the slots whose bodies are being reinserted.
    is_moved: Vec<bool>,
    /// The number of bodies that were reinserted one by one since the last rebuild.
    pub(crate) reinserted: usize,
}

/// Pairs while they are found, the smaller slot first.
pub type Pairs = Vec<(u32, u32)>;

impl Neighbours {
    /// Returns the number of parts.
    pub fn parts(&self) -> usize {
        self.nonempty.len()
    }

    /// Returns one part of the list: consecutive slots with their neighbours in greater slots. Slots between two parts have none.
    pub fn part(&self, number: usize) -> Part<'_> {
        let Some(nonempty) = self.nonempty.get(number) else { return Part::default() };
        let Some(group) = self.groups.get(*nonempty as usize) else { return Part::default() };
        Part { first: *nonempty as usize * SLOTS, starts: &group.starts, partners: &group.partners }
    }

    /// Returns whether the list should be rebuilt if `moved` bodies are to be reinserted: an update would cost more.
    pub fn needs_rebuild(&self, moved: usize) -> bool {
        // The search for one body costs five to eight times its share of a search for all pairs. Reinserted bodies are also not in order
        // in memory.
        REBUILD_DIVISOR * moved > self.slots || self.reinserted > self.slots
    }

    /// Stores all bodies and finds all pairs.
    pub fn rebuild(&mut self, bodies: &impl ProxySource, found: &mut Pairs) -> Result<()> {
        let slots = bodies.slots();
        found.clear();
        self.reinserted = 0;
        self.grid.fill(slots, &bodies.period(), |slot| bodies.bounds(slot))?;
        self.grid.pairs(|one, other| note(bodies, found, one, other))?;
        for plane in bodies.unbounded() {
            bounded(bodies).try_for_each(|slot| note(bodies, found, *plane, slot))?;
        }
        self.take(found, slots)?;
        self.classify(bodies)
    }

    /// Sorts the found pairs by counting over the smaller slot, then within its few partners.
    fn take(&mut self, found: &Pairs, slots: usize) -> Result<()> {
        // The lists have indices of 32 bits.
        u32::try_from(found.len()).map_err(|_| out_of_memory("pairs of bodies", found.len()))?;
        self.groups.truncate(slots.div_ceil(SLOTS));
        self.make_groups(slots)?;
        let groups = &mut self.groups;
        for (number, group) in groups.iter_mut().enumerate() {
            group.clear((slots - number * SLOTS).min(SLOTS))?;
        }
        for (first, _) in found {
            groups[*first as usize / SLOTS].starts[*first as usize % SLOTS] += 1;
        }
        groups.iter_mut().try_for_each(Group::reserve_partners)?;
        for (first, second) in found.iter().rev() {
            groups[*first as usize / SLOTS].place(*first as usize % SLOTS, *second);
        }
        groups.iter_mut().for_each(Group::sort);
        Ok(())
    }

    /// Makes groups for this many slots, which are not fewer than before.
    fn make_groups(&mut self, slots: usize) -> Result<()> {
        let missing = slots.div_ceil(SLOTS).saturating_sub(self.groups.len());
        reserve(&mut self.groups, missing, "groups of bodies")?;
        self.groups.resize_with(self.groups.len() + missing, Group::default);
        self.slots = slots;
        Ok(())
    }

    /// Lists the groups that have neighbours, and the bodies without bounds.
    fn classify(&mut self, bodies: &impl ProxySource) -> Result<()> {
        empty(&mut self.nonempty, self.groups.len(), "groups of bodies")?;
        let nonempty = (0..).zip(&self.groups).filter(|(_, group)| !group.partners.is_empty());
        self.nonempty.extend(nonempty.map(|(number, _)| number));
        empty(&mut self.unbounded, bodies.unbounded().len(), "bodies of the pairs")?;
        self.unbounded.extend_from_slice(bodies.unbounded());
        Ok(())
    }

    /// Updates the pairs of the bodies in the slots `moved` (sorted). These bodies left their fat bounds, or were added, removed
    /// or changed.
    pub fn update(&mut self, bodies: &impl ProxySource, moved: &[u32], found: &mut Pairs) -> Result<()> {
        let slots = bodies.slots();
        self.reinserted += moved.len();
        resize(&mut self.is_moved, slots, false, "bodies of the pairs")?;
        self.touch(moved)?;
        found.clear();
        let done = self.replace_pairs(bodies, moved, found);
        moved.iter().for_each(|slot| self.is_moved[*slot as usize] = false);
        done?;
        self.classify(bodies)
    }

    /// Reinserts the moved bodies and replaces their pairs. They are marked as moved afterwards, even after a failure.
    fn replace_pairs(&mut self, bodies: &impl ProxySource, moved: &[u32], found: &mut Pairs) -> Result<()> {
        let slots = bodies.slots();
        for slot in moved {
            self.is_moved[*slot as usize] = true;
            self.grid.reinsert(*slot, bodies.bounds(*slot).as_ref(), slots)?;
        }
        self.find_partners(bodies, moved, found)?;
        self.merge(found, slots)
    }

    /// Marks the groups whose pairs may include `moved` bodies: the groups of these bodies, and of the bodies that overlap their old
    /// bounds.
    fn touch(&mut self, moved: &[u32]) -> Result<()> {
        let Self { grid, groups, unbounded, .. } = self;
        // A body without bounds can be a neighbour of all bodies. With more moved bodies than groups, hardly any group
        // stays as it is.
        if moved.len() > groups.len() || moved.iter().any(|slot| unbounded.binary_search(slot).is_ok()) {
            groups.iter_mut().for_each(|group| group.is_touched = true);
            return Ok(());
        }
        let mut touch = |slot: u32| {
            if let Some(group) = groups.get_mut(slot as usize / SLOTS) {
                group.is_touched = true;
            }
        };
        unbounded.iter().for_each(|slot| touch(*slot));
        for slot in moved {
            touch(*slot);
            grid.partners(*slot, |other| {
                touch(other);
                Ok(())
            })?;
        }
        Ok(())
    }

    /// Finds all pairs of the reinserted bodies, sorted.
    fn find_partners(&self, bodies: &impl ProxySource, moved: &[u32], found: &mut Pairs) -> Result<()> {
        // A pair of two reinserted bodies is found by the one in the smaller slot.
        let mut note = |slot: u32, other: u32| {
            let counted = self.is_moved[other as usize] && other < slot;
            if counted { Ok(()) } else { note(bodies, found, slot, other) }
        };
        for slot in moved {
            if bodies.unbounded().binary_search(slot).is_ok() {
                bounded(bodies).try_for_each(|other| note(*slot, other))?;
            } else if bodies.bounds(*slot).is_some() {
                self.grid.partners(*slot, |other| note(*slot, other))?;
                bodies.unbounded().iter().try_for_each(|plane| note(*slot, *plane))?;
            }
        }
        found.sort_unstable();
        Ok(())
    }

    /// Removes the pairs of reinserted bodies, and inserts the `found` ones.
    fn merge(&mut self, found: &Pairs, slots: usize) -> Result<()> {
        let old = self.groups.len();
        self.make_groups(slots)?;
        let Self { groups, is_moved, .. } = self;
        // The last of the old groups may have got more slots.
        for (number, group) in groups.iter_mut().enumerate().skip(old.saturating_sub(1)) {
            group.reserve((slots - number * SLOTS).min(SLOTS), 0)?;
        }
        for (number, group) in groups.iter_mut().enumerate().filter(|(_, group)| group.is_touched) {
            group.remove_moved(number * SLOTS, is_moved);
            group.is_touched = false;
        }
        for found in found.chunk_by(|(one, _), (other, _)| *one as usize / SLOTS == *other as usize / SLOTS) {
            let number = found[0].0 as usize / SLOTS;
            groups[number].reserve(0, found.len())?;
            groups[number].put_in(number * SLOTS, found);
        }
        Ok(())
    }
}

/// The list is rebuilt if more than one in this many bodies moved.
const REBUILD_DIVISOR: usize = 6;

/// The slots of the bodies that have bounds.
fn bounded(bodies: &impl ProxySource) -> impl Iterator<Item = u32> {
    (0..bodies.slots() as u32).filter(|slot| bodies.bounds(*slot).is_some())
}

/// Adds a pair, the smaller slot first, if the two may touch.
fn note(bodies: &impl ProxySource, found: &mut Pairs, one: u32, other: u32) -> Result<()> {
    let pair = (one.min(other), one.max(other));
    if bodies.admits(one, other) { push(found, pair, "pairs of bodies") } else { Ok(()) }
}
