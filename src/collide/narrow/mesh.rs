//! A bounded convex shape with a mesh: contacts with each triangle near it, except at inner edges of the surface.
//!
//! A contact at an edge or corner counts only where the surface falls away on all sides of it (it is a local minimum of
//! the distance). Elsewhere a neighbouring triangle is closer, and has the contact. A flat floor therefore has one
//! normal, however it is divided into triangles. At the bottom of a valley each side may leave the contact to the other
//! one. So what was left is looked at again after all triangles.

use std::ops::Range;

use super::axis::{Axis, Face, point_tolerance};
use super::contact::{ContactPoint, Mixture, POINTS, Placed, deepest, mixed};
use super::convex::{ManifoldBuilder, NarrowWorkspace};
use super::crossing::Surface;
use super::expand::ExpandBuffers;
use super::facet::{ContactOwner, FACE_ON, Facet};
use super::feature::ClipBuffers;
use super::inner_edge::{OnFace, drop_folded, drop_inner, is_on_face_of_shape, keep_on_face};
use super::left_out::{LeftOut, StandIn};
use super::pierced::clear_axis;
use super::polytope::Polytope;
use super::reduce::keep_spread;
use super::separation::{Separation, greatest_separation};
use crate::collide::filter::Ball;
use crate::error::{Result, push, reserve};
use crate::math::{Aabb, Pose, Vec3};
use crate::shape::{Mesh, Shape};

/// A face may replace an inner edge if its depth is at most this many times the least overlap [-].
const DEEPER: f64 = 2.0;
/// A triangle that overlaps a shape by less only touches it, over the size of the shape: how deep its plane is in the
/// shape says nothing then [-].
const SHALLOW: f64 = 1e-9;
/// A contact is lost if all others have gaps that are larger by this, over the size of the shape [-] ...
const LOST: f64 = 1e-9;
/// ... and if it is no deeper than this. What a single triangle overlaps says little where many of them do [-].
const SLIGHT: f64 = 1e-3;
/// An overlap counts as resolved by contacts of at least this part of its depth [-].
const RESOLVED: f64 = 0.5;
/// An overlap above this part of the extent of a shape along a normal is large [-].
const LARGE: f64 = 0.1;
/// Points closer than this are at one place, over the size of the shape [-].
const SAME_PLACE: f64 = 1e-5;

/// Appends the contacts of a convex shape, a, with a mesh, b.
pub(super) fn shape_mesh(
    a: Placed,
    mesh: &Mesh,
    pose: &Pose,
    margin: f64,
    workspace: &mut NarrowWorkspace,
    out: &mut Vec<ContactPoint>,
) -> Result<()> {
    let NarrowWorkspace { expand, clip: buffers, triangles, pierce, found, left_out, stand_ins, .. } = workspace;
    let origin = a.pose.origin;
    let Some(mut shape) = Polytope::new(a, &origin) else { return Ok(()) };
    found.clear();
    left_out.clear();
    stand_ins.clear();
    mesh.triangles_in(&region(a, pose, margin), triangles)?;
    let facet = |index: u32| Facet::new(mesh, pose, &origin, index);
    let surface = Surface { mesh, pose, origin: &origin };
    let meeting = clear_axis(&mut shape, &surface, (margin, triangles), pierce)?;
    let is_capsule = meeting.is_capsule;
    let own_margin = margin;
    let margin = own_margin + meeting.push.norm();
    // Only the triangles with a contact stay in the list.
    let (mut kept, mut nearest, mut of_ball) = (0, None, None);
    for at in 0..triangles.len() {
        let (index, start) = (triangles[at], found.len());
        if let Shape::Sphere(sphere) = a.shape {
            reserve(found, 1, POINTS)?;
            let ball = Ball { center: origin, radius: sphere.radius };
            found.extend(facet_sphere(&facet(index), &ball, margin, &mut of_ball));
        } else {
            let found = &mut Found { found, left_out, stand_ins, nearest: &mut nearest, is_capsule };
            facet_convex(&facet(index), &shape, margin, (expand, buffers), found)?;
        }
        if found.len() > start {
            triangles[kept] = index;
            kept += 1;
        }
    }
    triangles.truncate(kept);
    // The closest point of a surface is one of contact, also where round-off says that each triangle has a closer neighbour.
    let is_lost = |left: &ContactPoint| deepest(found) > left.gap + LOST * (shape.size + shape.radius);
    if let Some(left) = of_ball.filter(is_lost) {
        push(found, left, POINTS)?;
    }
    drop_stand_ins(found, stand_ins);
    take_back(
        facet,
        &shape,
        (margin, buffers),
        triangles,
        &mut Found { found, left_out, stand_ins, nearest: &mut nearest, is_capsule },
    )?;
    meeting.complete(found, &shape, &surface, own_margin)?;
    keep_spread(found, 0, shape.size + shape.radius)?;
    reserve(out, found.len(), POINTS)?;
    out.extend(found.iter().map(|contact| contact.flipped()));
    Ok(())
}

