//! Figures: panels with axes, curves and legends, as SVG.

use std::ops::Range;
use std::path::Path;

use plotters::coord::Shift;
use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};
use plotters::prelude::*;

use super::Failure;
use super::arguments::Start;

/// An axis: what it shows, and whether in logarithms.
#[derive(Debug, Clone)]
pub(crate) struct Axis {
    pub(crate) label: String,
    pub(crate) is_logarithmic: bool,
    /// Where it begins and ends; by the curves if there is none.
    pub(crate) range: Option<Range<f64>>,
}

impl Axis {
    pub(crate) fn linear(label: &str) -> Self {
        Self { label: label.into(), is_logarithmic: false, range: None }
    }

    pub(crate) fn logarithmic(label: &str) -> Self {
        Self { is_logarithmic: true, ..Self::linear(label) }
    }

    pub(crate) fn over(self, range: Range<f64>) -> Self {
        Self { range: Some(range), ..self }
    }

    /// Returns the range that is drawn: the given one, or that of the values with some room.
    fn drawn(&self, values: impl Iterator<Item = f64>) -> Range<f64> {
        if let Some(range) = &self.range {
            return range.clone();
        }
        let shown = values.filter(|value| value.is_finite() && !(self.is_logarithmic && *value <= 0.0));
        let (low, high) =
            shown.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
        match (low <= high, self.is_logarithmic) {
            (false, true) => 1.0..10.0,
            (false, false) => 0.0..1.0,
            (true, true) => 0.8 * low..1.25 * high,
            (true, false) => {
                let room = 0.06 * (high - low).max(1e-9 * high.abs()).max(1e-300);
                low - room..high + room
            }
        }
    }
}

/// How a curve is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stroke {
    /// A line through marks.
    Marked,
    /// A line alone.
    Plain,
    /// A dashed line, for references.
    Dashed,
    /// Marks alone.
    Dots,
}

/// A curve with its name in the legend.
#[derive(Debug, Clone)]
pub(crate) struct Curve {
    pub(crate) name: String,
    pub(crate) colour: RGBColor,
    pub(crate) stroke: Stroke,
    pub(crate) points: Vec<(f64, f64)>,
}

impl Curve {
    pub(crate) fn new(name: impl Into<String>, colour: RGBColor, points: Vec<(f64, f64)>) -> Self {
        Self { name: name.into(), colour, stroke: Stroke::Marked, points }
    }

    /// Returns a curve in the colour of a start, with its name.
    pub(crate) fn of_start(start: Start, points: Vec<(f64, f64)>) -> Self {
        Self::new(start.label(), colour(start), points)
    }

    pub(crate) fn with(self, stroke: Stroke) -> Self {
        Self { stroke, ..self }
    }
}

/// The colour of a start, the same in all figures.
pub(crate) fn colour(start: Start) -> RGBColor {
    match start {
        Start::Cold => RGBColor(31, 119, 180),
        Start::History => RGBColor(214, 39, 40),
        Start::Guarded => RGBColor(255, 127, 14),
        Start::Model => RGBColor(44, 160, 44),
        Start::Normals => RGBColor(120, 70, 180),
        Start::NoVelocity => RGBColor(110, 110, 110),
    }
}

/// One panel of a figure.
#[derive(Debug, Clone)]
pub(crate) struct Panel {
    pub(crate) title: String,
    pub(crate) across: Axis,
    pub(crate) up: Axis,
    pub(crate) legend: SeriesLabelPosition,
    pub(crate) curves: Vec<Curve>,
}

/// Draws panels in rows of `columns`, below a title.
///
/// # Errors
///
/// The file cannot be written.
pub(crate) fn draw(path: &Path, title: &str, columns: usize, panels: &[Panel]) -> Result<(), Failure> {
    let rows = panels.len().div_ceil(columns);
    let size = (560 * columns as u32, 50 + 400 * rows as u32);
    let area = SVGBackend::new(path, size).into_drawing_area();
    area.fill(&WHITE)?;
    let (head, body) = area.split_vertically(44);
    head.draw_text(title, &("sans-serif", 21).into_font().color(&BLACK), (16, 14))?;
    for (place, panel) in body.split_evenly((rows, columns)).iter().zip(panels) {
        draw_panel(place, panel)?;
    }
    area.present()?;
    Ok(())
}

fn draw_panel(area: &DrawingArea<SVGBackend, Shift>, panel: &Panel) -> Result<(), Failure> {
    let points = || panel.curves.iter().flat_map(|curve| &curve.points);
    let across = panel.across.drawn(points().map(|point| point.0));
    let up = panel.up.drawn(points().map(|point| point.1));
    match (panel.across.is_logarithmic, panel.up.is_logarithmic) {
        (true, true) => draw_chart(area, panel, Logarithmic(across), Logarithmic(up)),
        (true, false) => draw_chart(area, panel, Logarithmic(across), Linear(up)),
        (false, true) => draw_chart(area, panel, Linear(across), Logarithmic(up)),
        (false, false) => draw_chart(area, panel, Linear(across), Linear(up)),
    }
}

