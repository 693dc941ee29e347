//! From bodies and contacts to the problem and back: what settings, materials and memory do to the motion.

use super::scene::{STEP, Scene, close, column};
use crate::body::{Definition, Kind, Lock};
use crate::contact::material::Pair;
use crate::id::Handle;
use crate::query::{ACTIVE, SLIDING};
use crate::shape::Shape;
use crate::world::settings::{Sweep, WarmStart};
use crate::world::{BodyState, Settings};

#[test]
fn a_ball_rests_on_the_floor() {
    let mut scene = Scene::new(Settings::default());
    let floor = scene.floor();
    let ball = scene.ball([0.0, 0.0, 0.5]);
    for _ in 0..100 {
        scene.steps(1);
        assert_eq!(scene.state(ball).position, [0.0, 0.0, 0.5]);
        assert_eq!(scene.velocity(ball), [0.0; 3]);
        // m g, and the opposite on the floor: powers of two times 10.
        assert_eq!(scene.force(ball), [0.0, 0.0, 10.0]);
        assert_eq!(scene.force(floor), [0.0, 0.0, -10.0]);
    }
    let contact = scene.world.contacts().next().expect("a contact");
    assert_eq!((contact.normal, contact.normal_force, contact.state), ([0.0, 0.0, 1.0], 10.0, ACTIVE));
    assert_eq!((contact.body_a, contact.body_b, contact.point), (floor, ball, [0.0; 3]));
}

/// A ball that cannot turn, under gravity with 4 m/s^2 along x: its velocity and force after one step.
fn on_a_slope(friction: f64) -> ([f64; 3], [f64; 3], u32) {
    let mut scene = Scene::new(Settings::default());
    scene.world.set_gravity([4.0, 0.0, -10.0]).expect("gravity");
    let material = scene.material(friction, 0.0);
    scene.add(&Definition { kind: Kind::Static, shape: scene.plane, material, ..Definition::default() });
    let ball = scene.add(&Definition { lock: Lock(0b111_000), material, ..scene.ball_at([0.0, 0.0, 0.5]) });
    scene.steps(1);
    let state = scene.world.contacts().next().expect("a contact").state;
    (scene.velocity(ball), scene.force(ball), state & !crate::query::NEW)
}

#[test]
fn friction_holds_up_to_the_coefficient() {
    assert_eq!(on_a_slope(0.5), ([0.0; 3], [-4.0, 0.0, 10.0], ACTIVE));
    // Beyond, mu g = 2.5 m/s^2 are left to slow it down.
    assert_eq!(on_a_slope(0.25), ([1.5 * STEP, 0.0, 0.0], [-2.5, 0.0, 10.0], ACTIVE | SLIDING));
    assert_eq!(on_a_slope(0.0), ([4.0 * STEP, 0.0, 0.0], [0.0, 0.0, 10.0], ACTIVE | SLIDING));
}

#[test]
fn a_pair_of_materials_overrides_the_mixing() {
    let mut scene = Scene::new(Settings::default());
    scene.world.set_gravity([4.0, 0.0, -10.0]).expect("gravity");
    let material = scene.material(0.5, 0.0);
    let pair = Pair { friction: 0.25, ..Pair::default() };
    scene.world.set_material_pair(Handle::NULL, material, pair).expect("a pair");
    scene.floor();
    let ball = scene.add(&Definition { lock: Lock(0b111_000), material, ..scene.ball_at([0.0, 0.0, 0.5]) });
    scene.steps(1);
    assert_eq!(scene.force(ball), [-2.5, 0.0, 10.0]);
}

