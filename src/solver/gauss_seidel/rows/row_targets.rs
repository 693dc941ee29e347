//! Scalar rows in the position pass.
//!
//! The position pass sweeps rows in the same way as the velocity sweep. The lines then hold displacements. In each row
//! the target takes the place of the right hand side, and the multiplier that of the impulse. The two are exchanged
//! before the pass and after it.

use crate::error::{Result, empty};
use crate::math::lanes::Wide;
use crate::math::{ContactId, RowId};
use crate::solver::gauss_seidel::rows::phases::Phases;
use crate::solver::gauss_seidel::rows::plan::Plan;
use crate::solver::gauss_seidel::rows::split::SplitRow;
use crate::solver::gauss_seidel::rows::store::{IslandSchedule, RowRef, Rows, unrelaxed};
use crate::solver::gauss_seidel::scalar::ScalarRow;
use crate::solver::gauss_seidel::wide::block::BlockBatch;
use crate::solver::problem::MassInverse;
use crate::tasks::Tasks;

/// The target of a row in the position pass, in the units of its error. It is for `J dq + S nu` with the compliance `S`
/// and the multiplier `nu`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RowTarget {
    /// The sum becomes this value; `nu` has either sign.
    Hold(f64),
    /// The sum becomes at least this value; `nu` is not below zero.
    Push(f64),
    /// The sum becomes at most this value; `nu` is not above zero.
    Pull(f64),
    /// The row is excluded. A row without bounds that scales no other one is held at zero.
    Free,
}

impl RowTarget {
    /// Returns the target and the bounds of the multiplier.
    pub(super) fn parts(self) -> (f64, [f64; 2]) {
        match self {
            Self::Hold(target) => (target, [f64::NEG_INFINITY, f64::INFINITY]),
            Self::Push(target) => (target, [0.0, f64::INFINITY]),
            Self::Pull(target) => (target, [f64::NEG_INFINITY, 0.0]),
            Self::Free => (0.0, [0.0; 2]),
        }
    }

    /// Returns the change that is needed to reach the target from zero.
    pub(in crate::solver) fn missing(self) -> f64 {
        match self {
            Self::Hold(target) => target.abs(),
            Self::Push(target) => target.max(0.0),
            Self::Pull(target) => (-target).max(0.0),
            Self::Free => 0.0,
        }
    }
}

/// The rows in the position pass, by their numbers: their targets, and the multipliers with which they start and end.
/// Without targets all rows are excluded.
#[derive(Debug)]
pub struct PositionRows<'a> {
    /// One for each row of the problem, or none.
    pub targets: &'a [RowTarget],
    /// One for each target.
    pub multipliers: &'a mut [f64],
}

impl Rows {
    /// Returns whether the present position pass includes scalar rows.
    pub(in crate::solver) fn have_targets(&self) -> bool {
        self.exchanged.is_active
    }

    /// Replaces right hand sides by targets, and impulses by a `part` of the multipliers. Changes nothing if there are
    /// no targets.
    pub(in crate::solver) fn set_row_targets(&mut self, position_rows: &PositionRows, part: f64) -> Result<()> {
        if position_rows.targets.is_empty() {
            return Ok(());
        }
        let Self { blocks, scalar, scalar_of, split, exchanged, .. } = self;
        empty(&mut exchanged.split, split.rows.len(), "rows")?;
        let target_of =
            |row: &SplitRow| position_rows.targets.get(row.row.index()).map_or(RowTarget::Free, |target| *target);
        exchanged.split.extend(split.rows.iter().map(|row| target_of(row).parts()));
        empty(&mut exchanged.blocks, blocks.batches.len(), "blocks of rows")?;
        empty(&mut exchanged.scalar, scalar.len(), "rows")?;
        exchanged.blocks.extend(blocks.batches.iter().map(BlockBatch::free_targets));
        exchanged.scalar.extend(scalar.iter().map(ScalarRow::free_target));
        for ((row, target), multiplier) in
            RowId::range(0..position_rows.targets.len()).zip(position_rows.targets).zip(&*position_rows.multipliers)
        {
            let (target, [lower, upper]) = target.parts();
            let start = (part * multiplier).max(lower).min(upper);
            if let Some((lane, place)) = blocks.row(row) {
                exchanged.blocks[lane.batch()].set(place, lane.lane(), [target, start, lower, upper]);
            } else if let Some(row_target) =
                scalar_of.get(row.index()).and_then(|row| exchanged.scalar.get_mut(row.index()))
            {
                // These rows start from zero.
                (row_target.target, row_target.lower, row_target.upper) = (target, lower, upper);
            }
        }
        exchanged.is_active = true;
        self.exchange();
        Ok(())
    }

