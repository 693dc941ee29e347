//! Tests of this part of the room, one file for each source.

mod moving_set;
