//! The order in which the contacts of one kind of an island are visited, and the batches that may be swept at the same time.
//!
//! Bodies that follow each other in the problem are taken for neighbours, as the world sorts them along a curve. Every
//! [`TILE`] of them make a tile. Contacts within a tile are packed into batches by a sliding window, which keeps what is
//! near together. The tiles share no moving body, and are the first phase of a sweep. Contacts between tiles are coloured:
//! each gets the first colour that is free at both bodies. Each colour is a phase, in pieces. The plan depends on the
//! contacts alone, never on threads. A plan that fits into one tile is a single sliding window. In a window contacts of
//! one body a may follow each other in a lane, see [`Packer`].

use parking_lot::Mutex;

use crate::error::{Result, empty, push, refill, reserve, resize};
use crate::math::{ContactId, LaneSlot};
use crate::solver::gauss_seidel::packer::Window;
use crate::solver::problem::pairs::{LinePair, TILE, tiles};
use crate::tasks::{Tasks, each_span};

/// Colours; contacts that find none free come last, in a window of their own.
pub(in crate::solver) const COLOURS: usize = 64;

/// How the contacts of one kind of an island are visited: some lanes one by one, then some phases of batches.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::solver) struct Plan {
    pub(super) lanes: [u32; 2],
    pub(super) phases: [u32; 2],
}

impl Plan {
    /// Of nothing.
    pub(super) const NONE: Self = Self { lanes: [0; 2], phases: [0; 2] };

    /// Returns whether a lane is visited by itself.
    pub(super) fn has(&self, lane: LaneSlot) -> bool {
        (self.lanes[0]..self.lanes[1]).contains(&lane.0)
    }

    /// The lanes that are visited one by one.
    pub(in crate::solver) fn lanes(&self) -> impl Iterator<Item = LaneSlot> {
        LaneSlot::range(self.lanes[0] as usize..self.lanes[1] as usize)
    }
}

/// The contacts that a plan chooses from.
#[derive(Debug, Clone, Copy)]
pub(in crate::solver) struct PlannedContacts<'a> {
    /// The lines of the bodies of each contact.
    pub(in crate::solver) pairs: &'a [LinePair],
    /// Whether the tiles of their first moving bodies rise.
    pub(in crate::solver) are_sorted: bool,
    /// How many bodies there are.
    pub(in crate::solver) bodies: usize,
}

/// Makes the plans and keeps their phases.
#[derive(Debug, Default)]
pub(in crate::solver) struct Planner {
    /// Ranges of batches, in each phase rising.
    pub(super) spans: Vec<[u32; 2]>,
    /// Where the spans of each phase begin and end.
    pub(super) phases: Vec<[u32; 2]>,
    /// The contacts of all plans so far; the plan that is being made sorts its own.
    pub(super) order: Vec<ContactId>,
    /// Where the contacts of the plan that is being made begin in the order.
    pub(super) first: usize,
    /// Where in the rest of the order each group begins and ends: those of a tile, or of a colour.
    pub(super) groups: Vec<[u32; 2]>,
    /// How many contacts the batches of a tile have, from where its group begins, then a zero unless the group ends there.
    pub(super) lengths: Vec<u8>,
    /// The contacts between tiles, or workspace.
    pub(super) between: Vec<ContactId>,
    colours: Vec<u8>,
    /// For each body, the colours of its contacts, as bits.
    body_colours: Vec<u64>,
    /// Windows that are not in use, at most one for each worker.
    pub(super) windows: Mutex<Vec<Window>>,
}

impl Planner {
    /// Forgets all plans, and reserves memory for those of this many contacts.
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

    /// The phases of a plan, each as ranges of batches that share no moving body.
    pub(in crate::solver) fn phases(&self, plan: &Plan) -> impl Iterator<Item = &[[u32; 2]]> {
        let phases = &self.phases[plan.phases[0] as usize..plan.phases[1] as usize];
        phases.iter().map(|[first, end]| &self.spans[*first as usize..*end as usize])
    }

    /// Adds a range of batches to the phase that is being made.
    pub(super) fn add_span(&mut self, first: u32, end: u32) -> Result<()> {
        if first < end {
            push(&mut self.spans, [first, end], "tiles")?;
        }
        Ok(())
    }

    /// Makes a phase of the spans added since `begin`.
    pub(super) fn end_phase(&mut self, begin: u32) -> Result<()> {
        if (begin as usize) < self.spans.len() {
            push(&mut self.phases, [begin, self.spans.len() as u32], "tiles")?;
        }
        Ok(())
    }

    /// Packs the contacts of each tile, and puts those between tiles behind them.
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

    /// Sorts the chosen contacts by the tile of their first moving body, and finds where the contacts of each tile begin and end.
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
        // filled from the front, each beginning comes to the end
        between.iter().for_each(|contact| put(chosen, &mut groups[tile(contact) as usize], *contact));
        begin_all(groups);
        groups.retain(|[begin, end]| begin < end);
        Ok(())
    }

    /// Gives each contact between tiles the first colour that neither of its bodies has, and sorts them by colour to the end of the
    /// order. Contacts for which no colour was free come last.
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

/// Turns the counts in second place into places where groups begin and end, one behind the other.
fn end_all(groups: &mut [[u32; 2]]) {
    groups.iter_mut().fold(0, |begin, group| {
        *group = [begin, begin + group[1]];
        group[1]
    });
}

/// Puts a contact at the beginning of what is left of its group.
fn put(places: &mut [ContactId], group: &mut [u32; 2], contact: ContactId) {
    places[group[0] as usize] = contact;
    group[0] += 1;
}

/// Lets each group begin where the one before ends, once nothing is left of any.
fn begin_all(groups: &mut [[u32; 2]]) {
    groups.iter_mut().fold(0, |begin, group| {
        group[0] = begin;
        group[1]
    });
}
