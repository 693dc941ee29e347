//! Newton's method on the conditions of optimality. It refines an approximate solution to round-off.
//!
//! With the projection `P` on the laws, contacts obey `lambda = P(lambda - w)`. A step of a semismooth Newton method
//! solves
//!
//! ```text
//! q dx - B^T d lambda - F dt = r,    (1 - S) d lambda + S (B dx + E d lambda) = P - lambda,    F dx = work - F x
//! ```
//!
//! with the derivative `S` of `P`, and the factor `t` of a border `F`. The matrix that is factored has proximal terms.
//! Rounds of iterative refinement remove their effect. Steps are added to `x` and `lambda`, so that round-off of
//! velocities does not become that of impulses.
//!
//! If sliding dilates less than in the associated law, `w` has De Saxce's shift along the normal, and the matrix is not
//! symmetric.

use crate::error::{Result, copy, refill};
use crate::solver::conic::border::Border;
use crate::solver::conic::laws::answer;
use crate::solver::conic::part::{Part, shift};
use crate::solver::conic::program::{DOF, Law, Program, ROWS, Small};
use crate::solver::monitor::Monitor;
use crate::solver::operator::blocks::Blocks;
use crate::solver::operator::cholesky::Cholesky;
use crate::solver::operator::unsymmetric::Unsymmetric;

/// The proximal term of motions [-].
const RHO: f64 = 1e-9;
/// The largest number of refinement rounds of a step.
const ROUNDS: u32 = 12;
/// Refinement ends unless a round reduces the error to this part [-].
const REDUCTION: f64 = 0.5;
/// The part of the error of a step at which its refinement ends [-].
const EXACT: f64 = 1e-3;
/// The round-off of a sum of forces, as a part of the largest force [-].
const ROUND_OFF: f64 = 16.0 * f64::EPSILON;
/// With the associated law the method ends after this number of successive steps without progress.
const MAX_STALLED: u32 = 3;
/// The same with other laws.
const MAX_STALLED_NONASSOCIATED: u32 = 12;
/// The number of last errors with which a step is compared.
const MEMORY: usize = 4;
/// A step is not halved below this fraction [-].
const FRACTION: f64 = 1.0 / 64.0;
/// The relative decrease of the error that is required, per fraction of a step [-].
const DECREASE: f64 = 1e-4;

/// A start, which is replaced by the result.
#[derive(Debug)]
pub(in crate::solver) struct StartPoint<'a> {
    pub(in crate::solver) x: &'a mut Vec<[f64; DOF]>,
    pub(in crate::solver) lambda: &'a mut Vec<f64>,
    /// The factor of the border.
    pub(in crate::solver) factor: f64,
}

/// The number of steps, and the smallest error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::solver) struct IterationResult {
    pub(in crate::solver) steps: u32,
    pub(in crate::solver) error: f64,
}

/// The limits of the method, and its law.
#[derive(Debug, Clone, Copy)]
pub(in crate::solver) struct StopCriteria {
    /// The largest number of steps.
    pub(in crate::solver) steps: u32,
    /// The error at which the method ends.
    pub(in crate::solver) enough: f64,
    /// The dilation of sliding: 1 in the associated law, 0 in Coulomb's.
    pub(in crate::solver) dilation: f64,
}

/// The residuals: of the balance of bodies, of the laws, and of the work along the border.
#[derive(Debug, Default)]
struct Missing {
    bodies: Vec<[f64; DOF]>,
    rows: Vec<f64>,
    work: f64,
}

/// The method and its workspace.
#[derive(Debug, Default)]
pub(in crate::solver) struct Active {
    x: Vec<[f64; DOF]>,
    lambda: Vec<f64>,
    factor: f64,
    parts: Vec<Part>,
    /// The residuals at the present point.
    missing: Missing,
    /// The residuals of the equations of a step.
    left: Missing,
    /// The step, and a correction of it.
    step_x: Vec<[f64; DOF]>,
    step_lambda: Vec<f64>,
    step_factor: f64,
    /// The last errors, the latest first.
    errors: [f64; MEMORY],
    motion: Vec<[f64; DOF]>,
    change: Vec<f64>,
    border_motion: Vec<[f64; DOF]>,
    blocks: Blocks<DOF>,
    cholesky: Cholesky<DOF>,
    unsymmetric: Unsymmetric<DOF>,
    /// Whether the factor is the unsymmetric one.
    is_unsymmetric: bool,
    pub(in crate::solver) monitor: Monitor,
}

