//! Packs rows into batches in which no two rows share a moving body.
//!
//! Central contacts are packed in runs, in about their given order: one sweep then carries a change far along the
//! bodies. General contacts are coloured: each gets the first colour that its moving bodies do not have, and a sweep
//! visits one colour after the other. A contact that comes or goes then changes the order of few others. Truncated
//! sweeps over faces with several points need that if they start from the last step.

use std::ops::Range;

use crate::error::{Result, empty, refill, resize};
use crate::math::lanes::WIDE;
use crate::math::{BodyRow, ContactId};
use crate::solver::problem::pairs::{LinePair, TILE, tiles};

/// The number of run groups of one length that are open at once, and of the colours that a body stores as bits. The
/// window of open groups slides along the contacts in their given order. Neighbouring contacts then stay near each
/// other, and sweeps converge almost as in the natural order. Further colours are counted.
const WINDOW: usize = 64;

/// Batches of at most [`WIDE`] rows without a common moving body, one after the other.
#[derive(Debug, Default)]
pub struct Batches {
    /// The rows.
    pub order: Vec<ContactId>,
    /// The index in `order` of the first row of each batch.
    pub starts: Vec<u32>,
}

impl Batches {
    /// Removes all batches, and reserves memory for `rows` rows.
    pub fn clear(&mut self, rows: usize) -> Result<()> {
        empty(&mut self.order, rows, "rows")?;
        empty(&mut self.starts, rows, "rows")
    }

    /// Iterates over the batches.
    pub fn iter(&self) -> impl Iterator<Item = &[ContactId]> + '_ {
        let ends = self.starts.iter().skip(1).copied().chain([self.order.len() as u32]);
        self.starts.iter().zip(ends).map(|(start, end)| &self.order[*start as usize..end as usize])
    }
}

/// The most rows of a run. Longer runs are rare among spheres: there are too few of the same length to fill batches.
pub const LONGEST_RUN: usize = 4;

/// A group with at least this number of runs makes batches when no more runs come. The rows of smaller groups are then
/// packed one by one.
const FULL: usize = 6;

/// Packs rows into batches without a common moving body, and keeps its workspace.
///
/// Rows that follow each other and have the same body a are a run. Up to eight runs of one length without a common
/// moving body form a run group. A group makes as many batches as its runs have rows, one after the other. In these
/// each lane keeps its body a: a sweep reads and writes it once. The remaining rows are packed row by row. If runs are
/// to have a single row, all rows are coloured.
#[derive(Debug, Default)]
pub struct Packer {
    /// For each body, the open run groups of each length of run that it is in, or the colours of its single rows, as bits.
    member: Vec<[u64; LONGEST_RUN]>,
    /// The colour of each single row, and its place among the rows.
    coloured: Vec<(u32, u32)>,
}

/// Run groups of one length that are being filled.
#[derive(Debug, Clone, Copy)]
struct Open {
    length: usize,
    /// Where each run begins among the rows.
    groups: [[u32; WIDE]; WINDOW],
    runs: [usize; WINDOW],
    /// The time when each was begun, so that the oldest one can be closed.
    begun: [u64; WINDOW],
    clock: u64,
}

/// The input and output of the packing.
struct Packing<'a> {
    member: &'a mut [[u64; LONGEST_RUN]],
    first: BodyRow,
    rows: &'a [ContactId],
    /// Of all rows there are.
    pairs: &'a [LinePair],
    batches: &'a mut Batches,
}

