//! The two kinds of contacts: central or general.

use crate::math::Vec3;
use crate::math::lanes::{KEPT, Lanes, Vec3s, Wide};
use crate::solver::order::Pair;
use crate::solver::wide::lines;

/// The relative deviation of an arm from the normal that counts as round-off. An arm made as a multiple of the normal
/// deviates by a few 1e-16. One made as a difference of positions may deviate more, and its contact is then solved as a
/// general one, which is slower and just as right.
const PARALLEL: f64 = 1e-14;

/// Returns where the component of an arm beside the normal exceeds round-off.
#[inline(always)]
pub(in crate::solver) fn is_beside<L: Lanes>(normal: Vec3s<L>, arm: Vec3s<L>) -> L::Mask {
    let lever = arm.dot(normal);
    // squares: no root in what every contact passes
    let aside = arm - normal * lever;
    L::above(aside.dot(aside), L::splat(PARALLEL * PARALLEL) * lever * lever)
}

/// Returns whether a contact between the bodies with these lines is central.
#[inline(always)]
pub(in crate::solver) fn is_central(normal: &Vec3, arms: &[Vec3; 2], pair: Pair, bodies: &[Wide]) -> bool {
    let passes = |side: usize| pair[side] & KEPT != 0 || !is_beside::<f64>((*normal).into(), arms[side].into());
    let isotropic = |side: usize| !lines::is_anisotropic(lines::of(pair[side], bodies));
    isotropic(0) && isotropic(1) && passes(0) && passes(1)
}