/// Returns the bounds of the shape in the axes of the mesh, grown by the margin.
pub(super) fn region(a: Placed, pose: &Pose, margin: f64) -> Aabb {
    let relative = Pose::new(pose.to_local(&a.pose.origin), pose.rotation.inverse() * a.pose.rotation);
    // The slack covers the round-off of the rotation and the translation.
    let slack = 1e-14 * (relative.origin.amax() + a.shape.bounding_radius());
    a.shape.bounds(&relative).grown(margin + slack)
}

/// Returns the contact of a triangle, a, with a ball, b, about the origin of the axes. Where a neighbour is closer to the ball, the
/// contact is written to `left` instead, if it is the deepest one of these.
fn facet_sphere(facet: &Facet, ball: &Ball, margin: f64, left: &mut Option<ContactPoint>) -> Option<ContactPoint> {
    let (closest, part) = facet.closest_point(&Vec3::zeros());
    let arm = -closest;
    let distance = arm.norm();
    if distance - ball.radius > margin {
        return None;
    }
    let side = facet.normal * 1f64.copysign(facet.normal.dot(&arm));
    let along = if distance > 0.0 { arm / distance } else { side };
    let face_on = part == [true; 3] || along.dot(&side) >= FACE_ON;
    let (outward, distance) = if face_on { (side, side.dot(&-facet.corners[0])) } else { (along, distance) };
    let contact = ContactPoint::of_ball(ball, distance, &outward, margin)?;
    let contact = ContactPoint { feature: mixed(&[u64::from(facet.index)]), ..contact }.flipped();
    let center = Vec3::zeros();
    let is_closer = || facet.has_closer_neighbour(&center, part) || facet.is_on_closer(&closest, &center);
    let is_left = || facet.rising(along, part).next().is_some() || facet.is_among_thin() && is_closer();
    if !face_on && is_left() {
        *left = left.filter(|left| left.gap <= contact.gap).or(Some(contact));
        return None;
    }
    Some(contact)
}

/// The contacts found so far, and the triangles that left theirs to neighbours.
struct Found<'a> {
    found: &'a mut Vec<ContactPoint>,
    left_out: &'a mut Vec<LeftOut>,
    stand_ins: &'a mut Vec<StandIn>,
    /// The nearest triangle that left its contact to neighbours, with the axis that separates it most.
    nearest: &'a mut Option<LeftOut>,
    /// Whether the shape is a capsule. Its axis passes through no triangle, but may touch edges.
    is_capsule: bool,
}

/// Appends the contacts of a triangle, a, with a convex shape, b.
fn facet_convex(
    facet: &Facet,
    shape: &Polytope,
    margin: f64,
    (expand, buffers): (&mut ExpandBuffers, &mut ClipBuffers),
    Found { found, left_out, stand_ins, nearest, is_capsule }: &mut Found,
) -> Result<()> {
    let normals = [facet.normal, -facet.normal];
    let triangle = Polytope::of_triangle(&facet.corners, &normals);
    let separation = separation(facet, &triangle, shape, margin, expand)?;
    let Some(Separation { axis, sharper }) = separation else { return Ok(()) };
    let slack = point_tolerance(&triangle, shape);
    let names = Mixture::of(&[u64::from(facet.index) + 1]);
    let (start, mut at_edge) = (found.len(), None);
    for (axis, last) in [(Some(axis), sharper.is_none()), (sharper, true)] {
        let Some(axis) = axis else { continue };
        let builder =
            ManifoldBuilder { a: &triangle, b: shape, axis, margin, origin: facet.origin, certain: false, names };
        let sharper = sharper.filter(|_| !last);
        let owner = owner_along(facet, &axis);
        if is_on_face_of_shape(owner, &axis) {
            builder.points(buffers, found)?;
            match keep_on_face(facet, &builder, sharper, (start, slack), found) {
                OnFace::Lies => return Ok(()),
                OnFace::Missed => continue,
                OnFace::None => {}
            }
        }
        let Some(own) = own_axis(facet, shape, (axis, owner), (slack, *is_capsule)) else { continue };
        let axis = own.axis;
        let builder = ManifoldBuilder { axis, certain: own.certain && last, ..builder };
        builder.points(buffers, found)?;
        if drop_folded(facet, &builder, start, (found, nearest)) {
            return Ok(());
        }
        if is_of_neighbours(facet, shape, &axis, &found[start..], slack)
            || drop_inner(facet, &axis, slack, start, found)
        {
            found.truncate(start);
            at_edge = at_edge.or(Some(axis));
        }
        if sharper.is_some_and(|sharper| builder.misses(&sharper, &found[start..])) {
            found.truncate(start);
            continue;
        }
        if own.certain {
            complete(facet, &builder, sharper, start, found)?;
        }
        if own.stands_in && found.len() > start {
            push(stand_ins, stand_in(facet, shape, axis, start..found.len()), POINTS)?;
        }
        break;
    }
    if found.len() > start {
        return Ok(());
    }
    leave(facet, shape, sharper.unwrap_or(axis), at_edge, (left_out, nearest))
}

