//! A method of multipliers with Newton's method in the motions. Its systems are symmetric and positive definite.
//!
//! Let `A = alpha + E`. Let `lambda(x)` be the impulses that minimise
//! `1/2 lambda A lambda - (alpha lambda_k - B x - c) lambda` within the laws. Then
//!
//! ```text
//! 1/2 q |x|^2 - g x + 1/2 rho |x - x_k|^2 + 1/2 lambda(x) A lambda(x)
//! ```
//!
//! is convex and smooth, with the gradient `q x - g + rho (x - x_k) - B^T lambda(x)`. Newton steps with a line search
//! find its minimum, from which the next `lambda_k` and `x_k` are taken. If all contacts are compliant, few steps
//! suffice from a cold start.

use crate::error::{Result, refill, resize};
use crate::solver::conic::laws::{Answer, answer, nearest};
use crate::solver::conic::program::{DOF, Law, Piece, Program, ROWS};
use crate::solver::monitor::Monitor;
use crate::solver::operator::blocks::Blocks;
use crate::solver::operator::cholesky::Cholesky;

/// The smallest `alpha`.
const FLOOR: f64 = 1e-5;
/// The largest `alpha`, except after failures.
const CEILING: f64 = 1e-3;
/// The round-off of a velocity, times a margin.
const NOISE: f64 = 1e-15;
/// The slope at which the line search ends, as a part of the slope at the start of the step [-].
const SLOPE: f64 = 0.5;
/// The accuracy of a certificate [-].
const CERTAIN: f64 = 1e-7;
/// The largest number of Newton steps of one minimum.
const INNER: u32 = 60;
/// The largest number of trials of a line search.
const HALVINGS: u32 = 40;
/// The part of the best error to which a minimum is solved [-].
const REDUCTION: f64 = 0.01;
/// The solve ends after this number of successive minima that do not lower the best error by a tenth.
const MAX_STALLED: u32 = 4;
/// The same with `rho`, which is multiplied by the second after each of them [-].
const MAX_STALLED_HELD: u32 = 8;
const WEAKER: f64 = 0.1;

/// The settings of the method.
#[derive(Debug, Clone, Copy)]
pub(in crate::solver) struct Begin {
    /// `rho`.
    pub(in crate::solver) rho: f64,
    /// The largest number of minima.
    pub(in crate::solver) rounds: u32,
    /// The largest number of Newton steps.
    pub(in crate::solver) steps: u32,
    /// The error at which it ends.
    pub(in crate::solver) enough: f64,
}

/// The number of steps, and the smallest error.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(in crate::solver) struct Polished {
    pub(in crate::solver) steps: u32,
    pub(in crate::solver) error: f64,
    /// Whether it is proven that no motion opens all cones.
    pub(in crate::solver) is_infeasible: bool,
}

/// The method and its workspace. `x` and `lambda` are the start and the result.
#[derive(Debug, Default)]
pub(in crate::solver) struct Multipliers {
    pub(in crate::solver) x: Vec<[f64; DOF]>,
    pub(in crate::solver) lambda: Vec<f64>,
    best_x: Vec<[f64; DOF]>,
    best_lambda: Vec<f64>,
    center: Vec<[f64; DOF]>,
    centers: Vec<f64>,
    /// The negative gradient. Below, the step, and the point from which it starts.
    rest: Vec<[f64; DOF]>,
    step: Vec<[f64; DOF]>,
    trial: Vec<[f64; DOF]>,
    pressed: Vec<f64>,
    blocks: Blocks<DOF>,
    cholesky: Cholesky<DOF>,
    pub(in crate::solver) monitor: Monitor,
}

