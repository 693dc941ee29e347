//! Contact detection: boxes in, pairs out (broad phase); the geometry of one pair (narrow phase).
//!
//! Knows shapes and places. Knows no velocities, masses or impulses.

mod grid;
pub mod narrow;
pub mod pairs;

#[cfg(test)]
mod tests;

pub use grid::Grid;
pub use pairs::{PairList, Proxy};
