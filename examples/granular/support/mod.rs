//! What the programs of granular matter share, and those of `examples/grains` with them: arguments, runs that resume, judges, figures, and the
//! grains of [W].
//!
//! [W] is D. Wang, M. Servin, T. Berglund: Warm starting the projected Gauss-Seidel algorithm for granular matter simulation. Comp. Part. Mech.
//! (2016).

#![allow(dead_code)] // no program uses all of it

pub(crate) mod arguments;
#[path = "../../../benches/support/bed.rs"]
pub(crate) mod bed;
#[path = "../../../benches/support/clock.rs"]
pub(crate) mod clock;
pub(crate) mod figure;
pub(crate) mod filling;
pub(crate) mod frames;
pub(crate) mod grains;
pub(crate) mod judge;
pub(crate) mod progress;
pub(crate) mod random;
pub(crate) mod reference;
pub(crate) mod resting;
#[path = "../../../benches/support/sample.rs"]
pub(crate) mod sample;
pub(crate) mod saved;
pub(crate) mod stave;
pub(crate) mod study;

/// What ends a program.
pub(crate) type Failure = Box<dyn std::error::Error>;
