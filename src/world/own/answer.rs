//! What a host is told of a contact.

use crate::contact::state::{Doing, NEW, state};
use crate::math::Vec3;
use crate::solver::{Impulse, ImpulsiveWrench, Problem, Velocity, WholeContact};

/// What the solver found for a contact; vectors in world axes, on body b.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactSolution {
    /// Normal and friction [N s].
    pub impulse: Vec3,
    /// Not below zero [N s].
    pub normal_impulse: f64,
    /// Rolling and twisting [N m s].
    pub torque_impulse: Vec3,
    /// The first one after the compatibility correction [N s].
    pub compatible_impulse: Vec3,
    /// [m/s]
    pub residual: f64,
    /// ACTIVE, SLIDING, ROLLING and NEW of [`crate::contact::state`].
    pub state: u32,
}

/// What is told of `contact` with this impulse, the corrected one, residual and velocity of b relative to a.
pub(super) fn told(
    problem: &Problem,
    (contact, besides): WholeContact,
    (impulse, compatible): (&ImpulsiveWrench, &Impulse),
    (relative, residual): (Velocity, f64),
    (is_new, tolerance): (bool, f64),
) -> ContactSolution {
    let doing = doing(problem, (contact, besides), impulse, &relative);
    ContactSolution {
        impulse: impulse.force.vector(&contact.normal),
        normal_impulse: impulse.force.normal,
        torque_impulse: impulse.torque,
        compatible_impulse: compatible.vector(&contact.normal),
        residual,
        state: state(&doing, tolerance) | if is_new { NEW } else { 0 },
    }
}

fn doing(problem: &Problem, (contact, besides): WholeContact, impulse: &ImpulsiveWrench, relative: &Velocity) -> Doing {
    let ImpulsiveWrench { force, torque } = impulse;
    let (_, sliding) = contact.defect(&relative.linear, force, besides);
    let (_, rolling) = contact.split(torque);
    let (_, spin) = contact.split(&relative.angular);
    // the length is asked for only where something resists rolling
    let turns = besides.rolling > 0.0;
    let length = |[a, b]: [u32; 2]| contact.turning_length(problem.mass(a), problem.mass(b));
    let spinning = if turns { length([contact.body_a, contact.body_b]) * spin.norm() } else { 0.0 };
    Doing {
        normal: force.normal,
        friction: force.tangential.norm(),
        friction_bound: contact.friction * force.normal,
        sliding: sliding.norm(),
        rolling: rolling.norm(),
        rolling_bound: besides.rolling * force.normal,
        spinning,
    }
}
