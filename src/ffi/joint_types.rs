//! What a joint is before and while it exists.

use std::mem::MaybeUninit;

use crate::error::{Error, Result, in_range, text};
use crate::id::Handle;
use crate::joint::{JointAxis, JointDefinition, JointKind};
use crate::world::JointRequest;

use super::handle::dry_body;
use super::structure::{number, numbered, same_members, structure};

/// The largest coordinate of a point of a joint [m], as of points of shapes.
const FARTHEST: f64 = 1e50;

/// dry_joint_def.flags: the two bodies collide with each other. Without it they have no contacts.
pub const DRY_JOINT_COLLIDE: u32 = 1u32;
/// dry_joint_state.axis_flags: the lower bound of the axis, or the least length of a strut, carries a force.
pub const DRY_JOINT_AT_LOWER: u32 = 2u32;
/// dry_joint_state.axis_flags: the upper bound of the axis, or the length of a rope, carries a force.
pub const DRY_JOINT_AT_UPPER: u32 = 4u32;
/// dry_joint_state.axis_flags: the motor of the axis is at a bound of its force.
pub const DRY_JOINT_SATURATED: u32 = 8u32;
/// dry_joint_state.axis_flags: the axis has dry friction, which was below its bound in the last substep. Where no turn
/// is locked, axes 3, 4, 5 have this flag together.
pub const DRY_JOINT_STICKING: u32 = 16u32;
/// dry_joint_state.flags: a load above a bound of its definition broke the joint. It carries nothing until
/// dry_joint_set_enabled switches it on again. dry_query_joint_events lists the joints that broke in the last step.
pub const DRY_JOINT_BROKEN: u32 = 32u32;
/// dry_joint_state.flags: dry_joint_set_enabled switched the joint off.
pub const DRY_JOINT_DISABLED: u32 = 64u32;
/// dry_joint_state.flags: rows of its mechanism, of whichever joints, follow from others in the last step, as where
/// three hinges hold a door. The forces are the smallest ones that hold it.
pub const DRY_JOINT_REDUNDANT: u32 = 128u32;
/// dry_joint_state.flags: its mechanism was too stiff to be aimed in the last step; see
/// dry_step_report.unaimed_mechanisms.
pub const DRY_JOINT_UNAIMED: u32 = 256u32;

/// The motions that a joint locks. z is the axis of hinge, slider and cylindrical, the normal of planar, the twist
/// axis of ball.
///
/// A joint has six axes. 0, 1, 2 are the displacements of the origin of frame B along x, y, z of frame A [m]. 3, 4,
/// 5 are the turns of frame B about x, y, z as seen from frame A [rad]. A kind leaves some of them free; these have
/// a dry_joint_axis. Where one turn is free, its full turns are counted, as long as a step makes less than half a
/// turn.
#[repr(C)]
#[derive(Clone, Copy)]
pub enum dry_joint_kind {
    /// Locks the displacements. Free: 5, the twist about z, and 3, the angle between the z axes of both frames, 0 or
    /// above: an upper bound of axis 3 makes a cone.
    DRY_JOINT_BALL = 0,
    /// Locks all but 5, the turn about z.
    DRY_JOINT_HINGE = 1,
    /// Locks all but 2, the displacement along z.
    DRY_JOINT_SLIDER = 2,
    /// Locks all axes.
    DRY_JOINT_FIXED = 3,
    /// Holds the distance of the origins of the frames between length_min and length_max. Free: 0, the distance.
    DRY_JOINT_DISTANCE = 4,
    /// Locks the displacements, and holds x of frame A perpendicular to y of frame B. Free: 3, the turn about x of
    /// frame A, and 4, that about y of frame B.
    DRY_JOINT_UNIVERSAL = 5,
    /// Locks all but 2, the displacement along z, and 5, the turn about z.
    DRY_JOINT_CYLINDRICAL = 6,
    /// Locks 2, the displacement along z, and the turns about x and y. Free: 0, 1 and 5.
    DRY_JOINT_PLANAR = 7,
    /// Locks the axes whose mode is DRY_JOINT_MODE_LOCKED: at first all six. Where no turn is locked, the turns are
    /// those of a ball.
    DRY_JOINT_GENERAL = 8,
}

