//! What is called between the iterations of statics: it changes no answer, and a call that it ends changes nothing.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::{Scene, block, floor, settings};
use crate::body::Definition;
use crate::contact::material::Material;
use crate::error::{Error, ErrorKind, Result};
use crate::solver::monitor::{Monitor, Observer};
use crate::world::settings::FrictionLaw;
use crate::world::{Settings, StaticDefinition, StaticReport};

/// Counts iterations, and ends the call after so many.
#[derive(Debug)]
struct Stopper {
    done: AtomicU64,
    limit: u64,
}

impl Stopper {
    fn after(limit: u64) -> Arc<Self> {
        Arc::new(Self { done: AtomicU64::new(0), limit })
    }
}

impl Observer for Stopper {
    fn iterated(&self) -> Result<()> {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        if done < self.limit { Ok(()) } else { Err(Error::new(ErrorKind::Stopped, "stopped")) }
    }
}

type Solve = fn(&mut Scene) -> Result<(StaticReport, Vec<[f64; 6]>)>;

fn increment(scene: &mut Scene) -> Result<(StaticReport, Vec<[f64; 6]>)> {
    let mut moves = vec![[0.0; 6]; scene.world.body_count()];
    let report = scene.world.solve_static(&StaticDefinition::default(), &mut moves)?;
    Ok((report, moves))
}

/// That of a push on the last body.
fn limit(scene: &mut Scene) -> Result<(StaticReport, Vec<[f64; 6]>)> {
    let count = scene.world.body_count();
    let (mut loads, mut mechanism) = (vec![[0.0; 6]; count], vec![[0.0; 6]; count]);
    loads[count - 1] = [1.0, 0.2, 0.0, 0.0, 0.0, 0.0];
    let report = scene.world.limit_load(&loads, &StaticDefinition::default(), &mut mechanism)?;
    Ok((report, mechanism))
}

/// Stops a call of a scene wherever that is possible. Returns its number of iterations.
fn check(name: &str, scene: &mut Scene, solve: Solve) -> u64 {
    let saved = scene.world.snapshot().expect("a snapshot");
    let hash = scene.world.hash();
    let expected = solve(scene).expect("an answer");
    let after = scene.world.hash();
    let counter = Stopper::after(u64::MAX);
    scene.world.restore(&saved).expect("a snapshot");
    scene.world.set_static_monitor(&Monitor::new(Arc::<Stopper>::clone(&counter))).expect("memory");
    assert!(solve(scene).expect("an answer") == expected && scene.world.hash() == after, "{name}");
    let all = counter.done.load(Ordering::Relaxed);
    // Some methods count a system that they solve without a call after it, where that is the last one.
    assert!(2 * all >= u64::from(expected.0.iterations), "{name}: {all} of {}", expected.0.iterations);
    scene.world.restore(&saved).expect("a snapshot");
    for limit in (1..=all).step_by(1 + all as usize / 12) {
        scene.world.set_static_monitor(&Monitor::new(Stopper::after(limit))).expect("memory");
        let stopped = solve(scene).map(|_| ());
        assert!(stopped.is_err_and(|error| error.kind == ErrorKind::Stopped), "{name}: {limit} of {all}");
        assert_eq!(scene.world.hash(), hash, "{name}: {limit} of {all}");
    }
    // The world forgot the stopped calls: it goes on as one without them.
    scene.world.set_static_monitor(&Monitor::default()).expect("memory");
    assert!(solve(scene).expect("an answer") == expected && scene.world.hash() == after, "{name}");
    all
}

/// A tower of blocks that is pushed at its top, of a material.
fn tower(settings: Settings, material: Material) -> Scene {
    let mut scene = Scene::new(settings);
    let material = floor(&mut scene, material);
    let mut top = None;
    for level in 0..4 {
        let height = 0.5 + f64::from(level);
        let position = [0.05 * f64::from(level % 2), 0.0, height];
        top = Some(block(&mut scene, [0.5, 0.4, 0.5], position, material));
    }
    scene.world.add_force(top.expect("a block"), [0.4, 0.1, 0.0], None).expect("a force");
    scene
}

#[test]
fn a_stopped_call_of_any_method_changes_nothing() {
    let rigid = Material { friction: 0.5, ..Material::default() };
    let elastic = Material { normal_stiffness: 1e5, ..rigid };
    for law in [FrictionLaw::Associated, FrictionLaw::Coulomb] {
        let settings = Settings { friction_law: law, ..settings() };
        for (name, material) in [("rigid", rigid), ("elastic", elastic)] {
            let all = check(&format!("{law:?}, {name}"), &mut tower(settings, material), increment);
            assert!(all > 3, "{law:?}, {name}: {all} iterations");
        }
        let all = check(&format!("{law:?}, limit"), &mut tower(settings, rigid), limit);
        assert!(all > 3, "{law:?}: {all} iterations");
    }
}

/// Balls that resist rolling and slide a little: Coulomb's law by other methods.
#[test]
fn so_does_one_where_contacts_resist_turning() {
    let settings = Settings { friction_law: FrictionLaw::Coulomb, ..settings() };
    let mut scene = Scene::new(settings);
    let resisting = Material { friction: 0.5, rolling_friction: 0.2, normal_stiffness: 1e4, ..Material::default() };
    let material = floor(&mut scene, resisting);
    for x in [0.0, 3.0] {
        let ball = scene.ball_at([x, 0.0, 0.5]);
        let ball = scene.add(&Definition { material, ..ball });
        scene.world.add_force(ball, [1.0, 0.0, 0.0], None).expect("a force");
    }
    check("rolling", &mut scene, increment);
}

/// A body in the air falls, which other methods find out.
#[test]
fn so_does_one_that_finds_a_collapse() {
    let mut scene = tower(settings(), Material::default());
    scene.ball([9.0, 0.0, 9.0]);
    check("a fall", &mut scene, increment);
    check("a fall without limit", &mut scene, limit);
}

/// Sleeping bodies sleep on.
#[test]
fn bodies_that_slept_sleep_after_a_stopped_call() {
    let settings = Settings { sleeping: true, ..settings() };
    let mut scene = Scene::new(settings);
    scene.floor();
    let ball = scene.ball([0.0, 0.0, 0.5]);
    scene.steps(200);
    assert!(!scene.world.is_awake(ball).expect("a body"));
    let all = check("asleep", &mut scene, increment);
    assert!(all > 0);
}
