//! Clumps: the contacts of their parts, each place of the union once.

use super::scene::{assert_places, at, box_hull, meet, one_way, single, turned};
use crate::collide::narrow::ContactPoint;
use crate::math::Vec3;
use crate::shape::{PartDefinition, Shape};

fn clump(parts: &[(Shape, [f64; 3])]) -> Shape {
    let of = |(shape, position): &(Shape, [f64; 3])| PartDefinition {
        shape: shape.clone(),
        position: *position,
        rotation: [0.0, 0.0, 0.0, 1.0],
        density_factor: 1.0,
    };
    Shape::clump(&parts.iter().map(of).collect::<Vec<_>>()).expect("a clump")
}

fn ball(radius: f64) -> Shape {
    Shape::sphere(radius).expect("a ball")
}

fn cuboid(half: [f64; 3]) -> Shape {
    Shape::cuboid(half).expect("a box")
}

fn floor() -> Shape {
    Shape::half_space([0.0, 0.0, 1.0], 0.0).expect("a plane")
}

/// The same points except for their features, which contain the number of the part.
fn assert_alike(found: &[ContactPoint], expected: &[ContactPoint]) {
    let bare = |contacts: &[ContactPoint]| -> Vec<ContactPoint> {
        contacts.iter().map(|contact| ContactPoint { feature: 1, ..*contact }).collect()
    };
    assert_eq!(bare(found), bare(expected));
}

/// A part at the origin has the pose of the clump, to the last bit, and is found by the same functions.
#[test]
fn a_clump_of_one_touches_as_its_part() {
    let shapes = [
        ball(0.5),
        cuboid([0.5, 0.4, 0.3]),
        Shape::capsule(0.3, 0.3).unwrap(),
        Shape::cylinder(0.4, 0.3).unwrap(),
        box_hull([0.3, 0.4, 0.5]),
    ];
    let mesh = Shape::mesh(&[[-2.0, -2.0, 0.0], [2.0, -2.0, 0.0], [0.0, 2.0, 0.0]], &[[0, 1, 2]]).unwrap();
    let others = shapes.iter().cloned().chain([floor(), mesh]);
    for other in others {
        for shape in &shapes {
            let places = (turned(0.1, 0.05, 0.45, [0.1, 0.2, 0.3]), turned(0.2, -0.1, -0.1, [0.0, 0.1, 0.0]));
            let expected = one_way((shape, &places.0), (&other, &places.1), 0.5);
            assert!(!expected.is_empty());
            let one = clump(&[(shape.clone(), [0.0; 3])]);
            assert_alike(&one_way((&one, &places.0), (&other, &places.1), 0.5), &expected);
        }
    }
}

#[test]
fn flush_boxes_stand_as_one() {
    let halves = clump(&[(cuboid([0.5, 0.5, 0.5]), [-0.5, 0.0, 0.0]), (cuboid([0.5, 0.5, 0.5]), [0.5, 0.0, 0.0])]);
    let found = meet((&halves, &at(0.0, 0.0, 0.5)), (&floor(), &at(0.0, 0.0, 0.0)), 0.01);
    // The points at the seam are within two edges of the union.
    assert_places(&found, &[[-1.0, -0.5, 0.0], [-1.0, 0.5, 0.0], [1.0, -0.5, 0.0], [1.0, 0.5, 0.0]], 1e-15);
    // On each other, as two boxes would.
    let found = meet((&halves, &at(0.0, 0.0, 0.5)), (&halves, &at(0.25, 0.0, 1.5)), 0.01);
    for corner in [[-0.75, -0.5, 1.0], [-0.75, 0.5, 1.0], [1.0, -0.5, 1.0], [1.0, 0.5, 1.0]] {
        assert!(
            found.iter().any(|contact| (contact.point - Vec3::from(corner)).norm() < 1e-14),
            "{corner:?}: {found:?}"
        );
    }
    assert!(found.iter().all(|contact| (contact.normal - Vec3::z()).norm() < 1e-14));
}

