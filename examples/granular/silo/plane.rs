//! A level plane through a silo: the force that the field of stress carries across it, and the weight above it.
//!
//! The weight above is the integral of the field of density over the room above. Over the level that is done in closed form: the integral of
//! a kernel over a half-space depends on the height of its grain alone. A grid of that room would have its own error at its lower
//! end, and millions of points. The density itself is compared on the plane.

use drystone::query::fields::KernelKind;
use drystone::tasks::Serial;

use super::support::Failure;
use super::support::grains::GRAVITY;
use super::vessel::{MEAN_DIAMETER, Silo};

/// Of Lucy's kernel [m].
const WIDTH: f64 = MEAN_DIAMETER;
/// Beyond it the kernel is 0 [m].
pub(crate) const REACH: f64 = 2.0 * WIDTH;
/// Between points of the grid on a plane [m].
const SPACING: f64 = WIDTH / 6.0;

/// What is found at a plane.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plane {
    /// By the field of stress, compression positive [N].
    pub(crate) force: f64,
    /// Of the grains above, by the field of density [N].
    pub(crate) weight: f64,
    /// Of the walls above on the grains, upwards [N].
    pub(crate) held: f64,
    /// Integral of the density over the plane, against the closed form, relative.
    pub(crate) density_off: f64,
}

impl Plane {
    /// Returns what stress and walls lack to the weight above, over that.
    pub(crate) fn imbalance(&self) -> f64 {
        ((self.force + self.held - self.weight) / self.weight).abs()
    }
}

/// What a wall carries at a place.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Load {
    pub(crate) height: f64,
    /// [N]
    pub(crate) normal: f64,
    /// Of the wall on the grain, upwards [N].
    pub(crate) upwards: f64,
}

/// Returns the loads of all contacts with the walls.
pub(crate) fn loads(silo: &Silo) -> Vec<Load> {
    let of_wall = |contact: drystone::query::ContactReport| {
        let sign = match (silo.walls.contains(&contact.body_a), silo.walls.contains(&contact.body_b)) {
            (true, _) => 1.0,
            (_, true) => -1.0,
            _ => return None,
        };
        // The normals of the walls are level.
        let upwards = sign * contact.friction_force[2];
        Some(Load { height: contact.point[2], normal: contact.normal_force, upwards })
    };
    silo.grains.world.contacts().filter_map(of_wall).collect()
}

/// Cuts a silo at a height.
pub(crate) fn cut(silo: &Silo, loads: &[Load], height: f64) -> Result<Plane, Failure> {
    let [xs, ys] = silo.half_width.map(grid);
    let points: Vec<[f64; 3]> = xs.iter().flat_map(|x| ys.iter().map(move |y| [*x, *y, height])).collect();
    let fields = silo.grains.world.fields(&points, KernelKind::Lucy, WIDTH, &Serial)?;
    let (mut stress, mut density) = (0.0, 0.0);
    for field in fields.iter() {
        stress += field.contact_stress[8] + field.kinetic_stress[8];
        density += field.density;
    }
    let (mut above, mut level) = (0.0, 0.0);
    for (state, mass) in silo.grains.states()?.iter().zip(silo.masses()) {
        let over = (state.position[2] - height) / REACH;
        above += mass * share_above(over);
        level += mass * at_level(over) / REACH;
    }
    let held = loads.iter().map(|load| load.upwards * share_above((load.height - height) / REACH)).sum();
    let element = SPACING * SPACING;
    Ok(Plane {
        force: -stress * element,
        weight: GRAVITY * above,
        held,
        density_off: (density * element / level - 1.0).abs(),
    })
}

/// Returns places along an axis, to beyond the reach of the kernel from the walls.
fn grid(half_width: f64) -> Vec<f64> {
    let count = ((half_width + REACH) / SPACING).ceil() as i32;
    (-count..=count).map(|at| f64::from(at) * SPACING).collect()
}

/// Returns the integral of Lucy's kernel over the plane at the distance `u` from its middle, both in units of its reach.
///
/// The kernel is `105/(16 pi) (1 - 6 a^2 + 8 a^3 - 3 a^4)`.
fn at_level(u: f64) -> f64 {
    let u = u.abs().min(1.0);
    let inside = u * u * (0.5 + u * u * (-1.5 + u * (1.6 - 0.5 * u)));
    13.125 * (0.1 - inside)
}

/// Returns the integral of the same over all that is not further than `u` below its middle.
fn share_above(u: f64) -> f64 {
    let beside = u.abs().min(1.0);
    let cube = beside * beside * beside;
    let inside = cube * (1.0 / 6.0 + beside * beside * (-0.3 + beside * (4.0 / 15.0 - beside / 14.0)));
    0.5 + u.signum() * 13.125 * (0.1 * beside - inside)
}
