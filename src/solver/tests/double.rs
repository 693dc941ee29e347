//! Numbers of twice the digits, for answers to compare with: unevaluated sums of two doubles (Dekker 1971).

use std::ops::{Add, Div, Mul, Neg, Sub};

/// `high + low`, some 31 digits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Double {
    high: f64,
    low: f64,
}

/// `a + b` and what its rounding lost (Knuth).
fn two_sum(a: f64, b: f64) -> Double {
    let high = a + b;
    let part = high - a;
    Double { high, low: (a - (high - part)) + (b - part) }
}

/// `a b` and what its rounding lost.
fn two_product(a: f64, b: f64) -> Double {
    let high = a * b;
    Double { high, low: a.mul_add(b, -high) }
}

impl Double {
    pub(super) const ZERO: Self = Self { high: 0.0, low: 0.0 };

    /// Rounded.
    pub(super) fn value(self) -> f64 {
        self.high + self.low
    }

    pub(super) fn sqrt(self) -> Self {
        if self.high <= 0.0 {
            return Self::ZERO;
        }
        // one step of Newton's method doubles the digits
        let root = Self::from(self.high.sqrt());
        root + (self - root * root) / (root + root)
    }
}

impl From<f64> for Double {
    fn from(high: f64) -> Self {
        Self { high, low: 0.0 }
    }
}

impl Add for Double {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let (s, t) = (two_sum(self.high, other.high), two_sum(self.low, other.low));
        let first = two_sum(s.high, s.low + t.high);
        two_sum(first.high, first.low + t.low)
    }
}

impl Neg for Double {
    type Output = Self;
    fn neg(self) -> Self {
        Self { high: -self.high, low: -self.low }
    }
}

impl Sub for Double {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Double {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let product = two_product(self.high, other.high);
        two_sum(product.high, product.low + (self.high * other.low + self.low * other.high))
    }
}

impl Div for Double {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        // long division: three digits of 53 bits
        let first = self.high / other.high;
        let rest = self - other * Self::from(first);
        let second = rest.high / other.high;
        let rest = rest - other * Self::from(second);
        Self::from(first) + Self::from(second) + Self::from(rest.high / other.high)
    }
}

#[test]
fn it_has_twice_the_digits() {
    // (1/3) 3 - 1, (1/7 + 1/9) 63 - 16 and sqrt(2)^2 - 2: zero up to rounding at 2^-104 or so.
    let n = |value: f64| Double::from(value);
    let third = n(1.0) / n(3.0);
    let sum = (n(1.0) / n(7.0) + n(1.0) / n(9.0)) * n(63.0) - n(16.0);
    let root = n(2.0).sqrt();
    for error in [third * n(3.0) - n(1.0), sum, root * root - n(2.0)] {
        assert!(error.value().abs() <= 1e-29, "{error:?}");
    }
    assert!(third.low != 0.0 && root.low != 0.0);
}