impl Multipliers {
    /// Improves `x` and `lambda`.
    pub(in crate::solver) fn solve(&mut self, program: &Program, begin: &Begin) -> Result<Polished> {
        self.reserve_memory(program)?;
        if program.weight > 0.0 {
            self.balance(program);
        }
        let mut best = Polished { steps: 0, error: self.error(program), is_infeasible: false };
        self.keep();
        let (mut rounds, mut waited, mut used, mut ease, mut rho) = (0, 0, 0, 1.0, begin.rho);
        let max_stalled = if rho > 0.0 { MAX_STALLED_HELD } else { MAX_STALLED };
        while rounds < begin.rounds && used < begin.steps && best.error > begin.enough && waited < max_stalled {
            self.center.copy_from_slice(&self.x);
            self.centers.copy_from_slice(&self.lambda);
            // The error of impulses by round-off of velocities must stay below the present error.
            let alpha = ease * (NOISE / best.error).clamp(FLOOR, CEILING);
            let noise = NOISE / alpha;
            let goal = (REDUCTION * best.error).max(0.1 * begin.enough).max(noise);
            let (taken, reached) = self.minimise(program, [alpha, rho], goal, INNER.min(begin.steps - used))?;
            used += taken.max(1);
            rounds += 1;
            self.lambda.copy_from_slice(&self.pressed);
            if program.weight > 0.0 {
                self.balance(program);
            }
            let error = self.error(program);
            waited += 1;
            if error < best.error {
                if error < 0.9 * best.error {
                    waited = 0;
                }
                best.error = error;
                self.keep();
            }
            // Bodies that a small force moves far would move by the same distance in each round.
            rho *= if waited > 0 { WEAKER } else { 1.0 };
            ease = if reached { (0.1_f64 * ease).max(1.0) } else { 10.0 * ease };
        }
        best.is_infeasible = best.error > begin.enough && self.is_divergence_certificate(program);
        best.steps = used;
        // If no motion obeys all laws, the last iterate is nearest to one that does, although the error may not show
        // it.
        if !best.is_infeasible {
            self.x.copy_from_slice(&self.best_x);
            self.lambda.copy_from_slice(&self.best_lambda);
        }
        Ok(best)
    }

    /// Returns whether the last change of the impulses proves that no motion opens all cones. It does if it is balanced
    /// by itself, is within the cones, and does work on the bias.
    fn is_divergence_certificate(&mut self, program: &Program) -> bool {
        let Self { lambda, centers, rest, pressed, .. } = self;
        for ((pressed, lambda), center) in pressed.iter_mut().zip(lambda.iter()).zip(centers.iter()) {
            *pressed = lambda - center;
        }
        let largest = pressed.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
        rest.fill([0.0; DOF]);
        let (mut work, mut outside) = (0.0, 0.0_f64);
        for piece in &program.pieces {
            let mut rows = [0.0; ROWS];
            for (at, row) in piece.range().enumerate() {
                rows[at] = pressed[row] / largest;
                work += rows[at] * program.bias[row];
                outside = outside.max((program.compliance[row] * rows[at]).abs());
            }
            program.push(piece, &rows[..piece.rows], rest);
            let onto = nearest(&piece.law.far(), piece.rows, &rows);
            outside = rows.iter().zip(&onto).fold(outside, |largest, (row, onto)| largest.max((row - onto).abs()));
        }
        largest > 0.0 && norm(rest).max(outside) <= CERTAIN && work < -CERTAIN
    }

    fn reserve_memory(&mut self, program: &Program) -> Result<()> {
        let (bodies, size) = (program.bodies(), program.size());
        let Self { x, best_x, center, rest, step, trial, .. } = self;
        for vector in [best_x, center, rest, step, trial] {
            refill(vector, bodies, [0.0; DOF], "bodies of an island")?;
        }
        resize(x, bodies, [0.0; DOF], "bodies of an island")?;
        let Self { best_lambda, centers, pressed, .. } = self;
        for vector in [best_lambda, centers, pressed] {
            refill(vector, size, 0.0, "rows of an island")?;
        }
        Ok(())
    }

    fn keep(&mut self) {
        self.best_x.copy_from_slice(&self.x);
        self.best_lambda.copy_from_slice(&self.lambda);
    }

    /// Computes the motions from the impulses, if the program has masses.
    fn balance(&mut self, program: &Program) {
        self.x.copy_from_slice(&program.load);
        for piece in &program.pieces {
            program.push(piece, &self.lambda[piece.range()], &mut self.x);
        }
    }

    /// Returns the largest error of laws and balance.
    fn error(&mut self, program: &Program) -> f64 {
        error(program, (&self.x, &self.lambda), 1.0, &mut self.rest)
    }

    /// Computes the minimum for `lambda_k` by Newton steps. Returns their number, and whether the goal was reached.
    fn minimise(&mut self, program: &Program, terms: [f64; 2], goal: f64, steps: u32) -> Result<(u32, bool)> {
        self.compute_impulses(program, terms, false);
        for taken in 0..steps {
            if norm(&self.rest) <= goal {
                return Ok((taken, true));
            }
            self.blocks.begin(program.graph(), program.weight + terms[1])?;
            self.compute_impulses(program, terms, true);
            if !self.cholesky.factor(program.graph(), &self.blocks)? {
                return Ok((taken, false));
            }
            self.step.copy_from_slice(&self.rest);
            self.cholesky.solve(self.step.as_flattened_mut());
            self.trial.copy_from_slice(&self.x);
            if !self.search(program, terms) {
                return Ok((taken + 1, norm(&self.rest) <= goal));
            }
            self.monitor.iterated()?;
        }
        Ok((steps, norm(&self.rest) <= goal))
    }

