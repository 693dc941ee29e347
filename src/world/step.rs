//! The step: one function that reads as a table of contents.
//!
//! Nothing of the world changes before [`World::commit`]: a stage that fails leaves it as it was.

use std::time::Instant;

use crate::body::{Energy, Motion, Wrench};
use crate::contact::memory::Completed;
use crate::error::{Error, Kind, Result, reserve, resize};
use crate::math::lanes::distances::BODIES_AHEAD;
use crate::math::lanes::prefetch_slot;
use crate::tasks::{Alone, Tasks, each_job};
use crate::world::report::{NOT_CONVERGED, Report, StepFailure};
use crate::world::state::{BODIES_PER_PIECE, Workspace, World};
use crate::world::substeps::Substep;

impl World {
    /// Moves the world forward by `h` seconds.
    pub fn step(&mut self, h: f64) -> std::result::Result<Report, StepFailure> {
        let count = self.settings.substeps;
        let first = Substep::first(h, count)?;
        let roused = self.sleep.roused.len();
        let done = self.try_step(first, count);
        if done.is_err() {
            self.sleep.lull(roused, &mut self.roster, &mut self.bodies);
        }
        done
    }

    /// The step in `count` parts, of which `first` is the first. If it fails, those whom it woke are still awake.
    fn try_step(&mut self, first: Substep, count: u32) -> std::result::Result<Report, StepFailure> {
        let mut report = Report::default();
        let mut clock = Clock::start();

        self.forget_removed();
        self.detect()?;
        while self.rouse_touched() {
            self.detect()?;
        }
        report.seconds_detect = clock.lap();

        let next_key = self.inherit(&mut report)?;
        self.order()?;
        self.begin(&first)?;
        for substep in first.all(count) {
            self.assemble(&substep)?;
            if substep.is_first {
                report.max_overlap = self.workspace.assembly.deepest(&*self.tasks);
            }
            report.seconds_assemble += clock.lap();
            self.solve(&mut report)?;
            report.seconds_solve += clock.lap();

            self.integrate(&substep)?;
            self.check_finite(&substep)?;
            report.seconds_integrate += clock.lap();
        }
        report.seconds_solve -= report.seconds_project;

        self.correct(&mut report)?;
        self.keep_impulses();
        report.seconds_compatibility = clock.lap();

        self.doze(&first)?;
        Energy { kinetic: report.kinetic_energy, potential: report.potential_energy } = self.energy_after();
        self.check_converged(&mut report)?;
        self.commit(&first, next_key);
        report.seconds_integrate += clock.lap();

        report.seconds_total = clock.total();
        Ok(report)
    }

    /// Takes the contacts of removed bodies out for good. It stays done if the step fails: no answer changes by it.
    fn forget_removed(&mut self) {
        if !self.removed.is_empty() {
            self.memory.retain(|found| !self.removed.ended(found.pair()));
        }
    }

    /// Refuses a step that would end in a number that is not finite: a place, a speed or a force.
    fn check_finite(&self, substep: &Substep) -> Result<()> {
        let work = &self.workspace;
        if work.is_finite {
            return Ok(());
        }
        let Workspace { motion, assembly, index, .. } = work;
        // A body that its forces alone sent off comes first: through the floor it spoils every other one.
        let sent_off = (0..motion.len()).find(|row| !assembly.is_finite(*row));
        let stays =
            |row: &usize| motion.get(*row).is_none_or(Motion::is_finite) && work.wrench(*row, substep.step).is_finite();
        let broken = sent_off.or_else(|| (0..index.slots().len()).find(|row| !stays(row)));
        let Some(row) = broken else { return Ok(()) };
        let handle = self.bodies.registry.handle(index.slots()[row] as usize).0;
        let message = format!(
            "the step would end with body {handle:#x} at a place, a speed or under a force that is not finite; it was undone"
        );
        Err(Error::new(Kind::NotFinite, message))
    }

