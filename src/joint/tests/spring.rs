use crate::joint::tests::Slider;
use crate::joint::{Drive, Spring};

const STEP: f64 = 0.01;

/// `y'' + 2 z w y' + w^2 y = 0` from `y = 1`, `y' = v`: the closed form for each damping ratio.
fn closed_form(angular_frequency: f64, ratio: f64, v: f64, time: f64) -> f64 {
    let (w, z) = (angular_frequency, ratio);
    if z == 1.0 {
        return (1.0 + (v + w) * time) * (-w * time).exp();
    }
    let root = w * (z * z - 1.0).abs().sqrt();
    if z < 1.0 {
        let (sin, cos) = (root * time).sin_cos();
        return (-z * w * time).exp() * (cos + (v + z * w) / root * sin);
    }
    let [slow, fast] = [-z * w + root, -z * w - root];
    ((v - fast) * (slow * time).exp() - (v - slow) * (fast * time).exp()) / (slow - fast)
}

/// The damping ratios and the angles `w h` of the acceptance table.
fn cases() -> impl Iterator<Item = (f64, f64)> {
    [0.0, 0.3, 1.0, 1.7].into_iter().flat_map(|ratio| [1e-4, 0.05, 0.3, 1.0].map(|angle| (ratio, angle)))
}

/// A slider with a spring, a constant force and the inertia of a rotor follows the closed form at 2000 steps.
///
/// It rests where the spring carries the force, at `q* + F / k`, and begins 1 m from there. The first velocity is the chord of the step
/// before. The round-off of the chord is 2e-16 / h, which becomes 4e-13 m in 2000 steps. Round-off counts relative to the resting place
/// where that is far away.
fn assert_follows(rotor: f64, force: f64, target_velocity: f64) {
    let mass = 2.0;
    for (ratio, angle) in cases() {
        let w = angle / STEP;
        let inertia = mass + rotor;
        let rest = 0.2 + force / (inertia * w * w);
        let exact = |time: f64| target_velocity * time + rest + closed_form(w, ratio, 0.3 * w, time);
        let coefficients = Spring { angular_frequency: w, ratio }.node_exact(STEP).expect("numbers");
        let velocity = (exact(0.0) - exact(-STEP)) / STEP;
        let mut slider = Slider { mass, position: exact(0.0), velocity };
        let mut worst: f64 = 0.0;
        for number in 0..2000 {
            let time = STEP * f64::from(number);
            let displacement = slider.position - (0.2 + target_velocity * time);
            let spring = coefficients.drive(inertia, displacement, slider.velocity, target_velocity).expect("numbers");
            let drives: Vec<Drive> =
                [Some(spring), Drive::armature(rotor, slider.velocity)].into_iter().flatten().collect();
            slider.step(force, STEP, &drives, None);
            worst = worst.max((slider.position - exact(time + STEP)).abs() / rest.abs().max(1.0));
        }
        assert!(worst <= 1e-12, "z {ratio}, w h {angle}, rotor {rotor}: off by {worst:e}");
    }
}

#[test]
fn a_spring_is_exact_at_the_steps() {
    assert_follows(0.0, 0.0, 0.0);
}

#[test]
fn a_spring_is_exact_at_the_steps_under_a_constant_force() {
    assert_follows(0.0, 3.0, 0.0);
}

#[test]
fn a_spring_is_exact_at_the_steps_with_a_rotor() {
    assert_follows(0.7, 3.0, 0.0);
}

#[test]
fn a_spring_whose_target_moves_is_exact_at_the_steps() {
    assert_follows(0.7, -1.0, 0.4);
}

/// The coefficients `s` and `beta` against 80 decimal digits of their definitions, below and above the border of the series, and on both sides
/// of critical damping.
#[test]
fn coefficients_have_all_digits() {
    let expected: [([f64; 2], f64, f64); 13] = [
        ([1e-08, 0.0], 1.2e+17, -1.0),
        ([0.0001, 0.3], 33332.07409386795, 0.9999244472986807),
        ([0.05, 1.0], 19.587829392245492, 0.9591910020012424),
        ([0.25, 1.7], 2.0318622977202825, 0.7359990800622578),
        ([0.499, 0.9], 1.8286315292941349, 0.6765238423561074),
        ([0.5, 0.9], 1.8242522922328073, 0.6759969987581077),
        ([0.3, 40.0], 0.04340037127206109, 0.04340037123267132),
        ([1.0, 0.0], 11.406238036004442, -1.0),
        ([3.0, 0.5], 0.18917678631428625, 0.12997116035258016),
        ([30.0, 1.0], 0.001112347052280103, 0.001112347052280103),
        ([1000.0, 2.5], 1.000001000001e-06, 1.000001000001e-06),
        ([0.001, 1000000.0], 0.0005002501249375313, 0.0005002501249375313),
        ([100000.0, 0.7], 1.0000000001e-10, 1.0000000001e-10),
    ];
    for ([angle, ratio], softness, memory) in expected {
        let found = Spring { angular_frequency: angle, ratio }.node_exact(1.0).expect("numbers");
        // Ten roundings, and for stiff springs the sine of an angle of up to 1e5, which is rounded to 1e-11.
        let tolerance = if angle < 10.0 { 4e-15 } else { 1e-13 };
        assert!((found.softness / softness - 1.0).abs() <= tolerance, "w h {angle}, z {ratio}: s = {found:?}");
        // beta is a difference of s (1 - A) and A
        let size = 1.0 + memory.abs();
        let off = (found.memory - memory).abs();
        assert!(off <= 4e-15 * size, "w h {angle}, z {ratio}: beta = {found:?}, off by {off:e}");
        let pull = softness * angle * angle;
        assert!((found.pull / pull - 1.0).abs() <= tolerance, "w h {angle}, z {ratio}: {found:?}");
    }
}

