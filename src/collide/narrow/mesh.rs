//! A bounded convex shape with a mesh: contacts with each triangle near it, except at inner edges of the surface.
//!
//! A contact at an edge or corner counts only where the surface falls away on all sides of it (it is a local minimum of
//! the distance). Elsewhere a neighbouring triangle is closer, and has the contact. A flat floor therefore has one
//! normal, however it is divided into triangles. At the bottom of a valley each side may leave the contact to the other
//! one. So what was left is looked at again after all triangles.

use super::axis::{Axis, Face, point_tolerance};
use super::contact::{ContactPoint, Mixture, POINTS, Placed, mixed};
use super::convex::{ManifoldBuilder, NarrowWorkspace};
use super::expand::ExpandBuffers;
use super::feature::ClipBuffers;
use super::left_out::LeftOut;
use super::polytope::{Polytope, PolytopeKind};
use super::reduce::keep_spread;
use super::separation::{Separation, greatest_separation};
use crate::collide::filter::Ball;
use crate::error::{Result, push, reserve};
use crate::math::{Aabb, Pose, Vec3};
use crate::shape::{Mesh, Shape};

/// The cosine above which a normal at an edge counts as that of the face: 1.4e-6 rad [-].
const FACE_ON: f64 = 1.0 - 1e-12;
/// A face may replace an inner edge if its depth is at most this many times the least overlap [-].
const DEEPER: f64 = 2.0;
/// The largest slope to the contact plane at which a neighbour counts as lying in it [-].
const RISE: f64 = 1e-6;
/// Cosine above which two triangles lie in one plane [-].
const COPLANAR: f64 = 1.0 - 1e-12;

/// An overlap counts as resolved by contacts of at least this part of its depth [-].
const RESOLVED: f64 = 0.5;
/// Points closer than this are at one place, over the size of the shape [-].
const SAME_PLACE: f64 = 1e-5;

/// A triangle of a mesh, in the axes of a pair.
#[derive(Debug, Clone, Copy)]
struct Facet<'a> {
    mesh: &'a Mesh,
    /// From body axes to world axes.
    pose: &'a Pose,
    /// The origin of the pair's axes, world axes [m].
    origin: Vec3,
    /// The position of the mesh relative to that origin [m].
    offset: Vec3,
    /// The index of the triangle in the mesh.
    index: u32,
    /// [m]
    corners: [Vec3; 3],
    /// The unit normal of one side; the other side has the opposite one.
    normal: Vec3,
}

/// The triangle that owns a contact along some normal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ContactOwner {
    /// This triangle: its neighbours lie below the contact plane.
    This,
    /// A neighbour in the same plane, which rises above the contact plane: this is an inner edge of a flat part.
    FlatNeighbour,
    /// A neighbour in another plane, which rises above the contact plane.
    Neighbour,
}

impl<'a> Facet<'a> {
    /// Returns triangle `index` of a mesh at `pose`, with positions relative to `origin`.
    fn new(mesh: &'a Mesh, pose: &'a Pose, origin: &Vec3, index: u32) -> Self {
        let offset = pose.origin - origin;
        let corners = mesh.triangle(index).map(|corner| offset + pose.matrix * corner);
        Self { mesh, pose, origin: *origin, offset, index, corners, normal: unit_normal(&corners) }
    }

    /// Returns the triangle that owns a contact with this unit `normal`, which points out of this triangle. `touching`
    /// are the corners that are farthest in its direction.
    fn owner(&self, normal: &Vec3, touching: [bool; 3]) -> ContactOwner {
        let mut owner = ContactOwner::This;
        for (_, corners) in self.rising(normal, touching) {
            if unit_normal(&corners).dot(&self.normal).abs() < COPLANAR {
                return ContactOwner::Neighbour;
            }
            owner = ContactOwner::FlatNeighbour;
        }
        owner
    }

