//! Gauss-Seidel sweeps over one island, whatever they run on, and the plain loop around them.
//!
//! Knows neither bodies nor matrices: only that there are impulses, and a sweep that improves them.

use crate::error::{Result, resize};
use crate::solver::monitor::Monitor;
use crate::solver::problem::options::Progress;

/// An island that can be swept.
pub trait Sweeps {
    /// How many numbers the impulses are.
    fn size(&self) -> usize;
    /// One sweep, the `number`-th. Returns the largest change of a contact's velocity [m/s].
    fn sweep(&mut self, number: u32) -> f64;
    /// Copies the impulses out.
    fn read(&self, impulses: &mut [f64]);
    /// Takes impulses, brought to the nearest that the laws allow; velocities follow.
    fn write(&mut self, impulses: &[f64]);
    /// The largest residual of the present impulses [m/s].
    fn residual(&mut self) -> f64;
    /// About what velocity each of the impulses makes: `scale`, over `length` for torques [m/s per N s].
    ///
    /// Only the proportions count. Without them an accelerated solve takes all impulses for alike.
    fn weights(&self, weights: &mut [f64]) {
        weights.fill(1.0);
    }
    /// After how many sweeps the order of the visits repeats: 1, 2 when it goes to and fro, 0 when never.
    fn period(&self) -> u32 {
        1
    }
}

/// The residual is computed when a sweep changed velocities by at most this many tolerances. The change of a contact is
/// about its residual, up to three times it among spheres.
pub(in crate::solver) const CHECK_BELOW: f64 = 4.0;
/// The residual is also computed every so many sweeps, whatever the change: sweeps may cycle below the tolerance.
pub(in crate::solver) const CHECK_EVERY: u32 = 16;

/// Plain projected Gauss-Seidel: at most `sweeps` sweeps, until the residual is at most `tolerance` [m/s].
///
/// A tolerance of 0 does all sweeps and keeps the last. With one above 0 nothing is done if the start is good enough,
/// and the end is never worse than the start, which is remembered in `kept`.
pub fn sweep_until(
    island: &mut impl Sweeps,
    sweeps: u32,
    tolerance: f64,
    kept: &mut Vec<f64>,
    monitor: &Monitor,
) -> Result<Progress> {
    if tolerance <= 0.0 {
        for number in 0..sweeps {
            island.sweep(number);
            monitor.iterated()?;
        }
        return Ok(Progress { iterations: sweeps, residual: island.residual() });
    }
    let before = island.residual();
    if before <= tolerance {
        return Ok(Progress { iterations: 0, residual: before });
    }
    resize(kept, island.size(), 0.0, "impulses of an island")?;
    island.read(kept);
    let mut progress = Progress { iterations: 0, residual: before };
    for number in 0..sweeps {
        let change = island.sweep(number);
        progress.iterations = number + 1;
        monitor.iterated()?;
        // The residual decides, but costs a sweep; the change of a sweep is free and shows when to measure it.
        let last = number + 1 == sweeps;
        if last || change <= CHECK_BELOW * tolerance || number % CHECK_EVERY == CHECK_EVERY - 1 {
            progress.residual = island.residual();
            if progress.residual <= tolerance {
                return Ok(progress);
            }
        }
    }
    if progress.residual > before || progress.residual.is_nan() {
        island.write(kept);
        progress.residual = island.residual();
    }
    Ok(progress)
}
