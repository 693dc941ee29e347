//! Rows made ready for the sweep: which contact is of which kind, where it sits, and in what order it is visited.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::{Result, reserve, resize};
use crate::math::lanes::{KEPT, Wide};
use crate::solver::box_friction::box_rows;
use crate::solver::contacts::seat;
use crate::solver::islands::{Island, Islands};
use crate::solver::order::Order;
use crate::solver::pairs::Pairs;
use crate::solver::problem::{Friction, Problem};
use crate::solver::rows::{CENTRAL, GENERAL, KIND, LINES_PER_PIECE, Rows, SCALAR, Share, has_lane};
use crate::solver::scalar::ScalarRow;
use crate::solver::wide::{CHANGED, Given, Posed, TURNING, lines};
use crate::tasks::{Tasks, each_piece};

impl Rows {
    /// Writes the lines of the bodies, before anything else. Says whether the same ones are moved by impulses as the time before.
    pub(in crate::solver) fn line_up(&mut self, problem: &Problem, tasks: &dyn Tasks) -> Result<bool> {
        let count = lines::count(problem);
        let same = AtomicBool::new(self.bodies.len() == count);
        // what is there already is written over
        self.bodies.truncate(count);
        resize(&mut self.bodies, count, Wide::splat(0.0), "bodies")?;
        each_piece(tasks, LINES_PER_PIECE, &mut self.bodies, |first, lines| {
            let mut changed = false;
            for (body, own) in (first as u32..).zip(lines) {
                let line = lines::moving(problem.free_velocity(body), problem.mass(body));
                changed |= lines::is_kept(own) != lines::is_kept(&line);
                *own = line;
            }
            if changed {
                same.store(false, Ordering::Relaxed);
            }
        });
        Ok(same.into_inner())
    }

    /// Prepares `problem` for the same sweeps as the one before, if all its contacts are of the same kinds and between the same
    /// bodies, the `pairs`, of which there are as many: each then keeps its lane. Says whether it is so.
    pub(in crate::solver) fn prepare_again(
        &mut self,
        (posed, pairs): (Posed, &Pairs),
        layout: (Order, bool),
        tasks: &dyn Tasks,
    ) -> Result<bool> {
        let is_same = |contact: &u32| pairs.hold(*contact as usize, posed);
        let is_kept = posed.problem.friction == Friction::Coulomb && self.layout == Some(layout);
        if !(is_kept && self.unseated.iter().all(is_same)) {
            return Ok(false);
        }
        // Filled as if it were so, which is told on the way.
        let found = self.fill((posed, pairs), true, tasks)?;
        if (found[0] | found[1]) & CHANGED != 0 {
            return Ok(false);
        }
        self.finish(posed, found)?;
        Ok(true)
    }

    /// Gives the contacts of a problem their lanes, for sweeps over its parts in an order; `pairs` are the lines of each contact's
    /// bodies. In batches, scalar rows come first, then central and general contacts, each with its torques.
    pub(in crate::solver) fn plan(
        &mut self,
        (posed, pairs): (Posed, &Pairs),
        islands: &Islands,
        (order, together): (Order, bool),
        tasks: &dyn Tasks,
    ) -> Result<()> {
        self.layout = None;
        self.make_scalars(posed.problem)?;
        self.lay_out((posed, pairs), (islands, together), order, tasks)?;
        // scalar rows, of boxes too, are made anew in every solve
        self.layout = self.scalar.is_empty().then_some((order, together));
        Ok(())
    }

    /// Fills the lanes that were given.
    pub(in crate::solver) fn prepare(&mut self, (posed, pairs): (Posed, &Pairs), tasks: &dyn Tasks) -> Result<()> {
        let found = self.fill((posed, pairs), false, tasks)?;
        self.finish(posed, found)
    }

    /// What follows from what was found of the contacts.
    fn finish(&mut self, posed: Posed, [central, general]: [u32; 2]) -> Result<()> {
        let problem = posed.problem;
        // what is kept may be as the last sweep shuffled it
        if !self.unshuffled.is_empty() {
            self.visits.copy_from_slice(&self.unshuffled);
        }
        let given = Given { problem, bodies: &self.bodies, level: self.level };
        self.resists_turning =
            (central | general) & TURNING != 0 || (problem.friction == Friction::Box && problem.resists_turning());
        self.central.fill_besides(&given, posed, self.resists_turning)?;
        self.general.fill_besides(&given, posed, self.resists_turning)
    }

