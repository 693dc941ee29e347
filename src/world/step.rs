//! The step: its stages in order.
//!
//! [`World::try_step`] calls the stages; ARCHITECTURE.md has the file of each. The methods below pass each stage the parts of the
//! world that it reads and writes. Before [`World::commit`] only detection changes the state. It wakes bodies, which
//! [`World::step`] puts back to sleep if the step fails. It also drops the contacts of removed bodies, which queries omit anyway.

use std::mem::{replace, take};

use crate::body::Energy;
use crate::contact::{MatchContext, Memory};
use crate::error::{Result, reserve};
use crate::law::{ContactLaw, Rigid, Spook, Theta};
use crate::solver::Place;
use crate::tasks::Clock;
use crate::world::anchors::add_travel;
use crate::world::assemble::{AssembleInput, MovedContacts, assemble};
use crate::world::commit::{BodyResult, commit_bodies, commit_displacements, reserve_commit};
use crate::world::correct::{CorrectInput, correct};
use crate::world::detect::{DetectInput, detect};
use crate::world::friction_frames::{TurningBodies, note_frames};
use crate::world::impact::{ImpactInput, limit_restitution};
use crate::world::integrate::{IntegrateInput, check_limits, integrate, sum_energies};
use crate::world::joints::CloseInput;
use crate::world::match_contacts::{last_step, match_contacts};
use crate::world::order::order;
use crate::world::project_positions::{PositionInput, TargetBodies, project_positions};
use crate::world::read_solution::{BodyForces, ReadInput, SumInput, add_up, read_solution};
use crate::world::readback::ReadbackContext;
use crate::world::report::{Report, StepFailure};
use crate::world::settings::Method;
use crate::world::sleep::{SleepInput, Waker, commit_sleep, remove_sleeping_contacts, sleep};
use crate::world::solve::solve;
use crate::world::state::{Workspace, World};
use crate::world::substeps::{Stage, Substep, begin_wrenches, copy_motion};

impl World {
    /// Moves the world forward by `h` seconds.
    ///
    /// # Errors
    ///
    /// `h` is not from 1e-100 to 1e100 s, memory is exhausted, the result is not finite or beyond the limits, or the
    /// tolerance is required and was missed. The world does not change.
    pub fn step(&mut self, h: f64) -> std::result::Result<Report, StepFailure> {
        match self.settings.method {
            Method::Spook => self.step_law::<Spook>(h),
            Method::Theta => self.step_law::<Theta>(h),
            Method::Rigid => self.step_law::<Rigid>(h),
        }
    }

    /// Does the same with the contact law `Law`.
    pub(in crate::world) fn step_law<Law: ContactLaw>(&mut self, h: f64) -> std::result::Result<Report, StepFailure> {
        let count = self.settings.substeps;
        let first = Substep::first(h, count)?;
        let (woken, period) = (self.sleep.woken_count(), self.period_after(&first)?);
        let result = self.try_step::<Law>(first, count);
        match result {
            Ok(_) => self.period = period,
            Err(_) => self.waker().undo_wake(woken),
        }
        result
    }

