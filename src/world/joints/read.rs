//! Queries of joints.

use crate::error::Result;
use crate::id::Handle;
use crate::joint::{JointAxis, JointDefinition};
use crate::math::Vec3;
use crate::world::joints::bounds::loaded_bounds;
use crate::world::joints::errors::{axis_speeds, geometry_of, largest_error, positions};
use crate::world::joints::populate::no_axis;
use crate::world::joints::state::{DriveKind, Joint};
use crate::world::state::World;

/// The position of a joint now, and what it carried in the last completed step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JointReading {
    /// The position along each axis; turns are counted where only one is free. 0 of axes that the joint does not leave free [m] or [rad].
    pub position: [f64; 6],
    /// The velocity along each axis [m/s] or [rad/s].
    pub velocity: [f64; 6],
    /// The mean force on B over the step, of all rows; world axes [N].
    pub force: [f64; 3],
    /// The mean torque on B about the point of frame B at the start of the step; world axes [N m].
    pub torque: [f64; 3],
    /// The mean force of the motor along each axis, on B [N] or [N m].
    pub motor_force: [f64; 6],
    /// That of the limits.
    pub limit_force: [f64; 6],
    /// That of the spring.
    pub spring_force: [f64; 6],
    /// That of dry friction.
    pub friction_force: [f64; 6],
    /// The largest error of the locked displacements now [m].
    pub linear_error: f64,
    /// The largest error of the locked turns now [rad].
    pub angular_error: f64,
    /// Whether the joint is switched on.
    pub is_enabled: bool,
    /// Whether its load broke it: it acts again once it is switched on again.
    pub is_broken: bool,
    /// Whether rows of its mechanism follow from others.
    pub is_redundant: bool,
    /// Whether its mechanism was too stiff to be aimed.
    pub is_unaimed: bool,
    /// Whether each axis is at its lower and at its upper bound: the limit carries an impulse.
    pub is_at_limit: [[bool; 2]; 6],
    /// Whether the motor of each axis is at a bound of its force.
    pub is_saturated: [bool; 6],
    /// Whether the dry friction of each axis is below its bound.
    pub is_sticking: [bool; 6],
}

impl World {
    /// Returns the number of joints.
    pub fn joint_count(&self) -> usize {
        self.joints.order.len()
    }

    /// Returns all joints, in the order of their creation.
    pub fn joint_handles(&self) -> impl Iterator<Item = Handle> + '_ {
        self.joints.order.iter().map(|slot| self.joints.registry.handle(*slot as usize))
    }

    /// Returns the joints of a body, in the order of their creation.
    pub fn body_joints(&self, body: Handle) -> Result<impl Iterator<Item = Handle> + '_> {
        let slot = self.bodies.registry.slot("body", body)? as u32;
        Ok(self.joints.of_bodies.of(slot).map(|(joint, _)| self.joints.registry.handle(joint)))
    }

    /// Returns what a joint was made from, with the frames as they are used.
    pub fn joint_definition(&self, joint: Handle) -> Result<JointDefinition> {
        Ok(self.joints.get(joint)?.definition)
    }

    /// Returns the bodies of a joint; [`Handle::NULL`] is the world.
    pub fn joint_bodies(&self, joint: Handle) -> Result<[Handle; 2]> {
        let body = |slot: Option<u32>| slot.map_or(Handle::NULL, |slot| self.bodies.registry.handle(slot as usize));
        Ok(self.joints.get(joint)?.bodies.map(body))
    }

    /// Returns the user data of a joint.
    pub fn joint_user_data(&self, joint: Handle) -> Result<u64> {
        Ok(self.joints.get(joint)?.user_data)
    }

    /// Returns an axis of a joint.
    ///
    /// # Errors
    ///
    /// The joint does not exist, or there is no axis of this index.
    pub fn joint_axis(&self, joint: Handle, index: usize) -> Result<JointAxis> {
        let axes = &self.joints.get(joint)?.axes;
        axes.get(index).copied().ok_or_else(|| no_axis(index))
    }

    /// Returns the position of a joint now, and what it carried in the last completed step.
    pub fn joint_state(&self, joint: Handle) -> Result<JointReading> {
        Ok(self.reading_of(self.joints.get(joint)?))
    }

    fn reading_of(&self, joint: &Joint) -> JointReading {
        let state = &joint.state;
        let geometry = geometry_of(joint, &self.bodies, |slot| self.bodies.motion[slot]);
        let velocity = axis_speeds(joint, &geometry, |slot| self.bodies.motion[slot]);
        let mean = |impulse: f64| if state.step > 0.0 { impulse / state.step } else { 0.0 };
        let share =
            |kinds: &[DriveKind]| state.drives.map(|axis| mean(kinds.iter().map(|kind| axis[*kind as usize]).sum()));
        let loaded = loaded_bounds(joint, state);
        JointReading {
            position: positions(joint, &geometry, state.position),
            velocity,
            force: state.load.force.map(mean).into(),
            torque: state.load.torque.map(mean).into(),
            motor_force: share(&[DriveKind::Motor, DriveKind::Armature]),
            limit_force: share(&[DriveKind::Lower, DriveKind::Upper, DriveKind::Held]),
            spring_force: share(&[DriveKind::Spring]),
            friction_force: share(&[DriveKind::Friction]),
            linear_error: largest_error(joint, &geometry, false),
            angular_error: largest_error(joint, &geometry, true),
            is_enabled: joint.is_enabled,
            is_broken: joint.is_broken,
            is_redundant: state.is_redundant,
            is_unaimed: state.is_unaimed,
            is_at_limit: std::array::from_fn(|axis| {
                let held = state.last.drives[axis][DriveKind::Held as usize];
                let [lower, upper] = loaded[axis];
                [lower || held > 0.0, upper || held < 0.0]
            }),
            is_saturated: state.is_saturated,
            is_sticking: state.is_sticking,
        }
    }

    /// Returns the sum of the joint forces on a body in the last completed step, and of their torques about its centre of mass at the start
    /// of that step.
    pub fn body_joint_force(&self, body: Handle) -> Result<([f64; 3], [f64; 3])> {
        let slot = self.bodies.registry.slot("body", body)? as u32;
        let (mut force, mut torque) = (Vec3::zeros(), Vec3::zeros());
        for (joint, side) in self.joints.of_bodies.of(slot) {
            let state = &self.joints.all[joint].state;
            if state.step > 0.0 {
                let sign = if side == 0 { -1.0 } else { 1.0 };
                force += sign * state.load.force / state.step;
                torque += state.moments[side] / state.step;
            }
        }
        Ok((force.into(), torque.into()))
    }
}
