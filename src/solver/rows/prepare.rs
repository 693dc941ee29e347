//! Rows made ready for the sweep: which contact is of which kind, where it sits, and in what order it is visited.

use std::sync::atomic::{AtomicU32, Ordering};

use crate::error::{Result, reserve, resize};
use crate::math::lanes::Wide;
use crate::solver::box_friction::box_rows;
use crate::solver::islands::{Island, Islands};
use crate::solver::order::Order;
use crate::solver::pairs::Pairs;
use crate::solver::problem::{Friction, MassInverse, Problem};
use crate::solver::rows::{CENTRAL, GENERAL, KIND, NONE, Rows, SCALAR, Share};
use crate::solver::scalar::ScalarRow;
use crate::solver::wide::{Given, central, general, lines};
use crate::tasks::{Tasks, each_piece};

/// Contacts that are sorted out at a time.
const PIECE: usize = 1024;

/// What is found among the contacts, beside [`GENERAL`] ones: some resist turning, ...
const TURNING: u32 = 1;
/// ... some central ones have an extra, ...
const EXTRA: u32 = 2;
/// ... some general ones, ...
const GENERAL_EXTRA: u32 = 4;
/// ... and some are of another kind than the last time.
const CHANGED: u32 = 8;

impl Rows {
    /// Writes the lines of the bodies, before anything else; `masses` are those of the problem and of the resting body.
    pub(in crate::solver) fn line_up(
        &mut self,
        problem: &Problem,
        masses: &[MassInverse],
        tasks: &dyn Tasks,
    ) -> Result<&[Wide]> {
        let moving = |body: usize, mass: &MassInverse| lines::moving(problem.free_velocity(body as u32), mass);
        lines::fill(&mut self.bodies, masses, tasks, moving)?;
        Ok(&self.bodies)
    }

    /// Prepares `problem` for sweeps over its parts in `order`; `masses` are those of the problem and of the resting body,
    /// `pairs` the lines of each contact's bodies. In batches, scalar rows come first, then central and general contacts,
    /// each with its torques.
    pub(in crate::solver) fn prepare(
        &mut self,
        (problem, masses, pairs): (&Problem, &[MassInverse], &Pairs),
        (islands, together): (&Islands, bool),
        order: Order,
        tasks: &dyn Tasks,
    ) -> Result<()> {
        self.make_scalars(problem)?;
        let found = if problem.friction == Friction::Box {
            self.make_boxes(problem)?
        } else {
            self.sort_out(problem, pairs, tasks)?
        };
        self.resists_turning = found & TURNING != 0;
        self.masses.clear();
        if found & GENERAL != 0 {
            lines::fill(&mut self.masses, masses, tasks, |_, mass| lines::mass(mass))?;
        }
        let layout = Some((order, together));
        let mut kept = true;
        if found & CHANGED != 0 || !pairs.same || self.layout != layout || !self.scalar.is_empty() {
            // until it is done nothing is laid out
            self.layout = None;
            self.lay_out(pairs, masses.len(), (islands, together), order)?;
            self.layout = layout;
            kept = false;
        }
        // what is kept may be as the last sweep shuffled it
        if !self.unshuffled.is_empty() {
            self.visits.copy_from_slice(&self.unshuffled);
        }
        let given = Given { problem, masses, bodies: &self.bodies };
        self.central.fill(&given, (self.resists_turning, found & EXTRA != 0, kept), tasks)?;
        self.general.fill(&given, (self.resists_turning, found & GENERAL_EXTRA != 0, kept), tasks)?;
        Ok(())
    }

    fn make_scalars(&mut self, problem: &Problem) -> Result<()> {
        self.scalar.clear();
        let boxes = if problem.friction == Friction::Box { 6 * problem.contacts.len() } else { 0 };
        reserve(&mut self.scalar, problem.rows.len() + boxes, "rows")?;
        for (own, row) in (0..).zip(problem.rows) {
            self.scalar.push(ScalarRow::new(problem, row, own, row.friction_row));
        }
        Ok(())
    }

    /// The rows of contacts with box friction. Returns what was found.
    fn make_boxes(&mut self, problem: &Problem) -> Result<u32> {
        self.kinds.clear();
        reserve(&mut self.kinds, problem.contacts.len(), "contacts")?;
        let mut found = CHANGED;
        for (index, contact) in (0..).zip(problem.contacts) {
            let normal = self.scalar.len() as u32;
            self.kinds.push(normal | SCALAR);
            for (own, row) in (normal..).zip(box_rows(contact)) {
                self.scalar.push(ScalarRow::new(problem, &row, own, (own > normal).then_some(normal)));
            }
            self.scalar[normal as usize].contact = index;
            found |= if contact.cone().resists_turning() { TURNING } else { 0 };
        }
        Ok(found)
    }

