//! Arches of rigid voussoirs: the least thickness over their number and over friction, limit loads, thrust and mechanisms.
//!
//!     cargo run --release --example masonry_arches -- --size small --plot arches.svg --picture thrust.svg

#[path = "arches/endless.rs"]
mod endless;
mod structure;
#[path = "../granular/support/mod.rs"]
mod support;

use std::path::Path;

use plotters::prelude::RGBColor;
use serde_json::{Value, json};

use endless::Weight;
use structure::arch::Arch;
use structure::picture::{Scene, draw as draw_scenes};
use structure::root::root;
use support::Failure;
use support::arguments::Arguments;
use support::figure::{Axis, Curve, Panel, Stroke, draw};
use support::judge::Judge;
use support::study::{Study, number};

/// Friction that never slides in these arches.
const ROUGH: f64 = 5.0;
/// Of roots [m].
const TOLERANCE: f64 = 1e-11;
/// Voussoirs, and the least thickness over the radius of the centre line without sliding: computed apart, with six digits.
const THICKNESSES: [(usize, f64); 5] = [(8, 0.100861), (16, 0.107237), (20, 0.107460), (64, 0.107394), (256, 0.107469)];
/// Of infinitely many voussoirs: Milankovitch 1907; with weights on the centre line; Heyman 1969. The last is quoted: nothing here computes it.
const MILANKOVITCH: f64 = 0.107478;
const CENTRE_LINE: f64 = 0.107426;
const HEYMAN: f64 = 0.1060;
/// Friction, and the least thickness of 64 voussoirs.
const FRICTIONS: [(f64, f64); 5] =
    [(0.40, 0.107394), (0.39, 0.112066), (0.36, 0.141284), (0.33, 0.173973), (0.312, 0.195061)];
/// The least friction of 64 voussoirs of thickness 0.35, and of any number and thickness (Cocchetti and Rizzi 2020).
const MIN_FRICTION: (f64, f64) = (0.309183, 0.309215);
/// Friction at which sliding begins to matter, with weights on the centre line (published).
const CHANGE: f64 = 0.395832;
/// By how much the arch is thicker whose least friction is compared with that, as one of the least thickness has but one state [m].
const THICKER: f64 = 1e-7;
/// How far 64 voussoirs may be from infinitely many: their least thickness is nearer than a thousandth.
const NEAR: f64 = 1e-3;
/// The printed numbers have six decimals.
const PRINTED: f64 = 6e-7;
const BLUE: RGBColor = RGBColor(31, 119, 180);
const RED: RGBColor = RGBColor(214, 39, 40);
const GREY: RGBColor = RGBColor(110, 110, 110);

/// What an arch of 16 voussoirs of thickness 0.2 carries: name, place of the load, friction, expected.
const LOADS: [(&str, Option<usize>, f64, f64); 4] = [
    ("acceleration/g", None, 0.7, 0.286785),
    ("acceleration/g", None, 0.5, 0.200604),
    ("load on the fifth voussoir", Some(5), 0.7, 0.432761),
    ("load on the fifth voussoir", Some(5), 0.5, 0.378868),
];

fn main() -> Result<(), Failure> {
    let own = [
        ("picture", "FILE.svg   draw thrust, forces and mechanisms"),
        ("forces", "FILE.json  write what interfaces carry there, a line of JSON each"),
    ];
    let arguments = Arguments::parse(&own)?;
    if arguments.starts.is_some() || arguments.iterations.is_some() {
        return Err("--warm and --iterations are not for masonry".into());
    }
    let mut study = Study::open("arches", &arguments)?;
    let mut judge = Judge::default();
    let by_number = judge_numbers(&arguments, &mut study, &mut judge)?;
    judge_frictions(&mut study, &mut judge)?;
    judge_endless(&mut study, &mut judge)?;
    judge_loads(&mut study, &mut judge)?;
    judge.report("arches", arguments.by_size("small", "paper"));
    if let Some(path) = &arguments.plot {
        plot(path, &mut study, &by_number, arguments.by_size(9, 33))?;
    }
    if arguments.own("picture").is_none() && arguments.own("forces").is_none() {
        return Ok(());
    }
    let (scenes, forces) = at_limits()?;
    if let Some(path) = arguments.own("picture") {
        draw_scenes(
            path.as_ref(),
            "Arches at their limit: thrust (blue), forces of joints (red), mechanism (orange)",
            2,
            &scenes,
        )?;
    }
    arguments.own("forces").map_or(Ok(()), |path| Ok(std::fs::write(path, forces)?))
}

