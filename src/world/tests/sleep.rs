//! Sleeping: which bodies fall asleep and when, what stays readable, and what wakes which body.

use super::scene::{STEP, Scene, assert_energies, close, column};
use crate::body::{Definition, Kind, Lock};
use crate::contact::material::Pair;
use crate::error;
use crate::id::Handle;
use crate::world::settings::Sweep;
use crate::world::{BodyState, ContactReport, Report, Settings};

/// Half a second: a body that rests from the beginning falls asleep at the end of this step.
const STEPS_TO_SLEEP: usize = 64;

fn sleeping() -> Settings {
    Settings { sleeping: true, ..Settings::default() }
}

/// The column of three balls and the one beside it, and the floor, all asleep.
fn asleep(settings: Settings) -> (Scene, [Handle; 5]) {
    let (mut scene, bodies) = column(settings);
    scene.steps(STEPS_TO_SLEEP);
    assert_eq!(awake(&scene, &bodies), [true, false, false, false, false]);
    (scene, bodies)
}

fn awake(scene: &Scene, bodies: &[Handle]) -> Vec<bool> {
    bodies.iter().map(|body| scene.world.is_awake(*body).expect("a body")).collect()
}

fn step(scene: &mut Scene, h: f64) -> Report {
    let report = scene.world.step(h).expect("a step");
    assert_energies(&report, scene);
    assert_eq!(report.contacts as usize, scene.world.contact_count());
    assert_eq!(report.contacts as usize, scene.world.contacts().count());
    report
}

/// How many bodies and contacts the last step handed to the solver.
fn solved(scene: &Scene) -> (usize, usize) {
    let index = &scene.world.workspace.index;
    (index.slots().len(), index.places().len())
}

fn contacts(scene: &Scene) -> Vec<ContactReport> {
    scene.world.contacts().collect()
}

#[test]
fn what_rests_for_half_a_second_falls_asleep_and_costs_nothing() {
    let (mut scene, bodies) = column(sleeping());
    scene.steps(STEPS_TO_SLEEP - 6);
    let report = step(&mut scene, STEP);
    assert_eq!((report.awake_bodies, solved(&scene)), (4, (5, 4)), "the last step awake but one");
    scene.steps(1);
    assert_eq!(awake(&scene, &bodies), [true, false, false, false, false], "the floor is no sleeper");
    let places: Vec<BodyState> = scene.world.body_states().collect();
    for _ in 0..10 {
        let report = step(&mut scene, STEP);
        assert_eq!(solved(&scene), (0, 0));
        assert_eq!((report.bodies, report.awake_bodies, report.islands, report.contacts), (5, 0, 0, 4));
        assert_eq!((report.residual_max, report.kinetic_energy), (0.0, 0.0));
    }
    assert_eq!(scene.world.body_states().collect::<Vec<_>>(), places);
    assert!(places.iter().all(|state| state.linear_velocity == [0.0; 3] && state.angular_velocity == [0.0; 3]));
}

#[test]
fn what_moves_does_not_sleep_and_what_floats_at_rest_does() {
    let mut scene = Scene::new(sleeping());
    scene.floor();
    let rolls = Definition {
        linear_velocity: [0.5, 0.0, 0.0],
        angular_velocity: [0.0, 1.0, 0.0],
        ..scene.ball_at([0.0, 0.0, 0.5])
    };
    let [floats, drifts] = [[0.0; 3], [1e-9, 0.0, 0.0]].map(|linear_velocity| Definition {
        gravity_scale: 0.0,
        linear_velocity,
        ..scene.ball_at([9.0, linear_velocity[0] * 1e10, 9.0])
    });
    let bodies = [rolls, floats, drifts].map(|definition| scene.add(&definition));
    scene.steps(3 * STEPS_TO_SLEEP);
    assert_eq!(awake(&scene, &bodies), [true, false, true]);
}

#[test]
fn contacts_and_forces_stay_readable_and_balanced() {
    [1, 4].into_iter().for_each(stay_readable_and_balanced);
}

