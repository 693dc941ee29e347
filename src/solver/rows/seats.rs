//! The contacts of one kind: eight to a batch, each in its lane.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use crate::error::{Result, reserve, resize};
use crate::math::Vec3;
use crate::math::lanes::distances::{FEW_BODIES, FILL_AHEAD};
use crate::math::lanes::{KEPT, Level, Places, WIDE, Wide, dispatch, prefetch_one_of};
use crate::solver::contacts::{self, taken};
use crate::solver::order::Pair;
use crate::solver::pairs::joins;
use crate::solver::problem::{Impulse, ImpulsiveWrench};
use crate::solver::rows::kernels::{Apply, Sum, Sweep, sum_up};
use crate::solver::rows::plan::{Plan, Planner};
use crate::solver::rows::{NONE, Pass};
use crate::solver::wide::lines::{self, moved};
use crate::solver::wide::masses::Anisotropic;
use crate::solver::wide::{
    ANISOTROPIC, Batch, BatchInput, CHANGED, EXTRA, Extras, Posed, PrepareContext, SweepContext, Write,
};
use crate::tasks::{Tasks, each_pair_of_pieces, each_span, each_triple_of_pieces};

/// Batches that are made ready at a time.
pub(super) const PIECE: usize = 64;

/// In lanes where nothing is to be opened.
pub(super) const NOTHING: Wide = Wide::splat(0.0);

/// Batches of one kind of contact.
#[derive(Debug)]
pub(in crate::solver) struct Seats<B: Batch> {
    pub(super) batches: Vec<B>,
    /// Of the batches that have any; and which of them each batch has, or [`NONE`], where there are any.
    pub(super) extras: Vec<B::Extra>,
    pub(super) extra_places: Vec<u32>,
    /// One for each batch, or none where no contact resists turning.
    pub(super) torques: Vec<B::Torques>,
    /// The contact in each lane, or [`NONE`].
    pub(in crate::solver) contacts: Vec<[u32; WIDE]>,
    /// How many lanes are taken.
    pub(super) taken: u32,
    /// Whether all bodies answer alike in all directions.
    pub(super) alike: bool,
    /// Whether the contacts were measured in batches.
    pub(super) measured: bool,
    /// Of each batch the residuals and how fast its bodies part along the normals. Nobody asks for either once the position pass
    /// begins: then they are its targets and its multipliers.
    pub(super) targets: Vec<Wide>,
    pub(super) multipliers: Vec<Wide>,
    pub(super) are_aims: bool,
    /// How fast the contacts of each batch roll; none where that is not measured so, or nothing resists turning.
    pub(super) rolling_speeds: Vec<Wide>,
}

impl<B: Batch> Default for Seats<B> {
    fn default() -> Self {
        Self {
            batches: Vec::new(),
            extras: Vec::new(),
            extra_places: Vec::new(),
            torques: Vec::new(),
            contacts: Vec::new(),
            taken: 0,
            alike: false,
            measured: false,
            targets: Vec::new(),
            multipliers: Vec::new(),
            are_aims: false,
            rolling_speeds: Vec::new(),
        }
    }
}

impl<B: Batch> Seats<B> {
    /// Forgets who sits where.
    pub(super) fn clear(&mut self) {
        self.taken = 0;
        self.contacts.clear();
    }

    /// Whether it has no contacts.
    pub(super) fn is_empty(&self) -> bool {
        self.contacts.is_empty()
    }

    /// The next contact begins a batch.
    pub(super) fn align(&mut self) {
        self.taken = self.taken.next_multiple_of(WIDE as u32);
    }

    /// How many batches have a contact.
    pub(super) fn batches_taken(&self) -> u32 {
        self.contacts.len() as u32
    }

    /// Gives contacts the next lanes.
    pub(super) fn place(&mut self, contacts: Range<u32>) -> Result<()> {
        let (mut next, mut end) = (contacts.start, contacts.end);
        while next < end {
            let lane = self.taken as usize % WIDE;
            if lane == 0 {
                reserve(&mut self.contacts, 1, "contacts")?;
                self.contacts.push([NONE; WIDE]);
            }
            end = contacts.end.min(next + (WIDE - lane) as u32);
            if let Some(seat) = self.contacts.last_mut() {
                seat[lane..].iter_mut().zip(next..end).for_each(|(place, contact)| *place = contact);
            }
            self.taken += end - next;
            (next, end) = (end, contacts.end);
        }
        Ok(())
    }

