//! A primal-dual interior point method for the program: Mehrotra's predictor and corrector with the scaling of Nesterov
//! and Todd.
//!
//! The laws are cones of pairs `s`, `z`: `z = P lambda + p` of the impulses of a piece, and `w = P^T s`. A step solves
//!
//! ```text
//! (q + rho + B^T K B) dx = r_x + B^T K tau,    K = (P^T W^2 P + E + delta)^-1,    d lambda = K (tau - B dx)
//! ```
//!
//! with a sparse factorisation over the bodies. `rho` and `delta` are proximal terms: they are in the matrix only and
//! do not change the solution. They keep the matrix regular if contacts are redundant or bodies are loose. If no motion
//! opens all cones, `lambda` diverges along a certificate of that.

use crate::error::{Result, copy, empty, refill};
use crate::solver::conic::border::{Border, End};
use crate::solver::conic::cone::{self, MAX_COMPONENTS, Scaling, UNIT, Vector};
use crate::solver::conic::gain::Gain;
use crate::solver::conic::laws::nearest;
use crate::solver::conic::program::{DOF, Law, Program, ROWS, Small};
use crate::solver::conic::slots::{Slot, is_live, middle, slots_of};
use crate::solver::monitor::Monitor;
use crate::solver::operator::blocks::Blocks;
use crate::solver::operator::cholesky::Cholesky;

/// The largest number of steps.
const STEPS: u32 = 100;
/// A step goes at most this part of the distance to the boundary [-].
const FRACTION_TO_BOUNDARY: f64 = 0.99;
/// If steps are cut, the target of the mean product is at least this part of the largest error [-].
const PRODUCT_PER_ERROR: f64 = 0.3;
/// The number of refinement rounds of a step.
const REFINEMENTS: u32 = 2;
/// The first value of the proximal terms.
const PROXIMAL: f64 = 1e-3;
/// The smallest value of the proximal terms without a border.
pub(in crate::solver) const SMALLEST: f64 = 1e-12;
/// After a step the proximal term of motions is multiplied by this [-].
const FALL: f64 = 0.2;
/// An error below this is close to the solution.
const CLOSE: f64 = 1e-5;
/// The method has diverged if the error is this many times the smallest one, which is close to the solution.
const DIVERGED: f64 = 5.0;
/// The smallest proximal terms are multiplied by this when the method has diverged.
const RAISE: f64 = 30.0;
/// Close to the solution the method ends after this number of successive steps without progress.
const MAX_STALLED: u32 = 10;
/// The same far from the solution.
const MAX_STALLED_FAR: u32 = 40;

/// The pair of a cone, and its step.
#[derive(Debug, Clone, Copy)]
struct Pair {
    s: Vector,
    z: Vector,
    scaling: Scaling,
    /// The right side of its step, and the step.
    right_side: Vector,
    step_s: Vector,
    step_z: Vector,
}

/// The method and its workspace. `x` and `lambda` are the solution.
#[derive(Debug, Default)]
pub(in crate::solver) struct Interior {
    pub(in crate::solver) x: Vec<[f64; DOF]>,
    pub(in crate::solver) lambda: Vec<f64>,
    /// The iterate with the smallest error so far.
    best_x: Vec<[f64; DOF]>,
    best_lambda: Vec<f64>,
    best_pairs: Vec<Pair>,
    best_factor: f64,
    slots: Vec<Slot>,
    pairs: Vec<Pair>,
    /// `K` of each piece. Below, `tau`, the error and the step of each row.
    gains: Vec<Small>,
    tau: Vec<f64>,
    gap: Vec<f64>,
    step: Vec<f64>,
    rest: Vec<[f64; DOF]>,
    right: Vec<[f64; DOF]>,
    motion: Vec<[f64; DOF]>,
    other: Vec<[f64; DOF]>,
    border_motion: Vec<[f64; DOF]>,
    blocks: Blocks<DOF>,
    cholesky: Cholesky<DOF>,
    factor: f64,
    rho: f64,
    delta: f64,
    /// The smallest value of both proximal terms.
    floor: f64,
    pub(in crate::solver) monitor: Monitor,
}

