//! The solver for hosts that bring their own contacts.

use crate::contact::state::{ContactMagnitudes, NEW, state};
use crate::error::{Error, ErrorKind, Result, all_finite, copy, empty, reserve, text};
use crate::math::{BodyRow, ContactId, Vec3, are_finite, is_within, limits};
use crate::solver::compatibility::{Displacement, StiffContacts};
use crate::solver::monitor::Monitor;
use crate::solver::operator::reduced::Reduced;
use crate::solver::{
    Friction, FullContact, Impulse, Impulses, ImpulsiveWrench, Outcome, Place, Problem, Solver, Velocity,
};
use crate::tasks::Clock;
use crate::world::external::debts::StoredDebts;
use crate::world::external::problem::ContactProblem;
use crate::world::external::warm_start::{Keys, StoredImpulses};
use crate::world::report::{Report, StepFailure};
use crate::world::settings::{Settings, WarmStart};

/// A contact solver without a world. It keeps impulses by key, for warm start, and its scratch buffers from call to call.
#[derive(Debug, Default)]
pub struct ContactSolver {
    pub(super) solver: Solver,
    pub(super) problem: ContactProblem,
    pub(super) keys: Keys,
    pub(super) stored: StoredImpulses,
    pub(super) impulses: Impulses,
    pub(super) correction: Correction,
    /// For each contact solved last, whether the call before had no contact with its key.
    pub(super) fresh: Vec<bool>,
    /// The largest residual of the last call that succeeded [m/s].
    pub(super) last_residual: f64,
    /// What the stick projection had spent by then.
    pub(super) debts: StoredDebts,
    /// The tolerance of the last problem [m/s].
    pub(super) tolerance: f64,
    /// A problem without bodies, its result, and the order of its blocks.
    pub(super) local: Reduced,
    pub(super) lambda: Vec<f64>,
    pub(super) sorted: Vec<u32>,
}

/// The correction of the problem solved last.
#[derive(Debug, Default)]
pub(super) struct Correction {
    /// The displacements of the last call that succeeded, from which the next correction starts.
    pub(super) last: Vec<Displacement>,
    /// The displacements of this call.
    pub(super) displacements: Vec<Displacement>,
    /// The corrected impulses; without a correction those of the solver.
    pub(super) compatible: Impulses,
    /// The impulses that the host gave to be corrected.
    pub(super) given: Vec<[f64; 3]>,
}

impl ContactSolver {
    /// Returns the problem, for the host to fill.
    pub fn problem(&mut self) -> &mut ContactProblem {
        &mut self.problem
    }

    /// Sets what the calls to come call between their iterations, and what may end them. A call that it ended leaves the stored impulses
    /// as they were.
    pub fn set_monitor(&mut self, monitor: &Monitor) {
        self.solver.set_monitor(monitor);
    }

    /// Solves the problem that [`ContactSolver::problem`] returns.
    ///
    /// # Errors
    ///
    /// The problem or the settings are invalid, memory is exhausted, the result is not finite, or the tolerance is required and was
    /// missed. The stored impulses remain as they were. In the last case the result can be read.
    pub fn solve(&mut self, settings: &Settings) -> std::result::Result<Report, StepFailure> {
        settings.check_external()?;
        let begin = Clock::start();
        self.problem.check()?;
        self.keys.take(&self.problem)?;
        let mut report = Report::default();
        self.stored.look_up(&self.problem, &mut self.impulses, &mut self.fresh)?;
        report.seconds_assemble = begin.seconds();

        let problem = self.problem.view(settings.friction());
        let options = settings.options();
        self.debts.look_up(&self.problem, &mut self.solver.budget)?;
        let outcome = self.solver.solve_unless_at_rest(&problem, &options, &mut self.impulses, self.last_residual)?;
        self.tolerance = settings.tolerance;
        self.describe(&outcome, &mut report);
        let solved = begin.seconds();
        report.seconds_solve = solved - report.seconds_assemble - report.seconds_project;
        self.correct(settings, &mut report)?;
        report.seconds_total = begin.seconds();
        report.seconds_compatibility = report.seconds_total - solved;

        self.check_finite()?;
        report.check_converged(settings, "iterations", "")?;
        let compatible = settings.warm_start == WarmStart::Compatible;
        let kept = if compatible { &self.correction.compatible } else { &self.impulses };
        self.last_residual = outcome.residual_max;
        self.debts.store(&self.keys, &self.problem, &self.solver.budget);
        self.stored.store(&self.keys, kept, &self.impulses.torques, self.problem.step);
        std::mem::swap(&mut self.correction.last, &mut self.correction.displacements);
        Ok(report)
    }

    /// Corrects the impulses of the problem solved last, if the settings ask for it.
    fn correct(&mut self, settings: &Settings, report: &mut Report) -> Result<()> {
        let Correction { last, displacements, compatible, .. } = &mut self.correction;
        empty(displacements, last.len(), "bodies")?;
        displacements.extend_from_slice(last);
        let Some(elastic) = settings.elastic(self.problem.step) else {
            copy(&mut compatible.contacts, &self.impulses.contacts, "contacts")?;
            return copy(&mut compatible.rows, &self.impulses.rows, "rows");
        };
        let problem = self.problem.view(settings.friction());
        let given = StiffContacts { impulses: &self.impulses, stiffness: &self.problem.stiffness, openings: &[] };
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
        settings.check_external()?;
        if !settings.corrects() {
            return Err(Error::argument(
                "compatibility is DRY_COMPATIBILITY_OFF, expected the law by which to correct",
            ));
        }
        let begin = Clock::start();
        self.problem.check()?;
        all_finite("impulses", impulses.as_flattened())?;
        self.problem.rows.clear();
        self.impulses.rows.clear();
        self.impulses.torques.clear();
        empty(&mut self.impulses.contacts, impulses.len(), "contacts")?;
        empty(&mut self.correction.given, impulses.len(), "contacts")?;
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
        report.seconds_assemble = begin.seconds();
        self.correct(settings, &mut report)?;
        std::mem::swap(&mut self.correction.last, &mut self.correction.displacements);
        report.seconds_total = begin.seconds();
        report.seconds_compatibility = report.seconds_total - report.seconds_assemble;
        Ok(report)
    }

