//! Eight blocks of scalar rows side by side, which have as many rows without bounds and with bounds each.
//!
//! A visit solves the rows without bounds exactly, together, whatever the others carry. Those with bounds are visited one after the other
//! with the block that is left when the first are eliminated (their Schur complement), so that a motor is not slowed down by its hinge.

mod prepare;

use crate::math::BodyRow;
use crate::math::lanes::{Lanes, Places, Vec3s, Wide};
use crate::solver::gauss_seidel::wide::lines::{self, Bodies, SweepContext};
use crate::solver::gauss_seidel::wide::masses::{InverseMass, MassSource};
use crate::solver::problem::blocks::{BlockShape, MOST_ROWS};

const ZERO: Wide = Wide::splat(0.0);

/// Eight blocks of one shape.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(in crate::solver) struct BlockBatch {
    pub(super) a: Places,
    pub(super) b: Places,
    pub(super) shape: BlockShape,
    /// Whether a row scales the bounds of others.
    pub(super) is_coupled: bool,
    /// Those without bounds come first.
    pub(super) rows: [RowX8; MOST_ROWS],
}

/// A row of eight blocks. In lanes without a block all is zero.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(super) struct RowX8 {
    /// Of bodies a and b, linear and angular.
    pub(super) jacobians: [[Wide; 6]; 2],
    pub(super) rhs: Wide,
    pub(super) compliance: Wide,
    pub(super) lambda: Wide,
    /// What makes an impulse a velocity in m/s.
    pub(super) measure: Wide,
    /// See [`BlockBatch::solve`].
    pub(super) matrix: [Wide; MOST_ROWS],
    pub(super) lower: Wide,
    pub(super) upper: Wide,
    /// The place of the row whose impulse scales the bounds; -1: none does.
    pub(super) scale: Wide,
}

impl RowX8 {
    const ZERO: Self = Self {
        jacobians: [[ZERO; 6]; 2],
        rhs: ZERO,
        compliance: ZERO,
        lambda: ZERO,
        measure: ZERO,
        matrix: [ZERO; MOST_ROWS],
        lower: ZERO,
        upper: ZERO,
        scale: ZERO,
    };

    /// Returns `J v` of one body.
    #[inline(always)]
    fn velocity<L: Lanes>(&self, side: usize, body: &Bodies<L>, first: usize) -> L {
        let [linear, angular] = self.jacobian(side, first);
        linear.dot(body.linear) + angular.dot(body.angular)
    }

    /// Returns the linear and the angular part of the Jacobian of one body.
    #[inline(always)]
    fn jacobian<L: Lanes>(&self, side: usize, first: usize) -> [Vec3s<L>; 2] {
        let [x, y, z, wx, wy, wz]: [L; 6] = lines::loaded(&self.jacobians[side], first);
        [Vec3s::new(x, y, z), Vec3s::new(wx, wy, wz)]
    }
}

impl BlockBatch {
    /// Returns a batch without blocks: every lane rests.
    pub(in crate::solver) fn empty(resting: BodyRow) -> Self {
        let nowhere = lines::nowhere(resting);
        Self { a: nowhere, b: nowhere, shape: BlockShape::default(), is_coupled: false, rows: [RowX8::ZERO; MOST_ROWS] }
    }

    /// Returns the lines of bodies a and b.
    pub(in crate::solver) fn places(&self) -> [&Places; 2] {
        [&self.a, &self.b]
    }

    /// Returns how much of the front of a batch of this shape is read [bytes].
    #[inline(always)]
    pub(in crate::solver) fn bytes_read(&self) -> usize {
        std::mem::offset_of!(Self, rows) + self.shape.rows() * size_of::<RowX8>()
    }

    /// Returns the impulse of a row.
    pub(in crate::solver) fn impulse(&self, place: u8, lane: usize) -> f64 {
        self.rows[usize::from(place)].lambda.0[lane]
    }

    /// Sets the impulse of a row.
    pub(in crate::solver) fn set(&mut self, place: u8, lane: usize, lambda: f64) {
        self.rows[usize::from(place)].lambda.0[lane] = lambda;
    }

    /// Solves the blocks of some lanes, and updates the lines of their bodies. Returns the squares of the largest change of a row's velocity
    /// [m^2/s^2], or nothing of use where they are not `MEASURED`.
    #[inline(always)]
    pub(in crate::solver) fn relax<L: Lanes, M: MassSource, const MEASURED: bool>(
        &mut self,
        context: SweepContext,
        first: usize,
    ) -> L {
        let bodies = self.bodies::<L>(context, first);
        let zero = L::splat(0.0);
        let mut w = [zero; MOST_ROWS];
        let rows = self.shape.rows();
        for (w, row) in w[..rows].iter_mut().zip(&self.rows) {
            let lambda = L::load(&row.lambda, first);
            let along = row.velocity(0, &bodies[0], first) + row.velocity(1, &bodies[1], first);
            *w = along - L::load(&row.rhs, first) + L::load(&row.compliance, first) * lambda;
        }
        let change = self.solve(&w, L::splat(context.relaxation), first);
        let impulses = [0, 1].map(|side| self.impulses(side, &change, first));
        self.push::<L, M>(bodies, impulses, context, first);
        let mut largest = zero;
        if MEASURED {
            for (change, row) in change[..rows].iter().zip(&self.rows) {
                let moved = *change * L::load(&row.measure, first);
                largest = (moved * moved).larger(largest);
            }
        }
        largest
    }

