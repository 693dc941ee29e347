//! The blocks of scalar rows: eight to a batch, each in its lane.

use crate::error::{Result, empty, push, resize};
use crate::math::lanes::{Kernel, Lanes, Level, WIDE, Wide, dispatch};
use crate::math::{BodyRow, ContactId, LaneSlot, RowId};
use crate::solver::gauss_seidel::rows::assigned::AssignedLanes;
use crate::solver::gauss_seidel::rows::kernels::{Apply, Sum, Sweep, prefetch_batches, sum_up};
use crate::solver::gauss_seidel::rows::phases::Phases;
use crate::solver::gauss_seidel::rows::plan::{Plan, PlannedContacts, Planner};
use crate::solver::gauss_seidel::rule::Coulomb;
use crate::solver::gauss_seidel::wide::block::{BlockBatch, RowsX8};
use crate::solver::gauss_seidel::wide::lines::moved;
use crate::solver::gauss_seidel::wide::masses::Anisotropic;
use crate::solver::gauss_seidel::wide::{Extras, SweepBatch, SweepContext};
use crate::solver::problem::Problem;
use crate::solver::problem::blocks::{Blocks, MAX_ROWS};
use crate::solver::problem::contacts::occupied;
use crate::solver::problem::islands::Island;
use crate::solver::problem::order::Order;
use crate::solver::problem::pairs::LinePair;
use crate::tasks::{Tasks, each_piece};

/// The number of batches that are prepared at a time.
const PIECE: usize = 16;

/// The blocks of a problem in their lanes.
#[derive(Debug, Default)]
pub(in crate::solver) struct BlockBatches {
    pub(in crate::solver) found: Blocks,
    assigned: AssignedLanes,
    pub(super) batches: Vec<BlockBatch>,
    /// The lane of each block, or [`LaneSlot::NONE`].
    lane_of: Vec<LaneSlot>,
    /// The place of each row in its block.
    places: Vec<u8>,
    /// The plans of all islands, one for each shape of block.
    plans: Vec<Plan>,
    /// Whether all bodies are isotropic.
    isotropic: bool,
    /// The residuals of the rows of each batch that were measured last [m/s].
    residuals: Vec<RowsX8>,
}

/// Selects blocks, and the order in which they are planned.
pub(super) struct WantedBlocks<'a> {
    /// The number of bodies.
    pub(super) bodies: usize,
    /// The island of the blocks, or none for all blocks.
    pub(super) island: Option<Island<'a>>,
    pub(super) order: Order,
    /// Returns whether blocks with this pair are selected.
    pub(super) chosen: &'a dyn Fn(&LinePair) -> bool,
}

impl BlockBatches {
    /// Returns whether no block is swept.
    pub(super) fn is_empty(&self) -> bool {
        self.assigned.is_empty()
    }

    /// Removes all lanes and plans.
    pub(super) fn clear(&mut self) {
        self.assigned.clear();
        self.plans.clear();
    }

    /// Plans the visits of blocks. Returns the range of their plans.
    pub(super) fn schedule(
        &mut self,
        planner: &mut Planner,
        wanted: &WantedBlocks,
        tasks: &dyn Tasks,
    ) -> Result<[u32; 2]> {
        let Self { found, assigned, plans, .. } = self;
        let WantedBlocks { bodies, island, order, chosen } = *wanted;
        let first = plans.len() as u32;
        let contacts = PlannedContacts { pairs: &found.pairs, are_sorted: found.are_sorted(), bodies };
        for shape in &found.shapes {
            let is_chosen = |block: &ContactId| {
                found.all[*block].shape == *shape && found.is_swept(*block) && chosen(&found.pairs[*block])
            };
            match island {
                Some(island) => planner.choose(first_rows(island.rows, found).filter(is_chosen)),
                None => planner.choose(ContactId::range(0..found.all.len()).filter(is_chosen)),
            }
            // Blocks of different shapes share no batch.
            assigned.align();
            let plan = match order {
                Order::Colored => planner.in_batches(contacts, assigned, 1, tasks)?,
                Order::Natural | Order::Symmetric | Order::Random(_) => planner.in_order(assigned)?,
            };
            push(plans, plan, "islands")?;
        }
        Ok([first, plans.len() as u32])
    }

