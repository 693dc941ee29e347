//! A triaxial test of grains between six heavy walls, as in [W] 4.4: the stress at which the packing yields, by sweeps.
//!
//!     cargo run --release --example granular_triaxial -- --size small --plot triaxial.svg

#[path = "triaxial/cell.rs"]
mod cell;
#[path = "triaxial/shearing.rs"]
mod shearing;
mod support;

use std::path::Path;

use plotters::prelude::BLACK;
use serde_json::{Value, json};

use cell::{Cell, PRESSURE, Packing, Reading, WALL_MASS};
use shearing::Shearing;
use support::Failure;
use support::arguments::{Arguments, Start};
use support::figure::{Axis, Curve, PRINTED, Panel, Stroke, colour, draw};
use support::frames::{self, Frames};
use support::grains::settings;
use support::judge::{Judge, sweeps_for};
use support::progress::Progress;
use support::reference;
use support::study::{Study, number};

/// Sweeps by which the packing is made from which all runs start.
const PRESSING_SWEEPS: u32 = 200;
/// A stress this near to that of the reference is level: [W] gives 1 +- 0.2 kPa.
const LEVEL: f64 = 0.2;

/// The deviator that [W] prints [Pa].
const PRINTED_DEVIATOR: f64 = 1000.0;

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

impl Sheared {
    fn of(run: &Value, start: Start, sweeps: u32) -> Self {
        Self {
            start,
            sweeps,
            motor: number(run, "motor_pa"),
            inside: number(run, "inside_pa"),
            side: number(run, "side_inside_pa"),
            // A list of runs may leave curves out, and only one panel of the figure needs them.
            curve: serde_json::from_value(run["curve"].clone()).unwrap_or_default(),
        }
    }
}

fn main() -> Result<(), Failure> {
    let arguments = Arguments::parse(&[
        ("grains", "N          number of grains"),
        ("wall-mass", "M       of each wall [kg]"),
        reference::OPTION,
        frames::OPTION,
    ])?;
    let has_reference = reference::is_wanted(&arguments)?;
    let wall_mass = arguments.number("wall-mass", WALL_MASS)?;
    let usual = arguments.by_size(500, 2000);
    let count = arguments.number("grains", usual)?;
    let starts = arguments.starts_or(&[Start::Cold, Start::History]);
    let small = [25, 50, 100, 200, 400];
    let sweeps = arguments.iterations_or(arguments.by_size(&small, &[25, 50, 100, 200, 500, 1000, 2000]));
    let mut study = Study::open("triaxial", &arguments)?;
    let mut judge = Judge::default();
    let runs = starts.iter().flat_map(|start| sweeps.iter().map(|sweeps| Shearing::new(*start, *sweeps)));
    let runs: Vec<Shearing> = runs.chain(has_reference.then(Shearing::reference)).collect();
    let total = runs.iter().map(|run| f64::from(run.settings.iterations)).sum();
    let mut progress = Progress::new(arguments.progress, total);
    let (packing, reading) = pressed(&mut study, count, wall_mass)?;
    judge_rest(&reading, &mut judge);
    let (mut all, mut reference) = (Vec::new(), None);
    let mut imbalance = 0.0f64;
    for shearing in runs {
        let mut frames = Frames::new(&arguments, &format!("triaxial_{}", shearing.name()))?;
        let parameters = shearing.parameters(count, wall_mass);
        let is_finished = study.find(&parameters).is_some();
        let run = study.run(&parameters, |saved| shearing.run(&packing, &mut frames, saved))?;
        imbalance = imbalance.max(number(&run, "imbalance"));
        let sheared = Sheared::of(&run, shearing.start, shearing.settings.iterations);
        let work = f64::from(shearing.settings.iterations);
        if is_finished {
            progress.skip(work);
        } else {
            progress.add(work, &shearing.name());
        }
        if shearing.is_reference {
            reference = Some(sheared);
        } else {
            all.push(sheared);
        }
    }
    judge.at_most("motor + contacts - m a of the walls, relative", imbalance, 1e-10);
    // Without it the mean is no yield stress: the side walls have lost the grains.
    let side =
        all.iter().chain(&reference).fold(0.0, |largest: f64, one| largest.max((one.side / PRESSURE - 1.0).abs()));
    judge.at_most("side stress while the deviator is averaged, against the pressure, relative", side, 0.1);
    judge_sweeps(&all, reference.as_ref(), &mut judge);
    judge.report("triaxial", arguments.by_size("small", "paper"));
    arguments.plot.as_deref().map_or(Ok(()), |path| plot(path, &all, reference.as_ref(), wall_mass))
}

/// Returns the packing under the pressure, and what its last step showed.
fn pressed(study: &mut Study, count: usize, wall_mass: f64) -> Result<(Packing, Reading), Failure> {
    let parameters = json!({"kind": "packing", "grains": count, "wall_mass": wall_mass});
    if study.find(&parameters).is_none() {
        study.record(&parameters, |saved| {
            let mut cell = Cell::loose(count, wall_mass, settings(Start::History, PRESSING_SWEEPS))?;
            let steps = cell.press(saved)?;
            let reading = cell.step()?;
            let speed = cell.fastest_wall()?;
            Ok(json!({"steps": steps, "wall_speed": speed, "reading": reading, "packing": cell.packing()?}))
        })?;
    }
    let run = study.find(&parameters).cloned().unwrap_or_default();
    let reading: Reading = serde_json::from_value(run["reading"].clone())?;
    let line = json!({
        "experiment": "triaxial", "kind": "packing", "grains": count, "wall_mass": wall_mass, "steps": run["steps"],
        "wall_speed": run["wall_speed"], "gaps": reading.gaps, "walls_pa": reading.walls, "inside_pa": reading.inside,
    });
    println!("{line}");
    Ok((serde_json::from_value(run["packing"].clone())?, reading))
}

