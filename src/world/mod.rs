//! What lives between steps, and the step.
//!
//! [`World`] holds settings, materials, shapes, bodies and the contacts of the last completed step. `step.rs` is the
//! pipeline as a table of contents; `assemble.rs` is the only translator between bodies and solver rows.
//! A call that fails changes nothing.

mod active_bodies;
mod assemble;
mod body_forces;
mod checks;
mod commit;
mod correct;
mod detect;
mod hash;
mod index;
mod integrate;
mod match_contacts;
mod morton;
mod options;
mod order;
pub mod own;
mod pieces;
mod populate;
mod read;
mod removed;
mod report;
pub mod settings;
mod shapes;
mod sight;
mod sleep;
mod state;
mod step;
mod substep;
mod substeps;
mod wake;

#[cfg(test)]
mod tests;

pub use read::{BodyMass, BodyState};
pub use report::{Report, StepFailure};
pub use settings::Settings;
pub use state::World;

pub use crate::query::contacts::ContactReport;
