//! Results are those recorded, to the last bit, at every width of lanes that this machine supports.
//!
//! The digests share no code with `World::hash`. They read what a host reads: poses, velocities and contacts after
//! each step of some scenes, and the answers of problems without a world. A change of structure leaves them as they
//! are. A change of results records new digests and gives the reason in its commit.

pub(super) mod build;
mod external;
mod local;
mod record;
pub(super) mod scenes;
mod steps;
pub(super) mod words;

use std::collections::BTreeSet;
use std::sync::Arc;

use build::Scene;
use record::Line;
use steps::Covered;
use words::Digest;

use crate::math::lanes::{Level, capped};
use crate::tasks::Tasks;
use crate::tasks::tests::Scoped;
use crate::world::ContactReport;
use crate::world::state::Workspace;

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

#[test]
fn results_are_the_same_on_any_number_of_threads() {
    for (name, scene) in scenes::SCENES {
        let mut alone = scene();
        let mut others = [2, 4].map(|threads| {
            let (mut other, tasks) = (scene(), Arc::new(Scoped(threads)) as Arc<dyn Tasks>);
            (other.world.tasks, other.world.workspace) = (tasks.clone(), Workspace::new(&tasks));
            other
        });
        for step in 1..=alone.steps.min(60) {
            for scene in others.iter_mut().chain([&mut alone]) {
                (scene.act)(&mut scene.world, step);
                scene.world.step(scene.step).expect("a step");
            }
            let hashes = others.each_ref().map(|other| other.world.hash());
            assert_eq!(hashes, [alone.world.hash(); 2], "{name}, step {step}, 2 and 4 threads");
        }
    }
}

/// One bit of one velocity of one body, once, is enough.
#[test]
fn the_last_bit_of_a_velocity_shows() {
    let mut nudged = scenes::rolling();
    nudged.act = Box::new(|world, step| {
        if step == 2 {
            let body = world.body_handles().nth(20).expect("a body");
            let mut state = world.body_state(body).expect("a body");
            state.linear_velocity[2] = state.linear_velocity[2].next_up();
            world.set_body_state(body, &state).expect("a state");
        }
    });
    let [plain, nudged] =
        [scenes::rolling(), nudged].map(|scene| steps::run("", Scene { steps: 10, ..scene }, &mut Covered::default()));
    assert_eq!(plain[0], nudged[0], "step 1");
    assert_ne!(plain[1], nudged[1], "step 10");
}

/// Each number of a contact counts, and so does its last bit.
#[test]
fn the_last_bit_of_a_contact_shows() {
    let mut scene = scenes::rolling();
    (0..100).for_each(|_| _ = scene.world.step(scene.step).expect("a step"));
    let contact = scene.world.contacts().last().expect("a contact");
    let digest = |change: &dyn Fn(&mut ContactReport)| {
        let (mut contact, mut digest) = (contact, Digest::new());
        change(&mut contact);
        steps::add_contact(&mut digest, &contact);
        digest.value()
    };
    let nudge = |number: &mut f64| *number = number.next_up();
    let changed = [
        digest(&|_| ()),
        digest(&|contact| contact.key += 1),
        digest(&|contact| nudge(&mut contact.gap)),
        digest(&|contact| nudge(&mut contact.normal_force)),
        digest(&|contact| nudge(&mut contact.compatible_normal_force)),
        digest(&|contact| nudge(&mut contact.point[0])),
        digest(&|contact| nudge(&mut contact.normal[1])),
        digest(&|contact| nudge(&mut contact.friction_force[2])),
        digest(&|contact| nudge(&mut contact.rolling_torque[0])),
        digest(&|contact| nudge(&mut contact.compatible_friction_force[1])),
        digest(&|contact| nudge(&mut contact.relative_velocity[2])),
        digest(&|contact| contact.normal = contact.normal.map(|x| -x)),
    ];
    let different: BTreeSet<u64> = changed.into_iter().collect();
    assert_eq!(different.len(), changed.len());
}
