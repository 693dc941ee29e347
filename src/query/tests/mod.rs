//! Tests of this module, one file for each source.

mod contacts;
mod sample;
mod stress;
