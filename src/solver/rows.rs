//! All rows of a problem prepared for the sweep, and the sweep.
//!
//! Contacts stand in batches of eight, central ones and general ones apart ([`seats`]); scalar rows stand alone. In which
//! order they are visited is told by [`plan`]: tiles of space first, then the contacts between tiles, colour by colour, so
//! that several threads can work on a sweep and its result does not depend on how many they are.

pub(in crate::solver) mod kernels;
mod measured;
pub(super) mod plan;
mod prepare;
pub(super) mod seats;
pub(super) mod window;

use crate::error::{Result, reserve};
use crate::math::Vec3;
use crate::math::lanes::distances::{CONTACTS_AHEAD, FEW_BODIES};
use crate::math::lanes::{Level, Lines, WIDE, Wide};
use crate::solver::islands::Island;
use crate::solver::order::{Order, shuffle};
use crate::solver::problem::{Aim, Aims, Impulse, Impulses, ImpulsiveWrench, MassInverse, Relative, Velocity};
use crate::solver::rows::measured::normal_velocity;
use crate::solver::rows::plan::{Plan, Planner};
use crate::solver::rows::seats::Seats;
use crate::solver::scalar::ScalarRow;
use crate::solver::wide::central::CentralBatch;
use crate::solver::wide::general::GeneralBatch;
use crate::solver::wide::{SweepContext, lines};
use crate::tasks::{Tasks, each_piece};

/// These bits of a visit say of which kind the row is; the rest is its index, of a contact in batches its lane.
const KIND: u32 = 3 << 30;
const CENTRAL: u32 = 0;
const GENERAL: u32 = 1 << 30;
const SCALAR: u32 = 2 << 30;

/// Contacts that are read at a time.
const CONTACTS_PER_PIECE: usize = 1024;

/// Bodies whose lines are written at a time.
const LINES_PER_PIECE: usize = 1024;

/// No contact.
const NONE: u32 = u32::MAX;

/// Whether a contact has a place among the rows: those of no island have none.
fn has_lane(visit: u32) -> bool {
    visit | KIND != u32::MAX
}

/// The rows, each kind in an array of its own, those of an island side by side.
#[derive(Debug, Default)]
pub(super) struct Rows {
    /// How wide the kernels run.
    level: Level,
    /// The lines of the bodies, the resting one last.
    bodies: Vec<Wide>,
    /// What general contacts need of their masses besides; one for each body where there are any.
    masses: Vec<Wide>,
    central: Seats<CentralBatch>,
    general: Seats<GeneralBatch>,
    /// Those of the problem, then if friction is a box those of the contacts (see `box_rows`).
    scalar: Vec<ScalarRow>,
    /// The visit of each contact (of its normal row).
    contacts: Vec<u32>,
    /// The contacts that have no lane.
    unseated: Vec<u32>,
    /// Whether any contact resists turning.
    resists_turning: bool,
    /// What is visited one by one: scalar rows, or all rows where the order is not that of batches.
    visits: Vec<u32>,
    /// The same before any shuffle, for random orders.
    unshuffled: Vec<u32>,
    /// What belongs to each island.
    shares: Vec<Share>,
    planner: Planner,
    /// What the position pass is to do at contacts with box friction, whose rows are scalar: one for each contact, or none.
    aims: Vec<Aim>,
    /// For what the contacts have their lanes; none where they have none.
    layout: Option<(Order, bool)>,
}

/// What belongs to one island.
#[derive(Debug, Clone, Copy, Default)]
struct Share {
    visits: [u32; 2],
    central: Plan,
    general: Plan,
}

/// How a sweep is done.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pass<'a> {
    /// The order of the visits.
    pub(super) order: Order,
    /// Factor on the change of every row.
    pub(super) relaxation: f64,
    /// Whether anybody asks how much the velocities change.
    pub(super) measured: bool,
    /// Who does it.
    pub(super) tasks: &'a dyn Tasks,
}

impl Rows {
    /// Whether the impulses of some rows bound those of others that are visited apart from them.
    pub(super) fn bound_each_other(&self) -> bool {
        !self.scalar.is_empty()
    }

    /// Plans with this room for the order of the contacts, or gives it back.
    pub(super) fn exchange_room(&mut self, room: &mut Vec<u32>) {
        self.planner.exchange_room(room);
    }

    /// Whether any contact carries torques.
    pub(super) fn carry_torques(&self) -> bool {
        self.resists_turning
    }

