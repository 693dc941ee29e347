//! The sweep alone: time per contact and sweep, inside `Solver::solve`.
//!
//! ```text
//! cargo bench --bench sweep [-- [KIND]... [21 48] [rounds=5] [limit=sweep_limit.c]]
//! ```
//!
//! A KIND is `friction`, `turning`, `general`, `yielding`, `yielding-turning` or `yielding-general`; without one, all are
//! measured. The graph is that of the sweep limit (`graph.rs`): 21 cells along an edge are 105 000 contacts, 48 are 1.29 million.
//! A time is the difference between two solves of one problem, one with many sweeps and one with few, over the sweeps
//! between them. The other work of a solve (rows, order, residual) is in both and drops out. Solves alternate, and each is timed two to
//! five times, of which the least counts. *Cold*: sweeps 3 to 62 from no impulses. *Settled*: 60 sweeps after 200. Medians over the rounds, with least and
//! most; processor time of one thread, pinned to one processor.
//!
//! With `limit=` (or the variable `DRYSTONE_SWEEP_LIMIT`) the measuring stick is compiled and runs in each round,
//! on the same processor. Ratios are to its fastest row in double precision.
//!
//! *Residual*: root of the mean square over the contacts after 60 sweeps from no impulses, coloured over natural order: 1 is
//! equal convergence.

mod graph;
mod limit;
#[path = "../support/mod.rs"]
mod support;

use std::error::Error;
use std::path::PathBuf;

use drystone::solver::problem::order::Order;
use drystone::solver::problem::start::Start;
use drystone::solver::problem::{Impulse, Impulses};
use drystone::solver::{Method, Options, Problem, Solver, StickProjection};

use crate::graph::{Graph, Kind};
use crate::limit::Limit;
use crate::support::clock::{pin, processor_time};
use crate::support::sample::Sample;

/// Sweeps before the settled ones.
const SETTLE: u32 = 200;
/// Few sweeps and many.
const FEW_AND_MANY: [u32; 2] = [2, 62];
/// Sweeps after which orders are compared, and sweeps of the limit.
const COMPARED: u32 = 60;

/// What was asked for.
struct Choice {
    kinds: Vec<Kind>,
    cells: Vec<usize>,
    rounds: usize,
    limit: Option<Limit>,
}

/// Times of one kind of contact, per contact and sweep [ns].
#[derive(Default)]
struct Times {
    cold: Sample,
    settled: Sample,
}

fn main() -> Result<(), Box<dyn Error>> {
    let choice = Choice::read()?;
    let processor = pin();
    for cells in &choice.cells {
        measure(&choice, *cells, processor)?;
    }
    Ok(())
}

impl Choice {
    fn read() -> Result<Self, Box<dyn Error>> {
        let mut choice = Self { kinds: Vec::new(), cells: Vec::new(), rounds: 5, limit: None };
        let mut source = std::env::var_os("DRYSTONE_SWEEP_LIMIT").map(PathBuf::from);
        for argument in std::env::args().skip(1) {
            if let Some(kind) = Kind::ALL.into_iter().find(|kind| kind.name() == argument) {
                choice.kinds.push(kind);
            } else if let Some(rounds) = argument.strip_prefix("rounds=") {
                choice.rounds = rounds.parse()?;
            } else if let Some(path) = argument.strip_prefix("limit=") {
                source = Some(path.into());
            } else if argument != "--bench" {
                choice.cells.push(argument.parse().map_err(|_| format!("what is {argument}?"))?);
            }
        }
        choice.limit = source.map(|source| Limit::compile(&source)).transpose()?;
        if choice.kinds.is_empty() {
            choice.kinds = Kind::ALL.to_vec();
        }
        if choice.cells.is_empty() {
            choice.cells = vec![21, 48];
        }
        Ok(choice)
    }
}

