//! Shapes: what is solid, its mass properties for unit density, and the box that bounds it at a place.
//!
//! A shape is constant once made, and keeps what it was made from; its constructors refuse what later arithmetic could not carry, so that
//! nothing downstream has to check again. Knows no bodies, materials or contacts.

mod checks;
mod hull;
mod mesh;
mod surface;
mod variant;

#[cfg(test)]
mod tests;

pub(crate) use checks::listed;
pub use hull::{Hull, MassProperties};
pub use mesh::Mesh;
pub use surface::{Facets, Surface};
pub use variant::{Capsule, Cuboid, Cylinder, HalfSpace, Shape, Sphere, effective_radius};
