//! Files that VTK and ParaView read: data sets with arrays (`.vtp`, `.vti`), and lists of them by time (`.pvd`).
//!
//! Numbers are written as they are, 8 bytes each, after a header in XML: a reader gets back every bit. Files get
//! their names when they are complete, so that a reader never finds half of one. This module does not depend on
//! worlds: arrays in, files out.

mod array;
mod dataset;
mod series;
mod staged;

#[cfg(test)]
pub(crate) mod tests;

pub use array::{Array, NumberType};
pub use dataset::{Cells, Dataset, Geometry};
pub use series::{Place, Series};
pub use staged::Staged;
