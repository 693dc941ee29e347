//! Tests of this module, one file for each source.

mod bodies;
mod changes;
mod definition;
mod motion;
mod shared;
mod visit;
