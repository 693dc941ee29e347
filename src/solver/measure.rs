//! The velocities that final impulses give, and the residuals at these.

use std::ops::Range;

use crate::error::{Result, reserve, resize};
use crate::math::lanes::{LineIndex, WIDE};
use crate::math::{ContactId, Impulse, RowId, Vec3};
use crate::solver::gauss_seidel::motion::FilledContacts;
use crate::solver::problem::contacts::ContactBuffer;
use crate::solver::problem::islands::Islands;
use crate::solver::problem::options::{Outcome, Place, SolveTotals};
use crate::solver::problem::{Contact, Impulses, Problem, Velocity};
use crate::solver::solve::Solver;
use crate::tasks::{each_piece, reduce};

/// Contacts that are measured at a time.
const PIECE: usize = 1024;

impl Solver {
    /// `v+`, one for each body of the problem solved last.
    pub fn velocities(&self) -> &[Velocity] {
        let all = &self.motion.velocities;
        &all[..all.len().saturating_sub(1)]
    }

    /// Exchanges the velocities, one for each body and one for the fixed world, for `others`, which the next problem writes over.
    pub fn swap_velocities(&mut self, others: &mut Vec<Velocity>) {
        std::mem::swap(&mut self.motion.velocities, others);
    }

    /// Returns the island of a contact of the problem laid out last; none if nothing moves its bodies.
    #[inline]
    pub fn island_of(&self, contact: ContactId) -> Option<usize> {
        let bodies = self.pairs.all.get(contact.index())?.map(LineIndex::row);
        bodies.into_iter().find_map(|body| self.islands.of(body))
    }

    /// Returns the residual that the sweeps left in an island before the projection of its last solve [m/s]. It is 0 without one, and
    /// infinite where the projection has to wait.
    pub fn residual_before_projection(&self, island: usize) -> f64 {
        self.unsettled.get(island).copied().unwrap_or(0.0)
    }

    /// The islands of the problem solved last.
    pub fn islands(&self) -> &Islands {
        &self.islands
    }

    /// The sum of the impulses on each body of the problem solved last, immovable ones included: linear [N s], and
    /// angular about the centre of mass [N m s].
    pub fn total_impulses(&self) -> &[Velocity] {
        let all = &self.motion.totals;
        &all[..all.len().saturating_sub(1)]
    }

    /// Returns the velocity of b relative to a at a contact of the problem solved last: that of its point, and its spin.
    pub fn relative(&self, contact: &Contact) -> Velocity {
        let [a, b] = [contact.body_a, contact.body_b].map(|body| self.motion.velocity(body));
        Velocity { linear: contact.relative_velocity(a, b), angular: self.relative_spin(contact) }
    }

    /// Writes the impulses of the problem solved last in the order of the lanes, and those of torques, or none where no contact resists
    /// turning. Those of lanes without a contact are zero.
    pub fn read_lanes(&self, impulses: &mut Vec<Impulse>, torques: &mut Vec<Vec3>) -> Result<()> {
        let count = WIDE * self.rows.lanes.len();
        resize(impulses, count, Impulse::ZERO, "contacts")?;
        let count = if self.rows.resists_turning { count } else { 0 };
        resize(torques, count, Vec3::zeros(), "contacts")?;
        self.rows.read_lanes(impulses, torques, &*self.tasks);
        Ok(())
    }

    /// Returns the spin of b relative to a, of a contact of the problem solved last [rad/s].
    pub fn relative_spin(&self, contact: &Contact) -> Vec3 {
        self.motion.velocity(contact.body_b).angular - self.motion.velocity(contact.body_a).angular
    }

