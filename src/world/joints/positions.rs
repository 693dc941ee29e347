//! What the position pass is to do with the rows of joints, and where the joints are at the end of a substep.

use crate::body::{Bodies, Motion};
use crate::error::{Result, refill};
use crate::law::ContactLaw;
use crate::solver::problem::Jacobian;
use crate::solver::{RowTarget, Velocity};
use crate::world::index::Index;
use crate::world::joints::errors::{MovedBodies, axis_speeds, geometry_of, has_gradient, largest_error, positions};
use crate::world::joints::rows::JointRows;
use crate::world::joints::state::{JointWorkspace, Joints};

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
    /// Errors are undone at most so far in the substep [m] or [rad].
    pub(in crate::world) most: f64,
}

impl RowTargets {
    /// Finds the targets: the errors that rigid rows and passed limits would have at the end of the substep are to be undone.
    pub(in crate::world) fn find<Law: ContactLaw>(
        &mut self,
        input: &TargetsInput<Law>,
        rows: &JointRows,
    ) -> Result<()> {
        let TargetsInput { moved, joints, velocities, most } = input;
        refill(&mut self.targets, rows.rows.len(), RowTarget::Free, "rows of joints")?;
        refill(&mut self.multipliers, rows.rows.len(), 0.0, "rows of joints")?;
        for active in &rows.active {
            let errors = moved.errors_after(&joints.all[active.slot], active.position_before, velocities);
            let [first, end] = active.rows;
            let own = self.targets[first..end].iter_mut().zip(&rows.rows[first..end]);
            for ((target, row), place) in own.zip(rows.places(first..end)) {
                let Jacobian { linear, angular } = &row.jacobian_b;
                let Some(error) = errors.of(place).filter(|_| has_gradient([linear, angular])) else { continue };
                let undone = -error.clamp(-most, *most);
                *target = match (row.lower, row.upper) {
                    (0.0, 0.0) => RowTarget::Free,
                    (0.0, _) => RowTarget::Push(undone),
                    (_, 0.0) => RowTarget::Pull(undone),
                    _ => RowTarget::Hold(undone),
                };
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
