//! A contact as its host sees it: forces averaged over the step, world axes, on body b. Their sum on a body.

use crate::body::Wrench;
use crate::contact::state::Doing;
use crate::contact::{self, ContactState, ContactView, StepImpulse};
use crate::id::{Handle, Registry};
use crate::math::Vec3;

pub use crate::contact::state::{ACTIVE, NEW, ROLLING, SLIDING};

/// A contact of the last completed step. `dry_contact` of the C interface documents each member.
#[derive(Debug, Clone, Copy, PartialEq)]
#[allow(missing_docs)] // documented once, at `dry_contact`
pub struct ContactReport {
    pub body_a: Handle,
    pub body_b: Handle,
    pub key: u64,
    pub point: [f64; 3],
    pub normal: [f64; 3],
    pub gap: f64,
    pub normal_force: f64,
    pub friction_force: [f64; 3],
    pub rolling_torque: [f64; 3],
    pub compatible_normal_force: f64,
    pub compatible_friction_force: [f64; 3],
    pub relative_velocity: [f64; 3],
    pub friction: f64,
    pub stiffness: f64,
    pub state: u32,
}

/// What a host sees of a contact of two of the `bodies` that carried `total` in a step of length `step`, solved to `tolerance` [m/s].
pub fn contact_report(
    touch: &ContactView,
    load: &ContactState,
    total: StepImpulse,
    bodies: &Registry,
    step: f64,
    tolerance: f64,
) -> ContactReport {
    ContactReport {
        body_a: bodies.handle(touch.body_a as usize),
        body_b: bodies.handle(touch.body_b as usize),
        key: touch.key,
        point: touch.spot.point.into(),
        normal: touch.spot.normal.into(),
        gap: touch.spot.gap,
        normal_force: total.normal / step,
        friction_force: (total.friction / step).into(),
        rolling_torque: (total.torque / step).into(),
        compatible_normal_force: load.compatible_normal / step,
        compatible_friction_force: (load.compatible_friction / step).into(),
        relative_velocity: load.relative_velocity.into(),
        friction: touch.surface.friction,
        stiffness: touch.surface.stiffness,
        state: state(touch, load, &total, tolerance),
    }
}

/// It is active if it carried impulse in any substep; whether it slides or rolls is told by the last one, since the friction of
/// a slide that turns, or that began within the step, averages to less than its bound.
fn state(touch: &ContactView, load: &ContactState, total: &StepImpulse, tolerance: f64) -> u32 {
    let across = |vector: &Vec3| vector - touch.spot.normal.dot(vector) * touch.spot.normal;
    let doing = Doing {
        normal: load.normal_impulse,
        friction: load.friction_impulse.norm(),
        friction_bound: touch.surface.friction * load.normal_impulse,
        sliding: across(&load.relative_velocity).norm(),
        rolling: across(&load.torque_impulse).norm(),
        rolling_bound: touch.surface.rolling * load.normal_impulse,
        spinning: load.rolling_speed,
    };
    let loaded = if total.normal > 0.0 { ACTIVE } else { 0 };
    contact::state::state(&doing, tolerance) | loaded | if load.is_new { NEW } else { 0 }
}

/// The forces on the body in `slot`, contact by contact with what each carried and the length of its step in seconds; the
/// torque is about the body's centre of mass at the start of the step.
pub fn forces_on(slot: u32, contacts: impl Iterator<Item = (ContactView, StepImpulse, f64)>) -> Wrench {
    let mut sum = Wrench::ZERO;
    for (touch, total, step) in contacts {
        let (sign, arm) = if touch.body_a == slot {
            (-1.0, &touch.spot.arm_a)
        } else if touch.body_b == slot {
            (1.0, &touch.spot.arm_b)
        } else {
            continue;
        };
        let force = (total.normal * touch.spot.normal + total.friction) * (sign / step);
        sum.force += force;
        sum.torque += arm.cross(&force) + total.torque * (sign / step);
    }
    sum
}
