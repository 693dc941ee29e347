//! The tables: time, ratio and quality of every engine, scene by scene.

use crate::rows::{Group, Results};

/// A column of quality: its head, the number of the harness, and what a displayed unit is in its units.
type Column = (&'static str, &'static str, f64);

/// A scene of the harness, what it is called here, and the columns of its quality.
struct Scene {
    name: &'static str,
    title: &'static str,
    /// What the harness says of it as a yes or no.
    holds: Option<&'static str>,
    columns: &'static [Column],
}

const SCENES: [Scene; 7] = [
    Scene {
        name: "pile",
        title: "settled pile of spheres of 100 mm",
        holds: None,
        columns: &[
            ("largest overlap, mm", "max_penetration", 1e-3),
            ("mean overlap, mm", "mean_penetration", 1e-3),
            ("J per sphere", "kinetic_energy_per_body", 1.0),
        ],
    },
    Scene {
        name: "pyramid",
        title: "wall of 210 boxes of 1 m, after 10 s",
        holds: Some("standing"),
        columns: &[
            ("largest drift, mm", "max_drift", 1e-3),
            ("largest sinking, mm", "max_sink", 1e-3),
            ("largest overlap, mm", "max_penetration", 1e-3),
            ("J per box", "kinetic_energy_per_body", 1.0),
        ],
    },
    Scene {
        name: "stack",
        title: "column of boxes of 1 m, after 10 s",
        holds: Some("standing"),
        columns: &[
            ("drift of the top, mm", "top_drift", 1e-3),
            ("sinking of the top, mm", "top_sink", 1e-3),
            ("J per box", "kinetic_energy_per_body", 1.0),
        ],
    },
    Scene {
        name: "slope",
        title: "box on a slope of 0.4, friction 0.5, after 10 s",
        holds: Some("standing"),
        columns: &[
            ("creep, mm", "creep", 1e-3),
            ("in the last 5 s, mm", "creep_last_half", 1e-3),
            ("sideways, mm", "lateral", 1e-3),
        ],
    },
    Scene {
        name: "massratio",
        title: "1000 kg on 1 kg, after 5 s",
        holds: Some("standing"),
        columns: &[("sinking of the upper, mm", "upper_sink", 1e-3), ("largest overlap, mm", "max_penetration", 1e-3)],
    },
    Scene {
        name: "cannonball",
        title: "pyramid of spheres on held ones, friction 0.5, after 2 s",
        holds: Some("standing"),
        columns: &[
            ("largest displacement, mm", "max_displacement", 1e-3),
            ("largest overlap, mm", "max_penetration", 1e-3),
            ("J per sphere", "kinetic_energy_per_body", 1.0),
            ("base force over weight", "floor_force_over_weight", 1.0),
        ],
    },
    Scene {
        name: "cannonball0",
        title: "pyramid of spheres on held ones without friction, after 2 s",
        holds: Some("standing"),
        columns: &[
            ("largest displacement, mm", "max_displacement", 1e-3),
            ("largest overlap, mm", "max_penetration", 1e-3),
            ("J per sphere", "kinetic_energy_per_body", 1.0),
            ("base force over weight", "floor_force_over_weight", 1.0),
        ],
    },
];

/// All tables.
pub(crate) fn print(results: &Results) {
    println!(
        "drystone {} ({} build) beside its peers, {}, {}, interleaved rounds: {}, load at the start {}",
        results.said("commit"),
        results.said("profile"),
        results.said("processor"),
        results.said("date"),
        results.said("rounds"),
        results.said("load"),
    );
    println!(
        "ms: processor time of a step (time of day for 2 threads); the median over the steps of a run, then the median (least .. most) over the rounds"
    );
    for scene in &SCENES {
        let mut done: Vec<(u64, u64)> = Vec::new();
        for group in results.groups.iter().filter(|group| group.scene == scene.name) {
            if !done.contains(&(group.size, group.sweeps)) {
                done.push((group.size, group.sweeps));
            }
        }
        done.sort_unstable();
        for (size, sweeps) in done {
            let groups: Vec<&Group> = results.of(scene.name, size, sweeps).collect();
            table(scene, size, sweeps, &groups);
        }
    }
    if !results.said("left_out").is_empty() {
        println!("\nleft out: {}", results.said("left_out"));
    }
}

