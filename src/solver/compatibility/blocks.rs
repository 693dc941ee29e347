//! Symmetric matrices of `N` x `N` blocks, one block row for each body of an island.

use crate::error::{Result, resize};
use crate::solver::operator::cholesky::Graph;

/// A symmetric matrix on the pattern of a graph.
#[derive(Debug, Default)]
pub(super) struct Blocks<const N: usize> {
    pub(super) diagonal: Vec<[[f64; N]; N]>,
    /// One for each pair of the graph: rows of the higher body, columns of the lower one.
    pub(super) lower: Vec<[[f64; N]; N]>,
}

/// The vectors of [`Blocks::solve_upper`].
pub(super) struct UpperSystem<'a, const N: usize> {
    pub(super) b: &'a [[f64; N]],
    /// `w`.
    pub(super) relaxation: f64,
    pub(super) x: &'a mut [[f64; N]],
    pub(super) y: &'a mut [[f64; N]],
}

impl<const N: usize> Blocks<N> {
    /// Begins with nothing.
    pub(super) fn begin(&mut self, graph: &Graph) -> Result<()> {
        self.diagonal.clear();
        resize(&mut self.diagonal, graph.bodies(), [[0.0; N]; N], "bodies of an island")?;
        self.lower.clear();
        resize(&mut self.lower, graph.pairs(), [[0.0; N]; N], "pairs of an island")
    }

    /// `y = H x`.
    pub(super) fn multiply(&self, graph: &Graph, x: &[[f64; N]], y: &mut [[f64; N]]) {
        for ((y, block), x) in y.iter_mut().zip(&self.diagonal).zip(x) {
            *y = std::array::from_fn(|row| dot(&block[row], x));
        }
        let mut blocks = self.lower.iter();
        for low in 0..graph.bodies() {
            let x_low = x[low];
            let mut sum = y[low];
            for (high, block) in graph.of(low).iter().zip(&mut blocks) {
                let (x_high, y_high) = (&x[*high as usize], &mut y[*high as usize]);
                for row in 0..N {
                    y_high[row] += dot(&block[row], &x_low);
                    for column in 0..N {
                        sum[column] += block[row][column] * x_high[row];
                    }
                }
            }
            y[low] = sum;
        }
    }

    /// `x` becomes `(D / w + L)^-1 x`; `inverses` are those of `D / w`.
    pub(super) fn solve_lower(&self, graph: &Graph, inverses: &[[[f64; N]; N]], x: &mut [[f64; N]]) {
        let mut blocks = &self.lower[..];
        for (low, inverse) in inverses.iter().enumerate() {
            let x_low = std::array::from_fn(|row| dot(&inverse[row], &x[low]));
            x[low] = x_low;
            let (own, others) = blocks.split_at(graph.of(low).len());
            for (high, block) in graph.of(low).iter().zip(own) {
                let x_high = &mut x[*high as usize];
                for (x_high, row) in x_high.iter_mut().zip(block) {
                    *x_high -= dot(row, &x_low);
                }
            }
            blocks = others;
        }
    }

    /// Computes `x = (D / w + L^T)^-1 b`, and `y = L^T x + (1 - 1 / w) D x`. `inverses` are those of `D / w`.
    pub(super) fn solve_upper(&self, graph: &Graph, inverses: &[[[f64; N]; N]], system: UpperSystem<N>) {
        let UpperSystem { b, relaxation, x, y } = system;
        let mut blocks = &self.lower[..];
        for (low, inverse) in inverses.iter().enumerate().rev() {
            let (others, own) = blocks.split_at(blocks.len() - graph.of(low).len());
            let mut sum = [0.0; N];
            for (high, block) in graph.of(low).iter().zip(own) {
                for (row, x_high) in block.iter().zip(&x[*high as usize]) {
                    for (sum, entry) in sum.iter_mut().zip(row) {
                        *sum += entry * x_high;
                    }
                }
            }
            let rest = std::array::from_fn(|k| b[low][k] - sum[k]);
            y[low] = std::array::from_fn(|k| sum[k] + (relaxation - 1.0) * rest[k]);
            x[low] = std::array::from_fn(|row| dot(&inverse[row], &rest));
            blocks = others;
        }
    }

    /// `y = (D / w + L) x`.
    pub(super) fn multiply_lower(&self, graph: &Graph, relaxation: f64, x: &[[f64; N]], y: &mut [[f64; N]]) {
        for ((y, block), x) in y.iter_mut().zip(&self.diagonal).zip(x) {
            *y = std::array::from_fn(|row| dot(&block[row], x) / relaxation);
        }
        let mut blocks = self.lower.iter();
        for (low, x_low) in x.iter().enumerate() {
            for (high, block) in graph.of(low).iter().zip(&mut blocks) {
                for (y_high, row) in y[*high as usize].iter_mut().zip(block) {
                    *y_high += dot(row, x_low);
                }
            }
        }
    }
}

#[inline(always)]
pub(super) fn dot<const N: usize>(x: &[f64; N], y: &[f64; N]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

/// `block += a^T t b`, `a` and `b` being rows of a contact over the displacements of two bodies.
#[inline(always)]
pub(super) fn add_product<const N: usize, const R: usize>(
    block: &mut [[f64; N]; N],
    a: &[[f64; N]; R],
    t: &[[f64; R]; R],
    b: &[[f64; N]; R],
) {
    for (i, t) in t.iter().enumerate() {
        let tb: [f64; N] = std::array::from_fn(|column| (0..R).map(|j| t[j] * b[j][column]).sum());
        for (row, entries) in block.iter_mut().enumerate() {
            for (entry, tb) in entries.iter_mut().zip(&tb) {
                *entry += a[i][row] * tb;
            }
        }
    }
}
