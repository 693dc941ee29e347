//! An island of bodies as something that can be swept, and the sums that turn impulses into velocities.

use crate::error::{Result, resize};
use crate::math::Vec3;
use crate::math::lanes::{Kernel, Lanes, Level, Lines, Vec3s, WIDE, Wide, dispatch, put, take};
use crate::solver::box_friction::box_rows;
use crate::solver::cone::Parts;
use crate::solver::islands::Island;
use crate::solver::lane_contacts::{LaneContacts, in_batches, occupied};
use crate::solver::measure::FilledContacts;
use crate::solver::order::Order;
use crate::solver::problem::{
    Contact, Friction, Impulse, Impulses, ImpulsiveWrench, Jacobian, Measure, Problem, Velocity, WholeContact,
};
use crate::solver::residual::{contact_residual, row_residual};
use crate::solver::rows::{Pass, Rows};
use crate::solver::sweeps::Sweeps;
use crate::solver::wide::lines;
use crate::tasks::{Tasks, each_pair_of_pieces, each_piece};

/// Velocities of bodies, and the impulses on them in sum; one more of each for the fixed world.
#[derive(Debug, Default)]
pub(super) struct Motion {
    pub(super) velocities: Vec<Velocity>,
    pub(super) totals: Vec<Velocity>,
    /// Scratch buffer: the impulses of contacts on bodies that none moves.
    pub(super) reactions: Vec<Reaction>,
}

/// A body, and the impulse of one contact on it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reaction {
    body: u32,
    impulse: Velocity,
}

/// Bodies whose sums are read at a time.
const PIECE: usize = 256;

/// Contacts whose impulses are computed at a time.
const CONTACTS_PER_PIECE: usize = 256;

