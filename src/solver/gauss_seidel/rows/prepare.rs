//! Rows prepared for the sweep: the lane of each contact, the order of the visits, and the contacts written into their lanes.

use crate::error::{Result, empty, refill, reserve, resize};
use crate::math::lanes::WIDE;
use crate::math::{BodyRow, ContactId, LaneSlot, RowId};
use crate::solver::gauss_seidel::rows::batches::Source;
use crate::solver::gauss_seidel::rows::blocks::WantedBlocks;
use crate::solver::gauss_seidel::rows::plan::{PlannedContacts, Planner};
use crate::solver::gauss_seidel::rows::store::{IslandSchedule, RowRef, Rows};
use crate::solver::gauss_seidel::scalar::ScalarRow;
use crate::solver::gauss_seidel::wide::central::CentralBatch;
use crate::solver::gauss_seidel::wide::general::GeneralBatch;
use crate::solver::gauss_seidel::wide::{PrepareContext, SweepBatch, TURNING, lines};
use crate::solver::problem::contacts::occupied;
use crate::solver::problem::islands::{Island, Islands};
use crate::solver::problem::order::{Layout, Order};
use crate::solver::problem::pairs::{LinePair, Pairs};
use crate::solver::problem::{Friction, Problem, box_rows};
use crate::tasks::Tasks;

impl Rows {
    /// Writes the lines of the bodies. This comes before all other preparation.
    pub(in crate::solver) fn write_lines(&mut self, problem: &Problem, tasks: &dyn Tasks) -> Result<()> {
        let line = |body: BodyRow| lines::moving(problem.free_velocity(body), problem.mass(body));
        lines::fill(&mut self.bodies, lines::count(problem), tasks, line)
    }

    /// Finds the blocks of the rows of a problem. The lines of the bodies must be written. Returns whether the blocks
    /// are the same as in the last problem.
    pub(in crate::solver) fn note_blocks(&mut self, problem: &Problem) -> Result<bool> {
        self.blocks.found.note(problem, &self.bodies)
    }

    /// Returns whether the present lanes are valid for a problem with these `pairs` and this layout. Contacts with box
    /// friction have no lanes in batches.
    pub(in crate::solver) fn keeps_lanes(&self, problem: &Problem, pairs: &Pairs, layout: Layout) -> bool {
        problem.friction != Friction::Box && pairs.same && self.layout == Some(layout)
    }

    /// Assigns lanes to the contacts of a problem, for sweeps over the `islands` or over all contacts at once. In
    /// batches, scalar rows come first, then central and general contacts.
    pub(in crate::solver) fn lay_out(
        &mut self,
        problem: &Problem,
        pairs: &Pairs,
        islands: Option<&Islands>,
        layout: Layout,
        tasks: &dyn Tasks,
    ) -> Result<()> {
        self.layout = None;
        self.needs_visits = true;
        let (count, has_boxes) = (pairs.all.len(), problem.friction == Friction::Box);
        self.central.assigned.clear();
        self.general.assigned.clear();
        self.blocks.clear();
        self.planner.begin(count + self.blocks.found.all.len())?;
        match layout.splits && !has_boxes && !problem.rows.is_empty() {
            true => self.split.find(problem, pairs, &self.blocks.found.bilateral)?,
            false => self.split.clear(),
        }
        self.split.note_parts(islands.filter(|_| !layout.together))?;
        let parts = islands.map_or(1, |islands| islands.parts(layout.together));
        empty(&mut self.schedules, parts, "islands")?;
        for part in 0..parts {
            // Without islands all contacts keep their own order, even if the island of each is known.
            let island = islands.filter(|_| !layout.together).map(|islands| islands.get(part));
            let bodies = lines::count(problem);
            let mut schedule = match has_boxes {
                true => IslandSchedule::default(),
                false => self.schedule(pairs, bodies, island, layout.order, tasks)?,
            };
            let Self { planner, blocks, split, .. } = self;
            let is_split = |pair: &LinePair| pair.iter().any(|place| split.has(place.row()));
            let chosen: &dyn Fn(&LinePair) -> bool = &|pair| !is_split(pair);
            let wanted = WantedBlocks { bodies, island, order: layout.order, chosen };
            schedule.blocks = blocks.schedule(planner, &wanted, tasks)?;
            // No velocity sweep visits these blocks, so that their order can always be that of batches.
            let wanted = WantedBlocks { order: Order::Colored, chosen: &is_split, ..wanted };
            schedule.split.blocks = blocks.schedule(planner, &wanted, tasks)?;
            schedule.split.mechanisms = split.of_part(part);
            let first = self.split.rows.len() as u32;
            self.add_split_rows(problem, island)?;
            schedule.split.rows = [first, self.split.rows.len() as u32];
            self.schedules.push(schedule);
        }
        self.blocks.number_lanes(problem)?;
        self.number_lanes(pairs, has_boxes)?;
        // Rows in no block, also those of box friction, are rebuilt in every solve.
        self.layout = (!self.blocks.found.restore_rows && !has_boxes).then_some(layout);
        Ok(())
    }

