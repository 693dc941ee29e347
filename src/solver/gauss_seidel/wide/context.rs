//! The input of kernels, without the batches: the lines of a sweep, the problem of a preparation, the contacts of a batch.

use crate::math::lanes::{Level, LineIndex, Lines, Places, Wide};
use crate::solver::problem::Problem;
use crate::solver::problem::contacts::StartX8;
use crate::solver::problem::contacts::{ContactsX8, OptionalTermsX8};

/// The lines that contacts of one kind are swept on.
#[derive(Debug, Clone, Copy)]
pub(in crate::solver) struct SweepContext<'a> {
    /// The lines of the bodies.
    pub(in crate::solver) bodies: Lines<'a>,
    /// The second lines, with the masses that general contacts need.
    pub(in crate::solver) masses: Lines<'a>,
    /// Factor on the change of every contact.
    pub(in crate::solver) relaxation: f64,
}

/// The problem that contacts are prepared from.
#[derive(Debug, Clone, Copy)]
pub(in crate::solver) struct PrepareContext<'a> {
    pub(in crate::solver) problem: &'a Problem<'a>,
    /// The lines of its bodies.
    pub(in crate::solver) bodies: &'a [Wide],
    /// The width of the kernels.
    pub(in crate::solver) level: Level,
}

/// The contacts of a batch before they are written into it.
#[derive(Debug, Clone, Copy)]
pub(in crate::solver) struct BatchInput<'a> {
    /// The number of occupied lanes, the first ones.
    pub(in crate::solver) count: usize,
    /// The lines of their bodies. A line that no impulse moves is read-only; empty lanes have the resting line.
    pub(in crate::solver) pairs: &'a [Places; 2],
    pub(in crate::solver) filled: &'a FilledX8<'a>,
}

/// Eight contacts of the buffer.
#[derive(Debug, Clone, Copy)]
pub(in crate::solver) struct FilledX8<'a> {
    pub(in crate::solver) normal: &'a [Wide; 3],
    pub(in crate::solver) contacts: &'a ContactsX8,
    pub(in crate::solver) start: &'a StartX8,
    pub(in crate::solver) optional: &'a OptionalTermsX8,
}

impl BatchInput<'_> {
    /// Returns the lines of the bodies in a lane.
    #[inline(always)]
    pub(in crate::solver) fn pair(&self, lane: usize) -> [LineIndex; 2] {
        self.pairs.map(|places| places[lane])
    }
}

/// The optional terms of contacts, by batch.
#[derive(Debug)]
pub(in crate::solver) struct Extras<'a, E> {
    /// Those of the batches that have any.
    pub(in crate::solver) all: &'a [E],
    /// The index into `all` for each batch, out of range where it has none. Empty where no batch has any.
    pub(in crate::solver) places: &'a [u32],
}

impl<'a, E> Extras<'a, E> {
    /// Returns those of a batch.
    #[inline(always)]
    pub(in crate::solver) fn of(&self, batch: usize) -> Option<&'a E> {
        self.all.get(*self.places.get(batch)? as usize)
    }

    /// Returns those from a batch on.
    pub(in crate::solver) fn behind(&self, batch: usize) -> Self {
        Self { all: self.all, places: self.places.get(batch..).unwrap_or_default() }
    }
}
