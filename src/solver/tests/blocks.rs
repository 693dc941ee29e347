//! Blocks of rows: which rows make one, what a visit solves, and whether lanes and threads change the result.

use std::sync::Arc;

use super::random::{Random, Scene, random_row};
use crate::math::{BodyRow, ContactId, RowId, Symmetric3, Vec3};
use crate::solver::gauss_seidel::wide::lines;
use crate::solver::problem::blocks::{BlockShape, Blocks};
use crate::solver::problem::contacts::list_pairs;
use crate::solver::problem::order::Order;
use crate::solver::problem::start::Start;
use crate::solver::problem::{Contact, Impulses, Jacobian, Row, Velocity};
use crate::solver::{Method, Options, Outcome, Solver, StickProjection};
use crate::tasks::{Pool, Serial, Tasks};

const FREE: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];
const PUSHING: [f64; 2] = [0.0, f64::INFINITY];

fn options(method: Method, iterations: u32) -> Options {
    Options {
        method,
        order: Order::Colored,
        iterations,
        tolerance: 0.0,
        relaxation: 1.0,
        start: Start::Zero,
        projection: StickProjection::Off,
        splits: false,
    }
}

fn solved(scene: &Scene, method: Method, iterations: u32) -> (Outcome, Impulses, Vec<Velocity>) {
    let (mut solver, mut impulses) = (Solver::default(), scene.no_impulses());
    let outcome = solver.solve(&scene.problem(), &options(method, iterations), &mut impulses).expect("memory");
    (outcome, impulses, solver.velocities().to_vec())
}

/// `count` bodies of unlike inertia that move at random.
fn bodies(random: &mut Random, count: usize) -> Scene {
    let mut scene = Scene::default();
    for _ in 0..count {
        let inertia = Symmetric3::diagonal([1.0, 2.0, 2.5]).rotated(&random.rotation());
        let velocity = Velocity { linear: random.vector(1.0), angular: random.vector(1.0) };
        scene.body(random.magnitude(0.5, 2.0), inertia, velocity);
    }
    scene
}

/// A random row between two bodies with these bounds.
fn row(random: &mut Random, [a, b]: [usize; 2], [lower, upper]: [f64; 2]) -> Row {
    Row { lower, upper, compliance: 0.0, ..random_row(random, a.into(), b.into()) }
}

fn blocks_of(scene: &Scene) -> Blocks {
    let problem = scene.problem();
    let (masses, velocities) = scene.with_world();
    let bodies: Vec<_> = velocities.iter().zip(&masses).map(|(v, mass)| lines::moving(v, mass)).collect();
    let mut blocks = Blocks::default();
    assert!(!blocks.note(&problem, &bodies).expect("memory"));
    assert!(blocks.note(&problem, &bodies).expect("memory"), "the same again");
    blocks
}

#[test]
fn rows_of_a_pair_that_follow_each_other_are_a_block() {
    let mut random = Random(1);
    let mut scene = bodies(&mut random, 3);
    let pairs = [[0, 1], [0, 1], [1, 2], [1, 2], [1, 2], [0, 1]];
    for (at, pair) in pairs.into_iter().enumerate() {
        scene.rows.push(row(&mut random, pair, if at == 3 { PUSHING } else { FREE }));
    }
    // seven rows more make a block with the last one, and one of their own
    (0..7).for_each(|_| scene.rows.push(row(&mut random, [0, 1], FREE)));
    let blocks = blocks_of(&scene);
    let found: Vec<_> = blocks.all.iter().map(|block| (block.range(), block.shape)).collect();
    let shape = |bilateral, bounded| BlockShape { bilateral, bounded };
    assert_eq!(found, [(0..2, shape(2, 0)), (2..5, shape(2, 1)), (5..11, shape(6, 0)), (11..13, shape(2, 0))]);
    assert_eq!(blocks.shapes, [shape(2, 0), shape(2, 1), shape(6, 0)]);
    // the row with a bound is behind those without
    assert_eq!(blocks.all[1].places(&blocks.bilateral)[..3], [0, 2, 1]);
    assert!(!blocks.restore_rows && !blocks.are_coupled);
}