fn stay_readable_and_balanced(substeps: u32) {
    let settings = Settings { iterations: 500, substeps, ..sleeping() };
    let (mut scene, bodies) = column(settings);
    let (mut twin, _) = column(Settings { sleeping: false, ..settings });
    scene.steps(STEPS_TO_SLEEP - 5);
    twin.steps(STEPS_TO_SLEEP - 5);
    assert_eq!(solved(&scene), (5, 4), "this was the last step awake");
    let seen = contacts(&twin);
    assert_eq!(contacts(&scene), seen, "bit for bit");
    let stress = |scene: &Scene| scene.world.stress([-9.0; 3], [9.0; 3]).expect("a box");
    // Steps of other lengths change nothing.
    for h in [STEP, 0.5 * STEP, 3.0 * STEP] {
        scene.world.step(h).expect("a step");
        assert_eq!(contacts(&scene), seen);
        assert_eq!(stress(&scene), stress(&twin));
        for body in &bodies[1..] {
            assert_eq!(scene.force(*body), twin.force(*body));
            // The column has converged to round-off of its 30 N: m g = 10 N, apart from what it gained in the step.
            close(scene.force(*body), [0.0, 0.0, 10.0], 1e-12);
        }
        // The sum over the sleeping bodies is recomputed: round-off of 40 N.
        close(scene.force(bodies[0]), [0.0, 0.0, -40.0], 1e-13);
    }
    // Removed bodies take their forces along; the others keep theirs.
    scene.world.remove_body(bodies[4]).expect("a body");
    assert_eq!(scene.world.contact_count(), 3);
    close(scene.force(bodies[0]), [0.0, 0.0, -30.0], 1e-13);
    close(scene.force(bodies[2]), [0.0, 0.0, 10.0], 1e-12);
}

#[test]
fn a_change_wakes_what_it_concerns() {
    type Change = fn(&mut Scene, &[Handle; 5]);
    const NO_OTHER: [bool; 5] = [true, false, false, false, false];
    const COLUMN: [bool; 5] = [true, true, true, true, false];
    const BESIDE: [bool; 5] = [true, false, false, false, true];
    const ALL: [bool; 5] = [true; 5];
    let changes: [(&str, Change, [bool; 5]); 15] = [
        ("nothing", |_, _| {}, NO_OTHER),
        ("a ball elsewhere", |scene, _| _ = scene.ball([50.0, 0.0, 9.0]), NO_OTHER),
        ("no force", |scene, b| scene.world.add_force(b[1], [0.0; 3], None).expect("a force"), NO_OTHER),
        ("the same settings", |scene, _| scene.world.set_settings(sleeping()).expect("settings"), NO_OTHER),
        ("a force", |scene, b| scene.world.add_force(b[3], [0.0, 0.0, 1e-9], None).expect("a force"), COLUMN),
        ("a torque", |scene, b| scene.world.add_torque(b[4], [1e-9, 0.0, 0.0]).expect("a torque"), BESIDE),
        ("a call", |scene, b| scene.world.wake(b[2]).expect("a body"), COLUMN),
        ("a state", |scene, b| scene.world.set_body_state(b[1], &scene.state(b[1])).expect("a state"), COLUMN),
        ("the floor's state", |scene, b| scene.world.set_body_state(b[0], &scene.state(b[0])).expect("a state"), ALL),
        ("gravity", |scene, _| scene.world.set_gravity([0.0, 0.0, -9.0]).expect("gravity"), ALL),
        ("settings", |scene, _| scene.world.set_settings(Settings { seed: 1, ..sleeping() }).expect("settings"), ALL),
        (
            "a pair of materials",
            |scene, _| scene.world.set_material_pair(Handle::NULL, Handle::NULL, Pair::default()).expect("a pair"),
            ALL,
        ),
        ("a ball on the column", |scene, _| _ = scene.ball([0.0, 0.0, 3.5]), COLUMN),
        (
            "a post at the ball beside",
            |scene, _| {
                let post = Definition { kind: Kind::Static, ..scene.ball_at([4.0, 0.0, 0.5]) };
                scene.add(&post);
            },
            BESIDE,
        ),
        (
            "a kinematic ball that is put there",
            |scene, _| {
                let there = scene.ball_at([20.0, 0.0, 0.5]);
                let ball = scene.add(&Definition { kind: Kind::Kinematic, ..there });
                let state = BodyState { position: [4.0, 0.0, 0.5], ..scene.state(ball) };
                scene.world.set_body_state(ball, &state).expect("a state");
            },
            BESIDE,
        ),
    ];
    for (name, change, expected) in changes {
        let (mut scene, bodies) = asleep(sleeping());
        let before = contacts(&scene);
        change(&mut scene, &bodies);
        assert_eq!(contacts(&scene), before, "{name} changes nothing that was");
        let report = step(&mut scene, STEP);
        assert_eq!(awake(&scene, &bodies), expected, "{name}");
        // Keys are kept, and what sleeps on costs nothing.
        let kept = contacts(&scene).iter().filter(|contact| before.iter().any(|old| old.key == contact.key)).count();
        assert_eq!(kept, before.len(), "{name}");
        let balls = expected[1..].iter().filter(|awake| **awake).count();
        assert!(report.awake_bodies as usize - balls <= 1, "{name}: {report:?}");
        if name == "nothing" {
            continue;
        }
        // And everything but the ball high up comes to rest again.
        scene.steps(2 * STEPS_TO_SLEEP);
        assert_eq!(awake(&scene, &bodies), NO_OTHER, "{name}");
    }
}

