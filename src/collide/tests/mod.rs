//! Tests of this module, one file for each source.

mod boxes;
mod cell;
mod filter;
mod grid;
mod images;
mod neighbours;
