//! Statics of a world: increments that balance all loads, and limit loads, [N] section 4.4.
//!
//! An increment runs the stages of a step by the law [`Increment`]: without masses, with a length of 1 s, so that impulses are forces and
//! velocities are moves. Contacts, friction that is remembered, queries and snapshots are then those of a step.

use crate::error::{Error, ErrorKind, Number, Result, all_finite, copy, empty, text};
use crate::law::Increment;
use crate::math::{BodyRow, Vec3, is_within, limits};
use crate::solver::monitor::Monitor;
use crate::solver::statics::{LimitInput, Load, StaticInput};
use crate::solver::{MassInverse, Problem, Velocity};
use crate::world::assemble::bare_problem;
use crate::world::report::Report;
use crate::world::settings::{Compatibility, Method, Projection, Settings, SolverKind, WarmStart};
use crate::world::sleep::Waker;
use crate::world::state::{Workspace, World};
use crate::world::static_workspace::StaticWorkspace;
use crate::world::substeps::{Stage, Substep};

/// How an increment is solved. `dry_static_def` of the C interface documents each member.
#[derive(Debug, Clone, Copy, PartialEq)]
#[allow(missing_docs)]
pub struct StaticDefinition {
    pub increment: f64,
    pub max_displacement: f64,
    pub tolerance: f64,
    pub proximal: f64,
    pub iterations: u32,
}

impl Default for StaticDefinition {
    fn default() -> Self {
        Self { increment: 1.0, max_displacement: 0.0, tolerance: 1e-10, proximal: 1e-3, iterations: 20 }
    }
}

impl StaticDefinition {
    fn check(&self) -> Result<()> {
        use crate::error::{finite, in_range, not_negative, positive};
        finite("increment", self.increment)?;
        not_negative("max_displacement", self.max_displacement)?;
        positive("tolerance", self.tolerance)?;
        positive("proximal", self.proximal)?;
        let Self { increment, max_displacement, tolerance, proximal, .. } = *self;
        let members = [increment, max_displacement, tolerance, proximal];
        for (name, value) in ["increment", "max_displacement", "tolerance", "proximal"].into_iter().zip(members) {
            in_range(name, value, value.abs() <= LARGEST_MEMBER, "a number up to 1e50")?;
        }
        if self.iterations == 0 {
            return Err(Error::argument("iterations is 0, expected 1 or more"));
        }
        Ok(())
    }
}

/// What an increment or a limit load came to. `dry_static_report` of the C interface documents each member.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[allow(missing_docs)]
pub struct StaticReport {
    pub is_collapse: bool,
    pub is_converged: bool,
    pub is_unbounded: bool,
    pub slides: bool,
    pub is_associated: bool,
    pub iterations: u32,
    pub unbalanced: f64,
    pub displacement_max: f64,
    pub elastic_energy: f64,
    pub load_factor: f64,
}

impl StaticReport {
    /// Returns the report, if its numbers are within the limits. Only a load factor may be infinite.
    fn checked(self) -> Result<Self> {
        let Self { unbalanced, displacement_max, elastic_energy, .. } = self;
        let beyond =
            [unbalanced, displacement_max, elastic_energy].into_iter().find(|value| !limits::has_square(*value));
        match beyond {
            None if !self.load_factor.is_nan() => Ok(self),
            beyond => Err(Error::new(
                ErrorKind::NotFinite,
                text!(
                    "the solution would have a force, a move or an energy of {}, expected at most 1e150; nothing has changed",
                    Number(beyond.unwrap_or(f64::NAN))
                ),
            )),
        }
    }
}

/// The largest member of a definition: the longest length of a shape [m].
const LARGEST_MEMBER: f64 = 1e50;
/// The smallest sum of loads of a limit load [N]. Its inverse is the largest one: their ratio, and its square, are numbers.
const SMALLEST_LOAD: f64 = 1e-100;
/// The part of the mean size of bodies above which a move is a collapse, where none is given [-].
const FAR: f64 = 0.1;

impl World {
    /// Sets the monitor that the next increments and limit loads call between their iterations. If it ends one, nothing changes.
    ///
    /// # Errors
    ///
    /// Memory is exhausted.
    pub fn set_static_monitor(&mut self, monitor: &Monitor) -> Result<()> {
        self.workspace.statics.get()?.set_monitor(monitor);
        Ok(())
    }