#[test]
fn a_conveyor_drags_a_ball_until_it_rolls() {
    // Friction J gives the solid ball J/m and its point of contact J/m (1 + 5/2). The ball rolls, for good, when that
    // is the belt's speed V. Then v = 2/7 V and w r = -5/7 V. It slips for V / (7/2 mu g) = 0.057 s.
    let mut scene = Scene::new(Settings::default());
    let belt = Definition {
        kind: Kind::Kinematic,
        shape: scene.plane,
        linear_velocity: [1.0, 0.0, 0.0],
        ..Definition::default()
    };
    let belt = scene.add(&belt);
    let ball = scene.ball([0.0, 0.0, 0.5]);
    scene.steps(3);
    assert_eq!(scene.world.contacts().next().expect("a contact").state, ACTIVE | SLIDING);
    // mu m g = 5 N along the belt; the direction is that of the slip, a square root away.
    close(scene.force(ball), [5.0, 0.0, 10.0], 1e-14);
    scene.steps(60);
    assert_eq!(scene.world.contacts().next().expect("a contact").state, ACTIVE);
    // Round-off of 60 steps at 1 m/s.
    close(scene.velocity(ball), [2.0 / 7.0, 0.0, 0.0], 1e-14);
    close(scene.state(ball).angular_velocity, [0.0, -10.0 / 7.0, 0.0], 2e-14);
    let state = scene.state(belt);
    assert_eq!((state.linear_velocity, state.position), ([1.0, 0.0, 0.0], [63.0 * STEP, 0.0, 0.0]));
}

/// The velocities of a ball dropped from 1 m before and after the step in which it meets the floor.
fn bounce(restitution: f64, threshold: f64) -> (f64, f64) {
    let mut scene = Scene::new(Settings { restitution_threshold: threshold, ..Settings::default() });
    let material = scene.material(0.5, restitution);
    scene.floor();
    let ball = scene.add(&Definition { material, ..scene.ball_at([0.0, 0.0, 1.5]) });
    let mut before = 0.0;
    for _ in 0..200 {
        let now = scene.velocity(ball)[2];
        if now > before {
            return (before, now);
        }
        before = now;
        scene.steps(1);
    }
    panic!("it never met the floor");
}

#[test]
fn a_ball_bounces_with_its_restitution() {
    for restitution in [0.25, 0.5, 1.0] {
        let (before, after) = bounce(restitution, 0.01);
        assert!(before < -4.0, "{before}");
        // v + h g, the impulse, and their sum: three roundings of 4.5 m/s.
        assert!((after + restitution * before).abs() <= 3e-15, "{after} after {before}");
    }
    let (before, after) = bounce(0.5, 10.0);
    assert_eq!(after, 0.0, "slower than the threshold, {before} m/s does not rebound");
}

#[test]
fn what_meets_by_its_spin_alone_rebounds() {
    let mut scene = Scene::new(Settings { iterations: 1000, ..Settings::default() });
    scene.world.set_gravity([0.0; 3]).expect("gravity");
    let material = scene.material(0.0, 1.0);
    scene.floor();
    let shape = scene.world.add_shape(Shape::cuboid([0.5; 3]).expect("cube")).expect("memory");
    let position = [0.0, 0.0, 0.5];
    let angular_velocity = [0.0, 1.0, 0.0];
    let cube =
        scene.add(&Definition { shape, material, position, angular_velocity, mass: 1.0, ..Definition::default() });
    scene.steps(1);
    let BodyState { linear_velocity, angular_velocity, .. } = scene.state(cube);
    // the edge at x = 0.5 went down with 0.5 m/s; what a thousand sweeps leave of two coupled contacts is round-off of some of them
    let edge = linear_velocity[2] - 0.5 * angular_velocity[1];
    assert!((edge - 0.5).abs() <= 1e-13, "{edge}");
}

#[test]
fn balls_that_only_spin_do_not_meet() {
    let mut scene = Scene::new(Settings::default());
    scene.world.set_gravity([0.0; 3]).expect("gravity");
    let material = scene.material(0.0, 1.0);
    let angular_velocity = [3.0, 5.0, 7.0];
    let balls =
        [0.0, 1.0].map(|x| scene.add(&Definition { material, angular_velocity, ..scene.ball_at([x, 0.0, 0.0]) }));
    scene.steps(3);
    assert!(scene.world.contacts().all(|contact| contact.normal_force == 0.0));
    assert_eq!(balls.map(|ball| scene.velocity(ball)), [[0.0; 3]; 2]);
}

