use crate::math::elementary::power_of_two;
use crate::math::{Mat3, Quat, Symmetric3, Vec3, is_semidefinite, is_within, length_of};
use nalgebra::{DMatrix, DVector};
use proptest::prelude::*;

/// Every choice of free axes.
fn choices() -> impl Iterator<Item = [bool; 3]> {
    (0..8).map(|bits| std::array::from_fn(|axis| bits & (1 << axis) != 0))
}

/// The inverse on the free axes, by a dense solve of the smaller system for each column.
fn dense_inverse(matrix: &Symmetric3, free: [bool; 3]) -> Mat3 {
    let axes: Vec<usize> = (0..3).filter(|axis| free[*axis]).collect();
    let full = matrix.to_matrix();
    let small = DMatrix::from_fn(axes.len(), axes.len(), |i, j| full[(axes[i], axes[j])]).full_piv_lu();
    let mut inverse = Mat3::zeros();
    for (j, column) in axes.iter().enumerate() {
        let unit = DVector::from_fn(axes.len(), |i, _| if i == j { 1.0 } else { 0.0 });
        let solution = small.solve(&unit).expect("the small system is regular");
        for (i, row) in axes.iter().enumerate() {
            inverse[(*row, *column)] = solution[i];
        }
    }
    inverse
}

#[test]
fn the_entries_are_xx_yy_zz_xy_yz_xz() {
    let symmetric = Symmetric3 { entries: [1.0, 2.0, 3.0, 4.0, 5.0, 6.0] };
    let matrix = Mat3::new(1.0, 4.0, 6.0, 4.0, 2.0, 5.0, 6.0, 5.0, 3.0);
    assert_eq!(symmetric.to_matrix(), matrix);
    assert_eq!(Symmetric3::from_matrix(&matrix), symmetric);
    // Small integers: (1 + 4 10 + 6 100, 4 + 2 10 + 5 100, 6 + 5 10 + 3 100).
    assert_eq!(symmetric.times(&Vec3::new(1.0, 10.0, 100.0)), Vec3::new(641.0, 524.0, 356.0));
    assert_eq!(symmetric.scaled(-2.0).entries, [-2.0, -4.0, -6.0, -8.0, -10.0, -12.0]);
    assert_eq!(Symmetric3::diagonal([1.0, 2.0, 3.0]).entries, [1.0, 2.0, 3.0, 0.0, 0.0, 0.0]);
}

#[test]
fn the_symmetric_part_is_the_mean_of_mirrored_entries() {
    let matrix = Mat3::new(1.0, 2.0, 4.0, 6.0, 3.0, 8.0, 10.0, 12.0, 5.0);
    // (2 + 6)/2, (8 + 12)/2, (4 + 10)/2.
    assert_eq!(Symmetric3::from_matrix(&matrix).entries, [1.0, 3.0, 5.0, 4.0, 10.0, 7.0]);
}

#[test]
fn only_a_multiple_of_the_unit_matrix_is_isotropic() {
    assert_eq!(Symmetric3::diagonal([0.4; 3]).isotropic(), Some(0.4));
    assert_eq!(Symmetric3::default().isotropic(), Some(0.0));
    for place in 0..6 {
        let mut symmetric = Symmetric3::diagonal([0.4; 3]);
        symmetric.entries[place] += 1e-16;
        assert_eq!(symmetric.isotropic(), None, "entry {place}");
    }
    assert_eq!(Symmetric3::diagonal([f64::NAN; 3]).isotropic(), None);
}

#[test]
fn a_quarter_turn_about_z_swaps_x_and_y() {
    let turn = Mat3::new(0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0);
    let symmetric = Symmetric3 { entries: [1.0, 2.0, 3.0, 4.0, 5.0, 6.0] };
    // x -> y, y -> -x: xx' = yy, yy' = xx, xy' = -xy, yz' = xz, xz' = -yz. Zeros and ones: exact.
    assert_eq!(symmetric.rotated(&turn).entries, [2.0, 1.0, 3.0, -4.0, 6.0, -5.0]);
}

#[test]
fn a_diagonal_is_inverted_axis_by_axis() {
    let symmetric = Symmetric3::diagonal([2.0, 4.0, 16.0]);
    for free in choices() {
        // Cholesky takes the root and squares it again: two roundings.
        let inverse = symmetric.inverse_on(free).expect("positive definite");
        for (axis, whole) in [0.5, 0.25, 0.0625].into_iter().enumerate() {
            let expected = if free[axis] { whole } else { 0.0 };
            assert!((inverse.entries[axis] - expected).abs() <= 2.0 * f64::EPSILON * expected, "{free:?} {inverse:?}");
        }
        assert_eq!(inverse.entries[3..], [0.0; 3]);
    }
}

