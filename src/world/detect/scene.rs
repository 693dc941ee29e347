//! The bodies and shapes that the narrow phase reads, and the arms and radii of a contact point.

use crate::body::Bodies;
use crate::collide::Ball;
use crate::collide::narrow::{ContactPoint, Placed};
use crate::contact::material::Materials;
use crate::contact::{ContactGeometry, Mixing};
use crate::math::{Pose, Vec3};
use crate::shape::effective_radius;
use crate::solver::is_along;
use crate::world::detect::proxies::Proxies;
use crate::world::shape_registry::Shapes;
use crate::world::sleep::SleepState;

/// What the contacts of a step depend on.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    pub(super) bodies: &'a Bodies,
    pub(super) shapes: &'a Shapes,
    pub(super) materials: &'a Materials,
    pub(super) proxies: &'a Proxies,
    pub(super) margin: f64,
    /// Whether the stiffness of a contact follows Hertz.
    pub(super) hertz: bool,
    pub(super) sleep: &'a SleepState,
}

impl<'a> Scene<'a> {
    /// Returns the shape in `slot`, whose frame is at `pose`.
    pub(super) fn placed(&self, slot: u32, pose: &'a Pose) -> Option<Placed<'a>> {
        let shape = self.shapes.get(self.bodies.traits[slot as usize].shape)?;
        Some(Placed { shape, pose })
    }

    /// Returns the contact data of a point of two bodies that are not both spheres.
    #[inline(always)]
    pub(super) fn spot(&self, (a, b): (u32, u32), point: &ContactPoint, mixing: &mut Mixing) -> ContactGeometry {
        let (traits_a, traits_b) = (&self.proxies.traits[a as usize], &self.proxies.traits[b as usize]);
        let is_round = mixing.of((traits_a.material, traits_b.material)).is_round;
        let (arm_a, arm_b) = (self.arm(a, point), self.arm(b, point));
        ContactGeometry {
            feature: point.feature,
            local: match self.proxies.posed(a) {
                Some(posed) => posed.pose.to_local(&point.point),
                None => point.point - self.proxies.spheres[a as usize].center,
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

    /// Returns the effective radius `r*` of two bodies at a point; infinite where both are flat [m].
    fn effective_radius(&self, (a, b): (u32, u32), normal: &Vec3) -> f64 {
        let radius = |slot: u32| {
            let Some(posed) = self.proxies.posed(slot) else { return self.proxies.spheres[slot as usize].radius };
            let outward = posed.pose.matrix.tr_mul(normal);
            let shape = self.shapes.get(self.bodies.traits[slot as usize].shape);
            shape.map_or(f64::INFINITY, |shape| shape.radius_of_curvature(&outward))
        };
        effective_radius(radius(a), radius(b))
    }

    /// Returns the vector from the body's centre of mass to the point. For a sphere it is exactly along the normal.
    #[inline]
    fn arm(&self, slot: u32, point: &ContactPoint) -> Vec3 {
        let at = slot as usize;
        if self.proxies.posed(slot).is_some() {
            return point.point - self.bodies.motion[at].center;
        }
        let Ball { center, .. } = &self.proxies.spheres[at];
        point.normal.dot(&(point.point - center)) * point.normal
    }
}
