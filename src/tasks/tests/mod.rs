#![allow(clippy::expect_used, clippy::panic)] // a test fails by panicking

mod beside;
mod pieces;
#[cfg(feature = "threads")]
mod pool;
mod shared;

use crate::tasks::Tasks;

/// As many threads as it says, made for each run; the pieces go round among them.
#[derive(Debug)]
pub(crate) struct Scoped(pub(crate) usize);

impl Tasks for Scoped {
    fn workers(&self) -> usize {
        self.0
    }

    fn run(&self, count: usize, work: &(dyn Fn(usize) + Sync)) {
        std::thread::scope(|scope| {
            for thread in 0..self.0 {
                scope.spawn(move || (thread..count).step_by(self.0).for_each(work));
            }
        });
    }
}
