//! The end of a substep: bodies move with the velocities that the contacts left them, and overlap is undone.

use crate::error::Result;
use crate::math::Vec3;
use crate::tasks::each_piece;
use crate::world::state::{BODIES_PER_PIECE, World};
use crate::world::substeps::Substep;

impl World {
    /// Writes the contacts' forces and the bodies' motion at the end of the substep into the workspace.
    pub(in crate::world) fn integrate(&mut self, substep: &Substep) -> Result<()> {
        self.disassemble(substep);
        self.add_up(substep)?;
        self.undo_overlap(substep.length)?;
        let work = &mut self.workspace;
        let bodies = &self.bodies;
        let velocities = work.solver.velocities();
        let displacements = work.solver.displacements();
        each_piece(&*self.tasks, BODIES_PER_PIECE, &mut work.motion, |first, piece| {
            for (at, motion) in (first..).zip(piece) {
                if !bodies.registry.is_live(at) {
                    continue;
                }
                let velocity = (velocities[at].linear, velocities[at].angular);
                let shift = displacements.get(at).map_or((Vec3::zeros(), Vec3::zeros()), |d| (d.linear, d.angular));
                *motion = motion.drifted(bodies.traits[at].kind, &bodies.mass[at], velocity, shift, substep.length);
            }
        });
        Ok(())
    }
}
