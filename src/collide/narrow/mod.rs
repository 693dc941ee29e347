//! Narrow phase: the contact points of one pair of shapes.
//!
//! Balls, and everything on a half-space, have closed forms. Two convex shapes meet along the axis of greatest
//! separation, which is exact for faces (and, of two boxes, edges) and comes from parry's GJK and EPA otherwise; the
//! face or edge that touches is then clipped against the other. A mesh is its triangles, without their inner edges.
//! Nothing is remembered from call to call: the same places give the same points, bit for bit.

mod axis;
mod closed_form;
mod contact;
mod convex;
mod dispatch;
mod feature;
mod mesh;
mod polytope;
mod reduce;
mod separation;

#[cfg(test)]
mod tests;

pub use closed_form::sphere_sphere;
pub use contact::{ContactPoint, Placed};
pub use convex::Workspace;
pub use dispatch::contacts;
