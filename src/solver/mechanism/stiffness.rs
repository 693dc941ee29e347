//! The largest frequency of a mechanism whose joints carry forces.
//!
//! Under tension light links vibrate as a string does. The squares `w^2` are the eigenvalues of `Mc^-1 K`, and `K` is the
//! second derivative of the rows times their forces. With `M^-1 = L L^T` and `Mc^-1 = L C L^T` these are the eigenvalues of
//! `C L^T K L`. For rows without compliance `C` is a projection, and on its range the matrix is symmetric. Steps of the
//! power method then raise the estimate, which never exceeds the largest magnitude.

use crate::error::{Result, empty, refill};
use crate::math::{BodyRow, Vec3, scattered};
use crate::solver::mechanism::split::{BodyImpulse, Mechanism};
use crate::solver::operator::blocks::SIX;
use crate::solver::problem::Velocity;

/// Power steps from nothing, and from a vector of the step before.
const STEPS: [u32; 2] = [20, 3];

/// A block of a stiffness: `force on row = block * velocity of column`, linear before angular, world axes. A block between two bodies is
/// listed once; its transpose acts on the other body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StiffnessBlock {
    /// The body that the force acts on.
    pub row: BodyRow,
    /// The body whose motion makes it.
    pub column: BodyRow,
    /// [N/m, N, N m]
    pub block: [[f64; SIX]; SIX],
}

impl Mechanism {
    /// Returns an estimate of the largest magnitude of an eigenvalue of `Mc^-1 K` [1/s^2]. It is at most that magnitude where rows have no compliance.
    ///
    /// `memory` has a velocity for each body of the mechanism, in its order, of the last estimate. It is state that the caller keeps: three power
    /// steps start from it. If it has another length, or is zero, twenty steps start from a fixed vector. `apply` adds the forces `K v` to those given,
    /// which are zero, one for each body in the same order.
    ///
    /// # Errors
    ///
    /// Memory is exhausted.
    pub fn stiffness(
        &mut self,
        memory: &mut Vec<Velocity>,
        mut apply: impl FnMut(&[Velocity], &mut [BodyImpulse]),
    ) -> Result<f64> {
        let (mut forces, mut changes) = (std::mem::take(&mut self.forces), std::mem::take(&mut self.changes));
        let found = self.power_steps((&mut forces, &mut changes), memory, &mut apply);
        (self.forces, self.changes) = (forces, changes);
        found
    }

    /// Returns the same for a `K` of blocks. Blocks of bodies that are not in the mechanism have no effect.
    ///
    /// # Errors
    ///
    /// Memory is exhausted.
    pub fn stiffness_of_blocks(&mut self, memory: &mut Vec<Velocity>, blocks: &[StiffnessBlock]) -> Result<f64> {
        let mut numbers = std::mem::take(&mut self.block_numbers);
        empty(&mut numbers, blocks.len(), "blocks of a stiffness")?;
        numbers.extend(blocks.iter().map(|block| [block.row, block.column].map(|body| self.number(body))));
        let found = self.stiffness(memory, |velocities, forces| {
            for ([row, column], StiffnessBlock { block, .. }) in numbers.iter().zip(blocks) {
                add_block(forces, *row, velocities.get(*column), block);
                if row != column {
                    add_block(forces, *column, velocities.get(*row), &transposed(block));
                }
            }
        });
        self.block_numbers = numbers;
        found
    }

    fn power_steps(
        &mut self,
        (forces, changes): (&mut Vec<BodyImpulse>, &mut Vec<Velocity>),
        memory: &mut Vec<Velocity>,
        apply: &mut impl FnMut(&[Velocity], &mut [BodyImpulse]),
    ) -> Result<f64> {
        let is_new = memory.len() != self.bodies().len() || memory.iter().all(|velocity| *velocity == Velocity::ZERO);
        if is_new {
            scatter(memory, self.bodies().len())?;
        }
        let none = BodyImpulse { body: BodyRow::NONE, impulse: Vec3::zeros(), moment: Vec3::zeros() };
        let mut estimate = 0.0;
        for _ in 0..STEPS[usize::from(!is_new)] {
            refill(forces, memory.len(), none, "bodies of a mechanism")?;
            forces.iter_mut().zip(self.bodies()).for_each(|(force, body)| force.body = *body);
            apply(memory, forces);
            self.respond(forces, changes, &mut [])?;
            // The remembered velocities have `|z| = 1` after the first step.
            let length = self.response_length();
            if !(length.is_finite() && length > 0.0) {
                return Ok(0.0);
            }
            estimate = length;
            for (memory, change) in memory.iter_mut().zip(&*changes) {
                *memory = Velocity { linear: change.linear / length, angular: change.angular / length };
            }
        }
        Ok(estimate)
    }
}

/// Makes velocities that look random, so that they have a part along every motion.
fn scatter(velocities: &mut Vec<Velocity>, count: usize) -> Result<()> {
    empty(velocities, count, "bodies of a mechanism")?;
    let number = |index: usize| scattered(index as u64);
    let vector = |index: usize| Vec3::new(number(index), number(index + 1), number(index + 2));
    velocities.extend((0..count).map(|body| Velocity { linear: vector(SIX * body), angular: vector(SIX * body + 3) }));
    Ok(())
}

/// Adds a block times a velocity to the force on a body.
fn add_block(forces: &mut [BodyImpulse], body: usize, velocity: Option<&Velocity>, block: &[[f64; SIX]; SIX]) {
    let (Some(force), Some(velocity)) = (forces.get_mut(body), velocity) else { return };
    let row = |row: usize| {
        let [x, y, z, a, b, c] = block[row];
        Vec3::new(x, y, z).dot(&velocity.linear) + Vec3::new(a, b, c).dot(&velocity.angular)
    };
    force.impulse += Vec3::new(row(0), row(1), row(2));
    force.moment += Vec3::new(row(3), row(4), row(5));
}

fn transposed(block: &[[f64; SIX]; SIX]) -> [[f64; SIX]; SIX] {
    std::array::from_fn(|row| std::array::from_fn(|column| block[column][row]))
}
