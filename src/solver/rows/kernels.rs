//! What a sweep, and what goes with it, does to batches: over lanes, one source for every width.

use crate::math::lanes::{Kernel, Lanes, WIDE, Wide};
use crate::solver::wide::ahead::ask_ahead;
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

impl<B: Batch> Sweep<'_, B> {
    #[inline(always)]
    fn all<L: Lanes, const MEASURED: bool, const ALIKE: bool>(self) -> f64 {
        let Self { batches, extras, torques, ground, .. } = self;
        let mut largest = Wide::splat(0.0);
        let mut a = Held::<L>::nobody();
        for at in 0..batches.len() {
            if ALIKE {
                ask_ahead::<B, false>((batches, torques), at, ground, size_of::<B>());
            } else {
                ask_ahead::<B, true>((batches, torques), at, ground, size_of::<B>());
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
        for at in 0..batches.len() {
            ask_ahead::<B, true>((batches, torques), at, ground, size_of::<B>());
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
        for at in 0..batches.len() {
            ask_ahead::<B, false>((batches, torques), at, ground, size_of::<B>());
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
            ask_ahead::<B, true>((batches, &[]), at, ground, B::PUSHED_BYTES);
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
                ask_ahead::<B, false>((batches, &[]), at, ground, B::PUSHED_BYTES);
            } else {
                ask_ahead::<B, true>((batches, &[]), at, ground, B::PUSHED_BYTES);
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