    /// Runs the stages of a step of `count` substeps; `first` is the first of them. If it fails, the bodies that it woke stay awake.
    /// The caller puts them back to sleep.
    fn try_step<Law: ContactLaw>(&mut self, first: Substep, count: u32) -> std::result::Result<Report, StepFailure> {
        let mut report = Report::default();
        let begin = Clock::start();
        let mut last = begin;

        self.detect()?;
        report.seconds_detect = last.lap();

        let next_key;
        (report.new_contacts, next_key) = self.match_contacts()?;
        self.order()?;
        self.reserve_commit()?;
        self.begin_substeps(&first)?;
        self.find_targets(&first)?;
        for substep in first.all(count) {
            self.begin_substep(&substep);
            let mut after_impacts = false;
            if Law::HAS_IMPACT_STAGE {
                let projected = report.seconds_project;
                after_impacts = self.solve_impacts(&substep, &mut report)?;
                report.seconds_impact += last.lap() - (report.seconds_project - projected);
            }
            self.assemble::<Law>(&substep, Stage::Contact { after_impacts })?;
            if substep.is_first {
                report.max_overlap = self.workspace.assembly.deepest(&*self.tasks);
            }
            report.seconds_assemble += last.lap();

            // The stick projection runs inside the solves; its time is reported apart. The position pass counts as integration.
            let projected = report.seconds_project;
            self.solve(&mut report)?;
            self.note_contacts::<Law>(&substep, &mut report)?;
            report.seconds_solve += last.lap() - (report.seconds_project - projected);

            self.project_positions::<Law>(&substep)?;
            let are_forces_within = self.read_solution::<Law>(&substep)?;
            self.note_contact_points::<Law>(&substep)?;
            let Workspace { anchors, solver, motion, .. } = &mut self.workspace;
            add_travel(&substep, solver, motion.len(), anchors)?;
            self.integrate::<Law>(&substep, are_forces_within)?;
            self.note_drift();
            self.check_limits(&substep)?;
            report.seconds_integrate += last.lap();
        }
        self.report_joints(&mut report);
        self.find_anchors(&first)?;
        self.find_joint_events()?;

        self.correct(&first, &mut report)?;
        report.seconds_compatibility = last.lap();

        // All substeps have the same length, so the first one stands for each of them.
        self.sleep(&first, &mut report)?;
        report.ledger = self.workspace.ledger.entries;
        report.check_finite("; the step was undone")?;
        report.check_converged(&self.settings, "sweeps", "; the step was undone")?;
        self.commit(&first, next_key);
        report.seconds_integrate += last.lap();

        report.seconds_total = begin.seconds();
        Ok(report)
    }

    /// Finds the contacts. If a contact touches a sleeping body, wakes its island and finds them again, until none does.
    pub(in crate::world) fn detect(&mut self) -> Result<()> {
        let Self { tasks, settings, shapes, materials, bodies, active_bodies, sleep, memory, removed, joints, .. } =
            self;
        let Workspace { detector, contact_list, .. } = &mut self.workspace;
        joints.wake_moved(&mut Waker { sleep, active_bodies, bodies });
        if !removed.is_empty() {
            // They stay dropped if the step fails: queries omit these contacts anyway.
            memory.retain(|record| !removed.has_any_of(record.pair()));
        }
        loop {
            let last_step_length = memory.step;
            let input = DetectInput {
                tasks: &**tasks,
                settings,
                period: &self.period,
                shapes,
                materials,
                bodies,
                sleep,
                separated: joints.separated(bodies)?,
                last_step_length,
                memory,
            };
            let found = detect(&input, detector, contact_list);
            bodies.changes.clear();
            found?;
            if !(Waker { sleep, active_bodies, bodies }).wake_touched(&contact_list.records) {
                return Ok(());
            }
        }
    }

    /// Matches the contacts with the old ones. Returns the number of new contacts, and the next unused key.
    pub(in crate::world) fn match_contacts(&mut self) -> Result<(u32, u64)> {
        let Self { tasks, memory, sleep, removed, .. } = self;
        let Workspace { detector, contact_list, origins, merged, match_spans: spans, .. } = &mut self.workspace;
        let mut old = &memory.contact_list;
        if sleep.woken_count() > 0 {
            merged.merge(memory, sleep, removed)?;
            old = &merged.contact_list;
        }
        match_contacts(MatchContext { tasks: &**tasks, spans }, memory, old, detector.spheres(), contact_list, origins)
    }

    pub(in crate::world) fn order(&mut self) -> Result<()> {
        let Self { tasks, bodies, active_bodies, memory, sleep, .. } = self;
        let Workspace { contact_list, origins, index, same_contacts, .. } = &mut self.workspace;
        let are_continued = sleep.woken_count() == 0 && memory.is_continued(origins);
        *same_contacts = order(&**tasks, bodies, contact_list, are_continued, active_bodies, index)?;
        Ok(())
    }

