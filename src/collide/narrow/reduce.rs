//! Reduces the many contact points of a pair to few. It merges points at the same position. In each plane it keeps the eight points that
//! span the largest area, and the deepest one. Up to three others stay if they are deeper than those around them: a flat face on a
//! slightly bent surface touches ridges between its corners.
//!
//! Two rectangular faces that are turned against each other meet in up to eight points, and all of them are kept. With four points a body
//! tips if its weight is outside of their area. Then other points are chosen in each step, and a heap of boxes never comes to rest.
//!
//! If there are very many points, their number is reduced before they are compared in pairs. In each small range of normals the deepest
//! point stays, and the outermost ones in sixteen directions. So a plane contact with few corners loses none. The cost is linear except
//! for a sort.
//!
//! Comparisons prefer the earlier point slightly, so that round-off does not change the choice from step to step.

use super::contact::{ContactPoint, POINTS};
use crate::error::{Result, collected, reserve};
use crate::math::elementary::{sin_cos, square};
use crate::math::{Vec3, are_finite, tangents};

/// Points closer than this, as a fraction of the size of the smaller shape, are one [-].
const COINCIDENT: f64 = 1e-6;
/// Cosine above which two normals count as one: 1e-3 rad.
const SAME_NORMAL: f64 = 1.0 - 5e-7;
/// A later candidate must be better by this part of the size of the compared values [-].
const BETTER: f64 = 1e-6;
/// The same for depths. It is smaller, since the deepest point must not be lost [-].
const DEEPER: f64 = 1e-9;
/// A point is covered by one that is deeper by this part of the size, and no further beside it [-].
const COVERED: f64 = 1e-3;
/// The most points that are kept of a plane contact, without the deepest one.
const MAX_CORNERS: usize = 8;
/// The most points that are kept of a plane contact.
const MAX_KEPT: usize = MAX_CORNERS + 4;
/// Up to this number of points none is dropped.
const FEW: usize = 4;

/// Above this number of points, some are dropped before they are compared in pairs.
const MANY: usize = 128;
/// Normals that may count as the same differ by less than a third of this in each component [-].
const WINDOW: f64 = 3e-3;
/// The width of a range of normals, along each component [-].
const CELL: f64 = 1e-3;
/// The number of pairs of opposite directions in which the outermost points stay.
const DIRECTIONS: usize = 8;
/// The most points that stay in a range of normals: the deepest, and two for each pair of directions.
const KEPT: usize = 1 + 2 * DIRECTIONS;

/// The component by which normals are sorted, and the largest difference in it at which two of them are compared.
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
/// normal it keeps at most twelve: the eight that span most, the deepest, and those below the lower hull of these. `size` is that of the smaller shape [m].
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

/// Sorts the points by the component in which their normals differ most. Only points near each other in it are compared then.
fn sort_normals(points: &mut [ContactPoint]) -> Order {
    let nothing = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
    let (low, high) =
        points.iter().fold(nothing, |(low, high), point| (low.inf(&point.normal), high.sup(&point.normal)));
    let order = Order { component: (high - low).imax(), window: WINDOW };
    // Ties are broken by the feature, which no two points share.
    points.sort_unstable_by(|a, b| order.of(a).total_cmp(&order.of(b)).then(a.feature.cmp(&b.feature)));
    order
}

/// Merges points at the same position with the same normal. The deepest one stays, at the index of the first.
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
            other.gap = other.gap.min(candidate.gap);
        } else {
            // Mostly it is there already.
            if kept != index {
                points[kept] = points[index];
            }
            kept += 1;
        }
    }
    points.truncate(kept);
}

/// Moves the points with the normal of `points[first]` to the places after it, in their order. Returns the end of this range.
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