    /// Stores the lane of each block, after all islands are scheduled.
    pub(super) fn number_lanes(&mut self, problem: &Problem) -> Result<()> {
        let Self { found, assigned, batches, lane_of, places, .. } = self;
        resize(lane_of, found.all.len(), LaneSlot::NONE, "blocks of rows")?;
        lane_of.fill(LaneSlot::NONE);
        for (at, batch) in assigned.contacts.iter().enumerate() {
            occupied(batch).for_each(|(lane, block)| lane_of[block] = LaneSlot::new(at, lane));
        }
        resize(places, problem.rows.len(), 0, "rows")?;
        for block in &found.all {
            let range = block.range();
            places[range.clone()].copy_from_slice(&block.places(&found.bilateral)[..range.len()]);
        }
        empty(batches, assigned.contacts.len(), "blocks of rows")?;
        batches.resize(assigned.contacts.len(), BlockBatch::empty(BodyRow::from(problem.masses.len())));
        Ok(())
    }

    /// Writes the blocks into their lanes. Their impulses are set separately.
    pub(super) fn fill(&mut self, problem: &Problem, tasks: &dyn Tasks) {
        let Self { found, assigned, batches, isotropic, .. } = self;
        each_piece(tasks, PIECE, batches, |first, batches| {
            for (batch, lanes) in batches.iter_mut().zip(&assigned.contacts[first..]) {
                let blocks = occupied(lanes).map(|(lane, block)| (lane, &found.all[block], &found.pairs[block]));
                batch.write(problem, &found.bilateral, blocks);
            }
        });
        let is_isotropic = |body: BodyRow| problem.mass(body).isotropic().is_some();
        *isotropic = problem.rows.iter().all(|row| is_isotropic(row.body_a) && is_isotropic(row.body_b));
    }

    /// Returns the lane of a row and its place in the block there, or none if the row is in no block.
    pub(super) fn row(&self, row: RowId) -> Option<(LaneSlot, u8)> {
        let block = *self.found.of_row.get(row.index())?;
        let lane = *self.lane_of.get(block.index())?;
        (lane != LaneSlot::NONE).then(|| (lane, self.places[row]))
    }

    /// Sets the impulse of a row, without applying it to the velocities.
    pub(super) fn set(&mut self, (slot, place): (LaneSlot, u8), lambda: f64) {
        self.batches[slot.batch()].set(place, slot.lane(), lambda);
    }

    /// Returns the impulse of a row.
    pub(super) fn impulse(&self, (slot, place): (LaneSlot, u8)) -> f64 {
        self.batches[slot.batch()].impulse(place, slot.lane())
    }

    /// Solves one block. Returns the square of its change in velocity [m^2/s^2].
    pub(super) fn relax(&mut self, slot: LaneSlot, context: SweepContext) -> f64 {
        let (batch, lane) = (&mut self.batches[slot.batch()], slot.lane());
        let own = *batch.places()[0];
        moved(context.bodies, &own, lane, |a| {
            batch.relax::<f64, Anisotropic, Coulomb, true>(a, None, None, context, lane)
        })
    }

    /// Measures all rows in blocks at the velocities on the lines.
    pub(super) fn measure(&mut self, level: Level, context: SweepContext, tasks: &dyn Tasks) -> Result<()> {
        let Self { batches, residuals, .. } = self;
        resize(residuals, batches.len(), [Wide::splat(0.0); MAX_ROWS], "rows")?;
        each_piece(tasks, PIECE, residuals, |first, residuals| {
            dispatch(level, Measure { batches: &batches[first..], residuals, context });
        });
        Ok(())
    }

