//! Adding, removing and changing joints.

use crate::error::{Error, Result, finite, reserve, text};
use crate::id::Handle;
use crate::joint::{
    JointAxis, JointDefinition, JointKind, Locks, TurnLocks, check_directions, check_free_turns, place, place_points,
};
use crate::math::Pose;
use crate::world::joints::errors::{geometry_of, positions};
use crate::world::joints::state::{AXES, Joint, JointRequest, JointTarget, pose_of};
use crate::world::state::World;

impl World {
    /// Adds a joint between two bodies, or a body and the world. Wakes them.
    ///
    /// # Errors
    ///
    /// A number is out of range, a body does not exist, neither is dynamic, both are the same, or the frames do not fit each other. Nothing
    /// has changed then.
    pub fn add_joint(&mut self, request: &JointRequest) -> Result<Handle> {
        let joint = self.resolve_joint(request)?;
        self.joints.reserve(1, self.bodies.slots())?;
        Ok(self.insert_joint(joint))
    }

    /// Adds all joints, or none; see [`World::add_joint`].
    pub fn add_joints(&mut self, requests: &[JointRequest]) -> Result<Vec<Handle>> {
        let (mut resolved, mut handles) = (Vec::new(), Vec::new());
        reserve(&mut resolved, requests.len(), "joints")?;
        reserve(&mut handles, requests.len(), "joints")?;
        for (index, request) in requests.iter().enumerate() {
            resolved.push(self.resolve_joint(request).map_err(|error| error.at(format_args!("defs[{index}]: ")))?);
        }
        self.joints.reserve(resolved.len(), self.bodies.slots())?;
        handles.extend(resolved.into_iter().map(|joint| self.insert_joint(joint)));
        Ok(handles)
    }

    /// Adds a joint, for which memory is reserved, and wakes its bodies.
    fn insert_joint(&mut self, joint: Joint) -> Handle {
        joint.bodies.into_iter().flatten().for_each(|slot| self.waker().wake(slot));
        self.joints.insert(joint)
    }

    /// Removes a joint. Wakes its bodies.
    pub fn remove_joint(&mut self, joint: Handle) -> Result<()> {
        let slot = self.joints.registry.slot("joint", joint)?;
        self.wake_joined(slot);
        self.joints.remove(slot);
        Ok(())
    }

    /// Removes the joints of a body that is removed.
    pub(in crate::world) fn remove_joints_of(&mut self, body: u32) {
        while let Some(slot) = self.joints.of_bodies.first(body) {
            self.wake_joined(slot);
            self.joints.remove(slot);
        }
    }

    /// Switches a joint on or off. Wakes its bodies. A broken joint that is switched on acts again.
    pub fn set_joint_enabled(&mut self, joint: Handle, is_enabled: bool) -> Result<()> {
        let slot = self.joints.registry.slot("joint", joint)?;
        self.wake_joined(slot);
        let joint = &mut self.joints.all[slot];
        (joint.is_enabled, joint.is_broken) = (is_enabled, joint.is_broken && !is_enabled);
        self.joints.all[slot].state.is_at_bound = self.bounds_now(&self.joints.all[slot]);
        Ok(())
    }

    /// Replaces an axis of a joint. Wakes its bodies.
    ///
    /// # Errors
    ///
    /// The joint does not exist, it does not leave this axis free, a member is out of range, or the axis would be locked or free where it
    /// was not. Nothing has changed then.
    pub fn set_joint_axis(&mut self, joint: Handle, index: usize, axis: &JointAxis) -> Result<()> {
        let slot = self.joints.registry.slot("joint", joint)?;
        let own = &self.joints.all[slot];
        axis.check(own.definition.kind, index)?;
        let mut axes = own.axes;
        *axes.get_mut(index).ok_or_else(|| no_axis(index))? = *axis;
        let locks = Locks::new(own.definition.kind, &axes.map(|axis| axis.mode));
        check_axes(own.definition.kind, &axes, &locks)?;
        let mut changed = Joint { axes, locks, ..*own };
        let geometry = geometry_of(&changed, &self.bodies, |slot| self.bodies.motion[slot]);
        check_directions(&geometry, &locks)?;
        let bounds = |axis: &JointAxis| (axis.mode, axis.lower, axis.upper);
        if bounds(axis) != bounds(&own.axes[index]) {
            changed.state.is_at_bound[index] = self.bounds_now(&changed)[index];
        }
        self.wake_joined(slot);
        self.joints.all[slot] = changed;
        Ok(())
    }

