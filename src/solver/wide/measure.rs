//! Relative velocities and residuals of many contacts at once.

use crate::math::lanes::{Kernel, Lanes, Vec3s, WIDE, Wide};
use crate::solver::wide::Ground;
use crate::solver::wide::central::CentralBatch;

/// What is measured of eight contacts.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(in crate::solver) struct Measured {
    /// `u`, the velocity of b relative to a [m/s].
    pub(in crate::solver) relative: [Wide; 3],
    /// [m/s]
    pub(in crate::solver) residual: Wide,
}

impl Measured {
    /// Before it is measured.
    pub(in crate::solver) const NONE: Self = Self { relative: [Wide::splat(0.0); 3], residual: Wide::splat(0.0) };
}

/// Measures batches of contacts that have neither an extra nor torques.
pub(in crate::solver) struct Measure<'a> {
    pub(in crate::solver) batches: &'a [CentralBatch],
    pub(in crate::solver) measured: &'a mut [Measured],
    pub(in crate::solver) ground: Ground<'a>,
}

impl Kernel for Measure<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        for (batch, measured) in self.batches.iter().zip(self.measured) {
            for first in (0..WIDE).step_by(L::WIDTH) {
                let (relative, residual): (Vec3s<L>, L) = batch.measure(self.ground, first);
                relative.store(&mut measured.relative, first);
                residual.store(&mut measured.residual, first);
            }
        }
    }
}
