//! The picture: milliseconds of a step against accuracy, both logarithmic, for every engine.

use std::error::Error;
use std::path::Path;

use plotters::coord::Shift;
use plotters::prelude::*;

use crate::rows::{Group, Results};

/// What a panel shows.
struct Panel {
    scene: &'static str,
    size: u64,
    title: &'static str,
    /// The number of the harness, and what it is called.
    measure: &'static str,
    axis: &'static str,
    /// Below this a value is drawn at the edge.
    least: f64,
}

const PANELS: [Panel; 4] = [
    Panel {
        scene: "pile",
        size: 1000,
        title: "pile of 1000 spheres of 0.1 m: overlap",
        measure: "max_penetration",
        axis: "largest overlap [m]",
        least: 1e-11,
    },
    Panel {
        scene: "pile",
        size: 20_000,
        title: "pile of 20 000 spheres of 0.1 m: overlap",
        measure: "max_penetration",
        axis: "largest overlap [m]",
        least: 1e-11,
    },
    Panel {
        scene: "pile",
        size: 1000,
        title: "pile of 1000 spheres: how much it still moves",
        measure: "kinetic_energy_per_body",
        axis: "kinetic energy per sphere of 1 kg [J]",
        least: 1e-14,
    },
    Panel {
        scene: "pyramid",
        size: 20,
        title: "wall of 210 boxes of 1 m: drift in 10 s",
        measure: "max_drift",
        axis: "largest drift [m]",
        least: 1e-11,
    },
];

/// Sweeps that are drawn: small and large marks.
const SWEEPS: [(u64, i32); 2] = [(10, 4), (50, 7)];

/// Engines by name, with their colours. Variants share the colour's family; what is not listed is grey.
const COLOURS: [(&str, RGBColor); 12] = [
    ("drystone", RGBColor(0, 0, 0)),
    ("ode", RGBColor(214, 39, 40)),
    ("bullet", RGBColor(31, 119, 180)),
    ("bullet64", RGBColor(110, 180, 230)),
    ("rapier", RGBColor(255, 127, 14)),
    ("rapier64", RGBColor(150, 90, 20)),
    ("rapier_simd8", RGBColor(240, 190, 60)),
    ("jolt", RGBColor(44, 160, 44)),
    ("jolt_noslop", RGBColor(130, 205, 110)),
    ("mujoco", RGBColor(120, 70, 180)),
    ("mujoco_cg", RGBColor(190, 120, 210)),
    ("mujoco_pgs", RGBColor(230, 110, 170)),
];

/// An engine in a panel: accuracy and milliseconds, and the size of the mark.
struct Track<'a> {
    group: &'a Group,
    marks: Vec<(f64, f64, i32)>,
}

pub(crate) fn draw(results: &Results, path: &Path) -> Result<(), Box<dyn Error>> {
    let area = SVGBackend::new(path, (1240, 1000)).into_drawing_area();
    area.fill(&WHITE)?;
    let (head, body) = area.split_vertically(70);
    headline(results, &head)?;
    let (panels, legend) = body.split_horizontally(1040);
    let shown = PANELS.iter().filter(|panel| !tracks(results, panel).is_empty());
    for (panel, place) in shown.zip(panels.split_evenly((2, 2))) {
        draw_panel(results, panel, &place)?;
    }
    draw_legend(results, &legend)?;
    area.present()?;
    Ok(())
}

fn headline(results: &Results, area: &DrawingArea<SVGBackend, Shift>) -> Result<(), Box<dyn Error>> {
    let large = ("sans-serif", 22).into_font();
    let small = ("sans-serif", 15).into_font().color(&BLACK.mix(0.75));
    area.draw_text("Time of a step against accuracy: lower and further left is better", &large.into(), (16, 12))?;
    let line = format!(
        "processor time of one thread, step 1/240 s, interleaved rounds: {}; drystone {}; {}, {}, load at the start {}",
        results.said("rounds"),
        results.said("commit"),
        results.said("processor"),
        results.said("date"),
        results.said("load"),
    );
    area.draw_text(&line, &small, (16, 44))?;
    Ok(())
}

/// The engines that a panel shows, on one thread and settled.
fn tracks<'a>(results: &'a Results, panel: &Panel) -> Vec<Track<'a>> {
    let mut tracks: Vec<Track<'a>> = Vec::new();
    for (sweeps, size) in SWEEPS {
        let shown = |group: &&Group| group.threads == 1 && !group.was_cut() && group.holds("standing") != Some(false);
        for group in results.of_panel(panel, sweeps).into_iter().filter(shown) {
            let mark = (group.median(panel.measure).max(panel.least), group.milliseconds().median(), size);
            if !(mark.0.is_finite() && mark.1 > 0.0) {
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

fn draw_panel(results: &Results, panel: &Panel, area: &DrawingArea<SVGBackend, Shift>) -> Result<(), Box<dyn Error>> {
    let tracks = tracks(results, panel);
    let marks = || tracks.iter().flat_map(|track| &track.marks);
    let across = decades(marks().map(|mark| mark.0));
    let up = decades(marks().map(|mark| mark.1));
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
    for track in &tracks {
        let colour = colour(&track.group.engine);
        let line = track.marks.iter().map(|mark| (mark.0, mark.1));
        chart.draw_series(LineSeries::new(line, colour.mix(0.55).stroke_width(2)))?;
        let filled = track.group.precision == "f64";
        for (x, y, size) in &track.marks {
            chart.draw_series([(*x, *y)].map(|at| Circle::new(at, *size, style(&WHITE, true))))?;
            chart.draw_series([(*x, *y)].map(|at| Circle::new(at, *size, style(&colour, filled))))?;
        }
    }
    Ok(())
}

fn style(colour: &RGBColor, filled: bool) -> ShapeStyle {
    if filled { colour.filled() } else { colour.stroke_width(2) }
}

fn colour(engine: &str) -> RGBColor {
    let known = COLOURS.iter().find(|(name, _)| *name == engine);
    known.map_or(RGBColor(120, 120, 120), |(_, colour)| *colour)
}

/// The engines that were run on one thread, and what the marks mean.
fn draw_legend(results: &Results, area: &DrawingArea<SVGBackend, Shift>) -> Result<(), Box<dyn Error>> {
    let text = ("sans-serif", 15).into_font().into_text_style(area);
    let mut drawn: Vec<&str> = Vec::new();
    let mut y = 40;
    for group in results.groups.iter().filter(|group| group.threads == 1) {
        if drawn.contains(&group.engine.as_str()) {
            continue;
        }
        drawn.push(&group.engine);
        let colour = colour(&group.engine);
        area.draw(&PathElement::new([(8, y), (34, y)], colour.mix(0.55).stroke_width(2)))?;
        area.draw(&Circle::new((21, y), 6, style(&WHITE, true)))?;
        area.draw(&Circle::new((21, y), 6, style(&colour, group.precision == "f64")))?;
        area.draw_text(&format!("{}, {}", group.engine, group.precision), &text, (44, y - 8))?;
        y += 24;
    }
    let notes = [
        "full mark: f64",
        "open mark: f32",
        "small: 10 sweeps",
        "large: 50 sweeps",
        "",
        "rapier's sweeps are",
        "substeps; MuJoCo stops",
        "at its own tolerance.",
        "Not drawn: what fell,",
        "or did not settle in",
        "the time it had.",
    ];
    y += 16;
    for note in notes {
        area.draw_text(note, &text, (8, y))?;
        y += 21;
    }
    Ok(())
}
