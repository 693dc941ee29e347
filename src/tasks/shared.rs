//! One run that several threads work on: its indices come from a counter, and panics are carried to its owner.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use super::pieces::ScopedWork;
use super::run::{Serial, Tasks};

/// How long a thread spins for another one before it blocks. To wake it takes about as long.
const MAX_SPIN: Duration = Duration::from_micros(50);
/// After this time it also yields its core between two looks, since the other thread may need that core.
const SPIN_BEFORE_YIELD: Duration = Duration::from_micros(10);

/// The data that the owner of runs shares with the threads that help.
///
/// A thread that comes late, to a run that is over, finds nothing to do and touches nothing of it.
#[derive(Default)]
pub struct SharedRun {
    shared_work: ScopedWork,
    /// Held during a run. A run within a run is done by the thread that asks for it.
    running: Mutex<()>,
    /// Whether there are more threads than cores. Then a thread that waits yields its core at once.
    is_oversubscribed: bool,
}

impl SharedRun {
    /// For so many threads in all.
    pub fn new(threads: usize) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self { is_oversubscribed: threads > cores, ..Self::default() }
    }

    /// Does what [`Tasks::run`] promises: calls `invite`, which asks other threads for [`SharedRun::help`], works itself,
    /// and calls `dismiss` when no index is left. No thread touches the run after it, however late it comes to help.
    pub fn run(&self, count: usize, work: &(dyn Fn(usize) + Sync), invite: impl FnOnce(), dismiss: impl FnOnce()) {
        let Some(_running) = self.running.try_lock() else {
            return Serial.run(count, work);
        };
        let run =
            Run { work, count, next: AtomicUsize::new(0), finished: AtomicUsize::new(0), panic: Mutex::new(None) };
        self.shared_work.share(&|| run.help(), || {
            invite();
            run.help();
            dismiss();
            // The end of the shared work waits too, but asleep.
            self.wait_briefly(|| run.finished.load(Ordering::Acquire) == count);
        });
        if let Some((_, payload)) = run.panic.into_inner() {
            resume_unwind(payload);
        }
    }

    /// Works on the run that is going on, until it has no index left.
    pub fn help(&self) {
        self.shared_work.help();
    }

    /// Spins for a short time until `done`. Returns whether it is.
    pub(super) fn wait_briefly(&self, done: impl Fn() -> bool) -> bool {
        const POLLS_PER_CHECK: usize = 32;
        let mut begin = None;
        loop {
            for _ in 0..POLLS_PER_CHECK {
                if done() {
                    return true;
                }
                std::hint::spin_loop();
            }
            let waited = begin.get_or_insert_with(Instant::now).elapsed();
            if waited > MAX_SPIN {
                return false;
            }
            if self.is_oversubscribed || waited > SPIN_BEFORE_YIELD {
                std::thread::yield_now();
            }
        }
    }
}

impl std::fmt::Debug for SharedRun {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("SharedRun").field("crowded", &self.is_oversubscribed).finish_non_exhaustive()
    }
}

/// A run; on a line of the cache of its own, since all threads count here.
#[repr(align(128))]
struct Run<'a> {
    work: &'a (dyn Fn(usize) + Sync),
    count: usize,
    next: AtomicUsize,
    finished: AtomicUsize,
    /// Of the lowest index that panicked.
    panic: Mutex<Option<(usize, Box<dyn Any + Send>)>>,
}

impl Run<'_> {
    fn help(&self) {
        loop {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            if index >= self.count {
                return;
            }
            // What a panic may leave broken belongs to the owner of the run, to which the panic is passed on.
            if let Err(payload) = catch_unwind(AssertUnwindSafe(|| (self.work)(index))) {
                self.keep(index, payload);
            }
            self.finished.fetch_add(1, Ordering::Release);
        }
    }

    fn keep(&self, index: usize, payload: Box<dyn Any + Send>) {
        let mut kept = self.panic.lock();
        let other = match &*kept {
            Some((first, _)) if *first < index => Some(payload),
            _ => kept.replace((index, payload)).map(|(_, payload)| payload),
        };
        // Its destructor is unknown code, which might panic as well.
        std::mem::forget(other);
    }
}
