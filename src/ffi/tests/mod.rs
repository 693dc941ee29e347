//! Tests of the boundary of the C interface. What hosts see is tested by real hosts, in `tests/c`.

mod body_types;
mod guard;
mod guard_overlap;
mod handle;
mod live;
mod materials;
mod settings;
mod solver;
mod structure;
mod tasks;
