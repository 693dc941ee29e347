use super::grains::{Draws, circle, grain, polygon};
use crate::math::Vec2;
use crate::shape::nurbs::{Curve, Outline};

/// The least distance by many samples, each the start of a search by golden sections between its neighbours.
fn brute(outline: &Outline, point: &Vec2) -> f64 {
    const SAMPLES: usize = 64;
    let distance = |piece: usize, t: f64| (outline.at(piece, t).point - point).norm();
    let mut smallest = f64::INFINITY;
    for piece in 0..outline.count() {
        for at in 0..SAMPLES {
            let (mut low, mut high) = (at as f64 / SAMPLES as f64, (at + 1) as f64 / SAMPLES as f64);
            if distance(piece, low).min(distance(piece, high)) > smallest + outline.length(piece) / 32.0 {
                continue;
            }
            for _ in 0..60 {
                let (a, b) = (low + (high - low) * 0.381_966, low + (high - low) * 0.618_034);
                if distance(piece, a) < distance(piece, b) { high = b } else { low = a }
            }
            smallest = smallest.min(distance(piece, 0.5 * (low + high)));
        }
    }
    smallest
}

#[test]
fn the_foot_is_the_nearest_of_all() {
    for j in 0..16 {
        let curve = Curve::new(&grain(j)).unwrap();
        let outline = &curve.outline;
        let mut draws = Draws::new(77 + j);
        for _ in 0..60 {
            let point = Vec2::new(draws.next(), draws.next()) * outline.size();
            let foot = outline.nearest(&point);
            let expected = brute(outline, &point);
            assert!((foot.distance.abs() - expected).abs() < 1e-13, "grain {j}: {} {expected}", foot.distance);
            assert!((foot.point + foot.normal * foot.distance - point).norm() < 1e-14, "grain {j}");
            assert_eq!(is_inside(outline, &point), foot.distance < 0.0, "grain {j}");
        }
    }
}

/// Whether a ray to the right crosses the curve, as a polygon of samples, an odd number of times.
fn is_inside(outline: &Outline, point: &Vec2) -> bool {
    let samples = (0..outline.count()).flat_map(|piece| (0..200).map(move |at| (piece, f64::from(at) / 200.0)));
    let points: Vec<Vec2> = samples.map(|(piece, t)| outline.at(piece, t).point).collect();
    let crosses = |a: &Vec2, b: &Vec2| {
        (a.y > point.y) != (b.y > point.y) && point.x < a.x + (point.y - a.y) / (b.y - a.y) * (b.x - a.x)
    };
    (0..points.len()).filter(|at| crosses(&points[*at], &points[(at + 1) % points.len()])).count() % 2 == 1
}

#[test]
fn feet_on_a_circle() {
    let curve = Curve::new(&circle(2.0)).unwrap();
    for (x, y) in [(3.0, 0.0), (0.3, 0.4), (-5.0, 12.0), (1e-3, 0.0), (2.0, 0.0), (0.0, -1e6)] {
        let point = Vec2::new(x, y);
        let foot = curve.outline.nearest(&point);
        let distance = point.norm() - 2.0;
        assert!((foot.distance - distance).abs() <= 1e-15 * (2.0 + distance.abs()), "{point}: {}", foot.distance);
        assert!((foot.normal - point.normalize()).norm() < 1e-12 && (foot.curvature - 0.5).abs() < 1e-12);
    }
    // Of the centre any point is nearest.
    assert!((curve.outline.nearest(&Vec2::zeros()).distance + 2.0).abs() < 1e-15);
}

#[test]
fn feet_on_corners() {
    let notched = [[0.0, 0.0], [4.0, 0.0], [4.0, 3.0], [2.0, 1.0], [0.0, 3.0]];
    let curve = Curve::new(&polygon(&notched)).unwrap();
    let outside = curve.outline.nearest(&Vec2::new(7.0, -4.0));
    assert!(outside.is_corner && outside.distance == 5.0 && outside.curvature == f64::INFINITY);
    assert!((outside.normal - Vec2::new(0.6, -0.8)).norm() < 1e-15);
    // Below the notch, whose sides rise by 45 degrees, the notch is nearest: inside, and the normal points away from the point.
    let inside = curve.outline.nearest(&Vec2::new(2.0, 0.75));
    assert!(inside.is_corner && inside.distance == -0.25 && inside.curvature == f64::NEG_INFINITY);
    assert!((inside.normal - Vec2::y()).norm() < 1e-15);
    // In the corner itself the normal is the middle one.
    let on = curve.outline.nearest(&Vec2::new(4.0, 0.0));
    assert!(on.distance.abs() < 1e-15 && (on.normal - Vec2::new(1.0, -1.0).normalize()).norm() < 1e-15);
}

#[test]
fn all_minima_of_a_notch() {
    let notched = [[0.0, 0.0], [4.0, 0.0], [4.0, 3.0], [2.0, 1.0], [0.0, 3.0]];
    let curve = Curve::new(&polygon(&notched)).unwrap();
    let mut found = Vec::new();
    // A point above the notch is equally far from both of its sides.
    curve.outline.each_minimum(&Vec2::new(2.0, 2.0), 0.8, |foot| found.push(foot.distance));
    assert_eq!(found.len(), 2, "{found:?}");
    found.iter().for_each(|distance| assert!((distance - 0.5f64.sqrt()).abs() < 1e-15));
    // Within a larger reach are the bottom and the two outer sides too, through the solid. The tips are no minima.
    let mut all = Vec::new();
    curve.outline.each_minimum(&Vec2::new(2.0, 2.0), 2.5, |foot| all.push(foot.point));
    assert_eq!(all.len(), 5, "{all:?}");
}

#[test]
fn extremes_along_a_direction() {
    let curve = Curve::new(&grain(7)).unwrap();
    let outline = &curve.outline;
    for turn in 0..20 {
        let (sine, cosine) = (0.3 * f64::from(turn)).sin_cos();
        let direction = Vec2::new(cosine, sine);
        let samples = (0..outline.count()).flat_map(|piece| (0..2000).map(move |at| (piece, f64::from(at) / 2e3)));
        let values: Vec<f64> = samples.map(|(piece, t)| direction.dot(&outline.at(piece, t).point)).collect();
        let lowest = values.iter().copied().fold(f64::INFINITY, f64::min);
        let minima = (0..values.len())
            .filter(|at| {
                let (before, after) = ((at + values.len() - 1) % values.len(), (at + 1) % values.len());
                values[*at] < values[before] && values[*at] <= values[after]
            })
            .count();
        assert!((lowest - outline.lowest(&direction)).abs() < 1e-7 && outline.lowest(&direction) <= lowest);
        let mut found = 0;
        outline.each_lowest(&direction, f64::INFINITY, |_| found += 1);
        assert_eq!(found, minima, "turn {turn}");
    }
}

/// Squares of such distances overflow. Any foot will do.
#[test]
fn the_foot_of_a_point_beyond_all_squares_is_on_the_curve() {
    for count in 3..20 {
        let points = (0..count).map(|at| {
            let (sine, cosine) = (std::f64::consts::TAU * f64::from(at) / f64::from(count)).sin_cos();
            [cosine, sine]
        });
        let corners: Vec<[f64; 2]> = points.collect();
        let curve = Curve::new(&polygon(&corners)).unwrap().outline;
        for far in [1e155, 1e200, 1e300] {
            let foot = curve.nearest(&Vec2::new(far, -0.5 * far));
            assert!(foot.piece < curve.count());
        }
    }
}
