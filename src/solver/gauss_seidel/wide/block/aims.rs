//! Blocks in the position pass: targets and multipliers in the place of right hand sides and impulses.

use super::layout::BlockBatch;
use crate::math::lanes::Wide;
use crate::solver::problem::blocks::MAX_ROWS;

const ZERO: Wide = Wide::splat(0.0);

/// What is exchanged with the rows of a batch.
#[derive(Debug, Clone, Copy)]
pub(in crate::solver) struct RowAimsX8([RowAimX8; MAX_ROWS]);

/// What is exchanged with a row of eight blocks.
#[derive(Debug, Clone, Copy)]
struct RowAimX8 {
    target: Wide,
    multiplier: Wide,
    lower: Wide,
    upper: Wide,
    /// What makes a multiplier a move in m.
    measure: Wide,
}

impl RowAimsX8 {
    /// No row takes part.
    pub(in crate::solver) const NONE: Self =
        Self([RowAimX8 { target: ZERO, multiplier: ZERO, lower: ZERO, upper: ZERO, measure: ZERO }; MAX_ROWS]);

    /// Sets the target of a row, the multiplier from which it starts, and its bounds.
    pub(in crate::solver) fn set(&mut self, place: u8, lane: usize, [target, start, lower, upper]: [f64; 4]) {
        let row = &mut self.0[usize::from(place)];
        (row.target.0[lane], row.multiplier.0[lane]) = (target, start);
        (row.lower.0[lane], row.upper.0[lane]) = (lower, upper);
    }
}

impl BlockBatch {
    /// Returns aims by which no row takes part, but that rows without bounds are held at zero.
    pub(in crate::solver) fn aims(&self) -> RowAimsX8 {
        let mut aims = RowAimsX8::NONE;
        for (aim, row) in aims.0.iter_mut().zip(&self.rows) {
            aim.measure = row.measure;
        }
        aims
    }

    /// Exchanges aims with what stands in their place.
    pub(in crate::solver) fn exchange(&mut self, aims: &mut RowAimsX8) {
        for (row, aim) in self.rows.iter_mut().zip(&mut aims.0).take(self.shape.rows()) {
            std::mem::swap(&mut row.rhs, &mut aim.target);
            std::mem::swap(&mut row.lambda, &mut aim.multiplier);
            std::mem::swap(&mut row.lower, &mut aim.lower);
            std::mem::swap(&mut row.upper, &mut aim.upper);
            std::mem::swap(&mut row.measure, &mut aim.measure);
        }
    }

    /// Multiplies by what the moves of a row are measured.
    pub(in crate::solver) fn scale_measure(&mut self, place: u8, lane: usize, scale: f64) {
        self.rows[usize::from(place)].measure.0[lane] *= scale;
    }
}
