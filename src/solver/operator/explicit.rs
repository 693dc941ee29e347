//! Gauss-Seidel on the reduced problem: each block gathers its velocity from its rows of `W`.
//!
//! More expensive than the sweeps over bodies, and the only sweeps for a problem that has no bodies but only `W`.

use crate::error::{Result, empty, refill};
use crate::solver::gauss_seidel::sweeps::Sweeps;
use crate::solver::operator::local_block::{LocalBlock, ROWS, Translation, Turning};
use crate::solver::operator::reduced::{Block, Law, Reduced};
use crate::solver::problem::order::{Order, shuffle};

/// What the sweeps need, reused from one problem to the next.
#[derive(Debug, Default)]
pub struct SweepWorkspace {
    blocks: Vec<LocalBlock>,
    turnings: Vec<Turning>,
    lambda: Vec<f64>,
    w: Vec<f64>,
    visits: Vec<u32>,
}

/// How to sweep.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sweeping {
    /// The order of the visits; coloured is natural here, since blocks that are not alike share no wide code.
    pub order: Order,
    /// Factor on the step of every block, above 0 and below 2.
    pub relaxation: f64,
}

/// A reduced problem being swept.
#[derive(Debug)]
pub struct Explicit<'a> {
    problem: &'a Reduced,
    work: &'a mut SweepWorkspace,
    sweeping: Sweeping,
}

impl<'a> Explicit<'a> {
    /// Prepares the blocks and starts from `impulses`, brought to the nearest that the laws allow.
    pub fn new(
        problem: &'a Reduced,
        work: &'a mut SweepWorkspace,
        sweeping: Sweeping,
        impulses: &[f64],
    ) -> Result<Self> {
        empty(&mut work.blocks, problem.blocks.len(), "blocks of the contact problem")?;
        let turning = problem.blocks.iter().filter(|block| block.dimension() > 3).count();
        empty(&mut work.turnings, turning, "rolling contacts of the contact problem")?;
        let turnings = &mut work.turnings;
        work.blocks.extend(problem.blocks.iter().map(|block| LocalBlock::new(problem, block, turnings)));
        empty(&mut work.visits, problem.blocks.len(), "blocks of the contact problem")?;
        for vector in [&mut work.lambda, &mut work.w] {
            refill(vector, problem.size(), 0.0, "rows of the contact problem")?;
        }
        let mut explicit = Self { problem, work, sweeping };
        explicit.write(impulses);
        Ok(explicit)
    }

    /// Solves one block and returns its change of velocity [m/s]; where that overflows the block stays as it is, and
    /// the change is infinite.
    fn visit(&mut self, index: usize) -> f64 {
        let block = &self.problem.blocks[index];
        match (self.work.blocks[index], block.law) {
            (LocalBlock::Contact(translation), _) => self.contact(block, &translation),
            (LocalBlock::Turning(translation, turning), _) => self.turning(block, &translation, turning),
            (LocalBlock::Single(diagonal), Law::Bounded { lower, upper, of }) => {
                let (lower, upper) = self.problem.bounds(lower, upper, of, &self.work.lambda);
                let w = self.gather(block.first);
                let value = &mut self.work.lambda[block.first];
                let next = (*value - self.sweeping.relaxation * w / diagonal).min(upper).max(lower);
                if !next.is_finite() {
                    return f64::INFINITY;
                }
                let change = next - *value;
                *value = next;
                change.abs() * diagonal * block.length
            }
            _ => 0.0,
        }
    }

    #[inline(always)]
    fn gather(&self, row: usize) -> f64 {
        self.problem.q[row] + self.problem.matrix.row_times(row, &self.work.lambda)
    }

