//! Newton's method in the motions: a method of multipliers, whose systems are symmetric and positive definite.
//!
//! With `A = alpha + E` and the impulses `lambda(x)` that minimise `1/2 lambda A lambda - (alpha lambda_k - B x - c) lambda` within the laws,
//!
//! ```text
//! 1/2 q |x|^2 - g x + 1/2 rho |x - x_k|^2 + 1/2 lambda(x) A lambda(x)
//! ```
//!
//! is convex and smooth, with the gradient `q x - g + rho (x - x_k) - B^T lambda(x)`. Newton steps with a line search
//! find its minimum; then `lambda_k` and `x_k` move there. Where all contacts are compliant, few steps suffice from a
//! cold start.

use crate::error::{Result, refill, resize};
use crate::solver::conic::laws::{Answer, answer, nearest};
use crate::solver::conic::program::{DOF, Law, Piece, Program, ROWS};
use crate::solver::monitor::Monitor;
use crate::solver::operator::blocks::Blocks;
use crate::solver::operator::cholesky::Cholesky;

/// The least `alpha`, and the largest but after failures.
const FLOOR: f64 = 1e-5;
const CEILING: f64 = 1e-3;
/// What round-off leaves of a velocity, times a margin.
const NOISE: f64 = 1e-15;
/// Of the slope at the start of a step that at its end [-].
const SLOPE: f64 = 0.5;
/// To which a certificate is exact [-].
const CERTAIN: f64 = 1e-7;
/// Newton steps of one minimum.
const INNER: u32 = 60;
/// Halvings of a step.
const HALVINGS: u32 = 40;
/// The part of the error of the start that a minimum leaves.
const REDUCTION: f64 = 0.01;
/// Minima in a row that do not lower the best error by a tenth end the solve.
const MAX_STALLED: u32 = 4;

/// How the method begins.
#[derive(Debug, Clone, Copy)]
pub(in crate::solver) struct Begin {
    /// `rho`.
    pub(in crate::solver) rho: f64,
    /// Most minima.
    pub(in crate::solver) rounds: u32,
    /// Most Newton steps.
    pub(in crate::solver) steps: u32,
    /// The error at which it ends.
    pub(in crate::solver) enough: f64,
}

/// The steps taken, and the least error found.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(in crate::solver) struct Polished {
    pub(in crate::solver) steps: u32,
    pub(in crate::solver) error: f64,
    /// Whether it is proven that no motion opens all cones.
    pub(in crate::solver) is_infeasible: bool,
}

/// The method and its workspace; `x` and `lambda` are start and answer.
#[derive(Debug, Default)]
pub(in crate::solver) struct Multipliers {
    pub(in crate::solver) x: Vec<[f64; DOF]>,
    pub(in crate::solver) lambda: Vec<f64>,
    best_x: Vec<[f64; DOF]>,
    best_lambda: Vec<f64>,
    center: Vec<[f64; DOF]>,
    centers: Vec<f64>,
    /// The minus gradient, the step, and a trial.
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
        let (mut rounds, mut waited, mut used, mut ease) = (0, 0, 0, 1.0);
        while rounds < begin.rounds && used < begin.steps && best.error > begin.enough && waited < MAX_STALLED {
            self.center.copy_from_slice(&self.x);
            self.centers.copy_from_slice(&self.lambda);
            // What round-off of velocities makes of impulses is to stay below the error.
            let alpha = ease * (NOISE / best.error).clamp(FLOOR, CEILING);
            let noise = NOISE / alpha;
            let goal = (REDUCTION * best.error).max(0.1 * begin.enough).max(noise);
            let (taken, reached) = self.minimise(program, [alpha, begin.rho], goal, INNER.min(begin.steps - used))?;
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
            ease = if reached { (0.1_f64 * ease).max(1.0) } else { 10.0 * ease };
        }
        best.is_infeasible = best.error > begin.enough && self.is_divergence_certificate(program);
        best.steps = used;
        // Where no motion obeys all laws the last is nearest to it, though the laws may not show that.
        if !best.is_infeasible {
            self.x.copy_from_slice(&self.best_x);
            self.lambda.copy_from_slice(&self.best_lambda);
        }
        Ok(best)
    }

    /// Whether the last change of the impulses proves that no motion opens all cones: it is balanced by itself, is within the cones, and
    /// does work on the bias.
    fn is_divergence_certificate(&mut self, program: &Program) -> bool {
        let Self { lambda, centers, rest, pressed, .. } = self;
        for ((pressed, lambda), center) in pressed.iter_mut().zip(lambda.iter()).zip(centers.iter()) {
            *pressed = lambda - center;
        }
        let largest = pressed.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
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
            outside = rows.iter().zip(&onto).fold(outside, |most, (row, onto)| most.max((row - onto).abs()));
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

    /// The motions that the impulses give, where masses resist.
    fn balance(&mut self, program: &Program) {
        self.x.copy_from_slice(&program.load);
        for piece in &program.pieces {
            program.push(piece, &self.lambda[piece.range()], &mut self.x);
        }
    }

    /// The largest error of laws and balance.
    fn error(&mut self, program: &Program) -> f64 {
        error(program, &self.x, &self.lambda, &mut self.rest)
    }

    /// Newton steps to the minimum for `lambda_k`. How many, and whether they arrived.
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

    /// Line search: follows the step until the convex objective hardly decreases. Its slope decides, as round-off spoils that later than the
    /// value. `false`: the objective does not decrease at all.
    fn search(&mut self, program: &Program, terms: [f64; 2]) -> bool {
        let before = dot(&self.step, &self.rest);
        if before.is_nan() || before <= 0.0 {
            return false;
        }
        let (mut low, mut high) = ([0.0, before], [1.0, f64::NAN]);
        for _ in 0..HALVINGS {
            // The chord of both slopes, kept off its ends.
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

    /// The impulses `lambda(x)` into `pressed`, and minus the gradient into `rest`. With the tangent added to `blocks`.
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

/// The impulses of a piece.
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

/// The largest error of laws and balance at `x` and `lambda`.
pub(in crate::solver) fn error(program: &Program, x: &[[f64; DOF]], lambda: &[f64], rest: &mut [[f64; DOF]]) -> f64 {
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
        let mut trial = [0.0; ROWS];
        for (at, row) in piece.range().enumerate() {
            trial[at] = lambda[row] - w[at];
        }
        let onto = nearest(&piece.law, piece.rows, &trial);
        for (at, row) in piece.range().enumerate() {
            largest = largest.max((lambda[row] - onto[at]).abs());
        }
    }
    rest.iter().flatten().fold(largest, |most, x| most.max(x.abs()))
}

fn norm(x: &[[f64; DOF]]) -> f64 {
    x.iter().flatten().fold(0.0_f64, |most, x| most.max(x.abs()))
}

fn dot(x: &[[f64; DOF]], y: &[[f64; DOF]]) -> f64 {
    x.iter().flatten().zip(y.iter().flatten()).map(|(x, y)| x * y).sum()
}
