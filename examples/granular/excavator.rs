//! An excavator of 50 t that digs in a trench of grains, as in [W] 5: the machine is solved exactly, the grains by few sweeps, cold and warm.
//!
//!     cargo run --release --example granular_excavator -- --size small --plot excavator.svg

#[path = "excavator/balance.rs"]
mod balance;
#[path = "excavator/cycle.rs"]
mod cycle;
#[path = "excavator/machine.rs"]
mod machine;
#[path = "excavator/plane.rs"]
mod plane;
mod support;
#[path = "excavator/trench.rs"]
mod trench;

use std::path::Path;

use plotters::prelude::RGBColor;
use serde_json::{Value, json};

use plane::Arm;
use support::Failure;
use support::arguments::{Arguments, Start};
use support::figure::{Axis, Curve, Panel, Stroke, colour, draw};
use support::filling::{Fill, height};
use support::frames::{self, Frames};
use support::grains::settings;
use support::judge::Judge;
use support::progress::Progress;
use support::study::{Study, number};
use trench::settled;

/// Sweeps of [W].
const SWEEPS: u32 = 25;
/// Sweeps by which the height of the bed is compared.
const MANY_SWEEPS: u32 = 200;

fn main() -> Result<(), Failure> {
    let arguments =
        Arguments::parse(&[("grains", "N          grains of the part of the bed that settles"), frames::OPTION])?;
    let mut fill = arguments.by_size(
        Fill { count: 2000, widths: [2.0, 0.7], diameters: [50, 100], images: [1, 1] },
        Fill { count: 4200, widths: [0.75, 0.8], diameters: [25, 100], images: [8, 3] },
    );
    fill.count = arguments.number("grains", fill.count)?;
    let scale = arguments.by_size(1.0 / 3.0, 1.0);
    let starts = arguments.starts_or(&[Start::Cold, Start::History]);
    let sweeps = arguments.iterations_or(&[SWEEPS]);
    let mut study = Study::open("excavator", &arguments)?;
    let mut progress = Progress::new(arguments.progress, (starts.len() * sweeps.len()) as f64);
    let mut alone = None;
    let mut runs = Vec::new();
    for (start, sweeps) in starts.iter().flat_map(|start| sweeps.iter().map(move |sweeps| (*start, *sweeps))) {
        let settings = settings(start, sweeps);
        let grown = fill.count * fill.images[0] * fill.images[1];
        let parameters = json!({"kind": "digging", "bed": grown, "warm": start.name(), "iterations": sweeps});
        let what = format!("{sweeps} sweeps, {}", start.label());
        let mut frames = Frames::new(&arguments, &format!("excavator_{}_{sweeps}", start.name()))?;
        let run = study.run(&parameters, |saved| {
            cycle::digging((&fill, scale), settings, &mut frames, saved, |share| progress.part(share, &what))
        })?;
        progress.add(1.0, &what);
        if alone.is_none() {
            let arm = Arm { scale, origin: [0.0; 3] };
            let parameters = json!({"kind": "machine alone", "scale": scale});
            alone = Some(study.run(&parameters, |_| Ok(cycle::unloaded(arm, settings)?))?);
        }
        runs.push((start, run));
    }
    let parameters = json!({"kind": "bed", "grains": fill.count, "iterations": MANY_SWEEPS});
    let many = study.run(&parameters, |saved| {
        let one = Fill { images: [1, 1], ..fill };
        Ok(json!({"height_m": height(&settled(&one, settings(Start::History, MANY_SWEEPS), saved)?.grains)}))
    })?;
    let judge = judge(&runs, alone.as_ref(), &many);
    judge.report("excavator", arguments.by_size("small", "paper"));
    arguments.plot.as_deref().map_or(Ok(()), |path| plot(path, &runs, alone.as_ref()))
}

fn judge(runs: &[(Start, Value)], alone: Option<&Value>, many: &Value) -> Judge {
    let mut judge = Judge::default();
    if let Some(alone) = alone {
        judge.at_most("tip from the table, machine alone, whole table [m]", number(alone, "tip_m"), 1e-3);
        judge.at_most("forces on the machine alone, relative imbalance", number(alone, "force_imbalance"), 1e-8);
        judge.at_most("torques on the machine alone, relative imbalance", number(alone, "torque_imbalance"), 1e-8);
    }
    for (start, run) in runs {
        let name = start.label();
        judge.at_most(format!("tip from the table while unloaded, {name} [m]"), number(run, "tip_unloaded_m"), 1e-3);
        judge.at_most(format!("pins + grains + weight on every body, {name}"), number(run, "force_imbalance"), 1e-8);
        judge.at_most(format!("torques of the same, {name}"), number(run, "torque_imbalance"), 1e-8);
        judge.at_most(format!("computing time over that of the bed alone, {name}"), number(run, "ratio_of_time"), 1.4);
    }
    let of = |start: Start| runs.iter().find(|run| run.0 == start).map(|run| &run.1);
    let Some(warm) = of(Start::History) else { return judge };
    let off = (number(warm, "height_m") / number(many, "height_m") - 1.0).abs();
    judge.at_most(format!("height, history against {MANY_SWEEPS} sweeps, relative"), off, 0.1);
    let Some(cold) = of(Start::Cold) else { return judge };
    let ratio = |name: &str| number(warm, name) / number(cold, name);
    judge.at_least("undisturbed height, history over cold ([W]: 10 % apart)", ratio("height_m"), 1.0);
    judge.at_least("moved volume, history over cold ([W]: 30 % apart)", ratio("moved_m3"), 1.0);
    judge.at_least(
        "force of the middle cylinder from 8 to 10 s, history over cold ([W]: almost 1.5)",
        ratio("middle_cylinder_n"),
        1.0,
    );
    judge
}

/// Returns a column of the curve of a run against time.
fn column(run: &Value, at: usize) -> Vec<(f64, f64)> {
    let points: Vec<[f64; 5]> = serde_json::from_value(run["curve"].clone()).unwrap_or_default();
    points.iter().map(|point| (point[0], 1e-3 * point[at])).collect()
}

fn plot(path: &Path, runs: &[(Start, Value)], alone: Option<&Value>) -> Result<(), Failure> {
    let forces = |title: &str, at: usize| {
        let mut curves: Vec<Curve> = runs
            .iter()
            .map(|(start, run)| Curve::new(start.label(), colour(*start), column(run, at)).with(Stroke::Plain))
            .collect();
        if let Some(alone) = alone {
            let grey = RGBColor(110, 110, 110);
            curves.push(Curve::new("machine alone", grey, column(alone, at)).with(Stroke::Dashed));
        }
        Panel { title: title.into(), across: Axis::linear("time [s]"), up: Axis::linear("force [kN]"), curves }
    };
    let surface = runs.iter().map(|(start, run)| {
        let tops: Vec<f64> = serde_json::from_value(run["surface_m"].clone()).unwrap_or_default();
        let points = tops.iter().enumerate().map(|(at, top)| ((at as f64 + 0.5) / tops.len() as f64, *top)).collect();
        Curve::new(start.label(), colour(*start), points)
    });
    let panels = [
        forces("force of the middle cylinder (stick)", 2),
        forces("force of the cylinder of the boom", 1),
        forces("force of the cylinder of the bucket", 3),
        Panel {
            title: "surface along the middle of the trench, at the end".into(),
            across: Axis::linear("distance from the machine over length of the trench"),
            up: Axis::linear("height [m]"),
            curves: surface.collect(),
        },
    ];
    draw(path, "An excavator in a trench of grains: forces of its cylinders, cold and warm", 2, &panels)
}
