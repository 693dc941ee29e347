use proptest::prelude::*;

use crate::shape::nurbs::bernstein::{binomial, product, rising_roots, value_and_slope};

/// The coefficients of the product of `t - root` over all roots, times `sign`.
fn with_roots(roots: &[f64], sign: f64) -> Vec<f64> {
    roots.iter().fold(vec![sign], |polynomial, root| {
        product(&polynomial, &[[-root], [1.0 - root]])[..polynomial.len() + 1].iter().map(|[value]| *value).collect()
    })
}

fn found(coefficients: &[f64]) -> Vec<f64> {
    let mut roots = Vec::new();
    rising_roots(coefficients, |root| roots.push(root));
    roots
}

#[test]
fn values_of_a_cubic() {
    // t^3 and its derivative 3 t^2.
    assert_eq!(value_and_slope(&[0.0, 0.0, 0.0, 1.0], 0.5), [0.125, 0.75]);
    assert_eq!(value_and_slope(&[3.0], 0.5), [3.0, 0.0]);
    assert_eq!((binomial(13, 6), binomial(5, 0)), (1716.0, 1.0));
}

#[test]
fn every_second_root_rises() {
    let roots = [0.1, 0.25, 0.5, 0.75, 0.9];
    let found = found(&with_roots(&roots, 1.0));
    assert_eq!(found.len(), 3, "{found:?}");
    found.iter().zip([0.1, 0.5, 0.9]).for_each(|(root, expected)| assert!((root - expected).abs() < 1e-13, "{root}"));
}

#[test]
fn close_roots_and_none() {
    let pair = found(&with_roots(&[0.3, 0.3001, 0.7], 1.0));
    assert_eq!(pair.len(), 2, "{pair:?}");
    // Nothing at all: any place stands for all.
    assert_eq!(found(&[0.0, 0.0, 0.0]), [0.5]);
    assert_eq!(found(&[1.0, 2.0]), [0.0; 0]);
    assert_eq!(found(&[1.0, -2.0]), [0.0; 0]);
}

/// A root at 1/3, and one beyond 1 by less than round-off: the polynomial is positive up to its end.
#[test]
fn a_root_behind_the_end_is_not_taken() {
    let roots = found(&[-1.0, 1.0, 1e-22]);
    assert_eq!(roots.len(), 1);
    // -(1 - t)^2 + 2 t (1 - t) is 0 at 1/3.
    assert!((roots[0] - 1.0 / 3.0).abs() < 1e-15, "{roots:?}");
}

proptest! {
    #[test]
    fn roots_of_products(mut roots in proptest::collection::vec(0.01..0.99f64, 1..7)) {
        roots.sort_by(f64::total_cmp);
        prop_assume!(roots.windows(2).all(|pair| pair[1] - pair[0] > 0.02));
        let sign = if roots.len() % 2 == 1 { 1.0 } else { -1.0 };
        let expected: Vec<f64> = roots.iter().copied().step_by(2).collect();
        let found = found(&with_roots(&roots, sign));
        // The first root rises if the sign makes the polynomial negative at 0, which it is for an odd number of roots.
        prop_assert_eq!(found.len(), expected.len());
        for (root, expected) in found.iter().zip(expected) {
            prop_assert!((root - expected).abs() < 1e-7, "{} {}", root, expected);
        }
    }
}
