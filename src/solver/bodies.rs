//! An island of bodies as something that can be swept, and the sums that turn impulses into velocities.

use crate::error::{Result, resize};
use crate::math::Vec3;
use crate::math::lanes::KEPT;
use crate::solver::box_friction::box_rows;
use crate::solver::cone::Parts;
use crate::solver::islands::Island;
use crate::solver::order::{Order, Pair};
use crate::solver::problem::{
    Contact, Friction, Impulse, Impulses, ImpulsiveWrench, Jacobian, Measure, Problem, Velocity, WholeContact,
};
use crate::solver::residual::{contact_residual, row_residual};
use crate::solver::rows::{Pass, Rows};
use crate::solver::sweeps::Sweeps;
use crate::tasks::{Tasks, each_pair_of_pieces};

/// Velocities of bodies, and the impulses on them in sum; one more of each for the fixed world.
#[derive(Debug, Default)]
pub(super) struct Motion {
    pub(super) velocities: Vec<Velocity>,
    pub(super) totals: Vec<Velocity>,
    /// Where several threads share the sums.
    pub(super) touching: Touching,
}

/// The contacts of each body of a problem.
#[derive(Debug, Default)]
pub(super) struct Touching {
    /// Twice the index of the contact, plus one where the body is b; of one body after the other, rising.
    sides: Vec<u32>,
    starts: Vec<u32>,
}

/// Bodies whose impulses are summed at a time.
const PIECE: usize = 256;

impl Touching {
    /// Those of a problem of so many `bodies` whose contacts have these `pairs`; behind the bodies stands the fixed world.
    pub(super) fn find(&mut self, bodies: usize, pairs: &[Pair]) -> Result<()> {
        self.starts.clear();
        resize(&mut self.starts, bodies + 2, 0, "bodies")?;
        // all are written over
        self.sides.truncate(2 * pairs.len());
        resize(&mut self.sides, 2 * pairs.len(), 0, "contacts of the bodies")?;
        for body in pairs.iter().flatten() {
            self.starts[(body & !KEPT) as usize + 1] += 1;
        }
        for body in 0..=bodies {
            self.starts[body + 1] += self.starts[body];
        }
        // filled from the back, each end becomes the beginning
        for (index, pair) in pairs.iter().enumerate().rev() {
            for side in [1, 0] {
                let end = &mut self.starts[(pair[side] & !KEPT) as usize + 1];
                *end -= 1;
                self.sides[*end as usize] = 2 * index as u32 + side as u32;
            }
        }
        Ok(())
    }

    /// The sides of a body's contacts, rising.
    fn of(&self, body: usize) -> &[u32] {
        let end = self.starts.get(body + 2).map_or(self.sides.len(), |end| *end as usize);
        &self.sides[self.starts[body + 1] as usize..end]
    }
}

impl Motion {
    /// `v+ = vhat + M^-1 G^T lambda` of the bodies of an island from its impulses, in one sum for each body, so that
    /// momentum balances to round-off however many sweeps went before.
    pub(super) fn balance(&mut self, problem: &Problem, island: &Island, impulses: &Impulses) {
        match impulses.torques.as_slice() {
            [] => self.balance_with(problem, island, impulses, |_| Vec3::zeros()),
            torques => self.balance_with(problem, island, impulses, |contact| torques[contact]),
        }
    }

    /// The same, where the `torque` of each contact is told.
    fn balance_with(
        &mut self,
        problem: &Problem,
        island: &Island,
        impulses: &Impulses,
        torque: impl Fn(usize) -> Vec3,
    ) {
        let resting = problem.masses.len();
        for body in island.bodies {
            self.totals[*body as usize] = Velocity::ZERO;
        }
        for index in island.contacts {
            let index = *index as usize;
            self.add_contact(&problem.contacts[index], (&impulses.contacts[index], torque(index)), resting);
        }
        for index in island.rows {
            let (row, lambda) = (&problem.rows[*index as usize], impulses.rows[*index as usize]);
            for (body, jacobian) in [(row.body_a, &row.jacobian_a), (row.body_b, &row.jacobian_b)] {
                let total = &mut self.totals[(body as usize).min(resting)];
                total.linear += lambda * jacobian.linear;
                total.angular += lambda * jacobian.angular;
            }
        }
        for body in island.bodies {
            let body = *body as usize;
            let total = self.totals[body];
            self.velocities[body] = problem.velocities[body];
            problem.masses[body].apply(&mut self.velocities[body], &total.linear, &total.angular);
        }
    }

