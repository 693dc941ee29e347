//! Eight blocks of scalar rows side by side, which have as many bilateral rows and others each.
//!
//! A visit first solves the other rows one by one, with the bilateral ones eliminated: each uses its diagonal entry of the Schur complement.
//! So a motor converges as fast as if its hinge were exact. Then the bilateral rows are solved exactly, together.

#![allow(clippy::needless_range_loop)] // adapters of iterators over lanes are not inlined into the kernels: ten times the time

mod layout;
mod prepare;
mod row_targets;

use crate::math::lanes::{Lanes, Places, Vec3s, Wide};
use crate::solver::gauss_seidel::rule::Rule;
use crate::solver::gauss_seidel::wide::batch::SweepBatch;
use crate::solver::gauss_seidel::wide::lines::{self, Bodies, SweepContext};
use crate::solver::gauss_seidel::wide::masses::{Anisotropic, InverseMass, MassSource};
use crate::solver::problem::blocks::MAX_ROWS;

use layout::RowX8;
pub(in crate::solver) use row_targets::RowTargetsX8;

pub(in crate::solver) use layout::BlockBatch;

/// A number for each row of eight blocks.
pub(in crate::solver) type RowsX8 = [Wide; MAX_ROWS];

impl SweepBatch for BlockBatch {
    type Extra = ();
    type Torques = ();
    const READS_MASSES: bool = true;
    const LONGEST_RUN: usize = 1;

    #[inline(always)]
    fn places(&self) -> [&Places; 2] {
        [&self.a, &self.b]
    }

    #[inline(always)]
    fn bytes_read(&self) -> usize {
        std::mem::offset_of!(Self, rows) + self.shape.rows() * size_of::<RowX8>()
    }

    /// Rows have no friction, so the rule does not matter.
    #[inline(always)]
    fn relax<L: Lanes, M: MassSource, R: Rule, const MEASURED: bool>(
        &mut self,
        a: &mut Bodies<L>,
        _: Option<&()>,
        _: Option<&mut ()>,
        context: SweepContext,
        first: usize,
    ) -> L {
        // A loop of known length stays in registers.
        match self.shape.rows() {
            0 => L::splat(0.0),
            1 => self.relax_rows::<L, M, 1>(a, context, first),
            2 => self.relax_rows::<L, M, 2>(a, context, first),
            3 => self.relax_rows::<L, M, 3>(a, context, first),
            4 => self.relax_rows::<L, M, 4>(a, context, first),
            5 => self.relax_rows::<L, M, 5>(a, context, first),
            _ => self.relax_rows::<L, M, MAX_ROWS>(a, context, first),
        }
    }

    #[inline(always)]
    fn apply<L: Lanes>(&self, a: &mut Bodies<L>, _: Option<&()>, context: SweepContext, first: usize) {
        let b = Bodies::<L>::gather(context.bodies, &self.b, first);
        self.push::<L, Anisotropic>(a, b, self.on_bodies(None, first), context, first);
    }

    #[inline(always)]
    fn on_bodies<L: Lanes>(&self, _: Option<&()>, first: usize) -> [[Vec3s<L>; 2]; 2] {
        let mut lambda = [L::splat(0.0); MAX_ROWS];
        for at in 0..self.shape.rows() {
            lambda[at] = L::load(&self.rows[at].lambda, first);
        }
        // Rows that a block does not have are zero.
        self.impulses(&lambda, first)
    }
}

impl BlockBatch {
    /// Solves blocks of `N` rows, as [`SweepBatch::relax`] says. Returns the squares of the largest change of a row's velocity [m^2/s^2].
    #[inline(always)]
    fn relax_rows<L: Lanes, M: MassSource, const N: usize>(
        &mut self,
        a: &mut Bodies<L>,
        context: SweepContext,
        first: usize,
    ) -> L {
        let b = Bodies::<L>::gather(context.bodies, &self.b, first);
        let (zero, relaxation) = (L::splat(0.0), L::splat(context.relaxation));
        let mut w = [zero; N];
        for at in 0..N {
            w[at] = self.defect(at, [a, &b], first);
        }
        let change = if usize::from(self.shape.bilateral) == N {
            self.solve_bilateral(&w, relaxation, first)
        } else {
            self.solve(&w, relaxation, first)
        };
        self.push::<L, M>(a, b, self.impulses(&change, first), context, first);
        let mut largest = zero;
        for at in 0..N {
            let moved = change[at] * L::load(&self.rows[at].measure, first);
            largest = (moved * moved).larger(largest);
        }
        largest
    }

    /// Returns `J v + S lambda - rhs` of the row at a place.
    #[inline(always)]
    fn defect<L: Lanes>(&self, at: usize, [a, b]: [&Bodies<L>; 2], first: usize) -> L {
        let row = &self.rows[at];
        let along = row.velocity(0, a, first) + row.velocity(1, b, first);
        let softly = L::load(&row.compliance, first) * L::load(&row.lambda, first);
        along - L::load(&row.rhs, first) + softly
    }

    /// Writes the residuals of the rows, which [`crate::solver::problem::residual`] defines, at the velocities on the lines.
    #[inline(always)]
    pub(in crate::solver) fn measure<L: Lanes>(&self, residuals: &mut RowsX8, context: SweepContext, first: usize) {
        let a = Bodies::<L>::gather(context.bodies, &self.a, first);
        let b = Bodies::<L>::gather(context.bodies, &self.b, first);
        let zero = L::splat(0.0);
        for at in 0..self.shape.rows() {
            let row = &self.rows[at];
            let (lambda, diagonal) = (L::load(&row.lambda, first), L::load(&row.diagonal, first));
            let step = self.defect(at, [&a, &b], first) / diagonal;
            let [lower, upper] = self.bounds::<L>(at, first);
            let clamped = step.larger(lambda - upper).smaller(lambda - lower);
            // Comparisons lose what is no number, zero times it does not.
            let off = (clamped + step * zero).magnitude() * L::load(&row.measure, first);
            L::select(L::above(diagonal, zero), off, zero).store(&mut residuals[at], first);
        }
    }

