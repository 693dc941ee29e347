//! How the solvers converge: the largest residual against the iterations, drawn.
//!
//! ```text
//! cargo run --release --example convergence [-- PICTURE.svg]
//! ```
//!
//! Four problems: a pyramid of spheres with friction, and three contact problems out of other people's simulations. Their
//! files are in the folder that `DRYSTONE_PROBLEMS` names, else in `../shared/problems`. Without them the pyramid is drawn
//! alone. Cold starts from no impulses. Warm starts from the answer to a problem that differs by one per cent in
//! its velocities, as the step before does in a simulation. An iteration is a sweep, or a Newton step.

#[allow(dead_code)] // the comparison with bodies is for the tests
#[path = "../tests/support/dsfc.rs"]
mod dsfc;

use std::error::Error;
use std::path::PathBuf;

use drystone::math::{BodyRow, Symmetric3, Vec3};
use drystone::solver::operator::assembly::Assembly;
use drystone::solver::operator::reduced::Reduced;
use drystone::solver::problem::islands::Islands;
use drystone::solver::problem::order::Order;
use drystone::solver::problem::start::Start;
use drystone::solver::{Contact, Friction, MassInverse, Method, Options, Problem, Solver, StickProjection, Velocity};
use plotters::coord::Shift;
use plotters::prelude::*;

/// Problems of the folder that are drawn: their files, and what they are. Only one of the files says how many bodies it has.
const FILES: [(&str, &str); 3] = [
    ("KaplasTower-i1061-4", "tower of planks"),
    ("mj_boxes_heap_100", "heap of 100 boxes"),
    ("Capsules-i103-990", "capsules"),
];
/// Spheres along an edge of the pyramid's base.
const BASE: usize = 6;
/// Most iterations drawn.
const MAX_ITERATIONS: u32 = 3000;
/// Below this curves end [m/s].
const LOWEST: f64 = 1e-16;
/// The lower end of the axis of residuals, so that the ends of curves are inside [m/s].
const FLOOR: f64 = 1e-17;

/// A curve: its name, and residuals [m/s] by iterations.
struct Curve {
    name: &'static str,
    colour: RGBColor,
    /// Width of its line [pixels]. Where two curves coincide, the wider one shows beside the other.
    width: u32,
    points: Vec<(f64, f64)>,
}

/// A problem and its curves.
struct Panel {
    title: String,
    curves: Vec<Curve>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let picture = std::env::args().nth(1).map_or_else(|| PathBuf::from("convergence.svg"), PathBuf::from);
    let mut problems = vec![("pyramid of 91 spheres", pyramid(BASE)?)];
    match dsfc::folder() {
        Some(folder) => {
            for (name, title) in FILES {
                let file = folder.join(name).with_extension("dsfc");
                let read = dsfc::Dsfc::read(&file).ok_or_else(|| format!("cannot read {}", file.display()))?;
                problems.push((title, read.reduced));
            }
        }
        None => println!("no folder of contact problems (DRYSTONE_PROBLEMS names one): the pyramid alone"),
    }
    let mut panels = Vec::new();
    for (name, problem) in &problems {
        let curves = curves(problem)?;
        let title = format!("{name}, {} contacts", problem.blocks.len());
        println!("{title}:");
        for curve in &curves {
            let (iterations, residual) = curve.points.last().copied().unwrap_or_default();
            println!("  {:<24} residual {residual:8.1e} m/s after {iterations:5} iterations", curve.name);
        }
        panels.push(Panel { title, curves });
    }
    draw(&picture, &panels)?;
    println!("drawn: {}", picture.display());
    Ok(())
}

