//! The conic program of an island, in units in which its numbers are of order 1.
//!
//! ```text
//! w = B x + E lambda + c,    K* contains w,  K contains lambda,  w . lambda = 0
//! q x = B^T lambda + g
//! ```
//!
//! `x` are the motions of the bodies in the metric of their masses, so that `q = 1` and `g = 0` in a step. In a static
//! problem `q = 0`, and `g` is the load. The rows are those of [`Reduced`], in the same order.

use crate::error::{Result, copy, empty, push, refill, resize};
use crate::math::BodyRow;
use crate::solver::operator::blocks::{Blocks, Graph, IMMOVABLE, Members, Sides};
use crate::solver::operator::reduced::{Block, Law as ReducedLaw, Reduced};
use crate::solver::problem::cone::Cone;
use crate::solver::problem::islands::Island;
use crate::solver::problem::{Jacobian, Problem, box_rows};

/// The degrees of freedom of a body.
pub(in crate::solver) const DOF: usize = 6;
/// The largest number of rows of a piece.
pub(in crate::solver) const ROWS: usize = 6;

/// A small matrix over the rows of a piece.
pub(in crate::solver) type Small = [[f64; ROWS]; ROWS];

/// The law of the impulses of some rows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::solver) enum Law {
    /// No bounds: `w = 0`.
    Free,
    /// Bounds, which differ. At least one is finite.
    Bounded { lower: f64, upper: f64 },
    /// The bounds of a contact.
    Contact(Cone),
    /// The impulses keep their value.
    Still,
}

impl Law {
    /// Returns the law in the limit of large impulses: bounds that are finite become zero.
    pub(in crate::solver) fn far(&self) -> Self {
        match *self {
            Self::Bounded { lower, upper } => {
                let far = |bound: f64| if bound.is_finite() { 0.0 } else { bound };
                Self::Bounded { lower: far(lower), upper: far(upper) }
            }
            other => other,
        }
    }
}

/// Rows with one law, between two bodies.
#[derive(Debug, Clone, Copy)]
pub(in crate::solver) struct Piece {
    pub(in crate::solver) first: usize,
    pub(in crate::solver) rows: usize,
    pub(in crate::solver) law: Law,
    pub(in crate::solver) bodies: [u32; 2],
    /// The approximate diagonal of `B B^T + E`.
    pub(in crate::solver) scale: f64,
    pair: u32,
}

impl Piece {
    /// Returns the range of its rows.
    pub(in crate::solver) fn range(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.rows
    }
}

/// The units of a program: its numbers times these are those of the problem.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::solver) struct Units {
    /// Velocities [m/s], or displacements [m].
    pub(in crate::solver) speed: f64,
    /// Impulses [N s], or forces [N].
    pub(in crate::solver) impulse: f64,
}

/// The program, and its workspace.
#[derive(Debug, Default)]
pub(in crate::solver) struct Program {
    pub(in crate::solver) pieces: Vec<Piece>,
    /// The rows of `B`, for both bodies.
    jacobian: Vec<[[f64; DOF]; 2]>,
    /// `E` and `c`.
    pub(in crate::solver) compliance: Vec<f64>,
    pub(in crate::solver) bias: Vec<f64>,
    /// The length by which a torque is divided to get a force [m]; 1 for forces.
    lengths: Vec<f64>,
    /// Whether each row moves no body.
    pub(in crate::solver) idle: Vec<bool>,
    pub(in crate::solver) members: Members,
    /// `q`.
    pub(in crate::solver) weight: f64,
    /// `g`.
    pub(in crate::solver) load: Vec<[f64; DOF]>,
}

impl Program {
    /// Returns the number of bodies.
    pub(in crate::solver) fn bodies(&self) -> usize {
        self.members.roots.len()
    }

    /// Returns the number of rows.
    pub(in crate::solver) fn size(&self) -> usize {
        self.bias.len()
    }

    pub(in crate::solver) fn graph(&self) -> &Graph {
        &self.members.graph
    }

