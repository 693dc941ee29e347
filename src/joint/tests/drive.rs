use crate::joint::tests::Slider;
use crate::joint::{Drive, LimitApproach, LimitSide, Spring, length_round_off, turn_round_off};

const STEP: f64 = 0.01;

/// An axis at `position` that moves with `velocity`, without forces.
fn approach(position: f64, velocity: f64) -> LimitApproach {
    let round_off = turn_round_off(position);
    LimitApproach { position, velocity, kicked_velocity: velocity, round_off, restitution_threshold: 0.1, step: STEP }
}

/// Coulomb oscillators with k = 1, m = 1 and friction 0.2 come to rest, and then do not move by a single bit.
///
/// The turning points from rest at x0 are 0.4 nearer to zero each, on alternating sides. They are
///
/// 1, -0.6, 0.2;
/// 1.5, -1.1, 0.7, -0.3, -0.1;
/// 3.3, -2.9, 2.5, -2.1, 1.7, -1.3, 0.9, -0.5, 0.1.
///
/// The last one of each is where the spring pulls with no more than the friction. Between them the steps are exact.
/// In the step of a turn the friction has the wrong sign for a part of it, which moves the mass by at most `2 * 0.2
/// h^2 / 2`. These errors have either sign, and 0.5 h^2 is more than two of them.
#[test]
fn a_coulomb_oscillator_comes_to_rest_for_good() {
    for step in [0.01, 0.001] {
        let coefficients = Spring { angular_frequency: 1.0, ratio: 0.0 }.node_exact(step).expect("numbers");
        for (start, rest) in [(1.0, 0.2), (1.5, -0.1), (3.3, 0.1)] {
            // x = 0.2 + (x0 - 0.2) cos t, also before the start: the velocity of the chord.
            let chord = (start - 0.2) * (1.0 - f64::cos(step)) / step;
            let mut slider = Slider { mass: 1.0, position: start, velocity: chord };
            let advance = |slider: &mut Slider| {
                let spring = coefficients.drive(1.0, slider.position, slider.velocity, 0.0).expect("numbers");
                slider.step(0.0, step, &[spring], Some(Drive::friction(0.2, step)));
            };
            for _ in 0..(30.0 / step) as usize {
                advance(&mut slider);
            }
            let off = (slider.position - rest).abs();
            assert!(off <= 0.5 * step * step, "from {start} to {}, not {rest}: off by {off:e}", slider.position);
            let resting = slider.position.to_bits();
            for _ in 0..100_000 {
                advance(&mut slider);
                assert_eq!((slider.position.to_bits(), slider.velocity), (resting, 0.0), "from {start}");
            }
        }
    }
}

/// A rod of 2 kg and 1 m turns about its end at 0.5 rad/s from the horizontal, against gravity. The torque of the
/// motor is `m g l/2 cos q`, with q at the start of the step.
#[test]
fn a_velocity_motor_turns_a_rod() {
    let load = 2.0 * 9.81 * 0.5;
    let mut rod = Slider { mass: 2.0 / 3.0, position: 0.0, velocity: 0.5 };
    for _ in 0..200 {
        let torque = load * rod.position.cos();
        let motor = Drive::velocity_motor(0.5, [-100.0, 100.0], STEP);
        let impulse = rod.step(-torque, STEP, &[], Some(motor));
        // The rod keeps its velocity, so the motor carries the load.
        assert!((impulse / STEP - torque).abs() <= 1e-12, "{} at {}", impulse / STEP, rod.position);
        assert_eq!(rod.velocity, 0.5);
    }
    assert!((rod.position - 1.0).abs() <= 1e-12);
}

/// The same motor, held still, carries the load; with a limit below it the rod sinks with the difference of both torques.
#[test]
fn a_velocity_motor_holds_or_sinks() {
    let load = 2.0 * 9.81 * 0.5;
    let mut rod = Slider { mass: 2.0 / 3.0, position: 0.0, velocity: 0.0 };
    let impulse = rod.step(-load, STEP, &[], Some(Drive::velocity_motor(0.0, [-10.0, 10.0], STEP)));
    assert!((impulse / STEP - load).abs() <= 1e-14 && rod.velocity == 0.0);
    let impulse = rod.step(-load, STEP, &[], Some(Drive::velocity_motor(0.0, [-9.0, 9.0], STEP)));
    assert_eq!(impulse, STEP * 9.0);
    assert!((rod.velocity - (9.0 - load) * STEP * 1.5).abs() <= 1e-15, "{}", rod.velocity);
}

