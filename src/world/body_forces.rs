//! The mean contact forces on the bodies over a step.

use crate::body::Wrench;
use crate::solver::Velocity;

/// The contact forces on the bodies of a step, row by row.
#[derive(Clone, Copy)]
pub(in crate::world) struct BodyForces<'a> {
    /// The mean over the step; empty if the step has a single substep.
    pub(in crate::world) means: &'a [Wrench],
    /// The impulses of the last substep.
    pub(in crate::world) impulses: &'a [Velocity],
    /// Length of the step [s].
    pub(in crate::world) step: f64,
}

impl BodyForces<'_> {
    /// Returns the mean contact force on a row over the step.
    #[inline(always)]
    pub(in crate::world) fn of(&self, row: usize) -> Wrench {
        match self.means.get(row) {
            Some(mean) => *mean,
            None => self.impulses.get(row).map_or(Wrench::ZERO, |impulse| mean_wrench(impulse, self.step)),
        }
    }
}

/// Returns the mean over `step` seconds of the force whose impulse is `impulse`.
#[inline(always)]
pub(in crate::world) fn mean_wrench(impulse: &Velocity, step: f64) -> Wrench {
    Wrench { force: impulse.linear / step, torque: impulse.angular / step }
}
