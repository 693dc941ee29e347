//! All rows of a problem prepared for the sweep, each kind in an array of its own, and the order of the visits.

mod prepare;

use crate::error::{Result, resize};
use crate::math::Vec3;
use crate::math::lanes::{Kernel, Lanes, Level, Lines, WIDE, Wide, dispatch, prefetch};
use crate::solver::general::GeneralRow;
use crate::solver::islands::Island;
use crate::solver::order::{Batches, Order, Packer, shuffle};
use crate::solver::problem::{Impulse, Impulses, MassInverse, Velocity};
use crate::solver::rolling::RollingRow;
use crate::solver::scalar::ScalarRow;
use crate::solver::wide::central::{self, CentralBatch, CentralTorques, Extra};
use crate::solver::wide::lines;

/// These bits of a visit say of which kind the row is; the rest is its index, of a contact in batches its lane.
const KIND: u32 = 3 << 30;
const CENTRAL: u32 = 0;
const GENERAL: u32 = 1 << 30;
const SCALAR: u32 = 2 << 30;
const ROLLING: u32 = 3 << 30;

/// No row.
const NONE: u32 = u32::MAX;

/// The rows, each kind in an array of its own, those of an island side by side.
#[derive(Debug, Default)]
pub(super) struct Rows {
    /// How wide the kernels run.
    level: Level,
    /// The lines of the bodies, the resting one last.
    bodies: Vec<Wide>,
    central: Central,
    general: Vec<GeneralRow>,
    /// Those of the problem, then if friction is a box those of the contacts (see `box_rows`).
    scalar: Vec<ScalarRow>,
    rolling: Vec<RollingRow>,
    /// How many of the scalar rows are the problem's own.
    own_scalars: usize,
    /// The visit of each contact (of its normal row).
    contacts: Vec<u32>,
    /// The visit of each contact's torque row, or [`NONE`]; empty where no general contact resists turning.
    torques: Vec<u32>,
    /// Whether any contact resists turning.
    resists_turning: bool,
    /// What is visited one by one: rows that stand in no batch, or all of them where the order is not that of batches.
    visits: Vec<u32>,
    /// The same before any shuffle, for random orders.
    unshuffled: Vec<u32>,
    /// What belongs to each island.
    shares: Vec<Share>,
    packer: Packer,
    batches: Batches,
}

/// The central contacts, eight to a batch.
#[derive(Debug, Default)]
struct Central {
    batches: Vec<CentralBatch>,
    /// One for each batch, or none where no contact has any.
    extras: Vec<Extra>,
    /// One for each batch, or none where no contact resists turning.
    torques: Vec<CentralTorques>,
    /// The contact in each lane, or [`NONE`].
    contacts: Vec<[u32; WIDE]>,
    /// How many lanes are taken.
    lanes: u32,
    /// Of the position pass.
    targets: Vec<Wide>,
    multipliers: Vec<Wide>,
}

/// What belongs to one island.
#[derive(Debug, Clone, Copy, Default)]
struct Share {
    visits: [u32; 2],
    /// Lanes of central contacts.
    central: Span,
}

/// Lanes from the first to before the second.
#[derive(Debug, Clone, Copy, Default)]
struct Span {
    first: u32,
    end: u32,
    /// Whether they are whole batches of contacts without a common moving body; else they are visited one by one.
    wide: bool,
}

impl Span {
    fn lanes(&self) -> std::ops::Range<usize> {
        self.first as usize..self.end as usize
    }

    fn batches(&self) -> std::ops::Range<usize> {
        self.first as usize / WIDE..self.end as usize / WIDE
    }
}

