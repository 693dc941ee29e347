//! The border of a program: a force whose factor is unknown; and the errors of a solution.

use crate::solver::conic::program::DOF;

/// A force on all bodies whose factor is unknown, and the work of the motion along it.
#[derive(Debug, Clone, Copy)]
pub(in crate::solver) struct Border<'a> {
    pub(in crate::solver) load: &'a [[f64; DOF]],
    pub(in crate::solver) work: f64,
    /// The smallest value of the proximal terms. Large ones reduce round-off, small ones the number of steps.
    pub(in crate::solver) floor: f64,
}

/// How a solve ended.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(in crate::solver) struct End {
    pub(in crate::solver) steps: u32,
    /// The largest error of the balance of bodies.
    pub(in crate::solver) balance: f64,
    /// The largest error of the rows, and of the work along the border.
    pub(in crate::solver) gap: f64,
    /// The mean product of the cones.
    pub(in crate::solver) product: f64,
    /// The factor of the border.
    pub(in crate::solver) factor: f64,
}

impl End {
    /// No solution yet.
    pub(in crate::solver) const NONE: Self =
        Self { steps: 0, balance: 0.0, gap: 0.0, product: f64::INFINITY, factor: 0.0 };

    /// Returns the largest error, infinite if one is not finite.
    pub(in crate::solver) fn error(&self) -> f64 {
        self.error_of(1.0)
    }

    /// Returns the largest error where the product counts `products` times, infinite if one is not finite. The error of the factor of a
    /// border is the sum of all products, which can be far above their mean.
    pub(in crate::solver) fn error_of(&self, products: f64) -> f64 {
        let all = self.balance + self.gap + self.product;
        if all.is_finite() { self.balance.max(self.gap).max(products * self.product) } else { f64::INFINITY }
    }
}
