//! The end of a step: bodies move with the velocities that the contacts left them, and overlap is undone.

use crate::error::{Result, reserve};
use crate::math::Vec3;
use crate::tasks::each_piece;
use crate::world::state::{BODIES_PER_PIECE, World};

impl World {
    /// Writes the contacts' forces and the bodies' motion at the end of the step into the workspace. `residual` is the
    /// largest one that the sweeps left [m/s].
    pub(in crate::world) fn integrate(&mut self, h: f64, residual: f64) -> Result<()> {
        self.disassemble(h)?;
        self.undo_overlap(h, residual)?;
        let work = &mut self.workspace;
        let bodies = &self.bodies;
        work.motion.clear();
        reserve(&mut work.motion, bodies.slots(), "bodies")?;
        work.motion.extend_from_slice(&bodies.motion);
        let velocities = work.solver.velocities();
        let displacements = work.solver.displacements();
        each_piece(&*self.tasks, BODIES_PER_PIECE, &mut work.motion, |first, piece| {
            for (at, motion) in (first..).zip(piece) {
                if !bodies.registry.is_live(at) {
                    continue;
                }
                let velocity = (velocities[at].linear, velocities[at].angular);
                let shift = displacements.get(at).map_or((Vec3::zeros(), Vec3::zeros()), |d| (d.linear, d.angular));
                *motion = motion.drifted(bodies.traits[at].kind, &bodies.mass[at], velocity, shift, h);
            }
        });
        Ok(())
    }
}
