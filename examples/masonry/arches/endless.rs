//! Semicircular arches of infinitely many joints that point to the centre, by the line of thrust: what single voussoirs tend to.
//!
//! The radius of the centre line is 1, and so is the weight of a unit of its length. An arch of thickness `t` then weighs `b` from the crown
//! to the angle `b`, and its horizontal thrust is the same in all joints.

use std::f64::consts::FRAC_PI_2;

use super::structure::root::root;
use super::support::Failure;

/// Of roots [-].
const TOLERANCE: f64 = 1e-13;

/// Where the weight of an arch acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Weight {
    /// At the centroids of sectors.
    Sectors,
    /// On the centre line.
    CentreLine,
}

impl Weight {
    /// Returns the radius at which it acts.
    fn radius(self, thickness: f64) -> f64 {
        // The centroid of a thin sector: 2/3 (outer^3 - inner^3) / (outer^2 - inner^2).
        if self == Self::CentreLine { 1.0 } else { 1.0 + thickness * thickness / 12.0 }
    }
}

/// Returns the largest thrust: the line goes through the outer ends of the joints at the crown and at the springing.
fn largest_thrust(thickness: f64, weight: Weight) -> f64 {
    FRAC_PI_2 - weight.radius(thickness) / (1.0 + 0.5 * thickness)
}

/// Returns the thrust of a line through the outer end of the joint at the crown and the inner end of that at an angle: moments about the
/// latter.
fn thrust_through(thickness: f64, weight: Weight, angle: f64) -> f64 {
    let [inner, outer] = [1.0 - 0.5 * thickness, 1.0 + 0.5 * thickness];
    let (sine, cosine) = angle.sin_cos();
    (angle * inner * sine - weight.radius(thickness) * (1.0 - cosine)) / (outer - inner * cosine)
}

/// Returns the least thrust: the line touches the inner side. That thrust is the largest of those through one joint, found by thirds.
fn least_thrust(thickness: f64, weight: Weight) -> f64 {
    let (mut low, mut high) = (0.01, FRAC_PI_2);
    for _ in 0..100 {
        let [left, right] = [low + (high - low) / 3.0, high - (high - low) / 3.0];
        if thrust_through(thickness, weight, left) > thrust_through(thickness, weight, right) {
            high = right;
        } else {
            low = left;
        }
    }
    thrust_through(thickness, weight, 0.5 * (low + high))
}

/// Returns the least thickness without sliding, at which the largest thrust and the least agree.
///
/// # Errors
///
/// None is found.
pub(crate) fn thickness(weight: Weight) -> Result<f64, Failure> {
    root([0.05, 0.2], TOLERANCE, |thickness| Ok(largest_thrust(thickness, weight) - least_thrust(thickness, weight)))
}

/// Returns the friction below which the arch of that thickness slides at the springing, where it needs most.
///
/// # Errors
///
/// Those of [`thickness`].
pub(crate) fn friction(weight: Weight) -> Result<f64, Failure> {
    Ok(largest_thrust(thickness(weight)?, weight) / FRAC_PI_2)
}

/// Returns the least friction of an arch of any thickness. Its thrust is the largest that the springing holds, `h = mu pi / 2`. At the angle
/// `b` the force leans by `atan(b/h) - b` over the normal of the joint, and most where `b^2 = h - h^2`.
///
/// # Errors
///
/// None is found.
pub(crate) fn least_friction() -> Result<f64, Failure> {
    root([0.25, 0.35], TOLERANCE, |friction| {
        let thrust = friction * FRAC_PI_2;
        let angle = (thrust - thrust * thrust).sqrt();
        Ok(friction - ((angle / thrust).atan() - angle).tan())
    })
}
