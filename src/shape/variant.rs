//! The type of all shapes, and the functions that every shape has.

use std::f64::consts::PI;
use std::sync::Arc;

use super::checks::length;
use super::hull::Hull;
use super::mesh::Mesh;
use super::moments::MassProperties;
use super::nurbs::{Curve, CurveDefinition};
use crate::error::{Error, Result, all_finite, finite, in_range, not_negative, text};
use crate::math::elementary::hypot;
use crate::math::lanes::Lanes;
use crate::math::{Aabb, Pose, Vec2, Vec3};

/// A shape, in its own axes. It is cheap to clone, since hulls, meshes, clumps and curves are shared. Dynamic bodies
/// cannot have half-spaces, meshes or holes; a hole is a curve that runs clockwise.
#[derive(Debug, Clone)]
#[allow(missing_docs)] // documented once, at the type of each
pub enum Shape {
    Sphere(Sphere),
    Cuboid(Cuboid),
    Capsule(Capsule),
    Cylinder(Cylinder),
    HalfSpace(HalfSpace),
    Hull(Arc<Hull>),
    Mesh(Arc<Mesh>),
    Clump(Arc<Clump>),
    Curve(Arc<Curve>),
}

/// A ball of `radius` [m] about the origin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sphere {
    pub(crate) radius: f64,
}

/// A box about the origin along the body axes, with these half extents [m].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cuboid {
    pub(crate) half_extents: Vec3,
}

/// All points within `radius` [m] of the segment from `-half_height` to `half_height` [m] on the body's z axis. `half_height` may be 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Capsule {
    pub(crate) half_height: f64,
    pub(crate) radius: f64,
}

/// A round cylinder of `radius` [m] about the body's z axis, with flat ends at `-half_height` and `half_height` [m].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cylinder {
    pub(crate) half_height: f64,
    pub(crate) radius: f64,
}

/// All points with `normal . x <= offset`, body axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HalfSpace {
    /// The unit normal, out of the solid.
    pub(crate) normal: Vec3,
    /// [m]
    pub(crate) offset: f64,
    /// The given normal, before it was normalised.
    pub(super) given_normal: Vec3,
}

/// Convex shapes that are rigidly joined. The axes and the origin are those in which the poses of the parts are given.
#[derive(Debug, Clone)]
pub struct Clump {
    /// At least one part. No part is a half-space, a mesh, a clump or a curve.
    pub(crate) parts: Vec<ClumpPart>,
    /// The mass properties of the union of the parts.
    pub(super) mass_properties: MassProperties,
    /// The bounds of all parts, in clump axes.
    pub(super) bounds: Aabb,
    pub(super) bounding_radius: f64,
}

/// One of the shapes of a clump.
#[derive(Debug, Clone)]
pub(crate) struct ClumpPart {
    pub(crate) shape: Shape,
    /// The transform from its own axes to those of the clump.
    pub(crate) pose: Pose,
    /// Factor on the density [-].
    pub(super) density_factor: f64,
    /// The rotation before it was normalised.
    pub(super) given_rotation: [f64; 4],
}

impl Shape {
    /// Returns a ball of `radius` [m] about the origin.
    pub fn sphere(radius: f64) -> Result<Self> {
        length("radius", radius)?;
        Ok(Self::Sphere(Sphere { radius }))
    }

    /// Returns a box about the origin with these half extents [m].
    pub fn cuboid(half_extents: [f64; 3]) -> Result<Self> {
        for (axis, half_extent) in half_extents.into_iter().enumerate() {
            length(&text!("half_extents[{axis}]"), half_extent)?;
        }
        Ok(Self::Cuboid(Cuboid { half_extents: Vec3::from(half_extents) }))
    }

    /// Returns a capsule: all points within `radius` [m] of the segment from `-half_height` to `half_height` [m] on the z axis.
    pub fn capsule(half_height: f64, radius: f64) -> Result<Self> {
        not_negative("half_height", half_height)?;
        if half_height > 0.0 {
            length("half_height", half_height)?;
        }
        length("radius", radius)?;
        Ok(Self::Capsule(Capsule { half_height, radius }))
    }

    /// Returns a round cylinder about the z axis, from `-half_height` to `half_height` [m].
    pub fn cylinder(half_height: f64, radius: f64) -> Result<Self> {
        length("half_height", half_height)?;
        length("radius", radius)?;
        Ok(Self::Cylinder(Cylinder { half_height, radius }))
    }

