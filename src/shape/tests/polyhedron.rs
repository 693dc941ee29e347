use proptest::prelude::*;

use crate::math::{Pose, Quat, Vec3};
use crate::shape::moments::Moments;
use crate::shape::polyhedron::{Polyhedron, Units};

/// A box with these half edges at a place.
pub(super) fn cuboid(half: [f64; 3], center: [f64; 3], turn: [f64; 3]) -> Polyhedron {
    let pose = Pose::new(Vec3::from(center), Quat::new(Vec3::from(turn)));
    let units = Units { pose: &pose, origin: Vec3::zeros(), length: 1.0 };
    Polyhedron::cuboid(&Vec3::from(half), &units).expect("memory")
}

pub(super) fn assert_same(found: &Moments, expected: &Moments, tolerance: f64) {
    let error = (found.volume - expected.volume)
        .abs()
        .max((found.first - expected.first).amax())
        .max((found.second - expected.second).amax());
    assert!(error <= tolerance, "off by {error:e}: {found:?}, not {expected:?}");
}

#[test]
fn a_cut_box_is_a_box() {
    let cut = cuboid([1.0; 3], [0.0; 3], [0.0; 3]).clipped(&Vec3::x(), 0.5).unwrap().unwrap();
    assert_same(&cut.moments(), &cuboid([0.75, 1.0, 1.0], [-0.25, 0.0, 0.0], [0.0; 3]).moments(), 1e-15);
    assert_eq!((cut.points.len(), cut.faces.len()), (8, 6));
}

#[test]
fn planes_that_only_touch_cut_nothing() {
    let whole = cuboid([1.0; 3], [0.0; 3], [0.0; 3]);
    assert_eq!(whole.clipped(&Vec3::x(), 1.0).unwrap().unwrap().points, whole.points);
    assert!(whole.clipped(&-Vec3::x(), -1.0).unwrap().is_none());
    // Through one edge, and through one corner.
    for normal in [Vec3::new(1.0, 1.0, 0.0), Vec3::new(1.0, 1.0, 1.0)] {
        let height = normal.norm();
        let normal = normal.normalize();
        let offset = if height > 1.5 { 3f64.sqrt() } else { 2f64.sqrt() };
        assert_same(&whole.clipped(&normal, offset).unwrap().unwrap().moments(), &whole.moments(), 1e-11);
        assert!(whole.clipped(&-normal, -offset).unwrap().is_none());
    }
    // Through two opposite edges: half of it.
    let half = whole.clipped(&Vec3::new(1.0, 1.0, 0.0).normalize(), 0.0).unwrap().unwrap();
    assert!((half.moments().volume - 4.0).abs() < 1e-14);
}

#[test]
fn a_prism_has_the_volume_of_its_cylinder() {
    let pose = Pose::world();
    let units = Units { pose: &pose, origin: Vec3::zeros(), length: 1.0 };
    let prism = Polyhedron::cylinder(1.5, 0.5, &units).unwrap().moments();
    let volume = std::f64::consts::PI * 0.25 * 3.0;
    assert!((prism.volume - volume).abs() < 1e-14);
    // The second moment of a regular polygon differs from that of its circle in the fourth order of the angle of a side.
    assert!((prism.second[(0, 0)] / (volume * 0.0625) - 1.0).abs() < 1e-5);
}

proptest! {
    #[test]
    fn pieces_add_up(
        center in proptest::array::uniform3(-0.8..0.8f64),
        turn in proptest::array::uniform3(-2.0..2.0f64),
        half in proptest::array::uniform3(0.1..1.5f64),
    ) {
        let (one, other) = (cuboid([1.0, 0.7, 0.4], [0.0; 3], [0.0; 3]), cuboid(half, center, turn));
        let mut outside = Vec::new();
        one.clone().outside(&other, &mut outside).unwrap();
        let mut sum = Moments::zero();
        outside.iter().for_each(|piece| sum.add(&piece.moments(), 1.0));
        if let Some(common) = one.inside(&other).unwrap() {
            sum.add(&common.moments(), 1.0);
            // The common part is the same from the other side.
            assert_same(&common.moments(), &other.inside(&one).unwrap().unwrap().moments(), 1e-12);
        }
        assert_same(&sum, &one.moments(), 1e-12);
    }
}
