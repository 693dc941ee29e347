//! Threads of drystone's own.
//!
//! Sweeps start hundreds of runs in a step. So a thread spins for a while before it blocks: the next run then starts much
//! sooner than with a thread that has to be woken. If the other threads find no core, the caller does all work itself.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::JoinHandle;

use parking_lot::{Condvar, Mutex};

use crate::error::{Error, ErrorKind, Result, reserve, text};

use super::run::Tasks;
use super::shared::SharedRun;

/// The calling thread and other threads, which exist as long as the pool.
#[derive(Debug)]
pub struct Pool {
    line: Arc<Line>,
    threads: Vec<JoinHandle<()>>,
}

impl Pool {
    /// `workers` threads in all, the caller of a run among them. Each new one calls `prepare` first, and does no work if
    /// it returns `false`.
    pub fn new(workers: usize, prepare: fn() -> bool) -> Result<Self> {
        let line = Line { shared: SharedRun::new(workers), ..Line::default() };
        let mut pool = Self { line: Arc::new(line), threads: Vec::new() };
        reserve(&mut pool.threads, workers.saturating_sub(1), "threads")?;
        for thread in 1..workers {
            let line = Arc::clone(&pool.line);
            let work = move || {
                if prepare() {
                    line.work();
                }
            };
            let started = std::thread::Builder::new().name(format!("drystone-{thread}")).spawn(work);
            let refused = |error| text!("thread {} of {workers} could not be started: {error}", thread + 1);
            // What has been started ends with `pool`.
            pool.threads.push(started.map_err(|error| Error::new(ErrorKind::Memory, refused(error)))?);
        }
        Ok(pool)
    }
}

impl Tasks for Pool {
    fn workers(&self) -> usize {
        self.threads.len() + 1
    }

    fn run(&self, count: usize, work: &(dyn Fn(usize) + Sync)) {
        let line = &self.line;
        line.shared.run(count, work, || line.call(count.saturating_sub(1)), || ());
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.line.stop.store(true, Ordering::SeqCst);
        self.line.call(self.threads.len());
        for thread in self.threads.drain(..) {
            // The thread never panics: panics of its work are caught.
            let _ = thread.join();
        }
    }
}

/// Where threads wait for a run.
#[derive(Debug, Default)]
struct Line {
    shared: SharedRun,
    /// Counts calls, so that a thread sees a new one.
    calls: AtomicUsize,
    asleep: AtomicUsize,
    stop: AtomicBool,
    /// Held from the last look at `calls` to falling asleep, so that no call is missed between them.
    door: Mutex<()>,
    wake: Condvar,
}

impl Line {
    /// Announces a run, and wakes at most this many sleeping threads.
    fn call(&self, wanted: usize) {
        if wanted == 0 {
            return;
        }
        self.calls.fetch_add(1, Ordering::SeqCst);
        let asleep = self.asleep.load(Ordering::SeqCst);
        if asleep > 0 {
            drop(self.door.lock());
            for _ in 0..asleep.min(wanted) {
                self.wake.notify_one();
            }
        }
    }

    fn work(&self) {
        let mut seen = 0;
        loop {
            let called = || self.calls.load(Ordering::SeqCst) != seen;
            if !self.shared.wait_briefly(called) {
                self.sleep(called);
            }
            // Counted before `stop` is read: otherwise the call that stops the pool would count as already seen.
            seen = self.calls.load(Ordering::SeqCst);
            if self.stop.load(Ordering::SeqCst) {
                return;
            }
            self.shared.help();
        }
    }

    fn sleep(&self, called: impl Fn() -> bool) {
        let mut door = self.door.lock();
        self.asleep.fetch_add(1, Ordering::SeqCst);
        while !called() {
            self.wake.wait(&mut door);
        }
        self.asleep.fetch_sub(1, Ordering::SeqCst);
    }
}
