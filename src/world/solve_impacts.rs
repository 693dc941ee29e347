//! The impact stage of a substep: bodies that hit others fast rebound before the forces act.

use std::ops::Range;

use crate::error::Result;
use crate::law::Impact;
use crate::tasks::reduce;
use crate::world::active_bodies::BODIES_PER_PIECE;
use crate::world::assemble::fastest_point;
use crate::world::read_solution::{SumInput, finish_impacts};
use crate::world::report::Report;
use crate::world::state::{Workspace, World};
use crate::world::substeps::{Stage, Substep};

impl World {
    /// Runs the impact stage of a substep, where any contact rebounds. Returns whether it was assembled.
    pub(in crate::world) fn solve_impacts(&mut self, substep: &Substep, report: &mut Report) -> Result<bool> {
        if !self.may_have_impacts() {
            return Ok(false);
        }
        self.assemble::<Impact>(substep, Stage::Impact)?;
        if !self.workspace.assembly.has_impacts() {
            return Ok(true);
        }
        self.solve(report)?;
        self.note_stage::<Impact>(substep, 0.0);
        let Workspace { index, assembly, solver, loads, wrenches, motion, joints, .. } = &mut self.workspace;
        assembly.read_joints(solver, substep.length, false, joints)?;
        let input = SumInput { tasks: &*self.tasks, substep, assembly, solver };
        finish_impacts(&input, loads, wrenches, index.slots().len(), motion)?;
        assembly.mark_impacts();
        Ok(true)
    }

    /// Returns whether two bodies can approach each other fast enough for an impact. Most piles at rest have no such
    /// bodies, and need no stage.
    fn may_have_impacts(&self) -> bool {
        let Self { tasks, settings, bodies, .. } = self;
        let Workspace { detector, index, motion, anchors, .. } = &self.workspace;
        let of_body = |row: usize| {
            let slot = index.active()[row] as usize;
            fastest_point(
                &motion[row],
                &bodies.mass[slot].center,
                detector.spheres()[slot].radius,
                settings.contact_margin,
            )
        };
        let of = |rows: Range<usize>| rows.map(of_body).fold(0.0, f64::max);
        let fastest = reduce(&**tasks, BODIES_PER_PIECE, motion.len(), 0.0, of, f64::max);
        2.0 * fastest + anchors.given.images.fastest() > settings.restitution_threshold
    }
}
