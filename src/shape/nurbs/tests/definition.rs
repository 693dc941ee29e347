use super::grains::{circle, cubic, polygon};
use crate::error::ErrorKind;
use crate::shape::nurbs::{Curve, CurveDefinition};

fn message(definition: &CurveDefinition) -> String {
    let error = Curve::new(definition).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Argument, "{error}");
    error.to_string()
}

fn square() -> CurveDefinition {
    polygon(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
}

#[test]
fn numbers_out_of_range_are_named() {
    let cases = [
        (CurveDefinition { degree: 0, ..square() }, "degree is 0"),
        (CurveDefinition { degree: 6, ..square() }, "degree is 6"),
        (CurveDefinition { half_depth: 0.0, ..square() }, "half_depth is 0"),
        (CurveDefinition { samples_per_span: 0, ..square() }, "samples_per_span is 0"),
        (CurveDefinition { points: Vec::new(), ..square() }, "point_count is 0"),
        (CurveDefinition { knots: vec![0.0, 1.0], ..square() }, "knot_count is 2, expected 5"),
        (CurveDefinition { weights: vec![1.0], ..square() }, "weights has 1 numbers, expected 4"),
        (CurveDefinition { weights: vec![1.0, 0.0, 1.0, 1.0], ..square() }, "weights[1] is 0"),
        (CurveDefinition { weights: vec![1.0, -1.0, 1.0, 1.0], ..square() }, "weights[1] is -1"),
        (CurveDefinition { weights: vec![1.0, 1e9, 1.0, 1.0], ..square() }, "weights are from 1e0 to 1e9"),
        (CurveDefinition { knots: vec![0.0, 1.0, 0.5, 3.0, 4.0], ..square() }, "knots[2] is 0.5 after 1"),
        (CurveDefinition { knots: vec![0.0; 5], ..square() }, "the range of knots is 0"),
        (CurveDefinition { knots: vec![0.0, 1.0, 1.0, 3.0, 4.0], ..square() }, "knots has 1 2 times"),
        (CurveDefinition { knots: vec![0.0, 1.0, 2.0, 4.0, 4.0], ..square() }, "knots has 0 2 times"),
        (CurveDefinition { knots: vec![0.0, 1.0, 1.0 + 1e-12, 3.0, 4.0], ..square() }, "knots[2]"),
        (polygon(&[[0.0, 0.0], [1e51, 0.0], [1.0, 1.0]]), "points_xy[2] is 1e51"),
        (polygon(&[[0.0; 2]; 3]), "the largest number in points_xy is 0"),
    ];
    for (definition, expected) in cases {
        let found = message(&definition);
        assert!(found.contains(expected), "{found} without {expected}");
    }
}

#[test]
fn what_is_not_finite_is_named() {
    let cases = [
        (CurveDefinition { weights: vec![f64::NAN; 4], ..square() }, "weights[0]"),
        (CurveDefinition { knots: vec![0.0, 1.0, 2.0, f64::NAN, 4.0], ..square() }, "knots[3]"),
        (CurveDefinition { half_depth: f64::INFINITY, ..square() }, "half_depth"),
        (polygon(&[[0.0, 0.0], [1.0, f64::INFINITY], [1.0, 1.0]]), "points_xy[3]"),
    ];
    for (definition, expected) in cases {
        let error = Curve::new(&definition).unwrap_err();
        assert_eq!(error.kind, ErrorKind::NotFinite);
        assert!(error.message.contains(expected), "{error}");
    }
}

#[test]
fn clamped_curves_are_closed() {
    let mut open = circle(1.0);
    open.points[8] = [1.0, 0.1];
    assert!(message(&open).contains("expected the same point"));
    let mut ends = circle(1.0);
    ends.knots[2] = 0.5;
    assert!(message(&ends).contains("expected it 3 times"), "{}", message(&ends));
    let mut torn = circle(1.0);
    torn.knots[5] = 1.0;
    assert!(message(&torn).contains("knots has 1 3 times"), "{}", message(&torn));
}

#[test]
fn repeated_knots_are_corners() {
    // A knot three times in a cubic: the curve goes through a control point and turns there.
    let points = vec![[1.0, 0.0], [0.7, 0.8], [-0.2, 1.0], [-1.0, 0.4], [-1.0, -0.5], [0.0, -1.0], [0.8, -0.7]];
    let knots = vec![0.0, 1.0, 2.0, 3.0, 3.0, 3.0, 4.0, 5.0];
    let curve = Curve::new(&CurveDefinition { knots, ..cubic(points.clone()) }).unwrap();
    assert_eq!(curve.outline.count(), 5);
    assert!(curve.outline.has_corners());
    let corner = (0..5).find(|piece| curve.outline.join(*piece).is_corner).unwrap();
    let corner = curve.outline.start(corner);
    assert!(points.iter().any(|[x, y]| (corner.x - x).abs() + (corner.y - y).abs() < 1e-15), "{corner}");
    assert!(!Curve::new(&cubic(points)).unwrap().outline.has_corners());
}
