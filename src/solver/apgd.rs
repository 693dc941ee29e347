//! Accelerated projected gradient (Nesterov, with adaptive restart) on the reduced problem.
//!
//! With fixed shifts `mu |w_t| + ...` on the normal rows the problem is a convex programme,
//! `min 1/2 lambda W lambda + (q + shift) lambda` over the cones. Accelerated gradients are made for such programmes.
//! An outer fixed point makes the shifts, and the bounds of coupled rows, those of Coulomb's law. They are renewed with
//! every step: solving each programme further took more steps on every problem tried. The method needs nothing but
//! products with `W`, and works where no factorisation fits. [K] section 8. The associated law has no shifts: there is
//! one programme.
//!
//! The method does not depend on bodies or on the time step. It never returns impulses worse than its start.

use crate::error::{Result, refill};
use crate::solver::monitor::Monitor;
use crate::solver::operator::product::Product;
use crate::solver::operator::reduced::{Law, Reduced, parts};
use crate::solver::problem::options::Progress;

/// Steps between two computations of the residual, each of which costs as much as a step.
const CHECK_INTERVAL: u32 = 5;
/// So many steps without a gain of a tenth end the solve.
const MAX_STALLED: u32 = 1000;
/// The curvature may have been estimated too high: it is lowered by this factor with every step.
const RELAXATION: f64 = 0.98;
/// The mean diagonal is 1 in the metric, so the largest curvature is above it; without a bound below the steps would grow
/// without end along directions that nothing bends.
const MIN_CURVATURE: f64 = 0.5;
/// Residuals below this multiple of [`Reduced::round_off`] cannot be lowered.
const ROUND_OFF: f64 = 1.5;

/// The solver and its workspace, which later solves use again.
#[derive(Debug, Default)]
pub struct Apgd {
    /// The diagonal preconditioner by rows: one factor for what a cone binds together, torques as forces at a distance.
    metric: Vec<f64>,
    /// `q` with the shifts.
    shifted: Vec<f64>,
    /// The impulses by whose magnitudes coupled rows are bounded.
    factors: Vec<f64>,
    now: Point,
    next: Point,
    ahead: Point,
    candidate: Vec<f64>,
    velocity: Vec<f64>,
    /// An upper estimate of the largest curvature in the metric.
    curvature: f64,
    /// Nesterov's sequence.
    theta: f64,
    pub(in crate::solver) monitor: Monitor,
}

/// Impulses, and `W` times them.
#[derive(Debug, Default)]
struct Point {
    lambda: Vec<f64>,
    product: Vec<f64>,
}

impl Apgd {
    /// Improves the impulses `lambda` until the residual is at most `tolerance` [m/s], or at round-off, or falls no more,
    /// or after `steps` gradient steps.
    ///
    /// What is returned obeys the bounds of all laws, and its residual is not above that of the start brought to them.
    /// A start whose residual is no finite number counts as zero.
    ///
    /// The entries of the operator are not read: `operator` multiplies by it.
    pub fn solve(
        &mut self,
        problem: &Reduced,
        operator: &mut impl Product,
        lambda: &mut [f64],
        steps: u32,
        tolerance: f64,
    ) -> Result<Progress> {
        let mut best = self.begin(problem, operator, lambda)?;
        let (mut used, mut milestone, mut waited) = (0, best, 0);
        while used < steps && best > tolerance && waited < MAX_STALLED {
            operator.magnitudes(lambda, &mut self.velocity)?;
            if best <= ROUND_OFF * problem.round_off_of(&self.velocity) {
                break;
            }
            let taken = CHECK_INTERVAL.min(steps - used);
            for _ in 0..taken {
                self.renew_shifts(problem);
                self.advance(problem, operator)?;
                self.monitor.iterated()?;
            }
            used += taken;
            waited += taken;
            // Coupled rows were kept within bounds that have moved since.
            self.candidate.copy_from_slice(&self.now.lambda);
            let residual = problem.measure_by(operator, &mut self.candidate, &mut self.velocity)?;
            if residual < best {
                best = residual;
                lambda.copy_from_slice(&self.candidate);
            }
            if best < 0.9 * milestone {
                (milestone, waited) = (best, 0);
            }
        }
        Ok(Progress { iterations: used, residual: best })
    }