    /// Changes the impulses of blocks of bilateral rows, given the defects `w` of the rows, and returns the changes.
    #[inline(always)]
    fn solve_bilateral<L: Lanes, const N: usize>(&mut self, w: &[L; N], relaxation: L, first: usize) -> [L; N] {
        let mut change = [L::splat(0.0); N];
        for at in 0..N {
            let row = &mut self.rows[at];
            let mut sum = L::load(&row.matrix[0], first) * w[0];
            for of in 1..N {
                sum = sum + L::load(&row.matrix[of], first) * w[of];
            }
            change[at] = -(relaxation * sum);
            (L::load(&row.lambda, first) + change[at]).store(&mut row.lambda, first);
        }
        change
    }

    /// Changes the impulses, given the defects `w` of the rows, and returns the changes.
    ///
    /// Let `B` be the bilateral rows, `U` the others and `D = J M^-1 J^T + S`. The matrix holds for a row in `B` the
    /// row of `D_BB^-1`, then that of `D_BU`. For a row in `U` it first holds the row of `-D_UB D_BB^-1`. Then comes
    /// the row of `D_UU - D_UB D_BB^-1 D_BU` up to its diagonal, which is inverted. A row in `U` that follows from
    /// those in `B` has the row of `D_UU` alone.
    #[inline(always)]
    fn solve<L: Lanes, const N: usize>(&mut self, w: &[L; N], relaxation: L, first: usize) -> [L; N] {
        let (zero, bilateral) = (L::splat(0.0), usize::from(self.shape.bilateral));
        let mut change = [zero; N];
        for at in bilateral..N {
            let row = &self.rows[at];
            let mut defect = w[at];
            for of in 0..at {
                let value = if of < bilateral { w[of] } else { change[of] };
                defect = defect + L::load(&row.matrix[of], first) * value;
            }
            let (inverse, old) = (L::load(&row.matrix[at], first), L::load(&row.lambda, first));
            let next = self.bounded(at, old - relaxation * defect * inverse, first);
            let next = L::select(L::above(inverse, zero), next, old);
            next.store(&mut self.rows[at].lambda, first);
            change[at] = next - old;
        }
        let mut left = *w;
        for at in 0..bilateral {
            for of in bilateral..N {
                left[at] = left[at] + L::load(&self.rows[at].matrix[of], first) * change[of];
            }
        }
        for at in 0..bilateral {
            let row = &mut self.rows[at];
            let mut sum = zero;
            for of in 0..bilateral {
                sum = sum + L::load(&row.matrix[of], first) * left[of];
            }
            change[at] = -(relaxation * sum);
            (L::load(&row.lambda, first) + change[at]).store(&mut row.lambda, first);
        }
        change
    }

    /// Returns an impulse within the bounds of the row at a place.
    #[inline(always)]
    fn bounded<L: Lanes>(&self, at: usize, lambda: L, first: usize) -> L {
        let [lower, upper] = self.bounds::<L>(at, first);
        lambda.smaller(upper).larger(lower)
    }

    /// Returns the bounds of the row at a place, which the impulse of another one may scale.
    #[inline(always)]
    fn bounds<L: Lanes>(&self, at: usize, first: usize) -> [L; 2] {
        let row = &self.rows[at];
        let (mut lower, mut upper) = (L::load(&row.lower, first), L::load(&row.upper, first));
        if self.is_coupled {
            let (zero, place) = (L::splat(0.0), L::load(&row.scale, first));
            let mut scale = L::splat(1.0);
            for other in 0..self.shape.rows() {
                let [below, above] = [-0.5, 0.5].map(|by| L::splat(other as f64 + by));
                let is_it = L::both(L::above(place, below), L::above(above, place));
                scale = L::select(is_it, L::load(&self.rows[other].lambda, first).magnitude(), scale);
            }
            // infinity times nothing is no number
            let is_scaled = L::above(scale, zero);
            (lower, upper) = (L::select(is_scaled, lower * scale, zero), L::select(is_scaled, upper * scale, zero));
        }
        [lower, upper]
    }

    /// Returns `J^T lambda` of bodies a and b.
    #[inline(always)]
    fn impulses<L: Lanes, const N: usize>(&self, lambda: &[L; N], first: usize) -> [[Vec3s<L>; 2]; 2] {
        let zero = L::splat(0.0);
        let mut sums = [[Vec3s::new(zero, zero, zero); 2]; 2];
        for at in 0..N {
            for side in 0..2 {
                let [along, about] = self.rows[at].jacobian(side, first);
                let [linear, angular] = sums[side];
                sums[side] = [linear + along * lambda[at], angular + about * lambda[at]];
            }
        }
        sums
    }

    /// Adds what impulses change to bodies `a` and to the lines of bodies b.
    #[inline(always)]
    fn push<L: Lanes, M: MassSource>(
        &self,
        a: &mut Bodies<L>,
        b: Bodies<L>,
        [[linear_a, angular_a], [linear_b, angular_b]]: [[Vec3s<L>; 2]; 2],
        context: SweepContext,
        first: usize,
    ) {
        let mass_a = M::gather(a, context, &self.a, first);
        a.add(mass_a.responses(linear_a, angular_a));
        let mass_b = M::gather(&b, context, &self.b, first);
        lines::add(context.bodies, &self.b, first, mass_b.responses(linear_b, angular_b));
    }
}