#[test]
fn a_sleeping_body_falls_without_its_support() {
    for change in [
        |scene: &mut Scene, floor| scene.world.remove_body(floor).expect("a body"),
        |scene: &mut Scene, floor| {
            let state = BodyState { position: [0.0, 0.0, -9.0], ..scene.state(floor) };
            scene.world.set_body_state(floor, &state).expect("a state");
        },
    ] {
        let (mut scene, [floor, ball, ..]) = asleep(sleeping());
        change(&mut scene, floor);
        step(&mut scene, STEP);
        assert_eq!(scene.velocity(ball), [0.0, 0.0, -10.0 * STEP]);
    }
    // The lowest ball of the column: what was above it falls, what is beside it sleeps.
    let (mut scene, bodies) = asleep(sleeping());
    scene.world.remove_body(bodies[1]).expect("a body");
    step(&mut scene, STEP);
    assert_eq!(awake(&scene, &bodies[2..]), [true, true, false]);
    assert_eq!(scene.velocity(bodies[3]), [0.0, 0.0, -10.0 * STEP]);
}

#[test]
fn a_slot_that_is_taken_over_starts_awake() {
    let (mut scene, bodies) = asleep(sleeping());
    scene.world.remove_body(bodies[4]).expect("a body");
    let ball = scene.ball([9.0, 0.0, 0.5]);
    assert_eq!(awake(&scene, &[ball]), [true]);
    assert_eq!(scene.world.contact_count(), 3);
    let report = step(&mut scene, STEP);
    assert_eq!((report.awake_bodies, report.contacts, solved(&scene)), (1, 4, (2, 1)));
    scene.steps(STEPS_TO_SLEEP);
    assert_eq!(awake(&scene, &[bodies[1], ball]), [false, false]);
    close(scene.force(bodies[0]), [0.0, 0.0, -40.0], 1e-12);
}

#[test]
fn the_step_in_which_a_contact_appears_solves_it_awake() {
    // A ball that falls on the column, against the same where the host wakes the column just before.
    let drop = || {
        let (mut scene, bodies) = asleep(sleeping());
        let ball = scene.ball([0.1, 0.0, 5.0]);
        (scene, bodies, ball)
    };
    let (mut scene, bodies, _) = drop();
    let mut flight = 0;
    while !scene.world.is_awake(bodies[1]).expect("a body") {
        scene.steps(1);
        flight += 1;
    }
    assert!(flight > 40, "it fell for {flight} steps");
    assert_eq!(awake(&scene, &bodies), [true, true, true, true, false]);
    let (mut twin, bodies, _) = drop();
    twin.steps(flight - 1);
    assert_eq!(awake(&twin, &bodies), [true, false, false, false, false]);
    twin.world.wake(bodies[3]).expect("a body");
    twin.steps(1);
    assert_eq!(scene.world.hash(), twin.world.hash());
    assert!(scene.velocity(bodies[3]) != [0.0; 3], "it was hit");
}

#[test]
fn a_push_wakes_one_sleeping_body_after_another() {
    // Five balls asleep with gaps of a tenth between them: each is an island. They are elastic and pass the impact
    // on.
    let mut scene = Scene::new(sleeping());
    let material = scene.material(0.0, 1.0);
    scene.floor();
    let balls: Vec<Handle> =
        (0..5).map(|k| scene.add(&Definition { material, ..scene.ball_at([1.1 * f64::from(k), 0.0, 0.5]) })).collect();
    scene.steps(STEPS_TO_SLEEP);
    assert_eq!(awake(&scene, &balls), [false; 5]);
    scene.add(&Definition { material, linear_velocity: [2.0, 0.0, 0.0], ..scene.ball_at([-2.0, 0.0, 0.5]) });
    let mut woken = Vec::new();
    for _ in 0..120 {
        step(&mut scene, STEP);
        let count = awake(&scene, &balls).iter().filter(|awake| **awake).count();
        if woken.last() != Some(&count) {
            woken.push(count);
        }
        if scene.velocity(balls[4])[0] > 1.9 {
            break;
        }
    }
    assert_eq!(woken, [0, 1, 2, 3, 4, 5], "one after the other");
    assert!(scene.velocity(balls[4])[0] > 1.9, "{:?}", scene.velocity(balls[4]));
}

