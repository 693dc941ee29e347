//! Limit loads of walls, stacks and single blocks against closed forms and against programs solved apart; a wall and a cross vault by time.
//!
//!     cargo run --release --example masonry_blocks -- --size small --picture walls.svg

#[path = "blocks/bodies.rs"]
mod bodies;
#[path = "blocks/stacks.rs"]
mod stacks;
mod structure;
#[path = "../granular/support/mod.rs"]
mod support;
#[path = "blocks/vault.rs"]
mod vault;

use std::path::Path;

use serde_json::{Value, json};

use structure::picture::{Scene, draw};
use structure::wall::Wall;
use support::Failure;
use support::arguments::Arguments;
use support::clock::processor_time;
use support::judge::Judge;
use support::study::{Study, number};

/// Of closed forms [-].
const EXACT: f64 = 1e-7;
/// The printed numbers have six decimals.
const PRINTED: f64 = 6e-7;
/// Walls: blocks wide, rows, friction, and the acceleration over g at which they fall, computed apart.
const WALLS: [(usize, usize, f64, f64); 4] =
    [(1, 10, 0.6, 0.2), (3, 6, 0.6, 0.583756), (5, 10, 0.6, 0.523696), (4, 16, 0.65, 0.407932)];
/// Courses and pieces of a course of a cross vault of 200 blocks, and its friction.
const VAULT: (usize, usize, f64) = (5, 5, 0.7);

fn main() -> Result<(), Failure> {
    let arguments = Arguments::parse(&[("picture", "FILE.svg   draw the walls and how they fall")])?;
    if arguments.starts.is_some() || arguments.iterations.is_some() || arguments.plot.is_some() {
        return Err("--warm, --iterations and --plot are not for blocks".into());
    }
    let mut study = Study::open("blocks", &arguments)?;
    let mut judge = Judge::default();
    judge_walls(&mut study, &mut judge)?;
    for (name, expected, find) in stacks::ALL.iter().chain(&bodies::ALL) {
        let run = study.run(&json!({"kind": name}), |_| Ok(json!({"value": find()?})))?;
        judge.at_most(format!("{name}: from {expected:.6}"), (number(&run, "value") - expected).abs(), EXACT);
    }
    judge_times(&mut study, &mut judge)?;
    judge.report("blocks", arguments.by_size("small", "paper"));
    arguments.own("picture").map_or(Ok(()), |path| picture(path.as_ref()))
}

fn wall(wide: usize, rows: usize, friction: f64) -> Result<Value, Failure> {
    let mut structure = Wall { wide, rows, friction }.build()?;
    let blocks = structure.blocks.len() - 1;
    let load = structure.sideways();
    let begin = processor_time();
    let report = structure.limit(&load)?;
    let limit_seconds = processor_time() - begin;
    Ok(json!({"factor": report.load_factor, "slides": report.slides, "blocks": blocks, "limit_seconds": limit_seconds}))
}

fn judge_walls(study: &mut Study, judge: &mut Judge) -> Result<(), Failure> {
    for (wide, rows, friction, expected) in WALLS {
        let parameters = json!({"kind": "wall", "wide": wide, "rows": rows, "friction": friction});
        let run = study.run(&parameters, |_| wall(wide, rows, friction))?;
        let apart = (number(&run, "factor") - expected).abs();
        judge.at_most(format!("wall of {wide} by {rows}, acceleration/g: from {expected}"), apart, PRINTED);
    }
    Ok(())
}

/// Judges how long limit loads take: that of a wall of 55 blocks, and that of a cross vault of 200.
fn judge_times(study: &mut Study, judge: &mut Judge) -> Result<(), Failure> {
    let run = study.run(&json!({"kind": "time of a wall"}), |_| wall(5, 10, 0.6))?;
    judge.at_least("blocks of the wall", number(&run, "blocks"), 50.0);
    judge.at_most("its limit load [s]", number(&run, "limit_seconds"), 0.2);
    let (courses, pieces, friction) = VAULT;
    let run = study.run(&json!({"kind": "time of a cross vault"}), |_| vault::limit(courses, pieces, friction))?;
    judge.at_least("blocks of the cross vault", number(&run, "blocks"), 200.0);
    judge.within("its acceleration/g", number(&run, "factor"), 0.01, 10.0);
    for what in ["converged", "stands", "falls"] {
        judge.at_least(format!("its limit load: {what}"), f64::from(run[what] == true), 1.0);
    }
    judge.at_most("its limit load [s]", number(&run, "limit_seconds"), 3.0);
    Ok(())
}

fn picture(path: &Path) -> Result<(), Failure> {
    let mut scenes = Vec::new();
    for (wide, rows, friction, _) in WALLS {
        let mut structure = Wall { wide, rows, friction }.build()?;
        let load = structure.sideways();
        let factor = structure.limit(&load)?.load_factor;
        let mechanism = structure.mechanism(&load)?;
        let title = format!("{wide} by {rows}: falls at {factor:.4} g");
        if structure.balance(&load, 0.99 * factor)? {
            let forces = structure.interfaces();
            scenes.push(Scene::new(format!("{title}, forces at 0.99 of that"), &structure).forces(&forces));
        }
        scenes.push(Scene::new(title, &structure).mechanism(&structure, &mechanism));
    }
    draw(path, "Walls under a horizontal acceleration: forces of joints (red), mechanism (orange)", 2, &scenes)
}
