//! The result for a contact of a host's problem.

use crate::contact::state::{Doing, NEW, state};
use crate::math::{BodyRow, Vec3};
use crate::solver::{FullContact, Impulse, ImpulsiveWrench, Problem, Velocity};

/// The result for a contact. Vectors are in world axes and act on body b.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactSolution {
    /// Normal and friction [N s].
    pub impulse: Vec3,
    /// Not below zero [N s].
    pub normal_impulse: f64,
    /// Rolling and twisting [N m s].
    pub torque_impulse: Vec3,
    /// Normal and friction after the compatibility correction [N s].
    pub compatible_impulse: Vec3,
    /// [m/s]
    pub residual: f64,
    /// ACTIVE, SLIDING, ROLLING and NEW of [`crate::contact::state`].
    pub state: u32,
}

/// A solved contact, from which its result is computed.
pub(super) struct SolvedContact<'a> {
    pub(super) contact: FullContact<'a>,
    pub(super) impulse: ImpulsiveWrench,
    /// The impulse of the force after the compatibility correction.
    pub(super) compatible: &'a Impulse,
    /// The velocity of b relative to a.
    pub(super) relative: Velocity,
    /// [m/s]
    pub(super) residual: f64,
    /// Whether the last call had no contact with its key.
    pub(super) is_new: bool,
}

impl SolvedContact<'_> {
    /// Returns the result. A relative velocity up to `tolerance` counts as zero [m/s].
    pub(super) fn solution(&self, problem: &Problem, tolerance: f64) -> ContactSolution {
        let (contact, _) = self.contact;
        let ImpulsiveWrench { force, torque } = &self.impulse;
        ContactSolution {
            impulse: force.vector(&contact.normal),
            normal_impulse: force.normal,
            torque_impulse: *torque,
            compatible_impulse: self.compatible.vector(&contact.normal),
            residual: self.residual,
            state: state(&self.doing(problem), tolerance) | if self.is_new { NEW } else { 0 },
        }
    }

    /// Returns the forces and velocities that the state of the contact depends on.
    fn doing(&self, problem: &Problem) -> Doing {
        let ((contact, optional), ImpulsiveWrench { force, torque }) = (self.contact, &self.impulse);
        let (_, sliding) = contact.defect(&self.relative.linear, force, optional);
        let (_, rolling) = contact.split(torque);
        let (_, spin) = contact.split(&self.relative.angular);
        // The length is needed only if the contact resists rolling.
        let turns = optional.rolling > 0.0;
        let length = |[a, b]: [BodyRow; 2]| contact.turning_length(problem.mass(a), problem.mass(b));
        let spinning = if turns { length([contact.body_a, contact.body_b]) * spin.norm() } else { 0.0 };
        Doing {
            normal: force.normal,
            friction: force.tangential.norm(),
            friction_bound: contact.friction * force.normal,
            sliding: sliding.norm(),
            rolling: rolling.norm(),
            rolling_bound: optional.rolling * force.normal,
            spinning,
        }
    }
}
