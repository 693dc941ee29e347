//! What is below the drum: a wide belt, a sieve of rollers whose gaps grow, and a floor.

use drystone::body::{Definition, Kind};
use drystone::id::Handle;
use drystone::shape::Shape;

use super::drum;
use super::support::Failure;
use super::support::grains::Grains;

/// Of the belt, along y [m/s].
pub(crate) const SPEED: f64 = 0.2;
/// The belt and the sieve reach from and to these x [m].
pub(crate) const WIDTH: [f64; 2] = [-0.1, 1.2];
/// The belt begins and ends at these y [m].
pub(crate) const BELT: [f64; 2] = [-0.35, 0.40];
/// Half of the belt's thickness [m].
pub(crate) const THICK: f64 = 0.02;
/// Between the lowest point of the drum and the belt [m].
const BELOW: f64 = 0.05;
pub(crate) const ROLLERS: usize = 10;
/// Of a roller [m].
pub(crate) const ROLLER: f64 = 0.015;
/// The first and the last gap between rollers [m].
const GAPS: [f64; 2] = [8e-3, 14e-3];
/// Each roller is lower than the one before it by this part of their distance.
const FALL: f64 = 0.25;
/// The floor below the sieve [m].
const FLOOR: f64 = -0.4;
const HIGH: f64 = 0.6;

/// The belt and the sieve.
#[derive(Debug, Clone)]
pub(crate) struct Line {
    pub(crate) belt: Handle,
    /// The axes of the rollers, y and z [m].
    pub(crate) rollers: Vec<[f64; 2]>,
}

/// Returns the height of the belt [m].
pub(crate) fn top() -> f64 {
    drum::lowest() - BELOW
}

/// Returns the gap behind a roller [m].
pub(crate) fn gap(roller: usize) -> f64 {
    GAPS[0] + (GAPS[1] - GAPS[0]) * roller as f64 / (ROLLERS - 2) as f64
}

impl Line {
    /// Adds the belt and the sieve. The surface of the first roller moves as the belt does, and that of each other roller `faster` times as fast as
    /// that of the one before it.
    pub(crate) fn new(grains: &mut Grains, faster: f64) -> Result<Self, Failure> {
        let middle = [0.5 * (WIDTH[0] + WIDTH[1]), 0.5 * (BELT[0] + BELT[1])];
        let half = [0.5 * (WIDTH[1] - WIDTH[0]), 0.5 * (BELT[1] - BELT[0])];
        let belt =
            Definition { kind: Kind::Static, position: [middle[0], middle[1], top() - THICK], ..Definition::default() };
        let belt = grains.wall(Shape::cuboid([half[0], half[1], THICK])?, &belt)?;
        grains.world.set_surface_velocity(belt, [0.0, SPEED, 0.0], [0.0; 3])?;
        let rollers = places();
        let mut speed = SPEED;
        for [y, z] in &rollers {
            add_roller(grains, [middle[0], *y, *z], half[0], speed)?;
            speed *= faster;
        }
        add_walls(grains, middle[0], half[0])?;
        Ok(Self { belt, rollers })
    }
}

/// Returns the axes of the rollers.
fn places() -> Vec<[f64; 2]> {
    // The first one is so near to the belt that nothing falls between them.
    let mut at = [BELT[1] + ROLLER + 3e-3, top() - 5e-3 - ROLLER];
    let mut all = vec![at];
    for roller in 0..ROLLERS - 1 {
        let distance = 2.0 * ROLLER + gap(roller);
        at = [at[0] + distance * (1.0 - FALL * FALL).sqrt(), at[1] - FALL * distance];
        all.push(at);
    }
    all
}

fn add_roller(grains: &mut Grains, position: [f64; 3], half: f64, speed: f64) -> Result<(), Failure> {
    // z of the cylinder is x of the world; the top moves along y.
    let turned = std::f64::consts::FRAC_1_SQRT_2;
    let roller = Definition {
        kind: Kind::Kinematic,
        position,
        rotation: [0.0, turned, 0.0, turned],
        angular_velocity: [-speed / ROLLER, 0.0, 0.0],
        ..Definition::default()
    };
    grains.wall(Shape::cylinder(half, ROLLER)?, &roller)?;
    Ok(())
}

/// Adds the floor, walls beside belt and sieve, one behind the belt and one behind the sieve.
fn add_walls(grains: &mut Grains, middle: f64, half: f64) -> Result<(), Failure> {
    let still = Definition { kind: Kind::Static, ..Definition::default() };
    grains.wall(Shape::half_space([0.0, 0.0, 1.0], FLOOR)?, &still)?;
    let (thick, end) = (0.05, 1.6);
    let up = 0.5 * (HIGH - FLOOR);
    let z = 0.5 * (HIGH + FLOOR);
    let along = 0.5 * (end - BELT[0]);
    for (half_extents, position) in [
        ([thick, along, up], [middle - half - thick, BELT[0] + along, z]),
        ([thick, along, up], [middle + half + thick, BELT[0] + along, z]),
        ([half + 2.0 * thick, thick, up], [middle, BELT[0] - thick, z]),
        ([half + 2.0 * thick, thick, up], [middle, end + thick, z]),
    ] {
        grains.wall(Shape::cuboid(half_extents)?, &Definition { position, ..still })?;
    }
    Ok(())
}
