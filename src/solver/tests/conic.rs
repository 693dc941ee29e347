//! The conic solver and Newton's method in the motions, on steps.

use super::random::{Random, Scene, plain, resisting};
use crate::math::{BodyRow, RowId, Symmetric3, Vec3};
use crate::solver::problem::options::{Method, Options, Outcome, StickProjection};
use crate::solver::problem::order::Order;
use crate::solver::problem::start::Start;
use crate::solver::problem::{Contact, Friction, Jacobian, OptionalTerms, Row, Velocity};
use crate::solver::{Impulses, Solver};

const NEWTON: Method = Method::Newton { limit: 100_000 };

pub(super) struct Answer {
    pub(super) outcome: Outcome,
    pub(super) impulses: Impulses,
    pub(super) velocities: Vec<Velocity>,
}

fn options(method: Method, tolerance: f64) -> Options {
    Options {
        method,
        order: Order::Colored,
        iterations: 0,
        tolerance,
        relaxation: 1.0,
        start: Start::Zero,
        projection: StickProjection::Off,
        splits: false,
    }
}

pub(super) fn run(scene: &Scene, method: Method, tolerance: f64) -> Answer {
    let (mut solver, mut impulses) = (Solver::default(), scene.no_impulses());
    let outcome = solver.solve(&scene.problem(), &options(method, tolerance), &mut impulses).expect("memory");
    Answer { outcome, impulses, velocities: solver.velocities().to_vec() }
}

/// The largest difference of two answers [m/s].
fn apart(one: &Answer, other: &Answer) -> f64 {
    let difference = |(a, b): (&Velocity, &Velocity)| (a.linear - b.linear).norm().max((a.angular - b.angular).norm());
    one.velocities.iter().zip(&other.velocities).map(difference).fold(0.0, f64::max)
}

/// Balls of diameter 1, somewhat disordered, on a floor, that fall and touch or nearly so. `ratio`: of the largest mass to the smallest.
pub(super) fn cloud(random: &mut Random, side: usize, ratio: f64, friction: f64) -> Scene {
    let mut scene = Scene { friction: Friction::Associated, ..Scene::default() };
    let mut places = Vec::new();
    for cell in 0..side * side * side {
        let mass = random.magnitude(1.0, ratio.max(1.0 + 1e-9));
        let linear = Vec3::new(0.0, 0.0, -0.1) + random.vector(0.05);
        scene.sphere(mass, 0.5, Velocity { linear, angular: random.vector(0.1) });
        let place = [cell % side, cell / side % side, cell / side / side].map(|k| 0.98 * k as f64);
        places.push(Vec3::from(place) + random.vector(0.08));
    }
    for (b, place) in places.iter().enumerate() {
        if place.z < 0.3 {
            let arm_b = Vec3::new(0.0, 0.0, -0.5);
            scene.contacts.push(Contact { arm_b, friction, ..plain(BodyRow::NONE, b.into(), Vec3::z()) });
        }
        for (a, other) in places.iter().enumerate().take(b) {
            let between: Vec3 = place - other;
            let gap = between.norm() - 1.0;
            if gap < 0.05 {
                let normal = between.normalize();
                let (arm_a, arm_b, normal_bias) = (0.5 * normal, -0.5 * normal, 10.0 * gap.max(0.0));
                let contact = plain(a.into(), b.into(), normal);
                scene.contacts.push(Contact { arm_a, arm_b, friction, normal_bias, ..contact });
            }
        }
    }
    scene
}

/// Makes all contacts compliant: `a = h^2 k / m` for a mass of 1 kg.
pub(super) fn soften(scene: &mut Scene, a: f64) {
    let (normal_compliance, tangential_compliance) = (1.0 / a, 1.5 / a);
    let soft = OptionalTerms { normal_compliance, tangential_compliance, ..OptionalTerms::NONE };
    scene.optional = vec![soft; scene.contacts.len()];
}

#[test]
fn rigid_piles_have_the_motion_that_newton_finds() {
    let mut random = Random(31);
    for (side, ratio, friction) in
        [(3, 1.0, 0.4), (3, 1e3, 0.4), (3, 1e6, 0.4), (4, 10.0, 0.0), (4, 1.0, 3.0), (5, 1e2, 0.1)]
    {
        let scene = cloud(&mut random, side, ratio, friction);
        let (conic, newton) = (run(&scene, Method::Conic, 0.0), run(&scene, NEWTON, 0.0));
        let difference = apart(&conic, &newton);
        let bound = if ratio > 1e4 { 1e-11 } else { 1e-12 };
        assert!(conic.outcome.residual_max <= bound, "{side} {ratio} {friction}: {:e}", conic.outcome.residual_max);
        // Light bodies follow what round-off does to heavy ones.
        let bound = if ratio > 1e4 { 1e-9 } else { 1e-11 };
        assert!(difference <= bound, "{side} {ratio} {friction}: {difference:e}");
        assert!(conic.outcome.iterations <= 120, "{side} {ratio} {friction}: {}", conic.outcome.iterations);
        assert_eq!((conic.outcome.infeasible, conic.outcome.fallbacks), (0, 0));
    }
}

