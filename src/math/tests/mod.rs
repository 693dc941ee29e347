//! Tests of this module, one file for each source.

mod aabb;
mod elementary;
mod frame;
mod lanes;
mod rotation;
mod semidefinite;
mod symmetric;