    /// Returns a half-space: all points with `normal . x <= offset` [m]. The length of `normal` must be 1 within 1e-6.
    pub fn half_space(normal: [f64; 3], offset: f64) -> Result<Self> {
        all_finite("normal", &normal)?;
        finite("offset", offset)?;
        if normal == [0.0; 3] {
            return Err(Error::argument(text!("normal is {normal:?}, expected a vector of length 1 within 1e-6")));
        }
        let given_normal = Vec3::from(normal);
        let norm = given_normal.norm();
        in_range("the length of normal", norm, (norm - 1.0).abs() <= 1e-6, "1 within 1e-6")?;
        Ok(Self::HalfSpace(HalfSpace { normal: given_normal / norm, offset, given_normal }))
    }

    /// Returns the convex hull of `points` [m], at least four of which must span a volume. The origin is that of the points.
    pub fn hull(points: &[[f64; 3]]) -> Result<Self> {
        Ok(Self::Hull(Arc::new(Hull::new(points)?)))
    }

    /// Returns the surface of `triangles`. Each has three indices into `points` [m], of either winding.
    pub fn mesh(points: &[[f64; 3]], triangles: &[[u32; 3]]) -> Result<Self> {
        Ok(Self::Mesh(Arc::new(Mesh::new(points, triangles)?)))
    }

    /// Returns a mesh with the points and triangles of a saved one, which stay as they are.
    ///
    /// # Errors
    ///
    /// Those of [`Shape::mesh`].
    pub(super) fn restored_mesh(points: &[[f64; 3]], triangles: &[[u32; 3]]) -> Result<Self> {
        Ok(Self::Mesh(Arc::new(Mesh::restored(points, triangles)?)))
    }

    /// Returns the prism along z over a closed NURBS curve in the x-y plane.
    pub fn nurbs_curve(definition: &CurveDefinition) -> Result<Self> {
        Ok(Self::Curve(Arc::new(Curve::new(definition)?)))
    }

    /// Returns volume, centre and inertia for unit density; `None` for shapes without volume.
    pub fn mass_properties(&self) -> Option<MassProperties> {
        let (volume, inertia) = match *self {
            Self::Sphere(Sphere { radius }) => {
                let square = radius * radius;
                let volume = 4.0 / 3.0 * PI * square * radius;
                (volume, [0.4 * volume * square; 3])
            }
            Self::Cuboid(Cuboid { half_extents }) => {
                let [x, y, z]: [f64; 3] = half_extents.into();
                let volume = 8.0 * x * y * z;
                let about = |a: f64, b: f64| volume * (a * a + b * b) / 3.0;
                (volume, [about(y, z), about(x, z), about(x, y)])
            }
            Self::Capsule(Capsule { half_height: h, radius: r }) => {
                let (tube, ball) = (2.0 * PI * r * r * h, 4.0 / 3.0 * PI * r * r * r);
                let along = r * r * (0.5 * tube + 0.4 * ball);
                // Each half ball's centroid lies 3r/8 beyond the end of the segment.
                let across = tube * (r * r / 4.0 + h * h / 3.0) + ball * (0.4 * r * r + h * h + 0.75 * h * r);
                (tube + ball, [across, across, along])
            }
            Self::Cylinder(Cylinder { half_height: h, radius: r }) => {
                let volume = 2.0 * PI * r * r * h;
                let across = volume * (r * r / 4.0 + h * h / 3.0);
                (volume, [across, across, 0.5 * volume * r * r])
            }
            Self::Hull(ref hull) => return Some(hull.mass_properties),
            Self::Clump(ref clump) => return Some(clump.mass_properties),
            Self::Curve(ref curve) => return curve.mass_properties,
            Self::HalfSpace(_) | Self::Mesh(_) => return None,
        };
        Some(MassProperties::centred(volume, inertia))
    }

