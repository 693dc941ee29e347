//! Tests of this room, one file for each source.

mod rigid;
