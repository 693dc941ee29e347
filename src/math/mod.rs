//! The vocabulary of vectors and matrices (nalgebra's), and the few formulas that several modules need.
//!
//! Right-handed axes, SI units. Knows nothing of bodies or contacts.

mod contact;
pub mod elementary;
mod frame;
mod indices;
pub mod lanes;
mod rotation;
mod symmetric;
mod vector;

#[cfg(test)]
mod tests;

pub use contact::{Impulse, ImpulsiveWrench, PointX8};
pub use frame::{Aabb, Pose, tangents};
pub use indices::{BodyRow, ContactId, LaneSlot, ListPlace, RowId};
pub use rotation::{angular_drift, long_cayley, turned_by};
pub use symmetric::{Symmetric3, is_semidefinite};
pub use vector::{Mat3, Quat, Quaternion, Vec3, are_finite};
