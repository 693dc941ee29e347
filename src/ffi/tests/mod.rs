//! Tests of the wall. What hosts see is tested by real hosts, in `tests/c`.

mod body_types;
mod guard;
mod handle;
mod host_tasks;
mod materials;
mod overlap;
mod settings;
mod solver;
mod structure;
