//! Tests of what is private to sleep, one file for each source. The others are in `world/tests/sleep.rs`.

mod state;