#[test]
fn what_a_conveyor_drags_stays_awake() {
    // A ball that cannot turn, held back by a post: at rest on a belt that slips below it.
    let mut scene = Scene::new(sleeping());
    let plane = scene.plane;
    let belt =
        Definition { kind: Kind::Kinematic, shape: plane, linear_velocity: [1.0, 0.0, 0.0], ..Definition::default() };
    let belt = scene.add(&belt);
    let ball = scene.add(&Definition { lock: Lock(0b111_000), ..scene.ball_at([0.0, 0.0, 0.5]) });
    scene.add(&Definition { kind: Kind::Static, ..scene.ball_at([1.0, 0.0, 0.5]) });
    scene.steps(3 * STEPS_TO_SLEEP);
    // At rest to round-off: its weight gives it 0.08 m/s in a step.
    close(scene.velocity(ball), [0.0; 3], 1e-14);
    assert_eq!(awake(&scene, &[ball]), [true]);
    let running = scene.state(belt);
    scene.world.set_body_state(belt, &BodyState { linear_velocity: [0.0; 3], ..running }).expect("a state");
    scene.steps(1);
    assert_eq!(awake(&scene, &[ball]), [true], "the step after a change");
    scene.steps(1);
    assert_eq!(awake(&scene, &[ball]), [false], "the belt stands");
    scene.world.set_body_state(belt, &running).expect("a state");
    assert_eq!(awake(&scene, &[ball]), [true], "the belt runs");
    scene.steps(1);
    // mu m g along the belt, of which nothing arrives at the post before it slips.
    let drag = contacts(&scene).iter().map(|contact| contact.friction_force[0]).fold(0.0, f64::max);
    assert!((drag - 5.0).abs() < 1e-12, "{drag}");
}

#[test]
fn a_kinematic_body_that_arrives_wakes() {
    let (mut scene, bodies) = asleep(sleeping());
    let wall =
        Definition { kind: Kind::Kinematic, linear_velocity: [-1.0, 0.0, 0.0], ..scene.ball_at([4.25, 0.0, 0.5]) };
    scene.add(&wall);
    // It comes within the margin of 1 mm after 0.249 s, 32 steps.
    scene.steps(31);
    assert_eq!(awake(&scene, &bodies), [true, false, false, false, false]);
    scene.steps(3);
    assert_eq!(awake(&scene, &bodies), [true, false, false, false, true]);
    assert!(scene.velocity(bodies[4])[0] < -0.9, "pushed at 1 m/s");
}

#[test]
fn a_host_that_goes_on_pushing_keeps_a_body_awake() {
    let (mut scene, bodies) = column(sleeping());
    for _ in 0..2 * STEPS_TO_SLEEP {
        scene.world.add_force(bodies[4], [0.0, 0.0, -1.0], None).expect("a force");
        scene.steps(1);
    }
    assert_eq!(awake(&scene, &bodies), [true, false, false, false, true]);
    // A call to stay awake counts from then on.
    scene.world.wake(bodies[4]).expect("a body");
    scene.steps(STEPS_TO_SLEEP - 1);
    assert_eq!(awake(&scene, &bodies[4..]), [true]);
    scene.steps(1);
    assert_eq!(awake(&scene, &bodies[4..]), [false]);
}

#[test]
fn a_woken_island_starts_from_its_impulses_at_any_step_length() {
    for (h, substeps) in [(STEP, 1), (0.25 * STEP, 1), (STEP, 2)] {
        let settings = Settings { iterations: 5000, tolerance: 1e-12, substeps, ..sleeping() };
        let (mut scene, bodies) = asleep(settings);
        scene.world.step(2.0 * STEP).expect("a step of sleepers");
        scene.world.wake(bodies[1]).expect("a body");
        let report = step(&mut scene, h);
        assert_eq!((report.awake_bodies, report.contacts, report.new_contacts, report.iterations), (3, 4, 0, 0));
    }
}

