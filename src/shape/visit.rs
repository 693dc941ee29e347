//! What the state of a shape is: what it was made from. Everything else of a shape follows from that.

use super::primitive::{Capsule, Cuboid, Cylinder, HalfSpace, Sphere};
use super::variant::Shape;
use crate::math::Vec3;
use crate::visit::StateVisitor;

impl Shape {
    /// Visits the kind of the shape and what its constructor was given.
    pub fn visit_state(&self, visitor: &mut impl StateVisitor) {
        match self {
            Self::Sphere(Sphere { radius }) => {
                visitor.word(1);
                visitor.number(*radius);
            }
            Self::Cuboid(Cuboid { half_extents }) => {
                visitor.word(2);
                visitor.numbers(half_extents);
            }
            Self::Capsule(Capsule { half_height, radius }) => {
                visitor.word(3);
                visitor.numbers([half_height, radius]);
            }
            Self::Cylinder(Cylinder { half_height, radius }) => {
                visitor.word(4);
                visitor.numbers([half_height, radius]);
            }
            Self::HalfSpace(HalfSpace { normal: _, offset, given_normal }) => {
                // The unit normal follows from the given one.
                visitor.word(5);
                visitor.numbers(given_normal.iter().chain([offset]));
            }
            Self::Hull(hull) => {
                visitor.word(6);
                visit_points(visitor, hull.source());
            }
            Self::Mesh(mesh) => {
                let (points, triangles) = mesh.source();
                visitor.word(7);
                visit_points(visitor, points);
                visitor.slots(triangles.as_flattened().iter().copied());
            }
        }
    }
}

fn visit_points(visitor: &mut impl StateVisitor, points: &[Vec3]) {
    visitor.length(points.len());
    points.iter().for_each(|point| visitor.numbers(point));
}
