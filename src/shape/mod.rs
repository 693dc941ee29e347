//! Shapes: what is solid, its mass properties for unit density, and the box that bounds it at a place.
//!
//! A shape is constant once made, and keeps what it was made from; its constructors refuse what later arithmetic could not carry, so that nothing
//! downstream has to check again. Knows no bodies, materials or contacts.

mod bounds;
mod checks;
mod curvature;
mod hull;
mod mass;
mod mesh;
mod primitive;
mod variant;
mod visit;

#[cfg(test)]
mod tests;

pub use curvature::effective_radius;
pub use hull::Hull;
pub use mass::MassProperties;
pub use mesh::Mesh;
pub use primitive::{Capsule, Cuboid, Cylinder, HalfSpace, Sphere};
pub use variant::Shape;