    /// Writes the rows of an island in these units. `reduced` has their laws and velocities.
    pub(in crate::solver) fn set(
        &mut self,
        problem: &Problem,
        island: &Island,
        reduced: &Reduced,
        units: &Units,
    ) -> Result<()> {
        let size = reduced.size();
        refill(&mut self.load, island.bodies.len(), [0.0; DOF], "bodies of an island")?;
        refill(&mut self.lengths, size, 1.0, "rows of an island")?;
        empty(&mut self.pieces, reduced.blocks.len(), "contacts of an island")?;
        empty(&mut self.jacobian, size, "rows of an island")?;
        empty(&mut self.compliance, size, "rows of an island")?;
        empty(&mut self.bias, size, "rows of an island")?;
        empty(&mut self.idle, size, "rows of an island")?;
        for block in &reduced.blocks {
            for (at, row) in block.rows().enumerate() {
                self.lengths[row] = if at >= 3 || block.dimension() == 1 { block.length } else { 1.0 };
            }
            let rows = block.dimension();
            let law = law_of(block, units);
            let scale = block.scale * units.impulse / units.speed;
            let scale = if rows == 1 { scale * block.length * block.length } else { scale };
            self.pieces.push(Piece { first: block.first, rows, law, scale, bodies: [IMMOVABLE; 2], pair: 0 });
        }
        self.take_rows(problem, island, &reduced.q, units)
    }

    /// Writes Jacobians, compliances and velocities.
    fn take_rows(&mut self, problem: &Problem, island: &Island, q: &[f64], units: &Units) -> Result<()> {
        let scalar = island.rows.iter().map(|index| [problem.rows[*index].body_a, problem.rows[*index].body_b]);
        let contacts = island.contacts.iter().map(|index| &problem.contacts[*index]);
        let pairs = scalar.chain(contacts.map(|contact| [contact.body_a, contact.body_b]));
        let mut piece = 0;
        let places: usize = island.rows.len() + island.contacts.len();
        self.members.join(problem, places, pairs)?;
        self.members.remove_locked()?;
        for index in island.rows {
            let row = &problem.rows[*index];
            self.add_row(problem, piece, [row.body_a, row.body_b], [row.jacobian_a, row.jacobian_b]);
            self.finish_row(q, row.compliance, units);
            piece += 1;
        }
        for index in island.contacts {
            let (contact, optional) = problem.full_contact(*index);
            for row in box_rows(contact, optional) {
                self.add_row(problem, piece, [row.body_a, row.body_b], [row.jacobian_a, row.jacobian_b]);
                self.finish_row(q, row.compliance, units);
            }
            piece += 1;
        }
        Ok(())
    }

    fn add_row(&mut self, problem: &Problem, piece: usize, pair: [BodyRow; 2], jacobians: [Jacobian; 2]) {
        let sides: Sides<DOF, 1> = self.members.sides(problem, pair, jacobians.map(|jacobian| [jacobian]));
        let pair = self.members.graph.pair(sides.bodies) as u32;
        if let Some(piece) = self.pieces.get_mut(piece) {
            (piece.bodies, piece.pair) = (sides.bodies, pair);
        }
        self.jacobian.push([sides.rows[0][0], sides.rows[1][0]]);
    }

    /// Converts the row that was added last to the units.
    fn finish_row(&mut self, q: &[f64], compliance: f64, units: &Units) {
        let row = self.bias.len();
        let length = self.lengths[row];
        let mass = units.impulse / units.speed;
        let factor = mass.sqrt() * length;
        let mut moves = false;
        for entry in self.jacobian[row].as_flattened_mut() {
            *entry *= factor;
            moves |= *entry != 0.0;
        }
        self.bias.push(q[row] * length / units.speed);
        self.compliance.push(compliance * length * length * mass);
        self.idle.push(!moves);
    }

    /// Numbers the bodies of an island, in the metric of the masses.
    pub(in crate::solver) fn number(&mut self, problem: &Problem, island: &Island) -> Result<()> {
        self.members.number(problem, island.bodies)
    }

    /// Writes the impulses of the host to `lambda`, in the units of the program.
    pub(in crate::solver) fn take(&self, given: &[f64], units: &Units, lambda: &mut Vec<f64>) -> Result<()> {
        resize(lambda, given.len(), 0.0, "rows of an island")?;
        for ((lambda, given), length) in lambda.iter_mut().zip(given).zip(&self.lengths) {
            *lambda = given / (length * units.impulse);
        }
        Ok(())
    }

