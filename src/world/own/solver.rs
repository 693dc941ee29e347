//! A solver of a host's own problems: check, recall, solve, keep.

use std::time::Instant;

use crate::error::{Error, Kind, Result, all_finite, reserve};
use crate::math::{Vec3, are_finite};
use crate::solver::compatibility::Displacement;
use crate::solver::reduced::Reduced;
use crate::solver::{Friction, Impulse, Impulses, Outcome, Place, Solver, Velocity};
use crate::world::own::answer::{ContactSolution, told};
use crate::world::own::keys::Keys;
use crate::world::own::memory::Memory;
use crate::world::own::problem::OwnProblem;
use crate::world::report::{NOT_CONVERGED, Report, StepFailure};
use crate::world::settings::{Settings, WarmStart};

/// A solver without a world. It keeps impulses by key and its workspace from call to call.
#[derive(Debug, Default)]
pub struct OwnSolver {
    pub(super) solver: Solver,
    problem: OwnProblem,
    keys: Keys,
    memory: Memory,
    impulses: Impulses,
    correction: Correction,
    /// For each contact solved last, whether the call before had none of its key.
    fresh: Vec<bool>,
    /// The largest residual of the last call that succeeded [m/s].
    left: f64,
    /// To which the last problem was solved [m/s].
    tolerance: f64,
    /// A problem without bodies, and its answer.
    pub(super) local: Reduced,
    pub(super) lambda: Vec<f64>,
    pub(super) sorted: Vec<u32>,
}

/// The correction of the problem solved last.
#[derive(Debug, Default)]
struct Correction {
    /// Those of the last call that succeeded, from which the next correction starts, and those of the present one.
    known: Vec<Displacement>,
    displacements: Vec<Displacement>,
    /// Corrected impulses; without a correction those of the solver.
    compatible: Vec<Impulse>,
    /// Impulses to correct, as the host gave them.
    given: Vec<[f64; 3]>,
}

impl OwnSolver {
    /// Where the next problem is to be written.
    pub fn problem(&mut self) -> &mut OwnProblem {
        &mut self.problem
    }

    /// Solves what [`OwnSolver::problem`] was filled with. A failure leaves what is remembered as it was; one that has a
    /// report has its answer too.
    pub fn solve(&mut self, settings: &Settings) -> std::result::Result<Report, StepFailure> {
        settings.check()?;
        let begin = Instant::now();
        self.problem.check()?;
        self.keys.take(&self.problem)?;
        let mut report = Report::default();
        self.memory.recall(&self.problem, &mut self.impulses, &mut self.fresh)?;
        report.seconds_assemble = begin.elapsed().as_secs_f64();

        let problem = self.problem.posed(settings.friction());
        let options = settings.options();
        let outcome = self.solver.solve_unless_at_rest(&problem, &options, &mut self.impulses, self.left)?;
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
        let kept = if compatible { &self.correction.compatible } else { &self.impulses.contacts };
        self.left = outcome.residual_max;
        self.memory.keep(&self.keys, (kept, &self.impulses), self.problem.step);
        std::mem::swap(&mut self.correction.known, &mut self.correction.displacements);
        Ok(report)
    }

    /// Corrects the impulses of the problem solved last, if the settings ask for it.
    fn correct(&mut self, settings: &Settings, report: &mut Report) -> Result<()> {
        let Correction { known, displacements, compatible, .. } = &mut self.correction;
        displacements.clear();
        reserve(displacements, known.len(), "bodies")?;
        displacements.extend_from_slice(known);
        let Some(elastic) = settings.elastic() else {
            compatible.clear();
            reserve(compatible, self.impulses.contacts.len(), "contacts")?;
            compatible.extend_from_slice(&self.impulses.contacts);
            return Ok(());
        };
        let problem = self.problem.posed(settings.friction());
        let given = (&self.impulses, self.problem.stiffness.as_slice());
        let corrected = self.solver.correct(&problem, given, &elastic, displacements, compatible)?;
        // they change places where the call succeeds
        reserve(known, displacements.len().saturating_sub(known.len()), "bodies")?;
        report.record_correction(&corrected);
        Ok(())
    }

    /// Corrects given impulses of the contacts of [`OwnSolver::problem`], whose rows do not count; see
    /// [`OwnSolver::corrected`]. What is remembered of solved problems stays.
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
        let outcome = self.solver.take(&self.problem.posed(settings.friction()), &self.impulses)?;
        self.check_finite()?;
        self.describe(&outcome, &mut report);
        report.seconds_assemble = begin.elapsed().as_secs_f64();
        self.correct(settings, &mut report)?;
        std::mem::swap(&mut self.correction.known, &mut self.correction.displacements);
        report.seconds_total = begin.elapsed().as_secs_f64();
        report.seconds_compatibility = report.seconds_total - report.seconds_assemble;
        Ok(report)
    }

    /// The corrected impulses of the contacts, world axes, on body b [N s]. What was not changed is as it was given, bit for
    /// bit.
    pub fn corrected(&self) -> impl Iterator<Item = [f64; 3]> + '_ {
        let Correction { compatible, given, .. } = &self.correction;
        let contacts = self.problem.contacts.iter().zip(given);
        contacts.zip(self.impulses.contacts.iter().zip(compatible)).map(|((contact, given), (before, after))| {
            if before == after { *given } else { after.vector(&contact.normal).into() }
        })
    }

    /// `v+`, one for each body of the problem solved last.
    pub fn velocities(&self) -> &[Velocity] {
        self.solver.velocities()
    }

    /// The contacts of the problem solved last.
    pub fn contact_solutions(&self) -> impl Iterator<Item = ContactSolution> + '_ {
        let problem = self.problem.posed(Friction::default());
        let wrenches = (0..self.impulses.contacts.len()).map(|contact| self.impulses.wrench(contact));
        let impulses = wrenches.zip(&self.correction.compatible);
        let contacts = (0..self.problem.contacts.len()).zip(impulses).zip(&self.fresh);
        contacts.zip(self.solver.residuals()).map(move |(((index, (impulse, compatible)), is_new), residual)| {
            let (contact, besides) = problem.whole(index);
            let relative = self.solver.relative(contact);
            told(&problem, (contact, besides), (&impulse, compatible), (relative, residual), (*is_new, self.tolerance))
        })
    }

    /// The impulses of the rows of the problem solved last [N s].
    pub fn row_impulses(&self) -> &[f64] {
        &self.impulses.rows
    }

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

    /// Refuses an answer with a number that is not finite.
    fn check_finite(&self) -> Result<()> {
        let finite = |velocity: &Velocity| are_finite([&velocity.linear, &velocity.angular]);
        let broken = match self.velocities().iter().position(|velocity| !finite(velocity)) {
            Some(body) => format!("bodies[{body}] at a velocity"),
            None => match self.solver.residuals().position(|residual| !residual.is_finite()) {
                // An impulse that is not finite has no finite residual.
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

/// Says whether the tolerance was met, and refuses the answer if it must be.
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
