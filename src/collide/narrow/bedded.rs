//! A triangle that is bedded in a convex shape, or lies flush below it: its own normal separates most, without a search.

use super::axis::{Axis, Face, Separation, tolerance};
use super::polytope::{Kind, Polytope};
use super::triangle::Facet;
use crate::math::Vec3;

/// The axis of a triangle, a, and a shape, b, if it plainly is the triangle's normal N.
///
/// Let N separate by s, and c be the triangle's middle, with a disc of radius r about it inside. A unit n at the angle
/// t to N separates by at most n.(y - c) - r sin t, for any y of the shape. If y = c + sN is one, that is at most s for
/// s >= 0. For s = -d < 0 it is at most -d cos t - r sin t, and with y = c + dN at most d cos t - r sin t: one of the
/// two is at most -d for every t where d <= r.
pub(super) fn bedded(facet: &Facet, triangle: &Polytope, shape: &Polytope) -> Option<Separation> {
    let tolerance = tolerance(triangle, shape);
    let height = |normal: &Vec3| normal.dot(&(shape.support(&-normal) - facet.corners[0]));
    let (up, down) = (height(&facet.normal), height(&-facet.normal));
    let lower = down > up + tolerance;
    let (face, normal, separation) = if lower { (1, -facet.normal, down) } else { (0, facet.normal, up) };
    let middle = triangle.center;
    if !contains(shape, &(middle + normal * separation), tolerance) {
        return None;
    }
    if separation < 0.0 {
        let [a, b, c] = facet.corners;
        let longest = (b - a).norm().max((c - b).norm()).max((a - c).norm());
        // A side is a third of its height away from the middle.
        let radius = (b - a).cross(&(c - a)).norm() / (3.0 * longest);
        if -separation > radius || !contains(shape, &(middle - normal * separation), tolerance) {
            return None;
        }
    }
    let axis = Axis { normal, separation, face: Some(Face::OfA(face)), witness: None };
    Some(Separation { axis, sharper: None })
}

/// Whether a shape that is not thickened contains a point, or is within `tolerance` [m] of it.
fn contains(shape: &Polytope, point: &Vec3, tolerance: f64) -> bool {
    if let Kind::Cylinder(round) = shape.kind {
        let arm = point - shape.center;
        let along = round.axis.dot(&arm);
        let across = (arm - round.axis * along).norm();
        return along.abs() <= round.half_axis.norm() + tolerance && across <= round.radius + tolerance;
    }
    let below = |(normal, corners): (&Vec3, &[u32])| {
        corners.first().is_some_and(|corner| normal.dot(&(point - shape.vertex(*corner))) <= tolerance)
    };
    shape.radius == 0.0 && !shape.normals.is_empty() && shape.normals.iter().zip(shape.faces()).all(below)
}