    /// Writes the impulses of the program to `given`, in the units of the host.
    pub(in crate::solver) fn give(&self, lambda: &[f64], units: &Units, given: &mut [f64]) {
        for ((given, lambda), length) in given.iter_mut().zip(lambda).zip(&self.lengths) {
            *given = lambda * length * units.impulse;
        }
    }

    /// Sets compliances and offsets of all rows to zero.
    pub(in crate::solver) fn clear_offsets(&mut self) {
        self.compliance.fill(0.0);
        self.bias.fill(0.0);
    }

    /// Copies another program.
    pub(in crate::solver) fn take_over(&mut self, other: &Self) -> Result<()> {
        copy(&mut self.pieces, &other.pieces, "contacts of an island")?;
        copy(&mut self.jacobian, &other.jacobian, "rows of an island")?;
        copy(&mut self.compliance, &other.compliance, "rows of an island")?;
        copy(&mut self.bias, &other.bias, "rows of an island")?;
        copy(&mut self.lengths, &other.lengths, "rows of an island")?;
        copy(&mut self.idle, &other.idle, "rows of an island")?;
        copy(&mut self.load, &other.load, "bodies of an island")?;
        copy(&mut self.members.roots, &other.members.roots, "bodies of an island")?;
        self.weight = other.weight;
        self.members.graph.take(&other.members.graph)
    }

    /// Replaces a piece by one with a single row. The impulses of the piece are multiples of `ray`, none of them below
    /// zero.
    pub(in crate::solver) fn narrow(&mut self, number: usize, ray: &[f64; ROWS]) {
        let piece = self.pieces[number];
        let combined = self.combined(&piece, ray);
        self.put_line(number, piece.first, combined);
    }

    /// Replaces a contact by two pieces of one row each. The contact has no compliance, and its friction has one
    /// direction, so that its cone has two edges. The impulses of the pieces are multiples of the `edges`. The second
    /// is the last piece.
    pub(in crate::solver) fn split(&mut self, number: usize, edges: &[[f64; ROWS]; 2]) -> Result<()> {
        let piece = self.pieces[number];
        let combined = [self.combined(&piece, &edges[0]), self.combined(&piece, &edges[1])];
        push(&mut self.pieces, piece, "contacts of an island")?;
        let last = self.pieces.len() - 1;
        for ((place, row), combined) in [number, last].into_iter().zip(piece.range()).zip(combined) {
            self.put_line(place, row, combined);
        }
        Ok(())
    }

    /// Returns the largest entry of a row.
    pub(in crate::solver) fn stretch(&self, row: usize) -> f64 {
        self.jacobian[row].as_flattened().iter().fold(0.0_f64, |largest, entry| largest.max(entry.abs()))
    }

    /// Returns the row of the multiples of a `ray`: Jacobian, compliance and offset.
    fn combined(&self, piece: &Piece, ray: &[f64; ROWS]) -> ([[f64; DOF]; 2], f64, f64) {
        let mut sum = ([[0.0; DOF]; 2], 0.0, 0.0);
        for (row, factor) in piece.range().zip(ray) {
            let entries = self.jacobian[row].as_flattened();
            sum.0.as_flattened_mut().iter_mut().zip(entries).for_each(|(sum, entry)| *sum += factor * entry);
            sum.1 += factor * factor * self.compliance[row];
            sum.2 += factor * self.bias[row];
        }
        sum
    }

    fn put_line(&mut self, number: usize, row: usize, combined: ([[f64; DOF]; 2], f64, f64)) {
        let piece = &mut self.pieces[number];
        (piece.first, piece.rows, piece.law) = (row, 1, Law::Bounded { lower: 0.0, upper: f64::INFINITY });
        piece.scale = 0.5 * combined.0.as_flattened().iter().map(|entry| entry * entry).sum::<f64>();
        (self.jacobian[row], self.compliance[row], self.bias[row]) = combined;
    }

