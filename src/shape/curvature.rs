//! How round a shape is where another one touches it: the arm of its resistance to rolling and twisting.

use super::variant::Shape;
use crate::math::Vec3;
use crate::math::lanes::Lanes;

/// A normal that leans over by less than this sine, 6 degrees, is one of a cylinder's side [-].
const SIDEWAYS: f64 = 0.1;

impl Shape {
    /// The radius of curvature where the surface has the unit `normal`, shape axes, of either sign; infinite where it is
    /// flat [m].
    ///
    /// Capsules and the sides of cylinders have the radius about their axis. The ends of cylinders, and whatever has faces
    /// with edges, count as flat.
    pub fn radius_of_curvature(&self, normal: &Vec3) -> f64 {
        match self {
            Self::Sphere(sphere) => sphere.radius,
            Self::Capsule(capsule) => capsule.radius,
            Self::Cylinder(cylinder) if normal.z.abs() <= SIDEWAYS => cylinder.radius,
            Self::Cylinder(_) | Self::Cuboid(_) | Self::Hull(_) | Self::Mesh(_) | Self::HalfSpace(_) => f64::INFINITY,
        }
    }
}

/// `r* = r_a r_b / (r_a + r_b)` of two radii of curvature; that of the other one where one is infinite [m].
#[inline(always)]
pub fn effective_radius<L: Lanes>(a: L, b: L) -> L {
    let infinite = L::splat(f64::INFINITY);
    let of_both = L::pick(L::above(infinite, b), a * (b / (a + b)), a);
    L::pick(L::above(infinite, a), of_both, b)
}