    /// Prepares the data that all substeps share.
    pub(in crate::world) fn begin_substeps(&mut self, first: &Substep) -> Result<()> {
        let Workspace { motion, wrenches, loads, index, assembly, solver, joints, ledger, .. } = &mut self.workspace;
        if !first.is_whole() {
            // A contact must not change from central to general between substeps.
            let varies = |slot: u32| self.bodies.mass[slot as usize].constant_inverse().is_none();
            index.mark_general(varies, &*self.tasks);
        }
        copy_motion(&*self.tasks, &self.bodies.motion, index, motion)?;
        wrenches.clear();
        if !first.is_whole() {
            begin_wrenches(index.slots().len(), wrenches)?;
        }
        solver.budget.read(&self.projection_budget, index.slots())?;
        joints.begin(&self.joints, first.step)?;
        loads.totals.clear();
        loads.impacts.clear();
        loads.compatible.clear();
        ledger.begin();
        assembly.gaps.clear();
        Ok(())
    }

    fn begin_substep(&mut self, substep: &Substep) {
        let Workspace { index, assembly, loads, solver, closing, .. } = &mut self.workspace;
        if !substep.is_first {
            assembly.follow_closed(index, solver, closing.displacements());
            // This substep starts from the impulses of the last one.
            assembly.exchange_impulses_with(loads);
        }
    }

    pub(in crate::world) fn assemble<Law: ContactLaw>(&mut self, substep: &Substep, stage: Stage) -> Result<()> {
        let Self { tasks, settings, gravity, bodies, materials, memory, sleep, joints, anchors: moved_by_host, .. } =
            self;
        let work = &mut self.workspace;
        let Workspace { detector, contact_list, origins, index, motion, anchors, assembly, loads, solver, .. } = work;
        let input = AssembleInput {
            tasks: &**tasks,
            settings,
            gravity: *gravity,
            bodies,
            materials,
            substep: *substep,
            stage,
            detector,
            contact_list,
            origins,
            same_contacts: work.same_contacts,
            index,
            motion,
            sticking: anchors.sticking(),
            last: last_step(memory, sleep, &work.merged),
            moved_bodies: &moved_by_host.moved,
            joints,
        };
        assemble::<Law>(&input, assembly, loads, &mut work.joints, solver)
    }

    pub(in crate::world) fn solve(&mut self, report: &mut Report) -> Result<()> {
        let Self { tasks, settings, .. } = self;
        let Workspace { assembly, solver, index, contact_list, motion, residuals, anchors, .. } = &mut self.workspace;
        let mut outcome = solve(settings, assembly, solver)?;
        let impacts = ImpactInput { tasks: &**tasks, settings, index, motion, given: &anchors.given };
        while limit_restitution(&impacts, assembly, solver)? {
            outcome = solve(settings, assembly, solver)?;
        }
        assembly.sum_contacts(solver, index)?;
        residuals.read(&assembly.states, solver)?;
        (report.bodies, report.awake_bodies) = (self.bodies.order.len() as u32, self.active_bodies.moving as u32);
        report.contacts = (contact_list.len() + self.sleep.contact_count()) as u32;
        if report.record(&outcome) {
            report.worst_contact = match outcome.worst {
                Some(Place::Contact(contact)) => contact_list.records[index.places()[contact]].key,
                _ => 0,
            };
        }
        Ok(())
    }

    pub(in crate::world) fn project_positions<Law: ContactLaw>(&mut self, substep: &Substep) -> Result<()> {
        let Self { tasks, settings, memory, sleep, bodies, joints, .. } = self;
        let Workspace { assembly, loads, solver, merged, residuals, index, motion, anchors, .. } = &mut self.workspace;
        let images = &anchors.given.images;
        let mut last = last_step(memory, sleep, merged);
        if !substep.is_first {
            last.loads = loads;
        }
        let bodies = TargetBodies { bodies, joints, index, motion };
        let input = PositionInput { tasks: &**tasks, settings, substep, last, residuals, images, bodies };
        project_positions::<Law>(&input, assembly, solver)
    }

