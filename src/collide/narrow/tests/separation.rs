//! The axis of greatest separation against its definition, for random pairs of all shapes.
//!
//! What the axis of shapes apart separates is proved: the closest points are in the shapes and no farther from each other. Where
//! the shapes overlap, all faces and pairs of edges of polyhedra are tried; with cylinders many directions, and what lies near
//! the best of them.

use super::{climbed, separation};
use crate::collide::narrow::axis::Axis;
use crate::collide::narrow::expand::ExpandBuffers;
use crate::collide::narrow::polytope::Polytope;
use crate::collide::narrow::separation::greatest_separation;
use crate::collide::narrow::{ContactPoint, NarrowWorkspace, Placed, contacts};
use crate::math::{Pose, Quat, Quaternion, Vec3};
use crate::shape::{Hull, Shape};

/// Random numbers with the same bits everywhere (xorshift).
pub(super) struct Random(pub(super) u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    pub(super) fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    pub(super) fn direction(&mut self) -> Vec3 {
        loop {
            let vector = Vec3::from([0; 3].map(|_| self.within(-1.0, 1.0)));
            if (0.01..1.0).contains(&vector.norm_squared()) {
                return vector.normalize();
            }
        }
    }

    pub(super) fn rotation(&mut self) -> Quat {
        loop {
            let [x, y, z, w] = [0; 4].map(|_| self.within(-1.0, 1.0));
            let quaternion = Quaternion::new(w, x, y, z);
            if (0.01..1.0).contains(&quaternion.norm_squared()) {
                return Quat::new_normalize(quaternion);
            }
        }
    }

    fn hull(&mut self, count: usize) -> Shape {
        let half = [0; 3].map(|_| self.within(0.2, 0.6));
        loop {
            let point = |_| {
                let unit = self.direction();
                [unit.x * half[0], unit.y * half[1], unit.z * half[2]]
            };
            if let Ok(hull) = Shape::hull(&(0..count).map(point).collect::<Vec<_>>()) {
                return hull;
            }
        }
    }

    pub(super) fn shape(&mut self, kind: usize) -> Shape {
        let mut length = || self.within(0.1, 0.6);
        match kind {
            0 => Shape::sphere(length()),
            1 => Shape::cuboid([length(), length(), length()]),
            2 => Shape::capsule(length(), length()),
            3 => Shape::cylinder(length(), length()),
            _ => {
                let count = [4, 6, 10, 20, 50, 200][(self.unit() * 6.0) as usize % 6];
                return self.hull(count);
            }
        }
        .unwrap()
    }
}

const KINDS: [&str; 5] = ["sphere", "box", "capsule", "cylinder", "hull"];

/// The axis along which two shapes are farthest apart, with its separation, less the radii.
fn best_axis(a: (&Shape, &Pose), b: (&Shape, &Pose)) -> (Axis, f64) {
    let origin = a.1.origin;
    let of = |(shape, pose)| Polytope::new(Placed { shape, pose }, &origin).unwrap();
    let (one, other) = (of(a), of(b));
    let found = greatest_separation(&one, &other, 100.0, &mut ExpandBuffers::default()).unwrap().unwrap();
    let axis = found.sharper.unwrap_or(found.axis);
    (axis, axis.separation - one.radius - other.radius)
}

/// An upper bound on the distance of a point from a shape [m]; 0 inside.
fn outside((shape, pose): (&Shape, &Pose), point: &Vec3) -> f64 {
    let local = pose.to_local(point);
    match shape {
        Shape::Sphere(sphere) => (local.norm() - sphere.radius).max(0.0),
        Shape::Cuboid(cuboid) => (local.abs() - cuboid.half_extents).map(|beyond| beyond.max(0.0)).norm(),
        Shape::Capsule(capsule) => {
            let along = local.z.clamp(-capsule.half_height, capsule.half_height);
            ((local - Vec3::z() * along).norm() - capsule.radius).max(0.0)
        }
        Shape::Cylinder(cylinder) => {
            let (along, across) = (local.z.abs() - cylinder.half_height, local.x.hypot(local.y) - cylinder.radius);
            along.max(0.0).hypot(across.max(0.0))
        }
        Shape::Hull(hull) => outside_hull(hull, shape.bounding_radius(), local),
        _ => unreachable!(),
    }
}

