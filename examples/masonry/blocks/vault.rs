//! A cross vault: two barrels that cross, of blocks that are hulls.

use std::f64::consts::FRAC_PI_2;

use drystone::shape::Shape;
use serde_json::{Value, json};

use super::Failure;
use super::structure::{DENSITY, Structure};
use super::support::clock::processor_time;

/// Of the intrados, thickness, and from the groin at the springing to the edge [m].
const RADIUS: f64 = 3.0;
const THICKNESS: f64 = 0.5;
const EDGE: f64 = RADIUS + 1.5 * THICKNESS;
/// How far from its limit a vault stands or falls, over the limit [-].
const APART: f64 = 1e-6;

/// Builds a vault of four webs of two sides. The lowest of the `courses` are supports, the others are cut into `pieces`.
///
/// # Errors
///
/// Those of the library.
pub(crate) fn build(courses: usize, pieces: usize, friction: f64) -> Result<Structure, Failure> {
    let mut structure = Structure::spatial(friction)?;
    for web in 0..4 {
        for side in [1.0, -1.0] {
            for course in 0..=courses {
                let pieces = if course == 0 { 1 } else { pieces };
                for piece in 0..pieces {
                    let share = |at: usize| at as f64 / pieces as f64;
                    let joints = [course, course + 1].map(|at| FRAC_PI_2 * at as f64 / (courses + 1) as f64);
                    let corners = corners(joints, [share(piece), share(piece + 1)]);
                    let placed: Vec<_> = corners.iter().map(|[x, y, z]| turned(web, [*x, side * y, *z])).collect();
                    add(&mut structure, &placed, course == 0)?;
                }
            }
        }
    }
    Ok(structure)
}

/// Returns the corners of a piece of a course, between two joints and two shares of the way from the groin to the edge.
fn corners(joints: [f64; 2], shares: [f64; 2]) -> Vec<[f64; 3]> {
    let mut corners = Vec::with_capacity(8);
    for angle in joints {
        for radius in [RADIUS, RADIUS + THICKNESS] {
            // The crown is at y = 0.
            let y = if angle < FRAC_PI_2 { radius * angle.cos() } else { 0.0 };
            corners.extend(shares.map(|share| [(1.0 - share) * y + share * EDGE, y, radius * angle.sin()]));
        }
    }
    corners
}

/// Returns a point turned about z by quarters.
fn turned(quarters: usize, [x, y, z]: [f64; 3]) -> [f64; 3] {
    match quarters {
        0 => [x, y, z],
        1 => [-y, x, z],
        2 => [-x, -y, z],
        _ => [y, -x, z],
    }
}

fn add(structure: &mut Structure, corners: &[[f64; 3]], is_fixed: bool) -> Result<(), Failure> {
    let whole = Shape::hull(corners)?.mass_properties().ok_or("a block has a volume")?;
    let center: [f64; 3] = whole.center.into();
    let about: Vec<[f64; 3]> =
        corners.iter().map(|corner| std::array::from_fn(|axis| corner[axis] - center[axis])).collect();
    let mass = if is_fixed { 0.0 } else { DENSITY * whole.mass };
    structure.add(Shape::hull(&about)?, center, mass, Vec::new())?;
    Ok(())
}

/// Returns the limit of a horizontal acceleration of a vault, and the time that it takes to find. Increments prove the limit: the vault
/// stands a little below it, and falls a little above.
pub(crate) fn limit(courses: usize, pieces: usize, friction: f64) -> Result<Value, Failure> {
    let mut structure = build(courses, pieces, friction)?;
    let blocks = structure.blocks.iter().filter(|block| !block.is_support()).count();
    let load = structure.sideways();
    let begin = processor_time();
    let report = structure.limit(&load)?;
    let limit_seconds = processor_time() - begin;
    let stands = structure.balance(&load, (1.0 - APART) * report.load_factor)?;
    let falls = structure.collapses(&load, (1.0 + APART) * report.load_factor)?;
    Ok(json!({
        "factor": report.load_factor, "slides": report.slides, "converged": report.is_converged, "blocks": blocks,
        "stands": stands, "falls": falls, "steps": report.iterations, "limit_seconds": limit_seconds,
    }))
}