#[test]
fn an_approaching_ball_arrives_and_stays_out() {
    // 2^-11 m above the floor at 1/8 m/s it would sink in by STEP/8 - 2^-11 = 2^-11; the contact brakes it to the rest.
    // (Slower than the threshold: a faster one is an impact, and ends the step where it is, with or without a rebound.)
    let gap = 2_f64.powi(-11);
    let mut scene = Scene::new(Settings { restitution_threshold: 1.0, ..Settings::default() });
    scene.world.set_gravity([0.0; 3]).expect("gravity");
    scene.floor();
    let ball = scene.add(&Definition { linear_velocity: [0.0, 0.0, -0.125], ..scene.ball_at([0.0, 0.0, 0.5 + gap]) });
    scene.steps(1);
    assert_eq!(scene.state(ball).position[2], 0.5);
    assert_eq!(scene.velocity(ball)[2], -gap / STEP);
    scene.steps(1);
    assert_eq!((scene.state(ball).position[2], scene.velocity(ball)[2]), (0.5, 0.0));
}

#[test]
fn overlap_is_undone_by_position_or_by_velocity() {
    let deep = 2_f64.powi(-6);
    let sunk = |settings: Settings| {
        let mut scene = Scene::new(settings);
        scene.floor();
        let ball = scene.ball([0.0, 0.0, 0.5 - deep]);
        scene.steps(1);
        (scene.state(ball).position[2] - 0.5 + deep, scene.velocity(ball)[2], scene.force(ball)[2])
    };
    // A fifth of the overlap, within 1e-15 m of round-off gap and places; no velocity, and the force is the weight.
    let (rise, speed, force) = sunk(Settings::default());
    assert!((rise - 0.2 * deep).abs() <= 2e-14, "{rise}");
    assert_eq!((speed, force), (0.0, 10.0));
    // At most h times the speed allowed.
    let (rise, speed, force) = sunk(Settings { push_out_velocity: 0.125, ..Settings::default() });
    assert!((rise - 0.125 * STEP).abs() <= 2e-16, "{rise}");
    assert_eq!((speed, force), (0.0, 10.0));
    // Through the velocity: the same rise, and a force with the push m v / h in it.
    let (rise, speed, force) =
        sunk(Settings { position_projection: false, push_out_velocity: 0.125, ..Settings::default() });
    assert!((rise - 0.125 * STEP).abs() <= 2e-16, "{rise}");
    assert_eq!((speed, force), (0.125, 10.0 + 0.125 / STEP));
}

#[test]
fn remembered_impulses_save_sweeps_at_any_step_length() {
    // A column at rest starts from its answer: there is nothing to sweep. From zero it takes many sweeps.
    let settled = Settings { iterations: 5000, tolerance: 1e-12, ..Settings::default() };
    let sweeps = |warm_start: WarmStart, factor: f64, h: f64| {
        let (mut scene, _) = column(settled);
        let settings = Settings { warm_start, warm_start_factor: factor, ..settled };
        scene.world.set_settings(settings).expect("settings");
        scene.world.step(h).expect("a step").iterations
    };
    let cold = sweeps(WarmStart::Off, 1.0, STEP);
    assert!(cold > 10, "{cold}");
    assert_eq!(sweeps(WarmStart::History, 1.0, STEP), 0);
    assert_eq!(sweeps(WarmStart::History, 1.0, 0.25 * STEP), 0, "scaled to the step's length");
    assert_eq!(sweeps(WarmStart::Guarded, 1.0, 2.0 * STEP), 0);
    assert_eq!(sweeps(WarmStart::Normals, 1.0, STEP), 0, "nothing rubs here");
    assert!(sweeps(WarmStart::History, 0.5, STEP) > 1, "half of it is not the answer");
    assert!(sweeps(WarmStart::HistoryNoVelocity, 1.0, STEP) > 1);
}

#[test]
fn an_impact_leaves_nothing_to_start_from() {
    // The impulse of the impact is some 6 N s, and the margin keeps the contact while the ball flies off at 2 m/s. A
    // force brings it to rest in the next step, so the answer is no impulse. No sweep is needed, unless the solver
    // starts from the impact's impulse.
    let settings = Settings { tolerance: 1e-12, contact_margin: 0.25, ..Settings::default() };
    let mut scene = Scene::new(settings);
    let material = scene.material(0.5, 0.5);
    scene.floor();
    let ball = scene.add(&Definition { material, linear_velocity: [0.0, 0.0, -4.0], ..scene.ball_at([0.0, 0.0, 0.5]) });
    scene.steps(1);
    let contact = scene.world.contacts().next().expect("a contact");
    assert!(contact.normal_force * STEP > 5.9, "{contact:?}");
    scene.world.add_force(ball, [0.0, 0.0, 10.0 - 2.0 / STEP], None).expect("a force");
    let report = scene.world.step(STEP).expect("a step");
    assert_eq!((report.contacts, report.new_contacts, report.iterations), (1, 0, 0));
    assert_eq!(scene.velocity(ball), [0.0; 3]);
}