    /// Balances all loads: bodies move to where their contacts carry their weight and the forces added for the next
    /// step. Masses and velocities do not matter, and velocities do not change. Kinematic bodies, surfaces that move and
    /// velocity motors move by their velocities times the increment. Nothing changes if the report has a collapse, or if
    /// the solution did not converge.
    ///
    /// Unless `displacements` is empty, writes the displacements and turns of bodies to it, in the order of their creation.
    /// For a collapse these are the displacements that were followed until then.
    ///
    /// # Errors
    ///
    /// A member of the definition is out of range, `displacements` has another length, or memory is exhausted. Friction is
    /// that of a box. A joint has a spring, a damper or a rotor. The result is beyond the limits. Those of the monitor.
    pub fn solve_static(
        &mut self,
        definition: &StaticDefinition,
        displacements: &mut [[f64; 6]],
    ) -> Result<StaticReport> {
        definition.check()?;
        self.check_six("displacements", displacements.len(), true)?;
        let period = self.period_after(&whole(definition.increment)?)?;
        let report = self.with_statics(|world, woken| {
            let (report, next_key) = world.solve_increment(definition)?;
            world.workspace.statics.get()?.write(&world.bodies.order, &world.workspace.index, displacements);
            if report.is_collapse || !report.is_converged {
                world.waker().undo_wake(woken);
                return Ok(report);
            }
            world.take_increment(definition.increment, next_key)?;
            world.period = period;
            Ok(report)
        })?;
        if !report.is_collapse && report.is_converged {
            // Queries read the contacts by the settings of the host.
            self.readback.replace(&self.materials, &self.settings);
        }
        Ok(report)
    }

    /// Finds how far `unit_loads` can grow in addition to all present loads: the largest `load_factor` at which
    /// contacts carry both by the associated law. `unit_loads` are a force [N] and a torque about the centre of mass
    /// [N m] of each body, in the order of creation. Writes the motion in which the structure then yields to
    /// `mechanism`, unless that is empty. Changes nothing.
    ///
    /// # Errors
    ///
    /// Those of [`World::solve_static`].
    pub fn limit_load(
        &mut self,
        unit_loads: &[[f64; 6]],
        definition: &StaticDefinition,
        mechanism: &mut [[f64; 6]],
    ) -> Result<StaticReport> {
        definition.check()?;
        self.check_six("unit_loads", unit_loads.len(), false)?;
        self.check_six("mechanism", mechanism.len(), true)?;
        for (index, load) in unit_loads.iter().enumerate() {
            all_finite(&text!("unit_loads[{index}]"), load)?;
        }
        self.with_statics(|world, woken| {
            let report = world.find_limit(unit_loads, definition)?;
            world.workspace.statics.get()?.write(&world.bodies.order, &world.workspace.index, mechanism);
            world.waker().undo_wake(woken);
            Ok(report)
        })
    }

    fn check_six(&self, name: &str, length: usize, may_be_empty: bool) -> Result<()> {
        let bodies = self.body_count();
        if length == bodies || may_be_empty && length == 0 {
            return Ok(());
        }
        Err(Error::argument(text!("{name} has {length} entries, expected one for each of {bodies} bodies")))
    }

    /// Runs `solve` by the settings of statics with all bodies awake. If it fails, those that slept sleep again.
    fn with_statics(&mut self, solve: impl FnOnce(&mut Self, usize) -> Result<StaticReport>) -> Result<StaticReport> {
        let (settings, woken) = (self.settings, self.sleep.woken_count());
        // Contacts are found by the settings of the host, by which queries read them.
        let found = self.wake_all().and_then(|()| self.detect());
        self.settings = of_statics(&settings);
        let result = found.and_then(|()| solve(self, woken));
        self.settings = settings;
        if result.is_err() {
            self.waker().undo_wake(woken);
        }
        result
    }

    fn wake_all(&mut self) -> Result<()> {
        let Self { sleep, active_bodies, bodies, .. } = self;
        for at in 0..bodies.order.len() {
            let slot = bodies.order[at];
            Waker { sleep, active_bodies, bodies }.wake(slot);
        }
        Ok(())
    }

