//! Contact detection: bounds in, pairs out (broad phase); the geometry of one pair (narrow phase).
//!
//! It depends on shapes and places, and not on velocities, masses or impulses.

mod cell;
mod cells;
mod filter;
mod grid;
mod group;
mod images;
pub mod narrow;
mod neighbours;

#[cfg(test)]
mod tests;

pub use filter::{Ball, Filter, near};
pub use grid::Grid;
pub use group::Part;
pub use neighbours::{Neighbours, Pairs, ProxySource};
