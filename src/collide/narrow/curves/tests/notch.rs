use super::{found, placed};
use crate::math::{Pose, Quat, Vec3};
use crate::shape::Shape;
use crate::shape::nurbs::tests::grains::polygon;

/// A square in the corner of an L touches the floor and the wall, each with two points. This holds whichever of the two is nearer at the
/// corner, and however the square is tilted.
#[test]
fn a_square_in_a_corner_touches_both_sides() {
    let l = [[0.0, 0.0], [4.0, 0.0], [4.0, 1.0], [1.0, 1.0], [1.0, 4.0], [0.0, 4.0]];
    let l = Shape::nurbs_curve(&polygon(&l)).unwrap();
    let square = Shape::nurbs_curve(&polygon(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])).unwrap();
    for angle in [0.0, 1e-5, -1e-5] {
        for wall in [-1e-4, 0.0, 1e-4] {
            for floor in [-2e-4, 0.0, 2e-4] {
                let pose = Pose::new(Vec3::new(1.0 + wall, 1.0 + floor, 0.0), Quat::from_euler_angles(0.0, 0.0, angle));
                for order in [[0, 1], [1, 0]] {
                    let both =
                        [placed(&l, &Pose::world()), placed(&square, &pose)].map(|placed| (*placed.shape).clone());
                    let poses = [Pose::world(), pose];
                    let contacts = found(
                        placed(&both[order[0]], &poses[order[0]]),
                        placed(&both[order[1]], &poses[order[1]]),
                        0.01,
                    );
                    let count = |normal: Vec3, gap: f64| {
                        let is_it = |contact: &&crate::collide::narrow::ContactPoint| {
                            contact.normal.dot(&normal).abs() > 1.0 - 1e-6 && (contact.gap - gap).abs() < 3e-5
                        };
                        contacts.iter().filter(is_it).count()
                    };
                    let counts = [count(Vec3::x(), wall), count(Vec3::y(), floor)];
                    assert_eq!(counts, [2, 2], "{angle} {wall} {floor} {order:?}: {contacts:?}");
                    assert_eq!(contacts.len(), 4, "{angle} {wall} {floor} {order:?}: {contacts:?}");
                }
            }
        }
    }
}
