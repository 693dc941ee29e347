//! The preparation of general contacts: their full 3x3 blocks.
//!
//! The tangents are the axes in which the tangential block, reduced by the normal row, is diagonal. The exact local
//! solve of [`crate::solver::gauss_seidel::local`] therefore needs no eigenvectors in the sweep.

use super::layout::GeneralBatch;
use crate::math::lanes::{Lanes, Places, Vec3s, WIDE, Wide};
use crate::solver::gauss_seidel::disc::{Axes, LOCKED, STIFF};
use crate::solver::gauss_seidel::local::{Block, Local, inverse};
use crate::solver::gauss_seidel::wide::lines::{loaded, write};
use crate::solver::gauss_seidel::wide::masses::{InverseMass, Mass};
use crate::solver::problem::{MassInverse, Problem};

impl GeneralBatch {
    /// Computes the blocks from the `masses` of bodies a and b, see [`read_masses`], and from the compliances `S_n` and `S_t`.
    #[inline(always)]
    pub(super) fn block<L: Lanes>(&mut self, masses: &[[Wide; 9]; 2], compliance: &[Wide; 2]) {
        for first in (0..WIDE).step_by(L::WIDTH) {
            let masses = [Mass::load(&masses[0], first), Mass::load(&masses[1], first)];
            let normal = Vec3s::load(&self.normal, first);
            let arms = [Vec3s::load(&self.arm_a, first), Vec3s::load(&self.arm_b, first)];
            let row = GeneralRow::<L>::new(normal, arms, &masses, loaded(compliance, first));
            self.set_block(&row, first);
        }
    }

    /// Writes the blocks of some lanes. The impulses there are in the axes of the blocks before.
    #[inline(always)]
    pub(in crate::solver) fn set_block<L: Lanes>(&mut self, row: &GeneralRow<L>, first: usize) {
        let Local { inverse, carried, tangential, .. } = row.block.prepared();
        row.t1.store(&mut self.t1, first);
        inverse.store(&mut self.inverse, first);
        carried[0].store(&mut self.carried[0], first);
        carried[1].store(&mut self.carried[1], first);
        tangential[0].store(&mut self.tangential[0], first);
        tangential[1].store(&mut self.tangential[1], first);
    }
}

/// Writes the inverse masses of the bodies at some places: `[1/m_x 1/m_y 1/m_z Ixx Iyy Izz Ixy Iyz Ixz]`.
pub(super) fn read_masses(to: &mut [Wide; 9], places: &Places, problem: &Problem) {
    for (lane, place) in places.iter().enumerate() {
        let MassInverse { linear, angular } = problem.mass(place.row());
        let [xx, yy, zz, xy, yz, xz] = angular.entries;
        write(to, lane, [linear.x, linear.y, linear.z, xx, yy, zz, xy, yz, xz]);
    }
}

/// What a general contact has in its own axes, in each lane one.
#[derive(Debug, Clone, Copy)]
pub(in crate::solver) struct GeneralRow<L> {
    /// The first tangent; the second one is `n x t1`.
    pub(in crate::solver) t1: Vec3s<L>,
    /// Its normal entry is 0 where the bodies cannot move apart: no impulse is given then, and the residual shows what
    /// that leaves.
    pub(in crate::solver) block: Block<L>,
}

/// What both bodies answer to an impulse of one in some direction.
#[derive(Clone, Copy)]
struct Answer<L> {
    direction: Vec3s<L>,
    moments: [Vec3s<L>; 2],
    linear: Vec3s<L>,
    turns: [Vec3s<L>; 2],
}

impl<L: Lanes> Answer<L> {
    #[inline(always)]
    fn new(direction: Vec3s<L>, [a, b]: &[Mass<L>; 2], [arm_a, arm_b]: [Vec3s<L>; 2]) -> Self {
        let moments = [arm_a.cross(direction), arm_b.cross(direction)];
        let [[linear_a, turn_a], [linear_b, turn_b]] =
            [a.responses(direction, moments[0]), b.responses(direction, moments[1])];
        Self { direction, moments, linear: linear_a + linear_b, turns: [turn_a, turn_b] }
    }

    /// The entry of the Delassus operator between this direction and another one.
    #[inline(always)]
    fn times(&self, other: &Self) -> L {
        let turning = self.moments[0].dot(other.turns[0]) + self.moments[1].dot(other.turns[1]);
        self.direction.dot(other.linear) + turning
    }
}

impl<L: Lanes> GeneralRow<L> {
    /// The row of a contact between bodies of these masses; `compliance` is `S_n` and `S_t`.
    #[inline(always)]
    pub(in crate::solver) fn new(
        normal: Vec3s<L>,
        arms: [Vec3s<L>; 2],
        masses: &[Mass<L>; 2],
        compliance: [L; 2],
    ) -> Self {
        let ([x, y], zero) = (normal.tangents(), L::splat(0.0));
        let along_n = Answer::new(normal, masses, arms);
        let (along_x, along_y) = (Answer::new(x, masses, arms), Answer::new(y, masses, arms));
        let block = FullBlock {
            nn: along_n.times(&along_n) + compliance[0],
            nt: [along_x.times(&along_n), along_y.times(&along_n)],
            xx: along_x.times(&along_x) + compliance[1],
            xy: along_x.times(&along_y),
            yy: along_y.times(&along_y) + compliance[1],
        };
        Self::of([x, y], &block, zero, STIFF)
    }

    /// Returns the row of a contact with this block, in the axes of its normal and the tangents. A direction is locked
    /// if its entry is at most `threshold`, or a small part of the trace of the block. The entry of a locked tangent is
    /// replaced by `stiffness` times the trace.
    #[inline(always)]
    pub(in crate::solver) fn of([x, y]: [Vec3s<L>; 2], block: &FullBlock<L>, threshold: L, stiffness: f64) -> Self {
        let (FullBlock { nn: d_nn, nt: [c_x, c_y], .. }, zero) = (*block, L::splat(0.0));
        // Between bodies that only turn, D_NN can be zero while the tangents move: then there is no coupling either.
        let inverse = inverse(d_nn);
        let xx = block.xx - c_x * c_x * inverse;
        let yy = block.yy - c_y * c_y * inverse;
        let xy = block.xy - c_x * c_y * inverse;
        let (axes, [s1, s2]) = Axes::diagonal(xx, xy, yy);
        let whole = d_nn + xx + yy + (c_x * c_x + c_y * c_y) * inverse;
        let (threshold, stiff) =
            ((L::splat(LOCKED) * whole).larger(threshold), (L::splat(stiffness) * whole).larger(threshold));
        let tangential = [L::select(L::above(s1, threshold), s1, stiff), L::select(L::above(s2, threshold), s2, stiff)];
        // No impulse at all where the normal is locked.
        let normal = L::select(L::above(d_nn, threshold), d_nn, zero);
        Self { t1: axes.first(x, y), block: Block { normal, coupling: axes.to([c_x, c_y]), tangential } }
    }
}

/// The block of a contact in the axes of its normal and two tangents x and y.
#[derive(Debug, Clone, Copy)]
pub(in crate::solver) struct FullBlock<L> {
    pub(in crate::solver) nn: L,
    pub(in crate::solver) nt: [L; 2],
    pub(in crate::solver) xx: L,
    pub(in crate::solver) xy: L,
    pub(in crate::solver) yy: L,
}
