//! The projection of trial impulses on the cones of contacts, in each lane one.

use crate::math::lanes::Lanes;
use crate::solver::problem::cone::ROUND_OFF;

/// Returns the projection of a trial on the friction cone, as [`crate::solver::problem::cone`] defines it: the normal part, and the
/// factor on a tangential part of this length.
#[inline(always)]
pub(super) fn onto_cone<L: Lanes>(friction: L, normal: L, length: L) -> (L, L) {
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    let onto = (normal + friction * length) / (one + friction * friction);
    let outside = L::above(length, friction * normal);
    let (normal_part, factor) = (L::select(outside, onto, normal), L::select(outside, friction * onto / length, one));
    // the polar cone; NaN is not in it
    let polar = L::above(-normal, friction * length);
    (L::select(polar, zero, normal_part), L::select(polar, zero, factor))
}

/// Returns the same with rolling and twisting.
#[inline(always)]
pub(super) fn onto_whole_cone<L: Lanes>(bounds: [L; 3], normal: L, lengths: [L; 3]) -> (L, [L; 3]) {
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    let pulls = [bounds[0] * lengths[0], bounds[1] * lengths[1], bounds[2] * lengths[2]];
    let polar = L::above(-normal, pulls[0] + pulls[1] + pulls[2]);
    let mut outside = [0, 1, 2].map(|k: usize| L::above(lengths[k], bounds[k] * normal));
    let mut onto = normal;
    for _ in 0..4 {
        let part = |k: usize| L::select(outside[k], pulls[k], zero);
        let weight = |k: usize| L::select(outside[k], bounds[k] * bounds[k], zero);
        onto = (normal + part(0) + part(1) + part(2)) / (one + weight(0) + weight(1) + weight(2));
        let inside = L::splat(1.0 - ROUND_OFF) * onto;
        let comes_in = |k: usize| L::both(outside[k], L::above(bounds[k] * inside, lengths[k]));
        let come_in = [comes_in(0), comes_in(1), comes_in(2)];
        if !come_in.into_iter().any(L::any) {
            break;
        }
        outside = [0, 1, 2].map(|k: usize| L::without(outside[k], come_in[k]));
    }
    // NaN stays NaN
    let onto = L::select(L::above(zero, onto), zero, onto);
    let factor = |k: usize| {
        let shrinks = L::both(outside[k], L::above(lengths[k], zero));
        let factor = L::select(shrinks, (bounds[k] * onto / lengths[k]).smaller(one), one);
        L::select(polar, zero, factor)
    };
    (L::select(polar, zero, onto), [factor(0), factor(1), factor(2)])
}
