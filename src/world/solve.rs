//! The solve of a substep.

use crate::error::Result;
use crate::solver::{Outcome, Solver};
use crate::world::assemble::{Assembly, bare_problem};
use crate::world::settings::Settings;

/// Solves the problem of a substep. The impulses are in `assembly`, the velocities in `solver`.
pub(in crate::world) fn solve(settings: &Settings, assembly: &mut Assembly, solver: &mut Solver) -> Result<Outcome> {
    let needs_list = assembly.needs_list(settings);
    let Assembly { masses, velocities, joints, buffer, list, listed, torques, .. } = assembly;
    let friction = settings.friction();
    let bare = bare_problem(masses, velocities, joints, friction);
    let problem = if needs_list { list.of(&bare) } else { bare };
    let outcome = solver.solve_filled(&problem, buffer, &settings.options(), listed)?;
    solver.read_lanes(&mut buffer.impulses, torques)?;
    Ok(outcome)
}