    /// Returns the box along the world axes that bounds the shape at `pose` [m].
    ///
    /// The box is the smallest one, with two exceptions. For a mesh it bounds the rotated box of the mesh. For a half-space it
    /// is infinite. For a hole it bounds the curve.
    pub fn bounds(&self, pose: &Pose) -> Aabb {
        // The body's z axis in world axes.
        let axis = || pose.matrix.column(2);
        let (center, reach) = match self {
            Self::Sphere(sphere) => (pose.origin, Vec3::repeat(sphere.radius)),
            Self::Cuboid(cuboid) => (pose.origin, pose.matrix.abs() * cuboid.half_extents),
            Self::Capsule(capsule) => (pose.origin, (axis().abs() * capsule.half_height).add_scalar(capsule.radius)),
            Self::Cylinder(cylinder) => {
                // Along a world axis e the rim reaches r |e - (e.a) a| = r |e x a|. The root of 1 - (e.a)^2 would lose a tilt below 1e-8.
                let axis = axis();
                let across = Vec3::new(hypot(axis.y, axis.z), hypot(axis.z, axis.x), hypot(axis.x, axis.y));
                (pose.origin, axis.abs() * cylinder.half_height + across * cylinder.radius)
            }
            Self::HalfSpace(_) => (Vec3::zeros(), Vec3::repeat(f64::INFINITY)),
            Self::Hull(hull) => return Aabb::around(hull.points.iter().map(|point| pose.to_world(point))),
            Self::Curve(curve) => return curve.bounds(pose),
            Self::Mesh(mesh) => {
                let Aabb { lower, upper } = mesh.bounds;
                (pose.to_world(&(0.5 * (lower + upper))), pose.matrix.abs() * (0.5 * (upper - lower)))
            }
            Self::Clump(clump) => {
                let of = |part: &ClumpPart| part.shape.bounds(&part.pose.within(pose));
                return Aabb::around(clump.parts.iter().map(of).flat_map(|bounds| [bounds.lower, bounds.upper]));
            }
        };
        Aabb { lower: center - reach, upper: center + reach }
    }

    /// Returns the radius of the bounding sphere about the shape's origin [m]; infinite for a half-space.
    pub fn bounding_radius(&self) -> f64 {
        match self {
            Self::Sphere(sphere) => sphere.radius,
            Self::Cuboid(cuboid) => cuboid.half_extents.norm(),
            Self::Capsule(capsule) => capsule.half_height + capsule.radius,
            Self::Cylinder(cylinder) => hypot(cylinder.half_height, cylinder.radius),
            Self::HalfSpace(_) => f64::INFINITY,
            Self::Hull(hull) => hull.bounding_radius,
            Self::Mesh(mesh) => mesh.bounding_radius,
            Self::Clump(clump) => clump.bounding_radius,
            Self::Curve(curve) => curve.bounding_radius,
        }
    }

    /// Returns about the largest distance of a point of the shape from its middle [m]; infinite for a half-space. Unlike the
    /// bounding radius it does not grow where the origin is far from the shape.
    pub fn size(&self) -> f64 {
        let within = |bounds: &Aabb| self.bounding_radius().min(0.5 * (bounds.upper - bounds.lower).norm());
        match self {
            Self::Hull(hull) => hull.graph.size,
            Self::Mesh(mesh) => within(&mesh.bounds),
            Self::Clump(clump) => within(&clump.bounds),
            _ => self.bounding_radius(),
        }
    }

    /// Returns the radius of curvature at the point of the surface with the unit `normal`, shape axes, of either sign [m]. It is
    /// infinite where the surface is flat, and negative where it is hollow. `point` is near that point, shape axes [m].
    ///
    /// Capsules and the sides of cylinders have the radius about their axis. The ends of cylinders, and shapes with faces and
    /// edges, count as flat. So does a clump, whose parts have radii of their own. Curves have the radius in their plane.
    pub fn radius_of_curvature(&self, normal: &Vec3, point: &Vec3) -> f64 {
        match self {
            Self::Sphere(sphere) => sphere.radius,
            Self::Capsule(capsule) => capsule.radius,
            Self::Cylinder(cylinder) if normal.z.abs() <= SIDEWAYS => cylinder.radius,
            Self::Curve(curve) => curve.radius_of_curvature(&Vec2::new(point.x, point.y)),
            _ => f64::INFINITY,
        }
    }
}

impl Shape {
    /// Returns part `index` of a clump and its pose in the axes of the clump. For other shapes it returns the shape itself, without a pose.
    pub(crate) fn part(&self, index: u32) -> (&Self, Option<&Pose>) {
        match self {
            Self::Clump(clump) => match clump.parts.get(index as usize) {
                Some(part) => (&part.shape, Some(&part.pose)),
                None => (self, None),
            },
            _ => (self, None),
        }
    }
}

/// A normal counts as one of a cylinder's side if the sine of its angle to the plane across the axis is below this: 6 degrees [-].
const SIDEWAYS: f64 = 0.1;

/// Returns the effective radius `r* = r_a r_b / (r_a + r_b)` of two radii of curvature. If one is infinite, it is the other one [m].
#[inline(always)]
pub fn effective_radius<L: Lanes>(a: L, b: L) -> L {
    let infinite = L::splat(f64::INFINITY);
    let of_both = L::select(L::above(infinite, b), a * (b / (a + b)), a);
    L::select(L::above(infinite, a), of_both, b)
}
