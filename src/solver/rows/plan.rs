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
use crate::math::lanes::{KEPT, WIDE};
use crate::solver::order::{Batches, Pair};
use crate::solver::rows::seats::Seats;
use crate::solver::rows::window::{TILE, Window, tiles};
use crate::solver::wide::Batch;
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
    /// Contacts in groups: by tile, once they are packed batch by batch and behind those the ones between tiles; then by colour.
    grouped: Vec<u32>,
    /// Where each group begins and ends.
    groups: Vec<[u32; 2]>,
    /// How many contacts the batches of a tile have, from where its group begins, and behind them a zero if there is room.
    lengths: Vec<u8>,
    between: Vec<u32>,
    colours: Vec<u8>,
    /// For each body, the colours of its contacts, as bits.
    taken: Vec<u64>,
    /// Those that nobody packs in at the time, at most one for each worker.
    windows: Mutex<Vec<Window>>,
}

impl Planner {
    /// Forgets all plans.
    pub(super) fn clear(&mut self) {
        self.spans.clear();
        self.phases.clear();
    }

    /// Groups contacts in this room, or gives it back.
    pub(super) fn exchange_room(&mut self, room: &mut Vec<u32>) {
        std::mem::swap(&mut self.grouped, room);
    }

    /// The phases of a plan, each as ranges of batches that share no moving body.
    pub(in crate::solver) fn phases(&self, plan: &Plan) -> impl Iterator<Item = &[[u32; 2]]> {
        let phases = &self.phases[plan.phases[0] as usize..plan.phases[1] as usize];
        phases.iter().map(|[first, end]| &self.spans[*first as usize..*end as usize])
    }

    /// Seats the contacts one after the other, to be visited so.
    pub(super) fn in_order<B: Batch>(
        &mut self,
        chosen: impl Iterator<Item = u32>,
        seats: &mut Seats<B>,
        mut sit: impl FnMut(u32, u32),
    ) -> Result<Plan> {
        let first = seats.taken;
        for contact in chosen {
            sit(contact, seats.place(contact)?);
        }
        Ok(Plan { lanes: [first, seats.taken], phases: [0; 2] })
    }

    /// Seats the `chosen` ones of the contacts with these `pairs`, those of an island of `bodies` bodies, in batches; `sit` is told the
    /// lane of each.
    pub(in crate::solver) fn in_batches<B: Batch>(
        &mut self,
        (chosen, pairs): (impl Iterator<Item = u32> + Clone, &[Pair]),
        bodies: usize,
        seats: &mut Seats<B>,
        mut sit: impl FnMut(u32, u32),
        tasks: &dyn Tasks,
    ) -> Result<Plan> {
        let only_tile = self.by_tile((chosen.clone(), pairs), bodies)?;
        let first_phase = self.phases.len() as u32;
        let begin = self.spans.len() as u32;
        if let Some(tile) = only_tile {
            let mut window = self.windows.get_mut().pop().unwrap_or_default();
            let first = tile * TILE;
            window.pack(
                (first, bodies.saturating_sub(first as usize).min(TILE as usize)),
                (&self.grouped, pairs),
                B::STRING,
            )?;
            // Batches that are hardly filled cost more than visits one by one.
            let is_worth_it = 2 * window.batches.starts.len() < window.batches.order.len();
            if is_worth_it {
                seats.align();
                self.seat_batches(&window.batches, seats, &mut sit)?;
                self.end_phase(begin)?;
            }
            self.put_back(window)?;
            if !is_worth_it {
                return self.in_order(chosen, seats, sit);
            }
        } else {
            self.pack_tiles(pairs, B::STRING, tasks)?;
            seats.align();
            self.seat_tiles(seats, &mut sit)?;
            self.end_phase(begin)?;
            self.seat_colours((pairs, bodies), seats, &mut sit)?;
        }
        Ok(Plan { lanes: [0; 2], phases: [first_phase, self.phases.len() as u32] })
    }