    /// Returns the neighbours at the `touching` corners that rise above the plane through them with this unit `normal`,
    /// and their corners. There is none if all three corners touch.
    fn rising(&self, normal: &Vec3, touching: [bool; 3]) -> impl Iterator<Item = (u32, [Vec3; 3])> {
        let places = self.mesh.places(self.index);
        let first = touching.iter().position(|is_touching| *is_touching).filter(|_| touching != [true; 3]);
        let around = first.map_or(&[][..], |first| self.mesh.triangles_at(places[first]));
        let (origin, normal) = (self.corners[first.unwrap_or(0)], *normal);
        around.iter().copied().filter(|index| *index != self.index).filter_map(move |neighbour| {
            let shared = self.mesh.places(neighbour);
            let shares_all =
                places.iter().zip(touching).all(|(place, is_touching)| !is_touching || shared.contains(place));
            let corners = self.mesh.triangle(neighbour).map(|corner| self.offset + self.pose.matrix * corner);
            let rises = corners.iter().any(|corner| {
                let arm = corner - origin;
                normal.dot(&arm) > RISE * arm.norm()
            });
            (shares_all && rises).then_some((neighbour, corners))
        })
    }

    /// Returns whether each corner is among those farthest in a direction. Corners with a small slope between them
    /// count as equally far.
    fn touching(&self, direction: &Vec3) -> [bool; 3] {
        let reach = self.corners.map(|corner| direction.dot(&corner));
        let farthest = reach.into_iter().fold(f64::NEG_INFINITY, f64::max);
        let size = (self.corners[1] - self.corners[0]).norm().max((self.corners[2] - self.corners[0]).norm());
        reach.map(|reach| reach >= farthest - RISE * size)
    }

    /// Returns whether this triangle owns the contact points along its normal. If all of them lie on one edge, it does
    /// so only if the neighbour at that edge does not rise. A box that slides off a closed surface can therefore move
    /// down along its side.
    fn owns_points(&self, axis: &Axis, points: &[ContactPoint], slack: f64) -> bool {
        if points.is_empty() || axis.normal.dot(&self.normal).abs() < FACE_ON {
            return true;
        }
        self.edges_of(points, slack).all(|ends| self.owner(&axis.normal, ends) == ContactOwner::This)
    }

    /// Returns the edges on which all points lie, each by the corners at its ends.
    fn edges_of(&self, points: &[ContactPoint], slack: f64) -> impl Iterator<Item = [bool; 3]> {
        let on_line = |from: usize| {
            let (start, end) = (self.corners[from], self.corners[(from + 1) % 3]);
            let along = end - start;
            let distance = |point: &ContactPoint| {
                let on_own = point.point - self.origin - point.normal * (0.5 * point.gap);
                (on_own - start).cross(&along).norm()
            };
            points.iter().all(|point| distance(point) <= slack.max(RISE * along.norm()) * along.norm())
        };
        let is_on = [on_line(0), on_line(1), on_line(2)];
        (0..3).filter(move |from| is_on[*from]).map(|from| {
            let mut ends = [true; 3];
            ends[(from + 2) % 3] = false;
            ends
        })
    }

    /// Returns the point of the triangle that is closest to `point` (Ericson, Real-Time Collision Detection, 5.1.5).
    /// Also returns the corners of the vertex, edge or face on which it lies.
    fn closest_point(&self, point: &Vec3) -> (Vec3, [bool; 3]) {
        let [a, b, c] = self.corners;
        let (ab, ac, ap, bp, cp) = (b - a, c - a, point - a, point - b, point - c);
        let (d1, d2, d3, d4) = (ab.dot(&ap), ac.dot(&ap), ab.dot(&bp), ac.dot(&bp));
        let (d5, d6) = (ab.dot(&cp), ac.dot(&cp));
        if d1 <= 0.0 && d2 <= 0.0 {
            return (a, [true, false, false]);
        }
        if d3 >= 0.0 && d4 <= d3 {
            return (b, [false, true, false]);
        }
        if d6 >= 0.0 && d5 <= d6 {
            return (c, [false, false, true]);
        }
        let (va, vb, vc) = (d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2);
        if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
            return (a + ab * (d1 / (d1 - d3)), [true, true, false]);
        }
        if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
            return (a + ac * (d2 / (d2 - d6)), [true, false, true]);
        }
        if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
            return (b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6))), [false, true, true]);
        }
        (point - self.normal * self.normal.dot(&ap), [true; 3])
    }
}

fn unit_normal([a, b, c]: &[Vec3; 3]) -> Vec3 {
    (b - a).cross(&(c - a)).try_normalize(0.0).unwrap_or_else(Vec3::z)
}

