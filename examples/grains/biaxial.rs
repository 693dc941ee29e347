//! Biaxial compression of grains by increments of statics, as in [N] 4.4.1: what they carry, and how their volume changes, by the
//! stiffness of contacts.
//!
//!     cargo run --release --example grains_biaxial -- --size small --plot biaxial.svg --picture biaxial_grains.svg

mod common;
#[path = "biaxial/findings.rs"]
mod findings;
#[path = "biaxial/packing.rs"]
mod packing;
#[path = "../granular/support/mod.rs"]
mod support;
#[path = "biaxial/test.rs"]
mod test;

use serde_json::{Value, json};

use common::outline::Kind;
use findings::Finding;
use packing::Packing;
use support::Failure;
use support::arguments::Arguments;
use support::judge::Judge;
use support::progress::Progress;
use support::study::Study;
use test::Test;

/// Of grains on grains, as in [N].
const FRICTIONS: [f64; 2] = [0.3, 0.5];
/// Of contacts, as in [N].
const STIFFNESSES: [f64; 4] = [1e8, 1e6, 1e5, f64::INFINITY];
/// Axial strain at the end, in so many increments, as in [N].
const STRAIN: f64 = 0.21;
const INCREMENTS: usize = 150;

fn main() -> Result<(), Failure> {
    let arguments = Arguments::parse(&[
        ("grains", "N          number of grains"),
        ("shapes", "A,B,..     of disk, convex, nonconvex"),
        ("frictions", "A,B,..  of grains on grains"),
        ("stiffnesses", "A,B,..  of contacts; inf: rigid"),
        ("seeds", "A,B,..      of packings"),
        ("increments", "N      so many of those of the whole test"),
        ("picture", "FILE.svg  draw the grains of the first packings and of the tests at 1e8"),
    ])?;
    if arguments.starts.is_some() || arguments.iterations.is_some() {
        return Err("--warm and --iterations are not for statics: it is solved to round-off".into());
    }
    let usual = arguments.by_size(200, 1520);
    let count = arguments.number("grains", usual)?;
    let increments: usize = arguments.number("increments", INCREMENTS)?;
    let shapes = arguments.own_list("shapes", &Kind::ALL)?;
    let frictions = arguments.own_list("frictions", &FRICTIONS)?;
    let stiffnesses = arguments.own_list("stiffnesses", &STIFFNESSES)?;
    let seeds: Vec<u64> = arguments.own_list("seeds", &[1])?;
    let mut study = Study::open("biaxial", &arguments)?;
    let tests = frictions.len() * stiffnesses.len();
    let mut progress = Progress::new(arguments.progress, (shapes.len() * seeds.len() * (tests + 1)) as f64);
    let (mut packings, mut all) = (Vec::new(), Vec::new());
    for (kind, seed) in shapes.iter().flat_map(|kind| seeds.iter().map(move |seed| (*kind, *seed))) {
        let parameters = json!({"kind": "packing", "shape": kind.name(), "grains": count, "seed": seed});
        let run = study.run(&parameters, |_| Packing::pressed(kind, count, seed)?.record())?;
        packings.push((seed, Packing::of(&run)?));
        progress.add(1.0, kind.name());
    }
    for (stiffness, friction) in stiffnesses.iter().flat_map(|one| frictions.iter().map(move |other| (*one, *other))) {
        let test = Test { friction, stiffness, step: STRAIN / INCREMENTS as f64, increments };
        for (seed, packing) in &packings {
            let (shape, name) = (packing.kind.name(), stiffness_name(stiffness));
            let parameters = json!({
                "kind": "test", "shape": shape, "grains": count, "seed": seed, "friction": friction, "stiffness": name,
                "increments": increments,
            });
            let what = format!("{shape}, friction {friction}, stiffness {name}");
            let run = study.run(&parameters, |saved| test.run(packing, saved, |share| progress.part(share, &what)))?;
            all.push(Finding::of(&run, packing.kind, test)?);
            progress.add(1.0, &what);
        }
    }
    let packings: Vec<Packing> = packings.into_iter().map(|(_, packing)| packing).collect();
    let mut judge = Judge::default();
    findings::judge(&packings, &all, &mut judge)?;
    judge.report("biaxial", arguments.by_size("small", "paper"));
    arguments.plot.as_deref().map_or(Ok(()), |path| findings::plot(path, &all, count))?;
    arguments.own("picture").map_or(Ok(()), |path| findings::picture(path.as_ref(), &packings, &all))
}

/// Returns a stiffness as it is written in a record: infinity is no number there.
fn stiffness_name(stiffness: f64) -> Value {
    if stiffness.is_finite() { json!(stiffness) } else { json!("rigid") }
}
