//! Bodies of other shapes than spheres as surfaces.

use crate::error::Result;
use crate::math::{Aabb, Pose};
use crate::shape::{Facets, Shape, Surface};
use crate::vtk::{Array, Cells, Dataset, Geometry};
use crate::world::export::bounds::{bounds, shape_at};
use crate::world::export::grains::{Bodies, Loads};
use crate::world::state::World;

/// The square of a half-space is so much larger than everything else.
const BEYOND: f64 = 1.5;

/// Returns the polygons of the bodies, in the order of their creation; circles have so many `sides`. A half-space is a square of
/// `half_space_size` [m], 0: as large as everything else needs.
pub(super) fn dataset(world: &World, sides: u32, half_space_size: f64) -> Result<Dataset> {
    let loads = Loads::new(world)?;
    let Aabb { lower, upper } = bounds(world);
    let (middle, extent) = (0.5 * (lower + upper), (upper - lower).norm());
    let square = match half_space_size {
        0.0 if extent > 0.0 => BEYOND * extent,
        0.0 => 1.0,
        size => size,
    };
    let mut points = Array::floats("Points", 3, 0)?;
    let mut polygons = Cells::new(0, 0)?;
    let mut bodies = Bodies::new(0)?;
    let mut surface = Surface::default();
    for slot in world.bodies.order.iter().map(|slot| *slot as usize) {
        let Some((shape, pose)) = shape_at(world, slot).filter(|(shape, _)| !matches!(shape, Shape::Sphere(_))) else {
            continue;
        };
        surface.draw(shape, &Facets { sides, square, middle: pose.to_local(&middle) })?;
        add(&surface, &pose, &mut points, &mut polygons)?;
        surface.polygons().try_for_each(|_| bodies.add(world, &loads, slot))?;
    }
    let none = || Cells::new(0, 0);
    let geometry = Geometry::Poly { points, vertices: none()?, lines: none()?, polygons };
    Ok(Dataset { geometry, point_data: Vec::new(), cell_data: bodies.arrays })
}

/// Adds a surface at a place.
fn add(surface: &Surface, pose: &Pose, points: &mut Array, polygons: &mut Cells) -> Result<()> {
    let first = points.count() as u64;
    surface.points.iter().try_for_each(|point| points.add(pose.to_world(point).as_slice()))?;
    surface.polygons().try_for_each(|corners| polygons.add(corners.iter().map(|corner| first + u64::from(*corner))))
}