#[test]
fn rows_that_one_scales_stay_with_it_or_are_left_alone() {
    let mut random = Random(2);
    let mut scene = bodies(&mut random, 3);
    // Two contacts of three rows behind a row: the second would be torn apart at the sixth row.
    scene.rows.push(row(&mut random, [0, 1], FREE));
    for _ in 0..2 {
        let normal = RowId::from(scene.rows.len());
        scene.rows.push(row(&mut random, [0, 1], PUSHING));
        for _ in 0..2 {
            scene.rows.push(Row { friction_row: Some(normal), ..row(&mut random, [0, 1], [-0.5, 0.5]) });
        }
    }
    let blocks = blocks_of(&scene);
    assert_eq!(blocks.all.iter().map(|block| block.range()).collect::<Vec<_>>(), [0..4, 4..7]);
    assert!(blocks.are_coupled && !blocks.restore_rows);
    // a row of another pair
    scene.rows.push(Row { friction_row: Some(RowId(4)), ..row(&mut random, [1, 2], [-0.5, 0.5]) });
    let blocks = blocks_of(&scene);
    assert!(blocks.restore_rows);
    assert_eq!(blocks.of_row[..4], [ContactId(0); 4]);
    assert_eq!(blocks.of_row[4..], [ContactId::NONE; 4]);
}

#[test]
fn one_visit_solves_rows_without_bounds_together_and_one_with() {
    let mut random = Random(3);
    for case in 0..500 {
        let mut scene = bodies(&mut random, 2);
        let count = 1 + case % 6;
        for at in 0..count {
            let bounds = if case % 3 == 0 && at == count / 2 { [-0.1, 0.2] } else { FREE };
            scene.rows.push(row(&mut random, [0, 1], bounds));
        }
        let (outcome, impulses, _) = solved(&scene, Method::Pgs, 1);
        // The round-off of impulses of this size; two visits take off what badly conditioned rows leave of one.
        let size = impulses.rows.iter().fold(1.0, |size: f64, lambda| size.max(lambda.abs()));
        let (refined, ..) = solved(&scene, Method::Pgs, 2);
        assert!(outcome.residual_max <= 1e-9 * size, "case {case}: {:e} of {size:e}", outcome.residual_max);
        assert!(refined.residual_max <= 1e-13 * size, "case {case}: {:e} of {size:e}", refined.residual_max);
    }
}

#[test]
fn a_row_that_follows_from_others_carries_nothing() {
    let mut random = Random(4);
    let mut scene = bodies(&mut random, 2);
    let own = row(&mut random, [0, 1], FREE);
    scene.rows = vec![own, own];
    let (outcome, impulses, _) = solved(&scene, Method::Pgs, 1);
    assert!(outcome.residual_max <= 1e-14 && impulses.rows[1] == 0.0, "{outcome:?}, {impulses:?}");
    // and where both are bodies that nothing moves nothing happens
    scene.rows = vec![Row { body_a: BodyRow::NONE, body_b: scene.kinematic(Velocity::ZERO), ..own }];
    let (outcome, impulses, _) = solved(&scene, Method::Pgs, 3);
    assert!(outcome.residual_max == 0.0 && impulses.rows == [0.0]);
}

/// Contacts without friction, and blocks of rows of every kind with some compliance: the answer is unique.
fn mixed(random: &mut Random) -> Scene {
    let mut scene = bodies(random, 6);
    let other = |random: &mut Random, a: usize| if random.one_in(4) { BodyRow::NONE } else { ((a + 1) % 6).into() };
    for _ in 0..4 {
        let a = random.index(6);
        let normal = random.direction();
        let contact = super::random::plain(a.into(), other(random, a), normal);
        let arms = [random.vector(1.0), random.vector(1.0)];
        scene.contacts.push(Contact {
            arm_a: arms[0],
            arm_b: arms[1],
            friction: 0.0,
            normal_bias: random.between(-1.0, 0.5),
            ..contact
        });
    }
    for _ in 0..4 {
        let a = random.index(6);
        let b = other(random, a);
        for _ in 0..1 + random.index(6) {
            let own = random_row(random, a.into(), b);
            scene.rows.push(Row { compliance: random.between(0.1, 1.0), ..own });
        }
    }
    scene
}