    /// Sets the targets of the motors of some axes: positions, and the velocities at which these move. Wakes the bodies of what changes.
    ///
    /// # Errors
    ///
    /// A joint does not exist or does not leave the axis free, or a number is not finite. No target has changed then.
    pub fn set_joint_targets(&mut self, targets: &[JointTarget]) -> Result<()> {
        for (at, target) in targets.iter().enumerate() {
            self.check_target(target).map_err(|error| {
                // One target alone is named by the argument, not by its place.
                if targets.len() == 1 { error } else { error.at(format_args!("targets[{at}]: ")) }
            })?;
        }
        for JointTarget { joint, index, position, velocity } in targets {
            let slot = self.joints.registry.slot("joint", *joint)?;
            let Some(axis) = self.joints.all[slot].axes.get_mut(*index) else { continue };
            let before = (axis.target_position, axis.target_velocity);
            axis.target_position = position.unwrap_or(axis.target_position);
            axis.target_velocity = velocity.unwrap_or(axis.target_velocity);
            if before != (axis.target_position, axis.target_velocity) {
                self.wake_joined(slot);
            }
        }
        Ok(())
    }

    fn check_target(&self, target: &JointTarget) -> Result<()> {
        let JointTarget { joint, index, position, velocity } = *target;
        let own = self.joints.get(joint)?;
        position.map_or(Ok(()), |position| finite("position", position))?;
        velocity.map_or(Ok(()), |velocity| finite("velocity", velocity))?;
        let is_free = own.definition.kind.free_axes().contains(&index);
        if is_free { Ok(()) } else { Err(no_axis(index)) }
    }

    /// Replaces the frames of a joint by those of `definition`, whose other members are not read. Wakes its bodies.
    ///
    /// # Errors
    ///
    /// The joint does not exist, a number is out of range, or the frames do not fit each other. Nothing has changed then.
    pub fn set_joint_frames(&mut self, joint: Handle, definition: &JointDefinition) -> Result<()> {
        let slot = self.joints.registry.slot("joint", joint)?;
        let own = self.joints.all[slot];
        let JointDefinition { point_a, rotation_a, point_b, rotation_b, .. } = *definition;
        let definition = JointDefinition { point_a, rotation_a, point_b, rotation_b, ..own.definition };
        let frames = definition.check()?;
        let mut changed = Joint { definition, frames, ..own };
        let geometry = geometry_of(&changed, &self.bodies, |slot| self.bodies.motion[slot]);
        check_directions(&geometry, &changed.locks)?;
        changed.state.position = positions(&changed, &geometry, own.state.position);
        changed.state.is_at_bound = self.bounds_now(&changed);
        self.wake_joined(slot);
        self.joints.all[slot] = changed;
        Ok(())
    }

    /// Sets both frames of a definition so that they coincide now, at a point of the world; see [`place`].
    pub fn place_joint(
        &self,
        definition: &mut JointDefinition,
        bodies: [Handle; 2],
        point: &[f64; 3],
        axis: &[f64; 3],
        reference: Option<&[f64; 3]>,
    ) -> Result<()> {
        place(definition, &self.joined_poses(bodies)?, point, axis, reference)
    }

    /// Sets the points of a definition to two points of the world, and its lengths to their distance; see [`place_points`].
    pub fn place_joint_points(
        &self,
        definition: &mut JointDefinition,
        bodies: [Handle; 2],
        point_a: &[f64; 3],
        point_b: &[f64; 3],
    ) -> Result<()> {
        place_points(definition, &self.joined_poses(bodies)?, point_a, point_b)
    }

