//! The axis of greatest separation of two convex shapes.
//!
//! For every unit vector n the separation `min_b n.x - max_a n.x` is at most the signed distance of the shapes. For one n
//! the two are equal. So of axes from different sources, the one with the largest separation is the best. Two boxes have
//! few faces and edges, and all are tried. For other shapes the axis is searched. `portal` finds whether they overlap,
//! `gjk` the distance and `expand` the depth. Their last step computes the axis of the features in closed form (`pole`).
//! The axis of a face is preferred if it is as good to round-off.

use super::axis::{Axis, Face, Segment, Witness, box_edges, closest_points, point_tolerance, tolerance};
use super::expand::{ExpandBuffers, find_depth};
use super::feature::{face_sides, is_over_face};
use super::gjk::find_distance;
use super::pole::{Best, Search};
use super::polytope::{Bars, NO_HINT, Polytope, PolytopeKind};
use super::portal::{PairState, find_portal, portal_around};
use crate::error::Result;
use crate::math::{Vec3, tangents};

/// If the cosine between an axis and the normal of a face is above this, the face is used instead [-] ...
pub(super) const TILTED: f64 = 0.9999;
/// ... unless the axis separates more than the face by this fraction of the smaller size [-].
pub(super) const EDGE_PREFERENCE: f64 = 1e-3;
/// The sine of the angle to a face below which a line lies on it: the same tilt as `TILTED` [-].
const LYING: f64 = 0.014;
/// The first of two parallel faces is used even if it separates less than the other by this fraction of the size [-].
const PARALLEL: f64 = 1e-6;
/// Two faces are parallel if the cosine between their normals is above this: 14 microradians [-].
const PARALLEL_NORMALS: f64 = 1.0 - 1e-10;
/// The distance of the points on two features may exceed the separation of their axis by this fraction of the smaller size [-].
const EXACT: f64 = 1e-13;

/// The axis along which two shapes meet.
#[derive(Debug, Clone, Copy)]
pub(super) struct Separation {
    /// The axis along which contact points are searched.
    pub(super) axis: Axis,
    /// An axis that separates a little more than the face of `axis`. It is used if that face has no contact points.
    ///
    /// Two faces that lie on each other, slightly tilted and not quite flush, are separated most by two of their edges.
    /// But they touch in an area. With a single point at the edges a stack would rock and fall. With the face, the gaps of
    /// its points are too large by the cosine of the tilt, a factor of at most 1 / 0.9999.
    pub(super) sharper: Option<Axis>,
}

/// Returns the axis of greatest separation, if the separation is at most `margin` [m]. Radii are not subtracted.
pub(super) fn greatest_separation(
    a: &Polytope,
    b: &Polytope,
    margin: f64,
    buffers: &mut ExpandBuffers,
) -> Result<Option<Separation>> {
    if let (PolytopeKind::Box(of_a), PolytopeKind::Box(of_b)) = (a.kind, b.kind) {
        return of_boxes((a, &of_a), (b, &of_b), margin, buffers);
    }
    if let (Some(of_a), Some(of_b)) = (segment(a), segment(b)) {
        let axis = segments(of_a, of_b);
        return Ok((axis.separation <= margin).then_some(Separation { axis, sharper: None }));
    }
    Ok(match searched(a, b, margin, buffers)? {
        Some(free) => with_face(a, b, free, margin),
        None => None,
    })
}

/// Does the same for two boxes.
fn of_boxes(
    (a, of_a): (&Polytope, &Bars),
    (b, of_b): (&Polytope, &Bars),
    margin: f64,
    buffers: &mut ExpandBuffers,
) -> Result<Option<Separation>> {
    let (tolerance, similar) = (tolerance(a, b), point_tolerance(a, b));
    let arm = b.center - a.center;
    let of_faces = [
        best_side(of_a, of_b, &arm, similar).map(|(face, axis)| Axis { face: Some(Face::OfA(face)), ..axis }),
        best_side(of_b, of_a, &-arm, similar).map(|(face, axis)| Axis {
            normal: -axis.normal,
            face: Some(Face::OfB(face)),
            ..axis
        }),
    ];
    let Some(faces) = Faces::of(of_faces, similar, a.size.min(b.size)).filter(|faces| faces.best.separation <= margin)
    else {
        return Ok(None);
    };
    let (face, bound) = (faces.preferred, faces.best.separation);
    if face.separation >= -tolerance && is_conclusive(a, b, &face, tolerance) {
        return Ok(Some(Separation { axis: face, sharper: None }));
    }
    if bound > tolerance {
        return Ok(searched(a, b, margin, buffers)?.and_then(|(free, _)| chosen(a, b, faces, free, margin)));
    }
    match box_edges(of_a, of_b, &arm, bound - 2.0 * tolerance) {
        Some(edges) if edges.separation > tolerance => {
            Ok(searched(a, b, margin, buffers)?.and_then(|(free, _)| chosen(a, b, faces, free, margin)))
        }
        Some(edges) => Ok(chosen(a, b, faces, edges, margin)),
        None => Ok(Some(faces.separation(face.witness, None, (tolerance, false)))),
    }
}

