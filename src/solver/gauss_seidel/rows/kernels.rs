//! The kernels that write, sweep and measure batches, and those of the other passes. One source serves every width.

use crate::math::lanes::prefetch::{FEW_BODIES, SMALL_BATCH, SWEEP_BATCHES_AHEAD, SWEEP_BODIES_AHEAD};
use crate::math::lanes::{Kernel, Lanes, WIDE, Wide, prefetch_front_of_one_of};
use crate::solver::gauss_seidel::rule::{Associated, Coulomb, Rule};
use crate::solver::gauss_seidel::wide::batch::{
    BatchInput, ContactBatch, Extras, PrepareContext, SweepBatch, places_a,
};
use crate::solver::gauss_seidel::wide::lines::{self, BodyACache, SweepContext};
use crate::solver::gauss_seidel::wide::masses::{Anisotropic, Isotropic, MassSource};

/// The contacts of a batch, written into their lanes.
pub(in crate::solver) struct Write<'a, B: ContactBatch> {
    pub(in crate::solver) batch: &'a mut B,
    /// The torques of the batch, if any contact may have one.
    pub(in crate::solver) torques: Option<&'a mut B::Torques>,
    pub(in crate::solver) context: &'a PrepareContext<'a>,
    pub(in crate::solver) input: BatchInput<'a>,
    /// Whether no contact has compliance or a moving surface.
    pub(in crate::solver) plain: bool,
}

impl<B: ContactBatch> Kernel for Write<'_, B> {
    type Output = u32;

    #[inline(always)]
    fn run<L: Lanes>(self) -> u32 {
        let Self { batch, torques, context, input, plain } = self;
        if plain {
            batch.write::<L, true>(torques, context, &input)
        } else {
            batch.write::<L, false>(torques, context, &input)
        }
    }
}

/// A sweep over batches.
pub(super) struct Sweep<'a, B: SweepBatch> {
    pub(super) batches: &'a mut [B],
    pub(super) extras: Extras<'a, B::Extra>,
    pub(super) torques: &'a mut [B::Torques],
    pub(super) context: SweepContext<'a>,
    pub(super) measured: bool,
    /// Whether all bodies are isotropic.
    pub(super) isotropic: bool,
}

impl<B: SweepBatch> Sweep<'_, B> {
    #[inline(always)]
    fn all<L: Lanes, M: MassSource, R: Rule, const MEASURED: bool>(self) -> f64 {
        let Self { batches, extras, torques, context, .. } = self;
        let mut largest = Wide::splat(0.0);
        let mut a = BodyACache::<L>::empty();
        for at in 0..batches.len() {
            prefetch_batches(batches, torques, at, context, batches[at].bytes_read(), M::READS_LINES);
            // With torques the sweep reads too many arrays for the prefetches of the hardware to follow.
            if !torques.is_empty() && context.bodies.count() > FEW_BODIES {
                extras.prefetch(at + SWEEP_BATCHES_AHEAD, B::EXTRA_BYTES);
            }
            for first in (0..WIDE).step_by(L::WIDTH) {
                let (extra, torques) = (extras.of(at), torques.get_mut(at));
                a.read(context.bodies, batches[at].places()[0], first);
                let changed = batches[at].relax::<L, M, R, MEASURED>(&mut a.bodies, extra, torques, context, first);
                a.keep_or_write(context.bodies, batches[at].places()[0], first, places_a(batches.get(at + 1)));
                if MEASURED {
                    changed.larger(L::load(&largest, first)).store(&mut largest, first);
                }
            }
        }
        largest.0.iter().copied().fold(0.0, f64::max)
    }
}

impl<B: SweepBatch> Kernel for Sweep<'_, B> {
    type Output = f64;

    /// Chooses the friction rule and the source of masses once for the whole sweep. Batches that use no source, and the
    /// associated rule, have one kernel only.
    #[inline(always)]
    fn run<L: Lanes>(self) -> f64 {
        if self.context.dilation > 0.0 {
            return self.all::<L, Anisotropic, Associated, true>();
        }
        match (self.isotropic && B::READS_MASSES, self.measured) {
            (true, true) => self.all::<L, Isotropic, Coulomb, true>(),
            (true, false) => self.all::<L, Isotropic, Coulomb, false>(),
            (false, true) => self.all::<L, Anisotropic, Coulomb, true>(),
            (false, false) => self.all::<L, Anisotropic, Coulomb, false>(),
        }
    }
}

/// Applies the impulses of batches to the velocities.
pub(super) struct Apply<'a, B: SweepBatch> {
    pub(super) batches: &'a [B],
    pub(super) torques: &'a [B::Torques],
    pub(super) context: SweepContext<'a>,
}

impl<B: SweepBatch> Kernel for Apply<'_, B> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { batches, torques, context } = self;
        let mut a = BodyACache::<L>::empty();
        for at in 0..batches.len() {
            prefetch_batches(batches, torques, at, context, batches[at].bytes_read(), true);
            for first in (0..WIDE).step_by(L::WIDTH) {
                let own = batches[at].places()[0];
                a.read(context.bodies, own, first);
                batches[at].apply::<L>(&mut a.bodies, torques.get(at), context, first);
                a.keep_or_write(context.bodies, own, first, places_a(batches.get(at + 1)));
            }
        }
    }
}

