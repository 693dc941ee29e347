//! The force of one contact of the correction, and its derivative.

use nalgebra::{Matrix3, Vector3};

use crate::solver::compatibility::law::{Law, Traits};
use crate::solver::tests::random::Random;

const EXPONENTS: [f64; 4] = [2.0, 2.5, 1.5, 4.0];
const DILATIONS: [f64; 3] = [1.0, 0.0, 0.4];

/// Trials in every zone, at least a twentieth of their length away from its edges: returned with the slope of their cone.
fn trials(random: &mut Random, dilation: f64) -> Vec<([f64; 3], Traits)> {
    let mut all = Vec::new();
    while all.len() < 300 {
        let slope = random.magnitude(0.05, 3.0);
        let e = random.direction() * random.between(0.5, 2.0);
        let shear = e.yz().norm();
        let whole = 1.0 + slope * slope;
        let returned = e.x + dilation * slope * (shear - slope * e.x) / whole;
        if (shear - slope * e.x).abs() > 0.05 * whole && returned.abs() > 0.05 && shear > 0.05 {
            all.push(([e.x, e.y, e.z], Traits { stiffness: random.magnitude(0.1, 10.0), slope }));
        }
    }
    all
}

/// `k / p |P e|^p`, `P` by the Pythagorean theorem: from the distance of a point to the axis and to the side of the cone.
fn potential(exponent: f64, traits: &Traits, e: &[f64; 3]) -> f64 {
    let shear = e[1].hypot(e[2]);
    let size = e[0].hypot(shear);
    let half_angle = traits.slope.atan();
    let angle = shear.atan2(e[0]);
    let beyond = (angle - half_angle).max(0.0);
    let projected = if beyond >= std::f64::consts::FRAC_PI_2 { 0.0 } else { size * beyond.cos() };
    traits.stiffness / exponent * projected.powf(exponent)
}

/// Central differences of a function of `e`, one column for each part.
fn differences<const M: usize>(e: &[f64; 3], function: impl Fn(&[f64; 3]) -> [f64; M]) -> [[f64; M]; 3] {
    std::array::from_fn(|k| {
        let at = |step: f64| {
            let mut there = *e;
            there[k] += step;
            function(&there)
        };
        let (above, below) = (at(STEP), at(-STEP));
        std::array::from_fn(|m| (above[m] - below[m]) / (2.0 * STEP))
    })
}

/// The step of the differences. Their error is some `STEP^2 / 6` times the third derivative, and `eps / STEP` of
/// round-off: 1e-8 and 1e-11 relative. The third derivative within these trials is below 1e3 times the largest value
/// (1/0.05^2 of turning, exponents up to 4, returned sizes above 0.05).
const STEP: f64 = 1e-5;
const TOLERANCE: f64 = 2e-7;

#[test]
fn the_force_is_the_gradient_of_the_potential() {
    let mut random = Random(1);
    for exponent in EXPONENTS {
        let law = Law { exponent, dilation: 1.0 };
        for (e, traits) in trials(&mut random, 1.0) {
            let force = law.force(&traits, &e);
            let gradient = differences(&e, |e| [potential(exponent, &traits, e)]);
            for k in 0..3 {
                let error = (force[k] - gradient[k][0]).abs();
                assert!(error <= TOLERANCE * traits.stiffness, "p {exponent}, {e:?}, {traits:?}: {error:e}");
            }
        }
    }
}

#[test]
fn the_tangent_is_the_derivative_of_the_force() {
    let mut random = Random(2);
    let mut zones = [0; 3];
    for (exponent, dilation) in EXPONENTS.into_iter().flat_map(|p| DILATIONS.map(|d| (p, d))) {
        let law = Law { exponent, dilation };
        for (e, traits) in trials(&mut random, dilation) {
            let tangent = law.tangent(&traits, &e);
            let columns = differences(&e, |e| law.force(&traits, e));
            for (row, column) in (0..9).map(|k| (k / 3, k % 3)) {
                let error = (tangent[row][column] - columns[column][row]).abs();
                let bound = TOLERANCE * traits.stiffness * (1.0 + traits.slope);
                assert!(error <= bound, "p {exponent} d {dilation}, {e:?}, {traits:?}: {error:e}");
            }
            let zone = if law.force(&traits, &e)[0] == 0.0 {
                0
            } else if e[1].hypot(e[2]) <= traits.slope * e[0] {
                1
            } else {
                2
            };
            zones[zone] += 1;
        }
    }
    // open, sticking, sliding: each has been tried
    assert!(zones.iter().all(|count| *count > 100), "{zones:?}");
}

#[test]
fn the_associated_tangent_is_symmetric_and_positive_semidefinite() {
    let mut random = Random(3);
    for exponent in EXPONENTS {
        let law = Law { exponent, dilation: 1.0 };
        for (e, traits) in trials(&mut random, 1.0) {
            let tangent = law.tangent(&traits, &e);
            let matrix = Matrix3::from_fn(|row, column| tangent[row][column]);
            // sums of some ten products, each known to half a unit in the last place
            let round_off = 16.0 * f64::EPSILON * matrix.norm();
            assert!((matrix - matrix.transpose()).norm() <= round_off, "{matrix}");
            let smallest = matrix.symmetric_eigenvalues().min();
            assert!(smallest >= -round_off, "p {exponent}, {e:?}, {traits:?}: {smallest:e}");
        }
    }
}

