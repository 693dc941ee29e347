//! In what order the contacts of one kind of an island are visited, and what of it may happen at the same time.
//!
//! Bodies that follow each other in the problem are taken for neighbours, as the world sorts them along a curve. Every
//! [`TILE`] of them make a tile. Contacts within a tile are packed into batches by a sliding window, which keeps what is
//! near together; the tiles do not see each other, and are the first phase of a sweep. Contacts between tiles are
//! coloured, the first colour free at both bodies each, and each colour is a phase in pieces. The plan depends on the
//! contacts alone, never on threads, and one that fits into a tile is a sliding window and nothing else. In a window contacts of one
//! body a may follow each other in a lane, see [`Packer`].

use parking_lot::Mutex;

use crate::error::{Result, reserve, resize};
use crate::math::lanes::KEPT;
use crate::solver::gauss_seidel::rows::batches::ContactBatches;
use crate::solver::gauss_seidel::rows::window::Window;
use crate::solver::gauss_seidel::wide::Batch;
use crate::solver::problem::pairs::{Pair, TILE, tiles};
use crate::tasks::{Tasks, each_span};

/// Batches of a piece of a colour.
const PIECE: u32 = 32;
/// Colours; contacts that find none free come last, in a window of their own.
pub(in crate::solver) const COLOURS: usize = 64;

/// How the contacts of one kind of an island are visited: some lanes one by one, then some phases of batches.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::solver) struct Plan {
    lanes: [u32; 2],
    phases: [u32; 2],
}

impl Plan {
    /// The lanes that are visited one by one.
    pub(in crate::solver) fn lanes(&self) -> std::ops::Range<usize> {
        self.lanes[0] as usize..self.lanes[1] as usize
    }
}

/// Makes the plans and keeps their phases.
#[derive(Debug, Default)]
pub(in crate::solver) struct Planner {
    /// Ranges of batches, in each phase rising.
    spans: Vec<[u32; 2]>,
    /// Where the spans of each phase begin and end.
    phases: Vec<[u32; 2]>,
    /// All contacts that were chosen, plan by plan, those of each in the order of its lanes once it is made.
    order: Vec<u32>,
    /// Where in the order those of the plan begin that is being made.
    first: usize,
    /// Where in the rest of the order each group begins and ends: those of a tile, or of a colour.
    groups: Vec<[u32; 2]>,
    /// How many contacts the batches of a tile have, from where its group begins, and behind them a zero if there is room.
    lengths: Vec<u8>,
    /// The contacts between tiles, or workspace.
    between: Vec<u32>,
    colours: Vec<u8>,
    /// For each body, the colours of its contacts, as bits.
    taken: Vec<u64>,
    /// Those that nobody packs in at the time, at most one for each worker.
    windows: Mutex<Vec<Window>>,
}

impl Planner {
    /// Forgets all plans, and makes room for those of so many contacts.
    pub(in crate::solver) fn begin(&mut self, contacts: usize) -> Result<()> {
        self.spans.clear();
        self.phases.clear();
        self.order.clear();
        reserve(&mut self.order, contacts, "contacts")
    }

    /// Returns the contacts of all plans in the order of their lanes.
    pub(in crate::solver) fn order(&self) -> &[u32] {
        &self.order
    }

    /// Chooses contacts for the next plan, in rising order.
    pub(in crate::solver) fn choose(&mut self, chosen: impl Iterator<Item = u32>) {
        self.first = self.order.len();
        self.order.extend(chosen);
    }

    /// The phases of a plan, each as ranges of batches that share no moving body.
    pub(in crate::solver) fn phases(&self, plan: &Plan) -> impl Iterator<Item = &[[u32; 2]]> {
        let phases = &self.phases[plan.phases[0] as usize..plan.phases[1] as usize];
        phases.iter().map(|[first, end]| &self.spans[*first as usize..*end as usize])
    }

