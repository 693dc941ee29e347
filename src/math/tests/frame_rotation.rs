use crate::math::{Mat3, Quat, Symmetric3, Vec3, angular_drift, angular_turn, long_cayley, turned_by};
use proptest::prelude::*;

/// The rotation `Cay(theta)`.
fn cayley(theta: &Vec3) -> Quat {
    Quat::new_normalize(long_cayley(theta))
}

/// A body with three different moments and products beside them [kg m^2]; its condition number is about 3.
const ASYMMETRIC: Symmetric3 = Symmetric3 { entries: [1.0, 2.0, 2.7, 0.1, -0.05, 0.2] };

fn inverse(inertia: &Symmetric3) -> Symmetric3 {
    inertia.inverse_on([true; 3]).expect("positive definite")
}

fn energy(momentum: &Vec3, inertia_inverse: &Symmetric3) -> f64 {
    0.5 * momentum.dot(&inertia_inverse.times(momentum))
}

/// Relative changes of the momentum's length and of the energy in one drift of `h`.
fn changes(momentum: &Vec3, inertia_inverse: &Symmetric3, h: f64) -> (f64, f64) {
    let next = cayley(&-angular_drift(momentum, inertia_inverse, h)) * momentum;
    let length = next.norm() / momentum.norm() - 1.0;
    (length.abs(), (energy(&next, inertia_inverse) / energy(momentum, inertia_inverse) - 1.0).abs())
}

/// Directions spread over the sphere.
fn directions(count: usize) -> impl Iterator<Item = Vec3> {
    (0..count).map(move |k| {
        let z = 1.0 - (2 * k + 1) as f64 / count as f64;
        let (sine, cosine) = (2.4 * k as f64).sin_cos();
        let radius = (1.0 - z * z).sqrt();
        Vec3::new(radius * cosine, radius * sine, z)
    })
}

#[test]
fn the_cayley_turn_about_an_axis_is_twice_the_arc_tangent_of_half() {
    for length in [1e-12, 1e-3, 0.5, 2.0, 50.0] {
        let rotation = cayley(&Vec3::new(0.0, length, 0.0));
        let angle: f64 = 2.0 * (0.5 * length).atan();
        // Both are a handful of roundings of the same number.
        assert!((rotation.angle() - angle).abs() <= 4.0 * f64::EPSILON * angle, "{length}: {}", rotation.angle());
        assert_eq!((rotation.i, rotation.k), (0.0, 0.0));
        assert!(rotation.j > 0.0);
    }
    assert_eq!(cayley(&Vec3::zeros()), Quat::identity());
}

#[test]
fn a_round_body_turns_by_its_velocity() {
    // I = 1/4: h I^-1 L = 0.5 * 4 * L, exact.
    let drift = angular_drift(&Vec3::new(1.0, -2.0, 3.0), &Symmetric3::diagonal([4.0; 3]), 0.5);
    assert_eq!(drift, Vec3::new(2.0, -4.0, 6.0));
}

#[test]
fn a_body_at_rest_stays() {
    assert_eq!(angular_drift(&Vec3::zeros(), &inverse(&ASYMMETRIC), 0.1), Vec3::zeros());
}

#[test]
fn a_body_that_turns_about_a_principal_axis_keeps_it() {
    let inertia_inverse = Symmetric3::diagonal([1.0, 0.5, 0.25]);
    for axis in 0..3 {
        let mut momentum = Vec3::zeros();
        momentum[axis] = 8.0;
        // m x I^-1 m = 0, so that m = Pi: powers of two, exact.
        assert_eq!(angular_drift(&momentum, &inertia_inverse, 0.125), 0.125 * inertia_inverse.times(&momentum));
    }
}

#[test]
fn an_asymmetric_body_keeps_momentum_and_energy_over_a_hundred_thousand_steps() {
    let inertia_inverse = inverse(&ASYMMETRIC);
    let start = Vec3::new(1.0, 2.5, -3.0);
    let begin = energy(&start, &inertia_inverse);
    for h in [1e-3, 1e-2, 0.1] {
        let mut momentum = start;
        let (mut worst_length, mut worst_energy) = (0f64, 0f64);
        for _ in 0..100_000 {
            momentum = cayley(&-angular_drift(&momentum, &inertia_inverse, h)) * momentum;
            worst_length = worst_length.max((momentum.norm() / start.norm() - 1.0).abs());
            worst_energy = worst_energy.max((energy(&momentum, &inertia_inverse) / begin - 1.0).abs());
        }
        // Some 3 roundings in each step, of either sign: 3 eps sqrt(1e5) = 2e-13. One eps of one sign would be 2e-11.
        assert!(worst_length <= 2e-13, "h = {h}: momentum off by {worst_length:e}");
        assert!(worst_energy <= 2e-13, "h = {h}: energy off by {worst_energy:e}");
    }
}

