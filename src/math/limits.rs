//! The largest and smallest values that a step works with. The header lists them under LIMITS.
//!
//! Impulses, velocities and masses are squared in the solver. Within the limits no such square is beyond the largest number, or so small
//! that digits are lost.

use crate::error::{Result, all_finite, in_range, not_negative, positive, text};

/// The lightest and the heaviest dynamic body [kg].
const LIGHTEST: f64 = 1e-100;
const HEAVIEST: f64 = 1e100;
/// The largest component of gravity [m/s^2].
const STEEPEST: f64 = 1e50;
/// The softest and the stiffest elastic contact [N/m].
const SOFTEST: f64 = 1e-100;
const STIFFEST: f64 = 1e100;
/// The largest coefficient of friction [-], and the largest length that bounds a rolling or twisting torque [m], with which a problem is
/// solved. What is larger binds nothing more, and its square would be no number.
pub const HIGHEST_COEFFICIENT: f64 = 1e100;
/// The largest force [N], torque [N m], impulse [N s] and residual [m/s] with which a step or a solve ends: sums of their squares are
/// numbers.
pub const LARGEST: f64 = 1e150;
/// The shortest and the longest step [s]. Over the shortest one a gap of 1e50 m, the longest length of a shape, is a velocity whose square
/// is a number.
const SHORTEST_STEP: f64 = 1e-100;
const LONGEST_STEP: f64 = 1e100;

/// The bias of a contact that is excluded from a solve: bodies never approach each other at this speed [m/s].
pub const APART: f64 = 1e100;

/// `value` is the mass of a dynamic body.
pub fn mass(name: &str, value: f64) -> Result<()> {
    positive(name, value)?;
    in_range(name, value, (LIGHTEST..=HEAVIEST).contains(&value), "a mass from 1e-100 to 1e100 kg")
}

/// `value` is one over the mass of a body, 0 for one that does not move.
pub fn inverse_mass(name: &str, value: f64) -> Result<()> {
    not_negative(name, value)?;
    let holds = value == 0.0 || (1.0 / HEAVIEST..=1.0 / LIGHTEST).contains(&value);
    in_range(name, value, holds, "0 or a number from 1e-100 to 1e100 1/kg")
}

/// `values` are the components of a gravity.
pub fn gravity(name: &str, values: &[f64; 3]) -> Result<()> {
    all_finite(name, values)?;
    let broken = values.iter().enumerate().find(|(_, value)| value.abs() > STEEPEST);
    broken.map_or(Ok(()), |(axis, value)| {
        in_range(&text!("{name}[{axis}]"), *value, false, "an acceleration up to 1e50 m/s^2")
    })
}

/// `value` is a stiffness, 0 where a contact is rigid.
pub fn stiffness(name: &str, value: f64) -> Result<()> {
    not_negative(name, value)?;
    let holds = value == 0.0 || (SOFTEST..=STIFFEST).contains(&value);
    in_range(name, value, holds, "0 or a stiffness from 1e-100 to 1e100 N/m")
}

/// `value` is the length of a step, or of a part of one.
pub fn step(name: &str, value: f64) -> Result<()> {
    positive(name, value)?;
    in_range(name, value, (SHORTEST_STEP..=LONGEST_STEP).contains(&value), "1e-100 to 1e100 seconds")
}

/// Whether a number that a step or a solve ends with is at most [`LARGEST`]. NaN is not.
pub fn has_square(value: f64) -> bool {
    value.abs() <= LARGEST
}
