//! Elementary functions with the same bits on every machine.
//!
//! IEEE 754 fixes the results of `+`, `*`, `/` and square roots, but not those of sines, powers and logarithms. The standard
//! library hands these to the C library of the platform, whose last bits differ from version to version. The crate `libm` is
//! Rust code, so its results are fixed with the sources. `clippy.toml` therefore refuses the methods of `f64` in this library.
//!
//! nalgebra and simba can be made to use `libm` as well. They then call it for square roots and magnitudes too, which are
//! single instructions otherwise. So what would reach a sine inside nalgebra is written out here or in `frame.rs`.

pub use libm::{asin as arc_sine, asinh, atan2, erf, exp, expm1, hypot, log2, pow as power, sincos as sin_cos};

/// Returns `2^exponent`, which is exact as long as it is a normal number.
#[inline]
pub fn power_of_two(exponent: i32) -> f64 {
    libm::scalbn(1.0, exponent)
}

/// Returns `x^2`. The method `powi` promises no particular order of multiplications.
#[inline(always)]
pub fn square(x: f64) -> f64 {
    x * x
}
