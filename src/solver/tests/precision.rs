//! Where an iteration begins, and the round-off it may end at.

use super::small;
use crate::solver::operator::precision::{round_off, start};

#[test]
fn round_off_is_that_of_the_largest_row() {
    let matrix = nalgebra::DMatrix::from_row_slice(2, 2, &[2.0, -1.0, -1.0, 3.0]);
    let problem = small::dense(&matrix, &[-4.0, 1.0], &[small::bilateral(), small::bilateral()]);
    // rows: 4 + 2 * 1 + 1 * 2 = 8, and 1 + 1 * 1 + 3 * 2 = 8; with the first impulse doubled 10 and 9
    assert_eq!(round_off(&problem, &[1.0, -2.0]), 8.0 * f64::EPSILON);
    assert_eq!(round_off(&problem, &[2.0, -2.0]), 10.0 * f64::EPSILON);
}

#[test]
fn a_start_is_brought_to_its_bounds() {
    let problem = small::dense(&small::uncoupled(3, 2.0), &[-2.0, 0.0, 0.0], &[small::contact(0.5)]);
    let (mut lambda, mut w) = ([-1.0, 0.1, 0.0], [0.0; 3]);
    // (-1, 0.1, 0) is nearest to the apex; what is left is q, and the step of the residual -2/2 times 2
    assert_eq!(start(&problem, &mut lambda, &mut w), 2.0);
    assert_eq!((lambda, w), ([0.0; 3], [-2.0, 0.0, 0.0]));
}

#[test]
fn a_start_that_is_no_number_is_none() {
    let problem = small::dense(&small::uncoupled(3, 2.0), &[-2.0, 0.0, 0.0], &[small::contact(0.5)]);
    for bad in [f64::NAN, f64::INFINITY, 1e308] {
        let (mut lambda, mut w) = ([bad, 0.0, 0.0], [0.0; 3]);
        assert_eq!(start(&problem, &mut lambda, &mut w), 2.0, "{bad}");
        assert_eq!(lambda, [0.0; 3]);
    }
}
