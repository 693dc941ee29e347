//! The numbers by which the examples of granular matter are judged.

#[path = "../examples/granular/support/judge.rs"]
#[allow(dead_code)]
mod judge;

use judge::{Judge, exponent, geometric_mean, sweeps_for};

/// Errors that fall as a power of the sweeps, `scale k^-p`.
fn power(scale: f64, p: f64) -> Vec<(f64, f64)> {
    [5.0, 10.0, 20.0, 50.0, 100.0].into_iter().map(|k: f64| (k, scale * k.powf(-p))).collect()
}

#[test]
fn sweeps_are_interpolated_in_logarithms() {
    let found = sweeps_for(&power(3.0, 1.5), 0.01).expect("within the points");
    let exact = (3.0_f64 / 0.01).powf(1.0 / 1.5);
    assert!((found - exact).abs() <= 1e-12 * exact, "{found}, not {exact}");
}

#[test]
fn sweeps_outside_of_the_points_are_not_guessed() {
    assert_eq!(sweeps_for(&power(3.0, 1.5), 1e-9), None);
    assert_eq!(sweeps_for(&power(3.0, 1.5), 10.0), None);
    assert_eq!(sweeps_for(&[], 0.1), None);
}

#[test]
fn an_error_that_grows_again_counts_and_no_number_is_infinite() {
    let again = [(1.0, 1.0), (2.0, 0.01), (4.0, 1.0), (8.0, 0.01)];
    let found = sweeps_for(&again, 0.1).expect("within the points");
    assert!((found - 32.0_f64.sqrt()).abs() <= 1e-12, "{found}");
    assert_eq!(sweeps_for(&[(1.0, f64::NAN), (2.0, 0.01)], 0.1), Some(2.0));
    assert_eq!(sweeps_for(&[(1.0, 1.0), (2.0, f64::NAN)], 0.1), None);
}

#[test]
fn the_exponent_is_that_of_a_power_law() {
    let points = power(3.0, -1.7);
    assert!((exponent(&points).expect("points") - 1.7).abs() <= 1e-12);
    assert_eq!(exponent(&points[..1]), None);
    assert!((geometric_mean(&[2.0, 8.0]) - 4.0).abs() <= 1e-15);
    assert!(geometric_mean(&[]).is_nan());
}

#[test]
fn a_value_out_of_bounds_fails_and_so_does_no_number() {
    for (value, holds) in [(2.0, true), (5.0, true), (5.1, false), (1.9, false), (f64::NAN, false)] {
        let mut judge = Judge::default();
        judge.within("value", value, 2.0, 5.0);
        assert_eq!(judge.all_hold(), holds, "{value}");
    }
}
