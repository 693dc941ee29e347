//! Tests of this module, one file for each source.

mod contacts;
mod force;
mod sample;
mod stress;
