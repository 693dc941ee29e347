//! Contact detection.
//!
//! The broad phase (`neighbours`, over the grids of `grid`) gets fat bounds of bodies and keeps the list of pairs that may touch.
//! The narrow phase ([`narrow`]) finds the contact points of one pair of shapes. Both depend on shapes and poses, not on velocities,
//! masses or impulses. `world/detect` calls them.

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