    /// Reads the results of the contacts. Returns whether the contact forces are within the limits.
    pub(in crate::world) fn read_solution<Law: ContactLaw>(&mut self, substep: &Substep) -> Result<bool> {
        let Workspace { assembly, loads, solver, wrenches, residuals, joints, index, anchors, .. } =
            &mut self.workspace;
        let (kick, remembers) = (substep.length * self.gravity.norm(), Law::HAS_FRICTION_MEMORY);
        let (images, places) = (&anchors.given.images, index.places());
        let input = ReadInput { tasks: &*self.tasks, kick, residuals, remembers, images, places };
        read_solution(&input, assembly, solver, loads)?;
        assembly.read_joints(solver, substep.length, true, joints)?;
        add_up(&SumInput { tasks: &*self.tasks, substep, assembly, solver }, loads, wrenches)
    }

    pub(in crate::world) fn note_contact_points<Law: ContactLaw>(&mut self, substep: &Substep) -> Result<()> {
        let Self { tasks, settings, workspace, .. } = self;
        let Workspace { index, assembly, solver, loads, motion, anchors, .. } = workspace;
        let law = Law::new(&settings.law(substep.length, substep.step));
        if !substep.is_whole() {
            let images = &anchors.given.images;
            assembly.follow_gaps(&law, substep, &MovedContacts { index, solver, motion, images })?;
        }
        let bodies = TurningBodies { law, index, solver, motion, length: substep.length };
        note_frames(&**tasks, &bodies, &assembly.buffer.points, &mut loads.frames)
    }

    pub(in crate::world) fn integrate<Law: ContactLaw>(
        &mut self,
        substep: &Substep,
        are_forces_within: bool,
    ) -> Result<()> {
        let Self { tasks, settings, bodies, gravity, joints: all, .. } = self;
        let Workspace { index, assembly, solver, motion, energies, is_within_limits, joints, closing, .. } =
            &mut self.workspace;
        let slots = index.active();
        let input = IntegrateInput { tasks: &**tasks, bodies, gravity, slots, assembly, solver, settings, substep };
        *is_within_limits = integrate::<Law>(&input, motion, energies)? && are_forces_within;
        let (max_correction, begin) = (substep.length * settings.push_out_velocity, Clock::start());
        if settings.position_projection
            && *is_within_limits
            && closing
                .close(&CloseInput { bodies, joints: all, index, rows: &assembly.joints, max_correction }, motion)?
        {
            sum_energies(bodies, slots, gravity, motion, energies);
        }
        assembly.joints.write_positions(all, bodies, index, motion, joints);
        joints.report.seconds += begin.seconds();
        Ok(())
    }

    pub(in crate::world) fn check_limits(&self, substep: &Substep) -> Result<()> {
        let Workspace { index, assembly, motion, is_within_limits, .. } = &self.workspace;
        if *is_within_limits {
            return Ok(());
        }
        check_limits(&self.bodies, index.slots(), assembly, motion, self.workspace.forces(substep.step))
    }

    pub(in crate::world) fn correct(&mut self, substep: &Substep, report: &mut Report) -> Result<()> {
        let Self { settings, bodies, materials, displacements, .. } = self;
        let Workspace { detector, contact_list, index, assembly, correction, solver, loads, joints, anchors, .. } =
            &mut self.workspace;
        let context = ReadbackContext::new(bodies, detector.spheres(), materials, settings);
        let (problem, impulses) = assembly.listed(settings.friction());
        let length = substep.length;
        let row_totals = &joints.row_totals[..];
        let input = CorrectInput {
            row_totals,
            settings,
            length,
            context,
            contact_list,
            index,
            problem,
            impulses,
            images: &anchors.given.images,
            displacements,
        };
        let corrected = correct(&input, correction, solver, loads)?;
        corrected.iter().for_each(|corrected| report.record_correction(corrected));
        // From here on `loads` has the impulses of the last substep.
        assembly.exchange_impulses_with(loads);
        Ok(())
    }

