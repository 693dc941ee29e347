//! Cholesky factors of symmetric positive definite matrices of `N` x `N` blocks, one block row for each body.
//!
//! The symbolic part depends on the pairs of bodies alone, and is kept while these stay. The file knows no contact.

use crate::error::{Error, Kind, Result, out_of_memory, reserve, resize};
use faer::dyn_stack::{MemBuffer, MemStack, StackReq};
use faer::linalg::cholesky::llt::factor::{LltParams, LltRegularization};
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, LltRef, SymbolicCholesky, SymmetricOrdering, factorize_symbolic_cholesky,
};
use faer::sparse::{FaerError, SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Conj, MatMut, Par, Side, Spec};

/// Up to so many bodies the factor is dense.
const DENSE: usize = 6;

/// Patterns whose symbolic factors are kept, those used last.
const KEPT: usize = 8;

/// The graph of the blocks below the diagonal: for each body its neighbours of higher number, rising.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::solver) struct Graph {
    starts: Vec<u32>,
    neighbours: Vec<u32>,
}

impl Graph {
    /// Of `bodies` bodies, and the pairs of those that share a row, each lower number first; `pairs` are sorted and
    /// without twins.
    pub(in crate::solver) fn fill(&mut self, bodies: usize, pairs: &[[u32; 2]]) -> Result<()> {
        self.starts.clear();
        resize(&mut self.starts, bodies + 1, 0, "bodies of an island")?;
        self.neighbours.clear();
        reserve(&mut self.neighbours, pairs.len(), "pairs of an island")?;
        for [low, high] in pairs {
            self.starts[*low as usize + 1] += 1;
            self.neighbours.push(*high);
        }
        for body in 0..bodies {
            self.starts[body + 1] += self.starts[body];
        }
        Ok(())
    }

    /// Becomes a copy.
    fn take(&mut self, other: &Self) -> Result<()> {
        for (own, others) in [(&mut self.starts, &other.starts), (&mut self.neighbours, &other.neighbours)] {
            own.clear();
            reserve(own, others.len(), "bodies of an island")?;
            own.extend_from_slice(others);
        }
        Ok(())
    }

    pub(in crate::solver) fn bodies(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// How many pairs of bodies share a row.
    pub(in crate::solver) fn pairs(&self) -> usize {
        self.neighbours.len()
    }

    /// The neighbours of higher number of a body, rising.
    pub(in crate::solver) fn of(&self, body: usize) -> &[u32] {
        &self.neighbours[self.starts[body] as usize..self.starts[body + 1] as usize]
    }

    /// Which of the pairs two neighbours are, the lower number first.
    pub(in crate::solver) fn pair(&self, low: u32, high: u32) -> usize {
        let first = self.starts[low as usize] as usize;
        first + self.of(low as usize).partition_point(|other| *other < high)
    }
}

/// A pattern with its symbolic factor.
#[derive(Debug)]
struct Known {
    graph: Graph,
    symbolic: SymbolicCholesky<usize>,
    last_used: u64,
}

/// Scratch memory of the factorisation and the solve.
struct Memory {
    buffer: MemBuffer,
    bytes: usize,
}

impl std::fmt::Debug for Memory {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Memory({} bytes)", self.bytes)
    }
}

/// The matrix, its factor, and the symbolic factors kept.
#[derive(Debug, Default)]
pub(in crate::solver) struct Cholesky<const N: usize> {
    graph: Graph,
    /// Where in `values` the columns of each body begin.
    firsts: Vec<usize>,
    /// Of a sparse matrix its lower triangle by columns; of a dense one every entry, by columns.
    values: Vec<f64>,
    columns: Vec<usize>,
    rows: Vec<usize>,
    known: Vec<Known>,
    /// Which of those the present pattern is.
    present: usize,
    uses: u64,
    factor: Vec<f64>,
    memory: Option<Memory>,
}

impl<const N: usize> Cholesky<N> {
    fn is_dense(&self) -> bool {
        self.graph.bodies() <= DENSE
    }

    fn size(&self) -> usize {
        N * self.graph.bodies()
    }

    /// Begins with a multiple of the unit matrix, of a pattern.
    pub(in crate::solver) fn begin(&mut self, graph: &Graph, diagonal: f64) -> Result<()> {
        if self.graph != *graph {
            let room = self.graph.take(graph).and_then(|()| self.lay_out());
            if room.is_err() {
                // or the next call would take the pattern for one that is laid out
                self.graph = Graph::default();
            }
            room?;
        }
        self.values.fill(0.0);
        for body in 0..self.graph.bodies() {
            for k in 0..N {
                let at = self.place(body, body, k) + k;
                self.values[at] = diagonal;
            }
        }
        Ok(())
    }