#[test]
fn soft_piles_take_few_newton_steps_from_a_cold_start() {
    let mut random = Random(32);
    for (side, a, max_steps) in [(4, 0.02, 10), (4, 1.5, 30), (6, 0.02, 10), (6, 1.5, 30), (5, 160.0, 60)] {
        for ratio in [1.0, 1e3] {
            let mut scene = cloud(&mut random, side, ratio, 0.4);
            soften(&mut scene, a);
            let newton = run(&scene, NEWTON, 0.0);
            let (residual, steps) = (newton.outcome.residual_max, newton.outcome.iterations);
            assert!(residual <= 1e-12, "{side} {a} {ratio}: {residual:e}");
            assert!(steps <= max_steps, "{side} {a} {ratio}: {steps}");
            let conic = run(&scene, Method::Conic, 0.0);
            let difference = apart(&conic, &newton);
            assert!(difference <= 1e-11, "{side} {a} {ratio}: {difference:e}");
            // Impulses of compliant contacts are unique.
            for (one, other) in conic.impulses.contacts.iter().zip(&newton.impulses.contacts) {
                let difference = (one.normal - other.normal).abs() + (one.tangential - other.tangential).norm();
                assert!(difference <= 1e-9 * (1.0 + a), "{side} {a} {ratio}: {difference:e}");
            }
        }
    }
}

/// Piles of up to 3222 contacts must take at most 30 steps: these have some 3120 and 4100.
#[test]
fn the_largest_soft_piles_take_few_newton_steps_too() {
    let mut random = Random(35);
    for (side, contacts) in [(11, 3100..3222), (12, 3222..4200)] {
        for ratio in [1.0, 1e3] {
            let mut scene = cloud(&mut random, side, ratio, 0.4);
            assert!(contacts.contains(&scene.contacts.len()), "{side}: {}", scene.contacts.len());
            for a in [0.02, 1.9] {
                soften(&mut scene, a);
                let newton = run(&scene, NEWTON, 0.0).outcome;
                let steps = newton.iterations;
                assert!(steps <= 30, "{side} {ratio} {a}: {steps}");
                // Round-off: bodies approach each other at some 0.3 m/s.
                assert!(newton.residual_max <= 1e-13, "{side} {ratio} {a}: {:e}", newton.residual_max);
            }
        }
    }
}

/// Rolling, twisting, bilateral rows, motors and limits, with and without compliance, on a pile that can move.
#[test]
fn rows_of_every_kind_are_solved() {
    let mut random = Random(33);
    for case in 0..20 {
        let mut scene = cloud(&mut random, 2, 10.0, 0.5);
        for at in 0..scene.contacts.len() {
            if at % 2 == 0 {
                *scene.optional_terms_of(at) = resisting(0.05 * (at % 3) as f64, 0.02 * (at % 5) as f64);
            }
        }
        for at in 0..6 {
            let mut side = || Jacobian { linear: random.vector(1.0), angular: random.vector(1.0) };
            let (jacobian_a, jacobian_b) = (side(), side());
            let (lower, upper) = [(f64::NEG_INFINITY, f64::INFINITY), (0.0, f64::INFINITY), (-0.05, 0.02)][at % 3];
            let compliance = if at > 3 { 0.1 } else { 0.0 };
            let (body_a, body_b) = (BodyRow::from(at), BodyRow::from(at + 1));
            let rhs = if at % 3 == 0 { 0.0 } else { random.between(-0.2, 0.2) };
            let row = Row {
                body_a,
                body_b,
                jacobian_a,
                jacobian_b,
                rhs,
                compliance,
                lower,
                upper,
                friction_row: None,
                ball: None,
            };
            scene.rows.push(row);
        }
        let (conic, newton) = (run(&scene, Method::Conic, 0.0), run(&scene, NEWTON, 0.0));
        let difference = apart(&conic, &newton);
        assert!(conic.outcome.residual_max <= 1e-12, "case {case}: {:e}", conic.outcome.residual_max);
        assert!(difference <= 1e-10, "case {case}: {difference:e}");
    }
}

