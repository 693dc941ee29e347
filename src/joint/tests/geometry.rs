use crate::joint::tests::{Sides, samples};
use crate::joint::{Direction, Geometry, LocalFrame, SideFrame};
use crate::math::{Pose, Quat, Vec3, turned_by};

#[test]
fn a_frame_moves_with_its_body() {
    // A quarter turn about z takes x to y.
    let quarter = turned_by(&Vec3::new(0.0, 0.0, std::f64::consts::FRAC_PI_2));
    let pose = Pose::new(Vec3::new(1.0, 2.0, 3.0), quarter);
    let local = LocalFrame { point: Vec3::new(0.5, 0.0, 0.0), rotation: Quat::identity() };
    let frame = SideFrame::new(&local, &pose, Vec3::new(7.0, 8.0, 9.0));
    assert!((frame.origin - Vec3::new(1.0, 2.5, 3.0)).norm() < 1e-15, "{frame:?}");
    assert!((frame.rotation * Vec3::x() - Vec3::y()).norm() < 1e-15, "{frame:?}");
    assert_eq!(frame.center, Vec3::new(7.0, 8.0, 9.0));
}

#[test]
fn arms_lead_from_both_centres_to_the_point_of_b() {
    for sides in samples() {
        let Geometry { offset, arm_a, arm_b, .. } = sides.geometry();
        assert_eq!(offset, sides.b.origin - sides.a.origin);
        assert_eq!((arm_a, arm_b), (sides.b.origin - sides.a.center, sides.b.origin - sides.b.center));
    }
}

/// `p` and `-p` are the same rotation: the one whose scalar part is not negative is kept.
#[test]
fn the_turn_is_frame_b_seen_from_a() {
    for sign in [1.0, -1.0] {
        let mut sides = Sides::new(Vec3::x(), Vec3::new(0.0, 0.0, 0.2));
        sides.b.rotation = Quat::new_unchecked(sign * sides.b.rotation.into_inner());
        let geometry = sides.geometry();
        // Half of 0.2 rad about z.
        let (sin, cos) = 0.1f64.sin_cos();
        assert!((geometry.turn - Vec3::new(0.0, 0.0, sin)).norm() < 1e-15, "{geometry:?}");
        assert!((geometry.turn_scalar - cos).abs() < 1e-15, "{geometry:?}");
        let z = Direction::Z;
        assert!((geometry.axis_a(z) - geometry.axis_b(z)).norm() < 1e-15, "{geometry:?}");
    }
}

#[test]
fn points_at_the_same_place_have_the_direction_x_of_a() {
    let (length, row) = Sides::new(Vec3::zeros(), Vec3::zeros()).geometry().distance();
    assert_eq!(length, 0.0);
    assert_eq!(row.b.linear, Sides::new(Vec3::zeros(), Vec3::zeros()).geometry().axis_a(Direction::X));
}

/// A distance whose square is below the smallest number.
#[test]
fn a_tiny_distance_has_its_direction() {
    let mut sides = Sides::new(Vec3::zeros(), Vec3::zeros());
    (sides.a.origin, sides.b.origin) = (Vec3::zeros(), Vec3::new(0.0, 3e-200, 4e-200));
    let (length, row) = sides.geometry().distance();
    assert!((length - 5e-200).abs() < 1e-214, "{length:e}");
    assert!((row.b.linear - Vec3::new(0.0, 0.6, 0.8)).norm() < 1e-15, "{row:?}");
}

#[test]
fn spins_are_measured_along_the_axes_of_a() {
    let geometry = Sides::new(Vec3::x(), Vec3::new(0.2, 0.1, 0.0)).geometry();
    for (row, axis) in geometry.spin_rows().iter().zip(geometry.axes_a) {
        assert_eq!((row.b.angular, row.a.angular), (axis, -axis));
        assert_eq!((row.b.linear, row.a.linear), (Vec3::zeros(), Vec3::zeros()));
    }
}
