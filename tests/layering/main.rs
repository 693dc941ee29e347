//! The layering of the crate: which module may import which, no circles of files, the sizes of files and functions,
//! and the names of test files.
//!
//! `table` holds the table of modules against ARCHITECTURE.md and the code. `rules` checks files and functions.
//! `mirror` checks that every source has tests of its name, against the table in `tested_elsewhere.txt`.
//! The other files read the sources, each with tests on small texts.

#![allow(clippy::expect_used, clippy::panic)] // a test fails by panicking
#![cfg(test)]

mod circles;
mod functions;
mod graph;
mod lexer;
mod mirror;
mod names;
mod rules;
mod sources;
mod table;
