//! What the tests share: places, and one call with a check of what holds for every answer.

use crate::collide::narrow::{ContactPoint, NarrowWorkspace, Placed, contacts};
use crate::math::{Pose, Quat, Quaternion, Vec3};
use crate::shape::Shape;

pub(super) fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::new(Vec3::new(x, y, z), Quat::identity())
}

pub(super) fn turned(x: f64, y: f64, z: f64, turn: [f64; 3]) -> Pose {
    Pose::new(Vec3::new(x, y, z), Quat::new(Vec3::from(turn)))
}

/// A pose by the numbers of a rotation.
pub(super) fn pose(position: [f64; 3], [x, y, z, w]: [f64; 4]) -> Pose {
    Pose::new(Vec3::from(position), Quat::new_unchecked(Quaternion::new(w, x, y, z)))
}

/// Returns the contacts of a pair and checks them: unit normals, gaps within the margin, distinct features other than
/// 0. The pair in the other order must have the same contacts with opposite normals.
pub(super) fn meet(a: (&Shape, &Pose), b: (&Shape, &Pose), margin: f64) -> Vec<ContactPoint> {
    let found = one_way(a, b, margin);
    let features: std::collections::BTreeSet<u64> = found.iter().map(|contact| contact.feature).collect();
    assert_eq!(features.len(), found.len(), "features repeat: {found:?}");
    assert!(!features.contains(&0));
    for contact in &found {
        // A unit vector built from products of unit vectors: a few roundings.
        assert!((contact.normal.norm() - 1.0).abs() < 1e-14, "{contact:?}");
        assert!(contact.gap <= margin, "{contact:?}");
    }
    let back = one_way(b, a, margin);
    assert_eq!(found.len(), back.len(), "{found:?} against {back:?}");
    let size = a.0.bounding_radius().min(b.0.bounding_radius());
    for contact in &found {
        // Places differ by the round-off of axes that start in the other body.
        let close = 1e-13 * (size + contact.point.norm());
        let twin = |other: &&ContactPoint| {
            (other.point - contact.point).norm() <= close && (other.normal + contact.normal).norm() <= 1e-12
        };
        let other = back.iter().find(twin);
        assert!(other.is_some_and(|other| (other.gap - contact.gap).abs() <= close), "{contact:?} not in {back:?}");
    }
    found
}

/// The same without the comparison of orders.
pub(super) fn one_way(a: (&Shape, &Pose), b: (&Shape, &Pose), margin: f64) -> Vec<ContactPoint> {
    let (mut workspace, mut found) = (NarrowWorkspace::default(), Vec::new());
    let placed = |(shape, pose)| Placed { shape, pose };
    contacts(placed(a), placed(b), margin, &mut workspace, &mut found).expect("a pair is never refused");
    found
}

/// The points in the order of their coordinates.
pub(super) fn places(contacts: &[ContactPoint]) -> Vec<[f64; 3]> {
    let mut places: Vec<[f64; 3]> = contacts.iter().map(|contact| contact.point.into()).collect();
    places
        .sort_by(|a, b| a.iter().map(|v| (v * 1e9).round()).partial_cmp(b.iter().map(|v| (v * 1e9).round())).unwrap());
    places
}

pub(super) fn assert_places(contacts: &[ContactPoint], expected: &[[f64; 3]], tolerance: f64) {
    let found = places(contacts);
    assert_eq!(found.len(), expected.len(), "{found:?} against {expected:?}");
    for (found, expected) in found.iter().zip(expected) {
        assert!((Vec3::from(*found) - Vec3::from(*expected)).norm() <= tolerance, "{found:?} against {expected:?}");
    }
}

pub(super) fn assert_vector(found: &Vec3, expected: [f64; 3], tolerance: f64) {
    assert!((found - Vec3::from(expected)).norm() <= tolerance, "{found:?} against {expected:?}");
}

/// The only contact.
pub(super) fn single(contacts: &[ContactPoint]) -> &ContactPoint {
    assert_eq!(contacts.len(), 1, "{contacts:?}");
    &contacts[0]
}

/// The corners of a box as the points of a hull.
pub(super) fn box_hull(half: [f64; 3]) -> Shape {
    let side = |corner: usize, axis: usize| if corner >> axis & 1 == 1 { half[axis] } else { -half[axis] };
    let points: Vec<[f64; 3]> = (0..8).map(|corner| [side(corner, 0), side(corner, 1), side(corner, 2)]).collect();
    Shape::hull(&points).expect("a box is a hull")
}