/// Returns the run of the least thickness of an arch.
fn thickness(study: &mut Study, voussoirs: usize, friction: f64) -> Result<Value, Failure> {
    study.run(&json!({"kind": "thickness", "voussoirs": voussoirs, "friction": friction}), |_| {
        let thickness =
            root([0.08, 0.25], TOLERANCE, |thickness| Arch::semicircle(voussoirs, thickness, friction).reserve())?;
        Ok(json!({"thickness": thickness}))
    })
}

fn judge_numbers(arguments: &Arguments, study: &mut Study, judge: &mut Judge) -> Result<Vec<(f64, f64)>, Failure> {
    let mut found = Vec::new();
    for (voussoirs, expected) in THICKNESSES {
        let thickness = number(&thickness(study, voussoirs, ROUGH)?, "thickness");
        judge.at_most(
            format!("least thickness of {voussoirs}: from {expected}"),
            (thickness - expected).abs(),
            PRINTED,
        );
        found.push((voussoirs as f64, thickness));
    }
    for voussoirs in
        arguments.by_size([12, 24, 32, 48, 96, 128].as_slice(), &[10, 12, 14, 18, 24, 32, 48, 96, 128, 192])
    {
        found.push((*voussoirs as f64, number(&thickness(study, *voussoirs, ROUGH)?, "thickness")));
    }
    // Hinges lie at joints: what is thinner than the limit of many joints stands only where no joint is at its place.
    let largest = found.iter().map(|point| point.1).fold(0.0, f64::max);
    judge.at_most("least thickness of any number over that of Milankovitch", largest - MILANKOVITCH, PRINTED);
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    Ok(found)
}

fn judge_frictions(study: &mut Study, judge: &mut Judge) -> Result<(), Failure> {
    for (friction, expected) in FRICTIONS {
        let thickness = number(&thickness(study, 64, friction)?, "thickness");
        judge.at_most(
            format!("least thickness at friction {friction}: from {expected}"),
            (thickness - expected).abs(),
            PRINTED,
        );
    }
    let run = study.run(&json!({"kind": "friction", "voussoirs": 64, "thickness": 0.35}), |_| {
        let friction = root([0.28, 0.35], TOLERANCE, |friction| Arch::semicircle(64, 0.35, friction).reserve())?;
        Ok(json!({"friction": friction}))
    })?;
    let (expected, of_any) = MIN_FRICTION;
    let friction = number(&run, "friction");
    judge.at_most(format!("least friction of thickness 0.35: from {expected}"), (friction - expected).abs(), PRINTED);
    judge.within("least friction over that of infinitely many voussoirs", friction / of_any, 0.9995, 1.0);
    Ok(())
}

/// Judges published numbers of infinitely many voussoirs by lines of thrust, and the friction at which 64 begin to slide.
fn judge_endless(study: &mut Study, judge: &mut Judge) -> Result<(), Failure> {
    let run = study.run(&json!({"kind": "infinitely many voussoirs"}), |_| {
        Ok(json!({
            "thickness": endless::thickness(Weight::Sectors)?, "friction": endless::friction(Weight::Sectors)?,
            "centre_line_thickness": endless::thickness(Weight::CentreLine)?,
            "centre_line_friction": endless::friction(Weight::CentreLine)?, "least_friction": endless::least_friction()?,
        }))
    })?;
    for (name, published) in [
        ("thickness", MILANKOVITCH),
        ("centre_line_thickness", CENTRE_LINE),
        ("centre_line_friction", CHANGE),
        ("least_friction", MIN_FRICTION.1),
    ] {
        let apart = (number(&run, name) - published).abs();
        judge.at_most(format!("infinitely many voussoirs, {name}: from {published}"), apart, PRINTED);
    }
    let least = number(&thickness(study, 64, ROUGH)?, "thickness") + THICKER;
    let slides = study.run(&json!({"kind": "change", "voussoirs": 64}), |_| {
        let friction = root([0.35, 0.45], TOLERANCE, |friction| Arch::semicircle(64, least, friction).reserve())?;
        Ok(json!({"friction": friction}))
    })?;
    let share = number(&slides, "friction") / number(&run, "friction");
    judge.within("friction at which 64 begin to slide over that of infinitely many", share, 1.0 - NEAR, 1.0 + NEAR);
    Ok(())
}

