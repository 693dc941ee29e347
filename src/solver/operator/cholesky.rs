//! Cholesky factors of symmetric positive definite matrices of `N` x `N` blocks, one block row for each body.
//!
//! The symbolic part depends on the pairs of bodies alone, and is kept while these stay. It does not depend on contacts.

use crate::error::{Error, ErrorKind, Result, empty, out_of_memory, refill, reserve};
use crate::solver::operator::blocks::{Blocks, Graph};
use faer::dyn_stack::{MemBuffer, MemStack, StackReq};
use faer::linalg::cholesky::llt::factor::{LltParams, LltRegularization};
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, LltRef, SymbolicCholesky, SymmetricOrdering, factorize_symbolic_cholesky,
};
use faer::sparse::{FaerError, SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Conj, MatMut, Par, Side, Spec};

/// Up to this many bodies the factor is dense.
const DENSE: usize = 6;

/// Patterns whose symbolic factors are kept, those used last.
const KEPT: usize = 8;

/// The matrix, its factor, and the symbolic factors kept.
#[derive(Default)]
pub(in crate::solver) struct Cholesky<const N: usize> {
    graph: Graph,
    /// Of a sparse matrix its lower triangle by columns; of a dense one every entry, by columns.
    values: Vec<f64>,
    columns: Vec<usize>,
    rows: Vec<usize>,
    /// Of each component of a body its row in a sparse matrix, and room for a right side without the components that are left out.
    places: Vec<usize>,
    kept: Vec<f64>,
    /// Patterns with their symbolic factors, the present one first, the one unused for longest last.
    known: Vec<(Graph, SymbolicCholesky<usize>)>,
    factor: Vec<f64>,
    memory: Option<MemBuffer>,
}

impl<const N: usize> std::fmt::Debug for Cholesky<N> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Cholesky").field("rows", &self.size()).finish_non_exhaustive()
    }
}

impl<const N: usize> Cholesky<N> {
    fn is_dense(&self) -> bool {
        self.graph.bodies() <= DENSE
    }

    fn size(&self) -> usize {
        if self.is_dense() { N * self.graph.bodies() } else { self.columns.len().saturating_sub(1) }
    }

    /// Factors a matrix of a pattern. Returns `false` if it is not positive definite in double precision.
    pub(in crate::solver) fn factor(&mut self, graph: &Graph, blocks: &Blocks<N>) -> Result<bool> {
        if self.graph != *graph {
            let room = self.graph.take(graph).and_then(|()| self.lay_out());
            if room.is_err() {
                // or the next call would take the pattern for one that is laid out
                self.graph = Graph::default();
            }
            room?;
        }
        self.fill(blocks);
        if self.is_dense() {
            let size = self.size();
            return Ok(factor_dense(&mut self.values, size));
        }
        self.recall()?;
        let symbolic = &self.known[0].1;
        let request = StackReq::any_of(&[
            symbolic.factorize_numeric_llt_scratch::<f64>(Par::Seq, Spec::default()),
            symbolic.solve_in_place_scratch::<f64>(1, Par::Seq),
        ]);
        let bytes = request.size_bytes();
        if self.memory.as_ref().is_none_or(|memory| memory.len() < bytes) {
            self.memory = Some(MemBuffer::try_new(request).map_err(|_| no_memory(bytes))?);
        }
        refill(&mut self.factor, symbolic.len_val(), 0.0, "entries of a factor")?;
        let size = self.size();
        let pattern = SymbolicSparseColMatRef::new_checked(size, size, &self.columns, None, &self.rows);
        let matrix = SparseColMatRef::new(pattern, &self.values);
        let Some(memory) = &mut self.memory else { return Ok(false) };
        let done = symbolic.factorize_numeric_llt(
            &mut self.factor,
            matrix,
            Side::Lower,
            LltRegularization::default(),
            Par::Seq,
            MemStack::new(memory),
            Spec::<LltParams, f64>::default(),
        );
        Ok(done.is_ok())
    }

    /// Writes the lower triangle of a matrix of the present pattern into `values`.
    fn fill(&mut self, blocks: &Blocks<N>) {
        let (size, is_dense) = (self.size(), self.is_dense());
        let Self { graph, values, .. } = self;
        if is_dense {
            values.fill(0.0);
        }
        let (mut lower, mut next) = (&blocks.lower[..], 0);
        for (body, own) in blocks.diagonal.iter().enumerate() {
            let (others, rest) = lower.split_at(graph.of(body).len());
            lower = rest;
            for k in 0..N {
                let column = N * body + k;
                if is_dense {
                    let mut put = |row: usize, entries: &[[f64; N]]| {
                        let column = &mut values[size * column + row..];
                        column.iter_mut().zip(entries).for_each(|(value, entries)| *value = entries[k]);
                    };
                    put(column, &own[k..]);
                    graph.of(body).iter().zip(others).for_each(|(high, block)| put(N * *high as usize, block));
                } else if graph.keeps(body, k) {
                    let mut put = |body: usize, first: usize, block: &[[f64; N]; N]| {
                        for (_, entries) in (0..N).zip(block).skip(first).filter(|(row, _)| graph.keeps(body, *row)) {
                            values[next] = entries[k];
                            next += 1;
                        }
                    };
                    put(body, k, own);
                    graph.of(body).iter().zip(others).for_each(|(high, block)| put(*high as usize, 0, block));
                }
            }
        }
    }

