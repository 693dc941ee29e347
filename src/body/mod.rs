//! Bodies: mass, pose, velocity, and how they move through one step. Knows no contacts and no shapes, only masses.

mod bodies;
mod changes;
mod definition;
mod motion;
mod shared;
mod visit;

#[cfg(test)]
mod tests;

pub use bodies::{Bodies, Energy, NewBody, Traits};
pub use changes::Changes;
pub use definition::{Definition, Kind, Lock, MassModel, unit_quaternion};
pub use motion::{Drift, Kick, Mass, Motion, Wrench};
