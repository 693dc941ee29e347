//! The residual of contacts, in each lane one.

use crate::math::lanes::{Lanes, Vec3s};
use crate::solver::gauss_seidel::wide::cone::{onto_cone, onto_whole_cone};
use crate::solver::problem::cone::HUGE;

/// The result of a measurement of some contacts.
#[derive(Debug, Clone, Copy)]
pub(in crate::solver) struct Measured<L> {
    /// The velocity of b relative to a along the normal [m/s].
    pub(in crate::solver) normal: L,
    /// [m/s]
    pub(in crate::solver) residual: L,
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
    /// Spin of b relative to a, with what compliance adds to it [rad/s].
    pub(in crate::solver) spin: Split<L>,
    /// The torque on b [N m s].
    pub(in crate::solver) torque: Split<L>,
}

/// The bound of friction.
#[derive(Debug, Clone, Copy)]
pub(in crate::solver) struct Bound<L> {
    pub(in crate::solver) friction: L,
    /// That of the law [-].
    pub(in crate::solver) dilation: f64,
}

/// Returns the residual that [`crate::solver::problem::residual`] defines for one contact.
///
/// `bound` is that of friction, with the dilation of its law. `scale` is a third of the trace of the contact's block, `w` what is left of
/// its relative velocity.
#[inline(always)]
pub(in crate::solver) fn residual<L: Lanes>(
    Bound { friction, dilation }: Bound<L>,
    scale: L,
    w: Split<L>,
    impulse: Split<L>,
    turning: Option<&Turning<L>>,
) -> L {
    let Split { normal: w_n, tangential: w_t } = w;
    // in units of velocity
    let (lambda_n, lambda_t) = (impulse.normal * scale, impulse.tangential * scale);
    let shifted = L::splat(1.0 - dilation);
    let slide = w_t.dot(w_t).root();
    let trial_t = lambda_t - w_t;
    let length_t = trial_t.dot(trial_t).root();
    let Some(Turning { bounds: [rolling, twisting], length, spin, torque }) = turning else {
        let trial_n = lambda_n - (w_n + shifted * (friction * slide));
        let (onto_n, factor) = onto_cone(friction, trial_n, length_t);
        let (off_n, off_t) = (lambda_n - onto_n, lambda_t - trial_t * factor);
        let zero = L::splat(0.0);
        let residual = (off_n * off_n + off_t.dot(off_t)).root();
        let lifted = w_n - L::splat(dilation) * (friction * slide);
        return with_signorini([friction, zero, zero], residual, shifted, [lambda_n, w_n, lifted]);
    };
    // torques as forces at that distance, and spins as velocities
    let per_length = L::splat(1.0) / *length;
    let (rolling, twisting) = (*rolling * per_length, *twisting * per_length);
    let (w_r, w_tw) = (spin.tangential * *length, spin.normal * *length);
    let (lambda_r, lambda_tw) = (torque.tangential * (per_length * scale), torque.normal * (per_length * scale));
    let shift = friction * slide + rolling * w_r.dot(w_r).root() + twisting * w_tw.magnitude();
    let trial_n = lambda_n - (w_n + shifted * shift);
    let (trial_r, trial_tw) = (lambda_r - w_r, lambda_tw - w_tw);
    let lengths = [length_t, trial_r.dot(trial_r).root(), trial_tw.magnitude()];
    let (onto_n, [factor_t, factor_r, factor_tw]) = onto_whole_cone([friction, rolling, twisting], trial_n, lengths);
    let (off_n, off_t) = (lambda_n - onto_n, lambda_t - trial_t * factor_t);
    let (off_r, off_tw) = (lambda_r - trial_r * factor_r, lambda_tw - trial_tw * factor_tw);
    let residual = (off_n * off_n + off_t.dot(off_t) + off_r.dot(off_r) + off_tw * off_tw).root();
    let lifted = w_n - L::splat(dilation) * shift;
    with_signorini([friction, rolling, twisting], residual, shifted, [lambda_n, w_n, lifted])
}

/// Returns a residual that is at least that of Signorini's law where the cone is steep or the impulse huge, as
/// [`crate::solver::problem::cone`] has it.
#[inline(always)]
fn with_signorini<L: Lanes>(bounds: [L; 3], residual: L, shifted: L, [lambda_n, w_n, lifted]: [L; 3]) -> L {
    let [friction, rolling, twisting] = bounds;
    let (zero, one) = (L::splat(0.0), L::splat(1.0));
    let squares = friction * friction + rolling * rolling + twisting * twisting;
    let of_steep = L::select(L::above(squares, one), shifted * w_n.smaller(lambda_n).magnitude(), zero);
    let is_huge = L::above(lambda_n, L::splat(HUGE) * lifted.magnitude());
    let of_huge = L::select(is_huge, lifted.smaller(lambda_n).magnitude() / (one + squares).root(), zero);
    let lower_bound = of_huge.larger(of_steep);
    L::select(L::above(lower_bound, residual), lower_bound, residual)
}
