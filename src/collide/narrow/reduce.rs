//! From many points of one pair to few: coincident ones merged, and of those that remain the eight that span most, and the deepest.
//!
//! Two rectangular faces that are turned against each other meet in up to eight points, and all of them are kept. With four, a body tips if
//! its weight is beyond what these span. Other points are then chosen, step after step, and a heap of boxes never comes to rest.
//!
//! Very many points are thinned out before they are compared in pairs: of each small range of normals the deepest point stays, and the
//! outermost in sixteen directions. What is outermost of all is among these, so of a plane contact with a few corners none of them is lost.
//! The cost is linear except for a sort.
//!
//! Comparisons favour the earlier point by a little, so that round-off does not change the choice from step to step.

use super::contact::{ContactPoint, POINTS};
use crate::error::{Result, collected, reserve};
use crate::math::elementary::{sin_cos, square};
use crate::math::{Vec3, are_finite, tangents};

/// Points closer than this, as a fraction of the size of the smaller shape, are one [-].
const COINCIDENT: f64 = 1e-6;
/// Cosine above which two normals count as one: 1e-3 rad.
const SAME_NORMAL: f64 = 1.0 - 5e-7;
/// How much better, relative to the size of what is compared, a later candidate has to be [-].
const BETTER: f64 = 1e-6;
/// The same for depths, of which the largest must not be lost [-].
const DEEPER: f64 = 1e-9;
/// Corners that carry a plane contact.
const MAX_CORNERS: usize = 8;
/// Of so few points none is dropped.
const FEW: usize = 4;

/// With more points than this they are thinned out before they are compared in pairs.
const MANY: usize = 128;
/// Normals that may count as one differ by less than a third of this in each component [-].
const WINDOW: f64 = 3e-3;
/// Normals are gathered in cells this wide [-].
const CELL: f64 = 1e-3;
/// Pairs of opposite directions in which the outermost points stay.
const DIRECTIONS: usize = 8;
/// Most points that one cell keeps: the deepest, and two for each pair of directions.
const KEPT: usize = 1 + 2 * DIRECTIONS;

/// The component by which normals are sorted, and how far apart in it two of them are compared.
#[derive(Clone, Copy)]
struct Order {
    component: usize,
    window: f64,
}

impl Order {
    fn of(self, point: &ContactPoint) -> f64 {
        point.normal[self.component]
    }
}

/// Merges coincident points of `points[start..]` and drops those that are not finite. Of each set of points with one
/// normal it keeps at most nine: the eight that span most, and the deepest. `size` is that of the smaller shape [m].
pub(super) fn keep_spread(points: &mut Vec<ContactPoint>, start: usize, size: f64) -> Result<()> {
    points
        .extract_if(start.., |point| !(point.gap.is_finite() & are_finite([&point.point, &point.normal])))
        .for_each(drop);
    if points.len() - start > MANY {
        thin_out(points, start, DEEPER * size, BETTER * size)?;
    }
    let order = if points.len() - start > MANY {
        sort_normals(&mut points[start..])
    } else {
        Order { component: 0, window: f64::INFINITY }
    };
    merge_coincident(points, start, size, order);
    let (mut kept, mut next) = (start, start);
    while next < points.len() {
        let rest = points.len() - next <= FEW;
        let end = if rest { points.len() } else { gather_normal(points, next, order) };
        let count = if end - next <= FEW { end - next } else { choose_spread(&mut points[next..end], size) };
        if kept != next {
            points.copy_within(next..next + count, kept);
        }
        (kept, next) = (kept + count, end);
    }
    points.truncate(kept);
    Ok(())
}

/// Sorts by the component in which the normals differ most: only those near each other in it are compared then.
fn sort_normals(points: &mut [ContactPoint]) -> Order {
    let nothing = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
    let (low, high) =
        points.iter().fold(nothing, |(low, high), point| (low.inf(&point.normal), high.sup(&point.normal)));
    let order = Order { component: (high - low).imax(), window: WINDOW };
    // By the feature where equal: no two points have the same.
    points.sort_unstable_by(|a, b| order.of(a).total_cmp(&order.of(b)).then(a.feature.cmp(&b.feature)));
    order
}