#[test]
fn every_solver_finds_the_same_answer() {
    let mut random = Random(5);
    for case in 0..1000 {
        let scene = mixed(&mut random);
        let (outcome, _, expected) = solved(&scene, Method::Newton { limit: 1000 }, 500);
        assert!(outcome.residual_max < 1e-12, "case {case}: {outcome:?}");
        for (method, sweeps) in [(Method::Pgs, 3000), (Method::Accelerated, 500)] {
            let (outcome, _, velocities) = solved(&scene, method, sweeps);
            let apart = velocities.iter().zip(&expected).fold(0.0, |largest: f64, (one, other)| {
                largest.max((one.linear - other.linear).norm()).max((one.angular - other.angular).norm())
            });
            assert!(apart < 1e-10, "case {case}, {method:?}: {apart:e}, residual {:e}", outcome.residual_max);
        }
    }
}

/// Bars in a row, each joined to the next one by three rows, over several tiles of bodies.
fn chain(random: &mut Random, links: usize) -> Scene {
    let mut scene = bodies(random, links);
    for link in 1..links {
        let (arm_a, arm_b) = (random.vector(1.0), random.vector(1.0));
        for axis in [Vec3::x(), Vec3::y(), Vec3::z()] {
            scene.rows.push(Row {
                body_a: BodyRow::from(link - 1),
                body_b: BodyRow::from(link),
                jacobian_a: Jacobian { linear: -axis, angular: -arm_a.cross(&axis) },
                jacobian_b: Jacobian { linear: axis, angular: arm_b.cross(&axis) },
                rhs: 0.0,
                compliance: 0.0,
                lower: FREE[0],
                upper: FREE[1],
                friction_row: None,
                ball: None,
            });
        }
    }
    scene
}

#[test]
fn lanes_are_kept_and_threads_change_no_bit() {
    let mut random = Random(6);
    let scene = chain(&mut random, 3000);
    let problem = scene.problem();
    let options = options(Method::Pgs, 20);
    let solve = |tasks: Arc<dyn Tasks>| {
        let (mut solver, mut impulses) = (Solver::with_tasks(tasks), scene.no_impulses());
        solver.solve(&problem, &options, &mut impulses).expect("memory");
        let mut listed = Vec::new();
        list_pairs(&problem, &mut listed, &Serial).expect("memory");
        assert!(solver.lay_out(&problem, &listed, &options, true).expect("memory"), "the lanes serve again");
        let mut again = scene.no_impulses();
        solver.solve(&problem, &options, &mut again).expect("memory");
        assert_eq!(again, impulses);
        impulses
    };
    let serial = solve(Arc::new(Serial));
    assert!(serial.rows.iter().any(|lambda| lambda.abs() > 0.1));
    for threads in [2, 4] {
        assert!(solve(Arc::new(Pool::new(threads, || true).expect("threads"))) == serial, "{threads} threads");
    }
}

/// A row along an axis for a body of 1 kg on the fixed world.
fn along(axis: Vec3, rhs: f64, [lower, upper]: [f64; 2]) -> Row {
    Row {
        body_a: BodyRow::NONE,
        body_b: BodyRow(0),
        jacobian_a: Jacobian { linear: -axis, angular: Vec3::zeros() },
        jacobian_b: Jacobian { linear: axis, angular: Vec3::zeros() },
        rhs,
        compliance: 0.0,
        lower,
        upper,
        friction_row: None,
        ball: None,
    }
}

/// A ball of 1 kg at rest with these rows.
fn held(rows: Vec<Row>) -> Scene {
    let mut scene = Scene::default();
    scene.sphere(1.0, 0.5, Velocity::ZERO);
    scene.rows = rows;
    scene
}

