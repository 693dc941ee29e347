//! Families of parts, at random angles, in 32-bit and 64-bit numbers, with and without noise. Each has its volume and a
//! closed surface. Each has its faces as long as the noise is below the tolerance.

use std::collections::BTreeMap;
use std::f64::consts::TAU;

use crate::error::ErrorKind;
use crate::math::elementary::sin_cos;
use crate::math::{Quat, Vec3};
use crate::shape::{Hull, Shape};

/// The tolerance of faces [size].
const FLAT: f64 = 8.0 * f32::EPSILON as f64;
/// Turns of each family.
const TURNS: usize = 20;
const NOISES: [f64; 10] = [0.0, 1e-16, 1e-14, 1e-12, 1e-10, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4];

/// Random numbers that are always the same (SplitMix64).
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// From 0 to 1.
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// In the cube from -1 to 1.
    pub(super) fn vector(&mut self) -> Vec3 {
        Vec3::from_fn(|_, _| 2.0 * self.next() - 1.0)
    }

    pub(super) fn unit_vector(&mut self) -> Vec3 {
        loop {
            let vector = self.vector();
            if (0.1..1.0).contains(&vector.norm()) {
                return vector.normalize();
            }
        }
    }

    pub(super) fn turn(&mut self) -> Quat {
        Quat::new(self.vector() * 3.0)
    }
}

pub(super) fn hull(points: &[[f64; 3]]) -> std::sync::Arc<Hull> {
    match Shape::hull(points) {
        Ok(Shape::Hull(hull)) => hull,
        other => panic!("{other:?}"),
    }
}

/// The numbers of the corners of a face.
pub(super) fn face(hull: &Hull, face: usize) -> &[u32] {
    &hull.corners[hull.starts[face] as usize..hull.starts[face + 1] as usize]
}

/// Checks that each edge has two faces, which list each other, that corners list each other, and that the surface is that of a ball.
pub(super) fn assert_closed(hull: &Hull) {
    let mut edges = BTreeMap::new();
    for index in 0..hull.normals.len() {
        let corners = face(hull, index);
        assert!(corners.len() >= 3 && (hull.normals[index].norm() - 1.0).abs() < 1e-14);
        let beyond = hull.adjacent_faces(index);
        assert_eq!(beyond.len(), corners.len());
        for ((from, to), beyond) in corners.iter().zip(corners.iter().cycle().skip(1)).zip(beyond) {
            assert_eq!(edges.insert((*from, *to), (index as u32, *beyond)), None, "an edge has two faces on one side");
        }
    }
    for ((from, to), (here, beyond)) in &edges {
        assert_eq!(edges.get(&(*to, *from)), Some(&(*beyond, *here)), "an edge has one face");
    }
    for corner in 0..hull.points.len() {
        let mut joined = hull.adjacent_corners(corner).to_vec();
        joined.sort_unstable();
        let corner = corner as u32;
        assert!(joined.len() >= 2);
        assert_eq!(joined, edges.range((corner, 0)..(corner + 1, 0)).map(|(edge, _)| edge.1).collect::<Vec<_>>());
    }
    assert_eq!(hull.points.len() + hull.normals.len(), edges.len() / 2 + 2);
}

/// No point is farther than `tolerance` [m] in front of a face, no corner of a face so far from its plane or outside of a side.
pub(super) fn assert_convex(hull: &Hull, points: &[[f64; 3]], tolerance: f64) {
    for (index, normal) in hull.normals.iter().enumerate() {
        let corners: Vec<Vec3> = face(hull, index).iter().map(|corner| hull.points[*corner as usize]).collect();
        let height = |point: &Vec3| normal.dot(&(point - corners[0]));
        let highest = points.iter().map(|point| height(&Vec3::from(*point))).fold(f64::NEG_INFINITY, f64::max);
        assert!(highest <= tolerance, "a point is {highest:e} in front of face {index}");
        // The first corner is the outermost.
        assert!(corners.iter().all(|corner| (-tolerance..=1e-14).contains(&height(corner))));
        for (from, to) in corners.iter().zip(corners.iter().cycle().skip(1)) {
            let outward = (to - from).cross(normal).normalize();
            let farthest = corners.iter().map(|corner| outward.dot(&(corner - from))).fold(0.0, f64::max);
            assert!(farthest <= tolerance, "a corner of face {index} is {farthest:e} outside");
        }
    }
}

