//! Relative velocities and residuals of many contacts at once.

use crate::math::Vec3;
use crate::math::lanes::{Kernel, Lanes, Vec3s, WIDE, Wide};
use crate::solver::problem::Relative;
use crate::solver::wide::{Batch, Ground};

/// What is measured of eight contacts.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(in crate::solver) struct Measured {
    /// `u`, the velocity of b relative to a [m/s].
    pub(in crate::solver) relative: [Wide; 3],
    /// Its part along the normal [m/s].
    pub(in crate::solver) normal: Wide,
    /// [m/s]
    pub(in crate::solver) residual: Wide,
}

impl Measured {
    /// Before it is measured.
    pub(in crate::solver) const NONE: Self =
        Self { relative: [Wide::splat(0.0); 3], normal: Wide::splat(0.0), residual: Wide::splat(0.0) };

    /// How the bodies of the contact in a lane move.
    #[inline]
    pub(in crate::solver) fn relative(&self, lane: usize) -> Relative {
        let [x, y, z] = &self.relative;
        Relative { velocity: Vec3::new(x.0[lane], y.0[lane], z.0[lane]), normal: self.normal.0[lane] }
    }
}

/// Measures batches of contacts that have neither an extra nor torques.
pub(in crate::solver) struct Measure<'a, B> {
    pub(in crate::solver) batches: &'a [B],
    pub(in crate::solver) measured: &'a mut [Measured],
    pub(in crate::solver) ground: Ground<'a>,
}

impl<B: Batch> Kernel for Measure<'_, B> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        for (batch, measured) in self.batches.iter().zip(self.measured) {
            for first in (0..WIDE).step_by(L::WIDTH) {
                let (relative, [normal, residual]): (Vec3s<L>, [L; 2]) = batch.measure(self.ground, first);
                relative.store(&mut measured.relative, first);
                normal.store(&mut measured.normal, first);
                residual.store(&mut measured.residual, first);
            }
        }
    }
}

/// The residual as [`crate::solver::residual`] says it of one contact, from its coefficient of friction and a third of the trace of
/// its block, its normal, relative velocity and bias, and its normal and friction impulse. Behind the relative velocity along the
/// normal.
#[inline(always)]
pub(super) fn residual<L: Lanes>(
    (friction, scale): (L, L),
    normal: Vec3s<L>,
    (u, bias): (Vec3s<L>, L),
    (lambda_n, lambda_t): (L, Vec3s<L>),
) -> [L; 2] {
    let u_n = normal.dot(u);
    let w_t = u - normal * u_n;
    let rho = L::splat(1.0) / scale;
    let slide = w_t.dot(w_t).root();
    let trial_n = lambda_n - rho * (u_n + bias + friction * slide);
    let trial_t = lambda_t - w_t * rho;
    let (onto_n, factor) = onto_cone(friction, trial_n, trial_t.dot(trial_t).root());
    let (off_n, off_t) = (lambda_n - onto_n, lambda_t - trial_t * factor);
    [u_n, (off_n * off_n + off_t.dot(off_t)).root() / rho]
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
