//! Impulses of the rows, written and read by the numbers of contacts.

use crate::math::lanes::WIDE;
use crate::math::lanes::prefetch::{CONTACTS_AHEAD, FEW_BODIES};
use crate::math::{ContactId, RowId, Vec3};
use crate::solver::gauss_seidel::rows::row_ref::{Kind, RowRef};
use crate::solver::gauss_seidel::rows::store::Rows;
use crate::solver::problem::islands::Island;
use crate::solver::problem::{Impulse, Impulses, ImpulsiveWrench};
use crate::tasks::{Tasks, each_piece};

/// Contacts whose impulses are read at a time.
const CONTACTS_PER_PIECE: usize = 1024;

impl Rows {
    /// Sets the impulses of scalar rows, without applying them to the velocities: contacts in batches have theirs.
    pub(in crate::solver) fn set_scalars(&mut self, impulses: &Impulses) {
        for (row, lambda) in self.scalar.iter_mut().zip(&impulses.rows) {
            row.lambda = *lambda;
        }
        for contact in ContactId::range(0..self.box_starts.len()) {
            let (rows, impulse) = (self.box_of(contact), impulses.wrench(contact));
            self.scalar[rows].iter_mut().for_each(|row| row.set(&impulse));
        }
    }

    /// Writes the impulses of everything; contacts that belong to no island have none.
    pub(in crate::solver) fn read_all(&self, impulses: &mut Impulses, tasks: &dyn Tasks) {
        for (lambda, row) in impulses.rows.iter_mut().zip(&self.scalar) {
            *lambda = row.lambda;
        }
        each_piece(tasks, CONTACTS_PER_PIECE, &mut impulses.contacts, |first, impulses| {
            for (contact, impulse) in ContactId::range(first..first + impulses.len()).zip(impulses) {
                self.prefetch_impulses(contact);
                self.read_force(contact, impulse);
            }
        });
        each_piece(tasks, CONTACTS_PER_PIECE, &mut impulses.torques, |first, torques| {
            for (contact, torque) in ContactId::range(first..first + torques.len()).zip(torques) {
                self.prefetch_impulses(contact);
                *torque = self.torque(contact);
            }
        });
    }

    /// Writes the impulses of all lanes, of which each has one in `impulses`; those of lanes without a contact are zero.
    pub(in crate::solver) fn read_lanes(&self, impulses: &mut [Impulse], torques: &mut [Vec3], tasks: &dyn Tasks) {
        each_piece(tasks, CONTACTS_PER_PIECE, impulses, |first, impulses| {
            for (lane, impulse) in (first..).zip(impulses) {
                match self.row_in(lane).map(RowRef::kind) {
                    Some(Kind::Central(lane)) => self.central.read(lane, impulse),
                    Some(Kind::General(lane)) => self.general.read(lane, impulse),
                    Some(Kind::Scalar(contact)) => *impulse = self.box_impulse(contact.into()).force,
                    None => *impulse = Impulse::ZERO,
                }
            }
        });
        each_piece(tasks, CONTACTS_PER_PIECE, torques, |first, torques| {
            for (lane, torque) in (first..).zip(torques) {
                *torque = match self.row_in(lane).map(RowRef::kind) {
                    Some(Kind::Central(lane)) => self.central.torque(lane),
                    Some(Kind::General(lane)) => self.general.torque(lane),
                    Some(Kind::Scalar(contact)) => self.box_impulse(contact.into()).torque,
                    None => Vec3::zeros(),
                };
            }
        });
    }

    /// Returns the row of the contact in a lane, with box friction that of its number; none of a lane without a contact.
    #[inline(always)]
    fn row_in(&self, lane: usize) -> Option<RowRef> {
        let (central, general) = (WIDE * self.central.contacts.len(), WIDE * self.general.contacts.len());
        if lane < central {
            return Some(RowRef::central(lane));
        }
        if lane < central + general {
            return Some(RowRef::general(lane - central));
        }
        let contact = self.lanes[lane / WIDE][lane % WIDE];
        (contact.index() < self.box_starts.len()).then(|| RowRef::scalar(contact.index()))
    }