    /// Says whether the tolerance was met, and refuses the step if it must be.
    fn check_converged(&self, report: &mut Report) -> std::result::Result<(), StepFailure> {
        let tolerance = self.settings.tolerance;
        if tolerance == 0.0 || report.residual_max <= tolerance {
            return Ok(());
        }
        report.flags |= NOT_CONVERGED;
        if !self.settings.require_convergence {
            return Ok(());
        }
        let (residual, sweeps) = (report.residual_max, report.iterations);
        let message = format!(
            "residual_max is {residual:e} m/s after {sweeps} sweeps, expected at most the tolerance {tolerance:e}; the step was undone"
        );
        Err(StepFailure { error: Error::new(Kind::NotConverged, message), report: Some(Box::new(*report)) })
    }

    /// The step becomes the world's state. Nothing here can fail.
    fn commit(&mut self, substep: &Substep, next_key: u64) {
        let Self { workspace: work, bodies, contact_wrenches, pressed, readback, tasks, .. } = self;
        let work: &Workspace = work;
        let (slots, motion) = (work.index.slots(), &work.motion);
        let mut press = || {
            // mostly the same ones, and written over
            if pressed != slots {
                pressed.drain(..).for_each(|slot| contact_wrenches[slot as usize] = Wrench::ZERO);
                pressed.extend_from_slice(slots);
            }
            for (row, slot) in slots.iter().enumerate() {
                prefetch_slot(contact_wrenches, slots.get(row + BODIES_AHEAD));
                contact_wrenches[*slot as usize] = work.wrench(row, substep.step);
            }
        };
        let mut place = || {
            let are_pushed = bodies.are_pushed();
            for (row, (slot, motion)) in slots.iter().zip(motion).enumerate() {
                prefetch_slot(&bodies.motion, slots.get(row + BODIES_AHEAD));
                bodies.motion[*slot as usize] = *motion;
                if are_pushed {
                    bodies.spend_wrench(*slot as usize);
                }
            }
        };
        let mut see = || readback.take_places(slots, work.detector.places());
        // few bodies are not worth waking anybody
        let tasks: &dyn Tasks = if slots.len() > BODIES_PER_PIECE { &**tasks } else { &Alone };
        each_job(tasks, &mut [&mut press, &mut place, &mut see]);
        self.commit_displacements();
        let work = &mut self.workspace;
        let completed =
            Completed { next_key, step: substep.step, substep: substep.length, residual: work.residual };
        let points = &mut work.assembly.buffer.points;
        self.memory.replace(&mut work.touches, &mut work.loads, points, completed);
        // The next problem writes over the arrays of the step before.
        work.assembly.swap_impulses(&mut work.loads);
        self.readback.replace(&self.materials, &self.settings);
        work.solver.swap_velocities(&mut self.readback.velocities);
        work.index.keep();
        self.commit_sleep();
        self.removed.clear();
    }

    /// Keeps the displacements of this step's correction and those of bodies that had no part in it; without one, none.
    fn commit_displacements(&mut self) {
        let Workspace { correction, index, .. } = &self.workspace;
        if self.settings.elastic().is_none() {
            self.displacements.clear();
            return;
        }
        self.displacements.resize(self.bodies.slots(), [0.0; 6]);
        for (slot, displacement) in index.slots().iter().zip(&correction.displacements) {
            self.displacements[*slot as usize] = *displacement;
        }
    }

    /// Room for what the step writes to the world at its end.
    pub(in crate::world) fn reserve_step(&mut self) -> Result<()> {
        let slots = self.bodies.slots();
        resize(&mut self.contact_wrenches, slots, Wrench::ZERO, "bodies")?;
        let pressed = self.workspace.index.slots().len().saturating_sub(self.pressed.len());
        reserve(&mut self.pressed, pressed, "bodies")?;
        self.readback.reserve(slots)?;
        let displaced = if self.settings.elastic().is_none() { 0 } else { slots };
        let displaced = displaced.saturating_sub(self.displacements.len());
        reserve(&mut self.displacements, displaced, "bodies")
    }
}

/// Wall-clock time of the stages, for the report alone.
struct Clock {
    begin: Instant,
    last: Instant,
}

impl Clock {
    fn start() -> Self {
        let now = Instant::now();
        Self { begin: now, last: now }
    }

    /// Seconds since the last lap.
    fn lap(&mut self) -> f64 {
        let now = Instant::now();
        let seconds = now.duration_since(self.last).as_secs_f64();
        self.last = now;
        seconds
    }

    fn total(&self) -> f64 {
        self.begin.elapsed().as_secs_f64()
    }
}
