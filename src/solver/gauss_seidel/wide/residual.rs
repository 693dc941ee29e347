//! The residual of contacts, in each lane one.

use crate::math::lanes::{Lanes, Vec3s};
use crate::solver::problem::cone::ROUND_OFF;

/// The result of a measurement of some contacts.
#[derive(Debug, Clone, Copy)]
pub(in crate::solver) struct Measured<L> {
    /// The velocity of b relative to a along the normal [m/s].
    pub(in crate::solver) normal: L,
    /// [m/s]
    pub(in crate::solver) residual: L,
    /// The relative spin in the tangent plane at the distance where a torque counts as a force [m/s].
    pub(in crate::solver) rolling_speed: L,
}

/// A vector split into its part along the normal and its part in the tangent plane.
#[derive(Debug, Clone, Copy)]
pub(in crate::solver) struct Split<L> {
    pub(in crate::solver) normal: L,
    pub(in crate::solver) tangential: Vec3s<L>,
}

/// Rolling and twisting of contacts that are measured.
pub(in crate::solver) struct Turning<L> {
    /// Most rolling torque over normal force, and most twisting torque [m].
    pub(in crate::solver) bounds: [L; 2],
    /// The distance at which a torque counts as a force [m].
    pub(in crate::solver) length: L,
    /// Spin of b relative to a [rad/s].
    pub(in crate::solver) spin: Split<L>,
    /// The torque on b [N m s].
    pub(in crate::solver) torque: Split<L>,
}

/// Returns the residual that [`crate::solver::problem::residual`] defines for one contact.
///
/// `scale` is a third of the trace of the contact's block, `w` what is left of its relative velocity.
#[inline(always)]
pub(in crate::solver) fn residual<L: Lanes>(
    friction: L,
    scale: L,
    w: Split<L>,
    impulse: Split<L>,
    turning: Option<&Turning<L>>,
) -> L {
    let Split { normal: w_n, tangential: w_t } = w;
    // in units of velocity
    let (lambda_n, lambda_t) = (impulse.normal * scale, impulse.tangential * scale);
    let slide = w_t.dot(w_t).root();
    let trial_t = lambda_t - w_t;
    let length_t = trial_t.dot(trial_t).root();
    let Some(Turning { bounds: [rolling, twisting], length, spin, torque }) = turning else {
        let trial_n = lambda_n - (w_n + friction * slide);
        let (onto_n, factor) = onto_cone(friction, trial_n, length_t);
        let (off_n, off_t) = (lambda_n - onto_n, lambda_t - trial_t * factor);
        let zero = L::splat(0.0);
        return with_signorini([friction, zero, zero], (off_n * off_n + off_t.dot(off_t)).root(), [lambda_n, w_n]);
    };
    // torques as forces at that distance, and spins as velocities
    let per_length = L::splat(1.0) / *length;
    let (rolling, twisting) = (*rolling * per_length, *twisting * per_length);
    let (w_r, w_tw) = (spin.tangential * *length, spin.normal * *length);
    let (lambda_r, lambda_tw) = (torque.tangential * (per_length * scale), torque.normal * (per_length * scale));
    let shift = friction * slide + rolling * w_r.dot(w_r).root() + twisting * w_tw.magnitude();
    let trial_n = lambda_n - (w_n + shift);
    let (trial_r, trial_tw) = (lambda_r - w_r, lambda_tw - w_tw);
    let lengths = [length_t, trial_r.dot(trial_r).root(), trial_tw.magnitude()];
    let (onto_n, [factor_t, factor_r, factor_tw]) = onto_whole_cone([friction, rolling, twisting], trial_n, lengths);
    let (off_n, off_t) = (lambda_n - onto_n, lambda_t - trial_t * factor_t);
    let (off_r, off_tw) = (lambda_r - trial_r * factor_r, lambda_tw - trial_tw * factor_tw);
    let residual = (off_n * off_n + off_t.dot(off_t) + off_r.dot(off_r) + off_tw * off_tw).root();
    with_signorini([friction, rolling, twisting], residual, [lambda_n, w_n])
}

/// Returns a residual that is at least that of Signorini's law where the cone is steep, as [`crate::solver::problem::cone`] has it.
#[inline(always)]
fn with_signorini<L: Lanes>(bounds: [L; 3], residual: L, [lambda_n, w_n]: [L; 2]) -> L {
    let [friction, rolling, twisting] = bounds;
    let is_steep = L::above(friction * friction + rolling * rolling + twisting * twisting, L::splat(1.0));
    let signorini = w_n.smaller(lambda_n).magnitude();
    L::pick(L::both(is_steep, L::above(signorini, residual)), signorini, residual)
}

/// Returns the projection of a trial on the friction cone, as [`crate::solver::problem::cone`] defines it: the normal part, and the
/// factor on a tangential part of this length.
#[inline(always)]
fn onto_cone<L: Lanes>(friction: L, normal: L, length: L) -> (L, L) {
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    let onto = (normal + friction * length) / (one + friction * friction);
    let outside = L::above(length, friction * normal);
    let (normal_part, factor) = (L::pick(outside, onto, normal), L::pick(outside, friction * onto / length, one));
    // the polar cone; NaN is not in it
    let polar = L::above(-normal, friction * length);
    (L::pick(polar, zero, normal_part), L::pick(polar, zero, factor))
}

/// Returns the same with rolling and twisting.
#[inline(always)]
fn onto_whole_cone<L: Lanes>(bounds: [L; 3], normal: L, lengths: [L; 3]) -> (L, [L; 3]) {
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    let pulls = [bounds[0] * lengths[0], bounds[1] * lengths[1], bounds[2] * lengths[2]];
    let polar = L::above(-normal, pulls[0] + pulls[1] + pulls[2]);
    let mut outside = [0, 1, 2].map(|k: usize| L::above(lengths[k], bounds[k] * normal));
    let mut onto = normal;
    for _ in 0..4 {
        let part = |k: usize| L::pick(outside[k], pulls[k], zero);
        let weight = |k: usize| L::pick(outside[k], bounds[k] * bounds[k], zero);
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
    let onto = L::pick(L::above(zero, onto), zero, onto);
    let factor = |k: usize| {
        let shrinks = L::both(outside[k], L::above(lengths[k], zero));
        let factor = L::pick(shrinks, (bounds[k] * onto / lengths[k]).smaller(one), one);
        L::pick(polar, zero, factor)
    };
    (L::pick(polar, zero, onto), [factor(0), factor(1), factor(2)])
}