/// `I = (A, A, C)`. Euler's equations `Pi' = Pi x I^-1 Pi` turn the momentum about the body's axis at the rate
/// `s = Pi3 (1/A - 1/C)`. The midpoint rule has `m3 = Pi3` and is linear in the other two: it turns them by
/// `2 atan(h s / 2)` in each step.
#[test]
fn a_symmetric_top_precesses_in_its_own_axes_by_the_cayley_angle_of_the_exact_rate() {
    let (transverse, axial) = (2.0, 0.5);
    let inertia_inverse = Symmetric3::diagonal([1.0 / transverse, 1.0 / transverse, 1.0 / axial]);
    let momentum = Vec3::new(3.0, 0.0, 4.0);
    let rate = momentum.z * (1.0 / transverse - 1.0 / axial);
    for h in [1e-3, 0.01, 0.1, 0.2] {
        let next = cayley(&-angular_drift(&momentum, &inertia_inverse, h)) * momentum;
        let angle = next.y.atan2(next.x);
        let expected = 2.0 * (0.5 * h * rate).atan();
        // A few roundings of the length 5 over the transverse length 3.
        assert!((angle - expected).abs() <= 20.0 * f64::EPSILON, "h = {h}: {angle} instead of {expected}");
        assert!((next.z - 4.0).abs() <= 20.0 * f64::EPSILON, "h = {h}: {}", next.z);
    }
}

/// The exact motion: the axis precesses about the momentum at `|L|/A`, and the body spins about its axis at
/// `w3 (1 - C/A)` beside.
#[test]
fn a_symmetric_top_approaches_its_closed_form_with_the_square_of_the_step() {
    let (transverse, axial) = (1.0, 1.75);
    let inertia_inverse = Symmetric3::diagonal([1.0 / transverse, 1.0 / transverse, 1.0 / axial]);
    let momentum = Vec3::new(1.5, 0.0, 2.0);
    let spin = momentum.z / axial * (1.0 - axial / transverse);
    let exact = Quat::from_scaled_axis(momentum / transverse) * Quat::from_scaled_axis(Vec3::z() * spin);
    let error = |steps: u32| {
        let h = 1.0 / f64::from(steps);
        let end = (0..steps).fold(Quat::identity(), |rotation, _| {
            let carried = rotation.inverse_transform_vector(&momentum);
            rotation * cayley(&angular_drift(&carried, &inertia_inverse, h))
        });
        end.angle_to(&exact)
    };
    // h^2 (c + c' h^2) with c' of order one: half the step, a quarter of the error within h^2 = 1/1000.
    for steps in [32, 64, 128] {
        let ratio = error(steps) / error(2 * steps);
        assert!((ratio - 4.0).abs() <= 4e-3, "{steps} steps: ratio {ratio}, error {}", error(steps));
    }
    // |w| = 2 rad/s: the error is at most of order (h |w|)^2 / 12 per radian.
    assert!(error(128) <= 2.0 * 4.0 / 12.0 / 128.0 / 128.0, "{}", error(128));
}

#[test]
fn newtons_method_finds_the_answer_up_to_two_radians_per_step() {
    // The last two are rods, whose full Newton step overshoots: the bug was that it was then given up, and the energy
    // jumped (by 23 % at 2 rad for the moments 0.1, 2, 2.05).
    let bodies = [ASYMMETRIC, Symmetric3::diagonal([1.0, 2.0, 2.9]), Symmetric3::diagonal([0.1, 2.0, 2.05])];
    for inertia in &bodies {
        let inertia_inverse = inverse(inertia);
        for speed in [0.1, 0.5, 1.0, 1.5, 2.0] {
            for direction in directions(500) {
                let momentum = inertia.times(&(speed * direction));
                let (length, energy) = changes(&momentum, &inertia_inverse, 1.0);
                // Ten roundings, and as many of the residual times the condition number of up to 20.
                assert!(length <= 10.0 * f64::EPSILON, "{inertia:?} {speed} {direction:?}: momentum {length:e}");
                assert!(energy <= 200.0 * f64::EPSILON, "{inertia:?} {speed} {direction:?}: energy {energy:e}");
            }
        }
    }
}

#[test]
fn a_body_that_turns_too_fast_for_the_step_keeps_its_momentum_and_does_not_blow_up() {
    let inertia_inverse = inverse(&ASYMMETRIC);
    for speed in [3.0, 10.0, 1e2, 1e4, 1e8] {
        for direction in directions(20) {
            let start = ASYMMETRIC.times(&(speed * direction));
            let mut momentum = start;
            for step in 0..200 {
                momentum = cayley(&-angular_drift(&momentum, &inertia_inverse, 1.0)) * momentum;
                let change = momentum.norm() / start.norm() - 1.0;
                // Ten roundings in each step at the most. With it |w| is at most |L| over the smallest moment.
                let bound = 10.0 * f64::EPSILON * f64::from(step + 1);
                assert!(change.abs() <= bound, "h |w| = {speed}, step {step}: {change:e}");
            }
        }
    }
}