#[test]
fn what_is_not_positive_definite_on_the_free_axes_has_no_inverse() {
    // Each has one bad eigenvalue, along x alone or in the xy plane.
    let negative = Symmetric3::diagonal([-1.0, 1.0, 1.0]);
    let singular = Symmetric3::diagonal([0.0, 1.0, 1.0]);
    let coupled = Symmetric3 { entries: [1.0, 1.0, 1.0, 2.0, 0.0, 0.0] };
    for free in choices() {
        let [x, y, _] = free;
        assert_eq!(negative.inverse_on(free).is_none(), x, "{free:?}");
        assert_eq!(singular.inverse_on(free).is_none(), x, "{free:?}");
        assert_eq!(coupled.inverse_on(free).is_none(), x && y, "{free:?}");
    }
    assert_eq!(Symmetric3::diagonal([f64::NAN, 1.0, 1.0]).inverse_on([true; 3]), None);
}

#[test]
fn nothing_free_leaves_zero() {
    assert_eq!(Symmetric3::diagonal([1.0, 2.0, 3.0]).inverse_on([false; 3]), Some(Symmetric3::default()));
}

/// `B B^T + 1`: positive definite, its smallest eigenvalue at least 1.
fn definite() -> impl Strategy<Value = Symmetric3> {
    proptest::array::uniform9(-2.0..2.0f64).prop_map(|entries| {
        let factor = Mat3::from_row_slice(&entries);
        Symmetric3::from_matrix(&(factor * factor.transpose() + Mat3::identity()))
    })
}

proptest! {
    #[test]
    fn the_inverse_on_any_free_axes_is_that_of_the_smaller_system(symmetric in definite()) {
        for free in choices() {
            let inverse = symmetric.inverse_on(free).expect("positive definite").to_matrix();
            let expected = dense_inverse(&symmetric, free);
            // The largest eigenvalue is below 1 + 9 * 4 = 37 and the smallest at least 1: condition 37, inverse at most
            // 1. Two solves of some ten roundings each: 37 * 20 eps.
            let error = (inverse - expected).amax();
            prop_assert!(error <= 37.0 * 20.0 * f64::EPSILON, "{free:?}: {inverse} instead of {expected}");
            for axis in (0..3).filter(|axis| !free[*axis]) {
                prop_assert_eq!(inverse.row(axis).amax(), 0.0);
                prop_assert_eq!(inverse.column(axis).amax(), 0.0);
            }
        }
    }

    #[test]
    fn times_is_the_product_of_the_full_matrix(symmetric in definite(), v in proptest::array::uniform3(-1.0..1.0f64)) {
        let v = Vec3::from(v);
        let difference = symmetric.times(&v) - symmetric.to_matrix() * v;
        // Three products below 37 and their sums, twice: at most 10 roundings of 3 * 37.
        prop_assert!(difference.amax() <= 10.0 * 111.0 * f64::EPSILON, "{difference:?}");
    }

    #[test]
    fn a_turned_tensor_takes_a_turned_vector(
        symmetric in definite(),
        turn in proptest::array::uniform3(-3.0..3.0f64),
        v in proptest::array::uniform3(-1.0..1.0f64),
    ) {
        let rotation = *crate::math::Quat::from_scaled_axis(Vec3::from(turn)).to_rotation_matrix().matrix();
        let v = Vec3::from(v);
        let difference = symmetric.rotated(&rotation).times(&(rotation * v)) - rotation * symmetric.times(&v);
        // Five products with matrices of norm 1 or below 37, of vectors below sqrt(3): 37 sqrt(3) * 30 eps.
        prop_assert!(difference.amax() <= 64.0 * 30.0 * f64::EPSILON, "{difference:?}");
    }
}

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

#[test]
fn a_length_needs_no_squares() {
    // sqrt(4 + 9 + 36) = 7: exact in every unit that is a power of two.
    let vector = Vec3::new(2.0, -3.0, 6.0);
    for exponent in [-1070, -1000, -600, -500, -400, 0, 400, 500, 600, 1000, 1020] {
        let unit = power_of_two(exponent);
        assert_eq!(length_of(&(unit * vector)), 7.0 * unit, "2^{exponent}");
    }
    assert_eq!(length_of(&Vec3::zeros()), 0.0);
    assert!(length_of(&Vec3::new(f64::NAN, 0.0, 0.0)).is_nan());
    assert_eq!(length_of(&Vec3::new(f64::INFINITY, 0.0, 0.0)), f64::INFINITY);
}

#[test]
fn a_length_is_within_a_bound_or_not() {
    let vector = Vec3::new(2.0, -3.0, 6.0);
    assert!(is_within(&vector, 7.0) && !is_within(&vector, 6.999));
    for broken in [f64::NAN, f64::INFINITY, 1e200] {
        assert!(!is_within(&Vec3::new(0.0, broken, 0.0), 1e150));
    }
}
