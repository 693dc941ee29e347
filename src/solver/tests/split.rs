//! The split solve: contacts and rows with bounds meet the inertia of whole mechanisms.

use super::random::{Random, Scene, plain, random_row, resisting};
use crate::math::{BodyRow, Symmetric3, Vec3};
use crate::solver::problem::order::Order;
use crate::solver::problem::start::Start;
use crate::solver::problem::{Contact, Impulses, Jacobian, Row, Velocity};
use crate::solver::{Method, Options, Outcome, Solver, StickProjection};

const FREE: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];

const SPLIT: Options = Options {
    method: Method::Pgs,
    order: Order::Colored,
    iterations: 3000,
    tolerance: 0.0,
    relaxation: 1.0,
    start: Start::Zero,
    projection: StickProjection::Off,
    splits: true,
};

fn solved(scene: &Scene, options: &Options) -> (Outcome, Impulses, Vec<Velocity>) {
    let (mut solver, mut impulses) = (Solver::default(), scene.no_impulses());
    let outcome = solver.solve(&scene.problem(), options, &mut impulses).expect("memory");
    (outcome, impulses, solver.velocities().to_vec())
}

fn apart(one: &[Velocity], other: &[Velocity]) -> f64 {
    one.iter().zip(other).fold(0.0, |largest: f64, (one, other)| {
        largest.max((one.linear - other.linear).norm()).max((one.angular - other.angular).norm())
    })
}

/// Holds a point of two bodies together, at random arms.
fn pin(scene: &mut Scene, random: &mut Random, [a, b]: [BodyRow; 2]) {
    let arms = [random.vector(1.0), random.vector(1.0)];
    for axis in [Vec3::x(), Vec3::y(), Vec3::z()] {
        scene.rows.push(Row {
            body_a: a,
            body_b: b,
            jacobian_a: Jacobian { linear: -axis, angular: -arms[0].cross(&axis) },
            jacobian_b: Jacobian { linear: axis, angular: arms[1].cross(&axis) },
            rhs: random.between(-0.1, 0.1),
            compliance: 0.0,
            lower: FREE[0],
            upper: FREE[1],
            friction_row: None,
            ball: None,
        });
    }
}

/// Two chains of pinned bodies, one with its end in the world, and loose bodies. Contacts and rows with bounds join any of them.
fn scene(random: &mut Random, friction: f64) -> Scene {
    let mut scene = Scene::default();
    for _ in 0..9 {
        let inertia = Symmetric3::diagonal([1.0, 2.0, 2.5]).rotated(&random.rotation());
        let velocity = Velocity { linear: random.vector(1.0), angular: random.vector(1.0) };
        scene.body(random.magnitude(0.5, 5.0), inertia, velocity);
    }
    for pair in [[u32::MAX, 0], [0, 1], [1, 2], [3, 4], [4, 5]] {
        pin(&mut scene, random, pair.map(BodyRow));
    }
    for _ in 0..6 {
        let a = random.index(9);
        let b = if random.one_in(3) { BodyRow::NONE } else { ((a + 1 + random.index(8)) % 9).into() };
        let (arm_a, arm_b, bias) = (random.vector(1.0), random.vector(1.0), random.between(-1.0, 0.5));
        let own = plain(a.into(), b, random.direction());
        scene.contacts.push(Contact { arm_a, arm_b, friction, normal_bias: bias, ..own });
    }
    for _ in 0..4 {
        let a = random.index(9);
        let b = (a + 1 + random.index(8)) % 9;
        let own = random_row(random, a.into(), b.into());
        let [lower, upper] = [random.between(-0.5, 0.0), random.between(0.0, 0.5)];
        scene.rows.push(Row { lower, upper, compliance: 0.0, friction_row: None, ..own });
    }
    scene
}

const ORDERS: [Order; 4] = [Order::Colored, Order::Natural, Order::Symmetric, Order::Random(3)];

#[test]
fn sweeps_over_mechanisms_end_where_newtons_method_does() {
    let mut random = Random(1);
    for case in 0..100 {
        let scene = scene(&mut random, 0.0);
        let newton = Options { method: Method::Newton { limit: 1000 }, iterations: 500, ..SPLIT };
        let (outcome, _, expected) = solved(&scene, &newton);
        assert!(outcome.residual_max < 1e-11, "case {case}: {outcome:?}");
        // With a tolerance the islands are swept one by one.
        let options = Options { order: ORDERS[case % 4], tolerance: if case % 3 == 0 { 1e-14 } else { 0.0 }, ..SPLIT };
        for method in [Method::Pgs, Method::Accelerated] {
            let (outcome, _, velocities) = solved(&scene, &Options { method, ..options });
            let apart = apart(&velocities, &expected);
            assert!(apart < 1e-9, "case {case}, {method:?}: {apart:e}, residual {:e}", outcome.residual_max);
        }
    }
}

