use crate::error::ErrorKind;
use crate::joint::tests::Sides;
use crate::joint::{
    AxisMode, Direction, Geometry, JointDefinition, JointKind, Locks, SideFrame, check_directions, place, place_points,
};
use crate::math::{Pose, Quat, Vec3, turned_by};

fn poses() -> [Pose; 2] {
    let a = Pose::new(Vec3::new(1.0, -2.0, 0.5), turned_by(&Vec3::new(0.3, 1.1, -0.4)));
    let b = Pose::new(Vec3::new(-0.5, 0.7, 2.0), turned_by(&Vec3::new(-1.3, 0.2, 2.0)));
    [a, b]
}

/// Returns the frames of a definition in world axes.
fn frames(definition: &JointDefinition, poses: &[Pose; 2]) -> Geometry {
    let [a, b] = definition.check().expect("a good definition");
    let [pose_a, pose_b] = poses;
    Geometry::new(&SideFrame::new(&a, pose_a, Vec3::zeros()), &SideFrame::new(&b, pose_b, Vec3::zeros()))
}

#[test]
fn both_frames_coincide_where_they_are_placed() {
    let point = [0.4, 0.8, -0.3];
    let references = [None, Some([1.0, 0.0, 0.0]), Some([3.0, 4.0, 5.0]), Some([1e-200, 0.0, 1e-200])];
    for axis in [[0.0, 0.0, 1.0], [0.0, -2.0, 0.0], [1.0, 2.0, -2.0], [1e200, 0.0, 1e199]] {
        for reference in references {
            let mut definition = JointDefinition::new(JointKind::Hinge);
            place(&mut definition, &poses(), &point, &axis, reference.as_ref()).expect("a good place");
            let geometry = frames(&definition, &poses());
            // Numbers up to 3, turned twice.
            assert!(geometry.offset.norm() <= 4e-15, "{geometry:?}");
            assert!((geometry.arm_a - Vec3::from(point)).norm() <= 4e-15, "{geometry:?}");
            assert!(geometry.turn.norm() <= 1e-15, "{geometry:?}");
            let (x, z) = (geometry.axis_a(Direction::X), geometry.axis_a(Direction::Z));
            let along = Vec3::from(axis) / Vec3::from(axis).amax();
            assert!((z - along.normalize()).norm() <= 2e-15, "{z:?} is not along {axis:?}");
            if let Some(reference) = reference {
                let reference = Vec3::from(reference) / Vec3::from(reference).amax();
                let across = reference - z * z.dot(&reference);
                // What is left of the reference has the round-off of all of it.
                let off = (x - across.normalize()).norm() * across.norm();
                assert!(off <= 2e-15, "{x:?} is not along {reference:?}");
            }
        }
    }
}

#[test]
fn the_world_has_the_identity_as_its_pose() {
    let poses = [Pose::new(Vec3::zeros(), Quat::identity()), poses()[1]];
    let mut definition = JointDefinition::new(JointKind::Hinge);
    place(&mut definition, &poses, &[1.0, 2.0, 3.0], &[0.0, 0.0, 5.0], Some(&[2.0, 0.0, 7.0])).expect("a good place");
    assert_eq!((definition.point_a, definition.rotation_a), ([1.0, 2.0, 3.0], [0.0, 0.0, 0.0, 1.0]));
}

#[test]
fn wrong_places_are_refused_and_change_nothing() {
    let (point, axis) = ([0.0; 3], [0.0, 0.0, 1.0]);
    let nan = [0.0, f64::NAN, 0.0];
    let not_finite = |name: &str| (ErrorKind::NotFinite, format!("{name}[1] is NaN, expected a finite number"));
    let zero = |name: &str| (ErrorKind::Argument, format!("the length of {name} is 0, expected a number above 0"));
    let along = "the sine of the angle between reference and axis is 0, expected at least 1e-6: the reference must not be along the axis";
    let cases = [
        (nan, axis, None, not_finite("point")),
        (point, nan, None, not_finite("axis")),
        (point, axis, Some(nan), not_finite("reference")),
        (point, [0.0; 3], None, zero("axis")),
        (point, axis, Some([0.0; 3]), zero("reference")),
        (point, axis, Some([0.0, 0.0, -2.0]), (ErrorKind::Argument, along.to_string())),
    ];
    for (point, axis, reference, expected) in cases {
        let mut definition = JointDefinition::new(JointKind::Hinge);
        let error = place(&mut definition, &poses(), &point, &axis, reference.as_ref()).expect_err("a wrong place");
        assert_eq!((error.kind, error.message), expected);
        assert_eq!(definition, JointDefinition::new(JointKind::Hinge));
    }
}

#[test]
fn two_points_make_a_rod() {
    let mut definition = JointDefinition::new(JointKind::Distance);
    let (from, to) = ([1.0, 2.0, 3.0], [1.0, 5.0, -1.0]);
    place_points(&mut definition, &poses(), &from, &to).expect("two points");
    // 3 and 4.
    assert_eq!(definition.lengths(), [5.0, 5.0]);
    let geometry = frames(&definition, &poses());
    assert!((geometry.offset - Vec3::new(0.0, 3.0, -4.0)).norm() <= 4e-15, "{geometry:?}");
}

#[test]
fn points_at_the_same_place_and_numbers_that_are_not_finite_make_no_rod() {
    let (point, nan) = ([1.0, 2.0, 3.0], [0.0, f64::NAN, 0.0]);
    let cases = [
        (nan, point, "point_a[1] is NaN, expected a finite number"),
        (point, nan, "point_b[1] is NaN, expected a finite number"),
        (point, point, "the distance of point_a and point_b is 0, expected a length above 0"),
        ([-1e308; 3], [1e308; 3], "the distance of point_a and point_b is inf, expected a length above 0"),
    ];
    for (from, to, message) in cases {
        let mut definition = JointDefinition::new(JointKind::Distance);
        let error = place_points(&mut definition, &poses(), &from, &to).expect_err("wrong points");
        assert_eq!(error.message, message);
        assert_eq!(definition, JointDefinition::new(JointKind::Distance));
    }
}

/// Frames that turned about x by 80, 90 and 100 degrees.
#[test]
fn locked_directions_are_at_most_90_degrees_apart() {
    for (degrees, is_good) in [(80.0f64, true), (90.0, true), (100.0, false), (180.0, false)] {
        let geometry = Sides::new(Vec3::zeros(), Vec3::new(degrees.to_radians(), 0.0, 0.0)).geometry();
        let check = |kind| check_directions(&geometry, &Locks::new(kind, &[AxisMode::Free; 6]));
        for kind in [JointKind::Hinge, JointKind::Cylindrical, JointKind::Planar, JointKind::Fixed, JointKind::Slider] {
            assert_eq!(check(kind).is_ok(), is_good, "{kind:?} at {degrees}");
        }
        for kind in [JointKind::Ball, JointKind::Universal, JointKind::Distance] {
            assert!(check(kind).is_ok(), "{kind:?} at {degrees}");
        }
        // A general joint that turns freely about x.
        let (free, locked) = (AxisMode::Free, AxisMode::Locked);
        let about_x = Locks::new(JointKind::General, &[free, free, free, free, locked, locked]);
        assert!(check_directions(&geometry, &about_x).is_ok());
        if let Err(error) = check(JointKind::Hinge) {
            assert_eq!(error.kind, ErrorKind::Argument);
            assert!(error.message.starts_with("the cosine of the angle between the Z axes of both frames is -"));
        }
    }
}