/// A ball between two walls, each of which is a body that nothing moves.
fn between_walls(speed: f64) -> Scene {
    let mut scene = Scene { friction: Friction::Associated, ..Scene::default() };
    let ball = scene.sphere(1.0, 0.5, Velocity { linear: Vec3::new(0.3, 0.0, 0.1), angular: Vec3::zeros() });
    for sign in [-1.0, 1.0] {
        let wall = scene.kinematic(Velocity { linear: Vec3::new(-sign * speed, 0.0, 0.0), angular: Vec3::zeros() });
        let normal = Vec3::new(-sign, 0.0, 0.0);
        scene.contacts.push(Contact { arm_b: -0.5 * normal, friction: 0.3, ..plain(wall, ball, normal) });
    }
    scene
}

#[test]
fn a_ball_between_closing_walls_is_infeasible_and_ends_between_them() {
    let pressed = run(&between_walls(0.2), Method::Conic, 1e-10);
    assert_eq!(pressed.outcome.infeasible, 1);
    assert!(pressed.velocities[0].linear.x.abs() <= 1e-3, "{:?}", pressed.velocities[0]);
    let free = run(&between_walls(-0.2), Method::Conic, 1e-12);
    assert_eq!(free.outcome.infeasible, 0);
    assert!(free.outcome.residual_max <= 1e-12);
    let held = run(&between_walls(0.0), Method::Conic, 1e-12);
    assert_eq!(held.outcome.infeasible, 0);
    assert!(
        held.outcome.residual_max <= 1e-12 && held.velocities[0].linear.norm() <= 1e-11,
        "{:?}",
        held.velocities[0]
    );
    // With compliant contacts nothing is infeasible.
    let mut scene = between_walls(0.2);
    soften(&mut scene, 1e4);
    let soft = run(&scene, Method::Conic, 1e-12);
    assert!(soft.outcome.infeasible == 0 && soft.outcome.residual_max <= 1e-12, "{:?}", soft.outcome);
}

#[test]
fn sweeps_after_an_infeasible_solve_report_nothing_infeasible() {
    let scene = between_walls(0.2);
    let (problem, mut solver, mut impulses) = (scene.problem(), Solver::default(), scene.no_impulses());
    for (method, expected) in [(Method::Conic, 1), (Method::Pgs, 0), (Method::Accelerated, 0), (Method::Conic, 1)] {
        let outcome = solver.solve(&problem, &options(method, 1e-10), &mut impulses).expect("memory");
        assert_eq!(outcome.infeasible, expected, "{method:?}");
    }
}

#[test]
fn rows_that_bound_others_are_left_to_sweeps() {
    let mut scene = cloud(&mut Random(34), 2, 1.0, 0.5);
    let side = Jacobian { linear: Vec3::x(), angular: Vec3::zeros() };
    let row = |of: Option<RowId>| Row {
        body_a: BodyRow::NONE,
        body_b: BodyRow(0),
        jacobian_a: Jacobian::ZERO,
        jacobian_b: side,
        rhs: 0.0,
        compliance: 0.0,
        lower: -0.5,
        upper: 0.5,
        friction_row: of,
        ball: None,
    };
    scene.rows = vec![row(None), row(Some(RowId::from(0)))];
    assert_eq!(run(&scene, Method::Conic, 0.0).outcome.fallbacks, 1);
}

#[test]
fn the_start_is_kept_where_it_is_better_and_bodies_at_rest_stay() {
    let mut scene = Scene { friction: Friction::Associated, ..Scene::default() };
    let inertia = Symmetric3::diagonal([1.0; 3]);
    scene.body(2.0, inertia, Velocity { linear: Vec3::new(3.0, 0.0, -1.0), angular: Vec3::zeros() });
    scene.contacts.push(Contact { friction: 0.5, ..plain(BodyRow::NONE, BodyRow(0), Vec3::z()) });
    let answer = run(&scene, Method::Conic, 0.0);
    // r_n = m (1 + mu 3) / (1 + mu^2) = 4, r_t = mu r_n = 2
    let expected = Vec3::new(2.0, 0.0, 1.0);
    assert!((answer.velocities[0].linear - expected).norm() <= 1e-12, "{:?}", answer.velocities[0]);
    scene.velocities[0] = Velocity::ZERO;
    let answer = run(&scene, Method::Conic, 0.0);
    assert_eq!((answer.velocities[0], answer.outcome.iterations), (Velocity::ZERO, 0));
}
