//! In what order the contacts of one kind of an island are visited, and what of it may happen at the same time.
//!
//! Bodies that follow each other in the problem are taken for neighbours, as the world sorts them along a curve. Every
//! [`TILE`] of them make a tile. Contacts within a tile are packed into batches by a sliding window, which keeps what is
//! near together; the tiles do not see each other, and are the first phase of a sweep. Contacts between tiles are
//! coloured, the first colour free at both bodies each, and each colour is a phase in pieces. The plan depends on the
//! contacts alone, never on threads, and one that fits into a tile is a sliding window and nothing else. In a window contacts of one
//! body a may follow each other in a lane, see [`Packer`].

use crate::error::{Error, Result, reserve, resize};
use crate::math::lanes::{KEPT, WIDE};
use crate::solver::order::{Batches, Chosen, Packer, Pair};
use crate::solver::rows::seats::Seats;
use crate::solver::wide::Batch;
use crate::tasks::{Tasks, each_piece};

/// Bodies of a tile: their lines and contacts stay in the cache of a core.
pub(in crate::solver) const TILE: u32 = 1024;
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
    /// Contacts in groups: by tile, then by colour.
    grouped: Vec<Chosen>,
    starts: Vec<u32>,
    between: Vec<Chosen>,
    colours: Vec<u8>,
    /// For each body, the colours of its contacts, as bits.
    taken: Vec<u64>,
    /// One for each tile, the first one also for what is packed as a whole.
    windows: Vec<Window>,
}

/// Batches that are packed apart from all others.
#[derive(Debug, Default)]
struct Window {
    packer: Packer,
    batches: Batches,
    failed: Option<Error>,
}

impl Window {
    /// Packs contacts; see [`Packer::pack`].
    fn pack(&mut self, bodies: (u32, usize), contacts: &[Chosen], longest: usize) -> Result<()> {
        self.batches.clear(contacts.len())?;
        self.packer.pack(bodies, contacts, longest, &mut self.batches)
    }
}

impl Planner {
    /// Forgets all plans.
    pub(super) fn clear(&mut self) {
        self.spans.clear();
        self.phases.clear();
    }

    /// The phases of a plan, each as ranges of batches that share no moving body.
    pub(in crate::solver) fn phases(&self, plan: &Plan) -> impl Iterator<Item = &[[u32; 2]]> {
        let phases = &self.phases[plan.phases[0] as usize..plan.phases[1] as usize];
        phases.iter().map(|[first, end]| &self.spans[*first as usize..*end as usize])
    }

    /// Seats the contacts one after the other, to be visited so.
    pub(super) fn in_order<B: Batch>(
        &mut self,
        chosen: &[Chosen],
        seats: &mut Seats<B>,
        mut sit: impl FnMut(u32, u32),
    ) -> Result<Plan> {
        let first = seats.taken;
        for (contact, _) in chosen {
            sit(*contact, seats.place(*contact)?);
        }
        Ok(Plan { lanes: [first, seats.taken], phases: [0; 2] })
    }

    /// Seats the contacts of an island of `bodies` bodies in batches; `sit` is told the lane of each.
    pub(in crate::solver) fn in_batches<B: Batch>(
        &mut self,
        chosen: &[Chosen],
        bodies: usize,
        seats: &mut Seats<B>,
        mut sit: impl FnMut(u32, u32),
        tasks: &dyn Tasks,
    ) -> Result<Plan> {
        let tiles = if self.by_tile(chosen, bodies)? { self.starts.len() - 1 } else { 1 };
        if self.windows.len() < tiles {
            let more = tiles - self.windows.len();
            reserve(&mut self.windows, more, "tiles")?;
            self.windows.resize_with(tiles, Window::default);
        }
        if tiles > 1 {
            self.pack_tiles(B::STRING, tasks)?;
        } else {
            let window = &mut self.windows[0];
            window.pack((0, bodies), chosen, B::STRING)?;
            // Batches that are hardly filled cost more than visits one by one.
            if 2 * window.batches.starts.len() >= window.batches.order.len() {
                return self.in_order(chosen, seats, sit);
            }
        }
        let first_phase = self.phases.len() as u32;
        let begin = self.spans.len() as u32;
        seats.align();
        for tile in 0..tiles {
            self.seat_batches(tile, seats, &mut sit)?;
        }
        self.end_phase(begin)?;
        self.seat_colours(bodies, seats, &mut sit)?;
        Ok(Plan { lanes: [0; 2], phases: [first_phase, self.phases.len() as u32] })
    }

    /// Packs the contacts of each tile.
    fn pack_tiles(&mut self, longest: usize, tasks: &dyn Tasks) -> Result<()> {
        let Self { windows, grouped, starts, .. } = self;
        let windows = &mut windows[..starts.len() - 1];
        each_piece(tasks, 1, windows, |first, windows| {
            for (tile, window) in (first..).zip(windows) {
                let group = &grouped[starts[tile] as usize..starts[tile + 1] as usize];
                window.failed = window.pack((tile as u32 * TILE, TILE as usize), group, longest).err();
            }
        });
        windows.iter_mut().find_map(|window| window.failed.take()).map_or(Ok(()), Err)
    }