    /// Keeps a window for the next time.
    fn put_back(&mut self, window: Window) -> Result<()> {
        let windows = self.windows.get_mut();
        reserve(windows, 1, "tiles")?;
        windows.push(window);
        Ok(())
    }

    /// Packs the contacts of each tile, and puts those between tiles behind them.
    fn pack_tiles(&mut self, pairs: &[Pair], longest: usize, tasks: &dyn Tasks) -> Result<()> {
        let Self { windows, grouped, groups, lengths, .. } = self;
        reserve(windows.get_mut(), tasks.workers(), "tiles")?;
        // what is there already is written over
        lengths.truncate(grouped.len());
        resize(lengths, grouped.len(), 0, "contacts")?;
        let failed = Mutex::new(None);
        each_span(tasks, groups, (grouped, lengths), |_, group, lengths| {
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

    /// Sorts the contacts into `grouped` by the tile of their first moving body. Where they lie in one tile, all of them, that one is
    /// answered.
    fn by_tile(
        &mut self,
        (chosen, pairs): (impl Iterator<Item = u32> + Clone, &[Pair]),
        bodies: usize,
    ) -> Result<Option<u32>> {
        let Self { groups, grouped, .. } = self;
        groups.clear();
        resize(groups, bodies / TILE as usize + 1, [0; 2], "tiles")?;
        let (mut highest, mut is_sorted, mut lie_within) = (0, true, true);
        chosen.clone().for_each(|contact| {
            let [own, other] = tiles(pairs[contact as usize]);
            groups[own as usize][1] += 1;
            (highest, is_sorted) = (highest.max(own), is_sorted & (highest <= own));
            lie_within &= own == other;
        });
        let count = end_all(groups) as usize;
        let mut used = (0..).zip(&groups[..]).filter(|(_, [begin, end])| begin < end).map(|(tile, _)| tile);
        let first = used.next().unwrap_or(0);
        let only_tile = (lie_within && used.next().is_none()).then_some(first);
        // what is there already is written over
        grouped.truncate(count);
        resize(grouped, count, 0, "contacts")?;
        if is_sorted {
            grouped.iter_mut().zip(chosen).for_each(|(place, contact)| *place = contact);
        } else {
            // filled from the front, each beginning comes to the end
            let group_of = |contact: u32| tiles(pairs[contact as usize])[0] as usize;
            chosen.for_each(|contact| put(grouped, &mut groups[group_of(contact)], contact));
            begin_all(groups);
        }
        Ok(only_tile)
    }

    /// Seats batches one after the other, as a span.
    fn seat_batches<B: Batch>(
        &mut self,
        batches: &Batches,
        seats: &mut Seats<B>,
        sit: &mut impl FnMut(u32, u32),
    ) -> Result<()> {
        let first = seats.taken / WIDE as u32;
        seats.reserve(batches.starts.len())?;
        for batch in batches.iter() {
            seats.place_batch(batch, sit)?;
        }
        self.add_span(first, seats.taken / WIDE as u32)
    }

    /// Seats the batches of the tiles, those of each as a span, and takes out what lies between tiles.
    fn seat_tiles<B: Batch>(&mut self, seats: &mut Seats<B>, sit: &mut impl FnMut(u32, u32)) -> Result<()> {
        let batches = |lengths: &[u8]| lengths.iter().take_while(|length| **length > 0).count();
        let range = |[begin, end]: [u32; 2]| begin as usize..end as usize;
        seats.reserve(self.groups.iter().map(|group| batches(&self.lengths[range(*group)])).sum())?;
        self.between.clear();
        for tile in 0..self.groups.len() {
            let group = range(self.groups[tile]);
            let first = seats.taken / WIDE as u32;
            let mut rest = &self.grouped[group.clone()];
            for length in self.lengths[group].iter().take_while(|length| **length > 0) {
                let (batch, behind) = rest.split_at(*length as usize);
                seats.place_batch(batch, sit)?;
                rest = behind;
            }
            reserve(&mut self.between, rest.len(), "contacts")?;
            self.between.extend_from_slice(rest);
            self.add_span(first, seats.taken / WIDE as u32)?;
        }
        Ok(())
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

    /// Colours the contacts between tiles and seats them colour by colour.
    fn seat_colours<B: Batch>(
        &mut self,
        (pairs, bodies): (&[Pair], usize),
        seats: &mut Seats<B>,
        sit: &mut impl FnMut(u32, u32),
    ) -> Result<()> {
        if self.between.is_empty() {
            return Ok(());
        }
        self.colour(pairs, bodies)?;
        seats.reserve(self.groups.iter().map(|[begin, end]| (end - begin).div_ceil(WIDE as u32) as usize).sum())?;
        for colour in 0..COLOURS {
            let [first, end] = self.groups[colour];
            let begin = self.spans.len() as u32;
            let first_batch = seats.taken / WIDE as u32;
            seats.place_batch(&self.grouped[first as usize..end as usize], sit)?;
            let end = seats.taken / WIDE as u32;
            for piece in (first_batch..end).step_by(PIECE as usize) {
                self.add_span(piece, end.min(piece + PIECE))?;
            }
            self.end_phase(begin)?;
        }
        let [first, end] = self.groups[COLOURS];
        if first == end {
            return Ok(());
        }
        let begin = self.spans.len() as u32;
        let mut window = self.windows.get_mut().pop().unwrap_or_default();
        window.pack((0, bodies), (&self.grouped[first as usize..end as usize], pairs), B::STRING)?;
        self.seat_batches(&window.batches, seats, sit)?;
        self.put_back(window)?;
        self.end_phase(begin)
    }

    /// Gives each contact between tiles the first colour that neither of its bodies has, and sorts them into `grouped` by
    /// colour; behind the last colour stand those that found none.
    fn colour(&mut self, pairs: &[Pair], bodies: usize) -> Result<()> {
        self.taken.clear();
        resize(&mut self.taken, bodies, 0, "bodies of the tiles")?;
        self.colours.clear();
        reserve(&mut self.colours, self.between.len(), "contacts")?;
        self.groups.clear();
        resize(&mut self.groups, COLOURS + 1, [0; 2], "colours")?;
        for contact in &self.between {
            let pair = &pairs[*contact as usize];
            let moving = |body: &&u32| **body & KEPT == 0;
            let taken = pair.iter().filter(moving).fold(0, |all, body| all | self.taken[*body as usize]);
            let colour = (!taken).trailing_zeros() as usize;
            if colour < COLOURS {
                pair.iter().filter(moving).for_each(|body| self.taken[*body as usize] |= 1 << colour);
            }
            self.colours.push(colour as u8);
            self.groups[colour][1] += 1;
        }
        end_all(&mut self.groups);
        self.grouped.truncate(self.between.len());
        resize(&mut self.grouped, self.between.len(), 0, "contacts")?;
        for (contact, colour) in self.between.iter().zip(&self.colours) {
            put(&mut self.grouped, &mut self.groups[*colour as usize], *contact);
        }
        begin_all(&mut self.groups);
        Ok(())
    }
}

/// Turns the counts in second place into places where groups begin and end, one behind the other. Returns the last end.
fn end_all(groups: &mut [[u32; 2]]) -> u32 {
    groups.iter_mut().fold(0, |begin, group| {
        *group = [begin, begin + group[1]];
        group[1]
    })
}

/// Puts a contact at the beginning of what is left of its group.
fn put(grouped: &mut [u32], group: &mut [u32; 2], contact: u32) {
    grouped[group[0] as usize] = contact;
    group[0] += 1;
}

/// Lets each group begin where the one before ends, once nothing is left of any.
fn begin_all(groups: &mut [[u32; 2]]) {
    groups.iter_mut().fold(0, |begin, group| {
        group[0] = begin;
        group[1]
    });
}