/// What rolls over a seam does not run into the edge of the next box.
#[test]
fn a_seam_has_no_edge() {
    let half = [0.5, 0.5, 0.5];
    for inset in [0.0, 0.2] {
        for shape in [cuboid(half), box_hull(half)] {
            let plate = clump(&[(shape.clone(), [-0.5 + inset, 0.0, -0.5]), (shape, [0.5 - inset, 0.0, -0.5])]);
            for x in [-0.3, -0.15, -0.05, -1e-3, -1e-6, 0.0, 1e-9, 1e-4, 0.02, 0.25] {
                for height in [0.5, 0.499, 0.52] {
                    let found = meet((&ball(0.5), &at(x, 0.1, height)), (&plate, &at(0.0, 0.0, 0.0)), 0.1);
                    let deepest = found.iter().map(|contact| contact.gap).fold(f64::INFINITY, f64::min);
                    assert!((deepest - (height - 0.5)).abs() < 1e-12);
                    // What is less than 1e-9 of a size less deep stays: on its way the ball is lifted by no more than that.
                    assert!(found.iter().all(|contact| contact.gap - deepest <= 1.001e-9), "{found:?}");
                    assert!(found.iter().all(|contact| contact.normal.z < -1.0 + 1e-8), "{found:?}");
                    assert!(x.abs() < 1e-4 || found.len() == 1, "{found:?}");
                }
            }
        }
    }
}

#[test]
fn a_box_in_an_inner_corner_keeps_its_points() {
    // A plate below z = 0 and a wall beside x = 0, flush with the plate or reaching into it.
    for depth in [0.0, 0.3] {
        let wall = (cuboid([0.25, 1.0, 1.0]), [-0.25, 0.0, 1.0 - depth]);
        let corner = clump(&[(cuboid([1.0, 1.0, 0.25]), [1.0 - depth, 0.0, -0.25]), wall]);
        // Resting, and a little into both.
        for overlap in [0.0, 1e-5, 1e-3] {
            let place = at(0.5 - overlap, 0.0, 0.5 - overlap);
            let found = meet((&cuboid([0.5; 3]), &place), (&corner, &at(0.0, 0.0, 0.0)), 0.01);
            let along = |axis: usize| found.iter().filter(|contact| contact.normal[axis] < -0.99).count();
            assert_eq!((along(2), along(0)), (4, 4), "{found:?}");
        }
    }
}

/// Every corner of the bottom belongs to three plates, each of which is deeper at another corner.
#[test]
fn a_tilted_bucket_stands_on_all_corners() {
    let walls = [[-1.0, 0.0], [1.0, 0.0], [0.0, -1.0], [0.0, 1.0]]
        .map(|[x, y]: [f64; 2]| (cuboid([0.1 + y.abs(), 0.1 + x.abs(), 1.0]), [x, y, 1.0]));
    let bucket = clump(&[vec![(cuboid([1.1, 1.1, 0.1]), [0.0, 0.0, 0.1])], walls.to_vec()].concat());
    for tilt in [0.0, 1e-9, 1e-6, 1e-3] {
        let pose = turned(0.0, 0.0, 0.0, [tilt, 0.5 * tilt, 0.0]);
        for ground in [floor(), cuboid([3.0, 3.0, 1.0])] {
            let below = if matches!(ground, Shape::Cuboid(_)) { -1.0 } else { 0.0 };
            let found = one_way((&bucket, &pose), (&ground, &at(0.0, 0.0, below)), 0.1);
            for corner in [[-1.1, -1.1], [-1.1, 1.1], [1.1, -1.1], [1.1, 1.1]] {
                let place = pose.to_world(&Vec3::new(corner[0], corner[1], 0.0));
                let near = |contact: &&ContactPoint| (contact.point - place).norm() < 0.01;
                assert_eq!(found.iter().filter(near).count(), 1, "{tilt}: {corner:?} in {found:?}");
            }
        }
    }
}

