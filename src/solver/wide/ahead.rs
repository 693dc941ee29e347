//! What is needed soon is asked for ahead of time.

use crate::math::lanes::prefetch_front_of_one_of;
use crate::solver::wide::{Batch, Ground};

/// So many batches ahead the lines of bodies are asked for, and the batches themselves.
const BODIES_AHEAD: usize = 2;
const BATCHES_AHEAD: usize = 8;

/// What a sweep over so many spheres needs, some 0.8 MB, stays in the second cache of most machines: asking for it costs a sweep 3 %,
/// and gains nothing.
pub(in crate::solver) const FEW_BODIES: usize = 2048;

/// Beside a batch of so many bytes or less there is room in the first cache for the lines of the bodies of the next ones.
///
/// Out of the second cache these come too late for spheres alone, a seventh of a sweep with 48 kB of first cache (Xeon). But beside
/// two dozen lines a batch, which general contacts have and those with rolling, 32 kB are too few (Zen 4): a sweep takes a quarter
/// and a tenth more.
const SMALL_BATCH: usize = 1024;

/// Asks for what is needed soon: lines of bodies, with their `MASSES` or without, the first `bytes` of a batch, and its torques.
#[inline(always)]
pub(in crate::solver) fn ask_ahead<B: Batch, const MASSES: bool>(
    (batches, torques): (&[B], &[B::Torques]),
    at: usize,
    ground: Ground,
    bytes: usize,
) {
    if ground.bodies.count() <= FEW_BODIES {
        return;
    }
    let besides = if torques.is_empty() { 0 } else { size_of::<B::Torques>() };
    if let Some(soon) = batches.get(at + BODIES_AHEAD) {
        let near = bytes + besides <= SMALL_BATCH;
        for places in soon.places() {
            ground.bodies.prefetch(places, near);
            if MASSES && B::READS_MASSES {
                ground.masses.prefetch(places, near);
            }
        }
    }
    prefetch_front_of_one_of(batches, at + BATCHES_AHEAD, bytes);
    prefetch_front_of_one_of(torques, at + BATCHES_AHEAD, besides);
}