    pub(in crate::world) fn sleep(&mut self, substep: &Substep, report: &mut Report) -> Result<()> {
        let is_strained = self.is_strained();
        let Self { settings, gravity, bodies, shapes, materials, active_bodies, sleep: state, joints, .. } = self;
        let work = &mut self.workspace;
        let Workspace { detector, contact_list, loads, index, assembly, solver, .. } = work;
        let context = ReadbackContext::new(bodies, detector.spheres(), materials, settings);
        let (substep, points) = (*substep, &assembly.buffer.points[..]);
        let input = SleepInput {
            settings,
            is_strained,
            gravity,
            substep,
            shapes,
            context,
            contact_list,
            loads,
            index,
            solver,
            points,
            joints,
        };
        let (motion, test) = (&mut work.motion[..], &mut work.sleep_test);
        sleep(&input, state, active_bodies, motion, test)?;
        let Energy { kinetic, potential } = test.energy(&input, state, motion, &work.energies);
        (report.kinetic_energy, report.potential_energy) = (kinetic, potential);
        Ok(())
    }

    /// Reserves the memory that [`World::commit`] needs.
    pub(in crate::world) fn reserve_commit(&mut self) -> Result<()> {
        let Self { settings, bodies, contact_forces, readback, displacements, projection_budget, workspace, .. } = self;
        let slots = bodies.slots();
        projection_budget.reserve(slots)?;
        reserve_commit(contact_forces, readback, slots, workspace.index.slots().len())?;
        let missing = slots.saturating_sub(displacements.len());
        if settings.corrects() { reserve(displacements, missing, "bodies") } else { Ok(()) }
    }

    /// Makes the result of the step the state of the world. Nothing here can fail.
    pub(in crate::world) fn commit(&mut self, substep: &Substep, next_key: u64) {
        let Self { workspace: work, settings, materials, bodies, active_bodies, sleep, memory, readback, .. } = self;
        let Self { contact_forces, displacements, projection_budget, .. } = self;
        let spheres = work.detector.spheres();
        let (slots, motion, forces) = (work.index.slots(), &work.motion[..], work.forces(substep.step));
        let result = BodyResult { slots, motion, forces, spheres };
        commit_bodies(&*self.tasks, result, bodies, contact_forces, readback);
        projection_budget.write(&work.solver.budget, slots);
        if settings.corrects() {
            commit_displacements(displacements, bodies.slots(), &work.correction.displacements, slots);
        } else {
            displacements.clear();
        }
        let Workspace { contact_list, loads, index, assembly, solver, sleep_test, .. } = work;
        let points = &mut assembly.buffer.points;
        let completed = Memory {
            contact_list: take(contact_list),
            loads: take(loads),
            points: take(points),
            next_key,
            step: substep.step,
            substep: substep.length,
        };
        // The next step reuses the arrays of the last one.
        let last = replace(memory, completed);
        (*contact_list, *loads, *points) = (last.contact_list, last.loads, last.points);
        // The assembly gets back the array that it exchanged in *correct*.
        assembly.exchange_impulses_with(loads);
        readback.replace(materials, settings);
        solver.swap_velocities(&mut readback.velocities);
        std::mem::swap(&mut self.anchors.all, &mut work.anchors.next);
        self.anchors.moved.clear();
        work.joints.commit(&mut self.joints);
        index.note_completed();
        self.elastic_energy = settings.diagnostics.energy.then_some(work.ledger.entries.elastic);
        let rows = (index.slots(), &readback.velocities[..]);
        commit_sleep(sleep_test, rows, sleep, bodies, active_bodies);
        remove_sleeping_contacts(sleep_test, sleep, bodies, memory, readback, contact_forces);
        self.removed.clear();
    }
}

impl Workspace {
    /// Returns the mean contact forces on the rows over a step of `step` seconds.
    fn forces(&self, step: f64) -> BodyForces<'_> {
        BodyForces { means: &self.wrenches, impulses: self.assembly.contact_impulses(&self.solver), step }
    }
}