fn judge_loads(study: &mut Study, judge: &mut Judge) -> Result<(), Failure> {
    for (name, place, friction, expected) in LOADS {
        let parameters = json!({"kind": "load", "name": name, "friction": friction});
        let run = study.run(&parameters, |_| {
            let mut structure = Arch::semicircle(16, 0.2, friction).build()?;
            let load = match place {
                None => structure.sideways(),
                Some(place) => structure.load(&[(place, [0.0, 0.0, -1.0, 0.0, 0.0, 0.0])]),
            };
            let report = structure.limit(&load)?;
            Ok(json!({"factor": report.load_factor, "slides": report.slides, "steps": report.iterations}))
        })?;
        let apart = (number(&run, "factor") - expected).abs();
        judge.at_most(format!("{name} at friction {friction}: from {expected}"), apart, PRINTED);
    }
    Ok(())
}

fn plot(path: &Path, study: &mut Study, by_number: &[(f64, f64)], count: u32) -> Result<(), Failure> {
    let mut by_friction = Vec::new();
    for at in 0..count {
        let friction = 0.312 + (0.42 - 0.312) * f64::from(at) / f64::from(count - 1);
        by_friction.push((friction, number(&thickness(study, 64, friction)?, "thickness")));
    }
    let (first, last) = (by_number[0].0, by_number[by_number.len() - 1].0);
    let level =
        |name: &str, at: f64, colour| Curve::new(name, colour, vec![(first, at), (last, at)]).with(Stroke::Dashed);
    let across =
        |name: &str, at: f64, colour| Curve::new(name, colour, vec![(at, 0.1), (at, 0.2)]).with(Stroke::Dashed);
    let change = endless::friction(Weight::Sectors)?;
    let panels = [
        Panel {
            title: "without sliding".into(),
            across: Axis::logarithmic("number of voussoirs"),
            up: Axis::linear("least thickness over radius"),
            curves: vec![
                Curve::new("found", BLUE, by_number.to_vec()),
                level("Milankovitch, 0.107478", MILANKOVITCH, RED),
                level("weights on the centre line", CENTRE_LINE, RGBColor(44, 160, 44)),
                level("Heyman, 0.1060", HEYMAN, GREY),
            ],
        },
        Panel {
            title: "64 voussoirs".into(),
            across: Axis::linear("coefficient of friction"),
            up: Axis::linear("least thickness over radius"),
            curves: vec![
                Curve::new("found", BLUE, by_friction),
                across(&format!("sliding begins, {change:.6}"), change, RED),
                across("no thickness stands, 0.309215", MIN_FRICTION.1, GREY),
            ],
        },
    ];
    draw(path, "Semicircular arches under their weight", 2, &panels)
}

/// Returns scenes of arches just before they fall, and of how they fall, and what their interfaces carry, as lines of JSON.
fn at_limits() -> Result<(Vec<Scene>, String), Failure> {
    let arches: [(&str, Arch, Option<usize>); 4] = [
        ("load on the crown, thickness 0.11", Arch::semicircle(16, 0.11, 0.7), None),
        ("acceleration, thickness 0.2", Arch::semicircle(16, 0.2, 0.7), None),
        ("load on the fifth voussoir", Arch::semicircle(16, 0.2, 0.7), Some(5)),
        ("the same, friction 0.5", Arch::semicircle(16, 0.2, 0.5), Some(5)),
    ];
    let (mut scenes, mut lines) = (Vec::new(), String::new());
    for (at, (name, arch, place)) in arches.iter().enumerate() {
        let mut structure = arch.build()?;
        let load = match (at, place) {
            (0, _) => structure.load(&arch.crown()),
            (_, None) => structure.sideways(),
            (_, Some(place)) => structure.load(&[(*place, [0.0, 0.0, -1.0, 0.0, 0.0, 0.0])]),
        };
        let factor = structure.limit(&load)?.load_factor;
        let mechanism = structure.mechanism(&load)?;
        if !structure.balance(&load, 0.9999 * factor)? {
            return Err(format!("{name}: nothing balances just below the limit").into());
        }
        let interfaces = structure.interfaces();
        for interface in &interfaces {
            let mut record = interface.record();
            record["structure"] = json!(name);
            lines += &format!("{record}\n");
        }
        scenes.push(
            Scene::new(format!("{name}: forces at load {factor:.6}"), &structure)
                .forces(&interfaces)
                .thrust(&interfaces),
        );
        scenes.push(Scene::new(format!("{name}: mechanism"), &structure).mechanism(&structure, &mechanism));
    }
    Ok((scenes, lines))
}
