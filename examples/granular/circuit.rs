//! Part of a circuit that makes ore pellets, as in [W] 5: an inclined drum with a slot, a wide belt and a sieve of rollers.
//!
//!     cargo run --release --example granular_circuit -- --size small --plot circuit.svg

#[path = "circuit/drum.rs"]
mod drum;
#[path = "circuit/line.rs"]
mod line;
mod support;
#[path = "circuit/watch.rs"]
mod watch;

use std::path::Path;

use serde_json::{Value, json};

use line::{Line, gap};
use support::Failure;
use support::arguments::{Arguments, Start};
use support::figure::{Axis, Curve, Panel, colour, draw};
use support::frames::{self, Frames};
use support::grains::{DIAMETER, Grains, SMALLER, settings};
use support::judge::Judge;
use support::progress::Progress;
use support::saved::Saved;
use support::study::{Study, number};
use watch::{BINS, Watch};

/// [W] estimates that the sieve needs fewer.
const SWEEPS: u32 = 25;
/// Half of [W]'s. A grain that falls onto the sieve at 0.5 m/s moves by 2.5 mm in 5 ms. A gap that is 0.5 mm too narrow holds it over
/// 6 mm.
const STEP: f64 = 2.5e-3;
/// Each roller turns so many times as fast as the one before.
const FASTER: f64 = 1.1;

fn main() -> Result<(), Failure> {
    let own = [
        ("grains", "N          number of grains"),
        ("duration", "T        simulated time [s]"),
        ("step", "H            length of a step [s]"),
        ("faster", "F          each roller of the sieve turns so many times as fast as the one before"),
        frames::OPTION,
    ];
    let arguments = Arguments::parse(&own)?;
    let count = arguments.number("grains", arguments.by_size(1000, 3000))?;
    let duration = arguments.number("duration", arguments.by_size(30.0, 60.0))?;
    let h = arguments.number("step", STEP)?;
    let faster = arguments.number("faster", FASTER)?;
    let starts = arguments.starts_or(&[Start::Cold, Start::History]);
    let sweeps = arguments.iterations_or(&[SWEEPS]);
    let mut study = Study::open("circuit", &arguments)?;
    let mut progress = Progress::new(arguments.progress, (starts.len() * sweeps.len()) as f64);
    let mut runs = Vec::new();
    for (start, sweeps) in starts.iter().flat_map(|start| sweeps.iter().map(move |sweeps| (*start, *sweeps))) {
        let circuit = Circuit { count, duration, h, faster, start, sweeps };
        let what = format!("{sweeps} sweeps, {}", start.label());
        let mut frames = Frames::new(&arguments, &format!("circuit_{}_{sweeps}", start.name()))?;
        let run = study
            .run(&circuit.parameters(), |saved| circuit.run(&mut frames, saved, |share| progress.part(share, &what)))?;
        progress.add(1.0, &what);
        runs.push((start, run));
    }
    let judge = judge(&runs, count);
    judge.report("circuit", arguments.by_size("small", "paper"));
    arguments.plot.as_deref().map_or(Ok(()), |path| plot(path, &runs))
}

/// A circuit, and how it is solved.
struct Circuit {
    count: usize,
    /// [s]
    duration: f64,
    /// [s]
    h: f64,
    faster: f64,
    start: Start,
    sweeps: u32,
}

impl Circuit {
    fn parameters(&self) -> Value {
        json!({
            "bed": self.count, "duration": self.duration, "step": self.h, "faster": self.faster,
            "warm": self.start.name(), "iterations": self.sweeps,
        })
    }

