//! The order in which the contacts of one kind of an island are visited, and the batches that may be swept at the same time.
//!
//! Bodies that follow each other in the problem are assumed to be near each other, since the world sorts them along a
//! curve. Every [`TILE`] consecutive bodies make a tile, which keeps contacts of nearby bodies together. The contacts
//! within a tile are packed into batches, see [`Packer`](crate::solver::gauss_seidel::packer::Packer). The tiles share no
//! moving body, and are the first phase of a sweep. Contacts between tiles are coloured: each gets the first colour that is
//! free at both bodies. Each colour is a phase, in pieces. The plan depends on the contacts alone, never on threads. A plan
//! that fits into one tile is a single phase.

use parking_lot::Mutex;

use crate::error::{Result, empty, push, refill, reserve, resize};
use crate::math::{ContactId, LaneSlot};
use crate::solver::gauss_seidel::packer::Window;
use crate::solver::problem::pairs::{LinePair, TILE, tiles};
use crate::tasks::{Tasks, each_span};

/// The number of colours. Contacts for which no colour is free come last, in a window of their own.
pub(in crate::solver) const COLOURS: usize = 64;

/// The visits of the contacts of one kind of an island: some lanes one by one, then some phases of batches.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::solver) struct Plan {
    pub(super) lanes: [u32; 2],
    pub(super) phases: [u32; 2],
}

impl Plan {
    /// The plan of no contacts.
    pub(super) const NONE: Self = Self { lanes: [0; 2], phases: [0; 2] };

    /// Returns whether a lane is visited alone.
    pub(super) fn has(&self, lane: LaneSlot) -> bool {
        (self.lanes[0]..self.lanes[1]).contains(&lane.0)
    }

    /// Returns the lanes that are visited one by one.
    pub(in crate::solver) fn lanes(&self) -> impl Iterator<Item = LaneSlot> {
        LaneSlot::range(self.lanes[0] as usize..self.lanes[1] as usize)
    }
}

/// The contacts that a plan chooses from.
#[derive(Debug, Clone, Copy)]
pub(in crate::solver) struct PlannedContacts<'a> {
    /// The lines of the bodies of each contact.
    pub(in crate::solver) pairs: &'a [LinePair],
    /// Whether the contacts are sorted by the tile of their first moving body.
    pub(in crate::solver) are_sorted: bool,
    /// The number of bodies.
    pub(in crate::solver) bodies: usize,
}

/// Creates the plans and stores their phases.
#[derive(Debug, Default)]
pub(in crate::solver) struct Planner {
    /// Ranges of batches, which rise within each phase.
    pub(super) spans: Vec<[u32; 2]>,
    /// The range of the spans of each phase.
    pub(super) phases: Vec<[u32; 2]>,
    /// The contacts of all plans so far. The present plan sorts its own contacts.
    pub(super) order: Vec<ContactId>,
    /// The place in the order at which the contacts of the present plan begin.
    pub(super) first: usize,
    /// The range of each group in the order, counted from `first`, or from the contacts between tiles. A group has the
    /// contacts of a tile or of a colour.
    pub(super) groups: Vec<[u32; 2]>,
    /// The numbers of contacts in the batches of a tile, from the start of its group on. A zero follows unless the
    /// group ends there.
    pub(super) lengths: Vec<u8>,
    /// The contacts between tiles, or scratch memory.
    pub(super) between: Vec<ContactId>,
    colours: Vec<u8>,
    /// The colours of the contacts of each body, as bits.
    body_colours: Vec<u64>,
    /// Windows that are not in use: at most one for each worker.
    pub(super) windows: Mutex<Vec<Window>>,
}

impl Planner {
    /// Removes all plans, and reserves memory for plans of this many contacts.
    pub(in crate::solver) fn begin(&mut self, contacts: usize) -> Result<()> {
        self.spans.clear();
        self.phases.clear();
        empty(&mut self.order, contacts, "contacts")
    }

    /// Chooses contacts for the next plan, in rising order.
    pub(in crate::solver) fn choose(&mut self, chosen: impl Iterator<Item = ContactId>) {
        self.first = self.order.len();
        self.order.extend(chosen);
    }

    /// Returns the phases of a plan, each as ranges of batches that share no moving body.
    pub(in crate::solver) fn phases(&self, plan: &Plan) -> impl Iterator<Item = &[[u32; 2]]> {
        let phases = &self.phases[plan.phases[0] as usize..plan.phases[1] as usize];
        phases.iter().map(|[first, end]| &self.spans[*first as usize..*end as usize])
    }

    /// Adds a range of batches to the present phase.
    pub(super) fn add_span(&mut self, first: u32, end: u32) -> Result<()> {
        if first < end {
            push(&mut self.spans, [first, end], "tiles")?;
        }
        Ok(())
    }

