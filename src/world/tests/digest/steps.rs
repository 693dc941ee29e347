//! A scene is stepped, and digested after every step.

use super::build::Scene;
use super::record::Line;
use super::words::Digest;
use crate::query::{ACTIVE, NEW, ROLLING, SLIDING};
use crate::world::{BodyState, ContactReport, Report, World};

/// The steps after which the digest so far is written. It is also written after the last step.
const POINTS: [usize; 3] = [1, 10, 100];

/// What happened in the scenes, in any step.
#[derive(Debug, Default)]
pub(super) struct Covered {
    pub(super) islands: bool,
    pub(super) began: bool,
    pub(super) ended: bool,
    pub(super) slid: bool,
    pub(super) rolled: bool,
    pub(super) twisted: bool,
    pub(super) rebounded: bool,
    pub(super) projected: bool,
    pub(super) corrected: bool,
    pub(super) stopped_early: bool,
    pub(super) slept: bool,
    pub(super) woke: bool,
}

impl Covered {
    /// Panics unless all of it happened.
    pub(super) fn assert_all(&self) {
        let Self { islands, began, ended, slid, rolled, twisted, .. } = *self;
        let Self { rebounded, projected, corrected, stopped_early, slept, woke, .. } = *self;
        let all = [islands, began, ended, slid, rolled, twisted, rebounded, projected, corrected];
        assert!(all.into_iter().chain([stopped_early, slept, woke]).all(|happened| happened), "{self:?}");
    }

    fn note(&mut self, report: &Report, before: &[usize; 2], after: &[usize; 2], max_iterations: u32) {
        self.islands |= report.islands > 1;
        self.ended |= (report.contacts - report.new_contacts) < before[0] as u32;
        self.projected |= report.projected_islands > 0;
        self.corrected |= report.compatibility_iterations > 0;
        self.stopped_early |= report.iterations > 0 && report.iterations < max_iterations;
        self.slept |= after[1] < before[1];
        self.woke |= after[1] > before[1];
    }

    fn note_contact(&mut self, contact: &ContactReport, is_first: bool) {
        let has = |bit: u32| contact.state & bit > 0;
        self.began |= has(NEW) && !is_first;
        self.slid |= has(ACTIVE) && has(SLIDING);
        self.rolled |= has(ACTIVE) && has(ROLLING);
        let along = |vector: &[f64; 3]| vector.iter().zip(contact.normal).map(|(x, n)| x * n).sum::<f64>();
        self.twisted |= along(&contact.rolling_torque).abs() > 1e-6;
        self.rebounded |= has(ACTIVE) && along(&contact.relative_velocity) > 0.1;
    }
}

/// The digests of a scene.
pub(super) fn run(name: &str, mut scene: Scene, covered: &mut Covered) -> Vec<Line> {
    let (mut digest, mut lines) = (Digest::new(), Vec::new());
    let max_iterations = scene.world.settings().iterations;
    for step in 1..=scene.steps {
        let before = counts(&scene.world);
        (scene.act)(&mut scene.world, step);
        let report = scene.world.step(scene.step).expect("a step");
        covered.note(&report, &before, &counts(&scene.world), max_iterations);
        add_bodies(&mut digest, &scene.world);
        for contact in sorted(&scene.world) {
            covered.note_contact(&contact, step == 1);
            add_contact(&mut digest, &contact);
        }
        if POINTS.contains(&step) || step == scene.steps {
            lines.push(Line { name: format!("{name}/{step}"), digest: digest.value() });
        }
    }
    lines
}

/// How many contacts there are, and how many bodies are awake.
fn counts(world: &World) -> [usize; 2] {
    let awake = world.body_handles().filter(|body| world.is_awake(*body).expect("a body"));
    [world.contact_count(), awake.count()]
}

/// The contacts by rising keys.
fn sorted(world: &World) -> Vec<ContactReport> {
    let mut contacts: Vec<ContactReport> = world.contacts().collect();
    contacts.sort_by_key(|contact| contact.key);
    assert!(contacts.windows(2).all(|pair| pair[0].key < pair[1].key), "two contacts with one key");
    contacts
}

fn add_bodies(digest: &mut Digest, world: &World) {
    for body in world.body_handles() {
        let state = world.body_state(body).expect("a body");
        let BodyState { position, rotation, linear_velocity, angular_velocity } = state;
        digest.word(body.0);
        digest.numbers(&position);
        digest.numbers(&rotation);
        digest.numbers(&linear_velocity);
        digest.numbers(&angular_velocity);
    }
}

pub(super) fn add_contact(digest: &mut Digest, contact: &ContactReport) {
    let ContactReport { body_a, body_b, key, point, normal, gap, .. } = *contact;
    let ContactReport { normal_force, friction_force, rolling_torque, relative_velocity, .. } = *contact;
    let ContactReport { compatible_normal_force, compatible_friction_force, .. } = *contact;
    let ContactReport { friction, stiffness, state, .. } = *contact;
    [body_a.0, body_b.0, key, u64::from(state)].into_iter().for_each(|word| digest.word(word));
    digest.numbers(&[gap, normal_force, compatible_normal_force, friction, stiffness]);
    for vector in [point, normal, friction_force, rolling_torque, compatible_friction_force, relative_velocity] {
        digest.numbers(&vector);
    }
}
