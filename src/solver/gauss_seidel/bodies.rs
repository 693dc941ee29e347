//! An island of bodies that can be swept.

use crate::math::{BodyRow, ContactId, Vec3};
use crate::solver::gauss_seidel::motion::Motion;
use crate::solver::gauss_seidel::rows::{Pass, Rows};
use crate::solver::gauss_seidel::sweeps::Sweeps;
use crate::solver::problem::ball::bound_balls;
use crate::solver::problem::cone::Parts;
use crate::solver::problem::islands::Island;
use crate::solver::problem::order::Order;
use crate::solver::problem::{
    Friction, FullContact, Impulse, Impulses, ImpulsiveWrench, Jacobian, Measure, Problem, box_rows,
};
use crate::tasks::Tasks;

/// An island of bodies while it is swept.
pub(in crate::solver) struct BodyIsland<'a> {
    pub(in crate::solver) problem: &'a Problem<'a>,
    pub(in crate::solver) island: Island<'a>,
    /// The number of the island.
    pub(in crate::solver) number: usize,
    pub(in crate::solver) order: Order,
    pub(in crate::solver) relaxation: f64,
    pub(in crate::solver) rows: &'a mut Rows,
    pub(in crate::solver) motion: &'a mut Motion,
    pub(in crate::solver) impulses: &'a mut Impulses,
    /// Whether contacts carry torques.
    pub(in crate::solver) turning: bool,
    pub(in crate::solver) tasks: &'a dyn Tasks,
}

impl<'a> BodyIsland<'a> {
    /// Applies the start impulses of the rows to the velocities in their lines. These are then still the velocities without contacts.
    pub(in crate::solver) fn apply(&mut self) {
        self.rows.apply(self.problem, self.number, self.tasks);
    }

    /// Starts again from `impulses`, and computes the velocities from them.
    pub(in crate::solver) fn start(&mut self) {
        self.rows.set(self.island, self.impulses);
        self.settle();
    }

    /// Reads the impulses of the rows, and computes the velocities from them. The impulses of mechanisms are computed from all others.
    pub(in crate::solver) fn settle(&mut self) {
        self.rows.join(self.problem, self.number, true);
        self.rows.read(self.island, self.impulses);
        if self.rows.has_scalars() {
            self.motion.balance(self.problem, &self.island, self.impulses);
        } else {
            self.rows.rest_bodies(self.island.bodies);
            self.rows.sum(self.number, self.tasks);
            self.motion.balance_island(self.problem, self.island.bodies, &self.rows.bodies);
        }
        self.rows.move_bodies(self.island, &self.motion.velocities);
    }

    /// Replaces each impulse by the nearest one within its bounds, and starts again from these.
    pub(in crate::solver) fn bring_within_bounds(&mut self) {
        for index in self.island.contacts {
            let onto = allowed(self.problem, *index, &self.impulses.wrench(*index));
            self.impulses.set_wrench(*index, &onto);
        }
        // Rows whose bounds another row scales come second, since they need the new impulse of that row.
        for coupled in [false, true] {
            for index in self.island.rows {
                let row = &self.problem.rows[*index];
                if row.friction_row.is_some() == coupled {
                    let scale = row.friction_row.map_or(1.0, |scale| self.impulses.rows[scale].abs());
                    self.impulses.rows[*index] = row.bounded(self.impulses.rows[*index], scale);
                }
            }
        }
        bound_balls(self.problem.rows, self.island.rows.iter(), self.impulses);
        self.start();
    }

    /// Runs a sweep without measuring its change.
    pub(in crate::solver) fn sweep_unmeasured(&mut self, number: u32) {
        self.rows.sweep(self.problem.masses, self.number, number, &self.pass(false));
    }

    /// Returns the largest component of the velocities with which bodies begin [m/s].
    pub(in crate::solver) fn fastest(&self) -> f64 {
        let of_body = |body: &BodyRow| self.problem.velocities[*body].linear.amax();
        self.island.bodies.iter().map(of_body).fold(0.0, f64::max)
    }

    fn pass(&self, measured: bool) -> Pass<'a> {
        Pass { order: self.order, relaxation: self.relaxation, measured, tasks: self.tasks }
    }

    fn stride(&self) -> usize {
        if self.turning { 7 } else { 4 }
    }
}