/// Moves the points of one plane that are kept to the front, in their order, and returns their number. These are the corners of the
/// largest polygon found, and the deepest point if no corner is as deep.
///
/// The choice of corners does not depend on depths. Those of a face at rest are nearly equal, and the deepest point changes in every step.
fn choose_spread(points: &mut [ContactPoint], size: f64) -> usize {
    if is_ring(points, BETTER * size * size) {
        return points.len();
    }
    let count = drop_covered(points, COVERED * size);
    let points = &mut points[..count];
    let depth = |index: &usize| points[*index].gap;
    let (mut chosen, mut count) = span(points, BETTER * size * size);
    let deepest = (0..points.len()).min_by(|a, b| depth(a).total_cmp(&depth(b))).unwrap_or(0);
    let least = |chosen: &[usize]| chosen.iter().map(depth).fold(f64::INFINITY, f64::min);
    if least(&chosen[..count]) - depth(&deepest) > DEEPER * size {
        chosen[count] = deepest;
        count += 1;
    }
    while count < MAX_KEPT {
        let Some(deeper) = deeper_than(points, &chosen[..count], size) else { break };
        chosen[count] = deeper;
        count += 1;
    }
    let missing = (least(&chosen[..count]) - depth(&deepest)).max(0.0);
    chosen[..count].sort_unstable();
    for (place, index) in chosen[..count].iter().enumerate() {
        points[place] = points[*index];
        // So that the least gap is exact without the deepest point.
        points[place].gap -= missing;
    }
    count
}

/// Returns the point that is deepest below the lower hull of the gaps of the `chosen` ones, if there is one. Only such a point restricts
/// the bodies in a way that the chosen ones do not. Where two flat faces touch there is none, at any tilt.
fn deeper_than(points: &[ContactPoint], chosen: &[usize], size: f64) -> Option<usize> {
    let [first, second, third, ..] = *chosen else { return None };
    let slack = DEEPER * size;
    let is_flat = |point: &ContactPoint| {
        let plane = interpolated(points, [first, second, third], point, size, f64::INFINITY);
        plane.is_some_and(|gap| (gap - point.gap).abs() <= slack)
    };
    if points.iter().all(is_flat) {
        return None;
    }
    let hull = |point: &ContactPoint| {
        let mut lowest = f64::INFINITY;
        for (at, a) in chosen.iter().enumerate() {
            for (next, b) in chosen.iter().enumerate().skip(at + 1) {
                for c in &chosen[next + 1..] {
                    lowest =
                        interpolated(points, [*a, *b, *c], point, size, BETTER).map_or(lowest, |gap| lowest.min(gap));
                }
            }
        }
        lowest
    };
    let below = points
        .iter()
        .enumerate()
        .filter(|(index, _)| !chosen.contains(index))
        .map(|(index, point)| (hull(point) - point.gap, index));
    let (most, index) = below.filter(|(depth, _)| depth.is_finite()).max_by(|a, b| a.0.total_cmp(&b.0))?;
    (most > slack).then_some(index)
}

/// Returns the gap at the place of `point` that is linear between three others, if the point is in their triangle or outside by `beyond`
/// times its sides at most.
fn interpolated(
    points: &[ContactPoint],
    [a, b, c]: [usize; 3],
    point: &ContactPoint,
    size: f64,
    beyond: f64,
) -> Option<f64> {
    let [a, b, c] = [&points[a], &points[b], &points[c]];
    let area = signed_area(a, b, c);
    if area.abs() <= BETTER * size * size {
        return None;
    }
    let (of_b, of_c) = (signed_area(a, point, c) / area, signed_area(a, b, point) / area);
    let of_a = 1.0 - of_b - of_c;
    let is_inside = of_a.min(of_b).min(of_c) >= -beyond;
    is_inside.then_some(a.gap * of_a + b.gap * of_b + c.gap * of_c)
}