#[test]
fn an_impact_starts_from_nothing() {
    // A ball at rest is thrown down with 4 m/s: m (4 + 2) N s and its weight. What is remembered of the rest would be
    // added by a start that does not apply it to the velocities.
    let settings = Settings { warm_start: WarmStart::HistoryNoVelocity, ..Settings::default() };
    let mut scene = Scene::new(settings);
    let material = scene.material(0.5, 0.5);
    scene.floor();
    let ball = scene.add(&Definition { material, ..scene.ball_at([0.0, 0.0, 0.5]) });
    scene.steps(1);
    let thrown = BodyState { linear_velocity: [0.0, 0.0, -4.0], ..scene.state(ball) };
    scene.world.set_body_state(ball, &thrown).expect("a state");
    scene.steps(1);
    assert_eq!(scene.force(ball), [0.0, 0.0, 6.0 / STEP + 10.0]);
    assert_eq!(scene.velocity(ball), [0.0, 0.0, 2.0]);
}

#[test]
fn every_sweep_order_and_seed_is_used() {
    // A pile with more contacts than it needs: its forces depend on the way they were found.
    let hash = |sweep: Sweep, seed: u64| {
        let mut scene = Scene::new(Settings { sweep, seed, iterations: 5, ..Settings::default() });
        scene.floor();
        for k in 0..9 {
            let (x, y) = (f64::from(k % 3), f64::from(k / 3));
            scene.ball([x, y, 0.5]);
            if k % 3 < 2 && k < 6 {
                scene.ball([x + 0.5, y + 0.5, 0.5 + 0.5_f64.sqrt()]);
            }
        }
        scene.steps(3);
        let forces: Vec<u64> = scene.world.contacts().map(|contact| contact.normal_force.to_bits()).collect();
        forces
    };
    let all = [
        hash(Sweep::Colored, 0),
        hash(Sweep::Natural, 0),
        hash(Sweep::Symmetric, 0),
        hash(Sweep::Random, 0),
        hash(Sweep::Random, 1),
    ];
    for (index, one) in all.iter().enumerate() {
        assert!(all[..index].iter().all(|other| other != one), "order {index} is the same as another");
    }
    assert_eq!(hash(Sweep::Random, 1), all[4]);
    assert_eq!(hash(Sweep::Natural, 1), all[1], "without chance a seed has no effect");
}

#[test]
fn what_was_pushed_in_a_long_step_is_not_pushed_in_a_short_one() {
    // A column of balls, each 0.1 m inside the next; nothing pulls on them.
    let settings = Settings { push_out_velocity: 1.0, ..Settings::default() };
    let column = || {
        let mut scene = Scene::new(settings);
        scene.world.set_gravity([0.0; 3]).expect("gravity");
        scene.floor();
        let balls: Vec<_> = (0..20).map(|at| scene.ball([0.0, 0.0, 0.4 + 0.9 * f64::from(at)])).collect();
        _ = scene.world.step(1.0 / 60.0).expect("a step");
        let top = balls[19];
        (scene, top)
    };
    // Twenty contacts open by no more than the velocity allows, with half as much again for sweeps that have not converged.
    let (mut scene, top) = column();
    let before = scene.state(top).position[2];
    let step = 1.0 / 6000.0;
    _ = scene.world.step(step).expect("a step");
    let moved = scene.state(top).position[2] - before;
    assert!((0.0..1.5 * 20.0 * step).contains(&moved), "{moved}");
    // The same where the velocity is what is smaller.
    let (mut scene, top) = column();
    let before = scene.state(top).position[2];
    scene.world.set_settings(Settings { push_out_velocity: 0.01, ..settings }).expect("settings");
    _ = scene.world.step(1.0 / 60.0).expect("a step");
    let moved = scene.state(top).position[2] - before;
    assert!((0.0..1.5 * 20.0 * 0.01 / 60.0).contains(&moved), "{moved}");
}
