//! The pairs of bodies that are near each other: found once, kept, and mended where bodies went away.
//!
//! Bodies are filed with bounds that are larger than they need (a skin). While every body stays inside its filed bounds,
//! all pairs that can touch are on the list; so what is made of it depends on where the bodies are, and not on when they
//! were filed.

use crate::collide::grid::Grid;
use crate::collide::group::{Group, Part, SLOTS};
use crate::error::{Result, empty, out_of_memory, push, reserve, resize};
use crate::math::{Aabb, Period};

/// What the list asks of the bodies it is made of.
pub trait Filed {
    /// How many slots there are.
    fn slots(&self) -> usize;

    /// The bounds that the body in `slot` is filed with; none if there is no body, or one without bounds.
    fn bounds(&self, slot: u32) -> Option<Aabb>;

    /// The slots of bodies without bounds, sorted.
    fn unbounded(&self) -> &[u32];

    /// The box that they are in. If it changes, all bodies are to be filed anew.
    fn period(&self) -> Period {
        Period::OPEN
    }

    /// Whether two bodies may touch while both stay in their filed bounds. Of two bounded ones, these overlap.
    fn admits(&self, one: u32, other: u32) -> bool;
}

/// For each slot the greater slots of its neighbours.
#[derive(Debug, Default)]
pub struct Neighbours {
    grid: Grid,
    /// Those of bodies, the last time.
    pub(super) slots: usize,
    /// Of [`SLOTS`] slots each, so that mending is a walk along those alone that have changed.
    groups: Vec<Group>,
    /// The groups that have any neighbours: sleepers have none of each other.
    busy: Vec<u32>,
    /// Slots of bodies without bounds.
    unbounded: Vec<u32>,
    /// Slots that are being refiled.
    is_moved: Vec<bool>,
    /// Bodies refiled one by one since all were.
    pub(crate) refiled: usize,
}

/// Workspace for pairs while they are found.
pub type Pairs = Vec<(u32, u32)>;

impl Neighbours {
    /// How many parts it has.
    pub fn parts(&self) -> usize {
        self.busy.len()
    }