pub(super) fn cuboid(half: [f64; 3]) -> Vec<[f64; 3]> {
    let sign = |k: u32| if k & 1 == 1 { 1.0 } else { -1.0 };
    (0..8).map(|k| [half[0] * sign(k), half[1] * sign(k >> 1), half[2] * sign(k >> 2)]).collect()
}

fn ring(sides: u32, radius: f64, height: f64) -> impl Iterator<Item = [f64; 3]> {
    (0..sides).map(move |side| {
        let (sine, cosine) = sin_cos(TAU * f64::from(side) / f64::from(sides));
        [radius * cosine, radius * sine, height]
    })
}

/// A part with its volume and the numbers of its faces and corners.
struct Part {
    name: &'static str,
    points: Vec<[f64; 3]>,
    volume: f64,
    faces: usize,
    corners: usize,
}

fn parts() -> [Part; 6] {
    let sixth = |k: i32| f64::from(k) / 2.5 - 1.0;
    // A slope over a square, with points in rows: its height is 2 in the middle.
    let slope = (0..36).map(|k| [sixth(k % 6), sixth(k / 6), f64::from(k % 6) / 5.0]);
    let ground = [[-1.0, -1.0, -1.0], [1.0, -1.0, -1.0], [1.0, 1.0, -1.0], [-1.0, 1.0, -1.0]];
    let middle = cuboid([1.0; 3]).into_iter().chain([[1.0, 1.0, 0.0]]);
    let grid = (0..216).map(|k| [sixth(k % 6), sixth(k / 6 % 6), sixth(k / 36)]);
    // The area of a regular polygon in the unit circle.
    let area = 32.0 * sin_cos(TAU / 64.0).0;
    let part = |name, points: Vec<[f64; 3]>, volume, faces, corners| Part { name, points, volume, faces, corners };
    [
        part("cube", cuboid([1.0; 3]), 8.0, 6, 8),
        part("cube with the middle of an edge", middle.collect(), 8.0, 6, 8),
        part("cube of points", grid.collect(), 8.0, 6, 8),
        part("prism", ring(64, 1.0, -1.0).chain(ring(64, 1.0, 1.0)).collect(), 2.0 * area, 66, 128),
        // The areas of the ends and of their mean, times a third of the height.
        part("frustum", ring(64, 1.0, -1.0).chain(ring(64, 0.5, 1.0)).collect(), area * 1.75 * 2.0 / 3.0, 66, 128),
        part("ramp", slope.chain(ground).collect(), 6.0, 6, 8),
    ]
}

#[test]
fn turned_parts_have_their_volume_and_their_faces() {
    let mut random = Random::new(3);
    for part in parts() {
        for (run, noise) in (0..2 * TURNS).flat_map(|run| NOISES.map(|noise| (run, noise))) {
            let is_float = run % 2 == 0;
            let turn = random.turn();
            let mut place = |point: &[f64; 3]| -> [f64; 3] {
                let place = turn * Vec3::from(*point) + random.vector() * noise;
                place.map(|value| if is_float { f64::from(value as f32) } else { value }).into()
            };
            let points: Vec<[f64; 3]> = part.points.iter().map(&mut place).collect();
            let hull = hull(&points);
            let name = format!("{} {run} with noise {noise:e}", part.name);
            // The round-off of a coordinate, and the area over the volume.
            let round_off = noise + if is_float { f64::from(f32::EPSILON) } else { 4.0 * f64::EPSILON };
            let volume = hull.mass_properties.volume;
            assert!((volume / part.volume - 1.0).abs() <= 4.0 * round_off, "{name}: volume {volume}");
            assert_closed(&hull);
            assert_convex(&hull, &points, 4.0 * FLAT * 3.5);
            if noise <= 1e-7 {
                assert_eq!((hull.normals.len(), hull.points.len()), (part.faces, part.corners), "{name}");
            }
        }
    }
}

