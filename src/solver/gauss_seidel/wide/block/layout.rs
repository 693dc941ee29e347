//! Eight blocks of scalar rows as they lie in memory.

use crate::math::BodyRow;
use crate::math::lanes::{Lanes, Places, Vec3s, Wide};
use crate::solver::gauss_seidel::wide::lines::{self, Bodies};
use crate::solver::problem::blocks::{BlockShape, MAX_ROWS};

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
    /// Bilateral ones come first.
    pub(super) rows: [RowX8; MAX_ROWS],
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
    pub(super) matrix: [Wide; MAX_ROWS],
    pub(super) lower: Wide,
    pub(super) upper: Wide,
    /// The place of the row whose impulse scales the bounds; -1: none does.
    pub(super) scale: Wide,
    /// `J M^-1 J^T + S`.
    pub(super) diagonal: Wide,
}

impl RowX8 {
    const ZERO: Self = Self {
        jacobians: [[ZERO; 6]; 2],
        rhs: ZERO,
        compliance: ZERO,
        lambda: ZERO,
        measure: ZERO,
        matrix: [ZERO; MAX_ROWS],
        lower: ZERO,
        upper: ZERO,
        scale: ZERO,
        diagonal: ZERO,
    };

    /// Returns `J v` of one body.
    #[inline(always)]
    pub(super) fn velocity<L: Lanes>(&self, side: usize, body: &Bodies<L>, first: usize) -> L {
        let [linear, angular] = self.jacobian(side, first);
        linear.dot(body.linear) + angular.dot(body.angular)
    }

    /// Returns the linear and the angular part of the Jacobian of one body.
    #[inline(always)]
    pub(super) fn jacobian<L: Lanes>(&self, side: usize, first: usize) -> [Vec3s<L>; 2] {
        let [x, y, z, wx, wy, wz]: [L; 6] = lines::loaded(&self.jacobians[side], first);
        [Vec3s::new(x, y, z), Vec3s::new(wx, wy, wz)]
    }
}

impl BlockBatch {
    /// Returns a batch without blocks: every lane rests.
    pub(in crate::solver) fn empty(resting: BodyRow) -> Self {
        let nowhere = lines::nowhere(resting);
        Self { a: nowhere, b: nowhere, shape: BlockShape::default(), is_coupled: false, rows: [RowX8::ZERO; MAX_ROWS] }
    }

    /// Returns the impulse of a row.
    pub(in crate::solver) fn impulse(&self, place: u8, lane: usize) -> f64 {
        self.rows[usize::from(place)].lambda.0[lane]
    }

    /// Sets the impulse of a row.
    pub(in crate::solver) fn set(&mut self, place: u8, lane: usize, lambda: f64) {
        self.rows[usize::from(place)].lambda.0[lane] = lambda;
    }
}
