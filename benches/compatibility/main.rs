//! The compatibility correction, beside the method of the paper that it comes from.
//!
//! The scene is the cannonball pyramid of [K] 8.2 on held spheres: 2870 spheres and 14 440 contacts at 20 along an edge.
//! The given impulses carry each sphere's weight in equal parts to the four below. *Cold* is a correction by a new
//! solver. *Warm* is one by the same solver, from the displacements of the last, after every weight changed by up to 1e-6
//! of it. Both to resultants that agree to 1e-8, without the search for islands, which the step has done before. The paper's
//! method (`lancelot.rs`) starts from the same impulses and stops at the same residual, or after 120 s.
//!
//! ```text
//! cargo bench --bench compatibility [-- 20 40]
//! ```
//!
//! Times are medians, in processor time of one thread, so that other load of the machine counts little. *Bytes* are those that
//! a cold correction allocates: at most at one time, and those that the solver keeps, displacements and answer included.

#![allow(unsafe_code)] // an allocator, and a clock of the system

mod clock;
mod lancelot;
mod pyramid;

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use drystone::error::Result;
use drystone::solver::Solver;
use drystone::solver::compatibility::StiffContacts;
use drystone::solver::compatibility::{Corrected, Displacement, Elastic, Form};
use drystone::solver::problem::{Impulse, Impulses};

use crate::clock::processor_time;
use crate::lancelot::{Member, Truss};
use crate::pyramid::{ContactState, Pyramid};

const TOLERANCE: f64 = 1e-8;
/// Cold corrections, and warm ones.
const RUNS: usize = 7;
/// Of a following step, in units of the weights.
const NOISE: f64 = 1e-6;
/// For the paper's method [s].
const LIMIT: f64 = 120.0;
/// The largest pyramid for the paper's method.
const LARGEST: usize = 20;

struct Model {
    name: &'static str,
    exponent: f64,
    species: usize,
}

const MODELS: [Model; 3] = [
    Model { name: "Hooke", exponent: 2.0, species: 1 },
    Model { name: "two species", exponent: 2.0, species: 2 },
    Model { name: "Hertz", exponent: 2.5, species: 1 },
];

/// What was measured of a model; times are medians [s].
struct Row {
    cold: f64,
    warm: f64,
    /// Of the last cold and the last warm correction.
    corrected: [Corrected; 2],
    /// Of the last cold correction.
    compatible: Vec<Impulse>,
    peak: usize,
    kept: usize,
}

fn main() -> Result<()> {
    let sizes: Vec<usize> = std::env::args().filter_map(|argument| argument.parse().ok()).collect();
    let sizes = if sizes.is_empty() { vec![20, 40] } else { sizes };
    let mut first: Option<(usize, Vec<f64>)> = None;
    for base in sizes {
        let pyramid = Pyramid::new(base);
        println!("pyramid of base {base}: {} spheres, {} contacts", pyramid.spheres(), pyramid.contacts.len());
        println!("model         form         cold    warm  warm/ steps       residual         bytes per contact");
        println!("                             ms      ms   cold cold warm  cold     warm      peak  kept");
        let mut colds = Vec::new();
        for form in [Form::Normal, Form::Associated] {
            for model in &MODELS {
                let row = measure(&pyramid, model, form)?;
                row.print(&pyramid, model, form);
                colds.push(row.cold);
                if form == Form::Normal && base <= LARGEST {
                    race(&pyramid, model, &row);
                }
            }
        }
        if let Some((other, before)) = &first {
            let ratios: Vec<String> =
                colds.iter().zip(before).map(|(now, then)| format!("{:.1}", now / then)).collect();
            println!("cold, in units of base {other}: {}", ratios.join(" "));
        }
        first.get_or_insert((base, colds));
    }
    Ok(())
}

/// Corrects cold and warm.
fn measure(pyramid: &Pyramid, model: &Model, form: Form) -> Result<Row> {
    let elastic = Elastic {
        exponent: model.exponent,
        form,
        ratio: 2.0 / 7.0,
        tolerance: TOLERANCE,
        closing: 1e-9,
        touching: 0.0,
    };
    let stiffness = pyramid.stiffness(model.species);
    let mut solver = Solver::default();
    let (mut displacements, mut compatible) = (Vec::new(), Impulses::default());
    let load = pyramid.load(0.0, 0);
    let mut row =
        Row { cold: 0.0, warm: 0.0, corrected: [Corrected::default(); 2], compatible: Vec::new(), peak: 0, kept: 0 };
    let mut seconds = Vec::new();
    for _ in 0..RUNS {
        (solver, displacements, compatible) = (Solver::default(), Vec::new(), Impulses::default());
        let answer = (&mut displacements, &mut compatible);
        let before = begin_counting(&mut solver, pyramid, &load)?;
        let (found, time) = correct(&mut solver, pyramid, (&load, &stiffness), &elastic, answer)?;
        (row.peak, row.kept) = (PEAK.load(Ordering::Relaxed) - before, PRESENT.load(Ordering::Relaxed) - before);
        row.corrected[0] = found;
        seconds.push(time);
    }
    row.cold = median(&mut seconds);
    row.compatible.clone_from(&compatible.contacts);
    seconds.clear();
    for seed in 0..RUNS as u64 {
        let load = pyramid.load(NOISE, seed);
        solver.take(&pyramid.problem(&load), &load.impulses)?;
        let answer = (&mut displacements, &mut compatible);
        let (found, time) = correct(&mut solver, pyramid, (&load, &stiffness), &elastic, answer)?;
        row.corrected[1] = found;
        seconds.push(time);
    }
    row.warm = median(&mut seconds);
    Ok(row)
}