/// Makes the least gap of a triangle's points that of the triangle: along its axis, or along the one that is `sharper`.
fn complete(
    facet: &Facet,
    builder: &ManifoldBuilder,
    sharper: Option<Axis>,
    start: usize,
    found: &mut Vec<ContactPoint>,
) -> Result<()> {
    match sharper {
        Some(sharper) if owner_along(facet, &sharper) == ContactOwner::This => builder.complete(&sharper, start, found),
        // At an inner edge a neighbour is closer than this triangle.
        Some(_) => Ok(()),
        None => builder.complete_end(start, found),
    }
}

/// Notes that a triangle has no contacts. `free` is the axis that separates it most from the shape, `at_edge` the one along which it
/// had points on its edge only.
fn leave(
    facet: &Facet,
    shape: &Polytope,
    free: Axis,
    at_edge: Option<Axis>,
    (left_out, nearest): (&mut Vec<LeftOut>, &mut Option<LeftOut>),
) -> Result<()> {
    let left = LeftOut::of(facet.index, free, shape);
    left.note(nearest);
    if at_edge.is_some() || left.overlap > shallow(shape) {
        let axis = at_edge.unwrap_or_else(|| facet.nearer_side(shape, 0.0));
        push(left_out, LeftOut { axis, is_at_edge: at_edge.is_some(), ..left }, POINTS)?;
    }
    Ok(())
}

/// Returns what stands in for an edge: the contacts of a face along `axis`, with these places among those found.
fn stand_in(facet: &Facet, shape: &Polytope, axis: Axis, places: Range<usize>) -> StandIn {
    let depth = shape.radius - axis.separation;
    let is_large = depth > LARGE * facet.extent(shape);
    StandIn { first: places.start, end: places.end, axis, depth, is_large, is_beside: false }
}

/// Returns whether neighbours have the contact points along the normal of a triangle.
fn is_of_neighbours(facet: &Facet, shape: &Polytope, axis: &Axis, points: &[ContactPoint], slack: f64) -> bool {
    let is_face_on = axis.normal.dot(&facet.normal).abs() >= FACE_ON;
    is_face_on && !points.is_empty() && facet.owners(shape, axis, points, slack).next().is_some()
}

/// Appends contacts of triangles that left them to neighbours which have none either, or none that overlaps. `kept` are the triangles that have
/// contacts, in ascending order.
fn take_back<'a>(
    facet: impl Fn(u32) -> Facet<'a>,
    shape: &Polytope,
    (margin, buffers): (f64, &mut ClipBuffers),
    kept: &[u32],
    Found { found, left_out, nearest, .. }: &mut Found,
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
    // A contact with a gap does not undo an overlap.
    match left_out.iter().find(overlaps) {
        Some(left) if deepest(found) > 0.0 => build(left, true, buffers, found)?,
        _ => {}
    }
    // Two triangles that only touch a shape at their common edge may each leave the contact to the other.
    let size = shape.size + shape.radius;
    let is_lost = |left: &&LeftOut| {
        let slack = (LOST * size).max(RESOLVED * left.overlap);
        left.overlap < SLIGHT * size && deepest(found) > slack - left.overlap
    };
    match nearest.as_ref().filter(is_lost) {
        Some(left) => build(left, true, buffers, found),
        None => Ok(()),
    }
}

/// Returns whether others have the contact of a triangle whose `points` are on its edge. It may be a neighbour that rises
/// there, or one of the `others` at the same place of the shape.
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
    let is_kept = |index: u32| kept.binary_search(&index).is_ok();
    let triangle_size = facet.corners.map(|corner| (corner - facet.corners[0]).norm()).into_iter().fold(0.0, f64::max);
    let slack = SAME_PLACE * size.min(triangle_size);
    points.iter().any(|point| others.iter().any(|other| near(point, other)))
        || facet.owners(shape, axis, points, slack).any(is_kept)
}

/// Returns the overlap up to which a triangle and a shape only touch [m].
fn shallow(shape: &Polytope) -> f64 {
    SHALLOW * (shape.size + shape.radius)
}

