//! Grains in a drum that turns slowly, as in [W] 4.3: the angle of their centre of mass and the share that turns with the drum, by sweeps.
//!
//!     cargo run --release --example granular_drum -- --size small --plot drum.svg

#[path = "drum/flow.rs"]
mod flow;
mod support;

use std::path::Path;

use plotters::prelude::BLACK;
use serde_json::json;

use flow::Drum;
use support::Failure;
use support::arguments::{Arguments, Start};
use support::figure::{Axis, Curve, PRINTED, Panel, colour, draw};
use support::frames::{self, Frames};
use support::judge::{Judge, geometric_mean, sweeps_for};
use support::progress::Progress;
use support::reference;
use support::study::{Study, number};

/// The angles that [W] prints, at 500 sweeps [degrees], and its plug.
const PRINTED_ANGLES: [(Start, f64); 2] = [(Start::Cold, 48.0), (Start::History, 50.0)];
const PRINTED_PLUG: f64 = 0.58;

/// What was measured with so many sweeps.
#[derive(Debug, Clone, Copy)]
struct Flow {
    sweeps: f64,
    /// [degrees]
    angle: f64,
    plug: f64,
    outside: f64,
}

/// The flows of a start, by sweeps.
struct Flows {
    start: Start,
    all: Vec<Flow>,
}

impl Flows {
    /// Returns sweeps and values, without those of runs that broke off.
    fn points(&self, of: impl Fn(&Flow) -> f64) -> Vec<(f64, f64)> {
        self.all.iter().map(|flow| (flow.sweeps, of(flow))).filter(|(_, value)| value.is_finite()).collect()
    }
}

fn main() -> Result<(), Failure> {
    let own = [
        ("plates", "rough|smooth: whether the end plates have friction"),
        ("grains", "N          number of grains"),
        ("step", "H            length of a step [s]"),
        ("averaged", "T        time over which is averaged [s]"),
        reference::OPTION,
        frames::OPTION,
    ];
    let arguments = Arguments::parse(&own)?;
    let has_smooth_plates = match arguments.own("plates").unwrap_or("rough") {
        "rough" => false,
        "smooth" => true,
        other => return Err(format!("--plates is {other}, expected rough or smooth").into()),
    };
    let has_reference = reference::is_wanted(&arguments)?;
    let usual = if arguments.is_paper() { Drum::paper(Start::Cold, 1) } else { Drum::small(Start::Cold, 1) };
    let asked = Drum {
        has_smooth_plates,
        count: arguments.number("grains", usual.count)?,
        h: arguments.number("step", usual.h)?,
        averaged: arguments.number("averaged", usual.averaged)?,
        ..usual
    };
    let starts = arguments.starts_or(&[Start::Cold, Start::History]);
    let sweeps = arguments.iterations_or(arguments.by_size(&[10, 25, 50, 100], &[10, 25, 50, 100, 200, 500]));
    let drum = |start, iterations| Drum { start, iterations, ..asked };
    let mut study = Study::open("drum", &arguments)?;
    let reference = has_reference.then(|| drum(Start::History, 1).reference());
    let runs = starts.iter().flat_map(|start| sweeps.iter().map(|sweeps| drum(*start, *sweeps)));
    let work = runs.chain(reference).map(|drum| drum.work()).sum();
    let mut progress = Progress::new(arguments.progress, work);
    let mut flows = Vec::new();
    for start in starts {
        let mut all = Vec::new();
        for sweeps in &sweeps {
            let mut frames = Frames::new(&arguments, &format!("drum_{}_{sweeps}", start.name()))?;
            all.push(run(&mut study, &mut progress, &drum(start, *sweeps), &mut frames)?);
        }
        flows.push(Flows { start, all });
    }
    let reference = reference.map(|drum| {
        let mut frames = Frames::new(&arguments, "drum_reference")?;
        run(&mut study, &mut progress, &drum, &mut frames)
    });
    let reference = reference.transpose()?;
    let judge = judge(&flows, reference);
    judge.report("drum", arguments.by_size("small", "paper"));
    arguments.plot.as_deref().map_or(Ok(()), |path| plot(path, &flows, reference))
}

/// Runs a drum, unless that run is finished.
fn run(study: &mut Study, progress: &mut Progress, drum: &Drum, frames: &mut Frames) -> Result<Flow, Failure> {
    let what = format!("{} sweeps, {}", drum.iterations, drum.start.label());
    let is_finished = study.find(&drum.parameters()).is_some();
    let run = study.run(&drum.parameters(), |saved| {
        drum.run(frames, saved, &mut |share| progress.part(share * drum.work(), &what))
    })?;
    if is_finished {
        progress.skip(drum.work());
    } else {
        progress.add(drum.work(), &what);
    }
    let sweeps = f64::from(drum.iterations);
    Ok(Flow { sweeps, angle: number(&run, "angle_deg"), plug: number(&run, "plug"), outside: number(&run, "outside") })
}

