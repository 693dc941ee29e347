//! The solver for hosts that bring their own contacts.

use std::time::Instant;

use crate::error::{Error, Kind, Result, all_finite, reserve};
use crate::math::{ContactId, Vec3, are_finite};
use crate::solver::compatibility::{Displacement, StiffContacts};
use crate::solver::operator::reduced::Reduced;
use crate::solver::{Friction, Impulse, Impulses, Outcome, Place, Solver, Velocity};
use crate::world::external::keys::Keys;
use crate::world::external::problem::ContactProblem;
use crate::world::external::solution::{ContactSolution, SolvedContact};
use crate::world::external::warm_start::StoredImpulses;
use crate::world::report::{NOT_CONVERGED, Report, StepFailure};
use crate::world::settings::{Settings, WarmStart};

/// A contact solver without a world. It keeps impulses by key, for warm start, and its scratch buffers from call to call.
#[derive(Debug, Default)]
pub struct ContactSolver {
    pub(super) solver: Solver,
    problem: ContactProblem,
    keys: Keys,
    stored: StoredImpulses,
    impulses: Impulses,
    correction: Correction,
    /// For each contact solved last, whether the call before had no contact with its key.
    fresh: Vec<bool>,
    /// The largest residual of the last call that succeeded [m/s].
    last_residual: f64,
    /// The tolerance of the last problem [m/s].
    tolerance: f64,
    /// A problem without bodies, its result, and the order of its blocks.
    pub(super) local: Reduced,
    pub(super) lambda: Vec<f64>,
    pub(super) sorted: Vec<u32>,
}

/// The correction of the problem solved last.
#[derive(Debug, Default)]
struct Correction {
    /// The displacements of the last call that succeeded, from which the next correction starts.
    last: Vec<Displacement>,
    /// The displacements of this call.
    displacements: Vec<Displacement>,
    /// The corrected impulses; without a correction those of the solver.
    compatible: Vec<Impulse>,
    /// The impulses that the host gave to be corrected.
    given: Vec<[f64; 3]>,
}

impl ContactSolver {
    /// Returns the problem, for the host to fill.
    pub fn problem(&mut self) -> &mut ContactProblem {
        &mut self.problem
    }

    /// Solves the problem that [`ContactSolver::problem`] returns.
    ///
    /// # Errors
    ///
    /// The problem or the settings are invalid, memory is exhausted, the result is not finite, or the tolerance is required and was
    /// missed. The stored impulses remain as they were. In the last case the result can be read.
    pub fn solve(&mut self, settings: &Settings) -> std::result::Result<Report, StepFailure> {
        settings.check()?;
        let begin = Instant::now();
        self.problem.check()?;
        self.keys.take(&self.problem)?;
        let mut report = Report::default();
        self.stored.look_up(&self.problem, &mut self.impulses, &mut self.fresh)?;
        report.seconds_assemble = begin.elapsed().as_secs_f64();

        let problem = self.problem.view(settings.friction());
        let options = settings.options();
        let outcome = self.solver.solve_unless_at_rest(&problem, &options, &mut self.impulses, self.last_residual)?;
        self.tolerance = settings.tolerance;
        self.describe(&outcome, &mut report);
        let solved = begin.elapsed().as_secs_f64();
        report.seconds_solve = solved - report.seconds_assemble - report.seconds_project;
        self.correct(settings, &mut report)?;
        report.seconds_total = begin.elapsed().as_secs_f64();
        report.seconds_compatibility = report.seconds_total - solved;

        self.check_finite()?;
        check_converged(settings, &mut report)?;
        let compatible = settings.warm_start == WarmStart::Compatible;
        let forces = if compatible { &self.correction.compatible } else { &self.impulses.contacts };
        self.last_residual = outcome.residual_max;
        self.stored.store(&self.keys, forces, &self.impulses, self.problem.step);
        std::mem::swap(&mut self.correction.last, &mut self.correction.displacements);
        Ok(report)
    }

    /// Corrects the impulses of the problem solved last, if the settings ask for it.
    fn correct(&mut self, settings: &Settings, report: &mut Report) -> Result<()> {
        let Correction { last, displacements, compatible, .. } = &mut self.correction;
        displacements.clear();
        reserve(displacements, last.len(), "bodies")?;
        displacements.extend_from_slice(last);
        let Some(elastic) = settings.elastic() else {
            compatible.clear();
            reserve(compatible, self.impulses.contacts.len(), "contacts")?;
            compatible.extend_from_slice(&self.impulses.contacts);
            return Ok(());
        };
        let problem = self.problem.view(settings.friction());
        let given = StiffContacts { impulses: &self.impulses, stiffness: &self.problem.stiffness };
        let corrected = self.solver.correct(&problem, given, &elastic, displacements, compatible)?;
        // The two are swapped if the call succeeds.
        reserve(last, displacements.len().saturating_sub(last.len()), "bodies")?;
        report.record_correction(&corrected);
        Ok(())
    }