/// Over a whole period without damping nothing but the velocity before decides: `s = 0` and `beta = -1`.
#[test]
fn a_whole_period_leaves_the_velocity() {
    let found = Spring::from_frequency(1.0, 0.0).node_exact(1.0).expect("numbers");
    assert!(found.softness <= 1e-30 && found.memory == -1.0, "{found:?}");
}

/// At rest the impulse is that of the force `-k (q - q*)`, whatever the damping and the step.
#[test]
fn the_force_at_rest_is_that_of_the_spring() {
    for (ratio, angle) in cases().chain([(0.7, 50.0), (3.0, 1e4)]) {
        let (w, inertia, displacement) = (angle / STEP, 3.0, -0.25);
        let coefficients = Spring { angular_frequency: w, ratio }.node_exact(STEP).expect("numbers");
        let Drive { compliance, bias, .. } = coefficients.drive(inertia, displacement, 0.0, 0.0).expect("numbers");
        let (force, expected) = (-bias / compliance / STEP, -inertia * w * w * displacement);
        // s drops out, so a few roundings are left.
        assert!((force / expected - 1.0).abs() <= 2e-15, "z {ratio}, w h {angle}: {force}, not {expected}");
    }
}

/// An inertia above that of the row's is stable, as the damping of a ratio of at least 0 does not fall.
#[test]
fn more_inertia_stays_stable() {
    for (ratio, angle) in cases().chain([(0.0, 2.5), (0.7, 20.0)]) {
        let coefficients = Spring { angular_frequency: angle / STEP, ratio }.node_exact(STEP).expect("numbers");
        for more in [1.0, 1.5, 10.0, 1e4] {
            let mut slider = Slider { mass: 2.0 * more, position: 1.0, velocity: 0.0 };
            let mut furthest: f64 = 0.0;
            for _ in 0..5000 {
                let spring = coefficients.drive(2.0, slider.position, slider.velocity, 0.0).expect("numbers");
                slider.step(0.0, STEP, &[spring], None);
                furthest = furthest.max(slider.position.abs());
            }
            // Without damping the steps are points of a larger oscillation: cos(w h / 2) of it, so at most 1 / 0.315 at 2.5 rad.
            assert!(furthest <= 3.2, "z {ratio}, w h {angle}, {more} times the inertia: {furthest}");
        }
    }
}

#[test]
fn springs_beyond_the_range_of_numbers_are_none() {
    for (angle, ratio) in [(0.0, 0.0), (0.0, 1.0), (1e-200, 0.0), (f64::NAN, 0.5), (f64::INFINITY, 0.5)] {
        assert_eq!(Spring { angular_frequency: angle, ratio }.node_exact(1.0), None, "{angle} {ratio}");
    }
    let coefficients = Spring { angular_frequency: 1e-3, ratio: 0.0 }.node_exact(1.0).expect("numbers");
    assert_eq!(coefficients.drive(1e-310, 0.0, 0.0, 0.0), None);
}

/// On 2 kg, 8 N/m are 2 rad/s, and 4 N s/m are half of the critical damping `2 sqrt(k m) = 8`. 1 Hz is 2 pi rad/s.
#[test]
fn springs_are_given_by_frequency_or_stiffness() {
    let Spring { angular_frequency, ratio } = Spring::from_stiffness(8.0, 4.0, 2.0);
    assert!((angular_frequency - 2.0).abs() <= 1e-15 && (ratio - 0.5).abs() <= 1e-15);
    // A product of stiffness and inertia beyond the largest number.
    let Spring { angular_frequency, ratio } = Spring::from_stiffness(1e200, 2e200, 1e200);
    assert!((angular_frequency - 1.0).abs() <= 1e-15 && (ratio - 1.0).abs() <= 1e-15);
    assert_eq!(Spring::from_frequency(1.0, 0.3), Spring { angular_frequency: std::f64::consts::TAU, ratio: 0.3 });
}
