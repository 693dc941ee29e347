//! The contacts of one kind: eight to a batch, each in its lane.

use crate::error::{Result, empty, resize};
use crate::math::lanes::prefetch::{FEW_BODIES, FILL_AHEAD};
use crate::math::lanes::{Places, WIDE, Wide, dispatch, prefetch_one_of};
use crate::math::{BodyRow, LaneSlot, Vec3};
use crate::solver::gauss_seidel::rows::assigned::AssignedLanes;
use crate::solver::gauss_seidel::rows::kernels::{Write, sum_up};
use crate::solver::gauss_seidel::rule::{Associated, Coulomb};
use crate::solver::gauss_seidel::wide::general::GeneralBatch;
use crate::solver::gauss_seidel::wide::lines::{self, moved};
use crate::solver::gauss_seidel::wide::masses::Anisotropic;
use crate::solver::gauss_seidel::wide::{
    ANISOTROPIC, BatchInput, ContactBatch, EXTRA, Extras, PrepareContext, SweepContext,
};
use crate::solver::problem::contacts::{ContactBuffer, LaneContacts, OptionalTermsX8, StartX8, consecutive, occupied};
use crate::solver::problem::pairs::LinePair;
use crate::solver::problem::{Impulse, ImpulsiveWrench};
use crate::tasks::{OrEmpty, Tasks, each_pair_of_pieces};
use std::sync::atomic::{AtomicU32, Ordering};

/// The number of batches that are prepared at a time.
pub(super) const PIECE: usize = 64;

/// The place of the optional terms of a batch that has none.
const NO_EXTRA: u32 = u32::MAX;

/// Batches of one kind of contact.
#[derive(Debug)]
pub(in crate::solver) struct ContactBatches<B: ContactBatch> {
    pub(super) batches: Vec<B>,
    /// The optional terms of the batches that have any. Below, their place for each batch, or [`NO_EXTRA`].
    pub(super) extras: Vec<B::Extra>,
    pub(super) extra_places: Vec<u32>,
    /// One for each batch. Empty if no contact resists turning.
    pub(super) torques: Vec<B::Torques>,
    /// The contact in each lane.
    pub(in crate::solver) assigned: AssignedLanes,
    /// Whether all bodies are isotropic.
    pub(super) isotropic: bool,
}

/// The contacts that a solve reads, and the factors on their impulses.
pub(in crate::solver) struct Source<'a> {
    pub(in crate::solver) buffer: &'a ContactBuffer,
    /// The lines of the bodies of each contact.
    pub(in crate::solver) pairs: &'a [LinePair],
    /// Factors on the impulses along the normals, and on all other impulses.
    pub(in crate::solver) factors: [f64; 2],
}

impl Source<'_> {
    /// Calls `work` with the contacts of a batch of the buffer, whose impulses are scaled. Their lanes are `lanes`.
    /// Empty lanes get the line `resting`.
    #[inline(always)]
    fn read<T>(&self, batch: usize, lanes: &LaneContacts, resting: BodyRow, work: impl FnOnce(BatchInput) -> T) -> T {
        let (pairs, count) = &lines_of(lanes, self.pairs, resting);
        let (normal, contacts) = (&self.buffer.points[batch].normal, &self.buffer.contacts[batch]);
        let start = &self.buffer.impulses[WIDE * batch..].first_chunk().map_or(StartX8::ZERO, StartX8::new);
        let optional = self.buffer.optional.get(batch).unwrap_or(&OptionalTermsX8::NONE);
        let input = BatchInput { count: *count, pairs, normal, contacts, start, optional };
        if self.factors == [1.0; 2] {
            return work(input);
        }
        let (start, optional) = (&start.scaled(self.factors), &optional.scaled(self.factors[1]));
        work(BatchInput { start, optional, ..input })
    }
}

impl<B: ContactBatch> Default for ContactBatches<B> {
    fn default() -> Self {
        Self {
            batches: Vec::new(),
            extras: Vec::new(),
            extra_places: Vec::new(),
            torques: Vec::new(),
            assigned: AssignedLanes::default(),
            isotropic: false,
        }
    }
}

