//! The time that this thread ran, and the processor that it runs on.

use std::sync::LazyLock;
use std::time::Instant;

/// Processor time of this thread since an arbitrary moment [s]: what others do on the machine counts little.
#[cfg(target_os = "linux")]
pub(crate) fn processor_time() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64
}

/// The time of day in its place.
#[cfg(not(target_os = "linux"))]
pub(crate) fn processor_time() -> f64 {
    wall_time()
}

/// Time of day since the first call [s].
pub(crate) fn wall_time() -> f64 {
    static BEGIN: LazyLock<Instant> = LazyLock::new(Instant::now);
    BEGIN.elapsed().as_secs_f64()
}

/// Keeps this thread on the last processor that it may use, and says which; `None`: it stays free.
#[cfg(target_os = "linux")]
pub(crate) fn pin() -> Option<usize> {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
    let allowed = sched_getaffinity(None).ok()?;
    let last = (0..CpuSet::MAX_CPU).rev().find(|processor| allowed.is_set(*processor))?;
    let mut one = CpuSet::new();
    one.set(last);
    sched_setaffinity(None, &one).ok().map(|()| last)
}

/// Stays free.
#[cfg(not(target_os = "linux"))]
pub(crate) fn pin() -> Option<usize> {
    None
}
