//! The linear system of a Newton step. It is solved by conjugate gradients with symmetric block overrelaxation as
//! preconditioner. Small islands, and those for which gradients take too long, are solved by a Cholesky factorisation.
//!
//! With `H = L + D + L^T` and `E = D / w` the preconditioner is `(E + L) E^-1 (E + L^T)`. Gradients run on the split
//! system `(E + L)^-1 H (E + L^T)^-1`, preconditioned by `D^-1`. Its product with `p` is (Eisenstat 1981)
//!
//! ```text
//! t + (E + L)^-1 (L^T t + (D - E) t),     t = (E + L^T)^-1 p,     D t = w (p - L^T t)
//! ```
//!
//! so that a step costs as much as one with the diagonal blocks alone. A pile takes half as many steps.

use crate::error::{Result, refill};
use crate::math::elementary::square;
use crate::solver::compatibility::network::norm;
use crate::solver::operator::blocks::{Blocks, Graph, dot};
use crate::solver::operator::cholesky::Cholesky;

/// Islands of at most this number of bodies are factored: that is as fast, and more exact.
const SMALL: usize = 60;

/// The largest number of gradient steps. They cost as much as a factorisation of a pile. If they do not suffice,
/// contacts are so few that the factorisation is cheap.
const MAX_STEPS: usize = 1000;

/// `w`; the pyramid of 22 140 spheres takes a quarter less time than at 1, that of 2870 a tenth [-].
const RELAXATION: f64 = 1.4;

/// Added to the diagonal, in units of its trace. It is for bodies that no contact holds, and turns that no contact
/// resists [-].
const SHIFT: f64 = 1e-13;

/// Solves the systems of Newton steps, and stores the workspace and the symbolic factors.
#[derive(Debug, Default)]
pub(super) struct Linear<const N: usize> {
    cholesky: Cholesky<N>,
    /// Whether gradients were too slow for the present island.
    pub(super) direct: bool,
    /// `w D^-1`.
    inverses: Vec<[[f64; N]; N]>,
    /// The residual of the split system. Below, `D` times the residual.
    rest: Vec<[f64; N]>,
    weighted: Vec<[f64; N]>,
    direction: Vec<[f64; N]>,
    /// `t` of the direction.
    step: Vec<[f64; N]>,
    /// The product with the direction, minus `t`.
    image: Vec<[f64; N]>,
}

impl<const N: usize> Linear<N> {
    /// Solves `H x = b` to `relative` of the norm of `b`. Returns `false` if no solution was found.
    pub(super) fn solve(
        &mut self,
        graph: &Graph,
        blocks: &mut Blocks<N>,
        b: &[[f64; N]],
        x: &mut [[f64; N]],
        relative: f64,
    ) -> Result<bool> {
        shift(blocks);
        if graph.bodies() > SMALL && !self.direct {
            if self.descend(graph, blocks, b, x, relative)? {
                return Ok(true);
            }
            self.direct = true;
        }
        self.factor(graph, blocks, b, x)
    }

    fn factor(&mut self, graph: &Graph, blocks: &Blocks<N>, b: &[[f64; N]], x: &mut [[f64; N]]) -> Result<bool> {
        if !self.cholesky.factor(graph, blocks)? {
            return Ok(false);
        }
        x.copy_from_slice(b);
        self.cholesky.solve(x.as_flattened_mut());
        // Once more, to remove the effect of the shift and of round-off.
        refill(&mut self.image, x.len(), [0.0; N], "bodies of an island")?;
        blocks.multiply(graph, x, &mut self.image);
        for (image, b) in self.image.iter_mut().zip(b) {
            *image = std::array::from_fn(|k| b[k] - image[k]);
        }
        self.cholesky.solve(self.image.as_flattened_mut());
        x.iter_mut().flatten().zip(self.image.as_flattened()).for_each(|(x, more)| *x += more);
        Ok(x.iter().flatten().all(|x| x.is_finite()))
    }

    fn descend(
        &mut self,
        graph: &Graph,
        blocks: &Blocks<N>,
        b: &[[f64; N]],
        x: &mut [[f64; N]],
        relative: f64,
    ) -> Result<bool> {
        self.reserve_memory(blocks)?;
        x.fill([0.0; N]);
        self.rest.copy_from_slice(b);
        let enough = relative * norm(b);
        blocks.solve_lower(graph, &self.inverses, &mut self.rest);
        let mut now = self.move_and_measure(blocks, x, 0.0);
        // Only the residual in the norm of the preconditioner is known here.
        let mut target = relative * relative * now;
        let mut kept = 0.0;
        for _ in 0..MAX_STEPS {
            let Self { inverses, weighted, direction, step, image, .. } = self;
            for (direction, weighted) in direction.iter_mut().zip(weighted.iter()) {
                *direction = std::array::from_fn(|k| weighted[k] + kept * direction[k]);
            }
            blocks.solve_upper(graph, inverses, direction, step, image);
            blocks.solve_lower(graph, inverses, image);
            let products = direction.iter().zip(step.iter().zip(image.iter()));
            let curvature: f64 = products.map(|(p, (t, v))| dot(p, t) + dot(p, v)).sum();
            if curvature.is_nan() || curvature <= 0.0 {
                return Ok(false);
            }
            let before = now;
            now = self.move_and_measure(blocks, x, before / curvature);
            if now <= target {
                blocks.multiply_lower(graph, &self.rest, &mut self.image);
                let left = norm(&self.image);
                if left <= enough {
                    return Ok(true);
                }
                target = now * (0.5 * square(enough / left)).min(0.5);
            }
            kept = now / before;
        }
        Ok(false)
    }

