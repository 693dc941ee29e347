//! The laws of the pieces of a program as projections on the admissible impulses, in a diagonal metric, with derivatives.

use crate::solver::conic::program::{Law, ROWS, Small};
use crate::solver::problem::cone::Cone;

/// The rows of the parts of a contact: friction, rolling, twisting.
pub(in crate::solver) const PARTS: [std::ops::Range<usize>; 3] = [1..3, 3..5, 5..6];

/// An impulse, and its derivative with respect to `f`.
#[derive(Debug, Clone, Copy)]
pub(in crate::solver) struct Answer {
    pub(in crate::solver) lambda: [f64; ROWS],
    pub(in crate::solver) slope: Small,
}

const NOTHING: Answer = Answer { lambda: [0.0; ROWS], slope: [[0.0; ROWS]; ROWS] };

/// Returns the impulses `lambda` of a law that minimise `1/2 lambda A lambda - f lambda`, and `d lambda / d f`. `A` has
/// the diagonal `a` above zero.
pub(in crate::solver) fn answer(law: &Law, rows: usize, a: &[f64; ROWS], f: &[f64; ROWS]) -> Answer {
    let mut answer = NOTHING;
    match law {
        Law::Still => {}
        Law::Free => {
            answer.lambda[0] = f[0] / a[0];
            answer.slope[0][0] = 1.0 / a[0];
        }
        Law::Bounded { lower, upper } => {
            let free = f[0] / a[0];
            answer.lambda[0] = free.min(*upper).max(*lower);
            answer.slope[0][0] = if answer.lambda[0] == free { 1.0 / a[0] } else { 0.0 };
        }
        Law::Contact(cone) => contact(cone, rows, a, f, &mut answer),
    }
    answer
}

/// Returns the nearest impulses of a law.
pub(in crate::solver) fn nearest(law: &Law, rows: usize, lambda: &[f64; ROWS]) -> [f64; ROWS] {
    match law {
        Law::Still => *lambda,
        _ => answer(law, rows, &[1.0; ROWS], lambda).lambda,
    }
}

/// Computes the impulses of a contact. In the variables `y = sqrt(a) lambda` the metric is Euclidean, and the cone has
/// other bounds.
fn contact(cone: &Cone, rows: usize, a: &[f64; ROWS], f: &[f64; ROWS], answer: &mut Answer) {
    let roots = a.map(f64::sqrt);
    let bound = |mu: f64, row: usize| mu * roots[row] / roots[0];
    let cone = Cone {
        friction: bound(cone.friction, 1),
        rolling: bound(cone.rolling, 3),
        twisting: bound(cone.twisting, 5),
        ..*cone
    };
    let y: [f64; ROWS] = std::array::from_fn(|row| if row < rows { f[row] / roots[row] } else { 0.0 });
    let lengths = PARTS.map(|part| y[part].iter().map(|y| y * y).sum::<f64>().sqrt());
    let (normal, factors) = cone.project(y[0], lengths);
    if normal <= 0.0 {
        return;
    }
    // A point outside moves along the edge of the cone, and turns about its axis.
    let mut edge = [0.0; ROWS];
    let mut weight = 1.0;
    edge[0] = 1.0;
    answer.lambda[0] = normal / roots[0];
    for ((part, mu), (factor, length)) in PARTS.into_iter().zip(cone.bounds()).zip(factors.into_iter().zip(lengths)) {
        if mu == 0.0 || part.start >= rows {
            continue;
        }
        let is_outside = factor < 1.0;
        let turning = if is_outside { factor } else { 1.0 };
        if is_outside {
            weight += mu * mu;
        }
        for row in part.clone() {
            answer.lambda[row] = factor * y[row] / roots[row];
            answer.slope[row][row] = turning;
            if is_outside {
                edge[row] = mu * y[row] / length;
                for other in part.clone() {
                    answer.slope[row][other] -= turning * y[row] * y[other] / (length * length);
                }
            }
        }
    }
    for row in 0..rows {
        for other in 0..rows {
            answer.slope[row][other] =
                (answer.slope[row][other] + edge[row] * edge[other] / weight) / (roots[row] * roots[other]);
        }
    }
}
