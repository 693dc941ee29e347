//! The fat bounds of bodies: larger than the shape, so that a body stays inside them for several steps.

use crate::body::{Bodies, Kind};
use crate::math::Vec3;
use crate::tasks::Tasks;
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

/// What the proxies of the bodies depend on.
pub(super) struct ProxyInput<'a> {
    pub(super) tasks: &'a dyn Tasks,
    pub(super) bodies: &'a Bodies,
    pub(super) shapes: &'a Shapes,
    pub(super) sleep: &'a SleepState,
    /// The contact margin [m].
    pub(super) margin: f64,
    /// An estimate of the length of a step; 0 if there is none [s].
    pub(super) step: f64,
}

/// The fat bounds of a sphere: its centre may be anywhere within `skin` of `center`.
#[derive(Debug, Clone, Copy)]
pub(super) struct FatSphere {
    pub(super) center: Vec3,
    pub(super) skin: f64,
}

/// How the fat bounds of a body extend its bounds.
pub(super) struct Skin {
    /// The displacement of the bounds along the velocity [m].
    pub(super) ahead: Vec3,
    /// The distance that the body may be away from there [m].
    pub(super) width: f64,
}

impl ProxyInput<'_> {
    /// Returns the skin of the body in `slot`, which has this `size` [m]. A rotation moves points of the body that are `reach` away
    /// from the centre; 0 for a sphere [m].
    pub(super) fn skin(&self, slot: usize, size: f64, reach: f64) -> Skin {
        let none = Skin { ahead: Vec3::zeros(), width: 0.0 };
        if !may_move(self.bodies, slot) {
            return none;
        }
        let motion = &self.bodies.motion[slot];
        let way = self.step * (motion.linear.norm() + reach * motion.angular.norm());
        let widest = MAX_SKIN * size;
        // A way that is NaN gets no skin.
        let stays = MIN_STEPS * way <= widest;
        if !stays {
            return none;
        }
        let width = (SKIN_STEPS * way).clamp(MIN_SKIN * size, widest);
        let ahead = if way > 0.0 { (AHEAD * width / way).min(AHEAD * SKIN_STEPS) * self.step } else { 0.0 };
        Skin { ahead: ahead * motion.linear, width }
    }
}

/// Returns whether a step can move the body. Detection does no work for other bodies. [`Bodies::changed`] must be called where the
/// answer changes.
pub(super) fn may_move(bodies: &Bodies, slot: usize) -> bool {
    bodies.traits[slot].kind != Kind::Static && !bodies.asleep[slot]
}