fn table(scene: &Scene, size: u64, sweeps: u64, groups: &[&Group]) {
    println!("\n### {} {size}: {}, {sweeps} sweeps\n", scene.name, scene.title);
    let heads: String = scene.columns.iter().map(|(head, ..)| format!(" {head} |")).collect();
    let holds = if scene.holds.is_some() { " holds |" } else { "" };
    println!("| engine | | runs | ms per step | over drystone |{heads}{holds}");
    println!(
        "|---|---|---:|---:|---:|{}{}",
        "---:|".repeat(scene.columns.len()),
        if holds.is_empty() { "" } else { "---|" }
    );
    let ours = groups.iter().find(|group| group.engine == "drystone").map(|group| group.milliseconds().median());
    let mut sorted = groups.to_vec();
    sorted.sort_by(|one, other| one.milliseconds().median().total_cmp(&other.milliseconds().median()));
    for group in &sorted {
        println!("{}", line(scene, group, ours));
    }
    if let Some(ours) = ours {
        summary(scene, &sorted, ours);
    }
}

fn line(scene: &Scene, group: &Group, ours: Option<f64>) -> String {
    let times = group.milliseconds();
    let ratio = ours.map_or(f64::NAN, |ours| times.median() / ours);
    let quality: String =
        scene.columns.iter().map(|(_, name, unit)| format!(" {} |", short(group.median(name) / unit))).collect();
    let holds = match scene.holds.and_then(|name| group.holds(name)) {
        Some(true) => " yes |",
        Some(false) => " **no** |",
        None => "",
    };
    let cut = if group.was_cut() { ", stopped before it had settled" } else { "" };
    let threads = if group.threads > 1 { format!(", {} threads", group.threads) } else { String::new() };
    format!(
        "| {} | {}{threads}{cut} | {} | {} ({} .. {}) | {} |{quality}{holds}",
        group.engine,
        group.precision,
        group.runs(),
        short(times.median()),
        short(times.min()),
        short(times.max()),
        if ratio.is_finite() { format!("{ratio:.2}") } else { "-".into() },
    )
}

/// Beside the fastest of the others on one thread, and beside the least overlap of any of them.
fn summary(scene: &Scene, sorted: &[&Group], ours: f64) {
    let peers = || sorted.iter().filter(|group| !group.is_ours() && group.threads == 1);
    let fell = |group: &&&Group| scene.holds.and_then(|name| group.holds(name)) == Some(false);
    let Some(fastest) = peers().find(|group| !fell(group) && !group.was_cut()) else { return };
    let time = fastest.milliseconds().median();
    print!(
        "\ndrystone takes {:.2} of the time of the fastest peer that settled and holds, {}",
        ours / time,
        fastest.engine
    );
    let (_, name, _) = scene.columns[0];
    let worst = |group: &Group| group.median(name).abs();
    let best = peers().min_by(|one, other| worst(one).total_cmp(&worst(other)));
    let own = sorted.iter().find(|group| group.engine == "drystone");
    if let (Some(best), Some(own)) = (best, own) {
        let (head, unit) = (scene.columns[0].0, scene.columns[0].2);
        print!("; {head}: {}, the best peer ({}) {}", short(worst(own) / unit), best.engine, short(worst(best) / unit));
    }
    println!(".");
}

/// Three figures.
fn short(value: f64) -> String {
    let size = value.abs();
    match () {
        () if !value.is_finite() => "-".into(),
        () if size == 0.0 => "0".into(),
        () if !(1e-3..1e5).contains(&size) => format!("{value:.1e}"),
        () if size < 1.0 => format!("{value:.3}"),
        () if size < 10.0 => format!("{value:.2}"),
        () if size < 100.0 => format!("{value:.1}"),
        () => format!("{value:.0}"),
    }
}
