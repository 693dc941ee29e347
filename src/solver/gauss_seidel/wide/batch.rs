//! A batch of eight contacts of one kind, as the sweep and the preparation use it.

use crate::math::lanes::{Lanes, Places, Vec3s, Wide};
use crate::math::{BodyRow, Vec3};
use crate::solver::gauss_seidel::wide::context::{BatchInput, PrepareContext, SweepContext};
use crate::solver::gauss_seidel::wide::lines::Bodies;
use crate::solver::gauss_seidel::wide::masses::MassSource;
use crate::solver::gauss_seidel::wide::residual::Measured;
use crate::solver::problem::Impulse;

/// A flag of [`Batch::write`]: some contacts resist turning.
pub(in crate::solver) const TURNING: u32 = 1;
/// Some contacts have optional terms.
pub(in crate::solver) const EXTRA: u32 = 2;
/// Some bodies have no isotropic mass.
pub(in crate::solver) const ANISOTROPIC: u32 = 4;

/// Eight contacts of one kind. Functions over lanes must be `#[inline(always)]`.
pub(in crate::solver) trait Batch: Copy + Send + Sync + std::fmt::Debug {
    /// The optional terms, which few contacts have.
    type Extra: Clone + Send + Sync + std::fmt::Debug;
    /// The rolling and twisting terms.
    type Torques: Clone + Send + Sync + std::fmt::Debug;
    /// Whether it uses the [`MassSource`] of a sweep.
    const READS_MASSES: bool;
    /// The most contacts of a run, see [`Packer`](crate::solver::gauss_seidel::packer::Packer).
    const LONGEST_RUN: usize;
    /// The position pass reads this much of the front of a batch [bytes].
    const POSITION_BYTES: usize;
    /// Whether it measures contacts that resist turning.
    const MEASURES_TURNING: bool;

    /// Returns a batch without contacts: every lane rests.
    fn empty(resting: BodyRow) -> Self;
    /// Returns the optional terms of contacts that have none.
    fn no_extra() -> Self::Extra;
    /// Returns the torques of contacts that resist no turning.
    fn no_torques() -> Self::Torques;
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
    /// Returns the lines of bodies a and b.
    fn places(&self) -> [&Places; 2];
    /// Starts a lane from `impulse`.
    fn set(&mut self, lane: usize, impulse: &Impulse);
    /// Returns the normal impulse of a lane, and the friction impulse on b.
    fn force(&self, lane: usize) -> (f64, Vec3);
    /// Prefetches what the impulses of its lanes are read from.
    fn prefetch_impulses(&self, torques: Option<&Self::Torques>);
    /// Returns whether the contact in a lane resists turning.
    fn resists_turning(torques: &Self::Torques, lane: usize) -> bool;
    /// Starts the torques of a lane from `torque`.
    fn set_torque(&self, torques: &mut Self::Torques, lane: usize, torque: &Vec3);
    /// Returns the torque of a lane on b.
    fn torque(&self, torques: &Self::Torques, lane: usize) -> Vec3;

    /// Solves the contacts of some lanes, each alone. Updates body `a` in place; reads and writes the line of body b.
    ///
    /// Returns the squares of their changes in velocity [m^2/s^2], or nothing of use where they are not `MEASURED`. The
    /// bits do not depend on the mass source: a sweep may use `Isotropic` where all bodies are isotropic.
    fn relax<L: Lanes, M: MassSource, const MEASURED: bool>(
        &mut self,
        a: &mut Bodies<L>,
        extra: Option<&Self::Extra>,
        torques: Option<&mut Self::Torques>,
        context: SweepContext,
        first: usize,
    ) -> L;

    /// Adds to the velocities what the present impulses change; `a` as in [`Batch::relax`].
    fn apply<L: Lanes>(&self, a: &mut Bodies<L>, torques: Option<&Self::Torques>, context: SweepContext, first: usize);

    /// Returns the impulses on bodies b, and the moments on a and b about their centres of mass, with the torques. For a
    /// central contact the moment on a body that no impulse moves is left out.
    fn on_bodies<L: Lanes>(&self, torques: Option<&Self::Torques>, first: usize) -> [Vec3s<L>; 3];

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
    /// they moved [m]. The mass source as in [`Batch::relax`].
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
pub(in crate::solver) fn places_a<B: Batch>(batch: Option<&B>) -> Option<&Places> {
    batch.map(|batch| batch.places()[0])
}
