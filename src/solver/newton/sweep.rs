//! Sweeps over the blocks of the proximal problem, each solved alone: what frees Newton's method where it is caught
//! between two pieces of the laws.

use crate::solver::gauss_seidel::local;
use crate::solver::newton::map::bounds;
use crate::solver::newton::scaled::{Block, Scaled, ScaledLaw};
use crate::solver::operator::reduced::{parts, write_parts};
use crate::solver::problem::cone::{Cone, Parts};

/// One sweep of `y = (W + alpha) x + q - alpha center`.
pub(super) fn sweep(scaled: &Scaled, alpha: f64, center: &[f64], x: &mut [f64]) {
    for block in &scaled.blocks {
        let rows = block.first..block.first + block.dimension;
        let mut y = [0.0; 6];
        for (y, row) in y.iter_mut().zip(rows) {
            *y = scaled.q[row] + scaled.matrix.row_times(row, x) + alpha * (x[row] - center[row]);
        }
        match block.law {
            ScaledLaw::Fixed => {}
            ScaledLaw::Bounded { lower, upper, of } => {
                let (lower, upper) = bounds(lower, upper, of, x);
                let row = block.first;
                x[row] = (x[row] - y[0] / (scaled.matrix.entry(row, row) + alpha)).min(upper).max(lower);
            }
            ScaledLaw::Contact(cone) if block.dimension == 3 => contact(scaled, alpha, block, &cone, &y, x),
            ScaledLaw::Contact(cone) => rolling(scaled, alpha, block, &cone, &y, x),
        }
    }
}

/// The diagonal block.
fn diagonal(scaled: &Scaled, alpha: f64, block: &Block) -> [[f64; 6]; 6] {
    let mut d = [[0.0; 6]; 6];
    for (i, row) in d.iter_mut().enumerate().take(block.dimension) {
        for (k, entry) in row.iter_mut().enumerate().take(block.dimension) {
            *entry = scaled.matrix.entry(block.first + i, block.first + k);
        }
        row[i] += alpha;
    }
    d
}

fn contact(scaled: &Scaled, alpha: f64, block: &Block, cone: &Cone, y: &[f64; 6], x: &mut [f64]) {
    let d = diagonal(scaled, alpha, block);
    let first = block.first;
    let mut q = [y[0], y[1], y[2]];
    for i in 0..3 {
        for k in 0..3 {
            q[i] -= d[i][k] * x[first + k];
        }
    }
    let n = d[0][0];
    let s = [d[1][1] - d[0][1] * d[0][1] / n, d[1][2] - d[0][1] * d[0][2] / n, d[2][2] - d[0][2] * d[0][2] / n];
    // Jacobi's rotation of the 2 by 2 block
    let (c, e) = if s[1] == 0.0 {
        (1.0, 0.0)
    } else {
        let tau = (s[2] - s[0]) / (2.0 * s[1]);
        let t = tau.signum() / (tau.abs() + (1.0 + tau * tau).sqrt());
        let c = 1.0 / (1.0 + t * t).sqrt();
        (c, t * c)
    };
    let turn = |a: f64, b: f64| [c * a - e * b, e * a + c * b];
    let t = if c == 0.0 { 0.0 } else { e / c };
    let tangential = [(s[0] - t * s[1]).max(alpha), (s[2] + t * s[1]).max(alpha)];
    let local = local::Block { normal: n, coupling: turn(d[0][1], d[0][2]), tangential };
    let [q1, q2] = turn(q[1], q[2]);
    let ([r_n, r1, r2], _) = local.solve(&[q[0], q1, q2], cone.friction);
    x[first] = r_n;
    x[first + 1] = c * r1 + e * r2;
    x[first + 2] = -e * r1 + c * r2;
}

fn rolling(scaled: &Scaled, alpha: f64, block: &Block, cone: &Cone, y: &[f64; 6], x: &mut [f64]) {
    let d = diagonal(scaled, alpha, block);
    let dimension = block.dimension;
    let rho = 1.0 / (0..dimension).map(|i| d[i][..dimension].iter().map(|v| v.abs()).sum::<f64>()).fold(0.0, f64::max);
    let rows = &mut x[block.first..block.first + dimension];
    let mut y = *y;
    for _ in 0..20 {
        let before: [f64; 6] = std::array::from_fn(|k| if k < dimension { rows[k] } else { 0.0 });
        let (a, b) = (parts(rows, dimension), parts(&y[..dimension], dimension));
        let trial = Parts {
            normal: a.normal - rho * (b.normal + cone.shift(&b)),
            bounded: std::array::from_fn(|k| a.bounded[k] - rho * b.bounded[k]),
        };
        write_parts(&cone.projected(&trial), rows);
        for i in 0..dimension {
            for k in 0..dimension {
                y[i] += d[i][k] * (rows[k] - before[k]);
            }
        }
    }
}
