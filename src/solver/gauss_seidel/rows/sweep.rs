//! Sweeps over the rows of an island, and the passes that apply and sum their impulses. Rows in batches are visited
//! phase by phase.

use crate::math::BodyRow;
use crate::math::lanes::dispatch;
use crate::solver::gauss_seidel::rows::batches::ContactBatches;
use crate::solver::gauss_seidel::rows::kernels::{Apply, Sum, Sweep};
use crate::solver::gauss_seidel::rows::phases::Phases;
use crate::solver::gauss_seidel::rows::plan::Plan;
use crate::solver::gauss_seidel::rows::store::{IslandSchedule, RowRef, Rows, unrelaxed};
use crate::solver::gauss_seidel::scalar::relax_ball;
use crate::solver::gauss_seidel::wide::{ContactBatch, Extras, SweepContext, lines};
use crate::solver::problem::ball::BALL;
use crate::solver::problem::islands::Island;
use crate::solver::problem::order::{Order, shuffle};
use crate::solver::problem::{MassInverse, Problem, Velocity};
use crate::tasks::{Tasks, each_piece};

/// The settings of a sweep.
#[derive(Debug, Clone, Copy)]
pub(in crate::solver) struct Pass<'a> {
    /// The order of the visits.
    pub(in crate::solver) order: Order,
    /// Factor on the change of every row.
    pub(in crate::solver) relaxation: f64,
    /// Whether the change of the velocities is measured.
    pub(in crate::solver) measured: bool,
    /// The tasks that run it.
    pub(in crate::solver) tasks: &'a dyn Tasks,
}

impl Rows {
    /// Sets the velocities of the bodies of an island.
    pub(in crate::solver) fn move_bodies(&mut self, island: Island, velocities: &[Velocity]) {
        for body in island.bodies {
            lines::set_velocity(&mut self.bodies[*body], &velocities[*body]);
        }
    }

    /// Makes the sweep of this `number` over an island. Returns the largest change of a row's velocity [m/s]. The value
    /// has no meaning if it is not measured.
    pub(in crate::solver) fn sweep(&mut self, masses: &[MassInverse], island: usize, number: u32, pass: &Pass) -> f64 {
        self.is_joined = false;
        let IslandSchedule { visits: [first, end], blocks, central, general, .. } = self.schedules[island];
        let range = first as usize..end as usize;
        if let Order::Random(seed) = pass.order {
            let visits = &mut self.visits[range.clone()];
            visits.copy_from_slice(&self.unshuffled[range.clone()]);
            shuffle(visits, seed, number);
        }
        let back = pass.order == Order::Symmetric && number % 2 == 1;
        let mut largest = 0.0;
        for step in 0..range.len() {
            let at = if back { range.end - 1 - step } else { range.start + step };
            largest = f64::max(largest, self.visit(masses, self.visits[at], pass));
        }
        let problem_masses = masses;
        let Self {
            blocks: all_blocks,
            central: centrals,
            general: generals,
            bodies,
            masses,
            level,
            planner,
            dilation,
            ..
        } = self;
        let context = SweepContext { relaxation: pass.relaxation, dilation: *dilation, ..unrelaxed(bodies, masses) };
        let phases = |plan| Phases { plan, planner, level: *level, tasks: pass.tasks };
        largest = largest.max(all_blocks.sweep(blocks, phases(&Plan::NONE), context));
        largest = largest.max(centrals.sweep(phases(&central), context, pass.measured));
        largest = largest.max(generals.sweep(phases(&general), context, pass.measured));
        largest = largest.max(self.sweep_split(problem_masses, island, back, pass));
        largest.sqrt()
    }

    /// Solves one row. Returns the square of the change of its velocity [m^2/s^2].
    fn visit(&mut self, masses: &[MassInverse], row: RowRef, pass: &Pass) -> f64 {
        let Self { central, general, blocks, scalar, bodies, masses: lines, dilation, .. } = self;
        let (relaxation, dilation) = (pass.relaxation, *dilation);
        let context = |bodies, lines| SweepContext { relaxation, dilation, ..unrelaxed(bodies, lines) };
        match row {
            RowRef::Central(lane) => central.relax(lane, context(bodies, lines)),
            RowRef::General(lane) => general.relax(lane, context(bodies, lines)),
            RowRef::Block(lane) => blocks.relax(lane, context(bodies, lines)),
            RowRef::Scalar(index) if scalar[index].place_in_ball == Some(0) => {
                let own = index.index()..index.index() + BALL;
                relax_ball(&mut scalar[own], masses, bodies, pass.relaxation)
            }
            // The other rows of a ball are visited with its first row.
            RowRef::Scalar(index) if scalar[index].place_in_ball.is_some() => 0.0,
            RowRef::Scalar(index) => {
                let scale = scalar[index].scale;
                let scale = if scale == index { 1.0 } else { scalar[scale].lambda.abs() };
                scalar[index].relax(masses, bodies, scale, pass.relaxation)
            }
        }
    }

