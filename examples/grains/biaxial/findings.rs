//! What the tests show: curves, what [N] says of them, and figures.

use std::path::Path;

use plotters::prelude::RGBColor;
use serde_json::{Value, json};

use super::common::assembly::{Pose, drawn};
use super::common::outline::Kind;
use super::common::picture::{self, Picture};
use super::packing::Packing;
use super::support::Failure;
use super::support::figure::{Axis, Curve, Panel, Stroke, draw};
use super::support::judge::Judge;
use super::support::study::number;
use super::test::Test;

/// Points of a curve that are averaged for its peak.
const SMOOTHED: usize = 9;
/// The axial strain from which on a test counts as a whole one.
const WHOLE: f64 = 0.2;
/// The smoothed peak of disks at a stiffness of 1e8, by friction, of a program of its own. The mean over packings is to be near: with friction 0.5
/// the peaks of three packings have a standard deviation of 57, so that their mean has one of 33.
const PEAKS: [(f64, f64); 2] = [(0.3, 186.0), (0.5, 205.0)];
const NEAR_PEAK: f64 = 40.0;
/// The stiffness at which [N] draws grains.
const DRAWN: f64 = 1e8;

/// A test that was run.
pub(crate) struct Finding {
    kind: Kind,
    test: Test,
    /// Axial strain, deviator, volumetric strain.
    curve: Vec<[f64; 3]>,
    unbalanced: f64,
    side_off: f64,
    /// Increments that were not solved, 0 or 1: the first one ends the test.
    failed: f64,
    /// Increments that were taken by steps.
    stepped: f64,
    poses: Vec<Pose>,
    size: [f64; 2],
}

impl Finding {
    pub(crate) fn of(run: &Value, kind: Kind, test: Test) -> Result<Self, Failure> {
        Ok(Self {
            kind,
            test,
            curve: serde_json::from_value(run["curve"].clone())?,
            unbalanced: number(run, "unbalanced"),
            side_off: number(run, "side_off"),
            failed: if run["failure"].is_null() { 0.0 } else { 1.0 },
            stepped: number(run, "stepped"),
            poses: serde_json::from_value(run["poses"].clone())?,
            size: serde_json::from_value(run["final_size"].clone())?,
        })
    }

    /// Whether the test was run to its end.
    fn is_whole(&self) -> bool {
        self.curve.last().is_some_and(|point| point[0] > WHOLE)
    }

    /// The deviator of the first increment.
    fn first(&self) -> f64 {
        self.curve.get(1).map_or(f64::NAN, |point| point[1])
    }

    /// The volumetric strain of the first increment; dilation is negative.
    fn first_volume(&self) -> f64 {
        self.curve.get(1).map_or(f64::NAN, |point| point[2])
    }

    fn largest_volume(&self) -> f64 {
        self.curve.iter().map(|point| point[2]).fold(f64::NEG_INFINITY, f64::max)
    }

    /// How much the volume has grown at the end.
    fn dilation(&self) -> f64 {
        self.curve.last().map_or(f64::NAN, |point| -point[2])
    }

    /// The largest mean of some neighbouring deviators.
    fn peak(&self) -> f64 {
        let mean = |window: &[[f64; 3]]| window.iter().map(|point| point[1]).sum::<f64>() / window.len() as f64;
        self.curve.get(1..).unwrap_or_default().windows(SMOOTHED).map(mean).fold(f64::NAN, f64::max)
    }

    /// The mean deviator of the last third.
    fn last(&self) -> f64 {
        let points = &self.curve[2 * self.curve.len() / 3..];
        points.iter().map(|point| point[1]).sum::<f64>() / points.len() as f64
    }
}