    /// The residuals of the contacts of the problem solved last, then those of its rows [m/s].
    pub fn residuals(&self) -> impl ExactSizeIterator<Item = f64> + '_ {
        (0..self.measured).map(|index| self.residual(index))
    }

    /// The residuals of the rows of the problem solved last [m/s].
    pub fn row_residuals(&self) -> &[f64] {
        &self.row_residuals
    }

    /// Returns the residual of a contact of the problem solved last [m/s].
    #[inline]
    pub fn contact_residual(&self, contact: ContactId) -> f64 {
        self.residual(contact.index())
    }

    /// Returns one of the residuals.
    #[inline]
    pub(in crate::solver) fn residual(&self, index: usize) -> f64 {
        let contacts = self.measured.saturating_sub(self.row_residuals.len());
        match index.checked_sub(contacts) {
            Some(row) => self.row_residuals.get(row).copied().unwrap_or(0.0),
            None => self.residuals.get(index).copied().or_else(|| self.rows.residual(index.into())).unwrap_or(0.0),
        }
    }

    /// Reserves memory for the residuals of this many contacts that are measured one by one, and of each row.
    pub(in crate::solver) fn reserve_residuals(&mut self, contacts: usize, problem: &Problem) -> Result<()> {
        reserve(&mut self.residuals, contacts, "contacts")?;
        reserve(&mut self.row_residuals, problem.rows.len(), "rows")
    }

    /// Computes the velocities from the final impulses of a problem that lists its contacts, and the sums of the impulses on every body.
    pub(in crate::solver) fn balance(&mut self, problem: &Problem, impulses: &Impulses) {
        self.motion.totals.fill(Velocity::ZERO);
        self.motion.balance(problem, &self.islands.all(), impulses);
        self.rest_fixed();
    }

    /// Computes the same from the impulses in the lanes, which are `impulses`.
    pub(in crate::solver) fn balance_lanes(
        &mut self,
        problem: &Problem,
        buffer: &ContactBuffer,
        impulses: &Impulses,
    ) -> Result<()> {
        if self.rows.has_scalars() {
            // Rows come with a list of contacts.
            self.balance(problem, impulses);
            return Ok(());
        }
        let Self { rows, motion, pairs, tasks, .. } = self;
        rows.rest(&**tasks);
        (0..rows.parts()).for_each(|part| rows.sum(part, &**tasks));
        motion.balance_bodies(problem, &rows.bodies, &**tasks);
        pairs.find_reacting()?;
        let all = FilledContacts { buffer, rows, pairs: &pairs.all };
        motion.add_reactions(problem, &pairs.reacting, &all, &**tasks)?;
        motion.add_row_reactions(problem, impulses);
        self.rest_fixed();
        Ok(())
    }

    /// Brings the fixed world to rest: its row took impulses.
    fn rest_fixed(&mut self) {
        if let Some(resting) = self.motion.velocities.last_mut() {
            *resting = Velocity::ZERO;
        }
    }

    /// Measures the residuals of a problem whose contacts stand in a buffer, at the balanced velocities.
    pub(in crate::solver) fn measure_filled(
        &mut self,
        problem: &Problem,
        buffer: &ContactBuffer,
        impulses: &Impulses,
        done: &SolveTotals,
    ) -> Outcome {
        let contacts = self.pairs.all.len();
        if self.rows.is_measured && self.rows.measure_all() {
            self.measure_rows(problem, impulses);
            return self.summarize(contacts, done);
        }
        self.measure_each(contacts, problem, impulses, done, |Self { motion, rows, pairs, .. }, index| {
            rows.residual(index).unwrap_or_else(|| {
                let all = FilledContacts { buffer, rows, pairs: &pairs.all };
                let (contact, optional) = (all.contact(index), all.optional_terms(index));
                motion.residual_of(problem, (&contact, &optional), &all.impulse(index))
            })
        })
    }

    /// Measures the residuals of a problem that lists its contacts, one by one, at the balanced velocities.
    pub(in crate::solver) fn measure_listed(
        &mut self,
        problem: &Problem,
        impulses: &Impulses,
        done: &SolveTotals,
    ) -> Outcome {
        self.measure_each(problem.contacts.len(), problem, impulses, done, |solver, index| {
            solver.motion.contact_residual(problem, index, impulses)
        })
    }

    /// Measures this many contacts by `residual`, and the rows. There is room for them.
    fn measure_each(
        &mut self,
        contacts: usize,
        problem: &Problem,
        impulses: &Impulses,
        done: &SolveTotals,
        residual: impl Fn(&Self, ContactId) -> f64 + Sync,
    ) -> Outcome {
        let mut residuals = std::mem::take(&mut self.residuals);
        residuals.resize(contacts, 0.0);
        each_piece(&*self.tasks, PIECE, &mut residuals, |first, residuals| {
            residuals.iter_mut().zip(first..).for_each(|(value, index)| *value = residual(self, index.into()));
        });
        self.residuals = residuals;
        self.measure_rows(problem, impulses);
        self.summarize(contacts, done)
    }

    /// Measures the rows. There is room for them.
    fn measure_rows(&mut self, problem: &Problem, impulses: &Impulses) {
        let Self { row_residuals, rows, motion, tasks, .. } = self;
        row_residuals.resize(problem.rows.len(), 0.0);
        each_piece(&**tasks, PIECE, row_residuals, |first, residuals| {
            for (value, row) in residuals.iter_mut().zip(RowId::range(first..problem.rows.len())) {
                *value = rows.row_residual(row).unwrap_or_else(|| motion.row_residual(problem, row, impulses));
            }
        });
    }

    /// Returns the outcome of a problem with so many contacts, and notes the largest residual.
    fn summarize(&mut self, contacts: usize, done: &SolveTotals) -> Outcome {
        self.measured = contacts + self.row_residuals.len();
        let outcome = self
            .outcome(done, |index| if index < contacts { Place::Contact(index) } else { Place::Row(index - contacts) });
        self.largest = outcome.residual_max;
        outcome
    }

    /// Returns what was done, with the sum and the largest of the residuals; `place` returns where a residual belongs.
    pub(in crate::solver) fn outcome(&self, done: &SolveTotals, place: impl Fn(usize) -> Place) -> Outcome {
        let of = |range: Range<usize>| {
            let all = range.map(|index| (index, self.residual(index)));
            all.fold(MaxResidual::NONE, |found, (index, residual)| found.with(index, residual))
        };
        let found = reduce(&*self.tasks, PIECE, self.measured, MaxResidual::NONE, of, MaxResidual::join);
        let residual_max = if found.largest < 0.0 { 0.0 } else { found.largest };
        let projected = done.projection.passes > 0;
        Outcome {
            iterations: done.iterations,
            islands: done.islands,
            fallbacks: done.fallbacks,
            infeasible: done.infeasible,
            projection: done.projection,
            seconds_project: done.seconds_project,
            solver_residual: if projected { done.projection.before.max(residual_max) } else { residual_max },
            residual_max,
            residual_mean: found.sum / self.measured.max(1) as f64,
            worst: found.index.map(place),
        }
    }
}

/// The largest of some residuals, where it is, and the sum of all.
#[derive(Debug, Clone, Copy)]
struct MaxResidual {
    largest: f64,
    index: Option<usize>,
    sum: f64,
}

impl MaxResidual {
    /// Of no residuals.
    const NONE: Self = Self { largest: -1.0, index: None, sum: 0.0 };

    fn with(self, index: usize, residual: f64) -> Self {
        self.join(Self { largest: residual, index: Some(index), sum: residual })
    }

    /// Keeps the larger residual, and adds the sums. One that is no number is the worst of all.
    fn join(self, other: Self) -> Self {
        let sum = self.sum + other.sum;
        if other.largest > self.largest || other.largest.is_nan() {
            Self { sum, ..other }
        } else {
            Self { sum, ..self }
        }
    }
}
