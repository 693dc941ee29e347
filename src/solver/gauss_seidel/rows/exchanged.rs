//! Targets and multipliers, which scalar rows hold during the position pass in place of right hand sides and impulses.

use crate::solver::gauss_seidel::scalar::ScalarTarget;
use crate::solver::gauss_seidel::wide::block::RowTargetsX8;

/// The values that are exchanged with the rows before and after the position pass.
#[derive(Debug, Default)]
pub(in crate::solver) struct ExchangedRows {
    /// One for each batch of blocks.
    pub(super) blocks: Vec<RowTargetsX8>,
    /// One for each row that is in no block.
    pub(super) scalar: Vec<ScalarTarget>,
    /// The target of each row with bounds of a mechanism, and the bounds of its multiplier.
    pub(super) split: Vec<(f64, [f64; 2])>,
    /// Whether the rows hold targets now.
    pub(super) is_active: bool,
}
