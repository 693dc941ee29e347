//! The correction of the impulses of the problem solved or measured last.

use crate::error::{Result, copy, resize};
use crate::solver::compatibility::options::{ContactColumns, CorrectionInput};
use crate::solver::compatibility::{Corrected, Displacement, Elastic, StiffContacts};
use crate::solver::problem::{Impulses, Problem};
use crate::solver::solve::Solver;

/// In units of the residual: what opens more slowly counts as closed, [K] with the error of the solve [-].
const RESIDUALS: f64 = 10.0;

/// In units of the largest speed before the contacts: what sums of velocities are known to [-].
const ROUND_OFF: f64 = 64.0 * f64::EPSILON;

impl Solver {
    /// Corrects the impulses of the contacts and rows of the problem solved or measured last, all of its velocities being those of
    /// these impulses.
    ///
    /// `displacements` are those of the bodies from the last correction, or none, and then those of this one.
    /// `compatible` receives the answer, without torques.
    pub fn correct(
        &mut self,
        problem: &Problem,
        StiffContacts { impulses, stiffness, openings }: StiffContacts,
        elastic: &Elastic,
        displacements: &mut Vec<Displacement>,
        compatible: &mut Impulses,
    ) -> Result<Corrected> {
        resize(displacements, problem.masses.len(), [0.0; 6], "bodies")?;
        copy(&mut compatible.contacts, &impulses.contacts, "contacts")?;
        copy(&mut compatible.rows, &impulses.rows, "rows")?;
        let residual = self.residual_of_contacts(problem);
        let closing = closing(problem, elastic, residual, openings);
        // given impulses have the resultants that they have
        let missing = if self.is_given { 0.0 } else { residual };
        let mut all = Corrected { closing, ..Corrected::default() };
        let Impulses { contacts: compatible, rows: compatible_rows, .. } = compatible;
        let (impulses, row_impulses) = (&impulses.contacts, &impulses.rows);
        let mut columns =
            ContactColumns { impulses, row_impulses, stiffness, compatible, compatible_rows, displacements };
        let compatibility = self.compatibility.get()?;
        compatibility.set_monitor(&self.monitor);
        compatibility.begin(problem)?;
        let input = CorrectionInput {
            problem,
            openings,
            motion: &self.motion,
            elastic,
            closing,
            is_given: self.is_given,
            missing,
        };
        for number in 0..self.islands.len() {
            compatibility.correct(&input, &self.islands.get(number), &mut columns, &mut all)?;
        }
        Ok(all)
    }

    /// The largest residual of the contacts [m/s].
    fn residual_of_contacts(&self, problem: &Problem) -> f64 {
        // where all contacts were measured in batches the largest residual is one of theirs, and the others are gone
        match self.residuals.as_slice() {
            [] if self.row_residuals.is_empty() || !self.rows.is_measured => self.largest,
            [] => (0..problem.contacts.len()).map(|contact| self.residual(contact)).fold(0.0, f64::max),
            all => all.iter().take(problem.contacts.len()).copied().fold(0.0, f64::max),
        }
    }
}

/// What opens more slowly than this counts as closed [m/s].
fn closing(problem: &Problem, elastic: &Elastic, residual: f64, openings: &[f64]) -> f64 {
    let of_bodies = problem.velocities.iter().map(|velocity| velocity.linear.amax());
    let fastest = of_bodies.chain(openings.iter().map(|opening| opening.abs())).fold(0.0, f64::max);
    RESIDUALS * elastic.closing.max(residual) + ROUND_OFF * fastest
}