impl Interior {
    /// Computes the solution from a start of its own, to errors of `enough`. Returns the errors of the iterate with the best factor.
    pub(in crate::solver) fn solve(&mut self, program: &Program, border: Option<Border>, enough: f64) -> Result<End> {
        self.begin(program, border)?;
        let (mut best, mut kept, mut waited) = (End::NONE, End::NONE, 0);
        let products = if border.is_some() { self.slots.len() as f64 } else { 1.0 };
        for steps in 0..=STEPS {
            let now = self.compute_errors(program, border, steps);
            waited += 1;
            if now.error() < best.error() {
                if now.error() < 0.9 * best.error() {
                    waited = 0;
                }
                best = now;
            }
            if now.error_of(products) < kept.error_of(products) {
                kept = now;
                self.keep();
            }
            let max_stalled = if best.error() < CLOSE { MAX_STALLED } else { MAX_STALLED_FAR };
            if best.error() <= enough || waited > max_stalled || steps == STEPS {
                break;
            }
            // Round-off dominates: larger proximal terms reduce it.
            let has_diverged = now.error() > DIVERGED * kept.error() && kept.error() < CLOSE;
            if has_diverged || !now.error().is_finite() {
                self.restore();
                self.floor = (self.floor * RAISE).min(PROXIMAL);
                self.compute_errors(program, border, steps);
            }
            if !self.advance(program, border, if has_diverged { &kept } else { &now })? {
                break;
            }
            self.monitor.iterated()?;
        }
        self.restore();
        Ok(kept)
    }

    /// Stores the iterate as the best one so far.
    fn keep(&mut self) {
        self.best_x.copy_from_slice(&self.x);
        self.best_lambda.copy_from_slice(&self.lambda);
        self.best_pairs.copy_from_slice(&self.pairs);
        self.best_factor = self.factor;
    }

    fn restore(&mut self) {
        self.x.copy_from_slice(&self.best_x);
        self.lambda.copy_from_slice(&self.best_lambda);
        self.pairs.copy_from_slice(&self.best_pairs);
        self.factor = self.best_factor;
    }

    /// Creates the cones, with the unit vector in each.
    fn begin(&mut self, program: &Program, border: Option<Border>) -> Result<()> {
        let (bodies, size) = (program.bodies(), program.size());
        let Self { x, best_x, rest, right, motion, other, border_motion, .. } = self;
        for vector in [x, best_x, rest, right, motion, other, border_motion] {
            refill(vector, bodies, [0.0; DOF], "bodies of an island")?;
        }
        let Self { best_lambda, tau, gap, step, .. } = self;
        for vector in [best_lambda, tau, gap, step] {
            refill(vector, size, 0.0, "rows of an island")?;
        }
        refill(&mut self.gains, program.pieces.len(), [[0.0; ROWS]; ROWS], "contacts of an island")?;
        let kept = self.lambda.len() == size;
        if !kept {
            refill(&mut self.lambda, size, 0.0, "rows of an island")?;
        }
        empty(&mut self.slots, MAX_COMPONENTS * program.pieces.len(), "cones of an island")?;
        for (number, piece) in (0..).zip(&program.pieces) {
            let slots = &mut self.slots;
            slots_of(program, piece, |slot| slots.push(Slot { piece: number, ..slot }));
            if piece.law != Law::Still {
                self.lambda[piece.range()].fill(0.0);
            }
            match piece.law {
                Law::Bounded { lower, upper } => self.lambda[piece.first] = middle(lower, upper),
                // Bodies that are apart start apart. Otherwise loose bodies would move towards each other.
                Law::Contact(_) if !program.idle[piece.first] => {
                    self.lambda[piece.first] = 1.0 / (piece.scale * program.bias[piece.first].max(1.0));
                }
                _ => {}
            }
        }
        empty(&mut self.pairs, self.slots.len(), "cones of an island")?;
        for slot in &self.slots {
            let z = slot.value(&program.pieces[slot.piece as usize], &self.lambda);
            let (none, piece) = ([0.0; MAX_COMPONENTS], &program.pieces[slot.piece as usize]);
            let is_contact = matches!(piece.law, Law::Contact(_));
            let apart = if is_contact { program.bias[piece.first].max(1.0) } else { 1.0 };
            let s = UNIT.map(|unit| apart * unit);
            self.pairs.push(Pair { s, z, scaling: Scaling::NONE, right_side: none, step_s: none, step_z: none });
        }
        copy(&mut self.best_pairs, &self.pairs, "cones of an island")?;
        (self.factor, self.best_factor) = (0.0, 0.0);
        (self.rho, self.floor) = border.map_or((1.0, SMALLEST), |border| (PROXIMAL, border.floor));
        self.delta = PROXIMAL;
        Ok(())
    }