    /// Returns `B x` of the rows of a piece.
    #[inline]
    pub(in crate::solver) fn along(&self, piece: &Piece, x: &[[f64; DOF]]) -> [f64; ROWS] {
        let mut w = [0.0; ROWS];
        for (side, body) in piece.bodies.iter().enumerate().filter(|(_, body)| **body != IMMOVABLE) {
            let x = &x[*body as usize];
            for (w, row) in w.iter_mut().zip(&self.jacobian[piece.range()]) {
                *w += (0..DOF).map(|k| row[side][k] * x[k]).sum::<f64>();
            }
        }
        w
    }

    /// Returns the first rows of a contact over both bodies.
    pub(in crate::solver) fn sides<const R: usize>(&self, piece: &Piece) -> Sides<DOF, R> {
        let rows = &self.jacobian[piece.range()];
        let side = |side: usize| std::array::from_fn(|row| rows.get(row).map_or([0.0; DOF], |row| row[side]));
        Sides { bodies: piece.bodies, rows: [side(0), side(1)] }
    }

    /// Adds `B^T f` of the rows of a piece.
    #[inline]
    pub(in crate::solver) fn push(&self, piece: &Piece, f: &[f64], sum: &mut [[f64; DOF]]) {
        for (side, body) in piece.bodies.iter().enumerate().filter(|(_, body)| **body != IMMOVABLE) {
            let sum = &mut sum[*body as usize];
            for (f, row) in f.iter().zip(&self.jacobian[piece.range()]) {
                for k in 0..DOF {
                    sum[k] += f * row[side][k];
                }
            }
        }
    }

    /// Adds `B^T K B` of a piece.
    pub(in crate::solver) fn stiffen(&self, piece: &Piece, k: &Small, blocks: &mut Blocks<DOF>) {
        let rows = &self.jacobian[piece.range()];
        for (side, body) in piece.bodies.iter().enumerate().filter(|(_, body)| **body != IMMOVABLE) {
            add_product(&mut blocks.diagonal[*body as usize], rows, [side, side], k);
        }
        let [a, b] = piece.bodies;
        if a != IMMOVABLE && b != IMMOVABLE {
            let sides = if a > b { [0, 1] } else { [1, 0] };
            add_product(&mut blocks.lower[piece.pair as usize], rows, sides, k);
        }
    }

    /// Returns `w` of the rows of a piece.
    pub(in crate::solver) fn velocity(&self, piece: &Piece, x: &[[f64; DOF]], lambda: &[f64]) -> [f64; ROWS] {
        let mut w = self.along(piece, x);
        for (w, row) in w.iter_mut().zip(piece.range()) {
            *w += self.compliance[row] * lambda[row] + self.bias[row];
        }
        w
    }
}

/// Computes `block += rows[high]^T k rows[low]`.
fn add_product(block: &mut [[f64; DOF]; DOF], rows: &[[[f64; DOF]; 2]], [high, low]: [usize; 2], k: &Small) {
    for (i, own) in rows.iter().enumerate() {
        let mut product = [0.0; DOF];
        for (j, other) in rows.iter().enumerate() {
            let factor = k[i][j];
            for (product, entry) in product.iter_mut().zip(&other[low]) {
                *product += factor * entry;
            }
        }
        for (entries, left) in block.iter_mut().zip(&own[high]) {
            for (entry, product) in entries.iter_mut().zip(&product) {
                *entry += left * product;
            }
        }
    }
}

/// Returns the law of a block in the units.
fn law_of(block: &Block, units: &Units) -> Law {
    if block.scale == 0.0 {
        return Law::Still;
    }
    match block.law {
        ReducedLaw::Contact { cone, .. } => {
            let (rolling, twisting) = (cone.rolling / block.length, cone.twisting / block.length);
            Law::Contact(Cone { rolling, twisting, ..cone })
        }
        ReducedLaw::Bounded { lower, upper, .. } => {
            let unit = units.impulse * block.length;
            let (lower, upper) = (lower / unit, upper / unit);
            if lower == f64::NEG_INFINITY && upper == f64::INFINITY {
                Law::Free
            } else if lower < upper {
                Law::Bounded { lower, upper }
            } else {
                Law::Still
            }
        }
    }
}