    /// Sorts the contacts within tiles into `grouped` by tile, the others into `between`. Says whether there is more than one
    /// tile; where all contacts lie in the same one nothing is grouped.
    fn by_tile(&mut self, chosen: &[Chosen], bodies: usize) -> Result<bool> {
        let tiles = bodies / TILE as usize + 1;
        self.starts.clear();
        resize(&mut self.starts, tiles + 1, 0, "tiles")?;
        self.between.clear();
        reserve(&mut self.between, chosen.len(), "contacts")?;
        for contact in chosen {
            match tile(contact.1) {
                Some(tile) => self.starts[tile as usize + 1] += 1,
                None => self.between.push(*contact),
            }
        }
        let used = self.starts.iter().filter(|count| **count > 0).count();
        if used <= 1 && self.between.is_empty() {
            return Ok(false);
        }
        for tile in 0..tiles {
            self.starts[tile + 1] += self.starts[tile];
        }
        // what is there already is written over
        let within = chosen.len() - self.between.len();
        self.grouped.truncate(within);
        resize(&mut self.grouped, within, (0, [0; 2]), "contacts")?;
        for contact in chosen.iter().rev() {
            if let Some(tile) = tile(contact.1) {
                // filled from the back, each end becomes the beginning
                let end = &mut self.starts[tile as usize + 1];
                *end -= 1;
                self.grouped[*end as usize] = *contact;
            }
        }
        self.starts.remove(0);
        self.starts.push(self.grouped.len() as u32);
        Ok(true)
    }

    /// Seats the batches packed last in a window, one after the other, as a span.
    fn seat_batches<B: Batch>(
        &mut self,
        window: usize,
        seats: &mut Seats<B>,
        sit: &mut impl FnMut(u32, u32),
    ) -> Result<()> {
        let first = seats.taken / WIDE as u32;
        for batch in self.windows[window].batches.iter() {
            for contact in batch {
                sit(*contact, seats.place(*contact)?);
            }
            seats.align();
        }
        self.add_span(first, seats.taken / WIDE as u32)
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
        bodies: usize,
        seats: &mut Seats<B>,
        sit: &mut impl FnMut(u32, u32),
    ) -> Result<()> {
        if self.between.is_empty() {
            return Ok(());
        }
        self.colour(bodies)?;
        for colour in 0..COLOURS {
            let group = self.starts[colour] as usize..self.starts[colour + 1] as usize;
            let begin = self.spans.len() as u32;
            let first = seats.taken / WIDE as u32;
            for (contact, _) in &self.grouped[group] {
                sit(*contact, seats.place(*contact)?);
            }
            seats.align();
            let end = seats.taken / WIDE as u32;
            for piece in (first..end).step_by(PIECE as usize) {
                self.add_span(piece, end.min(piece + PIECE))?;
            }
            self.end_phase(begin)?;
        }
        let rest = self.starts[COLOURS] as usize..self.starts[COLOURS + 1] as usize;
        let begin = self.spans.len() as u32;
        self.windows[0].pack((0, bodies), &self.grouped[rest], B::STRING)?;
        self.seat_batches(0, seats, sit)?;
        self.end_phase(begin)
    }

    /// Gives each contact between tiles the first colour that neither of its bodies has, and sorts them into `grouped` by
    /// colour; behind the last colour stand those that found none.
    fn colour(&mut self, bodies: usize) -> Result<()> {
        self.taken.clear();
        resize(&mut self.taken, bodies, 0, "bodies of the tiles")?;
        self.colours.clear();
        reserve(&mut self.colours, self.between.len(), "contacts")?;
        self.starts.clear();
        resize(&mut self.starts, COLOURS + 2, 0, "colours")?;
        for (_, pair) in &self.between {
            let moving = |body: &&u32| **body & KEPT == 0;
            let taken = pair.iter().filter(moving).fold(0, |all, body| all | self.taken[*body as usize]);
            let colour = (!taken).trailing_zeros() as usize;
            if colour < COLOURS {
                pair.iter().filter(moving).for_each(|body| self.taken[*body as usize] |= 1 << colour);
            }
            self.colours.push(colour as u8);
            self.starts[colour + 1] += 1;
        }
        for colour in 0..=COLOURS {
            self.starts[colour + 1] += self.starts[colour];
        }
        self.grouped.truncate(self.between.len());
        resize(&mut self.grouped, self.between.len(), (0, [0; 2]), "contacts")?;
        for (contact, colour) in self.between.iter().zip(&self.colours).rev() {
            let end = &mut self.starts[*colour as usize + 1];
            *end -= 1;
            self.grouped[*end as usize] = *contact;
        }
        self.starts.remove(0);
        self.starts.push(self.grouped.len() as u32);
        Ok(())
    }
}

/// The tile of a pair, or none where it lies between two.
fn tile(pair: Pair) -> Option<u32> {
    let [a, b] = pair.map(|body| (body & KEPT == 0).then_some(body / TILE));
    match (a, b) {
        (Some(a), Some(b)) => (a == b).then_some(a),
        (one, other) => Some(one.or(other).unwrap_or(0)),
    }
}
