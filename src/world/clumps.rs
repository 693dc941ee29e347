//! Clumps of the shapes of a world, and the mass of its shapes.

use crate::error::{Error, Result, push, text};
use crate::id::Handle;
use crate::shape::{MassProperties, PartDefinition, Shape};
use crate::world::state::World;

/// A part of a clump before it exists.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClumpPart {
    /// A shape of the world.
    pub shape: Handle,
    /// Of the shape's origin, clump axes [m].
    pub position: [f64; 3],
    /// Quaternion (x, y, z, w) from the shape's axes to those of the clump.
    pub rotation: [f64; 4],
    /// Factor on the density [-].
    pub density_factor: f64,
}

impl Default for ClumpPart {
    fn default() -> Self {
        Self { shape: Handle(0), position: [0.0; 3], rotation: [0.0, 0.0, 0.0, 1.0], density_factor: 1.0 }
    }
}

impl World {
    /// Adds a clump of copies of shapes.
    ///
    /// # Errors
    ///
    /// A shape does not exist, or see [`Shape::clump`].
    pub fn add_clump(&mut self, parts: &[ClumpPart]) -> Result<Handle> {
        let mut definitions = Vec::new();
        for (index, part) in parts.iter().enumerate() {
            let ClumpPart { shape, position, rotation, density_factor } = *part;
            let shape = self.shape_of(shape).map_err(|error| error.at(format_args!("parts[{index}]: ")))?.clone();
            push(&mut definitions, PartDefinition { shape, position, rotation, density_factor }, "parts of a clump")?;
        }
        self.add_shape(Shape::clump(&definitions)?)
    }

    /// Returns the mass of a shape for density 1.
    ///
    /// # Errors
    ///
    /// The shape does not exist, or has no volume.
    pub fn shape_mass_properties(&self, shape: Handle) -> Result<MassProperties> {
        self.shape_of(shape)?.mass_properties().ok_or_else(|| {
            let value = shape.0;
            Error::unsupported(text!(
                "shape is {value:#x}, a half-space, a mesh or a clockwise curve: these have no volume"
            ))
        })
    }

    fn shape_of(&self, shape: Handle) -> Result<&Shape> {
        let slot = self.shapes.registry.slot("shape", shape)?;
        self.shapes.get(slot as u32).ok_or_else(|| Error::argument("shape does not exist"))
    }
}
