//! Problems that the remembered impulses solve already: these impulses are the result, to the last bit.
//!
//! A host that steps a settled scene passes the same problem again and again. Each sweep would add other round-off, and
//! bodies would creep by it.

use crate::error::Result;
use crate::solver::gauss_seidel::motion::Motion;
use crate::solver::problem::islands::Island;
use crate::solver::problem::options::{Options, Outcome, SolveTotals, StickProjection};
use crate::solver::problem::start::Start;
use crate::solver::problem::{Impulses, Problem};
use crate::solver::solve::Solver;
use crate::solver::stick::speed_of_rest;

impl Solver {
    /// Does the same as [`Solver::solve`], unless a projection follows and the remembered `impulses` already solve
    /// `problem`. Then they are the result. For that, every residual must be that of round-off, and no worse than `left`, the
    /// largest residual of the solve that left the impulses. In this case no sweep is made and no row is prepared, so no
    /// position pass can follow.
    pub fn solve_unless_at_rest(
        &mut self,
        problem: &Problem,
        options: &Options,
        impulses: &mut Impulses,
        left: f64,
    ) -> Result<Outcome> {
        if options.projection == StickProjection::Off || options.start != Start::History(1.0) {
            return self.solve(problem, options, impulses);
        }
        self.start_from_impulses(problem, impulses)?;
        if let Some(outcome) = self.at_rest(problem, impulses, left) {
            return Ok(outcome);
        }
        self.solve(problem, options, impulses)
    }

    /// Returns the outcome if the residuals of `impulses` are those of rest. Their velocities are known already.
    fn at_rest(&mut self, problem: &Problem, impulses: &Impulses, left: f64) -> Option<Outcome> {
        let limit = |motion: &Motion, island: &Island, load| speed_of_rest(problem, motion, island.bodies, load);
        let Self { islands, motion, .. } = &*self;
        // If an island is not at rest, mostly its first contact shows it.
        let may_rest = |island: Island| {
            let first = match (island.contacts, island.rows) {
                ([contact, ..], _) => motion.contact_residual(problem, *contact, impulses),
                ([], [row, ..]) => motion.row_residual(problem, *row, impulses),
                ([], []) => 0.0,
            };
            first <= left.max(limit(motion, &island, 0.0))
        };
        if !(0..islands.len()).all(|number| may_rest(islands.get(number))) {
            return None;
        }
        self.rows.is_measured = false;
        let done = SolveTotals { islands: self.islands.len() as u32, ..SolveTotals::default() };
        let outcome = self.measure_listed(problem, impulses, &done);
        let Self { islands, motion, residuals, row_residuals, .. } = &*self;
        let residuals = [&residuals[..], row_residuals];
        let rests = |island: Island| {
            // most of what rests is at rest without a look at what it carries
            within(island, residuals, limit(motion, &island, 0.0))
                || within(island, residuals, left)
                    && within(island, residuals, limit(motion, &island, load(problem, motion, island, impulses)))
        };
        (0..islands.len()).all(|number| rests(islands.get(number))).then_some(outcome)
    }
}

/// Whether the residuals of an island, those of contacts and of rows, are at most `limit`.
fn within(island: Island, [of_contacts, of_rows]: [&[f64]; 2], limit: f64) -> bool {
    let contacts = island.contacts.iter().map(|index| of_contacts[*index]);
    let rows = island.rows.iter().map(|index| of_rows[*index]);
    // written so that one that is no number is above everything
    contacts.chain(rows).all(|residual| residual <= limit)
}

/// The largest speed that an impulse of an island stops [m/s].
fn load(problem: &Problem, motion: &Motion, island: Island, impulses: &Impulses) -> f64 {
    let contacts = island.contacts.iter().map(|index| {
        let (contact, optional) = problem.full_contact(*index);
        let measure = contact.measure(problem.mass(contact.body_a), problem.mass(contact.body_b), optional);
        measure.scale * impulses.contacts[*index].normal
    });
    let rows = island.rows.iter().map(|index| {
        let measure = motion.row_measures[*index];
        (measure.scale * impulses.rows[*index] * measure.length).abs()
    });
    contacts.chain(rows).fold(0.0, f64::max)
}
