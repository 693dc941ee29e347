//! Contact detection: bounds in, pairs out (broad phase); the geometry of one pair (narrow phase).
//!
//! Knows shapes and places. Knows no velocities, masses or impulses.

mod ball;
mod cells;
mod filter;
mod grid;
mod group;
pub mod narrow;
mod near;
mod neighbours;
mod part;

#[cfg(test)]
mod tests;

pub use ball::Ball;
pub use filter::Filter;
pub use grid::Grid;
pub use near::near;
pub use neighbours::{Filed, Neighbours, Pairs};
pub use part::Part;