/// Returns the face of a box that separates another box most. `arm` is the vector between the centres.
fn best_side(own: &Bars, other: &Bars, arm: &Vec3, tolerance: f64) -> Option<(usize, Axis)> {
    let mut best: Option<(usize, f64)> = None;
    for (axis, normal) in own.axes.iter().enumerate() {
        let reach = own.lengths[axis] + other.half.iter().map(|half| half.dot(normal).abs()).sum::<f64>();
        let along = normal.dot(arm);
        for (face, separation) in [(2 * axis, along - reach), (2 * axis + 1, -along - reach)] {
            if best.is_none_or(|(_, largest)| separation > largest + tolerance) {
                best = Some((face, separation));
            }
        }
    }
    let (face, separation) = best?;
    let normal = if face & 1 == 0 { own.axes[face / 2] } else { -own.axes[face / 2] };
    Some((face, Axis { normal, separation, face: None, witness: None }))
}

/// Searches the axis that separates two shapes most. Returns it with the corners of both that are farthest along it; `None` if the
/// separation exceeds the margin.
fn searched(a: &Polytope, b: &Polytope, margin: f64, buffers: &mut ExpandBuffers) -> Result<Option<(Axis, [u32; 2])>> {
    let mut search = Search::new(a, b);
    let exact = EXACT * (search.size + (b.center - a.center).norm());
    match find_portal(&mut search, margin) {
        PairState::Beyond => return Ok(None),
        PairState::Overlapping(portal) => {
            search.polish(&-portal.outward, &portal.vertices, exact);
            find_depth(&mut search, &portal, buffers)?;
        }
        PairState::Apart(portal) => {
            search.polish(&-portal.outward, &portal.vertices, exact);
            let is_met = search
                .best_with_points()
                .is_some_and(|(best, _, left)| left <= exact || is_conclusive(a, b, &best.axis(None), exact));
            if !is_met && find_distance(&mut search, margin, exact) {
                return Ok(None);
            }
            // The closest points of shapes that touch may be one to round-off. Their difference then has any direction.
            let slack = point_tolerance(a, b);
            let is_met = |(best, _, left): (Best, [Vec3; 2], f64)| best.separation > slack || left <= slack;
            if !search.best_with_points().is_some_and(is_met) {
                let portal = portal_around(&mut search);
                find_depth(&mut search, &portal, buffers)?;
            }
        }
    }
    let found = search.best_with_points().filter(|(best, ..)| best.separation <= margin);
    Ok(found.map(|(best, points, left)| (best.axis((left <= point_tolerance(a, b)).then_some(points)), best.corners)))
}

/// Returns the separation by the best axis, or by a face near it.
fn with_face(a: &Polytope, b: &Polytope, (free, corners): (Axis, [u32; 2]), margin: f64) -> Option<Separation> {
    let of_a = face_near(a, b, &free.normal, corners).map(|(face, axis)| Axis { face: Some(Face::OfA(face)), ..axis });
    let of_b = face_near(b, a, &-free.normal, [corners[1], corners[0]]).map(|(face, axis)| Axis {
        normal: -axis.normal,
        face: Some(Face::OfB(face)),
        ..axis
    });
    match Faces::of([of_a, of_b], point_tolerance(a, b), a.size.min(b.size)) {
        Some(faces) => chosen(a, b, faces, free, margin),
        None => Some(Separation { axis: Axis { face: None, ..free }, sharper: None }),
    }
}

/// Returns the face of `own` whose normal is closest to a direction, with its axis, if the two are close. `corners` are those of both
/// shapes that are farthest along the direction.
fn face_near(own: &Polytope, other: &Polytope, direction: &Vec3, corners: [u32; 2]) -> Option<(usize, Axis)> {
    let (face, _) = own.facing_face(direction, corners[0], false).filter(|(_, along)| *along > TILTED)?;
    let normal = own.normal(face);
    let separation = normal.dot(&(other.support_corner(&-normal, corners[1]).0 - own.first_corner(face)));
    Some((face, Axis { normal, separation, face: None, witness: None }))
}

