//! Results are those recorded, to the last bit, at every width of lanes that this machine supports.
//!
//! The digests share no code with `World::hash`. They read what a host reads: poses, velocities and contacts after each
//! step of some scenes, and the answers of problems without a world. A change of structure leaves them as they are.
//! A change of results records them anew and names the reason in its commit.

mod build;
mod external;
mod local;
mod record;
mod scenes;
mod steps;
mod words;

use record::Line;
use steps::Covered;

use crate::math::lanes::{Level, capped};

#[test]
fn results_are_those_recorded_at_every_width() {
    let levels = [Level::Avx512, Level::Avx2, Level::Baseline];
    let mut differences = Vec::new();
    for (index, level) in levels.into_iter().enumerate() {
        let Some(lines) = capped(level, || (Level::best() == level).then(all)) else { continue };
        // The first width that this machine supports is written; the others are compared with it.
        if levels[..index].iter().all(|wider| capped(*wider, Level::best) != *wider) {
            record::write_if_asked(&lines);
        }
        differences.extend(record::differences(&lines, &format!("{level:?}")));
    }
    assert!(differences.is_empty(), "{} results changed:\n{}", differences.len(), differences.join("\n"));
}

/// The digests of all scenes and problems.
fn all() -> Vec<Line> {
    let mut covered = Covered::default();
    let mut lines = Vec::new();
    for (name, scene) in scenes::SCENES {
        lines.extend(steps::run(name, scene(), &mut covered));
    }
    covered.assert_all();
    lines.extend(external::all());
    lines.extend(local::all());
    lines
}
