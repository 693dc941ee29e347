use super::{found, placed};
use crate::collide::narrow::{NarrowWorkspace, Placed, held_contact};
use crate::math::{Pose, Quat, Vec3};
use crate::shape::Shape;
use crate::shape::nurbs::tests::grains::circle;

fn held(a: Placed, b: Placed, place: &Vec3, margin: f64) -> Option<(Vec3, f64)> {
    let (contact, _) = held_contact(a, b, place, margin, &mut NarrowWorkspace::default()).unwrap()?;
    assert_eq!(contact.point.z, place.z);
    Some((contact.normal, contact.gap))
}

/// A circle of 10 m stands on a plane, on a box and on another such circle. At some distance from its lowest point the gap is known.
#[test]
fn the_gap_beside_a_minimum_is_that_of_the_circles() {
    let shape = Shape::nurbs_curve(&circle(10.0)).unwrap();
    let pose = Pose::new(Vec3::new(0.0, 10.0, 0.0), Quat::from_euler_angles(0.0, 0.0, 0.3));
    let ground = Shape::half_space([0.0, 1.0, 0.0], 0.0).unwrap();
    let cuboid = Shape::cuboid([5.0, 1.0, 1.0]).unwrap();
    let below = Pose::new(Vec3::new(0.0, -10.0, 0.0), Quat::identity());
    let under = Pose::new(Vec3::new(0.0, -1.0, 0.0), Quat::identity());
    let world = Pose::world();
    for x in [-0.2, 0.1] {
        let place = Vec3::new(x, 0.0, 0.0);
        let rise = |radius: f64| radius - (radius * radius - x * x).sqrt();
        // The distance from a point of the one to the other is shorter than the gap above the place, by up to 1.5 x^4 / R^3.
        let tolerance = 1.6e-3 * x.powi(4);
        for (other, expected) in [
            (placed(&ground, &world), rise(10.0)),
            (placed(&cuboid, &under), rise(10.0)),
            (placed(&shape, &below), 2.0 * rise(10.0)),
        ] {
            let (normal, gap) = held(other, placed(&shape, &pose), &place, 0.1).unwrap();
            assert!((gap - expected).abs() < tolerance && normal.y > 0.99, "{gap} {expected} {normal}");
            let (normal, same) = held(placed(&shape, &pose), other, &place, 0.1).unwrap();
            assert!((same - expected).abs() < tolerance && normal.y < -0.99, "{same} {expected} {normal}");
        }
    }
}

#[test]
fn places_that_have_opened_or_are_not_parallel_are_not_held() {
    let shape = Shape::nurbs_curve(&circle(1.0)).unwrap();
    let pose = Pose::new(Vec3::new(0.0, 1.0, 0.0), Quat::identity());
    let ground = Shape::half_space([0.0, 1.0, 0.0], 0.0).unwrap();
    let ball = Shape::sphere(1.0).unwrap();
    let (world, below) = (Pose::world(), Pose::new(Vec3::new(0.0, -1.0, 0.0), Quat::identity()));
    let curve = placed(&shape, &pose);
    let place = |x: f64| Vec3::new(x, 0.0, 0.0);
    assert!(held(placed(&ground, &world), curve, &place(0.05), 0.1).is_some());
    assert!(held(placed(&ground, &world), curve, &place(0.05), 0.01).is_none(), "1.25 mm apart");
    assert!(held(placed(&ground, &world), curve, &place(0.5), 5.0).is_none(), "30 degrees");
    assert!(held(placed(&ball, &below), curve, &place(0.0), 0.1).is_none(), "a ball");
    assert!(!found(placed(&ball, &below), curve, 0.01).is_empty());
}