#[test]
fn a_motor_on_a_locked_axis_ends_at_its_bound() {
    let (lock, motor) = (along(Vec3::x(), 0.0, FREE), along(Vec3::x(), 2.0, [-1.0, 1.0]));
    for rows in [vec![lock, motor], vec![motor, lock]] {
        let (outcome, impulses, velocities) = solved(&held(rows.clone()), Method::Pgs, 2);
        assert_eq!((outcome.residual_max, velocities[0].linear), (0.0, Vec3::zeros()));
        assert!(
            impulses.rows.iter().zip(&rows).all(|(lambda, row)| *lambda == if row.rhs == 0.0 { -1.0 } else { 1.0 })
        );
    }
}

#[test]
fn an_impulse_outside_of_its_bounds_is_projected() {
    // A lock, a motor that started from 2 N s and may carry 0.1, and one whose bounds a row without load scales.
    let (lock, motor) = (along(Vec3::x(), 4.0, FREE), along(Vec3::x(), 4.0, [0.0, 0.1]));
    let idle = along(Vec3::y(), 0.0, PUSHING);
    let scaled = Row { friction_row: Some(RowId(2)), ..along(Vec3::x(), 4.0, [-1.0, 1.0]) };
    let scene = held(vec![lock, motor, idle, scaled]);
    let start = Options { start: Start::History(1.0), ..options(Method::Pgs, 2) };
    let mut impulses = Impulses { rows: vec![2.0, 2.0, 0.0, 2.0], ..scene.no_impulses() };
    let outcome = Solver::default().solve(&scene.problem(), &start, &mut impulses).expect("memory");
    assert!(outcome.residual_max <= 1e-15, "{outcome:?}");
    let [lock, motor, idle, scaled] = impulses.rows[..] else { panic!("{impulses:?}") };
    assert!((0.0..=0.1).contains(&motor) && idle == 0.0 && scaled == 0.0, "{impulses:?}");
    assert!((lock + motor - 4.0).abs() < 1e-15, "{impulses:?}");
}

#[test]
fn a_row_that_scales_others_is_solved_before_them() {
    let press = along(Vec3::x(), 3.0, FREE);
    let drag = Row { friction_row: Some(RowId(0)), ..along(Vec3::y(), -5.0, [-0.1, 0.1]) };
    for rows in [vec![press, drag], vec![press, drag, along(Vec3::z(), 1.0, FREE)]] {
        let (outcome, impulses, _) = solved(&held(rows), Method::Pgs, 1);
        assert!(outcome.residual_max <= 1e-15, "{outcome:?}");
        assert_eq!(impulses.rows[0], 3.0);
        assert!((impulses.rows[1] + 0.3).abs() < 1e-15, "{impulses:?}");
    }
}

#[test]
fn residuals_in_lanes_are_those_of_rows_one_by_one() {
    let (mut random, mut largest) = (Random(17), 0.0);
    for case in 0..200 {
        let mut scene = mixed(&mut random);
        let normal = RowId::from(scene.rows.len());
        scene.rows.push(row(&mut random, [0, 1], PUSHING));
        let bounds = [[-0.5, 0.5], [f64::NEG_INFINITY, 0.2]][case % 2];
        scene.rows.push(Row { friction_row: Some(normal), ..row(&mut random, [0, 1], bounds) });
        let (mut solver, mut impulses) = (Solver::default(), scene.no_impulses());
        let few = options(Method::Pgs, 1 + case as u32 % 3);
        solver.solve(&scene.problem(), &few, &mut impulses).expect("memory");
        let mut single = Solver::default();
        single.take(&scene.problem(), &impulses).expect("memory");
        assert_eq!(solver.residuals().len(), scene.contacts.len() + scene.rows.len());
        for (at, (found, expected)) in solver.residuals().zip(single.residuals()).enumerate() {
            // sums of some twenty terms of up to ten
            assert!((found - expected).abs() <= 1e-12 * (1.0 + expected), "{case}, {at}: {found:e}, {expected:e}");
            largest = f64::max(largest, found);
        }
    }
    assert!(largest > 0.1, "{largest:e}");
}