/// The four curves of a problem.
fn curves(problem: &Reduced) -> Result<Vec<Curve>, Box<dyn Error>> {
    let cold = vec![0.0; problem.size()];
    let warm = solution_nearby(problem)?;
    let newton = Method::Newton { limit: u32::MAX };
    let kinds = [
        ("plain sweeps, cold", RED, 4, Method::Pgs, &cold),
        ("plain sweeps, warm", RGBColor(230, 140, 0), 4, Method::Pgs, &warm),
        ("accelerated sweeps, cold", BLUE, 2, Method::Accelerated, &cold),
        ("Newton steps, cold", RGBColor(0, 130, 60), 2, newton, &cold),
    ];
    let mut curves = Vec::new();
    for (name, colour, width, method, start) in kinds {
        curves.push(Curve { name, colour, width, points: curve(problem, method, start)? });
    }
    Ok(curves)
}

/// Residuals after more and more iterations, each from the same start.
fn curve(problem: &Reduced, method: Method, start: &[f64]) -> Result<Vec<(f64, f64)>, Box<dyn Error>> {
    let mut points = Vec::new();
    let mut iterations = 1;
    while iterations <= MAX_ITERATIONS {
        let mut impulses = start.to_vec();
        let residual = residual_after(problem, method, iterations, &mut impulses)?;
        points.push((f64::from(iterations), residual.max(LOWEST)));
        let settled = points.len() > 3 && points[points.len() - 4].1 <= residual && residual < 1e-12;
        if residual <= LOWEST || settled {
            break;
        }
        iterations += 1 + iterations / 6;
    }
    Ok(points)
}

fn residual_after(
    problem: &Reduced,
    method: Method,
    iterations: u32,
    impulses: &mut [f64],
) -> Result<f64, Box<dyn Error>> {
    let options = Options {
        method,
        order: Order::Natural,
        iterations,
        tolerance: 0.0,
        relaxation: 1.0,
        start: Start::History(1.0),
        projection: StickProjection::Off,
        splits: true,
    };
    Ok(Solver::default().solve_local(problem, &options, impulses)?.residual_max)
}

/// The answer to a problem whose velocities differ by one per cent, up and down alternately.
fn solution_nearby(problem: &Reduced) -> Result<Vec<f64>, Box<dyn Error>> {
    let mut nearby = problem.clone();
    for (row, q) in nearby.q.iter_mut().enumerate() {
        *q *= if row % 2 == 0 { 1.01 } else { 0.99 };
    }
    let mut impulses = vec![0.0; problem.size()];
    residual_after(&nearby, Method::Newton { limit: u32::MAX }, 1000, &mut impulses)?;
    Ok(impulses)
}

/// A pyramid of equal spheres of 1 kg and 1 m on a square base, which stands on a floor. It is at the end of a step of 1 ms under
/// gravity: `vhat = -g h`. Friction 0.3; the top sphere is pushed aside.
fn pyramid(base: usize) -> Result<Reduced, Box<dyn Error>> {
    let mass = MassInverse { linear: Vec3::repeat(1.0), angular: Symmetric3::diagonal([10.0; 3]) };
    let (mut places, mut contacts) = (Vec::new(), Vec::new());
    let contact = |body_a, body_b, normal: Vec3| Contact {
        body_a,
        body_b,
        normal,
        arm_a: 0.5 * normal,
        arm_b: -0.5 * normal,
        normal_bias: 0.0,
        friction: 0.3,
    };
    for layer in 0..base {
        for (x, y) in (0..base - layer).flat_map(|x| (0..base - layer).map(move |y| (x, y))) {
            let shift = 0.5 * layer as f64;
            let place = Vec3::new(x as f64 + shift, y as f64 + shift, 0.5 + 0.5_f64.sqrt() * layer as f64);
            let body = BodyRow::from(places.len());
            if layer == 0 {
                contacts.push(contact(BodyRow::NONE, body, Vec3::z()));
            }
            for (other, below) in BodyRow::range(0..places.len()).zip(&places) {
                let between: Vec3 = place - below;
                if between.norm() < 1.0 + 1e-9 {
                    contacts.push(contact(other, body, between.normalize()));
                }
            }
            places.push(place);
        }
    }
    let falling = Velocity { linear: Vec3::new(0.0, 0.0, -0.00981), angular: Vec3::zeros() };
    let mut velocities = vec![falling; places.len()];
    if let Some(top) = velocities.last_mut() {
        top.linear.x = 0.002;
    }
    let masses = vec![mass; places.len()];
    let problem = Problem {
        masses: &masses,
        velocities: &velocities,
        contacts: &contacts,
        optional: &[],
        rows: &[],
        friction: Friction::Coulomb,
    };
    let (mut islands, mut reduced) = (Islands::default(), Reduced::default());
    islands.find(&problem)?;
    Assembly::default().reduce(&problem, &islands.get(0), &mut reduced)?;
    Ok(reduced)
}

