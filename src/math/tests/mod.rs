//! Tests of this module, one file for each source.

mod elementary;
mod frame;
mod frame_rotation;
mod lanes;
mod limits;
mod period;
mod vector_symmetric;
