//! Commit: the result of the step becomes the world's state. Nothing here fails but [`reserve_commit`], which runs before.

use crate::body::{Bodies, Motion, Wrench};
use crate::collide::Ball;
use crate::error::{Result, reserve, resize};
use crate::math::lanes::distances::BODIES_AHEAD;
use crate::math::lanes::prefetch_slot;
use crate::solver::compatibility::Displacement;
use crate::tasks::{Serial, Tasks, each_piece};
use crate::world::body_forces::BodyForces;
use crate::world::pieces::BODIES_PER_PIECE;
use crate::world::readback::ReadbackState;

/// The state that a step writes for its bodies.
pub(in crate::world) struct CommittedBodies<'a> {
    pub(in crate::world) bodies: &'a mut Bodies,
    /// The contact force on the body of each slot.
    pub(in crate::world) contact_wrenches: &'a mut Vec<Wrench>,
    /// The slots for which the step wrote one. The others are zero, except for sleeping bodies.
    pub(in crate::world) loaded_slots: &'a mut Vec<u32>,
    pub(in crate::world) readback: &'a mut ReadbackState,
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
///
/// # Errors
///
/// Memory is exhausted.
pub(in crate::world) fn reserve_commit(
    contact_wrenches: &mut Vec<Wrench>,
    loaded_slots: &mut Vec<u32>,
    readback: &mut ReadbackState,
    slots: usize,
    rows: usize,
) -> Result<()> {
    resize(contact_wrenches, slots, Wrench::ZERO, "bodies")?;
    let missing = rows.saturating_sub(loaded_slots.len());
    reserve(loaded_slots, missing, "bodies")?;
    readback.reserve(slots)
}

/// Writes motions, contact forces and positions at the start of the step to the state. The three are independent, so they run as
/// parallel jobs.
pub(in crate::world) fn commit_bodies(tasks: &dyn Tasks, result: BodyResult, state: CommittedBodies) {
    let BodyResult { slots, motion, forces, spheres } = result;
    let CommittedBodies { bodies, contact_wrenches, loaded_slots, readback } = state;
    let mut write_forces = || {
        // Mostly the slots are those of the last step, whose forces are overwritten.
        if loaded_slots != slots {
            loaded_slots.drain(..).for_each(|slot| contact_wrenches[slot as usize] = Wrench::ZERO);
            loaded_slots.extend_from_slice(slots);
        }
        for (row, slot) in slots.iter().enumerate() {
            prefetch_slot(contact_wrenches, slots.get(row + BODIES_AHEAD));
            contact_wrenches[*slot as usize] = forces.of(row);
        }
    };
    let mut write_motion = || {
        let has_forces = bodies.are_pushed();
        for (row, (slot, motion)) in slots.iter().zip(motion).enumerate() {
            prefetch_slot(&bodies.motion, slots.get(row + BODIES_AHEAD));
            bodies.motion[*slot as usize] = *motion;
            if has_forces {
                bodies.spend_wrench(*slot as usize);
            }
        }
    };
    let mut write_positions = || readback.take_places(slots, spheres);
    // Few bodies take less time than waking another thread.
    let tasks: &dyn Tasks = if slots.len() > BODIES_PER_PIECE { tasks } else { &Serial };
    let mut jobs: [&mut (dyn FnMut() + Send); 3] = [&mut write_forces, &mut write_motion, &mut write_positions];
    each_piece(tasks, 1, &mut jobs, |_, jobs| jobs.iter_mut().for_each(|job| job()));
}

/// Reserves memory for one displacement of each of `slots` slots.
///
/// # Errors
///
/// Memory is exhausted.
pub(in crate::world) fn reserve_displacements(displacements: &mut Vec<Displacement>, slots: usize) -> Result<()> {
    let missing = slots.saturating_sub(displacements.len());
    reserve(displacements, missing, "bodies")
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
