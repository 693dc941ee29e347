//! The end of a step: bodies move with the velocities that the contacts left them, and overlap is undone.

use crate::error::{Result, reserve};
use crate::math::Vec3;
use crate::world::state::World;

impl World {
    /// Writes the contacts' forces and the bodies' motion at the end of the step into the workspace, row by row.
    /// `residual` is the largest one that the sweeps left [m/s].
    pub(in crate::world) fn integrate(&mut self, h: f64, residual: f64) -> Result<()> {
        self.disassemble(h)?;
        self.undo_overlap(h, residual)?;
        let work = &mut self.workspace;
        let bodies = &self.bodies;
        work.motion.clear();
        reserve(&mut work.motion, work.index.active().len(), "bodies")?;
        let velocities = work.solver.velocities();
        let displacements = work.solver.displacements();
        for (row, slot) in work.index.active().iter().enumerate() {
            let at = *slot as usize;
            let velocity = (velocities[row].linear, velocities[row].angular);
            let shift = displacements.get(row).map_or((Vec3::zeros(), Vec3::zeros()), |d| (d.linear, d.angular));
            let (kind, mass) = (bodies.traits[at].kind, &bodies.mass[at]);
            work.motion.push(bodies.motion[at].drifted(kind, mass, velocity, shift, h));
        }
        Ok(())
    }
}