    /// Tells of which kind each contact is. Returns what was found.
    fn sort_out(&mut self, problem: &Problem, pairs: &Pairs, tasks: &dyn Tasks) -> Result<u32> {
        let found = AtomicU32::new(if self.kinds.len() == problem.contacts.len() { 0 } else { CHANGED });
        self.kinds.truncate(problem.contacts.len());
        resize(&mut self.kinds, problem.contacts.len(), NONE, "contacts")?;
        let bodies = &self.bodies;
        each_piece(tasks, PIECE, &mut self.kinds, |first, kinds| {
            let mut here = 0;
            for (kind, (contact, pair)) in kinds.iter_mut().zip(problem.contacts.iter().zip(&pairs.all).skip(first)) {
                let central = central::is_central(contact, *pair, bodies);
                let now = if central { CENTRAL } else { GENERAL };
                here |= now | if *kind == now { 0 } else { CHANGED };
                here |= if contact.cone().resists_turning() { TURNING } else { 0 };
                here |= if central && central::has_extra(contact, *pair, problem) { EXTRA } else { 0 };
                here |= if !central && general::has_extra(contact) { GENERAL_EXTRA } else { 0 };
                *kind = now;
            }
            found.fetch_or(here, Ordering::Relaxed);
        });
        Ok(found.into_inner())
    }

    /// Gives every contact its lane and every part its share.
    fn lay_out(
        &mut self,
        pairs: &Pairs,
        bodies: usize,
        (islands, together): (&Islands, bool),
        order: Order,
    ) -> Result<()> {
        self.contacts.clear();
        reserve(&mut self.contacts, self.kinds.len(), "contacts")?;
        // those of no island have no lane
        let unseated = |kind: &u32| if kind & KIND == SCALAR { *kind } else { kind | !KIND };
        self.contacts.extend(self.kinds.iter().map(unseated));
        self.visits.clear();
        let contacts = if order == Order::Colored { 0 } else { self.kinds.len() };
        reserve(&mut self.visits, self.scalar.len() + contacts, "rows")?;
        self.central.clear();
        self.general.clear();
        self.planner.clear();
        self.shares.clear();
        let parts = islands.parts(together);
        reserve(&mut self.shares, parts, "islands")?;
        for part in 0..parts {
            let island = islands.part(together, part);
            let share = self.share(pairs, bodies, &island, order)?;
            self.shares.push(share);
            self.visit_one_by_one(island, order);
        }
        self.unshuffled.clear();
        if matches!(order, Order::Random(_)) {
            reserve(&mut self.unshuffled, self.visits.len(), "rows")?;
            self.unshuffled.extend_from_slice(&self.visits);
        }
        Ok(())
    }

    /// What belongs to a part, and in what order.
    fn share(&mut self, pairs: &Pairs, bodies: usize, island: &Island, order: Order) -> Result<Share> {
        let Self { planner, packer, central, general, contacts, kinds, chosen, .. } = self;
        let batched = order == Order::Colored;
        let mut share = Share { visits: [self.visits.len() as u32; 2], ..Share::default() };
        for kind in [CENTRAL, GENERAL] {
            chosen.clear();
            reserve(chosen, island.contacts.len(), "contacts")?;
            let of_kind = island.contacts.iter().filter(|index| kinds[**index as usize] & KIND == kind);
            chosen.extend(of_kind.map(|index| (*index, pairs.all[*index as usize])));
            let sit = |contact: u32, lane: u32| contacts[contact as usize] = lane | kind;
            // in any other order than that of batches each contact has a visit of its own
            match (kind, batched) {
                (CENTRAL, true) => share.central = planner.in_batches(chosen, bodies, packer, central, sit)?,
                (CENTRAL, false) => _ = planner.in_order(chosen, central, sit)?,
                (_, true) => share.general = planner.in_batches(chosen, bodies, packer, general, sit)?,
                (_, false) => _ = planner.in_order(chosen, general, sit)?,
            }
        }
        Ok(share)
    }

    /// Appends the visits of the last share, those of its rows that are visited one by one.
    fn visit_one_by_one(&mut self, island: Island, order: Order) {
        self.visits.extend(island.rows.iter().map(|row| row | SCALAR));
        for contact in island.contacts {
            let visit = self.contacts[*contact as usize];
            if visit & KIND == SCALAR {
                self.visits.extend(self.box_of(*contact as usize).map(|row| row as u32 | SCALAR));
            } else if order != Order::Colored {
                self.visits.push(visit);
            }
        }
        let end = self.visits.len() as u32;
        if let Some(share) = self.shares.last_mut() {
            share.visits[1] = end;
        }
    }
}
