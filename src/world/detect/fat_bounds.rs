//! The bounds of bodies, and their fat bounds: larger than the shape, so that a body stays inside them for several steps.

use crate::body::{Bodies, Kind};
use crate::contact::Memory;
use crate::contact::material::Materials;
use crate::math::{Aabb, Period, Pose, Vec3};
use crate::shape::Shape;
use crate::tasks::Tasks;
use crate::world::joints::Separated;
use crate::world::settings::Settings;
use crate::world::shape_registry::Shapes;
use crate::world::sleep::SleepState;

/// The smallest and the largest skin of a body that may move, in units of its radius [-]. The skin is the distance that the body may
/// move before its fat bounds are updated. A larger skin has more neighbours that do not touch.
const MIN_SKIN: f64 = 0.05;
const MAX_SKIN: f64 = 0.36;

/// The skin is the distance that the body travels in this number of steps, between the two limits [-].
pub(super) const SKIN_STEPS: f64 = 6.0;

/// The fat bounds are moved ahead along the velocity by this part of the skin, so that the body stays in them longer [-].
const AHEAD: f64 = 0.5;

/// A body that leaves the largest skin in fewer steps than this gets no skin, since its bounds are updated in every step [-].
const MIN_STEPS: f64 = 2.0;

/// The input of detection: all data on which the contacts of a step depend.
pub(in crate::world) struct DetectInput<'a> {
    pub(in crate::world) tasks: &'a dyn Tasks,
    pub(in crate::world) settings: &'a Settings,
    pub(in crate::world) period: &'a Period,
    pub(in crate::world) shapes: &'a Shapes,
    pub(in crate::world) materials: &'a Materials,
    pub(in crate::world) bodies: &'a Bodies,
    pub(in crate::world) sleep: &'a SleepState,
    /// The pairs of bodies whose joints switch off their contacts.
    pub(in crate::world) separated: Separated<'a>,
    /// Length of the last step, an estimate of this one's; 0 before the first step [s].
    pub(in crate::world) last_step_length: f64,
    /// The contacts of the last step, and what they carried.
    pub(in crate::world) memory: &'a Memory,
}

/// The fat bounds of a sphere: its centre may be anywhere within `skin` of `center`.
#[derive(Debug, Clone, Copy)]
pub(super) struct FatSphere {
    pub(super) center: Vec3,
    pub(super) skin: f64,
}

/// How the fat bounds of a body differ from its bounds.
pub(super) struct Skin {
    /// The displacement of the bounds along the velocity [m].
    pub(super) ahead: Vec3,
    /// The distance that the body may move from there [m].
    pub(super) width: f64,
}

impl DetectInput<'_> {
    /// Returns the skin of the body in `slot`, which has this `size` [m]. A rotation moves points of the body that are `reach` away
    /// from the centre; 0 for a sphere [m].
    pub(super) fn skin(&self, slot: usize, size: f64, reach: f64) -> Skin {
        let none = Skin { ahead: Vec3::zeros(), width: 0.0 };
        if !may_move(self.bodies, slot) {
            return none;
        }
        let motion = &self.bodies.motion[slot];
        let way = self.last_step_length * (motion.linear.norm() + reach * motion.angular.norm());
        let widest = MAX_SKIN * size;
        // NaN fails the comparison, so such a body gets no skin.
        let stays = MIN_STEPS * way <= widest;
        if !stays {
            return none;
        }
        let width = (SKIN_STEPS * way).clamp(MIN_SKIN * size, widest);
        let ahead = if way > 0.0 { (AHEAD * width / way).min(AHEAD * SKIN_STEPS) * self.last_step_length } else { 0.0 };
        Skin { ahead: ahead * motion.linear, width }
    }
}

/// Returns whether a step can move the body. Detection does no work for other bodies. If the answer changes, the body must be added
/// to `Bodies::changes`.
pub(super) fn may_move(bodies: &Bodies, slot: usize) -> bool {
    bodies.traits[slot].kind != Kind::Static && !bodies.asleep[slot]
}

/// The largest relative round-off of a difference of positions [-].
pub(super) const ROUND_OFF: f64 = 1e-9;

/// The space that a body occupies, if it is not a plain sphere.
#[derive(Debug, Clone, Copy)]
pub(super) enum Extent {
    /// These bounds, grown by half the contact margin.
    Bounds(Aabb),
    /// All points whose coordinate along `normal` is at most `offset`, measured from the world's origin, without margin.
    Below { normal: Vec3, offset: f64 },
}

impl Extent {
    /// Returns the space that `shape` occupies at `pose`.
    pub(super) fn of(shape: &Shape, pose: &Pose, margin: f64) -> Self {
        match shape {
            Shape::HalfSpace(half_space) => {
                let normal = pose.matrix * half_space.normal;
                Self::Below { normal, offset: half_space.offset + normal.dot(&pose.origin) }
            }
            shape => Self::Bounds(shape.bounds(pose).grown(0.5 * margin)),
        }
    }

    /// Returns whether all of `other` is in this one.
    pub(super) fn holds(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Bounds(all), Self::Bounds(part)) => all.holds(part),
            (Self::Below { normal, offset }, Self::Below { normal: other, offset: up_to }) => {
                normal == other && up_to <= offset
            }
            _ => false,
        }
    }

    /// Returns whether a half-space comes within `margin` of a body, whose bounds are grown by half of it. In doubt the answer is true.
    pub(super) fn reaches(&self, bounds: &Aabb, margin: f64) -> bool {
        let Self::Below { normal, offset } = self else { return true };
        let center = 0.5 * bounds.lower + 0.5 * bounds.upper;
        let reach = normal.abs().dot(&(bounds.upper - center)) + 0.5 * margin;
        let round_off = ROUND_OFF * reach + 1e-14 * (normal.abs().dot(&center.abs()) + offset.abs());
        normal.dot(&center) - reach - round_off <= *offset
    }
}