/// A motor far from its target whose force bounds are equal is a constant force.
#[test]
fn equal_bounds_are_a_constant_force() {
    let Drive { compliance, bias, lower, upper } = Drive::velocity_motor(-1e3, [-7.0, -7.0], STEP);
    assert_eq!((compliance, bias, lower, upper), (0.0, 1e3, -0.07, -0.07));
    let unlimited = Drive::velocity_motor(1.0, [f64::NEG_INFINITY, f64::INFINITY], STEP);
    assert_eq!((unlimited.lower, unlimited.upper), (f64::NEG_INFINITY, f64::INFINITY));
}

/// With `m (u+ - u) = -h d (u+ - u*)` the velocity relative to the target falls by `1 / (1 + h d / m)` in a step.
#[test]
fn a_damper_slows_down() {
    let damper = Drive::damper(6.0, 0.5, STEP).expect("numbers");
    let mut slider = Slider { mass: 2.0, position: 0.0, velocity: 1.5 };
    slider.step(0.0, STEP, &[damper], None);
    assert!((slider.velocity - (0.5 + 1.0 / 1.03)).abs() <= 1e-15, "{}", slider.velocity);
    assert_eq!(Drive::damper(1e-320, 0.0, STEP), None);
}

/// A force of 10 N on 2 kg and a rotor of 3 kg accelerates by 2 m/s^2.
#[test]
fn a_rotor_adds_its_inertia() {
    let rotor = Drive::armature(3.0, 0.7).expect("numbers");
    let mut slider = Slider { mass: 2.0, position: 0.0, velocity: 0.7 };
    slider.step(10.0, STEP, &[rotor], None);
    assert!((slider.velocity - 0.72).abs() <= 1e-15, "{}", slider.velocity);
    assert_eq!(Drive::armature(1e-320, 0.0), None);
}

/// A compliant row at rest yields by the compliance times the force: here C = 1e-3 m/N under 10 N.
#[test]
fn a_compliant_row_yields_by_its_compliance() {
    for relaxation in [0.0, 0.005, 0.1] {
        let mut slider = Slider { mass: 2.0, position: 0.0, velocity: 0.0 };
        for _ in 0..20_000 {
            let row = Drive::compliant([1e-3, relaxation], slider.position, slider.velocity, STEP);
            slider.step(10.0, STEP, &[row], None);
        }
        // It has come to rest to round-off.
        assert!((slider.position - 0.01).abs() <= 1e-15, "tau {relaxation}: {}", slider.position);
    }
    // Two steps are the default.
    assert_eq!(Drive::compliant([1e-3, 0.0], 0.1, 0.2, STEP), Drive::compliant([1e-3, 0.02], 0.1, 0.2, STEP));
}

/// `S = 4 C Y / h^2`, `b = (4/h) Y c - Y u` with `Y = 1 / (1 + 4 tau/h) = 1/9` for `tau = 2 h`. Here `C = 9e-4`, `c =
/// 0.01`, `u = 0.9` give `S = 4` and `b = 4/9 - 0.1`.
#[test]
fn a_compliant_row_has_the_numbers_of_spook() {
    let row = Drive::compliant([9e-4, 0.02], 0.01, 0.9, STEP);
    assert!((row.compliance - 4.0).abs() <= 1e-15 && (row.bias - (4.0 / 9.0 - 0.1)).abs() <= 1e-15, "{row:?}");
    // A rigid one.
    assert_eq!(Drive::compliant([0.0, 0.02], 0.01, 0.9, STEP).compliance, 0.0);
}

/// Without damping, a compliant spring turns the phase by `2 atan(w h / 2)` in a step, so that `x(h) + x(-h) = 2 cos(phase) x`. It is
/// stable at any w h.
#[test]
fn a_compliant_spring_has_its_phase() {
    for angle in [0.1, 1.0, 30.0] {
        let stiffness = 2.0 * f64::powi(angle / STEP, 2);
        let cosine = (2.0 * f64::atan(0.5 * angle)).cos();
        let mut slider = Slider { mass: 2.0, position: 1.0, velocity: 0.0 };
        let mut before = 1.0;
        for _ in 0..1000 {
            let now = slider.position;
            let spring = Drive::compliant_spring([stiffness, 0.0], now, slider.velocity, STEP).expect("numbers");
            slider.step(0.0, STEP, &[spring], None);
            // The amplitude starts at 1 with the velocity of the chord: at most 1 / cos(phase / 2), which is 15 at 30.
            assert!((slider.position + before - 2.0 * cosine * now).abs() <= 1e-12, "w h {angle}");
            before = now;
        }
        assert!(slider.position.abs() <= 1.01 * f64::hypot(1.0, 0.5 * angle), "w h {angle}: {}", slider.position);
    }
    assert_eq!(Drive::compliant_spring([1e-320, 0.0], 0.1, 0.0, STEP), None);
}

