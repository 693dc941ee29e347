//! The contacts of one kind: eight to a batch, each in its lane.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use crate::error::{Result, reserve, resize};
use crate::math::Vec3;
use crate::math::lanes::{KEPT, Level, Places, Vec3s, WIDE, Wide, dispatch, prefetch_one_of};
use crate::solver::pairs::joins;
use crate::solver::problem::{
    Aim, Aims, Besides, Impulse, Impulses, ImpulsiveWrench, Relative, Velocity, WholeContact,
};
use crate::solver::rows::kernels::{Apply, Push, Shift, Sweep};
use crate::solver::rows::plan::{Plan, Planner};
use crate::solver::rows::{NONE, Pass};
use crate::solver::wide::lines::{Bodies, moved};
use crate::solver::wide::measure::Measure;
use crate::solver::wide::{Batch, CHANGED, EXTRA, Extras, Given, Ground, UNEVEN};
use crate::tasks::{Tasks, each_pair_of_pieces, each_piece, each_span, each_triple_of_pieces};

/// Batches that are made ready at a time.
const PIECE: usize = 64;

/// In lanes where nothing is to be opened.
const NOTHING: Wide = Wide::splat(0.0);

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
    alike: bool,
    /// Whether the contacts were measured in batches.
    measured: bool,
    /// Of each batch the residuals and how fast its bodies part along the normals. Nobody asks for either once the position pass
    /// begins: then they are its targets and its multipliers.
    targets: Vec<Wide>,
    multipliers: Vec<Wide>,
    are_aims: bool,
    /// How fast the contacts of each batch roll; none where that is not measured so, or nothing resists turning.
    rolling_speeds: Vec<Wide>,
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

    /// Makes room for so many more batches.
    pub(super) fn reserve(&mut self, batches: usize) -> Result<()> {
        reserve(&mut self.contacts, batches, "contacts")
    }

    /// Gives contacts the next lanes, and ends their last batch; `sit` is told the lane of each.
    pub(super) fn place_batch(&mut self, contacts: &[u32], sit: &mut impl FnMut(u32, u32)) -> Result<()> {
        for contact in contacts {
            sit(*contact, self.place(*contact)?);
        }
        self.align();
        Ok(())
    }

    /// Gives a contact the next lane.
    pub(super) fn place(&mut self, contact: u32) -> Result<u32> {
        let lane = self.taken as usize;
        if lane / WIDE == self.contacts.len() {
            reserve(&mut self.contacts, 1, "contacts")?;
            self.contacts.push([NONE; WIDE]);
        }
        self.contacts[lane / WIDE][lane % WIDE] = contact;
        self.taken += 1;
        Ok(lane as u32)
    }

    /// Writes the contacts into their lanes, which are the same ones as the last time where they are `kept`. Returns what is
    /// found of them, see [`Batch::write`].
    pub(in crate::solver) fn fill(&mut self, given: &Given, kept: bool, tasks: &dyn Tasks) -> Result<u32> {
        let Self { batches, contacts, extra_places, .. } = self;
        let (count, resting) = (contacts.len(), given.problem.masses.len() as u32);
        batches.truncate(count);
        resize(batches, count, B::empty(resting), "contacts")?;
        // what is there already is written over
        extra_places.truncate(count);
        resize(extra_places, count, NONE, "contacts")?;
        let Given { problem, pairs, .. } = *given;
        let (all, found) = (problem.contacts, AtomicU32::new(0));
        each_pair_of_pieces(tasks, PIECE, (batches, extra_places), |first, batches, extra_places| {
            let mut every = 0;
            for ((at, batch), extra_place) in (first..).zip(batches).zip(extra_places) {
                let mut here = 0;
                ask_for(contacts.get(at + SEATS_AHEAD), all);
                if !problem.besides.is_empty() {
                    ask_for(contacts.get(at + SEATS_AHEAD), problem.besides);
                }
                if kept {
                    let moved = |(_, at): (usize, usize)| !joins(&all[at], pairs[at], resting);
                    here |= taken(&contacts[at]).map(moved).fold(0, |any, moved| any | u32::from(moved)) * CHANGED;
                } else {
                    *batch = B::empty(resting);
                }
                let seated = taken(&contacts[at]);
                here |= match problem.besides {
                    [] => batch
                        .write::<true>(given, seated.map(|(lane, at)| (lane, pairs[at], (&all[at], &Besides::NONE)))),
                    _ => batch.write::<false>(given, seated.map(|(lane, at)| (lane, pairs[at], problem.whole(at)))),
                };
                // which one is told when all are counted
                *extra_place = if here & EXTRA != 0 { 0 } else { NONE };
                every |= here;
            }
            found.fetch_or(every, Ordering::Relaxed);
        });
        let found = found.into_inner();
        self.alike = found & UNEVEN == 0;
        Ok(found)
    }

    /// Writes what some contacts have besides, where there is such.
    pub(in crate::solver) fn fill_besides(&mut self, given: &Given, turning: bool, tasks: &dyn Tasks) -> Result<()> {
        let Self { batches, extras, extra_places, torques, contacts, .. } = self;
        let count = contacts.len();
        // what is there already is written over
        let turning = if turning { count } else { 0 };
        torques.truncate(turning);
        resize(torques, turning, B::no_torques(), "contacts")?;
        each_piece(tasks, PIECE, torques, |first, torques| {
            for ((at, torques), batch) in (first..).zip(torques).zip(&batches[first..]) {
                ask_for(contacts.get(at + SEATS_AHEAD), given.problem.besides);
                *torques = B::no_torques();
                seated(&contacts[at], given)
                    .for_each(|(lane, contact)| batch.write_torques(torques, lane, given, contact));
            }
        });
        extras.clear();
        let having = extra_places.iter().filter(|place| **place != NONE).count();
        if having == 0 {
            extra_places.clear();
        }
        reserve(extras, having, "contacts")?;
        for (place, seats) in extra_places.iter_mut().zip(contacts).filter(|(place, _)| **place != NONE) {
            let mut extra = B::no_extra();
            seated(seats, given).for_each(|(lane, contact)| B::write_extra(&mut extra, lane, given, contact));
            *place = extras.len() as u32;
            extras.push(extra);
        }
        Ok(())
    }

    /// Sets the impulses of all contacts.
    pub(super) fn set_all(&mut self, impulses: &Impulses, tasks: &dyn Tasks) {
        let Self { batches, torques, contacts, .. } = self;
        let forces = &impulses.contacts[..];
        each_piece(tasks, PIECE, batches, |first, batches| {
            for (at, batch) in (first..).zip(batches) {
                ask_for(contacts.get(at + SEATS_AHEAD), forces);
                taken(&contacts[at]).for_each(|(lane, contact)| batch.set(lane, &forces[contact]));
            }
        });
        each_piece(tasks, PIECE, torques, |first, torques| {
            for ((at, torques), batch) in (first..).zip(torques).zip(&batches[first..]) {
                ask_for(contacts.get(at + SEATS_AHEAD), &impulses.torques);
                taken(&contacts[at])
                    .for_each(|(lane, contact)| batch.set_torque(torques, lane, &impulses.torque(contact)));
            }
        });
    }

    pub(super) fn set(&mut self, lane: usize, impulse: &ImpulsiveWrench) {
        let batch = &mut self.batches[lane / WIDE];
        batch.set(lane % WIDE, &impulse.force);
        if let Some(torques) = self.torques.get_mut(lane / WIDE) {
            batch.set_torque(torques, lane % WIDE, &impulse.torque);
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
    pub(in crate::solver) fn relax(&mut self, lane: usize, ground: Ground) -> f64 {
        let at = lane / WIDE;
        let Self { batches, extras: all, extra_places: places, torques, .. } = self;
        let (extra, torques) = (Extras { all, places }.of(at), torques.get_mut(at));
        let own = *batches[at].places()[0];
        moved(ground.bodies, &own, lane % WIDE, |a| {
            batches[at].relax::<f64, true>(a, extra, torques, ground, lane % WIDE)
        })
    }

    /// One contact alone, in the position pass.
    pub(super) fn push(&mut self, lane: usize, ground: Ground) -> f64 {
        let at = lane / WIDE;
        self.batches[at].push(ground, &self.targets[at], &mut self.multipliers[at], lane % WIDE)
    }

    /// Sweeps over what `plan` says. Returns the square of the largest change.
    pub(in crate::solver) fn sweep(
        &mut self,
        plan: &Plan,
        planner: &Planner,
        ground: Ground,
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
            dispatch(level, Sweep { batches, extras, torques, ground, measured, alike })
        });
        largest.max(found)
    }

    /// Adds to the velocities what the present impulses change.
    pub(super) fn apply_all(
        &mut self,
        plan: &Plan,
        planner: &Planner,
        ground: Ground,
        level: Level,
        tasks: &dyn Tasks,
    ) {
        plan.lanes().for_each(|lane| self.apply(lane, ground));
        let Self { batches, torques, .. } = self;
        each_phase((plan, planner), tasks, (batches, torques), |_, batches, torques| {
            dispatch(level, Apply { batches, torques, ground });
            0.0
        });
    }

    /// The same of one contact alone.
    pub(super) fn apply(&self, lane: usize, ground: Ground) {
        let at = lane / WIDE;
        let (batch, torques) = (&self.batches[at], self.torques.get(at));
        moved(ground.bodies, batch.places()[0], lane % WIDE, |a| batch.apply::<f64>(a, torques, ground, lane % WIDE));
    }

    /// Whether the contacts can be measured as they are swept.
    pub(super) fn is_measured(&self) -> bool {
        B::MEASURES_TURNING || self.torques.is_empty()
    }

    /// Measures the contacts at the velocities of the lines and their present impulses, if it can.
    pub(super) fn measure(&mut self, ground: Ground, level: Level, tasks: &dyn Tasks) -> Result<()> {
        self.measured = self.is_measured();
        self.are_aims = false;
        let count = if self.measured { self.batches.len() } else { 0 };
        let Self { batches, extras: all, extra_places: places, torques, targets, multipliers, rolling_speeds, .. } =
            self;
        let extras = Extras { all, places };
        let turning = count.min(torques.len());
        for (values, count) in [(&mut *targets, count), (&mut *multipliers, count), (&mut *rolling_speeds, turning)] {
            // what is there already is written over
            values.truncate(count);
            resize(values, count, NOTHING, "contacts")?;
        }
        let work = |first: usize, residuals: &mut [Wide], normal: &mut [Wide], rolling_speeds: &mut [Wide]| {
            let (batches, extras, torques) = (&batches[first..], extras.behind(first), behind(torques, first));
            dispatch(level, Measure { batches, extras, torques, normal, residuals, rolling_speeds, ground });
        };
        let measured = (&mut targets[..], &mut multipliers[..]);
        match turning {
            0 => each_pair_of_pieces(tasks, PIECE, measured, |first, residuals, normal| {
                work(first, residuals, normal, &mut []);
            }),
            _ => each_triple_of_pieces(tasks, PIECE, (measured.0, measured.1, rolling_speeds), work),
        }
        Ok(())
    }

    /// What was measured is of other impulses.
    pub(super) fn forget_measured(&mut self) {
        (self.measured, self.are_aims) = (false, false);
        self.targets.clear();
        self.multipliers.clear();
        self.rolling_speeds.clear();
    }

    /// How fast the contact in a lane rolls, if it was measured [m/s].
    pub(super) fn rolling_speed(&self, lane: usize) -> Option<f64> {
        Some(self.rolling_speeds.get(lane / WIDE)?.0[lane % WIDE])
    }

    /// Whether its contacts were measured.
    pub(super) fn has_measured(&self) -> bool {
        self.measured
    }

    /// Whether what was measured has made room for the position pass.
    pub(super) fn has_aimed(&self) -> bool {
        self.measured && self.are_aims
    }

    /// The velocity of b relative to a in a lane, where the bodies have these velocities, if it was measured [m/s].
    #[inline]
    pub(super) fn relative(&self, lane: usize, velocities: &[Velocity]) -> Option<Vec3> {
        let (at, lane) = (lane / WIDE, lane % WIDE);
        let batch = self.batches.get(at).filter(|_| self.measured)?;
        let body = |places: &Places| velocities.get((places[lane] & !KEPT) as usize).map(Bodies::moving);
        let [a, b] = batch.places();
        let extra = Extras { all: &self.extras, places: &self.extra_places }.of(at);
        let Vec3s { x, y, z } = batch.relative::<f64>([&body(a)?, &body(b)?], extra, lane);
        Some(Vec3::new(x, y, z))
    }

    /// The residual of a lane, if it was measured and the position pass has not begun [m/s].
    #[inline]
    pub(super) fn residual(&self, lane: usize) -> Option<f64> {
        let all = if self.are_aims { &[] } else { &self.targets[..] };
        all.get(lane / WIDE).map(|residuals| residuals.0[lane % WIDE])
    }

    /// Prepares the position pass from this part of the multipliers of the step before. Where nothing was measured, `alone` has how
    /// the contacts move. Returns the largest target.
    pub(super) fn aim(
        &mut self,
        (asked, alone): (&impl Aims, &[Relative]),
        part: f64,
        tasks: &dyn Tasks,
    ) -> Result<f64> {
        let was_measured = self.measured && !self.are_aims;
        self.are_aims = true;
        let Self { targets, multipliers, contacts, .. } = self;
        for values in [&mut *targets, &mut *multipliers] {
            // what is there already is written over
            values.truncate(contacts.len());
            resize(values, contacts.len(), NOTHING, "contacts of the position pass")?;
        }
        let largest = Largest::default();
        each_pair_of_pieces(tasks, PIECE, (targets, multipliers), |first, targets, multipliers| {
            let mut here = 0.0;
            for (at, (targets, multipliers)) in (first..).zip(targets.iter_mut().zip(multipliers)) {
                let normal = std::mem::replace(multipliers, NOTHING);
                *targets = NOTHING;
                contacts.get(at + SEATS_AHEAD).into_iter().flatten().for_each(|soon| asked.ask_ahead(*soon as usize));
                for (lane, contact) in taken(&contacts[at]) {
                    let along = if was_measured { normal.0[lane] } else { normal_velocity(alone, contact) };
                    let Aim { target, multiplier } = asked.of(contact, along);
                    targets.0[lane] = target;
                    multipliers.0[lane] = part * multiplier;
                    here = f64::max(here, target);
                }
            }
            largest.note(here);
        });
        Ok(largest.get())
    }

    /// No contact has a multiplier.
    pub(super) fn forget_multipliers(&mut self) {
        if self.are_aims {
            self.multipliers.clear();
        }
    }

    /// The multiplier of a lane; none where there was nothing to be opened.
    #[inline]
    pub(super) fn multiplier(&self, lane: usize) -> f64 {
        let all = if self.are_aims { &self.multipliers[..] } else { &[] };
        all.get(lane / WIDE).map_or(0.0, |multipliers| multipliers.0[lane % WIDE])
    }

    /// Adds to the displacements what the multipliers make of them.
    pub(super) fn shift_all(
        &mut self,
        plan: &Plan,
        planner: &Planner,
        ground: Ground,
        level: Level,
        tasks: &dyn Tasks,
    ) {
        plan.lanes().for_each(|lane| self.shift(lane, ground));
        let Self { batches, multipliers, .. } = self;
        each_phase((plan, planner), tasks, (batches, multipliers), |_, batches, multipliers| {
            dispatch(level, Shift { batches, multipliers, ground });
            0.0
        });
    }

    /// The same of one contact alone.
    pub(super) fn shift(&self, lane: usize, ground: Ground) {
        let at = lane / WIDE;
        self.batches[at].shift::<f64>(ground, &self.multipliers[at], lane % WIDE);
    }

    /// One sweep of the position pass. Returns the farthest that a contact was opened [m].
    pub(super) fn push_all(
        &mut self,
        plan: &Plan,
        planner: &Planner,
        ground: Ground,
        level: Level,
        tasks: &dyn Tasks,
    ) -> f64 {
        let mut farthest = 0.0;
        for lane in plan.lanes() {
            farthest = f64::max(farthest, self.push(lane, ground));
        }
        let Self { batches, targets, multipliers, alike, .. } = self;
        let found = each_phase((plan, planner), tasks, (batches, multipliers), |[first, end], batches, multipliers| {
            let targets = &targets[first as usize..end as usize];
            dispatch(level, Push { batches, targets, multipliers, ground, alike: *alike })
        });
        farthest.max(found)
    }
}

