use crate::joint::{
    AxisDrives, AxisMode, AxisState, Drive, JointAxis, JointKind, LimitApproach, LimitSide, MotorMode, Spring,
    axis_drives,
};

const STEP: f64 = 0.01;

fn state() -> AxisState {
    let approach = LimitApproach {
        position: 0.3,
        velocity: -0.7,
        kicked_velocity: -0.8,
        round_off: 1e-14,
        restitution_threshold: 0.1,
        step: STEP,
    };
    let rotor_velocity = approach.velocity;
    AxisState {
        approach,
        inertia: 2.0,
        target_position: 0.25,
        pace: 1.0,
        load: 6.0,
        is_cone: false,
        rotor_velocity,
        is_steady: true,
    }
}

/// The expected row of a spring, on the inertia with that of the rotor.
fn pulled(spring: Spring, inertia: f64, place: f64, speed: f64) -> Option<Drive> {
    spring.node_exact(STEP).and_then(|exact| exact.drive(inertia, 0.3 - place, -0.7, speed))
}

#[test]
fn an_axis_without_drives_has_none() {
    for kind in [JointKind::Hinge, JointKind::General] {
        assert_eq!(axis_drives(&JointAxis::new(kind), 5, &state()), AxisDrives::default());
    }
}

#[test]
fn limits_have_one_row_for_each_finite_bound() {
    let new = JointAxis::new(JointKind::Hinge);
    let limited = JointAxis { mode: AxisMode::Limited, lower: 0.2, upper: 0.9, limit_restitution: 0.5, ..new };
    let drives = axis_drives(&limited, 5, &state());
    assert_eq!(drives.lower_limit, Some(Drive::limit(LimitSide::Lower, 0.2, 0.5, &state().approach)));
    assert_eq!(drives.upper_limit, Some(Drive::limit(LimitSide::Upper, 0.9, 0.5, &state().approach)));
    assert_eq!(
        drives,
        AxisDrives { lower_limit: drives.lower_limit, upper_limit: drives.upper_limit, ..Default::default() }
    );
    let above = axis_drives(&JointAxis { lower: f64::NEG_INFINITY, ..limited }, 5, &state());
    assert!(above.lower_limit.is_none() && above.upper_limit.is_some());
    let below = axis_drives(&JointAxis { upper: f64::INFINITY, ..limited }, 5, &state());
    assert!(below.lower_limit.is_some() && below.upper_limit.is_none());
    // Bounds without the mode do nothing.
    let free = axis_drives(&JointAxis { mode: AxisMode::Free, ..limited }, 5, &state());
    assert_eq!(free, AxisDrives::default());
    let held = axis_drives(&JointAxis { lower: 0.9, ..limited }, 5, &state());
    assert_eq!(held, AxisDrives { held: Some(Drive::held()), ..Default::default() });
}

/// A ball joint swings through the straight position at any speed, also if the lower bound of its cone is 0.
#[test]
fn a_cone_has_no_lower_limit() {
    let new = JointAxis::new(JointKind::Ball);
    let cone = JointAxis { mode: AxisMode::Limited, lower: 0.0, upper: 0.9, ..new };
    let drives = axis_drives(&cone, 3, &AxisState { is_cone: true, ..state() });
    assert!(drives.lower_limit.is_none() && drives.upper_limit.is_some());
    assert!(axis_drives(&cone, 5, &state()).lower_limit.is_some());
}

