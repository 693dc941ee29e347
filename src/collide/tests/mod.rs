//! Tests of this module, one file for each source.

mod boxes;
mod filter;
mod grid;
mod neighbours;