/// Gives the solver the impulses, and counts bytes from then on; how many there are.
fn begin_counting(solver: &mut Solver, pyramid: &Pyramid, load: &ContactState) -> Result<usize> {
    solver.take(&pyramid.problem(load), &load.impulses)?;
    let before = PRESENT.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    Ok(before)
}

fn correct(
    solver: &mut Solver,
    pyramid: &Pyramid,
    (load, stiffness): (&ContactState, &[f64]),
    elastic: &Elastic,
    (displacements, compatible): (&mut Vec<Displacement>, &mut Impulses),
) -> Result<(Corrected, f64)> {
    let problem = pyramid.problem(load);
    let begin = processor_time();
    let found = solver.correct(
        &problem,
        StiffContacts { impulses: &load.impulses, stiffness, openings: &[] },
        elastic,
        displacements,
        compatible,
    )?;
    Ok((found, processor_time() - begin))
}

fn median(seconds: &mut [f64]) -> f64 {
    seconds.sort_unstable_by(f64::total_cmp);
    seconds[seconds.len() / 2]
}

impl Row {
    fn print(&self, pyramid: &Pyramid, model: &Model, form: Form) {
        let [cold, warm] = &self.corrected;
        let failed = cold.unconverged + cold.infeasible + warm.unconverged + warm.infeasible;
        println!(
            "{:13} {:10} {:7.1} {:7.1} {:6.2} {:4} {:4}  {:.1e}  {:.1e} {:6} {:5}{}",
            model.name,
            format!("{form:?}"),
            1e3 * self.cold,
            1e3 * self.warm,
            self.warm / self.cold,
            cold.iterations,
            warm.iterations,
            cold.residual,
            warm.residual,
            self.peak / pyramid.contacts.len(),
            self.kept / pyramid.contacts.len(),
            if failed > 0 { "  NOT CONVERGED" } else { "" },
        );
    }
}

/// The paper's method on the same model.
fn race(pyramid: &Pyramid, model: &Model, row: &Row) {
    let moving = pyramid.moving();
    let member = |(contact, stiffness): (&drystone::solver::Contact, f64)| Member {
        bodies: [moving[contact.body_a], moving[contact.body_b]],
        normal: contact.normal.into(),
        stiffness,
    };
    let members = pyramid.contacts.iter().zip(pyramid.stiffness(model.species)).map(member).collect();
    let spheres = moving.iter().flatten().count();
    let truss = Truss { members, exponent: model.exponent, spheres };
    let given: Vec<f64> = pyramid.load(0.0, 0).impulses.contacts.iter().map(|impulse| impulse.normal).collect();
    let reached = truss.solve(&given, TOLERANCE, LIMIT);
    let largest = row.compatible.iter().map(|impulse| impulse.normal).fold(0.0, f64::max);
    let differences = row.compatible.iter().zip(&reached.forces).map(|(ours, force)| (ours.normal - force).abs());
    println!(
        "  the paper's method: {:.2} s, {:.0} times ours; {} subproblems, {} gradients, residual {:.1e}, stationary to {:.1e}, forces differ by {:.1e} of the largest",
        reached.seconds,
        reached.seconds / row.cold,
        reached.subproblems,
        reached.gradients,
        reached.residual,
        reached.stationarity,
        differences.fold(0.0, f64::max) / largest,
    );
}

/// Bytes allocated now, and at most since counting began.
static PRESENT: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

/// Counts, and hands everything on to the system's allocator.
struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn count(more: usize, less: usize) {
    let before = PRESENT.fetch_add(more, Ordering::Relaxed);
    PEAK.fetch_max(before + more, Ordering::Relaxed);
    PRESENT.fetch_sub(less, Ordering::Relaxed);
}

// SAFETY: everything is the system allocator's work; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 0);
        // SAFETY: as promised to this function.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(0, layout.size());
        // SAFETY: as promised to this function.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size, layout.size());
        // SAFETY: as promised to this function.
        unsafe { System.realloc(pointer, layout, size) }
    }
}