    /// Assembles the problem of the contacts found, and its loads. Returns the next unused key and the mean size of what moves.
    fn assemble_statics(&mut self, increment: f64) -> Result<(u64, f64)> {
        let whole = whole(increment)?;
        let (_, next_key) = self.match_contacts()?;
        self.order()?;
        self.reserve_commit()?;
        self.begin_substeps(&whole)?;
        self.find_targets(&whole)?;
        let Self { bodies, gravity, workspace, .. } = self;
        let Workspace { index, motion, detector, statics, .. } = workspace;
        let statics = statics.get()?;
        let rows = index.slots().len();
        empty(&mut statics.loads, rows, "bodies")?;
        empty(&mut statics.given, rows, "bodies")?;
        let (mut sum, mut count) = (0.0, 0);
        for (row, slot) in index.slots().iter().enumerate() {
            let at = *slot as usize;
            let (traits, mass, now) = (&bodies.traits[at], &bodies.mass[at], &bodies.motion[at]);
            let is_moved = mass.is_movable();
            let moved = if is_moved { 0.0 } else { increment };
            let given = Velocity { linear: moved * now.linear, angular: moved * now.angular };
            let surface = bodies.surfaces.of(at);
            let surface_moves = [increment * surface.linear, increment * surface.angular];
            let moves = [given.linear, given.angular].into_iter().chain(surface_moves);
            if moves.into_iter().any(|along| !is_within(&along, limits::LARGEST)) {
                return Err(Error::argument(text!(
                    "increment is {}, expected one in which body {:#x} and its surface move and turn by at most 1e150",
                    Number(increment),
                    bodies.registry.handle(at).0
                )));
            }
            if let Some(own) = motion.get_mut(row) {
                (own.linear, own.angular) = (given.linear, given.angular);
            }
            let added = bodies.wrench(at);
            let weight = mass.mass * traits.gravity_scale * *gravity;
            let load = Load { force: weight + added.force, torque: added.torque };
            statics.loads.push(if is_moved { load } else { Load::ZERO });
            statics.given.push(given);
            let radius = detector.spheres()[at].radius;
            if is_moved && radius.is_finite() {
                (sum, count) = (sum + 2.0 * radius, count + 1);
            }
        }
        self.assemble::<Increment>(&whole, Stage::Contact { after_impacts: false })?;
        let is_bound = |row: &crate::solver::Row| row.compliance != 0.0;
        if self.workspace.assembly.joints.rows.iter().any(is_bound) {
            return Err(Error::unsupported("a joint has a spring or a damper, which static problems do not have"));
        }
        Ok((next_key, if count > 0 { sum / f64::from(count) } else { 1.0 }))
    }

    /// Solves an increment. Its answer stays in the workspace.
    fn solve_increment(&mut self, definition: &StaticDefinition) -> Result<(StaticReport, u64)> {
        let (next_key, length) = self.assemble_statics(definition.increment)?;
        let given = definition.max_displacement;
        let max_displacement = if given > 0.0 { given } else { FAR * length };
        let Workspace { assembly, statics, .. } = &mut self.workspace;
        let StaticWorkspace { statics: solver, loads, given, moves, forces, .. } = statics.get()?;
        let bare = bare_problem(&assembly.masses, given, &assembly.joints, self.settings.friction());
        let problem = assembly.list.of(&bare);
        let input = StaticInput {
            problem: &problem,
            loads,
            length,
            tolerance: definition.tolerance,
            max_displacement,
            proximal: definition.proximal,
            rounds: definition.iterations,
            stiffness_ratio: self.settings.tangential_stiffness,
        };
        let found = solver.solve(&input, forces, moves)?;
        let report = StaticReport {
            is_collapse: found.is_collapse,
            is_converged: found.is_converged,
            is_associated: found.is_associated,
            iterations: found.iterations,
            unbalanced: found.unbalanced,
            displacement_max: found.displacement_max,
            elastic_energy: found.elastic_energy,
            ..StaticReport::default()
        };
        Ok((report.checked()?, next_key))
    }

    /// Makes the answer of an increment the state of the world.
    fn take_increment(&mut self, increment: f64, next_key: u64) -> Result<()> {
        let whole = whole(increment)?;
        let Workspace { assembly, statics, solver, index, .. } = &mut self.workspace;
        let StaticWorkspace { given, moves, forces, .. } = statics.get()?;
        let bare = bare_problem(&assembly.masses, given, &assembly.joints, self.settings.friction());
        let problem = assembly.list.of(&bare);
        solver.take_moves(&problem, (forces, moves), &mut assembly.buffer, &mut assembly.torques)?;
        copy(&mut assembly.listed.contacts, &forces.contacts, "contacts")?;
        copy(&mut assembly.listed.torques, &forces.torques, "contacts")?;
        copy(&mut assembly.listed.rows, &forces.rows, "rows")?;
        assembly.sum_contacts(solver, index)?;
        let states = &self.workspace.assembly.states;
        self.workspace.residuals.read(states, &self.workspace.solver)?;
        self.project_positions::<Increment>(&whole)?;
        let are_forces_within = self.read_solution::<Increment>(&whole)?;
        self.note_contact_points::<Increment>(&whole)?;
        self.integrate::<Increment>(&whole, are_forces_within)?;
        self.check_limits(&whole)?;
        self.find_anchors(&whole)?;
        let mut report = Report::default();
        self.correct(&whole, &mut report)?;
        self.sleep(&whole, &mut report)?;
        let Self { bodies, workspace: Workspace { index, motion, .. }, .. } = self;
        for (own, slot) in motion.iter_mut().zip(index.active()) {
            let before = &bodies.motion[*slot as usize];
            (own.linear, own.angular) = (before.linear, before.angular);
        }
        self.commit(&whole, next_key);
        // The ledger of an increment is empty: the next step measures the energy of its contacts.
        self.elastic_energy = None;
        Ok(())
    }

