use crate::error::ErrorKind;
use crate::joint::{AxisMode, JointAxis, JointKind, MotorMode, Spring, check_free_turns};

type Change = fn(&mut JointAxis, f64);
type ChangeOfTwo = fn(&mut JointAxis, f64, f64);

const HINGE: (JointKind, usize) = (JointKind::Hinge, 5);

fn refusal(kind: JointKind, index: usize, change: impl Fn(&mut JointAxis)) -> (ErrorKind, String) {
    let mut axis = JointAxis::new(kind);
    change(&mut axis);
    let error = axis.check(kind, index).expect_err("a wrong member");
    (error.kind, error.message)
}

/// Members that are finite and not negative.
const NOT_NEGATIVE: [(&str, Change); 11] = [
    ("limit_restitution", |axis, x| axis.limit_restitution = x),
    ("frequency", |axis, x| axis.frequency = x),
    ("ratio", |axis, x| axis.ratio = x),
    ("stiffness", |axis, x| axis.stiffness = x),
    ("damping", |axis, x| axis.damping = x),
    ("motor_stiffness", |axis, x| axis.motor_stiffness = x),
    ("motor_damping", |axis, x| axis.motor_damping = x),
    ("friction", |axis, x| axis.friction = x),
    ("friction_coefficient", |axis, x| axis.friction_coefficient = x),
    ("friction_radius", |axis, x| axis.friction_radius = x),
    ("armature", |axis, x| axis.armature = x),
];

/// Members that are finite, of any sign.
const FINITE: [(&str, Change); 3] = [
    ("rest", |axis, x| axis.rest = x),
    ("target_position", |axis, x| axis.target_position = x),
    ("target_velocity", |axis, x| axis.target_velocity = x),
];

/// Bounds, which may be infinite.
const BOUNDS: [(&str, Change); 4] = [
    ("lower", |axis, x| axis.lower = x),
    ("upper", |axis, x| axis.upper = x),
    ("force_lower", |axis, x| axis.force_lower = x),
    ("force_upper", |axis, x| axis.force_upper = x),
];

#[test]
fn the_default_of_each_free_axis_does_nothing() {
    for kind in JointKind::ALL {
        for &index in kind.free_axes() {
            let axis = JointAxis::new(kind);
            assert_eq!(axis.check(kind, index), Ok(()), "{kind:?} {index}");
            let is_locked = kind == JointKind::General;
            assert_eq!(axis.mode, if is_locked { AxisMode::Locked } else { AxisMode::Free });
            assert!(!axis.has_drive() && axis.spring(1.0).is_none() && axis.held_position().is_none());
            assert_eq!(axis.largest_friction(index, 100.0), 0.0);
        }
    }
}

#[test]
fn each_number_that_is_not_finite_is_refused_by_its_name() {
    for (name, change) in NOT_NEGATIVE.into_iter().chain(FINITE) {
        for (value, shown) in [(f64::NAN, "NaN"), (f64::INFINITY, "inf"), (f64::NEG_INFINITY, "-inf")] {
            let message = format!("{name} is {shown}, expected a finite number");
            assert_eq!(refusal(HINGE.0, HINGE.1, |axis| change(axis, value)), (ErrorKind::NotFinite, message));
        }
    }
    for (name, change) in BOUNDS {
        let message = format!("{name} is NaN, expected a finite number");
        assert_eq!(refusal(HINGE.0, HINGE.1, |axis| change(axis, f64::NAN)), (ErrorKind::NotFinite, message));
    }
}

#[test]
fn each_number_below_0_is_refused_by_its_name() {
    for (name, change) in NOT_NEGATIVE {
        let message = format!("{name} is -0.5, expected 0 or a number above it");
        assert_eq!(refusal(HINGE.0, HINGE.1, |axis| change(axis, -0.5)), (ErrorKind::Argument, message));
    }
    for (name, change) in FINITE {
        let mut axis = JointAxis::new(HINGE.0);
        change(&mut axis, -0.5);
        assert_eq!(axis.check(HINGE.0, HINGE.1), Ok(()), "{name}");
    }
    let (kind, message) = refusal(HINGE.0, HINGE.1, |axis| axis.limit_restitution = 1.5);
    assert_eq!(
        (kind, message.as_str()),
        (ErrorKind::Argument, "limit_restitution is 1.5, expected a number from 0 to 1")
    );
}

