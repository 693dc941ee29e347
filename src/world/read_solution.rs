//! What contacts and bodies take from the solution of a substep, beside impulses and velocities: multipliers, marks and contact forces.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::body::Wrench;
use crate::contact::ImpulseCache;
use crate::error::{Result, resize};
use crate::math::LaneSlot;
use crate::math::lanes::WIDE;
use crate::solver::{Friction, Solver, Velocity};
use crate::tasks::{Tasks, each_pair_of_pieces, each_piece, reduce};
use crate::world::active_bodies::BODIES_PER_PIECE;
use crate::world::assemble::{Assembly, bare_problem};
use crate::world::substeps::Substep;

/// Batches that are read at a time.
const BATCHES_PER_PIECE: usize = 64;

/// Writes what the contacts carried besides their impulses to `loads`.
pub(in crate::world) fn read_solution(
    tasks: &dyn Tasks,
    friction: Friction,
    assembly: &Assembly,
    solver: &Solver,
    loads: &mut ImpulseCache,
) -> Result<()> {
    resize(&mut loads.rolling_speeds, assembly.torques.len(), 0.0, "contacts")?;
    let columns = (&mut loads.pushes[..], &mut loads.marks[..]);
    each_pair_of_pieces(tasks, WIDE * BATCHES_PER_PIECE, columns, |first, pushes, marks| {
        let first = first / WIDE;
        for (push, multipliers) in pushes.chunks_exact_mut(WIDE).zip(&assembly.multipliers[first..]) {
            push.copy_from_slice(&multipliers.0);
        }
        for (own, state) in marks.chunks_exact_mut(WIDE).zip(&assembly.states[first..]) {
            own.iter_mut().zip(&state.marks).for_each(|(own, marks)| *own = marks.ended());
        }
    });
    let problem = bare_problem(&assembly.masses, &assembly.velocities, friction);
    each_piece(tasks, WIDE * BATCHES_PER_PIECE, &mut loads.rolling_speeds, |first, speeds| {
        for (lane, speed) in (first as u32..).zip(speeds) {
            *speed = solver.rolling_speed(&problem, &assembly.buffer, LaneSlot(lane));
        }
    });
    Ok(())
}

/// Where the step has several substeps, adds the impulses of this one to their sums in `loads`, and its contact forces to the means
/// `wrenches` of the rows. Returns whether all forces are within the limits.
pub(in crate::world) fn add_up(
    tasks: &dyn Tasks,
    substep: &Substep,
    assembly: &Assembly,
    solver: &Solver,
    loads: &mut ImpulseCache,
    wrenches: &mut [Wrench],
) -> Result<bool> {
    let (totals, step) = (solver.total_impulses(), substep.step);
    if substep.is_whole() {
        let are_within =
            |rows: Range<usize>| totals[rows].iter().all(|total| mean_wrench(total, step).is_within_limits());
        return Ok(reduce(tasks, BODIES_PER_PIECE, totals.len(), true, are_within, |one, other| one && other));
    }
    loads.add_up(&assembly.buffer.impulses, &assembly.torques, substep.is_first)?;
    let is_within_limits = AtomicBool::new(true);
    each_piece(tasks, BODIES_PER_PIECE, wrenches, |first, wrenches| {
        for (wrench, total) in wrenches.iter_mut().zip(&totals[first..]) {
            let mean = mean_wrench(total, step);
            // Added to a sum of nothing, minus zero would become zero.
            if substep.is_first {
                *wrench = mean
            } else {
                wrench.add(&mean)
            }
            if !wrench.is_within_limits() {
                is_within_limits.store(false, Ordering::Relaxed);
            }
        }
    });
    Ok(is_within_limits.into_inner())
}

/// The contact forces on the bodies of a step, row by row.
#[derive(Clone, Copy)]
pub(in crate::world) struct BodyForces<'a> {
    /// The mean over the step; empty if the step has a single substep.
    pub(in crate::world) means: &'a [Wrench],
    /// The impulses of the last substep.
    pub(in crate::world) impulses: &'a [Velocity],
    /// Length of the step [s].
    pub(in crate::world) step: f64,
}

impl BodyForces<'_> {
    /// Returns the mean contact force on a row over the step.
    #[inline(always)]
    pub(in crate::world) fn of(&self, row: usize) -> Wrench {
        match self.means.get(row) {
            Some(mean) => *mean,
            None => self.impulses.get(row).map_or(Wrench::ZERO, |impulse| mean_wrench(impulse, self.step)),
        }
    }
}

/// Returns the mean over `step` seconds of the force whose impulse is `impulse`.
#[inline(always)]
pub(in crate::world) fn mean_wrench(impulse: &Velocity, step: f64) -> Wrench {
    Wrench { force: impulse.linear / step, torque: impulse.angular / step }
}
