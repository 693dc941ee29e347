//! Tests of this module, one file for each source.

mod bodies;
mod bodies_visit;
mod definition;
mod motion;
mod saved_values;
mod shared;
mod surface;
