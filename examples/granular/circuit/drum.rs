//! The inclined drum, whose wall has a slot that winds around it once, so that grains leave it all along the slot.

use std::f64::consts::TAU;

use drystone::body::Definition;

use super::support::Failure;
use super::support::grains::{DIAMETER, Grains};
use super::support::stave::{Barrel, turning};

/// [m]
pub(crate) const RADIUS: f64 = 0.26;
pub(crate) const LENGTH: f64 = 1.0;
/// Of the axis below the horizontal [rad].
const SLOPE: f64 = 6.0 * TAU / 360.0;
/// [rad/s]
const SPEED: f64 = 1.5;
/// Pieces of the wall around the drum.
const STAVES: u32 = 60;
/// Of the wall [m].
const THICKNESS: f64 = 2.0 * DIAMETER;
/// The slot winds around the drum once: where it begins and ends along the axis, and how much of each stave it takes [m].
pub(crate) const SLOTTED: [f64; 2] = [0.45, 0.95];
const OPEN: f64 = 0.06;
/// Of the wall's outer corners [m]. A grain in the slot is still in the drum.
pub(crate) const OUTER: f64 = RADIUS + THICKNESS;
/// Where the upper end of the axis is [m].
const TOP: [f64; 3] = [0.0, 0.0, 0.47];

/// Returns the lowest point of the drum [m].
pub(crate) fn lowest() -> f64 {
    TOP[2] - (LENGTH + THICKNESS) * SLOPE.sin() - OUTER * SLOPE.cos()
}

/// Returns where a point is in the drum: along its axis, across it to the right, and above the axis [m].
pub(crate) fn inside([x, y, z]: [f64; 3]) -> [f64; 3] {
    let (sin, cos) = SLOPE.sin_cos();
    let (x, z) = (x - TOP[0], z - TOP[2]);
    [cos * x - sin * z, y - TOP[1], sin * x + cos * z]
}

/// Returns the world point of one in the drum, the inverse of [`inside`].
fn world([along, across, above]: [f64; 3]) -> [f64; 3] {
    let (sin, cos) = SLOPE.sin_cos();
    [TOP[0] + cos * along + sin * above, TOP[1] + across, TOP[2] - sin * along + cos * above]
}

/// Adds the drum, which turns.
pub(crate) fn add(grains: &mut Grains) -> Result<(), Failure> {
    let half = 0.5 * SLOPE;
    let drum = turning(&Definition {
        position: TOP,
        rotation: [0.0, half.sin(), 0.0, half.cos()],
        angular_velocity: [SPEED * SLOPE.cos(), 0.0, -SPEED * SLOPE.sin()],
        ..Definition::default()
    });
    let barrel = Barrel { radius: RADIUS, thickness: THICKNESS, count: STAVES };
    for stave in 0..STAVES {
        let begin = SLOTTED[0] + (SLOTTED[1] - SLOTTED[0] - OPEN) * f64::from(stave) / f64::from(STAVES - 1);
        for ends in [[0.0, begin], [begin + OPEN, LENGTH]] {
            grains.wall(barrel.stave(stave, ends)?, &drum)?;
        }
    }
    for (along, side) in [(0.0, -1.0), (LENGTH, 1.0)] {
        grains.wall(barrel.plate(along, side)?, &drum)?;
    }
    Ok(())
}

/// Returns places of `count` grains in layers at the bottom of the drum, as far apart as `pitch`.
pub(crate) fn places(count: usize, pitch: f64) -> Vec<[f64; 3]> {
    let along = ((LENGTH - 2.0 * pitch) / pitch) as usize;
    let across = if count > 1000 { 9 } else { 3 };
    let place = |index: usize| {
        let (column, rest) = (index % along, index / along);
        let (row, layer) = (rest % across, rest / across);
        let side = (row as f64 - 0.5 * (across - 1) as f64) * pitch;
        // Above the wall at the side of the layer.
        let bottom = -(RADIUS * RADIUS - 0.25 * (across * across) as f64 * pitch * pitch).sqrt();
        world([(column as f64 + 1.0) * pitch, side, bottom + (layer as f64 + 0.6) * pitch])
    };
    (0..count).map(place).collect()
}