/// With friction an answer need be neither unique nor there. Where sweeps end, the residual shows that it is one. The
/// residual does not use mechanisms.
#[test]
fn contacts_with_friction_that_resist_turning_or_yield_are_solved() {
    let mut random = Random(2);
    let mut unsolved = [0; 3];
    for case in 0..99 {
        let mut scene = scene(&mut random, 0.2);
        for contact in (0..scene.contacts.len()).filter(|_| case % 3 > 0) {
            let optional = scene.optional_terms_of(contact);
            *optional = if case % 3 == 1 { resisting(0.1, 0.05) } else { resisting(0.0, 0.0) };
            (optional.normal_compliance, optional.tangential_compliance) = (0.01, 0.02);
            optional.surface_velocity = Vec3::new(0.1, 0.0, 0.0);
        }
        let (outcome, ..) = solved(&scene, &Options { order: ORDERS[case % 4], ..SPLIT });
        unsolved[case % 3] += usize::from(outcome.residual_max > 1e-11);
    }
    println!("{unsolved:?}");
    assert!(unsolved.iter().all(|count| *count <= 2), "{unsolved:?} of 33 each");
}

#[test]
fn rows_without_bounds_hold_after_one_sweep() {
    let mut random = Random(3);
    for _ in 0..50 {
        let scene = scene(&mut random, 0.3);
        let (_, impulses, velocities) = solved(&scene, &Options { iterations: 1, ..SPLIT });
        for (row, lambda) in scene.rows.iter().zip(&impulses.rows).filter(|(row, _)| row.upper == f64::INFINITY) {
            let of = |body: BodyRow| velocities.get(body.index()).copied().unwrap_or(Velocity::ZERO);
            let off = row.jacobian_a.dot(&of(row.body_a)) + row.jacobian_b.dot(&of(row.body_b)) - row.rhs;
            // The velocities follow from impulses of this size.
            assert!(off.abs() < 1e-13 * (1.0 + lambda.abs()), "{off:e}, {lambda}");
        }
    }
}

#[test]
fn rows_within_their_bounds_hold_after_one_sweep_too() {
    let mut random = Random(6);
    let mut compared = 0;
    for _ in 0..50 {
        let mut scene = scene(&mut random, 0.3);
        for row in scene.rows.iter_mut().filter(|row| row.upper < f64::INFINITY) {
            (row.lower, row.upper) = (-1e6, 1e6);
        }
        let (_, impulses, velocities) = solved(&scene, &Options { iterations: 1, ..SPLIT });
        for (row, lambda) in scene.rows.iter().zip(&impulses.rows).filter(|(row, _)| row.upper == 1e6) {
            // Those of two mechanisms, and of loose bodies, are swept.
            let of = |body: BodyRow| [0..3, 3..6].iter().position(|own| own.contains(&body.index()));
            if of(row.body_a).is_some() && of(row.body_a) == of(row.body_b) {
                let of = |body: BodyRow| velocities[body.index()];
                let off = row.jacobian_a.dot(&of(row.body_a)) + row.jacobian_b.dot(&of(row.body_b)) - row.rhs;
                assert!(off.abs() < 1e-12 * (1.0 + lambda.abs()), "{off:e}, {lambda}");
                compared += 1;
            }
        }
    }
    assert!(compared > 20, "{compared}");
}

#[test]
fn the_start_does_not_matter_and_calls_repeat_to_the_bit() {
    let mut random = Random(4);
    let scene = scene(&mut random, 0.0);
    let (_, expected, velocities) = solved(&scene, &SPLIT);
    let (mut solver, mut again) = (Solver::default(), expected.clone());
    for _ in 0..2 {
        solver.solve(&scene.problem(), &Options { start: Start::History(1.0), ..SPLIT }, &mut again).expect("memory");
        assert!(apart(solver.velocities(), &velocities) < 1e-12);
        assert!(again.rows.iter().zip(&expected.rows).all(|(one, other)| (one - other).abs() < 1e-10));
    }
    let (_, twice, _) = solved(&scene, &SPLIT);
    assert_eq!(twice, expected);
}