    /// Seats the chosen contacts one after the other, to be visited so.
    pub(super) fn in_order<B: Batch>(&mut self, seats: &mut ContactBatches<B>) -> Result<Plan> {
        let first = seats.taken;
        seats.place(self.first as u32..self.order.len() as u32)?;
        Ok(Plan { lanes: [first, seats.taken], phases: [0; 2] })
    }

    /// Seats the chosen ones of the contacts with these `pairs` in batches, among `bodies` bodies; `are_sorted`: the tiles of their first
    /// moving bodies rise.
    pub(in crate::solver) fn in_batches<B: Batch>(
        &mut self,
        (pairs, are_sorted): (&[Pair], bool),
        bodies: usize,
        seats: &mut ContactBatches<B>,
        tasks: &dyn Tasks,
    ) -> Result<Plan> {
        self.by_tile((pairs, are_sorted), bodies)?;
        let lies_within = |contact: &u32| {
            let [own, other] = tiles(pairs[*contact as usize]);
            own == other
        };
        let first_phase = self.phases.len() as u32;
        if self.groups.len() > 1 || !self.order[self.first..].iter().all(lies_within) {
            self.pack_tiles(pairs, B::LONGEST_RUN, tasks)?;
            self.seat_tiles(seats)?;
            self.seat_colours((pairs, bodies), seats)?;
        } else if !self.seat_window((self.first, false), (pairs, bodies), seats)? {
            return self.in_order(seats);
        }
        Ok(Plan { lanes: [0; 2], phases: [first_phase, self.phases.len() as u32] })
    }

