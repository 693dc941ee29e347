//! The axis of greatest separation of two convex shapes.
//!
//! For every unit n the separation `min_b n.x - max_a n.x` is at most the signed distance of the shapes, and for one n
//! it equals it. So axes from different sources can be compared by how far they separate: the faces of both, the
//! pairs of edges of two boxes, and what GJK and EPA find. A face is preferred where it is as good to round-off.

use parry3d_f64::math::{Pose as ParryPose, Vector};
use parry3d_f64::query::details::contact_support_map_support_map_with_params;
use parry3d_f64::query::gjk::{GJKResult, VoronoiSimplex};

use super::axis::{Axis, BETTER, Face, PARALLEL_EDGES, Segment, Witness, box_edges, closest_points, tolerance};
use super::feature::{face_sides, is_over_face, lying_edge};
use super::polytope::{Polytope, PolytopeKind, Scaled};
use crate::math::elementary::{log2, power_of_two};
use crate::math::{Vec3, tangents};

/// An axis this close to a face's normal is the face's, tilted [cosine] ...
pub(super) const TILTED: f64 = 0.9999;
/// ... unless it separates more than the face by this fraction of the smaller size [-].
pub(super) const TILTED_BETTER: f64 = 1e-3;
/// By how much the first of two parallel faces may separate less and still be taken [-].
const PARALLEL: f64 = 1e-6;
/// The slope against the plane of contact that an edge may have by the inaccuracy of a search [-].
const SEARCHED: f64 = 1e-3;

/// How far `normal`, from a to b, separates the shapes without their radii [m].
fn separation(a: &Polytope, b: &Polytope, normal: &Vec3) -> f64 {
    normal.dot(&(b.support(&-normal) - a.support(normal)))
}

/// The axis along which two shapes meet.
#[derive(Debug, Clone, Copy)]
pub(super) struct Separation {
    /// Where the contact is looked for.
    pub(super) axis: Axis,
    /// An axis that separates a little more than the face of `axis`, for where that face has no points.
    ///
    /// Two faces on each other, tilted by a trace and not quite flush, are separated most by a pair of their edges. But
    /// they meet in an area, not in a point: a stack that lost three corners of four for it would rock and fall. The
    /// gaps of the face's points are then too large by the cosine of the tilt, a factor of at most 1 / 0.9999.
    pub(super) sharper: Option<Axis>,
}

/// The axis of greatest separation, if that is at most `margin` [m]; radii are not counted.
pub(super) fn greatest_separation(a: &Polytope, b: &Polytope, margin: f64) -> Option<Separation> {
    let tolerance = tolerance(a, b);
    let of_a = best_face(a, b, tolerance, Face::OfA);
    let of_b = best_face(b, a, tolerance, Face::OfB).map(|axis| Axis { normal: -axis.normal, ..axis });
    let bound = of_a.iter().chain(&of_b).map(|axis| axis.separation).fold(f64::NEG_INFINITY, f64::max);
    if bound > margin {
        return None;
    }
    let Some(face) = prefer(of_a, of_b, tolerance, a.size.min(b.size)) else {
        let free = closest(a, b, margin)?.filter(|free| free.separation <= margin);
        return free.map(|axis| Separation { axis, sharper: None });
    };
    if face.separation >= -tolerance && is_conclusive(a, b, &face, tolerance) {
        return Some(Separation { axis: face, sharper: None });
    }
    let free = match (a.kind, b.kind) {
        (PolytopeKind::Box(bars_a), PolytopeKind::Box(bars_b)) if bound <= tolerance => {
            let edges = box_edges(bars_a, bars_b, &(b.center - a.center), bound - 2.0 * tolerance);
            if edges.is_some_and(|edges| edges.separation > tolerance) { closest(a, b, margin)? } else { edges }
        }
        _ => closest(a, b, margin)?,
    };
    let Some(better) = free.filter(|free| free.separation > bound + tolerance) else {
        // Closest points along an axis that separates less are none along this one.
        let as_good = free.filter(|free| free.separation >= bound - tolerance);
        let axis = Axis { witness: as_good.and_then(|free| free.witness), ..face };
        return Some(Separation { axis, sharper: None });
    };
    if better.separation > margin {
        return None;
    }
    // The ends of a thickened segment are found along any axis; a cylinder is flat at its ends alone.
    let flat = |shape: &Polytope| match shape.kind {
        PolytopeKind::Cylinder(round) => round.axis.dot(&face.normal).abs() > TILTED,
        _ => shape.radius == 0.0,
    };
    let most = face.separation + TILTED_BETTER * a.size.min(b.size);
    let tilted = flat(a) && flat(b) && face.normal.dot(&better.normal) > TILTED && better.separation <= most;
    let (axis, sharper) = if tilted { (face, Some(better)) } else { (better, None) };
    Some(Separation { axis, sharper })
}

/// The axis, out of `own`, of the face that separates `other` most; `face` says whose it is.
fn best_face(own: &Polytope, other: &Polytope, tolerance: f64, face: fn(usize) -> Face) -> Option<Axis> {
    let mut best: Option<(usize, f64)> = None;
    let mut offer = |face: usize, normal: &Vec3, nearest: &Vec3| {
        let separation = normal.dot(&(nearest - own.first_corner(face)));
        if best.is_none_or(|(_, most)| separation > most + tolerance) {
            best = Some((face, separation));
        }
    };
    if let (PolytopeKind::Box(bars), PolytopeKind::Box(others)) = (own.kind, other.kind) {
        for (axis, normal) in bars.axes.iter().enumerate() {
            let [against, along] = others.corners_along(normal);
            offer(2 * axis, normal, &other.vertices[against]);
            offer(2 * axis + 1, &-normal, &other.vertices[along]);
        }
    } else {
        own.normals.iter().enumerate().for_each(|(face, normal)| offer(face, normal, &other.support(&-normal)));
    }
    best.map(|(index, separation)| Axis {
        normal: own.normals[index],
        separation,
        face: Some(face(index)),
        witness: None,
    })
}

