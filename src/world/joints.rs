//! Joints of a world: their state, the rows that they give to a substep, and what these carried.

mod aim;
mod close;
mod errors;
mod inertia;
mod populate;
mod positions;
mod read;
mod rows;
mod state;
mod stiffness;
mod welds;

pub(in crate::world) use aim::{AimInput, MechanismWorkspace};
pub(in crate::world) use close::{CloseInput, ClosingWorkspace};
pub(in crate::world) use errors::MovedBodies;
pub(in crate::world) use positions::{RowTargets, TargetsInput};
pub use read::JointReading;
pub(in crate::world) use rows::{JointInput, JointRows};
pub(in crate::world) use state::{JointReport, JointWorkspace, Joints};
pub use state::{JointRequest, JointTarget};
pub(in crate::world) use welds::Separated;
