//! Runs the pieces of a stage: on the calling thread in the simplest case. Also runs one serial job next to them.

use std::fmt::{Debug, Formatter};

use parking_lot::Mutex;

/// Runs the pieces of a stage, on the calling thread or on several threads.
pub trait Tasks: Send + Sync + Debug {
    /// Returns the largest number of threads that work, with the caller of [`Tasks::run`].
    fn workers(&self) -> usize;

    /// Calls `work(0)` to `work(count - 1)`, each once, on any threads and in any order, and returns when all are done;
    /// nothing runs after that. A panic of `work` reaches the caller as a panic once every piece has ended.
    fn run(&self, count: usize, work: &(dyn Fn(usize) + Sync));
}

/// The calling thread, in order.
#[derive(Debug, Clone, Copy, Default)]
pub struct Serial;

impl Tasks for Serial {
    fn workers(&self) -> usize {
        1
    }

    fn run(&self, count: usize, work: &(dyn Fn(usize) + Sync)) {
        (0..count).for_each(work);
    }
}

type Job<'a> = dyn FnMut() + Send + 'a;

/// Calls `work` with tasks that also run one `job`, at the same time as their first run. If there is no run, the job is done at the end.
/// The two must not depend on each other.
pub fn overlap_serial(tasks: &dyn Tasks, job: &mut Job<'_>, work: impl FnOnce(&dyn Tasks)) {
    let both = WithJob { tasks, job: Mutex::new(Some(job)) };
    work(&both);
    if let Some(job) = both.job.into_inner() {
        job();
    }
}

struct WithJob<'a> {
    tasks: &'a dyn Tasks,
    job: Mutex<Option<&'a mut Job<'a>>>,
}

impl Debug for WithJob<'_> {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        formatter.debug_tuple("Beside").field(&self.tasks).finish()
    }
}

impl Tasks for WithJob<'_> {
    fn workers(&self) -> usize {
        self.tasks.workers()
    }

    fn run(&self, count: usize, work: &(dyn Fn(usize) + Sync)) {
        let Some(job) = self.job.lock().take() else { return self.tasks.run(count, work) };
        let job = Mutex::new(Some(job));
        // The job is longer than a piece, so it comes first.
        self.tasks.run(count + 1, &|at| match at {
            0 => job.lock().take().into_iter().for_each(|job| job()),
            _ => work(at - 1),
        });
    }
}
