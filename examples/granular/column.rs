//! A column of spheres that settles under its weight, as in [W] 4.1: its height against Hertz, and the sweeps that it takes.
//!
//!     cargo run --release --example granular_column -- --size small --plot column.svg

mod support;

use std::path::Path;

use drystone::body::{Definition, Kind, Lock};
use drystone::contact::material::Material;
use drystone::shape::Shape;
use drystone::world::Settings;
use serde_json::{Value, json};

use support::Failure;
use support::arguments::{Arguments, Start};
use support::figure::{Axis, Curve, Panel, Stroke, draw};
use support::frames::{self, Frames};
use support::grains::{DIAMETER, GRAVITY, Grains, STEP, hertz, mass, material, settings};
use support::judge::{Judge, exponent, geometric_mean, sweeps_for};
use support::progress::Progress;
use support::resting::solve_again;
use support::study::{Study, number};

const RADIUS: f64 = 0.5 * DIAMETER;
/// x, y and all rotations.
const LOCKED: Lock = Lock(1 | 2 | 8 | 16 | 32);
/// A column that moves longer than this is not at rest [steps].
const MAX_STEPS: u32 = 6000;
/// Errors of the height that are compared.
const TOLERANCES: [f64; 3] = [1e-3, 1e-2, 5e-2];
/// Heights by Hertz's law [mm]: number of grains, with [W]'s stiffness of this document, with half of it.
const HEIGHTS: [(usize, f64, f64); 3] = [(5, 64.7063, 64.5338), (25, 320.9654, 318.5955), (50, 637.3051, 629.8480)];

/// A column and how it is solved.
#[derive(Debug, Clone, Copy)]
struct Column {
    count: usize,
    is_locked: bool,
    start: Start,
    share: f64,
    iterations: u32,
    /// Below this kinetic energy it is at rest [J].
    rest: f64,
    /// Of the stiffness.
    stiffness: f64,
    tolerance: f64,
}

impl Column {
    /// Returns one as [W] runs it.
    fn new(count: usize, is_locked: bool, start: Start, iterations: u32) -> Self {
        Self { count, is_locked, start, share: 0.85, iterations, rest: 1e-10, stiffness: 1.0, tolerance: 0.0 }
    }

    /// Returns one that is solved to round-off.
    fn exact(count: usize, is_locked: bool, stiffness: f64) -> Self {
        let exact = Self::new(count, is_locked, Start::History, 500);
        Self { share: 1.0, rest: 1e-18, stiffness, tolerance: 1e-12, ..exact }
    }

    fn parameters(&self, kind: &str) -> Value {
        json!({
            "kind": kind, "grains": self.count, "locked": self.is_locked, "warm": self.start.name(),
            "share": self.share, "iterations": self.iterations, "stiffness": self.stiffness,
        })
    }

    fn grains(&self) -> Result<Grains, Failure> {
        let settings = Settings {
            warm_start_factor: self.share,
            tolerance: self.tolerance,
            ..settings(self.start, self.iterations)
        };
        let mut grains = Grains::new(settings)?;
        // Hertz's stiffness is proportional to the modulus.
        let usual = material();
        grains.material =
            grains.world.add_material(Material { young_modulus: self.stiffness * usual.young_modulus, ..usual })?;
        grains.wall(
            Shape::half_space([0.0, 0.0, 1.0], 0.0)?,
            &Definition { kind: Kind::Static, ..Definition::default() },
        )?;
        let lock = if self.is_locked { LOCKED } else { Lock(0) };
        for at in 0..self.count {
            let position = [0.0, 0.0, RADIUS + DIAMETER * at as f64];
            grains.add_as(DIAMETER, &Definition { position, lock, ..Definition::default() })?;
        }
        Ok(grains)
    }

    /// Steps until the column is at rest, or stops after a while. Returns the number of steps and the kinetic energy.
    fn settle(&self, grains: &mut Grains, frames: &mut Frames) -> Result<(u32, f64), Failure> {
        let mut kinetic = f64::INFINITY;
        for step in 1..=MAX_STEPS {
            kinetic = grains.world.step(STEP)?.kinetic_energy;
            frames.show(&grains.world, f64::from(step) * STEP)?;
            if step > 1 && kinetic < self.rest {
                return Ok((step, kinetic));
            }
        }
        Ok((MAX_STEPS, kinetic))
    }

