//! The picture: milliseconds of a step against accuracy, both logarithmic, for every engine.

use std::error::Error;
use std::path::Path;

use plotters::coord::Shift;
use plotters::prelude::*;

use crate::rows::{Group, Results};
use crate::sample::Sample;

/// What a panel shows.
struct Panel {
    scene: &'static str,
    size: u64,
    title: &'static str,
    /// The number of the harness, and what it is called.
    measure: &'static str,
    axis: &'static str,
    /// Below this a value is drawn at the edge.
    floor: f64,
}

const PANELS: [Panel; 4] = [
    Panel {
        scene: "pile",
        size: 1000,
        title: "pile of 1000 spheres of 0.1 m: overlap",
        measure: "max_penetration",
        axis: "largest overlap [m]",
        floor: 1e-11,
    },
    Panel {
        scene: "pile",
        size: 20_000,
        title: "pile of 20 000 spheres of 0.1 m: overlap",
        measure: "max_penetration",
        axis: "largest overlap [m]",
        floor: 1e-11,
    },
    Panel {
        scene: "pile",
        size: 1000,
        title: "pile of 1000 spheres: how much it still moves",
        measure: "kinetic_energy_per_body",
        axis: "kinetic energy per sphere of 1 kg [J]",
        floor: 1e-14,
    },
    Panel {
        scene: "pyramid",
        size: 20,
        title: "wall of 210 boxes of 1 m: drift in 10 s",
        measure: "max_drift",
        axis: "largest drift [m]",
        floor: 1e-11,
    },
];

/// Sweeps that are drawn: small and large marks.
const SWEEPS: [(u64, i32); 2] = [(10, 4), (50, 8)];
/// Size of the title of the picture, of a panel, and of the legend [pixels].
const HEAD: u32 = 70;
const PANEL: (u32, u32) = (560, 460);
const LEGEND: u32 = 400;

/// Engines: the label of the harness, the name, and the colour. Variants share the colour's family; what is not listed is grey.
const ENGINES: [(&str, &str, RGBColor); 14] = [
    ("drystone", "drystone", RGBColor(0, 0, 0)),
    ("ode", "ODE", RGBColor(214, 39, 40)),
    ("bullet", "Bullet", RGBColor(31, 119, 180)),
    ("bullet64", "Bullet", RGBColor(110, 180, 230)),
    ("rapier", "rapier", RGBColor(255, 127, 14)),
    ("rapier64", "rapier", RGBColor(150, 90, 20)),
    ("rapier_simd8", "rapier, wide", RGBColor(240, 190, 60)),
    ("rapier_coulomb", "rapier, Coulomb friction", GREY),
    ("jolt", "Jolt", RGBColor(44, 160, 44)),
    ("jolt_noslop", "Jolt without slop", RGBColor(130, 205, 110)),
    ("mujoco", "MuJoCo, Newton", RGBColor(120, 70, 180)),
    ("mujoco_cg", "MuJoCo, conjugate gradients", RGBColor(190, 120, 210)),
    ("mujoco_pgs", "MuJoCo, Gauss-Seidel", RGBColor(230, 110, 170)),
    ("mujoco_noslip", "MuJoCo, Newton and noslip", GREY),
];
const GREY: RGBColor = RGBColor(120, 120, 120);

/// An engine in a panel.
struct Track<'a> {
    group: &'a Group,
    marks: Vec<Mark>,
}

/// An engine with one number of sweeps: accuracy and milliseconds, each as the median, the least and the most of its runs.
struct Mark {
    across: [f64; 3],
    up: [f64; 3],
    /// Half of its width [pixels].
    size: i32,
}

