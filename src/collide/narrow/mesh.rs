//! A bounded convex shape against a mesh: each triangle near it, without the inner edges of the surface.
//!
//! A contact at an edge or corner counts only where the surface falls away on all sides of it (it is a local minimum of
//! the distance); elsewhere a neighbour is closer and answers. So a flat floor has one normal however it is cut up.

use super::axis::{Axis, Face, Separation, greatest_separation, tolerance};
use super::bedded::bedded;
use super::clip::ClipBuffers;
use super::contact::{ContactPoint, Mixture, Placed, mixed};
use super::convex::Meeting;
use super::polytope::Polytope;
use super::reduce::keep_spread;
use super::triangle::{Claim, Facet};
use super::workspace::Workspace;
use crate::error::{Result, reserve};
use crate::math::{Aabb, Pose, Vec3};
use crate::shape::{Mesh, Shape};

/// Cosine above which a normal at an edge is taken to be the face's: 1.4e-6 rad.
const FACE_ON: f64 = 1.0 - 1e-12;
/// What memory is asked for.
const POINTS: &str = "points of one pair";
/// How many times deeper than the least overlap a face may be that replaces an inner edge.
const DEEPER: f64 = 2.0;

/// A convex shape, a, and a mesh at its place, b.
pub(super) fn shape_mesh(
    a: Placed,
    mesh: &Mesh,
    pose: &Pose,
    margin: f64,
    workspace: &mut Workspace,
    out: &mut Vec<ContactPoint>,
) -> Result<()> {
    let Workspace { a: storage, clip: buffers, triangles, found, .. } = workspace;
    let origin = a.pose.origin;
    let Some(shape) = Polytope::new(a, &origin, storage)? else { return Ok(()) };
    triangles.clear();
    found.clear();
    mesh.triangles_in(&region(a, pose, margin), triangles)?;
    for index in triangles.iter() {
        let facet = Facet::new(mesh, pose, &origin, *index);
        if let Shape::Sphere(sphere) = a.shape {
            reserve(found, 1, POINTS)?;
            found.extend(facet_sphere(&facet, sphere.radius, margin, &origin));
        } else {
            facet_convex(&facet, &shape, margin, &origin, buffers, found)?;
        }
    }
    keep_spread(found, 0, shape.size + shape.radius)?;
    reserve(out, found.len(), POINTS)?;
    out.extend(found.iter().map(|contact| contact.flipped()));
    Ok(())
}

/// What the shape bounds in the mesh's axes, with the margin.
fn region(a: Placed, pose: &Pose, margin: f64) -> Aabb {
    let relative = Pose::new(pose.to_local(&a.pose.origin), pose.rotation.inverse() * a.pose.rotation);
    // Room for the round-off of turning and moving.
    let slack = 1e-14 * (relative.origin.amax() + a.shape.bounding_radius());
    a.shape.bounds(&relative).grown(margin + slack)
}

/// A triangle, a, and a ball about the start of the axes, b.
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
    if !face_on && facet.claim(&along, part) != Claim::Own {
        return None;
    }
    let (outward, distance) = if face_on { (side, side.dot(&-facet.corners[0])) } else { (along, distance) };
    let contact = ContactPoint::of_ball(origin, radius, distance, &outward, margin)?;
    Some(ContactPoint { feature: mixed(&[u64::from(facet.index)]), ..contact }.flipped())
}

/// A triangle, a, and a convex shape, b.
fn facet_convex(
    facet: &Facet,
    shape: &Polytope,
    margin: f64,
    origin: &Vec3,
    buffers: &mut ClipBuffers,
    found: &mut Vec<ContactPoint>,
) -> Result<()> {
    let normals = [facet.normal, -facet.normal];
    let triangle = Polytope::of_triangle(&facet.corners, &normals);
    let searched = || greatest_separation(&triangle, shape, margin + shape.radius);
    let Some(Separation { axis, sharper }) = bedded(facet, &triangle, shape).or_else(searched) else {
        return Ok(());
    };
    let slack = tolerance(&triangle, shape);
    let names = Mixture::of(&[u64::from(facet.index) + 1]);
    let start = found.len();
    for (axis, last) in [(Some(axis), sharper.is_none()), (sharper, true)] {
        let Some((axis, certain)) = axis.and_then(|axis| own_axis(facet, shape, axis, slack)) else { continue };
        let meeting =
            Meeting { a: &triangle, b: shape, axis, margin, origin: *origin, certain: certain && last, names };
        meeting.points(buffers, found)?;
        match sharper.filter(|sharper| !last && meeting.misses(sharper, &found[start..])) {
            Some(_) => found.truncate(start),
            None => break,
        }
    }
    Ok(())
}

/// The axis if it is the triangle's own, and then there is a contact; the face's, where that is what an inner edge hides
/// and there may be one; else `None`.
fn own_axis(facet: &Facet, shape: &Polytope, axis: Axis, slack: f64) -> Option<(Axis, bool)> {
    if matches!(axis.face, Some(Face::OfA(_))) {
        return Some((axis, true));
    }
    let claim = facet.claim(&axis.normal, facet.touching(&axis.normal));
    if claim == Claim::Own {
        return Some((axis, true));
    }
    let height = |normal: &Vec3| normal.dot(&(shape.support(&-normal) - facet.corners[0]));
    let (up, down) = (height(&facet.normal), height(&-facet.normal));
    let (face, normal, separation) = if up >= down { (0, facet.normal, up) } else { (1, -facet.normal, down) };
    let least = (DEEPER * (axis.separation - shape.radius)).min(0.0) - slack;
    let credible = claim == Claim::OfFlatNeighbour || separation - shape.radius >= least;
    credible.then_some((Axis { normal, separation, face: Some(Face::OfA(face)), witness: None }, false))
}
