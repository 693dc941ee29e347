//! The conic program of an island: a convex problem if the associated law holds.
//!
//! | file | owns |
//! |---|---|
//! | `program` | the rows of an island in units of about 1 |
//! | `slots` | the cones that its laws are |
//! | `cone`, `gain` | the algebra of second order cones, and the inverses that a step needs |
//! | `interior`, `border` | interior points, from a cold start; a force whose factor is unknown |
//! | `laws` | projections on the laws, with derivatives |
//! | `multipliers` | a method of multipliers in the motions: from poor starts, or where no motion obeys all laws |
//! | `active`, `part` | Newton's method on the conditions of optimality: to round-off, also of Coulomb's law |

use crate::error::{Result, copy, refill};
use crate::solver::conic::active::{Active, StartPoint, StopCriteria};
use crate::solver::conic::interior::Interior;
use crate::solver::conic::multipliers::{Begin, Multipliers, Polished};
use crate::solver::conic::program::{Law, Program, Units};
use crate::solver::monitor::Monitor;
use crate::solver::operator::product::Product;
use crate::solver::operator::reduced::{Law as ReducedLaw, Reduced};
use crate::solver::problem::islands::Island;
use crate::solver::problem::options::Progress;
use crate::solver::problem::{Friction, Problem};

pub(in crate::solver) mod active;
pub(in crate::solver) mod border;
pub(in crate::solver) mod cone;
mod gain;
pub(in crate::solver) mod interior;
pub(in crate::solver) mod laws;
pub(in crate::solver) mod multipliers;
mod part;
pub(in crate::solver) mod program;
mod slots;

/// The interior point method ends at this error, in the units of the program.
const ENOUGH: f64 = 1e-13;
/// The limits of Newton's method on the conditions of optimality, which follows the interior point method.
const STOP: StopCriteria = StopCriteria { steps: 20, enough: 1e-16, dilation: 1.0 };
/// The method of multipliers follows if the error of that is larger than this, in the units of the program.
const SHARP: f64 = 1e-13;
/// The largest number of Newton steps of the method of multipliers.
const POLISHING: u32 = 60;
/// The same from a cold start.
const COLD: u32 = 100;
/// The smallest error at which the method of multipliers ends, in the units of the program.
const ROUND_OFF: f64 = 1e-14;
/// The part of the caller's tolerance at which that method ends, since the caller measures residuals in another way.
const MARGIN: f64 = 0.1;
/// If the residual is at most this, in the same units, no other method is tried.
const GOOD_RESIDUAL: f64 = 1e-12;
/// A contact is soft if its compliance is more than this part of the mobility of its bodies: `1 / (h^2 k / m)`.
const SOFT: f64 = 1e-3;

/// An island: its reduced form without the entries of its operator, and products with that operator.
pub(in crate::solver) struct ConicIsland<'a> {
    pub(in crate::solver) problem: &'a Problem<'a>,
    pub(in crate::solver) island: &'a Island<'a>,
    pub(in crate::solver) reduced: &'a Reduced,
    pub(in crate::solver) product: &'a mut dyn Product,
}

/// Returns whether the laws of a problem are those of a convex program.
pub(in crate::solver) fn is_convex(problem: &Problem, reduced: &Reduced) -> bool {
    let is_coupled = |law: &ReducedLaw| matches!(law, ReducedLaw::Bounded { of: Some(_), .. });
    problem.friction == Friction::Associated && !reduced.blocks.iter().any(|block| is_coupled(&block.law))
}

/// The solver and its workspace.
#[derive(Debug, Default)]
pub(in crate::solver) struct Conic {
    program: Program,
    interior: Interior,
    active: Active,
    multipliers: Multipliers,
    start: Vec<f64>,
    velocity: Vec<f64>,
    /// Whether no motion opens all cones of the island that was solved last.
    pub(in crate::solver) is_infeasible: bool,
    /// A residual that is good enough for any tolerance [m/s].
    good: f64,
}

impl Conic {
    /// Solves an island by interior points, and refines the result, to a residual of `tolerance` [m/s]. The result
    /// obeys all bounds, and its residual is not above that of the start `lambda`.
    pub(in crate::solver) fn solve(
        &mut self,
        given: &mut ConicIsland,
        lambda: &mut [f64],
        tolerance: f64,
    ) -> Result<Progress> {
        let (units, residual) = self.begin(given, lambda)?;
        if residual <= tolerance {
            return Ok(Progress { iterations: 0, residual });
        }
        self.program.take(lambda, &units, &mut self.interior.lambda)?;
        let end = self.interior.solve(&self.program, None, ENOUGH)?;
        self.interior.project(&self.program);
        copy(&mut self.multipliers.x, &self.interior.x, "bodies of an island")?;
        copy(&mut self.multipliers.lambda, &self.interior.lambda, "rows of an island")?;
        let mut steps = end.steps;
        let sharp = self.sharpen(&mut steps)?;
        if sharp > SHARP {
            steps += self.polish(&units, POLISHING, tolerance)?.steps;
            if !self.is_infeasible {
                self.sharpen(&mut steps)?;
            }
        }
        self.finish(given, lambda, (&units, residual), steps)
    }

