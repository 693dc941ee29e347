//! Sweeps over the rows of an island, and the passes that apply and sum their impulses.

use crate::math::BodyRow;
use crate::math::lanes::Lines;
use crate::solver::gauss_seidel::rows::phases::Phases;
use crate::solver::gauss_seidel::rows::row_ref;
use crate::solver::gauss_seidel::rows::row_ref::RowRef;
use crate::solver::gauss_seidel::rows::store::{IslandSchedule, Rows, unrelaxed};
use crate::solver::gauss_seidel::wide::{SweepContext, lines};
use crate::solver::problem::islands::Island;
use crate::solver::problem::order::{Order, shuffle};
use crate::solver::problem::{MassInverse, Velocity};
use crate::tasks::{Tasks, each_piece};

/// Bodies whose lines are written at a time.
const LINES_PER_PIECE: usize = 1024;

/// How a sweep is made.
#[derive(Debug, Clone, Copy)]
pub(in crate::solver) struct Pass<'a> {
    /// The order of the visits.
    pub(in crate::solver) order: Order,
    /// Factor on the change of every row.
    pub(in crate::solver) relaxation: f64,
    /// Whether the change of the velocities is needed.
    pub(in crate::solver) measured: bool,
    /// What runs it.
    pub(in crate::solver) tasks: &'a dyn Tasks,
}

impl Rows {
    /// Sets the velocities of the bodies of an island.
    pub(in crate::solver) fn move_bodies(&mut self, island: Island, velocities: &[Velocity]) {
        for body in island.bodies {
            lines::set_velocity(&mut self.bodies[*body], &velocities[*body]);
        }
    }

    /// Makes the sweep of this `number` over an island. Returns the largest change of a row's velocity [m/s], or nothing of use
    /// where it is not measured.
    pub(in crate::solver) fn sweep(&mut self, masses: &[MassInverse], island: usize, number: u32, pass: &Pass) -> f64 {
        let IslandSchedule { visits: [first, end], central, general } = self.schedules[island];
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
        let Self { central: centrals, general: generals, bodies, masses, level, planner, .. } = self;
        let context =
            SweepContext { bodies: Lines::new(bodies), masses: Lines::new(masses), relaxation: pass.relaxation };
        let phases = |plan| Phases { plan, planner, level: *level, tasks: pass.tasks };
        largest = largest.max(centrals.sweep(phases(&central), context, pass.measured));
        largest = largest.max(generals.sweep(phases(&general), context, pass.measured));
        largest.sqrt()
    }

    /// Solves one row. Returns the square of the change of its velocity [m^2/s^2].
    fn visit(&mut self, masses: &[MassInverse], row: RowRef, pass: &Pass) -> f64 {
        let Self { central, general, scalar, bodies, masses: lines, .. } = self;
        let context = |bodies, lines| SweepContext {
            bodies: Lines::new(bodies),
            masses: Lines::new(lines),
            relaxation: pass.relaxation,
        };
        match row.kind() {
            row_ref::Kind::Central(lane) => central.relax(lane, context(bodies, lines)),
            row_ref::Kind::General(lane) => general.relax(lane, context(bodies, lines)),
            row_ref::Kind::Scalar(index) => {
                let scale = scalar[index].scale as usize;
                let scale = if scale == index { 1.0 } else { scalar[scale].lambda.abs() };
                scalar[index].relax(masses, bodies, scale, pass.relaxation)
            }
        }
    }

    /// Adds to the velocities of the bodies of an island what the present impulses change.
    pub(in crate::solver) fn apply(&mut self, masses: &[MassInverse], island: usize, tasks: &dyn Tasks) {
        let Self { central, general, scalar, bodies, masses: lines, level, planner, schedules, visits, .. } = self;
        let IslandSchedule { visits: [first, end], central: centrals, general: generals } = &schedules[island];
        for row in &visits[*first as usize..*end as usize] {
            match row.kind() {
                row_ref::Kind::Central(lane) => central.apply(lane, unrelaxed(bodies, lines)),
                row_ref::Kind::General(lane) => general.apply(lane, unrelaxed(bodies, lines)),
                row_ref::Kind::Scalar(index) => scalar[index].apply(masses, bodies, scalar[index].lambda),
            }
        }
        let context = unrelaxed(bodies, lines);
        let phases = |plan| Phases { plan, planner, level: *level, tasks };
        central.apply_all(phases(centrals), context);
        general.apply_all(phases(generals), context);
    }

    /// Returns whether [`Rows::sum`] sums all impulses: scalar rows are in no lane.
    pub(in crate::solver) fn can_sum(&self) -> bool {
        self.scalar.is_empty()
    }

    /// Adds the present impulses of an island up on the lines of its bodies, which are at [`rest`](Rows::rest). In place of velocities the
    /// lines then hold the sums: linear [N s], and about the centres of mass [N m s].
    pub(in crate::solver) fn sum(&mut self, island: usize, tasks: &dyn Tasks) {
        let Self { central, general, bodies, masses: lines, level, planner, schedules, visits, .. } = self;
        let IslandSchedule { visits: [first, end], central: centrals, general: generals } = &schedules[island];
        let context = unrelaxed(bodies, lines);
        for row in &visits[*first as usize..*end as usize] {
            match row.kind() {
                row_ref::Kind::Central(lane) => central.sum(lane, context),
                row_ref::Kind::General(lane) => general.sum(lane, context),
                row_ref::Kind::Scalar(_) => {}
            }
        }
        let phases = |plan| Phases { plan, planner, level: *level, tasks };
        central.sum_all(phases(centrals), context);
        general.sum_all(phases(generals), context);
    }

    /// Returns how many parts are swept one after the other.
    pub(in crate::solver) fn parts(&self) -> usize {
        self.schedules.len()
    }

    /// Brings the lines of some bodies to rest.
    pub(in crate::solver) fn rest_bodies(&mut self, bodies: &[BodyRow]) {
        for body in bodies {
            let line = &mut self.bodies[*body];
            *line = lines::at_rest(line);
        }
    }

    /// Brings all lines to rest, before they take sums or displacements.
    pub(in crate::solver) fn rest(&mut self, tasks: &dyn Tasks) {
        each_piece(tasks, LINES_PER_PIECE, &mut self.bodies, |_, lines| {
            lines.iter_mut().for_each(|line| *line = lines::at_rest(line));
        });
    }
}
