//! Tests of this room, one file for each source.

mod loads;
mod material;
mod memory;
mod state;
mod touch;

use crate::contact::Touch;
use crate::math::Vec3;

/// A contact of two bodies as detection hands it over: what no test sets is NaN.
fn touch(body_a: u32, body_b: u32, feature: u64, x: f64) -> Touch {
    let unset = Vec3::repeat(f64::NAN);
    Touch {
        body_a,
        body_b,
        key: 0,
        feature,
        point: unset,
        normal: unset,
        gap: f64::NAN,
        local: Vec3::new(x, 0.0, 0.0),
        arm_a: unset,
        arm_b: unset,
        friction: f64::NAN,
        rolling: f64::NAN,
        twisting: f64::NAN,
        restitution: f64::NAN,
        stiffness: f64::NAN,
    }
}
