//! Selects the lanes of this machine and runs kernels with them.
//!
//! This file and those below it have `unsafe` for one reason: some machines lack their instructions. Those are reached
//! through [`dispatch`] alone, which checks the machine first.

#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod registers;

use super::level::Level;
use super::portable::Pair;
use super::traits::Kernel;
use super::twice::Twice;

/// Runs a kernel at `level`, or at the best level of this machine if that is lower.
#[inline]
pub fn dispatch<K: Kernel>(level: Level, kernel: K) -> K::Output {
    match level.min(Level::of_machine()) {
        // SAFETY: `Level::best` found the instructions.
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 => unsafe { avx512::with_avx512(kernel) },
        // SAFETY: `Level::best` found the instructions.
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => unsafe { avx2::with_avx2(kernel) },
        _ => kernel.run::<Twice<Pair>>(),
    }
}