#[test]
fn bounds_are_ordered_and_leave_a_number_between_them() {
    let (infinity, refused) = (f64::INFINITY, ErrorKind::Argument);
    let pairs: [(&str, &str, ChangeOfTwo); 2] = [
        ("lower", "upper", |axis, lower_bound, upper_bound| (axis.lower, axis.upper) = (lower_bound, upper_bound)),
        ("force_lower", "force_upper", |axis, lower_bound, upper_bound| {
            (axis.force_lower, axis.force_upper) = (lower_bound, upper_bound)
        }),
    ];
    for (lower, upper, change) in pairs {
        let message = |lower_bound: f64, upper_bound: f64| {
            refusal(HINGE.0, HINGE.1, |axis| change(axis, lower_bound, upper_bound))
        };
        assert_eq!(message(2.0, 1.0), (refused, format!("{lower} is 2, expected at most {upper}, which is 1")));
        assert_eq!(message(infinity, infinity), (refused, format!("{lower} is inf, expected a number or -inf")));
        let below = -infinity;
        assert_eq!(message(below, below), (refused, format!("{upper} is -inf, expected a number or inf")));
        // A constant force is a motor with two equal bounds of any sign.
        for (lower_bound, upper_bound) in [(3.0, 3.0), (-2.0, -1.0), (below, 0.0), (1.0, infinity)] {
            let mut axis = JointAxis::new(HINGE.0);
            change(&mut axis, lower_bound, upper_bound);
            assert_eq!(axis.check(HINGE.0, HINGE.1), Ok(()), "{lower_bound} {upper_bound}");
        }
    }
}

#[test]
fn an_index_that_the_kind_does_not_leave_free_is_refused() {
    for kind in JointKind::ALL {
        for index in (0..8).filter(|index| !kind.free_axes().contains(index)) {
            let (refused, message) = refusal(kind, index, |_| ());
            assert_eq!(refused, ErrorKind::Argument);
            assert!(message.starts_with(&format!("index is {index}, ")) && message.contains(kind.name()), "{message}");
        }
    }
    let expected = "index is 4, expected one of [3, 5], the free axes of a joint of kind BALL";
    assert_eq!(refusal(JointKind::Ball, 4, |_| ()).1, expected);
    assert_eq!(refusal(JointKind::Fixed, 0, |_| ()).1, "index is 0, but a joint of kind FIXED has no free axis");
}

#[test]
fn only_axes_of_a_general_joint_are_locked_and_then_without_drives() {
    let message =
        "mode is LOCKED on a joint of kind HINGE, expected FREE or LIMITED; only axes of GENERAL can be locked";
    let locked = refusal(HINGE.0, HINGE.1, |axis| axis.mode = AxisMode::Locked);
    assert_eq!(locked, (ErrorKind::Argument, message.to_string()));
    let drives: [Change; 4] = [
        |axis, _| axis.motor = MotorMode::Velocity,
        |axis, x| axis.frequency = x,
        |axis, x| axis.stiffness = x,
        |axis, x| axis.damping = x,
    ];
    let message = "mode is LOCKED on an axis with a motor or a spring, expected FREE or LIMITED";
    for change in drives {
        let refused = refusal(JointKind::General, 0, |axis| change(axis, 1.0));
        assert_eq!(refused, (ErrorKind::Argument, message.to_string()));
    }
}

#[test]
fn a_position_motor_has_a_stiffness() {
    let refused = refusal(HINGE.0, HINGE.1, |axis| axis.motor = MotorMode::Position);
    let message = "motor_stiffness of a POSITION motor is 0, expected a number above 0";
    assert_eq!(refused, (ErrorKind::Argument, message.to_string()));
    let axis = JointAxis { motor: MotorMode::Position, motor_stiffness: 1.0, ..JointAxis::new(HINGE.0) };
    assert_eq!(axis.check(HINGE.0, HINGE.1), Ok(()));
}

