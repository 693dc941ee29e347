//! Rows made ready for the sweep: which contact is of which kind, where it sits, and in what order it is visited.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::{Result, reserve, resize};
use crate::math::lanes::{WIDE, Wide};
use crate::solver::box_friction::box_rows;
use crate::solver::contacts::{self, seat};
use crate::solver::islands::{Island, Islands};
use crate::solver::order::Order;
use crate::solver::pairs::Pairs;
use crate::solver::problem::{Friction, Problem};
use crate::solver::rows::{CENTRAL, CONTACTS_PER_PIECE, GENERAL, KIND, LINES_PER_PIECE, NONE, Rows, SCALAR, Share};
use crate::solver::scalar::ScalarRow;
use crate::solver::wide::{CHANGED, Posed, PrepareContext, TURNING, lines};
use crate::tasks::{Tasks, each_piece};

/// Batches whose contacts get their numbers at a time.
const SEATS_PER_PIECE: usize = 128;

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

    /// Gives the contacts of a problem their lanes, for sweeps over its parts in an order: the `islands`, or all at once; `pairs` are the
    /// lines of each contact's bodies. In batches, scalar rows come first, then central and general contacts, each with its torques.
    /// Where the contacts are told they have the numbers of their lanes from now on.
    pub(in crate::solver) fn plan(
        &mut self,
        (posed, pairs): (Posed, &Pairs),
        islands: Option<&Islands>,
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
        let given = PrepareContext { problem, bodies: &self.bodies, level: self.level };
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
        let (given, told) = (PrepareContext { problem, bodies, level: *level }, (posed, &pairs.all[..]));
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
        (islands, together): (Option<&Islands>, bool),
        order: Order,
        tasks: &dyn Tasks,
    ) -> Result<()> {
        let (problem, count) = (posed.problem, posed.contacts.count());
        let has_boxes = problem.friction == Friction::Box;
        self.contacts.clear();
        reserve(&mut self.contacts, count, "contacts")?;
        if has_boxes {
            self.make_boxes(problem);
        } else {
            // those of no island have no lane
            self.contacts.resize(count, u32::MAX);
        }
        self.central.clear();
        self.general.clear();
        self.planner.begin(count)?;
        self.shares.clear();
        let parts = islands.map_or(1, |islands| islands.parts(together));
        reserve(&mut self.shares, parts, "islands")?;
        for part in 0..parts {
            // all together in their own order, whether or not it is known who belongs to which island
            let island = islands.filter(|_| !together).map(|islands| islands.get(part));
            let share = match has_boxes {
                true => Share::default(),
                false => self.share((pairs, lines::count(problem)), island, order, tasks)?,
            };
            self.shares.push(share);
        }
        self.unseated.clear();
        if !(has_boxes || pairs.all_move()) {
            let without_lane = || (0..count as u32).filter(|contact| !pairs.moves(*contact));
            reserve(&mut self.unseated, without_lane().count(), "contacts")?;
            self.unseated.extend(without_lane());
        }
        match posed.are_told() {
            true => self.keep_numbers(tasks),
            false => self.translate(tasks),
        }
        self.visits.clear();
        let contacts = if order == Order::Colored { 0 } else { count };
        reserve(&mut self.visits, self.scalar.len() + contacts, "rows")?;
        if let Some(islands) = islands {
            (0..parts).for_each(|part| self.visit_one_by_one(part, islands.part(together, part), order));
        }
        self.unshuffled.clear();
        if matches!(order, Order::Random(_)) {
            reserve(&mut self.unshuffled, self.visits.len(), "rows")?;
            self.unshuffled.extend_from_slice(&self.visits);
        }
        Ok(())
    }

    /// Contacts keep the numbers by which they are seated; those without a lane get the next ones.
    fn keep_numbers(&mut self, tasks: &dyn Tasks) {
        let Self { planner, central, general, contacts, unseated, .. } = self;
        let order = planner.order();
        let seated = order.len();
        // there is room
        order.extend_from_slice(unseated);
        unseated.iter_mut().zip(seated as u32..).for_each(|(contact, number)| *contact = number);
        let first = general.contacts.first().map_or(seated, |seat| seat[0] as usize);
        let (centrals, generals) = contacts[..seated].split_at_mut(first);
        visit_in_a_row((centrals, 0), (&central.contacts, CENTRAL), tasks);
        visit_in_a_row((generals, first), (&general.contacts, GENERAL), tasks);
    }

    /// Contacts keep the numbers that they have in the problem: those by which they are seated are their places in the order.
    fn translate(&mut self, tasks: &dyn Tasks) {
        let Self { planner, central, general, contacts, .. } = self;
        let order = &planner.order()[..];
        for (kind, seats) in [(CENTRAL, &mut central.contacts), (GENERAL, &mut general.contacts)] {
            each_piece(tasks, SEATS_PER_PIECE, seats, |_, seats| {
                let taken = seats.as_flattened_mut().iter_mut().filter(|contact| **contact != NONE);
                taken.for_each(|contact| *contact = order[*contact as usize]);
            });
            for (lane, contact) in (0..).zip(seats.as_flattened()).filter(|(_, contact)| **contact != NONE) {
                contacts[*contact as usize] = lane | kind;
            }
        }
    }

    /// What belongs to an island, or to all contacts at once, and in what order.
    fn share(
        &mut self,
        (pairs, bodies): (&Pairs, usize),
        island: Option<Island>,
        order: Order,
        tasks: &dyn Tasks,
    ) -> Result<Share> {
        let Self { planner, central, general, .. } = self;
        let mut share = Share::default();
        for kind in [CENTRAL, GENERAL] {
            if pairs.are_central() && kind == GENERAL {
                continue;
            }
            let all = 0..pairs.all.len() as u32;
            let is_chosen = |contact: &u32| pairs.central[*contact as usize] == (kind == CENTRAL);
            match island {
                Some(island) => planner.choose(island.contacts.iter().copied().filter(is_chosen)),
                None if pairs.are_central() && pairs.all_move() => planner.choose(all),
                None => planner.choose(all.filter(|contact| is_chosen(contact) && pairs.moves(*contact))),
            }
            let known = (&pairs.all[..], pairs.are_sorted());
            // in any other order than that of batches each contact has a visit of its own
            match (kind, order == Order::Colored) {
                (CENTRAL, true) => share.central = planner.in_batches(known, bodies, central, tasks)?,
                (CENTRAL, false) => _ = planner.in_order(central)?,
                (_, true) => share.general = planner.in_batches(known, bodies, general, tasks)?,
                (_, false) => _ = planner.in_order(general)?,
            }
        }
        Ok(share)
    }

    /// Appends the visits of a share, those of its rows that are visited one by one.
    fn visit_one_by_one(&mut self, part: usize, island: Island, order: Order) {
        let begin = self.visits.len() as u32;
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
        self.shares[part].visits = [begin, end];
    }
}

/// Writes the visits of contacts from a number on, which are seated by their numbers.
fn visit_in_a_row((visits, base): (&mut [u32], usize), (seats, kind): (&[contacts::Seats], u32), tasks: &dyn Tasks) {
    each_piece(tasks, CONTACTS_PER_PIECE, visits, |first, visits| {
        let first = (base + first) as u32;
        let begin = seats.partition_point(|seat| seat[0] <= first).saturating_sub(1);
        let lanes = (begin * WIDE..).zip(seats[begin..].as_flattened());
        let own = lanes.filter(|(_, contact)| **contact != NONE && **contact >= first);
        visits.iter_mut().zip(own).for_each(|(visit, (lane, _))| *visit = lane as u32 | kind);
    });
}
