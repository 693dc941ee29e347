use super::grains::{circle, grain, polygon};
use crate::math::Vec2;
use crate::shape::nurbs::{Curve, CurveDefinition};

#[test]
fn of_a_triangle() {
    // Corners (0, 0), (a, 0), (0, b): area a b / 2, integrals of x^2 and x y: a^3 b / 12, a^2 b^2 / 24.
    let (a, b) = (3.0, 2.0);
    let moments = Curve::new(&polygon(&[[0.0, 0.0], [a, 0.0], [0.0, b]])).unwrap().outline.moments();
    let [area, x, y] = moments.first;
    let o = moments.origin;
    assert!((area - 3.0).abs() < 1e-15);
    assert!((x + area * o.x - area * a / 3.0).abs() < 1e-14 && (y + area * o.y - area * b / 3.0).abs() < 1e-14);
    let [xx, _, xy] = moments.second;
    // About the origin of the moments: shifted by the parallel axis theorem.
    let shift = Vec2::new(a / 3.0, b / 3.0);
    let central = |about: f64, p: f64, q: f64| about - area * p * q;
    let to = shift - o;
    let xx_expected = central(a * a * a * b / 12.0, shift.x, shift.x) + area * to.x * to.x;
    let xy_expected = central(a * a * b * b / 24.0, shift.x, shift.y) + area * to.x * to.y;
    assert!((xx - xx_expected).abs() < 1e-14 && (xy - xy_expected).abs() < 1e-14);
}

#[test]
fn pulled_by_a_weight() {
    // A half circle of four times the weight in its middle control is a half ellipse of another shape: against many samples.
    let mut definition = circle(1.0);
    definition.weights[1] = 40.0;
    let outline = Curve::new(&definition).unwrap().outline;
    let (pieces, steps) = (outline.count(), 200_000);
    let points = (0..pieces).flat_map(|piece| (0..steps).map(move |at| (piece, f64::from(at) / f64::from(steps))));
    let points: Vec<Vec2> = points.map(|(piece, t)| outline.at(piece, t).point).collect();
    let twice: f64 = (0..points.len()).map(|at| points[at].perp(&points[(at + 1) % points.len()])).sum();
    let area = outline.moments().first[0];
    assert!((area - 0.5 * twice).abs() < 1e-8, "{area} {}", 0.5 * twice);
}

#[test]
fn a_polynomial_curve_is_exact_however_it_is_cut() {
    // Weights that are all 3 make the same curve as none.
    let definition = grain(2);
    let weights = vec![3.0; definition.points.len()];
    let [plain, weighted] = [definition.clone(), CurveDefinition { weights, ..definition }]
        .map(|definition| Curve::new(&definition).unwrap().outline.moments());
    assert_eq!(plain, weighted);
}