    /// Where the entries of the column `k` of the block `(row, column)` begin, `row >= column` and stored.
    fn place(&self, row: usize, column: usize, k: usize) -> usize {
        if self.is_dense() {
            return (N * column + k) * self.size() + N * row;
        }
        let neighbours = self.graph.of(column);
        let length = N * (neighbours.len() + 1);
        // Column k of a body holds k entries less of its diagonal block: those above the diagonal.
        let first = self.firsts[column] + k * length - k * (k + 1) / 2;
        if row == column {
            return first;
        }
        let index = neighbours.partition_point(|other| (*other as usize) < row);
        first + N * (index + 1)
    }

    /// Adds `factor a a^T` to the block of a body.
    pub(in crate::solver) fn add_own(&mut self, body: usize, a: &[f64; N], factor: f64) {
        for k in 0..N {
            let place = self.place(body, body, k);
            let scaled = factor * a[k];
            for (value, a) in self.values[place + k..place + N].iter_mut().zip(&a[k..]) {
                *value += scaled * a;
            }
        }
    }

    /// Adds `factor a b^T` to the block of two bodies that share a row.
    pub(in crate::solver) fn add_pair(
        &mut self,
        body_a: usize,
        a: &[f64; N],
        body_b: usize,
        b: &[f64; N],
        factor: f64,
    ) {
        let ((row, r), (column, c)) =
            if body_a > body_b { ((body_a, a), (body_b, b)) } else { ((body_b, b), (body_a, a)) };
        for (k, c) in c.iter().enumerate() {
            let place = self.place(row, column, k);
            let scaled = factor * c;
            for (value, r) in self.values[place..place + N].iter_mut().zip(r) {
                *value += scaled * r;
            }
        }
    }

    /// Adds a block, of which the lower triangle counts where `row` is `column`; `row` is not below `column`.
    pub(in crate::solver) fn add_block(&mut self, row: usize, column: usize, block: &[[f64; N]; N]) {
        for k in 0..N {
            let first = if row == column { k } else { 0 };
            let place = self.place(row, column, k);
            for (value, entries) in self.values[place + first..place + N].iter_mut().zip(&block[first..]) {
                *value += entries[k];
            }
        }
    }

    /// Factors the matrix. `false`: it is not positive definite in double precision.
    pub(in crate::solver) fn factor(&mut self) -> Result<bool> {
        if self.is_dense() {
            let size = self.size();
            return Ok(factor_dense(&mut self.values, size));
        }
        self.recall()?;
        let symbolic = &self.known[self.present].symbolic;
        let request = StackReq::any_of(&[
            symbolic.factorize_numeric_llt_scratch::<f64>(Par::Seq, Spec::default()),
            symbolic.solve_in_place_scratch::<f64>(1, Par::Seq),
        ]);
        let bytes = request.size_bytes();
        if self.memory.as_ref().is_none_or(|memory| memory.bytes < bytes) {
            let buffer = MemBuffer::try_new(request).map_err(|_| no_memory(bytes))?;
            self.memory = Some(Memory { buffer, bytes });
        }
        self.factor.clear();
        resize(&mut self.factor, symbolic.len_val(), 0.0, "entries of a factor")?;
        let size = self.graph.bodies() * N;
        let pattern = SymbolicSparseColMatRef::new_checked(size, size, &self.columns, None, &self.rows);
        let matrix = SparseColMatRef::new(pattern, &self.values);
        let Some(memory) = &mut self.memory else { return Ok(false) };
        let done = symbolic.factorize_numeric_llt(
            &mut self.factor,
            matrix,
            Side::Lower,
            LltRegularization::default(),
            Par::Seq,
            MemStack::new(&mut memory.buffer),
            Spec::<LltParams, f64>::default(),
        );
        Ok(done.is_ok())
    }

    /// Solves in place with the factor made last.
    pub(in crate::solver) fn solve(&mut self, x: &mut [f64]) {
        if self.is_dense() {
            return solve_dense(&self.values, x);
        }
        let Some(memory) = &mut self.memory else { return };
        let factor = LltRef::new(&self.known[self.present].symbolic, &self.factor);
        let (rows, stack) = (x.len(), MemStack::new(&mut memory.buffer));
        factor.solve_in_place_with_conj(Conj::No, MatMut::from_column_major_slice_mut(x, rows, 1), Par::Seq, stack);
    }

