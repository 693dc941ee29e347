//! Tests of this room, one file for each source.

mod central;
mod delassus;
mod general;
mod islands;
mod local;
mod order;
mod pgs;
mod position;
mod problem;
mod random;
mod residual;
mod start;