    /// Searches along the step until the convex objective hardly decreases. The slope decides, since round-off affects
    /// it less than the value. Returns `false` if no such point was found.
    fn search(&mut self, program: &Program, terms: [f64; 2]) -> bool {
        let before = dot(&self.step, &self.rest);
        if before.is_nan() || before <= 0.0 {
            return false;
        }
        let (mut low, mut high) = ([0.0, before], [1.0, f64::NAN]);
        for _ in 0..HALVINGS {
            // The zero of the chord of both slopes, kept away from its ends.
            let chord = low[0] + (high[0] - low[0]) * (low[1] / (low[1] - high[1])).clamp(0.1, 0.9);
            let length = if high[1].is_nan() { high[0] } else { chord };
            for ((x, from), step) in self.x.iter_mut().zip(&self.trial).zip(&self.step) {
                *x = std::array::from_fn(|k| from[k] + length * step[k]);
            }
            self.compute_impulses(program, terms, false);
            let slope = dot(&self.step, &self.rest);
            if slope.abs() <= SLOPE * before || (length == 1.0 && slope > 0.0) {
                return true;
            }
            if slope > 0.0 {
                low = [length, slope];
            } else {
                high = [length, slope];
            }
        }
        false
    }

    /// Writes the impulses `lambda(x)` to `pressed`, and the negative gradient to `rest`. `with_tangent` adds the
    /// tangent to `blocks`.
    fn compute_impulses(&mut self, program: &Program, [alpha, rho]: [f64; 2], with_tangent: bool) {
        let Self { x, center, centers, pressed, rest, blocks, .. } = self;
        for (((rest, load), x), center) in rest.iter_mut().zip(&program.load).zip(x.iter()).zip(center.iter()) {
            *rest = std::array::from_fn(|k| load[k] - program.weight * x[k] - rho * (x[k] - center[k]));
        }
        for piece in &program.pieces {
            let answer = impulses_of_piece(program, piece, x, centers, alpha);
            for (at, row) in piece.range().enumerate() {
                pressed[row] = if piece.law == Law::Still { centers[row] } else { answer.lambda[at] };
            }
            program.push(piece, &pressed[piece.range()], rest);
            if with_tangent {
                program.stiffen(piece, &answer.slope, blocks);
            }
        }
    }
}

/// Returns the impulses of a piece.
fn impulses_of_piece(program: &Program, piece: &Piece, x: &[[f64; DOF]], centers: &[f64], alpha: f64) -> Answer {
    let w = program.along(piece, x);
    let alpha = alpha * piece.scale;
    let (mut a, mut f) = ([1.0; ROWS], [0.0; ROWS]);
    for (at, row) in piece.range().enumerate() {
        a[at] = alpha + program.compliance[row];
        f[at] = alpha * centers[row] - w[at] - program.bias[row];
    }
    answer(&piece.law, piece.rows, &a, &f)
}

/// Returns the largest error of laws and balance at `x` and `lambda`. A contact that is open by `w` and carries a force has
/// the smaller one of the force and `weight w` as its error.
pub(in crate::solver) fn error(
    program: &Program,
    (x, lambda): (&[[f64; DOF]], &[f64]),
    weight: f64,
    rest: &mut [[f64; DOF]],
) -> f64 {
    for ((rest, load), x) in rest.iter_mut().zip(&program.load).zip(x) {
        *rest = std::array::from_fn(|k| load[k] - program.weight * x[k]);
    }
    let mut largest = 0.0_f64;
    for piece in program.pieces.iter() {
        program.push(piece, &lambda[piece.range()], rest);
        if piece.law == Law::Still {
            continue;
        }
        let w = program.velocity(piece, x, lambda);
        let weight = if matches!(piece.law, Law::Contact(_)) { weight } else { 1.0 };
        let mut trial = [0.0; ROWS];
        for (at, row) in piece.range().enumerate() {
            trial[at] = lambda[row] - weight * w[at];
        }
        let onto = nearest(&piece.law, piece.rows, &trial);
        for (at, row) in piece.range().enumerate() {
            largest = largest.max((lambda[row] - onto[at]).abs());
        }
    }
    rest.iter().flatten().fold(largest, |largest, x| largest.max(x.abs()))
}

fn norm(x: &[[f64; DOF]]) -> f64 {
    x.iter().flatten().fold(0.0_f64, |largest, x| largest.max(x.abs()))
}

fn dot(x: &[[f64; DOF]], y: &[[f64; DOF]]) -> f64 {
    x.iter().flatten().zip(y.iter().flatten()).map(|(x, y)| x * y).sum()
}
