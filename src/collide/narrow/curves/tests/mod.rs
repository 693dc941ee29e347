//! Tests of the pairs that are supported, and of the positions of their contacts along z.

mod deep;
mod held;
mod knots;
mod minima;
mod notch;
mod plane;
mod round;
mod seat;

use crate::collide::narrow::{ContactPoint, NarrowWorkspace, Placed, contacts};
use crate::error::ErrorKind;
use crate::math::{Pose, Quat, Vec3};
use crate::shape::Shape;
use crate::shape::nurbs::tests::grains::{circle, grain, polygon};

pub(super) fn placed<'a>(shape: &'a Shape, pose: &'a Pose) -> Placed<'a> {
    Placed { shape, pose }
}

pub(super) fn found(a: Placed, b: Placed, margin: f64) -> Vec<ContactPoint> {
    let mut out = Vec::new();
    contacts(a, b, margin, &mut NarrowWorkspace::default(), &mut out).unwrap();
    out
}

#[test]
fn other_partners_are_refused_by_name() {
    let curve = Shape::nurbs_curve(&grain(0)).unwrap();
    let corners = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let tilted = Quat::from_euler_angles(0.1, 0.0, 0.0);
    let cases = [
        (Shape::capsule(1.0, 0.5).unwrap(), Quat::identity(), "a capsule"),
        (Shape::hull(&corners).unwrap(), Quat::identity(), "a hull"),
        (Shape::mesh(&corners, &[[0, 1, 2]]).unwrap(), Quat::identity(), "a mesh"),
        (Shape::cuboid([1.0; 3]).unwrap(), tilted, "a box without an edge along z"),
        (Shape::cylinder(1.0, 1.0).unwrap(), tilted, "a cylinder that is not along z"),
        (Shape::half_space([0.0, 1.0, 0.0], 0.0).unwrap(), tilted, "a half-space whose normal leans"),
        (Shape::nurbs_curve(&grain(1)).unwrap(), tilted, "has its z axis along"),
    ];
    for (other, rotation, expected) in cases {
        let poses = [Pose::world(), Pose::new(Vec3::zeros(), rotation)];
        for order in [[0, 1], [1, 0]] {
            let both = [placed(&curve, &poses[0]), placed(&other, &poses[1])];
            let mut out = Vec::new();
            let workspace = &mut NarrowWorkspace::default();
            let error = contacts(both[order[0]], both[order[1]], 0.1, workspace, &mut out).unwrap_err();
            assert_eq!(error.kind, ErrorKind::Unsupported);
            assert!(error.message.contains(expected) && out.is_empty(), "{error}");
        }
    }
}

#[test]
fn a_box_is_a_polygon_however_it_lies() {
    let curve = Shape::nurbs_curve(&grain(4)).unwrap();
    let pose = Pose::new(Vec3::new(0.1, 0.9, 0.0), Quat::from_euler_angles(0.0, 0.0, 0.4));
    let rectangle = polygon(&[[-1.0, -0.5], [1.0, -0.5], [1.0, 0.5], [-1.0, 0.5]]);
    let rectangle = Shape::nurbs_curve(&rectangle).unwrap();
    let turn = Quat::from_euler_angles(0.0, 0.0, 0.05);
    let expected = found(placed(&rectangle, &Pose::new(Vec3::zeros(), turn)), placed(&curve, &pose), 0.05);
    assert!(!expected.is_empty());
    // The third half extent is the depth; which body axis it is does not matter.
    let quarter = std::f64::consts::FRAC_PI_2;
    let boxes = [
        (Shape::cuboid([1.0, 0.5, 0.5]).unwrap(), turn),
        (Shape::cuboid([0.5, 1.0, 0.5]).unwrap(), turn * Quat::from_euler_angles(0.0, 0.0, quarter)),
        (Shape::cuboid([0.5, 0.5, 1.0]).unwrap(), turn * Quat::from_euler_angles(0.0, quarter, 0.0)),
    ];
    for (cuboid, rotation) in boxes {
        let box_pose = Pose::new(Vec3::zeros(), rotation);
        let contacts = found(placed(&cuboid, &box_pose), placed(&curve, &pose), 0.05);
        assert_eq!(contacts.len(), expected.len());
        for (contact, expected) in contacts.iter().zip(&expected) {
            assert!((contact.point - expected.point).norm() < 1e-12, "{contact:?} {expected:?}");
            assert!((contact.normal - expected.normal).norm() < 1e-12 && (contact.gap - expected.gap).abs() < 1e-14);
        }
    }
}

#[test]
fn contacts_are_in_the_middle_of_the_common_depth() {
    let curve = Shape::nurbs_curve(&circle(1.0)).unwrap();
    let cylinder = Shape::cylinder(0.5, 1.0).unwrap();
    // From -0.5 to 0.5 and from 0.3 to 1.3: the middle is 0.4.
    let poses = [Pose::world(), Pose::new(Vec3::new(2.0, 0.0, 0.8), Quat::identity())];
    let contacts = found(placed(&curve, &poses[0]), placed(&cylinder, &poses[1]), 0.01);
    let [contact] = contacts[..] else { panic!("{contacts:?}") };
    assert!((contact.point - Vec3::new(1.0, 0.0, 0.4)).norm() < 1e-15 && contact.gap.abs() < 1e-15);
    let above = Pose::new(Vec3::new(2.0, 0.0, 1.1), Quat::identity());
    assert!(found(placed(&curve, &poses[0]), placed(&cylinder, &above), 0.01).is_empty());
    assert!(found(placed(&curve, &poses[0]), placed(&curve, &above), 0.01).is_empty());
}
