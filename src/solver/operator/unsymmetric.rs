//! Unsymmetric matrices on the pattern of the bodies of an island, for laws without potential.

use crate::error::{Result, empty, refill};
use crate::solver::operator::blocks::{Graph, Sides, add_product};
use crate::solver::operator::linear::Linear;

/// Added to the diagonal, in units of its largest trace: bodies that nothing holds, and directions in which all slides [-].
const SHIFT: f64 = 1e-13;

/// An unsymmetric matrix of `N` x `N` blocks on the pattern of a graph, by compressed rows, and its factors; keeps its workspace and the
/// analysis of its pattern.
#[derive(Debug, Default)]
pub(in crate::solver) struct Unsymmetric<const N: usize> {
    /// The bodies of each block: of its rows, and of its columns.
    blocks: Vec<[u32; 2]>,
    offsets: Vec<usize>,
    columns: Vec<usize>,
    values: Vec<f64>,
    /// The rows that are factored; the places of their entries in `values`, and these.
    live: Vec<usize>,
    live_places: Vec<usize>,
    live_values: Vec<f64>,
    live_x: Vec<f64>,
    linear: Linear,
}

impl<const N: usize> Unsymmetric<N> {
    /// Reserves memory for the pattern of a graph.
    pub(in crate::solver) fn lay_out(&mut self, graph: &Graph) -> Result<()> {
        self.lay_out_moving(graph, |_, _| true)
    }

    /// Reserves memory for the pattern of a graph. Of each body only the components that `moves` selects are factored; the others
    /// are 0. In a plane the factors have a quarter of the entries then.
    pub(in crate::solver) fn lay_out_moving(
        &mut self,
        graph: &Graph,
        moves: impl Fn(usize, usize) -> bool,
    ) -> Result<()> {
        let blocks = graph.bodies() + 2 * graph.pairs();
        empty(&mut self.blocks, blocks, "pairs of an island")?;
        for low in 0..graph.bodies() as u32 {
            self.blocks.push([low, low]);
            graph.of(low as usize).iter().for_each(|high| self.blocks.extend([[low, *high], [*high, low]]));
        }
        self.blocks.sort_unstable();
        empty(&mut self.offsets, N * graph.bodies() + 1, "rows of a matrix")?;
        empty(&mut self.columns, N * N * blocks, "entries of a matrix")?;
        self.offsets.push(0);
        for row in self.blocks.chunk_by(|a, b| a[0] == b[0]) {
            for _ in 0..N {
                self.columns.extend(row.iter().flat_map(|[_, body]| (0..N).map(|k| N * *body as usize + k)));
                self.offsets.push(self.columns.len());
            }
        }
        self.analyse(|row| moves(row / N, row % N))
    }

    /// Analyses the pattern of the rows and columns that are live.
    fn analyse(&mut self, is_live: impl Fn(usize) -> bool) -> Result<()> {
        let rows = self.offsets.len().saturating_sub(1);
        empty(&mut self.live, rows, "rows of a matrix")?;
        self.live.extend((0..rows).filter(|row| is_live(*row)));
        let (mut numbers, mut offsets, mut columns) = (Vec::new(), Vec::new(), Vec::new());
        refill(&mut numbers, rows, usize::MAX, "rows of a matrix")?;
        self.live.iter().enumerate().for_each(|(number, row)| numbers[*row] = number);
        empty(&mut offsets, self.live.len() + 1, "rows of a matrix")?;
        empty(&mut columns, self.columns.len(), "entries of a matrix")?;
        empty(&mut self.live_places, self.columns.len(), "entries of a matrix")?;
        offsets.push(0);
        for row in &self.live {
            for place in self.offsets[*row]..self.offsets[row + 1] {
                let number = numbers[self.columns[place]];
                if number < usize::MAX {
                    columns.push(number);
                    self.live_places.push(place);
                }
            }
            offsets.push(columns.len());
        }
        refill(&mut self.live_values, columns.len(), 0.0, "entries of a matrix")?;
        refill(&mut self.live_x, self.live.len(), 0.0, "rows of a matrix")?;
        self.linear.analyse(&offsets, &columns)
    }

    /// Begins with zeros.
    pub(in crate::solver) fn begin(&mut self) -> Result<()> {
        refill(&mut self.values, self.columns.len(), 0.0, "entries of a matrix")
    }

    /// Where the entries of a row of the block of two bodies begin.
    fn place(&self, row: usize, column: usize) -> usize {
        let first = self.offsets[row];
        first + self.columns[first..self.offsets[row + 1]].partition_point(|other| *other < N * column)
    }

    /// Adds `A^T tangent A` of the rows `A` of two bodies that share a contact, or of one.
    pub(in crate::solver) fn add<const R: usize>(&mut self, sides: &Sides<N, R>, tangent: &[[f64; R]; R]) {
        for (a, rows_a) in sides.moving() {
            for (b, rows_b) in sides.moving() {
                let mut block = [[0.0; N]; N];
                let places: [usize; N] = std::array::from_fn(|k| self.place(N * a + k, b));
                for (entries, place) in block.iter_mut().zip(places) {
                    entries.copy_from_slice(&self.values[place..place + N]);
                }
                add_product(&mut block, rows_a, tangent, rows_b);
                for (entries, place) in block.iter().zip(places) {
                    self.values[place..place + N].copy_from_slice(entries);
                }
            }
        }
    }

    /// Adds to all diagonal entries.
    pub(in crate::solver) fn add_diagonal(&mut self, value: f64) {
        let bodies = self.offsets.len().saturating_sub(1) / N;
        self.add_to_diagonal(std::iter::repeat_n([value; N], bodies));
    }

    /// Adds to the diagonal entries of each body.
    pub(in crate::solver) fn add_to_diagonal(&mut self, values: impl Iterator<Item = [f64; N]>) {
        for (row, value) in values.flatten().enumerate() {
            let place = self.place(row, row / N) + row % N;
            self.values[place] += value;
        }
    }

    /// Factors the matrix, with a trace of its diagonal added. Returns `false` if it is singular.
    pub(in crate::solver) fn factor(&mut self) -> Result<bool> {
        let rows = self.offsets.len().saturating_sub(1);
        let diagonal = |row: usize| self.place(row, row / N) + row % N;
        let trace = |body: usize| (0..N).map(|k| self.values[diagonal(N * body + k)].abs()).sum::<f64>();
        let largest = (0..rows / N).map(trace).fold(0.0, f64::max);
        self.add_diagonal(SHIFT * if largest > 0.0 { largest } else { 1.0 });
        for (value, place) in self.live_values.iter_mut().zip(&self.live_places) {
            *value = self.values[*place];
        }
        self.linear.factor(&self.live_values)
    }

    /// Solves in place with the factors made last. `false`: the matrix is singular.
    pub(in crate::solver) fn solve_factored(&mut self, x: &mut [[f64; N]]) -> Result<bool> {
        let x = x.as_flattened_mut();
        for (own, row) in self.live_x.iter_mut().zip(&self.live) {
            *own = x[*row];
        }
        let is_regular = self.linear.solve_factored(&mut self.live_x)?;
        x.fill(0.0);
        for (own, row) in self.live_x.iter().zip(&self.live) {
            x[*row] = *own;
        }
        Ok(is_regular)
    }

    /// Factors the matrix and solves in place. `false`: it is singular.
    pub(in crate::solver) fn solve(&mut self, x: &mut [[f64; N]]) -> Result<bool> {
        Ok(self.factor()? && self.solve_factored(x)?)
    }
}
