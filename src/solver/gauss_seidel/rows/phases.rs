//! Runs the phases of a plan one after the other, and the spans of each phase in parallel.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::math::lanes::Level;
use crate::solver::gauss_seidel::rows::plan::{Plan, Planner};
use crate::tasks::{OrEmpty, Tasks, each_span};

/// The plan of a pass over batches, with the tasks that run it.
#[derive(Clone, Copy)]
pub(in crate::solver) struct Phases<'a> {
    pub(in crate::solver) plan: &'a Plan,
    pub(in crate::solver) planner: &'a Planner,
    pub(in crate::solver) level: Level,
    pub(in crate::solver) tasks: &'a dyn Tasks,
}

impl Phases<'_> {
    /// Calls `work` with the elements of each span of batches, phase by phase. Returns the largest value that `work` returns.
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

/// The largest of some numbers that are not negative. Any thread can add a number. The bits of such numbers have the
/// same order as the numbers.
#[derive(Debug, Default)]
struct Largest(AtomicU64);

impl Largest {
    fn note(&self, value: f64) {
        // A change that is not measured is zero, and is not stored. Threads then do not wait for each other.
        let bits = value.to_bits();
        if bits > 0 {
            self.0.fetch_max(bits, Ordering::Relaxed);
        }
    }

    fn get(self) -> f64 {
        f64::from_bits(self.0.into_inner())
    }
}