impl Active {
    /// Improves a start. The result is never worse than the start.
    pub(in crate::solver) fn solve(
        &mut self,
        program: &Program,
        border: Option<Border>,
        start: &mut StartPoint,
        stop: &StopCriteria,
    ) -> Result<IterationResult> {
        self.begin(program, start)?;
        let is_associated = stop.dilation == 1.0;
        if !is_associated {
            self.unsymmetric.lay_out_moving(program.graph(), |body, k| program.members.roots[body].moves(k))?;
        }
        let max_stalled = if is_associated { MAX_STALLED } else { MAX_STALLED_NONASSOCIATED };
        let mut best = IterationResult { steps: 0, error: self.compute_errors(program, border, stop.dilation) };
        let mut waited = 0;
        self.errors = [0.0; MEMORY];
        self.errors[0] = best.error;
        for taken in 1..=stop.steps {
            let is_over = best.error <= stop.enough || waited >= max_stalled;
            if is_over || !self.fill(program, border, is_associated)? || !self.find_step(program, border)? {
                break;
            }
            let error = self.advance(program, border, stop.dilation);
            best.steps = taken;
            waited += 1;
            self.monitor.iterated()?;
            if error < best.error {
                if error < REDUCTION * best.error {
                    waited = 0;
                }
                best.error = error;
                start.x.copy_from_slice(&self.x);
                start.lambda.copy_from_slice(&self.lambda);
                start.factor = self.factor;
            }
        }
        Ok(best)
    }

    fn begin(&mut self, program: &Program, start: &StartPoint) -> Result<()> {
        let (bodies, size) = (program.bodies(), program.size());
        copy(&mut self.x, start.x, "bodies of an island")?;
        copy(&mut self.lambda, start.lambda, "rows of an island")?;
        self.factor = start.factor;
        let Self { missing, left, step_x, motion, border_motion, .. } = self;
        for vector in [&mut missing.bodies, &mut left.bodies, step_x, motion, border_motion] {
            refill(vector, bodies, [0.0; DOF], "bodies of an island")?;
        }
        for vector in [&mut missing.rows, &mut left.rows, &mut self.step_lambda, &mut self.change] {
            refill(vector, size, 0.0, "rows of an island")?;
        }
        let none = [[0.0; ROWS]; ROWS];
        let nothing = Part { slope: none, turned: none, gain: none, inverse: none };
        refill(&mut self.parts, program.pieces.len(), nothing, "contacts of an island")
    }

