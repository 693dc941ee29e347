use super::{found, placed};
use crate::math::{Pose, Quat, Vec3};
use crate::shape::Shape;
use crate::shape::nurbs::tests::grains::{circle, polygon};

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::new(Vec3::new(x, y, z), Quat::identity())
}

#[test]
fn a_disk_in_a_notch_touches_both_sides() {
    let notch = Shape::nurbs_curve(&polygon(&[[0.0, 0.0], [4.0, 0.0], [4.0, 3.0], [2.0, 1.0], [0.0, 3.0]])).unwrap();
    // At the height 1 + 0.5 sqrt 2 above the bottom a disk of radius 0.5 touches both sides at 45 degrees.
    let height = 1.0 + 0.5 * 2f64.sqrt();
    for round in [Shape::cylinder(0.5, 0.5).unwrap(), Shape::sphere(0.5).unwrap()] {
        let contacts = found(placed(&round, &at(2.0, height, 0.0)), placed(&notch, &Pose::world()), 0.01);
        assert_eq!(contacts.len(), 2, "{contacts:?}");
        assert!(contacts.iter().all(|contact| contact.gap.abs() < 1e-15));
        let sum = contacts[0].normal + contacts[1].normal;
        assert!((sum - Vec3::new(0.0, -2f64.sqrt(), 0.0)).norm() < 1e-15);
    }
    // With its centre inside, the disk leaves by the shortest way.
    let disk = Shape::cylinder(0.5, 0.3).unwrap();
    let contacts = found(placed(&disk, &at(1.0, 0.2, 0.0)), placed(&notch, &Pose::world()), 0.01);
    assert_eq!(contacts.len(), 1);
    assert!((contacts[0].gap + 0.5).abs() < 1e-15 && (contacts[0].normal - Vec3::y()).norm() < 1e-15);
}

#[test]
fn a_ball_meets_a_prism_like_a_cylinder() {
    let (curve, cylinder) = (Shape::nurbs_curve(&circle(1.0)).unwrap(), Shape::cylinder(0.5, 1.0).unwrap());
    let ball = Shape::sphere(0.3).unwrap();
    for (x, y, z) in [(1.25, 0.0, 0.2), (0.2, 0.3, 0.75), (0.8, -0.75, 0.7), (0.1, 0.1, 0.45), (0.95, 0.0, 0.0)] {
        let [one, other] =
            [&curve, &cylinder].map(|shape| found(placed(&ball, &at(x, y, z)), placed(shape, &Pose::world()), 0.05));
        let ([one], [other]) = (&one[..], &other[..]) else { panic!("{one:?} {other:?}") };
        assert!((one.gap - other.gap).abs() < 1e-15 && (one.normal - other.normal).norm() < 1e-14, "{one:?} {other:?}");
        assert!((one.point - other.point).norm() < 1e-14);
    }
}

#[test]
fn a_circle_on_a_plane_and_a_square_on_its_side() {
    let ground = Shape::half_space([0.0, 1.0, 0.0], 0.25).unwrap();
    let disk = Shape::nurbs_curve(&circle(1.0)).unwrap();
    let contacts = found(placed(&ground, &Pose::world()), placed(&disk, &at(3.0, 1.24, 0.1)), 0.02);
    let [contact] = contacts[..] else { panic!("{contacts:?}") };
    assert!((contact.gap + 0.01).abs() < 1e-15 && contact.normal == Vec3::y());
    assert!((contact.point - Vec3::new(3.0, 0.245, 0.1)).norm() < 1e-12);
    let square = Shape::nurbs_curve(&polygon(&[[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])).unwrap();
    for angle in [0.0, 1e-17, 1e-3, -1e-3] {
        let pose = Pose::new(Vec3::new(0.0, 1.26, 0.0), Quat::from_euler_angles(0.0, 0.0, angle));
        let contacts = found(placed(&ground, &Pose::world()), placed(&square, &pose), 0.02);
        assert_eq!(contacts.len(), 2, "{angle}: {contacts:?}");
        assert!((contacts[0].point.x + contacts[1].point.x).abs() < 3e-3, "{contacts:?}");
    }
    let across = Shape::half_space([0.0, 0.0, 1.0], 0.0).unwrap();
    assert!(found(placed(&across, &Pose::world()), placed(&square, &Pose::world()), 0.1).is_empty());
}
