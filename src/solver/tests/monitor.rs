//! What is called between the iterations of a solve: it changes no answer, and a solve that it ends leaves no trace.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::conic::cloud;
use super::random::{Random, Scene};
use crate::error::{Error, ErrorKind, Result};
use crate::solver::monitor::{Monitor, Observer};
use crate::solver::problem::order::Order;
use crate::solver::problem::start::Start;
use crate::solver::{Impulses, Method, Options, Outcome, Solver, StickProjection, Velocity};

/// Counts iterations, and ends the solve after so many.
#[derive(Debug)]
struct Stopper {
    done: AtomicU64,
    limit: u64,
}

impl Stopper {
    fn after(limit: u64) -> Arc<Self> {
        Arc::new(Self { done: AtomicU64::new(0), limit })
    }
}

impl Observer for Stopper {
    fn iterated(&self) -> Result<()> {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        if done < self.limit { Ok(()) } else { Err(Error::new(ErrorKind::Stopped, "stopped")) }
    }
}

const PLAIN: Options = Options {
    method: Method::Pgs,
    order: Order::Colored,
    iterations: 20,
    tolerance: 0.0,
    relaxation: 1.0,
    start: Start::Zero,
    projection: StickProjection::Off,
    splits: false,
};

/// One of each way through the solver.
fn ways() -> Vec<Options> {
    let newton = Method::Newton { limit: 1000 };
    let methods = [Method::Accelerated, newton, Method::Apgd, Method::Conic];
    let mut ways = vec![
        PLAIN,
        Options { order: Order::Natural, ..PLAIN },
        Options { tolerance: 1e-12, ..PLAIN },
        Options { projection: StickProjection::Always(3), ..PLAIN },
    ];
    ways.extend(methods.map(|method| Options { method, tolerance: 1e-10, ..PLAIN }));
    ways
}

type Answer = (Outcome, Impulses, Vec<Velocity>);

fn solve(solver: &mut Solver, scene: &Scene, options: &Options) -> Result<Answer> {
    let mut impulses = scene.no_impulses();
    let outcome = solver.solve(&scene.problem(), options, &mut impulses)?;
    Ok((Outcome { seconds_project: 0.0, ..outcome }, impulses, solver.velocities().to_vec()))
}

fn check(options: &Options, scene: &Scene) {
    let expected = solve(&mut Solver::default(), scene, options).expect("an answer");
    let mut solver = Solver::default();
    let counter = Stopper::after(u64::MAX);
    solver.set_monitor(&Monitor::new(Arc::<Stopper>::clone(&counter)));
    let watched = solve(&mut solver, scene, options).expect("an answer");
    assert!(watched == expected, "{options:?}");
    let all = counter.done.load(Ordering::Relaxed);
    assert!(all >= u64::from(expected.0.iterations).max(1), "{options:?}: {all}");
    // The same solver, stopped and not stopped in turns.
    for limit in (1..=all).step_by(1 + all as usize / 6) {
        solver.set_monitor(&Monitor::new(Stopper::after(limit)));
        let stopped = solve(&mut solver, scene, options).map(|_| ());
        assert!(stopped.is_err_and(|error| error.kind == ErrorKind::Stopped), "{options:?}: {limit} of {all}");
        solver.set_monitor(&Monitor::default());
        let again = solve(&mut solver, scene, options).expect("an answer");
        assert!(again == expected, "{options:?}: after {limit} of {all}");
    }
}

#[test]
fn a_solve_that_was_ended_leaves_no_trace() {
    let scene = cloud(&mut Random(7), 3, 10.0, 0.4);
    ways().iter().for_each(|options| check(options, &scene));
}

#[test]
fn the_law_of_coulomb_is_monitored_too() {
    let scene = Scene::pyramid(4, 0.5, 1.0);
    ways().iter().filter(|options| options.method != Method::Conic).for_each(|options| check(options, &scene));
}

#[test]
fn without_an_observer_nothing_ends() {
    assert!(Monitor::default().iterated().is_ok());
    assert!(Monitor::new(Stopper::after(1)).iterated().is_err());
}
