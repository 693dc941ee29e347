//! What runs the pieces of a stage, and the calling thread as the simplest of it.

/// What runs the pieces of a stage: the calling thread, or several threads.
pub trait Tasks: Send + Sync + std::fmt::Debug {
    /// How many threads work at most, the caller of [`Tasks::run`] included.
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
