//! Several doubles side by side: one source for one lane and for many, the same bits on every machine.
//!
//! A kernel is written once over [`Lanes`]. One lane is an `f64`. A register of every machine holds two lanes, one of AVX2
//! four, one of AVX-512 eight. Where it holds fewer than eight, two registers go side by side (`twice`). [`Level::best`]
//! selects the width once, when a solver is made. Lanes are independent, every operation rounds as IEEE 754 says, and
//! nothing is contracted to a fused multiply-add. So the results do not depend on the width.

mod lines;
mod machine;
pub mod prefetch;
mod traits;
mod twice;
mod vec3s;
mod wide;

pub use lines::{LineIndex, Lines, Places};
#[cfg(test)]
pub(crate) use machine::capped;
pub use machine::{Level, dispatch};
pub use prefetch::{prefetch_front_of_one_of, prefetch_one_of, prefetch_slot, prefetch_value};
pub use traits::{Kernel, Lanes};
pub use vec3s::Vec3s;
pub use wide::{WIDE, Wide, put, take};
