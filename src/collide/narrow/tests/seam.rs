//! Which contacts are at faces that other bodies cover.

use super::scene::at;
use crate::collide::narrow::{ContainmentQuery, Placed, Touch, holds_any, is_covered};
use crate::math::{Pose, Vec3};
use crate::shape::Shape;

fn corners() -> Vec<[f64; 3]> {
    (0..8).map(|bits| [0, 1, 2].map(|axis| if bits >> axis & 1 == 1 { 0.5 } else { -0.5 })).collect()
}

/// A cube of edge 1: a box, a hull, a closed mesh.
fn cubes() -> [Shape; 3] {
    let sides = [
        [0, 2, 1],
        [1, 2, 3],
        [4, 5, 6],
        [5, 7, 6],
        [0, 1, 4],
        [1, 5, 4],
        [2, 6, 3],
        [3, 6, 7],
        [0, 4, 2],
        [2, 4, 6],
        [1, 3, 5],
        [3, 7, 5],
    ];
    [
        Shape::cuboid([0.5; 3]).expect("a box"),
        Shape::hull(&corners()).expect("a hull"),
        Shape::mesh(&corners(), &sides).expect("a mesh"),
    ]
}

/// Whether a touch of a cube about the origin is covered by others, seen from a place 0.3 above and before the point.
fn covered(own: &Shape, others: &[(&Shape, Pose)], point: [f64; 3], outward: [f64; 3]) -> bool {
    let outward = Vec3::from(outward).normalize();
    let point = Vec3::from(point);
    let from = point + Vec3::new(-0.3, 0.0, 0.3);
    let touch = Touch { point, outward, from, size: 0.5 };
    let is_held =
        |query: &ContainmentQuery, slack: f64| others.iter().any(|(shape, pose)| holds_any(shape, pose, query, slack));
    is_covered(Placed { shape: own, pose: &at(0.0, 0.0, 0.0) }, 0, &touch, &is_held)
}

/// A cube flush beside another one at -x: its upper edge at x = -0.5 is none.
#[test]
fn flush_cubes_have_no_edge_between_them() {
    for (own, other) in cubes().iter().flat_map(|own| cubes().map(|other| (own.clone(), other))) {
        let beside = [(&other, at(-1.0, 0.0, 0.0))];
        let edge = [-0.5, 0.1, 0.5];
        assert!(covered(&own, &beside, edge, [-1.0, 0.0, 0.0]), "{own:?} {other:?}");
        assert!(covered(&own, &beside, edge, [-1.0, 0.0, 1.0]), "{own:?} {other:?}");
        assert!(covered(&own, &beside, edge, [-0.01, 0.0, 1.0]), "{own:?} {other:?}");
        assert!(!covered(&own, &beside, edge, [0.0, 0.0, 1.0]), "its upper side is free: {own:?} {other:?}");
        assert!(!covered(&own, &beside, [0.1, 0.1, 0.5], [0.0, 0.0, 1.0]), "{own:?} {other:?}");
        // Other bodies further away cover nothing.
        let apart = [(&other, at(-1.01, 0.0, 0.0))];
        assert!(!covered(&own, &apart, edge, [-1.0, 0.0, 0.0]), "{own:?} {other:?}");
    }
}

/// A wall on a floor: its foot and the edge of what is below stay.
#[test]
fn the_foot_of_a_wall_is_free() {
    for (own, other) in cubes().iter().flat_map(|own| cubes().map(|other| (own.clone(), other))) {
        let below = [(&other, at(-0.5, 0.0, -1.0))];
        assert!(!covered(&own, &below, [-0.5, 0.1, -0.5], [-1.0, 0.0, 0.0]), "{own:?} {other:?}");
        // A higher cube beside it.
        let higher = [(&other, at(1.0, 0.0, 0.3))];
        assert!(!covered(&own, &higher, [0.5, 0.1, 0.5], [0.001, 0.0, 1.0]), "{own:?} {other:?}");
        // A lower one leaves the upper part of its side free.
        let lower = [(&other, at(-1.0, 0.0, -0.3))];
        assert!(!covered(&own, &lower, [-0.5, 0.1, 0.5], [-1.0, 0.0, 0.0]), "{own:?} {other:?}");
        assert!(!covered(&own, &lower, [-0.5, 0.1, 0.2], [-1.0, 0.0, 0.0]), "{own:?} {other:?}");
        // A surface has no inside, so it covers what is close to it alone.
        let is_solid = !matches!(other, Shape::Mesh(_));
        assert_eq!(covered(&own, &lower, [-0.5, 0.1, 0.1], [-1.0, 0.0, 0.0]), is_solid, "{own:?} {other:?}");
    }
}

/// Cubes that share a part have one upper side, which both carry.
#[test]
fn coplanar_faces_do_not_cover_each_other() {
    for (own, other) in cubes().iter().flat_map(|own| cubes().map(|other| (own.clone(), other))) {
        let shared = [(&other, at(-0.4, 0.0, 0.0))];
        assert!(!covered(&own, &shared, [-0.2, 0.1, 0.5], [0.0, 0.0, 1.0]), "{own:?} {other:?}");
    }
}
