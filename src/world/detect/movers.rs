//! Who may have moved since the last step, and who of them left the bounds it is filed with.

use crate::error::{Result, reserve, resize};
use crate::tasks::{Tasks, each_span_of};
use crate::world::state::BODIES_PER_PIECE;

/// Places in an array, ascending, of bodies that may have moved. Work on them is cut by their number: others cost nothing.
#[derive(Debug, Default)]
pub(super) struct Movers {
    places: Vec<u32>,
    /// For each piece of them, from the first place to behind the last one.
    spans: Vec<[u32; 2]>,
    /// And who of its bodies is away, one bit for each.
    away: Vec<u128>,
}

const _: () = assert!(BODIES_PER_PIECE <= u128::BITS as usize, "a bit for each body of a piece");

impl Movers {
    /// Nobody moves.
    pub(super) fn clear(&mut self) {
        self.places.clear();
        self.spans.clear();
        self.away.clear();
    }

    /// Takes out some, and takes in others, which ascend. If those that stay do so, all of them do then; in any case
    /// [`Movers::cut`] comes at the end.
    pub(super) fn exchange(
        &mut self,
        leaves: impl Fn(u32) -> bool,
        others: impl DoubleEndedIterator<Item = u32> + Clone,
    ) -> Result<()> {
        let places = &mut self.places;
        places.retain(|place| !leaves(*place));
        let (mut old, more) = (places.len(), others.clone().count());
        resize(places, old + more, 0, "bodies")?;
        // Those behind each one move back, the last first.
        let mut free = places.len();
        for other in others.rev() {
            while old > 0 && places[old - 1] > other {
                (old, free) = (old - 1, free - 1);
                places[free] = places[old];
            }
            free -= 1;
            places[free] = other;
        }
        Ok(())
    }

    /// Each has another place now.
    pub(super) fn rename(&mut self, name: impl Fn(u32) -> u32) {
        self.places.iter_mut().for_each(|place| *place = name(*place));
    }

    /// Sorts all of them and cuts them into pieces.
    pub(super) fn cut(&mut self) -> Result<()> {
        let Self { places, spans, away } = self;
        places.sort_unstable();
        let pieces = places.chunks(BODIES_PER_PIECE);
        spans.clear();
        reserve(spans, pieces.len(), "pieces of the bodies")?;
        away.clear();
        resize(away, pieces.len(), 0, "pieces of the bodies")?;
        spans.extend(pieces.filter_map(|piece| Some([*piece.first()?, *piece.last()? + 1])));
        Ok(())
    }

    /// All of them.
    pub(super) fn places(&self) -> &[u32] {
        &self.places
    }

    /// Calls `place` with each of them and its own of `all`, to be answered whether it stayed within its bounds.
    pub(super) fn place<T: Send>(
        &mut self,
        tasks: &dyn Tasks,
        all: &mut [T],
        place: impl Fn(usize, &mut T) -> bool + Sync,
    ) {
        let Self { places, spans, away } = self;
        each_span_of(tasks, spans, (all, away), |number, part, away| {
            let first = spans[number][0] as usize;
            let begin = number * BODIES_PER_PIECE;
            let end = places.len().min(begin + BODIES_PER_PIECE);
            *away = 0;
            for (bit, at) in places[begin..end].iter().enumerate() {
                let at = *at as usize;
                *away |= u128::from(!place(at, &mut part[at - first])) << bit;
            }
        });
    }

    /// How many did not.
    pub(super) fn count_away(&self) -> usize {
        self.away.iter().map(|away| away.count_ones() as usize).sum()
    }

    /// Those that did not, ascending.
    pub(super) fn away(&self) -> impl Iterator<Item = u32> + '_ {
        let pieces = self.places.chunks(BODIES_PER_PIECE).zip(&self.away).filter(|(_, away)| **away != 0);
        pieces.flat_map(|(places, away)| {
            let left = std::iter::successors(Some(*away), |away| Some(away & away.wrapping_sub(1)));
            left.take_while(|away| *away != 0).filter_map(|away| places.get(away.trailing_zeros() as usize).copied())
        })
    }
}