/// Chooses between a face and a `free` axis that may separate more.
fn chosen(a: &Polytope, b: &Polytope, faces: Faces, free: Axis, margin: f64) -> Option<Separation> {
    let (tolerance, face, bound) = (tolerance(a, b), faces.preferred, faces.best.separation);
    if free.separation <= bound + tolerance {
        // The closest points of the free axis are those of the face only if both separate equally.
        let is_as_good = free.separation >= bound - tolerance;
        let has_rim = [a, b].iter().any(|shape| matches!(shape.kind, PolytopeKind::Cylinder(_)));
        return Some(faces.separation(free.witness.filter(|_| is_as_good), Some(free), (tolerance, has_rim)));
    }
    if free.separation > margin {
        return None;
    }
    let better = Axis { face: None, ..free };
    // A line on a cylinder's side, or the axis of a capsule, that lies on a face gives two contact points.
    let flat = |shape: &Polytope| match shape.kind {
        PolytopeKind::Cylinder(round) => {
            let along = round.axis.dot(&face.normal).abs();
            !(LYING..=TILTED).contains(&along)
        }
        PolytopeKind::Segment(half) => half.dot(&face.normal).abs() < LYING * half.norm(),
        _ => shape.radius == 0.0,
    };
    let upper_bound = face.separation + EDGE_PREFERENCE * a.size.min(b.size);
    let tilted = flat(a) && flat(b) && face.normal.dot(&better.normal) > TILTED && better.separation <= upper_bound;
    let (axis, sharper) = if tilted { (face, Some(better)) } else { (better, None) };
    Some(Separation { axis, sharper })
}

/// The best faces of two shapes.
#[derive(Clone, Copy)]
struct Faces {
    /// The one that separates most.
    best: Axis,
    /// The one whose contacts are used. It is that of a where it separates about as much as that of b.
    preferred: Axis,
}

impl Faces {
    /// Chooses from the best faces of a and b. That of b must be better by `tolerance` [m], and more than that if the two are parallel.
    fn of([of_a, of_b]: [Option<Axis>; 2], tolerance: f64, size: f64) -> Option<Self> {
        let (Some(a), Some(b)) = (of_a, of_b) else {
            return of_a.or(of_b).map(|only| Self { best: only, preferred: only });
        };
        let parallel = a.normal.dot(&b.normal) > PARALLEL_NORMALS;
        let slack = if parallel { tolerance.max(PARALLEL * size) } else { tolerance };
        let best = if a.separation >= b.separation { a } else { b };
        Some(Self { best, preferred: if a.separation >= b.separation - slack { a } else { b } })
    }

    /// Returns the preferred face, with these closest points. It may separate a little less than the other one, or than a `free` axis. Then the
    /// least gap is the separation along the axis that separates most.
    ///
    /// Polytopes with parallel faces keep the gaps along the preferred one. Those of a body at rest would else change with the other face.
    fn separation(
        &self,
        witness: Option<Witness>,
        free: Option<Axis>,
        (tolerance, has_rim): (f64, bool),
    ) -> Separation {
        let most = free.filter(|free| free.separation > self.best.separation).unwrap_or(self.best);
        let is_less = most.separation > self.preferred.separation + tolerance;
        let is_other = has_rim || most.normal.dot(&self.preferred.normal) <= PARALLEL_NORMALS;
        Separation { axis: Axis { witness, ..self.preferred }, sharper: (is_less && is_other).then_some(most) }
    }
}

/// Returns whether the closest point of the other shape lies over the face. Then no axis separates more.
fn is_conclusive(a: &Polytope, b: &Polytope, axis: &Axis, tolerance: f64) -> bool {
    let (own, other, face, outward) = match axis.face {
        Some(Face::OfA(face)) => (a, b, face, axis.normal),
        Some(Face::OfB(face)) => (b, a, face, -axis.normal),
        None => return false,
    };
    let nearest = other.support(&-outward);
    let height = outward.dot(&nearest) + tolerance;
    let over = |point: &Vec3| is_over_face(own, face_sides(own, face, &outward), &outward, point, tolerance);
    if over(&nearest) {
        return true;
    }
    let (_, corner) = other.support_corner(&-outward, NO_HINT);
    let facing = other.facing_face(&-outward, corner, false).map_or(&[][..], |(face, _)| other.face(face));
    facing.iter().map(|corner| other.corner(*corner)).any(|corner| outward.dot(&corner) <= height && over(&corner))
}

/// Returns the segment or the point of a shape that is one, apart from its radius.
fn segment(shape: &Polytope) -> Option<Segment> {
    match shape.kind {
        PolytopeKind::Point => Some([shape.center; 2]),
        PolytopeKind::Segment(half) => Some([shape.center - half, shape.center + half]),
        _ => None,
    }
}

/// Returns the axis between two segments or points. If they cross, it is perpendicular to both.
fn segments(a: Segment, b: Segment) -> Axis {
    let witness = closest_points(&a, &b);
    let arm = witness[1] - witness[0];
    let distance = arm.norm();
    let (along_a, along_b) = (a[1] - a[0], b[1] - b[0]);
    let across = || {
        let either = if along_a.norm_squared() > 0.0 { along_a } else { along_b };
        let side = || either.try_normalize(0.0).map_or(Vec3::z(), |unit| tangents(&unit).0);
        along_a.cross(&along_b).try_normalize(0.0).unwrap_or_else(side)
    };
    let normal = if distance > 0.0 { arm / distance } else { across() };
    Axis { normal, separation: distance, face: None, witness: Some(Witness::Points(witness)) }
}
