//! Bodies: mass, pose, velocity, and how they move through one step. Knows no contacts and no shapes, only masses.

mod bodies;
mod definition;
mod motion;
mod saved_bodies;
mod saved_values;
mod shared;
mod surface;

#[cfg(test)]
mod tests;

pub use bodies::{Bodies, Energy};
pub use definition::{Definition, NewBody, Traits};
pub use motion::{Drift, Kick, Kind, Lock, Mass, Motion, Wrench};
pub use surface::{SurfaceVelocity, Surfaces};
