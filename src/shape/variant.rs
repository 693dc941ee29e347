//! The one type that stands for every shape, and what can be asked of each.

use std::sync::Arc;

use super::hull::Hull;
use super::mass::MassProperties;
use super::mesh::Mesh;
use super::primitive::{Capsule, Cuboid, Cylinder, HalfSpace, Sphere};
use crate::error::Result;

/// A shape, in its own axes. Cheap to clone: hulls and meshes are shared.
#[derive(Debug, Clone)]
pub enum Shape {
    /// A ball.
    Sphere(Sphere),
    /// A box along the body axes.
    Cuboid(Cuboid),
    /// A segment on the z axis, thickened.
    Capsule(Capsule),
    /// A round cylinder about the z axis.
    Cylinder(Cylinder),
    /// Everything below a plane; never of a dynamic body.
    HalfSpace(HalfSpace),
    /// The convex hull of points.
    Hull(Arc<Hull>),
    /// A surface of triangles, touchable from both sides; never of a dynamic body.
    Mesh(Arc<Mesh>),
}

impl Shape {
    /// A ball of `radius` [m] about the origin.
    pub fn sphere(radius: f64) -> Result<Self> {
        Ok(Self::Sphere(Sphere::new(radius)?))
    }

    /// A box about the origin with these half extents [m].
    pub fn cuboid(half_extents: [f64; 3]) -> Result<Self> {
        Ok(Self::Cuboid(Cuboid::new(half_extents)?))
    }

    /// All points within `radius` [m] of the segment from `-half_height` to `half_height` [m] on the z axis.
    pub fn capsule(half_height: f64, radius: f64) -> Result<Self> {
        Ok(Self::Capsule(Capsule::new(half_height, radius)?))
    }

    /// A round cylinder about the z axis, from `-half_height` to `half_height` [m].
    pub fn cylinder(half_height: f64, radius: f64) -> Result<Self> {
        Ok(Self::Cylinder(Cylinder::new(half_height, radius)?))
    }

    /// Everything where `normal . x <= offset` [m]; `normal` is of unit length within 1e-6.
    pub fn half_space(normal: [f64; 3], offset: f64) -> Result<Self> {
        Ok(Self::HalfSpace(HalfSpace::new(normal, offset)?))
    }

    /// The convex hull of `points` [m], at least four of which span a volume. Keeps the points' origin.
    pub fn hull(points: &[[f64; 3]]) -> Result<Self> {
        Ok(Self::Hull(Arc::new(Hull::new(points)?)))
    }

    /// The surface of `triangles`, three indices into `points` [m] each, of either winding.
    pub fn mesh(points: &[[f64; 3]], triangles: &[[u32; 3]]) -> Result<Self> {
        Ok(Self::Mesh(Arc::new(Mesh::new(points, triangles)?)))
    }

    /// Whether it has a volume, and with it a mass: what a dynamic body needs.
    pub fn has_volume(&self) -> bool {
        !matches!(self, Self::HalfSpace(_) | Self::Mesh(_))
    }

    /// Volume, centre and inertia for unit density; `None` for what has no volume.
    pub fn mass_properties(&self) -> Option<MassProperties> {
        match self {
            Self::Sphere(sphere) => Some(sphere.mass_properties()),
            Self::Cuboid(cuboid) => Some(cuboid.mass_properties()),
            Self::Capsule(capsule) => Some(capsule.mass_properties()),
            Self::Cylinder(cylinder) => Some(cylinder.mass_properties()),
            Self::Hull(hull) => Some(*hull.mass_properties()),
            Self::HalfSpace(_) | Self::Mesh(_) => None,
        }
    }
}