    /// Applies the present impulses to the velocities of the bodies of an island. Then solves its mechanisms.
    pub(in crate::solver) fn apply(&mut self, problem: &Problem, island: usize, tasks: &dyn Tasks) {
        let masses = problem.masses;
        let Self { central, general, blocks, scalar, bodies, masses: lines, level, planner, schedules, visits, .. } =
            self;
        let IslandSchedule { visits: [first, end], blocks: plans, central: centrals, general: generals, split } =
            &schedules[island];
        for row in &visits[*first as usize..*end as usize] {
            match *row {
                RowRef::Central(lane) => central.apply(lane, unrelaxed(bodies, lines)),
                RowRef::General(lane) => general.apply(lane, unrelaxed(bodies, lines)),
                RowRef::Block(lane) => blocks.apply(lane, unrelaxed(bodies, lines)),
                RowRef::Scalar(index) => scalar[index].apply(masses, bodies, scalar[index].lambda),
            }
        }
        let context = unrelaxed(bodies, lines);
        let phases = |plan| Phases { plan, planner, level: *level, tasks };
        blocks.apply_all(*plans, phases(&Plan::NONE), context);
        central.apply_all(phases(centrals), context);
        general.apply_all(phases(generals), context);
        general.apply_all(phases(&split.lanes), context);
        self.apply_split_rows(problem, island);
        self.join(problem, island, true);
    }

    /// Adds the present impulses of an island to the lines of its bodies, which must be at [`rest`](Rows::rest). In
    /// place of velocities the lines then hold the sums: linear [N s], and about the centres of mass [N m s].
    pub(in crate::solver) fn sum(&mut self, island: usize, tasks: &dyn Tasks) {
        let Self { central, general, blocks, bodies, masses: lines, level, planner, schedules, visits, .. } = self;
        let IslandSchedule { visits: [first, end], blocks: plans, central: centrals, general: generals, split } =
            &schedules[island];
        let context = unrelaxed(bodies, lines);
        for row in &visits[*first as usize..*end as usize] {
            match *row {
                RowRef::Central(lane) => central.sum(lane, context),
                RowRef::General(lane) => general.sum(lane, context),
                RowRef::Block(lane) => blocks.sum(lane, context),
                RowRef::Scalar(_) => {}
            }
        }
        let phases = |plan| Phases { plan, planner, level: *level, tasks };
        for plans in [*plans, split.blocks] {
            blocks.sum_all(plans, phases(&Plan::NONE), context);
        }
        blocks.lanes(split.blocks).for_each(|lane| blocks.sum(lane, context));
        central.sum_all(phases(centrals), context);
        for plan in [generals, &split.lanes] {
            general.sum_all(phases(plan), context);
        }
    }

    /// Returns the number of parts, which are swept one after the other.
    pub(in crate::solver) fn parts(&self) -> usize {
        self.schedules.len()
    }

    /// Sets the lines of some bodies to rest.
    pub(in crate::solver) fn rest_bodies(&mut self, bodies: &[BodyRow]) {
        for body in bodies {
            let line = &mut self.bodies[*body];
            *line = lines::at_rest(line);
        }
    }

    /// Sets all lines to rest, before they hold sums or displacements.
    pub(in crate::solver) fn rest(&mut self, tasks: &dyn Tasks) {
        each_piece(tasks, lines::PIECE, &mut self.bodies, |_, lines| {
            lines.iter_mut().for_each(|line| *line = lines::at_rest(line));
        });
    }
}

impl<B: ContactBatch> ContactBatches<B> {
    /// Sweeps over the lanes and phases of a plan. Returns the square of the largest change.
    pub(in crate::solver) fn sweep(&mut self, phases: Phases, context: SweepContext, measured: bool) -> f64 {
        let mut largest = 0.0;
        for lane in phases.plan.lanes() {
            largest = f64::max(largest, self.relax(lane, context));
        }
        let Self { batches, extras: all, extra_places: places, torques, isotropic, .. } = self;
        let extras = Extras { all, places };
        let (isotropic, level) = (*isotropic, phases.level);
        let found = phases.run(batches, torques, |[first, _], batches, torques| {
            let extras = extras.behind(first as usize);
            dispatch(level, Sweep { batches, extras, torques, context, measured, isotropic })
        });
        largest.max(found)
    }

    /// Applies the present impulses to the velocities.
    pub(super) fn apply_all(&mut self, phases: Phases, context: SweepContext) {
        phases.plan.lanes().for_each(|lane| self.apply(lane, context));
        let (Self { batches, torques, .. }, level) = (self, phases.level);
        phases.run(batches, torques, |_, batches, torques| {
            dispatch(level, Apply { batches, torques, context });
            0.0
        });
    }

    /// Adds the present impulses to the sums on the lines of the bodies.
    pub(super) fn sum_all(&mut self, phases: Phases, context: SweepContext) {
        phases.plan.lanes().for_each(|lane| self.sum(lane, context));
        let (Self { batches, torques, .. }, level) = (self, phases.level);
        phases.run(batches, torques, |_, batches, torques| {
            dispatch(level, Sum { batches, torques, context });
            0.0
        });
    }
}