    /// Returns the run of this kind, which is settled unless it is among those of `study`.
    fn run(&self, kind: &str, arguments: &Arguments, study: &mut Study) -> Result<Value, Failure> {
        study.run(&self.parameters(kind), |_| self.settled(&mut Frames::new(arguments, &self.name(kind))?))
    }

    /// What the files of a run are called.
    fn name(&self, kind: &str) -> String {
        let Self { count, iterations, stiffness, share, .. } = self;
        let (start, locked) = (self.start.name(), if self.is_locked { "locked" } else { "free" });
        format!("column_{kind}_{count}_{start}_{iterations}_{locked}_stiffness_{stiffness}_share_{share}")
    }

    fn settled(&self, frames: &mut Frames) -> Result<Value, Failure> {
        let mut grains = self.grains()?;
        let (steps, kinetic) = self.settle(&mut grains, frames)?;
        let top = grains.grains.last().copied().ok_or("a column has grains")?;
        let height = grains.world.body_state(top)?.position[2] + RADIUS;
        let exact = height_by_hertz(self.count, self.stiffness);
        Ok(json!({
            "height_mm": 1e3 * height, "error": (exact - height) / exact, "steps": steps, "kinetic": kinetic,
            "at_rest": kinetic < self.rest,
        }))
    }
}

/// Returns the height of a column at rest [m]: each contact is pressed by the weight above it.
fn height_by_hertz(count: usize, stiffness: f64) -> f64 {
    let pressed = |contact: usize| {
        let radius = if contact == 0 { RADIUS } else { 0.5 * RADIUS };
        let weight = (count - contact) as f64 * mass(DIAMETER) * GRAVITY;
        (weight / (stiffness * hertz(radius))).powf(2.0 / 3.0)
    };
    DIAMETER * count as f64 - (0..count).map(pressed).sum::<f64>()
}

/// The curve of a start: errors by sweeps of columns of one number of grains.
struct Errors {
    start: Start,
    is_locked: bool,
    count: usize,
    points: Vec<(f64, f64)>,
}

/// All that the judges and the figure need.
struct Results {
    errors: Vec<Errors>,
    /// Number of grains, share of the history, errors by sweeps.
    shares: Vec<(f64, Vec<(f64, f64)>)>,
    residuals: Vec<(Start, Vec<(f64, f64)>)>,
}

impl Results {
    /// Returns the sweeps needed by the number of grains.
    fn needed(&self, start: Start, is_locked: bool, tolerance: f64) -> Vec<(f64, f64)> {
        let of = |errors: &&Errors| errors.start == start && errors.is_locked == is_locked;
        let needed = |errors: &Errors| Some((errors.count as f64, sweeps_for(&errors.points, tolerance)?));
        self.errors.iter().filter(of).filter_map(needed).collect()
    }

    /// Returns cold over warm sweeps by the number of grains, as far as both are known.
    fn ratios(&self, start: Start, is_locked: bool, tolerance: f64) -> Vec<(f64, f64)> {
        let warm = self.needed(start, is_locked, tolerance);
        let of = |(count, cold): (f64, f64)| {
            warm.iter().find(|(same, _)| *same == count).map(|(_, warm)| (count, cold / warm))
        };
        self.needed(Start::Cold, is_locked, tolerance).into_iter().filter_map(of).collect()
    }
}

/// Points of a curve.
type Points = Vec<(f64, f64)>;

fn main() -> Result<(), Failure> {
    let own = [("grains", "A,B,..     numbers of grains"), frames::OPTION];
    let arguments = Arguments::parse(&own)?;
    let counts =
        arguments.own_list("grains", arguments.by_size(&[5, 10, 25, 50], &[5, 10, 15, 25, 35, 50, 75, 100]))?;
    let mut study = Study::open("column", &arguments)?;
    let mut judge = Judge::default();
    judge_heights(&arguments, &mut study, &mut judge)?;
    let results = Results {
        errors: sweeps(&arguments, &mut study, &counts)?,
        shares: shares(&arguments, &mut study)?,
        residuals: residuals(&mut study)?,
    };
    judge_sweeps(&results, &mut judge);
    summarise(&arguments, &results);
    judge.report("column", arguments.by_size("small", "paper"));
    if let Some(path) = &arguments.plot {
        plot(path, &results)?;
    }
    Ok(())
}

