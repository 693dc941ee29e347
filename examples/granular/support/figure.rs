//! Figures: panels with axes and curves, each above its legend, as SVG.

use std::ops::Range;
use std::path::Path;

use plotters::coord::Shift;
use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};
use plotters::prelude::*;

use super::Failure;
use super::arguments::Start;

/// Width and height of a panel without its legend [pixels].
const PANEL: (u32, u32) = (560, 390);
/// Height of the title of a figure [pixels].
const HEAD: u32 = 44;
/// Margin around a chart and beside a legend [pixels].
const MARGIN: i32 = 12;
/// Height of a line of a legend [pixels].
const LINE: i32 = 18;
/// Length of the sample of a curve in a legend, and the space before the name [pixels].
const SAMPLE: (i32, i32) = (28, 6);
/// Length of a dash and of the gap behind it [pixels].
const DASH: (i32, i32) = (6, 5);
/// Size of the names in legends and of the labels of axes.
const TEXT: (&str, i32) = ("sans-serif", 13);

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

    /// Returns it over the range of these values. A curve that leaves the range is not drawn there.
    pub(crate) fn around(self, values: impl Iterator<Item = f64>) -> Self {
        let range = self.drawn(values);
        self.over(range)
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

    /// Returns a dashed level from one value across to another.
    pub(crate) fn level(name: impl Into<String>, colour: RGBColor, [from, to]: [f64; 2], level: f64) -> Self {
        Self::new(name, colour, vec![(from, level), (to, level)]).with(Stroke::Dashed)
    }

    pub(crate) fn with(self, stroke: Stroke) -> Self {
        Self { stroke, ..self }
    }
}

/// The colour of a value that [W] prints.
pub(crate) const PRINTED: RGBColor = RGBColor(150, 130, 60);

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
    pub(crate) curves: Vec<Curve>,
}

/// Draws panels in rows of `columns`, below a title.
///
/// # Errors
///
/// The file cannot be written.
pub(crate) fn draw(path: &Path, title: &str, columns: usize, panels: &[Panel]) -> Result<(), Failure> {
    let rows = panels.len().div_ceil(columns);
    let mut legends = Vec::new();
    for panel in panels {
        legends.push(Legend::of(panel)?);
    }
    let lines = legends.iter().map(|legend| legend.lines).max().unwrap_or(0);
    let height = PANEL.1 + lines as u32 * LINE as u32;
    let area = SVGBackend::new(path, (PANEL.0 * columns as u32, HEAD + height * rows as u32)).into_drawing_area();
    area.fill(&WHITE)?;
    let (head, body) = area.split_vertically(HEAD);
    head.draw_text(title, &("sans-serif", 21).into_font().color(&BLACK), (16, 14))?;
    for ((place, panel), legend) in body.split_evenly((rows, columns)).iter().zip(panels).zip(&legends) {
        let (chart, below) = place.split_vertically(PANEL.1 - MARGIN as u32);
        draw_panel(&chart, panel)?;
        legend.draw(&below, panel)?;
    }
    area.present()?;
    Ok(())
}

/// The places of names in the legend of a panel: columns of `lines` names.
struct Legend {
    lines: usize,
    /// Width of a column [pixels].
    width: i32,
}

impl Legend {
    /// Returns the legend with as many columns as fit the longest name.
    fn of(panel: &Panel) -> Result<Self, Failure> {
        let (room, names) = (PANEL.0 as i32 - 2 * MARGIN, panel.curves.len().max(1));
        let mut entry = 1;
        for curve in &panel.curves {
            let text = TEXT.into_font().box_size(&curve.name)?.0 as i32;
            entry = entry.max(SAMPLE.0 + SAMPLE.1 + text + MARGIN);
        }
        let most = ((room / entry) as usize).clamp(1, names);
        let lines = names.div_ceil(most);
        Ok(Self { lines, width: room / names.div_ceil(lines) as i32 })
    }

    fn draw(&self, area: &DrawingArea<SVGBackend, Shift>, panel: &Panel) -> Result<(), Failure> {
        let text = TEXT.into_font().color(&BLACK);
        for (at, curve) in panel.curves.iter().enumerate() {
            let (column, line) = ((at / self.lines) as i32, (at % self.lines) as i32);
            let (x, y) = (MARGIN + column * self.width, line * LINE + LINE / 2);
            draw_sample(area, curve, (x, y))?;
            area.draw_text(&curve.name, &text, (x + SAMPLE.0 + SAMPLE.1, y - 6))?;
        }
        Ok(())
    }
}

/// Draws a short piece of a curve as it is in the chart: its dashes and its mark.
fn draw_sample(area: &DrawingArea<SVGBackend, Shift>, curve: &Curve, (x, y): (i32, i32)) -> Result<(), Failure> {
    let line = |from: i32, to: i32| PathElement::new([(from, y), (to, y)], curve.colour.stroke_width(2));
    let mark = |size: i32| Circle::new((x + SAMPLE.0 / 2, y), size, curve.colour.filled());
    match curve.stroke {
        Stroke::Dots => area.draw(&mark(2))?,
        Stroke::Plain => area.draw(&line(x, x + SAMPLE.0))?,
        Stroke::Marked => {
            area.draw(&line(x, x + SAMPLE.0))?;
            area.draw(&mark(3))?;
        }
        Stroke::Dashed => {
            for from in (x..x + SAMPLE.0).step_by((DASH.0 + DASH.1) as usize) {
                area.draw(&line(from, from + DASH.0))?;
            }
        }
    }
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
        .margin(MARGIN)
        .x_label_area_size(44)
        .y_label_area_size(68)
        .build_cartesian_2d(across, up)?;
    chart
        .configure_mesh()
        .x_desc(&panel.across.label)
        .y_desc(&panel.up.label)
        .x_labels(7)
        .y_labels(7)
        .label_style(TEXT)
        .axis_desc_style(("sans-serif", 14))
        .light_line_style(TRANSPARENT)
        .bold_line_style(BLACK.mix(0.12))
        .draw()?;
    let is_shown = |point: &(f64, f64)| {
        shown_across.contains(&point.0) && (shown_up.contains(&point.1) || point.1 == shown_up.end)
    };
    // A curve breaks off where a point is not shown.
    let parts = |curve: &Curve| curve.points.split(|point| !is_shown(point)).map(<[_]>::to_vec).collect::<Vec<_>>();
    for (curve, points) in panel.curves.iter().flat_map(|curve| parts(curve).into_iter().map(move |part| (curve, part)))
    {
        let Curve { colour, stroke, .. } = *curve;
        let line = colour.stroke_width(2);
        match stroke {
            Stroke::Dashed => {
                chart.draw_series(DashedLineSeries::new(points, DASH.0 as u32, DASH.1 as u32, line))?;
            }
            Stroke::Dots => {
                chart.draw_series(points.iter().map(|at| Circle::new(*at, 2, colour.filled())))?;
            }
            Stroke::Plain => {
                chart.draw_series(LineSeries::new(points, line))?;
            }
            Stroke::Marked => {
                chart.draw_series(points.iter().map(|at| Circle::new(*at, 3, colour.filled())))?;
                chart.draw_series(LineSeries::new(points, line))?;
            }
        }
    }
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
