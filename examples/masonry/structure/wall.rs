//! Walls and stacks of boxes of depth 1 m.

use super::super::support::Failure;
use super::{Structure, Wrench};

/// Adds a floor, the top of a box at height 0 from one place to another along x.
pub(crate) fn floor(structure: &mut Structure, from: f64, to: f64) -> Result<(), Failure> {
    structure.cuboid([from, -1.0, -1.0], [to, 1.0, 0.0], true)?;
    Ok(())
}

/// Adds a box of depth 1 m by its left lower corner and its size in the x-z plane.
pub(crate) fn brick(structure: &mut Structure, [x, z]: [f64; 2], [wide, high]: [f64; 2]) -> Result<(), Failure> {
    structure.cuboid([x, -0.5, z], [x + wide, 0.5, z + high], false)?;
    Ok(())
}

/// A wall in running bond of blocks of 2 m by 1 m: every second row ends in halves.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wall {
    /// Blocks.
    pub(crate) wide: usize,
    pub(crate) rows: usize,
    pub(crate) friction: f64,
}

impl Wall {
    /// Builds the wall on a floor, row by row from below.
    ///
    /// # Errors
    ///
    /// Those of the library.
    pub(crate) fn build(&self) -> Result<Structure, Failure> {
        let mut structure = Structure::planar(self.friction)?;
        let length = 2.0 * self.wide as f64;
        floor(&mut structure, -1.0, length + 1.0)?;
        for row in 0..self.rows {
            let shift = if row % 2 == 1 && self.wide > 1 { 1.0 } else { 0.0 };
            let mut from: f64 = 0.0;
            while from < length {
                let to = if from == 0.0 && shift > 0.0 { shift } else { (from + 2.0).min(length) };
                brick(&mut structure, [from, row as f64], [to - from, 1.0])?;
                from = to;
            }
        }
        Ok(structure)
    }
}

/// Builds a stack of bricks of length 2 m on a floor that ends at x = 0, with these overhangs of their right ends over the floor, from below.
pub(crate) fn stack(overhangs: &[f64]) -> Result<Structure, Failure> {
    let mut structure = Structure::planar(0.5)?;
    floor(&mut structure, -4.0, 0.0)?;
    for (row, overhang) in overhangs.iter().enumerate() {
        brick(&mut structure, [overhang - 2.0, row as f64], [2.0, 1.0])?;
    }
    Ok(structure)
}

/// Returns the load of a push down of 1 N on the right end of the last brick.
pub(crate) fn on_the_end(structure: &Structure) -> Vec<Wrench> {
    // An arm of 1 m along x.
    structure.load(&[(structure.blocks.len() - 1, [0.0, 0.0, -1.0, 0.0, 1.0, 0.0])])
}
