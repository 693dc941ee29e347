//! From a contact point to a contact of the step: arms and radii.

use crate::body::Bodies;
use crate::collide::Ball;
use crate::collide::narrow::{ContactPoint, Placed};
use crate::contact::material::Materials;
use crate::contact::{Mixing, Spot};
use crate::math::{Pose, Vec3};
use crate::shape::effective_radius;
use crate::solver::is_along;
use crate::world::detect::places::Places;
use crate::world::shapes::Shapes;
use crate::world::sleep::Sleep;

/// What a body's contacts depend on.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    pub(super) bodies: &'a Bodies,
    pub(super) shapes: &'a Shapes,
    pub(super) materials: &'a Materials,
    pub(super) places: &'a Places,
    pub(super) margin: f64,
    /// Whether contacts are as stiff as Hertz says.
    pub(super) hertz: bool,
    pub(super) sleep: &'a Sleep,
}

impl<'a> Scene<'a> {
    /// The shape in `slot` where its frame is.
    pub(super) fn placed(&self, slot: u32, pose: &'a Pose) -> Option<Placed<'a>> {
        let shape = self.shapes.get(self.bodies.traits[slot as usize].shape)?;
        Some(Placed { shape, pose })
    }

    /// Where two bodies touch that are not both balls.
    #[inline(always)]
    pub(super) fn spot(&self, (a, b): (u32, u32), point: &ContactPoint, mixing: &mut Mixing) -> Spot {
        let (look_a, look_b) = (&self.places.looks[a as usize], &self.places.looks[b as usize]);
        let is_round = mixing.of((look_a.material, look_b.material)).is_round();
        let (arm_a, arm_b) = (self.arm(a, point), self.arm(b, point));
        Spot {
            feature: point.feature,
            local: match self.places.posed(a) {
                Some(posed) => posed.pose.to_local(&point.point),
                None => point.point - self.places.balls[a as usize].center,
            },
            gap: point.gap,
            normal: point.normal,
            arm_a,
            arm_b,
            point: point.point,
            radius: if is_round { self.effective_radius((a, b), &point.normal) } else { f64::INFINITY },
            is_along_normal: [&arm_a, &arm_b].map(|arm| is_along(&point.normal, arm)),
        }
    }

    /// `r*` of two bodies where they touch; infinite between two flat places [m].
    fn effective_radius(&self, (a, b): (u32, u32), normal: &Vec3) -> f64 {
        let radius = |slot: u32| {
            let Some(posed) = self.places.posed(slot) else { return self.places.balls[slot as usize].radius };
            let outward = posed.pose.matrix.tr_mul(normal);
            let shape = self.shapes.get(self.bodies.traits[slot as usize].shape);
            shape.map_or(f64::INFINITY, |shape| shape.radius_of_curvature(&outward))
        };
        effective_radius(radius(a), radius(b))
    }

    /// From the body's centre of mass to the point; that of a ball is along the normal, exactly.
    #[inline]
    fn arm(&self, slot: u32, point: &ContactPoint) -> Vec3 {
        let at = slot as usize;
        if self.places.posed(slot).is_some() {
            return point.point - self.bodies.motion[at].center;
        }
        let Ball { center, .. } = &self.places.balls[at];
        point.normal.dot(&(point.point - center)) * point.normal
    }
}
