//! A problem given only by its Delassus operator.

use crate::error::{Result, refill};
use crate::solver::gauss_seidel::sweeps::{Sweeps, sweep_until};
use crate::solver::operator::explicit::{Explicit, Sweeping};
use crate::solver::operator::global_methods::takes;
use crate::solver::operator::reduced::Reduced;
use crate::solver::problem::options::{Method, Options, Outcome, Place, SolveTotals};
use crate::solver::solve::Solver;

impl Solver {
    /// Solves a problem without bodies, as one island. `lambda` holds the impulses to start from, whatever
    /// `options.start` says, and then the answer.
    pub fn solve_local(&mut self, problem: &Reduced, options: &Options, lambda: &mut [f64]) -> Result<Outcome> {
        let Options { method, tolerance, .. } = *options;
        let mut done = SolveTotals { islands: 1, ..SolveTotals::default() };
        let mut solved = None;
        if takes(method, problem.blocks.len()) {
            let steps = options.iterations_of(method);
            let global_methods = self.global_methods.get()?;
            global_methods.set_monitor(&self.monitor);
            solved = global_methods.solve(problem, method, steps, tolerance, lambda)?;
        }
        done.iterations = if let Some(progress) = solved {
            progress.iterations
        } else {
            let sweeping = Sweeping { order: options.order, relaxation: options.relaxation };
            let mut swept = Explicit::new(problem, &mut self.explicit, sweeping, lambda)?;
            let sweeps = options.iterations_of(Method::Accelerated);
            let progress = if method == Method::Pgs {
                sweep_until(&mut swept, sweeps, tolerance, &mut self.kept, &self.monitor)?
            } else {
                done.fallbacks = u32::from(method != Method::Accelerated);
                self.anderson.solve(&mut swept, sweeps, tolerance)?
            };
            swept.read(lambda);
            progress.iterations
        };
        self.local_residuals(problem, lambda)?;
        Ok(self.outcome(&done, Place::Contact))
    }

    /// The residuals of the blocks, at impulses brought to their bounds: a truncated sweep may leave a row beyond the
    /// bound that another row has set since.
    fn local_residuals(&mut self, problem: &Reduced, lambda: &mut [f64]) -> Result<()> {
        problem.project(lambda);
        refill(&mut self.kept, problem.size(), 0.0, "rows of the contact problem")?;
        problem.velocity(lambda, &mut self.kept);
        self.measured = problem.blocks.len();
        refill(&mut self.residuals, problem.blocks.len(), 0.0, "blocks of the contact problem")?;
        for (residual, block) in self.residuals.iter_mut().zip(&problem.blocks) {
            *residual = problem.block_residual(block, lambda, &self.kept);
        }
        Ok(())
    }
}