/// Moves points to the front that have no deeper one below them, in their order, and returns their number. A margin above the height of a body
/// reaches its upper corners too. `slack` is by how much points have to be deeper, and how far beside it they may be [m].
fn drop_covered(points: &mut [ContactPoint], slack: f64) -> usize {
    let mut kept = 0;
    for at in 0..points.len() {
        let point = points[at];
        let is_below = |other: &ContactPoint| {
            let arm = other.point - point.point;
            let beside = arm - point.normal * point.normal.dot(&arm);
            other.gap < point.gap - slack && beside.norm_squared() <= slack * slack
        };
        if !points[..kept].iter().chain(&points[at + 1..]).any(is_below) {
            points[kept] = point;
            kept += 1;
        }
    }
    kept
}

/// Returns whether the points are at most [`MAX_CORNERS`], and the corners of a convex polygon in their order around it, as clipping leaves
/// them. Each corner must add more than `area` [m^2], so that all would be chosen.
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

/// Returns up to [`MAX_CORNERS`] points that span a large polygon, and their number. The first point is farthest from the middle, the second one
/// farthest from the first. Each later one adds the largest area. Points that add less than `area` [m^2] are not used.
fn span(points: &[ContactPoint], area: f64) -> ([usize; MAX_KEPT], usize) {
    let middle = points.iter().map(|point| point.point).sum::<Vec3>() / points.len() as f64;
    let first = best(points, area, |point| (point.point - middle).norm_squared()).map_or(0, |(_, index)| index);
    let (mut polygon, mut count) = ([first; MAX_KEPT], 1);
    let far = |point: &ContactPoint| (point.point - points[first].point).norm_squared();
    let Some((_, second)) = best(points, area, far) else { return (polygon, count) };
    (polygon[1], count) = (second, 2);
    while count < MAX_CORNERS {
        // The polygon of two points has two edges on the same line.
        let corners = &polygon[..count];
        let Some((_, added)) = best(points, area, |point| beyond(points, corners, point).0) else { break };
        // Corners far from a common plane can each seem to lie beyond the others.
        if corners.contains(&added) {
            break;
        }
        let (_, edge) = beyond(points, corners, &points[added]);
        // Inserted between the ends of the edge, so that the polygon stays counterclockwise.
        polygon.copy_within(edge + 1..count, edge + 2);
        polygon[edge + 1] = added;
        count += 1;
    }
    (polygon, count)
}

/// Returns the highest score above `tolerance`, and the index of its point. A later point must be better by `tolerance` too.
fn best(points: &[ContactPoint], tolerance: f64, score: impl Fn(&ContactPoint) -> f64) -> Option<(f64, usize)> {
    points.iter().enumerate().fold(None, |best: Option<(f64, usize)>, (index, point)| {
        let value = score(point);
        if value > best.map_or(0.0, |best| best.0) + tolerance { Some((value, index)) } else { best }
    })
}

/// Returns twice the area that a point adds to a counterclockwise polygon [m^2], and the edge beyond which it lies.
fn beyond(points: &[ContactPoint], polygon: &[usize], point: &ContactPoint) -> (f64, usize) {
    let following = polygon.iter().skip(1).chain(polygon.first());
    let areas = polygon.iter().zip(following).map(|(from, to)| -signed_area(&points[*from], &points[*to], point));
    (0..).zip(areas).fold((0.0, 0), |best, (edge, area)| if area > best.0 { (area, edge) } else { best })
}

/// Returns twice the signed area of the triangle `a b c` about the normal of `a` [m^2].
fn signed_area(a: &ContactPoint, b: &ContactPoint, c: &ContactPoint) -> f64 {
    let [u, v]: [Vec3; 2] = [b.point - a.point, c.point - a.point];
    a.normal.dot(&u.cross(&v))
}

/// The range of a normal, and the index of its point.
type Key = ([i32; 3], usize);

/// Keeps the deepest and the outermost points of `points[start..]`, in their order. A later point must be deeper by `depth`
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

/// Returns the deepest point of a group, and the outermost ones.
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
