//! A silo of grains at rest: what floor, walls and the fields of stress and density carry, with smooth walls and with rough ones.
//!
//!     cargo run --release --example granular_silo -- --size small --plot silo.svg

#[path = "silo/plane.rs"]
mod plane;
#[path = "silo/rough.rs"]
mod rough;
#[path = "silo/smooth.rs"]
mod smooth;
mod support;
#[path = "silo/vessel.rs"]
mod vessel;

use std::path::Path;

use plotters::prelude::RGBColor;
use serde_json::{Value, json};

use support::Failure;
use support::arguments::Arguments;
use support::figure::{Axis, Curve, Panel, Stroke, draw};
use support::filling::Fill;
use support::judge::Judge;
use support::progress::Progress;
use support::study::{Study, number};
use vessel::DIAMETERS;

/// Between smooth walls, of the part that is mirrored.
const SMOOTH_GRAINS: usize = 4200;
/// Between rough walls: 44 mean diameters high.
const ROUGH_GRAINS: usize = 2000;
const BLUE: RGBColor = RGBColor(31, 119, 180);
const RED: RGBColor = RGBColor(214, 39, 40);
const GREY: RGBColor = RGBColor(110, 110, 110);

fn main() -> Result<(), Failure> {
    let arguments = Arguments::parse(&[
        ("grains", "N          grains between rough walls"),
        ("smooth", "N          grains between smooth walls that come to rest before they are mirrored"),
    ])?;
    if arguments.starts.is_some() || arguments.iterations.is_some() {
        return Err("--warm and --iterations are not for the silo: it is solved to round-off".into());
    }
    let part = arguments.number("smooth", SMOOTH_GRAINS)?;
    let fill = Fill { count: part, widths: [0.16; 2], diameters: DIAMETERS, images: arguments.by_size([1, 1], [6, 4]) };
    let grown = fill.count * fill.images[0] * fill.images[1];
    let count = arguments.number("grains", ROUGH_GRAINS)?;
    let mut study = Study::open("silo", &arguments)?;
    let mut progress = Progress::new(arguments.progress, 2.0);
    let parameters = json!({"kind": "rough", "grains": count});
    let rough =
        study.run(&parameters, |saved| rough::run(count, saved, |share| progress.part(share, "rough walls")))?;
    progress.add(1.0, "rough walls");
    let parameters = json!({"kind": "smooth", "grains": grown});
    let smooth =
        study.run(&parameters, |saved| smooth::run(&fill, saved, |share| progress.part(share, "smooth walls")))?;
    progress.add(1.0, "smooth walls");
    let mut judge = Judge::default();
    judge_smooth(&smooth, &mut judge);
    judge_rough(&rough, &mut judge);
    judge.report("silo", arguments.by_size("small", "paper"));
    arguments.plot.as_deref().map_or(Ok(()), |path| plot(path, &smooth, &rough))
}

fn judge_smooth(run: &Value, judge: &mut Judge) {
    let floor = "smooth: floor against weight";
    judge.at_most(
        format!("{floor} + change of momentum, relative, all steps compared"),
        number(run, "imbalance"),
        1e-12,
    );
    judge.at_most(format!("{floor}, at rest, relative"), number(run, "floor_off"), 1e-8);
    for plane in run["planes"].as_array().into_iter().flatten() {
        let share = number(plane, "share");
        if share > smooth::JUDGED {
            continue;
        }
        let name = format!("smooth, plane at {share} of the height");
        judge.at_most(format!("{name}: stress against the weight above, relative"), number(plane, "off"), 1e-6);
        judge.at_most(format!("{name}: density against its closed form, relative"), number(plane, "density_off"), 1e-6);
    }
}

fn judge_rough(run: &Value, judge: &mut Judge) {
    judge.at_most(
        "rough: floor + walls against weight + change of momentum, relative, all steps compared",
        number(run, "imbalance"),
        1e-12,
    );
    for time in ["before", "after"] {
        let name = format!("rough, {time} lowering: stress + walls against the weight above, over all weight");
        judge.at_most(name, number(&run[time], "plane_off"), 1e-6);
    }
    judge.within("rough: share of the floor after lowering", number(&run["after"], "floor_share"), 0.0, 1.0);
}

/// Returns Janssen's vertical stress by depth. Its ratio of the pressure on the walls to it is the one found at this `time` of the run.
fn janssen(run: &Value, time: &Value) -> impl Fn(f64) -> f64 {
    let length = number(run, "width_m") / (4.0 * number(run, "friction") * number(time, "ratio"));
    let weight = number(time, "bulk_weight");
    move |depth| weight * length * (1.0 - (-depth / length).exp())
}

/// Returns a column of the profile of a run by depth.
fn column(run: &Value, at: usize) -> Vec<(f64, f64)> {
    let rows: Vec<[f64; 4]> = serde_json::from_value(run["profile"].clone()).unwrap_or_default();
    rows.iter().map(|row| (row[0], row[at])).collect()
}

/// Returns points of a curve from the surface down to a depth.
fn sampled(depth: f64, of: impl Fn(f64) -> f64) -> Vec<(f64, f64)> {
    (0..=60).map(|at| depth * f64::from(at) / 60.0).map(|depth| (depth, of(depth))).collect()
}

fn plot(path: &Path, smooth: &Value, rough: &Value) -> Result<(), Failure> {
    let planes = smooth["planes"].as_array().into_iter().flatten();
    let points = planes.map(|plane| (number(plane, "depth_m"), number(plane, "stress_pa"))).collect();
    let [before, after] = ["before", "after"].map(|time| &rough[time]);
    let law = |run: &Value, name: &str, colour| {
        let points = sampled(number(run, "height_m"), janssen(rough, run));
        Curve::new(name, colour, points).with(Stroke::Dashed)
    };
    let rough_curves = vec![
        Curve::new("as filled", BLUE, column(before, 1)),
        law(before, "Janssen, filled (dashed)", BLUE),
        Curve::new("floor lowered", RED, column(after, 1)),
        law(after, "Janssen, lowered (dashed)", RED),
        hydrostatic(after),
    ];
    let wall_curves = vec![
        Curve::new("pressure", BLUE, column(after, 2)),
        Curve::new("shear, upwards on the grains", RED, column(after, 3)),
    ];
    let highest = column(before, 1).iter().fold(0.0, |highest: f64, point| highest.max(point.1));
    let panel =
        |title: &str, up: Axis, curves| Panel { title: title.into(), across: Axis::linear("depth [m]"), up, curves };
    let stress = || Axis::linear("stress [Pa]");
    let panels = [
        panel("smooth walls: vertical stress", stress(), vec![Curve::new("field", BLUE, points), hydrostatic(smooth)]),
        // The weight is far larger at the floor.
        panel("rough walls: vertical stress", stress().over(0.0..2.0 * highest), rough_curves),
        panel("rough walls, floor lowered: stresses of the walls", stress().over(0.0..highest), wall_curves),
    ];
    draw(path, "Grains at rest in a silo: how their weight is carried", 3, &panels)
}

/// Returns the line of the weight of a bed above each depth, over the area.
fn hydrostatic(run: &Value) -> Curve {
    let weight = number(run, "bulk_weight");
    let points = sampled(number(run, "height_m"), |depth| weight * depth);
    Curve::new("weight above (dashed)", GREY, points).with(Stroke::Dashed)
}
