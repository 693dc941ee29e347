use crate::joint::JointKind;
use crate::joint::tests::{Sides, kinds};
use crate::joint::{coordinates, locked_rows};
use crate::math::Vec3;

#[test]
fn all_kinds_are_listed_once() {
    let names: Vec<&str> = JointKind::ALL.iter().map(|kind| kind.name()).collect();
    let expected = ["BALL", "HINGE", "SLIDER", "FIXED", "DISTANCE", "UNIVERSAL", "CYLINDRICAL", "PLANAR", "GENERAL"];
    assert_eq!(names, expected);
}

/// The free axes are those that have a coordinate.
#[test]
fn free_axes_have_coordinates() {
    let geometry = Sides::new(Vec3::x(), Vec3::new(0.1, 0.1, 0.1)).geometry();
    for (kind, locks) in kinds().into_iter().filter(|(kind, _)| *kind != JointKind::General) {
        let found: Vec<usize> =
            coordinates(&geometry, kind, &locks).iter().enumerate().filter_map(|(axis, q)| q.map(|_| axis)).collect();
        assert_eq!(found, kind.free_axes(), "{kind:?}");
    }
}

/// A body has six freedoms. Rows and coordinates together are that many; of a ball one of the three turns has no coordinate.
#[test]
fn rows_and_coordinates_are_six() {
    let geometry = Sides::new(Vec3::x(), Vec3::new(0.1, 0.1, 0.1)).geometry();
    for (kind, locks) in kinds().into_iter().filter(|(kind, _)| *kind != JointKind::Distance) {
        let rows = locked_rows(&geometry, kind, &locks, [0.0, f64::INFINITY]).as_slice().len();
        let free = coordinates(&geometry, kind, &locks).iter().flatten().count();
        let missing = usize::from(locks.turns == crate::joint::TurnLocks::None);
        assert_eq!(rows + free + missing, 6, "{kind:?} {locks:?}");
    }
}