impl Packer {
    /// Appends `rows` to `batches`: in about their order with runs of at most `longest` rows, or colour by colour if that is 1. The
    /// `pairs` are those of all rows there are. The moving bodies of `rows` are among `bodies`.
    pub fn pack(
        &mut self,
        bodies: Range<BodyRow>,
        rows: &[ContactId],
        pairs: &[LinePair],
        longest: usize,
        batches: &mut Batches,
    ) -> Result<()> {
        // all are left empty by the last use
        resize(&mut self.member, bodies.end.index() - bodies.start.index(), [0; LONGEST_RUN], "bodies of the batches")?;
        if longest <= 1 {
            return self.pack_by_colour(bodies.start, rows, pairs, batches);
        }
        let longest = longest.min(LONGEST_RUN);
        let mut open: [Open; LONGEST_RUN] = std::array::from_fn(|at| Open::new(at + 1));
        let mut packing = Packing { member: &mut self.member, first: bodies.start, rows, pairs, batches };
        let mut begin = 0;
        for same in rows.chunk_by(|one, next| pairs[*one][0] == pairs[*next][0]) {
            // parts as even as can be
            let parts = same.len().div_ceil(longest);
            for part in 0..parts {
                let [from, to] = [part, part + 1].map(|part| begin + same.len() * part / parts);
                packing.put(from as u32, &mut open[to - from - 1]);
            }
            begin += same.len();
        }
        let [singles, runs @ ..] = &mut open;
        for open in runs.iter_mut().filter(|open| open.clock > 0) {
            for slot in open.by_age() {
                if open.runs[slot] >= FULL {
                    packing.emit(slot, open);
                    continue;
                }
                let left_over = packing.take(slot, open);
                let rows = left_over.into_iter().flatten().flat_map(|run| run..run + open.length as u32);
                rows.for_each(|row| packing.put(row, singles));
            }
        }
        singles.by_age().into_iter().for_each(|slot| packing.emit(slot, singles));
        Ok(())
    }
}

impl Packer {
    /// Appends `rows` colour by colour. The marks of all bodies are empty, and are left so.
    fn pack_by_colour(
        &mut self,
        first: BodyRow,
        rows: &[ContactId],
        pairs: &[LinePair],
        batches: &mut Batches,
    ) -> Result<()> {
        let Self { member, coloured } = self;
        empty(coloured, rows.len(), "rows")?;
        let moving = |row: &ContactId| {
            pairs[*row]
                .into_iter()
                .filter(|line| !line.is_read_only())
                .map(move |line| line.row().index() - first.index())
        };
        for (place, row) in (0..).zip(rows) {
            let colour = moving(row).fold(0, |all, body| all | member[body][0]).trailing_ones();
            if (colour as usize) < WINDOW {
                moving(row).for_each(|body| member[body][0] |= 1 << colour);
            }
            coloured.push((colour, place));
        }
        rows.iter().flat_map(moving).for_each(|body| member[body][0] = 0);
        // The marks now count the further colours of bodies whose first ones are all taken.
        for (colour, place) in coloured.iter_mut().filter(|(colour, _)| *colour as usize >= WINDOW) {
            let row = &rows[*place as usize];
            let further = moving(row).fold(0, |most, body| most.max(member[body][0]));
            *colour += further as u32;
            moving(row).for_each(|body| member[body][0] = further + 1);
        }
        rows.iter().flat_map(moving).for_each(|body| member[body][0] = 0);
        coloured.sort_unstable();
        for batch in coloured.chunk_by(|one, next| one.0 == next.0).flat_map(|alike| alike.chunks(WIDE)) {
            batches.starts.push(batches.order.len() as u32);
            batches.order.extend(batch.iter().map(|(_, place)| rows[*place as usize]));
        }
        Ok(())
    }
}

impl Open {
    fn new(length: usize) -> Self {
        Self { length, groups: [[0; WIDE]; WINDOW], runs: [0; WINDOW], begun: [0; WINDOW], clock: 0 }
    }

    /// The groups, the oldest first.
    fn by_age(&self) -> [usize; WINDOW] {
        let mut all = std::array::from_fn(|slot| slot);
        all.sort_unstable_by_key(|slot| self.begun[*slot]);
        all
    }
}

