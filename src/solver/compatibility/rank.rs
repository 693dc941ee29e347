//! Detects whether the rows that are held depend on each other, so that their impulses are not unique.
//!
//! A random vector, with one number for each row, is projected on the range of `J` by `J (J^T J)^-1 J^T`. The remainder
//! is a combination of rows that is zero. Rows of full rank leave no remainder. The projection is repeated, because the
//! shift of the matrix leaves a part of small displacements.

use crate::error::{Result, empty, refill};
use crate::math::scattered;
use crate::solver::compatibility::held::HeldRows;
use crate::solver::compatibility::linear::Linear;
use crate::solver::operator::blocks::{Blocks, Graph};

/// The number of projections.
const PROJECTIONS: usize = 3;

/// If rows depend on each other, the numbers keep more than this part of their norm [-].
const DEPENDENT: f64 = 1e-6;

/// The relative accuracy of a projection that is computed iteratively [-].
const ACCURACY: f64 = 1e-10;

/// Scratch buffers.
#[derive(Debug, Default)]
pub(super) struct Rank<const N: usize> {
    numbers: Vec<f64>,
    sum: Vec<[f64; N]>,
    z: Vec<[f64; N]>,
}

impl<const N: usize> Rank<N> {
    /// Returns whether some rigid rows depend on others.
    pub(super) fn is_deficient(
        &mut self,
        rows: &HeldRows<N>,
        graph: &Graph,
        blocks: &mut Blocks<N>,
        linear: &mut Linear<N>,
    ) -> Result<bool> {
        let count = rows.rigid_count();
        if count == 0 {
            return Ok(false);
        }
        empty(&mut self.numbers, count, "rows of an island")?;
        self.numbers.extend((0..count as u64).map(scattered));
        refill(&mut self.z, graph.bodies(), [0.0; N], "bodies of an island")?;
        let before = norm(&self.numbers);
        linear.direct = false;
        for _ in 0..PROJECTIONS {
            refill(&mut self.sum, graph.bodies(), [0.0; N], "bodies of an island")?;
            rows.gather(&self.numbers, &mut self.sum);
            blocks.begin(graph, 0.0)?;
            rows.square(blocks);
            if !linear.solve(graph, blocks, &self.sum, &mut self.z, ACCURACY)? {
                return Ok(true);
            }
            rows.reduce(&mut self.numbers, &self.z);
        }
        Ok(norm(&self.numbers) > DEPENDENT * before)
    }
}

fn norm(numbers: &[f64]) -> f64 {
    numbers.iter().map(|number| number * number).sum::<f64>().sqrt()
}