    /// Takes the problem over, brings the start to its bounds, and returns its residual.
    fn begin(&mut self, problem: &Reduced, operator: &mut impl Product, lambda: &mut [f64]) -> Result<f64> {
        let size = problem.size();
        let Self { metric, shifted, factors, now, next, ahead, candidate, velocity, .. } = self;
        let points = [now, next, ahead].into_iter().flat_map(|point| [&mut point.lambda, &mut point.product]);
        for vector in points.chain([metric, shifted, factors, candidate, velocity]) {
            refill(vector, size, 0.0, "rows of the workspace of the projected gradient")?;
        }
        for block in problem.blocks.iter().filter(|block| block.scale > 0.0) {
            for (at, row) in block.rows().enumerate() {
                let length = if at < 3 { 1.0 } else { block.length };
                self.metric[row] = length * length / block.scale;
            }
        }
        let residual = problem.start_by_products(operator, lambda, &mut self.velocity)?;
        self.now.lambda.copy_from_slice(lambda);
        self.now.multiply(operator)?;
        self.ahead.lambda.copy_from_slice(lambda);
        self.ahead.product.copy_from_slice(&self.now.product);
        (self.curvature, self.theta) = (1.0, 1.0);
        Ok(residual)
    }

    /// Sets the shifts and bounds to those of the impulses at hand.
    fn renew_shifts(&mut self, problem: &Reduced) {
        let Self { now, shifted, factors, .. } = self;
        factors.copy_from_slice(&now.lambda);
        shifted.copy_from_slice(&problem.q);
        for block in &problem.blocks {
            if let Law::Contact { cone, dimension } = block.law {
                let mut w = [0.0; 6];
                for (w, row) in w.iter_mut().zip(block.rows()) {
                    *w = now.product[row] + problem.q[row];
                }
                shifted[block.first] += cone.shift(&parts(&w[..dimension]));
            }
        }
    }

    /// One accelerated step.
    fn advance(&mut self, problem: &Reduced, operator: &mut impl Product) -> Result<()> {
        loop {
            self.project_step(problem);
            self.next.multiply(operator)?;
            let (mut bend, mut length) = (0.0, 0.0);
            for (row, metric) in self.metric.iter().enumerate().filter(|(_, metric)| **metric > 0.0) {
                let change = self.next.lambda[row] - self.ahead.lambda[row];
                bend += change * (self.next.product[row] - self.ahead.product[row]);
                length += change * change / metric;
            }
            // A step too long for the curvature is taken again; at round-off the quotient means nothing.
            if bend <= self.curvature * length * (1.0 + 1e-6) || !bend.is_finite() || self.curvature > 1e12 {
                break;
            }
            self.curvature = (2.0 * self.curvature).max(1.05 * bend / length).min(1e13);
        }
        self.accelerate();
        self.curvature = (RELAXATION * self.curvature).max(MIN_CURVATURE);
        Ok(())
    }

    /// The projected gradient step from `ahead` to `next`.
    fn project_step(&mut self, problem: &Reduced) {
        let Self { ahead, next, shifted, metric, factors, curvature, .. } = self;
        for row in 0..metric.len() {
            let gradient = ahead.product[row] + shifted[row];
            next.lambda[row] = ahead.lambda[row] - metric[row] / *curvature * gradient;
        }
        for block in &problem.blocks {
            problem.project_block(block, Some(factors), &mut next.lambda);
        }
    }

    /// Moves on to `next`, and looks ahead along the way that was gone, unless it leads uphill.
    fn accelerate(&mut self) {
        let Self { now, next, ahead, metric, theta, .. } = self;
        let uphill: f64 = (0..metric.len())
            .filter(|row| metric[*row] > 0.0)
            .map(|row| (ahead.lambda[row] - next.lambda[row]) * (next.lambda[row] - now.lambda[row]) / metric[row])
            .sum();
        let following = 0.5 * (1.0 + (1.0 + 4.0 * *theta * *theta).sqrt());
        let beta = if uphill > 0.0 { 0.0 } else { (*theta - 1.0) / following };
        *theta = if uphill > 0.0 { 1.0 } else { following };
        for row in 0..metric.len() {
            ahead.lambda[row] = next.lambda[row] + beta * (next.lambda[row] - now.lambda[row]);
            ahead.product[row] = next.product[row] + beta * (next.product[row] - now.product[row]);
        }
        std::mem::swap(now, next);
    }
}

impl Point {
    fn multiply(&mut self, operator: &mut impl Product) -> Result<()> {
        operator.multiply(&self.lambda, &mut self.product)
    }
}
