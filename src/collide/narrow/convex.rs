//! Two convex shapes: the axis of greatest separation, and the points where the features that face each other meet.

use super::axis::{Axis, Face, at, fraction_of, point_tolerance, tolerance};
use super::closed_form::sphere_sphere;
use super::contact::{ContactPoint, Mixture, NO_PARTS, POINTS, Placed, deepest, mixed};
use super::curves::CurveWorkspace;
use super::expand::ExpandBuffers;
use super::feature::{
    ClipBuffers, Corner, clip, clip_to_disc, face_sides, facing_feature, is_over_face, lying_edge, nearest_corner,
    turned_away,
};
use super::left_out::{LeftOut, StandIn};
use super::pierced::PierceBuffers;
use super::polytope::{Polytope, PolytopeKind};
use super::reduce::keep_spread;
use super::rim::{is_over_disc, over_side};
use super::separation::{EDGE_PREFERENCE, Separation, greatest_separation};
use crate::collide::filter::Ball;
use crate::error::{Result, push, reserve};
use crate::math::{Aabb, Pose, Vec3};

/// Kinds of contacts: the first part of their identity.
const FACE: u64 = 4;
const CLOSEST: u64 = 5;
const PARALLEL: u64 = 6;

/// Corners this close to a side plane count as on it, as a fraction of the smaller size [-].
pub(super) const ON_SIDE: f64 = 1e-6;
/// The largest slope against the contact plane at which an edge counts as lying in it [-].
const LYING: f64 = 1e-3;
/// The largest distance between two parallel edges that count as meeting, over the smaller size [-].
const EDGE_SHIFT: f64 = 1e-3;
/// The largest cosine that is used for the angle between two normals, which is then at least 1e-5 rad [-].
const DISTINCT_NORMALS: f64 = 1.0 - 5e-11;
/// The least number of points that span an area.
const AREA: usize = 3;
/// `1 - cos 22.5`: the largest distance of a circle from the octagon inside it, over the radius [-].
const OFF_OCTAGON: f64 = 0.076_120_467_488_713_26;
/// A rim that is deeper than its octagon by more than this fraction of the smaller size has a contact of its own [-]. Round-off must not make
/// it come and go in a contact at rest.
const RIM_DEPTH: f64 = 1e-9;

/// The points along a face miss the contact if the face separates more than they show, by this fraction of the smaller size [-]. Of two parallel
/// faces the first is used even if it separates less by half of that.
const MISSED: f64 = 2e-6;

/// Scratch buffers. Their contents have no meaning between calls.
#[derive(Debug, Clone, Default)]
pub struct NarrowWorkspace {
    pub(super) expand: ExpandBuffers,
    pub(super) clip: ClipBuffers,
    pub(super) triangles: Vec<u32>,
    pub(super) pierce: PierceBuffers,
    pub(super) found: Vec<ContactPoint>,
    pub(super) left_out: Vec<LeftOut>,
    /// Faces of a mesh that have contacts in place of their edges.
    pub(super) stand_ins: Vec<StandIn>,
    pub(super) clump: ClumpBuffers,
    pub(super) curves: CurveWorkspace,
}

/// Scratch buffers of a pair with a clump.
#[derive(Debug, Clone, Default)]
pub(super) struct ClumpBuffers {
    /// The parts of a that are near b, and those of b that are near a.
    pub(super) parts: [Vec<PlacedPart>; 2],
    pub(super) found: Vec<ContactPoint>,
}

/// A part of a clump at its pose.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlacedPart {
    pub(super) index: u32,
    pub(super) pose: Pose,
    pub(super) bounds: Aabb,
}

/// Appends the contact points of two convex, bounded shapes.
pub(super) fn convex_convex(
    a: Placed,
    b: Placed,
    margin: f64,
    workspace: &mut NarrowWorkspace,
    out: &mut Vec<ContactPoint>,
) -> Result<()> {
    let NarrowWorkspace { expand, clip: buffers, .. } = workspace;
    let origin = a.pose.origin;
    let Some(a) = Polytope::new(a, &origin) else { return Ok(()) };
    let Some(b) = Polytope::new(b, &origin) else { return Ok(()) };
    let reach = a.size + a.radius + b.size + b.radius + margin;
    if (b.center - a.center).norm_squared() > reach * reach {
        return Ok(());
    }
    if let Some(Separation { axis, sharper }) = greatest_separation(&a, &b, margin + a.radius + b.radius, expand)? {
        let start = out.len();
        let builder = ManifoldBuilder {
            a: &a,
            b: &b,
            axis,
            margin,
            origin,
            certain: sharper.is_none(),
            names: Mixture::of(&[0]),
        };
        builder.points(buffers, out)?;
        match sharper {
            Some(axis) if builder.misses(&axis, &out[start..]) => {
                out.truncate(start);
                ManifoldBuilder { axis, certain: true, ..builder }.points(buffers, out)?;
            }
            Some(axis) => builder.complete(&axis, start, out)?,
            None => builder.complete_end(start, out)?,
        }
        keep_spread(out, start, builder.size())?;
    }
    Ok(())
}

