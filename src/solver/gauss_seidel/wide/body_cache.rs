//! Body a of consecutive batches, kept in registers.

use crate::math::lanes::{Lanes, Lines, Places, Vec3s, WIDE};
use crate::solver::gauss_seidel::wide::lines::Bodies;

/// Body a of a batch in each lane.
///
/// Where the batches that follow have the same bodies in the same lanes, they stay here: they are read before the first
/// of these batches and written after the last. No other lane of theirs has such a body, as no two contacts of a batch
/// share a moving one.
#[derive(Debug, Clone, Copy)]
pub(in crate::solver) struct BodyACache<L> {
    pub(in crate::solver) bodies: Bodies<L>,
    /// Whether they are those of the batch that comes next.
    is_kept: bool,
}

impl<L: Lanes> BodyACache<L> {
    /// Returns an empty cache.
    #[inline(always)]
    pub(in crate::solver) fn empty() -> Self {
        let zero = L::splat(0.0);
        let none = Vec3s::new(zero, zero, zero);
        let bodies = Bodies { linear: none, angular: none, inverse_mass: zero, inverse_inertia: zero };
        Self { bodies, is_kept: false }
    }

    /// Reads the bodies at `places`, unless they are here.
    #[inline(always)]
    pub(in crate::solver) fn read(&mut self, lines: Lines, places: &Places, first: usize) {
        if !self.is_kept {
            self.bodies = Bodies::gather(lines, places, first);
        }
    }

    /// Keeps the bodies at `places` if they are those of the `next` batch too, of which all lanes must be here. Returns
    /// whether it does.
    #[inline(always)]
    pub(in crate::solver) fn keep(&mut self, places: &Places, next: Option<&Places>) -> bool {
        self.is_kept = L::WIDTH == WIDE && next == Some(places);
        self.is_kept
    }

    /// Keeps the bodies at `places` as [`BodyACache::keep`] does, or writes them.
    #[inline(always)]
    pub(in crate::solver) fn keep_or_write(
        &mut self,
        lines: Lines,
        places: &Places,
        first: usize,
        next: Option<&Places>,
    ) {
        if !self.keep(places, next) {
            self.bodies.scatter(lines, places, first);
        }
    }
}
