//! The step: a table of contents of its stages.
//!
//! [`World::try_step`] lists the stages in order; ARCHITECTURE.md says in which file each stands. The methods below pass each stage the
//! parts of the world that it reads and writes. Before [`World::commit`] only detection changes the state: it wakes bodies, and
//! [`World::step`] puts them back to sleep if the step fails.

use std::mem::{replace, take};
use std::time::Instant;

use crate::body::Energy;
use crate::contact::Memory;
use crate::error::Result;
use crate::solver::Place;
use crate::world::assemble::{AssembleInput, LastStep, assemble};
use crate::world::body_forces::BodyForces;
use crate::world::checks::{FiniteInput, check_converged, check_finite};
use crate::world::commit::{
    BodyResult, CommittedBodies, commit_bodies, commit_displacements, reserve_commit, reserve_displacements,
};
use crate::world::correct::{CorrectInput, correct};
use crate::world::detect::{DetectInput, detect};
use crate::world::integrate::{IntegrateInput, integrate};
use crate::world::match_contacts::{MatchInput, Matched, MergedContacts, match_contacts};
use crate::world::order::{OrderInput, order};
use crate::world::project_positions::{PositionInput, project_positions};
use crate::world::read_solution::{SolutionInput, read_solution};
use crate::world::readback::ReadbackContext;
use crate::world::report::{Report, StepFailure};
use crate::world::sleep::{
    AwakeContacts, SleepInput, SleepState, Waker, commit_sleep, energy_after_step, remove_sleeping_contacts, sleep,
};
use crate::world::solve::solve;
use crate::world::state::{Workspace, World};
use crate::world::substep::Substep;
use crate::world::substeps::{begin_wrenches, copy_motion, follow_gaps};

impl World {
    /// Moves the world forward by `h` seconds.
    ///
    /// # Errors
    ///
    /// `h` is not positive and finite, memory is exhausted, the result is not finite, or the tolerance is required and was missed. The
    /// world is as it was before.
    pub fn step(&mut self, h: f64) -> std::result::Result<Report, StepFailure> {
        let count = self.settings.substeps;
        let first = Substep::first(h, count)?;
        let woken = self.sleep.woken_count();
        let result = self.try_step(first, count);
        if result.is_err() {
            self.waker().undo_wake(woken);
        }
        result
    }

    /// Runs the stages of a step in `count` parts, of which `first` is the first. If it fails, the bodies that it woke are awake.
    fn try_step(&mut self, first: Substep, count: u32) -> std::result::Result<Report, StepFailure> {
        let mut report = Report::default();
        let mut clock = Clock::start();

        self.detect()?;
        report.seconds_detect = clock.lap();

        let Matched { new_contacts, next_key } = self.match_contacts()?;
        report.new_contacts = new_contacts;
        self.order()?;
        self.reserve_commit()?;
        self.begin_substeps(&first)?;
        for substep in first.all(count) {
            self.assemble(&substep)?;
            if substep.is_first {
                report.max_overlap = self.workspace.assembly.deepest(&*self.tasks);
            }
            report.seconds_assemble += clock.lap();

            self.solve(&mut report)?;
            report.seconds_solve += clock.lap();

            self.project_positions(&substep)?;
            let are_forces_finite = self.read_solution(&substep)?;
            self.integrate(&substep, are_forces_finite)?;
            self.check_finite(&substep)?;
            report.seconds_integrate += clock.lap();
        }
        // The stick projection ran inside the solves and is reported apart. The position pass counts as integration.
        report.seconds_solve -= report.seconds_project;

        self.correct(&mut report)?;
        report.seconds_compatibility = clock.lap();

        self.sleep(&first, &mut report)?;
        check_converged(&self.settings, &mut report)?;
        self.commit(&first, next_key);
        report.seconds_integrate += clock.lap();

        report.seconds_total = clock.total();
        Ok(report)
    }

    /// Finds the contacts. If one touches a sleeping body, wakes its island and finds the contacts again, until none does.
    pub(in crate::world) fn detect(&mut self) -> Result<()> {
        let Self { tasks, settings, shapes, materials, bodies, active_bodies, sleep, memory, removed, .. } = self;
        let Workspace { detector, contact_list, .. } = &mut self.workspace;
        if !removed.is_empty() {
            // This stays done if the step fails: queries omit these contacts anyway.
            memory.retain(|record| !removed.has_any_of(record.pair()));
        }
        loop {
            let input =
                DetectInput { tasks: &**tasks, settings, shapes, materials, sleep, last_step_length: memory.step };
            detect(&input, bodies, detector, contact_list)?;
            if !(Waker { sleep, active_bodies, bodies }).wake_touched(&contact_list.records) {
                return Ok(());
            }
        }
    }

    fn match_contacts(&mut self) -> Result<Matched> {
        let Self { tasks, memory, sleep, removed, .. } = self;
        let Workspace { detector, contact_list, origins, merged, match_scratch, .. } = &mut self.workspace;
        let input = MatchInput { tasks: &**tasks, memory, sleep, removed, spheres: detector.spheres() };
        match_contacts(&input, contact_list, origins, merged, match_scratch)
    }