/// Judges the heights of columns solved to round-off.
fn judge_heights(arguments: &Arguments, study: &mut Study, judge: &mut Judge) -> Result<(), Failure> {
    for (count, usual, soft) in HEIGHTS {
        for (stiffness, expected, is_locked) in [(1.0, usual, true), (1.0, usual, false), (0.5, soft, true)] {
            let column = Column::exact(count, is_locked, stiffness);
            let run = column.run("height", arguments, study)?;
            let name = format!("height of {count}, stiffness {stiffness}, locked {is_locked}");
            // The printed heights have four decimals.
            judge.at_most(format!("{name}: relative error"), number(&run, "error").abs(), 1e-6);
            judge.at_most(
                format!("{name}: from {expected} mm [mm]"),
                (number(&run, "height_mm") - expected).abs(),
                6e-4,
            );
            judge.at_most(format!("{name}: kinetic energy [J]"), number(&run, "kinetic"), column.rest);
        }
    }
    Ok(())
}

/// Runs columns with more and more sweeps, until the error is well below the least tolerance.
fn sweeps(arguments: &Arguments, study: &mut Study, counts: &[usize]) -> Result<Vec<Errors>, Failure> {
    let starts = arguments.starts_or(arguments.by_size(&[Start::Cold, Start::History, Start::Model], &Start::ALL));
    let ladder = arguments.iterations_or(&ladder());
    let mut all = Vec::new();
    let mut progress = Progress::new(arguments.progress, (starts.len() * counts.len() * 2) as f64);
    for (is_locked, start) in [true, false].into_iter().flat_map(|is| starts.iter().map(move |start| (is, *start))) {
        for count in counts {
            let mut points = Vec::new();
            for iterations in &ladder {
                let column = Column::new(*count, is_locked, start, *iterations);
                let run = column.run("sweeps", arguments, study)?;
                let error = if run["at_rest"] == true { number(&run, "error") } else { f64::NAN };
                points.push((f64::from(*iterations), error));
                if error.abs() < 0.3 * TOLERANCES[0] {
                    break;
                }
            }
            progress.add(1.0, &format!("{count} grains, {}", start.label()));
            all.push(Errors { start, is_locked, count: *count, points });
        }
    }
    Ok(all)
}

/// Returns numbers of sweeps from 2 to 5000, in steps of a half octave.
fn ladder() -> Vec<u32> {
    let mut ladder: Vec<u32> = (2..=24).map(|at| (0.5 * f64::from(at)).exp2().round() as u32).collect();
    ladder.dedup();
    ladder
}

/// Runs a column of 25 grains with shares of the history.
fn shares(arguments: &Arguments, study: &mut Study) -> Result<Vec<(f64, Points)>, Failure> {
    let mut all = Vec::new();
    for share in [0.0, 0.85, 1.0] {
        let mut points = Vec::new();
        for iterations in [5, 10, 20, 40, 80, 160, 320] {
            let column = Column { share, rest: 1e-16, ..Column::new(25, true, Start::History, iterations) };
            let run = column.run("share", arguments, study)?;
            points.push((f64::from(iterations), number(&run, "error").abs().max(1e-9)));
        }
        all.push((share, points));
    }
    Ok(all)
}

