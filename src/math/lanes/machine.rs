//! The instruction sets that kernels can use: finds the best one of this machine, and runs kernels with its lanes.
//!
//! This file and those below it have `unsafe` for one reason: some machines lack their instructions. Those are reached
//! through [`dispatch`] alone, which checks the machine first.

#![allow(unsafe_code)]

/// Arithmetic operators of a register that are one instruction each.
#[cfg(target_arch = "x86_64")]
macro_rules! registers {
    ($lanes:ident, $($operator:ident $method:ident $instruction:ident),*) => { $(
        impl $operator for $lanes {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                // SAFETY: `dispatch` found the instructions.
                unsafe { Self($instruction(self.0, other.0)) }
            }
        }
    )* };
}

/// Functions of [`Lanes`] that are one instruction. The larger and the smaller of two take the second operand in doubt.
#[cfg(target_arch = "x86_64")]
macro_rules! instructions {
    ($($name:ident($($other:ident)?) $instruction:ident),*) => { $(
        #[inline(always)]
        fn $name(self $(, $other: Self)?) -> Self {
            // SAFETY: `dispatch` found the instructions.
            unsafe { Self($instruction(self.0 $(, $other.0)?)) }
        }
    )* };
}

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;

use super::traits::Kernel;
use super::twice::Twice;

/// An instruction set, and with it the width of a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// The instructions of every machine of its kind: twice two lanes.
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
    /// Returns the best level of this machine. Tests can cap it, see [`capped`].
    pub fn best() -> Self {
        #[cfg(test)]
        return Self::of_machine().min(*CAP.read());
        #[cfg(not(test))]
        Self::of_machine()
    }

    /// Returns the best level that this machine supports.
    fn of_machine() -> Self {
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

/// The widest level that [`Level::best`] returns.
#[cfg(test)]
static CAP: parking_lot::RwLock<Level> = parking_lot::RwLock::new(Level::Avx512);

/// Runs `work` while [`Level::best`] returns at most `level`, on all threads. One cap holds at a time. Tests that run
/// beside it are not disturbed, since every level gives the same bits.
#[cfg(test)]
pub(crate) fn capped<T>(level: Level, work: impl FnOnce() -> T) -> T {
    static ONE: parking_lot::Mutex<()> = parking_lot::Mutex::new(());
    struct RestoreCap;
    impl Drop for RestoreCap {
        fn drop(&mut self) {
            *CAP.write() = Level::Avx512;
        }
    }
    let _one = ONE.lock();
    let _restore = RestoreCap;
    *CAP.write() = level;
    work()
}

/// Runs a kernel at `level`, or at the best level of this machine if that is lower.
#[inline]
pub fn dispatch<K: Kernel>(level: Level, kernel: K) -> K::Output {
    match level.min(Level::of_machine()) {
        // SAFETY: `Level::of_machine` found the instructions.
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 => unsafe { avx512::with_avx512(kernel) },
        // SAFETY: `Level::of_machine` found the instructions.
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => unsafe { avx2::with_avx2(kernel) },
        _ => kernel.run::<Twice<Twice<f64>>>(),
    }
}
