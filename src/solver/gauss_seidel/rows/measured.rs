//! Residuals and velocities of the contacts in batches, and the position pass over them.

use crate::error::{Result, resize};
use crate::math::lanes::{Level, WIDE, Wide, dispatch};
use crate::solver::gauss_seidel::rows::batches::{ContactBatches, PIECE, behind};
use crate::solver::gauss_seidel::rows::kernels::{Push, Shift};
use crate::solver::gauss_seidel::rows::phases::Phases;
use crate::solver::gauss_seidel::wide::masses::Anisotropic;
use crate::solver::gauss_seidel::wide::measure::Measure;
use crate::solver::gauss_seidel::wide::{Batch, Extras, SweepContext};
use crate::tasks::{OrEmpty, Tasks, each_pair_of_pieces};

/// What is measured after a solve, in the order of the lanes.
#[derive(Debug, Default)]
pub(super) struct MeasuredColumns {
    /// The residual of each contact that can be measured in a batch [m/s].
    pub(super) residuals: Vec<Wide>,
    /// The velocity of b relative to a along the normal [m/s].
    pub(super) normal_velocities: Vec<Wide>,
    /// The rolling speed of each central contact; empty where nothing resists turning [m/s].
    pub(super) rolling_speeds: Vec<Wide>,
}

/// The columns of one kind of contacts.
pub(super) struct Measured<'a> {
    pub(super) residuals: &'a mut [Wide],
    pub(super) normal_velocities: &'a mut [Wide],
    pub(super) rolling_speeds: &'a mut [Wide],
}

impl MeasuredColumns {
    /// Makes room for so many batches, and for the rolling speeds of so many. What is there already is to be written over.
    pub(super) fn begin(&mut self, batches: usize, rolling: usize) -> Result<()> {
        let Self { residuals, normal_velocities, rolling_speeds } = self;
        for (column, count) in [(residuals, batches), (normal_velocities, batches), (rolling_speeds, rolling)] {
            column.truncate(count);
            resize(column, count, Wide::splat(0.0), "contacts")?;
        }
        Ok(())
    }
}

impl<B: Batch> ContactBatches<B> {
    /// Returns whether the contacts can be measured in their batches.
    pub(super) fn can_be_measured(&self) -> bool {
        B::MEASURES_TURNING || self.torques.is_empty()
    }

    /// Measures the contacts at the velocities of the lines and their present impulses.
    pub(super) fn measure(&self, measured: Measured, context: SweepContext, level: Level, tasks: &dyn Tasks) {
        let Self { batches, extras: all, extra_places: places, torques, .. } = self;
        let extras = Extras { all, places };
        let Measured { residuals, normal_velocities, rolling_speeds } = measured;
        let slices = (residuals, (normal_velocities, OrEmpty(rolling_speeds)));
        each_pair_of_pieces(tasks, PIECE, slices, |first, residuals, (normal, OrEmpty(rolling_speeds))| {
            let (batches, extras, torques) = (&batches[first..], extras.behind(first), behind(torques, first));
            dispatch(level, Measure { batches, extras, torques, normal, residuals, rolling_speeds, context });
        });
    }

    /// Returns whether the contact in a lane resists turning.
    pub(super) fn resists_turning(&self, lane: usize) -> bool {
        self.torques.get(lane / WIDE).is_some_and(|torques| B::resists_turning(torques, lane % WIDE))
    }

    /// Adds to the displacements what the multipliers make of them.
    pub(super) fn shift_all(&self, phases: Phases, multipliers: &mut [Wide], context: SweepContext) {
        phases.plan.lanes().for_each(|lane| self.shift(lane, multipliers, context));
        let (batches, level) = (&self.batches, phases.level);
        phases.run(multipliers, &mut [(); 0], |[first, end], multipliers, _| {
            let batches = &batches[first as usize..end as usize];
            dispatch(level, Shift { batches, multipliers, context });
            0.0
        });
    }

    /// Does the same for one contact.
    pub(super) fn shift(&self, lane: usize, multipliers: &[Wide], context: SweepContext) {
        let at = lane / WIDE;
        self.batches[at].shift::<f64>(context, &multipliers[at], lane % WIDE);
    }

    /// Makes one sweep of the position pass. Returns the farthest that a contact was opened [m].
    pub(super) fn push_all(
        &self,
        phases: Phases,
        targets: &[Wide],
        multipliers: &mut [Wide],
        context: SweepContext,
    ) -> f64 {
        let mut farthest = 0.0;
        for lane in phases.plan.lanes() {
            farthest = f64::max(farthest, self.push(lane, targets, multipliers, context));
        }
        let (Self { batches, isotropic, .. }, level) = (self, phases.level);
        let found = phases.run(multipliers, &mut [(); 0], |[first, end], multipliers, _| {
            let span = first as usize..end as usize;
            let (batches, targets) = (&batches[span.clone()], &targets[span]);
            dispatch(level, Push { batches, targets, multipliers, context, isotropic: *isotropic })
        });
        farthest.max(found)
    }

    /// Opens one contact in the position pass.
    pub(super) fn push(&self, lane: usize, targets: &[Wide], multipliers: &mut [Wide], context: SweepContext) -> f64 {
        let at = lane / WIDE;
        self.batches[at].push::<f64, Anisotropic>(context, &targets[at], &mut multipliers[at], lane % WIDE)
    }
}