impl Packing<'_> {
    /// Calls `mark` with the marks of each moving body of a run.
    #[inline]
    fn mark(&mut self, run: u32, length: usize, mut mark: impl FnMut(&mut u64)) {
        let begin = run as usize;
        for row in &self.rows[begin..begin + length] {
            for body in self.pairs[*row].iter().filter(|body| !body.is_read_only()) {
                mark(&mut self.member[body.row().index() - self.first.index()][length - 1]);
            }
        }
    }

    /// Adds a run to the first group that has none of its moving bodies. If there is no such group, the oldest one is closed.
    #[inline]
    fn put(&mut self, run: u32, open: &mut Open) {
        let mut taken = 0;
        self.mark(run, open.length, |groups| taken |= *groups);
        let slot = if taken != u64::MAX {
            taken.trailing_ones() as usize
        } else {
            let oldest = (0..WINDOW).min_by_key(|slot| open.begun[*slot]).unwrap_or(0);
            self.emit(oldest, open);
            oldest
        };
        if open.runs[slot] == 0 {
            open.clock += 1;
            open.begun[slot] = open.clock;
        }
        open.groups[slot][open.runs[slot]] = run;
        open.runs[slot] += 1;
        self.mark(run, open.length, |groups| *groups |= 1 << slot);
        if open.runs[slot] == WIDE {
            self.emit(slot, open);
        }
    }

    /// Takes the runs out of a group.
    fn take(&mut self, slot: usize, open: &mut Open) -> [Option<u32>; WIDE] {
        let (group, runs) = (open.groups[slot], std::mem::take(&mut open.runs[slot]));
        for run in &group[..runs] {
            self.mark(*run, open.length, |groups| *groups &= !(1 << slot));
        }
        std::array::from_fn(|lane| (lane < runs).then_some(group[lane]))
    }

    /// Makes batches of a group.
    fn emit(&mut self, slot: usize, open: &mut Open) {
        let group = self.take(slot, open);
        if group[0].is_none() {
            return;
        }
        for row in 0..open.length {
            self.batches.starts.push(self.batches.order.len() as u32);
            let rows = group.iter().flatten().map(|run| self.rows[*run as usize + row]);
            self.batches.order.extend(rows);
        }
    }
}

/// A packer with the batches that it made. Each worker has one, so that tiles are packed independently.
#[derive(Debug, Default)]
pub(in crate::solver) struct Window {
    packer: Packer,
    between: Vec<ContactId>,
    pub(in crate::solver) batches: Batches,
}

impl Window {
    /// Packs contacts; see [`Packer::pack`].
    pub(in crate::solver) fn pack(
        &mut self,
        bodies: Range<BodyRow>,
        contacts: &[ContactId],
        pairs: &[LinePair],
        longest: usize,
    ) -> Result<()> {
        self.batches.clear(contacts.len())?;
        self.packer.pack(bodies, contacts, pairs, longest, &mut self.batches)
    }

    /// Packs the contacts of one tile in place. The first moving body of each of them is in the tile. Contacts whose
    /// moving bodies are both in it are packed; the others come behind them. Writes the number of contacts of each batch
    /// to `lengths`, and a zero behind the last one if there is room.
    pub(in crate::solver) fn pack_tile(
        &mut self,
        group: &mut [ContactId],
        lengths: &mut [u8],
        pairs: &[LinePair],
        longest: usize,
    ) -> Result<()> {
        let Some(first) = group.first() else { return Ok(()) };
        let [tile, _] = tiles(pairs[*first]);
        refill(&mut self.between, group.len(), ContactId::NONE, "contacts")?;
        let mut kept = 0;
        for at in 0..group.len() {
            let contact = group[at];
            let [own, other] = tiles(pairs[contact]);
            // Both are written: a branch would not be predictable.
            (group[kept], self.between[at - kept]) = (contact, contact);
            kept += usize::from(own == other);
        }
        let (within, others) = group.split_at_mut(kept);
        others.copy_from_slice(&self.between[..others.len()]);
        self.pack(BodyRow(tile * TILE)..BodyRow((tile + 1) * TILE), within, pairs, longest)?;
        within.copy_from_slice(&self.batches.order);
        let all = self.batches.iter().map(|batch| batch.len() as u8).chain([0]);
        lengths.iter_mut().zip(all).for_each(|(length, found)| *length = found);
        Ok(())
    }
}