    /// Writes the contacts into their lanes. Returns what was found of central contacts and of general ones.
    fn fill(&mut self, (posed, pairs): (Posed, &Pairs), kept: bool, tasks: &dyn Tasks) -> Result<[u32; 2]> {
        let Self { central, general, unseated, masses, bodies, level, .. } = self;
        let problem = posed.problem;
        if general.is_empty() {
            masses.clear();
        } else {
            let mass = |body: usize| lines::mass(problem.mass(body as u32));
            lines::fill(masses, lines::count(problem), tasks, mass)?;
        }
        let (given, told) = (Given { problem, bodies, level: *level }, (posed, &pairs.all[..]));
        // of those without a lane it is told too: who tells may want to know what
        seat(unseated.iter().copied(), |_, seats| posed.contacts.begin(seats, &mut |_, _, _| {}));
        Ok([central.fill(&given, told, kept, tasks)?, general.fill(&given, told, kept, tasks)?])
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

    /// Contacts with box friction are some scalar rows each, for which there is room.
    fn make_boxes(&mut self, problem: &Problem) {
        for index in 0..problem.contacts.len() as u32 {
            let (contact, besides) = problem.whole(index as usize);
            let normal = self.scalar.len() as u32;
            self.contacts.push(normal | SCALAR);
            for (own, row) in (normal..).zip(box_rows(contact, besides)) {
                self.scalar.push(ScalarRow::new(problem, &row, own, (own > normal).then_some(normal)));
            }
            self.scalar[normal as usize].contact = index;
        }
    }

    /// Gives every contact its lane and every part its share.
    fn lay_out(
        &mut self,
        (posed, pairs): (Posed, &Pairs),
        (islands, together): (&Islands, bool),
        order: Order,
        tasks: &dyn Tasks,
    ) -> Result<()> {
        let (problem, count) = (posed.problem, posed.contacts.count());
        self.contacts.clear();
        reserve(&mut self.contacts, count, "contacts")?;
        if problem.friction == Friction::Box {
            self.make_boxes(problem);
        } else {
            // those of no island have no lane
            let kind = |central: &bool| if *central { CENTRAL } else { GENERAL } | !KIND;
            self.contacts.extend(pairs.central.iter().map(kind));
        }
        self.visits.clear();
        let contacts = if order == Order::Colored { 0 } else { count };
        reserve(&mut self.visits, self.scalar.len() + contacts, "rows")?;
        self.central.clear();
        self.general.clear();
        self.planner.clear();
        self.shares.clear();
        let parts = islands.parts(together);
        reserve(&mut self.shares, parts, "islands")?;
        for part in 0..parts {
            let island = islands.part(together, part);
            // all together in their own order, whether or not it is known who belongs to which island
            let (own, others) = if together { (&[][..], 0..count as u32) } else { (island.contacts, 0..0) };
            let moves = |contact: &u32| pairs.all[*contact as usize].iter().any(|body| body & KEPT == 0);
            let members = own.iter().copied().chain(others.filter(moves));
            // those with box friction are scalar rows
            let seated = if problem.friction == Friction::Box { 0 } else { usize::MAX };
            let share = self.share((pairs, lines::count(problem)), members.take(seated), order, tasks)?;
            self.shares.push(share);
            self.visit_one_by_one(island, order);
        }
        self.unseated.clear();
        let without_lane = self.contacts.iter().filter(|visit| !has_lane(**visit)).count();
        reserve(&mut self.unseated, without_lane, "contacts")?;
        let all = (0..).zip(&self.contacts);
        self.unseated.extend(all.filter(|(_, visit)| !has_lane(**visit)).map(|(contact, _)| contact));
        self.unshuffled.clear();
        if matches!(order, Order::Random(_)) {
            reserve(&mut self.unshuffled, self.visits.len(), "rows")?;
            self.unshuffled.extend_from_slice(&self.visits);
        }
        Ok(())
    }

    /// What belongs to a part with these `members`, and in what order.
    fn share(
        &mut self,
        (pairs, bodies): (&Pairs, usize),
        members: impl Iterator<Item = u32> + Clone,
        order: Order,
        tasks: &dyn Tasks,
    ) -> Result<Share> {
        let Self { planner, central, general, contacts, .. } = self;
        let batched = order == Order::Colored;
        let mut share = Share { visits: [self.visits.len() as u32; 2], ..Share::default() };
        for kind in [CENTRAL, GENERAL] {
            if pairs.are_central && kind == GENERAL {
                continue;
            }
            let of_kind = members.clone().filter(|index| pairs.central[*index as usize] == (kind == CENTRAL));
            let of_all = (of_kind.clone(), &pairs.all[..]);
            let sit = |contact: u32, lane: u32| contacts[contact as usize] = lane | kind;
            // in any other order than that of batches each contact has a visit of its own
            match (kind, batched) {
                (CENTRAL, true) => share.central = planner.in_batches(of_all, bodies, central, sit, tasks)?,
                (CENTRAL, false) => _ = planner.in_order(of_kind, central, sit)?,
                (_, true) => share.general = planner.in_batches(of_all, bodies, general, sit, tasks)?,
                (_, false) => _ = planner.in_order(of_kind, general, sit)?,
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
