//! Time of a step on two threads over that on one.
//!
//! Two worlds with the pile of 20 000 of the bench `pile` step in turn, one on the calling thread, one on drystone's own
//! threads, when both have come to rest; both must end in the same state, bit for bit.
//!
//! ```text
//! cargo bench --bench threads --features threads [-- 20000] [threads=2] [steps=60]
//! ```
//!
//! Time of day, nothing pinned: medians over the steps with least and most, of whole steps and of their stages. It says something only where as many processors
//! as threads have nothing else to do. Whether they have tells the row *bare*, in turn with the steps: arithmetic in
//! pieces that have nothing to do with each other. Where its ratio is above a half, that is the machine.

#[path = "support/mod.rs"]
mod support;

use std::error::Error;
use std::sync::Arc;

use drystone::tasks::{Alone, Pool, Tasks, each_piece};

use crate::support::bed::{Bed, Measured};
use crate::support::clock::wall_time;
use crate::support::pile::{REST, SETTLE, lattice, recipe};
use crate::support::sample::Sample;

const ADJUST: usize = 60;
const SWEEPS: [u32; 2] = [10, 50];

fn main() -> Result<(), Box<dyn Error>> {
    let (mut spheres, mut threads, mut steps) = (20_000, 2, 60);
    for argument in std::env::args().skip(1).filter(|argument| argument != "--bench") {
        match argument.split_once('=') {
            Some(("threads", number)) => threads = number.parse()?,
            Some(("steps", number)) => steps = number.parse()?,
            _ => spheres = argument.parse().map_err(|_| format!("what is {argument}?"))?,
        }
    }
    let quarter: usize = spheres / 4;
    let side = if quarter <= 1000 { 10 } else { 20 };
    eprintln!("settling a bed of {quarter} ...");
    let mut bed = Bed::new(&recipe(SWEEPS[0]), &lattice(quarter, side))?;
    bed.run(SETTLE)?;
    let grains = bed.grains()?.mirrored(2, 2);
    let recipe = recipe(SWEEPS[0]);
    let mut alone = Bed::new(&recipe, &grains)?;
    let pool = Arc::new(Pool::new(threads, || true)?);
    let mut together = Bed::with_tasks(&recipe, &grains, pool.clone())?;
    for bed in [&mut alone, &mut together] {
        bed.run(REST)?;
    }
    println!("{} spheres, ms per step: median (least .. most)", grains.grains.len());
    println!("   sweeps   1 thread                       {threads} threads                      ratio   same state");
    for sweeps in SWEEPS {
        let mut measured = [Measured::default(), Measured::default()];
        for bed in [&mut alone, &mut together] {
            bed.set_sweeps(sweeps)?;
            bed.run(ADJUST)?;
        }
        let mut bare = [Sample::default(), Sample::default()];
        for _ in 0..steps {
            measured[0].record(&mut alone, wall_time)?;
            measured[1].record(&mut together, wall_time)?;
            bare[0].add(bare_work(&Alone));
            bare[1].add(bare_work(&*pool));
        }
        let same = alone.world.hash() == together.world.hash();
        let [one, many] = &measured;
        print_row(&sweeps.to_string(), [&one.wall, &many.wall], if same { "yes" } else { "NO" });
        print_row("detect", [&one.detect, &many.detect], "");
        print_row("assemble", [&one.assemble, &many.assemble], "");
        print_row("solve", [&one.solve, &many.solve], "");
        print_row("integrate", [&one.integrate, &many.integrate], "");
        print_row("bare", [&bare[0], &bare[1]], "");
    }
    Ok(())
}

fn print_row(what: &str, [one, many]: [&Sample; 2], same: &str) {
    let times = |sample: &Sample| {
        let ms = [sample.median(), sample.least(), sample.most()].map(|seconds| 1e3 * seconds);
        format!("{:8.3} ({:8.3} .. {:8.3})", ms[0], ms[1], ms[2])
    };
    println!("{what:>9}   {}   {}   {:5.2}   {same}", times(one), times(many), many.median() / one.median());
}

/// Rounds of bare work, each handed out anew.
const ROUNDS: usize = 70;

/// Seconds for work that shares nothing, some fourteen milliseconds on one thread.
fn bare_work(tasks: &dyn Tasks) -> f64 {
    let mut numbers = [[1.0_f64; 24]; 64];
    let begin = wall_time();
    for _ in 0..ROUNDS {
        each_piece(tasks, 1, &mut numbers, |_, piece| {
            for numbers in piece {
                (0..1500).for_each(|_| *numbers = numbers.map(|number| number * 0.999 + 1e-3));
            }
        });
    }
    std::hint::black_box(&mut numbers);
    wall_time() - begin
}
