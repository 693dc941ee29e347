//! Contacts between steps: materials and mixing, keys, matching and remembered impulses.
//!
//! [`memory`] is the only place that remembers impulses from one step to the next.

pub mod loads;
pub mod material;
pub mod memory;
pub mod state;
pub mod surface;
pub mod touch;
pub mod touches;
mod visit;

#[cfg(test)]
mod tests;

pub use loads::{Loads, Marks};
pub use memory::{Memory, Shared};
pub use surface::{Mixing, Surface};
pub use touch::{Found, Load, PointGeometry, Spot, Total, Touch};
pub use touches::Touches;