    /// The scalar rows of a contact with box friction.
    fn box_of(&self, contact: usize) -> std::ops::Range<usize> {
        let place = |visit: &u32| (visit & !KIND) as usize;
        let end = self.contacts.get(contact + 1).map_or(self.scalar.len(), place);
        place(&self.contacts[contact])..end
    }

    /// Sets the impulses of scalar rows, without applying them to the velocities: contacts in batches have theirs.
    pub(super) fn set_scalars(&mut self, impulses: &Impulses) {
        for (row, lambda) in self.scalar.iter_mut().zip(&impulses.rows) {
            row.lambda = *lambda;
        }
        if self.scalar.is_empty() {
            return;
        }
        for contact in 0..impulses.contacts.len() {
            if self.contacts[contact] & KIND != SCALAR {
                continue;
            }
            let (rows, impulse) = (self.box_of(contact), impulses.wrench(contact));
            self.scalar[rows].iter_mut().for_each(|row| row.set(&impulse));
        }
    }

    /// Writes the impulses of everything; contacts that belong to no island have none.
    pub(super) fn read_all(&self, impulses: &mut Impulses, tasks: &dyn Tasks) {
        for (lambda, row) in impulses.rows.iter_mut().zip(&self.scalar) {
            *lambda = row.lambda;
        }
        each_piece(tasks, CONTACTS_PER_PIECE, &mut impulses.contacts, |first, impulses| {
            for (contact, impulse) in (first..).zip(impulses) {
                self.prefetch_impulses(contact);
                match has_lane(self.contacts[contact]) {
                    true => self.read_force(contact, impulse),
                    false => *impulse = Impulse::ZERO,
                }
            }
        });
        each_piece(tasks, CONTACTS_PER_PIECE, &mut impulses.torques, |first, torques| {
            for (contact, torque) in (first..).zip(torques) {
                self.prefetch_impulses(contact);
                *torque = if has_lane(self.contacts[contact]) { self.torque(contact) } else { Vec3::zeros() };
            }
        });
    }

    /// Prefetches the impulses of a contact behind this one, once for each batch.
    #[inline(always)]
    fn prefetch_impulses(&self, contact: usize) {
        let visit = match self.contacts.get(contact + CONTACTS_AHEAD) {
            Some(visit) if self.bodies.len() > FEW_BODIES && visit.is_multiple_of(WIDE as u32) => *visit,
            _ => return,
        };
        let index = (visit & !KIND) as usize;
        match visit & KIND {
            CENTRAL => self.central.prefetch_impulses(index),
            GENERAL => self.general.prefetch_impulses(index),
            _ => {}
        }
    }

    /// Sets the impulses of an island, without applying them to the velocities.
    pub(super) fn set(&mut self, island: Island, impulses: &Impulses) {
        for row in island.rows {
            self.scalar[*row as usize].lambda = impulses.rows[*row as usize];
        }
        for contact in island.contacts {
            let at = *contact as usize;
            let impulse = &impulses.wrench(at);
            let visit = self.contacts[at];
            let index = (visit & !KIND) as usize;
            match visit & KIND {
                CENTRAL => self.central.set(index, impulse),
                GENERAL => self.general.set(index, impulse),
                _ => {
                    let rows = self.box_of(at);
                    self.scalar[rows].iter_mut().for_each(|row| row.set(impulse));
                }
            }
        }
    }

    /// The lines of the bodies, as they were moved last; after the position pass by their displacements.
    pub(super) fn bodies(&self) -> &[Wide] {
        &self.bodies
    }

    /// The velocities that the sweeps work on.
    #[cfg(test)]
    pub(super) fn velocity(&self, body: usize) -> Velocity {
        lines::velocity(&self.bodies[body])
    }

    /// Lets the bodies of an island move as `velocities` say.
    pub(super) fn move_bodies(&mut self, island: Island, velocities: &[Velocity]) {
        for body in island.bodies {
            lines::set_velocity(&mut self.bodies[*body as usize], &velocities[*body as usize]);
        }
    }

