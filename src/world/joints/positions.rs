//! What the position pass is to do with the rows of joints, and where the joints are at the end of a substep.

use crate::body::{Bodies, Motion};
use crate::error::{Result, refill};
use crate::law::ContactLaw;
use crate::solver::{RowTarget, Velocity};
use crate::world::index::Index;
use crate::world::joints::errors::{MovedBodies, axis_speeds, geometry_of, has_gradient, largest_error, positions};
use crate::world::joints::freedom::{HeldErrors, reachable_alone};
use crate::world::joints::rows::JointRows;
use crate::world::joints::state::{JointWorkspace, Joints, RowPlace};

/// The targets of the rows of joints, and their multipliers.
#[derive(Debug, Default)]
pub(in crate::world) struct RowTargets {
    pub(in crate::world) targets: Vec<RowTarget>,
    pub(in crate::world) multipliers: Vec<f64>,
}

/// What the targets of a substep follow from.
pub(in crate::world) struct TargetsInput<'a, Law> {
    pub(in crate::world) moved: MovedBodies<'a, Law>,
    pub(in crate::world) joints: &'a Joints,
    /// The velocity of each row at the end of the substep.
    pub(in crate::world) velocities: &'a [Velocity],
    /// The largest part of an error that is undone in the substep [m] or [rad].
    pub(in crate::world) max_correction: f64,
}

impl RowTargets {
    /// Finds the targets: the errors that rigid rows and passed limits would have at the end of the substep are to be undone.
    pub(in crate::world) fn find<Law: ContactLaw>(
        &mut self,
        input: &TargetsInput<Law>,
        rows: &JointRows,
    ) -> Result<()> {
        let TargetsInput { moved, joints, velocities, max_correction } = input;
        refill(&mut self.targets, rows.rows.len(), RowTarget::Free, "rows of joints")?;
        refill(&mut self.multipliers, rows.rows.len(), 0.0, "rows of joints")?;
        for active in &rows.active {
            let joint = &joints.all[active.slot];
            let errors = moved.errors_after(joint, active.position_before, velocities);
            let freedoms = moved.freedoms(joint);
            let bodies = freedoms.each_ref();
            let mut held = HeldErrors::EMPTY;
            let [first, end] = active.rows;
            for (at, place) in (first..end).zip(rows.places(first..end)) {
                let (row, free) = (&rows.rows[at], rows.free(at));
                let acts = free.moves && has_gradient(&free.whole);
                let Some(error) = errors.of(place).filter(|_| acts) else { continue };
                let undone = -error.clamp(-max_correction, *max_correction);
                let alone = || reachable_alone(free, undone, bodies);
                self.targets[at] = match (row.lower, row.upper) {
                    (0.0, 0.0) => RowTarget::Free,
                    (0.0, _) => RowTarget::Push(alone()),
                    (_, 0.0) => RowTarget::Pull(alone()),
                    _ if matches!(place, RowPlace::Locked(_)) => {
                        held.push(at, free, undone);
                        continue;
                    }
                    _ => RowTarget::Hold(alone()),
                };
            }
            for (at, undone) in held.reachable(bodies) {
                self.targets[at] = RowTarget::Hold(undone);
            }
        }
        Ok(())
    }
}

impl JointRows {
    /// Writes where the joints are at the end of a substep, after which the bodies have this `motion`, row by row.
    pub(in crate::world) fn write_positions(
        &self,
        joints: &Joints,
        bodies: &Bodies,
        index: &Index,
        motion: &[Motion],
        work: &mut JointWorkspace,
    ) {
        work.report.error = 0.0;
        for active in &self.active {
            let joint = &joints.all[active.slot];
            let ended = |slot: usize| index.active_row(slot).map_or(bodies.motion[slot], |row| motion[row]);
            let geometry = geometry_of(joint, bodies, ended);
            let state = &mut work.states[active.slot];
            state.position = positions(joint, &geometry, state.position);
            if joint.axes.iter().any(|axis| axis.armature > 0.0) {
                let speeds = axis_speeds(joint, &geometry, ended);
                let rotors = state.rotor_lag.iter_mut().zip(&joint.axes).zip(speeds);
                rotors.filter(|((_, axis), _)| axis.armature > 0.0).for_each(|((lag, _), speed)| *lag -= speed);
            }
            work.report.error = work.report.error.max(largest_error(joint, &geometry, false));
            work.note_bounds(active.slot, joint, active.size);
        }
    }
}