    /// Slots that are neighbours' smaller one, some in a row; what lies between one part and the next has no partners.
    pub fn part(&self, number: usize) -> Part<'_> {
        let Some(busy) = self.busy.get(number) else { return Part::default() };
        let Some(group) = self.groups.get(*busy as usize) else { return Part::default() };
        Part { first: *busy as usize * SLOTS, starts: &group.starts, partners: &group.partners }
    }

    /// Whether it is time to file all bodies anew, if `moved` are to be refiled.
    pub fn is_worn(&self, moved: usize) -> bool {
        // Looking one body up costs five to eight times its share of a search for all pairs; and what is refiled lies anywhere in memory.
        MOST_MOVED * moved > self.slots || self.refiled > self.slots
    }

    /// Files all bodies and finds all pairs.
    pub fn rebuild(&mut self, bodies: &impl Filed, found: &mut Pairs) -> Result<()> {
        let slots = bodies.slots();
        found.clear();
        self.refiled = 0;
        self.grid.fill(slots, &bodies.period(), |slot| bodies.bounds(slot))?;
        self.grid.pairs(|one, other| note(bodies, found, one, other))?;
        for plane in bodies.unbounded() {
            bounded(bodies).try_for_each(|slot| note(bodies, found, *plane, slot))?;
        }
        self.take(found, slots)?;
        self.look_over(bodies)
    }

    /// Sorts the found pairs by counting over the smaller slot, then within its few partners.
    fn take(&mut self, found: &Pairs, slots: usize) -> Result<()> {
        // the lists count in 32 bits
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
        groups.iter_mut().try_for_each(Group::make_places)?;
        for (first, second) in found.iter().rev() {
            groups[*first as usize / SLOTS].place(*first as usize % SLOTS, *second);
        }
        groups.iter_mut().for_each(Group::sort);
        Ok(())
    }

    /// Makes groups for so many slots, which are no fewer than there were.
    fn make_groups(&mut self, slots: usize) -> Result<()> {
        let missing = slots.div_ceil(SLOTS).saturating_sub(self.groups.len());
        reserve(&mut self.groups, missing, "groups of bodies")?;
        self.groups.resize_with(self.groups.len() + missing, Group::default);
        self.slots = slots;
        Ok(())
    }

    /// Notes who has neighbours, and who is without bounds.
    fn look_over(&mut self, bodies: &impl Filed) -> Result<()> {
        empty(&mut self.busy, self.groups.len(), "groups of bodies")?;
        let busy = (0..).zip(&self.groups).filter(|(_, group)| !group.partners.is_empty());
        self.busy.extend(busy.map(|(number, _)| number));
        empty(&mut self.unbounded, bodies.unbounded().len(), "bodies of the pairs")?;
        self.unbounded.extend_from_slice(bodies.unbounded());
        Ok(())
    }

    /// Refiles the bodies of the slots `moved` (sorted), which left their bounds, came, went or changed.
    pub fn mend(&mut self, bodies: &impl Filed, moved: &[u32], found: &mut Pairs) -> Result<()> {
        let slots = bodies.slots();
        self.refiled += moved.len();
        resize(&mut self.is_moved, slots, false, "bodies of the pairs")?;
        self.touch(moved)?;
        found.clear();
        let done = self.replace_pairs(bodies, moved, found);
        moved.iter().for_each(|slot| self.is_moved[*slot as usize] = false);
        done?;
        self.look_over(bodies)
    }

    /// Files the moved bodies anew, and replaces their pairs. They are marked as moved afterwards, even after a failure.
    fn replace_pairs(&mut self, bodies: &impl Filed, moved: &[u32], found: &mut Pairs) -> Result<()> {
        let slots = bodies.slots();
        for slot in moved {
            self.is_moved[*slot as usize] = true;
            self.grid.refile(*slot, bodies.bounds(*slot).as_ref(), slots)?;
        }
        self.find_partners(bodies, moved, found)?;
        self.merge(found, slots)
    }

    /// Notes which groups may have neighbours among the `moved`: those of themselves, and of whom they meet where they are filed still.
    fn touch(&mut self, moved: &[u32]) -> Result<()> {
        let Self { grid, groups, unbounded, .. } = self;
        // What has no bounds is a neighbour of all; and where there is one for each group, few would be left out.
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

    /// All pairs of the refiled bodies, sorted.
    fn find_partners(&self, bodies: &impl Filed, moved: &[u32], found: &mut Pairs) -> Result<()> {
        // Of two refiled bodies the smaller slot finds the pair.
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

    /// Leaves out the pairs of refiled bodies, and puts in the `found` ones.
    fn merge(&mut self, found: &Pairs, slots: usize) -> Result<()> {
        let old = self.groups.len();
        self.make_groups(slots)?;
        let Self { groups, is_moved, .. } = self;
        // The last one may have become longer.
        for (number, group) in groups.iter_mut().enumerate().skip(old.saturating_sub(1)) {
            group.reserve((slots - number * SLOTS).min(SLOTS), 0)?;
        }
        for (number, group) in groups.iter_mut().enumerate().filter(|(_, group)| group.is_touched) {
            group.leave_out(number * SLOTS, is_moved);
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

/// All bodies are filed anew if more than one of this many moved.
const MOST_MOVED: usize = 6;

/// The slots of the bodies that have bounds.
fn bounded(bodies: &impl Filed) -> impl Iterator<Item = u32> {
    (0..bodies.slots() as u32).filter(|slot| bodies.bounds(*slot).is_some())
}

/// Adds a pair, the smaller slot first, if the two may touch.
fn note(bodies: &impl Filed, found: &mut Pairs, one: u32, other: u32) -> Result<()> {
    let pair = (one.min(other), one.max(other));
    if bodies.admits(one, other) { push(found, pair, "pairs of bodies") } else { Ok(()) }
}