    /// The sweep of this `number` over an island. Returns the largest change of a row's velocity [m/s], or nothing of use
    /// where it is not measured.
    pub(super) fn sweep(&mut self, masses: &[MassInverse], island: usize, number: u32, pass: &Pass) -> f64 {
        let Share { visits: [first, end], central, general } = self.shares[island];
        let range = first as usize..end as usize;
        if let Order::Random(seed) = pass.order {
            let visits = &mut self.visits[range.clone()];
            visits.copy_from_slice(&self.unshuffled[range.clone()]);
            shuffle(visits, seed, number);
        }
        let back = pass.order == Order::Symmetric && number % 2 == 1;
        let mut largest = 0.0;
        for step in 0..range.len() {
            let at = if back { range.end - 1 - step } else { range.start + step };
            largest = f64::max(largest, self.visit(masses, self.visits[at], pass));
        }
        let Self { central: centrals, general: generals, bodies, masses, level, planner, .. } = self;
        let ground =
            SweepContext { bodies: Lines::new(bodies), masses: Lines::new(masses), relaxation: pass.relaxation };
        largest = largest.max(centrals.sweep(&central, planner, ground, *level, pass));
        largest = largest.max(generals.sweep(&general, planner, ground, *level, pass));
        largest.sqrt()
    }

    /// One row. Returns the square of the change of its velocity [m^2/s^2].
    fn visit(&mut self, masses: &[MassInverse], visit: u32, pass: &Pass) -> f64 {
        let Self { central, general, scalar, bodies, masses: lines, .. } = self;
        let index = (visit & !KIND) as usize;
        if visit & KIND == SCALAR {
            let scale = scalar[index].scale as usize;
            let scale = if scale == index { 1.0 } else { scalar[scale].lambda.abs() };
            return scalar[index].relax(masses, bodies, scale, pass.relaxation);
        }
        let ground =
            SweepContext { bodies: Lines::new(bodies), masses: Lines::new(lines), relaxation: pass.relaxation };
        if visit & KIND == CENTRAL { central.relax(index, ground) } else { general.relax(index, ground) }
    }

    /// Adds to the velocities of the bodies of an island what the present impulses change.
    pub(super) fn apply(&mut self, masses: &[MassInverse], island: usize, tasks: &dyn Tasks) {
        let Self { central, general, scalar, bodies, masses: lines, level, planner, shares, visits, .. } = self;
        let Share { visits: [first, end], central: centrals, general: generals } = &shares[island];
        for visit in &visits[*first as usize..*end as usize] {
            let index = (visit & !KIND) as usize;
            let ground = SweepContext { bodies: Lines::new(bodies), masses: Lines::new(lines), relaxation: 1.0 };
            match visit & KIND {
                SCALAR => scalar[index].apply(masses, bodies, scalar[index].lambda),
                CENTRAL => central.apply(index, ground),
                _ => general.apply(index, ground),
            }
        }
        let ground = SweepContext { bodies: Lines::new(bodies), masses: Lines::new(lines), relaxation: 1.0 };
        central.apply_all(centrals, planner, ground, *level, tasks);
        general.apply_all(generals, planner, ground, *level, tasks);
    }

    /// Whether [`Rows::sum`] tells all of the impulses: scalar rows are not in lanes.
    pub(super) fn can_sum(&self) -> bool {
        self.scalar.is_empty()
    }

    /// Adds the present impulses of an island up on the lines of its bodies, which are at [`rest`](Rows::rest): in place of velocities
    /// there are the sums then, linear [N s] and about the centres of mass [N m s].
    pub(super) fn sum(&mut self, island: usize, tasks: &dyn Tasks) {
        let Self { central, general, bodies, masses: lines, level, planner, shares, visits, .. } = self;
        let Share { visits: [first, end], central: centrals, general: generals } = &shares[island];
        let ground = SweepContext { bodies: Lines::new(bodies), masses: Lines::new(lines), relaxation: 1.0 };
        for visit in &visits[*first as usize..*end as usize] {
            let index = (visit & !KIND) as usize;
            if visit & KIND == CENTRAL { central.sum(index, ground) } else { general.sum(index, ground) }
        }
        central.sum_all(centrals, planner, ground, *level, tasks);
        general.sum_all(generals, planner, ground, *level, tasks);
    }

    /// How many parts are swept one after the other.
    pub(super) fn parts(&self) -> usize {
        self.shares.len()
    }

    /// Brings the lines of some bodies to rest.
    pub(super) fn rest_bodies(&mut self, bodies: &[u32]) {
        for body in bodies {
            let line = &mut self.bodies[*body as usize];
            *line = lines::at_rest(line);
        }
    }

