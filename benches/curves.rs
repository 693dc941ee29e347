//! Time of the narrow phase for a pair of NURBS grains of 16 spans in contact.
//!
//! The outline is a cubic with 16 control points of radius 1, but every fourth one of 0.75; it is not convex. Pairs touch with an overlap of 0.002 at
//! 64 angles.
//!
//! ```text
//! cargo bench --bench curves
//! ```
//!
//! Processor time of one thread, pinned to one processor.

#[path = "support/mod.rs"]
mod support;

use std::f64::consts::TAU;

use drystone::collide::narrow::{NarrowWorkspace, Placed, contacts};
use drystone::error::Result;
use drystone::math::{Pose, Quat, Vec3};
use drystone::shape::{CurveContacts, CurveDefinition, Shape};

use crate::support::clock::{pin, processor_time};

const SPANS: usize = 16;
const ANGLES: usize = 64;
const OVERLAP: f64 = 0.002;
const REPEATS: usize = 200;

fn main() -> Result<()> {
    pin();
    println!("contacts  margin   us per pair   points per pair");
    for (name, kind) in [("minima", CurveContacts::Minima), ("knots", CurveContacts::Knots)] {
        let grain = grain(kind)?;
        let pairs = pairs(&grain)?;
        for margin in [0.0, 0.02] {
            let (seconds, points) = measure(&grain, &pairs, margin)?;
            println!("{name:8} {margin:7} {:13.2} {points:17.2}", 1e6 * seconds);
        }
    }
    Ok(())
}

fn grain(contacts: CurveContacts) -> Result<Shape> {
    let points = (0..SPANS).map(|at| {
        let (sine, cosine) = (TAU * at as f64 / SPANS as f64).sin_cos();
        let radius = if at % 4 == 1 { 0.75 } else { 1.0 };
        [radius * cosine, radius * sine]
    });
    let knots = (0..=SPANS).map(|at| at as f64).collect();
    Shape::nurbs_curve(&CurveDefinition { points: points.collect(), knots, contacts, ..CurveDefinition::default() })
}

fn pose(angle: f64, distance: f64) -> Pose {
    let direction = Vec3::new(angle.cos(), angle.sin(), 0.0);
    Pose::new(direction * distance, Quat::from_axis_angle(&Vec3::z_axis(), 2.7 * angle))
}

/// Places of the second grain at which the two overlap by so much.
fn pairs(grain: &Shape) -> Result<Vec<Pose>> {
    let mut workspace = NarrowWorkspace::default();
    let mut found = Vec::new();
    let mut all = Vec::new();
    for at in 0..ANGLES {
        let angle = TAU * at as f64 / ANGLES as f64;
        let (mut near, mut far) = (1.2, 2.5);
        for _ in 0..40 {
            let middle = 0.5 * (near + far);
            found.clear();
            let placed = [Pose::world(), pose(angle, middle)];
            let [a, b] = placed.each_ref().map(|pose| Placed { shape: grain, pose });
            contacts(a, b, 0.0, &mut workspace, &mut found)?;
            if found.is_empty() { far = middle } else { near = middle }
        }
        all.push(pose(angle, near - OVERLAP));
    }
    Ok(all)
}

/// Returns the least time of a pair over all repeats, and the number of points of a pair.
fn measure(grain: &Shape, pairs: &[Pose], margin: f64) -> Result<(f64, f64)> {
    let (mut workspace, mut found) = (NarrowWorkspace::default(), Vec::new());
    let (mut fastest, world) = (f64::INFINITY, Pose::world());
    for _ in 0..REPEATS {
        let begin = processor_time();
        found.clear();
        for pose in pairs {
            let a = Placed { shape: grain, pose: &world };
            contacts(a, Placed { shape: grain, pose }, margin, &mut workspace, &mut found)?;
        }
        fastest = fastest.min(processor_time() - begin);
    }
    let count = pairs.len() as f64;
    Ok((fastest / count, found.len() as f64 / count))
}
