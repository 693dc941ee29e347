//! Passes over the batches of one kind, phase by phase.

use crate::math::lanes::{Level, dispatch};
use crate::solver::gauss_seidel::rows::batches::ContactBatches;
use crate::solver::gauss_seidel::rows::kernels::{Apply, Sum, Sweep};
use crate::solver::gauss_seidel::rows::plan::{Plan, Planner};
use crate::solver::gauss_seidel::wide::{Batch, Extras, SweepContext};
use crate::tasks::{OrEmpty, Tasks, each_span};
use std::sync::atomic::{AtomicU64, Ordering};

/// The plan of a pass over batches, and what runs it.
#[derive(Clone, Copy)]
pub(in crate::solver) struct Phases<'a> {
    pub(in crate::solver) plan: &'a Plan,
    pub(in crate::solver) planner: &'a Planner,
    pub(in crate::solver) level: Level,
    pub(in crate::solver) tasks: &'a dyn Tasks,
}

impl Phases<'_> {
    /// Calls `work` with the elements of each span of batches, phase by phase. Returns the largest answer.
    pub(super) fn run<B: Send, T: Send>(
        &self,
        batches: &mut [B],
        others: &mut [T],
        work: impl Fn([u32; 2], &mut [B], &mut [T]) -> f64 + Sync,
    ) -> f64 {
        let mut largest = 0.0;
        for spans in self.planner.phases(self.plan) {
            let found = Largest::default();
            each_span(self.tasks, spans, (&mut *batches, OrEmpty(&mut *others)), |span, batches, OrEmpty(others)| {
                found.note(work(span, batches, others));
            });
            largest = f64::max(largest, found.get());
        }
        largest
    }
}

impl<B: Batch> ContactBatches<B> {
    /// Sweeps over the lanes and phases of a plan. Returns the square of the largest change.
    pub(in crate::solver) fn sweep(&mut self, phases: Phases, context: SweepContext, measured: bool) -> f64 {
        let mut largest = 0.0;
        for lane in phases.plan.lanes() {
            largest = f64::max(largest, self.relax(lane, context));
        }
        let Self { batches, extras: all, extra_places: places, torques, isotropic, .. } = self;
        let extras = Extras { all, places };
        let (isotropic, level) = (*isotropic, phases.level);
        let found = phases.run(batches, torques, |[first, _], batches, torques| {
            let extras = extras.behind(first as usize);
            dispatch(level, Sweep { batches, extras, torques, context, measured, isotropic })
        });
        largest.max(found)
    }

    /// Adds to the velocities what the present impulses change.
    pub(super) fn apply_all(&mut self, phases: Phases, context: SweepContext) {
        phases.plan.lanes().for_each(|lane| self.apply(lane, context));
        let (Self { batches, torques, .. }, level) = (self, phases.level);
        phases.run(batches, torques, |_, batches, torques| {
            dispatch(level, Apply { batches, torques, context });
            0.0
        });
    }

    /// Adds the present impulses up on the lines of the bodies.
    pub(super) fn sum_all(&mut self, phases: Phases, context: SweepContext) {
        phases.plan.lanes().for_each(|lane| self.sum(lane, context));
        let (Self { batches, torques, .. }, level) = (self, phases.level);
        phases.run(batches, torques, |_, batches, torques| {
            dispatch(level, Sum { batches, torques, context });
            0.0
        });
    }
}

/// The largest of some numbers that are not negative, noted by any thread. Their bits are in the order of the numbers.
#[derive(Debug, Default)]
pub(super) struct Largest(AtomicU64);

impl Largest {
    pub(super) fn note(&self, value: f64) {
        // A change that is not measured is zero: threads need not wait for each other to note it.
        let bits = value.to_bits();
        if bits > 0 {
            self.0.fetch_max(bits, Ordering::Relaxed);
        }
    }

    pub(super) fn get(self) -> f64 {
        f64::from_bits(self.0.into_inner())
    }
}