/// Judges what [N] says, with the numbers of grains.md for disks.
pub(crate) fn judge(packings: &[Packing], all: &[Finding], judge: &mut Judge) -> Result<(), Failure> {
    for packing in packings {
        judge.within(format!("{}: porosity", packing.kind.name()), packing.porosity()?, 0.13, 0.22);
    }
    let largest = |of: fn(&Finding) -> f64| all.iter().map(of).fold(0.0, f64::max);
    judge.at_most("tests that ended before their last increment", all.iter().map(|one| one.failed).sum(), 0.0);
    let increments: usize = all.iter().map(|one| one.curve.len() - 1).sum();
    let stepped: f64 = all.iter().map(|one| one.stepped).sum();
    println!("{}", json!({"experiment": "biaxial", "kind": "increments", "all": increments, "by_steps": stepped}));
    judge.at_most("force missing on a body, over that of the right wall", largest(|one| one.unbalanced), 1e-10);
    judge.at_most("force of the right wall against its stress, relative", largest(|one| one.side_off), 1e-9);
    for one in all.iter().filter(|one| one.kind == Kind::Disk) {
        let name = format!("disks, friction {}, stiffness {:e}", one.test.friction, one.test.stiffness);
        if one.test.stiffness == 1e8 {
            judge.within(format!("{name}: first deviator"), one.first(), 105.0, 160.0);
        }
        if one.test.stiffness == 1e5 {
            judge.within(format!("{name}: first deviator"), one.first(), 40.0, 75.0);
            judge.within(format!("{name}: largest compaction"), one.largest_volume(), 1e-4, 2e-3);
        }
        if one.test.stiffness >= 1e8 {
            judge.at_most(format!("{name}: first volumetric strain"), one.first_volume(), 0.0);
        }
    }
    // A level in the end, a peak and the whole dilation are those of the whole test.
    let whole: Vec<&Finding> = all.iter().filter(|one| one.is_whole()).collect();
    for (kind, friction) in groups(&whole) {
        judge_group(&whole, (kind, friction), judge);
    }
    judge_order(&whole, judge);
    judge_peaks(&whole, judge);
    Ok(())
}

/// Returns the shapes and frictions that were tested.
fn groups(all: &[&Finding]) -> Vec<(Kind, f64)> {
    let mut groups = Vec::new();
    for one in all {
        let group = (one.kind, one.test.friction);
        if !groups.contains(&group) {
            groups.push(group);
        }
    }
    groups
}

/// Returns the mean over packings and those stiffnesses that `takes` takes.
fn mean(
    all: &[&Finding],
    (kind, friction): (Kind, f64),
    of: fn(&Finding) -> f64,
    takes: impl Fn(&Finding) -> bool,
) -> f64 {
    let group = all.iter().filter(|one| one.kind == kind && one.test.friction == friction && takes(one));
    let values: Vec<f64> = group.map(|one| of(one)).collect();
    values.iter().sum::<f64>() / values.len() as f64
}

/// The level in the end does not depend on the stiffness.
fn judge_group(all: &[&Finding], group: (Kind, f64), judge: &mut Judge) {
    let mut stiffnesses: Vec<f64> = Vec::new();
    for one in all.iter().filter(|one| one.kind == group.0 && one.test.friction == group.1) {
        if !stiffnesses.contains(&one.test.stiffness) {
            stiffnesses.push(one.test.stiffness);
        }
    }
    let levels =
        stiffnesses.iter().map(|stiffness| mean(all, group, Finding::last, |one| one.test.stiffness == *stiffness));
    let levels: Vec<f64> = levels.collect();
    let (lowest, highest) = levels
        .iter()
        .fold((f64::INFINITY, 0.0f64), |(lowest, highest), level| (lowest.min(*level), highest.max(*level)));
    let name = format!("{}, friction {}", group.0.name(), group.1);
    judge.at_most(format!("{name}: levels in the end, largest difference between stiffnesses"), highest - lowest, 30.0);
}

/// The peak of disks by friction, as a mean over packings.
fn judge_peaks(all: &[&Finding], judge: &mut Judge) {
    for (friction, peak) in PEAKS {
        let stiff = |one: &Finding| one.test.stiffness == 1e8;
        if all.iter().any(|one| one.kind == Kind::Disk && one.test.friction == friction && stiff(one)) {
            let found = mean(all, (Kind::Disk, friction), Finding::peak, stiff);
            let name = format!("disks, friction {friction}, stiffness 1e8: mean peak");
            judge.within(name, found, peak - NEAR_PEAK, peak + NEAR_PEAK);
        }
    }
}

