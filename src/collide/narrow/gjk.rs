//! The distance of two shapes that do not overlap: the algorithm of Gilbert, Johnson and Keerthi on `b - a`, whose last
//! features are then met in closed form.

use super::pole::{Search, Vertex};
use crate::math::Vec3;

/// Most iterations; a few are enough except for round shapes.
const MAX_ITERATIONS: usize = 96;
/// How far, as a fraction of the distance, the bounds of the distance are apart where the features are first met [-].
const FIRST: f64 = 1e-2;
/// How much closer the bounds have to be each time that the features were not the right ones [-].
const CLOSER: f64 = 1e-3;
/// The closest bounds [-].
const LAST: f64 = 1e-14;
/// Shapes that are closer than this fraction of their size touch, as far as a search can tell [-].
const TOUCHING: f64 = 1e-10;

/// Four vertices are in a plane if one is closer to that of the others than this fraction of their distances [-].
const FLAT: f64 = 1e-13;

/// Some vertices of `b - a` and what of their hull is closest to the origin.
#[derive(Debug, Clone, Copy)]
struct Simplex {
    vertices: [Vertex; 4],
    count: usize,
}

/// Improves the best axis of the search until none separates more. It starts from that axis, or else between the centres.
/// `exact` is by how much points on the features may be farther apart than the axis separates [m]. Returns whether some
/// axis separates more than `margin` [m].
pub(super) fn find_distance(search: &mut Search, margin: f64, exact: f64) -> bool {
    let start = search.best.map_or(search.b.center - search.a.center, |best| best.normal);
    let first = search.vertex(&-start);
    let mut simplex = Simplex { vertices: [first; 4], count: 1 };
    let mut closest = first.arm;
    let (mut wanted, mut before) = (if search.is_round { FIRST } else { LAST }, f64::INFINITY);
    let mut kept = (simplex, closest);
    for round in 0..MAX_ITERATIONS {
        let square = closest.norm_squared();
        let distance = square.sqrt();
        let is_touching = distance <= TOUCHING * search.size;
        if square >= before {
            // By round-off the new simplex is no closer, and may have lost the features.
            simplex = kept.0;
            finish(search, &kept.0, &kept.1, exact);
            break;
        }
        if is_touching || round + 1 == MAX_ITERATIONS {
            finish(search, &simplex, &closest, exact);
            break;
        }
        (before, kept) = (square, (simplex, closest));
        let vertex = search.vertex(&-closest);
        let lower_bound = closest.dot(&vertex.arm) / distance;
        if lower_bound > margin {
            return true;
        }
        let is_known = simplex.vertices[..simplex.count].iter().any(|other| other.arm == vertex.arm);
        if distance - lower_bound <= wanted * distance || is_known {
            finish(search, &simplex, &closest, exact);
            let is_exact = search.best_with_points().is_some_and(|(_, _, left)| left <= exact);
            if is_exact || is_known || wanted <= LAST {
                break;
            }
            wanted = (wanted * CLOSER).max(LAST);
            if distance - lower_bound <= LAST * distance {
                break;
            }
        }
        simplex.vertices[simplex.count] = vertex;
        simplex.count += 1;
        match simplex.reduced() {
            Some(point) => closest = point,
            None => {
                // By round-off: the shapes touch.
                simplex = kept.0;
                finish(search, &kept.0, &kept.1, exact);
                break;
            }
        }
    }
    add_missing(search, simplex, exact);
    search.best.is_some_and(|best| best.separation > margin)
}

/// Tries the features that the simplex is of.
fn finish(search: &mut Search, simplex: &Simplex, closest: &Vec3, exact: f64) {
    if let Some(normal) = closest.try_normalize(0.0) {
        search.polish(&normal, &simplex.vertices[..simplex.count], exact);
    }
}

/// Tries what the simplex may lack. Where the shapes are close, round-off turns the arm between them. Then edges are found that do not meet,
/// or a vertex is not found that is as near as the others.
fn add_missing(search: &mut Search, mut simplex: Simplex, exact: f64) {
    let is_met = |search: &Search| search.best_with_points().is_none_or(|(.., left)| left <= exact);
    while !is_met(search) {
        search.offer_ends();
        let Some(best) = search.best.filter(|_| simplex.count < 4 && !is_met(search)) else { return };
        simplex.vertices[simplex.count] = search.vertex(&-best.normal);
        simplex.count += 1;
        search.polish(&best.normal, &simplex.vertices[..simplex.count], exact);
    }
}

