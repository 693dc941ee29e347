//! Small reduced problems with answers in closed form, for every solver of the reduced problem.

use crate::solver::operator::reduced::{Block, Law, Reduced, Symmetric};
use crate::solver::problem::cone::Cone;
use crate::solver::problem::options::Progress;
use nalgebra::{DMatrix, DVector};

/// Any solver of the reduced problem, with as many steps as it likes and tolerance 0.
pub(super) type Solve = fn(&Reduced, &mut [f64]) -> Progress;

/// The problem of a dense matrix.
pub(super) fn dense(matrix: &DMatrix<f64>, q: &[f64], laws: &[Law]) -> Reduced {
    let size = q.len();
    let offsets = (0..=size).map(|row| row * size).collect();
    let columns = (0..size * size).map(|at| at % size).collect();
    let values = matrix.transpose().as_slice().to_vec();
    let mut blocks = Vec::new();
    let mut first = 0;
    for law in laws {
        let diagonal =
            |from: usize, to: usize| (from..to).map(|row| matrix[(row, row)]).sum::<f64>() / (to - from) as f64;
        let (dimension, scale, length) = match *law {
            Law::Contact { dimension: 3, .. } => (3, diagonal(first, first + 3), 1.0),
            Law::Contact { dimension, .. } => {
                let ratio = diagonal(first + 1, first + 3) / diagonal(first + 3, first + dimension);
                (dimension, diagonal(first, first + 3), ratio.sqrt())
            }
            Law::Bounded { .. } => (1, matrix[(first, first)], 1.0),
        };
        blocks.push(Block { first, law: *law, scale, length });
        first += dimension;
    }
    Reduced { matrix: Symmetric { offsets, columns, values }, q: q.to_vec(), blocks }
}

/// A contact with friction.
pub(super) fn contact(friction: f64) -> Law {
    Law::Contact { cone: Cone::of_friction(friction), dimension: 3 }
}

/// A bilateral row.
pub(super) fn bilateral() -> Law {
    bounded(f64::NEG_INFINITY, f64::INFINITY, None)
}

/// A row between bounds.
pub(super) fn bounded(lower: f64, upper: f64, of: Option<usize>) -> Law {
    Law::Bounded { lower, upper, of }
}

/// `size` uncoupled rows of mobility `mobility`.
pub(super) fn uncoupled(size: usize, mobility: f64) -> DMatrix<f64> {
    DMatrix::identity(size, size) * mobility
}

/// The answer from a cold start is `expected`, to `within`.
pub(super) fn expect(solve: Solve, problem: &Reduced, expected: &[f64], within: f64) {
    let mut lambda = vec![0.0; problem.size()];
    let progress = solve(problem, &mut lambda);
    for (row, (found, expected)) in lambda.iter().zip(expected).enumerate() {
        assert!((found - expected).abs() <= within, "row {row}: {found:e} instead of {expected:e}; {progress:?}");
    }
    let mut w = vec![0.0; problem.size()];
    problem.velocity(&lambda, &mut w);
    assert_eq!(progress.residual, problem.residual(&lambda, &w));
}

/// One contact of mobility 2 in each mode.
pub(super) fn one_contact(solve: Solve, within: f64) {
    let case = |q: [f64; 3], friction: f64, expected: [f64; 3]| {
        expect(solve, &dense(&uncoupled(3, 2.0), &q, &[contact(friction)]), &expected, within);
    };
    case([1.0, 0.2, 0.0], 0.5, [0.0, 0.0, 0.0]);
    // sticking: -q/2, inside the cone since |(0.2, 0.1)| = 0.22 < 0.5
    case([-2.0, 0.4, 0.2], 0.5, [1.0, -0.2, -0.1]);
    // sliding: mu r_n against (3, 4)/5
    case([-2.0, 3.0, 4.0], 0.5, [1.0, -0.3, -0.4]);
    case([-2.0, 3.0, 4.0], 0.0, [1.0, 0.0, 0.0]);
}