/// Over the edge between sticking and sliding, and over that between sliding and open, forces have no jump.
#[test]
fn forces_are_continuous_over_the_edges_of_the_zones() {
    let mut random = Random(4);
    // both sides of an edge by this much of the length
    let overlap_serial = 1e-9;
    for (exponent, dilation) in EXPONENTS.into_iter().flat_map(|p| DILATIONS.map(|d| (p, d))) {
        let law = Law { exponent, dilation };
        for _ in 0..200 {
            let traits = Traits { stiffness: 1.0, slope: random.magnitude(0.05, 3.0) };
            let around = random.between(0.0, std::f64::consts::TAU);
            let slope = traits.slope;
            let sticking = (1.0, slope);
            // where the compression of the return is zero
            let opening = (-dilation * slope, 1.0 + (1.0 - dilation) * slope * slope);
            for (edge, (normal, shear)) in [sticking, opening].into_iter().enumerate() {
                let at = |by: f64| {
                    let shear = shear + by;
                    let force = law.force(&traits, &[normal, shear * around.cos(), shear * around.sin()]);
                    Vector3::from_row_slice(&force)
                };
                let (inside, outside) = (at(-overlap_serial), at(overlap_serial));
                let jump = (inside - outside).norm();
                // at the first edge a force has a derivative, below (1 + slope)^4; at the second it grows from 0
                // as the distance to the power p - 1
                let bound = if edge == 0 {
                    4.0 * overlap_serial * (1.0 + slope).powi(4)
                } else {
                    4.0 * (1.0 + slope).powi(4) * overlap_serial.powf((exponent - 1.0).min(1.0))
                };
                assert!(jump <= bound, "p {exponent} d {dilation} edge {edge}: {jump:e} above {bound:e}");
            }
        }
    }
}

/// For Hooke's law the associated force is the projection of the trial force on Coulomb's cone in the metric of the
/// compliance. Here it follows from its definition in newtons: the least of the quadratic over inside, side and tip of
/// the cone.
#[test]
fn hooke_projects_in_the_metric_of_the_compliance() {
    let mut random = Random(5);
    let law = Law { exponent: 2.0, dilation: 1.0 };
    for _ in 0..2000 {
        let (normal_stiffness, ratio) = (random.magnitude(0.1, 10.0), random.magnitude(0.1, 2.0));
        let (stiffness, friction) = ([normal_stiffness, ratio * normal_stiffness], random.magnitude(0.05, 2.0));
        let (press, shear) = (random.between(-1.0, 1.0), random.between(0.0, 1.0));
        let trial = [stiffness[0] * press, stiffness[1] * shear];
        let energy = |f: &[f64; 2]| (0..2).map(|k| (f[k] - trial[k]).powi(2) / stiffness[k]).sum::<f64>();
        let mut best = [0.0, 0.0];
        let along = (trial[0] / stiffness[0] + friction * trial[1] / stiffness[1])
            / (1.0 / stiffness[0] + friction * friction / stiffness[1]);
        for candidate in [[along, friction * along], trial] {
            let inside = candidate[0] >= 0.0 && candidate[1] <= friction * candidate[0] * (1.0 + 1e-15);
            if inside && energy(&candidate) < energy(&best) {
                best = candidate;
            }
        }
        // in the units of the law: shear times the root of the ratio, friction force over it
        let unit = ratio.sqrt();
        let force = law.force(
            &Traits { stiffness: normal_stiffness, slope: friction / unit },
            &[press, 0.6 * unit * shear, -0.8 * unit * shear],
        );
        let expected = [best[0], 0.6 * best[1] / unit, -0.8 * best[1] / unit];
        for (force, expected) in force.iter().zip(expected) {
            // some ten operations, on numbers up to the trial's
            let bound = 16.0 * f64::EPSILON * (trial[0].abs() + trial[1] / unit);
            assert!((force - expected).abs() <= bound, "{force} {expected}");
        }
    }
}

/// The elastic form is the clamp of the tangential force at the normal force of the compression alone.
#[test]
fn without_dilation_the_normal_force_is_that_of_the_compression() {
    let mut random = Random(6);
    let law = Law { exponent: 2.0, dilation: 0.0 };
    for _ in 0..1000 {
        let traits = Traits { stiffness: random.magnitude(0.1, 10.0), slope: random.magnitude(0.05, 2.0) };
        let (press, shear) = (random.between(-1.0, 1.0), random.between(0.0, 1.0));
        let force = law.force(&traits, &[press, 0.6 * shear, 0.8 * shear]);
        let normal = traits.stiffness * press.max(0.0);
        let across = (traits.stiffness * shear).min(traits.slope * normal);
        for (force, expected) in force.iter().zip([normal, 0.6 * across, 0.8 * across]) {
            assert!((force - expected).abs() <= 8.0 * f64::EPSILON * traits.stiffness, "{force} {expected}");
        }
    }
}
