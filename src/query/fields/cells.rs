//! Cells: which of many things are near a box. Cells that hold nothing take no memory.

use crate::error::{Result, push, reserve};
use crate::math::{Aabb, Vec3};

/// Coordinates are cut at so many cells from the origin. Beyond that doubles are further apart than cells.
const FARTHEST: f64 = 1e15;
const ENTRIES: &str = "entries of cells";

/// The number of a cell along each axis.
pub(super) type Cell = [i64; 3];

/// Cells of one size.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lattice {
    size: f64,
    /// Coordinates beyond it are cut.
    farthest: f64,
}

impl Lattice {
    /// Cells with edges of `size` [m], and coordinates cut as in a lattice of edges `coarse` [m].
    pub(super) fn new(size: f64, coarse: f64) -> Self {
        Self { size, farthest: FARTHEST * coarse }
    }

    /// Returns the cell of a point. A larger coordinate never has a smaller number.
    pub(super) fn cell(&self, point: &Vec3) -> Cell {
        let number = |at: f64| (at.clamp(-self.farthest, self.farthest) / self.size).floor() as i64;
        [number(point.x), number(point.y), number(point.z)]
    }
}

/// Things by the cells that they are in.
#[derive(Debug)]
pub(super) struct Cells {
    lattice: Lattice,
    /// Sorted.
    entries: Vec<(Cell, u32)>,
    /// Things that are near everything.
    everywhere: Vec<u32>,
}

impl Cells {
    /// Returns cells with edges of `size` [m] that hold nothing, with memory for `count` entries.
    pub(super) fn new(size: f64, count: usize) -> Result<Self> {
        let mut entries = Vec::new();
        reserve(&mut entries, count, ENTRIES)?;
        Ok(Self { lattice: Lattice::new(size, size), entries, everywhere: Vec::new() })
    }

    /// Adds the thing of this number at a point. A thing may be at several.
    pub(super) fn add(&mut self, point: &Vec3, number: u32) -> Result<()> {
        push(&mut self.entries, (self.lattice.cell(point), number), ENTRIES)
    }

    /// Adds the thing of this number to all places.
    pub(super) fn add_everywhere(&mut self, number: u32) -> Result<()> {
        push(&mut self.everywhere, number, ENTRIES)
    }

    /// Sorts the entries: [`Cells::near`] finds those that were added before.
    pub(super) fn sort(&mut self) {
        self.entries.sort_unstable();
    }

    /// Makes `found` the numbers of the things that are `wanted` among those in cells that the box meets, in ascending order, each once.
    pub(super) fn near(&self, region: &Aabb, wanted: impl Fn(u32) -> bool, found: &mut Vec<u32>) -> Result<()> {
        found.clear();
        let (lower, upper) = (self.lattice.cell(&region.lower), self.lattice.cell(&region.upper));
        for x in lower[0]..=upper[0] {
            for y in lower[1]..=upper[1] {
                let row = self.entries.partition_point(|(cell, _)| *cell < [x, y, lower[2]]);
                let rest = self.entries.get(row..).unwrap_or(&[]);
                for (_, number) in rest.iter().take_while(|(cell, _)| *cell <= [x, y, upper[2]]) {
                    if wanted(*number) {
                        push(found, *number, ENTRIES)?;
                    }
                }
            }
        }
        for number in self.everywhere.iter().filter(|number| wanted(**number)) {
            push(found, *number, ENTRIES)?;
        }
        found.sort_unstable();
        found.dedup();
        Ok(())
    }
}
