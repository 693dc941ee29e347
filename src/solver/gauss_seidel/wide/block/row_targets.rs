//! Blocks in the position pass: targets and multipliers in the place of right hand sides and impulses.

use super::layout::BlockBatch;
use crate::math::lanes::Wide;
use crate::solver::problem::blocks::MAX_ROWS;

const ZERO: Wide = Wide::splat(0.0);

/// What is exchanged with the rows of a batch.
#[derive(Debug, Clone, Copy)]
pub(in crate::solver) struct RowTargetsX8([RowTargetX8; MAX_ROWS]);

/// What is exchanged with a row of eight blocks.
#[derive(Debug, Clone, Copy)]
struct RowTargetX8 {
    target: Wide,
    multiplier: Wide,
    lower: Wide,
    upper: Wide,
    /// What makes a multiplier a move in m.
    measure: Wide,
}

impl RowTargetsX8 {
    /// No row takes part.
    pub(in crate::solver) const NONE: Self =
        Self([RowTargetX8 { target: ZERO, multiplier: ZERO, lower: ZERO, upper: ZERO, measure: ZERO }; MAX_ROWS]);

    /// Sets the target of a row, the multiplier from which it starts, and its bounds.
    pub(in crate::solver) fn set(&mut self, place: u8, lane: usize, [target, start, lower, upper]: [f64; 4]) {
        let row = &mut self.0[usize::from(place)];
        (row.target.0[lane], row.multiplier.0[lane]) = (target, start);
        (row.lower.0[lane], row.upper.0[lane]) = (lower, upper);
    }
}

impl BlockBatch {
    /// Returns targets by which no row takes part, but that rows without bounds are held at zero.
    pub(in crate::solver) fn free_targets(&self) -> RowTargetsX8 {
        let mut free_targets = RowTargetsX8::NONE;
        for (row_target, row) in free_targets.0.iter_mut().zip(&self.rows) {
            row_target.measure = row.measure;
        }
        free_targets
    }

    /// Exchanges targets with what stands in their place.
    pub(in crate::solver) fn exchange(&mut self, free_targets: &mut RowTargetsX8) {
        for (row, row_target) in self.rows.iter_mut().zip(&mut free_targets.0).take(self.shape.rows()) {
            std::mem::swap(&mut row.rhs, &mut row_target.target);
            std::mem::swap(&mut row.lambda, &mut row_target.multiplier);
            std::mem::swap(&mut row.lower, &mut row_target.lower);
            std::mem::swap(&mut row.upper, &mut row_target.upper);
            std::mem::swap(&mut row.measure, &mut row_target.measure);
        }
    }

    /// Multiplies by what the moves of a row are measured.
    pub(in crate::solver) fn scale_measure(&mut self, place: u8, lane: usize, scale: f64) {
        self.rows[usize::from(place)].measure.0[lane] *= scale;
    }
}
