//! The figure of the pile.

use std::path::Path;

use plotters::prelude::BLACK;

use super::support::Failure;
use super::support::figure::{Axis, Curve, PRINTED, Panel, Stroke, colour, draw};
use super::{Heights, Residuals, Results};

/// Piles that are so many times as high as the reference were thrown apart. Beside them all others would lie on one line.
const THROWN: f64 = 10.0;

pub(crate) fn plot(path: &Path, results: &Results) -> Result<(), Failure> {
    let mut panels = Vec::new();
    if !results.heights.is_empty() || results.resting.is_empty() {
        panels.extend([heights(results), errors(results)]);
    }
    if !results.resting.is_empty() {
        panels.push(residuals(results));
        panels.push(forces(results));
    }
    draw(path, "A pile below a source of grains: sweeps of Gauss-Seidel, cold and warm", 2, &panels)
}

/// Returns the starts of which no pile was thrown apart.
fn standing(results: &Results) -> impl Iterator<Item = &Heights> {
    let stands = |heights: &&Heights| heights.points.iter().all(|(_, height)| *height <= THROWN * results.reference);
    results.heights.iter().filter(stands)
}

fn heights(results: &Results) -> Panel {
    let mut curves: Vec<Curve> =
        standing(results).map(|heights| Curve::of_start(heights.start, heights.points.clone())).collect();
    let sweeps = || results.heights.iter().flat_map(|heights| &heights.points).map(|point| point.0);
    let (first, last) = (sweeps().fold(f64::INFINITY, f64::min), sweeps().fold(0.0, f64::max));
    curves.push(Curve::level("reference", BLACK, [first, last], results.reference));
    curves
        .extend(results.printed.map(|height| Curve::level("reference of [W], about", PRINTED, [first, last], height)));
    let title = "height 10 s after the last grain came to rest";
    panel(title, ["sweeps per step", "height over diameter"], false, curves)
}

fn errors(results: &Results) -> Panel {
    let curves =
        standing(results).map(|heights| Curve::of_start(heights.start, heights.errors(results.reference))).collect();
    let title = "error of the height against the reference";
    panel(title, ["sweeps per step", "relative error"], true, curves)
}

fn residuals(results: &Results) -> Panel {
    type Part = fn(&Residuals) -> f64;
    let kinds: [(&str, Stroke, Part); 3] = [
        ("normals", Stroke::Marked, |of| of.normal),
        ("friction", Stroke::Plain, |of| of.friction),
        ("rolling", Stroke::Dashed, |of| of.rolling),
    ];
    let mut curves = Vec::new();
    for resting in &results.resting {
        for (name, stroke, kind) in kinds {
            let points = resting.after_a_second.iter().map(|one| (one.sweeps, kind(one))).collect();
            let name = format!("{name}, {}", resting.start.label());
            curves.push(Curve::new(name, colour(resting.start), points).with(stroke));
        }
    }
    let title = "mean residual by kind of row, after 1 s at rest";
    panel(title, ["sweeps per step", "residual [m/s]"], true, curves)
}

fn forces(results: &Results) -> Panel {
    let mut curves = Vec::new();
    for resting in &results.resting {
        let points =
            |of: fn(&Residuals) -> f64| resting.during_a_solve.iter().map(move |one| (one.sweeps, of(one))).collect();
        let label = |what: &str| format!("{what}, {}", resting.start.label());
        curves.push(Curve::new(label("residual [m/s]"), colour(resting.start), points(|one| one.mean)));
        let forces: Vec<_> = points(|one| one.force_error);
        let forces = forces.into_iter().filter(|point| point.1 > 0.0).collect();
        curves.push(Curve::new(label("forces (dashed)"), colour(resting.start), forces).with(Stroke::Dashed));
    }
    let title = "during one solve at rest";
    let up = "mean residual [m/s]; relative error of normal forces";
    panel(title, ["sweep", up], true, curves)
}

fn panel(title: &str, [across, up]: [&str; 2], is_logarithmic: bool, curves: Vec<Curve>) -> Panel {
    let up = if is_logarithmic { Axis::logarithmic(up) } else { Axis::linear(up) };
    Panel { title: title.into(), across: Axis::logarithmic(across), up, curves }
}