/// Of the best faces of a and b the better one, and of two parallel ones that of a, with room for their tilt.
fn prefer(of_a: Option<Axis>, of_b: Option<Axis>, tolerance: f64, size: f64) -> Option<Axis> {
    let (Some(a), Some(b)) = (of_a, of_b) else { return of_a.or(of_b) };
    let parallel = a.normal.dot(&b.normal) > 1.0 - BETTER;
    let slack = if parallel { tolerance.max(PARALLEL * size) } else { tolerance };
    Some(if a.separation >= b.separation - slack { a } else { b })
}

/// Whether the closest point of the other shape lies over the face: then nothing separates more.
fn is_conclusive(a: &Polytope, b: &Polytope, axis: &Axis, tolerance: f64) -> bool {
    let (own, other, face, outward) = match axis.face {
        Some(Face::OfA(face)) => (a, b, face, axis.normal),
        Some(Face::OfB(face)) => (b, a, face, -axis.normal),
        None => return false,
    };
    let nearest = other.support(&-outward);
    let height = outward.dot(&nearest) + tolerance;
    let over = |point: &Vec3| is_over_face(own, face_sides(own, face, &outward), &outward, point, tolerance);
    over(&nearest) || other.vertices.iter().any(|vertex| outward.dot(vertex) <= height && over(vertex))
}

/// The axis through the closest points, or of the least translation that separates, by the fitting method: `None` beyond the
/// margin, `Some(None)` where the search failed.
fn closest(a: &Polytope, b: &Polytope, margin: f64) -> Option<Option<Axis>> {
    match (a.vertices, b.vertices) {
        ([a0, .., a1] | [a0 @ a1], [b0, .., b1] | [b0 @ b1]) if a.vertices.len() < 3 && b.vertices.len() < 3 => {
            Some(Some(segments([*a0, *a1], [*b0, *b1])))
        }
        _ => by_support(a, b, margin),
    }
}

/// Two segments, or points; where they cross, across both.
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

/// The same by parry's GJK, and EPA where the shapes overlap, in units of the larger shape.
fn by_support(a: &Polytope, b: &Polytope, margin: f64) -> Option<Option<Axis>> {
    let tolerance = tolerance(a, b);
    // A power of two, so that scaling is exact.
    let scale = power_of_two(-log2(a.size.max(b.size)).round() as i32);
    let arm = b.center - a.center;
    let start = arm.try_normalize(0.0).map(|unit| Vector::new(unit.x, unit.y, unit.z));
    let (scaled_a, scaled_b) = (Scaled { polytope: a, scale }, Scaled { polytope: b, scale });
    let found = contact_support_map_support_map_with_params(
        &ParryPose::IDENTITY,
        &scaled_a,
        &scaled_b,
        (margin + tolerance) * scale,
        &mut VoronoiSimplex::new(),
        Some(start.unwrap_or(Vector::Z)),
    );
    let own = |v: Vector| Vec3::new(v.x, v.y, v.z);
    match found {
        GJKResult::ClosestPoints(on_a, on_b, direction) => {
            let points = [own(on_a) / scale, own(on_b) / scale];
            let proposals = [own(direction), points[1] - points[0], points[0] - points[1]];
            let witness = Some(Witness::Points(points));
            let best = proposals
                .into_iter()
                .filter_map(|proposal| proposal.try_normalize(0.0))
                .map(|normal| Axis { normal, separation: separation(a, b, &normal), face: None, witness })
                .max_by(|first, second| first.separation.total_cmp(&second.separation));
            Some(best.map(|axis| across_edges(a, b, &axis).unwrap_or(axis)))
        }
        GJKResult::NoIntersection(direction) => {
            // Also the answer of a search that failed: only what really separates counts.
            let normal = own(direction).try_normalize(0.0);
            let beyond = normal.is_some_and(|normal| separation(a, b, &normal) > margin);
            (!beyond).then_some(None)
        }
        GJKResult::Intersection | GJKResult::Proximity(_) => Some(None),
    }
}

/// The axis across the two edges that face each other along `axis`, if that separates no less: a search ends near it.
fn across_edges(a: &Polytope, b: &Polytope, axis: &Axis) -> Option<Axis> {
    let edges = |normal: &Vec3| Some((lying_edge(a, normal, SEARCHED)?, lying_edge(b, &-normal, SEARCHED)?));
    let (edge_a, edge_b) = edges(&axis.normal)?;
    let across = (edge_a[1] - edge_a[0]).normalize().cross(&(edge_b[1] - edge_b[0]).normalize());
    if across.norm_squared() <= PARALLEL_EDGES {
        return None;
    }
    let normal = across.normalize() * 1f64.copysign(across.dot(&axis.normal));
    let separation = separation(a, b, &normal);
    let (edge_a, edge_b) = edges(&normal)?;
    let witness = Some(Witness::Points(closest_points(&edge_a, &edge_b)));
    (separation >= axis.separation).then_some(Axis { normal, separation, face: None, witness })
}