    /// Lists the contact of each lane and the lane of each contact. Contacts in no batch come last.
    fn number_lanes(&mut self, pairs: &Pairs, has_boxes: bool) -> Result<()> {
        let Self { central, general, lanes, lane_of, .. } = self;
        let count = pairs.all.len();
        let is_outside = |contact: &ContactId| has_boxes || !pairs.moves(*contact);
        let outside = if has_boxes {
            count
        } else if pairs.all_move() {
            0
        } else {
            ContactId::range(0..count).filter(is_outside).count()
        };
        let batches = central.assigned.contacts.len() + general.assigned.contacts.len() + outside.div_ceil(WIDE);
        empty(lanes, batches, "contacts")?;
        lanes.extend_from_slice(&central.assigned.contacts);
        lanes.extend_from_slice(&general.assigned.contacts);
        if outside > 0 {
            let first = lanes.len();
            lanes.resize(batches, [ContactId::NONE; WIDE]);
            let places = lanes[first..].as_flattened_mut().iter_mut();
            places.zip(ContactId::range(0..count).filter(is_outside)).for_each(|(place, contact)| *place = contact);
        }
        resize(lane_of, count, LaneSlot::NONE, "contacts")?;
        for (at, batch) in lanes.iter().enumerate() {
            occupied(batch).for_each(|(lane, contact)| lane_of[contact] = LaneSlot::new(at, lane));
        }
        Ok(())
    }

    /// Plans the visits of an island, or of all contacts at once.
    fn schedule(
        &mut self,
        pairs: &Pairs,
        bodies: usize,
        island: Option<Island>,
        order: Order,
        tasks: &dyn Tasks,
    ) -> Result<IslandSchedule> {
        let Self { planner, central, general, split, .. } = self;
        let contacts = PlannedContacts { pairs: &pairs.all, are_sorted: pairs.are_sorted(), bodies };
        let has_split = split.is_active();
        let is_split = |contact: ContactId| has_split && pairs.all[contact].iter().any(|place| split.has(place.row()));
        let choose = |planner: &mut Planner, is_chosen: &dyn Fn(ContactId) -> bool| {
            let all = ContactId::range(0..pairs.all.len());
            match island {
                Some(island) => planner.choose(island.contacts.iter().copied().filter(|own| is_chosen(*own))),
                None => planner.choose(all.filter(|own| is_chosen(*own) && pairs.moves(*own))),
            }
        };
        let mut schedule = IslandSchedule::default();
        // In any other order than that of batches each contact is visited alone.
        let in_batches = order == Order::Colored;
        match island.is_none() && !has_split && pairs.are_central() && pairs.all_move() {
            true => planner.choose(ContactId::range(0..pairs.all.len())),
            false => choose(planner, &|contact| pairs.central[contact] && !is_split(contact)),
        }
        if in_batches {
            schedule.central = planner.in_batches(contacts, &mut central.assigned, CentralBatch::LONGEST_RUN, tasks)?;
        } else {
            planner.in_order(&mut central.assigned)?;
        }
        if pairs.are_central() && !has_split {
            return Ok(schedule);
        }
        choose(planner, &|contact| !pairs.central[contact] && !is_split(contact));
        if in_batches {
            schedule.general = planner.in_batches(contacts, &mut general.assigned, GeneralBatch::LONGEST_RUN, tasks)?;
        } else {
            planner.in_order(&mut general.assigned)?;
        }
        if has_split {
            choose(planner, &is_split);
            schedule.split.lanes = planner.in_order(&mut general.assigned)?;
            let first = self.split.contacts.len() as u32;
            for lane in schedule.split.lanes.lanes() {
                let contact = self.general.assigned.contacts[lane.batch()][lane.lane()];
                self.split.add_contact(contact, lane, pairs)?;
            }
            schedule.split.contacts = [first, self.split.contacts.len() as u32];
        }
        Ok(schedule)
    }

    /// Adds the rows with bounds that act on mechanisms, of an island or of the whole problem.
    fn add_split_rows(&mut self, problem: &Problem, island: Option<Island>) -> Result<()> {
        let Self { split, blocks, .. } = self;
        let mut add = |id: RowId| match blocks.found.bilateral[id] {
            true => Ok(()),
            false => split.add_row(id, &problem.rows[id]),
        };
        match island {
            Some(island) => island.rows.iter().try_for_each(|row| add(*row)),
            None => RowId::range(0..problem.rows.len()).try_for_each(add),
        }
    }

