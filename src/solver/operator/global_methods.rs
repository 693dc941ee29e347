//! Methods that need the whole Delassus operator, and the translation of an island of bodies to them and back.

use crate::error::Result;
use crate::solver::apgd::Apgd;
use crate::solver::conic::{Conic, ConicIsland, is_convex};
use crate::solver::gauss_seidel::bodies::BodyIsland;
use crate::solver::monitor::Monitor;
use crate::solver::newton::Newton;
use crate::solver::operator::assembly::{Assembly, gather, scatter};
use crate::solver::operator::fill::{Fill, MAX_ENTRIES};
use crate::solver::operator::product::Entries;
use crate::solver::operator::reduced::Reduced;
use crate::solver::problem::options::{Method, Progress};

/// The methods and their workspace.
#[derive(Debug, Default)]
pub(in crate::solver) struct GlobalMethods {
    assembly: Assembly,
    reduced: Reduced,
    lambda: Vec<f64>,
    newton: Newton,
    apgd: Apgd,
    conic: Conic,
    fill: Fill,
}

/// A method, its most iterations, and the residual at which it ends [m/s].
#[derive(Debug, Clone, Copy)]
struct Effort {
    method: Method,
    iterations: u32,
    tolerance: f64,
}

/// Returns whether `method` is one of these, and solves an island of so many blocks.
pub(in crate::solver) fn takes(method: Method, blocks: usize) -> bool {
    match method {
        Method::Newton { limit } => blocks <= limit as usize,
        Method::Apgd | Method::Conic => true,
        Method::Pgs | Method::Accelerated => false,
    }
}

impl GlobalMethods {
    /// Whether the island solved last has no motion that obeys all laws, as far as the method noticed.
    pub(in crate::solver) fn is_infeasible(&self) -> bool {
        self.conic.is_infeasible
    }

    /// Sets what is called between the steps of all methods.
    pub(in crate::solver) fn set_monitor(&mut self, monitor: &Monitor) {
        self.newton.monitor.clone_from(monitor);
        self.apgd.monitor.clone_from(monitor);
        self.conic.set_monitor(monitor);
    }

    /// Solves an island of bodies from its present impulses. Returns nothing, and leaves the island as it is, if its factor would cost too
    /// much, or if its laws are not those of the method.
    pub(in crate::solver) fn solve_bodies(
        &mut self,
        island: &mut BodyIsland,
        method: Method,
        iterations: u32,
        tolerance: f64,
    ) -> Result<Option<Progress>> {
        let effort = Effort { method, iterations, tolerance };
        let mut reduced = std::mem::take(&mut self.reduced);
        let mut lambda = std::mem::take(&mut self.lambda);
        let progress = self
            .assembly
            .prepare(island.problem, &island.island, &mut reduced)
            .and_then(|()| gather(island.problem, &island.island, &reduced, island.impulses, &mut lambda))
            .and_then(|()| self.solve_gathered(island, (&mut reduced, &mut lambda), &effort));
        if matches!(progress, Ok(Some(_))) {
            scatter(island.problem, &island.island, &reduced, &lambda, island.impulses);
            island.start();
        }
        (self.reduced, self.lambda) = (reduced, lambda);
        progress
    }

    /// Solves the island that was gathered, as a convex program where it is one and the method works on those.
    fn solve_gathered(
        &mut self,
        island: &BodyIsland,
        (reduced, lambda): (&mut Reduced, &mut [f64]),
        effort: &Effort,
    ) -> Result<Option<Progress>> {
        let Effort { method, iterations, tolerance } = *effort;
        self.conic.is_infeasible = false;
        let is_convex = is_convex(island.problem, reduced);
        if method == Method::Conic && !is_convex {
            return Ok(None);
        }
        if method == Method::Apgd || !is_convex {
            return self.solve_prepared(reduced, effort, lambda);
        }
        let (problem, part) = (island.problem, &island.island);
        let mut given = ConicIsland { problem, island: part, reduced, product: &mut self.assembly };
        let first = match method {
            Method::Conic => Some(self.conic.solve(&mut given, lambda, tolerance)?),
            _ => self.conic.solve_soft(&mut given, lambda, iterations, tolerance)?,
        };
        if let Some(first) = first
            && !self.conic.can_be_improved(first.residual, tolerance)
        {
            return Ok(Some(first));
        }
        let used = first.map_or(0, |first| first.iterations);
        let rest = Effort { iterations: iterations.saturating_sub(used), ..*effort };
        let more = self.solve_prepared(reduced, &rest, lambda)?;
        let add = |more: Progress| Progress { iterations: used + more.iterations, ..more };
        Ok(more.map(add).or(if method == Method::Conic { first } else { None }))
    }

    /// Solves the island that was prepared. Projected gradients need no entries of its operator.
    fn solve_prepared(
        &mut self,
        reduced: &mut Reduced,
        effort: &Effort,
        lambda: &mut [f64],
    ) -> Result<Option<Progress>> {
        let Effort { method, iterations, tolerance } = *effort;
        if method == Method::Apgd {
            return self.apgd.solve(reduced, &mut self.assembly, lambda, iterations, tolerance).map(Some);
        }
        if self.assembly.entries() > MAX_ENTRIES {
            return Ok(None);
        }
        self.assembly.fill(&mut reduced.matrix)?;
        self.solve(reduced, method, iterations, tolerance, lambda)
    }

    /// Solves a problem from `lambda`, by Newton's method or by projected gradients. Returns nothing if its factor would cost too much.
    pub(in crate::solver) fn solve(
        &mut self,
        problem: &Reduced,
        method: Method,
        iterations: u32,
        tolerance: f64,
        lambda: &mut [f64],
    ) -> Result<Option<Progress>> {
        if method == Method::Apgd {
            return self.apgd.solve(problem, &mut Entries(&problem.matrix), lambda, iterations, tolerance).map(Some);
        }
        if problem.matrix.values.len() > MAX_ENTRIES {
            return Ok(None);
        }
        let Some(steps) = self.fill.steps(problem, iterations)? else { return Ok(None) };
        self.newton.solve(problem, lambda, steps, tolerance).map(Some)
    }
}
