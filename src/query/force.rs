//! The sum of the contact forces on a body.

use crate::body::Wrench;
use crate::contact::{ContactView, StepImpulse};

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