    /// Gives the next ones the next lanes, and ends their last batch.
    pub(super) fn place_batch(&mut self, next: &mut u32, count: u8) -> Result<()> {
        let end = *next + u32::from(count);
        self.place(*next..end)?;
        self.align();
        *next = end;
        Ok(())
    }

    /// Writes the contacts, which have these `pairs`, into their lanes, with the impulses from which they start, and their torques if any
    /// contact may resist turning. The lanes are the same ones as the last time where they are `kept`. Returns what is found of them, see
    /// [`Batch::write`].
    pub(in crate::solver) fn fill(
        &mut self,
        given: &PrepareContext,
        (told, pairs): (Posed, &[Pair]),
        kept: bool,
        tasks: &dyn Tasks,
    ) -> Result<u32> {
        let Self { batches, contacts, extra_places, torques, .. } = self;
        let (count, resting) = (contacts.len(), given.problem.masses.len() as u32);
        let turning = if told.contacts.may_resist_turning() { count } else { 0 };
        // what is there already is written over
        batches.truncate(count);
        resize(batches, count, B::empty(resting), "contacts")?;
        torques.truncate(turning);
        resize(torques, turning, B::no_torques(), "contacts")?;
        extra_places.truncate(count);
        resize(extra_places, count, NONE, "contacts")?;
        let (plain, found) = (!told.contacts.may_yield_or_convey(), AtomicU32::new(0));
        let work = |first: usize, batches: &mut [B], extra_places: &mut [u32], torques: &mut [B::Torques]| {
            let (seats, mut every) = (&contacts[first..first + batches.len()], 0);
            told.contacts.begin(seats, &mut |at, placed, begun| {
                prefetch_fill((batches, given.bodies), (seats, pairs), at);
                let (lines, count) = lines_of(&seats[at], pairs, resting);
                let moved = kept && !all_join(&placed.bodies, (&lines, count), resting);
                let scaled;
                let begun = if told.factors == [1.0; 2] {
                    begun
                } else {
                    scaled = begun.times(told.factors);
                    &scaled
                };
                let input = BatchInput { count, pairs: &lines, placed, begun };
                let write =
                    Write { batch: &mut batches[at], torques: torques.get_mut(at), context: given, input, plain };
                let here = dispatch(given.level, write) | if moved { CHANGED } else { 0 };
                // which one is told when all are counted
                extra_places[at] = if here & EXTRA != 0 { 0 } else { NONE };
                every |= here;
            });
            found.fetch_or(every, Ordering::Relaxed);
        };
        match turning {
            0 => each_pair_of_pieces(tasks, PIECE, (batches, extra_places), |first, batches, extra_places| {
                work(first, batches, extra_places, &mut []);
            }),
            _ => each_triple_of_pieces(tasks, PIECE, (batches, extra_places, torques), work),
        }
        let found = found.into_inner();
        self.alike = found & ANISOTROPIC == 0;
        Ok(found)
    }

    /// Writes what few contacts have, and forgets all torques unless some contact of any kind resists `turning`.
    pub(in crate::solver) fn fill_besides(&mut self, given: &PrepareContext, told: Posed, turning: bool) -> Result<()> {
        let Self { extras, extra_places, torques, contacts, .. } = self;
        if !turning {
            torques.clear();
        }
        extras.clear();
        let having = extra_places.iter().filter(|place| **place != NONE).count();
        if having == 0 {
            extra_places.clear();
        }
        reserve(extras, having, "contacts")?;
        for (place, seats) in extra_places.iter_mut().zip(contacts).filter(|(place, _)| **place != NONE) {
            *place = extras.len() as u32;
            extras.push(extra_of::<B>(seats, given, told));
        }
        Ok(())
    }