fn draw_chart<X, Y>(area: &DrawingArea<SVGBackend, Shift>, panel: &Panel, across: X, up: Y) -> Result<(), Failure>
where
    X: Ranged<ValueType = f64, FormatOption = NoDefaultFormatting> + ValueFormatter<f64> + Span,
    Y: Ranged<ValueType = f64, FormatOption = NoDefaultFormatting> + ValueFormatter<f64> + Span,
{
    let (shown_across, shown_up) = (across.span(), up.span());
    let mut chart = ChartBuilder::on(area)
        .caption(&panel.title, ("sans-serif", 17))
        .margin(12)
        .x_label_area_size(44)
        .y_label_area_size(68)
        .build_cartesian_2d(across, up)?;
    chart
        .configure_mesh()
        .x_desc(&panel.across.label)
        .y_desc(&panel.up.label)
        .x_labels(7)
        .y_labels(7)
        .label_style(("sans-serif", 13))
        .axis_desc_style(("sans-serif", 14))
        .light_line_style(TRANSPARENT)
        .bold_line_style(BLACK.mix(0.12))
        .draw()?;
    let is_shown = |point: &(f64, f64)| {
        shown_across.contains(&point.0) && (shown_up.contains(&point.1) || point.1 == shown_up.end)
    };
    for curve in &panel.curves {
        let Curve { colour, stroke, .. } = *curve;
        let points: Vec<_> = curve.points.iter().copied().filter(is_shown).collect();
        let line = colour.stroke_width(2);
        let label = match stroke {
            Stroke::Dashed => chart.draw_series(DashedLineSeries::new(points, 6, 5, line))?,
            Stroke::Dots => chart.draw_series(points.iter().map(|at| Circle::new(*at, 2, colour.filled())))?,
            Stroke::Plain => chart.draw_series(LineSeries::new(points, line))?,
            Stroke::Marked => {
                chart.draw_series(points.iter().map(|at| Circle::new(*at, 3, colour.filled())))?;
                chart.draw_series(LineSeries::new(points, line))?
            }
        };
        label.label(&curve.name).legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], line));
    }
    chart
        .configure_series_labels()
        .position(panel.legend.clone())
        .label_font(("sans-serif", 13))
        .background_style(WHITE.mix(0.85))
        .border_style(BLACK.mix(0.3))
        .draw()?;
    Ok(())
}

/// The values that an axis shows.
trait Span {
    fn span(&self) -> Range<f64>;
}

/// An axis of equal steps.
struct Linear(Range<f64>);

/// An axis of decades, with marks at 1, 2 and 5 of each.
struct Logarithmic(Range<f64>);

impl Span for Linear {
    fn span(&self) -> Range<f64> {
        self.0.clone()
    }
}

impl Span for Logarithmic {
    fn span(&self) -> Range<f64> {
        self.0.clone()
    }
}

impl Ranged for Linear {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        place((value - self.0.start) / (self.0.end - self.0.start), limit)
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        let step = (self.0.end - self.0.start) / hint.max_num_points().clamp(2, 7) as f64;
        let decade = 10.0_f64.powf(step.log10().floor());
        let step = decade * [1.0, 2.0, 5.0, 10.0].into_iter().find(|share| share * decade >= step).unwrap_or(10.0);
        let first = (self.0.start / step).ceil() as i64;
        (first..first + 20).map(|at| at as f64 * step).filter(|value| *value <= self.0.end).collect()
    }

    fn range(&self) -> Range<f64> {
        self.0.clone()
    }
}

impl Ranged for Logarithmic {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        place((value / self.0.start).ln() / (self.0.end / self.0.start).ln(), limit)
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        let decades = (self.0.end / self.0.start).log10();
        let marks: &[f64] = if decades < 2.5 { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let (first, last) = (self.0.start.log10().floor() as i32, self.0.end.log10().ceil() as i32);
        let every = ((last - first) / 8 + 1) as usize;
        let values = (first..=last).step_by(every).flat_map(|decade| marks.iter().map(move |mark| (mark, decade)));
        values.map(|(mark, decade)| mark * 10.0_f64.powi(decade)).filter(|value| self.0.contains(value)).collect()
    }

    fn range(&self) -> Range<f64> {
        self.0.clone()
    }
}

impl ValueFormatter<f64> for Linear {
    fn format(value: &f64) -> String {
        readable(*value)
    }
}

impl ValueFormatter<f64> for Logarithmic {
    fn format(value: &f64) -> String {
        readable(*value)
    }
}

fn place(share: f64, (low, high): (i32, i32)) -> i32 {
    low + (share * f64::from(high - low)).round() as i32
}

/// Writes a number without digits that are zero or round-off.
fn readable(value: f64) -> String {
    if value == 0.0 || (1e-3..1e5).contains(&value.abs()) {
        format!("{}", (value * 1e6).round() / 1e6)
    } else {
        format!("{value:.0e}")
    }
}
