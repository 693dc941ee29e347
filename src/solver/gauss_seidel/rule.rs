//! The rule of sliding of a sweep, as a type: kernels have no branch on it.

use crate::math::lanes::Lanes;
use crate::solver::gauss_seidel::associated;
use crate::solver::gauss_seidel::local::Local;

/// The law of friction on the cone, in each lane the same.
pub(in crate::solver) trait Rule {
    /// Whether what slides is lifted.
    const DILATES: bool;

    /// Returns the impulse that obeys the law, where `w` is the velocity with the impulse `old`.
    fn solve<L: Lanes>(local: &Local<L>, w: [L; 3], old: [L; 3], friction: L) -> [L; 3];
}

/// Coulomb's law.
pub(in crate::solver) struct Coulomb;

/// The associated law.
pub(in crate::solver) struct Associated;

impl Rule for Coulomb {
    const DILATES: bool = false;

    #[inline(always)]
    fn solve<L: Lanes>(local: &Local<L>, w: [L; 3], old: [L; 3], friction: L) -> [L; 3] {
        local.solve(w, old, friction).impulse
    }
}

impl Rule for Associated {
    const DILATES: bool = true;

    #[inline(always)]
    fn solve<L: Lanes>(local: &Local<L>, w: [L; 3], old: [L; 3], friction: L) -> [L; 3] {
        associated::solve(local, w, old, friction)
    }
}

/// Returns the impulse of one contact by the law with this dilation, where `w` is the velocity with the impulse `old`.
#[inline(always)]
pub(in crate::solver) fn solve(
    local: &Local<f64>,
    dilation: f64,
    w: [f64; 3],
    old: [f64; 3],
    friction: f64,
) -> [f64; 3] {
    if dilation > 0.0 { Associated::solve(local, w, old, friction) } else { Coulomb::solve(local, w, old, friction) }
}