impl Rows {
    /// Whether the impulses of some rows bound those of others.
    pub(super) fn bound_each_other(&self) -> bool {
        self.resists_turning || !self.scalar.is_empty()
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

    /// Sets the impulses of an island, without applying them to the velocities.
    pub(super) fn set(&mut self, island: Island, impulses: &Impulses) {
        for row in island.rows {
            self.scalar[*row as usize].lambda = impulses.rows[*row as usize];
        }
        for contact in island.contacts {
            let at = *contact as usize;
            let impulse = &impulses.contacts[at];
            let visit = self.contacts[at];
            let index = (visit & !KIND) as usize;
            match visit & KIND {
                CENTRAL => self.central.set(index, impulse),
                GENERAL => self.general[index].set(impulse),
                _ => {
                    let rows = self.box_of(at);
                    self.scalar[rows].iter_mut().for_each(|row| row.set(impulse));
                }
            }
            if let Some(visit) = self.torques.get(at).filter(|visit| **visit != NONE) {
                // a row that no impulse moves took none, and carries no torque
                let pressed = self.contact_impulse(at).normal > 0.0;
                let torque = if pressed { impulse.torque } else { Vec3::zeros() };
                self.rolling[(visit & !KIND) as usize].set(&torque);
            }
        }
    }

    /// Lets the bodies of an island move as `velocities` say.
    pub(super) fn move_bodies(&mut self, island: Island, velocities: &[Velocity]) {
        for body in island.bodies {
            lines::set_velocity(&mut self.bodies[*body as usize], &velocities[*body as usize]);
        }
    }

    /// One sweep over an island. Returns the largest change of a row's velocity [m/s], or nothing of use where it is not
    /// `measured`.
    pub(super) fn sweep(
        &mut self,
        masses: &[MassInverse],
        island: usize,
        (order, sweep): (Order, u32),
        relaxation: f64,
        measured: bool,
    ) -> f64 {
        let Share { visits: [first, end], central } = self.shares[island];
        let range = first as usize..end as usize;
        if let Order::Random(seed) = order {
            let visits = &mut self.visits[range.clone()];
            visits.copy_from_slice(&self.unshuffled[range.clone()]);
            shuffle(visits, seed, sweep);
        }
        let mut largest = 0.0;
        for step in 0..range.len() {
            let back = order == Order::Symmetric && sweep % 2 == 1;
            let at = if back { range.end - 1 - step } else { range.start + step };
            largest = f64::max(largest, self.visit(masses, self.visits[at], relaxation));
        }
        if order == Order::Colored {
            largest = largest.max(self.sweep_central(central, relaxation, measured));
        }
        largest.sqrt()
    }

    /// One row. Returns the square of the change of its velocity [m^2/s^2].
    fn visit(&mut self, masses: &[MassInverse], visit: u32, relaxation: f64) -> f64 {
        let Self { central, general, scalar, rolling, bodies, .. } = self;
        let index = (visit & !KIND) as usize;
        match visit & KIND {
            CENTRAL => central.relax_lane(index, Lines::new(bodies), relaxation),
            GENERAL => general[index].relax(masses, bodies, relaxation),
            SCALAR => {
                let scale = scalar[index].scale as usize;
                let scale = if scale == index { 1.0 } else { scalar[scale].lambda.abs() };
                scalar[index].relax(masses, bodies, scale, relaxation)
            }
            _ => {
                let owner = (rolling[index].owner & !KIND) as usize;
                let normal = general[owner].lambda[0];
                rolling[index].relax(masses, bodies, normal, relaxation)
            }
        }
    }

    fn sweep_central(&mut self, span: Span, relaxation: f64, measured: bool) -> f64 {
        let Self { central, bodies, level, .. } = self;
        if !span.wide {
            let lanes = span.lanes();
            return lanes.fold(0.0, |largest, lane| {
                f64::max(largest, central.relax_lane(lane, Lines::new(bodies), relaxation))
            });
        }
        let Central { batches, extras, torques, .. } = central;
        let range = span.batches();
        let sweep = CentralSweep {
            batches: &mut batches[range.clone()],
            extras: extras.get(range.clone()).unwrap_or_default(),
            torques: torques.get_mut(range).unwrap_or_default(),
            bodies: Lines::new(bodies),
            relaxation,
            measured,
        };
        dispatch(*level, sweep)
    }

    /// Prepares the position pass, whose `targets` are one for each contact.
    pub(super) fn aim(&mut self, targets: &[f64]) -> Result<()> {
        let Central { contacts, targets: wide, multipliers, .. } = &mut self.central;
        wide.clear();
        resize(wide, contacts.len(), Wide::splat(0.0), "targets of the position pass")?;
        multipliers.clear();
        resize(multipliers, contacts.len(), Wide::splat(0.0), "multipliers of the position pass")?;
        for (wide, contacts) in wide.iter_mut().zip(contacts) {
            for (value, contact) in wide.0.iter_mut().zip(contacts).filter(|(_, contact)| **contact != NONE) {
                *value = targets[*contact as usize];
            }
        }
        Ok(())
    }

    /// One sweep of the position pass over all islands. Returns the farthest that a contact was opened [m].
    pub(super) fn push(
        &mut self,
        masses: &[MassInverse],
        displacements: &mut [Wide],
        targets: &[f64],
        multipliers: &mut [f64],
    ) -> f64 {
        let mut farthest = 0.0;
        for visit in &self.visits {
            let index = (visit & !KIND) as usize;
            let moved = match visit & KIND {
                CENTRAL => self.central.push_lane(index, Lines::new(displacements)),
                GENERAL => {
                    let row = &self.general[index];
                    let at = row.contact as usize;
                    row.push(masses, displacements, targets[at], &mut multipliers[at])
                }
                SCALAR if self.scalar[index].contact != NONE => {
                    let row = &self.scalar[index];
                    let at = row.contact as usize;
                    row.push(masses, displacements, targets[at], &mut multipliers[at])
                }
                _ => 0.0,
            };
            farthest = f64::max(farthest, moved);
        }
        for share in &self.shares {
            let bodies = Lines::new(displacements);
            if share.central.wide {
                let range = share.central.batches();
                let push = CentralPush {
                    batches: &self.central.batches[range.clone()],
                    targets: &self.central.targets[range.clone()],
                    multipliers: &mut self.central.multipliers[range],
                    bodies,
                };
                farthest = farthest.max(dispatch(self.level, push));
            } else {
                for lane in share.central.lanes() {
                    farthest = farthest.max(self.central.push_lane(lane, bodies));
                }
            }
        }
        farthest
    }

    /// Writes the impulses of an island.
    pub(super) fn read(&self, island: Island, impulses: &mut Impulses) {
        for row in island.rows {
            impulses.rows[*row as usize] = self.row_impulse(*row as usize);
        }
        for contact in island.contacts {
            impulses.contacts[*contact as usize] = self.contact_impulse(*contact as usize);
        }
    }

    /// The impulse of a scalar row of the problem.
    pub(super) fn row_impulse(&self, row: usize) -> f64 {
        self.scalar[row].lambda
    }

    /// The impulse of a contact of the problem.
    pub(super) fn contact_impulse(&self, contact: usize) -> Impulse {
        let visit = self.contacts[contact];
        let index = (visit & !KIND) as usize;
        let mut impulse = match visit & KIND {
            CENTRAL => self.central.impulse(index),
            GENERAL => self.general[index].impulse(),
            _ => {
                let mut impulse = Impulse::force(self.scalar[index].lambda, Vec3::zeros());
                for row in self.scalar[self.box_of(contact)].iter().skip(1) {
                    row.add_to(&mut impulse);
                }
                impulse
            }
        };
        if let Some(visit) = self.torques.get(contact).filter(|visit| **visit != NONE) {
            impulse.torque = self.rolling[(visit & !KIND) as usize].torque();
        }
        impulse
    }
}

impl Central {
    fn set(&mut self, lane: usize, impulse: &Impulse) {
        let batch = &mut self.batches[lane / WIDE];
        batch.set(lane % WIDE, impulse);
        if let Some(torques) = self.torques.get_mut(lane / WIDE) {
            torques.set(batch, lane % WIDE, &impulse.torque);
        }
    }