    /// Corrects given impulses of the contacts of [`ContactSolver::problem`], without its rows. [`ContactSolver::corrected`] returns the
    /// result. The stored impulses remain as they were.
    ///
    /// # Errors
    ///
    /// The problem, the settings or the impulses are invalid, memory is exhausted, or the result is not finite.
    pub fn correct_given(&mut self, settings: &Settings, impulses: &[[f64; 3]]) -> Result<Report> {
        settings.check()?;
        if settings.elastic().is_none() {
            return Err(Error::argument("compatibility is Off, expected the law by which to correct"));
        }
        let begin = Instant::now();
        self.problem.check()?;
        all_finite("impulses", impulses.as_flattened())?;
        self.problem.rows.clear();
        self.impulses.rows.clear();
        self.impulses.contacts.clear();
        self.impulses.torques.clear();
        reserve(&mut self.impulses.contacts, impulses.len(), "contacts")?;
        self.correction.given.clear();
        reserve(&mut self.correction.given, impulses.len(), "contacts")?;
        self.correction.given.extend_from_slice(impulses);
        for (contact, given) in self.problem.contacts.iter().zip(impulses) {
            let (normal, tangential) = contact.split(&Vec3::from(*given));
            self.impulses.contacts.push(Impulse::force(contact.normal.dot(&normal), tangential));
        }
        self.fresh.clear();
        let mut report = Report::default();
        let outcome = self.solver.take(&self.problem.view(settings.friction()), &self.impulses)?;
        self.check_finite()?;
        self.describe(&outcome, &mut report);
        report.seconds_assemble = begin.elapsed().as_secs_f64();
        self.correct(settings, &mut report)?;
        std::mem::swap(&mut self.correction.last, &mut self.correction.displacements);
        report.seconds_total = begin.elapsed().as_secs_f64();
        report.seconds_compatibility = report.seconds_total - report.seconds_assemble;
        Ok(report)
    }

    /// Returns the corrected impulses of the contacts, world axes, on body b [N s]. Impulses that the correction did not change are equal
    /// to the given ones to the last bit.
    pub fn corrected(&self) -> impl Iterator<Item = [f64; 3]> + '_ {
        let Correction { compatible, given, .. } = &self.correction;
        let contacts = self.problem.contacts.iter().zip(given);
        contacts.zip(self.impulses.contacts.iter().zip(compatible)).map(|((contact, given), (before, after))| {
            if before == after { *given } else { after.vector(&contact.normal).into() }
        })
    }

    /// Returns the velocity `v+` of each body of the problem solved last.
    pub fn velocities(&self) -> &[Velocity] {
        self.solver.velocities()
    }

    /// Returns the results for the contacts of the problem solved last.
    pub fn contact_solutions(&self) -> impl Iterator<Item = ContactSolution> + '_ {
        let problem = self.problem.view(Friction::default());
        let wrenches = ContactId::range(0..self.impulses.contacts.len()).map(|contact| self.impulses.wrench(contact));
        let impulses = wrenches.zip(&self.correction.compatible);
        let contacts = ContactId::range(0..self.problem.contacts.len()).zip(impulses).zip(&self.fresh);
        contacts.zip(self.solver.residuals()).map(move |(((index, (impulse, compatible)), is_new), residual)| {
            let contact = problem.full_contact(index);
            let relative = self.solver.relative(contact.0);
            let solved = SolvedContact { contact, impulse, compatible, relative, residual, is_new: *is_new };
            solved.solution(&problem, self.tolerance)
        })
    }

    /// Returns the impulses of the rows of the problem solved last [N s].
    pub fn row_impulses(&self) -> &[f64] {
        &self.impulses.rows
    }

    /// Writes the outcome and the sizes of the problem to the report.
    fn describe(&self, outcome: &Outcome, report: &mut Report) {
        report.record(outcome);
        report.bodies = self.problem.masses.len() as u32;
        report.awake_bodies = self.problem.masses.iter().filter(|mass| !mass.is_immovable()).count() as u32;
        report.contacts = self.problem.contacts.len() as u32;
        report.new_contacts = self.fresh.iter().filter(|is_new| **is_new).count() as u32;
        report.worst_contact = match outcome.worst {
            Some(Place::Contact(index)) => self.problem.contact_keys[index],
            Some(Place::Row(index)) => self.problem.row_keys[index],
            None => 0,
        };
    }

    /// Checks that the result is finite.
    fn check_finite(&self) -> Result<()> {
        let finite = |velocity: &Velocity| are_finite([&velocity.linear, &velocity.angular]);
        let broken = match self.velocities().iter().position(|velocity| !finite(velocity)) {
            Some(body) => format!("bodies[{body}] at a velocity"),
            None => match self.solver.residuals().position(|residual| !residual.is_finite()) {
                // The residual of an impulse that is not finite is not finite.
                Some(place) => match place.checked_sub(self.problem.contacts.len()) {
                    None => format!("contacts[{place}] with an impulse or a residual"),
                    Some(row) => format!("rows[{row}] with an impulse or a residual"),
                },
                None => return Ok(()),
            },
        };
        Err(Error::new(Kind::NotFinite, format!("the solve would end with {broken} that is not finite")))
    }
}

/// Checks the residual against the tolerance, and sets a flag of the report if it is larger.
///
/// # Errors
///
/// `require_convergence` is set and the tolerance was missed.
pub(super) fn check_converged(settings: &Settings, report: &mut Report) -> std::result::Result<(), StepFailure> {
    let tolerance = settings.tolerance;
    if tolerance == 0.0 || report.residual_max <= tolerance {
        return Ok(());
    }
    report.flags |= NOT_CONVERGED;
    if !settings.require_convergence {
        return Ok(());
    }
    let (residual, iterations) = (report.residual_max, report.iterations);
    let message = format!(
        "residual_max is {residual:e} m/s after {iterations} iterations, expected at most the tolerance {tolerance:e}"
    );
    Err(StepFailure { error: Error::new(Kind::NotConverged, message), report: Some(Box::new(*report)) })
}
