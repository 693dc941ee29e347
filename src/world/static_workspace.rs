//! What the solvers of static problems work with.

use crate::solver::monitor::Monitor;
use crate::solver::statics::{LimitLoad, Load, Statics};
use crate::solver::{Impulses, Velocity};
use crate::world::index::Index;

/// The solvers of static problems and their arrays.
#[derive(Debug, Default)]
pub(in crate::world) struct StaticWorkspace {
    pub(in crate::world) statics: Statics,
    pub(in crate::world) limit_load: LimitLoad,
    /// By row, of the problem: loads, moves of bodies that nothing moves, and the answer.
    pub(in crate::world) loads: Vec<Load>,
    pub(in crate::world) unit_loads: Vec<Load>,
    pub(in crate::world) given: Vec<Velocity>,
    pub(in crate::world) moves: Vec<Velocity>,
    pub(in crate::world) forces: Impulses,
}

impl StaticWorkspace {
    /// Sets the monitor that the solvers call between their iterations.
    pub(in crate::world) fn set_monitor(&mut self, monitor: &Monitor) {
        self.statics.set_monitor(monitor);
        self.limit_load.set_monitor(monitor);
    }

    /// Writes the moves of all bodies in the order of their creation.
    pub(in crate::world) fn write(&self, order: &[u32], index: &Index, to: &mut [[f64; 6]]) {
        for (slot, own) in order.iter().zip(to) {
            let moved = index.row(*slot).and_then(|row| self.moves.get(row.index()));
            let Velocity { linear, angular } = moved.copied().unwrap_or(Velocity::ZERO);
            *own = [linear.x, linear.y, linear.z, angular.x, angular.y, angular.z];
        }
    }
}
