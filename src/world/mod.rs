//! What lives between steps, and the step.
//!
//! [`World`] holds settings, materials, shapes, bodies and the contacts of the last completed step. `step.rs` is the
//! pipeline as a table of contents; `assemble.rs` is the only translator between bodies and solver rows.
//! A call that fails changes nothing.

mod assemble;
mod correct;
mod curve;
mod detect;
mod doze;
mod hash;
mod index;
mod integrate;
mod options;
pub mod own;
mod populate;
mod position_targets;
mod read;
mod readback;
mod removed;
mod report;
mod roster;
pub mod settings;
mod shapes;
mod sleep;
mod solve;
mod state;
mod step;
mod substeps;

#[cfg(test)]
pub(crate) mod tests;

pub use read::{BodyMass, BodyState};
pub use report::{Report, StepFailure};
pub use settings::Settings;
pub use state::World;

pub use crate::query::contacts::ContactReport;