    /// Changes the impulses, given the defects `w` of the rows, and returns the changes.
    ///
    /// With `B` the rows without bounds, `U` the others and `D = J M^-1 J^T + S`, the matrix holds: of a row in `B` the row of `D_BB^-1`, then
    /// that of `D_BU`; of one in `U` the row of `-D_UB D_BB^-1`, then that of `D_UU - D_UB D_BB^-1 D_BU` up to its diagonal, which is inverted.
    #[inline(always)]
    fn solve<L: Lanes>(&mut self, w: &[L; MOST_ROWS], relaxation: L, first: usize) -> [L; MOST_ROWS] {
        let (zero, bilateral, rows) = (L::splat(0.0), usize::from(self.shape.bilateral), self.shape.rows());
        let mut change = [zero; MOST_ROWS];
        for at in bilateral..rows {
            let row = &self.rows[at];
            let before = w[..bilateral].iter().chain(&change[bilateral..at]);
            let defect =
                row.matrix.iter().zip(before).fold(w[at], |sum, (entry, of)| sum + L::load(entry, first) * *of);
            let (inverse, old) = (L::load(&row.matrix[at], first), L::load(&row.lambda, first));
            let next = self.bounded(at, old - relaxation * defect * inverse, first);
            let next = L::pick(L::above(inverse, zero), next, old);
            next.store(&mut self.rows[at].lambda, first);
            change[at] = next - old;
        }
        let mut left = *w;
        for (left, row) in left[..bilateral].iter_mut().zip(&self.rows) {
            let others = row.matrix[bilateral..rows].iter().zip(&change[bilateral..rows]);
            *left = others.fold(*left, |sum, (entry, change)| sum + L::load(entry, first) * *change);
        }
        for (change, row) in change[..bilateral].iter_mut().zip(&mut self.rows) {
            let entries = row.matrix[..bilateral].iter().zip(&left);
            let sum = entries.fold(zero, |sum, (entry, left)| sum + L::load(entry, first) * *left);
            *change = -(relaxation * sum);
            (L::load(&row.lambda, first) + *change).store(&mut row.lambda, first);
        }
        change
    }

    /// Returns an impulse within the bounds of the row at a place.
    #[inline(always)]
    fn bounded<L: Lanes>(&self, at: usize, lambda: L, first: usize) -> L {
        let row = &self.rows[at];
        let (mut lower, mut upper) = (L::load(&row.lower, first), L::load(&row.upper, first));
        if self.is_coupled {
            let (zero, place) = (L::splat(0.0), L::load(&row.scale, first));
            let mut scale = L::splat(1.0);
            for (number, other) in self.rows[..self.shape.rows()].iter().enumerate() {
                let number = number as f64;
                let is_it = L::both(L::above(place, L::splat(number - 0.5)), L::above(L::splat(number + 0.5), place));
                scale = L::pick(is_it, L::load(&other.lambda, first).magnitude(), scale);
            }
            // infinity times nothing is no number
            let is_scaled = L::above(scale, zero);
            (lower, upper) = (L::pick(is_scaled, lower * scale, zero), L::pick(is_scaled, upper * scale, zero));
        }
        lambda.smaller(upper).larger(lower)
    }

    /// Adds to the velocities what the present impulses change.
    #[inline(always)]
    pub(in crate::solver) fn apply<L: Lanes, M: MassSource>(&self, context: SweepContext, first: usize) {
        let impulses = self.on_bodies(first);
        self.push::<L, M>(self.bodies(context, first), impulses, context, first);
    }

    /// Adds the present impulses up on the lines of the bodies: linear, and about the centres of mass.
    #[inline(always)]
    pub(in crate::solver) fn sum<L: Lanes>(&self, context: SweepContext, first: usize) {
        let [on_a, on_b] = self.on_bodies::<L>(first);
        lines::add(context.bodies, &self.a, first, on_a);
        lines::add(context.bodies, &self.b, first, on_b);
    }

    /// Returns the present impulses on bodies a and b, linear and angular.
    #[inline(always)]
    fn on_bodies<L: Lanes>(&self, first: usize) -> [[Vec3s<L>; 2]; 2] {
        let mut lambda = [L::splat(0.0); MOST_ROWS];
        let rows = self.shape.rows();
        lambda[..rows].iter_mut().zip(&self.rows).for_each(|(lambda, row)| *lambda = L::load(&row.lambda, first));
        [0, 1].map(|side| self.impulses(side, &lambda, first))
    }

    /// Returns `J^T lambda` of one body.
    #[inline(always)]
    fn impulses<L: Lanes>(&self, side: usize, lambda: &[L; MOST_ROWS], first: usize) -> [Vec3s<L>; 2] {
        let zero = L::splat(0.0);
        let none = [Vec3s::new(zero, zero, zero); 2];
        let rows = self.rows[..self.shape.rows()].iter().zip(lambda);
        rows.fold(none, |[linear, angular], (row, lambda)| {
            let [along, about] = row.jacobian(side, first);
            [linear + along * *lambda, angular + about * *lambda]
        })
    }

    #[inline(always)]
    fn bodies<L: Lanes>(&self, context: SweepContext, first: usize) -> [Bodies<L>; 2] {
        [&self.a, &self.b].map(|places| Bodies::gather(context.bodies, places, first))
    }

    /// Adds what impulses change to the lines of the bodies.
    #[inline(always)]
    fn push<L: Lanes, M: MassSource>(
        &self,
        bodies: [Bodies<L>; 2],
        impulses: [[Vec3s<L>; 2]; 2],
        context: SweepContext,
        first: usize,
    ) {
        for ((body, places), [impulse, moment]) in bodies.iter().zip([&self.a, &self.b]).zip(impulses) {
            let mass = M::gather(body, context, places, first);
            lines::add(context.bodies, places, first, mass.responses(impulse, moment));
        }
    }
}
