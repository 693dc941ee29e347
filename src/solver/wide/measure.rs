//! Relative velocities and residuals of many contacts at once.

use crate::math::lanes::{Kernel, Lanes, Vec3s, WIDE, Wide};
use crate::solver::cone::ROUND_OFF;
use crate::solver::wide::ahead::ask_ahead;
use crate::solver::wide::lines::Held;
use crate::solver::wide::{Batch, Extras, Ground, places_a};

/// What is measured of some contacts.
#[derive(Debug, Clone, Copy)]
pub(in crate::solver) struct Found<L> {
    /// The velocity of b relative to a along the normal [m/s].
    pub(in crate::solver) normal: L,
    /// [m/s]
    pub(in crate::solver) residual: L,
    /// The relative spin in the tangent plane at the distance where a torque counts as a force [m/s].
    pub(in crate::solver) rolling_speed: L,
}

/// Measures batches of contacts.
pub(in crate::solver) struct Measure<'a, B: Batch> {
    pub(in crate::solver) batches: &'a [B],
    pub(in crate::solver) extras: Extras<'a, B::Extra>,
    /// Of the same batches, or none.
    pub(in crate::solver) torques: &'a [B::Torques],
    /// The velocities of b relative to a along the normals, those of each batch.
    pub(in crate::solver) normal: &'a mut [Wide],
    pub(in crate::solver) residuals: &'a mut [Wide],
    /// One for each batch, or none where nothing resists turning.
    pub(in crate::solver) rolling_speeds: &'a mut [Wide],
    pub(in crate::solver) ground: Ground<'a>,
}

impl<B: Batch> Kernel for Measure<'_, B> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let mut a = Held::<L>::nobody();
        let measured = self.normal.iter_mut().zip(self.residuals);
        for (at, (batch, (normal, residuals))) in self.batches.iter().zip(measured).enumerate() {
            ask_ahead::<B, true>((self.batches, self.torques), at, self.ground, size_of::<B>());
            let besides = (self.extras.of(at), self.torques.get(at));
            for first in (0..WIDE).step_by(L::WIDTH) {
                a.take(self.ground.bodies, batch.places()[0], first);
                let found = batch.measure(&a.bodies, besides, self.ground, first);
                a.keep(batch.places()[0], places_a(self.batches.get(at + 1)));
                found.normal.store(normal, first);
                found.residual.store(residuals, first);
                if let Some(speeds) = self.rolling_speeds.get_mut(at) {
                    found.rolling_speed.store(speeds, first);
                }
            }
        }
    }
}

/// Rolling and twisting of contacts that are measured.
pub(super) struct Turning<L> {
    /// Most rolling torque over normal force, and most twisting torque [m].
    pub(super) bounds: [L; 2],
    /// The distance at which a torque counts as a force [m].
    pub(super) length: L,
    /// Spin of b relative to a in the tangent plane, and along the normal [rad/s].
    pub(super) spin: (Vec3s<L>, L),
    /// The torque on b, split alike [N m s].
    pub(super) torque: (Vec3s<L>, L),
}

/// The residual as [`crate::solver::residual`] says it of one contact, from its coefficient of friction and a third of the trace of
/// its block, what is left of its relative velocity along the normal and across, its normal and friction impulse, and its torques.
#[inline(always)]
pub(super) fn residual<L: Lanes>(
    (friction, scale): (L, L),
    (w_n, w_t): (L, Vec3s<L>),
    (lambda_n, lambda_t): (L, Vec3s<L>),
    turning: Option<&Turning<L>>,
) -> L {
    // in units of velocity
    let (lambda_n, lambda_t) = (lambda_n * scale, lambda_t * scale);
    let slide = w_t.dot(w_t).root();
    let trial_t = lambda_t - w_t;
    let length_t = trial_t.dot(trial_t).root();
    let Some(Turning { bounds: [rolling, twisting], length, spin, torque }) = turning else {
        let trial_n = lambda_n - (w_n + friction * slide);
        let (onto_n, factor) = onto_cone(friction, trial_n, length_t);
        let (off_n, off_t) = (lambda_n - onto_n, lambda_t - trial_t * factor);
        return (off_n * off_n + off_t.dot(off_t)).root();
    };
    // torques as forces at that distance, and spins as velocities
    let per_length = L::splat(1.0) / *length;
    let (rolling, twisting) = (*rolling * per_length, *twisting * per_length);
    let (w_r, w_tw) = (spin.0 * *length, spin.1 * *length);
    let (lambda_r, lambda_tw) = (torque.0 * (per_length * scale), torque.1 * (per_length * scale));
    let shift = friction * slide + rolling * w_r.dot(w_r).root() + twisting * w_tw.magnitude();
    let trial_n = lambda_n - (w_n + shift);
    let (trial_r, trial_tw) = (lambda_r - w_r, lambda_tw - w_tw);
    let lengths = [length_t, trial_r.dot(trial_r).root(), trial_tw.magnitude()];
    let (onto_n, [factor_t, factor_r, factor_tw]) = onto_whole_cone([friction, rolling, twisting], trial_n, lengths);
    let (off_n, off_t) = (lambda_n - onto_n, lambda_t - trial_t * factor_t);
    let (off_r, off_tw) = (lambda_r - trial_r * factor_r, lambda_tw - trial_tw * factor_tw);
    (off_n * off_n + off_t.dot(off_t) + off_r.dot(off_r) + off_tw * off_tw).root()
}

/// The projection of a trial on the cone of friction, as [`crate::solver::cone`] has it: the normal part, and the factor on a
/// tangential part of this length.
#[inline(always)]
fn onto_cone<L: Lanes>(friction: L, normal: L, length: L) -> (L, L) {
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    let onto = (normal + friction * length) / (one + friction * friction);
    let outside = L::above(length, friction * normal);
    let (normal_part, factor) = (L::pick(outside, onto, normal), L::pick(outside, friction * onto / length, one));
    // the polar cone; what is no number is not in it
    let polar = L::above(-normal, friction * length);
    (L::pick(polar, zero, normal_part), L::pick(polar, zero, factor))
}

/// The same with rolling and twisting.
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
    // what is no number stays so
    let onto = L::pick(L::above(zero, onto), zero, onto);
    let factor = |k: usize| {
        let shrinks = L::both(outside[k], L::above(lengths[k], zero));
        let factor = L::pick(shrinks, (bounds[k] * onto / lengths[k]).smaller(one), one);
        L::pick(polar, zero, factor)
    };
    (L::pick(polar, zero, onto), [factor(0), factor(1), factor(2)])
}
