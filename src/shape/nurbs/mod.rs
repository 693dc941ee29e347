//! Prisms over closed NURBS curves.
//!
//! A curve is kept as rational Bezier pieces. Of each piece there are the coefficients of the polynomial whose roots are feet of
//! perpendiculars, so that closest points are certified by signs. All functions are planar; the prism is along z.

mod bernstein;
mod boxes;
mod curve;
mod definition;
mod foot;
mod moments;
mod outline;
mod pieces;
mod simple;

#[cfg(test)]
pub(crate) mod tests;

pub(crate) use boxes::Box2;
pub use curve::Curve;
pub use definition::{CurveContacts, CurveDefinition};
pub(crate) use foot::{Foot, Place, right_of};
pub use outline::Outline;
