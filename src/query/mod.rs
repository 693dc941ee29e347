//! Read-only queries about the last completed step. They return contacts with their forces, the sum of these forces on a
//! body, the mean stress of the contacts in a box, and coarse-grained fields. Forces are averaged over the step, in world
//! axes, and act on body b.

use crate::body::Wrench;
use crate::contact::state::ContactMagnitudes;
use crate::contact::{self, ContactState, ContactView};
use crate::error::{Error, Number, Result, all_finite, in_range, text};
use crate::id::{Handle, Registry};
use crate::math::{Impulse, ImpulsiveWrench, Mat3, Period, Vec3};

pub use crate::contact::state::{ACTIVE, NEW, ROLLING, SLIDING};

pub mod fields;

#[cfg(test)]
mod tests;

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
    pub impact_force: [f64; 3],
}

/// The impulses of a contact over a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StepImpulses {
    /// All of them together.
    pub total: ImpulsiveWrench,
    /// The part of the force from the impact stages.
    pub impact: Impulse,
}

/// Returns the report of a contact between two of the `bodies`, with its `impulses` in a step. The step has the length `step`
/// [s] and was solved to `tolerance` [m/s].
pub fn contact_report(
    touch: &ContactView,
    load: &ContactState,
    StepImpulses { total, impact }: StepImpulses,
    bodies: &Registry,
    step: f64,
    tolerance: f64,
) -> ContactReport {
    ContactReport {
        body_a: bodies.handle(touch.body_a as usize),
        body_b: bodies.handle(touch.body_b as usize),
        key: touch.key,
        point: touch.geometry.point.into(),
        normal: touch.geometry.normal.into(),
        gap: touch.geometry.gap,
        normal_force: total.force.normal / step,
        friction_force: (total.force.tangential / step).into(),
        rolling_torque: (total.torque / step).into(),
        compatible_normal_force: load.compatible.normal / step,
        compatible_friction_force: (load.compatible.tangential / step).into(),
        relative_velocity: load.relative_velocity.into(),
        friction: touch.surface.friction,
        stiffness: touch.surface.stiffness,
        state: state(touch, load, &total, tolerance),
        impact_force: (impact.vector(&touch.geometry.normal) / step).into(),
    }
}

/// Returns the state of a contact. It is active if it carried impulse in any substep. The last substep decides whether it slides or rolls.
/// The mean over the step cannot decide that: it is below the bound if sliding began within the step or changed its direction.
fn state(touch: &ContactView, load: &ContactState, total: &ImpulsiveWrench, tolerance: f64) -> u32 {
    let across = |vector: &Vec3| vector - touch.geometry.normal.dot(vector) * touch.geometry.normal;
    let magnitudes = ContactMagnitudes {
        normal: load.impulse.force.normal,
        friction: load.impulse.force.tangential.norm(),
        friction_bound: touch.surface.friction * load.impulse.force.normal,
        sliding: across(&load.relative_velocity).norm(),
        rolling: across(&load.impulse.torque).norm(),
        rolling_bound: touch.surface.rolling * load.impulse.force.normal,
        spinning: load.rolling_speed,
    };
    let loaded = if total.force.normal > 0.0 { ACTIVE } else { 0 };
    contact::state::state(&magnitudes, tolerance) | loaded | if load.is_new { NEW } else { 0 }
}

/// Returns the sum of the forces on the body in `slot` and their torque about its centre of mass at the start of the
/// step. Each contact comes with what it carried and with the length of its step in seconds.
pub fn forces_on(slot: u32, contacts: impl Iterator<Item = (ContactView, ImpulsiveWrench, f64)>) -> Wrench {
    let mut sum = Wrench::ZERO;
    for (touch, total, step) in contacts {
        let (sign, arm) = if touch.body_a == slot {
            (-1.0, &touch.geometry.arm_a)
        } else if touch.body_b == slot {
            (1.0, &touch.geometry.arm_b)
        } else {
            continue;
        };
        let force = total.force.vector(&touch.geometry.normal) * (sign / step);
        sum.force += force;
        sum.torque += arm.cross(&force) + total.torque * (sign / step);
    }
    sum
}