    /// Computes the errors, and writes them to `rest` and `gap`.
    fn compute_errors(&mut self, program: &Program, border: Option<Border>, steps: u32) -> End {
        let Self { x, lambda, slots, pairs, gap, rest, .. } = self;
        for ((rest, load), x) in rest.iter_mut().zip(&program.load).zip(x.iter()) {
            *rest = std::array::from_fn(|k| load[k] - program.weight * x[k]);
        }
        for piece in &program.pieces {
            let w = program.velocity(piece, x, lambda);
            program.push(piece, &lambda[piece.range()], rest);
            for (gap, w) in gap[piece.range()].iter_mut().zip(w) {
                *gap = -w;
            }
        }
        if let Some(border) = border {
            add(rest, border.load, self.factor);
        }
        let mut product = 0.0;
        for (slot, pair) in slots.iter().zip(pairs.iter()) {
            slot.add(&program.pieces[slot.piece as usize], &pair.s, gap);
            product += cone::dot(&pair.s, &pair.z);
        }
        let mut largest = 0.0_f64;
        for piece in &program.pieces {
            for row in piece.range() {
                if is_live(program, piece, row) {
                    largest = largest.max(gap[row].abs());
                } else {
                    gap[row] = 0.0;
                }
            }
        }
        let balance = rest.iter().flatten().fold(0.0_f64, |largest, x| largest.max(x.abs()));
        let product = product / slots.len().max(1) as f64;
        let work = border.map_or(0.0, |border| border.work - along(border.load, x));
        End { steps, balance, gap: largest.max(work.abs()), product, factor: self.factor }
    }

    /// Makes one step. Returns `false` if none was found.
    fn advance(&mut self, program: &Program, border: Option<Border>, now: &End) -> Result<bool> {
        let small = 0.01 * now.error().min(1.0);
        let next = |term: f64, floor: f64| small.min(0.5 * term).max(floor);
        self.delta = next(self.delta, self.floor);
        self.rho = match border {
            // The masses make the matrix regular.
            _ if program.weight >= 1.0 => 0.0,
            Some(_) => next(self.rho, self.floor),
            // The motion of a loose body is the force of the barrier over this term. The term therefore falls with that
            // force. It falls in any case: bodies that have far to go would need many steps, in which products fall ahead
            // of the other errors, so that steps are cut and make no more progress.
            None => now.error().min(FALL * self.rho).max(self.floor),
        };
        for pair in &mut self.pairs {
            pair.scaling = Scaling::of(&pair.s, &pair.z);
            pair.right_side = pair.s.map(|s| -s);
        }
        if !self.fill(program)? {
            return Ok(false);
        }
        if let Some(border) = border {
            self.border_motion.copy_from_slice(border.load);
            self.invert(program, true);
        }
        let work = border.map_or(0.0, |border| border.work - along(border.load, &self.x));
        self.direct(program, border, work);
        let reach = self.reach().min(1.0);
        let left = (1.0 - reach) * (1.0 - reach) * (1.0 - reach);
        // If the products fall ahead of the other errors, steps cannot reduce these.
        let mean =
            (left.clamp(1e-6, 1.0) * now.product).max(PRODUCT_PER_ERROR * (1.0 - reach) * now.balance.max(now.gap));
        for pair in &mut self.pairs {
            let nu = pair.scaling.times(&pair.z);
            let bend = cone::product(&pair.scaling.under(&pair.step_s), &pair.scaling.times(&pair.step_z));
            let goal = std::array::from_fn(|k| mean * UNIT[k] - bend[k]);
            let more = pair.scaling.times(&cone::quotient(&nu, &goal));
            pair.right_side = std::array::from_fn(|k| more[k] - pair.s[k]);
        }
        let turn = self.direct(program, border, work);
        let length = (FRACTION_TO_BOUNDARY * self.reach()).min(1.0);
        self.move_along_step(length, turn);
        Ok(length.is_finite())
    }

