//! The vocabulary of vectors and matrices (nalgebra's), and the few formulas that several modules need.
//!
//! Right-handed axes, SI units. Knows nothing of bodies or contacts.

mod contact;
pub mod elementary;
mod frame;
mod indices;
pub mod lanes;
pub mod limits;
mod period;
mod scatter;
mod vector;

#[cfg(test)]
mod tests;

pub use contact::{Impulse, ImpulsiveWrench, PointX8};
pub use frame::{Aabb, Pose, angular_drift, angular_turn, long_cayley, tangents, turned_by, unit_quaternion};
pub use indices::{BodyRow, ContactId, LaneSlot, ListPlace, RowId};
pub use period::Period;
pub use scatter::{scattered, scattered_direction};
pub use vector::{
    Mat3, Quat, Quaternion, Symmetric3, Vec2, Vec3, are_finite, is_identical, is_semidefinite, is_within, length_of,
};
