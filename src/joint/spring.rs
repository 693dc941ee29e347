//! A spring and damper that are exact at the ends of the steps, for every step.
//!
//! The motion of a mass on a spring, `m q'' = F - k (q - q*) - d q'` with a constant force, obeys a recurrence over three steps without any
//! error. The row `u + S lambda + b = 0` with `S = s / m` and `b = -u* + s h w^2 (q - q*) + beta (u_old - u*)` makes the step equal to it:
//!
//! * `w = sqrt(k / m)`, `z = d / (2 sqrt(k m))`, and `zeta = w h (-z +- sqrt(z^2 - 1))` are the two exponents of a step.
//! * `P` is the product of `phi = (e^zeta - 1) / zeta` of both, `s = P / (1 - P)`.
//! * `beta = s - A (s + 1)` with `A = e^(-2 z w h)`, the product of both factors `e^zeta`.
//!
//! `1 - P` is `-(e_1 + e_2 + e_1 e_2)` with `e = phi - 1`, which comes from its series where the exponent is small.
//!
//! At rest the force is `k (q - q*)` exactly. `u_old` is the velocity of the chord, `(q(0) - q(-h)) / h`. The row is stable if the true
//! inertia along the axis is at least `m`. Without damping it aliases beyond `w h = pi`, as every sampled oscillation.

use crate::joint::drive::Drive;
use crate::math::elementary::{exp, expm1, sin_cos, square};

/// Below this magnitude of an exponent, `phi - 1` comes from its series: the difference would lose digits.
const MAX_SERIES_ARGUMENT: f64 = 0.5;

/// The terms of the series of `phi - 1`: the next one is below 1e-17 of the first at the magnitude above.
const TERMS: u32 = 16;

/// A spring on a certain inertia.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spring {
    /// `w`: the angular frequency without damping [rad/s].
    pub angular_frequency: f64,
    /// `z`: the damping as a part of the critical one [-].
    pub ratio: f64,
}

/// The coefficients of the row of a spring for a certain step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NodeExact {
    /// `s`: the compliance times the inertia [-].
    pub softness: f64,
    /// `s h w^2`: what of the displacement is the bias [1/s].
    pub pull: f64,
    /// `beta`: what of the velocity before is the bias [-].
    pub memory: f64,
}

impl Spring {
    /// Returns the spring with this frequency [Hz] and this damping as a part of the critical one [-].
    pub fn from_frequency(frequency: f64, ratio: f64) -> Self {
        Self { angular_frequency: std::f64::consts::TAU * frequency, ratio }
    }

    /// Returns the spring with this stiffness [N/m] or [N m/rad], above 0, and this damping [N s/m] or [N m s/rad] on an inertia above 0 [kg]
    /// or [kg m^2].
    pub fn from_stiffness(stiffness: f64, damping: f64, inertia: f64) -> Self {
        // The roots one by one: their product may be beyond the largest number.
        let (root, mass_root) = (stiffness.sqrt(), inertia.sqrt());
        Self { angular_frequency: root / mass_root, ratio: 0.5 * damping / root / mass_root }
    }

    /// Returns the coefficients for a step [s]; `None` if the spring is so weak that they are no numbers.
    pub fn node_exact(&self, step: f64) -> Option<NodeExact> {
        let Self { angular_frequency, ratio } = *self;
        let angle = angular_frequency * step;
        let (kept, missing) = if ratio < 1.0 { conjugate_product(angle, ratio) } else { real_product(angle, ratio) };
        let softness = kept / missing;
        let exponent = -2.0 * ratio * angle;
        let memory = -softness * expm1(exponent) - exp(exponent);
        let pull = softness * angle * angular_frequency;
        let found = NodeExact { softness, pull, memory };
        let is_number = missing > 0.0 && softness.is_finite() && pull.is_finite() && memory.is_finite();
        is_number.then_some(found)
    }
}

impl NodeExact {
    /// Returns the row of the spring on an inertia [kg] or [kg m^2], at a distance from where it rests, `q - q*`. `velocity` is that of the
    /// last step, `target_velocity` that of the resting place. `None` if the compliance is no number.
    pub fn drive(&self, inertia: f64, displacement: f64, velocity: f64, target_velocity: f64) -> Option<Drive> {
        let compliance = self.softness / inertia;
        let bias = self.pull * displacement + self.memory * (velocity - target_velocity) - target_velocity;
        (compliance.is_finite() && bias.is_finite()).then(|| Drive::unbounded(compliance, bias))
    }
}

/// Returns `P` and `1 - P` of two conjugate exponents, `z < 1`.
fn conjugate_product(angle: f64, ratio: f64) -> (f64, f64) {
    let exponent = [-ratio * angle, angle * ((1.0 - ratio) * (1.0 + ratio)).sqrt()];
    if angle < MAX_SERIES_ARGUMENT {
        let [real, imaginary] = complex_series(exponent);
        let (sum, product) = (2.0 * real, square(real) + square(imaginary));
        return (1.0 + sum + product, -(sum + product));
    }
    let [x, y] = exponent;
    let (sin, cos) = sin_cos(y);
    let (sin_half, _) = sin_cos(0.5 * y);
    // e^zeta - 1
    let [real, imaginary] = [expm1(x) * cos - 2.0 * square(sin_half), exp(x) * sin];
    let product = (square(real) + square(imaginary)) / square(angle);
    (product, 1.0 - product)
}

/// Returns `P` and `1 - P` of two real exponents, `z >= 1`.
fn real_product(angle: f64, ratio: f64) -> (f64, f64) {
    let slope = ratio * (1.0 + ((1.0 - 1.0 / ratio) * (1.0 + 1.0 / ratio)).sqrt());
    // The smaller exponent as a quotient: as a difference it would lose digits.
    let [(first, less_one), (second, less_two)] = [-angle / slope, -angle * slope].map(real_factor);
    (first * second, -(less_one + less_two + less_one * less_two))
}

/// Returns `phi` and `phi - 1` of a real exponent.
fn real_factor(exponent: f64) -> (f64, f64) {
    if exponent.abs() < MAX_SERIES_ARGUMENT {
        let [less, _] = complex_series([exponent, 0.0]);
        return (1.0 + less, less);
    }
    let factor = expm1(exponent) / exponent;
    (factor, factor - 1.0)
}

/// Returns `e = phi - 1 = zeta/2 (1 + zeta/3 (1 + zeta/4 (...)))` of a complex number, as its real and its imaginary part.
fn complex_series([x, y]: [f64; 2]) -> [f64; 2] {
    let [real, imaginary] = (3..=TERMS).rev().fold([1.0, 0.0], |[real, imaginary], divisor| {
        let divisor = f64::from(divisor);
        [1.0 + (x * real - y * imaginary) / divisor, (x * imaginary + y * real) / divisor]
    });
    [0.5 * (x * real - y * imaginary), 0.5 * (x * imaginary + y * real)]
}
