//! Periodic boxes that are strained.

use super::guard;
use super::handle::{self, dry_world};
use super::status_code::dry_status;

/// Strains the periodic box of a world: in each step of h seconds every period grows by period * rate * h. Tools of
/// DEM call this a homogeneous strain rate.
///
/// rates: along the world axes [1/s]. Positive: the period grows; negative: it shrinks; 0, the default: it stays. Other
/// numbers than 0 only along axes with a period (dry_world_def.period).
///
/// No body is moved by it. Where two bodies touch across a side, the image of one of them moves relative to the body.
/// Its velocity is the number of periods between both times the change of the period. So the image of a static body is
/// a wall that moves. Every contact law counts that velocity, along the normal and across it, and so does
/// dry_contact.relative_velocity.
///
/// A velocity in proportion to the place, rate * x, is that of a homogeneous strain. A host that gives it to all bodies
/// when the strain begins spares the inside of the box a wave from its sides. Its mean over the mass should be taken
/// off: a fully periodic box keeps its momentum.
///
/// dry_world_get_period and queries about places count with the box at the end of the last step, dry_query_stress with
/// branch vectors in that at its start. The work of the images is part of dry_step_report.wall_work. Joints and
/// half-spaces have no images, so the strain does not act on them.
///
/// dry_world_solve_static strains the box by rate * increment. Bodies then move in proportion to their places, which
/// counts towards dry_static_def.max_displacement: in a long box, or periods away from the origin, set it larger.
///
/// Rigid grains that fill the box cannot be pressed closer: steps then end with a residual. So does the impact stage of
/// DRY_METHOD_SPOOK, where grains that fill the box meet faster than restitution_threshold.
///
/// A step that would leave a period too short for a body, by the rule of dry_world_def.period, is DRY_ERR_ARGUMENT, and
/// nothing changes. A change of the rates wakes all bodies; none falls asleep while the box is strained. Each such
/// step finds all neighbours again.
#[unsafe(no_mangle)]
/// cbindgen:ptrs-as-arrays=[[rates; 3]]
pub unsafe extern "C" fn dry_world_set_strain_rate(world: *mut dry_world, rates: *const f64) -> dry_status {
    guard::run("dry_world_set_strain_rate", || {
        // SAFETY: the host gives three numbers.
        let (world, rates) = unsafe { (handle::of(world)?, guard::numbers("rates", rates)?) };
        world.write(|world| world.set_strain_rate(rates))
    })
}

/// Reads the rates at which the periods of a world grow, also of one that was restored.
///
/// rates: receives them, along the world axes [1/s].
#[unsafe(no_mangle)]
/// cbindgen:ptrs-as-arrays=[[rates; 3]]
pub unsafe extern "C" fn dry_world_get_strain_rate(world: *const dry_world, rates: *mut f64) -> dry_status {
    guard::run("dry_world_get_strain_rate", || {
        // SAFETY: the host gives room for three numbers.
        let (world, rates) = unsafe { (handle::of(world)?, guard::output_numbers("rates", rates)?) };
        world.read(|world| Ok(world.strain_rate())).map(|answer| rates.write(answer))
    })
}
