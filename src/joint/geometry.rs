//! The two frames of a joint in world axes, and the vectors that its rows need.

use crate::joint::direction::Direction;
use crate::joint::row::{JointRow, SideVector};
use crate::math::{Mat3, Pose, Quat, Vec3, length_of};

/// A frame of a joint in the axes of its body, from the origin of the body's shape.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LocalFrame {
    /// The origin of the frame [m].
    pub point: Vec3,
    /// Frame axes to body axes.
    pub rotation: Quat,
}

/// A frame of a joint in world axes, and the centre of mass of its body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SideFrame {
    /// The origin of the frame, `pA` or `pB` [m].
    pub origin: Vec3,
    /// Frame axes to world axes.
    pub rotation: Quat,
    /// The centre of mass of the body [m].
    pub center: Vec3,
}

impl SideFrame {
    /// Returns the frame in world axes where its body has this pose and this centre of mass, in world axes [m].
    pub fn new(frame: &LocalFrame, pose: &Pose, center: Vec3) -> Self {
        Self { origin: pose.to_world(&frame.point), rotation: pose.rotation * frame.rotation, center }
    }
}

/// Both frames of a joint. All vectors are in world axes, except for `turn`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Geometry {
    /// `d = pB - pA` [m].
    pub offset: Vec3,
    /// From the centre of mass of A to `pB`: the arm on which the impulse acts on A [m].
    pub arm_a: Vec3,
    /// From the centre of mass of B to `pB` [m].
    pub arm_b: Vec3,
    /// The axes of frame A.
    pub axes_a: [Vec3; 3],
    /// The axes of frame B.
    pub axes_b: [Vec3; 3],
    /// The vector part of frame B seen from A, as a quaternion whose scalar part is not negative; in axes of A.
    pub turn: Vec3,
    /// The scalar part of that quaternion.
    pub turn_scalar: f64,
}

impl Geometry {
    /// Returns the geometry of a joint with these frames.
    pub fn new(a: &SideFrame, b: &SideFrame) -> Self {
        let relative = a.rotation.conjugate() * b.rotation;
        // Both signs are the same rotation. With this one the twist is at most half a turn.
        let sign = if relative.w < 0.0 { -1.0 } else { 1.0 };
        Self {
            offset: b.origin - a.origin,
            arm_a: b.origin - a.center,
            arm_b: b.origin - b.center,
            axes_a: axes(&a.rotation),
            axes_b: axes(&b.rotation),
            turn: sign * relative.imag(),
            turn_scalar: sign * relative.w,
        }
    }

    /// Returns the row of the velocity of `pB` along a direction that turns with A.
    ///
    /// The arm of A reaches to `pB`, not to `pA`. So the row is the exact derivative of the offset along the direction, and both impulses
    /// act on one line, however far apart the frames are.
    pub fn row_along(&self, direction: &Vec3) -> JointRow {
        JointRow {
            a: SideVector { linear: -direction, angular: -self.arm_a.cross(direction) },
            b: SideVector { linear: *direction, angular: self.arm_b.cross(direction) },
        }
    }

    /// Returns the distance of the two origins [m], and its row. At distance 0 the row is that along x of frame A.
    pub fn distance(&self) -> (f64, JointRow) {
        let [x, ..] = &self.axes_a;
        let length = length_of(&self.offset);
        let direction = if length > 0.0 { self.offset / length } else { *x };
        (length, self.row_along(&direction))
    }

    /// Returns an axis of frame A.
    pub fn axis_a(&self, direction: Direction) -> Vec3 {
        direction.of(&self.axes_a)
    }

    /// Returns an axis of frame B.
    pub fn axis_b(&self, direction: Direction) -> Vec3 {
        direction.of(&self.axes_b)
    }

    /// Returns the rows of the relative angular velocity along the axes of frame A: those of the friction of a ball.
    pub fn spin_rows(&self) -> [JointRow; 3] {
        self.axes_a.map(JointRow::turning)
    }
}

/// Returns the axes of a frame with this rotation.
fn axes(rotation: &Quat) -> [Vec3; 3] {
    let matrix: Mat3 = *rotation.to_rotation_matrix().matrix();
    [matrix.column(0).into(), matrix.column(1).into(), matrix.column(2).into()]
}