    /// [`Motion::balance`] of all islands of a problem without rows, body by body: each sum has the same terms in the same
    /// order, so it does not matter who does it.
    pub(super) fn balance_shared(&mut self, problem: &Problem, impulses: &Impulses, tasks: &dyn Tasks) {
        match impulses.torques.as_slice() {
            [] => self.balance_shared_with(problem, impulses, |_| Vec3::zeros(), tasks),
            torques => self.balance_shared_with(problem, impulses, |contact| torques[contact], tasks),
        }
    }

    /// The same, where the `torque` of each contact is told.
    fn balance_shared_with(
        &mut self,
        problem: &Problem,
        impulses: &Impulses,
        torque: impl Fn(usize) -> Vec3 + Sync,
        tasks: &dyn Tasks,
    ) {
        let Self { velocities, totals, touching } = self;
        let (masses, bodies) = (problem.masses, problem.masses.len());
        let pieces = (&mut totals[..bodies], &mut velocities[..bodies]);
        each_pair_of_pieces(tasks, PIECE, pieces, |first, totals, velocities| {
            for (body, (total, velocity)) in (first..).zip(totals.iter_mut().zip(velocities)) {
                *total = Velocity::ZERO;
                let sides = touching.of(body);
                for side in sides {
                    let index = *side as usize / 2;
                    let [a, b] = on_bodies(&problem.contacts[index], &impulses.contacts[index], &torque(index));
                    let Velocity { linear, angular } = if side % 2 == 0 { a } else { b };
                    total.linear += linear;
                    total.angular += angular;
                }
                if !sides.is_empty() && !masses[body].is_immovable() {
                    *velocity = problem.velocities[body];
                    masses[body].apply(velocity, &total.linear, &total.angular);
                }
            }
        });
    }

    #[inline(always)]
    fn add_contact(&mut self, contact: &Contact, (force, torque): (&Impulse, Vec3), resting: usize) {
        let sums = on_bodies(contact, force, &torque);
        for (body, Velocity { linear, angular }) in [contact.body_a, contact.body_b].into_iter().zip(sums) {
            let total = &mut self.totals[(body as usize).min(resting)];
            total.linear += linear;
            total.angular += angular;
        }
    }

    /// The velocity of a body; of the fixed world it is zero.
    pub(super) fn velocity(&self, body: u32) -> &Velocity {
        &self.velocities[(body as usize).min(self.velocities.len() - 1)]
    }

    /// The residual of a contact [m/s].
    pub(super) fn contact_residual(&self, problem: &Problem, index: usize, impulses: &Impulses) -> f64 {
        let (contact, besides) = problem.whole(index);
        let pair = [self.velocity(contact.body_a), self.velocity(contact.body_b)];
        contact_residual(problem, (contact, besides), pair, &impulses.wrench(index))
    }

    /// The residual of a scalar row [m/s].
    pub(super) fn row_residual(&self, problem: &Problem, index: usize, impulses: &Impulses) -> f64 {
        let row = &problem.rows[index];
        row_residual(problem, index, [self.velocity(row.body_a), self.velocity(row.body_b)], impulses)
    }

    /// The largest residual of an island, and their sum [m/s]; one that is no number counts as infinite.
    pub(super) fn residuals(&self, problem: &Problem, island: &Island, impulses: &Impulses) -> (f64, f64) {
        let contacts = island.contacts.iter().map(|index| self.contact_residual(problem, *index as usize, impulses));
        let rows = island.rows.iter().map(|index| self.row_residual(problem, *index as usize, impulses));
        let counted = contacts.chain(rows).map(|residual| if residual.is_nan() { f64::INFINITY } else { residual });
        counted.fold((0.0, 0.0), |(most, sum), residual| (f64::max(most, residual), sum + residual))
    }
}

/// The impulse of a contact on bodies a and b, and its moment about their centres of mass.
#[inline(always)]
fn on_bodies(contact: &Contact, force: &Impulse, torque: &Vec3) -> [Velocity; 2] {
    let vector = force.vector(&contact.normal);
    [
        Velocity { linear: -vector, angular: -(contact.arm_a.cross(&vector) + torque) },
        Velocity { linear: vector, angular: contact.arm_b.cross(&vector) + torque },
    ]
}

/// An island that is swept.
pub(super) struct BodyIsland<'a> {
    pub(super) problem: &'a Problem<'a>,
    pub(super) island: Island<'a>,
    /// Which one it is.
    pub(super) number: usize,
    pub(super) order: Order,
    pub(super) relaxation: f64,
    pub(super) rows: &'a mut Rows,
    pub(super) motion: &'a mut Motion,
    pub(super) impulses: &'a mut Impulses,
    /// Whether contacts carry torques.
    pub(super) turning: bool,
    pub(super) tasks: &'a dyn Tasks,
    /// Whether it is all there is, and several threads share its sums.
    pub(super) is_shared: bool,
}

