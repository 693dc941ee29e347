//! The Newton step: conjugate gradients with the inverses of the diagonal blocks, or a Cholesky factor where islands are
//! small and where gradients take too long.

use crate::error::{Result, resize};
use crate::solver::cholesky::{Cholesky, Graph};
use crate::solver::compatibility::blocks::{Blocks, dot};
use crate::solver::compatibility::network::norm;

/// Islands of so many bodies are factored: that is as fast there, and more exact.
const SMALL: usize = 60;

/// So many gradient steps cost as much as a factor of a pile; where they do not suffice, contacts are so few that the
/// factor is cheap.
const MOST_STEPS: usize = 1000;

/// Added to the diagonal, in units of its trace: bodies that nothing holds, and turns that no contact feels [-].
const SHIFT: f64 = 1e-13;

/// Solves Newton steps; keeps its workspace, and the symbolic factors.
#[derive(Debug, Default)]
pub(super) struct Linear<const N: usize> {
    cholesky: Cholesky<N>,
    /// Whether gradients were too slow for this island.
    pub(super) direct: bool,
    inverses: Vec<[[f64; N]; N]>,
    rest: Vec<[f64; N]>,
    direction: Vec<[f64; N]>,
    image: Vec<[f64; N]>,
}

impl<const N: usize> Linear<N> {
    /// `x` with `H x = b`, to `relative` of the norm of `b`. `false`: none was found.
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
        self.cholesky.begin(graph, 0.0)?;
        let mut lower = blocks.lower.iter();
        for (body, block) in blocks.diagonal.iter().enumerate() {
            self.cholesky.add_block(body, body, block);
            for (high, block) in graph.of(body).iter().zip(&mut lower) {
                self.cholesky.add_block(*high as usize, body, block);
            }
        }
        if !self.cholesky.factor()? {
            return Ok(false);
        }
        x.copy_from_slice(b);
        self.cholesky.solve(x.as_flattened_mut());
        // once more, for what the shift and round-off left
        self.image.clear();
        resize(&mut self.image, x.len(), [0.0; N], "bodies of an island")?;
        blocks.multiply(graph, x, &mut self.image);
        for (image, b) in self.image.iter_mut().zip(b) {
            *image = std::array::from_fn(|k| b[k] - image[k]);
        }
        self.cholesky.solve(self.image.as_flattened_mut());
        add(x, 1.0, &self.image);
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
        let Self { inverses, rest, direction, image, .. } = self;
        inverses.clear();
        resize(inverses, b.len(), [[0.0; N]; N], "bodies of an island")?;
        for (inverse, block) in inverses.iter_mut().zip(&blocks.diagonal) {
            *inverse = inverted(block);
        }
        for vector in [&mut *rest, &mut *direction, &mut *image] {
            vector.clear();
            resize(vector, b.len(), [0.0; N], "bodies of an island")?;
        }
        x.fill([0.0; N]);
        rest.copy_from_slice(b);
        let enough = relative * norm(b);
        let mut before = 1.0;
        for step in 0..MOST_STEPS {
            let weighted = |inverse: &[[f64; N]; N], rest: &[f64; N]| -> [f64; N] {
                std::array::from_fn(|k| dot(&inverse[k], rest))
            };
            let now: f64 = inverses.iter().zip(rest.iter()).map(|(inverse, r)| dot(&weighted(inverse, r), r)).sum();
            let kept = if step == 0 { 0.0 } else { now / before };
            for ((direction, inverse), rest) in direction.iter_mut().zip(inverses.iter()).zip(rest.iter()) {
                let weighted = weighted(inverse, rest);
                *direction = std::array::from_fn(|k| weighted[k] + kept * direction[k]);
            }
            blocks.multiply(graph, direction, image);
            let curvature: f64 = direction.iter().zip(image.iter()).map(|(p, q)| dot(p, q)).sum();
            if curvature.is_nan() || curvature <= 0.0 {
                return Ok(false);
            }
            let length = now / curvature;
            add(x, length, direction);
            add(rest, -length, image);
            if norm(rest) <= enough {
                return Ok(true);
            }
            before = now;
        }
        Ok(false)
    }
}

/// Adds to the diagonal what makes the matrix regular.
fn shift<const N: usize>(blocks: &mut Blocks<N>) {
    let trace = |block: &[[f64; N]; N]| (0..N).map(|k| block[k][k]).sum::<f64>();
    let largest = blocks.diagonal.iter().map(trace).fold(0.0, f64::max);
    let shift = SHIFT * if largest > 0.0 { largest } else { 1.0 };
    for block in &mut blocks.diagonal {
        (0..N).for_each(|k| block[k][k] += shift);
    }
}

fn add<const N: usize>(x: &mut [[f64; N]], factor: f64, y: &[[f64; N]]) {
    for (x, y) in x.iter_mut().zip(y) {
        for (x, y) in x.iter_mut().zip(y) {
            *x += factor * y;
        }
    }
}

/// The inverse of a symmetric positive definite block, by elimination without pivots.
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