    /// Improves the result by Newton steps on the conditions of optimality. Returns the error.
    fn sharpen(&mut self, steps: &mut u32) -> Result<f64> {
        let Self { active, program, multipliers: Multipliers { x, lambda, .. }, .. } = self;
        let found = active.solve(program, None, &mut StartPoint { x, lambda, factor: 0.0 }, &STOP)?;
        *steps += found.steps;
        Ok(found.error)
    }

    /// Improves the impulses of an island by Newton steps in the motions. Returns `None` unless all contacts are
    /// compliant.
    pub(in crate::solver) fn solve_soft(
        &mut self,
        given: &mut ConicIsland,
        lambda: &mut [f64],
        steps: u32,
        tolerance: f64,
    ) -> Result<Option<Progress>> {
        let (units, residual) = self.begin(given, lambda)?;
        if !self.is_soft() {
            return Ok(None);
        }
        if residual <= tolerance {
            return Ok(Some(Progress { iterations: 0, residual }));
        }
        self.program.take(lambda, &units, &mut self.multipliers.lambda)?;
        let polished = self.polish(&units, COLD.min(steps), tolerance)?;
        self.finish(given, lambda, (&units, residual), polished.steps).map(Some)
    }

    /// Sets the monitor that is called between the steps.
    pub(in crate::solver) fn set_monitor(&mut self, monitor: &Monitor) {
        self.interior.monitor.clone_from(monitor);
        self.active.monitor.clone_from(monitor);
        self.multipliers.monitor.clone_from(monitor);
    }

    /// Returns whether another method could lower this residual of the island that was solved last.
    pub(in crate::solver) fn can_be_improved(&self, residual: f64, tolerance: f64) -> bool {
        !self.is_infeasible && residual > tolerance.max(self.good)
    }

    /// Writes the program of an island, and projects the start to its bounds. Returns the units, and the residual of
    /// the start.
    fn begin(&mut self, given: &mut ConicIsland, lambda: &mut [f64]) -> Result<(Units, f64)> {
        self.is_infeasible = false;
        let units = units(given.reduced);
        self.good = GOOD_RESIDUAL * units.speed;
        self.program.number(given.problem, given.island)?;
        self.program.set(given.problem, given.island, given.reduced, &units)?;
        self.program.weight = 1.0;
        refill(&mut self.velocity, lambda.len(), 0.0, "rows of an island")?;
        let mut residual = f64::INFINITY;
        if lambda.iter().all(|value| value.is_finite()) {
            residual = measure(given, lambda, &mut self.velocity)?;
        }
        if !residual.is_finite() {
            lambda.fill(0.0);
            residual = measure(given, lambda, &mut self.velocity)?;
        }
        copy(&mut self.start, lambda, "rows of an island")?;
        Ok((units, residual))
    }

    fn is_soft(&self) -> bool {
        let Program { pieces, compliance, .. } = &self.program;
        pieces.iter().all(|piece| match piece.law {
            Law::Contact(cone) => {
                let threshold = SOFT * piece.scale;
                compliance[piece.first] >= threshold
                    && (cone.friction == 0.0 || compliance[piece.first + 1] >= threshold)
            }
            _ => true,
        })
    }

    fn polish(&mut self, units: &Units, steps: u32, tolerance: f64) -> Result<Polished> {
        let enough = ROUND_OFF.max(MARGIN * tolerance / units.speed);
        let polished = self.multipliers.solve(&self.program, &Begin { rho: 0.0, rounds: u32::MAX, steps, enough })?;
        self.is_infeasible = polished.is_infeasible;
        Ok(polished)
    }

    /// Writes the result to `lambda` if its residual is below that of the start. Otherwise it restores the start.
    fn finish(
        &mut self,
        given: &mut ConicIsland,
        lambda: &mut [f64],
        (units, before): (&Units, f64),
        iterations: u32,
    ) -> Result<Progress> {
        self.program.give(&self.multipliers.lambda, units, lambda);
        let residual = measure(given, lambda, &mut self.velocity)?;
        if residual < before {
            return Ok(Progress { iterations, residual });
        }
        lambda.copy_from_slice(&self.start);
        Ok(Progress { iterations, residual: before })
    }
}

/// Projects impulses to the bounds of the laws. Returns their residual [m/s].
fn measure(given: &mut ConicIsland, lambda: &mut [f64], velocity: &mut [f64]) -> Result<f64> {
    given.reduced.project(lambda);
    given.product.multiply(lambda, velocity)?;
    velocity.iter_mut().zip(&given.reduced.q).for_each(|(w, q)| *w += q);
    Ok(given.reduced.residual(lambda, velocity))
}

/// Returns the units of a step: the largest speed, and impulses such that the mean diagonal of the operator is 1.
fn units(reduced: &Reduced) -> Units {
    let (mut sum, mut count, mut speed) = (0.0, 0.0, 0.0_f64);
    for block in reduced.blocks.iter().filter(|block| block.scale > 0.0) {
        let is_turning = block.dimension() == 1;
        sum += if is_turning { block.scale * block.length * block.length } else { block.scale };
        count += 1.0;
        for (at, row) in block.rows().enumerate() {
            let length = if at >= 3 || is_turning { block.length } else { 1.0 };
            speed = speed.max(reduced.q[row].abs() * length);
        }
    }
    let mean = if sum > 0.0 { sum / count } else { 1.0 };
    let speed = if speed > 0.0 { speed } else { 1.0 };
    Units { speed, impulse: speed / mean }
}
