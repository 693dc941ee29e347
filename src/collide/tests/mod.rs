//! Tests of this room, one file for each source.

mod boxes;
mod filter;
mod grid;
mod neighbours;