#[test]
fn a_hidden_surface_is_not_touched() {
    // Two spheres that overlap: near the first one's pole the second does not reach.
    let pair = clump(&[(ball(0.5), [0.0; 3]), (ball(0.5), [0.3, 0.0, 0.0])]);
    let found = meet((&ball(0.5), &at(-0.2, 0.0, 0.97)), (&pair, &at(0.0, 0.0, 0.0)), 0.2);
    assert_eq!(single(&found).parts, [0, 0]);
    // Above the waist both touch.
    let found = meet((&ball(0.5), &at(0.15, 0.0, 0.97)), (&pair, &at(0.0, 0.0, 0.0)), 0.2);
    assert_eq!(found.len(), 2);
    // A sphere within a box is not there.
    let rivet = clump(&[(cuboid([1.0, 1.0, 0.5]), [0.0; 3]), (ball(0.499), [0.0; 3])]);
    let found = meet((&ball(0.5), &at(0.0, 0.0, 0.99)), (&rivet, &at(0.0, 0.0, 0.0)), 0.2);
    assert_eq!(single(&found).parts, [0, 0]);
}

#[test]
fn a_rivet_carries_beside_a_wall() {
    // A sphere half in a wall; a box that stands on it and leans on the wall needs both.
    let wall = clump(&[(cuboid([0.5, 2.0, 2.0]), [-0.5, 0.0, 0.0]), (ball(0.2), [0.0; 3])]);
    let found = meet((&cuboid([0.5; 3]), &at(0.5, 0.0, 0.7)), (&wall, &at(0.0, 0.0, 0.0)), 0.01);
    assert!(found.iter().any(|contact| contact.parts[1] == 1 && contact.normal.z < -0.99), "{found:?}");
    assert_eq!(found.iter().filter(|contact| contact.normal.x < -0.99).count(), 4);
}

#[test]
fn planes_at_two_heights_are_both_kept() {
    // Nine feet, of which the inner one is longest: the outer ones do not touch.
    let mut feet: Vec<_> = (0..8)
        .map(|k| {
            let (sin, cos) = crate::math::elementary::sin_cos(f64::from(k) * std::f64::consts::FRAC_PI_4);
            (ball(0.1), [cos, sin, 0.005])
        })
        .collect();
    feet.push((ball(0.1), [0.0; 3]));
    feet.push((ball(0.1), [0.1, 0.0, 0.0]));
    let found = meet((&clump(&feet), &at(0.0, 0.0, 0.1)), (&floor(), &at(0.0, 0.0, 0.0)), 0.01);
    let touching: Vec<u32> =
        found.iter().filter(|contact| contact.gap < 1e-12).map(|contact| contact.parts[0]).collect();
    assert_eq!((found.len(), touching), (10, vec![8, 9]));
}

#[test]
fn features_last_while_the_bodies_move() {
    let angle = clump(&[(cuboid([0.5, 0.2, 0.2]), [0.5, 0.0, 0.0]), (cuboid([0.2, 0.2, 0.5]), [0.0, 0.0, 0.5])]);
    let of = |shift: f64| -> Vec<u64> {
        let places = (turned(shift, 0.0, 0.2 + 0.1 * shift, [0.0, shift, 0.0]), at(0.0, 0.0, 0.0));
        let found = meet((&angle, &places.0), (&floor(), &places.1), 0.05);
        let mut features: Vec<u64> = found.iter().map(|contact| contact.feature).collect();
        // Which of two points as far apart comes first depends on round-off.
        features.sort_unstable();
        features
    };
    assert_eq!(of(0.0), of(1e-4));
}

/// Far away from the origin and from each other nothing is found, and nothing is lost.
#[test]
fn parts_far_apart_are_found_each() {
    let dumbbell = clump(&[(ball(0.5), [-2.0, 0.0, 0.0]), (ball(0.5), [2.0, 0.0, 0.0])]);
    let between = meet((&dumbbell, &at(0.0, 0.0, 0.0)), (&ball(1.0), &at(0.0, 0.0, 0.0)), 0.1);
    assert!(between.is_empty());
    let crossed = meet((&dumbbell, &at(0.0, 0.0, 0.0)), (&dumbbell, &turned(2.0, 0.0, 1.0, [0.0, 0.0, 1.0])), 0.1);
    assert!(crossed.is_empty());
    let end = meet((&dumbbell, &at(0.0, 0.0, 0.0)), (&dumbbell, &at(4.0, 0.0, 0.99)), 0.1);
    assert_eq!(single(&end).parts, [1, 0]);
}
