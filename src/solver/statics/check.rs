//! The check that a problem has no features that statics does not support; cleared answers.

use crate::error::{Error, Result, text};
use crate::math::{Impulse, Vec3};
use crate::solver::problem::{Friction, Impulses, Problem};
use crate::solver::statics::load::Load;

/// Checks a problem and its loads.
pub(super) fn check(problem: &Problem, loads: &[Load]) -> Result<()> {
    if problem.friction == Friction::Box {
        return Err(Error::unsupported("static problems have Coulomb's or the associated law, not box friction"));
    }
    if loads.len() != problem.masses.len() {
        let (given, bodies) = (loads.len(), problem.masses.len());
        return Err(Error::argument(text!("there are {given} loads for {bodies} bodies, expected one for each")));
    }
    if problem.rows.iter().any(|row| row.friction_row.is_some() || row.ball.is_some()) {
        return Err(Error::unsupported(
            "static problems have no rows that bound other rows, and no ball joints with dry friction",
        ));
    }
    Ok(())
}

/// Sets all forces to zero.
pub(super) fn clear(forces: &mut Impulses) {
    forces.contacts.fill(Impulse::ZERO);
    forces.torques.fill(Vec3::zeros());
    forces.rows.fill(0.0);
}