/// A joint before it exists. Filled in by dry_joint_def_init; grows at its end. dry_joint_def_place finds its
/// frames.
///
/// A joint holds frame A, fixed in body_a, to frame B, fixed in body_b. One of the two must be dynamic; the other
/// one may be the world. They must differ. The axes of a new joint have the defaults of dry_joint_axis, those of
/// DRY_JOINT_GENERAL are locked; dry_joint_set_axis sets them.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct dry_joint_def {
    /// Bytes of this structure; the same in every element of an array, where it is the stride.
    pub struct_size: usize,
    /// As given to dry_joint_def_init.
    pub kind: MaybeUninit<dry_joint_kind>,
    /// DRY_JOINT_ bits: DRY_JOINT_COLLIDE or 0. Default 0: the two bodies do not collide with each other.
    pub flags: u32,
    /// Body A. Default 0: the world, whose frame is in world axes.
    pub body_a: dry_body,
    /// Body B. Default 0: the world. The forces of a joint are those on body B.
    pub body_b: dry_body,
    /// The origin of frame A, from the origin of the shape of A, body axes. Where body_a is 0: from the world's
    /// origin, world axes. Each coordinate is up to 1e50 [m]. Default 0.
    pub point_a: [f64; 3],
    /// Quaternion (x, y, z, w) from the axes of frame A to those of body A, its length 1 within 1e-6 [-]. Default
    /// (0, 0, 0, 1). Locked directions of both frames must be at most 90 degrees apart.
    pub rotation_a: [f64; 4],
    /// The origin of frame B, as point_a [m]. Default 0.
    pub point_b: [f64; 3],
    /// Of frame B, as rotation_a [-]. Default (0, 0, 0, 1).
    pub rotation_b: [f64; 4],
    /// Of DRY_JOINT_DISTANCE: the least distance, 0 or above [m]. Default 0. A rod has two equal lengths, a rope 0
    /// and its length, a strut its length and INFINITY.
    pub length_min: f64,
    /// Of DRY_JOINT_DISTANCE: the largest distance, above 0 and not below length_min [m]. Default INFINITY.
    pub length_max: f64,
    /// Compliance of the locked displacements, and of a distance, 0 or above [m/N]. Default 0: rigid.
    pub linear_compliance: f64,
    /// Compliance of the locked turns, 0 or above [rad/(N m)]. Default 0: rigid.
    pub angular_compliance: f64,
    /// Time in which an error of a compliant axis decays, 0 or above [s]. Default 0: two steps.
    pub relaxation: f64,
    /// The joint breaks where its force, the mean of a step, is above this; 0 or above [N]. Default 0: never.
    pub break_force: f64,
    /// The joint breaks where its torque about the origin of frame B, the mean of a step, is above this; 0 or above
    /// [N m]. Default 0: never.
    pub break_torque: f64,
    /// The joint breaks where its impulse in one substep is above this; 0 or above [N s]. Default 0: never. What
    /// breaks keeps its forces of that step, and carries nothing from the next step on.
    pub break_impulse: f64,
    /// The caller's own; see dry_joint_get_def. Default 0.
    pub user_data: u64,
}

structure!(dry_joint_def);

impl Default for dry_joint_def {
    fn default() -> Self {
        Self::of(&JointDefinition::new(JointKind::Ball), [Handle::NULL; 2], 0)
    }
}

impl dry_joint_def {
    /// The structure of a definition, its bodies and its user data.
    pub(super) fn of(joint: &JointDefinition, [body_a, body_b]: [Handle; 2], user_data: u64) -> Self {
        same_members! { joint {
            point_a, rotation_a, point_b, rotation_b, length_min, length_max, linear_compliance, angular_compliance,
            relaxation, break_force, break_torque, break_impulse,
        } into Self {
            struct_size: size_of::<Self>(),
            kind: numbered(joint.kind as u32),
            flags: if joint.collide { DRY_JOINT_COLLIDE } else { 0 },
            body_a: body_a.0,
            body_b: body_b.0,
            user_data,
        } }
    }

    /// The definition behind the numbers. Ranges the world checks.
    pub(super) fn checked(&self) -> Result<JointDefinition> {
        let flags = self.flags;
        if flags & !DRY_JOINT_COLLIDE != 0 {
            return Err(Error::argument(text!("flags is {flags}, expected 0 or DRY_JOINT_COLLIDE, which is 1")));
        }
        check_coordinates("point_a", &self.point_a)?;
        check_coordinates("point_b", &self.point_b)?;
        Ok(same_members! { self {
            point_a, rotation_a, point_b, rotation_b, length_min, length_max, linear_compliance, angular_compliance,
            relaxation, break_force, break_torque, break_impulse,
        } into JointDefinition { kind: kind(self.kind)?, collide: flags != 0 } })
    }

    /// Returns the request that the world receives: the joint with default axes.
    pub(super) fn request(&self) -> Result<JointRequest> {
        let definition = self.checked()?;
        let axes = [JointAxis::new(definition.kind); 6];
        Ok(JointRequest {
            definition,
            axes,
            body_a: Handle(self.body_a),
            body_b: Handle(self.body_b),
            user_data: self.user_data,
        })
    }

    /// The bodies as the world names them.
    pub(super) fn bodies(&self) -> [Handle; 2] {
        [Handle(self.body_a), Handle(self.body_b)]
    }
}

/// Refuses coordinates whose squares are beyond the range of numbers. The world refuses those that are not finite.
fn check_coordinates(name: &str, point: &[f64; 3]) -> Result<()> {
    for (index, value) in point.iter().enumerate().filter(|(_, value)| value.is_finite()) {
        if value.abs() > FARTHEST {
            return in_range(&text!("{name}[{index}]"), *value, false, "a coordinate within 1e50 of 0");
        }
    }
    Ok(())
}

/// The kind behind a number.
pub(super) fn kind(choice: MaybeUninit<dry_joint_kind>) -> Result<JointKind> {
    let number = number(choice);
    let found = JointKind::ALL.get(number as usize).copied();
    found.ok_or_else(|| {
        Error::argument(text!("kind is {number}, expected a kind from DRY_JOINT_BALL, 0, to DRY_JOINT_GENERAL, 8"))
    })
}
