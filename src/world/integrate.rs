//! The end of a substep: bodies move with the velocities that the contacts left them, and overlap is undone.

use crate::error::Result;
use crate::math::Vec3;
use crate::world::state::World;
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
        for slot in &bodies.order {
            let at = *slot as usize;
            let velocity = (velocities[at].linear, velocities[at].angular);
            let shift = displacements.get(at).map_or((Vec3::zeros(), Vec3::zeros()), |d| (d.linear, d.angular));
            let (kind, mass) = (bodies.traits[at].kind, &bodies.mass[at]);
            work.motion[at] = work.motion[at].drifted(kind, mass, velocity, shift, substep.length);
        }
        Ok(())
    }
}
