//! The outlines of grains of the experiments of [N]: 16 that are not convex, with convex ones and disks of the same mean diameters.
//!
//!     cargo run --release --example grains_shapes -- --plot shapes.svg

mod common;
#[path = "../granular/support/mod.rs"]
mod support;

use std::path::Path;

use serde_json::json;

use common::outline::{Kind, OUTLINES, Outline, mean_diameter};
use common::picture::{Picture, draw};
use support::Failure;
use support::arguments::Arguments;
use support::judge::Judge;

/// Of the solidity of outlines that are not convex: 0.83 to 0.99, which are rounded [-].
const SOLIDITY: [f64; 2] = [0.825, 0.995];
/// Between two outlines of the picture [D].
const PITCH: f64 = 1.6;

fn main() -> Result<(), Failure> {
    let arguments = Arguments::parse(&[])?;
    if arguments.starts.is_some() || arguments.iterations.is_some() {
        return Err("--warm and --iterations are not for shapes: nothing is stepped".into());
    }
    let mut judge = Judge::default();
    for kind in Kind::ALL {
        judge_kind(kind, &mut judge)?;
    }
    judge.report("shapes", arguments.by_size("small", "paper"));
    arguments.plot.as_deref().map_or(Ok(()), plot)
}

/// Prints what outlines of a kind measure, and judges it.
fn judge_kind(kind: Kind, judge: &mut Judge) -> Result<(), Failure> {
    let (mut off, mut apart, mut lowest, mut highest) = (0.0f64, 0.0f64, f64::INFINITY, 0.0f64);
    for (index, outline) in Outline::all(kind)?.iter().enumerate() {
        let (area, diameter, solidity) = (outline.area()?, outline.feret_diameter(), outline.solidity()?);
        println!(
            "{}",
            json!({"experiment": "shapes", "kind": kind.name(), "index": index, "area": area, "feret_diameter": diameter, "solidity": solidity})
        );
        off = off.max((diameter / mean_diameter(index) - 1.0).abs());
        apart = apart.max((outline.fine_area() / area - 1.0).abs());
        (lowest, highest) = (lowest.min(solidity), highest.max(solidity));
    }
    let name = kind.name();
    judge.at_most(format!("{name}: mean Feret diameters against 0.7 + 0.04 j, relative"), off, 1e-12);
    judge.at_most(format!("{name}: area of the shape against that of a fine polygon, relative"), apart, 2e-6);
    match kind {
        Kind::Nonconvex => {
            judge.at_least("nonconvex: least solidity", lowest, SOLIDITY[0]);
            judge.at_most("nonconvex: largest solidity", highest, SOLIDITY[1]);
        }
        _ => judge.at_least(format!("{name}: least solidity"), lowest, 1.0 - 1e-6),
    }
    Ok(())
}

fn plot(path: &Path) -> Result<(), Failure> {
    let picture = |kind: Kind| -> Result<Picture, Failure> {
        let outlines = Outline::all(kind)?;
        let place = |index: usize| [PITCH * (index % 8) as f64, -PITCH * (index / 8) as f64];
        let moved = |(index, outline): (usize, &Outline)| {
            let [x, y] = place(index);
            (outline.drawn().iter().map(|point| [x + point[0], y + point[1]]).collect(), index / 4)
        };
        let words = (0..OUTLINES).map(|index| (index.to_string(), [place(index)[0] - 0.1, place(index)[1] + 0.12]));
        let half = 0.5 * PITCH;
        Ok(Picture {
            title: match kind {
                Kind::Disk => "disks".into(),
                Kind::Convex => "convex".into(),
                Kind::Nonconvex => "not convex".into(),
            },
            frame: [-half..7.0 * PITCH + half, -PITCH - half..half],
            grains: outlines.iter().enumerate().map(moved).collect(),
            lines: Vec::new(),
            words: words.collect(),
        })
    };
    let pictures = [Kind::Nonconvex, Kind::Convex, Kind::Disk].map(picture);
    let [first, second, third] = pictures;
    draw(path, "Outlines of the grains; equal numbers have equal mean diameters", 70.0, 1, &[first?, second?, third?])
}
