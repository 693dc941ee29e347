//! Loads of bodies.

use crate::error::{Result, copy};
use crate::math::Vec3;
use crate::solver::problem::{Impulses, Problem, Row};

/// A force on a body at its centre of mass, and a torque.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Load {
    /// [N]
    pub force: Vec3,
    /// [N m]
    pub torque: Vec3,
}

impl Load {
    /// No load.
    pub const ZERO: Self = Self { force: Vec3::new(0.0, 0.0, 0.0), torque: Vec3::new(0.0, 0.0, 0.0) };

    /// Its size as a force, the torque at the distance `half` [N].
    pub(super) fn size(&self, half: f64) -> f64 {
        self.force.norm().max(self.torque.norm() / half)
    }
}

/// The force of a row whose bounds are equal, which is a load therefore.
fn held_force(row: &Row) -> Option<f64> {
    (row.lower == row.upper && row.lower != 0.0).then_some(row.lower)
}

/// Writes `loads` with the forces of rows whose bounds are equal to `all`.
pub(super) fn with_held_rows(problem: &Problem, loads: &[Load], all: &mut Vec<Load>) -> Result<()> {
    copy(all, loads, "bodies")?;
    for (row, force) in problem.rows.iter().filter_map(|row| Some((row, held_force(row)?))) {
        for (body, jacobian) in [(row.body_a, row.jacobian_a), (row.body_b, row.jacobian_b)] {
            if let Some(load) = all.get_mut(body.index()) {
                load.force += force * jacobian.linear;
                load.torque += force * jacobian.angular;
            }
        }
    }
    Ok(())
}

/// Writes the forces of rows whose bounds are equal, which no program has.
pub(super) fn write_held_rows(problem: &Problem, forces: &mut Impulses) {
    for (row, own) in problem.rows.iter().zip(&mut forces.rows) {
        *own = held_force(row).unwrap_or(*own);
    }
}
