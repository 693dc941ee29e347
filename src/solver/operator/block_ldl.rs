//! `A = L D L^T` of symmetric positive definite matrices of `N` x `N` blocks, one block row for each body.
//!
//! Every sum has a fixed order and nothing is contracted, so the factor has the same bits on every machine.

use crate::error::{Result, empty, refill, resize};
use crate::math::lanes::{Kernel, Lanes, Level, dispatch};
use crate::solver::operator::blocks::{Blocks, Graph};
use crate::solver::operator::elimination::Elimination;

/// A factor and its workspace. The order and the pattern of `L` are kept while the graph stays.
#[derive(Debug, Default)]
pub(in crate::solver) struct BlockLdl<const N: usize> {
    graph: Graph,
    elimination: Elimination,
    /// Of each column the unit lower triangle of its own block.
    diagonal: Vec<[[f64; N]; N]>,
    /// `D`, and its inverse.
    pivots: Vec<[f64; N]>,
    inverse: Vec<[f64; N]>,
    /// The blocks of `L` below the diagonal, column by column.
    lower: Vec<[[f64; N]; N]>,
    /// Scratch buffers: the blocks `(L D)^T` of a column, and a vector in the order of elimination.
    scaled: Vec<[[f64; N]; N]>,
    ordered: Vec<[f64; N]>,
}

impl<const N: usize> BlockLdl<N> {
    /// Chooses the order for matrices of a graph, and returns how many products of blocks a factor takes. `None`: more than
    /// `limit`; such matrices cannot be factored.
    pub(in crate::solver) fn lay_out(&mut self, graph: &Graph, limit: u64) -> Result<Option<u64>> {
        let is_known = self.elimination.is_complete() || self.elimination.products() > limit;
        if self.graph != *graph || !is_known {
            // No pattern is known if something fails on the way.
            self.graph = Graph::default();
            self.elimination.order(graph, limit)?;
            self.graph.take(graph)?;
        }
        let products = self.elimination.products();
        Ok((self.elimination.is_complete() && products <= limit).then_some(products))
    }

    /// How many blocks a solve reads, all in all.
    pub(in crate::solver) fn blocks(&self) -> usize {
        2 * (self.diagonal.len() + self.lower.len())
    }

    /// Factors a matrix of the graph laid out last. Returns `false` if it is not positive definite in double precision.
    pub(in crate::solver) fn factor(&mut self, blocks: &Blocks<N>) -> Result<bool> {
        let Self { graph, elimination, diagonal, pivots, inverse, lower, scaled, ordered } = self;
        let zero = [[0.0; N]; N];
        empty(diagonal, graph.bodies(), "bodies of an island")?;
        diagonal.extend(elimination.bodies().iter().map(|body| blocks.diagonal[*body as usize]));
        for values in [&mut *pivots, &mut *inverse, &mut *ordered] {
            refill(values, graph.bodies(), [0.0; N], "bodies of an island")?;
        }
        refill(lower, elimination.blocks(), zero, "blocks of a factor")?;
        resize(scaled, elimination.longest(), zero, "blocks of a factor")?;
        let mut pairs = blocks.lower.iter();
        for low in 0..graph.bodies() {
            for (high, block) in graph.of(low).iter().zip(&mut pairs) {
                let [row, column] = [*high as usize, low].map(|body| elimination.place(body));
                // A block belongs to the column that is eliminated first.
                let (at, block) = if row > column {
                    (elimination.find(column, row), *block)
                } else {
                    (elimination.find(row, column), transposed(block))
                };
                lower[at] = block;
            }
        }
        Ok(dispatch(Level::best(), Factor { elimination, diagonal, pivots, inverse, lower, scaled }))
    }

    /// Solves in place with the factor made last, `N` numbers for each body.
    pub(in crate::solver) fn solve(&mut self, x: &mut [[f64; N]]) {
        let Self { elimination, diagonal, inverse, lower, ordered, .. } = self;
        ordered.iter_mut().zip(elimination.bodies()).for_each(|(value, body)| *value = x[*body as usize]);
        dispatch(Level::best(), Solve { elimination, diagonal, inverse, lower, x: ordered });
        for (value, body) in ordered.iter().zip(elimination.bodies()) {
            x[*body as usize] = *value;
        }
    }
}

/// The factor, column by column: each one ends with its products subtracted from later columns.
struct Factor<'a, const N: usize> {
    elimination: &'a Elimination,
    diagonal: &'a mut [[[f64; N]; N]],
    pivots: &'a mut [[f64; N]],
    inverse: &'a mut [[f64; N]],
    lower: &'a mut [[[f64; N]; N]],
    scaled: &'a mut [[[f64; N]; N]],
}

