//! With what bounds bodies are filed: larger ones than they need, so that they stay inside them for a while.

use crate::body::{Bodies, Kind};
use crate::collide::{Filed, Filter};
use crate::math::{Aabb, Vec3};
use crate::tasks::Tasks;
use crate::world::detect::extent::Extent;
use crate::world::detect::places::{Places, Posed};
use crate::world::shapes::Shapes;
use crate::world::sleep::Sleep;

/// The skin about a body that may move, as a part of its radius: how far it may go before it is filed anew [-]. At rest it stays
/// within the least, and a wider one has more neighbours that do not touch.
const LEAST_SKIN: f64 = 0.05;
const WIDEST_SKIN: f64 = 0.36;

/// The skin is the way of this many steps, if that is between the two [-].
pub(super) const SKIN_STEPS: f64 = 6.0;

/// A body is filed this part of its skin ahead of where it is, so that it stays longer [-].
const AHEAD: f64 = 0.5;

/// A body that leaves the widest skin within fewer steps than this is filed in every step, and then best without any [-].
const FEWEST_STEPS: f64 = 2.0;

/// More than the round-off of what is computed from differences of places, relative to it [-].
pub(super) const ROUND_OFF: f64 = 1e-9;

/// What places depend on.
pub(super) struct Watched<'a> {
    pub(super) tasks: &'a dyn Tasks,
    pub(super) bodies: &'a Bodies,
    pub(super) shapes: &'a Shapes,
    pub(super) sleep: &'a Sleep,
    pub(super) margin: f64,
    /// About the length of a step, if known, else 0 [s].
    pub(super) step: f64,
}

/// A ball as it was filed: all places within `skin` of `center`.
#[derive(Debug, Clone, Copy)]
pub(super) struct FiledBall {
    pub(super) center: Vec3,
    pub(super) skin: f64,
}

/// All bodies, as their neighbours are found.
pub(super) struct Filing<'a> {
    pub(super) places: &'a Places,
    pub(super) bodies: &'a Bodies,
    pub(super) sleep: &'a Sleep,
}

impl Watched<'_> {
    /// How far ahead to file a body of this size, and how far from there it may go; `reach` is what a turn moves, of a body of
    /// which the turn counts [m].
    pub(super) fn skin(&self, slot: usize, size: f64, reach: f64) -> (Vec3, f64) {
        if !may_move(self.bodies, slot) {
            return (Vec3::zeros(), 0.0);
        }
        let motion = &self.bodies.motion[slot];
        let way = self.step * (motion.linear.norm() + reach * motion.angular.norm());
        let widest = WIDEST_SKIN * size;
        // A way that is no number has no skin.
        let stays = FEWEST_STEPS * way <= widest;
        if !stays {
            return (Vec3::zeros(), 0.0);
        }
        let skin = (SKIN_STEPS * way).clamp(LEAST_SKIN * size, widest);
        let ahead = if way > 0.0 { (AHEAD * skin / way).min(AHEAD * SKIN_STEPS) * self.step } else { 0.0 };
        (ahead * motion.linear, skin)
    }
}

impl Filing<'_> {
    /// Whether two balls can touch while both stay where they are filed.
    fn near(&self, a: usize, b: usize) -> bool {
        let Places { filed, balls, margin, .. } = self.places;
        let arm = filed[b].center - filed[a].center;
        let reach = balls[a].radius + balls[b].radius + filed[a].skin + filed[b].skin + margin;
        arm.norm_squared() <= (reach * reach) * (1.0 + ROUND_OFF)
    }
}

impl Filed for Filing<'_> {
    fn slots(&self) -> usize {
        self.places.looks.len()
    }

    fn bounds(&self, slot: u32) -> Option<Aabb> {
        let places = self.places;
        let at = slot as usize;
        let look = places.looks[at];
        match places.posed.get(look.posed as usize) {
            None if !look.is_there() => None,
            None => {
                let FiledBall { center, skin } = &places.filed[at];
                let reach = places.balls[at].radius + skin + 0.5 * places.margin;
                // Places are rounded in proportion to themselves.
                let reach = center.abs() * (4.0 * f64::EPSILON) + Vec3::repeat(reach * (1.0 + ROUND_OFF));
                Some(Aabb { lower: center - reach, upper: center + reach })
            }
            Some(Posed { filed: Extent::Bounds(bounds), .. }) => Some(*bounds),
            Some(_) => None,
        }
    }

    fn unbounded(&self) -> &[u32] {
        &self.places.unbounded
    }

    fn admits(&self, one: u32, other: u32) -> bool {
        let places = self.places;
        let near = match (places.posed(one), places.posed(other)) {
            (None, None) => self.near(one as usize, other as usize),
            (Some(Posed { filed: plane @ Extent::Below { .. }, .. }), _) => {
                self.bounds(other).is_some_and(|bounds| plane.reaches(&bounds, places.margin))
            }
            (_, Some(Posed { filed: plane @ Extent::Below { .. }, .. })) => {
                self.bounds(one).is_some_and(|bounds| plane.reaches(&bounds, places.margin))
            }
            _ => true,
        };
        near && !self.sleep.is_stuck(self.bodies, one, other)
            && filter(self.bodies, one).admits(&filter(self.bodies, other))
    }
}

/// Whether a step can move the body; what cannot costs nothing. Where the answer changes, [`Bodies::changed`] is called.
pub(super) fn may_move(bodies: &Bodies, slot: usize) -> bool {
    bodies.traits[slot].kind != Kind::Static && !bodies.asleep[slot]
}

fn filter(bodies: &Bodies, slot: u32) -> Filter {
    let traits = &bodies.traits[slot as usize];
    Filter {
        moves: traits.kind == Kind::Dynamic,
        category: traits.filter_category,
        mask: traits.filter_mask,
        group: traits.filter_group,
    }
}
