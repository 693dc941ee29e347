//! What is measured of the contacts in batches, and how it makes room for the position pass.

use crate::error::{Result, resize};
use crate::math::lanes::{Level, WIDE, Wide, dispatch};
use crate::solver::contacts::taken;
use crate::solver::problem::{Aims, Relative};
use crate::solver::rows::kernels::{Push, Shift};
use crate::solver::rows::plan::{Plan, Planner};
use crate::solver::rows::seats::{Largest, NOTHING, PIECE, Seats, behind, each_phase};
use crate::solver::wide::masses::Anisotropic;
use crate::solver::wide::measure::Measure;
use crate::solver::wide::{Batch, Extras, SweepContext};
use crate::tasks::{Tasks, each_pair_of_pieces, each_triple_of_pieces};

impl<B: Batch> Seats<B> {
    /// Whether the contacts can be measured as they are swept.
    pub(super) fn is_measured(&self) -> bool {
        B::MEASURES_TURNING || self.torques.is_empty()
    }

    /// Measures the contacts at the velocities of the lines and their present impulses, if it can.
    pub(super) fn measure(&mut self, ground: SweepContext, level: Level, tasks: &dyn Tasks) -> Result<()> {
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
            dispatch(level, Measure { batches, extras, torques, normal, residuals, rolling_speeds, context: ground });
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

    /// How fast the contact in a lane rolls, if it was measured; one that does not resist turning, not at all [m/s].
    pub(super) fn rolling_speed(&self, lane: usize) -> Option<f64> {
        let (batch, lane) = (lane / WIDE, lane % WIDE);
        let resists = self.torques.get(batch).is_some_and(|torques| B::resists_turning(torques, lane));
        let speed = self.rolling_speeds.get(batch)?.0[lane];
        Some(if resists { speed } else { 0.0 })
    }

    /// Whether its contacts were measured.
    pub(super) fn has_measured(&self) -> bool {
        self.measured
    }

    /// Whether what was measured has made room for the position pass.
    pub(super) fn has_aimed(&self) -> bool {
        self.measured && self.are_aims
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
            let seats = &contacts[first..first + targets.len()];
            if !was_measured {
                for (seats, along) in seats.iter().zip(&mut *multipliers) {
                    *along = NOTHING;
                    taken(seats).for_each(|(lane, contact)| along.0[lane] = normal_velocity(alone, contact));
                }
            }
            asked.aim(seats, targets, multipliers);
            let mut here = 0.0;
            for (targets, multipliers) in targets.iter().zip(multipliers) {
                multipliers.0.iter_mut().for_each(|multiplier| *multiplier *= part);
                here = targets.0.iter().copied().fold(here, f64::max);
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
        ground: SweepContext,
        level: Level,
        tasks: &dyn Tasks,
    ) {
        plan.lanes().for_each(|lane| self.shift(lane, ground));
        let Self { batches, multipliers, .. } = self;
        each_phase((plan, planner), tasks, (batches, multipliers), |_, batches, multipliers| {
            dispatch(level, Shift { batches, multipliers, context: ground });
            0.0
        });
    }

    /// The same of one contact alone.
    pub(super) fn shift(&self, lane: usize, ground: SweepContext) {
        let at = lane / WIDE;
        self.batches[at].shift::<f64>(ground, &self.multipliers[at], lane % WIDE);
    }

    /// One sweep of the position pass. Returns the farthest that a contact was opened [m].
    pub(super) fn push_all(
        &mut self,
        plan: &Plan,
        planner: &Planner,
        ground: SweepContext,
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
            dispatch(level, Push { batches, targets, multipliers, context: ground, isotropic: *alike })
        });
        farthest.max(found)
    }

    /// One contact alone, in the position pass.
    pub(super) fn push(&mut self, lane: usize, ground: SweepContext) -> f64 {
        let at = lane / WIDE;
        self.batches[at].push::<f64, Anisotropic>(ground, &self.targets[at], &mut self.multipliers[at], lane % WIDE)
    }
}

/// The velocity along the normal of a contact of which this is known.
#[inline]
pub(super) fn normal_velocity(relative: &[Relative], contact: usize) -> f64 {
    relative.get(contact).map_or(0.0, |relative| relative.normal)
}