    /// Measures the contacts of each kind at these velocities and their present impulses, those that can be.
    pub(super) fn measure(&mut self, velocities: &[Velocity], tasks: &dyn Tasks) -> Result<()> {
        let Self { central, general, bodies, masses, level, .. } = self;
        each_piece(tasks, LINES_PER_PIECE, bodies, |first, lines| {
            for (line, velocity) in lines.iter_mut().zip(velocities.get(first..).unwrap_or_default()) {
                lines::set_velocity(line, velocity);
            }
        });
        let ground = SweepContext { bodies: Lines::new(bodies), masses: Lines::new(masses), relaxation: 1.0 };
        central.measure(ground, *level, tasks)?;
        general.measure(ground, *level, tasks)
    }

    /// Whether none of the contacts is left to be measured alone.
    pub(super) fn measure_all(&self) -> bool {
        let have_lanes = self.scalar.is_empty() && self.unseated.is_empty();
        have_lanes && self.central.is_measured() && self.general.is_measured()
    }

    /// Whether that many contacts are all that there is, and were all measured.
    pub(super) fn has_measured(&self, contacts: usize) -> bool {
        let have_lanes = self.contacts.len() == contacts && self.scalar.is_empty() && self.unseated.is_empty();
        have_lanes && self.central.has_measured() && self.general.has_measured()
    }

    /// Whether what was measured has made room for the position pass.
    pub(super) fn have_aimed(&self) -> bool {
        self.central.has_aimed() || self.general.has_aimed()
    }

    /// What was measured is of other impulses.
    pub(super) fn forget_measured(&mut self) {
        self.central.forget_measured();
        self.general.forget_measured();
    }

    /// The multiplier of a contact in the position pass; only central contacts have any.
    #[inline]
    pub(super) fn multiplier(&self, contact: usize) -> f64 {
        match self.contacts.get(contact) {
            Some(visit) if visit & KIND == CENTRAL => self.central.multiplier((visit & !KIND) as usize),
            _ => 0.0,
        }
    }

    /// How fast a contact that resists turning rolls, if it was measured [m/s].
    pub(super) fn rolling_speed(&self, contact: usize) -> Option<f64> {
        let visit = self.contacts.get(contact).filter(|visit| *visit & KIND == CENTRAL)?;
        self.central.rolling_speed((visit & !KIND) as usize)
    }

    /// The residual of a contact, if it was measured and the position pass has not begun [m/s].
    #[inline]
    pub(super) fn residual(&self, contact: usize) -> Option<f64> {
        let visit = *self.contacts.get(contact)?;
        let lane = (visit & !KIND) as usize;
        match visit & KIND {
            CENTRAL => self.central.residual(lane),
            GENERAL => self.general.residual(lane),
            _ => None,
        }
    }

    /// Prepares the position pass, which is to do what is `asked`; of contacts that were not measured here, `alone` has how they move.
    /// Central ones are to start from this `part` of their multipliers, all others from none. Returns the largest target of central
    /// contacts, and of the others.
    pub(super) fn aim(
        &mut self,
        (asked, alone): (&impl Aims, &[Relative]),
        part: f64,
        tasks: &dyn Tasks,
    ) -> Result<[f64; 2]> {
        let Self { central, general, scalar, contacts, aims, .. } = self;
        let opened = central.aim((asked, alone), part, tasks)?;
        let mut others = general.aim((asked, alone), 0.0, tasks)?;
        aims.clear();
        if !scalar.is_empty() {
            reserve(aims, contacts.len(), "contacts of the position pass")?;
            let aim = |contact: u32| asked.of(contact, normal_velocity(alone, contact as usize));
            aims.extend((0..contacts.len() as u32).map(|contact| Aim { multiplier: 0.0, ..aim(contact) }));
            let boxes = aims.iter().zip(contacts).filter(|(_, visit)| **visit & KIND == SCALAR);
            others = boxes.fold(others, |largest, (aim, _)| largest.max(aim.target));
        }
        Ok([opened, others])
    }

    /// Brings all lines to rest, before they take the displacements of the position pass.
    pub(super) fn rest(&mut self, tasks: &dyn Tasks) {
        each_piece(tasks, LINES_PER_PIECE, &mut self.bodies, |_, lines| {
            lines.iter_mut().for_each(|line| *line = lines::at_rest(line));
        });
    }

