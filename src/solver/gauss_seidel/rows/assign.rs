//! Lanes assigned to the contacts that a plan chooses, and the phases of their batches.

use crate::error::{Result, reserve};
use crate::solver::gauss_seidel::rows::batches::ContactBatches;
use crate::solver::gauss_seidel::rows::plan::{COLOURS, Plan, PlannedContacts, Planner};
use crate::solver::gauss_seidel::wide::Batch;
use crate::solver::problem::pairs::{TILE, tiles};
use crate::tasks::Tasks;

/// Batches of a piece of a colour.
const PIECE: u32 = 32;

impl Planner {
    /// Assigns the next lanes to the chosen contacts, which are visited one by one.
    pub(super) fn in_order<B: Batch>(&mut self, batches: &mut ContactBatches<B>) -> Result<Plan> {
        let first = batches.occupied;
        batches.place(self.first as u32..self.order.len() as u32)?;
        Ok(Plan { lanes: [first, batches.occupied], phases: [0; 2] })
    }

    /// Assigns lanes in batches to the chosen contacts.
    pub(in crate::solver) fn in_batches<B: Batch>(
        &mut self,
        contacts: PlannedContacts,
        batches: &mut ContactBatches<B>,
        tasks: &dyn Tasks,
    ) -> Result<Plan> {
        let pairs = contacts.pairs;
        self.by_tile(contacts)?;
        let lies_within = |contact: &u32| {
            let [own, other] = tiles(pairs[*contact as usize]);
            own == other
        };
        let first_phase = self.phases.len() as u32;
        if self.groups.len() > 1 || !self.order[self.first..].iter().all(lies_within) {
            self.pack_tiles(pairs, B::LONGEST_RUN, tasks)?;
            self.assign_tiles(batches)?;
            self.assign_colours(contacts, batches)?;
        } else if !self.assign_window(self.first, false, contacts, batches)? {
            return self.in_order(batches);
        }
        Ok(Plan { lanes: [0; 2], phases: [first_phase, self.phases.len() as u32] })
    }

    /// Packs the contacts of the order from the place `at` on, and assigns lanes to them as one phase. Assigns nothing where batches would be
    /// hardly filled, unless it is a `must`. Returns whether it assigned lanes.
    fn assign_window<B: Batch>(
        &mut self,
        at: usize,
        must: bool,
        planned: PlannedContacts,
        batches: &mut ContactBatches<B>,
    ) -> Result<bool> {
        let PlannedContacts { pairs, bodies, .. } = planned;
        let contacts = &mut self.order[at..];
        let moving = contacts.iter().flat_map(|contact| tiles(pairs[*contact as usize]));
        let (lowest, highest) = moving.fold((u32::MAX, 0), |(low, high), tile| (low.min(tile), high.max(tile)));
        let mut window = self.windows.get_mut().pop().unwrap_or_default();
        let first = lowest.min(highest) * TILE;
        let end = bodies.min(((highest + 1) * TILE) as usize) as u32;
        window.pack(first..end, contacts, pairs, B::LONGEST_RUN)?;
        // Batches that are hardly filled cost more than visits one by one.
        let is_worth_it = 2 * window.batches.starts.len() < contacts.len();
        if is_worth_it || must {
            contacts.copy_from_slice(&window.batches.order);
            batches.align();
            let (begin, first) = (self.spans.len() as u32, batches.occupied_batches());
            let mut number = at as u32;
            for batch in window.batches.iter() {
                batches.place_batch(&mut number, batch.len() as u8)?;
            }
            self.add_span(first, batches.occupied_batches())?;
            self.end_phase(begin)?;
        }
        let windows = self.windows.get_mut();
        reserve(windows, 1, "tiles")?;
        windows.push(window);
        Ok(is_worth_it || must)
    }

    /// Assigns lanes to the batches of the tiles as a phase, those of each as a span, and takes out the contacts between tiles.
    fn assign_tiles<B: Batch>(&mut self, batches: &mut ContactBatches<B>) -> Result<()> {
        let range = |[begin, end]: [u32; 2]| begin as usize..end as usize;
        batches.align();
        self.between.clear();
        reserve(&mut self.between, self.lengths.len(), "contacts")?;
        let begin = self.spans.len() as u32;
        let mut number = self.first as u32;
        for at in 0..self.groups.len() {
            let group = range(self.groups[at]);
            let (from, first) = (number, batches.occupied_batches());
            for length in self.lengths[group.clone()].iter().take_while(|length| **length > 0) {
                batches.place_batch(&mut number, *length)?;
            }
            self.add_span(first, batches.occupied_batches())?;
            let (chosen, within) = (&mut self.order[self.first..], group.start..group.start + (number - from) as usize);
            self.between.extend_from_slice(&chosen[within.end..group.end]);
            chosen.copy_within(within, from as usize - self.first);
        }
        self.end_phase(begin)
    }

    /// Colours the contacts between tiles, and assigns lanes to them colour by colour, behind all others.
    fn assign_colours<B: Batch>(&mut self, contacts: PlannedContacts, batches: &mut ContactBatches<B>) -> Result<()> {
        if self.between.is_empty() {
            return Ok(());
        }
        self.colour(contacts)?;
        let place = self.order.len() - self.between.len();
        for colour in 0..COLOURS {
            let [first, end] = self.groups[colour].map(|at| place as u32 + at);
            let begin = self.spans.len() as u32;
            let first_batch = batches.occupied_batches();
            batches.place(first..end)?;
            batches.align();
            let end = batches.occupied_batches();
            for piece in (first_batch..end).step_by(PIECE as usize) {
                self.add_span(piece, end.min(piece + PIECE))?;
            }
            self.end_phase(begin)?;
        }
        let [first, end] = self.groups[COLOURS];
        if first < end {
            self.assign_window(place + first as usize, true, contacts, batches)?;
        }
        Ok(())
    }
}
