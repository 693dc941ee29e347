//! The cone of friction, rolling and twisting: the projection against the conditions that make it the nearest point, and
//! the residual at answers and defects known by hand.

use super::random::Random;
use crate::math::Vec3;
use crate::solver::problem::cone::{Cone, Parts};

const NONE: Vec3 = Vec3::new(0.0, 0.0, 0.0);

fn random_cone(random: &mut Random) -> Cone {
    let mut bound = || if random.one_in(4) { 0.0 } else { random.magnitude(1e-2, 1e2) };
    Cone { friction: bound(), rolling: bound(), twisting: bound(), dilation: 0.0 }
}

fn random_parts(random: &mut Random) -> Parts {
    let size = random.magnitude(1e-3, 1e3);
    let mut part = || if random.one_in(6) { NONE } else { random.vector(size) };
    let bounded = [part(), part(), part()];
    Parts { normal: random.between(-2.0, 2.0) * size, bounded }
}

/// An impulse of the cone, often on its faces.
fn random_inside(random: &mut Random, cone: &Cone) -> Parts {
    let normal = random.magnitude(1e-3, 1e3);
    let bounds = [cone.friction, cone.rolling, cone.twisting];
    let bounded = bounds.map(|mu| {
        let used = if random.one_in(2) { 1.0 } else { random.between(0.0, 1.0) };
        mu * normal * used * random.direction()
    });
    Parts { normal, bounded }
}

fn dot(one: &Parts, other: &Parts) -> f64 {
    one.normal * other.normal + (0..3).map(|k| one.bounded[k].dot(&other.bounded[k])).sum::<f64>()
}

fn minus(one: &Parts, other: &Parts) -> Parts {
    Parts { normal: one.normal - other.normal, bounded: std::array::from_fn(|k| one.bounded[k] - other.bounded[k]) }
}

fn norm(parts: &Parts) -> f64 {
    dot(parts, parts).sqrt()
}

/// `rest` is in the polar cone: it makes no acute angle with any generator `(1, mu_k e_k)`.
fn polar_excess(cone: &Cone, rest: &Parts) -> f64 {
    let bounds = [cone.friction, cone.rolling, cone.twisting];
    rest.normal + (0..3).map(|k| bounds[k] * rest.bounded[k].norm()).sum::<f64>()
}

#[test]
fn the_projection_obeys_the_conditions_of_the_nearest_point() {
    let mut random = Random(1);
    let mut faces = [0; 5];
    for case in 0..20_000 {
        let (cone, given) = (random_cone(&mut random), random_parts(&mut random));
        let onto = cone.projected(&given);
        let rest = minus(&given, &onto);
        let bounds = [cone.friction, cone.rolling, cone.twisting];
        let stretch = 1.0 + bounds.iter().copied().fold(0.0, f64::max);
        let size = norm(&given);
        // Moreau: the point is in the cone, the rest in the polar cone, and they are orthogonal. A few eps each, times
        // the largest bound where it multiplies.
        let tolerance = 16.0 * f64::EPSILON * size * stretch;
        assert!(onto.normal >= 0.0, "case {case}: {onto:?}");
        for (mu, part) in bounds.iter().zip(&onto.bounded) {
            assert!(part.norm() <= mu * onto.normal + tolerance, "case {case}: outside {cone:?} at {onto:?}");
        }
        assert!(polar_excess(&cone, &rest) <= tolerance * stretch, "case {case}: {rest:?} of {cone:?}");
        assert!(dot(&onto, &rest).abs() <= tolerance * size, "case {case}: {:e}", dot(&onto, &rest));
        let on_rim = (0..3).filter(|k| rest.bounded[*k] != NONE && onto.normal > 0.0).count();
        faces[if onto.normal == 0.0 { 4 } else { on_rim }] += 1;
    }
    assert!(faces.iter().all(|count| *count > 500), "a face was hardly met: {faces:?}");
}

