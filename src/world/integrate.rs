//! The end of a substep: bodies move with the velocities that the contacts left them, and overlap is undone.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::body::{Drift, Energy, Motion};
use crate::math::lanes::distances::BODIES_AHEAD;
use crate::error::{Result, resize};
use crate::solver::Velocity;
use crate::tasks::each_piece_of;
use crate::world::state::{BODIES_PER_PIECE, World};
use crate::world::substeps::Substep;

impl World {
    /// Writes the contacts' forces and the bodies' motion at the end of the substep into the workspace, row by row.
    pub(in crate::world) fn integrate(&mut self, substep: &Substep) -> Result<()> {
        self.project_positions(substep)?;
        let is_finite = AtomicBool::new(self.read_solution(substep));
        self.add_up(substep)?;
        let work = &mut self.workspace;
        let (bodies, active, assembly, gravity) = (&self.bodies, work.index.active(), &work.assembly, &self.gravity);
        let (solver, velocities) = (&work.solver, work.solver.velocities());
        resize(&mut work.energies, active.len().div_ceil(BODIES_PER_PIECE), Energy::default(), "bodies")?;
        let pieces = (&mut work.motion[..], &mut work.energies[..]);
        let drift = |first: usize, piece: &mut [Motion], energy: &mut Energy| {
            let mut sum = Energy::default();
            for (row, motion) in (first..).zip(piece) {
                let slot = active[row] as usize;
                bodies.prefetch(active.get(row + BODIES_AHEAD), active.get(row + 2 * BODIES_AHEAD));
                let Velocity { linear, angular } = velocities[row];
                let shift = solver.displacement(row);
                let drift = Drift { linear, angular, displacement: shift.linear, turn: shift.angular };
                let (kind, mass) = (bodies.traits[slot].kind, &bodies.mass[slot]);
                let after = motion.drifted(kind, mass, &drift, substep.length);
                sum = sum.plus(bodies.energy_at(slot, &after, gravity));
                if !(assembly.is_finite(row) && after.is_finite()) {
                    is_finite.store(false, Ordering::Relaxed);
                }
                *motion = after;
            }
            *energy = sum;
        };
        each_piece_of(&*self.tasks, BODIES_PER_PIECE, pieces, drift);
        work.is_finite = is_finite.into_inner();
        Ok(())
    }
}
