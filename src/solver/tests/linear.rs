//! The sparse solver: answers, singular matrices, and another pattern after the first.

use crate::solver::operator::linear::Linear;

#[test]
fn solves_by_rows() {
    // [[0, 2, 0], [1, 0, 4], [0, 0, 5]] x = (2, 9, 10): x = (1, 1, 2)
    let mut linear = Linear::default();
    linear.analyse(&[0, 1, 3, 4], &[1, 0, 2, 2]).unwrap();
    let mut x = [2.0, 9.0, 10.0];
    assert!(linear.solve(&[2.0, 1.0, 4.0, 5.0], &mut x).unwrap());
    // small whole numbers: exact
    assert_eq!(x, [1.0, 1.0, 2.0]);
    linear.analyse(&[0, 2, 3], &[0, 1, 1]).unwrap();
    let mut x = [4.0, 2.0];
    assert!(linear.solve(&[2.0, 1.0, 1.0], &mut x).unwrap());
    assert_eq!(x, [1.0, 2.0]);
}

#[test]
fn singular_matrices_are_recognised() {
    let mut linear = Linear::default();
    linear.analyse(&[0, 2, 4], &[0, 1, 0, 1]).unwrap();
    let mut x = [1.0, 2.0];
    assert!(!linear.solve(&[1.0, 1.0, 1.0, 1.0], &mut x).unwrap());
    let mut x = [1.0, 2.0];
    assert!(!linear.solve(&[0.0; 4], &mut x).unwrap());
    let mut x = [1.0, 2.0];
    assert!(!linear.solve(&[f64::NAN, 1.0, 1.0, 2.0], &mut x).unwrap());
    // and a regular one of the same pattern is solved after all of them: [[1, 1], [1, 2]] (0, 1) = (1, 2)
    let mut x = [1.0, 2.0];
    assert!(linear.solve(&[1.0, 1.0, 1.0, 2.0], &mut x).unwrap());
    assert_eq!(x, [0.0, 1.0]);
}

#[test]
fn nothing_can_be_solved_before_the_analysis() {
    assert!(Linear::default().solve(&[1.0], &mut [1.0]).is_err());
}
