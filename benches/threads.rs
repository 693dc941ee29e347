//! Time of a step on two threads over that on one.
//!
//! Two worlds with the pile of 20 000 of the bench `pile` come to rest and then step alternately, one on the calling thread, one on
//! drystone's own threads. Both must end in the same state, bit for bit.
//!
//! ```text
//! cargo bench --bench threads --features threads [-- 20000] [threads=2] [steps=60]
//! ```
//!
//! Time of day, nothing pinned: medians over the steps with least and most, of whole steps and of their stages. The ratio *pairs*
//! is the median over the steps of the two worlds' times of the same step. These follow each other, so that a busy minute of the
//! machine is in both. The ratio *least* is that of the quickest steps. Both are meaningful only where as many processors as threads are
//! idle. The row *bare* shows whether they are: it is independent arithmetic in pieces, interleaved with the steps. Where its ratio is
//! above a half, the machine is the cause.

#[path = "support/mod.rs"]
mod support;

use std::error::Error;
use std::sync::Arc;

use drystone::tasks::{Pool, Serial, Tasks, each_piece};
use drystone::world::Report;

use crate::support::bed::Bed;
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
    println!(
        "   sweeps   1 thread                       {threads} threads                      pairs  least   same state"
    );
    for sweeps in SWEEPS {
        for bed in [&mut alone, &mut together] {
            bed.set_sweeps(sweeps)?;
            bed.run(ADJUST)?;
        }
        let name = sweeps.to_string();
        let mut rows = [&*name, "detect", "assemble", "solve", "integrate", "bare"].map(Row::new);
        for _ in 0..steps {
            let (one, many) = (times(&mut alone, &Serial)?, times(&mut together, &*pool)?);
            for (row, pair) in rows.iter_mut().zip(one.into_iter().zip(many)) {
                row.add(pair);
            }
        }
        let same = alone.world.hash() == together.world.hash();
        for (row, note) in rows.iter().zip([if same { "yes" } else { "NO" }].into_iter().chain(std::iter::repeat(""))) {
            row.print(note);
        }
    }
    Ok(())
}

/// Seconds of a step of the bed, of its stages, and of bare work that `tasks` run.
fn times(bed: &mut Bed, tasks: &dyn Tasks) -> Result<[f64; 6], Box<dyn Error>> {
    let begin = wall_time();
    let report = bed.advance()?;
    let whole = wall_time() - begin;
    let Report { seconds_detect, seconds_assemble, seconds_solve, seconds_integrate, .. } = report;
    Ok([whole, seconds_detect, seconds_assemble, seconds_solve, seconds_integrate, bare_work(tasks)])
}

/// What took one thread some time, and many another.
struct Row<'a> {
    what: &'a str,
    one: Sample,
    many: Sample,
    /// Of each pair.
    ratio: Sample,
}

impl<'a> Row<'a> {
    fn new(what: &'a str) -> Self {
        Self { what, one: Sample::default(), many: Sample::default(), ratio: Sample::default() }
    }

    fn add(&mut self, (one, many): (f64, f64)) {
        self.one.add(one);
        self.many.add(many);
        self.ratio.add(many / one);
    }

    fn print(&self, same: &str) {
        let times = |sample: &Sample| {
            let ms = [sample.median(), sample.min(), sample.max()].map(|seconds| 1e3 * seconds);
            format!("{:8.3} ({:8.3} .. {:8.3})", ms[0], ms[1], ms[2])
        };
        let Self { what, one, many, ratio } = self;
        let (pairs, fastest) = (ratio.median(), many.min() / one.min());
        println!("{what:>9}   {}   {}   {pairs:5.2}  {fastest:5.2}   {same}", times(one), times(many));
    }
}

/// Rounds of bare work, each distributed again.
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
