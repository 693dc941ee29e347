//! Tests of this room, one file for each source.

mod active_bodies;
mod anchors;
mod assemble;
mod broad_phase;
mod correct;
mod detect;
mod digest;

mod impact;
mod impact_stage;
mod index;
mod integrate;
mod joints;
mod joints_ball;
mod joints_bounds;
mod joints_defects;
mod joints_forces;
mod joints_motion;
mod joints_of_bodies;
mod joints_split;
mod ledger;
mod morton;
pub(crate) mod non_defaults;
mod periodic;
mod populate;
mod project_positions;
mod read;
mod readback;
mod report;
mod scene;
mod settings;
mod settings_options;
mod shape_registry;
mod sleep;
mod solve;

mod state;
mod step;
mod step_law;
mod step_spook;
mod stretch;
mod substeps;
mod substeps_report;
mod surface_velocity;
mod visit;
mod visit_hash;
mod warm_start;
