//! Time for reports. No result depends on it.

use std::time::Instant;

/// A clock that was started. It stands still on targets that have none.
#[derive(Debug, Clone, Copy)]
pub struct Clock(Option<Instant>);

/// Whether the target has a clock: the standard library of `wasm32-unknown-unknown` panics when the time is read.
const HAS_TIME: bool = !cfg!(all(target_family = "wasm", target_os = "unknown"));

impl Clock {
    /// Starts a clock.
    pub fn start() -> Self {
        Self(HAS_TIME.then(Instant::now))
    }

    /// Returns the time since it was started [s].
    pub fn seconds(&self) -> f64 {
        self.0.map_or(0.0, |begin| begin.elapsed().as_secs_f64())
    }

    /// Returns the time since it was started, and starts it again [s].
    pub fn lap(&mut self) -> f64 {
        let last = std::mem::replace(self, Self::start());
        let since = |(last, now): (Instant, Instant)| now.duration_since(last).as_secs_f64();
        last.0.zip(self.0).map_or(0.0, since)
    }
}