    /// Returns the residual of a row that was measured last [m/s].
    pub(super) fn residual(&self, (slot, place): (LaneSlot, u8)) -> f64 {
        self.residuals[slot.batch()][usize::from(place)].0[slot.lane()]
    }

    /// Applies the impulses of one block to the velocities.
    pub(super) fn apply(&self, slot: LaneSlot, context: SweepContext) {
        let (batch, lane) = (&self.batches[slot.batch()], slot.lane());
        moved(context.bodies, batch.places()[0], lane, |a| batch.apply::<f64>(a, None, context, lane));
    }

    /// Adds the impulses of one block to the sums on the lines of its bodies.
    pub(super) fn sum(&self, slot: LaneSlot, context: SweepContext) {
        sum_up::<_, f64>(&self.batches[slot.batch()], None, context, slot.lane());
    }

    /// Returns the lanes of blocks of some plans that are visited one by one. These are all blocks if the order is not
    /// that of batches.
    pub(super) fn lanes(&self, [first, end]: [u32; 2]) -> impl Iterator<Item = LaneSlot> {
        self.plans[first as usize..end as usize].iter().flat_map(Plan::lanes)
    }

    /// Sweeps over the phases of some plans. Returns the square of the largest change.
    pub(super) fn sweep(&mut self, plans: [u32; 2], phases: Phases, context: SweepContext) -> f64 {
        // Rows have no law of friction.
        let (context, isotropic) = (SweepContext { dilation: 0.0, ..context }, self.isotropic);
        self.each_phase(plans, phases, |batches| {
            let extras = Extras { all: &[], places: &[] };
            dispatch(phases.level, Sweep { batches, extras, torques: &mut [], context, measured: true, isotropic })
        })
    }

    /// Applies the impulses of some plans to the velocities.
    pub(super) fn apply_all(&mut self, plans: [u32; 2], phases: Phases, context: SweepContext) {
        self.each_phase(plans, phases, |batches| {
            dispatch(phases.level, Apply { batches, torques: &[], context });
            0.0
        });
    }

    /// Adds the impulses of some plans to the sums on the lines of the bodies.
    pub(super) fn sum_all(&mut self, plans: [u32; 2], phases: Phases, context: SweepContext) {
        self.each_phase(plans, phases, |batches| {
            dispatch(phases.level, Sum { batches, torques: &[], context });
            0.0
        });
    }

    fn each_phase(
        &mut self,
        [first, end]: [u32; 2],
        phases: Phases,
        work: impl Fn(&mut [BlockBatch]) -> f64 + Sync,
    ) -> f64 {
        let Self { batches, plans, .. } = self;
        plans[first as usize..end as usize].iter().fold(0.0, |largest: f64, plan| {
            let found = Phases { plan, ..phases }.run(batches, &mut [(); 0], |_, batches, _| work(batches));
            largest.max(found)
        })
    }
}

/// Returns the blocks whose first row is among these, in their order.
fn first_rows<'a>(rows: &'a [RowId], found: &'a Blocks) -> impl Iterator<Item = ContactId> + 'a {
    rows.iter().filter_map(|row| {
        let block = found.of_row[*row];
        found.all.get(block.index()).filter(|found| found.first == *row).map(|_| block)
    })
}

/// The residuals of the rows of batches.
struct Measure<'a> {
    batches: &'a [BlockBatch],
    residuals: &'a mut [RowsX8],
    context: SweepContext<'a>,
}

impl Kernel for Measure<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { batches, residuals, context } = self;
        for at in 0..residuals.len() {
            prefetch_batches(batches, &[], at, context, batches[at].bytes_read(), false);
            for first in (0..WIDE).step_by(L::WIDTH) {
                batches[at].measure::<L>(&mut residuals[at], context, first);
            }
        }
    }
}
