//! What the drops show, what [N] says of it, and figures.

use std::path::Path;

use drystone::world::settings::FrictionLaw;
use plotters::prelude::RGBColor;
use serde_json::Value;

use super::common::assembly::{Pose, drawn};
use super::common::outline::Kind;
use super::common::picture::{self, Picture};
use super::drop::{Drop, RESTING, STEP};
use super::support::Failure;
use super::support::figure::{Axis, Curve, Panel, Stroke, draw};
use super::support::judge::Judge;
use super::support::study::number;

/// The slopes of [N] with friction, from disks to grains that are not convex [deg], and how near ours are to be.
const SLOPES: [f64; 3] = [9.0, 12.0, 17.0];
const NEAR: f64 = 3.0;

/// A drop that was run.
pub(crate) struct Finding {
    drop: Drop,
    width: f64,
    spread: f64,
    slope: f64,
    last_step: f64,
    /// The mean kinetic energy of a grain when the wall goes, over m g D [-].
    settled_energy: f64,
    /// Step and spread.
    spreads: Vec<(f64, f64)>,
    column: Vec<Pose>,
    poses: Vec<Pose>,
}

impl Finding {
    pub(crate) fn of(run: &Value, drop: Drop) -> Result<Self, Failure> {
        Ok(Self {
            drop,
            width: number(run, "width"),
            spread: number(run, "spread"),
            slope: number(run, "slope"),
            last_step: number(run, "last_step"),
            settled_energy: number(run, "settled_energy"),
            spreads: serde_json::from_value(run["spreads"].clone())?,
            column: serde_json::from_value(run["column"].clone())?,
            poses: serde_json::from_value(run["poses"].clone())?,
        })
    }

    fn is_stopped(&self) -> bool {
        self.last_step < self.drop.steps as f64
    }
}

/// Returns the name of a law in legends: its curves are dashed there.
fn law_name(law: FrictionLaw) -> &'static str {
    if law == FrictionLaw::Associated { "associated" } else { "Coulomb (dashed)" }
}

/// Judges whether columns rest before, slopes, and the order of spreads and slopes.
pub(crate) fn judge(all: &[Finding], judge: &mut Judge) {
    for one in all {
        let law = format!("{:?}", one.drop.law).to_lowercase();
        let name = format!("{law}, friction {}, {}", one.drop.friction, one.drop.kind.name());
        judge.at_most(format!("{name}: kinetic energy of a grain at step 0, over m g D"), one.settled_energy, RESTING);
    }
    for law in [FrictionLaw::Associated, FrictionLaw::Coulomb] {
        let of = |kind: Kind, has_friction: bool| {
            let mut found = all.iter().filter(|one| one.drop.law == law && (one.drop.friction > 0.0) == has_friction);
            found.find(|one| one.drop.kind == kind)
        };
        let name = format!("{law:?}").to_lowercase();
        for (kind, slope) in Kind::ALL.into_iter().zip(SLOPES) {
            if let Some(one) = of(kind, true) {
                judge.within(format!("{name}, {}: slope [deg]", kind.name()), one.slope, slope - NEAR, slope + NEAR);
            }
            if let (Some(one), true) = (of(kind, false), kind != Kind::Disk) {
                let stands = if one.is_stopped() { 1.0 } else { 0.0 };
                judge.at_least(format!("{name}, smooth {}: stopped", kind.name()), stands, 1.0);
            }
        }
        for (less, more) in [(Kind::Nonconvex, Kind::Convex), (Kind::Convex, Kind::Disk)] {
            for (has_friction, word) in [(true, ""), (false, "smooth ")] {
                if let (Some(less), Some(more)) = (of(less, has_friction), of(more, has_friction)) {
                    let pair = format!("{name}, {word}{} over {}", more.drop.kind.name(), less.drop.kind.name());
                    judge.at_least(format!("{pair}: spread"), more.spread / less.spread, 1.0);
                    if has_friction {
                        judge.at_most(format!("{pair}: slope"), more.slope / less.slope, 1.0);
                    }
                }
            }
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

/// Draws the spread by time, a panel for each friction.
pub(crate) fn plot(path: &Path, all: &[Finding], count: usize) -> Result<(), Failure> {
    let mut panels = Vec::new();
    for (has_friction, title) in [(true, "friction 0.5"), (false, "no friction between grains")] {
        let shown: Vec<&Finding> = all.iter().filter(|one| (one.drop.friction > 0.0) == has_friction).collect();
        if shown.is_empty() {
            continue;
        }
        let curves = shown.iter().map(|one| {
            let points = one.spreads.iter().map(|(step, spread)| (step * STEP, spread / one.width)).collect();
            let stroke = if one.drop.law == FrictionLaw::Associated { Stroke::Plain } else { Stroke::Dashed };
            Curve::new(format!("{}, {}", one.drop.kind.name(), law_name(one.drop.law)), colour(one.drop.kind), points)
                .with(stroke)
        });
        panels.push(Panel {
            title: title.into(),
            across: Axis::linear("time [sqrt(D/g)]"),
            up: Axis::linear("spread over the width of the column"),
            curves: curves.collect(),
        });
    }
    draw(path, &format!("Column of {count} grains, one wall taken away: spread"), panels.len(), &panels)
}

/// Draws the grains in the end by the associated law, with the friction first.
pub(crate) fn picture(path: &Path, all: &[Finding]) -> Result<(), Failure> {
    let shown = |one: &&Finding| one.drop.law == FrictionLaw::Associated;
    let widest = all.iter().filter(shown).flat_map(|one| &one.poses).fold(1.0, |widest: f64, pose| widest.max(pose[0]));
    // One scale and frame for all, so that spreads can be compared; grains far out are cut off.
    let end = widest.min(all.iter().filter(shown).map(|one| 1.15 * one.spread).fold(1.0, f64::max));
    let mut pictures = Vec::new();
    for one in all.iter().filter(shown) {
        let name = one.drop.kind.name();
        if one.drop.friction > 0.0 {
            let top = one.column.iter().fold(1.0, |highest: f64, pose| highest.max(pose[1]));
            let title = format!("{name}, step 0");
            pictures.push(of(title, one.drop.kind, &one.column, [end, top + 1.0], None)?);
        }
        let title = format!("{name}, friction {}, step {:.0}", one.drop.friction, one.last_step);
        let top = one.poses.iter().fold(1.0, |highest: f64, pose| highest.max(pose[1]));
        pictures.push(of(title, one.drop.kind, &one.poses, [end, top + 1.0], Some(one.spread))?);
    }
    picture::draw(path, "Columns of grains, associated friction", 900.0 / end, 1, &pictures)
}

fn of(
    title: String,
    kind: Kind,
    poses: &[Pose],
    [end, top]: [f64; 2],
    spread: Option<f64>,
) -> Result<Picture, Failure> {
    let mut lines = vec![vec![[0.0, top], [0.0, 0.0], [end, 0.0]]];
    lines.extend(spread.map(|spread| vec![[spread, 0.0], [spread, 1.5]]));
    let grains = drawn(kind, poses)?.into_iter().zip(poses).filter(|(_, pose)| pose[0] < end);
    let grains = grains.map(|(grain, _)| grain).collect();
    Ok(Picture { title, frame: [-0.3..end + 0.3, -0.3..top], grains, lines, words: Vec::new() })
}
