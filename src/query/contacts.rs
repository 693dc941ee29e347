//! A contact as its host sees it: forces averaged over the step, world axes, on body b.

use crate::contact::state::Doing;
use crate::contact::{self, Total, Touch};
use crate::id::Handle;
use crate::math::Vec3;

pub use crate::contact::state::{ACTIVE, NEW, ROLLING, SLIDING};

/// A contact of the last completed step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactReport {
    /// Body a.
    pub body_a: Handle,
    /// Body b.
    pub body_b: Handle,
    /// The same number for the same contact, step after step.
    pub key: u64,
    /// Midway between the surfaces at the start of the step [m].
    pub point: [f64; 3],
    /// From a to b.
    pub normal: [f64; 3],
    /// At the start of the step, above zero: apart [m].
    pub gap: f64,
    /// Not below zero [N].
    pub normal_force: f64,
    /// Tangential, on b [N].
    pub friction_force: [f64; 3],
    /// Rolling and twisting, on b [N m].
    pub rolling_torque: [f64; 3],
    /// [N]
    pub compatible_normal_force: f64,
    /// [N]
    pub compatible_friction_force: [f64; 3],
    /// Of b with respect to a at the end of the step [m/s].
    pub relative_velocity: [f64; 3],
    /// The pair's coefficient [-].
    pub friction: f64,
    /// The pair's relative stiffness.
    pub stiffness: f64,
    /// [`ACTIVE`], [`SLIDING`], [`ROLLING`], [`NEW`].
    pub state: u32,
}

/// What a host sees of a contact that carried `total` in a step of length `step`, solved to `tolerance` [m/s].
pub fn contact_report((touch, total): (&Touch, Total), step: f64, tolerance: f64) -> ContactReport {
    let normal_force = total.normal / step;
    let friction_force = (total.friction / step).into();
    ContactReport {
        body_a: touch.handle_a,
        body_b: touch.handle_b,
        key: touch.key,
        point: touch.point.into(),
        normal: touch.normal.into(),
        gap: touch.gap,
        normal_force,
        friction_force,
        rolling_torque: (total.torque / step).into(),
        compatible_normal_force: touch.compatible_normal / step,
        compatible_friction_force: (touch.compatible_friction / step).into(),
        relative_velocity: touch.relative_velocity.into(),
        friction: touch.friction,
        stiffness: touch.stiffness,
        state: state((touch, &total), tolerance),
    }
}

/// It is active if it carried impulse in any substep; whether it slides or rolls is told by the last one, since the friction of
/// a slide that turns, or that began within the step, averages to less than its bound.
fn state((touch, total): (&Touch, &Total), tolerance: f64) -> u32 {
    let (_, sliding) = split(&touch.normal, &touch.relative_velocity);
    let (_, rolling) = split(&touch.normal, &touch.torque_impulse);
    let doing = Doing {
        normal: touch.normal_impulse,
        friction: touch.friction_impulse.norm(),
        friction_bound: touch.friction * touch.normal_impulse,
        sliding: sliding.norm(),
        rolling: rolling.norm(),
        rolling_bound: touch.rolling * touch.normal_impulse,
        spinning: touch.rolling_speed,
    };
    let loaded = if total.normal > 0.0 { ACTIVE } else { 0 };
    contact::state::state(&doing, tolerance) | loaded | if touch.is_new { NEW } else { 0 }
}

/// A vector as its part along the normal and the rest.
fn split(normal: &Vec3, vector: &Vec3) -> (Vec3, Vec3) {
    let along = normal.dot(vector) * normal;
    (along, vector - along)
}