/// Of points at one place with one normal the deepest stays, in the place of the first.
fn merge_coincident(points: &mut Vec<ContactPoint>, start: usize, size: f64, order: Order) {
    let near = square(COINCIDENT * size);
    let (mut first, mut kept) = (start, start);
    for index in start..points.len() {
        let (before, rest) = points.split_at_mut(index);
        let candidate = &rest[0];
        let same = |other: &&mut ContactPoint| {
            (other.point - candidate.point).norm_squared() <= near && other.normal.dot(&candidate.normal) > SAME_NORMAL
        };
        while first < kept && order.of(&before[first]) < order.of(candidate) - order.window {
            first += 1;
        }
        if let Some(other) = before[first..kept].iter_mut().find(same) {
            if candidate.gap < other.gap - DEEPER * size {
                *other = *candidate;
            }
        } else {
            // It mostly is there already.
            if kept != index {
                points[kept] = points[index];
            }
            kept += 1;
        }
    }
    points.truncate(kept);
}

/// Brings the points with the normal of `points[first]` behind it, in their order; returns their end.
fn gather_normal(points: &mut [ContactPoint], first: usize, order: Order) -> usize {
    let normal = points[first].normal;
    let last = order.of(&points[first]) + order.window;
    let mut end = first + 1;
    for index in first + 1..points.len() {
        if order.of(&points[index]) > last {
            break;
        }
        if points[index].normal.dot(&normal) > SAME_NORMAL {
            points[end..=index].rotate_right(1);
            end += 1;
        }
    }
    end
}

/// Moves those that are kept of the points of one plane to the front, in their order. Returns how many: the corners of the largest polygon
/// found, and the deepest point where none of them is as deep.
///
/// The corners do not depend on the depths: those of a face at rest are nearly equal, and the deepest is another one in every step.
fn choose_spread(points: &mut [ContactPoint], size: f64) -> usize {
    if is_ring(points, BETTER * size * size) {
        return points.len();
    }
    let depth = |index: &usize| points[*index].gap;
    let (mut chosen, mut count) = span(points, BETTER * size * size);
    let deepest = (0..points.len()).min_by(|a, b| depth(a).total_cmp(&depth(b))).unwrap_or(0);
    if chosen[..count].iter().all(|index| depth(index) > depth(&deepest) + DEEPER * size) {
        chosen[count] = deepest;
        count += 1;
    }
    chosen[..count].sort_unstable();
    for (place, index) in chosen[..count].iter().enumerate() {
        points[place] = points[*index];
    }
    count
}

/// Whether these are at most [`MAX_CORNERS`] points, all of them corners of a convex polygon, in their order around it, as clipping
/// leaves them. Each cuts off more than `area` [m^2], so that all are chosen.
fn is_ring(points: &[ContactPoint], area: f64) -> bool {
    let count = points.len();
    if count > MAX_CORNERS {
        return false;
    }
    let turn = |i: usize, j: usize, k: usize| signed_area(&points[i % count], &points[j % count], &points[k % count]);
    let sign = 1f64.copysign(turn(0, 1, 2));
    (0..count).all(|at| sign * turn(at, at + 1, at + 2) > area)
        && (1..count - 1).all(|at| sign * turn(0, at, at + 1) > 0.0)
}

/// Finds up to [`MAX_CORNERS`] points that span a large polygon. The first is the one farthest from the middle, the second the one farthest from the
/// first. Each later one is the point that adds most area; less than `area` [m^2] counts as none.
fn span(points: &[ContactPoint], area: f64) -> ([usize; MAX_CORNERS + 1], usize) {
    let middle = points.iter().map(|point| point.point).sum::<Vec3>() / points.len() as f64;
    let first = best(points, area, |point| (point.point - middle).norm_squared()).map_or(0, |(_, index)| index);
    let (mut polygon, mut count) = ([first; MAX_CORNERS + 1], 1);
    let far = |point: &ContactPoint| (point.point - points[first].point).norm_squared();
    let Some((_, second)) = best(points, area, far) else { return (polygon, count) };
    (polygon[1], count) = (second, 2);
    while count < MAX_CORNERS {
        // What two points span has two edges, which are the same line.
        let corners = &polygon[..count];
        let Some((_, added)) = best(points, area, |point| beyond(points, corners, point).0) else { break };
        // Corners that lie far out of one plane can seem beyond each other.
        if corners.contains(&added) {
            break;
        }
        let (_, edge) = beyond(points, corners, &points[added]);
        // Between the ends of the edge, so that the polygon stays counterclockwise.
        polygon.copy_within(edge + 1..count, edge + 2);
        polygon[edge + 1] = added;
        count += 1;
    }
    (polygon, count)
}