/// Measures the mean normal residual by sweep in a column of 25 grains at rest.
fn residuals(study: &mut Study) -> Result<Vec<(Start, Points)>, Failure> {
    let mut all = Vec::new();
    for start in [Start::Cold, Start::History] {
        let column = Column::new(25, true, start, 500);
        let run = study.run(&column.parameters("residuals"), |_| {
            let mut grains = column.grains()?;
            column.settle(&mut grains, &mut Frames::default())?;
            let sweeps: Vec<u32> = ladder().into_iter().chain([1]).filter(|sweeps| *sweeps <= 512).collect();
            let solved = solve_again(&mut grains, STEP, &sweeps)?;
            let mut points: Vec<(u32, f64)> = solved.iter().map(|one| (one.sweeps, one.normal)).collect();
            points.sort_by_key(|point| point.0);
            Ok(json!({"residual_normal_by_sweep": points}))
        })?;
        all.push((start, serde_json::from_value(run["residual_normal_by_sweep"].clone())?));
    }
    Ok(all)
}

fn judge_sweeps(results: &Results, judge: &mut Judge) {
    for tolerance in TOLERANCES {
        for start in [Start::Cold, Start::History] {
            let needed = results.needed(start, true, tolerance);
            let slope = exponent(&needed).unwrap_or(f64::NAN);
            let name = format!("exponent of sweeps over grains, {}, {} %", start.label(), 100.0 * tolerance);
            judge.within(name, slope, 0.8, 2.0);
        }
    }
    for is_locked in [true, false] {
        for (count, ratio) in results.ratios(Start::History, is_locked, TOLERANCES[0]) {
            if count <= 50.0 {
                judge.within(format!("cold/history at 0.1 %, {count} grains, locked {is_locked}"), ratio, 2.0, 5.0);
            }
        }
    }
}

/// Prints the sweeps that each start needs, a line of JSON each.
fn summarise(arguments: &Arguments, results: &Results) {
    for (start, is_locked) in Start::ALL.into_iter().flat_map(|start| [true, false].map(|is| (start, is))) {
        for tolerance in TOLERANCES {
            let needed = results.needed(start, is_locked, tolerance);
            if needed.is_empty() {
                continue;
            }
            let ratios = results.ratios(start, is_locked, tolerance);
            let mean = geometric_mean(&ratios.iter().map(|ratio| ratio.1).collect::<Vec<_>>());
            let line = json!({
                "experiment": "column", "size": arguments.by_size("small", "paper"), "kind": "needed",
                "warm": start.name(), "locked": is_locked, "tolerance": tolerance, "sweeps": needed,
                "exponent": exponent(&needed), "cold_over_this": ratios, "mean": mean.is_finite().then_some(mean),
            });
            println!("{line}");
        }
    }
}

fn plot(path: &Path, results: &Results) -> Result<(), Failure> {
    let mut panels: Vec<Panel> = TOLERANCES
        .into_iter()
        .map(|tolerance| {
            let curves = Start::ALL.into_iter().flat_map(|start| {
                let locked = Curve::of_start(start, results.needed(start, true, tolerance));
                let mut free = Curve::of_start(start, results.needed(start, false, tolerance)).with(Stroke::Dashed);
                free.name += ", free (dashed)";
                [locked, free]
            });
            Panel {
                title: format!("sweeps needed for a height error of {} %", 100.0 * tolerance),
                across: Axis::logarithmic("grains in the column"),
                up: Axis::logarithmic("sweeps per step"),
                curves: curves.filter(|curve| !curve.points.is_empty()).collect(),
            }
        })
        .collect();
    panels.push(Panel {
        title: "residual during one solve at rest, 25 grains".into(),
        across: Axis::logarithmic("sweep"),
        up: Axis::logarithmic("mean normal residual [m/s]"),
        curves: results.residuals.iter().map(|(start, points)| Curve::of_start(*start, points.clone())).collect(),
    });
    let colours = [Start::Cold, Start::History, Start::Model].map(support::figure::colour);
    panels.push(Panel {
        title: "share of the last impulses as start, 25 grains".into(),
        across: Axis::logarithmic("sweeps per step"),
        up: Axis::logarithmic("relative error of the height").over(1e-9..2.0),
        curves: results
            .shares
            .iter()
            .zip(colours)
            .map(|((share, points), colour)| {
                Curve::new(format!("{share} of the last impulses"), colour, points.clone())
            })
            .collect(),
    });
    draw(path, "A column of spheres under its weight: sweeps of Gauss-Seidel, cold and warm", 2, &panels)
}