impl Simplex {
    /// Drops the vertices that do not bear on the point closest to the origin, which is returned; `None` where the origin is inside.
    fn reduced(&mut self) -> Option<Vec3> {
        let all = self.vertices;
        let arms = all.map(|vertex| vertex.arm);
        let (point, kept, count) = match self.count {
            1 => (arms[0], [0, 0, 0], 1),
            2 => of_segment(&arms, [0, 1]),
            3 => of_triangle(&arms, [0, 1, 2]),
            _ => of_tetrahedron(&arms)?,
        };
        for (place, index) in kept.into_iter().take(count).enumerate() {
            self.vertices[place] = all[index];
        }
        self.count = count;
        Some(point)
    }
}

/// A point, the numbers of the vertices that it lies between, and how many these are.
type Closest = (Vec3, [usize; 3], usize);

fn of_segment(arms: &[Vec3; 4], [i, j]: [usize; 2]) -> Closest {
    let (a, b) = (arms[i], arms[j]);
    let along = b - a;
    let (start, end) = (-a.dot(&along), b.dot(&along));
    if start <= 0.0 {
        (a, [i, i, i], 1)
    } else if end <= 0.0 {
        (b, [j, j, j], 1)
    } else {
        // From the nearer end, which is less round-off.
        let square = along.norm_squared();
        let point = if start < end { a + along * (start / square) } else { b - along * (end / square) };
        (point, [i, j, j], 2)
    }
}

fn of_triangle(arms: &[Vec3; 4], [i, j, k]: [usize; 3]) -> Closest {
    let (a, b, c) = (arms[i], arms[j], arms[k]);
    let (ab, ac, bc) = (b - a, c - a, c - b);
    // Across the two shorter sides, which is less round-off.
    let [l_ab, l_ac, l_bc] = [ab, ac, bc].map(|side| side.norm_squared());
    let normal = if l_ab >= l_ac && l_ab >= l_bc {
        ac.cross(&bc)
    } else if l_ac >= l_bc {
        ab.cross(&bc)
    } else {
        ab.cross(&ac)
    };
    let square = normal.norm_squared();
    let inside = |from: &Vec3, side: &Vec3| normal.cross(side).dot(from) <= 0.0;
    if square > 0.0 && inside(&a, &ab) && inside(&b, &bc) && inside(&c, &-ac) {
        // The height of the nearest corner over the plane.
        let nearest = [a, b, c].into_iter().min_by(|x, y| x.norm_squared().total_cmp(&y.norm_squared())).unwrap_or(a);
        return (normal * (normal.dot(&nearest) / square), [i, j, k], 3);
    }
    let sides = [[i, j], [j, k], [i, k]].map(|side| of_segment(arms, side));
    nearest_of(&sides)
}

fn nearest_of(found: &[Closest]) -> Closest {
    let mut best = found[0];
    for other in &found[1..] {
        if other.0.norm_squared() < best.0.norm_squared() {
            best = *other;
        }
    }
    best
}

fn of_tetrahedron(arms: &[Vec3; 4]) -> Option<Closest> {
    let mut best: Option<Closest> = None;
    let size = arms.iter().map(|arm| (arm - arms[0]).norm_squared()).fold(0.0, f64::max).sqrt();
    for [i, j, k, other] in [[0, 1, 2, 3], [0, 1, 3, 2], [0, 2, 3, 1], [1, 2, 3, 0]] {
        let normal = (arms[j] - arms[i]).cross(&(arms[k] - arms[i]));
        let (own, opposite) = (-normal.dot(&arms[i]), normal.dot(&(arms[other] - arms[i])));
        // Not on the side of the fourth vertex, or there is no such side: of four vertices in a plane round-off has the sign.
        let is_flat = opposite.abs() <= FLAT * size * normal.norm();
        if own * opposite <= 0.0 || is_flat {
            let found = of_triangle(arms, [i, j, k]);
            if best.is_none_or(|best| found.0.norm_squared() < best.0.norm_squared()) {
                best = Some(found);
            }
        }
    }
    best
}
