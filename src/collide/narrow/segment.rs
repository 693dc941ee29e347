//! Closest points of two segments.

use crate::math::Vec3;

/// A segment by its ends [m].
pub(super) type Segment = [Vec3; 2];

/// Fractions along `a` and `b`, 0 to 1, of the closest points (Ericson, Real-Time Collision Detection, 5.1.9).
pub(super) fn closest_fractions(a: &Segment, b: &Segment) -> (f64, f64) {
    let (u, v, w) = (a[1] - a[0], b[1] - b[0], a[0] - b[0]);
    let (uu, vv, uv, uw, vw) = (u.norm_squared(), v.norm_squared(), u.dot(&v), u.dot(&w), v.dot(&w));
    if uu == 0.0 && vv == 0.0 {
        return (0.0, 0.0);
    }
    if uu == 0.0 {
        return (0.0, (vw / vv).clamp(0.0, 1.0));
    }
    if vv == 0.0 {
        return ((-uw / uu).clamp(0.0, 1.0), 0.0);
    }
    // The squared sine of the angle, free of the cancellation in uu vv - uv^2.
    let area = u.cross(&v).norm_squared();
    let s = if area > 1e-24 * uu * vv { ((uv * vw - uw * vv) / area).clamp(0.0, 1.0) } else { 0.0 };
    let t = (uv * s + vw) / vv;
    if t < 0.0 {
        ((-uw / uu).clamp(0.0, 1.0), 0.0)
    } else if t > 1.0 {
        (((uv - uw) / uu).clamp(0.0, 1.0), 1.0)
    } else {
        (s, t)
    }
}

/// The point at a fraction of the segment.
pub(super) fn at(segment: &Segment, fraction: f64) -> Vec3 {
    segment[0] + (segment[1] - segment[0]) * fraction
}

/// The fraction along `segment` whose point is closest to `point`.
pub(super) fn fraction_of(segment: &Segment, point: &Vec3) -> f64 {
    let along = segment[1] - segment[0];
    let square = along.norm_squared();
    if square > 0.0 { (along.dot(&(point - segment[0])) / square).clamp(0.0, 1.0) } else { 0.0 }
}