    /// Prefetches the impulses of a contact some numbers behind this one.
    #[inline(always)]
    fn prefetch_impulses(&self, contact: ContactId) {
        if self.bodies.len() <= FEW_BODIES || contact.index() + CONTACTS_AHEAD >= self.lane_of.len() {
            return;
        }
        match self.row_of((contact.index() + CONTACTS_AHEAD).into()).map(RowRef::kind) {
            Some(Kind::Central(lane)) => self.central.prefetch_impulses(lane),
            Some(Kind::General(lane)) => self.general.prefetch_impulses(lane),
            _ => {}
        }
    }

    /// Sets the impulses of an island, without applying them to the velocities.
    pub(in crate::solver) fn set(&mut self, island: Island, impulses: &Impulses) {
        for row in island.rows {
            self.scalar[*row].lambda = impulses.rows[*row];
        }
        for contact in island.contacts {
            let impulse = &impulses.wrench(*contact);
            match self.row_of(*contact).map(RowRef::kind) {
                Some(Kind::Central(lane)) => self.central.set(lane, impulse),
                Some(Kind::General(lane)) => self.general.set(lane, impulse),
                Some(Kind::Scalar(_)) => {
                    let rows = self.box_of(*contact);
                    self.scalar[rows].iter_mut().for_each(|row| row.set(impulse));
                }
                None => {}
            }
        }
    }

    /// Writes the impulses of an island.
    pub(in crate::solver) fn read(&self, island: Island, impulses: &mut Impulses) {
        for row in island.rows {
            impulses.rows[*row] = self.row_impulse(*row);
        }
        for contact in island.contacts {
            self.read_force(*contact, &mut impulses.contacts[*contact]);
        }
        if !impulses.torques.is_empty() {
            for contact in island.contacts {
                impulses.torques[*contact] = self.torque(*contact);
            }
        }
    }

    /// Returns the impulse of a scalar row of the problem.
    pub(in crate::solver) fn row_impulse(&self, row: RowId) -> f64 {
        self.scalar[row].lambda
    }

    /// Returns the impulse of a contact of the problem.
    pub(in crate::solver) fn contact_impulse(&self, contact: ContactId) -> ImpulsiveWrench {
        let mut force = Impulse::ZERO;
        self.read_force(contact, &mut force);
        ImpulsiveWrench { force, torque: self.torque(contact) }
    }

    /// Writes the impulse of the force of a contact, in place: a copy of such size waits for what was written just before.
    #[inline]
    fn read_force(&self, contact: ContactId, impulse: &mut Impulse) {
        match self.row_of(contact).map(RowRef::kind) {
            Some(Kind::Central(lane)) => self.central.read(lane, impulse),
            Some(Kind::General(lane)) => self.general.read(lane, impulse),
            Some(Kind::Scalar(_)) => *impulse = self.box_impulse(contact).force,
            None => *impulse = Impulse::ZERO,
        }
    }

    /// Returns the impulse of the torque of a contact.
    fn torque(&self, contact: ContactId) -> Vec3 {
        match self.row_of(contact).map(RowRef::kind) {
            Some(Kind::Central(lane)) => self.central.torque(lane),
            Some(Kind::General(lane)) => self.general.torque(lane),
            Some(Kind::Scalar(_)) => self.box_impulse(contact).torque,
            None => Vec3::zeros(),
        }
    }

    /// Returns the impulse of a contact with box friction.
    fn box_impulse(&self, contact: ContactId) -> ImpulsiveWrench {
        let rows = &self.scalar[self.box_of(contact)];
        let normal = rows.first().map_or(0.0, |row| row.lambda);
        let mut impulse = ImpulsiveWrench::from(Impulse::force(normal, Vec3::zeros()));
        rows.iter().skip(1).for_each(|row| row.add_to(&mut impulse));
        impulse
    }
}
