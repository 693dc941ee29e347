//! Joints of a world: their state, the rows that they give to a substep, and the impulses of these rows.

mod aim;
mod aim_round;
mod ball;
mod bounds;
mod close;
mod errors;
mod event;
mod freedom;
mod inertia;
mod of_bodies;
mod populate;
mod positions;
mod read;
mod rows;
mod saved;
mod state;
mod stiffness;
mod visit;
mod welds;

pub(in crate::world) use aim::MechanismWorkspace;
pub(in crate::world) use aim_round::AimInput;
pub(in crate::world) use close::{CloseInput, ClosingWorkspace};
pub(in crate::world) use errors::MovedBodies;
pub use event::{JointEvent, JointEventKind};
pub(in crate::world) use positions::{RowTargets, TargetsInput};
pub use read::JointReading;
pub(in crate::world) use rows::{JointInput, JointRows};
pub(in crate::world) use state::{JointReport, JointWorkspace, Joints};
pub use state::{JointRequest, JointTarget};
pub(in crate::world) use welds::Separated;