    /// Solves normal and friction and returns the change of velocity.
    #[inline(always)]
    fn contact(&mut self, block: &Block, translation: &Translation) -> f64 {
        let first = block.first;
        let w = [self.gather(first), self.gather(first + 1), self.gather(first + 2)];
        let rows = &mut self.work.lambda[first..first + 3];
        let old = [rows[0], rows[1], rows[2]];
        let next = translation.solve(w, old, self.sweeping.relaxation);
        if !next.iter().all(|value| value.is_finite()) {
            return f64::INFINITY;
        }
        rows.copy_from_slice(&next);
        translation.velocity_of([next[0] - old[0], next[1] - old[1], next[2] - old[2]])
    }

    /// The same with rolling and twisting.
    fn turning(&mut self, block: &Block, translation: &Translation, turning: usize) -> f64 {
        let rows = block.rows();
        let (mut w, mut old, mut next) = ([0.0; ROWS], [0.0; ROWS], [0.0; ROWS]);
        for (k, row) in rows.clone().enumerate() {
            (w[k], old[k]) = (self.gather(row), self.work.lambda[row]);
        }
        let relaxation = self.sweeping.relaxation;
        let turning = &self.work.turnings[turning];
        if turning.dilates() {
            let block = |i: usize, j: usize| self.problem.matrix.entry(block.first + i, block.first + j);
            next = turning.solve_jointly(&w, &old, block, relaxation);
        } else {
            next[..3].copy_from_slice(&translation.solve([w[0], w[1], w[2]], [old[0], old[1], old[2]], relaxation));
            turning.solve(&w, &old, &mut next, relaxation);
        }
        if !next.iter().all(|value| value.is_finite()) {
            return f64::INFINITY;
        }
        let dimension = rows.len();
        self.work.lambda[rows].copy_from_slice(&next[..dimension]);
        let translational = translation.velocity_of([next[0] - old[0], next[1] - old[1], next[2] - old[2]]);
        // torques count as forces at the distance of the residual
        let turn: f64 = (3..dimension).map(|k| (next[k] - old[k]) * (next[k] - old[k])).sum();
        translational.max(turn.sqrt() * block.scale / block.length)
    }
}

impl Sweeps for Explicit<'_> {
    fn size(&self) -> usize {
        self.problem.size()
    }

    fn sweep(&mut self, number: u32) -> f64 {
        let count = self.problem.blocks.len();
        match self.sweeping.order {
            Order::Random(seed) => {
                self.work.visits.clear();
                self.work.visits.extend(0..count as u32);
                shuffle(&mut self.work.visits, seed, number);
                (0..count).fold(0.0, |largest: f64, at| largest.max(self.visit(self.work.visits[at] as usize)))
            }
            Order::Symmetric if number % 2 == 1 => {
                (0..count).rev().fold(0.0, |largest: f64, at| largest.max(self.visit(at)))
            }
            Order::Colored | Order::Natural | Order::Symmetric => {
                (0..count).fold(0.0, |largest: f64, at| largest.max(self.visit(at)))
            }
        }
    }

    fn read(&self, impulses: &mut [f64]) {
        impulses.copy_from_slice(&self.work.lambda);
    }

    fn write(&mut self, impulses: &[f64]) {
        self.work.lambda.copy_from_slice(impulses);
        self.problem.project(&mut self.work.lambda);
        // what no impulse changes has none
        for (alone, block) in self.work.blocks.iter().zip(&self.problem.blocks) {
            if matches!(alone, LocalBlock::Inert) {
                self.work.lambda[block.rows()].fill(0.0);
            }
        }
    }

    fn residual(&mut self) -> f64 {
        self.problem.velocity(&self.work.lambda, &mut self.work.w);
        self.problem.residual(&self.work.lambda, &self.work.w)
    }

    fn period(&self) -> u32 {
        self.sweeping.order.period()
    }

    fn weights(&self, weights: &mut [f64]) {
        for block in &self.problem.blocks {
            for (k, weight) in weights[block.rows()].iter_mut().enumerate() {
                *weight = if k < 3 { block.scale } else { block.scale / block.length };
            }
        }
    }
}
