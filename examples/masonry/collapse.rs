//! Structures just below and just above their limit load, by the dynamic solver: they stand at 0.99 of it, and fall at 1.01.
//!
//!     cargo run --release --example masonry_collapse -- --size small --picture falls.svg

mod structure;
#[path = "../granular/support/mod.rs"]
mod support;

use drystone::world::Settings;
use serde_json::{Value, json};

use structure::arch::Arch;
use structure::picture::{Scene, draw};
use structure::wall::Wall;
use structure::{GRAVITY, Structure};
use support::Failure;
use support::arguments::Arguments;
use support::judge::Judge;
use support::study::{Study, number};

/// [s]
const STEP: f64 = 1e-3;
/// Corners that moved further have fallen [m].
const FALLEN: f64 = 0.5;
/// What falls does so within this time [s].
const LONG: f64 = 10.0;

/// A structure, by its name.
type Builder = (&'static str, fn() -> Result<Structure, Failure>);

/// In their mechanisms nothing slides.
const STRUCTURES: [Builder; 2] = [
    ("arch", || Arch::semicircle(16, 0.2, 0.7).build()),
    ("wall", || Wall { wide: 1, rows: 10, friction: 0.6 }.build()),
];

fn main() -> Result<(), Failure> {
    let own = [("steps", "N          at 0.99 of the limit"), ("picture", "FILE.svg   draw the falls")];
    let arguments = Arguments::parse(&own)?;
    if arguments.starts.is_some() || arguments.iterations.is_some() || arguments.plot.is_some() {
        return Err("--warm, --iterations and --plot are not for the collapse".into());
    }
    let steps = arguments.number("steps", arguments.by_size(20_000, 100_000))?;
    let mut study = Study::open("collapse", &arguments)?;
    let mut judge = Judge::default();
    for structure in STRUCTURES {
        let (name, _) = structure;
        for begin in [Begin::Static, Begin::Rest] {
            let parameters = json!({"structure": name, "share": 0.99, "begin": begin.name(), "steps": steps});
            let run = study.run(&parameters, |_| stand(structure, begin, steps))?;
            let name = format!("{name} at 0.99, from {}", begin.name());
            judge.at_most(format!("{name}: drift in {steps} steps [m]"), number(&run, "drift"), 1e-9);
        }
        let run = study.run(&json!({"structure": name, "share": 1.01}), |_| fall(structure))?;
        judge.at_most(format!("{name} at 1.01: time to fall by {FALLEN} m [s]"), number(&run, "time"), LONG);
    }
    judge.report("collapse", arguments.by_size("small", "paper"));
    arguments.own("picture").map_or(Ok(()), |path| picture(path.as_ref()))
}

/// Returns a structure under its weight and a share of the horizontal acceleration that makes it fall, with the settings of a new world,
/// and that acceleration over g.
fn tilted((_, build): Builder, share: f64) -> Result<(Structure, f64), Failure> {
    let mut structure = build()?;
    let sideways = structure.sideways();
    let limit = structure.limit(&sideways)?.load_factor;
    structure.world.set_settings(Settings::default())?;
    structure.world.set_gravity([share * limit * GRAVITY, 0.0, -GRAVITY])?;
    Ok((structure, limit))
}

/// From what the first step starts.
#[derive(Debug, Clone, Copy)]
enum Begin {
    /// From the forces of a static increment.
    Static,
    /// From no forces: the sweeps need some steps to find them, in which the structure yields a little. Drift counts from then on.
    Rest,
}

impl Begin {
    fn name(self) -> &'static str {
        match self {
            Self::Static => "static forces",
            Self::Rest => "no forces",
        }
    }
}

/// Steps of a structure that starts without forces before its drift counts.
const SETTLING: u32 = 2000;

/// Steps a structure, and returns how far it drifts.
fn stand(structure: Builder, begin: Begin, steps: u64) -> Result<Value, Failure> {
    let (mut structure, limit) = tilted(structure, 0.99)?;
    let first = structure.states();
    match begin {
        Begin::Static if !structure.balance(&[], 0.0)? => return Err("nothing balances below the limit".into()),
        Begin::Static => {}
        Begin::Rest => {
            for _ in 0..SETTLING {
                structure.world.step(STEP)?;
            }
        }
    }
    let (settled, before) = (structure.drift(&first), structure.states());
    let mut farthest = 0.0_f64;
    for _ in 0..steps {
        structure.world.step(STEP)?;
        farthest = farthest.max(structure.drift(&before));
    }
    Ok(json!({"limit": limit, "settled": settled, "drift": farthest}))
}

/// Steps a structure until it has fallen.
fn fall(structure: Builder) -> Result<Value, Failure> {
    let (mut structure, limit) = tilted(structure, 1.01)?;
    let before = structure.states();
    let mut time = 0.0;
    while time < LONG && structure.drift(&before) < FALLEN {
        structure.world.step(STEP)?;
        time += STEP;
    }
    let has_fallen = structure.drift(&before) >= FALLEN;
    Ok(json!({"limit": limit, "time": has_fallen.then_some(time)}))
}

/// Draws the falls at some places of the corner that moves most.
fn picture(path: &std::path::Path) -> Result<(), Failure> {
    let mut scenes = Vec::new();
    for of in STRUCTURES {
        let (mut structure, limit) = tilted(of, 1.01)?;
        let before = structure.states();
        let mut time = 0.0;
        for far in [0.0, 0.2, 0.8] {
            while time < LONG && structure.drift(&before) < far {
                structure.world.step(STEP)?;
                time += STEP;
            }
            scenes.push(Scene::new(format!("{}: 1.01 of {limit:.4} g after {time:.2} s", of.0), &structure));
        }
    }
    draw(path, "Falls at 1.01 of the limit", 3, &scenes)
}
