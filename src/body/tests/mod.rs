//! Tests of this room, one file for each source.

mod bodies;
mod definition;
mod motion;
mod shared;
