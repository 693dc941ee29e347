//! The part bounded by a disc: inside, at its edge, against the law itself, and blocks that are none.

use crate::math::elementary::{hypot, power_of_two};
use crate::solver::gauss_seidel::disc::{Disc, clamped};

/// `D r + q`
fn velocity(d: [f64; 3], r: [f64; 2], q: [f64; 2]) -> [f64; 2] {
    [d[0] * r[0] + d[1] * r[1] + q[0], d[1] * r[0] + d[2] * r[1] + q[1]]
}

#[test]
fn inside_the_disc_the_velocity_vanishes() {
    let d = [3.0, 1.0, 2.0];
    let disc = Disc::new(d[0], d[1], d[2]).unwrap();
    // D r = -q: 3 x + y = 5, x + 2 y = 5 is solved by (1, 2), of the length sqrt 5
    let r = disc.solve([-5.0, -5.0], [0.0; 2], 3.0);
    assert!((r[0] - 1.0).abs() <= 4e-16 * 4.0 && (r[1] - 2.0).abs() <= 4e-16 * 4.0, "{r:?}");
}

#[test]
fn at_the_edge_the_impulse_opposes_the_velocity() {
    // from a round block to one of the condition 1e4, with little and much bound
    for (xx, xy, yy) in [(2.0, 0.0, 2.0), (3.0, 1.0, 2.0), (1e4, 0.0, 1.0), (10.0, 9.9, 10.0)] {
        for radius in [1e-9, 1e-3, 0.3] {
            let disc = Disc::new(xx, xy, yy).unwrap();
            let q = [-5.0, 7.0];
            let r = disc.solve(q, [0.0; 2], radius);
            let w = velocity([xx, xy, yy], r, q);
            let size = (r[0] * r[0] + r[1] * r[1]).sqrt();
            assert!((size / radius - 1.0).abs() <= 4.0 * f64::EPSILON, "|r| = {size:e}");
            // both in units of |q| = 8.6 and the bound; the root is found to a few round-offs of the largest block
            let across = (w[0] * r[1] - w[1] * r[0]) / radius;
            assert!(across.abs() <= 1e-13 * 8.6, "across {across:e} of block {xx} {xy} {yy}");
            assert!(w[0] * r[0] + w[1] * r[1] < 0.0);
        }
    }
}

#[test]
fn impulses_whose_squares_are_none_stay_inside_the_disc() {
    let disc = Disc::new(3.0, 1.0, 2.0).unwrap();
    for q in [[-5.0, 7.0], [-0.1, 0.1]] {
        let expected = disc.solve(q, [0.0; 2], 0.3);
        for exponent in [-500, -560, -960] {
            let units = power_of_two(exponent);
            let found = disc.solve(q.map(|q| q * units), [0.0; 2], 0.3 * units);
            let error = (found[0] / units - expected[0]).abs().max((found[1] / units - expected[1]).abs());
            assert!(error <= 8.0 * f64::EPSILON, "{q:?} times 2^{exponent}: {found:?}");
            let [x, y] = clamped(q.map(|q| q * units), 0.3 * units);
            assert!(hypot(x / units, y / units) <= 0.3 * (1.0 + 4.0 * f64::EPSILON), "{x:e} {y:e}");
        }
    }
}

#[test]
fn the_present_impulse_is_taken_out() {
    let d = [3.0, 1.0, 2.0];
    let disc = Disc::new(d[0], d[1], d[2]).unwrap();
    let (q, old) = ([-5.0, 7.0], [0.2, -0.1]);
    let cold = disc.solve(q, [0.0; 2], 0.3);
    let warm = disc.solve(velocity(d, old, q), old, 0.3);
    // the same numbers up to the round-off of adding and removing D old
    assert!((cold[0] - warm[0]).abs() <= 1e-15 && (cold[1] - warm[1]).abs() <= 1e-15, "{cold:?} {warm:?}");
}

#[test]
fn what_is_no_block_has_no_impulse() {
    assert_eq!(Disc::new(0.0, 0.0, 0.0), None);
    assert_eq!(Disc::new(-1.0, 0.0, 0.5), None);
    assert_eq!(Disc::new(f64::NAN, 0.0, 0.5), None);
    let disc = Disc::new(1.0, 0.0, 1.0).unwrap();
    assert_eq!(disc.solve([1.0, 1.0], [0.0; 2], 0.0), [0.0; 2]);
    assert_eq!(disc.solve([1.0, 1.0], [0.0; 2], f64::NAN), [0.0; 2]);
    // a direction that nothing moves along: the impulse along it is below a billionth of the other
    let [x, y] = Disc::new(1.0, 0.0, 0.0).unwrap().solve([-0.5, -0.5], [0.0; 2], 9.0);
    assert!((x - 0.5).abs() <= 1e-16 && y.abs() <= 1e-11, "{x} {y}");
}