/// Appends the contacts of a convex shape, a, with a mesh, b.
pub(super) fn shape_mesh(
    a: Placed,
    mesh: &Mesh,
    pose: &Pose,
    margin: f64,
    workspace: &mut NarrowWorkspace,
    out: &mut Vec<ContactPoint>,
) -> Result<()> {
    let NarrowWorkspace { expand, clip: buffers, triangles, found, left_out, .. } = workspace;
    let origin = a.pose.origin;
    let Some(shape) = Polytope::new(a, &origin) else { return Ok(()) };
    found.clear();
    left_out.clear();
    mesh.triangles_in(&region(a, pose, margin), triangles)?;
    let facet = |index: u32| Facet::new(mesh, pose, &origin, index);
    // Only the triangles with a contact stay in the list.
    let mut kept = 0;
    for at in 0..triangles.len() {
        let (index, start) = (triangles[at], found.len());
        if let Shape::Sphere(sphere) = a.shape {
            reserve(found, 1, POINTS)?;
            found.extend(facet_sphere(&facet(index), sphere.radius, margin, &origin));
        } else {
            facet_convex(&facet(index), &shape, margin, (expand, buffers), &mut Found { found, left_out })?;
        }
        if found.len() > start {
            triangles[kept] = index;
            kept += 1;
        }
    }
    triangles.truncate(kept);
    take_back(facet, &shape, (margin, buffers), triangles, &mut Found { found, left_out })?;
    keep_spread(found, 0, shape.size + shape.radius)?;
    reserve(out, found.len(), POINTS)?;
    out.extend(found.iter().map(|contact| contact.flipped()));
    Ok(())
}

/// Returns the bounds of the shape in the axes of the mesh, grown by the margin.
fn region(a: Placed, pose: &Pose, margin: f64) -> Aabb {
    let relative = Pose::new(pose.to_local(&a.pose.origin), pose.rotation.inverse() * a.pose.rotation);
    // The slack covers the round-off of the rotation and the translation.
    let slack = 1e-14 * (relative.origin.amax() + a.shape.bounding_radius());
    a.shape.bounds(&relative).grown(margin + slack)
}

/// Returns the contact of a triangle, a, with a ball, b, about the origin of the axes.
fn facet_sphere(facet: &Facet, radius: f64, margin: f64, origin: &Vec3) -> Option<ContactPoint> {
    let (closest, part) = facet.closest_point(&Vec3::zeros());
    let arm = -closest;
    let distance = arm.norm();
    if distance - radius > margin {
        return None;
    }
    let side = facet.normal * 1f64.copysign(facet.normal.dot(&arm));
    let along = if distance > 0.0 { arm / distance } else { side };
    let face_on = part == [true; 3] || along.dot(&side) >= FACE_ON;
    if !face_on && facet.owner(&along, part) != ContactOwner::This {
        return None;
    }
    let (outward, distance) = if face_on { (side, side.dot(&-facet.corners[0])) } else { (along, distance) };
    let contact = ContactPoint::of_ball(&Ball { center: *origin, radius }, distance, &outward, margin)?;
    Some(ContactPoint { feature: mixed(&[u64::from(facet.index)]), ..contact }.flipped())
}

/// The contacts found so far, and the triangles that left theirs to neighbours.
struct Found<'a> {
    found: &'a mut Vec<ContactPoint>,
    left_out: &'a mut Vec<LeftOut>,
}

