//! Tests of this module, one file for each source.

mod rigid;
