//! Lanes assigned to the contacts that a plan chooses, and the phases of their batches.

use crate::error::{Result, empty, push};
use crate::math::{BodyRow, ContactId};
use crate::solver::gauss_seidel::rows::assigned::AssignedLanes;
use crate::solver::gauss_seidel::rows::plan::{COLOURS, Plan, PlannedContacts, Planner};
use crate::solver::problem::pairs::{TILE, tiles};
use crate::tasks::Tasks;

/// The number of batches in a piece of a colour.
const PIECE: u32 = 32;

impl Planner {
    /// Assigns the next lanes to the chosen contacts, which are visited one by one.
    pub(super) fn in_order(&mut self, batches: &mut AssignedLanes) -> Result<Plan> {
        let first = batches.occupied;
        batches.place(&self.order[self.first..])?;
        Ok(Plan { lanes: [first, batches.occupied], phases: [0; 2] })
    }

    /// Assigns lanes in batches to the chosen contacts. No run is longer than `longest_run`.
    pub(in crate::solver) fn in_batches(
        &mut self,
        contacts: PlannedContacts,
        batches: &mut AssignedLanes,
        longest_run: usize,
        tasks: &dyn Tasks,
    ) -> Result<Plan> {
        let pairs = contacts.pairs;
        self.by_tile(contacts)?;
        let lies_within = |contact: &ContactId| {
            let [own, other] = tiles(pairs[*contact]);
            own == other
        };
        let first_phase = self.phases.len() as u32;
        if self.groups.len() > 1 || !self.order[self.first..].iter().all(lies_within) {
            self.pack_tiles(pairs, longest_run, tasks)?;
            self.assign_tiles(batches)?;
            self.assign_colours(contacts, batches, longest_run)?;
        } else if !self.assign_window(self.first, false, contacts, batches, longest_run)? {
            return self.in_order(batches);
        }
        Ok(Plan { lanes: [0; 2], phases: [first_phase, self.phases.len() as u32] })
    }

    /// Packs the contacts of the order from the place `at` on, and assigns lanes to them as one phase. If most lanes
    /// would be empty, it assigns lanes only if it `must`. Returns whether it assigned lanes.
    fn assign_window(
        &mut self,
        at: usize,
        must: bool,
        planned: PlannedContacts,
        batches: &mut AssignedLanes,
        longest_run: usize,
    ) -> Result<bool> {
        let PlannedContacts { pairs, bodies, .. } = planned;
        let contacts = &self.order[at..];
        let moving = contacts.iter().flat_map(|contact| tiles(pairs[*contact]));
        let (lowest, highest) = moving.fold((u32::MAX, 0), |(low, high), tile| (low.min(tile), high.max(tile)));
        let mut window = self.windows.get_mut().pop().unwrap_or_default();
        let first = BodyRow(lowest.min(highest) * TILE);
        let end = BodyRow::from(bodies.min(((highest + 1) * TILE) as usize));
        window.pack(first..end, contacts, pairs, longest_run)?;
        // Batches with few contacts cost more than visits one by one.
        let is_worth_it = 2 * window.batches.starts.len() < contacts.len();
        if is_worth_it || must {
            batches.align();
            let (begin, first) = (self.spans.len() as u32, batches.occupied_batches());
            window.batches.iter().try_for_each(|batch| batches.place_batch(batch))?;
            self.add_span(first, batches.occupied_batches())?;
            self.end_phase(begin)?;
        }
        let windows = self.windows.get_mut();
        push(windows, window, "tiles")?;
        Ok(is_worth_it || must)
    }

    /// Assigns lanes to the batches of the tiles as a phase, with one span for each tile. Collects the contacts between
    /// tiles.
    fn assign_tiles(&mut self, batches: &mut AssignedLanes) -> Result<()> {
        let range = |[begin, end]: [u32; 2]| begin as usize..end as usize;
        batches.align();
        empty(&mut self.between, self.lengths.len(), "contacts")?;
        let begin = self.spans.len() as u32;
        for at in 0..self.groups.len() {
            let group = range(self.groups[at]);
            let (chosen, first) = (&self.order[self.first..], batches.occupied_batches());
            let mut rest = &chosen[group.clone()];
            for length in self.lengths[group].iter().take_while(|length| **length > 0) {
                let (batch, others) = rest.split_at(usize::from(*length));
                batches.place_batch(batch)?;
                rest = others;
            }
            self.between.extend_from_slice(rest);
            self.add_span(first, batches.occupied_batches())?;
        }
        self.end_phase(begin)
    }

    /// Colours the contacts between tiles. Assigns lanes to them colour by colour, behind all others.
    fn assign_colours(
        &mut self,
        contacts: PlannedContacts,
        batches: &mut AssignedLanes,
        longest_run: usize,
    ) -> Result<()> {
        if self.between.is_empty() {
            return Ok(());
        }
        self.colour(contacts)?;
        let place = self.order.len() - self.between.len();
        for colour in 0..COLOURS {
            let [first, end] = self.groups[colour].map(|at| place + at as usize);
            let begin = self.spans.len() as u32;
            let first_batch = batches.occupied_batches();
            batches.place(&self.order[first..end])?;
            batches.align();
            let end = batches.occupied_batches();
            for piece in (first_batch..end).step_by(PIECE as usize) {
                self.add_span(piece, end.min(piece + PIECE))?;
            }
            self.end_phase(begin)?;
        }
        let [first, end] = self.groups[COLOURS];
        if first < end {
            self.assign_window(place + first as usize, true, contacts, batches, longest_run)?;
        }
        Ok(())
    }
}