    /// Computes the residuals at the present point. Returns the largest of them.
    fn compute_errors(&mut self, program: &Program, border: Option<Border>, dilation: f64) -> f64 {
        let Self { x, lambda, factor, parts, missing, .. } = self;
        for ((missing, load), x) in missing.bodies.iter_mut().zip(&program.load).zip(x.iter()) {
            *missing = std::array::from_fn(|k| load[k] - program.weight * x[k]);
        }
        let mut largest = 0.0_f64;
        for (piece, part) in program.pieces.iter().zip(parts) {
            program.push(piece, &lambda[piece.range()], &mut missing.bodies);
            let mut trial = [0.0; ROWS];
            let mut w = program.velocity(piece, x, lambda);
            let shift = shift(&piece.law, &mut w, 1.0 - dilation);
            for (at, row) in piece.range().enumerate() {
                trial[at] = lambda[row] - w[at];
            }
            let onto = answer(&piece.law, piece.rows, &[1.0; ROWS], &trial);
            part.slope = onto.slope;
            part.turned = onto.slope;
            for (row, entries) in part.turned.iter_mut().enumerate() {
                entries.iter_mut().zip(&shift).for_each(|(entry, shift)| *entry += onto.slope[row][0] * shift);
            }
            let is_still = piece.law == Law::Still;
            for (at, row) in piece.range().enumerate() {
                // For free rows the projection is the trial point. Their residual is `-w`, which is more exact than the
                // difference.
                missing.rows[row] = match piece.law {
                    Law::Still => 0.0,
                    _ if onto.lambda[at] == trial[at] => -w[at],
                    _ => onto.lambda[at] - lambda[row],
                };
                if !is_still {
                    largest = largest.max(missing.rows[row].abs());
                }
            }
        }
        missing.work = 0.0;
        if let Some(border) = border {
            add(&mut missing.bodies, border.load, *factor);
            missing.work = border.work - along(border.load, x);
        }
        let forces = lambda.iter().fold(0.0_f64, |largest, force| largest.max(force.abs()));
        let unbalanced = missing.bodies.iter().flatten().fold(0.0_f64, |largest, x| largest.max(x.abs()));
        // The round-off of large forces must not hide the error of the motions, which can be far smaller.
        let counted = if unbalanced <= ROUND_OFF * forces { 0.0 } else { unbalanced };
        let error = largest.max(counted).max(missing.work.abs());
        if missing.bodies.iter().flatten().all(|x| x.is_finite()) { error } else { f64::INFINITY }
    }

    /// Factors the matrix. Returns `false` if it cannot be factored.
    fn fill(&mut self, program: &Program, border: Option<Border>, is_associated: bool) -> Result<bool> {
        let rho = if program.weight > 0.0 { 0.0 } else { RHO };
        self.blocks.begin(program.graph(), program.weight + rho)?;
        if !is_associated {
            self.unsymmetric.begin()?;
            self.unsymmetric.add_diagonal(program.weight + rho);
        }
        for (piece, part) in program.pieces.iter().zip(&mut self.parts) {
            if piece.law == Law::Still {
                continue;
            }
            if !part.complete(program, piece) {
                return Ok(false);
            }
            if is_associated {
                part.straighten();
                program.stiffen(piece, &part.gain, &mut self.blocks);
            } else {
                self.unsymmetric.add(&program.sides(piece), &part.gain);
            }
        }
        self.is_unsymmetric = !is_associated;
        if !is_associated {
            return self.unsymmetric.factor();
        }
        if !self.cholesky.factor(program.graph(), &self.blocks)? {
            return Ok(false);
        }
        if let Some(border) = border {
            self.border_motion.copy_from_slice(border.load);
            self.cholesky.solve(self.border_motion.as_flattened_mut());
        }
        Ok(true)
    }

    /// Computes the step and refines it. Returns `false` if there is no step.
    fn find_step(&mut self, program: &Program, border: Option<Border>) -> Result<bool> {
        self.step_x.fill([0.0; DOF]);
        self.step_lambda.fill(0.0);
        self.step_factor = 0.0;
        self.left.bodies.copy_from_slice(&self.missing.bodies);
        self.left.rows.copy_from_slice(&self.missing.rows);
        self.left.work = self.missing.work;
        let (first, mut before) = (self.left.largest(), f64::INFINITY);
        for _ in 0..ROUNDS {
            let Some(turn) = self.correct(program, border)? else { return Ok(false) };
            add(&mut self.step_x, &self.motion, 1.0);
            self.step_lambda.iter_mut().zip(&self.change).for_each(|(step, change)| *step += change);
            self.step_factor += turn;
            self.compute_step_residual(program, border);
            let now = self.left.largest();
            if now <= EXACT * first || now.is_nan() || now > REDUCTION * before {
                break;
            }
            before = now;
        }
        Ok(true)
    }

