//! Unsymmetric matrices on the pattern of a graph, of `N` x `N` blocks, and their factors.

use crate::error::{Result, reserve, resize};
use crate::solver::compatibility::blocks::add_product;
use crate::solver::operator::cholesky::Graph;
use crate::solver::operator::linear::Linear;

/// Added to the diagonal, in units of its largest trace: bodies that nothing holds, and directions in which all slides [-].
const SHIFT: f64 = 1e-13;

/// A matrix with one block row for each body; keeps its workspace and the analysis of its pattern.
#[derive(Debug, Default)]
pub(super) struct Unsymmetric<const N: usize> {
    /// Where the blocks of each body begin.
    starts: Vec<usize>,
    /// Of each block its column, rising within a row.
    bodies: Vec<usize>,
    blocks: Vec<[[f64; N]; N]>,
    /// The same as compressed rows.
    offsets: Vec<usize>,
    columns: Vec<usize>,
    values: Vec<f64>,
    linear: Linear,
}

/// The rows of a contact over the displacements of one of its bodies.
#[derive(Clone, Copy)]
pub(super) struct BodyRows<'a, const N: usize, const R: usize> {
    /// The number of the body in the island.
    pub(super) body: u32,
    pub(super) rows: &'a [[f64; N]; R],
}

impl<const N: usize> Unsymmetric<N> {
    /// Makes room for the pattern of a graph.
    pub(super) fn lay_out(&mut self, graph: &Graph) -> Result<()> {
        let (size, blocks) = (graph.bodies(), graph.bodies() + 2 * graph.pairs());
        self.starts.clear();
        resize(&mut self.starts, size + 2, 0, "bodies of an island")?;
        for body in 0..size {
            self.starts[body + 2] += 1 + graph.of(body).len();
            graph.of(body).iter().for_each(|high| self.starts[*high as usize + 2] += 1);
        }
        for body in 0..size {
            self.starts[body + 2] += self.starts[body + 1];
        }
        self.bodies.clear();
        resize(&mut self.bodies, blocks, 0, "pairs of an island")?;
        // starts[body + 1] runs to the end of its row: lower neighbours first, in their order
        let mut push = |starts: &mut [usize], row: usize, column: usize| {
            self.bodies[starts[row + 1]] = column;
            starts[row + 1] += 1;
        };
        for low in 0..size {
            graph.of(low).iter().for_each(|high| push(&mut self.starts, *high as usize, low));
        }
        for body in 0..size {
            push(&mut self.starts, body, body);
            graph.of(body).iter().for_each(|high| push(&mut self.starts, body, *high as usize));
        }
        self.compress(size)
    }

    fn compress(&mut self, size: usize) -> Result<()> {
        let entries = N * N * self.bodies.len();
        self.offsets.clear();
        reserve(&mut self.offsets, N * size + 1, "rows of a matrix")?;
        self.columns.clear();
        reserve(&mut self.columns, entries, "entries of a matrix")?;
        self.offsets.push(0);
        for body in 0..size {
            for _ in 0..N {
                for column in &self.bodies[self.starts[body]..self.starts[body + 1]] {
                    self.columns.extend(N * column..N * (column + 1));
                }
                self.offsets.push(self.columns.len());
            }
        }
        self.linear.analyse(&self.offsets, &self.columns)
    }

    /// Begins with nothing.
    pub(super) fn begin(&mut self) -> Result<()> {
        self.blocks.clear();
        resize(&mut self.blocks, self.bodies.len(), [[0.0; N]; N], "pairs of an island")
    }

    /// Adds `a^T tangent b` to the block of two bodies that share a contact, or of one.
    pub(super) fn add<const R: usize>(&mut self, a: BodyRows<N, R>, b: BodyRows<N, R>, tangent: &[[f64; R]; R]) {
        let (row, column) = (a.body as usize, b.body as usize);
        let first = self.starts[row];
        let bodies = &self.bodies[first..self.starts[row + 1]];
        let index = bodies.partition_point(|body| *body < column);
        add_product(&mut self.blocks[first + index], a.rows, tangent, b.rows);
    }

    /// Solves in place. `false`: the matrix is singular.
    pub(super) fn solve(&mut self, x: &mut [[f64; N]]) -> Result<bool> {
        let shift = self.shift(x.len());
        self.values.clear();
        reserve(&mut self.values, self.columns.len(), "entries of a matrix")?;
        for row in 0..x.len() {
            let range = self.starts[row]..self.starts[row + 1];
            for k in 0..N {
                for (column, block) in self.bodies[range.clone()].iter().zip(&self.blocks[range.clone()]) {
                    let first = self.values.len();
                    self.values.extend_from_slice(&block[k]);
                    self.values[first + k] += if *column == row { shift } else { 0.0 };
                }
            }
        }
        self.linear.solve(&self.values, x.as_flattened_mut())
    }

    fn shift(&self, size: usize) -> f64 {
        let trace = |row: usize| {
            let range = self.starts[row]..self.starts[row + 1];
            let own = self.bodies[range.clone()].iter().zip(&self.blocks[range]).filter(|(column, _)| **column == row);
            own.map(|(_, block)| (0..N).map(|k| block[k][k].abs()).sum::<f64>()).sum::<f64>()
        };
        let largest = (0..size).map(trace).fold(0.0, f64::max);
        SHIFT * if largest > 0.0 { largest } else { 1.0 }
    }
}
