//! Surfaces that move over their bodies.

use crate::id::Handle;

use super::guard;
use super::handle::{self, dry_body, dry_world};
use super::status_code::dry_status;

/// Makes the surface of a body move over the body: a conveyor belt, a track, or a drum that a fixed shape stands for.
///
/// At a contact point p the surface has the velocity linear + angular x (p - centre of mass) relative to the body's own
/// material. Friction counts it: it is at rest where the other body moves with the surface, and dry_contact's
/// relative_velocity and DRY_CONTACT_SLIDING count from there. Only its part in the tangent plane acts. The shape, the
/// pose and the velocities of the body stay as they are, and so does its energy. Rolling and twisting resistance count
/// the spins of the bodies, without that of the surface.
///
/// linear: body axes [m/s]: the belt of a machine that turns goes with the machine.
/// angular: body axes [rad/s].
///
/// Any body may have one, until it is removed; zeros, the default, end it. A change wakes the body's island and what
/// rests on the body. What touches a surface that moves does not fall asleep.
#[unsafe(no_mangle)]
/// cbindgen:ptrs-as-arrays=[[linear; 3], [angular; 3]]
pub unsafe extern "C" fn dry_body_set_surface_velocity(
    world: *mut dry_world,
    body: dry_body,
    linear: *const f64,
    angular: *const f64,
) -> dry_status {
    guard::run("dry_body_set_surface_velocity", || {
        // SAFETY: the host gives three numbers twice.
        let (world, linear, angular) =
            unsafe { (handle::of(world)?, guard::numbers("linear", linear)?, guard::numbers("angular", angular)?) };
        world.write(|world| world.set_surface_velocity(Handle(body), linear, angular))
    })
}

/// Reads how the surface of a body moves over the body; zeros unless dry_body_set_surface_velocity was called.
///
/// linear: receives its velocity at the centre of mass, body axes [m/s].
/// angular: receives its angular velocity, body axes [rad/s].
#[unsafe(no_mangle)]
/// cbindgen:ptrs-as-arrays=[[linear; 3], [angular; 3]]
pub unsafe extern "C" fn dry_body_get_surface_velocity(
    world: *const dry_world,
    body: dry_body,
    linear: *mut f64,
    angular: *mut f64,
) -> dry_status {
    guard::run("dry_body_get_surface_velocity", || {
        // SAFETY: the host gives room for three numbers twice.
        let (world, linear, angular) = unsafe {
            (handle::of(world)?, guard::output_numbers("linear", linear)?, guard::output_numbers("angular", angular)?)
        };
        world.read(|world| world.surface_velocity(Handle(body))).map(|answer| {
            linear.write(answer.0);
            angular.write(answer.1);
        })
    })
}
