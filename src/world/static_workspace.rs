//! What the solvers of static problems work with.

use crate::error::{Result, out_of_memory};
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

/// A workspace that is made by the first static problem of a world: most worlds never have one.
#[derive(Debug, Default)]
pub(in crate::world) struct OptionalStaticWorkspace(Vec<StaticWorkspace>);

impl OptionalStaticWorkspace {
    /// Returns the workspace, or fails where memory is exhausted.
    pub(in crate::world) fn get(&mut self) -> Result<&mut StaticWorkspace> {
        let Self(made) = self;
        if made.is_empty() {
            made.try_reserve_exact(1).map_err(|_| out_of_memory("solvers of static problems", 1))?;
            made.push(StaticWorkspace::default());
        }
        // There is one.
        Ok(&mut made[0])
    }
}

impl StaticWorkspace {
    /// Writes the moves of all bodies in the order of their creation.
    pub(in crate::world) fn write(&self, order: &[u32], index: &Index, to: &mut [[f64; 6]]) {
        for (slot, own) in order.iter().zip(to) {
            let moved = index.row(*slot).and_then(|row| self.moves.get(row.index()));
            let Velocity { linear, angular } = moved.copied().unwrap_or(Velocity::ZERO);
            *own = [linear.x, linear.y, linear.z, angular.x, angular.y, angular.z];
        }
    }
}
