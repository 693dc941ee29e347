//! Tests of the wall. What hosts see is tested by real hosts, in `tests/c`.

mod abi;
mod guard;
mod handle;
mod overlap;
mod solver;
mod structure;
