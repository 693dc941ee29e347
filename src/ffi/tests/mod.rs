//! Tests of the wall. What hosts see is tested by real hosts, in `tests/c`.

mod abi;
mod guard;
mod handle;
mod host_tasks;
mod overlap;
mod solver;
mod structure;