    fn find_limit(&mut self, unit_loads: &[[f64; 6]], definition: &StaticDefinition) -> Result<StaticReport> {
        let (_, length) = self.assemble_statics(0.0)?;
        let Self { bodies, settings, workspace: Workspace { assembly, statics, index, .. }, .. } = self;
        let StaticWorkspace { limit_load, loads, unit_loads: unit, given, moves, forces, .. } = statics.get()?;
        copy(unit, loads, "bodies")?;
        unit.fill(Load::ZERO);
        for (slot, [x, y, z, about_x, about_y, about_z]) in bodies.order.iter().zip(unit_loads) {
            if let Some(own) = index.row(*slot).and_then(|row: BodyRow| unit.get_mut(row.index())) {
                *own = Load { force: Vec3::new(*x, *y, *z), torque: Vec3::new(*about_x, *about_y, *about_z) };
            }
        }
        let bare = Problem { ..bare_problem(&assembly.masses, given, &assembly.joints, settings.friction()) };
        let problem = assembly.list.of(&bare);
        let touching = definition.tolerance * length;
        // In units of the present loads, so that the answer does not depend on the unit in which these are given.
        let [present, given_sum] = [&*loads, &*unit].map(|loads| movable_load(loads, problem.masses, length));
        let is_within = |sum: f64| sum == 0.0 || (SMALLEST_LOAD..=1.0 / SMALLEST_LOAD).contains(&sum);
        if !is_within(present) || !is_within(given_sum) {
            return Err(Error::argument(text!(
                "unit_loads and the present loads are {} and {} N in sum, expected 0 or 1e-100 to 1e100 N each",
                Number(given_sum),
                Number(present)
            )));
        }
        if given_sum == 0.0 {
            return Err(Error::argument(
                "unit_loads act on no body that can move, expected a load other than 0 on one",
            ));
        }
        let scale = if present > 0.0 { present / given_sum } else { 1.0 / given_sum };
        for load in unit.iter_mut() {
            (load.force, load.torque) = (scale * load.force, scale * load.torque);
        }
        let input = LimitInput { problem: &problem, loads, unit_loads: unit, length, touching };
        let found = limit_load.solve(&input, forces, moves)?;
        // The unit loads do a work of 1 in a mechanism, and in that of a collapse the present ones with the motors.
        let size = if found.is_collapse && found.work > 0.0 { 1.0 / found.work } else { scale };
        for moved in moves.iter_mut() {
            (moved.linear, moved.angular) = (size * moved.linear, size * moved.angular);
        }
        let report = StaticReport {
            is_collapse: found.is_collapse,
            is_converged: found.is_converged,
            is_unbounded: found.is_unbounded,
            slides: found.slides,
            iterations: found.iterations,
            unbalanced: found.unbalanced,
            load_factor: scale * found.factor,
            ..StaticReport::default()
        };
        report.checked()
    }
}

/// Returns the sum over bodies of the largest component of their loads along which they can move, torques over half the length [N].
fn movable_load(loads: &[Load], masses: &[MassInverse], length: f64) -> f64 {
    let of_body = |(load, mass): (&Load, &MassInverse)| {
        let force = load.force.zip_map(&mass.linear, |force, inverse| if inverse > 0.0 { force.abs() } else { 0.0 });
        let trace = mass.angular.trace();
        let turning = if trace > 0.0 { mass.angular.times(&load.torque) / trace } else { Vec3::zeros() };
        force.max().max(turning.amax() / (0.5 * length))
    };
    loads.iter().zip(masses).map(of_body).sum()
}

/// The settings by which the stages of a step run for statics.
fn of_statics(settings: &Settings) -> Settings {
    Settings {
        method: Method::Theta,
        theta: 1.0,
        // It has contacts listed.
        solver: SolverKind::Newton,
        warm_start: WarmStart::History,
        substeps: 1,
        projection: Projection::Off,
        compatibility: Compatibility::Off,
        position_projection: false,
        sleeping: false,
        // Rows of joints are those of where bodies are: there is no step in which they turn.
        joint_aim: false,
        ..*settings
    }
}

/// An increment as a step: 1 s long, in which surfaces and motors move as far as in `increment` seconds.
fn whole(increment: f64) -> Result<Substep> {
    Ok(Substep { pace: increment, ..Substep::first(1.0, 1)? })
}