impl ContactBatches<GeneralBatch> {
    /// Returns `S_n` and `S_t` of one contact.
    pub(super) fn compliance(&self, slot: LaneSlot) -> [f64; 2] {
        let extra = Extras { all: &self.extras, places: &self.extra_places }.of(slot.batch());
        extra.map_or([0.0; 2], |extra| extra.compliance(slot.lane()))
    }
}

impl<B: ContactBatch> ContactBatches<B> {
    /// Writes the contacts of a buffer into their lanes, with the impulses from which they start. The kind begins at
    /// `first_batch` of the buffer. Returns the properties that some contacts have, see [`ContactBatch::write`].
    pub(in crate::solver) fn fill(
        &mut self,
        prepare: &PrepareContext,
        source: &Source,
        first_batch: usize,
        tasks: &dyn Tasks,
    ) -> Result<u32> {
        let Self { batches, assigned: AssignedLanes { contacts, .. }, extra_places, torques, .. } = self;
        let (count, resting) = (contacts.len(), BodyRow::from(prepare.problem.masses.len()));
        let turning = if source.buffer.optional.is_empty() { 0 } else { count };
        resize(batches, count, B::empty(resting), "contacts")?;
        resize(torques, turning, B::NO_TORQUES, "contacts")?;
        resize(extra_places, count, NO_EXTRA, "contacts")?;
        let found = AtomicU32::new(0);
        let slices = (&mut batches[..], (&mut extra_places[..], OrEmpty(torques)));
        each_pair_of_pieces(tasks, PIECE, slices, |first, batches, (extra_places, OrEmpty(torques))| {
            let (lanes, mut every) = (&contacts[first..first + batches.len()], 0);
            for at in 0..batches.len() {
                prefetch_batch(batches, prepare.bodies, lanes, source.pairs, at);
                let (batch, torques, plain) = (&mut batches[at], torques.get_mut(at), source.buffer.is_rigid);
                let here = source.read(first_batch + first + at, &lanes[at], resting, |input| {
                    dispatch(prepare.level, Write { batch, torques, context: prepare, input, plain })
                });
                // The places are set after all batches are counted.
                extra_places[at] = if here & EXTRA != 0 { 0 } else { NO_EXTRA };
                every |= here;
            }
            found.fetch_or(every, Ordering::Relaxed);
        });
        let found = found.into_inner();
        self.isotropic = found & ANISOTROPIC == 0;
        Ok(found)
    }

    /// Writes the optional terms of the batches that have any. Removes all torques unless a contact of any kind resists `turning`.
    pub(in crate::solver) fn fill_extras(
        &mut self,
        prepare: &PrepareContext,
        source: &Source,
        first_batch: usize,
        turning: bool,
    ) -> Result<()> {
        let Self { extras, extra_places, torques, assigned: AssignedLanes { contacts, .. }, .. } = self;
        if !turning {
            torques.clear();
        }
        let having = extra_places.iter().filter(|place| **place != NO_EXTRA).count();
        if having == 0 {
            extra_places.clear();
        }
        empty(extras, having, "contacts")?;
        let resting = BodyRow::from(prepare.problem.masses.len());
        for (at, place) in extra_places.iter_mut().enumerate().filter(|(_, place)| **place != NO_EXTRA) {
            *place = extras.len() as u32;
            let mut extra = B::NO_EXTRA;
            source.read(first_batch + at, &contacts[at], resting, |input| {
                (0..input.count).for_each(|lane| B::write_extra(&mut extra, lane, prepare, &input));
            });
            extras.push(extra);
        }
        Ok(())
    }

    pub(super) fn set(&mut self, slot: LaneSlot, impulse: &ImpulsiveWrench) {
        let batch = &mut self.batches[slot.batch()];
        batch.set(slot.lane(), &impulse.force);
        if let Some(torques) = self.torques.get_mut(slot.batch()) {
            batch.set_torque(torques, slot.lane(), &impulse.torque);
        }
    }

    /// Prefetches the impulses of the batch of a lane.
    #[inline(always)]
    pub(super) fn prefetch_impulses(&self, slot: LaneSlot) {
        if let Some(batch) = self.batches.get(slot.batch()) {
            batch.prefetch_impulses(self.torques.get(slot.batch()));
        }
    }

