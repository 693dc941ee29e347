//! A contact as its host sees it: forces averaged over the step, world axes, on body b.

use crate::contact::state::Doing;
use crate::contact::{self, ContactState, ContactView, StepImpulse};
use crate::id::{Handle, Registry};
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

/// What a host sees of a contact of two of the `bodies` that carried `total` in a step of length `step`, solved to `tolerance` [m/s].
pub fn contact_report(
    touch: &ContactView,
    load: &ContactState,
    total: StepImpulse,
    bodies: &Registry,
    step: f64,
    tolerance: f64,
) -> ContactReport {
    let normal_force = total.normal / step;
    let friction_force = (total.friction / step).into();
    ContactReport {
        body_a: bodies.handle(touch.body_a as usize),
        body_b: bodies.handle(touch.body_b as usize),
        key: touch.key,
        point: touch.spot.point.into(),
        normal: touch.spot.normal.into(),
        gap: touch.spot.gap,
        normal_force,
        friction_force,
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
    let (_, sliding) = split(&touch.spot.normal, &load.relative_velocity);
    let (_, rolling) = split(&touch.spot.normal, &load.torque_impulse);
    let doing = Doing {
        normal: load.normal_impulse,
        friction: load.friction_impulse.norm(),
        friction_bound: touch.surface.friction * load.normal_impulse,
        sliding: sliding.norm(),
        rolling: rolling.norm(),
        rolling_bound: touch.surface.rolling * load.normal_impulse,
        spinning: load.rolling_speed,
    };
    let loaded = if total.normal > 0.0 { ACTIVE } else { 0 };
    contact::state::state(&doing, tolerance) | loaded | if load.is_new { NEW } else { 0 }
}

/// A vector as its part along the normal and the rest.
fn split(normal: &Vec3, vector: &Vec3) -> (Vec3, Vec3) {
    let along = normal.dot(vector) * normal;
    (along, vector - along)
}