/// Without restitution the axis stops at the bound: the gap of 1 mm allows 0.1 m/s.
#[test]
fn a_limit_lets_the_axis_come_to_its_bound() {
    let lower = Drive::limit(LimitSide::Lower, 0.0, 0.0, &approach(0.001, -1.0));
    assert_eq!((lower.bias, lower.lower, lower.upper), (0.1, 0.0, f64::INFINITY));
    let mut slider = Slider { mass: 2.0, position: 0.001, velocity: -1.0 };
    let impulse = slider.step(0.0, STEP, &[], Some(lower));
    // 2 kg from -1 to -0.1 m/s.
    assert!((impulse - 1.8).abs() <= 1e-15 && slider.position.abs() <= 1e-18, "{impulse} {slider:?}");
    let upper = Drive::limit(LimitSide::Upper, 0.002, 0.0, &approach(0.001, 1.0));
    assert!((upper.bias + 0.1).abs() <= 1e-16, "{upper:?}");
    let mut slider = Slider { mass: 2.0, position: 0.001, velocity: 1.0 };
    let impulse = slider.step(0.0, STEP, &[], Some(upper));
    assert!((impulse + 1.8).abs() <= 1e-15 && (slider.position - 0.002).abs() <= 1e-18, "{impulse} {slider:?}");
}

#[test]
fn a_limit_that_is_touched_or_passed_only_stops() {
    for position in [0.0, 1e-15, -1e-15, -0.3] {
        assert_eq!(Drive::limit(LimitSide::Lower, 0.0, 0.0, &approach(position, -1.0)).bias, 0.0, "{position}");
        assert_eq!(Drive::limit(LimitSide::Upper, 0.0, 0.0, &approach(-position, 1.0)).bias, 0.0, "{position}");
    }
    // What opens is not held.
    let mut slider = Slider { mass: 2.0, position: 0.0, velocity: 0.5 };
    let limit = Drive::limit(LimitSide::Lower, 0.0, 0.0, &approach(0.0, 0.5));
    assert_eq!((slider.step(0.0, STEP, &[], Some(limit)), slider.velocity), (0.0, 0.5));
}

/// With restitution e = 0.6 what comes at 2 m/s goes back at 1.2 m/s, if it is fast enough and reaches the bound in this step.
#[test]
fn a_limit_rebounds() {
    for (side, sign) in [(LimitSide::Lower, 1.0), (LimitSide::Upper, -1.0)] {
        for gap in [0.0, 0.01, -0.02] {
            let mut slider = Slider { mass: 2.0, position: 0.4 + sign * gap, velocity: -2.0 * sign };
            let limit = Drive::limit(side, 0.4, 0.6, &approach(slider.position, slider.velocity));
            slider.step(0.0, STEP, &[], Some(limit));
            assert!((slider.velocity - sign * 1.2).abs() <= 1e-15, "{side:?} {gap}: {slider:?}");
        }
        // It does not arrive in this step, or comes too slowly: the threshold is 0.1 m/s.
        let far = Drive::limit(side, 0.4, 0.6, &approach(0.4 + sign * 0.05, -2.0 * sign));
        assert!((far.bias - sign * 5.0).abs() <= 1e-12, "{far:?}");
        assert_eq!(Drive::limit(side, 0.4, 0.6, &approach(0.4, -0.1 * sign)).bias, 0.0);
        // A force accelerates it so that it arrives: the velocity before counts.
        let pushed = LimitApproach { kicked_velocity: -6.0 * sign, ..approach(0.4 + sign * 0.05, -2.0 * sign) };
        let limit = Drive::limit(side, 0.4, 0.6, &pushed);
        assert!((limit.bias + sign * 1.2).abs() <= 1e-15, "{limit:?}");
    }
}

#[test]
fn round_off_grows_with_the_position() {
    assert_eq!((turn_round_off(0.0), turn_round_off(-3.0)), (64.0 * f64::EPSILON, 256.0 * f64::EPSILON));
    assert_eq!(length_round_off(2.0), 128.0 * f64::EPSILON);
    assert_eq!(Drive::held(), Drive::compliant([0.0, 0.0], 0.0, 0.0, STEP));
}
