use super::grains::{Draws, circle, cubic};
use crate::shape::nurbs::outline::{Outline, cartesian};
use crate::shape::nurbs::pieces::bezier_pieces;
use crate::shape::nurbs::{Curve, CurveDefinition};

/// The curve at a parameter by its definition: Cox and de Boor's recursion, over all periods.
fn by_definition(curve: &CurveDefinition, u: f64) -> [f64; 2] {
    let (degree, count) = (curve.degree as usize, curve.points.len() as isize);
    let period = curve.knots[count as usize] - curve.knots[0];
    let knot = |at: isize| {
        if curve.periodic {
            curve.knots[at.rem_euclid(count) as usize] + at.div_euclid(count) as f64 * period
        } else {
            curve.knots[at as usize]
        }
    };
    fn basis(knot: &dyn Fn(isize) -> f64, at: isize, degree: usize, u: f64) -> f64 {
        if degree == 0 {
            return f64::from(u8::from(knot(at) <= u && u < knot(at + 1)));
        }
        let part = |from: f64, to: f64, value: f64| if to > from { value / (to - from) } else { 0.0 };
        let end = at + degree as isize;
        part(knot(at), knot(end), u - knot(at)) * basis(knot, at, degree - 1, u)
            + part(knot(at + 1), knot(end + 1), knot(end + 1) - u) * basis(knot, at + 1, degree - 1, u)
    }
    let all = if curve.periodic { -(degree as isize)..count } else { 0..count };
    let mut sum = [0.0; 3];
    for at in all {
        let index = at.rem_euclid(count) as usize;
        let value = basis(&knot, at, degree, u) * curve.weights.get(index).copied().unwrap_or(1.0);
        let [x, y] = curve.points[index];
        sum = [sum[0] + value * x, sum[1] + value * y, sum[2] + value];
    }
    [sum[0] / sum[2], sum[1] / sum[2]]
}

fn check(curve: &CurveDefinition) {
    let mut outline = Outline::default();
    outline.fill(curve.degree as usize, &bezier_pieces(curve).unwrap()).unwrap();
    let spans: Vec<[f64; 2]> =
        curve.knots.windows(2).filter(|pair| pair[1] > pair[0]).map(|pair| [pair[0], pair[1]]).collect();
    assert_eq!(outline.count(), spans.len());
    for (piece, [from, to]) in spans.into_iter().enumerate() {
        for t in [0.0, 0.1, 0.5, 0.9] {
            let [x, y] = by_definition(curve, from + t * (to - from));
            let found = outline.at(piece, t).point;
            assert!((found.x - x).hypot(found.y - y) < 2e-14, "degree {} piece {piece} {t}: {found}", curve.degree);
        }
        let end = cartesian(outline.controls(piece).last().unwrap());
        assert_eq!(end, outline.start(outline.next(piece)));
    }
}

#[test]
fn pieces_are_the_curve() {
    let mut draws = Draws::new(7);
    for degree in 1..=5 {
        let count = 9;
        let points: Vec<[f64; 2]> = (0..count).map(|_| [draws.next(), draws.next()]).collect();
        let weights: Vec<f64> = (0..count).map(|_| 1.0 + 0.7 * draws.next()).collect();
        let knots: Vec<f64> = (0..=count).map(|at| at as f64 + 0.4 * draws.next()).collect();
        let plain = CurveDefinition { degree, knots, ..cubic(points) };
        check(&plain);
        check(&CurveDefinition { weights: weights.clone(), ..plain.clone() });
        if degree > 1 {
            let mut knots = plain.knots.clone();
            knots[4] = knots[3];
            check(&CurveDefinition { knots, weights, ..plain });
        }
    }
    check(&circle(1.3));
}

#[test]
fn a_triangle_of_a_high_degree_wraps_around() {
    // Each of three points has an influence on every span, several times.
    let curve = CurveDefinition { degree: 5, ..cubic(vec![[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]) };
    check(&curve);
    assert!(Curve::new(&curve).unwrap().mass_properties.is_some());
}
