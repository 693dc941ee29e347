//! Grains in a drum that turns slowly, as in [W] 4.3: the angle of their centre of mass and the share that turns with the drum, by sweeps.
//!
//!     cargo run --release --example granular_drum -- --size small --plot drum.svg

#[path = "drum/flow.rs"]
mod flow;
mod support;

use std::path::Path;

use serde_json::json;

use flow::Drum;
use support::Failure;
use support::arguments::{Arguments, Start};
use support::figure::{Axis, Curve, Panel, draw};
use support::frames::{self, Frames};
use support::judge::{Judge, geometric_mean, sweeps_for};
use support::progress::Progress;
use support::study::{Study, number};

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
        frames::OPTION,
    ];
    let arguments = Arguments::parse(&own)?;
    let has_smooth_plates = match arguments.own("plates").unwrap_or("rough") {
        "rough" => false,
        "smooth" => true,
        other => return Err(format!("--plates is {other}, expected rough or smooth").into()),
    };
    let grains = arguments.own("grains").map(str::parse).transpose()?;
    let h = arguments.own("step").map(str::parse).transpose()?;
    let averaged = arguments.own("averaged").map(str::parse).transpose()?;
    let starts = arguments.starts_or(&[Start::Cold, Start::History]);
    let sweeps = arguments.iterations_or(arguments.by_size(&[10, 25, 50, 100], &[10, 25, 50, 100, 200, 500]));
    let drum = |start, sweeps| {
        let drum = if arguments.is_paper() { Drum::paper(start, sweeps) } else { Drum::small(start, sweeps) };
        let h = h.unwrap_or(drum.h);
        let (count, averaged) = (grains.unwrap_or(drum.count), averaged.unwrap_or(drum.averaged));
        Drum { has_smooth_plates, count, averaged, h, ..drum }
    };
    let mut study = Study::open("drum", arguments.resume.as_deref())?;
    let work = starts.iter().flat_map(|start| sweeps.iter().map(|sweeps| drum(*start, *sweeps).work())).sum();
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
    let judge = judge(&flows);
    judge.report("drum", arguments.by_size("small", "paper"));
    arguments.plot.as_deref().map_or(Ok(()), |path| plot(path, &flows))
}

/// Runs a drum, unless that run is finished.
fn run(study: &mut Study, progress: &mut Progress, drum: &Drum, frames: &mut Frames) -> Result<Flow, Failure> {
    let what = format!("{} sweeps, {}", drum.iterations, drum.start.label());
    let is_finished = study.find(&drum.parameters()).is_some();
    let run =
        study.run(&drum.parameters(), || drum.run(frames, &mut |share| progress.part(share * drum.work(), &what)))?;
    if is_finished {
        progress.skip(drum.work());
    } else {
        progress.add(drum.work(), &what);
    }
    let sweeps = f64::from(drum.iterations);
    Ok(Flow { sweeps, angle: number(&run, "angle_deg"), plug: number(&run, "plug"), outside: number(&run, "outside") })
}

fn judge(flows: &[Flows]) -> Judge {
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
    let of = |start: Start| flows.iter().find(|flows| flows.start == start);
    let (Some(cold), Some(warm)) = (of(Start::Cold), of(Start::History)) else { return judge };
    let (Some(cold_first), Some(cold_last)) = (cold.all.first(), cold.all.last()) else { return judge };
    let (Some(warm_first), Some(warm_last)) = (warm.all.first(), warm.all.last()) else { return judge };
    judge.at_most("angle, cold and warm, most sweeps [degrees]", (cold_last.angle - warm_last.angle).abs(), 4.0);
    let nearer = (cold_last.angle - cold_first.angle) - (warm_last.angle - warm_first.angle);
    judge.at_least("fall of the angle at fewest sweeps, cold over warm [degrees]", nearer, 0.0);
    let ratio = |of: fn(&Flow) -> f64, errors: &[f64]| {
        let relative = |flows: &Flows| flows.points(|flow| of(flow) / of(warm_last) - 1.0);
        let (cold, warm) = (relative(cold), relative(warm));
        let ratios = errors.iter().filter_map(|error| Some(sweeps_for(&cold, *error)? / sweeps_for(&warm, *error)?));
        geometric_mean(&ratios.collect::<Vec<_>>())
    };
    judge.within(
        "cold/warm sweeps for equal error of the angle",
        ratio(|flow| flow.angle, &[0.05, 0.1, 0.2]),
        2.0,
        5.0,
    );
    let plug = ratio(|flow| flow.plug, &[0.1, 0.2, 0.3]);
    println!(
        "{}",
        json!({"experiment": "drum", "kind": "cold/warm sweeps for equal error of the plug", "ratio": plug})
    );
    judge
}

fn plot(path: &Path, flows: &[Flows]) -> Result<(), Failure> {
    let panel = |title: &str, up: &str, of: fn(&Flow) -> f64| Panel {
        title: title.into(),
        across: Axis::logarithmic("sweeps per step"),
        up: Axis::linear(up),
        curves: flows.iter().map(|flows| Curve::of_start(flows.start, flows.points(of))).collect(),
    };
    let panels = [
        panel("angle of the centre of mass", "angle from the vertical [degrees]", |flow| flow.angle),
        panel("plug: grains that turn with the drum", "share of all grains", |flow| flow.plug),
    ];
    draw(path, "Grains in a drum that turns slowly: sweeps of Gauss-Seidel, cold and warm", 2, &panels)
}