/// The same of a hull. The point is moved onto the face that it is farthest beyond, several times, then toward a point inside.
fn outside_hull(hull: &Hull, radius: f64, mut point: Vec3) -> f64 {
    let center = hull.graph.center;
    let corner = |face: usize| hull.points[hull.corners[hull.starts[face] as usize] as usize];
    let height = |point: &Vec3, face: usize| hull.normals[face].dot(&(point - corner(face)));
    // Heights are computed with a round-off of a few units in the last place of the size.
    let round_off = 4.0 * f64::EPSILON * radius;
    let (mut way, mut least) = (0.0, f64::INFINITY);
    for _ in 0..8 {
        let beyond =
            (0..hull.normals.len()).map(|face| (height(&point, face), face)).filter(|(own, _)| *own > round_off);
        let fraction = |(own, face): (f64, usize)| own / (own - height(&center, face));
        let inward = beyond.clone().map(fraction).fold(0.0, f64::max) * (point - center).norm();
        least = f64::min(least, way + inward);
        let Some((own, face)) = beyond.max_by(|one, other| one.0.total_cmp(&other.0)) else { break };
        point -= hull.normals[face] * own;
        way += own;
    }
    least
}

/// The largest distance of a corner behind the plane of its face [m].
fn bend(shape: &Shape) -> f64 {
    let Shape::Hull(hull) = shape else { return 0.0 };
    let of_face = |(face, normal): (usize, &Vec3)| {
        let corners = &hull.corners[hull.starts[face] as usize..hull.starts[face + 1] as usize];
        let height = |corner: &u32| normal.dot(&hull.points[*corner as usize]);
        height(&corners[0]) - corners.iter().map(height).fold(f64::INFINITY, f64::min)
    };
    hull.normals.iter().enumerate().map(of_face).fold(0.0, f64::max)
}

/// Normals of faces and directions of edges, those of a sphere, a capsule and a cylinder as far as they have some.
fn features((shape, pose): (&Shape, &Pose)) -> (Vec<Vec3>, Vec<Vec3>) {
    let columns = [0, 1, 2].map(|axis| pose.matrix.column(axis).into_owned());
    match shape {
        Shape::Cuboid(_) => (columns.iter().flat_map(|axis| [*axis, -axis]).collect(), columns.to_vec()),
        Shape::Capsule(_) => (vec![], vec![columns[2]]),
        Shape::Cylinder(_) => (vec![columns[2], -columns[2]], vec![columns[2]]),
        Shape::Hull(hull) => {
            let normals = hull.normals.iter().map(|normal| pose.matrix * normal).collect();
            let mut edges = Vec::new();
            for face in hull.starts.windows(2) {
                let corners = &hull.corners[face[0] as usize..face[1] as usize];
                for (from, to) in corners.iter().zip(corners.iter().cycle().skip(1)).filter(|(from, to)| from < to) {
                    edges.push(pose.matrix * (hull.points[*to as usize] - hull.points[*from as usize]).normalize());
                }
            }
            (normals, edges)
        }
        _ => (vec![], vec![]),
    }
}

/// The most that an axis separates, of very many, and of those that faces and edges have.
fn most_separating(a: (&Shape, &Pose), b: (&Shape, &Pose), random: &mut Random) -> (f64, Vec3) {
    let ((faces_a, edges_a), (faces_b, edges_b)) = (features(a), features(b));
    let mut best = (f64::NEG_INFINITY, Vec3::z());
    let mut offer = |axis: Vec3| {
        let found = separation(a, b, &axis);
        if found > best.0 {
            best = (found, axis);
        }
    };
    faces_a.iter().for_each(|normal| offer(*normal));
    faces_b.iter().for_each(|normal| offer(-normal));
    for edge in &edges_a {
        for other in &edges_b {
            if let Some(across) = edge.cross(other).try_normalize(1e-7) {
                offer(across);
                offer(-across);
            }
        }
    }
    let is_round = [a.0, b.0].iter().any(|shape| matches!(shape, Shape::Cylinder(_)));
    let is_point = [a.0, b.0].iter().any(|shape| matches!(shape, Shape::Sphere(_) | Shape::Capsule(_)));
    if is_round || is_point {
        let mut tried: Vec<(f64, Vec3)> = (0..300)
            .map(|_| random.direction())
            .chain(faces_a.iter().copied())
            .chain(faces_b.iter().map(|normal| -normal))
            .map(|axis| (separation(a, b, &axis), axis))
            .collect();
        tried.sort_by(|one, other| other.0.total_cmp(&one.0));
        for (_, from) in tried.iter().take(6) {
            offer(climbed(a, b, *from));
        }
    }
    best
}

/// Puts b so that its gap to a is `gap` [m], within a thousandth, if it is that on the way to a.
fn place(random: &mut Random, a: (&Shape, &Pose), b: &Shape, gap: f64) -> Pose {
    let (turn, toward) = (random.rotation(), random.direction());
    let (mut low, mut high) = (0.0, 3.0);
    loop {
        let middle: f64 = 0.5 * (low + high);
        let pose = Pose::new(a.1.origin + toward * middle, turn);
        let (_, found) = best_axis(a, (b, &pose));
        if (found - gap).abs() <= 1e-3 * gap.abs() || high - low < 1e-15 {
            return pose;
        }
        if found > gap { high = middle } else { low = middle }
    }
}