#[test]
fn a_cone_has_an_upper_bound_alone() {
    let limited = |lower, upper| JointAxis { mode: AxisMode::Limited, lower, upper, ..JointAxis::new(JointKind::Ball) };
    assert_eq!(limited(f64::NEG_INFINITY, 0.5).check(JointKind::Ball, 3), Ok(()));
    assert_eq!(limited(0.0, 0.5).check(JointKind::Ball, 3), Ok(()));
    // The twist has both bounds.
    assert_eq!(limited(0.2, 0.5).check(JointKind::Ball, 5), Ok(()));
    let cases = [
        (0.2, 0.5, "lower is 0.2, expected 0 or less: a cone has an upper bound alone"),
        (-1.0, 0.0, "upper is 0, expected a number above 0, the largest angle of the cone"),
    ];
    for (lower, upper, message) in cases {
        let error = limited(lower, upper).check(JointKind::Ball, 3).expect_err("a wrong cone");
        assert_eq!((error.kind, error.message.as_str()), (ErrorKind::Argument, message));
    }
}

#[test]
fn three_free_turns_of_a_general_joint_are_those_of_a_ball() {
    let free = JointAxis { mode: AxisMode::Free, ..JointAxis::new(JointKind::General) };
    let limited = JointAxis { mode: AxisMode::Limited, lower: -1.0, upper: 1.0, ..free };
    let locked = JointAxis::new(JointKind::General);
    let message = |axes| check_free_turns(&axes).map_err(|error| error.message);
    assert_eq!(message([locked, locked, locked, limited, free, limited]), Ok(()));
    // One turn is locked: the others are angles.
    assert_eq!(message([locked, locked, locked, limited, limited, locked]), Ok(()));
    let refused = [
        limited,
        JointAxis { motor: MotorMode::Velocity, ..free },
        JointAxis { stiffness: 1.0, ..free },
        JointAxis { friction: 1.0, ..free },
        JointAxis { friction_coefficient: 1.0, ..free },
        JointAxis { armature: 1.0, ..free },
    ];
    for axis in refused {
        let message = message([locked, locked, locked, free, axis, free]).expect_err("an axis that does nothing");
        assert!(message.starts_with("axes[4] has bounds or drives while no turn is locked"), "{message}");
    }
    let cone = JointAxis { lower: 0.5, ..limited };
    let expected = "axes[3].lower is 0.5, expected 0 or less: a cone has an upper bound alone";
    assert_eq!(message([free, free, free, cone, free, free]), Err(expected.to_string()));
}

/// The frequency has precedence over stiffness and damping. On 2 kg, 8 N/m are 2 rad/s, and 4 N s/m are 4 / (2 sqrt(16)) of the critical
/// damping.
#[test]
fn a_spring_is_given_by_its_frequency_or_by_its_stiffness() {
    let axis = JointAxis { stiffness: 8.0, damping: 4.0, ..JointAxis::new(JointKind::Slider) };
    let spring = axis.spring(2.0).expect("a spring");
    assert!((spring.angular_frequency - 2.0).abs() <= 1e-15 && (spring.ratio - 0.5).abs() <= 1e-15, "{spring:?}");
    let expected = Spring { angular_frequency: std::f64::consts::TAU * 3.0, ratio: 0.7 };
    assert_eq!(JointAxis { frequency: 3.0, ratio: 0.7, ..axis }.spring(2.0), Some(expected));
    let damper = JointAxis { stiffness: 0.0, ..axis };
    assert!(damper.spring(2.0).is_none() && damper.has_spring());
}

/// `T + mu r abs(load)`, with the radius 1 m for displacements.
#[test]
fn friction_grows_with_the_load() {
    let new = JointAxis::new(JointKind::Cylindrical);
    let axis = JointAxis { friction: 2.0, friction_coefficient: 0.5, friction_radius: 0.1, ..new };
    assert_eq!(axis.largest_friction(2, -8.0), 6.0);
    assert_eq!(axis.largest_friction(5, 8.0), 2.4);
}

#[test]
fn equal_bounds_hold_an_axis() {
    let limited = JointAxis { mode: AxisMode::Limited, lower: 0.3, upper: 0.3, ..JointAxis::new(JointKind::Hinge) };
    assert_eq!(limited.held_position(), Some(0.3));
    assert_eq!(JointAxis { upper: 0.4, ..limited }.held_position(), None);
    assert_eq!(JointAxis { mode: AxisMode::Free, ..limited }.held_position(), None);
}