/// Draws the panels that have data. The legend is in the place behind the last panel, or below all of them.
pub(crate) fn draw(results: &Results, path: &Path) -> Result<(), Box<dyn Error>> {
    let shown: Vec<(&Panel, Vec<Track<'_>>)> =
        PANELS.iter().map(|panel| (panel, tracks(results, panel))).filter(|(_, tracks)| !tracks.is_empty()).collect();
    let rows = shown.len().div_ceil(2);
    let below = if shown.len().is_multiple_of(2) { LEGEND } else { 0 };
    let size = (2 * PANEL.0, HEAD + PANEL.1 * rows as u32 + below);
    let area = SVGBackend::new(path, size).into_drawing_area();
    area.fill(&WHITE)?;
    let (head, body) = area.split_vertically(HEAD);
    headline(results, &head)?;
    let (charts, last) = body.split_vertically(PANEL.1 * rows as u32);
    let places = charts.split_evenly((rows.max(1), 2));
    for ((panel, tracks), place) in shown.iter().zip(&places) {
        draw_panel(panel, tracks, place)?;
    }
    let behind = places.get(shown.len()).filter(|_| below == 0);
    draw_legend(results, &shown, behind.unwrap_or(&last))?;
    area.present()?;
    Ok(())
}

fn headline(results: &Results, area: &DrawingArea<SVGBackend, Shift>) -> Result<(), Box<dyn Error>> {
    let large = ("sans-serif", 22).into_font();
    let small = ("sans-serif", 15).into_font().color(&BLACK.mix(0.75));
    area.draw_text("Time of a step against accuracy: lower and further left is better", &large.into(), (16, 12))?;
    let line = format!(
        "processor time of one thread; step 1/240 s; runs of each engine, in turns: {}; drystone commit {}; {}; {}; load average at the start: {}",
        results.said("rounds"),
        results.said("commit"),
        results.said("processor"),
        results.said("date"),
        results.said("load"),
    );
    area.draw_text(&line, &small, (16, 44))?;
    Ok(())
}

/// Whether the runs can be compared with others: they settled in time, and nothing fell.
fn is_sound(group: &Group) -> bool {
    !group.was_cut() && group.holds("standing") != Some(false)
}

/// The engines that a panel shows: on one thread and sound.
fn tracks<'a>(results: &'a Results, panel: &Panel) -> Vec<Track<'a>> {
    let mut tracks: Vec<Track<'a>> = Vec::new();
    for (sweeps, size) in SWEEPS {
        let shown = |group: &&Group| group.threads == 1 && is_sound(group);
        for group in results.of_panel(panel, sweeps).into_iter().filter(shown) {
            let across = spread(&group.all(panel.measure)).map(|value| value.max(panel.floor));
            let mark = Mark { across, up: spread(&group.milliseconds()), size };
            if !(group.median(panel.measure).is_finite() && mark.up[1] > 0.0) {
                continue;
            }
            match tracks.iter_mut().find(|track| track.group.engine == group.engine) {
                Some(track) => track.marks.push(mark),
                None => tracks.push(Track { group, marks: vec![mark] }),
            }
        }
    }
    tracks
}

/// The median, the least and the most.
fn spread(sample: &Sample) -> [f64; 3] {
    [sample.median(), sample.min(), sample.max()]
}

impl Results {
    fn of_panel(&self, panel: &Panel, sweeps: u64) -> Vec<&Group> {
        self.of(panel.scene, panel.size, sweeps).collect()
    }
}

/// A range of whole decades around values.
fn decades(values: impl Iterator<Item = f64>) -> std::ops::Range<f64> {
    let (mut low, mut high) = (f64::INFINITY, 0.0_f64);
    for value in values {
        (low, high) = (low.min(value), high.max(value));
    }
    if low > high {
        return 1e-3..1.0;
    }
    let down = (0.8 * low).log10().floor();
    let up = (1.25 * high).log10().ceil().max(down + 1.0);
    10.0_f64.powf(down)..10.0_f64.powf(up)
}

