use std::f64::consts::PI;
use std::time::{Duration, Instant};

use super::grains::{cubic, grain, polygon};
use crate::shape::nurbs::{Curve, CurveDefinition};

fn refused(definition: &CurveDefinition, expected: &str) {
    let error = Curve::new(definition).unwrap_err().to_string();
    assert!(error.contains(expected), "{error}");
}

#[test]
fn curves_that_meet_themselves_are_refused() {
    // A bow tie, a figure of eight, a square traced twice, and a corner that touches an edge.
    refused(&polygon(&[[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]]), "crosses or touches itself near (");
    let eight = (0..12).map(|at| 2.0 * PI * f64::from(at) / 12.0).map(|u| [u.sin(), (2.0 * u).sin()]).collect();
    refused(&cubic(eight), "crosses or touches itself");
    let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    refused(&polygon(&[square, square].concat()), "crosses or touches itself");
    let touching = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [1.0, 0.0], [0.0, 2.0]];
    refused(&polygon(&touching), "crosses or touches itself");
    // The same with a little room.
    let room = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [1.0, 1e-6], [0.0, 2.0]];
    Curve::new(&polygon(&room)).unwrap();
}

#[test]
fn cusps_are_refused() {
    // A spike without width; and a cubic piece that turns back on its way.
    refused(&polygon(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [1.0, 0.0], [1.0, 1.0]]), "turns back");
    let knots = vec![0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 2.0];
    let points = vec![[-1.0, 0.0], [1.0, 1.0], [-1.0, 1.0], [1.0, 0.0], [1.0, 3.0], [-1.0, 3.0], [-1.0, 0.0]];
    refused(&CurveDefinition { periodic: false, knots, ..cubic(points) }, "cusp");
}

#[test]
fn grains_and_thin_slits_are_simple() {
    (0..16).for_each(|j| _ = Curve::new(&grain(j)).unwrap());
    // Two walls 1e-4 apart along a length of 1, and again around.
    let slit = [[0.0, 0.0], [1.0, 0.0], [1.0, 0.5], [0.0, 0.5], [0.0, 0.2501], [0.9, 0.2501], [0.9, 0.25], [0.0, 0.25]];
    Curve::new(&polygon(&slit)).unwrap();
}

#[test]
fn many_points_take_no_long_time() {
    let begin = Instant::now();
    let count = 100_000;
    let angle = |at: usize| 2.0 * PI * at as f64 / count as f64;
    let star = |at: usize| {
        let radius = 1.0 + 0.1 * (300.0 * angle(at)).sin();
        [radius * angle(at).cos(), radius * angle(at).sin()]
    };
    let points: Vec<[f64; 2]> = (0..count).map(star).collect();
    let curve = Curve::new(&cubic(points.clone())).unwrap();
    // The mean of r^2 / 2 over the turn, as the radius is 1 + 0.1 sin: pi (1 + 0.005).
    assert!((curve.mass_properties.unwrap().volume / (PI * 1.005) - 1.0).abs() < 1e-3);
    Curve::new(&polygon(&points)).unwrap();
    // A comb of long teeth, and points in no order.
    let tooth = |at: usize| {
        let x = (at / 2) as f64 * 2e-5 + if at.is_multiple_of(2) { 0.0 } else { 5e-6 };
        [x, if (at / 2).is_multiple_of(2) { 0.0 } else { 1.0 }]
    };
    let mut comb: Vec<[f64; 2]> = (0..count - 2).map(tooth).collect();
    comb.extend([[1.1, -1.0], [-0.1, -1.0]]);
    comb.reverse();
    Curve::new(&polygon(&comb)).unwrap();
    let chaos =
        (0..count).map(|at| [((at * 7919) % 10_007) as f64, ((at * 104_729) % 10_009) as f64]).collect::<Vec<_>>();
    refused(&cubic(chaos), "itself");
    assert!(begin.elapsed() < Duration::from_secs(20), "{:?}", begin.elapsed());
}