    /// Restores right hand sides and impulses, and reads the multipliers. If the rows are excluded, it only sets the
    /// multipliers to zero.
    pub(in crate::solver) fn restore_rows(&mut self, position_rows: &mut PositionRows) {
        if !self.exchanged.is_active {
            return position_rows.multipliers.fill(0.0);
        }
        for (row, multiplier) in RowId::range(0..position_rows.multipliers.len()).zip(&mut *position_rows.multipliers) {
            *multiplier = self.row_impulse(row);
        }
        self.exchange();
        self.exchanged.is_active = false;
    }

    fn exchange(&mut self) {
        let Self { blocks, scalar, exchanged, .. } = self;
        blocks
            .batches
            .iter_mut()
            .zip(&mut exchanged.blocks)
            .for_each(|(batch, position_rows)| batch.exchange(position_rows));
        scalar.iter_mut().zip(&mut exchanged.scalar).for_each(|(row, row_target)| row.exchange(row_target));
    }

    /// Multiplies the factor by which the moves of a row are measured.
    pub(in crate::solver) fn scale_row_moves(&mut self, row: RowId, scale: f64) {
        if let Some((lane, place)) = self.blocks.row(row) {
            self.blocks.batches[lane.batch()].scale_measure(place, lane.lane(), scale);
        } else if let Some(scalar) = self.scalar_of.get(row.index()) {
            self.scalar[*scalar].scale_measure(scale);
        }
    }

    /// Makes one sweep of the position pass over the blocks of a part that are in batches. Returns the largest move of
    /// a row.
    pub(super) fn sweep_block_positions(&mut self, part: usize, tasks: &dyn Tasks) -> f64 {
        let Self { blocks, bodies, masses: lines, level, planner, schedules, .. } = self;
        let IslandSchedule { blocks: swept, .. } = schedules[part];
        let phases = Phases { plan: &Plan::NONE, planner, level: *level, tasks };
        let context = unrelaxed(bodies, lines);
        blocks.sweep(swept, phases, context).sqrt()
    }

    /// Solves one block, or one row in no block, in the position pass. Returns the largest move of a row; 0 if rows are
    /// excluded.
    pub(super) fn project_scalar(&mut self, row: RowRef, masses: &[MassInverse]) -> f64 {
        let Self { blocks, scalar, bodies, masses: lines, exchanged, .. } = self;
        if !exchanged.is_active {
            return 0.0;
        }
        match row {
            RowRef::Block(lane) => blocks.relax(lane, unrelaxed(bodies, lines)).sqrt(),
            RowRef::Scalar(row) if scalar[row].contact == ContactId::NONE => {
                scalar[row].relax(masses, bodies, 1.0, 1.0).sqrt()
            }
            RowRef::Scalar(_) | RowRef::Central(_) | RowRef::General(_) => 0.0,
        }
    }

    /// Visits the scalar rows of a part once more: the last visits of the pass are those of joints, not of contacts.
    /// Then computes the displacements of the mechanisms of the part.
    pub(in crate::solver) fn close_rows(
        &mut self,
        part: usize,
        masses: &[MassInverse],
        multipliers: &[Wide],
        tasks: &dyn Tasks,
    ) -> Result<()> {
        if self.have_targets() {
            let [first, end] = self.schedules[part].visits;
            for at in first as usize..end as usize {
                self.project_scalar(self.visits[at], masses);
            }
            self.sweep_block_positions(part, tasks);
        }
        self.close_split(part, &multipliers[self.central.assigned.contacts.len()..])
    }
}
