//! The world and the step.
//!
//! [`World`] (`state.rs`) holds settings, materials, shapes, bodies and the contacts of the last completed step.
//! `step.rs` calls the stages of a step in order; most stages are in the file of their name. `assemble.rs` is the only
//! translation from bodies to solver rows. A call that fails changes nothing.
//!
//! A function of this module that returns a `Result` and documents no errors fails only if memory is exhausted.

mod active_bodies;
mod anchors;
mod assemble;
mod clumps;
mod commit;
mod correct;
mod detect;
mod diagnose;
#[cfg(feature = "vtk")]
pub mod export;
pub mod external;
mod fields;
mod friction_frames;
mod images;
mod impact;
mod index;
mod integrate;
mod island_residuals;
mod joints;
mod ledger;
mod match_contacts;
mod morton;
mod order;
mod overlaps;
mod periodic;
mod populate;
mod project_positions;
mod read;
mod read_solution;
mod readback;
mod report;
mod saved;
mod saved_contacts;
mod saved_impacts;
mod saved_readback;
pub mod settings;
mod shape_registry;
mod sleep;
mod solve;
mod solve_impacts;
mod state;
mod static_workspace;
mod statics;
mod step;
mod stick_targets;
mod strain;
mod stretch;
mod substeps;
mod surface_velocity;
mod surfaces;
mod visit;

#[cfg(test)]
pub(crate) mod tests;

pub use clumps::ClumpPart;
pub use joints::{JointEvent, JointEventKind, JointReading, JointRequest, JointTarget};
pub use ledger::Ledger;
pub use overlaps::{Overlap, ShapePose};
pub use read::{BodyMass, BodyState};
pub use report::{Report, StepFailure};
pub use settings::{Projection, Settings};
pub use state::World;
pub use statics::{StaticDefinition, StaticReport};

pub use crate::query::ContactReport;
