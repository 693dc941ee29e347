//! The surfaces of shapes as polygons, to be drawn.

use std::f64::consts::PI;

use crate::error::{Result, push, reserve};
use crate::math::elementary::sin_cos;
use crate::math::{Vec3, tangents};

use super::checks::listed;
use super::hull::Hull;
use super::mesh::Mesh;
use super::nurbs::Curve;
use super::variant::{Capsule, Cuboid, Cylinder, HalfSpace, Shape, Sphere};

const POINTS: &str = "points of a surface";

/// Flat polygons in shape axes. Those of solids are counterclockwise as seen from outside.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Surface {
    /// The corners [m].
    pub points: Vec<Vec3>,
    /// The numbers of the corners of all polygons.
    corners: Vec<u32>,
    /// Where each polygon ends in `corners`.
    ends: Vec<u32>,
    /// Where the points of the shape that is drawn begin.
    first: u32,
}

/// What is drawn of shapes that polygons cannot have exactly.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Facets {
    /// The number of sides of a circle, at least 3.
    pub sides: u32,
    /// The edge of the square that stands for a half-space [m].
    pub square: f64,
    /// The square has its middle where this point, shape axes, is nearest to the plane [m].
    pub middle: Vec3,
}

impl Surface {
    /// Returns the polygons.
    pub fn polygons(&self) -> impl Iterator<Item = &[u32]> + '_ {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).filter_map(|(start, end)| self.corners.get(start as usize..*end as usize))
    }

    /// Makes this the surface of a shape.
    pub fn draw(&mut self, shape: &Shape, facets: &Facets) -> Result<()> {
        self.points.clear();
        self.corners.clear();
        self.ends.clear();
        match shape {
            Shape::Clump(clump) => clump.parts.iter().try_for_each(|part| {
                let first = self.points.len();
                self.add(&part.shape, facets)?;
                self.points.iter_mut().skip(first).for_each(|point| *point = part.pose.to_world(point));
                Ok(())
            }),
            shape => self.add(shape, facets),
        }
    }

    /// Adds the surface of a shape without parts.
    fn add(&mut self, shape: &Shape, facets: &Facets) -> Result<()> {
        self.first = self.points.len() as u32;
        match shape {
            Shape::Sphere(Sphere { radius }) => self.draw_capsule(0.0, *radius, facets.sides),
            Shape::Cuboid(Cuboid { half_extents }) => self.draw_box(half_extents),
            Shape::Capsule(Capsule { half_height, radius }) => self.draw_capsule(*half_height, *radius, facets.sides),
            Shape::Cylinder(Cylinder { half_height, radius }) => {
                self.draw_cylinder(*half_height, *radius, facets.sides)
            }
            Shape::HalfSpace(half_space) => self.draw_square(half_space, facets),
            Shape::Hull(hull) => self.draw_hull(hull),
            Shape::Mesh(mesh) => self.draw_mesh(mesh),
            Shape::Clump(_) => Ok(()),
            Shape::Curve(curve) => self.draw_curve(curve),
        }
    }

    fn point(&mut self, point: Vec3) -> Result<()> {
        push(&mut self.points, point, POINTS)
    }

    fn polygon(&mut self, corners: impl IntoIterator<Item = u32>) -> Result<()> {
        let first = self.first;
        corners.into_iter().try_for_each(|corner| push(&mut self.corners, first + corner, POINTS))?;
        push(&mut self.ends, self.corners.len() as u32, POINTS)
    }

    fn draw_box(&mut self, half_extents: &Vec3) -> Result<()> {
        let sign = |corner: u32, axis: u32| if corner >> axis & 1 == 1 { 1.0 } else { -1.0 };
        for corner in 0..8 {
            let signs = Vec3::new(sign(corner, 0), sign(corner, 1), sign(corner, 2));
            self.point(signs.component_mul(half_extents))?;
        }
        // Bit 0 of a corner is x, bit 1 is y, bit 2 is z.
        let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        faces.into_iter().try_for_each(|face| self.polygon(face))
    }

    /// Adds a circle of `sides` points about the z axis.
    fn ring(&mut self, radius: f64, height: f64, sides: u32) -> Result<()> {
        (0..sides).try_for_each(|side| {
            let (sine, cosine) = sin_cos(2.0 * PI * f64::from(side) / f64::from(sides));
            self.point(Vec3::new(radius * cosine, radius * sine, height))
        })
    }

    /// Joins two circles of points, of which the lower one begins at `first` and the upper one follows it.
    fn band(&mut self, first: u32, sides: u32) -> Result<()> {
        (0..sides).try_for_each(|side| {
            let next = (side + 1) % sides;
            self.polygon([first + side, first + next, first + sides + next, first + sides + side])
        })
    }

    fn draw_cylinder(&mut self, half_height: f64, radius: f64, sides: u32) -> Result<()> {
        self.ring(radius, -half_height, sides)?;
        self.ring(radius, half_height, sides)?;
        self.band(0, sides)?;
        self.polygon((0..sides).rev())?;
        self.polygon(sides..2 * sides)
    }

    /// Circles of latitude from pole to pole; the equator twice, at either end of the tube.
    fn draw_capsule(&mut self, half_height: f64, radius: f64, sides: u32) -> Result<()> {
        let quarter = (sides / 4).max(1);
        let angle = |ring: u32| 0.5 * PI * f64::from(ring) / f64::from(quarter);
        for ring in 0..quarter {
            let (sine, cosine) = sin_cos(angle(quarter - 1 - ring));
            self.ring(radius * cosine, -half_height - radius * sine, sides)?;
        }
        for ring in 0..quarter {
            let (sine, cosine) = sin_cos(angle(ring));
            self.ring(radius * cosine, half_height + radius * sine, sides)?;
        }
        let bands = 2 * quarter - 1;
        (0..bands)
            .filter(|band| half_height > 0.0 || band + 1 != quarter)
            .try_for_each(|band| self.band(band * sides, sides))?;
        let south = (2 * quarter) * sides;
        self.point(Vec3::new(0.0, 0.0, -half_height - radius))?;
        self.point(Vec3::new(0.0, 0.0, half_height + radius))?;
        let top = bands * sides;
        (0..sides).try_for_each(|side| {
            let next = (side + 1) % sides;
            self.polygon([next, side, south])?;
            self.polygon([top + side, top + next, south + 1])
        })
    }

    fn draw_square(&mut self, half_space: &HalfSpace, facets: &Facets) -> Result<()> {
        let normal = &half_space.normal;
        let middle = facets.middle + normal * (half_space.offset - normal.dot(&facets.middle));
        let (across, along) = tangents(normal);
        let (across, along) = (across * (0.5 * facets.square), along * (0.5 * facets.square));
        for (a, b) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
            self.point(middle + across * a + along * b)?;
        }
        self.polygon([0, 1, 2, 3])
    }

    fn draw_hull(&mut self, hull: &Hull) -> Result<()> {
        self.copy_points(&hull.points)?;
        (0..hull.normals.len())
            .try_for_each(|face| self.polygon(listed(&hull.starts, &hull.corners, face).iter().copied()))
    }

    fn draw_mesh(&mut self, mesh: &Mesh) -> Result<()> {
        self.copy_points(&mesh.points)?;
        mesh.triangles.iter().try_for_each(|triangle| self.polygon(*triangle))
    }

    /// The prism with its samples as edges. Its ends need not be convex.
    fn draw_curve(&mut self, curve: &Curve) -> Result<()> {
        let (outline, samples) = (&curve.outline, curve.source.samples_per_span);
        for height in [-curve.source.half_depth, curve.source.half_depth] {
            for piece in 0..outline.count() {
                for sample in 0..samples {
                    let point = outline.at(piece, f64::from(sample) / f64::from(samples)).point;
                    self.point(Vec3::new(point.x, point.y, height))?;
                }
            }
        }
        let sides = self.points.len() as u32 / 2;
        self.band(0, sides)?;
        if curve.mass_properties.is_some() {
            self.polygon((0..sides).rev())?;
            self.polygon(sides..2 * sides)?;
        }
        Ok(())
    }

    fn copy_points(&mut self, points: &[Vec3]) -> Result<()> {
        reserve(&mut self.points, points.len(), POINTS)?;
        self.points.extend_from_slice(points);
        Ok(())
    }
}
