//! Blocks of scalar rows: up to six rows of one pair of bodies that follow each other, which are solved together.
//!
//! A joint is a block, and so is a contact that a host passes as rows. Where the impulse of a row scales the bounds of
//! others, they stay in one block. Rows that are scaled by one of another pair are in no block, and are visited alone.
//! So are the rows of a ball.

use crate::error::{Result, empty, push, resize};
use crate::math::lanes::{LineIndex, Wide};
use crate::math::{BodyRow, ContactId, RowId};
use crate::solver::gauss_seidel::wide::lines;
use crate::solver::problem::ball::BALL;
use crate::solver::problem::pairs::{LinePair, tiles};
use crate::solver::problem::{Problem, Row};

/// Most rows of a block.
pub(in crate::solver) const MAX_ROWS: usize = 6;

/// How many rows of a block are bilateral, which are solved together, and how many others it has. All blocks of a batch
/// have the same shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(in crate::solver) struct BlockShape {
    pub(in crate::solver) bilateral: u8,
    pub(in crate::solver) bounded: u8,
}

impl BlockShape {
    /// How many rows it has.
    pub(in crate::solver) fn rows(self) -> usize {
        usize::from(self.bilateral + self.bounded)
    }
}

/// A block: the first of its rows, and its shape.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::solver) struct Block {
    pub(in crate::solver) first: RowId,
    pub(in crate::solver) shape: BlockShape,
}

impl Block {
    /// Returns its rows.
    pub(in crate::solver) fn range(&self) -> std::ops::Range<usize> {
        self.first.index()..self.first.index() + self.shape.rows()
    }

    /// Returns the place of each of its rows: bilateral ones come first. `bilateral` says of each row of the problem whether it is one.
    pub(in crate::solver) fn places(&self, bilateral: &[bool]) -> [u8; MAX_ROWS] {
        let mut next = [0, self.shape.bilateral];
        let mut places = [0; MAX_ROWS];
        for (place, is_bilateral) in places.iter_mut().zip(&bilateral[self.range()]) {
            let next = &mut next[usize::from(!is_bilateral)];
            *place = *next;
            *next += 1;
        }
        places
    }
}

/// The blocks of a problem. They are numbered as contacts are, for the planner.
#[derive(Debug, Default)]
pub(in crate::solver) struct Blocks {
    /// In the order of their rows.
    pub(in crate::solver) all: Vec<Block>,
    /// The lines of the bodies of each.
    pub(in crate::solver) pairs: Vec<LinePair>,
    /// The block of each row, or [`ContactId::NONE`].
    pub(in crate::solver) of_row: Vec<ContactId>,
    /// The shapes that some block has that impulses move, rising.
    pub(in crate::solver) shapes: Vec<BlockShape>,
    /// Whether each row is bilateral: it has no bounds, nor scales those of others, which need its impulse first.
    pub(in crate::solver) bilateral: Vec<bool>,
    /// Whether a row of a block scales the bounds of others.
    pub(in crate::solver) are_coupled: bool,
    /// Whether some rows are in no block.
    pub(in crate::solver) restore_rows: bool,
    /// What the blocks follow from, of the problem before.
    seen: Vec<RowTraits>,
}

/// What of a row decides on its block.
#[derive(Debug, Clone, Copy, PartialEq)]
struct RowTraits {
    pair: LinePair,
    has_bounds: bool,
    friction_row: RowId,
    ball: RowId,
}

impl Blocks {
    /// Finds the blocks of a problem whose bodies have these lines. Returns whether they are those of the problem before.
    pub(in crate::solver) fn note(&mut self, problem: &Problem, bodies: &[Wide]) -> Result<bool> {
        let resting = BodyRow::from(problem.masses.len());
        let place = |body: BodyRow| {
            let body = body.min(resting);
            LineIndex::new(body, lines::is_read_only(&bodies[body]))
        };
        let traits = |row: &Row| RowTraits {
            pair: [place(row.body_a), place(row.body_b)],
            has_bounds: row.lower != f64::NEG_INFINITY || row.upper != f64::INFINITY,
            friction_row: row.friction_row.unwrap_or(RowId::NONE),
            ball: row.ball.unwrap_or(RowId::NONE),
        };
        let is_same = self.seen.len() == problem.rows.len()
            && problem.rows.iter().zip(&self.seen).all(|(row, seen)| traits(row) == *seen);
        if is_same {
            return Ok(true);
        }
        // Until all of them are found there is nothing to compare with.
        self.seen.clear();
        self.find(problem, traits)?;
        empty(&mut self.seen, problem.rows.len(), "rows")?;
        self.seen.extend(problem.rows.iter().map(traits));
        Ok(false)
    }