    /// Solves for the residuals of the step. Returns the change of the factor of the border, or `None` if the matrix is
    /// singular.
    fn correct(&mut self, program: &Program, border: Option<Border>) -> Result<Option<f64>> {
        let Self { left, motion, change, parts, border_motion, cholesky, unsymmetric, is_unsymmetric, .. } = self;
        motion.copy_from_slice(&left.bodies);
        for (piece, part) in program.pieces.iter().zip(parts.iter()) {
            let pressed = times(&part.inverse, &left.rows[piece.range()]);
            change[piece.range()].copy_from_slice(&pressed[..piece.rows]);
            program.push(piece, &pressed[..piece.rows], motion);
        }
        if !*is_unsymmetric {
            cholesky.solve(motion.as_flattened_mut());
        } else if !unsymmetric.solve_factored(motion)? {
            return Ok(None);
        }
        let mut turn = 0.0;
        if let Some(border) = border {
            let stiffness = along(border.load, border_motion);
            turn = if stiffness > 0.0 { (left.work - along(border.load, motion)) / stiffness } else { 0.0 };
            add(motion, border_motion, turn);
        }
        for (piece, part) in program.pieces.iter().zip(parts.iter()) {
            let pressed = times(&part.gain, &program.along(piece, motion)[..piece.rows]);
            change[piece.range()].iter_mut().zip(pressed).for_each(|(change, pressed)| *change -= pressed);
        }
        Ok(Some(turn))
    }

    /// Computes the residuals of the equations of the step.
    fn compute_step_residual(&mut self, program: &Program, border: Option<Border>) {
        let Self { left, missing, step_x, step_lambda, step_factor, parts, .. } = self;
        for ((left, missing), x) in left.bodies.iter_mut().zip(&missing.bodies).zip(step_x.iter()) {
            *left = std::array::from_fn(|k| missing[k] - program.weight * x[k]);
        }
        for (piece, part) in program.pieces.iter().zip(parts) {
            let step = &step_lambda[piece.range()];
            program.push(piece, step, &mut left.bodies);
            let mut w = program.along(piece, step_x);
            for (at, row) in piece.range().enumerate() {
                w[at] += program.compliance[row] * step[at];
            }
            let (moved, kept) = (times(&part.turned, &w[..piece.rows]), times(&part.slope, step));
            for (at, row) in piece.range().enumerate() {
                left.rows[row] = missing.rows[row] - step[at] + kept[at] - moved[at];
            }
        }
        if let Some(border) = border {
            add(&mut left.bodies, border.load, *step_factor);
            left.work = missing.work - along(border.load, step_x);
        }
    }

    /// Applies a step and returns the error. With the associated law the whole step is applied. With other laws it is
    /// halved until the error is below the largest of the last ones. If that fails, the best fraction is applied.
    fn advance(&mut self, program: &Program, border: Option<Border>, dilation: f64) -> f64 {
        self.move_along_step(1.0);
        let mut error = self.compute_errors(program, border, dilation);
        if dilation == 1.0 {
            return error;
        }
        let before = self.errors.iter().copied().fold(0.0, f64::max);
        let (mut at, mut best, mut smallest) = (1.0, 1.0, error);
        while error > (1.0 - DECREASE * at) * before && at > FRACTION {
            self.move_along_step(-0.5 * at);
            at *= 0.5;
            error = self.compute_errors(program, border, dilation);
            if error < smallest {
                (best, smallest) = (at, error);
            }
        }
        if error > smallest {
            self.move_along_step(best - at);
            error = self.compute_errors(program, border, dilation);
        }
        self.errors.rotate_right(1);
        self.errors[0] = error;
        error
    }

    /// Moves along the step by a part of it.
    fn move_along_step(&mut self, part: f64) {
        add(&mut self.x, &self.step_x, part);
        self.lambda.iter_mut().zip(&self.step_lambda).for_each(|(lambda, step)| *lambda += part * step);
        self.factor += part * self.step_factor;
    }
}

impl Missing {
    fn largest(&self) -> f64 {
        let rows = self.rows.iter().fold(self.work.abs(), |largest, x| largest.max(x.abs()));
        let all = self.bodies.iter().flatten().fold(rows, |largest, x| largest.max(x.abs()));
        // A maximum would ignore numbers that are not finite.
        if all.is_finite() && self.bodies.iter().flatten().all(|x| x.is_finite()) { all } else { f64::NAN }
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
