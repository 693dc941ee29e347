//! What a sweep, and what goes with it, does to batches: over lanes, one source for every width.

use crate::math::lanes::{Kernel, Lanes, WIDE, Wide, prefetch_front_of_one_of};
use crate::solver::wide::lines::{self, Held};
use crate::solver::wide::{Batch, Extras, Ground, places_a};

/// A sweep over batches.
pub(super) struct Sweep<'a, B: Batch> {
    pub(super) batches: &'a mut [B],
    pub(super) extras: Extras<'a, B::Extra>,
    pub(super) torques: &'a mut [B::Torques],
    pub(super) ground: Ground<'a>,
    pub(super) measured: bool,
    /// Whether all bodies answer alike in all directions.
    pub(super) alike: bool,
}

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

/// Asks for what is needed soon: lines of bodies, and the first bytes of a batch.
#[inline(always)]
fn ask_ahead<B: Batch, const MASSES: bool>(batches: &[B], at: usize, ground: Ground, (bytes, besides): (usize, usize)) {
    if ground.bodies.count() <= FEW_BODIES {
        return;
    }
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
}

/// The bytes of a batch, and of what each has besides it.
#[inline(always)]
fn bytes_of<B: Batch>(torques: &[B::Torques]) -> (usize, usize) {
    (size_of::<B>(), if torques.is_empty() { 0 } else { size_of::<B::Torques>() })
}

impl<B: Batch> Sweep<'_, B> {
    #[inline(always)]
    fn all<L: Lanes, const MEASURED: bool, const ALIKE: bool>(self) -> f64 {
        let Self { batches, extras, torques, ground, .. } = self;
        let mut largest = Wide::splat(0.0);
        let mut a = Held::<L>::nobody();
        let bytes = bytes_of::<B>(torques);
        for at in 0..batches.len() {
            if ALIKE {
                ask_ahead::<B, false>(batches, at, ground, bytes);
            } else {
                ask_ahead::<B, true>(batches, at, ground, bytes);
            }
            let mut first = 0;
            while first < WIDE {
                let (extra, torques) = (extras.of(at), torques.get_mut(at));
                a.take(ground.bodies, batches[at].places()[0], first);
                let changed = if ALIKE {
                    batches[at].relax_alike::<L, MEASURED>(&mut a.bodies, extra, torques, ground, first)
                } else {
                    batches[at].relax::<L, MEASURED>(&mut a.bodies, extra, torques, ground, first)
                };
                a.keep_or_leave(ground.bodies, batches[at].places()[0], first, places_a(batches.get(at + 1)));
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

    #[inline(always)]
    fn run<L: Lanes>(self) -> f64 {
        match (self.measured, self.alike && B::READS_MASSES) {
            (false, false) => self.all::<L, false, false>(),
            (false, true) => self.all::<L, false, true>(),
            (true, false) => self.all::<L, true, false>(),
            (true, true) => self.all::<L, true, true>(),
        }
    }
}

/// The impulses of batches, put on the velocities.
pub(super) struct Apply<'a, B: Batch> {
    pub(super) batches: &'a [B],
    pub(super) torques: &'a [B::Torques],
    pub(super) ground: Ground<'a>,
}

impl<B: Batch> Kernel for Apply<'_, B> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { batches, torques, ground } = self;
        let mut a = Held::<L>::nobody();
        let bytes = bytes_of::<B>(torques);
        for at in 0..batches.len() {
            ask_ahead::<B, true>(batches, at, ground, bytes);
            for first in (0..WIDE).step_by(L::WIDTH) {
                let own = batches[at].places()[0];
                a.take(ground.bodies, own, first);
                batches[at].apply::<L>(&mut a.bodies, torques.get(at), ground, first);
                a.keep_or_leave(ground.bodies, own, first, places_a(batches.get(at + 1)));
            }
        }
    }
}

/// The impulses of batches, added up on the lines of the bodies: linear, and about the centres of mass.
pub(super) struct Sum<'a, B: Batch> {
    pub(super) batches: &'a [B],
    pub(super) torques: &'a [B::Torques],
    pub(super) ground: Ground<'a>,
}

impl<B: Batch> Kernel for Sum<'_, B> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { batches, torques, ground } = self;
        let bytes = bytes_of::<B>(torques);
        for at in 0..batches.len() {
            ask_ahead::<B, false>(batches, at, ground, bytes);
            let mut first = 0;
            while first < WIDE {
                sum_up::<B, L>(&batches[at], torques.get(at), ground, first);
                first += L::WIDTH;
            }
        }
    }
}

/// Adds up the impulses of some lanes of a batch.
#[inline(always)]
pub(super) fn sum_up<B: Batch, L: Lanes>(batch: &B, torques: Option<&B::Torques>, ground: Ground, first: usize) {
    let [impulse, on_a, on_b] = batch.on_bodies::<L>(torques, first);
    let [a, b] = batch.places();
    lines::add(ground.bodies, a, first, [-impulse, on_a]);
    lines::add(ground.bodies, b, first, [impulse, on_b]);
}

/// The multipliers of the position pass, put on the displacements.
pub(super) struct Shift<'a, B: Batch> {
    pub(super) batches: &'a [B],
    pub(super) multipliers: &'a [Wide],
    pub(super) ground: Ground<'a>,
}

impl<B: Batch> Kernel for Shift<'_, B> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { batches, multipliers, ground } = self;
        for at in 0..batches.len() {
            ask_ahead::<B, true>(batches, at, ground, (B::PUSHED_BYTES, 0));
            for first in (0..WIDE).step_by(L::WIDTH) {
                batches[at].shift::<L>(ground, &multipliers[at], first);
            }
        }
    }
}

/// The position pass over batches.
pub(in crate::solver) struct Push<'a, B: Batch> {
    pub(in crate::solver) batches: &'a [B],
    pub(in crate::solver) targets: &'a [Wide],
    pub(in crate::solver) multipliers: &'a mut [Wide],
    pub(in crate::solver) ground: Ground<'a>,
    /// Whether all bodies answer alike in all directions.
    pub(in crate::solver) alike: bool,
}

impl<B: Batch> Push<'_, B> {
    #[inline(always)]
    fn all<L: Lanes, const ALIKE: bool>(self) -> f64 {
        let Self { batches, targets, multipliers, ground, .. } = self;
        let mut farthest = Wide::splat(0.0);
        for at in 0..batches.len() {
            if ALIKE {
                ask_ahead::<B, false>(batches, at, ground, (B::PUSHED_BYTES, 0));
            } else {
                ask_ahead::<B, true>(batches, at, ground, (B::PUSHED_BYTES, 0));
            }
            let mut first = 0;
            while first < WIDE {
                let (targets, multipliers) = (&targets[at], &mut multipliers[at]);
                let moved = if ALIKE {
                    batches[at].push_alike::<L>(ground, targets, multipliers, first)
                } else {
                    batches[at].push::<L>(ground, targets, multipliers, first)
                };
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
        if self.alike && B::READS_MASSES { self.all::<L, true>() } else { self.all::<L, false>() }
    }
}