/// Returns the highest score above `tolerance`, and which point has it. A later one has to be better by as much.
fn best(points: &[ContactPoint], tolerance: f64, score: impl Fn(&ContactPoint) -> f64) -> Option<(f64, usize)> {
    points.iter().enumerate().fold(None, |best: Option<(f64, usize)>, (index, point)| {
        let value = score(point);
        if value > best.map_or(0.0, |best| best.0) + tolerance { Some((value, index)) } else { best }
    })
}

/// Returns how much a point adds to a counterclockwise polygon, doubled [m^2], and beyond which edge it lies.
fn beyond(points: &[ContactPoint], polygon: &[usize], point: &ContactPoint) -> (f64, usize) {
    let following = polygon.iter().skip(1).chain(polygon.first());
    let areas = polygon.iter().zip(following).map(|(from, to)| -signed_area(&points[*from], &points[*to], point));
    (0..).zip(areas).fold((0.0, 0), |best, (edge, area)| if area > best.0 { (area, edge) } else { best })
}

/// Of the triangle `a b c`, doubled, about the normal of `a` [m^2].
fn signed_area(a: &ContactPoint, b: &ContactPoint, c: &ContactPoint) -> f64 {
    let [u, v]: [Vec3; 2] = [b.point - a.point, c.point - a.point];
    a.normal.dot(&u.cross(&v))
}

/// The cell of a normal, and which point has it.
type Key = ([i32; 3], usize);

/// Keeps of `points[start..]` what is deepest and outermost, in their order. A later point has to be deeper by `depth`
/// [m], or farther out by `length` [m].
pub(super) fn thin_out(points: &mut Vec<ContactPoint>, start: usize, depth: f64, length: f64) -> Result<()> {
    let cell = |normal: &Vec3| [normal.x, normal.y, normal.z].map(|value| (value / CELL).round() as i32);
    let keys = points.iter().enumerate().skip(start).map(|(index, point)| (cell(&point.normal), index));
    let mut keys: Vec<Key> = collected(keys, POINTS)?;
    keys.sort_unstable();
    let mut kept: Vec<usize> = Vec::new();
    reserve(&mut kept, keys.len(), POINTS)?;
    for group in keys.chunk_by(|first, second| first.0 == second.0) {
        if group.len() <= KEPT {
            kept.extend(group.iter().map(|(_, index)| *index));
        } else {
            kept.extend(extremes(points, group, depth, length));
        }
    }
    kept.sort_unstable();
    kept.dedup();
    for (place, index) in (start..).zip(&kept) {
        points.swap(place, *index);
    }
    points.truncate(start + kept.len());
    Ok(())
}

/// The deepest point of a group, and the outermost ones.
fn extremes(points: &[ContactPoint], group: &[Key], depth: f64, length: f64) -> [usize; KEPT] {
    let first = group[0].1;
    let (t1, t2) = tangents(&points[first].normal);
    let directions: [Vec3; DIRECTIONS] = std::array::from_fn(|index| {
        let (s, c) = sin_cos(std::f64::consts::PI * index as f64 / DIRECTIONS as f64);
        t1 * c + t2 * s
    });
    let origin = points[first].point;
    let mut best = [(f64::NEG_INFINITY, first); KEPT];
    for (_, index) in group {
        let point = &points[*index];
        let arm = point.point - origin;
        let mut offer = |slot: usize, value: f64, tolerance: f64| {
            if value > best[slot].0 + tolerance {
                best[slot] = (value, *index);
            }
        };
        offer(0, -point.gap, depth);
        for (direction, slot) in directions.iter().zip((1..).step_by(2)) {
            let reach = direction.dot(&arm);
            offer(slot, reach, length);
            offer(slot + 1, -reach, length);
        }
    }
    best.map(|(_, index)| index)
}