    /// Computes `K` and factors the matrix. Returns `false` if it is not positive definite.
    fn fill(&mut self, program: &Program) -> Result<bool> {
        self.blocks.begin(program.graph(), program.weight + self.rho)?;
        let mut cones = self.slots.iter().zip(&self.pairs).peekable();
        for (number, piece) in (0..).zip(&program.pieces) {
            let diagonal = |at: usize| program.compliance[piece.first + at] + self.delta * piece.scale;
            let mut gain = Gain::new(diagonal(0));
            while let Some((slot, pair)) = cones.next_if(|(slot, _)| slot.piece == number) {
                match slot.rows[..slot.count] {
                    [_, ref parts @ ..] if slot.count > 1 => {
                        gain.add_cone(&pair.scaling, parts, slot.factors[1], diagonal(slot.rows[1]));
                    }
                    _ => gain.add_line(pair.s[0], pair.z[0]),
                }
            }
            let matrix = if piece.law == Law::Still { [[0.0; ROWS]; ROWS] } else { gain.matrix() };
            program.stiffen(piece, &matrix, &mut self.blocks);
            self.gains[number as usize] = matrix;
        }
        for block in &mut self.blocks.diagonal {
            (0..DOF).for_each(|k| block[k][k] *= 1.0 + 4.0 * f64::EPSILON);
        }
        self.cholesky.factor(program.graph(), &self.blocks)
    }

    /// Computes the step from the right sides of the cones. Returns the step of the factor of the border.
    fn direct(&mut self, program: &Program, border: Option<Border>, work: f64) -> f64 {
        self.tau.copy_from_slice(&self.gap);
        for (slot, pair) in self.slots.iter().zip(&self.pairs) {
            slot.add(&program.pieces[slot.piece as usize], &pair.right_side, &mut self.tau);
        }
        self.right.copy_from_slice(&self.rest);
        for (gain, piece) in self.gains.iter().zip(&program.pieces) {
            let pushed = times(gain, &self.tau[piece.range()]);
            program.push(piece, &pushed[..piece.rows], &mut self.right);
        }
        self.invert(program, false);
        let mut turn = 0.0;
        if let Some(border) = border {
            turn = (work - along(border.load, &self.motion)) / along(border.load, &self.border_motion);
            add(&mut self.motion, &self.border_motion, turn);
        }
        for (gain, piece) in self.gains.iter().zip(&program.pieces) {
            let moved = program.along(piece, &self.motion);
            let left: [f64; ROWS] =
                std::array::from_fn(|at| if at < piece.rows { self.tau[piece.first + at] - moved[at] } else { 0.0 });
            self.step[piece.range()].copy_from_slice(&times(gain, &left)[..piece.rows]);
        }
        // With smaller terms round-off shows as a divergence, after which they are raised.
        if let Some(border) = border.filter(|border| border.floor > SMALLEST) {
            for _ in 0..REFINEMENTS {
                turn += self.rebalance(program, &border, work, turn);
            }
        }
        for piece in &program.pieces {
            let moved = program.along(piece, &self.motion);
            // The exact value that the cones of a row must have together.
            for (at, row) in piece.range().enumerate() {
                let stiff = program.compliance[row] + self.delta * piece.scale;
                self.tau[row] = moved[at] + stiff * self.step[row] - self.gap[row];
            }
        }
        for (slot, pair) in self.slots.iter().zip(&mut self.pairs) {
            let offset = Slot { offset: 0.0, ..*slot };
            pair.step_z = offset.value(&program.pieces[slot.piece as usize], &self.step);
            let square = pair.scaling.square();
            pair.step_s = std::array::from_fn(|k| pair.right_side[k] - cone::dot(&square[k], &pair.step_z));
            slot.subtract(&program.pieces[slot.piece as usize], &pair.step_s, &mut self.tau);
        }
        self.settle(program);
        turn
    }