#[test]
fn a_spring_acts_on_the_inertia_with_the_rotor() {
    let new = JointAxis::new(JointKind::Slider);
    let axis = JointAxis { stiffness: 40.0, damping: 3.0, rest: 0.1, armature: 0.5, ..new };
    let drives = axis_drives(&axis, 2, &state());
    assert_eq!(drives.spring, pulled(Spring::from_stiffness(40.0, 3.0, 2.5), 2.5, 0.1, 0.0));
    assert_eq!(drives.armature, Drive::armature(0.5, -0.7));
    assert_eq!(drives, AxisDrives { spring: drives.spring, armature: drives.armature, ..Default::default() });
    let tuned = JointAxis { frequency: 3.0, ratio: 0.4, ..axis };
    assert_eq!(axis_drives(&tuned, 2, &state()).spring, pulled(Spring::from_frequency(3.0, 0.4), 2.5, 0.1, 0.0));
    let damper = JointAxis { stiffness: 0.0, ..axis };
    assert_eq!(axis_drives(&damper, 2, &state()).spring, Drive::damper(3.0, 0.0, STEP));
}

#[test]
fn motors_have_their_targets_and_bounds() {
    let new = JointAxis::new(JointKind::Hinge);
    let axis = JointAxis {
        motor: MotorMode::Velocity,
        target_velocity: 1.5,
        motor_stiffness: 80.0,
        motor_damping: 6.0,
        force_lower: -3.0,
        force_upper: 4.0,
        ..new
    };
    let motor = |axis: &JointAxis| axis_drives(axis, 5, &state()).motor;
    let expected = Drive { compliance: 0.0, bias: -1.5, lower: -0.03, upper: 0.04 };
    assert_eq!(motor(&axis), Some(expected));
    let servo = JointAxis { motor: MotorMode::Position, ..axis };
    let spring = pulled(Spring::from_stiffness(80.0, 6.0, 2.0), 2.0, 0.25, 1.5).expect("numbers");
    assert_eq!(motor(&servo), Some(Drive { lower: -0.03, upper: 0.04, ..spring }));
    assert_eq!(motor(&JointAxis { motor: MotorMode::Off, ..axis }), None);
    // A spring beside a motor is a row of its own.
    let both = axis_drives(&JointAxis { stiffness: 1.0, ..servo }, 5, &state());
    assert!(both.motor.is_some() && both.spring.is_some());
}

#[test]
fn friction_has_the_bound_of_the_load() {
    let axis = JointAxis {
        friction: 2.0,
        friction_coefficient: 0.5,
        friction_radius: 0.1,
        ..JointAxis::new(JointKind::Hinge)
    };
    let friction = |index| axis_drives(&axis, index, &state()).friction;
    // 2 + 0.5 * 0.1 * 6 N m, and 2 + 0.5 * 6 N.
    assert_eq!((friction(5), friction(2)), (Some(Drive::friction(2.3, STEP)), Some(Drive::friction(5.0, STEP))));
    let Drive { compliance, bias, lower, upper } = Drive::friction(2.3, STEP);
    assert_eq!((compliance, bias, lower, upper), (0.0, 0.0, -0.023, 0.023));
}

/// A servo that is too weak for its load sinks with its largest force.
#[test]
fn a_servo_saturates() {
    let axis = JointAxis {
        motor: MotorMode::Position,
        motor_stiffness: 1e4,
        motor_damping: 300.0,
        force_lower: -5.0,
        force_upper: 5.0,
        ..JointAxis::new(JointKind::Slider)
    };
    let mut slider = super::Slider { mass: 2.0, position: 0.0, velocity: 0.0 };
    for (load, expected) in [(-3.0, 3.0), (-8.0, 5.0)] {
        let mut force = 0.0;
        for _ in 0..1000 {
            let approach = LimitApproach { position: slider.position, velocity: slider.velocity, ..state().approach };
            let rotor_velocity = approach.velocity;
            let now = AxisState { approach, rotor_velocity, target_position: 0.0, ..state() };
            force = slider.step(load, STEP, &[], axis_drives(&axis, 2, &now).motor) / STEP;
        }
        // At rest the force is that of the load, 3e-4 m below the target; later it is at its bound.
        assert!((force - expected).abs() <= 1e-12, "{force}, not {expected}");
    }
    assert!(slider.velocity < -1.0, "it sinks: {slider:?}");
}