/// Strength and dilation grow with how angular grains are, and strength with friction.
fn judge_order(all: &[&Finding], judge: &mut Judge) {
    let groups = groups(all);
    for (kind, friction) in &groups {
        let of = |group, of: fn(&Finding) -> f64| mean(all, group, of, |_| true);
        for other in Kind::ALL.into_iter().skip(1 + *kind as usize).take(1) {
            if groups.contains(&(other, *friction)) {
                let name = format!("friction {friction}, {} less {}", other.name(), kind.name());
                let [more, less] = [(other, *friction), (*kind, *friction)];
                judge.at_least(format!("{name}: peak"), of(more, Finding::peak) - of(less, Finding::peak), 0.0);
                let apart = of(more, Finding::dilation) - of(less, Finding::dilation);
                judge.at_least(format!("{name}: dilation"), apart, 0.0);
            }
        }
        if *friction < 0.5 && groups.contains(&(*kind, 0.5)) {
            let apart = of((*kind, 0.5), Finding::peak) - of((*kind, *friction), Finding::peak);
            judge.at_least(format!("{}: peak at friction 0.5 less that at {friction}", kind.name()), apart, 0.0);
        }
    }
}

fn colour(kind: Kind) -> RGBColor {
    match kind {
        Kind::Disk => RGBColor(31, 119, 180),
        Kind::Convex => RGBColor(44, 160, 44),
        Kind::Nonconvex => RGBColor(214, 39, 40),
    }
}

/// Draws deviator and volumetric strain by axial strain, a row for each stiffness, of the first packing of each shape.
pub(crate) fn plot(path: &Path, all: &[Finding], count: usize) -> Result<(), Failure> {
    let mut stiffnesses: Vec<f64> = Vec::new();
    for one in all {
        if !stiffnesses.contains(&one.test.stiffness) {
            stiffnesses.push(one.test.stiffness);
        }
    }
    stiffnesses.sort_by(|a, b| b.total_cmp(a));
    let mut panels = Vec::new();
    for stiffness in stiffnesses {
        let name = if stiffness.is_finite() { format!("stiffness {stiffness:e}") } else { "rigid".into() };
        for (column, label) in [(1, "deviator"), (2, "volumetric strain [%]")] {
            let mut curves: Vec<Curve> = Vec::new();
            for one in all.iter().filter(|one| one.test.stiffness == stiffness) {
                let dashed = if one.test.friction < 0.5 { " (dashed)" } else { "" };
                let name = format!("{}, friction {}{dashed}", one.kind.name(), one.test.friction);
                if curves.iter().any(|curve| curve.name == name) {
                    continue;
                }
                let scale = if column == 1 { 1.0 } else { 100.0 };
                let points = one.curve.iter().map(|point| (100.0 * point[0], scale * point[column])).collect();
                let stroke = if one.test.friction < 0.5 { Stroke::Dashed } else { Stroke::Plain };
                curves.push(Curve::new(name, colour(one.kind), points).with(stroke));
            }
            panels.push(Panel {
                title: format!("{name}: {label}"),
                across: Axis::linear("axial strain [%]"),
                up: Axis::linear(label),
                curves,
            });
        }
    }
    let title = format!("Biaxial compression of {count} grains: shape and friction, by the stiffness of contacts");
    draw(path, &title, 2, &panels)
}

/// Draws the grains before the tests and after those at one stiffness and the largest friction.
pub(crate) fn picture(path: &Path, packings: &[Packing], all: &[Finding]) -> Result<(), Failure> {
    let widest = all.iter().map(|one| one.size[0]).fold(1.0, f64::max);
    let of = |title: String, kind: Kind, poses: &[Pose], size: [f64; 2]| -> Result<Picture, Failure> {
        let [width, height] = size;
        let edge = vec![[0.0, 0.0], [width, 0.0], [width, height], [0.0, height], [0.0, 0.0]];
        let grains = drawn(kind, poses)?;
        Ok(Picture {
            title,
            frame: [-0.2..width + 0.2, -0.2..height + 0.2],
            grains,
            lines: vec![edge],
            words: Vec::new(),
        })
    };
    let (mut before, mut after) = (Vec::new(), Vec::new());
    for packing in packings {
        let name = packing.kind.name();
        before.push(of(name.into(), packing.kind, &packing.poses, packing.size)?);
        let is_drawn = |one: &&Finding| one.kind == packing.kind && one.test.stiffness == DRAWN;
        if let Some(one) = all.iter().rfind(is_drawn) {
            after.push(of(format!("{name}, strained"), packing.kind, &one.poses, one.size)?);
        }
    }
    let columns = before.len();
    before.extend(after);
    let scale = 330.0 / widest;
    picture::draw(
        path,
        "Grains before and after biaxial compression, stiffness 1e8, friction 0.5",
        scale,
        columns,
        &before,
    )
}