    /// Writes the impulse of the force of a lane.
    #[inline]
    pub(in crate::solver) fn read(&self, slot: LaneSlot, impulse: &mut Impulse) {
        (impulse.normal, impulse.tangential) = self.batches[slot.batch()].force(slot.lane());
    }

    /// Returns the impulse of the torque of a lane.
    pub(in crate::solver) fn torque(&self, slot: LaneSlot) -> Vec3 {
        match self.torques.get(slot.batch()) {
            Some(torques) => self.batches[slot.batch()].torque(torques, slot.lane()),
            None => Vec3::zeros(),
        }
    }

    /// Returns the present impulses of one contact on bodies a and b, and their moments about the centres of mass.
    pub(super) fn on_bodies(&self, slot: LaneSlot) -> [[f64; 6]; 2] {
        let sides = self.batches[slot.batch()].on_bodies::<f64>(self.torques.get(slot.batch()), slot.lane());
        sides.map(|[impulse, moment]| [impulse.x, impulse.y, impulse.z, moment.x, moment.y, moment.z])
    }

    /// Solves one contact.
    pub(in crate::solver) fn relax(&mut self, slot: LaneSlot, context: SweepContext) -> f64 {
        let (at, lane) = (slot.batch(), slot.lane());
        let Self { batches, extras: all, extra_places: places, torques, .. } = self;
        let (extra, torques) = (Extras { all, places }.of(at), torques.get_mut(at));
        let own = *batches[at].places()[0];
        moved(context.bodies, &own, lane, |a| {
            if context.dilation > 0.0 {
                return batches[at].relax::<f64, Anisotropic, Associated, true>(a, extra, torques, context, lane);
            }
            batches[at].relax::<f64, Anisotropic, Coulomb, true>(a, extra, torques, context, lane)
        })
    }

    /// Adds the present impulse of one contact to the sums on the lines of its bodies.
    pub(super) fn sum(&self, slot: LaneSlot, context: SweepContext) {
        sum_up::<B, f64>(&self.batches[slot.batch()], self.torques.get(slot.batch()), context, slot.lane());
    }

    /// Applies the present impulse of one contact to the velocities.
    pub(super) fn apply(&self, slot: LaneSlot, context: SweepContext) {
        let (batch, torques) = (&self.batches[slot.batch()], self.torques.get(slot.batch()));
        moved(context.bodies, batch.places()[0], slot.lane(), |a| batch.apply::<f64>(a, torques, context, slot.lane()));
    }
}

/// Returns the values from `first` on, or an empty slice if there are none.
pub(super) fn behind<T>(values: &[T], first: usize) -> &[T] {
    values.get(first..).unwrap_or_default()
}

/// Returns the lines of the bodies in the lanes of a batch, and how many of the first lanes are occupied.
#[inline(always)]
fn lines_of(lanes_of_batch: &LaneContacts, pairs: &[LinePair], resting: BodyRow) -> ([Places; 2], usize) {
    if let Some(pairs) = consecutive(lanes_of_batch, pairs) {
        // Written as a whole: a vector load would wait for stores made lane by lane.
        return ([0, 1].map(|side| std::array::from_fn(|lane| pairs[lane][side])), WIDE);
    }
    let (mut lines, mut count) = ([lines::nowhere(resting); 2], 0);
    for (lane, contact) in occupied(lanes_of_batch) {
        (0..2).for_each(|side| lines[side][lane] = pairs[contact][side]);
        count = lane + 1;
    }
    (lines, count)
}

/// Prefetches a batch that is written later, and the lines of its bodies.
#[inline(always)]
fn prefetch_batch<B>(batches: &[B], bodies: &[Wide], lanes: &[LaneContacts], pairs: &[LinePair], at: usize) {
    if bodies.len() <= FEW_BODIES {
        return;
    }
    for (_, contact) in lanes.get(at + FILL_AHEAD).into_iter().flat_map(occupied) {
        pairs[contact].into_iter().for_each(|place| prefetch_one_of(bodies, place.row().index()));
    }
    prefetch_one_of(batches, at + FILL_AHEAD);
}