fn judge_rest(reading: &Reading, judge: &mut Judge) {
    let stresses = reading.inside;
    let mean = stresses.iter().sum::<f64>() / 3.0;
    let apart = stresses.iter().fold(0.0, |largest: f64, stress| largest.max((stress / mean - 1.0).abs()));
    judge.at_most("hydrostatic stress inside: largest difference from its mean, relative", apart, 0.05);
    let pairs = reading.inside.iter().zip(reading.walls);
    let off = pairs.fold(0.0, |largest: f64, (inside, wall)| largest.max((inside / wall - 1.0).abs()));
    judge.at_most("stress inside against that on the walls, relative", off, 0.01);
    judge.within("hydrostatic stress [Pa]", mean, 0.95 * PRESSURE, 1.05 * PRESSURE);
}

/// Returns the deviators of a start by sweeps.
fn by_sweeps(all: &[Sheared], start: Start, of: fn(&Sheared) -> f64) -> Vec<(f64, f64)> {
    all.iter().filter(|one| one.start == start).map(|one| (f64::from(one.sweeps), of(one))).collect()
}

/// Judges deviators. Errors are against the reference, or against history with the most sweeps if there is none.
fn judge_sweeps(all: &[Sheared], reference: Option<&Sheared>, judge: &mut Judge) {
    let [cold, warm] = [Start::Cold, Start::History].map(|start| by_sweeps(all, start, |one| one.motor));
    let (Some(cold_last), Some(warm_last)) = (cold.last(), warm.last()) else { return };
    let apart = (cold_last.1 / warm_last.1 - 1.0).abs();
    judge.at_most(format!("deviator at {} sweeps, cold against warm, relative", cold_last.0), apart, 0.2);
    let exact = reference.map_or(warm_last.1, |reference| reference.motor);
    let needed = |points: &[(f64, f64)]| {
        let errors: Vec<_> = points.iter().map(|point| (point.0, point.1 / exact - 1.0)).collect();
        sweeps_for(&errors, LEVEL)
    };
    // Level from the fewest sweeps on: at most so many.
    let fewest = |points: &[(f64, f64)]| needed(points).or(points.first().map(|point| point.0)).unwrap_or(f64::NAN);
    judge.at_least("sweeps to level, cold over warm", fewest(&cold) / fewest(&warm), 2.0);
    println!("{}", json!({"experiment": "triaxial", "kind": "level", "cold": needed(&cold), "history": needed(&warm)}));
}

fn plot(path: &Path, all: &[Sheared], reference: Option<&Sheared>, wall_mass: f64) -> Result<(), Failure> {
    let mut panels = Vec::new();
    let starts: Vec<Start> = Start::ALL.into_iter().filter(|start| all.iter().any(|one| one.start == *start)).collect();
    let curves = starts.iter().flat_map(|start| {
        let motor = Curve::of_start(*start, by_sweeps(all, *start, |one| one.motor));
        let mut inside = Curve::of_start(*start, by_sweeps(all, *start, |one| one.inside)).with(Stroke::Dashed);
        inside.name += ", inside (dashed)";
        [motor, inside]
    });
    let (Some(few), Some(many)) = (all.iter().map(|one| one.sweeps).min(), all.iter().map(|one| one.sweeps).max())
    else {
        return Ok(());
    };
    let ends = [few, many].map(f64::from);
    let line = reference.map(|reference| Curve::level("reference", BLACK, ends, reference.motor));
    let printed = Curve::level("[W], about", PRINTED, ends, PRINTED_DEVIATOR);
    // The model start throws walls away with few sweeps. Such runs would set the scale of all others.
    let sets_scale = |one: &&Sheared| one.start != Start::Model || starts.len() == 1;
    let means = all.iter().filter(sets_scale).chain(reference).flat_map(|one| [one.motor, one.inside]);
    panels.push(Panel {
        title: "deviator, mean of 10 to 25 % axial strain".into(),
        across: Axis::logarithmic("sweeps per step"),
        up: Axis::linear("deviator [Pa]").around(means.chain([PRINTED_DEVIATOR])),
        curves: curves.chain(line).chain([printed]).collect(),
    });
    for sweeps in [few, many] {
        let shown = all.iter().filter(|one| one.sweeps == sweeps).map(|one| {
            let points = one.curve.iter().map(|(strain, motor, _)| (100.0 * strain, *motor)).collect();
            Curve::new(one.start.label(), colour(one.start), points).with(Stroke::Plain)
        });
        let scale = all.iter().filter(|one| one.sweeps == sweeps).filter(sets_scale);
        let scale = scale.flat_map(|one| one.curve.iter().map(|point| point.1));
        panels.push(Panel {
            title: format!("deviator from the motors, {sweeps} sweeps"),
            across: Axis::linear("axial strain [%]"),
            up: Axis::linear("deviator [Pa]").around(scale),
            curves: shown.collect(),
        });
    }
    let title =
        format!("Triaxial test of grains between walls of {wall_mass} kg: sweeps of Gauss-Seidel, cold and warm");
    draw(path, &title, 3, &panels)
}
