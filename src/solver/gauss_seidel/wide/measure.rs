//! The kernel that measures relative velocities and residuals of many contacts.

use crate::math::lanes::{Kernel, Lanes, WIDE, Wide};
use crate::solver::gauss_seidel::wide::batch::{Batch, places_a};
use crate::solver::gauss_seidel::wide::body_cache::BodyACache;
use crate::solver::gauss_seidel::wide::context::{Extras, SweepContext};
use crate::solver::gauss_seidel::wide::prefetch::prefetch_batches;

/// Measures batches of contacts.
pub(in crate::solver) struct Measure<'a, B: Batch> {
    pub(in crate::solver) batches: &'a [B],
    pub(in crate::solver) extras: Extras<'a, B::Extra>,
    /// The torques of the same batches, or none.
    pub(in crate::solver) torques: &'a [B::Torques],
    /// The velocities of b relative to a along the normals, those of each batch.
    pub(in crate::solver) normal: &'a mut [Wide],
    pub(in crate::solver) residuals: &'a mut [Wide],
    /// One for each batch, or none where nothing resists turning.
    pub(in crate::solver) rolling_speeds: &'a mut [Wide],
    pub(in crate::solver) context: SweepContext<'a>,
}

impl<B: Batch> Kernel for Measure<'_, B> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { batches, torques, context, .. } = self;
        let mut a = BodyACache::<L>::empty();
        let measured = self.normal.iter_mut().zip(self.residuals);
        for (at, (batch, (normal, residuals))) in batches.iter().zip(measured).enumerate() {
            prefetch_batches(batches, torques, at, context, size_of::<B>(), true);
            let (extra, torques) = (self.extras.of(at), torques.get(at));
            for first in (0..WIDE).step_by(L::WIDTH) {
                a.read(context.bodies, batch.places()[0], first);
                let measured = batch.measure(&a.bodies, extra, torques, context, first);
                a.keep(batch.places()[0], places_a(batches.get(at + 1)));
                measured.normal.store(normal, first);
                measured.residual.store(residuals, first);
                if let Some(speeds) = self.rolling_speeds.get_mut(at) {
                    measured.rolling_speed.store(speeds, first);
                }
            }
        }
    }
}