    fn impulse(&self, lane: usize) -> Impulse {
        let batch = &self.batches[lane / WIDE];
        let mut impulse = batch.impulse(lane % WIDE);
        if let Some(torques) = self.torques.get(lane / WIDE) {
            impulse.torque = torques.torque(batch, lane % WIDE);
        }
        impulse
    }

    /// One contact alone.
    fn relax_lane(&mut self, lane: usize, bodies: Lines, relaxation: f64) -> f64 {
        let at = lane / WIDE;
        let (extra, torques) = (self.extras.get(at), self.torques.get_mut(at));
        central::relax::<f64, true>(&mut self.batches[at], extra, torques, bodies, lane % WIDE, relaxation)
    }

    fn push_lane(&mut self, lane: usize, bodies: Lines) -> f64 {
        let at = lane / WIDE;
        central::push(&self.batches[at], bodies, &self.targets[at], &mut self.multipliers[at], lane % WIDE)
    }
}

/// A sweep over batches of central contacts.
struct CentralSweep<'a> {
    batches: &'a mut [CentralBatch],
    extras: &'a [Extra],
    torques: &'a mut [CentralTorques],
    bodies: Lines<'a>,
    relaxation: f64,
    measured: bool,
}

/// So many batches ahead the lines of bodies are asked for, and the batches themselves.
const BODIES_AHEAD: usize = 2;
const BATCHES_AHEAD: usize = 6;