    /// Corrects the motion and the step of the impulses by what they leave unbalanced with the step `turn` of the factor of the border.
    /// Returns its change. The step is a product of large gains and small differences of motions, so that round-off unbalances it.
    fn rebalance(&mut self, program: &Program, border: &Border, work: f64, turn: f64) -> f64 {
        let Self { rest, motion, other, border_motion, cholesky, gains, step, rho, .. } = self;
        for ((other, rest), x) in other.iter_mut().zip(rest.iter()).zip(motion.iter()) {
            *other = std::array::from_fn(|k| rest[k] - (program.weight + *rho) * x[k]);
        }
        for piece in &program.pieces {
            program.push(piece, &step[piece.range()], other);
        }
        add(other, border.load, turn);
        cholesky.solve(other.as_flattened_mut());
        let missing = work - along(border.load, motion) - along(border.load, other);
        let change = missing / along(border.load, border_motion);
        add(other, border_motion, change);
        add(motion, other, 1.0);
        for (gain, piece) in gains.iter().zip(&program.pieces) {
            let pressed = times(gain, &program.along(piece, other)[..piece.rows]);
            step[piece.range()].iter_mut().zip(pressed).for_each(|(step, pressed)| *step -= pressed);
        }
        change
    }

    /// Corrects the steps of the cones so that they agree with the motion of the rows. Products with `W^2` of a thin
    /// cone lose this agreement to round-off.
    fn settle(&mut self, program: &Program) {
        for (at, slot) in self.slots.iter().enumerate() {
            let piece = &program.pieces[slot.piece as usize];
            let is_last = self.slots.get(at + 1).is_none_or(|next| next.piece != slot.piece);
            for k in 0..slot.count {
                if k > 0 || is_last {
                    self.pairs[at].step_s[k] += self.tau[piece.first + slot.rows[k]] / slot.factors[k];
                }
            }
        }
    }

    /// Solves for `right`, and writes the solution to `motion`. For the border it solves in place for `border_motion`.
    fn invert(&mut self, program: &Program, is_of_border: bool) {
        let Self { right, motion, other, border_motion, cholesky, gains, rho, .. } = self;
        if is_of_border {
            right.copy_from_slice(border_motion);
        }
        let x = if is_of_border { border_motion } else { motion };
        x.copy_from_slice(right);
        cholesky.solve(x.as_flattened_mut());
        for _ in 0..REFINEMENTS {
            for ((other, right), x) in other.iter_mut().zip(right.iter()).zip(x.iter()) {
                *other = std::array::from_fn(|k| right[k] - (program.weight + *rho) * x[k]);
            }
            for (gain, piece) in gains.iter().zip(&program.pieces) {
                let pushed = times(gain, &program.along(piece, x)[..piece.rows]).map(|f| -f);
                program.push(piece, &pushed[..piece.rows], other);
            }
            cholesky.solve(other.as_flattened_mut());
            add(x, other, 1.0);
        }
    }

    /// Returns how far the step can go inside all cones.
    fn reach(&self) -> f64 {
        self.pairs.iter().fold(f64::INFINITY, |shortest, pair| {
            shortest
                .min(cone::step_to_boundary(&pair.s, &pair.step_s))
                .min(cone::step_to_boundary(&pair.z, &pair.step_z))
        })
    }

    fn move_along_step(&mut self, length: f64, turn: f64) {
        add(&mut self.x, &self.motion, length);
        self.factor += length * turn;
        self.lambda.iter_mut().zip(&self.step).for_each(|(lambda, step)| *lambda += length * step);
        for pair in &mut self.pairs {
            pair.s = cone::inside(std::array::from_fn(|k| pair.s[k] + length * pair.step_s[k]));
            pair.z = cone::inside(std::array::from_fn(|k| pair.z[k] + length * pair.step_z[k]));
        }
    }

    /// Projects the impulses to those that the laws allow.
    pub(in crate::solver) fn project(&mut self, program: &Program) {
        for piece in &program.pieces {
            let mut rows = [0.0; ROWS];
            rows[..piece.rows].copy_from_slice(&self.lambda[piece.range()]);
            let onto = nearest(&piece.law, piece.rows, &rows);
            self.lambda[piece.range()].copy_from_slice(&onto[..piece.rows]);
        }
    }
}

fn times(matrix: &Small, x: &[f64]) -> [f64; ROWS] {
    std::array::from_fn(|row| matrix[row].iter().zip(x).map(|(entry, x)| entry * x).sum())
}

fn along(load: &[[f64; DOF]], x: &[[f64; DOF]]) -> f64 {
    load.iter().flatten().zip(x.iter().flatten()).map(|(load, x)| load * x).sum()
}

fn add(sum: &mut [[f64; DOF]], x: &[[f64; DOF]], factor: f64) {
    sum.iter_mut().flatten().zip(x.iter().flatten()).for_each(|(sum, x)| *sum += factor * x);
}
