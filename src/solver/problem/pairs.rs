//! The pairs of bodies that the contacts join: the line of each body, whether the contact is central, and whether the pairs are those of the
//! problem before.
//!
//! Islands, batches and sums by body follow from the pairs of contacts and rows alone, and are kept while these stay the same.

use std::sync::atomic::{AtomicU8, Ordering};

use crate::error::{Result, empty, resize};
use crate::math::lanes::{LineIndex, Wide};
use crate::math::{BodyRow, ContactId};
use crate::solver::gauss_seidel::wide::lines;
use crate::solver::problem::ContactPair;
use crate::tasks::{Tasks, each_pair_of_pieces, each_piece};

/// The lines of the bodies of a contact; those that nothing moves are read-only.
pub(crate) type LinePair = [LineIndex; 2];

/// Bodies of a tile: their lines and contacts stay in the cache of a core.
pub(in crate::solver) const TILE: u32 = 1024;

/// The tiles of the bodies of a pair that move, of which there is one at least.
#[inline(always)]
pub(in crate::solver) fn tiles([a, b]: LinePair) -> [u32; 2] {
    let moving = |one: LineIndex, other: LineIndex| if one.is_read_only() { other } else { one };
    [moving(a, b), moving(b, a)].map(|body| body.row().0 / TILE)
}

fn moves([a, b]: LinePair) -> bool {
    !(a.is_read_only() && b.is_read_only())
}

/// Contacts whose pairs are compared at a time, and lines whose kinds are noted.
const PIECE: usize = 1024;

/// Bits of the kind of a line: no impulse moves its body, and it is not isotropic.
const IS_READ_ONLY: u8 = 1;
const IS_ANISOTROPIC: u8 = 2;

/// Properties that some contacts have. `CHANGED`: their lines or their kind are not those of the problem before.
/// `GENERAL`: they are not central. `UNMOVED`: no impulse moves either body. `UNSORTED`: their first moving body is in
/// a lower tile than that of the contact before.
const CHANGED: u8 = 1;
const GENERAL: u8 = 2;
const UNMOVED: u8 = 4;
const UNSORTED: u8 = 8;

/// The kind of each line, the resting one last. A byte is read once for each contact in place of the whole line.
#[derive(Debug, Default)]
struct Kinds(Vec<u8>);

impl Kinds {
    fn note(&mut self, bodies: &[Wide], tasks: &dyn Tasks) -> Result<()> {
        let Self(kinds) = self;
        resize(kinds, bodies.len(), 0, "bodies")?;
        each_piece(tasks, PIECE, kinds, |first, kinds| {
            for (kind, line) in kinds.iter_mut().zip(&bodies[first..]) {
                let (read_only, anisotropic) = (lines::is_read_only(line), lines::is_anisotropic(line));
                *kind = if read_only { IS_READ_ONLY } else { 0 } | if anisotropic { IS_ANISOTROPIC } else { 0 };
            }
        });
        Ok(())
    }

    /// Returns the line of the fixed world.
    fn resting(&self) -> BodyRow {
        BodyRow(self.0.len() as u32 - 1)
    }

    /// Returns the lines of the bodies of a contact, and whether the contact is central.
    #[inline(always)]
    fn pair(&self, pair: &ContactPair) -> (LinePair, bool) {
        let lines = pair.bodies.map(|body| body.min(self.resting()));
        let kinds = lines.map(|line| self.0[line]);
        let is_read_only = kinds.map(|kind| kind & IS_READ_ONLY != 0);
        let place = |side: usize| LineIndex::new(lines[side], is_read_only[side]);
        let passes = |side: usize| is_read_only[side] || pair.is_along_normal[side];
        let are_isotropic = (kinds[0] | kinds[1]) & IS_ANISOTROPIC == 0;
        ([place(0), place(1)], are_isotropic && passes(0) && passes(1))
    }
}

