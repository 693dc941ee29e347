//! The bodies of an island: how each can move, which is a square root of its inverse mass matrix, `M^-1 = L L^T`, and
//! which of them share contacts or rows.

use crate::error::{Result, empty, resize};
use crate::math::{BodyRow, Symmetric3, Vec3};
use crate::solver::operator::blocks::{Graph, IMMOVABLE, Sides};
use crate::solver::problem::{Jacobian, MassInverse, Problem};

/// Ways in which a body moves.
pub(in crate::solver) const SIX: usize = 6;

/// `L` of a body: that of translations, and the lower triangle `xx yx zx yy zy zz` of that of turns.
#[derive(Debug, Clone, Copy)]
pub(in crate::solver) struct Root {
    pub(in crate::solver) linear: Vec3,
    pub(in crate::solver) angular: [f64; 6],
}

impl Root {
    pub(in crate::solver) fn new(mass: &MassInverse) -> Self {
        Self { linear: mass.linear.map(f64::sqrt), angular: root(&mass.angular) }
    }

    /// `L^T` times a row of the Jacobian.
    pub(in crate::solver) fn times(&self, jacobian: &Jacobian) -> [f64; SIX] {
        let linear = self.linear.component_mul(&jacobian.linear);
        let [xx, yx, zx, yy, zy, zz] = self.angular;
        let w = &jacobian.angular;
        [linear.x, linear.y, linear.z, xx * w.x + yx * w.y + zx * w.z, yy * w.y + zy * w.z, zz * w.z]
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
        if self.numbers.len() < problem.masses.len() {
            resize(&mut self.numbers, problem.masses.len(), 0, "bodies")?;
        }
        empty(&mut self.roots, bodies.len(), "bodies of an island")?;
        for (number, body) in (0..).zip(bodies) {
            self.numbers[*body] = number;
            self.roots.push(Root::new(&problem.masses[*body]));
        }
        Ok(())
    }

    /// Makes the graph of the two bodies of each contact and row, of which there are `most`.
    pub(in crate::solver) fn join(
        &mut self,
        problem: &Problem,
        most: usize,
        pairs: impl Iterator<Item = [BodyRow; 2]>,
    ) -> Result<()> {
        empty(&mut self.pairs, most, "pairs of bodies")?;
        let moving = pairs.filter(|pair| pair.iter().all(|body| problem.moves(*body)));
        let numbers = &self.numbers;
        self.pairs.extend(moving.map(|pair| pair.map(|body| numbers[body])).map(|[a, b]| [a.min(b), a.max(b)]));
        self.pairs.sort_unstable();
        self.pairs.dedup();
        self.graph.fill(self.roots.len(), &self.pairs)
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
    let least = 1e-14 * matrix.trace();
    let pivot = |square: f64| if square > least { square.sqrt() } else { 0.0 };
    let over = |value: f64, pivot: f64| if pivot > 0.0 { value / pivot } else { 0.0 };
    let l_xx = pivot(xx);
    let (l_yx, l_zx) = (over(xy, l_xx), over(xz, l_xx));
    let l_yy = pivot(yy - l_yx * l_yx);
    let l_zy = over(yz - l_zx * l_yx, l_yy);
    [l_xx, l_yx, l_zx, l_yy, l_zy, pivot(zz - l_zx * l_zx - l_zy * l_zy)]
}