    fn order(&mut self) -> Result<()> {
        let Self { tasks, settings, bodies, active_bodies, memory, sleep, .. } = self;
        let Workspace { contact_list, origins, index, same_contacts, .. } = &mut self.workspace;
        let (is_woken, has_substeps) = (sleep.woken_count() > 0, settings.substeps > 1);
        let input = OrderInput { tasks: &**tasks, bodies, memory, contact_list, origins, is_woken, has_substeps };
        *same_contacts = order(&input, active_bodies, index)?;
        Ok(())
    }

    /// Prepares what the substeps share.
    fn begin_substeps(&mut self, first: &Substep) -> Result<()> {
        let Workspace { motion, wrenches, residual, loads, index, assembly, .. } = &mut self.workspace;
        copy_motion(&*self.tasks, &self.bodies.motion, index, motion)?;
        begin_wrenches(first, index.slots().len(), wrenches)?;
        loads.totals.clear();
        loads.compatible.clear();
        assembly.gaps.clear();
        *residual = self.memory.residual;
        Ok(())
    }

    fn assemble(&mut self, substep: &Substep) -> Result<()> {
        let Self { tasks, settings, gravity, bodies, materials, memory, sleep, .. } = self;
        let Workspace {
            detector,
            contact_list,
            origins,
            merged,
            same_contacts,
            index,
            motion,
            residual,
            assembly,
            loads,
            solver,
            ..
        } = &mut self.workspace;
        if !substep.is_first {
            follow_gaps(substep, index, solver, assembly)?;
            // The answer of the last substep is what this one starts from.
            assembly.exchange_impulses_with(loads);
        }
        let input = AssembleInput {
            tasks: &**tasks,
            settings,
            gravity: *gravity,
            bodies,
            materials,
            substep: *substep,
            detector,
            contact_list,
            origins,
            same_contacts: *same_contacts,
            index,
            motion,
            last: last_step(memory, sleep, merged, *residual),
        };
        assemble(&input, assembly, loads, solver)
    }

    fn solve(&mut self, report: &mut Report) -> Result<()> {
        report.bodies = self.body_count() as u32;
        let Workspace { assembly, solver, index, contact_list, residual, .. } = &mut self.workspace;
        let outcome = solve(&self.settings, assembly, solver)?;
        report.awake_bodies = self.active_bodies.moving() as u32;
        report.contacts = (contact_list.len() + self.sleep.contact_count()) as u32;
        *residual = outcome.residual_max;
        if report.record(&outcome) {
            report.worst_contact = match outcome.worst {
                Some(Place::Contact(contact)) => contact_list.records[index.places()[contact]].key,
                _ => 0,
            };
        }
        Ok(())
    }

    fn project_positions(&mut self, substep: &Substep) -> Result<()> {
        let Self { tasks, settings, memory, sleep, .. } = self;
        let Workspace { assembly, loads, solver, merged, residual, .. } = &mut self.workspace;
        let last = last_step(memory, sleep, merged, *residual);
        let input = PositionInput { tasks: &**tasks, settings, substep: *substep, last, loads };
        project_positions(&input, assembly, solver)
    }

    /// Reads what the contacts carried. Returns whether the contact forces are finite.
    fn read_solution(&mut self, substep: &Substep) -> Result<bool> {
        let Workspace { assembly, loads, solver, wrenches, .. } = &mut self.workspace;
        let friction = self.settings.friction();
        let solution = SolutionInput { tasks: &*self.tasks, substep: *substep, friction, assembly, solver };
        read_solution(&solution, loads, wrenches)
    }

    fn integrate(&mut self, substep: &Substep, are_forces_finite: bool) -> Result<()> {
        let Self { tasks, bodies, gravity, .. } = self;
        let Workspace { index, assembly, solver, motion, energies, is_finite, .. } = &mut self.workspace;
        let (slots, length) = (index.active(), substep.length);
        let input = IntegrateInput { tasks: &**tasks, bodies, gravity, slots, assembly, solver, length };
        *is_finite = integrate(&input, motion, energies)? && are_forces_finite;
        Ok(())
    }

    fn check_finite(&self, substep: &Substep) -> Result<()> {
        let Workspace { index, assembly, motion, is_finite, .. } = &self.workspace;
        if *is_finite {
            return Ok(());
        }
        let forces = self.workspace.forces(substep.step);
        check_finite(&FiniteInput { bodies: &self.bodies, slots: index.slots(), assembly, motion, forces })
    }

