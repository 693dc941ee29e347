//! Bodies: mass, pose, velocity, and their motion in one step. The module does not depend on contacts or shapes.

mod bodies;
mod definition;
mod motion;
mod saved_bodies;
mod saved_traits;
mod saved_values;
mod shared;
mod surface;

#[cfg(test)]
mod tests;

pub use bodies::{Bodies, Energy};
pub use definition::{Definition, NewBody, Traits};
pub use motion::{Drift, Kick, Kind, Lock, Mass, Motion, Wrench};
pub use surface::{SurfaceVelocity, Surfaces};
