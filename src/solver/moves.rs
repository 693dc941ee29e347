//! Takes the answer of a static problem as that of the problem laid out last. Forces take the place of impulses, and
//! displacements that of velocities.

use crate::error::{Result, resize};
use crate::math::Vec3;
use crate::math::lanes::WIDE;
use crate::solver::problem::contacts::{ContactBuffer, occupied};
use crate::solver::problem::{Impulses, Problem, Velocity};
use crate::solver::solve::Solver;

impl Solver {
    /// Takes `forces` and `moves` as the answer of the problem that was laid out last and lists its contacts. The forces of contacts go to the
    /// lanes of `buffer`, their torques to `torques`.
    ///
    /// # Errors
    ///
    /// Memory is exhausted.
    pub fn take_moves(
        &mut self,
        problem: &Problem,
        (forces, moves): (&Impulses, &[Velocity]),
        buffer: &mut ContactBuffer,
        torques: &mut Vec<Vec3>,
    ) -> Result<()> {
        self.load(problem)?;
        self.balance(problem, forces);
        self.motion.velocities.iter_mut().zip(moves).for_each(|(own, moved)| *own = *moved);
        (self.is_displaced, self.measured) = (false, 0);
        buffer.start_from(&self.rows.lanes, forces);
        torques.clear();
        if forces.torques.is_empty() {
            return Ok(());
        }
        resize(torques, WIDE * self.rows.lanes.len(), Vec3::zeros(), "contacts")?;
        for (own, lanes) in torques.chunks_exact_mut(WIDE).zip(&self.rows.lanes) {
            occupied(lanes).for_each(|(lane, contact)| own[lane] = forces.torques[contact.index()]);
        }
        Ok(())
    }
}