/// The worst errors of pairs of two kinds, apart and overlapping.
fn worst([one, other]: [usize; 2], pairs: usize, seed: u64) -> [f64; 2] {
    let mut random = Random(seed);
    let mut worst = [0f64; 2];
    for number in 0..pairs {
        let (a, b) = (random.shape(one), random.shape(other));
        let here = Pose::new(random.direction() * 0.3, random.rotation());
        let gap = if number % 2 == 0 || apart_only() {
            10f64.powf(random.within(-12.0, -0.5))
        } else {
            -(10f64.powf(random.within(-9.0, -1.3)))
        };
        let there = place(&mut random, (&a, &here), &b, gap);
        let (a, b) = ((&a, &here), (&b, &there));
        let (axis, found) = best_axis(a, b);
        let size = a.0.bounding_radius().min(b.0.bounding_radius());
        let span = size + (b.1.origin - a.1.origin).norm();
        let own = (separation(a, b, &axis.normal) - found).abs() / span;
        assert!(own < 1e-14, "{a:?} {b:?} {axis:?}: {own}");
        if found > 0.0 {
            let [distance, gap] = apart(a, b, &axis, found).map(|error| error / size);
            worst[0] = worst[0].max(distance).max(gap);
            // The axis of two rims is less certain. A rim may be deeper than its octagon by the bound of the gap. The bend counts four
            // times, because the planes of bent faces meet in front of the corners, by more than the corners are behind the planes.
            let bend = 4.0 * bend(a.0).max(bend(b.0)) / size;
            let certain = bend + if (one, other) == (3, 3) { 1e-9 } else { 1e-12 };
            let bound = bend + if one == 3 || other == 3 { 2e-9 } else { 1e-12 };
            assert!(distance < certain && gap < bound, "{a:?}\n{b:?}\n{axis:?}: {distance} {gap}");
        } else if found > -0.1 * size {
            let (largest, better) = most_separating(a, b, &mut random);
            let error = (largest - found) / size;
            worst[1] = worst[1].max(error);
            assert!(error < 1e-9, "{a:?}\n{b:?}\n{axis:?}: {error}, {better:?}");
        }
    }
    worst
}

/// By how much the shapes may be closer than the axis says, and by how much the least gap differs from that [m].
fn apart(a: (&Shape, &Pose), b: (&Shape, &Pose), axis: &Axis, gap: f64) -> [f64; 2] {
    let (mut workspace, mut found) = (NarrowWorkspace::default(), Vec::new());
    let placed = |(shape, pose)| Placed { shape, pose };
    contacts(placed(a), placed(b), 100.0, &mut workspace, &mut found).unwrap();
    assert!(!found.is_empty(), "{a:?}\n{b:?}\n{axis:?}");
    let points = |contact: &ContactPoint| [-0.5, 0.5].map(|side| contact.point + contact.normal * (side * contact.gap));
    // Two edges that lie along each other bear at the ends of their common part, not where they are closest.
    let distance =
        found.iter().map(points).chain(closest(a, b, axis)).map(|pair| bound(a, b, pair)).fold(f64::INFINITY, f64::min);
    let least = found.iter().map(|contact| contact.gap).fold(f64::INFINITY, f64::min);
    // The axis of a face is preferred if it is nearly as good. Then its normal is that of the points, and along it gaps are longer by the
    // cosine.
    let along = found.iter().map(|contact| contact.normal.dot(&axis.normal)).fold(f64::NEG_INFINITY, f64::max);
    let cosine = 2.0 * (1.0 - along) * (least.abs() + a.0.bounding_radius() + b.0.bounding_radius());
    [distance - gap, ((least - gap).abs() - cosine).max(0.0)]
}

/// An upper bound on the distance of two shapes, from a point near each [m].
///
/// It is the way from one point to the other, or from one of them to both shapes. The second is exact where the point is one of the two
/// closest ones. An error of the point changes it by the square of that error only.
fn bound(a: (&Shape, &Pose), b: (&Shape, &Pose), [on_a, on_b]: [Vec3; 2]) -> f64 {
    let between = (on_b - on_a).norm() + outside(a, &on_a) + outside(b, &on_b);
    let of = |point: &Vec3| outside(a, point) + outside(b, point);
    between.min(of(&on_a)).min(of(&on_b))
}