    /// Ends a phase, which has the spans added since `begin`.
    pub(super) fn end_phase(&mut self, begin: u32) -> Result<()> {
        if (begin as usize) < self.spans.len() {
            push(&mut self.phases, [begin, self.spans.len() as u32], "tiles")?;
        }
        Ok(())
    }

    /// Packs the contacts of each tile, and moves contacts between tiles behind them.
    pub(super) fn pack_tiles(&mut self, pairs: &[LinePair], longest: usize, tasks: &dyn Tasks) -> Result<()> {
        let Self { windows, order, first, groups, lengths, .. } = self;
        let chosen = &mut order[*first..];
        reserve(windows.get_mut(), tasks.workers(), "tiles")?;
        resize(lengths, chosen.len(), 0, "contacts")?;
        let failed = Mutex::new(None);
        each_span(tasks, groups, (chosen, &mut lengths[..]), |_, group, lengths| {
            let mut window = windows.lock().pop().unwrap_or_default();
            if let Err(error) = window.pack_tile(group, lengths, pairs, longest) {
                *failed.lock() = Some(error);
            }
            let mut windows = windows.lock();
            if windows.len() < windows.capacity() {
                windows.push(window);
            }
        });
        failed.into_inner().map_or(Ok(()), Err)
    }

    /// Sorts the chosen contacts by the tile of their first moving body, and stores the range of each tile.
    pub(super) fn by_tile(&mut self, contacts: PlannedContacts) -> Result<()> {
        let PlannedContacts { pairs, are_sorted, bodies } = contacts;
        let Self { order, first, groups, between, .. } = self;
        let chosen = &mut order[*first..];
        let tile = |contact: &ContactId| tiles(pairs[*contact])[0];
        groups.clear();
        if are_sorted {
            reserve(groups, bodies / TILE as usize + 1, "tiles")?;
            let mut begin = 0;
            while let Some(contact) = chosen.get(begin) {
                let own = tile(contact);
                let end = begin + chosen[begin..].partition_point(|contact| tile(contact) == own);
                groups.push([begin as u32, end as u32]);
                begin = end;
            }
            return Ok(());
        }
        empty(between, chosen.len(), "contacts")?;
        between.extend_from_slice(chosen);
        resize(groups, bodies / TILE as usize + 1, [0; 2], "tiles")?;
        between.iter().for_each(|contact| groups[tile(contact) as usize][1] += 1);
        end_all(groups);
        // Groups are filled from the front, which moves the start of each to its end.
        between.iter().for_each(|contact| put(chosen, &mut groups[tile(contact) as usize], *contact));
        begin_all(groups);
        groups.retain(|[begin, end]| begin < end);
        Ok(())
    }

    /// Gives each contact between tiles the first colour that neither of its bodies has. Sorts these contacts by colour
    /// to the end of the order. Contacts for which no colour is free come last.
    pub(super) fn colour(&mut self, contacts: PlannedContacts) -> Result<()> {
        let PlannedContacts { pairs, bodies, .. } = contacts;
        let Self { order, groups, between, colours, body_colours, .. } = self;
        refill(body_colours, bodies, 0, "bodies of the tiles")?;
        empty(colours, between.len(), "contacts")?;
        refill(groups, COLOURS + 1, [0; 2], "colours")?;
        for contact in &*between {
            let moving = || pairs[*contact].iter().filter(|body| !body.is_read_only()).map(|body| body.row());
            let found = moving().fold(0, |all, body| all | body_colours[body]);
            let colour = (!found).trailing_zeros() as usize;
            if colour < COLOURS {
                moving().for_each(|body| body_colours[body] |= 1 << colour);
            }
            colours.push(colour as u8);
            groups[colour][1] += 1;
        }
        end_all(groups);
        let place = order.len() - between.len();
        for (contact, colour) in between.iter().zip(&*colours) {
            put(&mut order[place..], &mut groups[*colour as usize], *contact);
        }
        begin_all(groups);
        Ok(())
    }
}

/// Replaces the counts in the second places by the starts and ends of groups that follow each other.
fn end_all(groups: &mut [[u32; 2]]) {
    groups.iter_mut().fold(0, |begin, group| {
        *group = [begin, begin + group[1]];
        group[1]
    });
}

/// Puts a contact at the start of the remainder of its group, and shortens the remainder.
fn put(places: &mut [ContactId], group: &mut [u32; 2], contact: ContactId) {
    places[group[0] as usize] = contact;
    group[0] += 1;
}

/// Makes each group begin at the end of the group before, after all of them are filled.
fn begin_all(groups: &mut [[u32; 2]]) {
    groups.iter_mut().fold(0, |begin, group| {
        group[0] = begin;
        group[1]
    });
}
