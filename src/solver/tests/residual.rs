//! The residual: the projection against a search, zero at solutions, of the right size at known defects.

use super::random::{Random, plain};
use crate::math::Vec3;
use crate::solver::problem::{Contact, FIXED, Impulse};
use crate::solver::residual::{contact_residual, project_on_cone};

/// The trace of `D = I/2`, so that `rho = 2`.
const TRACE: f64 = 1.5;

fn contact() -> Contact {
    Contact { friction: 0.5, ..plain(FIXED, 0, Vec3::z()) }
}

fn residual(contact: &Contact, u: [f64; 3], normal: f64, along_x: f64) -> f64 {
    let lambda = Impulse { normal, tangential: Vec3::new(along_x, 0.0, 0.0) };
    contact_residual(contact, &u.into(), &lambda, TRACE)
}

/// The least distance from `(normal, length)` to the cone in the plane of both: to the inside, and to the generator
/// `s (1, mu)`, `s >= 0`, by a ternary search.
fn distance_to_cone(normal: f64, length: f64, mu: f64) -> f64 {
    if length <= mu * normal {
        return 0.0;
    }
    let at = |s: f64| ((normal - s).powi(2) + (length - mu * s).powi(2)).sqrt();
    let (mut low, mut high) = (0.0, normal.abs() + length);
    for _ in 0..200 {
        let (left, right) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if at(left) <= at(right) { high = right } else { low = left }
    }
    at(low)
}

#[test]
fn the_projection_is_the_nearest_point_of_the_cone() {
    let mut random = Random(1);
    for case in 0..5000 {
        let mu = if case % 20 == 0 { 0.0 } else { random.magnitude(1e-2, 1e2) };
        let normal = random.between(-2.0, 2.0);
        let tangential = random.vector(2.0).cross(&Vec3::z());
        let (onto, along) = project_on_cone(normal, &tangential, mu);
        assert!(onto >= 0.0 && along.norm() <= mu * onto * (1.0 + 4.0 * f64::EPSILON), "case {case}: outside the cone");
        let distance = ((onto - normal).powi(2) + (along - tangential).norm_squared()).sqrt();
        let least = distance_to_cone(normal, tangential.norm(), mu);
        // At a minimum the distance is known to round-off, though the place is not.
        assert!((distance - least).abs() <= 1e-13, "case {case}: {distance} instead of {least}");
    }
}

#[test]
fn the_projection_keeps_the_inside_and_sends_the_polar_cone_to_the_tip() {
    let t = Vec3::new(1.0, 0.0, 0.0);
    assert_eq!(project_on_cone(2.0, &t, 0.5), (2.0, t), "the edge is inside");
    assert_eq!(project_on_cone(-0.5, &t, 0.5), (0.0, Vec3::zeros()), "the edge of the polar cone");
    assert_eq!(project_on_cone(-1.0, &Vec3::zeros(), 0.0), (0.0, Vec3::zeros()), "pulling, no friction");
    assert_eq!(project_on_cone(0.0, &Vec3::zeros(), 0.5), (0.0, Vec3::zeros()), "the tip");
    // (1, 1) on |t| <= n/2: n = (1 + 1/2) / (1 + 1/4) = 1.2, t = 0.6; two roundings.
    let (n, along) = project_on_cone(1.0, &t, 0.5);
    assert!((n - 1.2).abs() < 4e-16 && (along.x - 0.6).abs() < 4e-16, "{n} {along}");
}

#[test]
fn it_is_zero_at_solutions() {
    let contact = contact();
    assert_eq!(residual(&contact, [0.0, 0.0, 0.0], 3.0, 1.0), 0.0, "sticking inside the cone");
    assert_eq!(residual(&contact, [0.0, 0.0, 0.0], 3.0, 1.5), 0.0, "sticking on the cone");
    // trial = (3 - 2 (0.5 * 0.25), -1.5 - 2 * 0.25) = (2.75, -2); projected: n = (2.75 + 1) / 1.25 = 3, t = -1.5: exact.
    assert_eq!(residual(&contact, [0.25, 0.0, 0.0], 3.0, -1.5), 0.0, "sliding");
    assert_eq!(residual(&contact, [1.0, 2.0, 0.5], 0.0, 0.0), 0.0, "open");
    assert_eq!(residual(&contact, [1.0, 0.0, 0.0], 0.0, 0.0), 0.0, "grazing without impulse");
    let biased = Contact { normal_bias: 0.25, surface_velocity: Vec3::new(0.5, 0.0, 7.0), ..contact };
    assert_eq!(residual(&biased, [0.5, 0.0, -0.25], 3.0, 1.0), 0.0, "sticking to a conveyor across a gap");
    let soft = Contact { normal_compliance: 0.5, tangential_compliance: 0.25, ..contact };
    assert_eq!(residual(&soft, [-0.25, 0.0, -1.5], 3.0, 1.0), 0.0, "sticking with compliance");
}

#[test]
fn it_is_the_size_of_the_defect() {
    // Well inside the cone the projection does nothing, and the residual is |w + mu |w_t| n|.
    let contact = contact();
    let d = 1e-3;
    let close = |found: f64, expected: f64| assert!((found - expected).abs() <= 1e-15, "{found:e}, not {expected:e}");
    close(residual(&contact, [0.0, 0.0, -d], 3.0, 0.5), d);
    close(residual(&contact, [0.0, 0.0, d], 3.0, 0.5), d);
    close(residual(&contact, [d, 0.0, 0.0], 3.0, 0.0), d * 1.25_f64.sqrt());
    // Penetrating without an impulse: the trial (rho d, 0) is inside.
    close(residual(&contact, [0.0, 0.0, -d], 0.0, 0.0), d);
    // Separating fast with an impulse: the trial is beyond the tip, and lambda / rho is left.
    close(residual(&contact, [0.0, 0.0, 10.0], 0.02, 0.0), 0.01);
    // Sliding along its friction instead of against it: trial = (3 - 2 mu d, 1.5 - 2 d) is inside the cone.
    close(residual(&contact, [d, 0.0, 0.0], 3.0, 1.5), d * 1.25_f64.sqrt());
}

#[test]
fn between_immovable_bodies_nothing_is_wrong() {
    let lambda = Impulse { normal: 1.0, tangential: Vec3::zeros() };
    assert_eq!(contact_residual(&contact(), &Vec3::new(1.0, 0.0, -1.0), &lambda, 0.0), 0.0);
}
