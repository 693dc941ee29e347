//! What a factorisation of the operator would cost, from its pattern: the work of methods that factor it has a bound.

use crate::error::{Error, ErrorKind, Result, empty, out_of_memory, reserve};
use crate::solver::operator::reduced::Reduced;
use faer::Side;
use faer::sparse::linalg::cholesky::{CholeskySymbolicParams, SymmetricOrdering, factorize_symbolic_cholesky};
use faer::sparse::{FaerError, SymbolicSparseColMatRef};

/// The most entries of an operator that is formed, 320 MB with its Newton matrix.
pub(in crate::solver) const MAX_ENTRIES: usize = 8_000_000;

/// The most multiplications of one factorisation: some seconds of one core.
const MAX_WORK: f64 = 4e9;

/// The most multiplications of all factorisations of a solve. With fewer than 500 contacts it allows a thousand of them, however dense.
const MAX_SOLVE_WORK: f64 = 2e12;

/// The pattern of an operator by blocks, its upper triangle by columns; keeps its workspace.
#[derive(Debug, Default)]
pub(in crate::solver) struct Fill {
    block_of: Vec<usize>,
    offsets: Vec<usize>,
    rows: Vec<usize>,
}

impl Fill {
    /// Returns how many of so many `steps`, each with a factorisation of the operator, are within the bounds on work. Nothing: one of them is
    /// beyond.
    ///
    /// The blocks are the contacts. Their symbolic factor has `f` blocks in `n` columns. With `d` rows for
    /// each block, an LU factorisation takes `2 d^3 c^2` multiplications for a column of `c` blocks. The sum of the squares of `c` is at least
    /// `f^2 / n`. Pivots that are sought among the rows add to that.
    pub(in crate::solver) fn steps(&mut self, problem: &Reduced, steps: u32) -> Result<Option<u32>> {
        let blocks = problem.blocks.len();
        let dense = work(problem.size(), blocks, blocks as f64 * blocks as f64 / 2.0);
        if dense <= MAX_WORK && dense * f64::from(steps) <= MAX_SOLVE_WORK {
            return Ok(Some(steps));
        }
        self.lay_out(problem)?;
        let pattern = SymbolicSparseColMatRef::new_checked(blocks, blocks, &self.offsets, None, &self.rows);
        let (amd, params) = (SymmetricOrdering::Amd, CholeskySymbolicParams::default());
        match factorize_symbolic_cholesky(pattern, Side::Upper, amd, params) {
            Ok(factor) => {
                let work = work(problem.size(), blocks, factor.len_val() as f64);
                let max_steps = (MAX_SOLVE_WORK / work).min(f64::from(steps)) as u32;
                Ok((work <= MAX_WORK).then_some(max_steps))
            }
            Err(FaerError::OutOfMemory) => Err(out_of_memory("rows of a factor", blocks)),
            Err(error) => Err(Error::new(ErrorKind::Internal, format!("the pattern of an operator: {error:?}"))),
        }
    }

    fn lay_out(&mut self, problem: &Reduced) -> Result<()> {
        let what = "entries of a pattern";
        empty(&mut self.block_of, problem.size(), what)?;
        for (index, block) in problem.blocks.iter().enumerate() {
            self.block_of.extend(block.rows().map(|_| index));
        }
        empty(&mut self.offsets, problem.blocks.len() + 1, what)?;
        self.rows.clear();
        self.offsets.push(0);
        for (index, block) in problem.blocks.iter().enumerate() {
            let (columns, _) = problem.matrix.row(block.first);
            reserve(&mut self.rows, columns.len(), what)?;
            let first = self.rows.len();
            for column in columns {
                let other = self.block_of[*column];
                if other <= index && self.rows.get(first..).is_some_and(|rows| rows.last() != Some(&other)) {
                    self.rows.push(other);
                }
            }
            self.offsets.push(self.rows.len());
        }
        Ok(())
    }
}

/// The multiplications of a factor of so many `entries` among blocks, all blocks taken for alike.
fn work(rows: usize, blocks: usize, entries: f64) -> f64 {
    let count = blocks.max(1) as f64;
    let dimension = rows as f64 / count;
    2.0 * dimension * dimension * dimension * entries * entries / count
}
