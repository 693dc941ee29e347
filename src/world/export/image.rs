//! Fields on a grid.

use crate::error::{Error, Result, all_finite, positive, reserve, text};
use crate::query::fields::{Fields, KernelKind};
use crate::tasks::Tasks;
use crate::vtk::{Array, Dataset, Geometry};
use crate::world::state::World;

/// Points along the axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grid {
    /// The first point [m].
    pub origin: [f64; 3],
    /// From point to point along each axis, above 0 [m].
    pub spacing: [f64; 3],
    /// How many along each axis, at least 1.
    pub counts: [u32; 3],
}

impl Grid {
    /// Refuses grids without points or extent.
    pub fn check(&self) -> Result<()> {
        all_finite("grid_origin", &self.origin)?;
        for (axis, (spacing, count)) in self.spacing.iter().zip(self.counts).enumerate() {
            positive(&text!("grid_spacing[{axis}]"), *spacing)?;
            if !(1..=i32::MAX as u32).contains(&count) {
                let limit = i32::MAX;
                return Err(Error::argument(text!("grid_count[{axis}] is {count}, expected 1 to {limit}")));
            }
            if !(self.origin[axis] + spacing * f64::from(count - 1)).is_finite() {
                return Err(Error::argument(text!(
                    "grid_spacing[{axis}] is {spacing}, expected one with which the last of {count} points is at a finite place"
                )));
            }
        }
        Ok(())
    }

    /// Returns the points, x running fastest.
    fn points(&self) -> Result<Vec<[f64; 3]>> {
        let total = self.counts.iter().fold(1usize, |total, count| total.saturating_mul(*count as usize));
        if u32::try_from(total).is_err() {
            let (counts, limit) = (self.counts, u32::MAX);
            return Err(Error::argument(text!(
                "grid_count is {counts:?}, {total} points, expected at most {limit} points"
            )));
        }
        let mut points = Vec::new();
        reserve(&mut points, total, "points of a grid")?;
        let at = |axis: usize, index: u32| self.origin[axis] + self.spacing[axis] * f64::from(index);
        let [nx, ny, nz] = self.counts;
        for z in 0..nz {
            for y in 0..ny {
                points.extend((0..nx).map(|x| [at(0, x), at(1, y), at(2, z)]));
            }
        }
        Ok(points)
    }
}

/// Returns the fields of the world at the points of a grid.
pub(super) fn dataset(
    world: &World,
    grid: &Grid,
    (kernel, width): (KernelKind, f64),
    tasks: &dyn Tasks,
) -> Result<Dataset> {
    let fields = world.fields(&grid.points()?, kernel, width, tasks)?;
    let Grid { counts, origin, spacing } = *grid;
    let geometry = Geometry::Image { counts, origin, spacing };
    Ok(Dataset { geometry, point_data: arrays(&fields)?, cell_data: Vec::new() })
}

fn arrays(fields: &Fields) -> Result<Vec<Array>> {
    let count = fields.iter().len();
    let floats = |name, components| Array::floats(name, components, count);
    let mut arrays = [
        floats("density", 1)?,
        floats("momentum", 3)?,
        floats("velocity", 3)?,
        floats("packing_fraction", 1)?,
        floats("granular_temperature", 1)?,
        floats("kinetic_stress", 9)?,
        floats("contact_stress", 9)?,
    ];
    for field in fields.iter() {
        let values: [&[f64]; 7] = [
            &[field.density],
            &field.momentum,
            &field.velocity,
            &[field.packing_fraction],
            &[field.granular_temperature],
            &field.kinetic_stress,
            &field.contact_stress,
        ];
        arrays.iter_mut().zip(values).try_for_each(|(array, value)| array.add(value))?;
    }
    Ok(arrays.into_iter().collect())
}
