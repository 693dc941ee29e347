//! Random curves, most of them bad: each is refused, or answers in finite time with finite numbers.

use std::time::{Duration, Instant};

use super::grains::Draws;
use crate::error::ErrorKind;
use crate::math::{Pose, Quat, Vec2, Vec3};
use crate::shape::nurbs::{Curve, CurveDefinition};

/// The number of curves. Builds with debug assertions are slower, and try fewer.
const CURVES: u32 = if cfg!(debug_assertions) { 3_000 } else { 100_000 };

/// Returns the number of `DRYSTONE_FUZZ`, else [`CURVES`].
fn count() -> u32 {
    std::env::var("DRYSTONE_FUZZ").ok().and_then(|count| count.parse().ok()).unwrap_or(CURVES)
}

/// An integer below `end`.
fn index(draws: &mut Draws, end: usize) -> usize {
    ((0.5 + 0.5 * draws.next()) * end as f64) as usize
}

/// A random star, wild points, or one of them damaged.
fn random(draws: &mut Draws) -> CurveDefinition {
    let degree = 1 + index(draws, 5);
    let periodic = index(draws, 3) > 0;
    let count = (degree + 1).max(4) + index(draws, 20);
    let wild = [0.0, 0.2, 0.5, 2.0][index(draws, 4)];
    let scale = [1.0, 1e-30, 1e30, 1e-6][index(draws, 4)];
    let mut points: Vec<[f64; 2]> = (0..count)
        .map(|at| {
            let (sine, cosine) = (std::f64::consts::TAU * at as f64 / count as f64).sin_cos();
            [cosine + wild * draws.next(), sine + wild * draws.next()].map(|x| scale * x)
        })
        .collect();
    let weights = match index(draws, 4) {
        0 => (0..count).map(|_| 10f64.powf(4.2 * draws.next())).collect(),
        1 => (0..count).map(|_| 1.0 + 0.9 * draws.next()).collect(),
        _ => Vec::new(),
    };
    let spread = [0.0, 0.4, 0.999][index(draws, 3)];
    let mut knots: Vec<f64> = (0..=count).map(|at| at as f64 + spread * draws.next()).collect();
    knots.sort_by(f64::total_cmp);
    if index(draws, 3) == 0 {
        let at = index(draws, count);
        (0..index(draws, degree + 1)).for_each(|more| knots[(at + more).min(count)] = knots[at]);
    }
    if !periodic {
        knots = [
            vec![0.0; degree + 1],
            (1..count - degree).map(|at| at as f64).collect(),
            vec![(count - degree) as f64; degree + 1],
        ]
        .concat();
        points[count - 1] = points[0];
    }
    match index(draws, 12) {
        0 => points.reverse(),
        1 => (0..index(draws, count)).for_each(|at| points[at] = points[0]),
        2 => points[index(draws, count)] = [f64::NAN, 1.0],
        3 => points[index(draws, count)] = points[index(draws, count)],
        4 => points.iter_mut().for_each(|point| point[1] *= 1e-9),
        5 => knots.truncate(index(draws, count)),
        6 => points.iter_mut().for_each(|point| *point = point.map(|x| (3.0 * x / scale).round() * scale)),
        _ => {}
    }
    CurveDefinition { degree: degree as u32, periodic, points, weights, knots, ..CurveDefinition::default() }
}

/// Asks a curve for everything.
fn exercise(curve: &Curve, draws: &mut Draws) {
    let outline = &curve.outline;
    let bounds = curve.bounds(&Pose::new(Vec3::zeros(), Quat::identity()));
    assert!(bounds.lower.iter().chain(&bounds.upper).all(|x| x.is_finite()));
    assert!((bounds.upper - bounds.lower).min() > 0.0, "{bounds:?} {:?}", curve.source);
    if let Some(solid) = curve.mass_properties {
        let [xx, yy, zz, ..] = solid.inertia.entries;
        assert!(solid.volume > 0.0 && xx > 0.0 && yy > 0.0 && zz > 0.0, "{solid:?}");
    }
    for _ in 0..4 {
        let point = bounds.center() + (bounds.upper - bounds.center()) * (1.5 * draws.next());
        let point = Vec2::new(point.x, point.y + outline.size() * draws.next());
        let foot = outline.nearest(&point);
        // A small curve far from its origin has the round-off of its coordinates.
        let size = outline.size() + foot.point.norm();
        let error = (foot.point + foot.normal * foot.distance - point).norm();
        assert!(error <= 1e-9 * size, "{error} of {size}: {point} {foot:?}");
        // No sample is nearer.
        for piece in 0..outline.count() {
            for t in [0.0, 0.21, 0.5, 0.83] {
                let distance = (outline.at(piece, t).point - point).norm();
                assert!(distance >= foot.distance.abs() - 1e-12 * size, "{distance} {foot:?}");
            }
        }
    }
}

#[test]
fn random_curves_are_refused_or_sound() {
    let seed = std::env::var("DRYSTONE_FUZZ_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let mut draws = Draws::new(seed);
    let (mut accepted, mut refused, mut slowest) = (0, 0, Duration::ZERO);
    for _ in 0..count() {
        let definition = random(&mut draws);
        let begin = Instant::now();
        match Curve::new(&definition) {
            Ok(curve) => {
                accepted += 1;
                exercise(&curve, &mut draws);
            }
            Err(error) => {
                refused += 1;
                assert!(matches!(error.kind, ErrorKind::Argument | ErrorKind::NotFinite), "{error}");
            }
        }
        slowest = slowest.max(begin.elapsed());
    }
    println!("{accepted} accepted, {refused} refused, the slowest in {slowest:?}");
    assert!(accepted > 0 && refused > 0 && slowest < Duration::from_secs(10));
}
