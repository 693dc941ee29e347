//! From many points of one pair to few: coincident ones merged, and of those that remain the four that span most.
//!
//! Comparisons favour the earlier point by a little, so that round-off does not change the choice from step to step.

use super::contact::ContactPoint;
use crate::math::Vec3;

/// Points closer than this, as a fraction of the size of the smaller shape, are one [-].
const COINCIDENT: f64 = 1e-6;
/// Cosine above which two normals count as one: 1e-3 rad.
const SAME_NORMAL: f64 = 1.0 - 5e-7;
/// How much better, relative to the size of what is compared, a later candidate has to be [-].
const BETTER: f64 = 1e-6;
/// The same for depths, of which the largest must not be lost [-].
const DEEPER: f64 = 1e-9;
/// Points that carry a plane contact.
const MOST: usize = 4;

/// Merges coincident points of `points[start..]`, drops what is not finite, and keeps of each set of points with one
/// normal at most four: the deepest and those that span most. `size` is that of the smaller shape [m].
pub(super) fn keep_spread(points: &mut Vec<ContactPoint>, start: usize, size: f64) {
    drop_invalid(points, start);
    merge_coincident(points, start, size);
    let mut first = start;
    while points.len() > first + MOST {
        let end = gather_normal(points, first);
        let kept = (end - first).min(MOST);
        if end - first > MOST {
            choose_four(&mut points[first..end], size);
            points.drain(first + MOST..end);
        }
        first += kept;
    }
}

fn drop_invalid(points: &mut Vec<ContactPoint>, start: usize) {
    let mut kept = start;
    for index in start..points.len() {
        if points[index].is_finite() {
            points.swap(kept, index);
            kept += 1;
        }
    }
    points.truncate(kept);
}

/// Of points at one place with one normal the deepest stays, in the place of the first.
fn merge_coincident(points: &mut Vec<ContactPoint>, start: usize, size: f64) {
    let near = (COINCIDENT * size).powi(2);
    let mut kept = start;
    for index in start..points.len() {
        let candidate = points[index];
        let same = |other: &&mut ContactPoint| {
            (other.point - candidate.point).norm_squared() <= near && other.normal.dot(&candidate.normal) > SAME_NORMAL
        };
        if let Some(other) = points[start..kept].iter_mut().find(same) {
            if candidate.gap < other.gap - DEEPER * size {
                *other = candidate;
            }
        } else {
            points[kept] = candidate;
            kept += 1;
        }
    }
    points.truncate(kept);
}

/// Brings the points with the normal of `points[first]` behind it, in their order; returns their end.
fn gather_normal(points: &mut [ContactPoint], first: usize) -> usize {
    let normal = points[first].normal;
    let mut end = first + 1;
    for index in first + 1..points.len() {
        if points[index].normal.dot(&normal) > SAME_NORMAL {
            points[end..=index].rotate_right(1);
            end += 1;
        }
    }
    end
}

/// Brings to the front the deepest point (of several the outermost), the one farthest from it, the one that makes the
/// largest triangle with both, and the one that adds most to it.
fn choose_four(points: &mut [ContactPoint], size: f64) {
    let area = BETTER * size * size;
    let middle = points.iter().map(|point| point.point).sum::<Vec3>() / points.len() as f64;
    let deepest = points.iter().map(|point| point.gap).fold(f64::INFINITY, f64::min) + DEEPER * size;
    bring_best(points, 0, area, |_, point| {
        if point.gap <= deepest { (point.point - middle).norm_squared() } else { f64::NEG_INFINITY }
    });
    bring_best(points, 1, area, |chosen, point| (point.point - chosen[0].point).norm_squared());
    bring_best(points, 2, area, |chosen, point| signed_area(&chosen[0], &chosen[1], point).abs());
    // Counterclockwise, so that a point outside an edge has a negative area with it.
    if signed_area(&points[0], &points[1], &points[2]) < 0.0 {
        points.swap(1, 2);
    }
    bring_best(points, 3, area, |chosen, point| {
        (0..3).map(|edge| -signed_area(&chosen[edge], &chosen[(edge + 1) % 3], point)).fold(0.0, f64::max)
    });
}

/// Moves the point with the highest score to `position`, behind those already chosen.
fn bring_best(
    points: &mut [ContactPoint],
    position: usize,
    tolerance: f64,
    score: impl Fn(&[ContactPoint], &ContactPoint) -> f64,
) {
    let (chosen, rest) = points.split_at(position);
    let mut best = (0, f64::NEG_INFINITY);
    for (index, point) in rest.iter().enumerate() {
        let value = score(chosen, point);
        if value > best.1 + tolerance {
            best = (index, value);
        }
    }
    points[position..=position + best.0].rotate_right(1);
}

/// Of the triangle `a b c`, doubled, about the normal of `a` [m^2].
fn signed_area(a: &ContactPoint, b: &ContactPoint, c: &ContactPoint) -> f64 {
    let [u, v]: [Vec3; 2] = [b.point - a.point, c.point - a.point];
    a.normal.dot(&u.cross(&v))
}