    /// Runs it. `progress` is called with the share of the time that is over.
    fn run(&self, frames: &mut Frames, saved: &mut Saved, mut progress: impl FnMut(f64)) -> Result<Value, Failure> {
        let mut grains = Grains::new(settings(self.start, self.sweeps))?;
        drum::add(&mut grains)?;
        let line = Line::new(&mut grains, self.faster)?;
        let mut diameters = Vec::with_capacity(self.count);
        for (at, place) in drum::places(self.count, 1.05 * DIAMETER).into_iter().enumerate() {
            // Half by number; [W] does not print the shares.
            let diameter = if at % 2 == 0 { DIAMETER } else { SMALLER };
            diameters.push(diameter);
            grains.add(diameter, place)?;
        }
        let mut watch = Watch::new(diameters, self.h);
        let steps = (self.duration / self.h) as usize;
        let (mut first, mut overlap) = (0, 0.0f64);
        if let Some(earlier) = saved.state::<(usize, f64, Watch, Frames)>("running")? {
            (first, overlap, watch) = (earlier.0, earlier.1, earlier.2);
            frames.go_on_from(&earlier.3);
            saved.restore(&mut [&mut grains.world])?;
        }
        for step in first..steps {
            overlap = overlap.max(grains.world.step(self.h)?.max_overlap);
            watch.look(&grains, &line)?;
            frames.show(&grains.world, self.h * (step + 1) as f64)?;
            progress(step as f64 / steps as f64);
            saved.keep("running", &(step + 1, overlap, &watch, &*frames), &[&grains.world])?;
        }
        let mut value = watch.json();
        value["max_overlap_m"] = json!(overlap);
        Ok(value)
    }
}

fn numbers(run: &Value, name: &str) -> Vec<f64> {
    serde_json::from_value(run[name].clone()).unwrap_or_default()
}

/// Returns the shares of the mass that fell through each gap and all before it, of all that fell.
fn cumulative(run: &Value) -> Vec<f64> {
    let through = numbers(run, "through_share");
    let all: f64 = through.iter().sum();
    through
        .iter()
        .scan(0.0, |sum, share| {
            *sum += share / all;
            Some(*sum)
        })
        .collect()
}

fn judge(runs: &[(Start, Value)], count: usize) -> Judge {
    let mut judge = Judge::default();
    for (start, run) in runs {
        let name = start.label();
        judge.at_most(format!("grains lost, {name}"), number(run, "lost"), 0.0);
        judge.at_most(format!("mass lost, {name} [share]"), number(run, "lost_mass_share"), 0.0);
        judge.within(format!("grains, {name}"), number(run, "grains"), count as f64, count as f64);
        judge.at_least(format!("grains seen at rest on the belt, {name}"), number(run, "rested"), 1.0);
        judge.at_most(format!("speed of these against the belt, {name} [m/s]"), number(run, "belt_speed_off"), 1e-9);
        judge.at_most(format!("grains through a gap narrower than they are, {name}"), number(run, "too_wide"), 0.0);
        judge.at_least(format!("grains across the belt, {name}"), numbers(run, "flux").iter().sum(), 1.0);
    }
    let of = |start: Start| runs.iter().find(|run| run.0 == start).map(|run| cumulative(&run.1));
    if let (Some(cold), Some(warm)) = (of(Start::Cold), of(Start::History)) {
        let apart = cold.iter().zip(&warm).map(|(cold, warm)| (cold - warm).abs());
        // No number is no agreement.
        let apart = apart.fold(0.0, |largest: f64, one| if one <= largest { largest } else { one });
        judge.at_most("sieve: largest difference of cumulative shares, cold and history", apart, 0.05);
    }
    judge
}

fn plot(path: &Path, runs: &[(Start, Value)]) -> Result<(), Failure> {
    let flux = runs.iter().map(|(start, run)| {
        let points = numbers(run, "flux").iter().enumerate().map(|(bin, count)| (bin as f64 + 0.5, *count)).collect();
        Curve::new(start.label(), colour(*start), points)
    });
    let sieve = runs.iter().map(|(start, run)| {
        let points =
            cumulative(run).iter().enumerate().map(|(roller, share)| (1e3 * gap(roller), 100.0 * share)).collect();
        Curve::new(start.label(), colour(*start), points)
    });
    let panels = [
        Panel {
            title: "grains across the belt".into(),
            across: Axis::linear("tenths of the width of the belt").over(0.0..BINS as f64),
            up: Axis::linear("grains"),
            curves: flux.collect(),
        },
        Panel {
            title: "mass that fell through the sieve, up to a gap".into(),
            across: Axis::linear("gap between rollers [mm]"),
            up: Axis::linear("share of that mass [%]"),
            curves: sieve.collect(),
        },
    ];
    draw(path, "A drum, a belt and a sieve: where the grains go, cold and warm", 2, &panels)
}
