//! Whether forces and torques on every body of a machine are its change of momentum.

use drystone::error::Result;
use drystone::id::Handle;
use drystone::world::World;
use serde::{Deserialize, Serialize};

use super::machine::rotate;

/// The momenta of bodies before a step.
pub(crate) struct Momenta(Vec<[[f64; 3]; 2]>);

/// The largest imbalance of forces and of torques, over the largest term on the same body [-].
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(crate) struct Imbalance {
    pub(crate) force: f64,
    pub(crate) torque: f64,
}

impl Momenta {
    /// Returns linear and angular momenta, the latter about the centres of mass.
    pub(crate) fn new(world: &World, bodies: &[Handle]) -> Result<Self> {
        Ok(Self(bodies.iter().map(|body| momenta(world, *body)).collect::<Result<_>>()?))
    }

    /// Adds what the step of length `h` after them leaves unbalanced. `gravity` acts down z; torques are
    /// compared with the largest force at `lever` [m] too.
    pub(crate) fn compare(
        &self,
        world: &World,
        bodies: &[Handle],
        [h, gravity, lever]: [f64; 3],
        worst: &mut Imbalance,
    ) -> Result<()> {
        for (before, body) in self.0.iter().zip(bodies) {
            let after = momenta(world, *body)?;
            let change =
                [0, 1].map(|kind: usize| [0, 1, 2].map(|axis: usize| (after[kind][axis] - before[kind][axis]) / h));
            let (contact, turn) = world.body_force(*body)?;
            let (joint, joint_turn) = world.body_joint_force(*body)?;
            let weight = [0.0, 0.0, -gravity * world.body_mass(*body)?.mass];
            let forces = largest(&[contact, joint, weight, change[0]]);
            worst.force = worst.force.max(lacking(&[contact, joint, weight], change[0]) / forces);
            // The torques of the pins cancel at rest: each of them is of the size of a force times a lever.
            let torques = largest(&[turn, joint_turn, change[1]]).max(forces * lever);
            worst.torque = worst.torque.max(lacking(&[turn, joint_turn], change[1]) / torques);
        }
        Ok(())
    }
}

fn length(v: &[f64; 3]) -> f64 {
    (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt()
}

/// Returns the length of the longest vector, or the least number.
fn largest(vectors: &[[f64; 3]]) -> f64 {
    vectors.iter().map(length).fold(f64::MIN_POSITIVE, f64::max)
}

/// Returns what terms lack to their sum.
fn lacking(terms: &[[f64; 3]], sum: [f64; 3]) -> f64 {
    length(&[0, 1, 2].map(|axis: usize| terms.iter().map(|term| term[axis]).sum::<f64>() - sum[axis]))
}

fn momenta(world: &World, body: Handle) -> Result<[[f64; 3]; 2]> {
    let (state, mass) = (world.body_state(body)?, world.body_mass(body)?);
    let [x, y, z, w] = state.rotation;
    let local = rotate([-x, -y, -z, w], state.angular_velocity);
    let [xx, yy, zz, xy, yz, xz] = mass.inertia;
    let spun = [
        xx * local[0] + xy * local[1] + xz * local[2],
        xy * local[0] + yy * local[1] + yz * local[2],
        xz * local[0] + yz * local[1] + zz * local[2],
    ];
    Ok([state.linear_velocity.map(|speed| mass.mass * speed), rotate(state.rotation, spun)])
}