fn draw_panel(
    panel: &Panel,
    tracks: &[Track<'_>],
    area: &DrawingArea<SVGBackend, Shift>,
) -> Result<(), Box<dyn Error>> {
    let marks = || tracks.iter().flat_map(|track| &track.marks);
    let across = decades(marks().flat_map(|mark| mark.across));
    let up = decades(marks().flat_map(|mark| mark.up));
    let mut chart = ChartBuilder::on(area)
        .caption(panel.title, ("sans-serif", 17))
        .margin(12)
        .x_label_area_size(44)
        .y_label_area_size(58)
        .build_cartesian_2d(across.log_scale(), up.log_scale())?;
    chart
        .configure_mesh()
        .x_desc(panel.axis)
        .y_desc("ms per step")
        .x_labels(6)
        .x_label_formatter(&|x| format!("{x:.0e}"))
        .y_label_formatter(&|y| format!("{y}"))
        .label_style(("sans-serif", 13))
        .axis_desc_style(("sans-serif", 14))
        .light_line_style(TRANSPARENT)
        .bold_line_style(BLACK.mix(0.12))
        .draw()?;
    for track in tracks {
        let colour = colour(&track.group.engine);
        let medians = track.marks.iter().map(|mark| (mark.across[0], mark.up[0]));
        chart.draw_series(LineSeries::new(medians, colour.mix(0.4).stroke_width(1)))?;
        for Mark { across: [x, left, right], up: [y, low, high], size } in &track.marks {
            let bars = [[(*left, *y), (*right, *y)], [(*x, *low), (*x, *high)]];
            chart.draw_series(bars.map(|bar| PathElement::new(bar, colour.stroke_width(2))))?;
            let (at, style) = ((*x, *y), colour.stroke_width(2));
            if track.group.precision == "f64" {
                chart.draw_series([Circle::new(at, *size, style)])?;
            } else {
                chart.draw_series([EmptyElement::at(at) + PathElement::new(square(*size), style)])?;
            }
        }
    }
    Ok(())
}

/// The outline of a square around the origin [pixels]. Marks are hollow, so that none hides another.
fn square(size: i32) -> [(i32, i32); 5] {
    [(-size, -size), (size, -size), (size, size), (-size, size), (-size, -size)]
}

fn known(engine: &str) -> Option<&'static (&'static str, &'static str, RGBColor)> {
    ENGINES.iter().find(|(label, ..)| *label == engine)
}

fn colour(engine: &str) -> RGBColor {
    known(engine).map_or(GREY, |(_, _, colour)| *colour)
}

fn draw_legend(
    results: &Results,
    shown: &[(&Panel, Vec<Track<'_>>)],
    area: &DrawingArea<SVGBackend, Shift>,
) -> Result<(), Box<dyn Error>> {
    let text = ("sans-serif", 15).into_font().into_text_style(area);
    let mut drawn: Vec<&Group> = Vec::new();
    for track in shown.iter().flat_map(|(_, tracks)| tracks) {
        if drawn.iter().all(|group| group.engine != track.group.engine) {
            drawn.push(track.group);
        }
    }
    for (at, group) in drawn.iter().enumerate() {
        let (engine, y) = (group.engine.as_str(), 40 + 24 * at as i32);
        let style = colour(engine).stroke_width(2);
        if group.precision == "f64" {
            area.draw(&Circle::new((30, y), 7, style))?;
        } else {
            area.draw(&PathElement::new(square(7).map(|(x, up)| (30 + x, y + up)), style))?;
        }
        let name = known(engine).map_or(engine, |(_, name, _)| *name);
        let precision = if group.precision == "f64" { "double" } else { "single" };
        area.draw_text(&format!("{name}, {precision}"), &text, (46, y - 7))?;
    }
    for (at, note) in notes(results, shown, &drawn).into_iter().enumerate() {
        area.draw_text(note, &text, (300, 33 + 24 * at as i32))?;
    }
    Ok(())
}

/// What the marks mean, and what is particular to the engines that are drawn.
fn notes(results: &Results, shown: &[(&Panel, Vec<Track<'_>>)], drawn: &[&Group]) -> Vec<&'static str> {
    let mut notes = vec![
        "circle: double precision",
        "square: single precision",
        "small mark: 10 sweeps",
        "large mark: 50 sweeps",
        "mark: median of the runs",
        "bars: smallest and largest of the runs",
    ];
    let has = |family: &str| drawn.iter().any(|group| group.engine.starts_with(family));
    if has("rapier") {
        notes.push("sweeps of rapier are substeps");
    }
    if has("mujoco") {
        notes.push("MuJoCo stops at its own tolerance");
    }
    let is_left_out = |group: &&Group| group.threads == 1 && !is_sound(group);
    let groups = || shown.iter().flat_map(|(panel, _)| SWEEPS.map(|(sweeps, _)| results.of_panel(panel, sweeps)));
    if groups().flatten().any(|group| is_left_out(&group)) {
        notes.extend(["not drawn: runs in which something", "fell, or that did not settle in time"]);
    }
    notes
}
