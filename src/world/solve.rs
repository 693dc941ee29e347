//! The solve of a substep.

use crate::error::Result;
use crate::solver::{Outcome, Solver};
use crate::world::assemble::Assembly;
use crate::world::settings::Settings;

/// Solves the problem of a substep. The impulses are in `assembly`, the velocities in `solver`.
///
/// # Errors
///
/// Memory is exhausted.
pub(in crate::world) fn solve(settings: &Settings, assembly: &mut Assembly, solver: &mut Solver) -> Result<Outcome> {
    assembly.solve(solver, &settings.options(), settings.friction(), settings.need_list())
}
