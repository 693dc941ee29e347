//! The solve of a substep, and what contacts and bodies take from it.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::body::Wrench;
use crate::error::Result;
use crate::math::lanes::WIDE;
use crate::solver::{Place, Problem, Velocity};
use crate::tasks::{each_pair_of_pieces, each_piece, reduce};
use crate::world::assemble::Assembly;
use crate::world::report::Report;
use crate::world::state::{BODIES_PER_PIECE, Workspace, World};
use crate::world::substeps::Substep;

/// Batches that are read at a time.
const BATCHES_PER_PIECE: usize = 64;

impl World {
    /// Solves the problem of a substep.
    pub(in crate::world) fn solve(&mut self, report: &mut Report) -> Result<()> {
        let (options, friction) = (self.settings.options(), self.settings.friction());
        let needs_list = options.need_list(friction) || self.settings.elastic().is_some();
        let Workspace { assembly, solver, loads, .. } = &mut self.workspace;
        let outcome = assembly.solve(solver, &options, friction, needs_list)?;
        loads.begin_rolling(assembly.impulses.torques.len())?;
        let work = &mut self.workspace;
        report.awake_bodies = self.roster.moving() as u32;
        report.bodies = self.bodies.order.len() as u32;
        report.contacts = (work.touches.len() + self.sleep.contact_count()) as u32;
        work.residual = outcome.residual_max;
        if report.record(&outcome) {
            report.worst_contact = match outcome.worst {
                Some(Place::Contact(contact)) => work.touches.found[work.index.places()[contact] as usize].key,
                _ => 0,
            };
        }
        Ok(())
    }

    /// Writes what the contacts carried besides their impulses. Where the step has several substeps, adds this one's contact forces on the
    /// bodies to their mean. Returns whether all of these are finite.
    pub(in crate::world) fn read_solution(&mut self, substep: &Substep) -> bool {
        let Workspace { loads, assembly, solver, wrenches, .. } = &mut self.workspace;
        let Assembly { masses, velocities, buffer, states, multipliers, .. } = &*assembly;
        let solver = &*solver;
        let columns = (&mut loads.pushes[..], &mut loads.marks[..]);
        each_pair_of_pieces(&*self.tasks, WIDE * BATCHES_PER_PIECE, columns, |first, pushes, marks| {
            let first = first / WIDE;
            for (push, multipliers) in pushes.chunks_exact_mut(WIDE).zip(&multipliers[first..]) {
                push.copy_from_slice(&multipliers.0);
            }
            for (own, state) in marks.chunks_exact_mut(WIDE).zip(&states[first..]) {
                own.iter_mut().zip(&state.marks).for_each(|(own, marks)| *own = marks.ended());
            }
        });
        let friction = self.settings.friction();
        let problem = Problem { masses, velocities, contacts: &[], besides: &[], rows: &[], friction };
        each_piece(&*self.tasks, WIDE * BATCHES_PER_PIECE, &mut loads.rolling_speeds, |first, speeds| {
            for (lane, speed) in (first..).zip(speeds) {
                *speed = solver.rolling_speed(&problem, buffer, lane);
            }
        });
        let (totals, step) = (solver.total_impulses(), substep.step);
        if substep.is_whole() {
            let are_finite = |rows: Range<usize>| totals[rows].iter().all(|total| mean_wrench(total, step).is_finite());
            return reduce(&*self.tasks, BODIES_PER_PIECE, totals.len(), true, are_finite, |one, other| one && other);
        }
        let is_finite = AtomicBool::new(true);
        each_piece(&*self.tasks, BODIES_PER_PIECE, wrenches, |first, wrenches| {
            for (wrench, total) in wrenches.iter_mut().zip(&totals[first..]) {
                let mean = mean_wrench(total, step);
                // Added to a sum of nothing, minus zero would become zero.
                if substep.is_first {
                    *wrench = mean
                } else {
                    wrench.add(&mean)
                }
                if !wrench.is_finite() {
                    is_finite.store(false, Ordering::Relaxed);
                }
            }
        });
        is_finite.into_inner()
    }
}

impl Workspace {
    /// Returns the mean contact force on a row over a step of `step` seconds, whose substeps are solved.
    #[inline(always)]
    pub(in crate::world) fn wrench(&self, row: usize, step: f64) -> Wrench {
        match self.wrenches.get(row) {
            Some(sum) => *sum,
            None => self.solver.total_impulses().get(row).map_or(Wrench::ZERO, |total| mean_wrench(total, step)),
        }
    }
}

/// Returns the mean over `step` seconds of the contact forces whose impulses are `total`.
#[inline(always)]
fn mean_wrench(total: &Velocity, step: f64) -> Wrench {
    Wrench { force: total.linear / step, torque: total.angular / step }
}
