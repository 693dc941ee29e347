//! Symmetric matrices of `N` x `N` blocks, one block row for each body of an island, and the rows of contacts that they
//! are made of.

use crate::error::{Result, empty, refill};

/// The number of a body that nothing moves.
pub(in crate::solver) const IMMOVABLE: u32 = u32::MAX;

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
        refill(&mut self.starts, bodies + 1, 0, "bodies of an island")?;
        empty(&mut self.neighbours, pairs.len(), "pairs of an island")?;
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
    pub(in crate::solver) fn take(&mut self, other: &Self) -> Result<()> {
        for (own, others) in [(&mut self.starts, &other.starts), (&mut self.neighbours, &other.neighbours)] {
            empty(own, others.len(), "bodies of an island")?;
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

    /// Which of the pairs two bodies are that share a row; of no use where one does not move.
    pub(in crate::solver) fn pair(&self, [a, b]: [u32; 2]) -> usize {
        if a == IMMOVABLE || b == IMMOVABLE {
            return 0;
        }
        let (low, high) = (a.min(b), a.max(b));
        self.starts[low as usize] as usize + self.of(low as usize).partition_point(|other| *other < high)
    }
}

/// The rows of a contact over the motions of its two bodies.
#[derive(Debug, Clone, Copy)]
pub(in crate::solver) struct Sides<const N: usize, const R: usize> {
    /// Numbers in the island, or [`IMMOVABLE`].
    pub(in crate::solver) bodies: [u32; 2],
    pub(in crate::solver) rows: [[[f64; N]; R]; 2],
}

impl<const N: usize, const R: usize> Sides<N, R> {
    /// The numbers and rows of the bodies that move.
    #[inline(always)]
    pub(in crate::solver) fn moving(&self) -> impl Iterator<Item = (usize, &[[f64; N]; R])> {
        let sides = self.bodies.iter().zip(&self.rows);
        sides.filter(|(body, _)| **body != IMMOVABLE).map(|(body, rows)| (*body as usize, rows))
    }

    /// `e - A z`.
    #[inline(always)]
    pub(in crate::solver) fn reduce(&self, mut e: [f64; R], z: &[[f64; N]]) -> [f64; R] {
        for (body, rows) in self.moving() {
            for (e, row) in e.iter_mut().zip(rows) {
                *e -= dot(row, &z[body]);
            }
        }
        e
    }

    /// Adds `A^T force`.
    #[inline(always)]
    pub(in crate::solver) fn add(&self, force: &[f64; R], sum: &mut [[f64; N]]) {
        for (body, rows) in self.moving() {
            for (force, row) in force.iter().zip(rows) {
                for (sum, entry) in sum[body].iter_mut().zip(row) {
                    *sum += force * entry;
                }
            }
        }
    }
}

/// A symmetric matrix on the pattern of a graph.
#[derive(Debug, Default)]
pub(in crate::solver) struct Blocks<const N: usize> {
    pub(in crate::solver) diagonal: Vec<[[f64; N]; N]>,
    /// One for each pair of the graph: rows of the higher body, columns of the lower one.
    pub(in crate::solver) lower: Vec<[[f64; N]; N]>,
}

/// The vectors of [`Blocks::solve_upper`].
pub(in crate::solver) struct UpperSystem<'a, const N: usize> {
    pub(in crate::solver) b: &'a [[f64; N]],
    /// `w`.
    pub(in crate::solver) relaxation: f64,
    pub(in crate::solver) x: &'a mut [[f64; N]],
    pub(in crate::solver) y: &'a mut [[f64; N]],
}

impl<const N: usize> Blocks<N> {
    /// Begins with a multiple of the unit matrix.
    pub(in crate::solver) fn begin(&mut self, graph: &Graph, diagonal: f64) -> Result<()> {
        let unit = std::array::from_fn(|i| std::array::from_fn(|j| if i == j { diagonal } else { 0.0 }));
        refill(&mut self.diagonal, graph.bodies(), unit, "bodies of an island")?;
        refill(&mut self.lower, graph.pairs(), [[0.0; N]; N], "pairs of an island")
    }

    /// Adds `A^T tangent A` of the rows `A` of two bodies; `pair` is [`Graph::pair`] of them.
    #[inline(always)]
    pub(in crate::solver) fn add<const R: usize>(&mut self, sides: &Sides<N, R>, pair: usize, tangent: &[[f64; R]; R]) {
        for (body, rows) in sides.moving() {
            add_product(&mut self.diagonal[body], rows, tangent, rows);
        }
        let [a, b] = sides.bodies;
        if a != IMMOVABLE && b != IMMOVABLE {
            let [high, low] = if a > b { [0, 1] } else { [1, 0] };
            add_product(&mut self.lower[pair], &sides.rows[high], tangent, &sides.rows[low]);
        }
    }

    /// `y = H x`.
    pub(in crate::solver) fn multiply(&self, graph: &Graph, x: &[[f64; N]], y: &mut [[f64; N]]) {
        for ((y, block), x) in y.iter_mut().zip(&self.diagonal).zip(x) {
            *y = std::array::from_fn(|row| dot(&block[row], x));
        }
        let mut blocks = self.lower.iter();
        for low in 0..graph.bodies() {
            let x_low = x[low];
            let mut sum = y[low];
            for (high, block) in graph.of(low).iter().zip(&mut blocks) {
                let (x_high, y_high) = (&x[*high as usize], &mut y[*high as usize]);
                for row in 0..N {
                    y_high[row] += dot(&block[row], &x_low);
                    for column in 0..N {
                        sum[column] += block[row][column] * x_high[row];
                    }
                }
            }
            y[low] = sum;
        }
    }

    /// `x` becomes `(D / w + L)^-1 x`; `inverses` are those of `D / w`.
    pub(in crate::solver) fn solve_lower(&self, graph: &Graph, inverses: &[[[f64; N]; N]], x: &mut [[f64; N]]) {
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
    pub(in crate::solver) fn solve_upper(&self, graph: &Graph, inverses: &[[[f64; N]; N]], system: UpperSystem<N>) {
        let UpperSystem { b, relaxation, x, y } = system;
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
            y[low] = std::array::from_fn(|k| sum[k] + (relaxation - 1.0) * rest[k]);
            x[low] = std::array::from_fn(|row| dot(&inverse[row], &rest));
            blocks = others;
        }
    }

    /// `y = (D / w + L) x`.
    pub(in crate::solver) fn multiply_lower(&self, graph: &Graph, relaxation: f64, x: &[[f64; N]], y: &mut [[f64; N]]) {
        for ((y, block), x) in y.iter_mut().zip(&self.diagonal).zip(x) {
            *y = std::array::from_fn(|row| dot(&block[row], x) / relaxation);
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

#[inline(always)]
pub(in crate::solver) fn dot<const N: usize>(x: &[f64; N], y: &[f64; N]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

/// `block += a^T t b`, `a` and `b` being rows of a contact over the displacements of two bodies.
#[inline(always)]
pub(in crate::solver) fn add_product<const N: usize, const R: usize>(
    block: &mut [[f64; N]; N],
    a: &[[f64; N]; R],
    t: &[[f64; R]; R],
    b: &[[f64; N]; R],
) {
    for (i, t) in t.iter().enumerate() {
        let tb: [f64; N] = std::array::from_fn(|column| (0..R).map(|j| t[j] * b[j][column]).sum());
        for (row, entries) in block.iter_mut().enumerate() {
            for (entry, tb) in entries.iter_mut().zip(&tb) {
                *entry += a[i][row] * tb;
            }
        }
    }
}
