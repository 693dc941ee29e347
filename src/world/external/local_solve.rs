//! Solving problems without bodies.

use crate::error::{Error, ErrorKind, Result, refill, text};
use crate::math::limits;
use crate::solver::Place;
use crate::tasks::Clock;
use crate::world::external::local_problem::LocalProblem;
use crate::world::external::solver::ContactSolver;
use crate::world::report::{Report, StepFailure};
use crate::world::settings::{FrictionLaw, HeaderNames, Projection, Settings, SolverKind};

impl ContactSolver {
    /// Solves a problem without bodies. The iteration starts from zero.
    ///
    /// # Errors
    ///
    /// The problem or the settings are invalid, memory is exhausted, the result is not finite, or the tolerance is required and was
    /// missed. In the last case the impulses can be read.
    pub fn solve_local(
        &mut self,
        problem: &LocalProblem,
        settings: &Settings,
    ) -> std::result::Result<Report, StepFailure> {
        settings.check_external()?;
        check_offered(settings)?;
        let begin = Clock::start();
        problem.check(&mut self.sorted)?;
        problem.reduce(&self.sorted, settings.friction(), &mut self.local)?;
        refill(&mut self.lambda, problem.q.len(), 0.0, "impulses")?;
        let mut report = Report { seconds_assemble: begin.seconds(), ..Report::default() };

        let outcome = self.solver.solve_local(&self.local, &settings.options(), &mut self.lambda)?;
        report.record(&outcome);
        report.contacts = problem.contacts() as u32;
        report.new_contacts = report.contacts;
        report.worst_contact = match outcome.worst {
            Some(Place::Contact(index) | Place::Row(index)) => index as u64,
            None => 0,
        };
        report.seconds_total = begin.seconds();
        report.seconds_solve = report.seconds_total - report.seconds_assemble;
        self.check_local_finite(&report, problem.dimension)?;
        report.check_converged(settings, "iterations", "")?;
        Ok(report)
    }

    /// Returns the impulses of the problem without bodies that was solved last [N s].
    pub fn local_impulses(&self) -> &[f64] {
        &self.lambda
    }

    /// Checks that the impulses and the residual are finite.
    fn check_local_finite(&self, report: &Report, dimension: usize) -> Result<()> {
        let broken = self
            .lambda
            .iter()
            .position(|number| number.is_nan() || number.abs() > limits::LARGEST)
            .map(|row| row / dimension);
        let message = match broken {
            Some(contact) => {
                text!(
                    "the solve would end with an impulse of contact {contact} that is not finite or too large to have a square"
                )
            }
            None if !limits::has_square(report.residual_max) => {
                text!("the solve would end with a residual of contact {} that is not finite", report.worst_contact)
            }
            None => return Ok(()),
        };
        Err(Error::new(ErrorKind::NotFinite, message))
    }
}

/// Checks that the settings apply to a problem without bodies, where the automatic projection follows on nothing.
fn check_offered(settings: &Settings) -> Result<()> {
    if settings.projection == Projection::Stick {
        return Err(Error::unsupported(
            "projection is DRY_PROJECTION_STICK, but a problem without bodies is only solved with DRY_PROJECTION_OFF",
        ));
    }
    if settings.solver == SolverKind::Conic {
        return Err(Error::unsupported(
            "solver is DRY_SOLVER_CONIC, which needs bodies, but the problem has none: expected DRY_SOLVER_PGS, \
             DRY_SOLVER_PGS_ACCELERATED, DRY_SOLVER_NEWTON or DRY_SOLVER_APGD",
        ));
    }
    if settings.friction_law == FrictionLaw::Box {
        let law = [settings.friction_law];
        let law = HeaderNames("FRICTION", &law);
        return Err(Error::unsupported(text!(
            "friction_law is {law}, but a problem without bodies is only solved with DRY_FRICTION_COULOMB or DRY_FRICTION_ASSOCIATED"
        )));
    }
    Ok(())
}