    /// Makes room for the present pattern.
    fn lay_out(&mut self) -> Result<()> {
        let size = self.size();
        self.values.clear();
        self.columns.clear();
        self.rows.clear();
        self.firsts.clear();
        if self.is_dense() {
            return resize(&mut self.values, size * size, 0.0, "entries of a matrix");
        }
        let bodies = self.graph.bodies();
        let entries = N * N * self.graph.neighbours.len() + N * (N + 1) / 2 * bodies;
        reserve(&mut self.firsts, bodies, "bodies of an island")?;
        reserve(&mut self.columns, size + 1, "columns of a matrix")?;
        reserve(&mut self.rows, entries, "entries of a matrix")?;
        resize(&mut self.values, entries, 0.0, "entries of a matrix")?;
        for body in 0..bodies {
            self.firsts.push(self.rows.len());
            for k in 0..N {
                self.columns.push(self.rows.len());
                self.rows.extend(N * body + k..N * (body + 1));
                for other in self.graph.of(body) {
                    let first = N * *other as usize;
                    self.rows.extend(first..first + N);
                }
            }
        }
        self.columns.push(self.rows.len());
        Ok(())
    }

    /// Finds the symbolic factor of the present pattern, or makes it in the place of the one unused for longest.
    fn recall(&mut self) -> Result<()> {
        self.uses += 1;
        let found = self.known.iter().position(|known| known.graph == self.graph);
        self.present = match found {
            Some(index) => index,
            None => {
                let size = self.size();
                let pattern = SymbolicSparseColMatRef::new_checked(size, size, &self.columns, None, &self.rows);
                let (amd, params) = (SymmetricOrdering::Amd, CholeskySymbolicParams::default());
                let symbolic =
                    factorize_symbolic_cholesky(pattern, Side::Lower, amd, params).map_err(|error| match error {
                        FaerError::OutOfMemory => no_memory(size),
                        _ => Error::new(Kind::Memory, "the factor of an island has too many entries"),
                    })?;
                let mut known = Graph::default();
                known.take(&self.graph)?;
                let fresh = Known { graph: known, symbolic, last_used: 0 };
                self.keep(fresh)?
            }
        };
        self.known[self.present].last_used = self.uses;
        Ok(())
    }

    fn keep(&mut self, fresh: Known) -> Result<usize> {
        if self.known.len() < KEPT {
            reserve(&mut self.known, 1, "factors")?;
            self.known.push(fresh);
            return Ok(self.known.len() - 1);
        }
        let oldest = (0..self.known.len()).min_by_key(|index| self.known[*index].last_used).unwrap_or(0);
        self.known[oldest] = fresh;
        Ok(oldest)
    }
}

fn no_memory(count: usize) -> Error {
    out_of_memory("bytes or rows of a factor", count)
}

/// The lower factor in place of a dense matrix by columns. `false`: a pivot is not above zero.
fn factor_dense(matrix: &mut [f64], size: usize) -> bool {
    for column in 0..size {
        let (before, rest) = matrix.split_at_mut(column * size);
        let present = &mut rest[column..size];
        for left in before.chunks_exact(size) {
            let factor = left[column];
            if factor != 0.0 {
                present.iter_mut().zip(&left[column..]).for_each(|(value, left)| *value -= factor * left);
            }
        }
        let pivot = present[0];
        if !(pivot > 0.0 && pivot.is_finite()) {
            return false;
        }
        let inverse = 1.0 / pivot.sqrt();
        present.iter_mut().for_each(|value| *value *= inverse);
    }
    true
}

/// Solves with the lower factor of a dense matrix by columns.
fn solve_dense(factor: &[f64], x: &mut [f64]) {
    let size = x.len();
    for column in 0..size {
        let entries = &factor[column * size + column..(column + 1) * size];
        let value = x[column] / entries[0];
        x[column] = value;
        x[column + 1..].iter_mut().zip(&entries[1..]).for_each(|(x, entry)| *x -= entry * value);
    }
    for column in (0..size).rev() {
        let entries = &factor[column * size + column..(column + 1) * size];
        let below: f64 = x[column + 1..].iter().zip(&entries[1..]).map(|(x, entry)| x * entry).sum();
        x[column] = (x[column] - below) / entries[0];
    }
}