impl<'a> BodyIsland<'a> {
    /// Applies the impulses of the rows to the velocities that these sweep on, which are those of bodies without contacts, and to
    /// no others.
    pub(super) fn apply(&mut self) {
        self.rows.apply(self.problem.masses, self.number, self.tasks);
    }

    /// Starts anew from the impulses, and makes the velocities from them.
    pub(super) fn start(&mut self) {
        self.rows.set(self.island, self.impulses);
        self.settle();
    }

    /// Reads the impulses of the rows, and makes the velocities from them.
    pub(super) fn settle(&mut self) {
        self.rows.read(self.island, self.impulses);
        if self.is_shared {
            self.motion.balance_shared(self.problem, self.impulses, self.tasks);
        } else {
            self.motion.balance(self.problem, &self.island, self.impulses);
        }
        self.rows.move_bodies(self.island, &self.motion.velocities);
    }

    /// A sweep whose change nobody asks for.
    pub(super) fn sweep_blindly(&mut self, number: u32) {
        self.rows.sweep(self.problem.masses, self.number, number, &self.pass(false));
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
            let ImpulsiveWrench { force, torque: m } = self.rows.contact_impulse(*index as usize);
            let t = force.tangential;
            let all = [force.normal, t.x, t.y, t.z, m.x, m.y, m.z];
            numbers.copy_from_slice(&all[..numbers.len()]);
        }
        for (number, index) in rows.iter_mut().zip(self.island.rows) {
            *number = self.rows.row_impulse(*index as usize);
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
            self.impulses.set_wrench(*index as usize, &allowed(self.problem, *index, &wrench));
        }
        // rows whose bounds another row scales come second: they need that row's new impulse
        for coupled in [false, true] {
            for (number, index) in rows.iter().zip(self.island.rows) {
                let row = &self.problem.rows[*index as usize];
                if row.friction_row.is_some() == coupled {
                    let scale = row.friction_row.map_or(1.0, |scale| self.impulses.rows[scale as usize].abs());
                    self.impulses.rows[*index as usize] = row.bounded(*number, scale);
                }
            }
        }
        self.start();
    }

    fn residual(&mut self) -> f64 {
        self.settle();
        self.motion.residuals(self.problem, &self.island, self.impulses).0
    }

    fn weights(&self, weights: &mut [f64]) {
        let mass = |body: u32| self.problem.mass(body);
        let (contacts, rows) = weights.split_at_mut(self.stride() * self.island.contacts.len());
        for (numbers, index) in contacts.chunks_exact_mut(self.stride()).zip(self.island.contacts) {
            let (contact, besides) = self.problem.whole(*index as usize);
            let Measure { scale, length } = contact.measure(mass(contact.body_a), mass(contact.body_b), besides);
            for (k, weight) in numbers.iter_mut().enumerate() {
                *weight = if k < 4 { scale } else { scale / length };
            }
        }
        for (weight, index) in rows.iter_mut().zip(self.island.rows) {
            let row = &self.problem.rows[*index as usize];
            let Measure { scale, length } = row.measure(mass(row.body_a), mass(row.body_b));
            *weight = scale * length;
        }
    }

    fn period(&self) -> u32 {
        self.order.period()
    }
}

/// The nearest impulse that the law of a contact of the problem allows.
pub(super) fn allowed(problem: &Problem, index: u32, impulse: &ImpulsiveWrench) -> ImpulsiveWrench {
    let (contact, besides) = problem.whole(index as usize);
    if problem.friction == Friction::Box {
        return allowed_in_box((contact, besides), impulse);
    }
    let measure = contact.measure(problem.mass(contact.body_a), problem.mass(contact.body_b), besides);
    let (twisting, rolling) = contact.split(&impulse.torque);
    let parts = Parts { normal: impulse.force.normal, bounded: [impulse.force.tangential, rolling, twisting] };
    let onto = contact.cone(besides).projected_at(&parts, measure.length);
    let [tangential, rolling, twisting] = onto.bounded;
    ImpulsiveWrench { force: Impulse::force(onto.normal, tangential), torque: rolling + twisting }
}

/// The same row by row.
fn allowed_in_box((contact, besides): WholeContact, impulse: &ImpulsiveWrench) -> ImpulsiveWrench {
    let normal = impulse.force.normal.max(0.0);
    let mut onto = ImpulsiveWrench::from(Impulse::force(normal, Vec3::zeros()));
    for row in box_rows(contact, besides).skip(1) {
        let Jacobian { linear, angular } = row.jacobian_b;
        if linear != Vec3::zeros() {
            onto.force.tangential += row.bounded(linear.dot(&impulse.force.tangential), normal) * linear;
        } else {
            onto.torque += row.bounded(angular.dot(&impulse.torque), normal) * angular;
        }
    }
    onto
}
