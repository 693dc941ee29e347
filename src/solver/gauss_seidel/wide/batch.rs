//! A batch of eight constraints of one kind: what a sweep needs of it, and what contacts add.

use crate::math::lanes::{Lanes, Level, LineIndex, Places, Vec3s, Wide, prefetch_front_of_one_of};
use crate::math::{BodyRow, Vec3};
use crate::solver::gauss_seidel::rule::Rule;
use crate::solver::gauss_seidel::wide::lines::{Bodies, SweepContext};
use crate::solver::gauss_seidel::wide::masses::MassSource;
use crate::solver::gauss_seidel::wide::residual::Measured;
use crate::solver::problem::contacts::{ContactsX8, OptionalTermsX8, StartX8};
use crate::solver::problem::{Impulse, Problem};

/// A flag of [`ContactBatch::write`]: some contacts resist turning.
pub(in crate::solver) const TURNING: u32 = 1;
/// Some contacts have optional terms.
pub(in crate::solver) const EXTRA: u32 = 2;
/// Some bodies have no isotropic mass.
pub(in crate::solver) const ANISOTROPIC: u32 = 4;

/// Eight constraints of one kind, contacts or blocks of rows, as a sweep visits them. Functions over lanes must be `#[inline(always)]`.
pub(in crate::solver) trait SweepBatch: Copy + Send + Sync + std::fmt::Debug {
    /// The optional terms, which few batches have.
    type Extra: Clone + Send + Sync + std::fmt::Debug;
    /// The rolling and twisting terms.
    type Torques: Clone + Send + Sync + std::fmt::Debug;
    /// Whether it uses the [`MassSource`] of a sweep.
    const READS_MASSES: bool;
    /// How much of the front of its optional terms the sweep prefetches [bytes].
    const EXTRA_BYTES: usize = 0;
    /// The longest run, see [`Packer`](crate::solver::gauss_seidel::packer::Packer).
    const LONGEST_RUN: usize;

    /// Returns the lines of bodies a and b.
    fn places(&self) -> [&Places; 2];
    /// Returns how much of the front of the batch is read [bytes].
    fn bytes_read(&self) -> usize;

    /// Solves the constraints of some lanes by a rule of friction, each alone. Updates body `a` in place; reads and writes the line of body b.
    ///
    /// Returns the squares of their changes in velocity [m^2/s^2], or nothing of use where they are not `MEASURED`. The
    /// bits do not depend on the mass source: a sweep may use `Isotropic` where all bodies are isotropic.
    fn relax<L: Lanes, M: MassSource, R: Rule, const MEASURED: bool>(
        &mut self,
        a: &mut Bodies<L>,
        extra: Option<&Self::Extra>,
        torques: Option<&mut Self::Torques>,
        context: SweepContext,
        first: usize,
    ) -> L;

    /// Adds to the velocities what the present impulses change; `a` as in [`SweepBatch::relax`].
    fn apply<L: Lanes>(&self, a: &mut Bodies<L>, torques: Option<&Self::Torques>, context: SweepContext, first: usize);

    /// Returns the present impulses on bodies a and b: linear, and about their centres of mass with the torques. For a central contact the
    /// moment on a body that no impulse moves is left out.
    fn on_bodies<L: Lanes>(&self, torques: Option<&Self::Torques>, first: usize) -> [[Vec3s<L>; 2]; 2];
}

/// Eight contacts of one kind: what they need beside a sweep.
pub(in crate::solver) trait ContactBatch: SweepBatch {
    /// The optional terms of contacts that have none.
    const NO_EXTRA: Self::Extra;
    /// The torques of contacts that resist no turning.
    const NO_TORQUES: Self::Torques;
    /// The position pass reads this much of the front of a batch [bytes].
    const POSITION_BYTES: usize;
    /// Whether it measures contacts that resist turning.
    const MEASURES_TURNING: bool;

    /// Returns a batch without contacts: every lane rests.
    fn empty(resting: BodyRow) -> Self;
    /// Writes all contacts of the batch into their lanes, with the impulses from which they start, and their torques if any
    /// contact may have such. With `PLAIN` no contact has compliance or a moving surface. Returns the flags [`TURNING`],
    /// [`EXTRA`], and where it matters [`ANISOTROPIC`].
    fn write<L: Lanes, const PLAIN: bool>(
        &mut self,
        torques: Option<&mut Self::Torques>,
        context: &PrepareContext,
        input: &BatchInput,
    ) -> u32;
    /// Writes the optional terms of a lane.
    fn write_extra(extra: &mut Self::Extra, lane: usize, context: &PrepareContext, input: &BatchInput);
    /// Starts a lane from `impulse`.
    fn set(&mut self, lane: usize, impulse: &Impulse);
    /// Returns the normal impulse of a lane, and the friction impulse on b.
    fn force(&self, lane: usize) -> (f64, Vec3);
    /// Prefetches what the impulses of its lanes are read from.
    fn prefetch_impulses(&self, torques: Option<&Self::Torques>);
    /// Starts the torques of a lane from `torque`.
    fn set_torque(&self, torques: &mut Self::Torques, lane: usize, torque: &Vec3);
    /// Returns the torque of a lane on b.
    fn torque(&self, torques: &Self::Torques, lane: usize) -> Vec3;

    /// Returns `u`, the velocity of b relative to a.
    fn relative<L: Lanes>(&self, bodies: [&Bodies<L>; 2], extra: Option<&Self::Extra>, first: usize) -> Vec3s<L>;

    /// Measures relative velocities and residuals; without torques unless it [measures them](Self::MEASURES_TURNING).
    fn measure<L: Lanes>(
        &self,
        a: &Bodies<L>,
        extra: Option<&Self::Extra>,
        torques: Option<&Self::Torques>,
        context: SweepContext,
        first: usize,
    ) -> Measured<L>;

    /// Brings the displacements along the normals up to `targets`, with the non-negative `multipliers`. Returns how far
    /// they moved [m]. The mass source as in [`SweepBatch::relax`].
    fn push<L: Lanes, M: MassSource>(
        &self,
        context: SweepContext,
        targets: &Wide,
        multipliers: &mut Wide,
        first: usize,
    ) -> L;

    /// Adds to the displacements what the present `multipliers` make of them.
    fn shift<L: Lanes>(&self, context: SweepContext, multipliers: &Wide, first: usize);
}

/// Returns the lines of body a of a batch, if there is one.
#[inline(always)]
pub(in crate::solver) fn places_a<B: SweepBatch>(batch: Option<&B>) -> Option<&Places> {
    batch.map(|batch| batch.places()[0])
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

/// Eight contacts of the buffer before they are written into a batch.
#[derive(Debug, Clone, Copy)]
pub(in crate::solver) struct BatchInput<'a> {
    /// The number of occupied lanes, the first ones.
    pub(in crate::solver) count: usize,
    /// The lines of their bodies. A line that no impulse moves is read-only; empty lanes have the resting line.
    pub(in crate::solver) pairs: &'a [Places; 2],
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

    /// Prefetches the first `bytes` of those of a batch.
    #[inline(always)]
    pub(in crate::solver) fn prefetch(&self, batch: usize, bytes: usize) {
        if let Some(place) = self.places.get(batch) {
            prefetch_front_of_one_of(self.all, *place as usize, bytes);
        }
    }

    /// Returns those from a batch on.
    pub(in crate::solver) fn behind(&self, batch: usize) -> Self {
        Self { all: self.all, places: self.places.get(batch..).unwrap_or_default() }
    }
}