#[test]
fn the_same_calls_give_the_same_hash() {
    let run = |swapped: bool| {
        let (mut scene, bodies) = asleep(Settings { sweep: Sweep::Random, ..sleeping() });
        let mut hashes = vec![scene.world.hash()];
        let pushed = if swapped { [bodies[4], bodies[2]] } else { [bodies[2], bodies[4]] };
        for body in pushed {
            scene.world.add_force(body, [3.0, 0.0, 0.0], None).expect("a force");
        }
        for _ in 0..STEPS_TO_SLEEP + 40 {
            hashes.push(scene.world.hash());
            scene.steps(1);
        }
        hashes
    };
    assert_eq!(run(false), run(false));
    assert_eq!(run(false), run(true), "the order of calls that mean the same");
    // Who sleeps, and for how long a body has been slow, is part of the state.
    let (mut scene, bodies) = asleep(sleeping());
    let before = scene.world.hash();
    scene.world.wake(bodies[4]).expect("a body");
    let woken = scene.world.hash();
    assert_ne!(before, woken);
    scene.world.sleep.sleep_timer[3] += STEP;
    assert_ne!(scene.world.hash(), woken);
}

#[test]
fn sleeping_changes_nothing_for_awake_bodies() {
    let run = |sleeping: bool| {
        let mut scene = Scene::new(Settings { sleeping, ..Settings::default() });
        scene.floor();
        for k in 0..12 {
            let x = f64::from(k % 3);
            scene.ball([x, 0.1 * f64::from(k), 0.5 + 0.9 * f64::from(k / 3)]);
        }
        scene.steps(STEPS_TO_SLEEP - 1);
        scene.world.set_settings(Settings::default()).expect("settings");
        scene.steps(1);
        scene.world.hash()
    };
    assert_eq!(run(true), run(false));
}

#[test]
fn a_reverted_step_leaves_sleeping_bodies_asleep() {
    let (mut scene, bodies) = asleep(sleeping());
    scene.ball([0.0, 0.0, 3.5]);
    let far = scene.add(&Definition { mass: 1e-3, ..scene.ball_at([50.0, 0.0, 9.0]) });
    scene.world.add_force(far, [1e308, 0.0, 0.0], None).expect("a force");
    // A body that the host woke stays awake.
    scene.world.wake(bodies[4]).expect("a body");
    let (before, seen) = (scene.world.hash(), contacts(&scene));
    for _ in 0..2 {
        assert_eq!(scene.world.step(STEP).expect_err("infinite speed").error.kind, error::ErrorKind::NotFinite);
        assert_eq!((scene.world.hash(), contacts(&scene)), (before, seen.clone()));
        assert_eq!(awake(&scene, &bodies), [true, false, false, false, true]);
    }
    scene.world.add_force(far, [-1e308, 0.0, 0.0], None).expect("a force");
    let report = step(&mut scene, STEP);
    assert_eq!((report.awake_bodies, report.contacts, report.new_contacts), (6, 5, 1));
}

#[test]
fn without_the_setting_all_bodies_wake_and_stay_awake() {
    let (mut scene, bodies) = asleep(sleeping());
    scene.world.set_settings(Settings::default()).expect("settings");
    assert_eq!(awake(&scene, &bodies), [true; 5]);
    scene.steps(2 * STEPS_TO_SLEEP);
    let report = step(&mut scene, STEP);
    assert_eq!((report.awake_bodies, report.contacts, solved(&scene)), (4, 4, (5, 4)));
    assert!(!scene.world.sleep.is_used() && scene.world.sleep.contacts.is_empty());
}

#[test]
fn a_body_in_the_slot_of_a_removed_sleeping_one_inherits_nothing() {
    let (mut scene, bodies) = asleep(sleeping());
    let lone = bodies[4];
    let slot = scene.world.bodies.registry.slot("body", lone).expect("a body");
    scene.world.remove_body(lone).expect("a body");
    let far = Definition { kind: Kind::Static, ..scene.ball_at([50.0, 0.0, 50.0]) };
    let new = scene.add(&far);
    assert_eq!(scene.world.bodies.registry.slot("body", new), Ok(slot), "the slot is used again");
    scene.steps(1);
    let (force, torque) = scene.world.body_force(new).expect("a body");
    assert_eq!((force, torque), ([0.0; 3], [0.0; 3]));
}
