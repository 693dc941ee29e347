//! Narrow phase: the contact points of one pair of shapes.
//!
//! Balls, and everything on a half-space, have closed forms. Two convex shapes meet along the axis of greatest
//! separation, which is exact for faces (and, of two boxes, edges) and comes from parry's GJK and EPA otherwise; the
//! face or edge that touches is then clipped against the other. A mesh is its triangles, without their inner edges.
//! Nothing is remembered from call to call: the same places give the same points, bit for bit.

mod axis;
mod bars;
mod bedded;
mod clip;
mod contact;
mod convex;
mod dispatch;
mod edges;
mod feature;
mod half_space;
mod mesh;
mod plane;
mod point;
mod polytope;
mod reduce;
mod segment;
mod thin;
mod triangle;
mod workspace;

#[cfg(test)]
mod tests;

pub use contact::{ContactPoint, Placed};
pub use dispatch::contacts;
pub use plane::Plane;
pub use point::{near_spheres, sphere_box, sphere_half_space, sphere_sphere};
pub use workspace::Workspace;