    pub(super) fn set(&mut self, lane: usize, impulse: &ImpulsiveWrench) {
        let batch = &mut self.batches[lane / WIDE];
        batch.set(lane % WIDE, &impulse.force);
        if let Some(torques) = self.torques.get_mut(lane / WIDE) {
            batch.set_torque(torques, lane % WIDE, &impulse.torque);
        }
    }

    /// Prefetches the impulses of the batch of a lane.
    #[inline(always)]
    pub(super) fn prefetch_impulses(&self, lane: usize) {
        if let Some(batch) = self.batches.get(lane / WIDE) {
            batch.prefetch_impulses(self.torques.get(lane / WIDE));
        }
    }

    /// Writes the impulse of the force of a lane.
    #[inline]
    pub(in crate::solver) fn read(&self, lane: usize, impulse: &mut Impulse) {
        (impulse.normal, impulse.tangential) = self.batches[lane / WIDE].force(lane % WIDE);
    }

    /// The impulse of the torque of a lane.
    pub(in crate::solver) fn torque(&self, lane: usize) -> Vec3 {
        match self.torques.get(lane / WIDE) {
            Some(torques) => self.batches[lane / WIDE].torque(torques, lane % WIDE),
            None => Vec3::zeros(),
        }
    }

    /// One contact alone.
    pub(in crate::solver) fn relax(&mut self, lane: usize, ground: SweepContext) -> f64 {
        let at = lane / WIDE;
        let Self { batches, extras: all, extra_places: places, torques, .. } = self;
        let (extra, torques) = (Extras { all, places }.of(at), torques.get_mut(at));
        let own = *batches[at].places()[0];
        moved(ground.bodies, &own, lane % WIDE, |a| {
            batches[at].relax::<f64, Anisotropic, true>(a, extra, torques, ground, lane % WIDE)
        })
    }

    /// Sweeps over what `plan` says. Returns the square of the largest change.
    pub(in crate::solver) fn sweep(
        &mut self,
        plan: &Plan,
        planner: &Planner,
        ground: SweepContext,
        level: Level,
        pass: &Pass,
    ) -> f64 {
        let mut largest = 0.0;
        for lane in plan.lanes() {
            largest = f64::max(largest, self.relax(lane, ground));
        }
        let Self { batches, extras: all, extra_places: places, torques, alike, .. } = self;
        let extras = Extras { all, places };
        let (alike, measured) = (*alike, pass.measured);
        let found = each_phase((plan, planner), pass.tasks, (batches, torques), |[first, _], batches, torques| {
            let extras = extras.behind(first as usize);
            dispatch(level, Sweep { batches, extras, torques, context: ground, measured, isotropic: alike })
        });
        largest.max(found)
    }

    /// Adds to the velocities what the present impulses change.
    pub(super) fn apply_all(
        &mut self,
        plan: &Plan,
        planner: &Planner,
        ground: SweepContext,
        level: Level,
        tasks: &dyn Tasks,
    ) {
        plan.lanes().for_each(|lane| self.apply(lane, ground));
        let Self { batches, torques, .. } = self;
        each_phase((plan, planner), tasks, (batches, torques), |_, batches, torques| {
            dispatch(level, Apply { batches, torques, context: ground });
            0.0
        });
    }

    /// Adds the present impulses up on the lines of the bodies.
    pub(super) fn sum_all(
        &mut self,
        plan: &Plan,
        planner: &Planner,
        ground: SweepContext,
        level: Level,
        tasks: &dyn Tasks,
    ) {
        plan.lanes().for_each(|lane| self.sum(lane, ground));
        let Self { batches, torques, .. } = self;
        each_phase((plan, planner), tasks, (batches, torques), |_, batches, torques| {
            dispatch(level, Sum { batches, torques, context: ground });
            0.0
        });
    }

    /// The same of one contact alone.
    pub(super) fn sum(&self, lane: usize, ground: SweepContext) {
        let at = lane / WIDE;
        sum_up::<B, f64>(&self.batches[at], self.torques.get(at), ground, lane % WIDE);
    }