/// Measures all kinds on graphs of one size, alternately.
fn measure(choice: &Choice, cells: usize, processor: Option<usize>) -> Result<(), Box<dyn Error>> {
    let graphs: Vec<Graph> = choice.kinds.iter().map(|kind| Graph::new(cells, *kind)).collect();
    let mut times: Vec<Times> = graphs.iter().map(|_| Times::default()).collect();
    let mut solver = Solver::default();
    let mut settled = Vec::new();
    for graph in &graphs {
        let mut impulses = nothing(graph);
        solver.solve(&graph.problem(), &options(Order::Colored, Start::Zero, SETTLE), &mut impulses)?;
        settled.push(impulses);
    }
    let (mut limit, mut name) = (Sample::default(), String::new());
    for _ in 0..choice.rounds {
        for (number, graph) in graphs.iter().enumerate() {
            let from = &settled[number];
            times[number].cold.add(sweep_time(&mut solver, graph, Start::Zero, &nothing(graph))?);
            times[number].settled.add(sweep_time(&mut solver, graph, Start::History(1.0), from)?);
        }
        if let Some(program) = &choice.limit {
            let best = program.run(cells, COMPARED, processor)?;
            limit.add(best.nanoseconds);
            name = best.name;
        }
    }
    let [bodies, contacts] = [graphs[0].masses.len(), graphs[0].contacts.len()];
    println!("{bodies} bodies, {contacts} contacts, coordination {:.2}", graphs[0].coordination());
    println!(
        "            ns per contact and sweep: median (least .. most)     over the limit     residual after {COMPARED}"
    );
    println!(
        "contacts    cold                      settled                    cold   settled    natural   coloured/natural"
    );
    for ((kind, graph), times) in choice.kinds.iter().zip(&graphs).zip(&times) {
        let [natural, colored] = [rms(&mut solver, graph, Order::Natural)?, rms(&mut solver, graph, Order::Colored)?];
        println!(
            "{:16} {}   {}   {}  {}    {natural:.2e} {:8.3}",
            kind.name(),
            spread(&times.cold),
            spread(&times.settled),
            ratio(&times.cold, &limit),
            ratio(&times.settled, &limit),
            colored / natural,
        );
    }
    if limit.count() > 0 {
        println!("limit     {}   ({name})", spread(&limit));
    }
    println!();
    Ok(())
}

fn nothing(graph: &Graph) -> Impulses {
    Impulses { contacts: vec![Impulse::ZERO; graph.contacts.len()], ..Impulses::default() }
}

fn options(order: Order, start: Start, iterations: u32) -> Options {
    Options {
        method: Method::Pgs,
        order,
        iterations,
        tolerance: 0.0,
        relaxation: 1.0,
        start,
        projection: StickProjection::Off,
        splits: true,
    }
}

/// Time of a sweep per contact [ns]: the difference between many and few sweeps.
fn sweep_time(solver: &mut Solver, graph: &Graph, start: Start, from: &Impulses) -> Result<f64, Box<dyn Error>> {
    let mut seconds = [f64::INFINITY; 2];
    for _ in 0..(500_000 / graph.contacts.len()).clamp(2, 5) {
        for (fastest, sweeps) in seconds.iter_mut().zip(FEW_AND_MANY) {
            let options = options(Order::Colored, start, sweeps);
            *fastest = fastest.min(solve_time(solver, &graph.problem(), &options, from)?);
        }
    }
    let visits = graph.contacts.len() as f64 * f64::from(FEW_AND_MANY[1] - FEW_AND_MANY[0]);
    Ok(1e9 * (seconds[1] - seconds[0]) / visits)
}

fn solve_time(
    solver: &mut Solver,
    problem: &Problem,
    options: &Options,
    from: &Impulses,
) -> Result<f64, Box<dyn Error>> {
    let mut impulses = from.clone();
    let begin = processor_time();
    solver.solve(problem, options, &mut impulses)?;
    Ok(processor_time() - begin)
}

/// Root of the mean square of the residuals after [`COMPARED`] sweeps [m/s].
fn rms(solver: &mut Solver, graph: &Graph, order: Order) -> Result<f64, Box<dyn Error>> {
    solver.solve(&graph.problem(), &options(order, Start::Zero, COMPARED), &mut nothing(graph))?;
    let squares: f64 = solver.residuals().map(|residual| residual * residual).sum();
    Ok((squares / graph.contacts.len() as f64).sqrt())
}

fn spread(sample: &Sample) -> String {
    format!("{:6.2} ({:6.2} .. {:6.2})", sample.median(), sample.min(), sample.max())
}

fn ratio(sample: &Sample, limit: &Sample) -> String {
    if limit.count() == 0 { "      -".into() } else { format!("{:7.2}", sample.median() / limit.median()) }
}
