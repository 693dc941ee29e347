use proptest::prelude::*;

use crate::math::{Mat3, Vec3};
use crate::solver::problem::ball::{bounded_ball, solve_ball};

#[test]
fn an_impulse_of_a_ball_is_bounded_by_its_length() {
    let inside = Vec3::new(0.3, 0.4, 0.0);
    assert_eq!(bounded_ball(&inside, 0.5), inside);
    assert!((bounded_ball(&Vec3::new(0.0, 3.0, 4.0), 0.5) - Vec3::new(0.0, 0.3, 0.4)).norm() <= 1e-16);
    assert_eq!(bounded_ball(&inside, 0.0), Vec3::zeros());
    assert_eq!(bounded_ball(&Vec3::zeros(), 0.0), Vec3::zeros());
}

#[test]
fn a_block_without_mobility_carries_nothing() {
    assert_eq!(solve_ball(&Mat3::zeros(), &Vec3::new(1.0, 2.0, 3.0), 1.0), Vec3::zeros());
    // Nothing moves about z, and nothing is to be moved there.
    let flat = Mat3::from_diagonal(&Vec3::new(1.0, 2.0, 0.0));
    let found = solve_ball(&flat, &Vec3::new(0.1, 0.2, 0.0), 1.0);
    assert!((found - Vec3::new(-0.1, -0.1, 0.0)).norm() < 1e-11, "{found}");
}

proptest! {
    #[test]
    fn the_law_of_a_ball_holds(
        entries in proptest::array::uniform9(-1.0..1.0f64),
        w in proptest::array::uniform3(-1.0..1.0f64),
        powers in (-6.0..3.0f64, -9.0..1.0f64),
    ) {
        let root = Mat3::from_column_slice(&entries) + Mat3::from_diagonal(&Vec3::new(2.5, 2.5, 2.5));
        let block = root * root.transpose() * 10f64.powf(powers.0);
        let w = Vec3::from(w);
        // From a thousandth of what holds to ten times of it.
        let bound = 10f64.powf(powers.1 / 3.0) * w.norm() / block.trace();
        let lambda = solve_ball(&block, &w, bound);
        let left = w + block * lambda;
        prop_assert!(lambda.norm() <= bound * (1.0 + 1e-15));
        // Ten roundings, times a condition number of up to a hundred.
        let round_off = 1e3 * f64::EPSILON * w.norm();
        if lambda.norm() < bound * (1.0 - 1e-12) {
            prop_assert!(left.norm() <= round_off, "{}", left.norm());
        } else {
            prop_assert!(left.dot(&lambda) <= round_off * bound);
            prop_assert!(left.cross(&lambda).norm() <= round_off * bound, "{}", left.cross(&lambda).norm() / bound);
        }
    }
}