impl Motion {
    /// `v+ = vhat + M^-1 G^T lambda` of the bodies of an island from its impulses, in one sum for each body, so that
    /// momentum balances to round-off however many sweeps went before.
    pub(super) fn balance(&mut self, problem: &Problem, island: &Island, impulses: &Impulses) {
        let resting = problem.masses.len();
        for body in island.bodies {
            self.totals[*body as usize] = Velocity::ZERO;
        }
        in_batches(island.contacts.iter().copied(), |_, batches| {
            let contact = |contact: usize| problem.contacts[contact];
            each_on_bodies(
                batches,
                contact,
                |contact| impulses.wrench(contact),
                |_, bodies, sums| {
                    for (body, Velocity { linear, angular }) in bodies.into_iter().zip(sums) {
                        let total = &mut self.totals[(body as usize).min(resting)];
                        total.linear += linear;
                        total.angular += angular;
                    }
                },
            );
        });
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

    /// The same of one body whose impulses are summed up on its line.
    fn balance_summed(
        (problem, body): (&Problem, usize),
        line: &Wide,
        (total, velocity): (&mut Velocity, &mut Velocity),
    ) {
        *total = lines::velocity(line);
        *velocity = problem.velocities[body];
        // to a body that nothing touches nothing is added, not even a zero
        if *total != Velocity::ZERO {
            problem.masses[body].apply(velocity, &total.linear, &total.angular);
        }
    }

    /// [`Motion::balance`] of the bodies of an island, whose impulses are summed up on their `lines`.
    fn balance_island(&mut self, problem: &Problem, bodies: &[u32], lines: &[Wide]) {
        for body in bodies {
            let body = *body as usize;
            let sums = (&mut self.totals[body], &mut self.velocities[body]);
            Self::balance_summed((problem, body), &lines[body], sums);
        }
    }

    /// Does the same for all bodies of a problem, whose impulses are summed up on their `lines`.
    pub(super) fn balance_bodies(&mut self, problem: &Problem, lines: &[Wide], tasks: &dyn Tasks) {
        let bodies = problem.masses.len();
        let pieces = (&mut self.totals[..bodies], &mut self.velocities[..bodies]);
        each_pair_of_pieces(tasks, PIECE, pieces, |first, totals, velocities| {
            for (body, sums) in (first..).zip(totals.iter_mut().zip(velocities)) {
                Self::balance_summed((problem, body), &lines[body], sums);
            }
        });
    }

    /// Adds the impulses on bodies that no impulse moves to their sums: of the `reacting` contacts, which are between such a body and
    /// another one.
    pub(super) fn add_reactions(
        &mut self,
        problem: &Problem,
        reacting: &[u32],
        contacts: &FilledContacts,
        tasks: &dyn Tasks,
    ) -> Result<()> {
        let Self { totals, reactions, .. } = self;
        // What is there already is written over.
        reactions.truncate(reacting.len());
        resize(reactions, reacting.len(), Reaction { body: 0, impulse: Velocity::ZERO }, "contacts")?;
        each_piece(tasks, CONTACTS_PER_PIECE, reactions, |first, reactions| {
            let numbers = reacting[first..first + reactions.len()].iter().copied();
            in_batches(numbers, |begin, batches| {
                let (contact, impulse) = (|contact| contacts.contact(contact), |contact| contacts.impulse(contact));
                each_on_bodies(batches, contact, impulse, |at, bodies, on_bodies| {
                    let side = usize::from(problem.moves(bodies[0]));
                    reactions[begin + at] = Reaction { body: bodies[side], impulse: on_bodies[side] };
                });
            });
        });
        for Reaction { body, impulse } in &*reactions {
            if let Some(total) = totals.get_mut(*body as usize) {
                total.linear += impulse.linear;
                total.angular += impulse.angular;
            }
        }
        Ok(())
    }

    /// The velocity of a body; of the fixed world it is zero.
    pub(super) fn velocity(&self, body: u32) -> &Velocity {
        &self.velocities[(body as usize).min(self.velocities.len() - 1)]
    }

    /// Returns the residual of a contact of a problem that lists it [m/s].
    pub(super) fn contact_residual(&self, problem: &Problem, index: usize, impulses: &Impulses) -> f64 {
        self.residual_of(problem, problem.whole(index), &impulses.wrench(index))
    }

    /// Returns the residual of a contact that carries `impulse` [m/s].
    pub(super) fn residual_of(&self, problem: &Problem, whole: WholeContact, impulse: &ImpulsiveWrench) -> f64 {
        let pair = [self.velocity(whole.0.body_a), self.velocity(whole.0.body_b)];
        contact_residual(problem, whole, pair, impulse)
    }

    /// Returns the velocity of b relative to a along the normal of a contact [m/s].
    pub(super) fn normal_velocity(&self, contact: &Contact) -> f64 {
        let (v_a, v_b) = (self.velocity(contact.body_a), self.velocity(contact.body_b));
        contact.normal.dot(&contact.relative_velocity(v_a, v_b))
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

/// Calls `work` for the contacts of some batches, one by one, with the place of each among all lanes, its bodies, its impulse on them, and the
/// moment of that about their centres of mass. `contact` returns the contact of a number.
#[inline]
fn each_on_bodies(
    batches: &[LaneContacts],
    contact: impl Fn(usize) -> Contact,
    impulse: impl Fn(usize) -> ImpulsiveWrench,
    mut work: impl FnMut(usize, [u32; 2], [Velocity; 2]),
) {
    let mut on = OnBodies { impulse: [ZERO; 3], moments: [[ZERO; 3]; 2] };
    for (at, lanes) in batches.iter().enumerate() {
        let (mut geometry, mut bodies) = (Geometry::NONE, [[0; 2]; WIDE]);
        // Impulse and torque of each contact, a line.
        let mut impulses = [ZERO; WIDE];
        for (lane, number) in occupied(lanes) {
            let Contact { body_a, body_b, normal, arm_a, arm_b, .. } = contact(number);
            put(&mut geometry.normal, lane, &normal);
            put(&mut geometry.arms[0], lane, &arm_a);
            put(&mut geometry.arms[1], lane, &arm_b);
            bodies[lane] = [body_a, body_b];
            let ImpulsiveWrench { force: Impulse { normal, tangential: t }, torque } = impulse(number);
            impulses[lane] = Wide([normal, t.x, t.y, t.z, torque.x, torque.y, torque.z, 0.0]);
        }
        dispatch(Level::best(), Moments { geometry: &geometry, impulses: &impulses, on: &mut on });
        for (lane, _) in occupied(lanes) {
            let linear = take(&on.impulse, lane);
            let on_bodies = [
                Velocity { linear: -linear, angular: take(&on.moments[0], lane) },
                Velocity { linear, angular: take(&on.moments[1], lane) },
            ];
            work(WIDE * at + lane, bodies[lane], on_bodies);
        }
    }
}

const ZERO: Wide = Wide::splat(0.0);

/// The impulses of the contacts of a batch on bodies b, and their moments about the centres of mass of a and b, with the torques.
struct OnBodies {
    impulse: [Wide; 3],
    moments: [[Wide; 3]; 2],
}

/// Normals and arms of the contacts of a batch.
struct Geometry {
    normal: [Wide; 3],
    arms: [[Wide; 3]; 2],
}

impl Geometry {
    const NONE: Self = Self { normal: [ZERO; 3], arms: [[ZERO; 3]; 2] };
}

/// Computes the impulses and moments of a batch.
struct Moments<'a> {
    geometry: &'a Geometry,
    impulses: &'a [Wide; WIDE],
    on: &'a mut OnBodies,
}

impl Kernel for Moments<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { geometry, impulses, on } = self;
        let (lines, places) = (Lines::read_only(impulses), &[0, 1, 2, 3, 4, 5, 6, 7]);
        let mut first = 0;
        while first < WIDE {
            let [along, x, y, z, torque_x, torque_y, torque_z, _] = L::gather(lines, places, first);
            let torque = Vec3s::new(torque_x, torque_y, torque_z);
            let vector = Vec3s::load(&geometry.normal, first) * along + Vec3s::new(x, y, z);
            vector.store(&mut on.impulse, first);
            (-(Vec3s::load(&geometry.arms[0], first).cross(vector) + torque)).store(&mut on.moments[0], first);
            (Vec3s::load(&geometry.arms[1], first).cross(vector) + torque).store(&mut on.moments[1], first);
            first += L::WIDTH;
        }
    }
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
        if self.rows.can_sum() {
            self.rows.rest_bodies(self.island.bodies);
            self.rows.sum(self.number, self.tasks);
            self.motion.balance_island(self.problem, self.island.bodies, self.rows.bodies());
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