impl Sweeps for BodyIsland<'_> {
    fn size(&self) -> usize {
        self.stride() * self.island.contacts.len() + self.island.rows.len()
    }

    fn sweep(&mut self, number: u32) -> f64 {
        let pass = self.pass(true);
        self.rows.sweep(self.problem.masses, self.number, number, &pass)
    }

    fn read(&self, impulses: &mut [f64]) {
        let (contacts, rows) = impulses.split_at_mut(self.stride() * self.island.contacts.len());
        for (numbers, index) in contacts.chunks_exact_mut(self.stride()).zip(self.island.contacts) {
            let ImpulsiveWrench { force, torque: m } = self.rows.contact_impulse(*index);
            let t = force.tangential;
            let all = [force.normal, t.x, t.y, t.z, m.x, m.y, m.z];
            numbers.copy_from_slice(&all[..numbers.len()]);
        }
        for (number, index) in rows.iter_mut().zip(self.island.rows) {
            *number = self.rows.row_impulse(*index);
        }
    }

    fn write(&mut self, impulses: &[f64]) {
        let (contacts, rows) = impulses.split_at(self.stride() * self.island.contacts.len());
        for (numbers, index) in contacts.chunks_exact(self.stride()).zip(self.island.contacts) {
            let mut all = [0.0; 7];
            all[..numbers.len()].copy_from_slice(numbers);
            let [normal, tx, ty, tz, mx, my, mz] = all;
            let force = Impulse::force(normal, [tx, ty, tz].into());
            let wrench = ImpulsiveWrench { force, torque: [mx, my, mz].into() };
            self.impulses.set_wrench(*index, &wrench);
        }
        for (number, index) in rows.iter().zip(self.island.rows) {
            self.impulses.rows[*index] = *number;
        }
        self.bring_within_bounds();
    }

    fn residual(&mut self) -> f64 {
        self.settle();
        self.motion.residuals(self.problem, &self.island, self.impulses).0
    }

    fn weights(&self, weights: &mut [f64]) {
        let mass = |body: BodyRow| self.problem.mass(body);
        let (contacts, rows) = weights.split_at_mut(self.stride() * self.island.contacts.len());
        for (numbers, index) in contacts.chunks_exact_mut(self.stride()).zip(self.island.contacts) {
            let (contact, optional) = self.problem.full_contact(*index);
            let Measure { scale, length } = contact.measure(mass(contact.body_a), mass(contact.body_b), optional);
            for (k, weight) in numbers.iter_mut().enumerate() {
                *weight = if k < 4 { scale } else { scale / length };
            }
        }
        for (weight, index) in rows.iter_mut().zip(self.island.rows) {
            let Measure { scale, length } = self.motion.row_measures[*index];
            *weight = scale * length;
        }
    }

    fn period(&self) -> u32 {
        self.order.period()
    }
}

/// Returns the nearest impulse that the law of a contact allows.
pub(in crate::solver) fn allowed(problem: &Problem, index: ContactId, impulse: &ImpulsiveWrench) -> ImpulsiveWrench {
    let (contact, optional) = problem.full_contact(index);
    if problem.friction == Friction::Box {
        return allowed_in_box((contact, optional), impulse);
    }
    let measure = contact.measure(problem.mass(contact.body_a), problem.mass(contact.body_b), optional);
    let (twisting, rolling) = contact.split(&impulse.torque);
    let parts = Parts { normal: impulse.force.normal, bounded: [impulse.force.tangential, rolling, twisting] };
    let onto = contact.cone(optional, problem.friction.dilation()).projected_at(&parts, measure.length);
    let [tangential, rolling, twisting] = onto.bounded;
    ImpulsiveWrench { force: Impulse::force(onto.normal, tangential), torque: rolling + twisting }
}

/// Returns the same with box friction, row by row.
fn allowed_in_box(full: FullContact, impulse: &ImpulsiveWrench) -> ImpulsiveWrench {
    let (contact, optional) = full;
    let normal = impulse.force.normal.max(0.0);
    let mut onto = ImpulsiveWrench::from(Impulse::force(normal, Vec3::zeros()));
    for row in box_rows(contact, optional).skip(1) {
        let Jacobian { linear, angular } = row.jacobian_b;
        if linear != Vec3::zeros() {
            onto.force.tangential += row.bounded(linear.dot(&impulse.force.tangential), normal) * linear;
        } else {
            onto.torque += row.bounded(angular.dot(&impulse.torque), normal) * angular;
        }
    }
    onto
}
