use super::{found, placed};
use crate::math::{Pose, Quat, Vec3};
use crate::shape::Shape;
use crate::shape::nurbs::tests::grains::{cubic, polygon};

fn rectangle(w: f64, h: f64) -> Shape {
    Shape::nurbs_curve(&polygon(&[[-w, -h], [w, -h], [w, h], [-w, h]])).unwrap()
}

/// The contacts are the ends of the part that two sides share, whichever side ends there.
#[test]
fn a_rectangle_sits_on_another_with_two_points() {
    let shapes = [rectangle(2.0, 1.0), rectangle(1.0, 0.5)];
    for (x, ends) in
        [(0.0, [-1.0, 1.0]), (0.7, [-0.3, 1.7]), (1.5, [0.5, 2.0]), (-2.2, [-2.0, -1.2]), (1.0, [0.0, 2.0])]
    {
        for (angle, gap) in [(0.0, 0.0), (1e-17, -0.01), (1e-3, 0.01), (-1e-3, -0.005)] {
            let pose = Pose::new(Vec3::new(x, 1.5 + gap, 0.0), Quat::from_euler_angles(0.0, 0.0, angle));
            for order in [[0, 1], [1, 0]] {
                let poses = [Pose::world(), pose];
                let [a, b] = order.map(|at| placed(&shapes[at], &poses[at]));
                let mut contacts = found(a, b, 0.02);
                contacts.sort_by(|a, b| a.point.x.total_cmp(&b.point.x));
                assert_eq!(contacts.len(), 2, "{x} {angle} {gap} {order:?}: {contacts:?}");
                for (contact, end) in contacts.iter().zip(ends) {
                    assert!((contact.point.x - end).abs() < 2e-3, "{contact:?}");
                    assert!((contact.gap - gap - angle * (end - x)).abs() < 1e-5, "{contact:?}");
                }
            }
        }
    }
}

#[test]
fn a_nearly_flat_curve_sits_on_a_plane() {
    // A lens whose lower side is a slow arc: the middle touches, and both ends of its piece.
    let lens = cubic(vec![[-1.0, 0.0], [0.0, -0.001], [1.0, 0.0], [1.0, 0.8], [0.0, 1.0], [-1.0, 0.8]]);
    let shape = Shape::nurbs_curve(&lens).unwrap();
    let ground = Shape::half_space([0.0, 1.0, 0.0], 0.0).unwrap();
    let pose = Pose::new(Vec3::new(0.0, 0.02, 0.0), Quat::identity());
    let touching = |margin: f64| found(placed(&ground, &Pose::world()), placed(&shape, &pose), margin).len();
    assert!(touching(0.2) >= 2, "{}", touching(0.2));
}
