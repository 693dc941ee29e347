//! Any contact, prepared for the sweep: arms of any direction, any inertia, the full 3x3 block.
//!
//! The tangents are the axes in which the tangential block, reduced by the normal row, is diagonal, so that the exact
//! local solve of [`crate::solver::local`] needs no eigenvectors in the sweep.

use crate::math::{Mat3, Vec3, tangents};
use crate::solver::disc::{Axes, LOCKED, STIFF};
use crate::solver::local::Block;
use crate::solver::problem::{Contact, Problem};

/// What a general contact has in its own axes.
#[derive(Debug, Clone, Copy)]
pub(super) struct GeneralRow {
    /// The first tangent; the second one is `n x t1`.
    pub(super) t1: Vec3,
    /// `b_n`, `b_1`, `b_2`.
    pub(super) bias: [f64; 3],
    /// Its normal entry is 0 where the bodies cannot move apart: no impulse is given then, and the residual shows what
    /// that leaves.
    pub(super) block: Block,
}

impl GeneralRow {
    /// The row of a contact.
    pub(super) fn new(problem: &Problem, contact: &Contact) -> Self {
        let (mass_a, mass_b) = (problem.mass(contact.body_a), problem.mass(contact.body_b));
        let delassus = contact.delassus_block(mass_a, mass_b);
        let (t1, block) = diagonal_block(contact, &delassus.to_matrix());
        let surface = &contact.surface_velocity;
        let t2 = contact.normal.cross(&t1);
        Self { t1, bias: [contact.normal_bias, -t1.dot(surface), -t2.dot(surface)], block }
    }
}

/// The first of the tangents that diagonalise the reduced tangential block, and the block in them.
fn diagonal_block(contact: &Contact, delassus: &Mat3) -> (Vec3, Block) {
    let n = &contact.normal;
    let (x, y) = tangents(n);
    let (s_n, s_t) = (contact.normal_compliance, contact.tangential_compliance);
    let along_n = delassus * n;
    let d_nn = n.dot(&along_n) + s_n;
    let (c_x, c_y) = (x.dot(&along_n), y.dot(&along_n));
    // Between bodies that only turn, D_NN can be zero while the tangents move: then there is no coupling either.
    let inverse = if d_nn > 0.0 { 1.0 / d_nn } else { 0.0 };
    let xx = x.dot(&(delassus * x)) + s_t - c_x * c_x * inverse;
    let yy = y.dot(&(delassus * y)) + s_t - c_y * c_y * inverse;
    let xy = x.dot(&(delassus * y)) - c_x * c_y * inverse;
    let (axes, [s1, s2]) = Axes::diagonal(xx, xy, yy);
    let [t1, _] = axes.vectors(&x, &y);
    let coupling = axes.to([c_x, c_y]);
    let whole = d_nn + xx + yy + (c_x * c_x + c_y * c_y) * inverse;
    let tangential = [s1, s2].map(|s| if s > LOCKED * whole { s } else { STIFF * whole });
    // No impulse at all where the normal is locked.
    let normal = if d_nn > LOCKED * whole { d_nn } else { 0.0 };
    (t1, Block { normal, coupling, tangential })
}
