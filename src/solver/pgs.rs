//! Projected Gauss-Seidel with the exact one-contact solve: the sweeps and what surrounds them.

use crate::error::{Result, reserve, resize};
use crate::math::Vec3;
use crate::solver::order::Order;
use crate::solver::problem::{Impulse, MassInverse, Problem, Velocity};
use crate::solver::residual::contact_residual;
use crate::solver::rows::Rows;
use crate::solver::start::Start;

/// How to solve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// The order of the visits.
    pub order: Order,
    /// Most sweeps.
    pub sweeps: u32,
    /// Stop when the largest residual is at most this [m/s]; 0: do all sweeps.
    pub tolerance: f64,
    /// Factor on the step of every contact, above 0 and below 2.
    pub relaxation: f64,
    /// What the given impulses are good for.
    pub start: Start,
}

/// The residual is looked at when a sweep changed velocities by at most this many tolerances: the change of a contact
/// is about its residual, up to three times it among spheres ...
const LOOK: f64 = 4.0;
/// ... and every so many sweeps whatever the change: sweeps may go round in a cycle below the tolerance.
const LOOK_EVERY: u32 = 16;

/// What came of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outcome {
    /// Sweeps done.
    pub sweeps: u32,
    /// Largest residual over the contacts [m/s].
    pub residual_max: f64,
    /// Mean residual over the contacts [m/s].
    pub residual_mean: f64,
    /// The contact with the largest residual.
    pub worst: Option<usize>,
}

/// A solver and its workspace, which grows to the largest problem seen and is reused.
#[derive(Debug, Default)]
pub struct Solver {
    pub(in crate::solver) rows: Rows,
    /// Of the problem, and one more for the fixed world.
    pub(in crate::solver) masses: Vec<MassInverse>,
    velocities: Vec<Velocity>,
    totals: Vec<Velocity>,
    relative: Vec<Vec3>,
    pub(in crate::solver) displacements: Vec<Velocity>,
    pub(in crate::solver) multipliers: Vec<f64>,
}

impl Solver {
    /// Solves `problem`. `impulses`, one for each contact, hold what to start from and then the answer; the velocities
    /// are read by [`Solver::velocities`].
    pub fn solve(&mut self, problem: &Problem, options: &Options, impulses: &mut [Impulse]) -> Result<Outcome> {
        self.load(problem)?;
        self.rows.prepare(problem, options.order)?;
        options.start.prepare(problem, impulses, &mut self.totals);
        if matches!(options.start, Start::WithoutVelocity(_)) {
            self.rows.set(impulses);
        } else {
            self.rows.start(&self.masses, &mut self.velocities, impulses);
        }
        for sweep in 0..options.sweeps {
            let visit = (options.order, sweep);
            let change = self.rows.sweep(&self.masses, &mut self.velocities, visit, options.relaxation);
            // The residual decides, but costs a sweep; the change of a sweep is free and tells when it is worth a look.
            let looks = change <= LOOK * options.tolerance || sweep % LOOK_EVERY == LOOK_EVERY - 1;
            if options.tolerance > 0.0 && looks {
                let outcome = self.finish(problem, impulses, sweep + 1);
                if outcome.residual_max <= options.tolerance {
                    return Ok(outcome);
                }
            }
        }
        Ok(self.finish(problem, impulses, options.sweeps))
    }

    /// Reads the impulses, balances the velocities and measures what is left.
    fn finish(&mut self, problem: &Problem, impulses: &mut [Impulse], sweeps: u32) -> Outcome {
        self.rows.read(impulses);
        self.balance(problem, impulses);
        self.measure(problem, impulses, sweeps)
    }

    /// `v+`, one for each body of the problem solved last.
    pub fn velocities(&self) -> &[Velocity] {
        &self.velocities[..self.velocities.len().saturating_sub(1)]
    }

    /// The sum of the impulses on each body of the problem solved last, immovable ones included: linear [N s], and
    /// angular about the centre of mass [N m s].
    pub fn total_impulses(&self) -> &[Velocity] {
        &self.totals[..self.totals.len().saturating_sub(1)]
    }

    /// `u`, one for each contact of the problem solved last, world axes [m/s].
    pub fn relative_velocities(&self) -> &[Vec3] {
        &self.relative
    }

    fn load(&mut self, problem: &Problem) -> Result<()> {
        let bodies = problem.masses.len();
        self.masses.clear();
        reserve(&mut self.masses, bodies + 1, "bodies")?;
        self.masses.extend_from_slice(problem.masses);
        self.masses.push(MassInverse::ZERO);
        self.velocities.clear();
        reserve(&mut self.velocities, bodies + 1, "bodies")?;
        self.velocities.extend_from_slice(problem.velocities);
        self.velocities.push(Velocity::ZERO);
        self.totals.clear();
        resize(&mut self.totals, bodies + 1, Velocity::ZERO, "bodies")?;
        self.relative.clear();
        resize(&mut self.relative, problem.contacts.len(), Vec3::zeros(), "contacts")
    }

    /// `v+ = vhat + M^-1 G^T lambda` from the final impulses in one sum for each body, so that momentum balances to
    /// round-off however many sweeps went before.
    fn balance(&mut self, problem: &Problem, impulses: &[Impulse]) {
        let resting = problem.masses.len();
        self.totals.fill(Velocity::ZERO);
        for (contact, impulse) in problem.contacts.iter().zip(impulses) {
            let vector = impulse.vector(&contact.normal);
            let a = &mut self.totals[(contact.body_a as usize).min(resting)];
            a.linear -= vector;
            a.angular -= contact.arm_a.cross(&vector);
            let b = &mut self.totals[(contact.body_b as usize).min(resting)];
            b.linear += vector;
            b.angular += contact.arm_b.cross(&vector);
        }
        for (body, mass) in problem.masses.iter().enumerate() {
            let total = self.totals[body];
            self.velocities[body] = problem.velocities[body];
            mass.apply(&mut self.velocities[body], &total.linear, &total.angular);
        }
        // The row of the fixed world took the impulses of kinematic and fixed bodies: it stays at rest.
        self.velocities[resting] = Velocity::ZERO;
    }

    /// The residuals at the balanced velocities; keeps the relative velocities.
    fn measure(&mut self, problem: &Problem, impulses: &[Impulse], sweeps: u32) -> Outcome {
        let resting = problem.masses.len();
        let (mut largest, mut sum, mut worst) = (-1.0, 0.0, None);
        for (index, (contact, impulse)) in problem.contacts.iter().zip(impulses).enumerate() {
            let (a, b) = ((contact.body_a as usize).min(resting), (contact.body_b as usize).min(resting));
            let u = contact.relative_velocity(&self.velocities[a], &self.velocities[b]);
            self.relative[index] = u;
            let trace = contact.block_trace(&self.masses[a], &self.masses[b]);
            let residual = contact_residual(contact, &u, impulse, trace);
            sum += residual;
            // a residual that is no number is the worst of all
            if residual > largest || residual.is_nan() {
                (largest, worst) = (residual, Some(index));
            }
        }
        let count = problem.contacts.len().max(1) as f64;
        Outcome { sweeps, residual_max: if largest < 0.0 { 0.0 } else { largest }, residual_mean: sum / count, worst }
    }
}
