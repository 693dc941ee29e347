//! The kernels of a sweep over batches, and of the passes beside it: one source for every width.

use crate::math::lanes::{Kernel, Lanes, WIDE, Wide};
use crate::solver::gauss_seidel::wide::batch::{Batch, places_a};
use crate::solver::gauss_seidel::wide::body_cache::BodyACache;
use crate::solver::gauss_seidel::wide::context::{Extras, SweepContext};
use crate::solver::gauss_seidel::wide::lines;
use crate::solver::gauss_seidel::wide::masses::{Anisotropic, Isotropic, MassSource};
use crate::solver::gauss_seidel::wide::prefetch::prefetch_batches;

/// A sweep over batches.
pub(super) struct Sweep<'a, B: Batch> {
    pub(super) batches: &'a mut [B],
    pub(super) extras: Extras<'a, B::Extra>,
    pub(super) torques: &'a mut [B::Torques],
    pub(super) context: SweepContext<'a>,
    pub(super) measured: bool,
    /// Whether all bodies are isotropic.
    pub(super) isotropic: bool,
}

impl<B: Batch> Sweep<'_, B> {
    #[inline(always)]
    fn all<L: Lanes, M: MassSource, const MEASURED: bool>(self) -> f64 {
        let Self { batches, extras, torques, context, .. } = self;
        let mut largest = Wide::splat(0.0);
        let mut a = BodyACache::<L>::empty();
        for at in 0..batches.len() {
            prefetch_batches(batches, torques, at, context, size_of::<B>(), M::READS_LINES);
            let mut first = 0;
            while first < WIDE {
                let (extra, torques) = (extras.of(at), torques.get_mut(at));
                a.read(context.bodies, batches[at].places()[0], first);
                let changed = batches[at].relax::<L, M, MEASURED>(&mut a.bodies, extra, torques, context, first);
                a.keep_or_write(context.bodies, batches[at].places()[0], first, places_a(batches.get(at + 1)));
                if MEASURED {
                    changed.larger(L::load(&largest, first)).store(&mut largest, first);
                }
                first += L::WIDTH;
            }
        }
        largest.0.iter().copied().fold(0.0, f64::max)
    }
}

impl<B: Batch> Kernel for Sweep<'_, B> {
    type Output = f64;

    /// Chooses the source of masses once for the whole sweep. Batches that use no source have one kernel only.
    #[inline(always)]
    fn run<L: Lanes>(self) -> f64 {
        match (self.isotropic && B::READS_MASSES, self.measured) {
            (true, true) => self.all::<L, Isotropic, true>(),
            (true, false) => self.all::<L, Isotropic, false>(),
            (false, true) => self.all::<L, Anisotropic, true>(),
            (false, false) => self.all::<L, Anisotropic, false>(),
        }
    }
}

/// The impulses of batches, applied to the velocities.
pub(super) struct Apply<'a, B: Batch> {
    pub(super) batches: &'a [B],
    pub(super) torques: &'a [B::Torques],
    pub(super) context: SweepContext<'a>,
}

impl<B: Batch> Kernel for Apply<'_, B> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { batches, torques, context } = self;
        let mut a = BodyACache::<L>::empty();
        for at in 0..batches.len() {
            prefetch_batches(batches, torques, at, context, size_of::<B>(), true);
            for first in (0..WIDE).step_by(L::WIDTH) {
                let own = batches[at].places()[0];
                a.read(context.bodies, own, first);
                batches[at].apply::<L>(&mut a.bodies, torques.get(at), context, first);
                a.keep_or_write(context.bodies, own, first, places_a(batches.get(at + 1)));
            }
        }
    }
}

/// The impulses of batches, summed on the lines of the bodies: linear, and about the centres of mass.
pub(super) struct Sum<'a, B: Batch> {
    pub(super) batches: &'a [B],
    pub(super) torques: &'a [B::Torques],
    pub(super) context: SweepContext<'a>,
}

impl<B: Batch> Kernel for Sum<'_, B> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { batches, torques, context } = self;
        for at in 0..batches.len() {
            prefetch_batches(batches, torques, at, context, size_of::<B>(), false);
            let mut first = 0;
            while first < WIDE {
                sum_up::<B, L>(&batches[at], torques.get(at), context, first);
                first += L::WIDTH;
            }
        }
    }
}

/// Adds the impulses of some lanes of a batch to the lines of the bodies.
#[inline(always)]
pub(super) fn sum_up<B: Batch, L: Lanes>(batch: &B, torques: Option<&B::Torques>, context: SweepContext, first: usize) {
    let [impulse, on_a, on_b] = batch.on_bodies::<L>(torques, first);
    let [a, b] = batch.places();
    lines::add(context.bodies, a, first, [-impulse, on_a]);
    lines::add(context.bodies, b, first, [impulse, on_b]);
}

/// The multipliers of the position pass, applied to the displacements.
pub(super) struct Shift<'a, B: Batch> {
    pub(super) batches: &'a [B],
    pub(super) multipliers: &'a [Wide],
    pub(super) context: SweepContext<'a>,
}

impl<B: Batch> Kernel for Shift<'_, B> {
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
pub(in crate::solver) struct Push<'a, B: Batch> {
    pub(in crate::solver) batches: &'a [B],
    pub(in crate::solver) targets: &'a [Wide],
    pub(in crate::solver) multipliers: &'a mut [Wide],
    pub(in crate::solver) context: SweepContext<'a>,
    /// Whether all bodies are isotropic.
    pub(in crate::solver) isotropic: bool,
}

impl<B: Batch> Push<'_, B> {
    #[inline(always)]
    fn all<L: Lanes, M: MassSource>(self) -> f64 {
        let Self { batches, targets, multipliers, context, .. } = self;
        let mut farthest = Wide::splat(0.0);
        for at in 0..batches.len() {
            prefetch_batches(batches, &[], at, context, B::POSITION_BYTES, M::READS_LINES);
            let mut first = 0;
            while first < WIDE {
                let (targets, multipliers) = (&targets[at], &mut multipliers[at]);
                let moved = batches[at].push::<L, M>(context, targets, multipliers, first);
                moved.larger(L::load(&farthest, first)).store(&mut farthest, first);
                first += L::WIDTH;
            }
        }
        farthest.0.iter().copied().fold(0.0, f64::max)
    }
}

impl<B: Batch> Kernel for Push<'_, B> {
    type Output = f64;

    #[inline(always)]
    fn run<L: Lanes>(self) -> f64 {
        if self.isotropic && B::READS_MASSES { self.all::<L, Isotropic>() } else { self.all::<L, Anisotropic>() }
    }
}
