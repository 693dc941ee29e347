//! Walls of drums: thick convex pieces side by side, like the staves of a barrel. A mesh is a surface without an inside, through which a
//! grain that is pressed hard can pass.

use std::f64::consts::TAU;

use drystone::body::{Definition, Kind};
use drystone::shape::Shape;

use super::Failure;

/// The wall of a drum around the x axis of its own.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Barrel {
    /// To the inner corners of the staves [m].
    pub(crate) radius: f64,
    /// [m]
    pub(crate) thickness: f64,
    /// Staves around it.
    pub(crate) count: u32,
}

impl Barrel {
    /// Returns a stave from one place along the axis to another [m]. Its origin is on the axis.
    pub(crate) fn stave(&self, index: u32, [from, to]: [f64; 2]) -> Result<Shape, Failure> {
        let mut points = Vec::with_capacity(8);
        for radius in [self.radius, self.radius + self.thickness] {
            points.extend([index, index + 1].iter().flat_map(|corner| self.corner(*corner, radius, [from, to])));
        }
        Ok(Shape::hull(&points)?)
    }

    /// Returns an end plate of the same thickness, whose inner face is at `inner` along the axis [m]. `side` is 1 or -1: where the outer one is.
    pub(crate) fn plate(&self, inner: f64, side: f64) -> Result<Shape, Failure> {
        let ends = [inner, inner + side * self.thickness];
        let points: Vec<_> =
            (0..self.count).flat_map(|corner| self.corner(corner, self.radius + self.thickness, ends)).collect();
        Ok(Shape::hull(&points)?)
    }

    fn corner(&self, index: u32, radius: f64, ends: [f64; 2]) -> [[f64; 3]; 2] {
        let (sine, cosine) = (TAU * f64::from(index % self.count) / f64::from(self.count)).sin_cos();
        ends.map(|along| [along, radius * cosine, radius * sine])
    }
}

/// Returns the definition of a piece that turns about its origin. A body turns about its centre of mass, so that is put there. A centre of mass
/// can be given with a mass alone; a kinematic body does not use it.
pub(crate) fn turning(definition: &Definition) -> Definition {
    Definition { kind: Kind::Kinematic, mass: 1.0, center_of_mass: [0.0; 3], ..*definition }
}
