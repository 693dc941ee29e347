//! A triaxial test of grains between six heavy walls, as in [W] 4.4: the stress at which the packing yields, by sweeps.
//!
//!     cargo run --release --example granular_triaxial -- --size small --plot triaxial.svg

#[path = "triaxial/cell.rs"]
mod cell;
mod support;

use std::path::Path;

use serde_json::{Value, json};

use cell::{Cell, PRESSURE, Packing, SPEED, WALL_MASS};
use support::Failure;
use support::arguments::{Arguments, Start};
use support::figure::{Axis, Curve, Panel, Stroke, colour, draw};
use support::frames::{self, Frames};
use support::grains::STEP;
use support::judge::{Judge, sweeps_for};
use support::progress::Progress;
use support::study::{Study, number};

/// Sweeps by which the packing is made from which all runs start.
const PRESSING_SWEEPS: u32 = 200;
/// Axial strains between which the stress is averaged, as in [W].
const AVERAGED: std::ops::Range<f64> = 0.10..0.25;
/// Steps at the given sweeps under the pressure, before the walls are driven.
const WAITING: usize = 40;
/// A stress this near to that of the most sweeps is level: [W] gives 1 +- 0.2 kPa.
const LEVEL: f64 = 0.2;

/// The deviator of a run.
struct Sheared {
    start: Start,
    sweeps: u32,
    /// Mean over the averaged strains [Pa]: of the motors, and of the contacts inside.
    motor: f64,
    inside: f64,
    /// Of the contacts inside, across, over the same strains [Pa].
    side: f64,
    /// Axial strain, and both.
    curve: Vec<(f64, f64, f64)>,
}

fn main() -> Result<(), Failure> {
    let arguments = Arguments::parse(&[
        ("grains", "N          number of grains"),
        ("wall-mass", "M       of each wall [kg]"),
        frames::OPTION,
    ])?;
    let wall_mass = arguments.own("wall-mass").map_or(Ok(WALL_MASS), str::parse)?;
    let usual = arguments.by_size(500, 2000);
    let count = arguments.own("grains").map_or(Ok(usual), str::parse)?;
    let starts = arguments.starts_or(&[Start::Cold, Start::History]);
    let small = [25, 50, 100, 200, 400];
    let sweeps = arguments.iterations_or(arguments.by_size(&small, &[25, 50, 100, 200, 500, 1000, 2000]));
    let mut study = Study::open("triaxial", arguments.resume.as_deref())?;
    let mut judge = Judge::default();
    let total = f64::from(sweeps.iter().sum::<u32>()) * starts.len() as f64;
    let mut progress = Progress::new(arguments.progress, total);
    let packing = pressed(count, wall_mass)?;
    judge_rest(&packing, &mut judge);
    let mut all = Vec::new();
    let mut imbalance = 0.0f64;
    for (start, sweeps) in starts.iter().flat_map(|start| sweeps.iter().map(move |sweeps| (*start, *sweeps))) {
        let parameters = json!({"grains": count, "wall_mass": wall_mass, "warm": start.name(), "iterations": sweeps});
        let mut frames = Frames::new(&arguments, &format!("triaxial_{}_{sweeps}", start.name()))?;
        let run = study.run(&parameters, || shear(&packing.0, (start, sweeps), &mut frames))?;
        imbalance = imbalance.max(number(&run, "imbalance"));
        let curve = serde_json::from_value(run["curve"].clone())?;
        all.push(Sheared {
            start,
            sweeps,
            motor: number(&run, "motor_pa"),
            inside: number(&run, "inside_pa"),
            side: number(&run, "side_inside_pa"),
            curve,
        });
        progress.add(f64::from(sweeps), &format!("{sweeps} sweeps, {}", start.label()));
    }
    judge.at_most("motor + contacts - m a of the walls, relative", imbalance, 1e-10);
    // Without it the mean is no yield stress: the side walls have lost the grains.
    let side = all.iter().fold(0.0, |largest: f64, one| largest.max((one.side / PRESSURE - 1.0).abs()));
    judge.at_most("side stress while the deviator is averaged, against the pressure, relative", side, 0.1);
    judge_sweeps(&all, &mut judge);
    judge.report("triaxial", arguments.by_size("small", "paper"));
    arguments.plot.as_deref().map_or(Ok(()), |path| plot(path, &all, wall_mass))
}

/// Returns the packing under the pressure, and what its last step showed.
fn pressed(count: usize, wall_mass: f64) -> Result<(Packing, cell::Reading), Failure> {
    let mut cell = Cell::loose(count, wall_mass, Start::History, PRESSING_SWEEPS)?;
    let steps = cell.press()?;
    let reading = cell.step()?;
    let speed = cell.fastest_wall()?;
    let line = json!({
        "experiment": "triaxial", "kind": "packing", "grains": count, "wall_mass": wall_mass, "steps": steps, "wall_speed": speed,
        "gaps": reading.gaps, "walls_pa": reading.walls, "inside_pa": reading.inside,
    });
    println!("{line}");
    Ok((cell.packing()?, reading))
}

fn judge_rest((_, reading): &(Packing, cell::Reading), judge: &mut Judge) {
    let stresses = reading.inside;
    let mean = stresses.iter().sum::<f64>() / 3.0;
    let apart = stresses.iter().fold(0.0, |largest: f64, stress| largest.max((stress / mean - 1.0).abs()));
    judge.at_most("hydrostatic stress inside: largest difference from its mean, relative", apart, 0.05);
    let pairs = reading.inside.iter().zip(reading.walls);
    let off = pairs.fold(0.0, |largest: f64, (inside, wall)| largest.max((inside / wall - 1.0).abs()));
    judge.at_most("stress inside against that on the walls, relative", off, 0.01);
    judge.within("hydrostatic stress [Pa]", mean, 0.95 * PRESSURE, 1.05 * PRESSURE);
}