#[test]
fn no_point_of_the_cone_is_nearer() {
    let mut random = Random(2);
    for case in 0..10_000 {
        let (cone, given) = (random_cone(&mut random), random_parts(&mut random));
        let distance = norm(&minus(&given, &cone.projected(&given)));
        for _ in 0..20 {
            let mut other = random_inside(&mut random, &cone);
            // the best multiple of it
            let factor = (dot(&other, &given) / dot(&other, &other)).max(0.0);
            other = Parts { normal: factor * other.normal, bounded: other.bounded.map(|part| factor * part) };
            let further = norm(&minus(&given, &other));
            assert!(distance <= further + 1e-14 * norm(&given), "case {case}: {other:?} is at {further:e}");
        }
    }
}

#[test]
fn the_projection_keeps_what_is_inside_to_the_bit() {
    let mut random = Random(3);
    for _ in 0..1000 {
        let cone = random_cone(&mut random);
        let mut inside = random_inside(&mut random, &cone);
        // off the faces, where round-off decides
        inside.bounded = inside.bounded.map(|part| 0.999 * part);
        assert_eq!(cone.projected(&inside), inside);
    }
    let (cone, tip) =
        (Cone { friction: 1.0, rolling: 1.0, twisting: 1.0, dilation: 0.0 }, Parts { normal: 0.0, bounded: [NONE; 3] });
    assert_eq!(cone.projected(&tip), tip);
}

#[test]
fn a_projection_by_hand() {
    // (1; 3, 2, 0) on bounds (1, 1, 1): all outside but twisting: n = (1 + 3 + 2) / 3 = 2, parts 2 and 2: rolling is on its
    // rim exactly, and (1, 3, 2, 0) - (2, 2, 2, 0) = (-1, 1, 0, 0) is polar.
    let cone = Cone { friction: 1.0, rolling: 1.0, twisting: 1.0, dilation: 0.0 };
    let given = Parts { normal: 1.0, bounded: [3.0 * Vec3::x(), 2.0 * Vec3::y(), NONE] };
    let onto = Parts { normal: 2.0, bounded: [2.0 * Vec3::x(), 2.0 * Vec3::y(), NONE] };
    assert_eq!(cone.projected(&given), onto);
    // At the distance 1/2 m a torque of 1 counts as a force of 2, and rolling bounds of 1/2 m as a coefficient of 1.
    let cone = Cone { friction: 1.0, rolling: 0.5, twisting: 0.5, dilation: 0.0 };
    let given = Parts { normal: 1.0, bounded: [3.0 * Vec3::x(), Vec3::y(), NONE] };
    let onto = Parts { normal: 2.0, bounded: [2.0 * Vec3::x(), Vec3::y(), NONE] };
    assert_eq!(cone.projected_at(&given, 0.5), onto);
}

#[test]
fn the_metric_of_a_length_is_the_euclidean_one_of_scaled_torques() {
    let mut random = Random(4);
    for case in 0..2000 {
        let (cone, given) = (random_cone(&mut random), random_parts(&mut random));
        let length = random.magnitude(1e-2, 1e2);
        let onto = cone.projected_at(&given, length);
        let in_forces = |parts: &Parts| {
            let [t, r, w] = parts.bounded;
            Parts { normal: parts.normal, bounded: [t, r / length, w / length] }
        };
        let scaled = Cone { rolling: cone.rolling / length, twisting: cone.twisting / length, ..cone };
        let (given, onto) = (in_forces(&given), in_forces(&onto));
        let rest = minus(&given, &onto);
        let stretch = 1.0 + scaled.friction.max(scaled.rolling).max(scaled.twisting);
        let tolerance = 16.0 * f64::EPSILON * norm(&given) * stretch;
        assert!(polar_excess(&scaled, &rest) <= tolerance * stretch, "case {case}: {rest:?}");
        assert!(dot(&onto, &rest).abs() <= tolerance * norm(&given), "case {case}");
        let bounds = [scaled.friction, scaled.rolling, scaled.twisting];
        assert!((0..3).all(|k| onto.bounded[k].norm() <= bounds[k] * onto.normal + tolerance), "case {case}: {onto:?}");
    }
}