    /// Adds to the displacements what the multipliers make of them from which central contacts start.
    pub(super) fn shift(&mut self, tasks: &dyn Tasks) {
        let Self { central, bodies, masses: lines, level, planner, shares, visits, .. } = self;
        let ground = SweepContext { bodies: Lines::new(bodies), masses: Lines::new(lines), relaxation: 1.0 };
        for visit in visits.iter().filter(|visit| **visit & KIND == CENTRAL) {
            central.shift((visit & !KIND) as usize, ground);
        }
        for share in shares {
            central.shift_all(&share.central, planner, ground, *level, tasks);
        }
    }

    /// No contact has a multiplier.
    pub(super) fn forget_multipliers(&mut self) {
        self.central.forget_multipliers();
    }

    /// One sweep of the position pass over all islands. Returns the farthest that a contact was opened [m].
    pub(super) fn push(&mut self, masses: &[MassInverse], tasks: &dyn Tasks) -> f64 {
        let mut farthest = 0.0;
        for at in 0..self.visits.len() {
            let visit = self.visits[at];
            let index = (visit & !KIND) as usize;
            let moved = if visit & KIND == SCALAR {
                let row = &self.scalar[index];
                let contact = row.contact as usize;
                if row.contact == NONE {
                    continue;
                }
                row.push(masses, &mut self.bodies, &mut self.aims[contact])
            } else {
                let Self { central, general, bodies, masses: lines, .. } = self;
                let ground = SweepContext { bodies: Lines::new(bodies), masses: Lines::new(lines), relaxation: 1.0 };
                if visit & KIND == CENTRAL { central.push(index, ground) } else { general.push(index, ground) }
            };
            farthest = f64::max(farthest, moved);
        }
        let Self { central, general, bodies, masses: lines, level, planner, shares, .. } = self;
        let ground = SweepContext { bodies: Lines::new(bodies), masses: Lines::new(lines), relaxation: 1.0 };
        for share in shares {
            farthest = farthest.max(central.push_all(&share.central, planner, ground, *level, tasks));
            farthest = farthest.max(general.push_all(&share.general, planner, ground, *level, tasks));
        }
        farthest
    }

    /// Writes the impulses of an island.
    pub(super) fn read(&self, island: Island, impulses: &mut Impulses) {
        for row in island.rows {
            impulses.rows[*row as usize] = self.row_impulse(*row as usize);
        }
        for contact in island.contacts {
            self.read_force(*contact as usize, &mut impulses.contacts[*contact as usize]);
        }
        if !impulses.torques.is_empty() {
            for contact in island.contacts {
                impulses.torques[*contact as usize] = self.torque(*contact as usize);
            }
        }
    }

    /// The impulse of a scalar row of the problem.
    pub(super) fn row_impulse(&self, row: usize) -> f64 {
        self.scalar[row].lambda
    }

    /// The impulse of a contact of the problem.
    pub(super) fn contact_impulse(&self, contact: usize) -> ImpulsiveWrench {
        let mut force = Impulse::ZERO;
        self.read_force(contact, &mut force);
        ImpulsiveWrench { force, torque: self.torque(contact) }
    }

    /// Writes the impulse of the force of a contact of the problem; in place, since copies of such size wait for what was written just before.
    #[inline]
    fn read_force(&self, contact: usize, impulse: &mut Impulse) {
        let visit = self.contacts[contact];
        let index = (visit & !KIND) as usize;
        match visit & KIND {
            CENTRAL => self.central.read(index, impulse),
            GENERAL => self.general.read(index, impulse),
            _ => *impulse = self.box_impulse(contact).force,
        }
    }

    /// The impulse of the torque of a contact of the problem.
    fn torque(&self, contact: usize) -> Vec3 {
        let visit = self.contacts[contact];
        let index = (visit & !KIND) as usize;
        match visit & KIND {
            CENTRAL => self.central.torque(index),
            GENERAL => self.general.torque(index),
            _ => self.box_impulse(contact).torque,
        }
    }

    /// The impulse of a contact with box friction.
    fn box_impulse(&self, contact: usize) -> ImpulsiveWrench {
        let rows = &self.scalar[self.box_of(contact)];
        let normal = rows.first().map_or(0.0, |row| row.lambda);
        let mut impulse = ImpulsiveWrench::from(Impulse::force(normal, Vec3::zeros()));
        rows.iter().skip(1).for_each(|row| row.add_to(&mut impulse));
        impulse
    }
}
