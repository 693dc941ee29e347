//! The cost of sleeping bodies: a step of ten columns of ten balls that are kept awake, alone and beside 100 000 that sleep.
//!
//! ```text
//! cargo bench --bench sleeping [-- 100000]
//! ```
//!
//! Medians of 200 steps of each world, alternately, one thread, in microseconds.

use std::time::Instant;

use drystone::body::{Definition, Kind};
use drystone::error::Result;
use drystone::id::Handle;
use drystone::shape::Shape;
use drystone::world::{Settings, World};

const STEP: f64 = 1.0 / 128.0;
const RADIUS: f64 = 0.5;
const MEASURED: usize = 200;

fn main() -> Result<()> {
    let asleep = std::env::args().find_map(|argument| argument.parse().ok()).unwrap_or(100_000);
    let mut worlds = [columns(0)?, columns(asleep)?];
    let mut times: [Vec<[f64; 3]>; 2] = Default::default();
    for _ in 0..100 + MEASURED {
        for ((world, balls), times) in worlds.iter_mut().zip(&mut times) {
            balls.iter().try_for_each(|ball| world.wake(*ball))?;
            let begin = Instant::now();
            let report = world.step(STEP).map_err(|failure| failure.error)?;
            let total = begin.elapsed().as_secs_f64();
            times.push([total, report.seconds_detect, total - report.seconds_detect]);
            assert!(report.awake_bodies as usize == balls.len() || times.len() < 90, "others are awake");
        }
    }
    println!("sleeping    step  detect    rest  [us]");
    for (count, mut times) in [0, asleep].into_iter().zip(times) {
        let mut median = |column: usize| {
            let measured = &mut times[100..];
            measured.sort_unstable_by(|one, other| one[column].total_cmp(&other[column]));
            1e6 * measured[MEASURED / 2][column]
        };
        println!("{count:8} {:7.1} {:7.1} {:7.1}", median(0), median(1), median(2));
    }
    Ok(())
}

/// A floor with the columns, which are named, and beside them a lattice of balls that do not touch each other.
fn columns(asleep: usize) -> Result<(World, Vec<Handle>)> {
    let settings = Settings { iterations: 10, sleeping: true, ..Settings::default() };
    let mut world = World::new(settings, [0.0, 0.0, -10.0])?;
    let plane = world.add_shape(Shape::half_space([0.0, 0.0, 1.0], 0.0)?)?;
    let shape = world.add_shape(Shape::sphere(RADIUS)?)?;
    world.add_body(&Definition { kind: Kind::Static, shape: plane, ..Definition::default() })?;
    let ball = |x: f64, y: f64, z: f64| Definition { shape, position: [x, y, z], ..Definition::default() };
    let columns: Vec<_> = (0..100).map(|k| ball(-2.0 - f64::from(k % 10), 0.0, RADIUS + f64::from(k / 10))).collect();
    let side = 400;
    let lattice = |k: usize| ball(1.1 * (1 + k % side) as f64, 1.1 * (k / side) as f64, RADIUS);
    let awake = world.add_bodies(&columns)?;
    world.add_bodies(&(0..asleep).map(lattice).collect::<Vec<_>>())?;
    Ok((world, awake))
}
