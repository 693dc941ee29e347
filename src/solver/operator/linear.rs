//! Sparse unsymmetric linear systems with one pattern and many values.
//!
//! Owns the factorisation: the analysis of the pattern is kept while the pattern stays. It does not depend on contacts. The
//! factorisation used returns infinities or NaN for singular systems without an error, so every solution is checked here.

use crate::error::{Error, ErrorKind, Result, copy, out_of_memory, text};
use faer::dyn_stack::{MemBuffer, MemStack, StackReq};
use faer::sparse::linalg::LuError;
use faer::sparse::linalg::lu::{LuRef, LuSymbolicParams, NumericLu, SymbolicLu, factorize_symbolic_lu};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Conj, MatMut, Par, Spec};
use std::fmt;

/// A factorisation by rows: `offsets`, `columns` and `values` are those of compressed rows.
#[derive(Default)]
pub(in crate::solver) struct Linear {
    analysis: Option<SymbolicLu<usize>>,
    factors: NumericLu<usize, f64>,
    memory: Option<MemBuffer>,
    /// Whether they are those of the last matrix.
    is_factored: bool,
    /// The pattern that was analysed.
    offsets: Vec<usize>,
    columns: Vec<usize>,
}

impl fmt::Debug for Linear {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Linear").field("rows", &self.offsets.len().saturating_sub(1)).finish_non_exhaustive()
    }
}

impl Linear {
    /// Prepares for matrices of this pattern, whose columns rise within each row.
    pub(in crate::solver) fn analyse(&mut self, offsets: &[usize], columns: &[usize]) -> Result<()> {
        if self.analysis.is_some() && self.offsets == offsets && self.columns == columns {
            return Ok(());
        }
        self.analysis = None;
        self.is_factored = false;
        // Factors of another size are not made smaller by the library, which then refuses its own.
        self.factors = NumericLu::new();
        let pattern = transposed(offsets, columns);
        let analysis = factorize_symbolic_lu(pattern, LuSymbolicParams::default()).map_err(failed)?;
        let need = StackReq::or(
            analysis.factorize_numeric_lu_scratch::<f64>(Par::Seq, Spec::default()),
            analysis.solve_transpose_in_place_scratch::<f64>(1, Par::Seq),
        );
        let memory =
            MemBuffer::try_new(need).map_err(|_| out_of_memory("bytes for a factorisation", need.size_bytes()))?;
        self.memory = Some(memory);
        self.analysis = Some(analysis);
        copy(&mut self.offsets, offsets, "entries of a pattern")?;
        copy(&mut self.columns, columns, "entries of a pattern")
    }

    /// Factors a matrix and solves for `x`, which comes in as the right-hand side. Returns `false` if the matrix is singular; `x` has no
    /// meaning then.
    pub(in crate::solver) fn solve(&mut self, values: &[f64], x: &mut [f64]) -> Result<bool> {
        Ok(self.factor(values)? && self.solve_factored(x)?)
    }

    /// Factors a matrix. Returns `false` if it is known to be singular.
    pub(in crate::solver) fn factor(&mut self, values: &[f64]) -> Result<bool> {
        self.is_factored = false;
        if !values.iter().all(|value| value.is_finite()) {
            return Ok(false);
        }
        let (Some(analysis), Some(memory)) = (&self.analysis, &mut self.memory) else {
            return Err(Error::new(ErrorKind::Internal, "a matrix is to be factored before its pattern was analysed"));
        };
        let stack = MemStack::new(memory);
        let matrix = SparseColMatRef::new(transposed(&self.offsets, &self.columns), values);
        let factored = analysis
            .factorize_numeric_lu(&mut self.factors, matrix, Par::Seq, stack, Spec::default())
            .map(|_| ())
            .map_err(|error| match error {
                LuError::Generic(error) => Some(failed(error)),
                LuError::SymbolicSingular { .. } => None,
            });
        if let Err(error) = factored {
            // The library may have left them half of one size and half of another.
            self.factors = NumericLu::new();
            return error.map_or(Ok(false), Err);
        }
        self.is_factored = true;
        Ok(true)
    }

    /// Solves for `x` with the factors made last. Returns `false` if the matrix is singular; `x` has no meaning then.
    pub(in crate::solver) fn solve_factored(&mut self, x: &mut [f64]) -> Result<bool> {
        let (Some(analysis), Some(memory), true) = (&self.analysis, &mut self.memory, self.is_factored) else {
            return Err(Error::new(ErrorKind::Internal, "a matrix is to be solved for before it was factored"));
        };
        let (size, stack) = (x.len(), MemStack::new(memory));
        LuRef::new_unchecked(analysis, &self.factors).solve_transpose_in_place_with_conj(
            Conj::No,
            MatMut::from_column_major_slice_mut(x, size, 1),
            Par::Seq,
            stack,
        );
        Ok(x.iter().all(|value| value.is_finite()))
    }
}

/// Compressed rows are the compressed columns of the transpose.
fn transposed<'a>(offsets: &'a [usize], columns: &'a [usize]) -> SymbolicSparseColMatRef<'a, usize> {
    let size = offsets.len().saturating_sub(1);
    SymbolicSparseColMatRef::new_checked(size, size, offsets, None, columns)
}

fn failed(error: faer::sparse::FaerError) -> Error {
    match error {
        faer::sparse::FaerError::OutOfMemory => out_of_memory("entries of a factorisation", 1),
        other => Error::new(ErrorKind::Internal, text!("the pattern of a matrix could not be analysed: {other:?}")),
    }
}