/// The pairs of a problem.
#[derive(Debug, Default)]
pub(in crate::solver) struct Pairs {
    /// The lines of each contact's bodies; that of a body that no impulse moves is read-only.
    pub(in crate::solver) all: Vec<LinePair>,
    /// Whether each contact is central.
    pub(in crate::solver) central: Vec<bool>,
    /// The properties that some contacts have: [`CHANGED`] and so on.
    found: u8,
    /// The contacts between a body that moves and one that does not, but is not the fixed world; found by
    /// [`Pairs::find_reacting`] when they are first needed.
    pub(in crate::solver) reacting: Vec<ContactId>,
    has_reacting: bool,
    /// Scratch buffer.
    kinds: Kinds,
    /// How many lines the problem had; 0 where the next problem counts as changed.
    bodies: usize,
    /// Whether they are those of the problem before, and so are its rows.
    pub(in crate::solver) same: bool,
}

impl Pairs {
    /// Notes the pairs of a problem, whose rows join the same bodies as before or others, and whose bodies have these lines.
    pub(in crate::solver) fn note(
        &mut self,
        pairs: &[ContactPair],
        bodies: &[Wide],
        are_rows_same: bool,
        tasks: &dyn Tasks,
    ) -> Result<()> {
        let count = pairs.len();
        let is_alike = are_rows_same && self.bodies == bodies.len() && self.all.len() == count;
        self.same = false;
        // Until all of it is noted there is nothing to compare with: a call may fail on the way.
        self.invalidate();
        self.has_reacting = false;
        resize(&mut self.all, count, [LineIndex::new(BodyRow(0), true); 2], "contacts")?;
        resize(&mut self.central, count, false, "contacts")?;
        let found = AtomicU8::new(if is_alike { 0 } else { CHANGED });
        let Self { all, central, kinds, .. } = self;
        kinds.note(bodies, tasks)?;
        each_pair_of_pieces(tasks, PIECE, (&mut all[..], &mut central[..]), |first, all, central| {
            let (mut every, mut highest) = (0, 0);
            for (pair, (known, was_central)) in pairs[first..].iter().zip(all.iter_mut().zip(central)) {
                let (pair, is_central) = kinds.pair(pair);
                let tile = tiles(pair)[0];
                every |= if *known != pair || *was_central != is_central { CHANGED } else { 0 }
                    | if is_central { 0 } else { GENERAL }
                    | if moves(pair) { 0 } else { UNMOVED }
                    | if tile < highest { UNSORTED } else { 0 };
                highest = highest.max(tile);
                (*known, *was_central) = (pair, is_central);
            }
            found.fetch_or(every, Ordering::Relaxed);
        });
        let falls = |at: usize| tiles(self.all[at])[0] < tiles(self.all[at - 1])[0];
        let between = if (PIECE..count).step_by(PIECE).any(falls) { UNSORTED } else { 0 };
        self.found = found.into_inner() | between;
        self.bodies = bodies.len();
        self.same = self.found & CHANGED == 0;
        Ok(())
    }

    /// Returns whether all contacts are central.
    pub(in crate::solver) fn are_central(&self) -> bool {
        self.found & GENERAL == 0
    }

    /// Returns whether impulses move a body of each contact.
    pub(in crate::solver) fn all_move(&self) -> bool {
        self.found & UNMOVED == 0
    }

    /// Returns whether impulses move a body of this contact.
    pub(in crate::solver) fn moves(&self, contact: ContactId) -> bool {
        moves(self.all[contact])
    }

    /// Returns whether the tiles of the first moving bodies rise from contact to contact. Contacts that nothing moves count with body b.
    pub(in crate::solver) fn are_sorted(&self) -> bool {
        self.found & UNSORTED == 0
    }

    /// Finds the contacts between a body that moves and one that does not, but is not the fixed world.
    pub(in crate::solver) fn find_reacting(&mut self) -> Result<()> {
        if self.has_reacting {
            return Ok(());
        }
        let Self { all, reacting, kinds, .. } = self;
        let fixed = LineIndex::new(kinds.resting(), true);
        let reacts = |[a, b]: LinePair| a.is_read_only() != b.is_read_only() && a != fixed && b != fixed;
        let all = || ContactId::range(0..all.len()).filter(|contact| reacts(all[*contact]));
        empty(reacting, all().count(), "contacts")?;
        reacting.extend(all());
        self.has_reacting = true;
        Ok(())
    }

    /// Makes the next problem count as changed, whatever its pairs are: what follows from the present ones was not made.
    pub(in crate::solver) fn invalidate(&mut self) {
        self.bodies = 0;
    }
}