/// Appends the contacts of a triangle, a, with a convex shape, b.
fn facet_convex(
    facet: &Facet,
    shape: &Polytope,
    margin: f64,
    (expand, buffers): (&mut ExpandBuffers, &mut ClipBuffers),
    Found { found, left_out }: &mut Found,
) -> Result<()> {
    let normals = [facet.normal, -facet.normal];
    let triangle = Polytope::of_triangle(&facet.corners, &normals);
    let separation = match find_face_axis(facet, &triangle, shape) {
        None => greatest_separation(&triangle, shape, margin + shape.radius, expand)?,
        found => found,
    };
    let Some(Separation { axis, sharper }) = separation else { return Ok(()) };
    let overlap = shape.radius - sharper.unwrap_or(axis).separation;
    let slack = point_tolerance(&triangle, shape);
    let mut at_edge = None;
    let names = Mixture::of(&[u64::from(facet.index) + 1]);
    let start = found.len();
    for (axis, last) in [(Some(axis), sharper.is_none()), (sharper, true)] {
        let Some((axis, certain)) = axis.and_then(|axis| own_axis(facet, shape, axis, slack)) else { continue };
        let builder = ManifoldBuilder {
            a: &triangle,
            b: shape,
            axis,
            margin,
            origin: facet.origin,
            certain: certain && last,
            names,
        };
        builder.points(buffers, found)?;
        if !facet.owns_points(&axis, &found[start..], slack) {
            found.truncate(start);
            at_edge = at_edge.or(Some(axis));
        }
        match sharper.filter(|sharper| !last && builder.misses(sharper, &found[start..])) {
            Some(_) => found.truncate(start),
            None => break,
        }
    }
    if found.len() == start && (at_edge.is_some() || overlap > slack) {
        let axis = at_edge.unwrap_or_else(|| face_axis(facet, shape, 0.0));
        push(left_out, LeftOut { index: facet.index, axis, overlap, is_at_edge: at_edge.is_some() }, POINTS)?;
    }
    Ok(())
}

/// Appends contacts of triangles that left them to neighbours which have none either. `kept` are the triangles that have
/// contacts, in ascending order.
fn take_back<'a>(
    facet: impl Fn(u32) -> Facet<'a>,
    shape: &Polytope,
    (margin, buffers): (f64, &mut ClipBuffers),
    kept: &[u32],
    Found { found, left_out }: &mut Found,
) -> Result<()> {
    let build = |left: &LeftOut, certain: bool, buffers: &mut ClipBuffers, found: &mut Vec<ContactPoint>| {
        let facet = facet(left.index);
        let normals = [facet.normal, -facet.normal];
        let (axis, origin, names) = (left.axis, facet.origin, Mixture::of(&[u64::from(left.index) + 1]));
        let triangle = &Polytope::of_triangle(&facet.corners, &normals);
        ManifoldBuilder { a: triangle, b: shape, axis, margin, origin, certain, names }.points(buffers, found)
    };
    let before = found.len();
    for left in left_out.iter().filter(|left| left.is_at_edge) {
        let start = found.len();
        build(left, false, buffers, found)?;
        let (others, points) = found.split_at(start);
        if is_left_to_others(&facet(left.index), shape, (kept, &left.axis), points, &others[..before]) {
            found.truncate(start);
        }
    }
    let deepest = |found: &[ContactPoint]| found.iter().map(|contact| contact.gap).fold(f64::INFINITY, f64::min);
    // The least depth of the faces comes first: a body that sank into a valley comes out upwards, not sideways.
    left_out.sort_unstable_by(|one, other| {
        other.axis.separation.total_cmp(&one.axis.separation).then(one.index.cmp(&other.index))
    });
    let overlaps = |left: &&LeftOut| !left.is_at_edge && left.overlap > 0.0;
    for left in left_out.iter().filter(overlaps) {
        if deepest(found) > -RESOLVED * left.overlap {
            build(left, false, buffers, found)?;
        }
    }
    match left_out.iter().find(overlaps) {
        Some(left) if found.is_empty() => build(left, true, buffers, found),
        _ => Ok(()),
    }
}

/// Returns whether others have the contact of a triangle whose `points` are on its edge: a neighbour that rises there, or
/// one of the `others` at the same place of the shape.
fn is_left_to_others(
    facet: &Facet,
    shape: &Polytope,
    (kept, axis): (&[u32], &Axis),
    points: &[ContactPoint],
    others: &[ContactPoint],
) -> bool {
    let size = shape.size + shape.radius;
    let on_shape = |contact: &ContactPoint| contact.point + contact.normal * (0.5 * contact.gap);
    let near = |one: &ContactPoint, other: &ContactPoint| (on_shape(one) - on_shape(other)).norm() <= SAME_PLACE * size;
    let is_kept =
        |ends: [bool; 3]| facet.rising(&axis.normal, ends).any(|(index, _)| kept.binary_search(&index).is_ok());
    let triangle_size = facet.corners.map(|corner| (corner - facet.corners[0]).norm()).into_iter().fold(0.0, f64::max);
    let slack = SAME_PLACE * size.min(triangle_size);
    points.iter().any(|point| others.iter().any(|other| near(point, other)))
        || facet.edges_of(points, slack).any(is_kept)
}