    /// Returns the poses of the shapes of two bodies; that of the world is the identity.
    fn joined_poses(&self, [body_a, body_b]: [Handle; 2]) -> Result<[Pose; 2]> {
        let pose = |slot: Option<u32>| match slot {
            None => Pose::world(),
            Some(slot) => pose_of(&self.bodies, slot as usize, &self.bodies.motion[slot as usize]),
        };
        Ok([pose(self.joined_slot("body_a", body_a)?), pose(self.joined_slot("body_b", body_b)?)])
    }

    /// Wakes the bodies of the joint in `slot`.
    fn wake_joined(&mut self, slot: usize) {
        self.joints.all[slot].bodies.into_iter().flatten().for_each(|body| self.waker().wake(body));
    }

    /// Checks a request, and returns the joint that it asks for.
    fn resolve_joint(&self, request: &JointRequest) -> Result<Joint> {
        let JointRequest { definition, axes, body_a, body_b, .. } = request;
        let frames = definition.check()?;
        let bodies = [self.joined_slot("body_a", *body_a)?, self.joined_slot("body_b", *body_b)?];
        self.check_pair(bodies, *body_a)?;
        for (index, axis) in axes.iter().enumerate() {
            if *axis != JointAxis::new(definition.kind) {
                axis.check(definition.kind, index).map_err(|error| error.at(text!("axes[{index}]: ")))?;
            }
        }
        let locks = Locks::new(definition.kind, &axes.map(|axis| axis.mode));
        check_axes(definition.kind, axes, &locks)?;
        let mut joint = Joint::new(request, bodies, frames, locks);
        let geometry = geometry_of(&joint, &self.bodies, |slot| self.bodies.motion[slot]);
        check_directions(&geometry, &locks)?;
        joint.state.position = positions(&joint, &geometry, [0.0; AXES]);
        joint.state.is_at_bound = self.bounds_now(&joint);
        Ok(joint)
    }

    /// Returns the slot of a body of a joint; `None` of the world.
    fn joined_slot(&self, name: &str, body: Handle) -> Result<Option<u32>> {
        if body == Handle::NULL {
            return Ok(None);
        }
        Ok(Some(self.bodies.registry.slot(name, body)? as u32))
    }

    /// Refuses two bodies that no joint can connect.
    fn check_pair(&self, bodies: [Option<u32>; 2], body: Handle) -> Result<()> {
        if bodies[0] == bodies[1] {
            let value = body.0;
            return Err(Error::argument(text!("body_a and body_b are both {value:#x}, expected two different bodies")));
        }
        let moves = |slot: u32| self.bodies.mass[slot as usize].is_movable();
        if bodies.into_iter().flatten().any(moves) {
            return Ok(());
        }
        Err(Error::argument("neither body_a nor body_b is dynamic, expected a body that forces move"))
    }
}

/// Refuses axes that do not fit each other.
pub(super) fn check_axes(kind: JointKind, axes: &[JointAxis; AXES], locks: &Locks) -> Result<()> {
    if locks.turns != TurnLocks::None || kind == JointKind::Distance {
        return Ok(());
    }
    check_free_turns(axes)?;
    let JointAxis { friction, friction_coefficient, .. } = axes[3];
    for (name, value) in [("friction", friction), ("friction_coefficient", friction_coefficient)] {
        if value != 0.0 {
            let message = "expected 0: while no turn is locked, the friction of axis 5 is that of all turns together";
            return Err(Error::argument(text!("axes[3].{name} is {value}, {message}")));
        }
    }
    Ok(())
}

/// Returns the error of an index that no axis has.
pub(super) fn no_axis(index: usize) -> Error {
    Error::argument(text!("index is {index}, expected the index of a free axis of the joint, from 0 to 5"))
}
