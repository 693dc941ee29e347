//! Refuses calls on an object from within a function of the host that a call on this object runs.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::error::{Error, ErrorKind, Result, text};

/// Which thread runs a function of the host within a call on an object.
#[derive(Debug)]
pub(super) struct Callback {
    /// A `dry_` and this name is the type of the object.
    name: &'static str,
    /// The number of the thread; 0 while none runs such a function.
    thread: AtomicUsize,
}

impl Callback {
    /// Returns that of a new object.
    pub(super) const fn new(name: &'static str) -> Self {
        Self { name, thread: AtomicUsize::new(0) }
    }

    /// Calls a function of the host within a call on the object, which holds its lock. Calls on the object from there are refused, as they
    /// would wait for themselves.
    pub(super) fn during<T>(&self, call: impl FnOnce() -> T) -> T {
        self.thread.store(this_thread(), Ordering::Relaxed);
        let answer = call();
        self.thread.store(0, Ordering::Relaxed);
        answer
    }

    /// Refuses a call from within a function that a call on the object runs.
    pub(super) fn check(&self) -> Result<()> {
        // Only the thread itself stores its own number, so no other order of events matters.
        if self.thread.load(Ordering::Relaxed) != this_thread() {
            return Ok(());
        }
        let name = self.name;
        Err(Error::new(ErrorKind::Busy, text!("{name} runs this callback, expected a call after it has returned")))
    }
}

/// A number that no other living thread has, above 0. A thread that is being torn down has none: 1, which is no address.
fn this_thread() -> usize {
    thread_local!(static PLACE: u8 = const { 0 });
    PLACE.try_with(|place| (&raw const *place).addr()).unwrap_or(1)
}