/// Calls `work` with the batches of each span and what belongs to them, phase by phase. Returns the largest answer.
fn each_phase<B: Send, T: Send>(
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

/// The velocity along the normal of a contact of which this is known.
#[inline]
pub(super) fn normal_velocity(relative: &[Relative], contact: usize) -> f64 {
    relative.get(contact).map_or(0.0, |relative| relative.normal)
}

/// What comes behind so many values, of which there may be none at all.
fn behind<T>(values: &[T], first: usize) -> &[T] {
    values.get(first..).unwrap_or_default()
}

/// The contacts of a batch, each with its lane.
fn seated<'a>(seats: &'a [u32; WIDE], given: &'a Given) -> impl Iterator<Item = (usize, WholeContact<'a>)> {
    taken(seats).map(|(lane, contact)| (lane, given.problem.whole(contact)))
}

/// So many batches ahead, what their contacts have is asked for.
const SEATS_AHEAD: usize = 2;

/// Asks for what those in the lanes of a batch have, one value for each contact.
fn ask_for<T>(seats: Option<&[u32; WIDE]>, values: &[T]) {
    for contact in seats.into_iter().flatten() {
        prefetch_one_of(values, *contact as usize);
    }
}

/// The lanes of a batch that have a contact, each with its index.
fn taken(seats: &[u32; WIDE]) -> impl Iterator<Item = (usize, usize)> + '_ {
    seats.iter().enumerate().filter(|(_, contact)| **contact != NONE).map(|(lane, contact)| (lane, *contact as usize))
}

/// The largest of some numbers that are not negative, whoever notes them: their bits are in their order.
#[derive(Debug, Default)]
struct Largest(AtomicU64);

impl Largest {
    fn note(&self, value: f64) {
        // what nobody asked for is zero, and threads need not wait for each other to say so
        let bits = value.to_bits();
        if bits > 0 {
            self.0.fetch_max(bits, Ordering::Relaxed);
        }
    }

    fn get(self) -> f64 {
        f64::from_bits(self.0.into_inner())
    }
}