#[test]
fn sheets_and_rods_are_exact() {
    let mut random = Random::new(4);
    for (half, is_thick) in [
        ([1.0, 1.0, 5e-4], true),
        ([1.0, 5e-4, 5e-4], true),
        ([1.0, 1.0, 5e-8], false),
        ([1.0, 5e-8, 5e-8], false),
        ([1.0, 1e-3, 1e-7], false),
    ] {
        let volume = 8.0 * half[0] * half[1] * half[2];
        let thinnest = half.iter().fold(1.0, |a: f64, b| a.min(*b));
        let straight = hull(&cuboid(half));
        assert!((straight.mass_properties.volume / volume - 1.0).abs() <= 2.0 * f64::EPSILON);
        for run in 0..100 {
            let is_float = is_thick && run % 2 == 0;
            let (turn, precision) = (random.turn(), if is_float { f64::from(f32::EPSILON) } else { f64::EPSILON });
            let round = |value: f64| if is_float { f64::from(value as f32) } else { value };
            let points: Vec<[f64; 3]> =
                cuboid(half).iter().map(|point| (turn * Vec3::from(*point)).map(round).into()).collect();
            let hull = hull(&points);
            // A corner moves by the round-off of its coordinates, of up to 1.
            let error = (hull.mass_properties.volume / volume - 1.0).abs();
            assert!(error <= 2.0 * precision / thinnest, "{half:?} is off by {error:e}");
            assert_closed(&hull);
            assert_eq!((hull.normals.len(), hull.points.len()), (6, 8));
        }
    }
}

#[test]
fn thin_slabs_and_needles_of_random_points_have_their_volume() {
    let mut random = Random::new(5);
    for scale in [[1.0, 1.0, 1e-3], [1.0, 1.0, 1e-6], [1.0, 1e-4, 1e-4], [1.0, 1e-3, 1e-5]] {
        for _ in 0..50 {
            let raw: Vec<Vec3> = (0..64).map(|_| random.vector()).collect();
            let round = hull(&raw.iter().map(|point| (*point).into()).collect::<Vec<_>>());
            let turn = random.turn();
            let thin = |point: &Vec3| -> [f64; 3] { (turn * point.component_mul(&Vec3::from(scale))).into() };
            let points: Vec<[f64; 3]> = raw.iter().map(thin).collect();
            let hull = hull(&points);
            let expected = round.mass_properties.volume * scale[0] * scale[1] * scale[2];
            let error = (hull.mass_properties.volume / expected - 1.0).abs();
            assert!(error <= 4.0 * f64::EPSILON / scale[2], "{scale:?} is off by {error:e}");
            assert_closed(&hull);
        }
    }
}

#[test]
fn clusters_become_corners() {
    let mut random = Random::new(6);
    for gap in [1e-15, 1e-12, 1e-9, 1e-7] {
        for _ in 0..50 {
            let turn = random.turn();
            let corners = cuboid([1.0; 3]).into_iter().flat_map(|corner| [turn * Vec3::from(corner); 8]);
            let points: Vec<[f64; 3]> = corners.map(|corner| (corner + random.vector() * gap).into()).collect();
            let hull = hull(&points);
            assert!((hull.mass_properties.volume / 8.0 - 1.0).abs() <= 4.0 * gap + 1e-14);
            assert_closed(&hull);
            assert_eq!((hull.normals.len(), hull.points.len()), (6, 8), "{gap:e}");
        }
    }
}

#[test]
fn what_is_too_thin_is_refused_by_name() {
    let mut random = Random::new(7);
    for half in [[1.0, 1.0, 1e-9], [1.0, 1e-9, 1e-9], [1.0, 1e-5, 1e-12]] {
        for turn in [Quat::identity(), random.turn()] {
            let points: Vec<[f64; 3]> = cuboid(half).iter().map(|point| (turn * Vec3::from(*point)).into()).collect();
            let error = Shape::hull(&points).expect_err("is flat");
            assert_eq!(error.kind, ErrorKind::Argument, "{}", error.message);
            assert!(
                error.message.contains("in one plane") || error.message.contains("on one line"),
                "{}",
                error.message
            );
        }
    }
}

#[test]
fn parts_far_from_their_origin_have_faces() {
    let mut random = Random::new(8);
    for _ in 0..100 {
        let (turn, shift) = (random.turn(), random.unit_vector() * 100.0);
        let place = |point: &[f64; 3]| turn * Vec3::from(*point) + shift;
        let floats = cuboid([1.0; 3])
            .iter()
            .map(|point| place(point).map(|value| f64::from(value as f32)).into())
            .collect::<Vec<_>>();
        assert_eq!(hull(&floats).normals.len(), 6);
        let doubles = cuboid([1.0; 3]).iter().map(|point| (place(point) * 1e6).into()).collect::<Vec<_>>();
        assert_eq!(hull(&doubles).normals.len(), 6);
    }
}