/// The farthest point of each shape along the axis, as a pair with itself, and the closest points if the axis has them.
fn closest(a: (&Shape, &Pose), b: (&Shape, &Pose), axis: &Axis) -> Vec<[Vec3; 2]> {
    let origin = a.1.origin;
    let of = |(shape, pose)| Polytope::new(Placed { shape, pose }, &origin).unwrap();
    let (one, other) = (of(a), of(b));
    let placed = |on_a, on_b| [origin + on_a + axis.normal * one.radius, origin + on_b - axis.normal * other.radius];
    let witness = axis.witness.and_then(|witness| witness.points(&one, &other)).map(|[on_a, on_b]| placed(on_a, on_b));
    let [on_a, on_b] = placed(one.support(&axis.normal), other.support(&-axis.normal));
    [[on_a; 2], [on_b; 2]].into_iter().chain(witness).collect()
}

/// Checks pairs of two kinds.
pub(crate) fn check(one: usize, other: usize, pairs: usize) {
    let seed = 0x9e37_79b9_7f4a_7c15 ^ (one * 5 + other) as u64;
    let found = worst([one, other], pairs, seed);
    println!("{} {}: {:e} apart, {:e} overlapping", KINDS[one], KINDS[other], found[0], found[1]);
}

#[test]
fn ends_of_tilted_cylinders_are_as_deep_as_their_rims() {
    let mut random = Random(7);
    let cylinder = Shape::cylinder(0.3, 0.5).unwrap();
    for (number, kind) in [1, 3, 4].repeat(200).into_iter().enumerate() {
        let (lower, here) = (random.shape(kind), Pose::new(Vec3::zeros(), Quat::identity()));
        let turn = Quat::from_scaled_axis(random.direction() * 10f64.powf(random.within(-8.0, -1.9)));
        let [x, y] = [0; 2].map(|_| random.within(-0.6, 0.6));
        let over = |height: f64| Pose::new(Vec3::new(x, y, height), turn);
        let (far, above) = best_axis((&lower, &here), (&cylinder, &over(2.0)));
        // Apart, and overlapping.
        let gap = 10f64.powf(random.within(-6.0, -2.0)) * if number % 2 == 0 { 1.0 } else { -1.0 };
        let upper = over(2.0 - (above - gap) / far.normal.z);
        let (a, b) = ((&lower, &here), (&cylinder, &upper));
        // Of two nearly parallel faces the first one is the axis, even if the other separates slightly more.
        let (axis, found) = best_axis(a, b);
        let (other, _) = most_separating(a, b, &mut random);
        let [_, error] = apart(a, b, &axis, found.max(other));
        assert!(error < 2e-9, "{lower:?} {upper:?} {axis:?}: {error}");
    }
}

/// The number of pairs of two kinds; a large one is for long runs by hand.
fn pairs() -> usize {
    std::env::var("EXACT_PAIRS").ok().and_then(|text| text.parse().ok()).unwrap_or(300)
}

/// Whether all pairs are apart, which is proved much faster than that no axis is better for an overlap.
fn apart_only() -> bool {
    std::env::var_os("EXACT_APART").is_some()
}

#[test]
fn boxes() {
    (0..5).for_each(|other| check(1.min(other), 1.max(other), pairs()));
}

#[test]
fn capsules() {
    [0, 2, 3, 4].into_iter().for_each(|other| check(2.min(other), 2.max(other), pairs()));
}

#[test]
fn cylinders() {
    [0, 3, 4].into_iter().for_each(|other| check(3.min(other), 3.max(other), pairs()));
}

#[test]
fn hulls_and_balls() {
    [[0, 0], [0, 4], [4, 4]].into_iter().for_each(|[one, other]| check(one, other, pairs()));
}

#[test]
fn of_parallel_edges_the_touched_one_has_the_contact() {
    let quaternion = |[x, y, z, w]: [f64; 4]| Quat::new_unchecked(Quaternion::new(w, x, y, z));
    let block = Shape::cuboid([0.23829238264131222, 0.232607904369211, 0.28860289136464445]).unwrap();
    let turned = quaternion([-0.7219640261605907, -0.6052708453391807, 0.12407850350558236, 0.31147981263670815]);
    let here = Pose::new(Vec3::new(0.047725437384291115, 0.1382470064529263, 0.26193519777472185), turned);
    let drum = Shape::cylinder(0.33394058454330433, 0.49697001440569066).unwrap();
    let turned = quaternion([0.36580866666204787, 0.005487949784156398, 0.6893087942346183, 0.6253057556051422]);
    let there = Pose::new(Vec3::new(0.41521528854065953, 0.46038699741297345, -0.505571079249353), turned);
    let (a, b) = ((&block, &here), (&drum, &there));
    let (axis, gap) = best_axis(a, b);
    assert!(apart(a, b, &axis, gap).iter().all(|error| *error < 1e-15));
}