#[test]
fn a_drift_backwards_undoes_a_drift() {
    let inertia_inverse = inverse(&ASYMMETRIC);
    for direction in directions(200) {
        let momentum = ASYMMETRIC.times(&direction);
        let forth = cayley(&angular_drift(&momentum, &inertia_inverse, 0.5));
        let there = forth.inverse_transform_vector(&momentum);
        let back = cayley(&angular_drift(&there, &inertia_inverse, -0.5));
        // The midpoint rule is symmetric: only some ten roundings times the condition number 3 remain.
        assert!((forth * back).angle() <= 30.0 * f64::EPSILON, "{direction:?}: {:e}", (forth * back).angle());
    }
}

proptest! {
    #[test]
    fn cayley_is_its_matrix_formula(theta in proptest::array::uniform3(-4.0..4.0f64)) {
        let theta = Vec3::from(theta);
        let half = 0.5 * theta.cross_matrix();
        let expected = (Mat3::identity() - half).lu().solve(&(Mat3::identity() + half)).expect("regular");
        let matrix = *cayley(&theta).to_rotation_matrix().matrix();
        // The condition of 1 - [theta]/2 is sqrt(1 + |theta|^2/4) < 3.7, and a solve makes some ten roundings of
        // numbers below that.
        let error = (matrix - expected).amax();
        prop_assert!(error <= 3.7 * 3.7 * 10.0 * f64::EPSILON, "{error:e}");
    }

    #[test]
    fn the_drift_is_the_implicit_midpoint_of_eulers_equations(
        momentum in proptest::array::uniform3(-1.0..1.0f64),
        h in 0.01..0.5f64,
    ) {
        let momentum = Vec3::from(momentum);
        let inertia_inverse = inverse(&ASYMMETRIC);
        let drift = angular_drift(&momentum, &inertia_inverse, h);
        let next = cayley(&-drift) * momentum;
        // xi = I^-1 (Pi + Pi+)/2, with momentum below sqrt(3), I^-1 below 1.1 and some twenty roundings.
        let midpoint = h * inertia_inverse.times(&(0.5 * (momentum + next)));
        prop_assert!((drift - midpoint).amax() <= 20.0 * 2.0 * f64::EPSILON, "{drift:?} is not {midpoint:?}");
    }
}

#[test]
fn a_rotation_vector_turns_about_its_axis_by_its_length() {
    let quarter = std::f64::consts::FRAC_PI_2;
    let turned = turned_by(&Vec3::new(0.0, 0.0, quarter)) * Vec3::x();
    assert!((turned - Vec3::y()).norm() < 1e-15, "{turned}");
    // On both sides of the angle up to which series are summed, 0.5 rad, and at it.
    let slight = [0.499_999, 0.5, 0.500_001, 0.1].map(|angle| Vec3::new(0.6 * angle, 0.0, 0.8 * angle));
    for turn in
        [Vec3::new(0.3, -0.2, 0.9), Vec3::new(-4.0, 1.0, 2.5), Vec3::new(1e-9, 0.0, 0.0)].into_iter().chain(slight)
    {
        let difference = turned_by(&turn).coords - Quat::from_scaled_axis(turn).coords;
        assert!(difference.norm() < 1e-15, "{turn}");
        assert!((turned_by(&turn).norm() - 1.0).abs() < 1e-15, "{turn}");
    }
    assert_eq!(turned_by(&Vec3::zeros()), Quat::identity());
}

/// About a principal axis a body turns by its speed exactly, and a tumbling one keeps momentum and energy.
#[test]
fn a_turn_is_by_the_speed_and_keeps_momentum_and_energy() {
    let (inertia, inverse) = (Symmetric3::diagonal([1.0, 2.0, 4.0]), Symmetric3::diagonal([1.0, 0.5, 0.25]));
    for angle in [1e-9, 1e-3, 0.1, 0.5, 0.999] {
        let turn = cayley(&angular_turn(&inertia.times(&Vec3::new(0.0, 0.0, angle)), &inverse, 1.0));
        let found = 2.0 * turn.imag().z.atan2(turn.w);
        assert!((found - angle).abs() <= 4.0 * f64::EPSILON * angle, "{angle}: {found}");
    }
    let start = Vec3::new(0.4, -0.3, 0.6);
    let mut momentum = start;
    let energy = |momentum: &Vec3| 0.5 * momentum.dot(&inverse.times(momentum));
    for _ in 0..1000 {
        momentum = cayley(&-angular_turn(&momentum, &inverse, 1.0)) * momentum;
    }
    // Some twenty roundings in each step, of either sign.
    assert!((momentum.norm() - start.norm()).abs() < 1e-13, "{}", momentum.norm());
    assert!((energy(&momentum) - energy(&start)).abs() < 1e-13, "{}", energy(&momentum));
}
