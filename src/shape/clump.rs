//! Clumps: convex shapes that are rigidly joined into one shape. They may overlap.

use std::sync::Arc;

use super::clump_mass::mass_of;
use super::variant::{Clump, ClumpPart, Shape};
use crate::error::{Error, Result, all_finite, finite, in_range, push, text};
use crate::math::{Aabb, Pose, Vec3, unit_quaternion};

/// The most parts of a clump. Pairs of parts have numbers of 64 bits, and each part costs a test in each pair of bodies.
const MAX_PARTS: usize = 1 << 20;
/// The range of density factors [-].
const FACTORS: [f64; 2] = [1e-20, 1e20];
/// Names in error messages: what the memory was for.
const PARTS: &str = "parts of a clump";

/// The definition of a part of a clump.
#[derive(Debug, Clone)]
pub struct PartDefinition {
    /// A sphere, box, capsule, cylinder or hull.
    pub shape: Shape,
    /// The position of the shape's origin, clump axes [m].
    pub position: [f64; 3],
    /// Quaternion (x, y, z, w) from the shape's axes to those of the clump.
    pub rotation: [f64; 4],
    /// Factor on the density [-].
    pub density_factor: f64,
}

impl Shape {
    /// Returns the union of convex parts. Where parts overlap, a point has the density of the first part that contains it.
    ///
    /// # Errors
    ///
    /// There is no part, a number is out of range, or a shape is not convex and bounded.
    pub fn clump(parts: &[PartDefinition]) -> Result<Self> {
        check_count(parts.len())?;
        let mut checked = Vec::new();
        for (index, part) in parts.iter().enumerate() {
            let part = part.checked().map_err(|error| error.at(format_args!("parts[{index}]: ")))?;
            push(&mut checked, part, PARTS)?;
        }
        let corners = checked.iter().flat_map(|part| {
            let bounds = part.shape.bounds(&part.pose);
            [bounds.lower, bounds.upper]
        });
        let bounds = Aabb::around(corners);
        let reach = |part: &ClumpPart| part.pose.origin.norm() + part.shape.bounding_radius();
        let bounding_radius = checked.iter().map(reach).fold(0.0, f64::max);
        let mass_properties = mass_of(&checked)?;
        Ok(Self::Clump(Arc::new(Clump { parts: checked, mass_properties, bounds, bounding_radius })))
    }
}

/// Checks the number of parts of a clump.
///
/// # Errors
///
/// There is none, or there are too many.
pub fn check_count(count: usize) -> Result<()> {
    if (1..=MAX_PARTS).contains(&count) {
        return Ok(());
    }
    Err(Error::argument(text!("count is {count}, expected 1 to {MAX_PARTS} parts")))
}

impl PartDefinition {
    fn checked(&self) -> Result<ClumpPart> {
        let kind = match self.shape {
            Shape::HalfSpace(_) => "a half-space",
            Shape::Mesh(_) => "a mesh",
            Shape::Clump(_) => "a clump",
            Shape::Curve(_) => "a NURBS curve",
            _ => "",
        };
        if !kind.is_empty() {
            return Err(Error::argument(text!("shape is {kind}, expected a sphere, box, capsule, cylinder or hull")));
        }
        all_finite("position", &self.position)?;
        for (axis, value) in self.position.into_iter().enumerate() {
            in_range(&text!("position[{axis}]"), value, value.abs() <= 1e50, "a coordinate within 1e50 of 0")?;
        }
        let rotation = unit_quaternion("rotation", &self.rotation)?;
        let factor = self.density_factor;
        finite("density_factor", factor)?;
        let holds = (FACTORS[0]..=FACTORS[1]).contains(&factor);
        in_range("density_factor", factor, holds, "a number from 1e-20 to 1e20")?;
        // Adding 0 turns a negative zero into a positive one.
        let pose = Pose::new(Vec3::from(self.position).add_scalar(0.0), rotation);
        Ok(ClumpPart { shape: self.shape.clone(), pose, density_factor: factor, given_rotation: self.rotation })
    }
}

impl Clump {
    /// Returns a box along the world axes that contains the clump at `pose`. It is not always the smallest one [m].
    pub(crate) fn outline(&self, pose: &Pose) -> Aabb {
        let Aabb { lower, upper } = self.bounds;
        let (center, reach) = (pose.to_world(&(0.5 * (lower + upper))), pose.matrix.abs() * (0.5 * (upper - lower)));
        Aabb { lower: center - reach, upper: center + reach }
    }
}