/// A box along the world axes over which stress is averaged. It contains its lower faces but not its upper ones, so that
/// boxes next to each other count each contact once.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Region {
    lower: Vec3,
    upper: Vec3,
    volume: f64,
    period: Period,
}

impl Region {
    /// Returns the box between two corners. Refuses corners that are not finite or not in order, and a volume that overflows or
    /// underflows.
    pub fn new(lower: [f64; 3], upper: [f64; 3]) -> Result<Self> {
        all_finite("lower", &lower)?;
        all_finite("upper", &upper)?;
        for (axis, (low, high)) in lower.iter().zip(upper).enumerate() {
            if *low >= high {
                let message = text!(
                    "lower[{axis}] is {}, expected a number below upper[{axis}], which is {}",
                    Number(*low),
                    Number(high)
                );
                return Err(Error::argument(message));
            }
        }
        let (lower, upper) = (Vec3::from(lower), Vec3::from(upper));
        let volume = (upper - lower).product();
        in_range("the volume between lower and upper", volume, volume.is_normal(), "2.3e-308 to 1.7e308 m^3")?;
        Ok(Self { lower, upper, volume, period: Period::OPEN })
    }

    /// Returns the same region in a periodic box, in which each image of a contact counts.
    pub fn of_box(self, period: &Period) -> Self {
        Self { period: *period, ..self }
    }

    /// Returns the number of images of a point in the region.
    fn images(&self, point: &Vec3) -> f64 {
        (0..3).map(|axis| self.images_along(axis, point[axis])).product()
    }

    fn images_along(&self, axis: usize, at: f64) -> f64 {
        let (lower, upper, length) = (self.lower[axis], self.upper[axis], self.period.lengths()[axis]);
        if length == 0.0 {
            return f64::from(lower <= at && at < upper);
        }
        // Each whole period in the region has one image, wherever the point is.
        let periods = (upper - lower) / length;
        let inside = (at - lower) / length;
        periods.floor() + f64::from(inside - inside.floor() < periods - periods.floor())
    }
}

/// Returns `-1/V sum l (x) f` over the contacts whose points lie in the region, row by row: `stress[3 i + j]` sums
/// `l_i f_j` [Pa]. `f` is the force on body b averaged over the step, whose length in seconds comes with the contact.
/// `l` is the branch vector from the centre of mass of body a to that of body b. Tension is positive.
///
/// On the side of a body that is not `movable` the branch ends at the contact point. The centre of a wall or a floor
/// has no meaning for the grains next to it. Every movable body then adds `1/V sum r (x) f` of the forces on itself,
/// `r` from its centre of mass. For bodies that rest without weight the sum of these terms is `1/V sum x (x) t`. Here
/// `t` are the forces that the walls exert on them at the points `x`, wherever the origin lies.
pub fn mean_stress(
    region: &Region,
    contacts: impl Iterator<Item = (ContactView, ContactState, f64)>,
    movable: impl Fn(u32) -> bool,
) -> Result<[f64; 9]> {
    let arm = |body: u32, arm: &Vec3| if movable(body) { *arm } else { Vec3::zeros() };
    let mut sum = Mat3::zeros();
    for (touch, load, step) in contacts {
        let images = region.images(&touch.geometry.point);
        if images == 0.0 {
            continue;
        }
        // The branch is arm_a - arm_b. Its opposite is used, for the minus of the definition.
        let against_branch = arm(touch.body_b, &touch.geometry.arm_b) - arm(touch.body_a, &touch.geometry.arm_a);
        // Without a correction the compatible impulses are those of the solver.
        let impulse_on_b = load.compatible.vector(&touch.geometry.normal);
        sum += against_branch * (images * impulse_on_b / step).transpose();
    }
    let stress = std::array::from_fn(|entry| sum[(entry / 3, entry % 3)] / region.volume);
    all_finite("stress", &stress)?;
    Ok(stress)
}