/// Shears a packing with so many sweeps.
fn shear(packing: &Packing, (start, sweeps): (Start, u32), frames: &mut Frames) -> Result<Value, Failure> {
    let mut cell = Cell::of(packing, start, sweeps)?;
    let mut imbalance = 0.0f64;
    let mut first = 0.0;
    for _ in 0..WAITING {
        let reading = cell.step()?;
        (imbalance, first) = (imbalance.max(reading.imbalance), reading.gaps[2]);
    }
    cell.drive()?;
    let (mut curve, mut sums, mut squares, mut averaged) = (Vec::new(), [0.0; 3], 0.0, 0.0);
    let steps = (1.02 * AVERAGED.end * first / (2.0 * SPEED * STEP)) as usize;
    for step in 0..steps {
        let reading = cell.step()?;
        frames.show(cell.world(), STEP * (step + 1) as f64)?;
        imbalance = imbalance.max(reading.imbalance);
        let strain = 1.0 - reading.gaps[2] / first;
        let of = |stress: f64, sides: [f64; 3]| stress - 0.5 * (sides[0] + sides[1]);
        let motor = reading.motor - PRESSURE;
        let inside = of(reading.inside[2], reading.inside);
        curve.push((strain, motor, inside));
        if AVERAGED.contains(&strain) {
            averaged += 1.0;
            squares += motor * motor;
            let side = 0.5 * (reading.inside[0] + reading.inside[1]);
            sums.iter_mut().zip([motor, inside, side]).for_each(|(sum, one)| *sum += one);
        }
    }
    let [motor, inside, side] = sums.map(|sum| sum / averaged);
    let fluctuation = (squares / averaged - motor * motor).max(0.0).sqrt();
    Ok(json!({
        "motor_pa": motor, "inside_pa": inside, "side_inside_pa": side, "fluctuation_pa": fluctuation, "imbalance": imbalance,
        "curve": curve,
    }))
}

/// Returns the deviators of a start by sweeps.
fn by_sweeps(all: &[Sheared], start: Start, of: fn(&Sheared) -> f64) -> Vec<(f64, f64)> {
    all.iter().filter(|one| one.start == start).map(|one| (f64::from(one.sweeps), of(one))).collect()
}

fn judge_sweeps(all: &[Sheared], judge: &mut Judge) {
    let [cold, warm] = [Start::Cold, Start::History].map(|start| by_sweeps(all, start, |one| one.motor));
    let (Some(cold_last), Some(warm_last)) = (cold.last(), warm.last()) else { return };
    let apart = (cold_last.1 / warm_last.1 - 1.0).abs();
    judge.at_most(format!("deviator at {} sweeps, cold against warm, relative", cold_last.0), apart, 0.2);
    let needed = |points: &[(f64, f64)]| {
        let errors: Vec<_> = points.iter().map(|point| (point.0, point.1 / warm_last.1 - 1.0)).collect();
        sweeps_for(&errors, LEVEL)
    };
    // Level from the fewest sweeps on: at most so many.
    let fewest = |points: &[(f64, f64)]| needed(points).or(points.first().map(|point| point.0)).unwrap_or(f64::NAN);
    judge.at_least("sweeps to level, cold over warm", fewest(&cold) / fewest(&warm), 2.0);
    println!("{}", json!({"experiment": "triaxial", "kind": "level", "cold": needed(&cold), "history": needed(&warm)}));
}

fn plot(path: &Path, all: &[Sheared], wall_mass: f64) -> Result<(), Failure> {
    let mut panels = Vec::new();
    let starts: Vec<Start> = Start::ALL.into_iter().filter(|start| all.iter().any(|one| one.start == *start)).collect();
    let curves = starts.iter().flat_map(|start| {
        let motor = Curve::of_start(*start, by_sweeps(all, *start, |one| one.motor));
        let mut inside = Curve::of_start(*start, by_sweeps(all, *start, |one| one.inside)).with(Stroke::Dashed);
        inside.name += ", inside (dashed)";
        [motor, inside]
    });
    panels.push(Panel {
        title: "deviator, mean of 10 to 25 % axial strain".into(),
        across: Axis::logarithmic("sweeps per step"),
        up: Axis::linear("deviator [Pa]"),
        curves: curves.collect(),
    });
    let [few, many] = [all.iter().map(|one| one.sweeps).min(), all.iter().map(|one| one.sweeps).max()];
    for sweeps in [few, many].into_iter().flatten() {
        let shown = all.iter().filter(|one| one.sweeps == sweeps).map(|one| {
            let points = one.curve.iter().map(|(strain, motor, _)| (100.0 * strain, *motor)).collect();
            Curve::new(one.start.label(), colour(one.start), points).with(Stroke::Plain)
        });
        panels.push(Panel {
            title: format!("deviator from the motors, {sweeps} sweeps"),
            across: Axis::linear("axial strain [%]"),
            up: Axis::linear("deviator [Pa]"),
            curves: shown.collect(),
        });
    }
    let title =
        format!("Triaxial test of grains between walls of {wall_mass} kg: sweeps of Gauss-Seidel, cold and warm");
    draw(path, &title, 3, &panels)
}
