//! What a contact looks like from outside.

use crate::world::ContactReport;

use super::names::dry_body;
use super::structure::Recorded;

/// dry_contact.state: the contact carries impulse.
pub const DRY_CONTACT_ACTIVE: u32 = 1u32;
/// dry_contact.state: it slides, its friction on the cone. An active contact that does not slide sticks.
pub const DRY_CONTACT_SLIDING: u32 = 2u32;
/// dry_contact.state: it rolls and does not slide, its rolling or twisting resistance at its bound. Only where the
/// materials resist rolling or twisting.
pub const DRY_CONTACT_ROLLING: u32 = 4u32;
/// dry_contact.state: the step before did not have it.
pub const DRY_CONTACT_NEW: u32 = 8u32;

/// A contact of the last step. Grows at its end: sizeof(dry_contact) goes to dry_query_contacts with the array.
///
/// The normal points from body_a to body_b. Forces and torques are those on body_b, averaged over the step, world axes;
/// body_a receives the opposite.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct dry_contact {
    /// The first body.
    pub body_a: dry_body,
    /// The second body.
    pub body_b: dry_body,
    /// The same contact keeps its key from step to step.
    pub key: u64,
    /// At the start of the step, world axes [m].
    pub point: [f64; 3],
    /// At the start of the step, from body_a to body_b, unit [-].
    pub normal: [f64; 3],
    /// At the start of the step; below 0: overlap [m].
    pub gap: f64,
    /// Along the normal, 0 or above [N].
    pub normal_force: f64,
    /// Across the normal [N].
    pub friction_force: [f64; 3],
    /// Rolling resistance across the normal and twisting resistance along it, beside the moments of the forces above; 0
    /// between two flat places [N m].
    pub rolling_torque: [f64; 3],
    /// After the compatibility correction; equal to normal_force while that is off [N].
    pub compatible_normal_force: f64,
    /// After the compatibility correction; equal to friction_force while that is off [N].
    pub compatible_friction_force: [f64; 3],
    /// Of body_b with respect to body_a at the contact, at the end of the step [m/s].
    pub relative_velocity: [f64; 3],
    /// The pair's coefficient [-].
    pub friction: f64,
    /// Of the compatibility correction, relative to other contacts.
    pub stiffness: f64,
    /// DRY_CONTACT_ bits.
    pub state: u32,
    /// Always 0.
    pub reserved: u32,
}

impl Recorded for dry_contact {
    const NAME: &'static str = "dry_contact";
    const SIZES: &'static [usize] = &[size_of::<Self>()];
}

impl From<ContactReport> for dry_contact {
    fn from(contact: ContactReport) -> Self {
        Self {
            body_a: contact.body_a.0,
            body_b: contact.body_b.0,
            key: contact.key,
            point: contact.point,
            normal: contact.normal,
            gap: contact.gap,
            normal_force: contact.normal_force,
            friction_force: contact.friction_force,
            rolling_torque: contact.rolling_torque,
            compatible_normal_force: contact.compatible_normal_force,
            compatible_friction_force: contact.compatible_friction_force,
            relative_velocity: contact.relative_velocity,
            friction: contact.friction,
            stiffness: contact.stiffness,
            state: contact.state,
            reserved: 0,
        }
    }
}
