//! What makes a contact central: arms along the normal.

use crate::math::Vec3;
use crate::math::lanes::{Lanes, Vec3s};

/// The relative deviation of an arm from the normal that counts as round-off. An arm made as a multiple of the normal
/// deviates by a few 1e-16. One made as a difference of positions may deviate more, and its contact is then solved as a
/// general one, which is slower and just as right.
const PARALLEL: f64 = 1e-14;

/// Returns where the component of an arm beside the normal exceeds round-off.
#[inline(always)]
fn is_beside<L: Lanes>(normal: Vec3s<L>, arm: Vec3s<L>) -> L::Mask {
    let lever = arm.dot(normal);
    // squares: no root in what every contact passes
    let aside = arm - normal * lever;
    L::above(aside.dot(aside), L::splat(PARALLEL * PARALLEL) * lever * lever)
}

/// Returns whether an arm is a multiple of the normal, up to round-off.
#[inline(always)]
pub fn is_along(normal: &Vec3, arm: &Vec3) -> bool {
    !is_beside::<f64>((*normal).into(), (*arm).into())
}