/// Sums the impulses of batches on the lines of the bodies: linear, and about the centres of mass.
pub(super) struct Sum<'a, B: SweepBatch> {
    pub(super) batches: &'a [B],
    pub(super) torques: &'a [B::Torques],
    pub(super) context: SweepContext<'a>,
}

impl<B: SweepBatch> Kernel for Sum<'_, B> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { batches, torques, context } = self;
        for at in 0..batches.len() {
            prefetch_batches(batches, torques, at, context, batches[at].bytes_read(), false);
            for first in (0..WIDE).step_by(L::WIDTH) {
                sum_up::<B, L>(&batches[at], torques.get(at), context, first);
            }
        }
    }
}

/// Adds the impulses of some lanes of a batch to the lines of the bodies.
#[inline(always)]
pub(super) fn sum_up<B: SweepBatch, L: Lanes>(
    batch: &B,
    torques: Option<&B::Torques>,
    context: SweepContext,
    first: usize,
) {
    let [on_a, on_b] = batch.on_bodies::<L>(torques, first);
    let [a, b] = batch.places();
    lines::add(context.bodies, a, first, on_a);
    lines::add(context.bodies, b, first, on_b);
}

/// Applies the multipliers of the position pass to the displacements.
pub(super) struct Shift<'a, B: ContactBatch> {
    pub(super) batches: &'a [B],
    pub(super) multipliers: &'a [Wide],
    pub(super) context: SweepContext<'a>,
}

impl<B: ContactBatch> Kernel for Shift<'_, B> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { batches, multipliers, context } = self;
        for at in 0..batches.len() {
            prefetch_batches(batches, &[], at, context, B::POSITION_BYTES, true);
            for first in (0..WIDE).step_by(L::WIDTH) {
                batches[at].shift::<L>(context, &multipliers[at], first);
            }
        }
    }
}

/// The position pass over batches.
pub(in crate::solver) struct PositionSweep<'a, B: ContactBatch> {
    pub(in crate::solver) batches: &'a [B],
    pub(in crate::solver) targets: &'a [Wide],
    /// The scales of moves. Empty if all moves have the same scale.
    pub(in crate::solver) scales: &'a [Wide],
    pub(in crate::solver) multipliers: &'a mut [Wide],
    pub(in crate::solver) context: SweepContext<'a>,
    /// Whether all bodies are isotropic.
    pub(in crate::solver) isotropic: bool,
}

impl<B: ContactBatch> PositionSweep<'_, B> {
    #[inline(always)]
    fn all<L: Lanes, M: MassSource>(self) -> f64 {
        let Self { batches, targets, scales, multipliers, context, .. } = self;
        let mut farthest = Wide::splat(0.0);
        for at in 0..batches.len() {
            prefetch_batches(batches, &[], at, context, B::POSITION_BYTES, M::READS_LINES);
            for first in (0..WIDE).step_by(L::WIDTH) {
                let (targets, multipliers) = (&targets[at], &mut multipliers[at]);
                let mut moved = batches[at].push::<L, M>(context, targets, multipliers, first);
                if let Some(scales) = scales.get(at) {
                    moved = moved * L::load(scales, first);
                }
                moved.larger(L::load(&farthest, first)).store(&mut farthest, first);
            }
        }
        farthest.0.iter().copied().fold(0.0, f64::max)
    }
}

impl<B: ContactBatch> Kernel for PositionSweep<'_, B> {
    type Output = f64;

    #[inline(always)]
    fn run<L: Lanes>(self) -> f64 {
        if self.isotropic && B::READS_MASSES { self.all::<L, Isotropic>() } else { self.all::<L, Anisotropic>() }
    }
}

/// Measures batches of contacts.
pub(in crate::solver) struct Measure<'a, B: ContactBatch> {
    pub(in crate::solver) batches: &'a [B],
    pub(in crate::solver) extras: Extras<'a, B::Extra>,
    /// The torques of the same batches, or none.
    pub(in crate::solver) torques: &'a [B::Torques],
    /// The velocities of b relative to a along the normals, for each batch.
    pub(in crate::solver) normal: &'a mut [Wide],
    pub(in crate::solver) residuals: &'a mut [Wide],
    pub(in crate::solver) context: SweepContext<'a>,
}

impl<B: ContactBatch> Kernel for Measure<'_, B> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { batches, torques, context, .. } = self;
        let mut a = BodyACache::<L>::empty();
        let measured = self.normal.iter_mut().zip(self.residuals);
        for (at, (batch, (normal, residuals))) in batches.iter().zip(measured).enumerate() {
            prefetch_batches(batches, torques, at, context, batch.bytes_read(), true);
            let (extra, torques) = (self.extras.of(at), torques.get(at));
            for first in (0..WIDE).step_by(L::WIDTH) {
                a.read(context.bodies, batch.places()[0], first);
                let measured = batch.measure(&a.bodies, extra, torques, context, first);
                a.keep(batch.places()[0], places_a(batches.get(at + 1)));
                measured.normal.store(normal, first);
                measured.residual.store(residuals, first);
            }
        }
    }
}

/// Prefetches the batches that follow the one at the index `at`: their first `bytes`, their torques, and the lines of
/// their bodies. With `masses` it also prefetches the lines of the masses.
#[inline(always)]
pub(super) fn prefetch_batches<B: SweepBatch>(
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
