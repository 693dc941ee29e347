//! The points of fields, in groups of neighbours.

use crate::error::{Result, collected, push, refill};
use crate::math::Vec3;

use super::cells::{Cell, Lattice};
use super::field::Field;

/// Points this close together make a group, over the radius of the kernel.
const GROUP: f64 = 0.25;
const POINTS: &str = "points of fields";

/// A point of the caller's, with its group.
#[derive(Debug, Clone, Copy)]
pub(super) struct SamplePoint {
    pub(super) cell: Cell,
    /// Its number at the caller's.
    index: u32,
    pub(super) point: Vec3,
}

/// The points, sorted by group.
#[derive(Debug)]
pub(super) struct Points {
    samples: Vec<SamplePoint>,
}

impl Points {
    /// Sorts the images `inside` of points for a kernel of this `radius` [m].
    pub(super) fn grouped(points: &[[f64; 3]], inside: impl Fn(&Vec3) -> Vec3, radius: f64) -> Result<Self> {
        let lattice = Lattice::new(GROUP * radius, radius);
        let sample = |(index, point): (usize, &[f64; 3])| {
            let point = inside(&Vec3::from(*point));
            SamplePoint { cell: lattice.cell(&point), index: index as u32, point }
        };
        let mut samples = collected(points.iter().enumerate().map(sample), POINTS)?;
        samples.sort_unstable_by_key(|sample| (sample.cell, sample.index));
        Ok(Self { samples })
    }

    /// Returns the points from this place on.
    pub(super) fn from(&self, first: usize) -> &[SamplePoint] {
        self.samples.get(first..).unwrap_or(&[])
    }

    /// Returns ranges of whole groups, of `size` points or few more.
    pub(super) fn pieces(&self, size: usize) -> Result<Vec<[u32; 2]>> {
        let mut pieces = Vec::new();
        let mut first = 0;
        let mut end = 0;
        for group in self.samples.chunk_by(|one, other| one.cell == other.cell) {
            end += group.len();
            if end - first >= size {
                push(&mut pieces, [first as u32, end as u32], POINTS)?;
                first = end;
            }
        }
        if end > first {
            push(&mut pieces, [first as u32, end as u32], POINTS)?;
        }
        Ok(pieces)
    }

    /// Returns fields of zeros, one for each point.
    pub(super) fn fields(&self) -> Result<Vec<Field>> {
        let mut fields = Vec::new();
        refill(&mut fields, self.samples.len(), Field::default(), POINTS)?;
        Ok(fields)
    }
}

/// The fields at all points.
#[derive(Debug)]
pub struct Fields {
    /// Sorted by group.
    fields: Vec<Field>,
    /// Where the field of each point is.
    places: Vec<u32>,
}

impl Fields {
    /// The fields of these points, which are in the same order.
    pub(super) fn new(points: Points, fields: Vec<Field>) -> Result<Self> {
        let mut places = Vec::new();
        refill(&mut places, fields.len(), 0, POINTS)?;
        for (place, sample) in points.samples.iter().enumerate() {
            places[sample.index as usize] = place as u32;
        }
        Ok(Self { fields, places })
    }

    /// Returns the fields in the order of the caller's points.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Field> + Clone + '_ {
        self.places.iter().map(|place| &self.fields[*place as usize])
    }
}
