//! The vocabulary of vectors and matrices (nalgebra's), and the few formulas that several modules need.
//!
//! Right-handed axes, SI units. Knows nothing of bodies or contacts.

mod aabb;
pub mod elementary;
mod frame;
mod impulse;
mod indices;
pub mod lanes;
mod point;
mod rotation;
mod semidefinite;
mod symmetric;
mod vector;

#[cfg(test)]
mod tests;

pub use aabb::Aabb;
pub use frame::{Pose, tangents};
pub use impulse::Impulse;
pub use indices::{BodyRow, ContactId, LaneSlot, ListPlace, RowId};
pub use point::PointX8;
pub use rotation::{angular_drift, cayley, long_cayley, turned_by};
pub use semidefinite::is_semidefinite;
pub use symmetric::Symmetric3;
pub use vector::{Mat3, Quat, Quaternion, Vec3, are_finite};
