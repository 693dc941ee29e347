//! The trait of an island that can be swept, and the loop of plain sweeps.
//!
//! Depends on neither bodies nor matrices: only on impulses, and on a sweep that improves them.

use crate::error::{Result, resize};
use crate::solver::monitor::Monitor;
use crate::solver::problem::options::Progress;

/// An island that can be swept.
pub trait Sweeps {
    /// Returns the number of components of all impulses.
    fn size(&self) -> usize;
    /// Runs sweep number `number`. Returns the largest change of a contact's velocity [m/s].
    fn sweep(&mut self, number: u32) -> f64;
    /// Copies the impulses out.
    fn read(&self, impulses: &mut [f64]);
    /// Sets the impulses to the nearest ones that the laws allow, and updates the velocities.
    fn write(&mut self, impulses: &[f64]);
    /// Returns the largest residual of the present impulses [m/s].
    fn residual(&mut self) -> f64;
    /// Writes for each impulse about the velocity that it causes: `scale`, over `length` for torques [m/s per N s].
    ///
    /// Only the proportions count. Without them an accelerated solve would weight all impulses equally.
    fn weights(&self, weights: &mut [f64]) {
        weights.fill(1.0);
    }
    /// Returns the number of sweeps after which the order of visits repeats: 1; 2 for alternating directions; 0 for random orders.
    fn period(&self) -> u32 {
        1
    }
}

/// The residual is computed when a sweep changed velocities by at most this many tolerances. The change of a contact is
/// about its residual. Among spheres it can be three times as large.
pub(in crate::solver) const CHECK_BELOW: f64 = 4.0;
/// The residual is also computed once in this number of sweeps, for any change: sweeps may cycle below the tolerance.
pub(in crate::solver) const CHECK_EVERY: u32 = 16;

/// At most `sweeps` sweeps, until one changes no velocity by more than `round_off` [m/s]. Returns their number.
pub fn sweep_to_round_off(island: &mut impl Sweeps, sweeps: u32, round_off: f64, monitor: &Monitor) -> Result<u32> {
    for number in 0..sweeps {
        let change = island.sweep(number);
        monitor.iterated()?;
        if change <= round_off {
            return Ok(number + 1);
        }
    }
    Ok(sweeps)
}

/// Plain projected Gauss-Seidel: at most `sweeps` sweeps, until the residual is at most `tolerance` [m/s].
///
/// With a tolerance of 0 all sweeps run, and the last result counts. With a larger one no sweep runs if the start is good
/// enough. The result is then never worse than the start, which is stored in `kept`.
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
