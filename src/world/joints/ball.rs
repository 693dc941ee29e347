//! The dry friction of all turns of a joint together: of a ball joint, and of a general one with three free turns.

use crate::error::Result;
use crate::joint::{Drive, Geometry, JointAxis, JointKind, TurnLocks};
use crate::math::RowId;
use crate::world::joints::rows::RowMaker;
use crate::world::joints::state::{DriveKind, Joint, JointState, RowPlace};
use crate::world::substeps::Stage;

/// The axis that has the friction of all turns: the twist.
const AXIS: usize = 5;

impl Joint {
    /// Returns the axis whose friction is that of all turns together; none of a joint that locks a turn, and where there is no friction.
    pub(super) fn friction_of_turns(&self) -> Option<&JointAxis> {
        let all_turn = self.locks.turns == TurnLocks::None && self.definition.kind != JointKind::Distance;
        Some(&self.axes[AXIS]).filter(|axis| all_turn && (axis.friction, axis.friction_coefficient) != (0.0, 0.0))
    }
}

impl RowMaker<'_> {
    /// Adds the rows of the friction of all turns, about the axes of frame A.
    pub(super) fn add_ball(&mut self, geometry: &Geometry, state: &JointState) -> Result<()> {
        let Some(axis) = self.joint.friction_of_turns() else { return Ok(()) };
        let takes_time = self.input.stage != Stage::Impact;
        let bound = if takes_time { axis.largest_friction(AXIS, state.last_force.norm()) } else { 0.0 };
        let drive = Drive::friction(bound, self.input.substep.length);
        let first = self.rows.rows.len();
        for (index, row) in (3..).zip(geometry.spin_rows()) {
            let before = state.last.drives[index][DriveKind::Friction as usize];
            self.add(self.free(row), drive, RowPlace::Drive(index, DriveKind::Friction), before)?;
        }
        self.rows.rows[first..].iter_mut().for_each(|row| row.ball = Some(RowId::from(first)));
        Ok(())
    }
}
