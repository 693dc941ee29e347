//! The bodies that may have moved since the last step, and those of them that left their fat bounds.

use crate::error::{Result, empty, refill, resize};
use crate::tasks::{Tasks, each_span_of};
use crate::world::active_bodies::BODIES_PER_PIECE;

/// The indices, ascending, of those elements of an array whose bodies may have moved. Work is done only on these, piece by piece.
#[derive(Debug, Default)]
pub(super) struct MovingSet {
    pub(super) indices: Vec<u32>,
    /// For each piece, its first index and one past its last index.
    spans: Vec<[u32; 2]>,
    /// For each piece, one bit for each body: whether it left its fat bounds.
    away: Vec<u128>,
}

const _: () = assert!(BODIES_PER_PIECE <= u128::BITS as usize, "a bit for each body of a piece");

impl MovingSet {
    /// Removes the indices for which `leaves` returns true, and adds `others`, which ascend. [`MovingSet::cut`] must follow, since the
    /// remaining indices may be out of order.
    pub(super) fn exchange(
        &mut self,
        leaves: impl Fn(u32) -> bool,
        others: impl DoubleEndedIterator<Item = u32> + Clone,
    ) -> Result<()> {
        let indices = &mut self.indices;
        indices.retain(|index| !leaves(*index));
        let (mut old, more) = (indices.len(), others.clone().count());
        resize(indices, old + more, 0, "bodies")?;
        // Merge from the end, so that no index is overwritten before it is moved.
        let mut free = indices.len();
        for other in others.rev() {
            while old > 0 && indices[old - 1] > other {
                (old, free) = (old - 1, free - 1);
                indices[free] = indices[old];
            }
            free -= 1;
            indices[free] = other;
        }
        Ok(())
    }

    /// Replaces each index by `map` of it.
    pub(super) fn map(&mut self, map: impl Fn(u32) -> u32) {
        self.indices.iter_mut().for_each(|index| *index = map(*index));
    }

    /// Sorts the indices and cuts them into pieces.
    pub(super) fn cut(&mut self) -> Result<()> {
        let Self { indices, spans, away } = self;
        indices.sort_unstable();
        let pieces = indices.chunks(BODIES_PER_PIECE);
        empty(spans, pieces.len(), "pieces of the bodies")?;
        refill(away, pieces.len(), 0, "pieces of the bodies")?;
        spans.extend(pieces.filter_map(|piece| Some([*piece.first()?, *piece.last()? + 1])));
        Ok(())
    }

    /// Calls `update` with each index and the element of `all` there. It returns whether the body stayed within its fat bounds.
    pub(super) fn update<T: Send>(
        &mut self,
        tasks: &dyn Tasks,
        all: &mut [T],
        update: impl Fn(usize, &mut T) -> bool + Sync,
    ) {
        let Self { indices, spans, away } = self;
        each_span_of(tasks, spans, (all, away), |number, part, away| {
            let first = spans[number][0] as usize;
            let begin = number * BODIES_PER_PIECE;
            let end = indices.len().min(begin + BODIES_PER_PIECE);
            *away = 0;
            for (bit, at) in indices[begin..end].iter().enumerate() {
                let at = *at as usize;
                *away |= u128::from(!update(at, &mut part[at - first])) << bit;
            }
        });
    }

    /// Returns the number of bodies that left their fat bounds.
    pub(super) fn count_away(&self) -> usize {
        self.away.iter().map(|away| away.count_ones() as usize).sum()
    }

    /// Returns the indices of the bodies that left their fat bounds, ascending.
    pub(super) fn away(&self) -> impl Iterator<Item = u32> + '_ {
        let pieces = self.indices.chunks(BODIES_PER_PIECE).zip(&self.away).filter(|(_, away)| **away != 0);
        pieces.flat_map(|(indices, away)| {
            let left = std::iter::successors(Some(*away), |away| Some(away & away.wrapping_sub(1)));
            left.take_while(|away| *away != 0).filter_map(|away| indices.get(away.trailing_zeros() as usize).copied())
        })
    }
}
