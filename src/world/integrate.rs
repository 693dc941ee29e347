//! The end of a substep: bodies move with the velocities that the contacts left them, and overlap is undone.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::Result;
use crate::math::Vec3;
use crate::tasks::each_piece;
use crate::world::state::{BODIES_AHEAD, BODIES_PER_PIECE, World};
use crate::world::substeps::Substep;

impl World {
    /// Writes the contacts' forces and the bodies' motion at the end of the substep into the workspace, row by row.
    pub(in crate::world) fn integrate(&mut self, substep: &Substep) -> Result<()> {
        self.undo_overlap(substep.length)?;
        let is_finite = AtomicBool::new(self.disassemble(substep));
        self.add_up(substep)?;
        let work = &mut self.workspace;
        let (bodies, active, assembly) = (&self.bodies, work.index.active(), &work.assembly);
        let (velocities, displacements) = (work.solver.velocities(), work.solver.displacements());
        each_piece(&*self.tasks, BODIES_PER_PIECE, &mut work.motion, |first, piece| {
            for (row, motion) in (first..).zip(piece) {
                let slot = active[row] as usize;
                bodies.ask_ahead(active.get(row + BODIES_AHEAD));
                let velocity = (velocities[row].linear, velocities[row].angular);
                let shift = displacements.get(row).map_or((Vec3::zeros(), Vec3::zeros()), |d| (d.linear, d.angular));
                let (kind, mass) = (bodies.traits[slot].kind, &bodies.mass[slot]);
                *motion = motion.drifted(kind, mass, velocity, shift, substep.length);
                if !(assembly.is_finite(row) && motion.is_finite()) {
                    is_finite.store(false, Ordering::Relaxed);
                }
            }
        });
        work.is_finite = is_finite.into_inner();
        Ok(())
    }
}