    fn find(&mut self, problem: &Problem, traits: impl Fn(&Row) -> RowTraits) -> Result<()> {
        let rows = problem.rows;
        let Self { all, pairs, of_row, shapes, bilateral, .. } = self;
        empty(bilateral, rows.len(), "rows")?;
        bilateral.extend(rows.iter().map(|row| !traits(row).has_bounds && row.friction_row.is_none()));
        rows.iter().filter_map(|row| row.friction_row).for_each(|scale| bilateral[scale.index()] = false);
        all.clear();
        pairs.clear();
        shapes.clear();
        (self.are_coupled, self.restore_rows) = (false, false);
        resize(of_row, rows.len(), ContactId::NONE, "rows")?;
        let mut at = 0;
        while at < rows.len() {
            let unit = unit_of(rows, at);
            let own = traits(&rows[at]);
            let is_of_ball = |row: usize| rows[row].ball.is_some();
            let fits = |block: &Block, pair: &LinePair| {
                let are_alike = is_of_ball(at) == is_of_ball(block.first.index());
                are_alike && *pair == own.pair && block.range().end == at && block.shape.rows() + unit <= MAX_ROWS
            };
            if !all.last().zip(pairs.last()).is_some_and(|(block, pair)| fits(block, pair)) {
                push(all, Block { first: at.into(), shape: BlockShape::default() }, "blocks of rows")?;
                push(pairs, own.pair, "blocks of rows")?;
            }
            let number = ContactId::from(all.len() - 1);
            for (is_bilateral, block) in bilateral[at..at + unit].iter().zip(&mut of_row[at..at + unit]) {
                let shape = &mut all[number].shape;
                *if *is_bilateral { &mut shape.bilateral } else { &mut shape.bounded } += 1;
                *block = number;
            }
            at += unit;
        }
        self.remove_split(rows)
    }

    /// Takes out the blocks between which a row scales the bounds of others, and those with rows of balls, and lists the shapes of those that are left.
    fn remove_split(&mut self, rows: &[Row]) -> Result<()> {
        let Self { all, pairs, of_row, shapes, are_coupled, restore_rows, .. } = self;
        let scaled = || rows.iter().enumerate().filter_map(|(at, row)| Some((at, row.friction_row?.index())));
        *are_coupled = scaled().next().is_some();
        for (at, scale) in scaled() {
            let blocks = [of_row[at], of_row[scale]];
            if blocks[0] == blocks[1] {
                continue;
            }
            *restore_rows = true;
            for block in blocks.into_iter().filter(|block| *block != ContactId::NONE) {
                of_row[all[block].range()].fill(ContactId::NONE);
            }
        }
        for at in (0..rows.len()).filter(|at| rows[*at].ball.is_some()) {
            (*are_coupled, *restore_rows) = (true, true);
            let block = of_row[at];
            if block != ContactId::NONE {
                of_row[all[block].range()].fill(ContactId::NONE);
            }
        }
        for (number, (block, pair)) in all.iter().zip(&*pairs).enumerate() {
            let is_swept =
                of_row[block.first] == ContactId::from(number) && !pair.iter().all(|body| body.is_read_only());
            if is_swept && let Err(place) = shapes.binary_search(&block.shape) {
                push(shapes, block.shape, "blocks of rows")?;
                shapes[place..].rotate_right(1);
            }
        }
        Ok(())
    }

    /// Returns whether a block is swept as one, which impulses move.
    pub(in crate::solver) fn is_swept(&self, block: ContactId) -> bool {
        self.of_row[self.all[block].first] == block && !self.pairs[block].iter().all(|body| body.is_read_only())
    }

    /// Returns whether the tiles of the first moving bodies rise from block to block.
    pub(in crate::solver) fn are_sorted(&self) -> bool {
        self.pairs.is_sorted_by_key(|pair| tiles(*pair)[0])
    }
}

/// Returns how many rows from one on are to stay together: it, and those behind it whose bounds it scales, or the rows of a ball.
fn unit_of(rows: &[Row], first: usize) -> usize {
    let own = &rows[first];
    if own.ball == Some(first.into()) {
        return BALL;
    }
    let follows =
        |row: &&Row| row.friction_row == Some(first.into()) && (row.body_a, row.body_b) == (own.body_a, own.body_b);
    (1 + rows[first + 1..].iter().take_while(follows).count()).min(MAX_ROWS)
}
