//! Shapes that stand and lie on each other with a trace of tilt: no contact is lost.

use std::f64::consts::FRAC_PI_2;

use super::scene::{at, box_hull, one_way};
use super::separation::Random;
use crate::math::{Pose, Quat, Quaternion, Vec3};
use crate::shape::Shape;

/// A cylinder on a box, as a step left it: turned by 3e-14 out of the upright.
#[test]
fn a_cylinder_with_a_tilt_of_round_off_stands() {
    let (table, cylinder) = (Shape::cuboid([2.0, 2.0, 0.5]).unwrap(), Shape::cylinder(0.5, 0.5).unwrap());
    let turn = [2.3262119449730047e-14, -1.493_459_215_175_514e-14, 0.23289095860313322, -0.972_502_854_186_512_7];
    let rotation = Quat::new_unchecked(Quaternion::new(turn[3], turn[0], turn[1], turn[2]));
    let above = Pose::new(Vec3::new(0.0, 0.0, 0.500_000_000_021_165_2), rotation);
    let found = one_way((&table, &at(0.0, 0.0, -0.5)), (&cylinder, &above), 1e-3);
    assert!(found.len() >= 4, "{found:?}");
    for contact in &found {
        // The rim is 0.5 from the middle, and the tilt 5.5e-14.
        assert!((contact.gap - 2.116518e-11).abs() < 1e-13, "{contact:?}");
        assert!(contact.normal.z > 1.0 - 1e-15);
    }
}

/// Shapes with their middle at the origin that stand on a plane across z: how high that is, and with how many points.
fn standing() -> Vec<(Shape, Quat, f64, usize)> {
    let turn = |k: u32| (f64::from(k) * std::f64::consts::PI / 6.0).sin_cos();
    let ring = |z: f64| (0..12).map(turn).map(move |(s, c)| [0.5 * c, 0.5 * s, z]);
    let prism = Shape::hull(&ring(-0.4).chain(ring(0.4)).collect::<Vec<_>>()).unwrap();
    let lying = Quat::from_axis_angle(&Vec3::y_axis(), FRAC_PI_2);
    vec![
        (Shape::cuboid([0.5, 0.4, 0.3]).unwrap(), Quat::identity(), 0.3, 4),
        (box_hull([0.5, 0.4, 0.3]), Quat::identity(), 0.3, 4),
        (prism, Quat::identity(), 0.4, 4),
        (Shape::cylinder(0.4, 0.5).unwrap(), Quat::identity(), 0.4, 4),
        (Shape::cylinder(0.4, 0.3).unwrap(), lying, 0.3, 2),
        (Shape::capsule(0.4, 0.3).unwrap(), lying, 0.3, 2),
        (Shape::sphere(0.3).unwrap(), Quat::identity(), 0.3, 1),
    ]
}

/// Each on each, in both orders, with tilts from none to 1e-3: as many points as bear, none deeper than the tilt makes it.
#[test]
fn none_is_lost_by_a_trace_of_tilt() {
    let mut random = Random(0x5eed);
    let tilts = [0.0, 1e-17, 1e-16, 1e-15, 1e-14, 3e-14, 1e-13, 1e-12, 1e-10, 1e-8, 1e-6, 1e-4, 1e-3];
    for (lower, lower_turn, lower_height, lower_points) in standing() {
        for (upper, upper_turn, upper_height, upper_points) in standing() {
            for tilt in tilts {
                for _ in 0..40 {
                    let [spin, x, y] = [3.0, 0.1, 0.1].map(|limit| random.within(-limit, limit));
                    // Lines and balls one above the other.
                    let lines = lower_points.max(upper_points) <= 2;
                    let spin = if lines { 0.0 } else { spin };
                    let x = if lines && lower_points * upper_points < 4 { 0.0 } else { x };
                    let lean = Vec3::new(random.within(-tilt, tilt), random.within(-tilt, tilt), 0.0);
                    let turn = Quat::new(lean) * Quat::from_axis_angle(&Vec3::z_axis(), spin) * upper_turn;
                    let gap = random.within(-1e-4, 1e-4);
                    let here = Pose::new(Vec3::zeros(), lower_turn);
                    let place = Vec3::new(x, if lines { 0.0 } else { y }, lower_height + upper_height + gap);
                    let there = Pose::new(place, turn);
                    let (a, b) = ((&lower, &here), (&upper, &there));
                    for (a, b) in [(a, b), (b, a)] {
                        let found = one_way(a, b, 2e-3);
                        // A line on a line beside it, and a ball, bear in one point.
                        let expected = lower_points.min(upper_points);
                        let case = || format!("{lower:?} {upper:?} {tilt:e} {spin} {x} {y} {gap:e}: {found:?}");
                        assert!(found.len() >= expected, "{}", case());
                        let deepest = found.iter().map(|contact| contact.gap).fold(f64::INFINITY, f64::min);
                        assert!((deepest - gap).abs() < 2.0 * tilt + 1e-15, "{}", case());
                    }
                }
            }
        }
    }
}

/// A cylinder, and a capsule, that lie across the edge of a table bear at the edge and at the end on the table.
#[test]
fn what_lies_across_an_edge_bears_there_too() {
    let table = Shape::cuboid([1.0, 1.0, 0.5]).unwrap();
    let lying = Quat::from_axis_angle(&Vec3::y_axis(), FRAC_PI_2);
    for shape in [Shape::cylinder(0.5, 0.25).unwrap(), Shape::capsule(0.5, 0.25).unwrap()] {
        for tilt in [0.0, 1e-16, 1e-14, 1e-12, 1e-9, 1e-7, 1e-5, 1e-3] {
            for sign in [-1.0, 1.0] {
                for spin in [0.0, 0.3, 1.0] {
                    let turn = Quat::new(Vec3::new(0.0, sign * tilt, spin)) * lying;
                    let place = Pose::new(Vec3::new(0.9, 0.1, 0.25 - 1e-4), turn);
                    let found = one_way((&table, &at(0.0, 0.0, -0.5)), (&shape, &place), 5e-3);
                    assert_eq!(found.len(), 2, "tilt {tilt}, spin {spin}: {shape:?} {found:?}");
                    assert!(found.iter().any(|contact| (contact.point.x - 1.0).abs() < 0.02), "{found:?}");
                }
            }
        }
    }
}

/// Two shapes at one place are as deep as those beside it.
#[test]
fn shapes_at_one_centre_are_as_deep_as_beside_it() {
    let shapes = [
        Shape::sphere(0.3).unwrap(),
        Shape::cuboid([0.5, 0.3, 0.4]).unwrap(),
        Shape::capsule(0.3, 0.2).unwrap(),
        Shape::cylinder(0.4, 0.3).unwrap(),
        Shape::cylinder(1.0, 0.1).unwrap(),
        box_hull([0.3, 0.6, 0.2]),
    ];
    let depth = |a: &Shape, b: &Shape, x: f64| {
        let found = one_way((a, &at(0.0, 0.0, 0.0)), (b, &at(x, 0.0, 0.0)), 0.0);
        found.iter().map(|contact| contact.gap).fold(f64::INFINITY, f64::min)
    };
    for (a, b) in shapes.iter().flat_map(|a| shapes.iter().map(move |b| (a, b))) {
        let [at_centre, beside] = [0.0, 1e-12].map(|x| depth(a, b, x));
        assert!((at_centre - beside).abs() < 1e-9, "{a:?}, {b:?}: {at_centre} and {beside}");
    }
}
