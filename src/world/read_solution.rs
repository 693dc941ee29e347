//! Reads the solution of a substep: multipliers and flags of contacts, and contact forces on bodies. Impulses and velocities are read in place.

use std::array::from_fn;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::body::{Motion, Wrench};
use crate::contact::ImpulseCache;
use crate::error::{Result, empty};
use crate::math::lanes::{WIDE, take};
use crate::math::{ContactId, Impulse, ListPlace, Vec3};
use crate::solver::{OptionalTermsX8, Solver, Velocity};
use crate::tasks::{Tasks, each_pair_of_pieces, each_piece, reduce};
use crate::world::active_bodies::BODIES_PER_PIECE;
use crate::world::assemble::Assembly;
use crate::world::images::ImageVelocities;
use crate::world::island_residuals::IslandResiduals;
use crate::world::substeps::{Substep, begin_wrenches};

/// The number of batches of a piece of work.
const BATCHES_PER_PIECE: usize = 64;

/// Sweeps count as far from a solution if the mean residual of an island is above this part of the speed that gravity gives in a substep [-].
/// Then the warm start keeps only a part of the friction between faces. Near a solution it keeps all: dropping a part would keep a stack
/// in motion. A wall of 210 boxes at 50 sweeps drifts in 10 s by 0.2 to 8 mm with 1e-4, depending on the order of the points within its
/// faces. With 0.01 to 0.3 it drifts by at most 0.4 mm, in three orders and on two floors. Columns of 10 and 20 boxes move least, on the
/// whole, with 0.03.
///
/// The mean decides and not the largest residual. Otherwise a single contact that slips would loosen all others in a heap of a thousand boxes.
const FAR_RESIDUAL: f64 = 0.03;

/// Input of the reading, apart from the solution.
pub(in crate::world) struct ReadInput<'a> {
    pub(in crate::world) tasks: &'a dyn Tasks,
    /// The speed that gravity gives in the substep [m/s].
    pub(in crate::world) kick: f64,
    pub(in crate::world) residuals: &'a IslandResiduals,
    /// Whether friction has memory. The motion by which it yields is then no slip.
    pub(in crate::world) remembers: bool,
    pub(in crate::world) images: &'a ImageVelocities,
    /// The place of each contact in the list.
    pub(in crate::world) places: &'a [ListPlace],
}

/// Writes the results of the contacts to `loads`, except for their impulses.
pub(in crate::world) fn read_solution(
    input: &ReadInput,
    assembly: &Assembly,
    solver: &Solver,
    loads: &mut ImpulseCache,
) -> Result<()> {
    let ReadInput { tasks, kick, residuals, remembers, images, places } = *input;
    let buffer = &assembly.buffer;
    let sticking = if buffer.is_rigid { &[][..] } else { &buffer.optional };
    empty(&mut loads.sticking_velocities, WIDE * sticking.len(), "contacts")?;
    let (impulses, _) = buffer.impulses.as_chunks::<WIDE>();
    let of_batch = |(batch, impulses): (&OptionalTermsX8, &[Impulse; WIDE])| -> [Vec3; WIDE] {
        from_fn(|lane| {
            let yielding = if remembers { batch.compliance[1].0[lane] } else { 0.0 };
            take(&batch.surface_velocity, lane) - yielding * impulses[lane].tangential
        })
    };
    loads.sticking_velocities.extend(sticking.iter().zip(impulses).flat_map(of_batch));
    if images.are_moving() {
        // The tangential parts of the images are in the problem. Relative velocities are those of the images.
        for (place, slot) in places.iter().zip(solver.lane_of()) {
            let normal = buffer.points[slot.batch()].normal(slot.lane());
            loads.sticking_velocities[slot.index()] -= normal * images.along(*place, &normal);
        }
    }
    let columns = (&mut loads.position_multipliers[..], &mut loads.marks[..]);
    each_pair_of_pieces(tasks, WIDE * BATCHES_PER_PIECE, columns, |first, position_multipliers, marks| {
        let first = first / WIDE;
        for (column, multipliers) in position_multipliers.chunks_exact_mut(WIDE).zip(&assembly.multipliers[first..]) {
            column.copy_from_slice(&multipliers.0);
        }
        let batches = assembly.states[first..].iter().zip(&solver.lanes()[first..]);
        for (own, (state, contacts)) in marks.chunks_exact_mut(WIDE).zip(batches) {
            for (lane, own) in own.iter_mut().enumerate() {
                let is_rocking = state.of_several[lane] && contacts[lane] != ContactId::NONE;
                let is_far = is_rocking && residuals.mean(contacts[lane], solver) > FAR_RESIDUAL * kick;
                *own = state.marks[lane].ended(is_far);
            }
        }
    });
    Ok(())
}

/// The solution of a stage, which is added to the sums over the step.
pub(in crate::world) struct SumInput<'a> {
    pub(in crate::world) tasks: &'a dyn Tasks,
    pub(in crate::world) substep: &'a Substep,
    pub(in crate::world) assembly: &'a Assembly,
    pub(in crate::world) solver: &'a Solver,
}

/// Adds the impulses of this solve to their sums in `loads`, and its contact forces to the means `wrenches` of the
/// rows, where the step has several solves. A step with a single solve has no sums and no means. Returns whether all
/// forces are within the limits.
pub(in crate::world) fn add_up(input: &SumInput, loads: &mut ImpulseCache, wrenches: &mut [Wrench]) -> Result<bool> {
    let SumInput { tasks, substep, assembly, solver } = *input;
    let (totals, step) = (assembly.contact_impulses(solver), substep.step);
    if wrenches.is_empty() {
        let are_within =
            |rows: Range<usize>| totals[rows].iter().all(|total| mean_wrench(total, step).is_within_limits(step));
        return Ok(reduce(tasks, BODIES_PER_PIECE, totals.len(), true, are_within, |one, other| one && other));
    }
    let is_first = loads.totals.is_empty();
    loads.add_up(&assembly.buffer.impulses, &assembly.torques)?;
    let is_within_limits = AtomicBool::new(true);
    each_piece(tasks, BODIES_PER_PIECE, wrenches, |first, wrenches| {
        for (wrench, total) in wrenches.iter_mut().zip(&totals[first..]) {
            let mean = mean_wrench(total, step);
            // The first one is not added to zero, since minus zero would become zero.
            if is_first {
                *wrench = mean
            } else {
                wrench.add(&mean)
            }
            if !wrench.is_within_limits(step) {
                is_within_limits.store(false, Ordering::Relaxed);
            }
        }
    });
    Ok(is_within_limits.into_inner())
}

/// Adds the impulses of an impact stage to those of the step, which has `rows` rows, and writes the velocities after it to `motion`.
pub(in crate::world) fn finish_impacts(
    input: &SumInput,
    loads: &mut ImpulseCache,
    wrenches: &mut Vec<Wrench>,
    rows: usize,
    motion: &mut [Motion],
) -> Result<()> {
    begin_wrenches(rows, wrenches)?;
    // The contact stage checks the sums against the limits.
    add_up(input, loads, wrenches)?;
    loads.add_impacts(&input.assembly.buffer.impulses)?;
    for (motion, after) in motion.iter_mut().zip(input.solver.velocities()) {
        (motion.linear, motion.angular) = (after.linear, after.angular);
    }
    Ok(())
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
    /// Returns whether the contact force on a row is within the limits.
    pub(in crate::world) fn are_within_limits(&self, row: usize) -> bool {
        self.of(row).is_within_limits(self.step)
    }

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