impl CentralSweep<'_> {
    #[inline(always)]
    fn all<L: Lanes, const MEASURED: bool>(self) -> f64 {
        let mut largest = Wide::splat(0.0);
        for at in 0..self.batches.len() {
            if let Some(soon) = self.batches.get(at + BODIES_AHEAD) {
                self.bodies.prefetch(&soon.places[0]);
                self.bodies.prefetch(&soon.places[1]);
            }
            if let Some(later) = self.batches.get(at + BATCHES_AHEAD) {
                let start: *const Wide = std::ptr::from_ref(later).cast();
                for line in 0..central::LINES {
                    prefetch(start.wrapping_add(line));
                }
            }
            let mut first = 0;
            while first < WIDE {
                let (extra, torques) = (self.extras.get(at), self.torques.get_mut(at));
                let batch = &mut self.batches[at];
                let changed = central::relax::<L, MEASURED>(batch, extra, torques, self.bodies, first, self.relaxation);
                if MEASURED {
                    changed.larger(L::load(&largest, first)).store(&mut largest, first);
                }
                first += L::WIDTH;
            }
        }
        largest.0.iter().copied().fold(0.0, f64::max)
    }
}

impl Kernel for CentralSweep<'_> {
    type Output = f64;

    #[inline(always)]
    fn run<L: Lanes>(self) -> f64 {
        if self.measured { self.all::<L, true>() } else { self.all::<L, false>() }
    }
}

/// The position pass over batches of central contacts.
struct CentralPush<'a> {
    batches: &'a [CentralBatch],
    targets: &'a [Wide],
    multipliers: &'a mut [Wide],
    bodies: Lines<'a>,
}

impl Kernel for CentralPush<'_> {
    type Output = f64;

    #[inline(always)]
    fn run<L: Lanes>(self) -> f64 {
        let mut farthest = Wide::splat(0.0);
        for (at, (batch, targets)) in self.batches.iter().zip(self.targets).enumerate() {
            if let Some(soon) = self.batches.get(at + BODIES_AHEAD) {
                self.bodies.prefetch(&soon.places[0]);
                self.bodies.prefetch(&soon.places[1]);
            }
            let mut first = 0;
            while first < WIDE {
                let moved = central::push::<L>(batch, self.bodies, targets, &mut self.multipliers[at], first);
                moved.larger(L::load(&farthest, first)).store(&mut farthest, first);
                first += L::WIDTH;
            }
        }
        farthest.0.iter().copied().fold(0.0, f64::max)
    }
}