    /// Returns the corrected impulses of the contacts, world axes, on body b [N s]. Impulses that the correction did not change are equal
    /// to the given ones to the last bit.
    pub fn corrected(&self) -> impl Iterator<Item = [f64; 3]> + '_ {
        let Correction { compatible, given, .. } = &self.correction;
        let contacts = self.problem.contacts.iter().zip(given);
        contacts.zip(self.impulses.contacts.iter().zip(&compatible.contacts)).map(
            |((contact, given), (before, after))| {
                if before == after { *given } else { after.vector(&contact.normal).into() }
            },
        )
    }

    /// Returns the velocity `v+` of each body of the problem solved last.
    pub fn velocities(&self) -> &[Velocity] {
        self.solver.velocities()
    }

    /// Returns the results for the contacts of the problem solved last.
    pub fn contact_solutions(&self) -> impl Iterator<Item = ContactSolution> + '_ {
        let problem = self.problem.view(Friction::default());
        let wrenches = ContactId::range(0..self.impulses.contacts.len()).map(|contact| self.impulses.wrench(contact));
        let impulses = wrenches.zip(&self.correction.compatible.contacts);
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

    /// Returns the impulses of the rows after the compatibility correction, or those of the solver without one [N s].
    pub fn compatible_row_impulses(&self) -> &[f64] {
        &self.correction.compatible.rows
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
        let large = |impulse: &Impulse| {
            impulse.normal.abs() > limits::LARGEST || !is_within(&impulse.tangential, limits::LARGEST)
        };
        let broken = match self.velocities().iter().position(|velocity| !finite(velocity)) {
            Some(body) => text!("bodies[{body}] at a velocity"),
            None => match (self.impulses.contacts.iter().position(large))
                .or_else(|| self.impulses.torques.iter().position(|torque| !is_within(torque, limits::LARGEST)))
                .or_else(|| {
                    let row = self.impulses.rows.iter().position(|impulse| !limits::has_square(*impulse));
                    row.map(|row| self.problem.contacts.len() + row)
                })
                .or_else(|| self.solver.residuals().position(|residual| !limits::has_square(residual)))
            {
                // The residual of an impulse that is not finite is not finite.
                Some(place) => match place.checked_sub(self.problem.contacts.len()) {
                    None => text!("contacts[{place}] with an impulse or a residual"),
                    Some(row) => text!("rows[{row}] with an impulse or a residual"),
                },
                None => return Ok(()),
            },
        };
        Err(Error::new(
            ErrorKind::NotFinite,
            text!("the solve would end with {broken} that is not finite or too large to have a square"),
        ))
    }
}

/// The result for a contact. Vectors are in world axes and act on body b.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactSolution {
    /// Normal and friction [N s].
    pub impulse: Vec3,
    /// Not below zero [N s].
    pub normal_impulse: f64,
    /// Rolling and twisting [N m s].
    pub torque_impulse: Vec3,
    /// Normal and friction after the compatibility correction [N s].
    pub compatible_impulse: Vec3,
    /// [m/s]
    pub residual: f64,
    /// ACTIVE, SLIDING, ROLLING and NEW of [`crate::contact::state`].
    pub state: u32,
}

/// A solved contact, from which its result is computed.
struct SolvedContact<'a> {
    contact: FullContact<'a>,
    impulse: ImpulsiveWrench,
    /// The impulse of the force after the compatibility correction.
    compatible: &'a Impulse,
    /// The velocity of b relative to a.
    relative: Velocity,
    /// [m/s]
    residual: f64,
    /// Whether the last call had no contact with its key.
    is_new: bool,
}

impl SolvedContact<'_> {
    /// Returns the result. A relative velocity up to `tolerance` counts as zero [m/s].
    fn solution(&self, problem: &Problem, tolerance: f64) -> ContactSolution {
        let (contact, _) = self.contact;
        let ImpulsiveWrench { force, torque } = &self.impulse;
        ContactSolution {
            impulse: force.vector(&contact.normal),
            normal_impulse: force.normal,
            torque_impulse: *torque,
            compatible_impulse: self.compatible.vector(&contact.normal),
            residual: self.residual,
            state: state(&self.magnitudes(problem), tolerance) | if self.is_new { NEW } else { 0 },
        }
    }

    /// Returns the forces and velocities that the state of the contact depends on.
    fn magnitudes(&self, problem: &Problem) -> ContactMagnitudes {
        let ((contact, optional), ImpulsiveWrench { force, torque }) = (self.contact, &self.impulse);
        let (_, sliding) = contact.defect(&self.relative.linear, force, optional);
        let (_, rolling) = contact.split(torque);
        let (_, spin) = contact.split(&self.relative.angular);
        // The length is needed only if the contact resists rolling.
        let turns = optional.rolling > 0.0;
        let length = |[a, b]: [BodyRow; 2]| contact.turning_length(problem.mass(a), problem.mass(b));
        let spinning = if turns { length([contact.body_a, contact.body_b]) * spin.norm() } else { 0.0 };
        ContactMagnitudes {
            normal: force.normal,
            friction: force.tangential.norm(),
            friction_bound: contact.friction * force.normal,
            sliding: sliding.norm(),
            rolling: rolling.norm(),
            rolling_bound: optional.rolling * force.normal,
            spinning,
        }
    }
}
