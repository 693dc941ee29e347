//! Methods that need the whole Delassus operator, and the translation of an island of bodies to them and back.

use crate::error::Result;
use crate::solver::apgd::Apgd;
use crate::solver::gauss_seidel::bodies::BodyIsland;
use crate::solver::newton::Newton;
use crate::solver::operator::assembly::{Assembly, gather, scatter};
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
}

/// Returns whether `method` solves an island of so many blocks with the whole operator.
pub(in crate::solver) fn takes(method: Method, blocks: usize) -> bool {
    match method {
        Method::Newton { limit } => blocks <= limit as usize,
        Method::Apgd => true,
        Method::Pgs | Method::Accelerated => false,
    }
}

impl GlobalMethods {
    /// Solves an island of bodies from its present impulses.
    pub(in crate::solver) fn solve_bodies(
        &mut self,
        island: &mut BodyIsland,
        method: Method,
        iterations: u32,
        tolerance: f64,
    ) -> Result<Progress> {
        let mut reduced = std::mem::take(&mut self.reduced);
        let mut lambda = std::mem::take(&mut self.lambda);
        let progress = self
            .assembly
            .reduce(island.problem, &island.island, &mut reduced)
            .and_then(|()| gather(island.problem, &island.island, &reduced, island.impulses, &mut lambda))
            .and_then(|()| self.solve(&reduced, method, iterations, tolerance, &mut lambda));
        if progress.is_ok() {
            scatter(island.problem, &island.island, &reduced, &lambda, island.impulses);
            island.start();
        }
        (self.reduced, self.lambda) = (reduced, lambda);
        progress
    }

    /// Solves a problem from `lambda`, by Newton's method or by projected gradients.
    pub(in crate::solver) fn solve(
        &mut self,
        problem: &Reduced,
        method: Method,
        iterations: u32,
        tolerance: f64,
        lambda: &mut [f64],
    ) -> Result<Progress> {
        match method {
            Method::Apgd => self.apgd.solve(problem, lambda, iterations, tolerance),
            _ => self.newton.solve(problem, lambda, iterations, tolerance),
        }
    }
}
