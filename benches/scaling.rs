//! Cost of a step at rest from 10^3 to 10^6 spheres: time per contact, and memory per sphere, all in.
//!
//! The pile of 1000 (`support/pile.rs`), between smooth walls, settles for 3 s. Larger beds are mirror images of it side by side, in a box that
//! grows with them. A grain that touched a wall touches its image instead, so that a bed of any size rests after a few dozen
//! steps. Nothing sleeps, and every step detects, solves and integrates everything.
//!
//! ```text
//! cargo bench --bench scaling [-- 1000 10000 100000 1000000] [sweeps=10]
//! ```
//!
//! Each size runs in a process of its own, pinned to one processor. Times are medians of the processor time of one
//! thread. *Bytes per sphere* is the memory of the process after the steps, less that before the world
//! was made, over the spheres. *Peak* is the most that it had at any time within the steps.

#[path = "support/mod.rs"]
mod support;

use std::error::Error;
use std::io::{Read, Write};
use std::process::{Command, Stdio};

use crate::support::bed::{Bed, Grain, Grains, Recipe};
use crate::support::clock::pin;
use crate::support::memory::{forget_peak, peak, resident};
use crate::support::pile::{DIAMETER, RADIUS, SETTLE, lattice, recipe};

/// Spheres of the bed that is repeated, and its width in diameters.
const UNIT: usize = 1000;
const SIDE: usize = 10;
/// Steps before those that are measured.
const ADJUST: usize = 40;
const SIZES: [usize; 4] = [1_000, 10_000, 100_000, 1_000_000];
/// The argument that makes this program measure one size.
const CHILD: &str = "measure";

fn main() -> Result<(), Box<dyn Error>> {
    let (mut sizes, mut sweeps, mut child) = (Vec::new(), 10, false);
    for argument in std::env::args().skip(1) {
        match argument.strip_prefix("sweeps=") {
            Some(number) => sweeps = number.parse()?,
            None if argument == CHILD => child = true,
            None if argument == "--bench" => {}
            None => sizes.push(argument.parse::<usize>().map_err(|_| format!("what is {argument}?"))?),
        }
    }
    if child {
        return sizes.iter().try_for_each(|size| measure(*size, sweeps));
    }
    if sizes.is_empty() {
        sizes = SIZES.to_vec();
    }
    eprintln!("settling {UNIT} spheres ...");
    let mut unit = Bed::new(&smooth(sweeps), &lattice(UNIT, SIDE))?;
    unit.run(SETTLE)?;
    let places = text(&unit.grains()?);
    println!("{sweeps} sweeps, one thread");
    println!(
        " spheres  contacts   ms per step: median (least .. most)   ns per contact   bytes per sphere   largest  J per"
    );
    println!(
        "                                                           and step         at rest    peak    overlap  sphere"
    );
    sizes.iter().try_for_each(|size| spawn(*size, sweeps, &places))
}

/// The pile's own, except for smooth walls.
fn smooth(sweeps: u32) -> Recipe {
    Recipe { slick: true, ..recipe(sweeps) }
}

/// Places of the spheres, a line each.
fn text(grains: &Grains) -> String {
    let line = |grain: &Grain| grain.center.map(|at| format!("{at:e}")).join(" ");
    grains.grains.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Measures a size in a process of its own.
fn spawn(size: usize, sweeps: u32, places: &str) -> Result<(), Box<dyn Error>> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args([CHILD.to_string(), size.to_string(), format!("sweeps={sweeps}")]).stdin(Stdio::piped());
    let mut process = command.spawn()?;
    if let Some(mut pipe) = process.stdin.take() {
        pipe.write_all(places.as_bytes())?;
    }
    let status = process.wait()?;
    if status.success() { Ok(()) } else { Err(format!("{size} spheres: {status}").into()) }
}

fn measure(size: usize, sweeps: u32) -> Result<(), Box<dyn Error>> {
    pin();
    let mut places = String::new();
    std::io::stdin().read_to_string(&mut places)?;
    let mut unit = Grains { grains: Vec::new(), half_width: [0.5 * SIDE as f64 * DIAMETER; 2] };
    for line in places.lines() {
        let numbers = line.split(' ').map(str::parse).collect::<Result<Vec<f64>, _>>()?;
        let center = numbers.try_into().map_err(|_| "a place is three numbers")?;
        unit.grains.push(Grain { center, radius: RADIUS });
    }
    drop(places);
    let [columns, rows] = tiles(size);
    let grains = unit.mirrored(columns, rows);
    let spheres = grains.grains.len();
    let before = resident();
    let mut bed = Bed::new(&smooth(sweeps), &grains)?;
    forget_peak();
    bed.run(ADJUST)?;
    let steps = (2_000_000 / spheres).clamp(10, 240);
    let measured = bed.measure(steps)?;
    let per_sphere = |bytes: u64| bytes.saturating_sub(before) as f64 / spheres as f64;
    println!(
        "{spheres:8} {:9.0}   {:9.3} ({:9.3} .. {:9.3})   {:14.1}   {:9.0} {:9.0}    {:.1e}  {:.0e}",
        measured.contacts,
        1e3 * measured.step.median(),
        1e3 * measured.step.min(),
        1e3 * measured.step.max(),
        1e9 * measured.step.median() / measured.contacts,
        per_sphere(resident()),
        per_sphere(peak()),
        measured.report.max_overlap,
        measured.report.kinetic_energy / spheres as f64,
    );
    Ok(())
}

/// Columns and rows of units, as square as their number allows.
fn tiles(size: usize) -> [usize; 2] {
    let units = (size / UNIT).max(1);
    let columns = (1..=units.isqrt()).rev().find(|columns| units.is_multiple_of(*columns)).unwrap_or(1);
    [columns, units / columns]
}
