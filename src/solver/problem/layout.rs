//! What the lanes of contacts depend on, beside the pairs.

use crate::solver::problem::order::Order;

/// How the contacts of a problem are visited.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::solver) struct Layout {
    /// The order of the visits.
    pub(in crate::solver) order: Order,
    /// Whether all islands are swept together.
    pub(in crate::solver) together: bool,
}
