//! What the benches share: clocks, medians, beds of spheres.

#![allow(dead_code)] // no bench uses all of it

pub(crate) mod bed;
pub(crate) mod clock;
pub(crate) mod memory;
pub(crate) mod pile;
pub(crate) mod sample;
