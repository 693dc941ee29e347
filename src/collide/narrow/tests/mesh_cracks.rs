//! Floors with 32-bit coordinates whose triangles share no edges: corners of one lie on edges of others, up to round-off.

use super::mesh_slivers::{Random, TILT};
use super::scene::{one_way, turned};
use crate::collide::narrow::ContactPoint;
use crate::math::{Pose, Quat, Vec3};
use crate::shape::Shape;

/// Divides a square into triangles, each one at a place of its longest side, whatever lies beyond that. Corners are rounded to 32 bits.
fn floor(random: &mut Random, count: usize) -> Shape {
    let mut points = vec![[-3.1, -3.1, 0.0], [3.1, -3.1, 0.0], [3.1, 3.1, 0.0], [-3.1, 3.1, 0.0]];
    let mut triangles = vec![[0, 1, 2], [0, 2, 3]];
    for _ in 0..count {
        let at = random.below(triangles.len());
        let length = |side: usize| {
            let [from, to]: [[f64; 3]; 2] = [side, (side + 1) % 3].map(|corner| points[triangles[at][corner] as usize]);
            (from[0] - to[0]).hypot(from[1] - to[1])
        };
        let side = (0..3).max_by(|one, other| length(*one).total_cmp(&length(*other))).expect("a side");
        let [a, b, c]: [u32; 3] = [0, 1, 2].map(|step| triangles[at][(side + step) % 3]);
        let part = random.between(0.2, 0.8);
        let middle = [0, 1, 2].map(|axis| points[a as usize][axis] * (1.0 - part) + points[b as usize][axis] * part);
        let new = points.len() as u32;
        points.push(middle);
        triangles[at] = [a, new, c];
        triangles.push([new, b, c]);
    }
    let points: Vec<[f64; 3]> = points.into_iter().map(|point| point.map(|value| f64::from(value as f32))).collect();
    Shape::mesh(&points, &triangles).expect("a mesh")
}

/// A shape, its rotation when it lies on a floor, and the height of its middle.
fn lying(random: &mut Random) -> (Shape, Quat, f64) {
    let (long, short) = (random.between(0.2, 0.6), random.between(0.1, 0.3));
    let over = Quat::from_axis_angle(&Vec3::y_axis(), std::f64::consts::FRAC_PI_2);
    let (shape, rotation, height) = match random.below(6) {
        0 => (Shape::sphere(short), Quat::identity(), short),
        1 => (Shape::cuboid([long, 2.0 * short, short]), Quat::identity(), short),
        2 => (Shape::capsule(long, short), over, short),
        3 => (Shape::cylinder(long, short), over, short),
        4 => (Shape::cylinder(short, long), Quat::identity(), short),
        _ => {
            let corner = |at: u32| {
                let (sine, cosine) = (f64::from(at / 2) * 0.9).sin_cos();
                [long * cosine, long * sine, if at.is_multiple_of(2) { short } else { -short }]
            };
            (Shape::hull(&(0..14).map(corner).collect::<Vec<_>>()), Quat::identity(), short)
        }
    };
    let turn = Quat::from_axis_angle(&Vec3::z_axis(), random.between(0.0, 6.3));
    (shape.expect("a shape"), turn * rotation, height)
}

/// A contact ahead of a body stops it, so none may lean to a side, at any margin.
#[test]
fn a_floor_with_cracks_of_round_off_is_a_plane() {
    let (plane, here) = (Shape::half_space([0.0, 0.0, 1.0], 0.0).expect("a plane"), turned(0.0, 0.0, 0.0, [0.0; 3]));
    for number in 0..100 {
        let random = &mut Random(7907 * number);
        let mesh = floor(random, 120);
        for _ in 0..20 {
            let (shape, rotation, height) = lying(random);
            let (margin, depth) = ([1e-3, 0.01, 0.3][random.below(3)], [0.0, 1e-6, 1e-3][random.below(3)]);
            let place = Vec3::new(random.between(-2.0, 2.0), random.between(-2.0, 2.0), height - depth);
            let pose = Pose::new(place, rotation);
            let found = one_way((&shape, &pose), (&mesh, &here), margin);
            let expected = one_way((&shape, &pose), (&plane, &here), margin);
            let case = || format!("{number}: {shape:?} at {pose:?}, {margin}: {found:?}");
            let least = |found: &[ContactPoint]| found.iter().map(|contact| contact.gap).fold(1.0, f64::min);
            assert!(found.iter().all(|contact| (contact.normal + Vec3::z()).norm() <= TILT), "{}", case());
            // The round-off of a few products of coordinates.
            assert!(!found.is_empty() && (least(&found) - least(&expected)).abs() <= 1e-14, "{}", case());
        }
    }
}
