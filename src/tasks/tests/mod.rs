#![allow(clippy::expect_used, clippy::panic)] // a test fails by panicking

mod clock;
mod pieces;
#[cfg(feature = "threads")]
mod pool;
mod run;
mod shared;

use std::panic::resume_unwind;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use crate::tasks::Tasks;

/// The time limit of a test that waits for threads. Such a test takes less than a second, so that a busy machine meets
/// the limit too.
const LIMIT: Duration = Duration::from_secs(120);

/// Runs a test that would wait for ever if what it tests were broken. Panics when the time limit is over; the threads of
/// the test then end with the process.
pub(super) fn within_limit(test: impl FnOnce() + Send + 'static) {
    within(LIMIT, test);
}

fn within(limit: Duration, test: impl FnOnce() + Send + 'static) {
    let (sender, receiver) = channel::<()>();
    let running = std::thread::spawn(move || {
        // dropped at the end of the test, also by a panic
        let _sender = sender;
        test();
    });
    let ended = receiver.recv_timeout(limit) == Err(RecvTimeoutError::Disconnected);
    assert!(ended, "the test has not ended within {limit:?}");
    if let Err(panic) = running.join() {
        resume_unwind(panic);
    }
}

#[test]
#[should_panic(expected = "has not ended within 10ms")]
fn a_test_that_hangs_fails() {
    within(Duration::from_millis(10), || {
        loop {
            std::thread::park();
        }
    });
}

#[test]
#[should_panic(expected = "of the test itself")]
fn a_panic_of_a_test_fails_it() {
    within_limit(|| panic!("of the test itself"));
}

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
