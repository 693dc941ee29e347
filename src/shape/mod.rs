//! Shapes: the geometry of bodies, their mass properties for unit density, and their bounds at a pose.
//!
//! A shape does not change after its construction, and keeps the arguments of its constructor for snapshots. Constructors
//! refuse numbers that could overflow or underflow later, so that no later code has to check again. The module does not
//! depend on bodies, materials or contacts.

mod ball_part;
mod checks;
mod clump;
mod clump_mass;
mod graph;
mod hull;
mod mesh;
mod moments;
pub mod nurbs;
mod polyhedron;
mod saved;
mod surface;
mod variant;

#[cfg(test)]
mod tests;

pub(crate) use checks::listed;
pub use clump::{PartDefinition, check_count as check_clump_count};
pub use hull::Hull;
pub use mesh::Mesh;
pub(crate) use mesh::thin_side;
pub use moments::MassProperties;
pub use nurbs::{Curve, CurveContacts, CurveDefinition};
pub use surface::{Facets, Surface};
pub use variant::{Capsule, Clump, Cuboid, Cylinder, HalfSpace, Shape, Sphere, effective_radius};
