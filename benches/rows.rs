//! Scalar rows in the sweep: ball joints of three rows in chains, and one of them added to a pile.
//!
//! ```text
//! cargo bench --bench rows [-- rounds=5]
//! ```
//!
//! *Chains*: 10 000 ball joints in chains of 10 bars. A time is the difference between two solves of one problem, one with many sweeps and one
//! with few, over the sweeps between them.
//!
//! *Pile*: a granular graph of about a thousand spheres (see the bench `sweep`), solved from its own impulses by 50 sweeps. Solves with
//! and without a ball joint between two spheres alternate. Processor time of one thread, pinned to one processor;
//! medians with least and most.

#[path = "sweep/graph.rs"]
mod graph;
#[path = "support/mod.rs"]
mod support;

use std::error::Error;

use drystone::math::{BodyRow, Symmetric3, Vec3};
use drystone::solver::problem::order::Order;
use drystone::solver::problem::start::Start;
use drystone::solver::problem::{Impulse, Impulses, Jacobian, Row};
use drystone::solver::{Friction, MassInverse, Method, Options, Problem, Solver, StickProjection, Velocity};

use crate::graph::{Graph, Kind};
use crate::support::clock::{pin, processor_time};
use crate::support::sample::Sample;

/// Chains, and joints of each.
const CHAINS: usize = 1000;
const JOINTS: usize = 10;
/// Few sweeps and many.
const FEW_AND_MANY: [u32; 2] = [2, 62];
/// Cells of the pile along an edge.
const CELLS: usize = 6;

fn main() -> Result<(), Box<dyn Error>> {
    let rounds = std::env::args().find_map(|argument| argument.strip_prefix("rounds=")?.parse().ok()).unwrap_or(5);
    pin();
    chains(rounds)?;
    pile(20 * rounds)
}

/// The rows of a ball joint between two bodies.
fn ball(bodies: [usize; 2], arms: [Vec3; 2]) -> [Row; 3] {
    let [body_a, body_b] = bodies.map(BodyRow::from);
    [Vec3::x(), Vec3::y(), Vec3::z()].map(|axis| Row {
        body_a,
        body_b,
        jacobian_a: Jacobian { linear: -axis, angular: -arms[0].cross(&axis) },
        jacobian_b: Jacobian { linear: axis, angular: arms[1].cross(&axis) },
        rhs: 0.0,
        compliance: 0.0,
        lower: f64::NEG_INFINITY,
        upper: f64::INFINITY,
        friction_row: None,
        ball: None,
    })
}

fn chains(rounds: usize) -> Result<(), Box<dyn Error>> {
    let (mut masses, mut velocities, mut rows) = (Vec::new(), Vec::new(), Vec::new());
    // Bars of 0.1 kg and 0.1 m; the first of each chain hangs on nothing.
    let inertia = Symmetric3::diagonal([1.0 / 8.4e-5, 1.0 / 8.4e-5, 1.0 / 2e-6]);
    let half = Vec3::new(0.05, 0.0, 0.0);
    for _ in 0..CHAINS {
        for link in 0..=JOINTS {
            let body = masses.len();
            masses.push(MassInverse { linear: Vec3::repeat(10.0), angular: inertia });
            let turn = Vec3::new(0.0, 1.0, 0.1 * link as f64);
            velocities.push(Velocity { linear: Vec3::new(0.0, 0.0, -0.01), angular: turn });
            if link > 0 {
                rows.extend(ball([body - 1, body], [half, -half]));
            }
        }
    }
    let problem = Problem { masses: &masses, velocities: &velocities, rows: &rows, ..empty() };
    let (mut solver, mut sample) = (Solver::default(), Sample::default());
    for _ in 0..rounds {
        let mut seconds = [f64::INFINITY; 2];
        for _ in 0..5 {
            for (fastest, sweeps) in seconds.iter_mut().zip(FEW_AND_MANY) {
                let mut impulses = Impulses { rows: vec![0.0; rows.len()], ..Impulses::default() };
                *fastest = fastest.min(time(&mut solver, &problem, sweeps, Start::Zero, &mut impulses)?);
            }
        }
        let visits = (CHAINS * JOINTS) as f64 * f64::from(FEW_AND_MANY[1] - FEW_AND_MANY[0]);
        sample.add(1e9 * (seconds[1] - seconds[0]) / visits);
    }
    println!("{} ball joints: {} ns a joint and sweep", CHAINS * JOINTS, spread(&sample));
    Ok(())
}

fn pile(rounds: usize) -> Result<(), Box<dyn Error>> {
    let graph = Graph::new(CELLS, Kind::Friction);
    let middle = graph.masses.len() / 2;
    let joint = ball([middle, middle + 1], [Vec3::new(0.5, 0.0, 0.0), Vec3::new(-0.5, 0.0, 0.0)]);
    let problems = [&[][..], &joint].map(|rows| Problem { rows, ..graph.problem() });
    let mut solvers = [Solver::default(), Solver::default()];
    let mut impulses = problems.map(|problem| Impulses {
        contacts: vec![Impulse::ZERO; graph.contacts.len()],
        rows: vec![0.0; problem.rows.len()],
        ..Impulses::default()
    });
    let (mut seconds, mut ratios) = ([Sample::default(), Sample::default()], Sample::default());
    for _ in 0..rounds {
        let mut fastest = [f64::INFINITY; 2];
        for _ in 0..5 {
            for at in 0..2 {
                let taken = time(&mut solvers[at], &problems[at], 50, Start::History(1.0), &mut impulses[at])?;
                fastest[at] = fastest[at].min(taken);
            }
        }
        ratios.add(fastest[1] / fastest[0]);
        seconds.iter_mut().zip(fastest).for_each(|(sample, fastest)| sample.add(1e6 * fastest));
    }
    println!("{} contacts, 50 sweeps: {} us", graph.contacts.len(), spread(&seconds[0]));
    println!("the same with a ball joint: {} us, ratio {}", spread(&seconds[1]), spread(&ratios));
    Ok(())
}

fn empty<'a>() -> Problem<'a> {
    Problem { masses: &[], velocities: &[], contacts: &[], optional: &[], rows: &[], friction: Friction::Coulomb }
}

/// Processor time of a solve [s].
fn time(
    solver: &mut Solver,
    problem: &Problem,
    iterations: u32,
    start: Start,
    impulses: &mut Impulses,
) -> Result<f64, Box<dyn Error>> {
    let options = Options {
        method: Method::Pgs,
        order: Order::Colored,
        iterations,
        tolerance: 0.0,
        relaxation: 1.0,
        start,
        projection: StickProjection::Off,
        splits: false,
    };
    let begin = processor_time();
    solver.solve(problem, &options, impulses)?;
    Ok(processor_time() - begin)
}

fn spread(sample: &Sample) -> String {
    format!("{:.3} ({:.3} .. {:.3})", sample.median(), sample.min(), sample.max())
}
