use super::scene::{assert_places, at, box_hull, meet, single, turned};
use crate::math::Vec3;
use crate::shape::Shape;

fn floor() -> Shape {
    Shape::half_space([0.0, 0.0, 1.0], 0.0).unwrap()
}

#[test]
fn box_and_hull_rest_on_four_corners() {
    for shape in [Shape::cuboid([1.0, 2.0, 0.5]).unwrap(), box_hull([1.0, 2.0, 0.5])] {
        let found = meet((&shape, &at(0.0, 0.0, 0.5)), (&floor(), &at(0.0, 0.0, 0.0)), 0.1);
        assert!(found.iter().all(|contact| contact.gap == 0.0 && contact.normal == -Vec3::z()));
        assert_places(&found, &[[-1.0, -2.0, 0.0], [-1.0, 2.0, 0.0], [1.0, -2.0, 0.0], [1.0, 2.0, 0.0]], 0.0);
    }
}

#[test]
fn margin_bounds_the_corners() {
    // Lifted by 0.25: with a margin of 0.25 all four, with less none.
    let shape = Shape::cuboid([1.0, 2.0, 0.5]).unwrap();
    let pose = at(0.0, 0.0, 0.75);
    assert_eq!(meet((&shape, &pose), (&floor(), &at(0.0, 0.0, 0.0)), 0.25).len(), 4);
    assert_eq!(meet((&shape, &pose), (&floor(), &at(0.0, 0.0, 0.0)), 0.24).len(), 0);
}

#[test]
fn of_many_corners_the_deepest_and_those_that_span_most_remain() {
    // A ring of 12 corners, tilted about y by 0.01: the deepest is at +x, 1.0 sin 0.01 lower than the middle.
    let ring = |z: f64| {
        (0..12).map(move |k| (f64::from(k) * std::f64::consts::PI / 6.0).sin_cos()).map(move |(s, c)| [c, s, z])
    };
    let points: Vec<[f64; 3]> = ring(-0.2).chain(ring(0.2)).collect();
    let shape = Shape::hull(&points).unwrap();
    let found = meet((&shape, &turned(0.0, 0.0, 0.2, [0.0, 0.01, 0.0])), (&floor(), &at(0.0, 0.0, 0.0)), 0.1);
    assert_eq!(found.len(), 8);
    let deepest = found.iter().map(|contact| contact.gap).fold(0.0, f64::min);
    // 0.2 - 0.2 cos t - sin t, of size 1: a rounding or two.
    assert!((deepest - (0.2 - 0.2 * 0.01f64.cos() - 0.01f64.sin())).abs() < 1e-15);
    // The twelve span 3, and each of four that are dropped, no two of which are neighbours, 0.067; the tilt takes 5e-5.
    let area: f64 = {
        let mut angles: Vec<f64> = found.iter().map(|contact| contact.point.y.atan2(contact.point.x)).collect();
        angles.sort_by(f64::total_cmp);
        (0..8).map(|k| 0.5 * (angles[(k + 1) % 8] - angles[k]).sin()).sum()
    };
    assert!(area > 2.73, "{area}");
}

#[test]
fn capsule_lies_on_two_ends_and_stands_on_one() {
    let capsule = Shape::capsule(1.0, 0.5).unwrap();
    let lying = turned(0.0, 0.0, 0.5, [0.0, std::f64::consts::FRAC_PI_2, 0.0]);
    let found = meet((&capsule, &lying), (&floor(), &at(0.0, 0.0, 0.0)), 0.1);
    assert_places(&found, &[[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]], 1e-15);
    let standing = meet((&capsule, &at(0.0, 0.0, 1.25)), (&floor(), &at(0.0, 0.0, 0.0)), 0.0);
    assert_eq!((single(&standing).gap, single(&standing).point), (-0.25, Vec3::new(0.0, 0.0, -0.125)));
    // Without length there is one end.
    let ball = Shape::capsule(0.0, 0.5).unwrap();
    single(&meet((&ball, &at(0.0, 0.0, 0.5)), (&floor(), &at(0.0, 0.0, 0.0)), 0.1));
}

#[test]
fn cylinder_stands_lies_and_leans_on_its_exact_rim() {
    let cylinder = Shape::cylinder(1.0, 0.5).unwrap();
    let plane = (&floor(), &at(0.0, 0.0, 0.0));
    let standing = meet((&cylinder, &at(0.0, 0.0, 1.0)), plane, 0.1);
    assert_places(&standing, &[[-0.5, 0.0, 0.0], [0.0, -0.5, 0.0], [0.0, 0.5, 0.0], [0.5, 0.0, 0.0]], 0.0);
    let lying = turned(0.0, 0.0, 0.5, [0.0, std::f64::consts::FRAC_PI_2, 0.0]);
    assert_places(&meet((&cylinder, &lying), plane, 0.1), &[[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]], 1e-15);
    // Leaning by t about the axis (cos p, sin p, 0) the lowest point of the rim is cos t + 0.5 sin t below the middle.
    for (lean, heading) in [(0.3f64, 0.7f64), (0.01, 2.0), (1.2, -1.0)] {
        let pose = turned(0.0, 0.0, 1.0, [lean * heading.cos(), lean * heading.sin(), 0.0]);
        let found = meet((&cylinder, &pose), plane, 1.0);
        let deepest = found.iter().map(|contact| contact.gap).fold(f64::INFINITY, f64::min);
        let expected = 1.0 - lean.cos() - 0.5 * lean.sin();
        assert!((deepest - expected).abs() < 1e-15, "{deepest} against {expected}");
    }
}

#[test]
fn shapes_without_volume_do_not_meet() {
    let mesh = Shape::mesh(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[[0, 1, 2]]).unwrap();
    let here = at(0.0, 0.0, 0.0);
    for (a, b) in [(&mesh, &mesh), (&mesh, &floor()), (&floor(), &floor())] {
        assert!(meet((a, &here), (b, &here), 1.0).is_empty());
    }
}

/// A hull with the coordinates of a map, far from its origin, keeps its corners.
#[test]
fn a_hull_far_from_its_origin_stands_on_all_corners() {
    for offset in [0.0, 1e3, 1e5] {
        let ring = |z: f64| {
            (0..8)
                .map(move |k| (f64::from(k) * std::f64::consts::FRAC_PI_4).sin_cos())
                .map(move |(s, c)| [offset + 0.5 * c, 0.5 * s, z])
        };
        let shape = Shape::hull(&ring(0.0).chain(ring(1.0)).collect::<Vec<_>>()).unwrap();
        let found = meet((&shape, &at(-offset, 0.0, 0.0)), (&floor(), &at(0.0, 0.0, 0.0)), 1e-3);
        assert_eq!(found.len(), 8, "{offset}: {found:?}");
    }
}