    /// Writes the contacts of a buffer into their lanes, and creates the scalar rows of the problem. `islands` are
    /// those of the layout.
    pub(in crate::solver) fn fill(
        &mut self,
        problem: &Problem,
        source: &Source,
        islands: Option<&Islands>,
        layout: Layout,
        tasks: &dyn Tasks,
    ) -> Result<()> {
        self.is_measured = false;
        self.dilation = problem.friction.dilation();
        if self.needs_visits {
            self.make_scalars(problem)?;
            self.list_visits(problem, source.pairs.len(), islands, layout)?;
            self.needs_visits = self.layout.is_none();
        } else if !self.unshuffled.is_empty() {
            // The visits may still have the order to which the last sweep shuffled them.
            self.visits.copy_from_slice(&self.unshuffled);
        }
        let Self { central, general, blocks, masses, bodies, level, .. } = self;
        if general.assigned.is_empty() && blocks.is_empty() {
            masses.clear();
        } else {
            let mass = |body: BodyRow| lines::mass(problem.mass(body));
            lines::fill(masses, lines::count(problem), tasks, mass)?;
        }
        blocks.fill(problem, tasks);
        let prepare = PrepareContext { problem, bodies, level: *level };
        let first_general = central.assigned.contacts.len();
        let found = central.fill(&prepare, source, 0, tasks)? | general.fill(&prepare, source, first_general, tasks)?;
        self.resists_turning = found & TURNING != 0 || (problem.friction == Friction::Box && problem.resists_turning());
        central.fill_extras(&prepare, source, 0, self.resists_turning)?;
        general.fill_extras(&prepare, source, first_general, self.resists_turning)?;
        self.fill_split(problem)
    }

    /// Creates the scalar rows. First come the rows of the problem that are in no block. With box friction those of
    /// each contact follow.
    fn make_scalars(&mut self, problem: &Problem) -> Result<()> {
        let Self { scalar, scalar_of, blocks, box_starts, .. } = self;
        let has_boxes = problem.friction == Friction::Box;
        let boxes = if has_boxes { problem.contacts.len() } else { 0 };
        empty(scalar, problem.rows.len() + 6 * boxes, "rows")?;
        empty(box_starts, boxes, "contacts")?;
        let alone = if blocks.found.restore_rows { problem.rows.len() } else { 0 };
        refill(scalar_of, alone, RowId::NONE, "rows")?;
        let is_alone = |row: &RowId| blocks.found.of_row[*row] == ContactId::NONE;
        for (number, row) in RowId::range(0..alone).filter(is_alone).enumerate() {
            scalar_of[row] = number.into();
        }
        for row in RowId::range(0..alone).filter(is_alone) {
            // If a row in no block has its bounds scaled by another row, that row is in no block either.
            let scale = scalar_of[problem.rows[row].friction_row.unwrap_or(row)];
            let mut own = ScalarRow::new(problem, &problem.rows[row], scale);
            own.place_in_ball = problem.rows[row].ball.map(|first| row.index() - first.index());
            scalar.push(own);
        }
        for index in ContactId::range(0..boxes) {
            let (contact, optional) = problem.full_contact(index);
            let normal = RowId::from(scalar.len());
            box_starts.push(normal.0);
            scalar.extend(box_rows(contact, optional).map(|row| ScalarRow::new(problem, &row, normal)));
            scalar[normal].contact = index;
        }
        Ok(())
    }

    /// Lists the rows that are visited one by one, island by island.
    fn list_visits(
        &mut self,
        problem: &Problem,
        count: usize,
        islands: Option<&Islands>,
        layout: Layout,
    ) -> Result<()> {
        let contacts = if layout.order == Order::Colored { 0 } else { count };
        let blocks = self.blocks.found.all.len();
        empty(&mut self.visits, self.scalar.len() + blocks + contacts, "rows")?;
        if let Some(islands) = islands {
            for part in 0..self.schedules.len() {
                self.visit_one_by_one(problem, part, islands.part(layout.together, part), layout.order);
            }
        }
        self.unshuffled.clear();
        if matches!(layout.order, Order::Random(_)) {
            reserve(&mut self.unshuffled, self.visits.len(), "rows")?;
            self.unshuffled.extend_from_slice(&self.visits);
        }
        Ok(())
    }

    /// Appends the visits of a part: its scalar rows, and its contacts if the order is not that of batches.
    fn visit_one_by_one(&mut self, problem: &Problem, part: usize, island: Island, order: Order) {
        let begin = self.visits.len() as u32;
        let is_swept = |id: &&RowId| {
            let row = &problem.rows[**id];
            !self.split.has(row.body_a) && !self.split.has(row.body_b)
        };
        let alone = island.rows.iter().filter(is_swept).filter_map(|row| self.scalar_of.get(row.index()));
        self.visits.extend(alone.filter(|row| **row != RowId::NONE).map(|row| RowRef::Scalar(*row)));
        self.visits.extend(self.blocks.lanes(self.schedules[part].blocks).map(RowRef::Block));
        for contact in island.contacts {
            match self.row_of(*contact) {
                Some(RowRef::Scalar(first)) => {
                    self.visits.extend(RowId::range(self.box_of(first)).map(RowRef::Scalar));
                }
                Some(RowRef::General(lane)) if self.schedules[part].split.lanes.has(lane) => {}
                Some(row) if order != Order::Colored => self.visits.push(row),
                Some(RowRef::Central(_) | RowRef::General(_) | RowRef::Block(_)) | None => {}
            }
        }
        let end = self.visits.len() as u32;
        self.schedules[part].visits = [begin, end];
    }
}
