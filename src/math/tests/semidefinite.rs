//! Matrices whose eigenvalues are known.

use crate::math::{Mat3, Quat, Vec3, is_semidefinite};

/// `R diag(values) R^T`, row by row.
fn with_eigenvalues(values: [f64; 3]) -> [f64; 9] {
    let turn = *Quat::from_scaled_axis(Vec3::new(0.3, -1.1, 0.7)).to_rotation_matrix().matrix();
    let matrix = turn * Mat3::from_diagonal(&Vec3::from(values)) * turn.transpose();
    // column by column is row by row: it is symmetric
    matrix.as_slice().try_into().expect("nine numbers")
}

#[test]
fn the_sign_of_the_smallest_eigenvalue_decides() {
    for scale in [1e-300, 1.0, 1e300] {
        for (smallest, expected) in [(1e-3, true), (0.0, true), (-1e-12, true), (-1e-6, false), (-1.0, false)] {
            let entries = with_eigenvalues([1.0, smallest, 0.5]).map(|entry| scale * entry);
            assert_eq!(is_semidefinite(&entries, 3, 1e-9), expected, "{scale} {smallest}");
        }
    }
}

#[test]
fn singular_ones_pass() {
    assert!(is_semidefinite(&[0.0; 25], 5, 1e-9));
    // of rank one: all ones
    assert!(is_semidefinite(&[1.0; 25], 5, 1e-9));
    // a zero on the diagonal with something beside it: eigenvalues (1 +- sqrt 5)/2 of the leading block
    assert!(!is_semidefinite(&[1.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0], 3, 1e-9));
}