/// Judges flows. Errors are against the reference, or against history with the most sweeps if there is none.
fn judge(flows: &[Flows], reference: Option<Flow>) -> Judge {
    let mut judge = Judge::default();
    for Flows { start, all } in flows {
        let name = start.label();
        let (Some(first), Some(last)) = (all.first(), all.last()) else { continue };
        judge.within(format!("plug at {} sweeps, {name}", last.sweeps), last.plug, 0.50, 0.66);
        judge.within(format!("angle at {} sweeps, {name} [degrees]", last.sweeps), last.angle, 43.0, 55.0);
        let fall = last.angle - first.angle;
        judge.at_least(format!("angle at {} over {} sweeps, {name} [degrees]", last.sweeps, first.sweeps), fall, 0.0);
        judge.at_most(format!("grains outside, {name}"), all.iter().map(|flow| flow.outside).sum(), 0.0);
    }
    if let Some(reference) = reference {
        judge.at_most("grains outside, reference", reference.outside, 0.0);
    }
    let of = |start: Start| flows.iter().find(|flows| flows.start == start);
    let (Some(cold), Some(warm)) = (of(Start::Cold), of(Start::History)) else { return judge };
    let (Some(cold_first), Some(cold_last)) = (cold.all.first(), cold.all.last()) else { return judge };
    let (Some(warm_first), Some(warm_last)) = (warm.all.first(), warm.all.last()) else { return judge };
    judge.at_most("angle, cold and warm, most sweeps [degrees]", (cold_last.angle - warm_last.angle).abs(), 4.0);
    let nearer = (cold_last.angle - cold_first.angle) - (warm_last.angle - warm_first.angle);
    judge.at_least("fall of the angle at fewest sweeps, cold over warm [degrees]", nearer, 0.0);
    let exact = reference.unwrap_or(*warm_last);
    let angle = ratio([cold, warm], |flow| flow.angle / exact.angle - 1.0, &[0.05, 0.1, 0.2]);
    judge.within("cold/warm sweeps for equal error of the angle", angle, 2.0, 5.0);
    let plug = ratio([cold, warm], |flow| flow.plug / exact.plug - 1.0, &[0.1, 0.2, 0.3]);
    println!(
        "{}",
        json!({"experiment": "drum", "kind": "cold/warm sweeps for equal error of the plug", "ratio": plug})
    );
    judge
}

/// Returns sweeps of one start over those of another at equal errors, the mean of those at which both are known.
fn ratio([one, other]: [&Flows; 2], error: impl Fn(&Flow) -> f64, errors: &[f64]) -> f64 {
    let (one, other) = (one.points(&error), other.points(&error));
    let ratios = errors.iter().filter_map(|error| Some(sweeps_for(&one, *error)? / sweeps_for(&other, *error)?));
    geometric_mean(&ratios.collect::<Vec<_>>())
}

fn plot(path: &Path, flows: &[Flows], reference: Option<Flow>) -> Result<(), Failure> {
    let sweeps = || flows.iter().flat_map(|flows| &flows.all).map(|flow| flow.sweeps);
    let ends = [sweeps().fold(f64::INFINITY, f64::min), sweeps().fold(0.0, f64::max)];
    let panel = |title: &str, up: &str, of: fn(&Flow) -> f64, printed: Vec<Curve>| {
        let curves = flows.iter().map(|flows| Curve::of_start(flows.start, flows.points(of)));
        let reference = reference.map(|reference| Curve::level("reference", BLACK, ends, of(&reference)));
        let curves = curves.chain(reference).chain(printed).collect();
        let across = Axis::logarithmic("sweeps per step");
        Panel { title: title.into(), across, up: Axis::linear(up), curves }
    };
    let is_drawn = |start: Start| flows.iter().any(|flows| flows.start == start);
    let angles = PRINTED_ANGLES.into_iter().filter(|(start, _)| is_drawn(*start)).map(|(start, angle)| {
        let name = format!("[W], 500 sweeps, {}", start.label());
        Curve::level(name, colour(start), ends, angle)
    });
    let plug = Curve::level("[W], 500 sweeps", PRINTED, ends, PRINTED_PLUG);
    let panels = [
        panel("angle of the centre of mass", "angle from the vertical [degrees]", |flow| flow.angle, angles.collect()),
        panel("plug: grains that turn with the drum", "share of all grains", |flow| flow.plug, vec![plug]),
    ];
    draw(path, "Grains in a drum that turns slowly: sweeps of Gauss-Seidel, cold and warm", 2, &panels)
}