/// An impulse and the velocity that it may leave: open, or each part sticking, or on its rim against its velocity.
fn random_solution(random: &mut Random, cone: &Cone) -> (Parts, Parts) {
    let bounds = [cone.friction, cone.rolling, cone.twisting];
    if random.one_in(4) {
        let w = Parts { normal: random.between(0.0, 1.0), bounded: bounds.map(|_| random.vector(1.0)) };
        return (Parts { normal: 0.0, bounded: [NONE; 3] }, w);
    }
    let normal = random.between(0.1, 1.0);
    let mut lambda = Parts { normal, bounded: [NONE; 3] };
    let mut w = lambda;
    w.normal = 0.0;
    for (k, bound) in bounds.into_iter().enumerate() {
        let e = random.direction();
        if random.one_in(2) {
            (lambda.bounded[k], w.bounded[k]) = (bound * normal * e, -random.between(0.0, 1.0) * e);
        } else {
            lambda.bounded[k] = random.between(0.0, 0.99) * bound * normal * e;
        }
    }
    (lambda, w)
}

#[test]
fn the_residual_is_zero_at_solutions() {
    let mut random = Random(5);
    for case in 0..10_000 {
        let cone = random_cone(&mut random);
        let (lambda, w) = random_solution(&mut random, &cone);
        let (scale, length) = (random.magnitude(1e-2, 1e2), random.magnitude(0.1, 10.0));
        let residual = cone.residual(&lambda, &w, scale, length);
        // Terms of the size of lambda times the scale and of w, with bounds over lengths of up to 1e3 beside them.
        let bounds = cone.friction.max(cone.rolling / length).max(cone.twisting / length);
        let size = (norm(&lambda) * (1.0 + 1.0 / length) * scale + norm(&w) * (1.0 + length)) * (1.0 + bounds);
        assert!(residual <= 1e-14 * size, "case {case}: {residual:e} of {size:e}");
    }
}

#[test]
fn the_residual_has_the_size_of_the_defect() {
    let cone = Cone { friction: 0.5, rolling: 0.25, twisting: 0.125, dilation: 0.0 };
    let lambda = Parts { normal: 4.0, bounded: [NONE; 3] };
    let at = |w: Parts, length: f64| cone.residual(&lambda, &w, 1.0, length);
    let close = |found: f64, expected: f64| assert!((found - expected).abs() <= 2e-15, "{found:e}, not {expected:e}");
    let d = 2_f64.powi(-10);
    let spins = |bounded: [Vec3; 3]| Parts { normal: 0.0, bounded };
    // Inside the cone the trial is not projected: what is left is w and its shift mu_k |w_k| of the normal part.
    close(at(Parts { normal: d, bounded: [NONE; 3] }, 1.0), d);
    close(at(spins([d * Vec3::x(), NONE, NONE]), 1.0), d * (1.0 + 0.25_f64).sqrt());
    close(at(spins([NONE, d * Vec3::y(), NONE]), 1.0), d * (1.0 + 0.0625_f64).sqrt());
    // A spin counts as a velocity at the length: 2 d, while the shift 0.25 d stays: d sqrt(4 + 1/16).
    close(at(spins([NONE, d * Vec3::y(), NONE]), 2.0), d * (4.0 + 0.0625_f64).sqrt());
    close(at(spins([NONE, NONE, d * Vec3::z()]), 2.0), d * (4.0 + 0.125_f64 * 0.125).sqrt());
    // A torque beyond its rim by d at rest, where nothing else is on a rim: the distance to the face of the cone
    // d' = (d/l) / sqrt(1 + (0.25/l)^2), times the scale.
    let beyond = Parts { normal: 4.0, bounded: [NONE, (1.0 + d) * Vec3::x(), NONE] };
    let found = cone.residual(&beyond, &spins([NONE; 3]), 2.0, 2.0);
    close(found, 2.0 * (d / 2.0) / (1.0 + 0.125_f64 * 0.125).sqrt());
}