/// Builds the contact points of two shapes along an axis.
#[derive(Clone, Copy)]
pub(super) struct ManifoldBuilder<'a> {
    pub(super) a: &'a Polytope<'a>,
    pub(super) b: &'a Polytope<'a>,
    pub(super) axis: Axis,
    /// [m]
    pub(super) margin: f64,
    /// The origin of the pair's axes, in world axes [m].
    pub(super) origin: Vec3,
    /// Whether the closest points are a contact if no features face each other.
    pub(super) certain: bool,
    /// The first parts of the identity of all features. They distinguish the parts of a shape.
    pub(super) names: Mixture,
}

impl ManifoldBuilder<'_> {
    /// Returns the size of the smaller shape [m].
    pub(super) fn size(&self) -> f64 {
        (self.a.size + self.a.radius).min(self.b.size + self.b.radius)
    }

    /// Appends the points with a gap of at most the margin.
    pub(super) fn points(&self, buffers: &mut ClipBuffers, out: &mut Vec<ContactPoint>) -> Result<()> {
        let start = out.len();
        if let Some(face) = self.axis.face {
            self.face_points(face, buffers, out)?;
        } else {
            reserve(out, 2, POINTS)?;
            self.edge_points(out);
        }
        // The deepest point may be less deep than the axis requires.
        let expected = self.axis.separation - self.a.radius - self.b.radius;
        let slack = match self.axis.face {
            // The feature that faces it need not contain the deepest point. Of two parallel faces the axis may be the one that separates less.
            Some(_) => MISSED * self.size() + self.left_of_rims(),
            None => tolerance(self.a, self.b),
        };
        if self.certain && deepest(&out[start..]) > expected + slack {
            reserve(out, 1, POINTS)?;
            self.closest_point(out);
        }
        Ok(())
    }

    /// Returns whether the points of a face miss the contact: there are none, or the least gap exceeds the separation along
    /// `sharper`, an axis near the normal of the face.
    ///
    /// The gap may exceed it by the cosine between the two normals. For a cylinder it may also exceed it by the distance of
    /// the rim beyond the octagon.
    pub(super) fn misses(&self, sharper: &Axis, points: &[ContactPoint]) -> bool {
        let rim = if points.len() < AREA { 0.0 } else { self.left_of_rims() };
        let (excess, allowed) = self.excess(sharper, points);
        points.is_empty() || excess - allowed > point_tolerance(self.a, self.b) + rim
    }

    /// Makes the least gap of the points of a face that of the shapes: the separation along `most`, the axis that separates most. It is
    /// that of the face, or one near it.
    ///
    /// All gaps change by the same, if the excess is due to the angle between the two axes, or below [`ON_SIDE`]. The end of a cylinder has the
    /// points of an octagon there. Where its rim is deeper, and the closest points are on both shapes, these are appended.
    pub(super) fn complete(&self, most: &Axis, start: usize, out: &mut Vec<ContactPoint>) -> Result<()> {
        let Some(points) = out.get_mut(start..) else { return Ok(()) };
        let (excess, allowed) = self.excess(most, points);
        let (left, slack) = (excess - allowed, ON_SIDE * self.size());
        if points.is_empty() || excess < -allowed - slack {
            return Ok(());
        }
        let builder = ManifoldBuilder { axis: *most, ..*self };
        let is_missed = || left > slack || builder.is_on_both(&builder.closest());
        let threshold = (RIM_DEPTH * self.size()).max(point_tolerance(self.a, self.b));
        if left > threshold && is_missed() {
            reserve(out, 1, POINTS)?;
            builder.closest_point(out);
        } else {
            points.iter_mut().for_each(|contact| contact.gap -= excess);
        }
        Ok(())
    }

    /// Does the same along the axis of the points, where they are those of the octagon in the end of a cylinder.
    pub(super) fn complete_end(&self, start: usize, out: &mut Vec<ContactPoint>) -> Result<()> {
        match self.left_of_rims() > 0.0 && out.len() >= start + AREA {
            true => self.complete(&self.axis, start, out),
            false => Ok(()),
        }
    }

    /// Returns by how much the least gap exceeds the separation along `sharper`, and what the cosine between the two normals allows [m].
    fn excess(&self, sharper: &Axis, points: &[ContactPoint]) -> (f64, f64) {
        let deepest = deepest(points);
        let turn = 1.0 - self.axis.normal.dot(&sharper.normal).min(DISTINCT_NORMALS);
        let allowed = turn * (deepest.abs() + rounded(self.a) + rounded(self.b));
        (deepest - (sharper.separation - self.a.radius - self.b.radius), allowed)
    }

    /// Returns by how much the ends of cylinders are deeper than the octagons in them, at most what is allowed for a face [m].
    ///
    /// A rim is outside its octagon by at most `1 - cos 22.5` of the radius. Over that distance the other shape's face
    /// comes closer by the sine of the tilt between the two.
    fn left_of_rims(&self) -> f64 {
        let radius = |shape: &Polytope| if let PolytopeKind::Cylinder(round) = shape.kind { round.radius } else { 0.0 };
        let normal = self.axis.normal;
        let radii = radius(self.a) + radius(self.b);
        if radii == 0.0 {
            return 0.0;
        }
        let tilt = turned_away(self.a, &normal).max(turned_away(self.b, &-normal));
        let left = OFF_OCTAGON * radii * tilt;
        left.min(EDGE_PREFERENCE * self.a.size.min(self.b.size))
    }

    /// Appends the contact between two points of the shapes, if its gap is at most the margin. The points are those without the radii.
    #[inline]
    fn push(&self, on_a: &Vec3, on_b: &Vec3, feature: u64, out: &mut Vec<ContactPoint>) {
        let (normal, (r_a, r_b)) = (self.axis.normal, (self.a.radius, self.b.radius));
        let gap = normal.dot(&(on_b - on_a)) - r_a - r_b;
        if gap <= self.margin {
            let point = self.origin + 0.5 * (on_a + on_b + normal * (r_a - r_b));
            out.push(ContactPoint { point, normal, gap, feature: self.names.with(&[feature]), parts: NO_PARTS });
        }
    }

    /// Appends the contacts of a face of one shape with the feature of the other shape that faces it.
    fn face_points(&self, face: Face, buffers: &mut ClipBuffers, out: &mut Vec<ContactPoint>) -> Result<()> {
        let (own, other, index, outward, whose): (_, _, _, _, u64) = match face {
            Face::OfA(index) => (self.a, self.b, index, self.axis.normal, 0),
            Face::OfB(index) => (self.b, self.a, index, -self.axis.normal, 1),
        };
        let origin = own.first_corner(index);
        let slack = ON_SIDE * self.size();
        facing_feature(other, &-outward, &mut buffers.polygon)?;
        match own.kind {
            PolytopeKind::Cylinder(round) if buffers.polygon.len() == 2 => {
                clip_to_disc(buffers, (&own.center, &outward), round.radius, slack)?;
            }
            _ => clip(buffers, face_sides(own, index, &outward), slack)?,
        }
        // The feature that faces the other shape need not contain the corner that is closest to it.
        let nearest = nearest_corner(other, &-outward);
        let is_over = match own.kind {
            // Its octagon does not have all of an end.
            PolytopeKind::Cylinder(round) => is_over_disc(own, &outward, round.radius + slack, &nearest.point),
            _ => is_over_face(own, buffers.sides.iter().copied(), &outward, &nearest.point, slack),
        };
        if is_over {
            self.add_nearest(other, nearest, (&outward, &origin), &mut buffers.polygon)?;
        }
        if buffers.polygon.is_empty() {
            over_side(own, other, &outward, &mut buffers.polygon)?;
        }
        reserve(out, buffers.polygon.len(), POINTS)?;
        let names = Mixture::of(&[FACE, whose, index as u64]);
        for corner in &buffers.polygon {
            let foot = corner.point - outward * outward.dot(&(corner.point - origin));
            let (on_a, on_b) = if whose == 0 { (&foot, &corner.point) } else { (&corner.point, &foot) };
            self.push(on_a, on_b, names.with(&[corner.feature]), out);
        }
        Ok(())
    }

    /// Appends the point of a shape that is deepest over a face, with this normal and a point of it, to the other corners there.
    ///
    /// Where the end of a cylinder is flush, that is any point of its rim, by round-off. The octagon is then moved as deep as the rim.
    fn add_nearest(
        &self,
        other: &Polytope,
        nearest: Corner,
        (outward, origin): (&Vec3, &Vec3),
        polygon: &mut Vec<Corner>,
    ) -> Result<()> {
        let height = |corner: &Corner| outward.dot(&(corner.point - origin));
        let reach = self.margin + self.a.radius + self.b.radius;
        let touching = polygon.iter().filter(|corner| height(corner) <= reach).count();
        let lowest = polygon.iter().map(height).fold(f64::INFINITY, f64::min);
        let rim = lowest - height(&nearest);
        let is_end = matches!(other.kind, PolytopeKind::Cylinder(_)) && touching >= AREA;
        if is_end && rim <= RIM_DEPTH * self.size() {
            polygon.iter_mut().for_each(|corner| corner.point -= outward * rim.max(0.0));
            return Ok(());
        }
        push(polygon, nearest, POINTS)
    }

    /// Appends the ends of the common part of two edges that lie along each other.
    fn edge_points(&self, out: &mut Vec<ContactPoint>) {
        let normal = self.axis.normal;
        let (Some(edge_a), Some(edge_b)) = (lying_edge(self.a, &normal, LYING), lying_edge(self.b, &-normal, LYING))
        else {
            return;
        };
        let limit = EDGE_SHIFT * self.size();
        let mut fractions = [0.0, 1.0].map(|end| fraction_of(&edge_a, &at(&edge_b, end)));
        fractions.sort_by(f64::total_cmp);
        if (fractions[1] - fractions[0]) * (edge_a[1] - edge_a[0]).norm() <= limit {
            return;
        }
        let pairs = fractions.map(|fraction| {
            let on_a = at(&edge_a, fraction);
            (on_a, at(&edge_b, fraction_of(&edge_b, &on_a)))
        });
        let passes = |(on_a, on_b): &(Vec3, Vec3)| (on_b - on_a).cross(&normal).norm() > limit;
        if pairs.iter().any(passes) {
            return;
        }
        let (r_a, r_b) = (self.a.radius, self.b.radius);
        for (end, (on_a, on_b)) in pairs.iter().enumerate() {
            let feature = mixed(&[PARALLEL, end as u64]);
            if r_a > 0.0 && r_b > 0.0 {
                // Two capsules: each end is a ball against the other, with a normal of its own.
                let [a, b] = [(*on_a, r_a), (*on_b, r_b)].map(|(center, radius)| Ball { center, radius });
                let contact = sphere_sphere(&a, &b, self.margin, &normal);
                let placed = |contact: ContactPoint| ContactPoint {
                    point: self.origin + contact.point,
                    feature: self.names.with(&[feature]),
                    ..contact
                };
                out.extend(contact.map(placed));
            } else {
                self.push(on_a, on_b, feature, out);
            }
        }
    }

    /// Returns the closest points. If the farthest point of one shape is not over the other one, that of the other is taken.
    fn closest(&self) -> [Vec3; 2] {
        let witness = self.axis.witness.and_then(|witness| witness.points(self.a, self.b));
        witness.unwrap_or_else(|| {
            let (normal, apart) = (self.axis.normal, self.axis.normal * self.axis.separation);
            let (on_a, on_b) = (self.a.support(&normal), self.b.support(&-normal));
            let (of_a, of_b) = ([on_a, on_a + apart], [on_b - apart, on_b]);
            let [first, second] = if let Some(Face::OfB(_)) = self.axis.face { [of_a, of_b] } else { [of_b, of_a] };
            if !self.is_on_both(&first) && self.is_on_both(&second) { second } else { first }
        })
    }

    /// Returns whether shapes that have faces contain their points, to the slack of corners.
    fn is_on_both(&self, points: &[Vec3; 2]) -> bool {
        let slack = ON_SIDE * self.size();
        let is_on = |(shape, point): (&Polytope, &Vec3)| shape.face_count() == 0 || shape.contains(point, slack);
        [self.a, self.b].into_iter().zip(points).all(is_on)
    }

    /// Appends the contact at the closest points.
    fn closest_point(&self, out: &mut Vec<ContactPoint>) {
        let normal = self.axis.normal;
        let [on_a, on_b] = self.closest();
        // The separation is more accurate than the points.
        let middle = 0.5 * (on_a + on_b);
        let half = normal * (0.5 * self.axis.separation);
        self.push(&(middle - half), &(middle + half), mixed(&[CLOSEST]), out);
    }
}

/// Returns the radius about the axis of a cylinder or capsule [m]. It enters the change of a gap with the normal.
fn rounded(shape: &Polytope) -> f64 {
    let of_side = if let PolytopeKind::Cylinder(round) = shape.kind { round.radius } else { 0.0 };
    shape.radius + of_side
}