/// Removes contacts of faces that stand in for an edge, if the shape is beside the face and not behind it. That is so where
/// no other contact has their normal, none is half as deep, and they are deep in the shape.
fn drop_stand_ins(found: &mut Vec<ContactPoint>, stand_ins: &mut [StandIn]) {
    if stand_ins.iter().all(|own| !own.is_large) {
        return;
    }
    let deepest = others(found, stand_ins).map(|contact| contact.gap).fold(f64::INFINITY, f64::min);
    for at in 0..stand_ins.len() {
        let StandIn { axis, depth, is_large, .. } = stand_ins[at];
        let is_confirmed = || others(found, stand_ins).any(|contact| contact.normal.dot(&axis.normal) >= FACE_ON);
        stand_ins[at].is_beside = is_large && depth > -DEEPER * deepest && deepest.is_finite() && !is_confirmed();
    }
    for own in stand_ins.iter().rev().filter(|own| own.is_beside) {
        found.drain(own.first..own.end);
    }
}

/// Returns the contacts that are of no stand-in.
fn others<'a>(found: &'a [ContactPoint], stand_ins: &'a [StandIn]) -> impl Iterator<Item = &'a ContactPoint> {
    let mut rest = stand_ins.iter().peekable();
    found.iter().enumerate().filter_map(move |(at, contact)| {
        while rest.next_if(|own| own.end <= at).is_some() {}
        rest.peek().is_none_or(|own| at < own.first).then_some(contact)
    })
}

/// The axis along which a triangle touches a shape.
struct OwnAxis {
    axis: Axis,
    /// Whether there certainly is a contact.
    certain: bool,
    /// Whether it is that of a face much deeper than the edge for which it stands in.
    stands_in: bool,
}

/// Returns which triangle owns a contact along the axis. Along its own normal that is the triangle itself.
fn owner_along(facet: &Facet, axis: &Axis) -> ContactOwner {
    match axis.face {
        Some(Face::OfA(_)) => ContactOwner::This,
        _ => facet.owner(&axis.normal, facet.touching(&axis.normal)),
    }
}

/// Returns the axis along which the triangle touches the shape.
///
/// If the triangle owns the contact along `axis`, the result is `axis`, and the contact is certain. At an inner edge
/// the axis of the face replaces it, if the face is not much deeper. If the neighbour is in the same plane, the face may
/// be deeper by any amount where the triangle overlaps the shape: the depth at the edge says little. But where it does
/// not, neither may the face. Otherwise the result is `None`.
///
/// The axis of a capsule (`is_capsule`) passes through no triangle, but it may cross the plane of one beside it. That face would push the
/// capsule to any side, and the result is `None`.
fn own_axis(
    facet: &Facet,
    shape: &Polytope,
    (axis, owner): (Axis, ContactOwner),
    (slack, is_capsule): (f64, bool),
) -> Option<OwnAxis> {
    if owner == ContactOwner::This {
        return Some(OwnAxis { axis, certain: true, stands_in: false });
    }
    let of_face = facet.nearer_side(shape, 0.0);
    let gap = axis.separation - shape.radius;
    let min_separation = (DEEPER * gap).min(0.0) - slack;
    let is_flat = owner == ContactOwner::FlatNeighbour;
    let is_any_depth = is_flat && -gap > shallow(shape);
    let is_credible = of_face.separation - shape.radius >= min_separation;
    let is_beside = is_capsule && of_face.separation < 0.0;
    let is_own = !is_beside && (is_credible || is_any_depth);
    is_own.then_some(OwnAxis { axis: of_face, certain: false, stands_in: !is_credible })
}

/// Returns the axis of a triangle, a, and a shape, b, that separates them most, if it does so by at most the margin [m].
fn separation(
    facet: &Facet,
    triangle: &Polytope,
    shape: &Polytope,
    margin: f64,
    expand: &mut ExpandBuffers,
) -> Result<Option<Separation>> {
    match find_face_axis(facet, triangle, shape) {
        None => greatest_separation(triangle, shape, margin + shape.radius, expand),
        found => Ok(found),
    }
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
    let axis = facet.nearer_side(shape, tolerance);
    let Axis { normal, separation, .. } = axis;
    let middle = triangle.center;
    if !shape.contains(&(middle + normal * separation), tolerance) {
        return None;
    }
    if separation < 0.0 {
        let [a, b, c] = facet.corners;
        let longest = (b - a).norm().max((c - b).norm()).max((a - c).norm());
        // The distance of a side from the middle is a third of the height over it.
        let radius = (b - a).cross(&(c - a)).norm() / (3.0 * longest);
        if -separation > radius || !shape.contains(&(middle - normal * separation), tolerance) {
            return None;
        }
    }
    Some(Separation { axis, sharper: None })
}