/// Rolling and twisting in a contact of mobilities 2 (translation) and 4 (rotation).
pub(super) fn rolling(solve: Solve, within: f64) {
    let diagonal = DVector::from_row_slice(&[2.0, 2.0, 2.0, 4.0, 4.0, 4.0]);
    let matrix = DMatrix::from_diagonal(&diagonal);
    let cone = Cone { friction: 0.5, rolling: 0.3, twisting: 0.05, dilation: 0.0 };
    let law = Law::Contact { cone, dimension: 6 };
    // r_n = 1; rolling sticks at -0.4/4 within 0.3; twisting would need -0.5/4 and slides at 0.05
    let q = [-2.0, 0.4, 0.0, 0.4, 0.0, 0.5];
    expect(solve, &dense(&matrix, &q, &[law]), &[1.0, -0.2, 0.0, -0.1, 0.0, -0.05], within);
    // all three slide, rolling against (3, 4)/5
    let q = [-2.0, 0.0, 3.0, 3.0, 4.0, -9.0];
    expect(solve, &dense(&matrix, &q, &[law]), &[1.0, 0.0, -0.5, -0.18, -0.24, 0.05], within);
    let five = matrix.view((0, 0), (5, 5)).into_owned();
    let law = Law::Contact { cone, dimension: 5 };
    expect(solve, &dense(&five, &q[..5], &[law]), &[1.0, 0.0, -0.5, -0.18, -0.24], within);
}

/// Rows between bounds, alone and coupled.
pub(super) fn rows(solve: Solve, within: f64) {
    // W^-1 = [[3, -1], [-1, 2]]/5, so -W^-1 (1, -2) = (-1, 1)
    let matrix = DMatrix::from_row_slice(2, 2, &[2.0, 1.0, 1.0, 3.0]);
    expect(solve, &dense(&matrix, &[1.0, -2.0], &[bilateral(), bilateral()]), &[-1.0, 1.0], within);
    // the second at its upper bound: 2 x + 0.5 + 1 = 0
    let laws = [bilateral(), bounded(-0.5, 0.5, None)];
    expect(solve, &dense(&matrix, &[1.0, -2.0], &laws), &[-0.75, 0.5], within);
    // a normal row, and two friction rows bounded by half of its impulse 1: one slides, one sticks at -0.4/2
    let laws = [bounded(0.0, f64::INFINITY, None), bounded(-0.5, 0.5, Some(0)), bounded(-0.5, 0.5, Some(0))];
    expect(solve, &dense(&uncoupled(3, 2.0), &[-2.0, 3.0, 0.4], &laws), &[1.0, -0.5, -0.2], within);
}

/// A box of mass 2 on four corners, redundant: half width 0.5, half height 0.1, moments of inertia 1.
/// `velocity` is that of its centre before the contacts; gravity is along -z, the normals along +z.
pub(super) fn box_on_corners(velocity: [f64; 3], friction: f64) -> Reduced {
    let mut jacobian = DMatrix::zeros(12, 6);
    for corner in 0..4 {
        let arm = [if corner % 2 == 0 { 0.5 } else { -0.5 }, if corner < 2 { 0.5 } else { -0.5 }, -0.1];
        for (row, axis) in [2, 0, 1].into_iter().enumerate() {
            let at = 3 * corner + row;
            jacobian[(at, axis)] = 1.0;
            // u = v + omega x r: the row of omega is r x axis
            let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
            jacobian[(at, 3 + next)] = arm[last];
            jacobian[(at, 3 + last)] = -arm[next];
        }
    }
    let inverse = DMatrix::from_diagonal(&DVector::from_row_slice(&[0.5, 0.5, 0.5, 1.0, 1.0, 1.0]));
    let matrix = &jacobian * inverse * jacobian.transpose();
    let motion = DVector::from_row_slice(&[velocity[0], velocity[1], velocity[2], 0.0, 0.0, 0.0]);
    dense(&matrix, (&jacobian * motion).as_slice(), &[contact(friction); 4])
}