impl<const N: usize> Kernel for Factor<'_, N> {
    type Output = bool;

    #[inline(always)]
    fn run<L: Lanes>(self) -> bool {
        let Self { elimination, diagonal, pivots, inverse, lower, scaled } = self;
        for column in 0..diagonal.len() {
            if !factor_block(&mut diagonal[column], &mut pivots[column]) {
                return false;
            }
            inverse[column] = pivots[column].map(|pivot| 1.0 / pivot);
            let (own, later) = lower.split_at_mut(elimination.columns(column).end);
            let own = &mut own[elimination.columns(column).start..];
            let first = elimination.columns(column).end;
            for (block, scaled) in own.iter_mut().zip(&mut *scaled) {
                *scaled = solve_rows(&diagonal[column], &inverse[column], block);
            }
            let rows = elimination.rows(column);
            for (at, (target, scaled)) in rows.iter().zip(&*scaled).enumerate() {
                subtract_product(&mut diagonal[*target as usize], &own[at], scaled);
                let places = elimination.columns(*target as usize);
                let (mut place, theirs) = (places.start - first, elimination.rows(*target as usize));
                let mut below = theirs.iter();
                for (row, block) in rows[at + 1..].iter().zip(&own[at + 1..]) {
                    // The pattern of a later column has every row of this one.
                    place += below.position(|other| other == row).unwrap_or(0);
                    subtract_product(&mut later[place], block, scaled);
                    place += 1;
                }
            }
        }
        true
    }
}

/// Replaces a symmetric block by its unit lower triangle. Returns `false` if a pivot is not above zero.
#[inline(always)]
fn factor_block<const N: usize>(block: &mut [[f64; N]; N], pivots: &mut [f64; N]) -> bool {
    for column in 0..N {
        let pivot = block[column][column];
        if !(pivot > 0.0 && pivot.is_finite()) {
            return false;
        }
        pivots[column] = pivot;
        let inverse = 1.0 / pivot;
        let below: [f64; N] = std::array::from_fn(|row| block[row][column]);
        for (row, entries) in block.iter_mut().enumerate().skip(column + 1) {
            let factor = below[row] * inverse;
            let others = &below[column + 1..];
            entries[column + 1..=row].iter_mut().zip(others).for_each(|(entry, other)| *entry -= factor * other);
            entries[column] = factor;
        }
    }
    true
}

/// Replaces a block `A` below the diagonal by that of `L`, which is `A L_jj^-T D_j^-1`, and returns `(L D)^T`.
#[inline(always)]
fn solve_rows<const N: usize>(
    triangle: &[[f64; N]; N],
    inverse: &[f64; N],
    block: &mut [[f64; N]; N],
) -> [[f64; N]; N] {
    let mut scaled = transposed(block);
    for column in 0..N {
        let done = scaled[column];
        for later in column + 1..N {
            let factor = triangle[later][column];
            scaled[later].iter_mut().zip(&done).for_each(|(value, done)| *value -= factor * done);
        }
    }
    for (row, entries) in block.iter_mut().enumerate() {
        for (column, entry) in entries.iter_mut().enumerate() {
            *entry = scaled[column][row] * inverse[column];
        }
    }
    scaled
}

/// `target -= block scaled`.
#[inline(always)]
fn subtract_product<const N: usize>(target: &mut [[f64; N]; N], block: &[[f64; N]; N], scaled: &[[f64; N]; N]) {
    for (target, block) in target.iter_mut().zip(block) {
        for (factor, scaled) in block.iter().zip(scaled) {
            target.iter_mut().zip(scaled).for_each(|(value, scaled)| *value -= factor * scaled);
        }
    }
}

#[inline(always)]
fn transposed<const N: usize>(block: &[[f64; N]; N]) -> [[f64; N]; N] {
    std::array::from_fn(|row| std::array::from_fn(|column| block[column][row]))
}

/// The solve with a factor, on a vector in the order of elimination.
struct Solve<'a, const N: usize> {
    elimination: &'a Elimination,
    diagonal: &'a [[[f64; N]; N]],
    inverse: &'a [[f64; N]],
    lower: &'a [[[f64; N]; N]],
    x: &'a mut [[f64; N]],
}

impl<const N: usize> Kernel for Solve<'_, N> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { elimination, diagonal, inverse, lower, x } = self;
        for column in 0..x.len() {
            let mut own = x[column];
            for row in 0..N {
                for before in 0..row {
                    own[row] -= diagonal[column][row][before] * own[before];
                }
            }
            x[column] = own;
            for (row, block) in elimination.rows(column).iter().zip(&lower[elimination.columns(column)]) {
                for (value, entries) in x[*row as usize].iter_mut().zip(block) {
                    *value -= entries.iter().zip(&own).fold(0.0, |sum, (entry, own)| sum + entry * own);
                }
            }
        }
        for column in (0..x.len()).rev() {
            let mut own: [f64; N] = std::array::from_fn(|k| x[column][k] * inverse[column][k]);
            for (row, block) in elimination.rows(column).iter().zip(&lower[elimination.columns(column)]) {
                for (value, entries) in x[*row as usize].iter().zip(block) {
                    own.iter_mut().zip(entries).for_each(|(own, entry)| *own -= entry * value);
                }
            }
            for row in (0..N).rev() {
                for later in row + 1..N {
                    own[row] -= diagonal[column][later][row] * own[later];
                }
            }
            x[column] = own;
        }
    }
}