    /// Adds to the velocities what the present impulse of one contact changes.
    pub(super) fn apply(&self, lane: usize, ground: SweepContext) {
        let at = lane / WIDE;
        let (batch, torques) = (&self.batches[at], self.torques.get(at));
        moved(ground.bodies, batch.places()[0], lane % WIDE, |a| batch.apply::<f64>(a, torques, ground, lane % WIDE));
    }
}

/// Calls `work` with the batches of each span and what belongs to them, phase by phase. Returns the largest answer.
pub(super) fn each_phase<B: Send, T: Send>(
    (plan, planner): (&Plan, &Planner),
    tasks: &dyn Tasks,
    (batches, others): (&mut [B], &mut [T]),
    work: impl Fn([u32; 2], &mut [B], &mut [T]) -> f64 + Sync,
) -> f64 {
    let mut largest = 0.0;
    for spans in planner.phases(plan) {
        let found = Largest::default();
        each_span(tasks, spans, (&mut *batches, &mut *others), |span, batches, others| {
            found.note(work(span, batches, others));
        });
        largest = f64::max(largest, found.get());
    }
    largest
}

/// What comes behind so many values, of which there may be none at all.
pub(super) fn behind<T>(values: &[T], first: usize) -> &[T] {
    values.get(first..).unwrap_or_default()
}

/// The lines of the bodies in the lanes of a batch, and how many lanes are taken, the first ones.
#[inline(always)]
fn lines_of(seats: &contacts::Seats, pairs: &[Pair], resting: u32) -> ([Places; 2], usize) {
    if let Some(pairs) = contacts::in_a_row(seats, pairs) {
        // at once: what is put lane by lane has to be waited for when it is read
        return ([0, 1].map(|side| std::array::from_fn(|lane| pairs[lane][side])), WIDE);
    }
    let (mut lines, mut count) = ([lines::nowhere(resting); 2], 0);
    for (lane, contact) in taken(seats) {
        (0..2).for_each(|side| lines[side][lane] = pairs[contact][side]);
        count = lane + 1;
    }
    (lines, count)
}

/// Whether the bodies in each of the lanes that are taken have these lines.
#[inline(always)]
fn all_join(bodies: &[Places; 2], (lines, count): (&[Places; 2], usize), resting: u32) -> bool {
    let mut others = false;
    for lane in 0..WIDE {
        let [bodies, pair] = [bodies, lines].map(|sides| [sides[0][lane], sides[1][lane]]);
        others |= lane < count && !joins(bodies, pair, resting);
    }
    !others
}

/// Prefetches the next batches to be filled, and the lines of their bodies.
#[inline(always)]
fn prefetch_fill<B>((batches, bodies): (&[B], &[Wide]), (seats, pairs): (&[contacts::Seats], &[Pair]), at: usize) {
    if bodies.len() <= FEW_BODIES {
        return;
    }
    for (_, contact) in seats.get(at + FILL_AHEAD).into_iter().flat_map(taken) {
        pairs[contact].into_iter().for_each(|place| prefetch_one_of(bodies, (place & !KEPT) as usize));
    }
    prefetch_one_of(batches, at + FILL_AHEAD);
}

/// What few contacts have, of those in the lanes of a batch.
fn extra_of<B: Batch>(seats: &contacts::Seats, given: &PrepareContext, told: Posed) -> B::Extra {
    let mut extra = B::no_extra();
    told.contacts.begin(std::slice::from_ref(seats), &mut |_, placed, begun| {
        for (lane, _) in taken(seats) {
            B::write_extra(&mut extra, lane, given, placed, &begun.besides(lane));
        }
    });
    extra
}

/// The largest of some numbers that are not negative, whoever notes them: their bits are in their order.
#[derive(Debug, Default)]
pub(super) struct Largest(AtomicU64);

impl Largest {
    pub(super) fn note(&self, value: f64) {
        // what nobody asked for is zero, and threads need not wait for each other to say so
        let bits = value.to_bits();
        if bits > 0 {
            self.0.fetch_max(bits, Ordering::Relaxed);
        }
    }

    pub(super) fn get(self) -> f64 {
        f64::from_bits(self.0.into_inner())
    }
}
