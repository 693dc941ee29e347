//! A contact for the tests of this module.

use crate::contact::{ContactGeometry, ContactState, ContactView, FrictionFrame, Surface};
use crate::math::{Impulse, ImpulsiveWrench, Vec3};

/// The same with this impulse.
pub(super) fn with_impulse(load: ContactState, force: Impulse, torque: Vec3) -> ContactState {
    ContactState { impulse: ImpulsiveWrench { force, torque }, ..load }
}

/// A contact that was there before. What no test sets is NaN.
pub(super) fn sticking(body_a: u32, body_b: u32) -> ContactView {
    let geometry = ContactGeometry {
        feature: 0,
        local: Vec3::repeat(f64::NAN),
        gap: -0.25,
        normal: Vec3::z(),
        arm_a: Vec3::new(0.0, 0.0, 1.0),
        arm_b: Vec3::new(0.0, 3.0, -1.0),
        point: Vec3::new(1.0, 2.0, 3.0),
        radius: f64::NAN,
        is_along_normal: [false; 2],
    };
    let surface = Surface { friction: 0.5, rolling: 0.0, twisting: 0.0, restitution: f64::NAN, stiffness: 4.0 };
    ContactView { body_a, body_b, key: 7, geometry, surface }
}

const FORCE: Impulse = Impulse { normal: 2.0, tangential: Vec3::new(0.5, 0.0, 0.0) };

/// What it carries where it sticks: `(0.5, 0, 2)` N s on body b, inside its cone of 0.5. The compatible impulses are the same.
pub(super) const STICKING: ContactState = ContactState {
    impulse: ImpulsiveWrench { force: FORCE, torque: Vec3::new(0.0, 0.0, 0.0) },
    compatible: FORCE,
    position_multiplier: 0.0,
    relative_velocity: Vec3::new(0.0, 0.0, 0.0),
    rolling_speed: 0.0,
    frame: FrictionFrame { normal: Vec3::new(0.0, 0.0, 0.0), twist: 0.0 },
    rebounds: false,
    had_impact: false,
    is_new: false,
};
