//! Chooses the widest registers of the machine that the library runs on.
//!
//! The code is unsafe because some instructions exist on some machines only. They are reached through [`dispatch`]
//! alone, after the machine was asked.

#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
mod x86;

use super::portable::Pair;
use super::register::Kernel;
use super::twice::Twice;

/// What the machine can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// What every machine of its kind can: twice two lanes.
    Baseline,
    /// Twice four lanes.
    Avx2,
    /// Eight.
    Avx512,
}

impl Default for Level {
    fn default() -> Self {
        Self::best()
    }
}

impl Level {
    /// The most that this machine can.
    pub fn best() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx512f") {
                return Self::Avx512;
            }
            if is_x86_feature_detected!("avx2") {
                return Self::Avx2;
            }
        }
        Self::Baseline
    }
}

/// Runs a kernel as wide as `level` says, or as this machine can if that is less.
#[inline]
pub fn dispatch<K: Kernel>(level: Level, kernel: K) -> K::Output {
    match level.min(Level::best()) {
        // SAFETY: the machine was asked.
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 => unsafe { x86::with_avx512(kernel) },
        // SAFETY: the machine was asked.
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => unsafe { x86::with_avx2(kernel) },
        _ => kernel.run::<Twice<Pair>>(),
    }
}
