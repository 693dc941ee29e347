//! What a loop over batches prefetches.

use crate::math::lanes::prefetch::{FEW_BODIES, SMALL_BATCH, SWEEP_BATCHES_AHEAD, SWEEP_BODIES_AHEAD};
use crate::math::lanes::prefetch_front_of_one_of;
use crate::solver::gauss_seidel::wide::batch::Batch;
use crate::solver::gauss_seidel::wide::context::SweepContext;

/// Prefetches for the batches behind the one `at` this index: the lines of their bodies, with those of the masses if
/// `masses`, the first `bytes` of the batches, and their torques.
#[inline(always)]
pub(in crate::solver) fn prefetch_batches<B: Batch>(
    batches: &[B],
    torques: &[B::Torques],
    at: usize,
    context: SweepContext,
    bytes: usize,
    masses: bool,
) {
    if context.bodies.count() <= FEW_BODIES {
        return;
    }
    let torque_bytes = if torques.is_empty() { 0 } else { size_of::<B::Torques>() };
    if let Some(soon) = batches.get(at + SWEEP_BODIES_AHEAD) {
        let near = bytes + torque_bytes <= SMALL_BATCH;
        for places in soon.places() {
            context.bodies.prefetch(places, near);
            if masses && B::READS_MASSES {
                context.masses.prefetch(places, near);
            }
        }
    }
    prefetch_front_of_one_of(batches, at + SWEEP_BATCHES_AHEAD, bytes);
    prefetch_front_of_one_of(torques, at + SWEEP_BATCHES_AHEAD, torque_bytes);
}
