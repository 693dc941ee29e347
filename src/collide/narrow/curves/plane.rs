//! The plane of the world in which curves touch: frames of prisms along z, and the contact points found between them.

use crate::collide::narrow::contact::{ContactPoint, NO_PARTS, POINTS};
use crate::error::{Result, reserve};
use crate::math::{Mat3, Pose, Vec2, Vec3};
use crate::shape::nurbs::Box2;

/// The largest number of points of a pair.
const MAX_POINTS: usize = 8;
/// Points closer to each other than this part of the size of the pair are the same [-].
const ONE_POINT: f64 = 1e-6;
/// The cosine above which two normals count as the same, for the same point [-].
const ONE_NORMAL: f64 = 0.9;
/// Two axes count as parallel if the cosine of their angle is this close to 1: 1.4e-6 rad [-].
const ALONG: f64 = 1e-12;

/// Returns whether a body axis is along the z axis of the world, with either sign.
pub(super) fn is_upright(matrix: &Mat3, axis: usize) -> bool {
    matrix[(2, axis)].abs() >= 1.0 - ALONG
}

/// The pose of a prism along z.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    /// The origin, in world axes [m].
    pub(super) origin: Vec2,
    /// The x axis of the outline, in world axes.
    pub(super) axis: Vec2,
    /// The ends of the prism [m].
    pub(super) ends: [f64; 2],
}

impl Frame {
    /// Returns the frame of a prism whose outline has its x axis along this body axis.
    pub(super) fn new(pose: &Pose, axis: usize, half_depth: f64) -> Self {
        let Pose { origin, matrix, .. } = pose;
        let axis = Vec2::new(matrix[(0, axis)], matrix[(1, axis)]);
        let axis = axis.try_normalize(0.0).unwrap_or(Vec2::x());
        Self { origin: Vec2::new(origin.x, origin.y), axis, ends: [origin.z - half_depth, origin.z + half_depth] }
    }

    #[inline]
    pub(super) fn turned(&self, local: &Vec2) -> Vec2 {
        Vec2::new(self.axis.x * local.x - self.axis.y * local.y, self.axis.y * local.x + self.axis.x * local.y)
    }

    #[inline]
    pub(super) fn turned_back(&self, world: &Vec2) -> Vec2 {
        Vec2::new(self.axis.x * world.x + self.axis.y * world.y, self.axis.x * world.y - self.axis.y * world.x)
    }

    #[inline]
    pub(super) fn to_world(self, local: &Vec2) -> Vec2 {
        self.origin + self.turned(local)
    }

    #[inline]
    pub(super) fn to_local(self, world: &Vec2) -> Vec2 {
        self.turned_back(&(world - self.origin))
    }

    /// Returns the axes of this frame as seen from those of another one.
    pub(super) fn seen_from(&self, other: &Self) -> Self {
        Self { origin: other.to_local(&self.origin), axis: other.turned_back(&self.axis), ends: self.ends }
    }

    /// Returns the box around a box of this frame, in the axes in which the frame is given.
    #[inline]
    pub(super) fn around(&self, local: &Box2) -> Box2 {
        let (center, half) = (self.to_world(&local.center()), local.half());
        let [cosine, sine] = [self.axis.x.abs(), self.axis.y.abs()];
        let reach = Vec2::new(cosine * half.x + sine * half.y, sine * half.x + cosine * half.y);
        Box2 { lower: center - reach, upper: center + reach }
    }

    /// Returns the middle of the depth that two prisms share, if they share any [m].
    pub(super) fn middle(&self, other: &Self) -> Option<f64> {
        let (low, high) = (self.ends[0].max(other.ends[0]), self.ends[1].min(other.ends[1]));
        (low <= high).then_some(0.5 * (low + high))
    }
}

/// A contact point in the plane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Touch {
    /// Midway between the outlines, world axes [m].
    pub(super) point: Vec2,
    /// Unit, from a to b, world axes.
    pub(super) normal: Vec2,
    /// [m]
    pub(super) gap: f64,
    /// See [`ContactPoint::feature`].
    pub(super) feature: u64,
}

/// Adds a point. If there is one already at the same place, the deeper one is kept. `size` is that of the pair [m].
pub(super) fn add(touches: &mut Vec<Touch>, touch: Touch, size: f64) -> Result<()> {
    let is_one = |other: &&mut Touch| {
        (other.point - touch.point).norm() <= ONE_POINT * size && other.normal.dot(&touch.normal) >= ONE_NORMAL
    };
    if let Some(other) = touches.iter_mut().find(is_one) {
        if touch.gap < other.gap {
            *other = touch;
        }
        return Ok(());
    }
    reserve(touches, 1, POINTS)?;
    touches.push(touch);
    Ok(())
}

/// Writes the points, the deepest first, at the height `z` [m].
pub(super) fn write(touches: &mut [Touch], z: f64, out: &mut Vec<ContactPoint>) -> Result<()> {
    touches.sort_by(|first, second| first.gap.total_cmp(&second.gap));
    reserve(out, touches.len().min(MAX_POINTS), POINTS)?;
    out.extend(touches.iter().take(MAX_POINTS).map(|touch| at_height(touch, z)));
    Ok(())
}

/// Writes all points, in their order.
pub(super) fn write_all(touches: &[Touch], z: f64, out: &mut Vec<ContactPoint>) -> Result<()> {
    reserve(out, touches.len(), POINTS)?;
    out.extend(touches.iter().map(|touch| at_height(touch, z)));
    Ok(())
}

pub(super) fn at_height(touch: &Touch, z: f64) -> ContactPoint {
    let Touch { point, normal, gap, feature } = *touch;
    let (point, normal) = (Vec3::new(point.x, point.y, z), Vec3::new(normal.x, normal.y, 0.0));
    ContactPoint { point, normal, gap, feature, parts: NO_PARTS }
}