/// Draws a panel for each problem, all with the same axes, below one legend.
fn draw(path: &std::path::Path, panels: &[Panel]) -> Result<(), Box<dyn Error>> {
    let columns = panels.len().clamp(1, 2);
    let rows = panels.len().div_ceil(columns);
    let area = SVGBackend::new(path, (1100, 100 + 420 * rows as u32)).into_drawing_area();
    area.fill(&WHITE)?;
    let (head, body) = area.split_vertically(100);
    if let Some(first) = panels.first() {
        draw_head(&head, &first.curves)?;
    }
    let points = panels.iter().flat_map(|panel| &panel.curves).flat_map(|curve| &curve.points);
    let highest = points.fold(LOWEST, |highest: f64, point| highest.max(point.1));
    // The decade above the highest point, so that no curve is cut off.
    let end = 10.0_f64.powf(highest.log10().floor() + 1.0);
    for (place, panel) in body.split_evenly((rows, columns)).iter().zip(panels) {
        draw_panel(place, panel, end)?;
    }
    area.present()?;
    Ok(())
}

/// Draws the title and the legend.
fn draw_head(area: &DrawingArea<SVGBackend, Shift>, curves: &[Curve]) -> Result<(), Box<dyn Error>> {
    let title = ("sans-serif", 25).into_font().color(&BLACK);
    area.draw_text("Contact problems: largest residual after a number of iterations", &title, (16, 12))?;
    let text = ("sans-serif", 18).into_font().color(&BLACK);
    for (at, curve) in curves.iter().enumerate() {
        let (x, y) = (20 + 265 * at as i32, 54);
        area.draw(&PathElement::new([(x, y), (x + 34, y)], curve.colour.stroke_width(curve.width)))?;
        area.draw_text(curve.name, &text, (x + 42, y - 8))?;
    }
    let note = "cold: from zero impulses; warm: from the solution for velocities that differ by one per cent";
    area.draw_text(note, &("sans-serif", 16).into_font().color(&BLACK.mix(0.75)), (20, 76))?;
    Ok(())
}

/// Draws the curves of a problem. The axis of residuals ends at `end`.
fn draw_panel(area: &DrawingArea<SVGBackend, Shift>, panel: &Panel, end: f64) -> Result<(), Box<dyn Error>> {
    let mut chart = ChartBuilder::on(area)
        .caption(&panel.title, ("sans-serif", 21))
        .margin(14)
        .x_label_area_size(46)
        .y_label_area_size(70)
        .build_cartesian_2d((1.0..f64::from(MAX_ITERATIONS)).log_scale(), (FLOOR..end).log_scale())?;
    chart
        .configure_mesh()
        .x_desc("number of sweeps or Newton steps")
        .x_label_formatter(&|x| format!("{x:.0}"))
        .y_desc("largest residual [m/s]")
        .y_label_formatter(&|y| format!("{y:.0e}"))
        .label_style(("sans-serif", 14))
        .axis_desc_style(("sans-serif", 16))
        .light_line_style(TRANSPARENT)
        .draw()?;
    for curve in &panel.curves {
        let line = curve.colour.stroke_width(curve.width);
        chart.draw_series(LineSeries::new(curve.points.iter().copied(), line))?;
    }
    Ok(())
}
