//! Single bodies in space: a table, and spheres that are wedged.

use std::f64::consts::SQRT_2;

use drystone::body::{Definition, Kind};
use drystone::shape::Shape;

use super::Failure;
use super::stacks::Case;
use super::structure::{Structure, Wrench};

/// Half the distance of the feet of the table [m], and its friction.
const FEET: f64 = 0.5;
const FRICTION: f64 = 0.4;
/// Of the funnel: how far its normals are off the vertical [degrees].
const STEEP: f64 = 70.0;
/// The angle between the plates that hold a sphere [degrees].
const OPEN: f64 = 40.0;

pub(crate) const ALL: [Case; 8] = [
    ("table: push along x at its feet over its weight", FRICTION, || table([1.0, 0.0, 0.0, 0.0, 0.0, 0.0], 0.0)),
    ("table: push at 30 degrees", FRICTION, || table([0.866_025_403_784_438_6, 0.5, 0.0, 0.0, 0.0, 0.0], 0.0)),
    ("table: torque", FRICTION * FEET * SQRT_2, || table([0.0, 0.0, 0.0, 0.0, 0.0, 1.0], 0.0)),
    ("table: push at three times the distance of feet", 1.0 / 3.0, || {
        table([1.0, 0.0, 0.0, 0.0, 0.0, 0.0], 3.0 * FEET)
    }),
    // cot 70 degrees is 0.36397.
    ("sphere in a funnel, friction 0.35: pull over weight", 1.0, || funnel(0.35)),
    ("sphere in a funnel, friction 0.37: is wedged", 1.0, || Ok(f64::from(u8::from(funnel(0.37)? == f64::INFINITY)))),
    // tan 20 degrees is 0.36397 too.
    ("sphere between plates at 40 degrees, friction 0.35: is wedged", 0.0, || plates(0.35)),
    ("sphere between plates at 40 degrees, friction 0.37: is wedged", 1.0, || plates(0.37)),
];

/// Returns the largest push over the weight of a table with four feet. The push acts at a height.
fn table(push: Wrench, height: f64) -> Result<f64, Failure> {
    let mut structure = Structure::spatial(FRICTION)?;
    let still = Definition { kind: Kind::Static, material: structure.material, ..Definition::default() };
    structure.add_as(Shape::half_space([0.0, 0.0, 1.0], 0.0)?, &still, Vec::new())?;
    structure.cuboid([-FEET, -FEET, 0.0], [FEET, FEET, 2.0 * FEET], false)?;
    let [x, y, z, about_x, about_y, about_z] = push;
    let above = height - FEET;
    let load = structure.load(&[(1, [x, y, z, about_x - above * y, about_y + above * x, about_z])]);
    Ok(structure.limit(&load)?.load_factor / structure.weight())
}

/// Adds a sphere of radius 1 m about the origin and half-spaces that it touches, by their normals.
fn held(friction: f64, normals: &[[f64; 3]]) -> Result<Structure, Failure> {
    let mut structure = Structure::spatial(friction)?;
    let still = Definition { kind: Kind::Static, material: structure.material, ..Definition::default() };
    for normal in normals {
        structure.add_as(Shape::half_space(*normal, -1.0)?, &still, Vec::new())?;
    }
    structure.add(Shape::sphere(1.0)?, [0.0; 3], 1.0, Vec::new())?;
    Ok(structure)
}

/// Returns the largest pull up over the weight of a sphere in a funnel of three planes.
fn funnel(friction: f64) -> Result<f64, Failure> {
    let (sine, cosine) = STEEP.to_radians().sin_cos();
    let normals = [0.0, 120.0, 240.0].map(|around: f64| {
        let (y, x) = around.to_radians().sin_cos();
        [sine * x, sine * y, cosine]
    });
    let mut structure = held(friction, &normals)?;
    let load = structure.load(&[(3, [0.0, 0.0, 1.0, 0.0, 0.0, 0.0])]);
    Ok(structure.limit(&load)?.load_factor / structure.weight())
}

/// Returns 1 if any push along x, to where two plates open, is carried by friction, 0 if not. The sphere has no weight.
fn plates(friction: f64) -> Result<f64, Failure> {
    let (sine, cosine) = (0.5 * OPEN).to_radians().sin_cos();
    let mut structure = held(friction, &[[sine, cosine, 0.0], [sine, -cosine, 0.0]])?;
    structure.world.set_gravity([0.0; 3])?;
    let load = structure.load(&[(2, [1.0, 0.0, 0.0, 0.0, 0.0, 0.0])]);
    Ok(f64::from(u8::from(structure.limit(&load)?.is_unbounded)))
}