    fn reserve_memory(&mut self, blocks: &Blocks<N>) -> Result<()> {
        let bodies = blocks.diagonal.len();
        refill(&mut self.inverses, bodies, [[0.0; N]; N], "bodies of an island")?;
        for (inverse, block) in self.inverses.iter_mut().zip(&blocks.diagonal) {
            *inverse = inverted(block).map(|row| row.map(|entry| RELAXATION * entry));
        }
        let Self { rest, weighted, direction, step, image, .. } = self;
        for vector in [rest, weighted, direction, step, image] {
            refill(vector, bodies, [0.0; N], "bodies of an island")?;
        }
        Ok(())
    }

    /// Moves along the step. Returns the square of the norm of the residual there.
    fn move_and_measure(&mut self, blocks: &Blocks<N>, x: &mut [[f64; N]], length: f64) -> f64 {
        let Self { rest, weighted, step, image, .. } = self;
        let steps = x.iter_mut().zip(step.iter().zip(image.iter()));
        let mut square = 0.0;
        for (((x, (t, v)), rest), (weighted, block)) in
            steps.zip(rest.iter_mut()).zip(weighted.iter_mut().zip(&blocks.diagonal))
        {
            for k in 0..N {
                x[k] += length * t[k];
                rest[k] -= length * (t[k] + v[k]);
            }
            *weighted = std::array::from_fn(|k| dot(&block[k], rest));
            square += dot(rest, weighted);
        }
        square
    }
}

impl<const N: usize> Blocks<N> {
    /// Replaces `x` by `(D / w + L)^-1 x`. `inverses` are those of `D / w`.
    fn solve_lower(&self, graph: &Graph, inverses: &[[[f64; N]; N]], x: &mut [[f64; N]]) {
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
    fn solve_upper(
        &self,
        graph: &Graph,
        inverses: &[[[f64; N]; N]],
        b: &[[f64; N]],
        x: &mut [[f64; N]],
        y: &mut [[f64; N]],
    ) {
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
            y[low] = std::array::from_fn(|k| sum[k] + (RELAXATION - 1.0) * rest[k]);
            x[low] = std::array::from_fn(|row| dot(&inverse[row], &rest));
            blocks = others;
        }
    }

    /// Computes `y = (D / w + L) x`.
    fn multiply_lower(&self, graph: &Graph, x: &[[f64; N]], y: &mut [[f64; N]]) {
        for ((y, block), x) in y.iter_mut().zip(&self.diagonal).zip(x) {
            *y = std::array::from_fn(|row| dot(&block[row], x) / RELAXATION);
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

/// Adds the shift that makes the matrix regular to the diagonal.
fn shift<const N: usize>(blocks: &mut Blocks<N>) {
    let trace = |block: &[[f64; N]; N]| (0..N).map(|k| block[k][k]).sum::<f64>();
    let largest = blocks.diagonal.iter().map(trace).fold(0.0, f64::max);
    let shift = SHIFT * if largest > 0.0 { largest } else { 1.0 };
    for block in &mut blocks.diagonal {
        (0..N).for_each(|k| block[k][k] += shift);
    }
}

/// Returns the inverse of a symmetric positive definite block, by elimination without pivots.
fn inverted<const N: usize>(block: &[[f64; N]; N]) -> [[f64; N]; N] {
    let mut left = *block;
    let mut right: [[f64; N]; N] = std::array::from_fn(|i| std::array::from_fn(|j| if i == j { 1.0 } else { 0.0 }));
    for pivot in 0..N {
        let inverse = 1.0 / left[pivot][pivot];
        left[pivot] = left[pivot].map(|x| inverse * x);
        right[pivot] = right[pivot].map(|x| inverse * x);
        let (pivot_left, pivot_right) = (left[pivot], right[pivot]);
        for row in (0..N).filter(|row| *row != pivot) {
            let factor = left[row][pivot];
            for k in 0..N {
                left[row][k] -= factor * pivot_left[k];
                right[row][k] -= factor * pivot_right[k];
            }
        }
    }
    right
}
