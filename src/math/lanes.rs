//! Several doubles side by side: one source for one lane and for many, the same bits on every machine.
//!
//! A kernel is written once over [`Lanes`]. One lane is an `f64`; a register of every machine holds two, of AVX2 four, of AVX-512
//! eight, and where it holds fewer than eight, two registers go side by side (`twice`). Which of them runs is found out once, when
//! the library is used ([`Level::best`]). Lanes do not see each other, every operation rounds as IEEE 754 says, and nothing is
//! contracted to a fused multiply-add: so the results do not depend on the width.

#[macro_use]
mod register;

mod lines;
mod machine;
mod portable;
mod twice;
mod vectors;
mod wide;

pub use lines::{Lines, prefetch_front_of_one_of, prefetch_one_of, prefetch_value};
pub use machine::{Level, dispatch};
pub use register::{Kernel, Lanes};
pub use vectors::Vec3s;
pub use wide::{KEPT, Places, WIDE, Wide, put, take};
