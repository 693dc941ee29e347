//! A column of grains that falls when a wall goes away, as in [N] 4.4.2: how far it spreads, and its slope, by the shape of grains.
//!
//!     cargo run --release --example grains_column -- --size small --plot column.svg --picture column_grains.svg

mod common;
#[path = "column/drop.rs"]
mod drop;
#[path = "column/findings.rs"]
mod findings;
#[path = "column/heap.rs"]
mod heap;
#[path = "../granular/support/mod.rs"]
mod support;

use std::str::FromStr;

use drystone::world::settings::FrictionLaw;
use serde_json::json;

use common::outline::Kind;
use drop::Drop;
use findings::Finding;
use support::Failure;
use support::arguments::Arguments;
use support::judge::Judge;
use support::progress::Progress;
use support::study::Study;

/// Of grains on grains, as in [N].
const FRICTIONS: [f64; 2] = [0.5, 0.0];
/// Steps with friction and without, as in [N]. A small column falls in less time: as the root of its height.
const STEPS: [usize; 2] = [1600, 3200];
const SMALL_STEPS: [usize; 2] = [1000, 2000];

/// The law of friction on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct LawName(FrictionLaw);

impl FromStr for LawName {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        match word {
            "associated" => Ok(Self(FrictionLaw::Associated)),
            "coulomb" => Ok(Self(FrictionLaw::Coulomb)),
            _ => Err(format!("{word} is no law of friction, expected associated, coulomb")),
        }
    }
}

fn main() -> Result<(), Failure> {
    let arguments = Arguments::parse(&[
        ("grains", "N          number of grains"),
        ("shapes", "A,B,..     of disk, convex, nonconvex"),
        ("frictions", "A,B,..  of grains on grains"),
        ("laws", "A,B         associated, coulomb"),
        ("seed", "N            of the column"),
        ("picture", "FILE.svg  draw the grains of the associated law"),
    ])?;
    if arguments.starts.is_some() || arguments.iterations.is_some() {
        return Err(
            "--warm and --iterations are not for this column: each step is solved to its tolerance, or with 300 sweeps"
                .into(),
        );
    }
    let usual = arguments.by_size(200, 1520);
    let count = arguments.number("grains", usual)?;
    let shapes = arguments.own_list("shapes", &Kind::ALL)?;
    let frictions = arguments.own_list("frictions", &FRICTIONS)?;
    let laws = arguments.own_list("laws", &[LawName(FrictionLaw::Associated), LawName(FrictionLaw::Coulomb)])?;
    let seed = arguments.number("seed", 1)?;
    let mut study = Study::open("grains column", &arguments)?;
    let mut progress = Progress::new(arguments.progress, (shapes.len() * frictions.len() * laws.len()) as f64);
    let mut all = Vec::new();
    for (LawName(law), friction) in laws.iter().flat_map(|law| frictions.iter().map(move |one| (*law, *one))) {
        for kind in &shapes {
            let steps = arguments.by_size(SMALL_STEPS, STEPS)[usize::from(friction == 0.0)];
            let drop = Drop { kind: *kind, count, friction, law, steps, seed };
            let law_name = format!("{law:?}").to_lowercase();
            let parameters = json!({
                "shape": kind.name(), "grains": count, "friction": friction, "law": law_name, "steps": steps, "seed": seed,
            });
            let what = format!("{}, friction {friction}, {law_name}", kind.name());
            let run = study.run(&parameters, |saved| drop.run(saved, |share| progress.part(share, &what)))?;
            all.push(Finding::of(&run, drop)?);
            progress.add(1.0, &what);
        }
    }
    let mut judge = Judge::default();
    findings::judge(&all, &mut judge);
    judge.report("grains column", arguments.by_size("small", "paper"));
    arguments.plot.as_deref().map_or(Ok(()), |path| findings::plot(path, &all, count))?;
    arguments.own("picture").map_or(Ok(()), |path| findings::picture(path.as_ref(), &all))
}
