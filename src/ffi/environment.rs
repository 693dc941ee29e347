//! The floating point environment. A step gives the same bits everywhere, so it refuses an environment that would
//! change them. Unmasked exceptions change no bits: every call masks them, on x86-64 and aarch64.
//!
//! The threads that help with a step get the default environment instead, on the machines that this module supports.
//! The library's own threads may inherit another environment from the thread that starts them. Threads of a host's
//! job system may flush small numbers to zero all the time.

use std::hint::black_box;

use crate::error::{Error, Result, text};

/// Runs `work` with floating point exceptions masked. Then restores the environment that the thread had before,
/// raised flags included.
///
/// A host may unmask exceptions to find invalid operations of its own. Without the mask an invalid operation of the
/// library would stop it: the library finds infinities and NaN at the end of a step, not where they begin.
pub(super) fn masked<T>(work: impl FnOnce() -> T) -> T {
    kept(|| {
        control::mask_exceptions();
        work()
    })
}

/// Refuses flush-to-zero, denormals-are-zero, and any rounding but to nearest.
pub(super) fn check() -> Result<()> {
    let trouble = if is_rounding_changed() {
        "rounding mode is not to nearest"
    } else if is_zero(black_box(f64::MIN_POSITIVE) * black_box(0.5)) {
        "flush-to-zero is set"
    } else if is_zero(black_box(f64::from_bits(1)) * black_box(1e300)) {
        "denormals-are-zero is set"
    } else {
        return Ok(());
    };
    Err(Error::unsupported(text!("the thread's {trouble}, expected the default floating point environment")))
}

/// By its bits: a comparison takes subnormal numbers for zero where denormals are.
fn is_zero(value: f64) -> bool {
    black_box(value).to_bits() == 0
}

/// Returns whether the rounding mode is other than to nearest. With rounding to nearest, 1 + e/4 and -1 - e/4 do not
/// change. The sum 1 + 3e/4 rises to 1 + e. Upwards the first changes, downwards the second. Towards zero the third
/// falls.
fn is_rounding_changed() -> bool {
    let quarter = f64::EPSILON / 4.0;
    let (one, quarter, three_quarters) = (black_box(1.0), black_box(quarter), black_box(3.0 * quarter));
    one + quarter != 1.0 || -one - quarter != -1.0 || one + three_quarters != 1.0 + f64::EPSILON
}

/// Gives this thread the default environment; answers whether it has it now.
pub(super) fn make_default() -> bool {
    control::write(control::DEFAULT);
    check().is_ok()
}

/// Runs `work` and leaves the thread the environment that it had before, whatever `work` does.
pub(super) fn kept<T>(work: impl FnOnce() -> T) -> T {
    let before = control::read();
    let answer = work();
    control::write(before);
    answer
}

/// The register that rules rounding and subnormal numbers.
#[cfg(target_arch = "x86_64")]
mod control {
    /// To nearest, nothing flushed, exceptions masked; no other bits than those that mask them.
    pub(super) const DEFAULT: u32 = 0x1F80;

    pub(super) fn read() -> u32 {
        let mut value = 0_u32;
        // SAFETY: stores MXCSR to the place it is given.
        unsafe { std::arch::asm!("stmxcsr [{}]", in(reg) &raw mut value, options(nostack, preserves_flags)) };
        value
    }

    pub(super) fn mask_exceptions() {
        let value = read();
        if value & DEFAULT != DEFAULT {
            write(value | DEFAULT);
        }
    }

    pub(super) fn write(value: u32) {
        // SAFETY: loads MXCSR, with the default, or with what the host had and its exceptions masked or not.
        unsafe { std::arch::asm!("ldmxcsr [{}]", in(reg) &raw const value, options(nostack, preserves_flags)) };
    }
}

#[cfg(target_arch = "aarch64")]
mod control {
    /// To nearest, nothing flushed, exceptions untrapped.
    pub(super) const DEFAULT: u64 = 0;

    pub(super) fn read() -> u64 {
        let value: u64;
        // SAFETY: reads FPCR.
        unsafe { std::arch::asm!("mrs {}, fpcr", out(reg) value, options(nomem, nostack, preserves_flags)) };
        value
    }

    /// The traps are bits 8 to 12 and 15; most processors have none, and read them as 0.
    pub(super) fn mask_exceptions() {
        const TRAP_BITS: u64 = 0x9F00;
        let value = read();
        if value & TRAP_BITS != 0 {
            write(value & !TRAP_BITS);
        }
    }

    pub(super) fn write(value: u64) {
        // SAFETY: writes FPCR, with the default, or with what the host had and its exceptions masked or not.
        unsafe { std::arch::asm!("msr fpcr, {}", in(reg) value, options(nostack, preserves_flags)) };
    }
}

/// Elsewhere nothing is changed: a thread that has another environment does not help.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
mod control {
    pub(super) const DEFAULT: () = ();

    pub(super) fn read() {}

    pub(super) fn mask_exceptions() {}

    pub(super) fn write((): ()) {}
}
