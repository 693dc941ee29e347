//! Time of the narrow phase alone, for a pair in contact: boxes, hulls of 8 to 200 corners, cylinders, capsules.
//!
//! The second shape is at 256 places around the first, both turned at random, and overlaps it by 0.002 of its size.
//!
//! ```text
//! cargo bench --bench narrow
//! ```
//!
//! Processor time of one thread, pinned to one processor. Time a pair: the least of many repeats over all places.

#[path = "support/mod.rs"]
mod support;

use drystone::collide::narrow::{NarrowWorkspace, Placed, contacts};
use drystone::error::Result;
use drystone::math::{Pose, Quat, Vec3};
use drystone::shape::Shape;

use crate::support::clock::{pin, processor_time};

const PLACES: usize = 256;
const OVERLAP: f64 = 0.002;
const REPEATS: usize = 200;

fn main() -> Result<()> {
    pin();
    let box_shape = Shape::cuboid([0.5, 0.4, 0.3])?;
    let cylinder = Shape::cylinder(0.4, 0.3)?;
    let capsule = Shape::capsule(0.3, 0.2)?;
    let hulls = [8, 20, 60, 200].map(hull);
    let [small, medium, large, largest] = hulls;
    let (small, medium, large, largest) = (small?, medium?, large?, largest?);
    println!("pair                         us per pair   points per pair");
    for (name, a, b) in [
        ("box, box", &box_shape, &box_shape),
        ("hulls of 8 corners", &small, &small),
        ("hulls of 20 corners", &medium, &medium),
        ("hulls of 60 corners", &large, &large),
        ("hulls of 200 corners", &largest, &largest),
        ("cylinder, cylinder", &cylinder, &cylinder),
        ("cylinder, box", &cylinder, &box_shape),
        ("capsule, capsule", &capsule, &capsule),
        ("capsule, box", &capsule, &box_shape),
        ("capsule, hull of 20", &capsule, &medium),
        ("box, hull of 20", &box_shape, &medium),
    ] {
        let (seconds, points) = measure(a, b, &places(a, b)?)?;
        println!("{name:28} {:11.3} {points:17.2}", 1e6 * seconds);
    }
    Ok(())
}

/// Numbers between 0 and 1 that are spread evenly, in `N` directions.
fn spread<const N: usize>(at: usize) -> [f64; N] {
    // Powers of a number that is no fraction of small numbers.
    std::array::from_fn(|axis| (at as f64 * 0.911_58f64.powi(axis as i32 + 1) + 0.5).fract())
}

/// Points on an ellipsoid.
fn hull(corners: usize) -> Result<Shape> {
    let points: Vec<[f64; 3]> = (0..corners)
        .map(|at| {
            let height = 1.0 - (2.0 * at as f64 + 1.0) / corners as f64;
            let (sine, cosine) = (2.399_963_229_728_653 * at as f64).sin_cos();
            let across = (1.0 - height * height).sqrt();
            [0.5 * across * cosine, 0.4 * across * sine, 0.3 * height]
        })
        .collect();
    Shape::hull(&points)
}

/// Where the second shape overlaps the first by so much, both turned.
fn places(a: &Shape, b: &Shape) -> Result<Vec<[Pose; 2]>> {
    let (mut workspace, mut found) = (NarrowWorkspace::default(), Vec::new());
    let turned = |x: f64, y: f64, z: f64| Quat::from_scaled_axis(Vec3::new(x - 0.5, y - 0.5, z - 0.5) * 6.0);
    let mut all = Vec::new();
    for at in 0..PLACES {
        let [height, angle, x, y, z, u, v, w] = spread::<8>(at);
        let (sine, cosine) = (std::f64::consts::TAU * angle).sin_cos();
        let z_of = 2.0 * height - 1.0;
        let across = (1.0 - z_of * z_of).sqrt();
        let direction = Vec3::new(across * cosine, across * sine, z_of);
        let first = Pose::new(Vec3::zeros(), turned(x, y, z));
        let second = |distance: f64| Pose::new(direction * distance, turned(u, v, w));
        let (mut near, mut far) = (0.0, 2.5);
        for _ in 0..50 {
            let middle = 0.5 * (near + far);
            found.clear();
            let pose = second(middle);
            contacts(
                Placed { shape: a, pose: &first },
                Placed { shape: b, pose: &pose },
                0.0,
                &mut workspace,
                &mut found,
            )?;
            if found.is_empty() { far = middle } else { near = middle }
        }
        all.push([first, second(near - OVERLAP)]);
    }
    Ok(all)
}

/// Returns the least time of a pair over all repeats, and the number of points of a pair.
fn measure(a: &Shape, b: &Shape, places: &[[Pose; 2]]) -> Result<(f64, f64)> {
    let (mut workspace, mut found) = (NarrowWorkspace::default(), Vec::new());
    let mut fastest = f64::INFINITY;
    for _ in 0..REPEATS {
        let begin = processor_time();
        found.clear();
        for [first, second] in places {
            let [a, b] = [Placed { shape: a, pose: first }, Placed { shape: b, pose: second }];
            contacts(a, b, 0.0, &mut workspace, &mut found)?;
        }
        fastest = fastest.min(processor_time() - begin);
    }
    let count = places.len() as f64;
    Ok((fastest / count, found.len() as f64 / count))
}
