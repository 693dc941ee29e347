//! The rolling and twisting resistance of a contact prepared for the sweep, visited after the contact itself.
//!
//! The torque of rolling lies in a disc, that of twisting in an interval; both are bounded by the contact's normal impulse
//! ([W] section 2, with the lengths `mu_r r*` and `mu_tw r*`).

use crate::math::{Vec3, tangents};
use crate::solver::gauss_seidel::disc::Disc;
use crate::solver::problem::{FullContact, Problem};

/// The torque rows of a contact.
#[derive(Debug, Clone, Copy)]
pub(in crate::solver) struct RollingRow {
    /// Tangents, of which those of the disc are made.
    pub(in crate::solver) t1: Vec3,
    pub(in crate::solver) t2: Vec3,
    /// The block of rolling about `t1` and `t2`; none where the bodies do not turn about either.
    pub(in crate::solver) disc: Option<Disc>,
    /// The diagonal entry of twisting [1/(kg m^2)].
    pub(in crate::solver) twisting_block: f64,
    /// The distance at which a torque counts as a force [m].
    pub(in crate::solver) length: f64,
}

impl RollingRow {
    /// The row of a contact that resists turning, or `None`.
    pub(in crate::solver) fn new(problem: &Problem, (contact, optional): FullContact) -> Option<Self> {
        let (mass_a, mass_b) = (problem.mass(contact.body_a), problem.mass(contact.body_b));
        let turns = mass_a.angular.trace() + mass_b.angular.trace() > 0.0;
        if !optional.resists_turning() || !turns {
            return None;
        }
        let (t1, t2) = tangents(&contact.normal);
        let respond = |axis: &Vec3| mass_a.angular.times(axis) + mass_b.angular.times(axis);
        let (along_1, along_2) = (respond(&t1), respond(&t2));
        Some(Self {
            t1,
            t2,
            disc: Disc::new(t1.dot(&along_1), t1.dot(&along_2), t2.dot(&along_2)),
            twisting_block: contact.normal.dot(&respond(&contact.normal)),
            length: contact.measure(mass_a, mass_b, optional).length,
        })
    }
}