    fn correct(&mut self, report: &mut Report) -> Result<()> {
        let Self { settings, bodies, materials, displacements, .. } = self;
        let Workspace { detector, contact_list, index, assembly, correction, solver, loads, .. } = &mut self.workspace;
        let context = ReadbackContext::new(bodies, detector.spheres(), materials, settings);
        let (problem, impulses) = assembly.listed(settings.friction());
        let input = CorrectInput { settings, context, contact_list, index, problem, impulses, displacements };
        let corrected = correct(&input, correction, solver, loads)?;
        corrected.iter().for_each(|corrected| report.record_correction(corrected));
        // The impulses of the last substep are what the contacts carried.
        assembly.exchange_impulses_with(loads);
        Ok(())
    }

    fn sleep(&mut self, substep: &Substep, report: &mut Report) -> Result<()> {
        let Self { settings, gravity, bodies, shapes, materials, active_bodies, sleep: state, .. } = self;
        let Workspace {
            detector,
            contact_list,
            loads,
            index,
            assembly,
            solver,
            motion,
            energies,
            sleep_test: test,
            ..
        } = &mut self.workspace;
        let points = &assembly.buffer.points[..];
        let context = ReadbackContext::new(bodies, detector.spheres(), materials, settings);
        let substep = *substep;
        let input = SleepInput {
            settings,
            gravity,
            substep,
            bodies,
            shapes,
            context,
            contact_list,
            loads,
            index,
            solver,
            points,
        };
        sleep(&input, state, active_bodies, motion, test)?;
        let Energy { kinetic, potential } = energy_after_step(&input, state, test, motion, energies);
        (report.kinetic_energy, report.potential_energy) = (kinetic, potential);
        Ok(())
    }

    /// Reserves the memory that [`World::commit`] needs.
    fn reserve_commit(&mut self) -> Result<()> {
        let Self { settings, bodies, contact_wrenches, loaded_slots, readback, displacements, workspace, .. } = self;
        let slots = bodies.slots();
        reserve_commit(contact_wrenches, loaded_slots, readback, slots, workspace.index.slots().len())?;
        if settings.elastic().is_some() { reserve_displacements(displacements, slots) } else { Ok(()) }
    }

    /// Makes the result of the step the state of the world. Nothing here can fail.
    fn commit(&mut self, substep: &Substep, next_key: u64) {
        let Self { workspace: work, settings, materials, bodies, active_bodies, sleep, memory, readback, .. } = self;
        let Self { contact_wrenches, loaded_slots, displacements, .. } = self;
        let spheres = work.detector.spheres();
        let (slots, motion, forces) = (work.index.slots(), &work.motion[..], work.forces(substep.step));
        let state = CommittedBodies { bodies, contact_wrenches, loaded_slots, readback };
        commit_bodies(&*self.tasks, BodyResult { slots, motion, forces, spheres }, state);
        match settings.elastic() {
            Some(_) => commit_displacements(displacements, bodies.slots(), &work.correction.displacements, slots),
            None => displacements.clear(),
        }
        let Workspace { contact_list, loads, index, assembly, solver, sleep_test, residual, .. } = work;
        let points = &mut assembly.buffer.points;
        let completed = Memory {
            contact_list: take(contact_list),
            loads: take(loads),
            points: take(points),
            next_key,
            step: substep.step,
            substep: substep.length,
            residual: *residual,
        };
        // The next step reuses the arrays of the last one.
        let last = replace(memory, completed);
        (*contact_list, *loads, *points) = (last.contact_list, last.loads, last.points);
        assembly.exchange_impulses_with(loads);
        readback.replace(materials, settings);
        solver.swap_velocities(&mut readback.velocities);
        index.note_completed();
        commit_sleep(sleep_test, index.slots(), sleep, bodies, active_bodies);
        let awake = AwakeContacts { memory, readback, contact_wrenches, loaded_slots };
        remove_sleeping_contacts(sleep_test, sleep, bodies, awake);
        self.removed.clear();
    }
}

/// Returns what the step before left: in the memory, or in `merged` where bodies were woken.
fn last_step<'a>(memory: &'a Memory, sleep: &SleepState, merged: &'a MergedContacts, residual: f64) -> LastStep<'a> {
    let loads = if sleep.woken_count() > 0 { &merged.loads } else { &memory.loads };
    LastStep { loads, step: memory.step, substep: memory.substep, residual }
}

impl Workspace {
    /// Returns the mean contact forces on the rows over a step of `step` seconds.
    fn forces(&self, step: f64) -> BodyForces<'_> {
        BodyForces { means: &self.wrenches, impulses: self.solver.total_impulses(), step }
    }
}

/// The wall-clock time of the stages, for the report only.
struct Clock {
    begin: Instant,
    last: Instant,
}

impl Clock {
    /// Starts the clock.
    fn start() -> Self {
        let now = Instant::now();
        Self { begin: now, last: now }
    }

    /// Returns the seconds since the last lap.
    fn lap(&mut self) -> f64 {
        let now = Instant::now();
        let seconds = now.duration_since(self.last).as_secs_f64();
        self.last = now;
        seconds
    }

    /// Returns the seconds since the start.
    fn total(&self) -> f64 {
        self.begin.elapsed().as_secs_f64()
    }
}
