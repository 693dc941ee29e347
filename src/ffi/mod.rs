//! The C interface: every `extern "C"`, raw pointer, C name and layout of the library.
//!
//! Most unsafe code of the library is here. `guard` is the boundary: it turns pointers into references, catches panics,
//! and chooses the status that is returned. Each exported function checks its arguments, calls a safe function, and writes
//! its outputs only on success.
//!
//! `include/drystone.h` is generated from this module, with its documentation. The groups of public modules below are the
//! chapters of the header; the comment above a group is the title. In a chapter types come before functions. Functions
//! are in the order create, destroy, configure, act, read.

#![allow(unsafe_code)]
// Names are those in C. The first page of the header has the rules for all pointers.
#![allow(non_camel_case_types, clippy::missing_safety_doc)]

// Objects and their names
pub mod handle;

// Status
pub mod status_code;

// Last error and version
pub mod status;

// Settings
pub mod settings;

// Tasks: the host's job system
pub mod tasks;

// Worlds
pub mod world;

// Periodic boxes that are strained
pub mod strain;

// Stepping
pub mod run;
pub mod step;

// Statics: increments that balance all loads, and limit loads
pub mod iteration_progress;
pub mod statics;

// Materials
pub mod materials;

// Shapes
pub mod clumps;
pub mod curves;
pub mod shapes;

// Bodies
pub mod bodies;
pub mod body_types;
pub mod surface_velocity;

// Joints
pub mod joint_types;
pub mod joint_types_axis;
pub mod joints;
pub mod joints_drive;
pub mod joints_events;
pub mod joints_read;

// Queries: about the last completed step
pub mod overlaps;
pub mod queries;

// Fields: a world as a continuum
pub mod fields;

// Files for VTK and ParaView
pub mod vtk;

// The state of a world
pub mod state;

// Bring your own contacts
pub mod problem;
pub mod solver;
pub mod solver_progress;

// Internal: not in the header
mod callback;
mod environment;
mod guard;
mod host_problem;
mod live;
mod structure;

#[cfg(test)]
mod tests;
