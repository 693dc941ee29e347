//! What contacts and bodies take from the solution of a substep, beside impulses and velocities.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::body::Wrench;
use crate::contact::ImpulseCache;
use crate::error::{Result, resize};
use crate::math::LaneSlot;
use crate::math::lanes::WIDE;
use crate::solver::{Friction, Solver};
use crate::tasks::{Tasks, each_pair_of_pieces, each_piece, reduce};
use crate::world::assemble::Assembly;
use crate::world::body_forces::mean_wrench;
use crate::world::pieces::BODIES_PER_PIECE;
use crate::world::substep::Substep;

/// Batches that are read at a time.
const BATCHES_PER_PIECE: usize = 64;

/// The solution of a substep.
#[derive(Clone, Copy)]
pub(in crate::world) struct SolutionInput<'a> {
    pub(in crate::world) tasks: &'a dyn Tasks,
    pub(in crate::world) substep: Substep,
    pub(in crate::world) friction: Friction,
    pub(in crate::world) assembly: &'a Assembly,
    pub(in crate::world) solver: &'a Solver,
}

/// Writes what the contacts carried besides their impulses to `loads`. Where the step has several substeps, adds the impulses of this one to
/// their sums, and its contact forces to the means `wrenches` of the rows. Returns whether all forces are finite.
///
/// # Errors
///
/// Memory is exhausted.
pub(in crate::world) fn read_solution(
    solution: &SolutionInput,
    loads: &mut ImpulseCache,
    wrenches: &mut [Wrench],
) -> Result<bool> {
    let SolutionInput { tasks, substep, friction, assembly, solver } = solution;
    resize(&mut loads.rolling_speeds, assembly.torques.len(), 0.0, "contacts")?;
    let columns = (&mut loads.pushes[..], &mut loads.marks[..]);
    each_pair_of_pieces(*tasks, WIDE * BATCHES_PER_PIECE, columns, |first, pushes, marks| {
        let first = first / WIDE;
        for (push, multipliers) in pushes.chunks_exact_mut(WIDE).zip(&assembly.multipliers[first..]) {
            push.copy_from_slice(&multipliers.0);
        }
        for (own, state) in marks.chunks_exact_mut(WIDE).zip(&assembly.states[first..]) {
            own.iter_mut().zip(&state.marks).for_each(|(own, marks)| *own = marks.ended());
        }
    });
    let problem = assembly.bare(*friction);
    each_piece(*tasks, WIDE * BATCHES_PER_PIECE, &mut loads.rolling_speeds, |first, speeds| {
        for (lane, speed) in (first as u32..).zip(speeds) {
            *speed = solver.rolling_speed(&problem, &assembly.buffer, LaneSlot(lane));
        }
    });
    if substep.is_whole() {
        return Ok(are_forces_finite(solution));
    }
    let (impulses, torques) = assembly.impulses();
    loads.add_up(impulses, torques, substep.is_first)?;
    Ok(add_forces(solution, wrenches))
}

/// Returns whether the contact forces of a step with a single substep are finite.
fn are_forces_finite(solution: &SolutionInput) -> bool {
    let (totals, step) = (solution.solver.total_impulses(), solution.substep.step);
    let are_finite = |rows: Range<usize>| totals[rows].iter().all(|total| mean_wrench(total, step).is_finite());
    reduce(solution.tasks, BODIES_PER_PIECE, totals.len(), true, are_finite, |one, other| one && other)
}

/// Adds the contact forces of a substep to their means over the step. Returns whether these are finite.
fn add_forces(solution: &SolutionInput, wrenches: &mut [Wrench]) -> bool {
    let SolutionInput { tasks, substep, solver, .. } = solution;
    let (totals, is_finite) = (solver.total_impulses(), AtomicBool::new(true));
    each_piece(*tasks, BODIES_PER_PIECE, wrenches, |first, wrenches| {
        for (wrench, total) in wrenches.iter_mut().zip(&totals[first..]) {
            let mean = mean_wrench(total, substep.step);
            // Added to a sum of nothing, minus zero would become zero.
            if substep.is_first {
                *wrench = mean
            } else {
                wrench.add(&mean)
            }
            if !wrench.is_finite() {
                is_finite.store(false, Ordering::Relaxed);
            }
        }
    });
    is_finite.into_inner()
}
