//! Tests of this room, one file for each source.

mod assemble;
mod correct;
mod detect;
mod digest;
pub(crate) mod every;
mod hash;
mod integrate;
mod kept_pairs;
mod options;
mod order;
mod populate;
mod read;
mod report;
mod rolling;
mod scene;
mod settings;
mod shapes;
mod sleep;
mod state;
mod step;
mod substeps;
mod visit;