    /// Solves in place with the factor made last.
    pub(in crate::solver) fn solve(&mut self, x: &mut [f64]) {
        if self.is_dense() {
            return solve_dense(&self.values, x);
        }
        let Self { graph, known, memory, factor, kept, places, .. } = self;
        let (Some((_, symbolic)), Some(memory)) = (known.first(), memory) else { return };
        let factor = LltRef::new(symbolic, factor);
        let mut solve = |x: &mut [f64]| {
            let (rows, stack) = (x.len(), MemStack::new(memory));
            factor.solve_in_place_with_conj(Conj::No, MatMut::from_column_major_slice_mut(x, rows, 1), Par::Seq, stack);
        };
        if kept.len() == x.len() {
            return solve(x);
        }
        let is_kept = |at: usize| graph.keeps(at / N, at % N);
        for (at, x) in x.iter().enumerate().filter(|(at, _)| is_kept(*at)) {
            kept[places[at]] = *x;
        }
        solve(kept);
        for (at, x) in x.iter_mut().enumerate() {
            *x = if is_kept(at) { kept[places[at]] } else { 0.0 };
        }
    }

    /// Reserves memory for the present pattern.
    fn lay_out(&mut self) -> Result<()> {
        let bodies = self.graph.bodies();
        let size = N * bodies;
        if self.is_dense() {
            return refill(&mut self.values, size * size, 0.0, "entries of a matrix");
        }
        let entries = N * N * self.graph.pairs() + N * (N + 1) / 2 * bodies;
        empty(&mut self.columns, size + 1, "columns of a matrix")?;
        empty(&mut self.rows, entries, "entries of a matrix")?;
        empty(&mut self.places, size, "rows of a matrix")?;
        let Self { graph, places, rows, columns, .. } = self;
        let graph = &*graph;
        let mut count = 0;
        for (body, k) in (0..bodies).flat_map(|body| (0..N).map(move |k| (body, k))) {
            places.push(count);
            count += usize::from(graph.keeps(body, k));
        }
        for (body, k) in (0..bodies).flat_map(|body| (0..N).map(move |k| (body, k))) {
            if graph.keeps(body, k) {
                columns.push(rows.len());
                let of = |body: usize, first: usize| {
                    (first..N).filter(move |row| graph.keeps(body, *row)).map(move |row| N * body + row)
                };
                rows.extend(of(body, k).map(|at| places[at]));
                rows.extend(graph.of(body).iter().flat_map(|high| of(*high as usize, 0)).map(|at| places[at]));
            }
        }
        columns.push(rows.len());
        refill(&mut self.values, self.rows.len(), 0.0, "entries of a matrix")?;
        refill(&mut self.kept, count, 0.0, "rows of a matrix")
    }

    /// Brings the symbolic factor of the present pattern to the front, or makes it and drops the last.
    fn recall(&mut self) -> Result<()> {
        if let Some(index) = self.known.iter().position(|(graph, _)| *graph == self.graph) {
            self.known[..=index].rotate_right(1);
            return Ok(());
        }
        let size = self.size();
        let pattern = SymbolicSparseColMatRef::new_checked(size, size, &self.columns, None, &self.rows);
        let (amd, params) = (SymmetricOrdering::Amd, CholeskySymbolicParams::default());
        let symbolic = factorize_symbolic_cholesky(pattern, Side::Lower, amd, params).map_err(|error| match error {
            FaerError::OutOfMemory => no_memory(size),
            _ => Error::new(ErrorKind::Memory, "the factor of an island has too many entries"),
        })?;
        let mut graph = Graph::default();
        graph.take(&self.graph)?;
        reserve(&mut self.known, 1, "factors")?;
        self.known.insert(0, (graph, symbolic));
        self.known.truncate(KEPT);
        Ok(())
    }
}

fn no_memory(count: usize) -> Error {
    out_of_memory("bytes or rows of a factor", count)
}

/// Replaces a dense matrix by columns with its lower factor. Returns `false` if a pivot is not above zero.
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
