//! The inclined drum, whose wall has a slot that winds around it once, so that grains leave it all along the slot.

use std::f64::consts::TAU;

use drystone::body::{Definition, Kind};
use drystone::shape::Shape;

use super::support::Failure;
use super::support::grains::Grains;

/// [m]
pub(crate) const RADIUS: f64 = 0.26;
pub(crate) const LENGTH: f64 = 1.0;
/// Of the axis below the horizontal [rad].
const SLOPE: f64 = 6.0 * TAU / 360.0;
/// [rad/s]
const SPEED: f64 = 1.5;
/// Pieces around the drum, and along it.
const AROUND: u32 = 48;
const ALONG: u32 = 40;
/// The slot: pieces around, and where it begins and ends along the axis [m].
const SLOT: u32 = 2;
pub(crate) const SLOTTED: [f64; 2] = [0.45, 0.95];
/// Where the upper end of the axis is [m].
const TOP: [f64; 3] = [0.0, 0.0, 0.47];

/// Returns the lowest point of the drum [m].
pub(crate) fn lowest() -> f64 {
    TOP[2] - LENGTH * SLOPE.sin() - RADIUS * SLOPE.cos()
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
    let (points, triangles) = surface();
    let half = 0.5 * SLOPE;
    let drum = Definition {
        kind: Kind::Kinematic,
        position: TOP,
        rotation: [0.0, half.sin(), 0.0, half.cos()],
        angular_velocity: [SPEED * SLOPE.cos(), 0.0, -SPEED * SLOPE.sin()],
        ..Definition::default()
    };
    grains.wall(Shape::mesh(&points, &triangles)?, &drum)?;
    Ok(())
}

/// Returns the wall without its slot, and both ends.
fn surface() -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
    let mut points = Vec::new();
    for (ring, step) in (0..=ALONG).flat_map(|ring| (0..AROUND).map(move |step| (ring, step))) {
        let (sin, cos) = (TAU * f64::from(step) / f64::from(AROUND)).sin_cos();
        points.push([LENGTH * f64::from(ring) / f64::from(ALONG), RADIUS * cos, RADIUS * sin]);
    }
    let mut triangles = Vec::new();
    let corner = |ring: u32, step: u32| ring * AROUND + step % AROUND;
    for (ring, step) in (0..ALONG).flat_map(|ring| (0..AROUND).map(move |step| (ring, step))) {
        if !is_slot(ring, step) {
            let corners =
                [corner(ring, step), corner(ring + 1, step), corner(ring + 1, step + 1), corner(ring, step + 1)];
            triangles.push([corners[0], corners[1], corners[2]]);
            triangles.push([corners[0], corners[2], corners[3]]);
        }
    }
    for (ring, along) in [(0, 0.0), (ALONG, LENGTH)] {
        let middle = points.len() as u32;
        points.push([along, 0.0, 0.0]);
        triangles.extend((0..AROUND).map(|step| [middle, corner(ring, step), corner(ring, step + 1)]));
    }
    (points, triangles)
}

/// Whether a piece of the wall is left open.
fn is_slot(ring: u32, step: u32) -> bool {
    let share = ((f64::from(ring) + 0.5) / f64::from(ALONG) * LENGTH - SLOTTED[0]) / (SLOTTED[1] - SLOTTED[0]);
    if !(0.0..1.0).contains(&share) {
        return false;
    }
    let first = (share * f64::from(AROUND)) as u32;
    (step + AROUND - first) % AROUND < SLOT
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
