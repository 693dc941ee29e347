//! What makes residuals of forces and torques comparable.

use crate::math::lanes::Lanes;

/// Returns the distance at which a torque counts as a force: bodies then answer to both alike [m].
#[inline(always)]
pub(in crate::solver) fn turning_length<L: Lanes>(to_forces: L, to_torques: L) -> L {
    let length = (to_forces / to_torques).root();
    let is_one = L::both(L::above(length, L::splat(0.0)), L::above(L::splat(f64::INFINITY), length));
    L::pick(is_one, length, L::splat(1.0))
}

/// The scales that make residuals of contacts and rows comparable.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measure {
    /// `1 / rho` [1/kg]; 0: no impulse changes anything.
    pub scale: f64,
    /// The distance at which a torque counts as a force [m].
    pub length: f64,
}
