//! Shapes in snapshots. A snapshot has the arguments of their constructors, and loading calls the constructors again. Of a mesh it has the points
//! and triangles that the constructor made, which are taken as they are.

use super::clump::PartDefinition;
use super::nurbs::CurveDefinition;
use super::variant::{Capsule, ClumpPart, Cuboid, Cylinder, HalfSpace, Shape, Sphere};
use crate::error::{Result, text};
use crate::math::Vec3;
use crate::visit::{Reader, State, StateVisitor, format_error};

/// The kind of a clump. Parts are of other kinds, so that loading is not recursive.
const CLUMP: u8 = 8;
/// The least size of a part: kind, radius, position, rotation and factor [bytes].
const PART_BYTES: usize = 1 + 9 * size_of::<f64>();

impl Shape {
    /// Visits the kind of the shape and the arguments of its constructor. All other data is derived from these.
    pub fn visit_state(&self, visitor: &mut impl StateVisitor) {
        let mut numbers = |kind: u8, numbers: &[f64]| {
            visitor.byte(kind);
            visitor.numbers(numbers);
        };
        match self {
            Self::Sphere(Sphere { radius }) => numbers(1, &[*radius]),
            Self::Cuboid(Cuboid { half_extents }) => numbers(2, half_extents.as_slice()),
            Self::Capsule(Capsule { half_height, radius }) => numbers(3, &[*half_height, *radius]),
            Self::Cylinder(Cylinder { half_height, radius }) => numbers(4, &[*half_height, *radius]),
            Self::HalfSpace(HalfSpace { normal: _, offset, given_normal: n }) => numbers(5, &[n.x, n.y, n.z, *offset]),
            Self::Hull(hull) => {
                visitor.byte(6);
                visit_points(visitor, &hull.source);
            }
            Self::Mesh(mesh) => {
                visitor.byte(7);
                visit_points(visitor, &mesh.points);
                visitor.slots(mesh.triangles.as_flattened().iter().copied());
            }
            Self::Curve(curve) => {
                visitor.byte(9);
                curve.source.visit_state(visitor);
            }
            Self::Clump(clump) => {
                visitor.byte(CLUMP);
                visitor.length(clump.parts.len());
                for part in &clump.parts {
                    let ClumpPart { shape, pose, density_factor, given_rotation } = part;
                    shape.visit_state(visitor);
                    visitor.numbers(&pose.origin);
                    visitor.numbers(given_rotation);
                    visitor.number(*density_factor);
                }
            }
        }
    }

    /// Reads a shape and rebuilds it.
    ///
    /// # Errors
    ///
    /// Memory is exhausted, or there is no such shape.
    pub fn load(reader: &mut Reader) -> Result<Self> {
        match reader.byte()? {
            CLUMP => Self::clump(&reader.sequence("parts of a clump", PART_BYTES, read_part)?),
            kind => Self::load_simple(kind, reader),
        }
    }

    /// Reads a shape of a kind that has no other shapes in it.
    fn load_simple(kind: u8, reader: &mut Reader) -> Result<Self> {
        match kind {
            1 => Self::sphere(reader.number()?),
            2 => Self::cuboid(State::read(reader)?),
            3 => Self::capsule(reader.number()?, reader.number()?),
            4 => Self::cylinder(reader.number()?, reader.number()?),
            5 => Self::half_space(State::read(reader)?, reader.number()?),
            6 => Self::hull(&read_points(reader)?),
            7 => {
                let points = read_points(reader)?;
                let corners = reader.slots("corners of triangles")?;
                match corners.as_chunks::<3>() {
                    (triangles, []) => Self::restored_mesh(&points, triangles),
                    _ => Err(format_error("a triangle has no three corners")),
                }
            }
            9 => Self::nurbs_curve(&CurveDefinition::load(reader)?),
            other => Err(format_error(text!("a shape is of kind {other}, which does not exist"))),
        }
    }
}

fn read_part(reader: &mut Reader) -> Result<PartDefinition> {
    let kind = reader.byte()?;
    Ok(PartDefinition {
        shape: Shape::load_simple(kind, reader)?,
        position: State::read(reader)?,
        rotation: State::read(reader)?,
        density_factor: reader.number()?,
    })
}

fn read_points(reader: &mut Reader) -> Result<Vec<[f64; 3]>> {
    reader.sequence("points", size_of::<[f64; 3]>(), State::read)
}

fn visit_points(visitor: &mut impl StateVisitor, points: &[Vec3]) {
    visitor.length(points.len());
    points.iter().for_each(|point| visitor.numbers(point));
}