/// The box at rest and sliding: forces are not unique, their sums and the velocities are.
pub(super) fn redundant_box(solve: Solve, within: f64) {
    let sums = |lambda: &[f64]| [0, 1, 2].map(|part| (0..4).map(|corner| lambda[3 * corner + part]).sum::<f64>());
    // friction holds: the impulse is -m v = (2, -0.2, 0)
    let cases = [([0.1, 0.0, -1.0], [2.0, -0.2, 0.0], 0.0), ([3.0, 0.0, -1.0], [2.0, -1.0, 0.0], 2.5)];
    for (velocity, expected, left) in cases {
        let problem = box_on_corners(velocity, 0.5);
        let mut lambda = vec![0.0; 12];
        let progress = solve(&problem, &mut lambda);
        let found = sums(&lambda);
        for part in 0..3 {
            assert!((found[part] - expected[part]).abs() <= within, "{found:?} instead of {expected:?}; {progress:?}");
        }
        let mut w = vec![0.0; 12];
        problem.velocity(&lambda, &mut w);
        // sliding takes mu times the normal impulse, 1 of 6, so 2.5 m/s are left
        for corner in 0..4 {
            assert!((w[3 * corner + 1] - left).abs() <= within, "{w:?}; {progress:?}");
            assert!(w[3 * corner].abs() <= within, "{w:?}; {progress:?}");
        }
    }
}

/// Two rows that ask for velocities 4 m/s apart of one and the same motion: half of the difference must stay at each.
pub(super) fn infeasible(solve: Solve) {
    let matrix = DMatrix::from_element(2, 2, 1.0);
    let problem = dense(&matrix, &[3.0, -1.0], &[bilateral(), bilateral()]);
    let mut lambda = vec![0.0; 2];
    let progress = solve(&problem, &mut lambda);
    // least squares: lambda_1 + lambda_2 = -1, w = (2, -2); gains below a thousandth are not pursued
    assert!((2.0..=2.002).contains(&progress.residual), "{progress:?}");
    assert!((lambda[0] + lambda[1] + 1.0).abs() <= 2e-3, "{lambda:?}");
}

/// Whatever the start, the result is not worse, obeys the cone, and a solution is handed back as it is.
pub(super) fn never_worse(solve: fn(&Reduced, &mut [f64], u32) -> Progress) {
    let problem = box_on_corners([3.0, 0.2, -1.0], 0.5);
    let mut w = vec![0.0; 12];
    for steps in 0..6 {
        let mut lambda: Vec<f64> = (0..12).map(|row| f64::from((row * 7 + steps as i32) % 5) * 100.0 - 150.0).collect();
        problem.project(&mut lambda);
        problem.velocity(&lambda, &mut w);
        let before = problem.residual(&lambda, &w);
        let progress = solve(&problem, &mut lambda, steps);
        assert!(progress.residual <= before, "{steps} steps: {before:e} before, {progress:?}");
        assert!(progress.iterations <= steps);
        for corner in lambda.chunks(3) {
            // twice the rounding of a product and a norm
            assert!(corner[1].hypot(corner[2]) <= 0.5 * corner[0] * (1.0 + 4.0 * f64::EPSILON), "{corner:?}");
        }
    }
    // this one is exact: the impulses at all corners are the same, and no torque remains of them
    let problem = box_on_corners([0.0, 0.0, -1.0], 0.5);
    let mut lambda = [0.5, 0.0, 0.0].repeat(4);
    let progress = solve(&problem, &mut lambda, 100);
    assert_eq!(lambda, [0.5, 0.0, 0.0].repeat(4));
    assert_eq!(progress.iterations, 0);
    // no number at all
    let mut lambda = vec![f64::NAN; 12];
    lambda[3] = f64::INFINITY;
    let progress = solve(&problem, &mut lambda, 1000);
    assert!(lambda.iter().all(|value| value.is_finite()) && progress.residual < 1e-12, "{progress:?}");
}

/// A block that no impulse changes stays where its bounds leave it, and does not spoil the others.
pub(super) fn immovable(solve: Solve) {
    let mut matrix = uncoupled(7, 2.0);
    for row in 3..6 {
        matrix[(row, row)] = 0.0;
    }
    let laws = [contact(0.5), contact(0.5), bilateral()];
    let problem = dense(&matrix, &[-2.0, 3.0, 4.0, -1.0, 1.0, 0.0, 2.0], &laws);
    let mut lambda = [0.0, 0.0, 0.0, 1.0, 0.25, 0.0, 0.0];
    let progress = solve(&problem, &mut lambda);
    // diagonal blocks: each row is one division, so a few units in the last place
    let expected = [1.0, -0.3, -0.4, 1.0, 0.25, 0.0, -1.0];
    for (found, expected) in lambda.iter().zip(expected) {
        assert!((found - expected).abs() <= 1e-14, "{lambda:?}; {progress:?}");
    }
}