/// Returns the axis along which the triangle touches the shape, and whether there certainly is a contact.
///
/// If the triangle owns the contact along `axis`, the result is `axis`, and the contact is certain. At an inner edge
/// the axis of the face replaces it, if the face is not much deeper. If the neighbour is in the same plane, the face may
/// be deeper by any amount where the triangle overlaps the shape: the depth at the edge says little. But where it does
/// not, neither may the face. Otherwise the result is `None`.
fn own_axis(facet: &Facet, shape: &Polytope, axis: Axis, slack: f64) -> Option<(Axis, bool)> {
    if matches!(axis.face, Some(Face::OfA(_))) {
        return Some((axis, true));
    }
    let owner = facet.owner(&axis.normal, facet.touching(&axis.normal));
    if owner == ContactOwner::This {
        return Some((axis, true));
    }
    let of_face = face_axis(facet, shape, 0.0);
    let gap = axis.separation - shape.radius;
    let min_separation = (DEEPER * gap).min(0.0) - slack;
    let is_any_depth = owner == ContactOwner::FlatNeighbour && gap <= slack;
    let credible = is_any_depth || of_face.separation - shape.radius >= min_separation;
    credible.then_some((of_face, false))
}

/// Returns the axis of the side of a triangle, a, that separates a shape, b, more. The lower side must be better by
/// `tolerance` [m].
fn face_axis(facet: &Facet, shape: &Polytope, tolerance: f64) -> Axis {
    let height = |normal: &Vec3| normal.dot(&(shape.support(&-normal) - facet.corners[0]));
    let (up, down) = (height(&facet.normal), height(&-facet.normal));
    let lower = down > up + tolerance;
    let (face, normal, separation) = if lower { (1, -facet.normal, down) } else { (0, facet.normal, up) };
    Axis { normal, separation, face: Some(Face::OfA(face)), witness: None }
}

/// Returns the axis of a triangle, a, and a shape, b, if no search is needed to show that it is the normal N of the
/// triangle. This holds if the triangle lies inside the shape, or flush below it.
///
/// Let N separate by s, and c be the triangle's middle, with a disc of radius r about it inside. A unit n at the angle
/// t to N separates by at most n.(y - c) - r sin t, for any y of the shape. If y = c + sN is one, that is at most s for
/// s >= 0. For s = -d < 0 there are two bounds: -d cos t - r sin t, and with y = c + dN d cos t - r sin t. One of
/// the two is at most -d for every t where d <= r.
fn find_face_axis(facet: &Facet, triangle: &Polytope, shape: &Polytope) -> Option<Separation> {
    let tolerance = point_tolerance(triangle, shape);
    let axis = face_axis(facet, shape, tolerance);
    let Axis { normal, separation, .. } = axis;
    let middle = triangle.center;
    if !contains(shape, &(middle + normal * separation), tolerance) {
        return None;
    }
    if separation < 0.0 {
        let [a, b, c] = facet.corners;
        let longest = (b - a).norm().max((c - b).norm()).max((a - c).norm());
        // The distance of a side from the middle is a third of the height over it.
        let radius = (b - a).cross(&(c - a)).norm() / (3.0 * longest);
        if -separation > radius || !contains(shape, &(middle - normal * separation), tolerance) {
            return None;
        }
    }
    Some(Separation { axis, sharper: None })
}

/// Returns whether a shape without a radius contains a point, or is within `tolerance` [m] of it.
fn contains(shape: &Polytope, point: &Vec3, tolerance: f64) -> bool {
    if let PolytopeKind::Cylinder(round) = shape.kind {
        let arm = point - shape.center;
        let along = round.axis.dot(&arm);
        let across = (arm - round.axis * along).norm();
        return along.abs() <= round.half_axis.norm() + tolerance && across <= round.radius + tolerance;
    }
    let below = |face: usize| shape.normal(face).dot(&(point - shape.first_corner(face))) <= tolerance;
    shape.radius == 0.0 && shape.face_count() > 0 && (0..shape.face_count()).all(below)
}
