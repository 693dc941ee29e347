//! Commit: the result of the step becomes the world's state. Only [`reserve_commit`], which runs before, can fail.

use crate::body::{Bodies, Motion, Wrench};
use crate::collide::Ball;
use crate::error::{Result, reserve, resize};
use crate::math::lanes::prefetch::BODIES_AHEAD;
use crate::math::lanes::prefetch_slot;
use crate::solver::compatibility::Displacement;
use crate::tasks::{Serial, Tasks, each_piece};
use crate::world::active_bodies::BODIES_PER_PIECE;
use crate::world::read_solution::BodyForces;
use crate::world::readback::ReadbackState;

/// The contact forces on the bodies in the last completed step.
#[derive(Debug, Default)]
pub(in crate::world) struct ContactForces {
    /// By slot, the sum of the forces on the body.
    pub(in crate::world) sums: Vec<Wrench>,
    /// The slots for which the step wrote a sum. The others are zero, except for sleeping bodies.
    pub(in crate::world) slots: Vec<u32>,
}

/// The result of a step for its bodies, row by row.
#[derive(Clone, Copy)]
pub(in crate::world) struct BodyResult<'a> {
    /// The slot of each row.
    pub(in crate::world) slots: &'a [u32],
    pub(in crate::world) motion: &'a [Motion],
    pub(in crate::world) forces: BodyForces<'a>,
    /// The bounding sphere of each slot's shape at the start of the step.
    pub(in crate::world) spheres: &'a [Ball],
}

/// Reserves memory for what a step with `rows` rows writes to a world with `slots` slots.
pub(in crate::world) fn reserve_commit(
    forces: &mut ContactForces,
    readback: &mut ReadbackState,
    slots: usize,
    rows: usize,
) -> Result<()> {
    resize(&mut forces.sums, slots, Wrench::ZERO, "bodies")?;
    let missing = rows.saturating_sub(forces.slots.len());
    reserve(&mut forces.slots, missing, "bodies")?;
    readback.reserve(slots)
}

/// Writes motions, contact forces and positions at the start of the step to the state. The three are independent, so they run as
/// parallel jobs.
pub(in crate::world) fn commit_bodies(
    tasks: &dyn Tasks,
    result: BodyResult,
    bodies: &mut Bodies,
    contact_forces: &mut ContactForces,
    readback: &mut ReadbackState,
) {
    let BodyResult { slots, motion, forces, spheres } = result;
    let ContactForces { sums, slots: loaded } = contact_forces;
    let mut write_forces = || {
        // Mostly the slots are those of the last step, whose forces are overwritten.
        if loaded != slots {
            loaded.drain(..).for_each(|slot| sums[slot as usize] = Wrench::ZERO);
            loaded.extend_from_slice(slots);
        }
        for (row, slot) in slots.iter().enumerate() {
            prefetch_slot(sums, slots.get(row + BODIES_AHEAD));
            sums[*slot as usize] = forces.of(row);
        }
    };
    let mut write_motion = || {
        let has_forces = bodies.are_pushed();
        for (row, (slot, motion)) in slots.iter().zip(motion).enumerate() {
            prefetch_slot(&bodies.motion, slots.get(row + BODIES_AHEAD));
            bodies.motion[*slot as usize] = *motion;
            if has_forces {
                bodies.clear_wrench(*slot as usize);
            }
        }
    };
    let mut write_positions = || readback.take_places(slots, spheres);
    // Few bodies take less time than waking another thread.
    let tasks: &dyn Tasks = if slots.len() > BODIES_PER_PIECE { tasks } else { &Serial };
    let mut jobs: [&mut (dyn FnMut() + Send); 3] = [&mut write_forces, &mut write_motion, &mut write_positions];
    each_piece(tasks, 1, &mut jobs, |_, jobs| jobs.iter_mut().for_each(|job| job()));
}

/// Stores the displacements of this step's correction, for which memory is reserved. `rows` are those of the bodies in `slots`, of a world
/// with `count` slots. The displacements of other bodies remain.
pub(in crate::world) fn commit_displacements(
    displacements: &mut Vec<Displacement>,
    count: usize,
    rows: &[Displacement],
    slots: &[u32],
) {
    displacements.resize(count, [0.0; 6]);
    for (slot, displacement) in slots.iter().zip(rows) {
        displacements[*slot as usize] = *displacement;
    }
}