/// A body that rows hold in every direction meets another one, and a fixed wall.
#[test]
fn what_nothing_moves_takes_the_impulse_and_against_a_wall_there_is_none() {
    let mut random = Random(5);
    let mut scene = Scene::default();
    let still = Velocity::ZERO;
    let held = scene.sphere(2.0, 0.5, still);
    for axis in 0..6 {
        let unit = |first: usize| Vec3::from_fn(|own, _| if first + own == axis { 1.0 } else { 0.0 });
        let jacobian = Jacobian { linear: unit(0), angular: unit(3) };
        let own = random_row(&mut random, BodyRow::NONE, held);
        let [lower, upper] = FREE;
        let jacobian_a = Jacobian { linear: -unit(0), angular: -unit(3) };
        scene.rows.push(Row {
            jacobian_a,
            jacobian_b: jacobian,
            rhs: 0.0,
            compliance: 0.0,
            lower,
            upper,
            friction_row: None,
            ball: None,
            ..own
        });
    }
    let hitting = scene.sphere(3.0, 0.5, Velocity { linear: Vec3::new(-1.0, 0.0, 0.0), ..still });
    scene.contacts.push(plain(held, hitting, Vec3::x()));
    // The wall would have to push the held body away at 1 m/s.
    scene.contacts.push(Contact { normal_bias: -1.0, ..plain(BodyRow::NONE, held, Vec3::x()) });
    let (outcome, impulses, velocities) = solved(&scene, &Options { iterations: 1, ..SPLIT });
    assert!((impulses.contacts[0].normal - 3.0).abs() < 1e-14, "{impulses:?}");
    assert!((impulses.rows[0] - 3.0).abs() < 1e-14 && impulses.contacts[1].normal == 0.0, "{impulses:?}");
    assert!(velocities[held].linear.norm() < 1e-15 && velocities[hitting].linear.norm() < 1e-15);
    assert!((outcome.residual_max - 1.0).abs() < 1e-12, "the residual shows what has no solution: {outcome:?}");
}

/// Rows hold a body against a moving one that no impulse moves, and one of them has bounds.
#[test]
fn kinematic_bodies_lead_mechanisms() {
    let mut random = Random(7);
    for bounded in [FREE, [-1e3, 1e3], [-0.1, 0.1]] {
        let mut scene = Scene::default();
        let leading = scene.kinematic(Velocity { linear: random.vector(1.0), angular: random.vector(1.0) });
        let led = scene.sphere(2.0, 0.5, Velocity::ZERO);
        pin(&mut scene, &mut random, [leading, led]);
        let last = scene.rows.len() - 1;
        [scene.rows[last].lower, scene.rows[last].upper] = bounded;
        let (outcome, _, velocities) = solved(&scene, &Options { iterations: 100, ..SPLIT });
        assert!(outcome.residual_max < 1e-13, "{outcome:?}");
        let newton = Options { method: Method::Newton { limit: 100 }, iterations: 100, ..SPLIT };
        assert!(apart(&velocities, &solved(&scene, &newton).2) < 1e-12);
    }
}

/// A row with bounds along a direction that rigid rows hold is at its bound if it asks for another velocity.
#[test]
fn a_row_that_opposes_a_rigid_one_is_at_its_bound() {
    let mut random = Random(8);
    let mut scene = Scene::default();
    let body = scene.sphere(2.0, 0.5, Velocity::ZERO);
    let own = Row { compliance: 0.0, rhs: 0.5, ..random_row(&mut random, BodyRow::NONE, body) };
    let [lower, upper] = FREE;
    scene.rows = vec![Row { lower, upper, ..own }, Row { rhs: -0.5, lower: -1.0, upper: 1.0, ..own }];
    let (outcome, impulses, _) = solved(&scene, &Options { iterations: 2, ..SPLIT });
    scene.rows.pop();
    let (_, alone, _) = solved(&scene, &SPLIT);
    assert!(outcome.residual_max < 1e-13 && impulses.rows[1] == -1.0, "{outcome:?} {impulses:?}");
    assert!((impulses.rows[0] - alone.rows[0] - 1.0).abs() < 1e-12, "{impulses:?} {alone:?}");
}

/// A body on a ball joint slides along a contact although an impulse towards the joint moves nothing.
#[test]
fn contacts_of_a_body_on_a_ball_joint_slide() {
    let mut random = Random(9);
    let mut unsolved = [0; 2];
    for _ in 0..300 {
        let mut scene = Scene::default();
        let inertia = Symmetric3::diagonal([1.0, 1.6, 2.5].map(|part| part * random.magnitude(0.1, 1.0)));
        let velocity = Velocity { linear: random.vector(1.0), angular: random.vector(1.0) };
        let body = scene.body(random.magnitude(0.1, 10.0), inertia, velocity);
        pin(&mut scene, &mut random, [BodyRow::NONE, body]);
        let own = plain(BodyRow::NONE, body, random.direction());
        scene.contacts.push(Contact { arm_b: random.vector(1.0), friction: 0.4, ..own });
        let newton = Options { method: Method::Newton { limit: 100 }, iterations: 500, ..SPLIT };
        if solved(&scene, &newton).0.residual_max < 1e-11 {
            unsolved[0] += usize::from(solved(&scene, &SPLIT).0.residual_max > 1e-11);
            unsolved[1] += usize::from(solved(&scene, &Options { splits: false, ..SPLIT }).0.residual_max > 1e-11);
        }
    }
    assert!(unsolved[0] == 0, "{unsolved:?}, the second by rows in the sweeps");
}