    /// Packs the contacts of each tile, and puts those between tiles behind them.
    fn pack_tiles(&mut self, pairs: &[Pair], longest: usize, tasks: &dyn Tasks) -> Result<()> {
        let Self { windows, order, first, groups, lengths, .. } = self;
        let chosen = &mut order[*first..];
        reserve(windows.get_mut(), tasks.workers(), "tiles")?;
        // what is there already is written over
        lengths.truncate(chosen.len());
        resize(lengths, chosen.len(), 0, "contacts")?;
        let failed = Mutex::new(None);
        each_span(tasks, groups, (chosen, lengths), |_, group, lengths| {
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

    /// Sorts the chosen contacts by the tile of their first moving body, and tells where those of each tile begin and end.
    fn by_tile(&mut self, (pairs, are_sorted): (&[Pair], bool), bodies: usize) -> Result<()> {
        let Self { order, first, groups, between, .. } = self;
        let chosen = &mut order[*first..];
        let tile = |contact: &u32| tiles(pairs[*contact as usize])[0];
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
        between.clear();
        reserve(between, chosen.len(), "contacts")?;
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

    /// Packs what stands in the order from a place on by itself, and seats it as a phase; or seats nothing where batches would be hardly
    /// filled and it is not a `must`. Says whether it did.
    fn seat_window<B: Batch>(
        &mut self,
        (at, must): (usize, bool),
        (pairs, bodies): (&[Pair], usize),
        seats: &mut ContactBatches<B>,
    ) -> Result<bool> {
        let contacts = &mut self.order[at..];
        let moving = contacts.iter().flat_map(|contact| tiles(pairs[*contact as usize]));
        let (lowest, highest) = moving.fold((u32::MAX, 0), |(low, high), tile| (low.min(tile), high.max(tile)));
        let mut window = self.windows.get_mut().pop().unwrap_or_default();
        let first = lowest.min(highest) * TILE;
        let end = bodies.min(((highest + 1) * TILE) as usize);
        window.pack((first, end.saturating_sub(first as usize)), (contacts, pairs), B::LONGEST_RUN)?;
        // Batches that are hardly filled cost more than visits one by one.
        let is_worth_it = 2 * window.batches.starts.len() < contacts.len();
        if is_worth_it || must {
            contacts.copy_from_slice(&window.batches.order);
            seats.align();
            let (begin, first) = (self.spans.len() as u32, seats.batches_taken());
            let mut number = at as u32;
            for batch in window.batches.iter() {
                seats.place_batch(&mut number, batch.len() as u8)?;
            }
            self.add_span(first, seats.batches_taken())?;
            self.end_phase(begin)?;
        }
        let windows = self.windows.get_mut();
        reserve(windows, 1, "tiles")?;
        windows.push(window);
        Ok(is_worth_it || must)
    }

    /// Seats the batches of the tiles as a phase, those of each as a span, and takes out what lies between tiles.
    fn seat_tiles<B: Batch>(&mut self, seats: &mut ContactBatches<B>) -> Result<()> {
        let range = |[begin, end]: [u32; 2]| begin as usize..end as usize;
        seats.align();
        self.between.clear();
        reserve(&mut self.between, self.lengths.len(), "contacts")?;
        let begin = self.spans.len() as u32;
        let mut number = self.first as u32;
        for at in 0..self.groups.len() {
            let group = range(self.groups[at]);
            let (from, first) = (number, seats.batches_taken());
            for length in self.lengths[group.clone()].iter().take_while(|length| **length > 0) {
                seats.place_batch(&mut number, *length)?;
            }
            self.add_span(first, seats.batches_taken())?;
            let (chosen, within) = (&mut self.order[self.first..], group.start..group.start + (number - from) as usize);
            self.between.extend_from_slice(&chosen[within.end..group.end]);
            chosen.copy_within(within, from as usize - self.first);
        }
        self.end_phase(begin)
    }

    fn add_span(&mut self, first: u32, end: u32) -> Result<()> {
        if first < end {
            reserve(&mut self.spans, 1, "tiles")?;
            self.spans.push([first, end]);
        }
        Ok(())
    }

    /// What was added since `begin` is a phase.
    fn end_phase(&mut self, begin: u32) -> Result<()> {
        if (begin as usize) < self.spans.len() {
            reserve(&mut self.phases, 1, "tiles")?;
            self.phases.push([begin, self.spans.len() as u32]);
        }
        Ok(())
    }

    /// Colours the contacts between tiles and seats them colour by colour, behind all others.
    fn seat_colours<B: Batch>(
        &mut self,
        (pairs, bodies): (&[Pair], usize),
        seats: &mut ContactBatches<B>,
    ) -> Result<()> {
        if self.between.is_empty() {
            return Ok(());
        }
        self.colour(pairs, bodies)?;
        let place = self.order.len() - self.between.len();
        for colour in 0..COLOURS {
            let [first, end] = self.groups[colour].map(|at| place as u32 + at);
            let begin = self.spans.len() as u32;
            let first_batch = seats.batches_taken();
            seats.place(first..end)?;
            seats.align();
            let end = seats.batches_taken();
            for piece in (first_batch..end).step_by(PIECE as usize) {
                self.add_span(piece, end.min(piece + PIECE))?;
            }
            self.end_phase(begin)?;
        }
        let [first, end] = self.groups[COLOURS];
        if first < end {
            self.seat_window((place + first as usize, true), (pairs, bodies), seats)?;
        }
        Ok(())
    }

    /// Gives each contact between tiles the first colour that neither of its bodies has, and sorts them by colour to the end of the
    /// order; behind the last colour stand those that found none.
    fn colour(&mut self, pairs: &[Pair], bodies: usize) -> Result<()> {
        let Self { order, groups, between, colours, taken, .. } = self;
        taken.clear();
        resize(taken, bodies, 0, "bodies of the tiles")?;
        colours.clear();
        reserve(colours, between.len(), "contacts")?;
        groups.clear();
        resize(groups, COLOURS + 1, [0; 2], "colours")?;
        for contact in &*between {
            let pair = &pairs[*contact as usize];
            let moving = |body: &&u32| **body & KEPT == 0;
            let found = pair.iter().filter(moving).fold(0, |all, body| all | taken[*body as usize]);
            let colour = (!found).trailing_zeros() as usize;
            if colour < COLOURS {
                pair.iter().filter(moving).for_each(|body| taken[*body as usize] |= 1 << colour);
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
fn put(places: &mut [u32], group: &mut [u32; 2], contact: u32) {
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
