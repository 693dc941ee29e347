//! The end of a substep: bodies move with the velocities that the contacts left them, and overlap is undone.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::body::{Energy, Motion};
use crate::error::{Result, resize};
use crate::math::lanes::distances::BODIES_AHEAD;
use crate::solver::Velocity;
use crate::tasks::{beside, each_piece_of};
use crate::world::state::{BODIES_PER_PIECE, World};
use crate::world::substeps::Substep;

impl World {
    /// Writes the contacts' forces and the bodies' motion at the end of the substep into the workspace, row by row.
    pub(in crate::world) fn integrate(&mut self, substep: &Substep) -> Result<()> {
        self.undo_overlap(substep)?;
        let is_finite = AtomicBool::new(self.disassemble(substep));
        self.add_up(substep)?;
        let work = &mut self.workspace;
        if substep.is_first {
            work.loads.ranks = work.index.take_room();
        }
        let (ranks, index) = (&mut work.loads.ranks[..], &work.index);
        // numbers do not change within a step
        let mut write_ranks = || {
            if substep.is_first {
                index.write_ranks(ranks);
            }
        };
        let (bodies, active, assembly, gravity) = (&self.bodies, work.index.active(), &work.assembly, &self.gravity);
        let (solver, velocities) = (&work.solver, work.solver.velocities());
        resize(&mut work.energies, active.len().div_ceil(BODIES_PER_PIECE), Energy::default(), "bodies")?;
        let pieces = (&mut work.motion[..], &mut work.energies[..]);
        let drift = |first: usize, piece: &mut [Motion], energy: &mut Energy| {
            let mut sum = Energy::default();
            for (row, motion) in (first..).zip(piece) {
                let slot = active[row] as usize;
                bodies.prefetch(active.get(row + BODIES_AHEAD), active.get(row + 2 * BODIES_AHEAD));
                let velocity = (velocities[row].linear, velocities[row].angular);
                let Velocity { linear, angular } = solver.displacement(row);
                let (kind, mass) = (bodies.traits[slot].kind, &bodies.mass[slot]);
                let after = motion.drifted(kind, mass, velocity, (linear, angular), substep.length);
                sum = sum.plus(bodies.energy_at(slot, &after, gravity));
                if !(assembly.is_finite(row) && after.is_finite()) {
                    is_finite.store(false, Ordering::Relaxed);
                }
                *motion = after;
            }
            *energy = sum;
        };
        beside(&*self.tasks, &mut write_ranks, |tasks| each_piece_of(tasks, BODIES_PER_PIECE, pieces, drift));
        work.is_finite = is_finite.into_inner();
        Ok(())
    }
}
