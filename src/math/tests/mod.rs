//! Tests of this module, one file for each source.

mod elementary;
mod frame;
mod lanes;
mod rotation;
mod symmetric;
