//! The bodies of an island: how each can move, and which of them share contacts or rows. How a body can move is a square
//! root of its inverse mass matrix, `M^-1 = L L^T`. Symmetric matrices of `N` x `N` blocks, one block row for each body, and the
//! rows of contacts that they are made of.

use crate::error::{Result, copy, empty, refill, resize};
use crate::math::{BodyRow, Symmetric3, Vec3};
use crate::solver::problem::{Jacobian, Problem};

/// The number of a body that nothing moves.
pub(in crate::solver) const IMMOVABLE: u32 = u32::MAX;

/// The graph of the blocks below the diagonal: for each body its neighbours of higher number, ascending.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::solver) struct Graph {
    starts: Vec<u32>,
    neighbours: Vec<u32>,
    /// By body and component, whether it is in the matrix at all; empty: all are.
    kept: Vec<[bool; SIX]>,
}

impl Graph {
    /// Of `bodies` bodies, and the pairs of those that share a row, each lower number first; `pairs` are sorted and
    /// distinct.
    pub(in crate::solver) fn fill(&mut self, bodies: usize, pairs: &[[u32; 2]]) -> Result<()> {
        self.kept.clear();
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

    /// Becomes a copy of `other`.
    pub(in crate::solver) fn take(&mut self, other: &Self) -> Result<()> {
        copy(&mut self.starts, &other.starts, "bodies of an island")?;
        copy(&mut self.kept, &other.kept, "bodies of an island")?;
        copy(&mut self.neighbours, &other.neighbours, "bodies of an island")
    }

    /// Whether a component of a body is in the matrix.
    #[inline]
    pub(in crate::solver) fn keeps(&self, body: usize, component: usize) -> bool {
        self.kept.get(body).is_none_or(|kept| kept[component])
    }

    pub(in crate::solver) fn bodies(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// How many pairs of bodies share a row.
    pub(in crate::solver) fn pairs(&self) -> usize {
        self.neighbours.len()
    }

    /// The neighbours of higher number of a body, ascending.
    pub(in crate::solver) fn of(&self, body: usize) -> &[u32] {
        &self.neighbours[self.starts[body] as usize..self.starts[body + 1] as usize]
    }

    /// The index of the pair of two bodies that share a row; 0 if one of them does not move.
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

/// The degrees of freedom of a body.
pub(in crate::solver) const SIX: usize = 6;

/// `L` of a body: that of translations, and the lower triangle `xx yx zx yy zy zz` of that of turns.
#[derive(Debug, Clone, Copy)]
pub(in crate::solver) struct Root {
    pub(in crate::solver) linear: Vec3,
    pub(in crate::solver) angular: [f64; 6],
}

impl Root {
    /// `L^T` times a row of the Jacobian.
    pub(in crate::solver) fn times(&self, jacobian: &Jacobian) -> [f64; SIX] {
        let linear = self.linear.component_mul(&jacobian.linear);
        let [xx, yx, zx, yy, zy, zz] = self.angular;
        let w = &jacobian.angular;
        [linear.x, linear.y, linear.z, xx * w.x + yx * w.y + zx * w.z, yy * w.y + zy * w.z, zz * w.z]
    }

    /// Whether a component of `x` moves the body.
    pub(in crate::solver) fn moves(&self, component: usize) -> bool {
        let [xx, yx, zx, yy, zy, zz] = self.angular;
        let linear = &self.linear;
        [linear.x != 0.0, linear.y != 0.0, linear.z != 0.0, [xx, yx, zx] != [0.0; 3], [yy, zy] != [0.0; 2], zz != 0.0]
            [component]
    }
}

impl Root {
    /// `L x`: the motion of the body.
    pub(in crate::solver) fn applied(&self, x: &[f64; SIX]) -> (Vec3, Vec3) {
        let linear = self.linear.component_mul(&Vec3::new(x[0], x[1], x[2]));
        let [xx, yx, zx, yy, zy, zz] = self.angular;
        let angular = Vec3::new(xx * x[3], yx * x[3] + yy * x[4], zx * x[3] + zy * x[4] + zz * x[5]);
        (linear, angular)
    }
}

/// The bodies of an island, in its own numbers; keeps its workspace.
#[derive(Debug, Default)]
pub(in crate::solver) struct Members {
    /// The number in the island of each body of the problem that is in it.
    numbers: Vec<u32>,
    pub(in crate::solver) roots: Vec<Root>,
    pairs: Vec<[u32; 2]>,
    pub(in crate::solver) graph: Graph,
}

impl Members {
    /// Numbers the bodies of an island, and takes the roots of their masses.
    pub(in crate::solver) fn number(&mut self, problem: &Problem, bodies: &[BodyRow]) -> Result<()> {
        resize(&mut self.numbers, problem.masses.len(), 0, "bodies")?;
        empty(&mut self.roots, bodies.len(), "bodies of an island")?;
        for (number, body) in (0..).zip(bodies) {
            self.numbers[*body] = number;
            let mass = &problem.masses[*body];
            self.roots.push(Root { linear: mass.linear.map(f64::sqrt), angular: root(&mass.angular) });
        }
        Ok(())
    }

    /// Makes the graph of the two bodies of each contact and row, of which there are `capacity`.
    pub(in crate::solver) fn join(
        &mut self,
        problem: &Problem,
        capacity: usize,
        pairs: impl Iterator<Item = [BodyRow; 2]>,
    ) -> Result<()> {
        empty(&mut self.pairs, capacity, "pairs of bodies")?;
        let moving = pairs.filter(|pair| pair.iter().all(|body| problem.moves(*body)));
        let numbers = &self.numbers;
        self.pairs.extend(moving.map(|pair| pair.map(|body| numbers[body])).map(|[a, b]| [a.min(b), a.max(b)]));
        self.pairs.sort_unstable();
        self.pairs.dedup();
        self.graph.fill(self.roots.len(), &self.pairs)
    }

    /// Leaves out of matrices what bodies cannot do, as in planar problems.
    pub(in crate::solver) fn remove_locked(&mut self) -> Result<()> {
        let kept = |root: &Root| {
            let ([xx, yx, zx, yy, zy, zz], linear) = (root.angular, &root.linear);
            let columns = [xx.abs() + yx.abs() + zx.abs(), yy.abs() + zy.abs(), zz.abs()];
            let all = [linear.x, linear.y, linear.z, columns[0], columns[1], columns[2]];
            all.map(|entry| entry != 0.0)
        };
        empty(&mut self.graph.kept, self.roots.len(), "bodies of an island")?;
        if self.roots.iter().any(|root| kept(root) != [true; SIX]) {
            self.graph.kept.extend(self.roots.iter().map(kept));
        }
        Ok(())
    }

    /// The number of a body.
    pub(in crate::solver) fn number_of(&self, problem: &Problem, body: BodyRow) -> u32 {
        if problem.moves(body) { self.numbers[body] } else { IMMOVABLE }
    }

    /// `G L` of rows between two bodies, the first `N` columns.
    pub(in crate::solver) fn sides<const N: usize, const R: usize>(
        &self,
        problem: &Problem,
        pair: [BodyRow; 2],
        jacobians: [[Jacobian; R]; 2],
    ) -> Sides<N, R> {
        let bodies = pair.map(|body| self.number_of(problem, body));
        let side = |k: usize| match self.roots.get(bodies[k] as usize) {
            None => [[0.0; N]; R],
            Some(root) => jacobians[k].map(|jacobian| {
                let all = root.times(&jacobian);
                std::array::from_fn(|column| all[column])
            }),
        };
        Sides { bodies, rows: [side(0), side(1)] }
    }
}

/// The lower Cholesky factor of a matrix that may be singular.
fn root(matrix: &Symmetric3) -> [f64; 6] {
    let [xx, yy, zz, xy, yz, xz] = matrix.entries;
    let threshold = 1e-14 * matrix.trace();
    let pivot = |square: f64| if square > threshold { square.sqrt() } else { 0.0 };
    let over = |value: f64, pivot: f64| if pivot > 0.0 { value / pivot } else { 0.0 };
    let l_xx = pivot(xx);
    let (l_yx, l_zx) = (over(xy, l_xx), over(xz, l_xx));
    let l_yy = pivot(yy - l_yx * l_yx);
    let l_zy = over(yz - l_zx * l_yx, l_yy);
    [l_xx, l_yx, l_zx, l_yy, l_zy, pivot(zz - l_zx * l_zx - l_zy * l_zy)]
}
