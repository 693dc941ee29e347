//! Curves that tests have in common: circles, polygons, and grains of random outline, which are not convex.

use std::f64::consts::{FRAC_1_SQRT_2, PI};

use crate::math::Vec2;
use crate::shape::nurbs::{Curve, CurveDefinition};

/// A circle of `radius` as a rational quadratic curve, clamped, in four pieces.
pub(crate) fn circle(radius: f64) -> CurveDefinition {
    let unit = [[1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1], [0, -1], [1, -1], [1, 0]];
    let points = unit.map(|[x, y]| [radius * f64::from(x), radius * f64::from(y)]).to_vec();
    let weights = (0..9).map(|at| if at % 2 == 1 { FRAC_1_SQRT_2 } else { 1.0 }).collect();
    let knots = vec![0.0, 0.0, 0.0, 1.0, 1.0, 2.0, 2.0, 3.0, 3.0, 4.0, 4.0, 4.0];
    CurveDefinition { degree: 2, periodic: false, points, weights, knots, ..CurveDefinition::default() }
}

/// A polygon, of degree 1 and periodic.
pub(crate) fn polygon(points: &[[f64; 2]]) -> CurveDefinition {
    let knots = (0..=points.len()).map(|at| at as f64).collect();
    CurveDefinition { degree: 1, points: points.to_vec(), knots, ..CurveDefinition::default() }
}

/// A periodic cubic with uniform knots.
pub(crate) fn cubic(points: Vec<[f64; 2]>) -> CurveDefinition {
    let knots = (0..=points.len()).map(|at| at as f64).collect();
    CurveDefinition { points, knots, ..CurveDefinition::default() }
}

/// Draws numbers in (-1, 1).
pub(crate) struct Draws(u32);

impl Draws {
    pub(crate) fn new(seed: u32) -> Self {
        let mut draws = Self(seed);
        draws.next();
        draws
    }

    pub(crate) fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        2.0 * (f64::from(self.0) + 0.5) / 4_294_967_296.0 - 1.0
    }
}

/// Grain number `j` of 16, with a mean Feret diameter of `0.7 + 0.04 j`. Its solidity is from 0.83 to 0.99.
pub(crate) fn grain(j: u32) -> CurveDefinition {
    let count = 10 + 2 * (j as usize % 4);
    let elongation = (1.0 + 0.12 * f64::from(j / 4)).sqrt();
    let mut seed = 1000 + j;
    loop {
        let mut draws = Draws::new(seed);
        let angles: Vec<f64> = (0..count).map(|k| 2.0 * PI * (k as f64 + 0.25 * draws.next()) / count as f64).collect();
        let points = angles.iter().enumerate().map(|(k, angle)| {
            let radius = 1.0 + 0.18 * draws.next() - if k % 3 == 1 { 0.38 } else { 0.0 };
            [radius * angle.cos() * elongation, radius * angle.sin() / elongation]
        });
        let points: Vec<[f64; 2]> = points.collect();
        if let Ok(curve) = Curve::new(&cubic(points.clone())) {
            let scale = (0.7 + 0.04 * f64::from(j)) / feret_diameter(&curve);
            return cubic(points.iter().map(|[x, y]| [scale * x, scale * y]).collect());
        }
        seed += 16;
    }
}

/// The mean Feret diameter: the perimeter of the convex hull over pi.
fn feret_diameter(curve: &Curve) -> f64 {
    let outline = &curve.outline;
    let samples = (0..outline.count()).flat_map(|piece| (0..300).map(move |at| (piece, f64::from(at) / 300.0)));
    let mut points: Vec<Vec2> = samples.map(|(piece, t)| outline.at(piece, t).point).collect();
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    let mut perimeter = 0.0;
    for _ in 0..2 {
        let mut chain: Vec<Vec2> = Vec::new();
        for point in &points {
            while let [.., a, b] = chain[..] {
                if (b - a).perp(&(point - b)) > 0.0 {
                    break;
                }
                chain.pop();
            }
            chain.push(*point);
        }
        perimeter += chain.windows(2).map(|pair| (pair[1] - pair[0]).norm()).sum::<f64>();
        points.reverse();
    }
    perimeter / PI
}
