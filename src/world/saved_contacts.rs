//! What follows of contacts from the places of their bodies, in snapshots.

use crate::body::Bodies;
use crate::collide::Ball;
use crate::collide::narrow::sphere_sphere;
use crate::contact::{ContactGeometry, ContactRecord, FromBodies, PointGeometry};
use crate::math::{Period, Pose, Vec3};
use crate::shape::Shape;
use crate::world::shape_registry::Shapes;

/// The places of the bodies of the contacts of the last step, and their shapes.
pub(in crate::world) struct Places<'a> {
    pub(in crate::world) bodies: &'a Bodies,
    pub(in crate::world) shapes: &'a Shapes,
    /// At the start of the step.
    pub(in crate::world) balls: &'a [Ball],
    /// Whether the contacts are those of sleeping bodies. The others are then where they are now.
    pub(in crate::world) are_asleep: bool,
    pub(in crate::world) period: &'a Period,
    /// The contact margin [m].
    pub(in crate::world) margin: f64,
}

impl FromBodies for Places<'_> {
    #[inline(always)]
    fn point(&self, record: &ContactRecord) -> Option<PointGeometry> {
        let (a, b) = record.pair();
        let (a, b) = (self.ball(a)?, self.ball(b)?);
        let image = Ball { center: b.center - self.period.excess(&(b.center - a.center)), ..b };
        let point = sphere_sphere(&a, &image, self.margin, &Vec3::z())?;
        Some(PointGeometry { normal: point.normal, gap: point.gap })
    }

    /// As detection computes them between a ball and a body that did not move in the step. Those of other contacts are different.
    fn vectors(&self, record: &ContactRecord, geometry: &ContactGeometry) -> [Vec3; 3] {
        let ContactGeometry { point, normal, .. } = geometry;
        let (a, b) = record.pair();
        [self.local(a, point), self.arm(a, point, normal), self.arm(b, point, normal)]
    }
}

impl Places<'_> {
    /// Returns the ball around the shape of a body.
    #[inline(always)]
    pub(in crate::world) fn ball(&self, slot: u32) -> Option<Ball> {
        let at = slot as usize;
        if self.are_asleep && !self.bodies.asleep[at] {
            let radius = radius_of(at, self.bodies, self.shapes);
            return Some(Ball { center: self.bodies.motion[at].center, radius });
        }
        self.balls.get(at).copied()
    }

    /// Returns the centre of a ball, or nothing for other shapes.
    fn center(&self, slot: u32) -> Option<Vec3> {
        let shape = self.shapes.get(self.bodies.traits[slot as usize].shape)?;
        matches!(shape, Shape::Sphere(_)).then_some(self.ball(slot)?.center)
    }

    /// Returns a point as the body sees it.
    fn local(&self, slot: u32, point: &Vec3) -> Vec3 {
        let at = slot as usize;
        match self.center(slot) {
            Some(center) => point - center,
            None => Pose::new(self.bodies.origin(at), self.bodies.motion[at].rotation).to_local(point),
        }
    }

    /// Returns the vector from the centre of mass of a body to a point.
    fn arm(&self, slot: u32, point: &Vec3, normal: &Vec3) -> Vec3 {
        match self.center(slot) {
            Some(center) => normal.dot(&(point - center)) * normal,
            None => point - self.bodies.motion[slot as usize].center,
        }
    }
}

/// Returns the radius of the ball around the shape of a body [m].
pub(in crate::world) fn radius_of(slot: usize, bodies: &Bodies, shapes: &Shapes) -> f64 {
    shapes.get(bodies.traits[slot].shape).map_or(0.0, |shape| shape.bounding_radius())
}
