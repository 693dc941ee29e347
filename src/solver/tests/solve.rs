//! The iterations: closed forms, and what settings and problems of every kind must leave true.

use super::random::{Random, Scene, plain};
use crate::math::{BodyRow, Symmetric3, Vec3};
use crate::solver::problem::order::Order;
use crate::solver::problem::start::Start;
use crate::solver::problem::{Contact, Impulse, Impulses, Jacobian, Row, Velocity};
use crate::solver::{Method, Options, Outcome, Place, Solver, StickProjection};
use proptest::prelude::*;

const PLAIN: Options = Options {
    method: Method::Pgs,
    order: Order::Natural,
    iterations: 100,
    tolerance: 0.0,
    relaxation: 1.0,
    start: Start::Zero,
    projection: StickProjection::Off,
    splits: false,
};

const ORDERS: [Order; 5] =
    [Order::Colored, Order::Natural, Order::Symmetric, Order::Random(1), Order::Random(u64::MAX)];

struct Answer {
    outcome: Outcome,
    impulses: Vec<Impulse>,
    velocities: Vec<Velocity>,
    totals: Vec<Velocity>,
}

fn solve_from(scene: &Scene, options: &Options, start: &[Impulse]) -> Answer {
    let mut solver = Solver::default();
    let mut impulses = scene.with_contacts(start);
    let outcome = solver.solve(&scene.problem(), options, &mut impulses).expect("memory");
    let (velocities, totals) = (solver.velocities().to_vec(), solver.total_impulses().to_vec());
    Answer { outcome, impulses: impulses.contacts, velocities, totals }
}

fn solve(scene: &Scene, options: &Options) -> Answer {
    solve_from(scene, options, &vec![Impulse::ZERO; scene.contacts.len()])
}

/// The largest difference of two sets of velocities [m/s], [rad/s].
fn apart(one: &[Velocity], other: &[Velocity]) -> f64 {
    let differ = |(a, b): (&Velocity, &Velocity)| (a.linear - b.linear).norm().max((a.angular - b.angular).norm());
    one.iter().zip(other).map(differ).fold(0.0, f64::max)
}

/// A box of 2 kg and 2 m x 2 m x 0.5 m on the fixed world at its four corners. It has the free velocity of one step of
/// 0.01 s under gravity 10 m/s^2 and a force of `push` N along x. This is `(push h / m, 0, -g h)`.
fn box_on_floor(push: f64, friction: f64) -> Scene {
    let mut scene = Scene::default();
    let linear = Vec3::new(push * 0.01 / 2.0, 0.0, -0.1);
    // m (a^2 + b^2) / 12 of the sides.
    let inertia = Symmetric3::diagonal([2.0 * 4.25 / 12.0, 2.0 * 4.25 / 12.0, 2.0 * 8.0 / 12.0]);
    let body = scene.body(2.0, inertia, Velocity { linear, angular: Vec3::zeros() });
    for (x, y) in [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)] {
        let arm_b = Vec3::new(x, y, -0.25);
        scene.contacts.push(Contact { arm_b, friction, ..plain(BodyRow::NONE, body, Vec3::z()) });
    }
    scene
}

fn sum(impulses: &[Impulse]) -> (f64, Vec3) {
    (impulses.iter().map(|i| i.normal).sum(), impulses.iter().map(|i| i.tangential).sum())
}

#[test]
fn a_box_rests_on_four_corners() {
    let answer = solve(&box_on_floor(0.0, 0.5), &Options { iterations: 300, ..PLAIN });
    let (normal, tangential) = sum(&answer.impulses);
    // m g h = 0.2 N s. The sweeps converge to round-off: 1e-15 of velocities of 0.1 m/s.
    assert!((normal - 0.2).abs() <= 1e-15, "{normal}");
    assert!(tangential.norm() <= 1e-15, "{tangential}");
    assert!(apart(&answer.velocities, &[Velocity::ZERO]) <= 1e-15, "{:?}", answer.velocities);
}

#[test]
fn a_pushed_box_sticks_below_the_cone_and_slides_beyond_it() {
    // mu m g = 10 N. Below: friction is minus the push and the box is at rest. Tipping is far off: 10 N at 0.25 m above
    // the floor against 20 N at 1 m.
    let sticks = solve(&box_on_floor(9.9, 0.5), &Options { iterations: 2000, ..PLAIN });
    let (normal, tangential) = sum(&sticks.impulses);
    assert!((normal - 0.2).abs() <= 1e-14, "{normal}");
    assert!((tangential + Vec3::new(0.099, 0.0, 0.0)).norm() <= 1e-14, "{tangential}");
    assert!(apart(&sticks.velocities, &[Velocity::ZERO]) <= 1e-14, "{:?}", sticks.velocities);
    // Beyond, each corner is on its cone against x: mu m g h = 0.1 N s, and v = (12 - 10) h / m = 0.01 m/s.
    let slides = solve(&box_on_floor(12.0, 0.5), &Options { iterations: 2000, ..PLAIN });
    let (normal, tangential) = sum(&slides.impulses);
    assert!((normal - 0.2).abs() <= 1e-14, "{normal}");
    assert!((tangential + Vec3::new(0.1, 0.0, 0.0)).norm() <= 1e-14, "{tangential}");
    let expected = Velocity { linear: Vec3::new(0.01, 0.0, 0.0), angular: Vec3::zeros() };
    assert!(apart(&slides.velocities, &[expected]) <= 1e-14, "{:?}", slides.velocities);
}

#[test]
fn two_spheres_collide_head_on() {
    // m = 1 and 3, v = 2 and -1, e = 1/2: lambda = 1.5 * 3 / (1 + 1/3) = 3.375, v = 2 - 3.375 and -1 + 1.125.
    let mut scene = Scene::default();
    let along = |x: f64| Velocity { linear: Vec3::new(x, 0.0, 0.0), angular: Vec3::zeros() };
    scene.sphere(1.0, 0.5, along(2.0));
    scene.sphere(3.0, 0.5, along(-1.0));
    let (arm_a, arm_b) = (0.5 * Vec3::x(), -0.5 * Vec3::x());
    scene.contacts.push(Contact {
        arm_a,
        arm_b,
        normal_bias: -1.5,
        friction: 0.5,
        ..plain(BodyRow(0), BodyRow(1), Vec3::x())
    });
    let answer = solve(&scene, &PLAIN);
    assert!((answer.impulses[0].normal - 3.375).abs() <= 4.0 * f64::EPSILON * 3.375, "{:?}", answer.impulses);
    // 1/3 is rounded: a few eps of 3.
    assert!(apart(&answer.velocities, &[along(-1.375), along(0.125)]) <= 2e-15, "{:?}", answer.velocities);
    assert_eq!(answer.impulses[0].tangential, Vec3::zeros());
}

#[test]
fn momentum_balances_however_few_sweeps_are_done() {
    let mut random = Random(1);
    for case in 0..60 {
        let scene = Scene::random(&mut random, 15, 40);
        let order = ORDERS[case % 5];
        let answer = solve(&scene, &Options { order, iterations: 2, relaxation: 1.2, ..PLAIN });
        // The impulses on each body, summed here.
        let mut sums = vec![(Vec3::zeros(), Vec3::zeros(), 0.0); scene.masses.len()];
        for (contact, impulse) in scene.contacts.iter().zip(&answer.impulses) {
            let force = impulse.vector(&contact.normal);
            for (body, sign, arm) in [(contact.body_a, -1.0, &contact.arm_a), (contact.body_b, 1.0, &contact.arm_b)] {
                if let Some((linear, angular, size)) = sums.get_mut(body.index()) {
                    *linear += sign * force;
                    *angular += arm.cross(&(sign * force));
                    *size += force.norm() * (1.0 + arm.norm());
                }
            }
        }
        for (body, (linear, angular, size)) in sums.iter().enumerate() {
            let total = &answer.totals[body];
            let error = (total.linear - linear).norm().max((total.angular - angular).norm());
            assert!(error <= 1e-14 * size, "case {case}, body {body}: total off by {error:e}");
            let (now, before) = (&answer.velocities[body], &scene.velocities[body]);
            let Some((mass, inertia)) = scene.free[body] else { continue };
            let gained = mass * (now.linear - before.linear);
            let turned = inertia.times(&(now.angular - before.angular));
            // Velocities of 2 m/s and 2 rad/s times m and I <= 2 m are rounded once; I is inverted once.
            let tolerance = 1e-14 * (size + 10.0 * mass);
            let error = (gained - linear).norm().max((turned - angular).norm());
            assert!(error <= tolerance, "case {case}, body {body}: {error:e} above {tolerance:e}");
        }
    }
}

#[test]
fn immovable_bodies_keep_their_velocity_to_the_bit() {
    let mut random = Random(2);
    for order in ORDERS {
        let scene = Scene::random(&mut random, 15, 60);
        let answer = solve(&scene, &Options { order, ..PLAIN });
        let mut seen = 0;
        for body in (0..15).filter(|body| scene.masses[*body].is_immovable()) {
            assert_eq!(answer.velocities[body], scene.velocities[body], "body {body}");
            seen += usize::from(answer.totals[body].linear != Vec3::zeros());
        }
        assert!(seen > 0, "no impulse met an immovable body");
    }
}

#[test]
fn a_tolerance_ends_the_sweeps_and_none_does_them_all() {
    let scene = Scene::pyramid(4, 0.3, 0.0);
    let all = solve(&scene, &Options { iterations: 77, ..PLAIN });
    assert_eq!(all.outcome.iterations, 77);
    let loose = solve(&scene, &Options { iterations: 5000, tolerance: 1e-6, ..PLAIN });
    assert!(loose.outcome.iterations > 1 && loose.outcome.iterations < 5000, "{:?}", loose.outcome);
    assert!(loose.outcome.residual_max <= 1e-6, "{:?}", loose.outcome);
    let tight = solve(&scene, &Options { iterations: 5000, tolerance: 1e-10, ..PLAIN });
    assert!(
        tight.outcome.iterations > loose.outcome.iterations && tight.outcome.residual_max <= 1e-10,
        "{:?}",
        tight.outcome
    );
    assert_eq!(solve(&scene, &Options { iterations: 0, ..PLAIN }).outcome.iterations, 50, "the method's own number");
    // every floor contact closes with g h = 0.01 m/s, and that is good enough here
    let none = solve(&scene, &Options { tolerance: 0.011, ..PLAIN });
    assert_eq!((none.outcome.iterations, &none.velocities), (0, &scene.velocities));
    assert_eq!(none.outcome.residual_max, 0.01);
}

#[test]
fn the_outcome_is_that_of_the_answer() {
    use crate::solver::problem::residual::contact_residual;
    let mut random = Random(3);
    let scene = Scene::random(&mut random, 10, 30);
    let problem = scene.problem();
    let answer = solve(&scene, &Options { iterations: 3, ..PLAIN });
    let residuals: Vec<f64> = answer
        .impulses
        .iter()
        .enumerate()
        .map(|(index, impulse)| {
            let (contact, optional) = problem.full_contact(index.into());
            let at = |body: BodyRow| answer.velocities.get(body.index()).copied().unwrap_or(Velocity::ZERO);
            let pair = [&at(contact.body_a), &at(contact.body_b)];
            contact_residual(&problem, (contact, optional), pair, &(*impulse).into())
        })
        .collect();
    let worst = answer.outcome.worst.expect("there are contacts");
    assert_eq!(residuals.iter().copied().fold(0.0, f64::max), answer.outcome.residual_max);
    let Place::Contact(worst) = worst else { panic!("there are no rows: {worst:?}") };
    assert_eq!(residuals[worst], answer.outcome.residual_max);
    // 30 terms, summed in the same order.
    assert_eq!(residuals.iter().sum::<f64>() / 30.0, answer.outcome.residual_mean);
    let empty = solve(&Scene::default(), &PLAIN).outcome;
    assert_eq!((empty.residual_max, empty.residual_mean, empty.worst), (0.0, 0.0, None));
}

#[test]
fn relaxation_changes_the_way_and_not_the_velocities() {
    // Spheres (central rows), pushed so that some slide, and a box (general rows) that slides.
    for scene in [Scene::pyramid(3, 0.3, 0.05), box_on_floor(12.0, 0.5)] {
        let at =
            |relaxation: f64| solve(&scene, &Options { relaxation, iterations: 20_000, tolerance: 1e-13, ..PLAIN });
        let (plain, under, over) = (at(1.0), at(0.8), at(1.3));
        for (name, other) in [("0.8", &under), ("1.3", &over)] {
            assert!(other.outcome.residual_max <= 1e-13, "{name}: {:?}", other.outcome);
            assert_ne!(other.outcome.iterations, plain.outcome.iterations, "{name} had no effect");
            // The residual bounds the error of the velocities up to the condition of the contacts, some 100.
            assert!(apart(&other.velocities, &plain.velocities) <= 1e-11, "{name}");
        }
    }
}

#[test]
fn the_order_changes_frictionless_forces_and_not_the_velocities() {
    // Without friction the problem is a convex one: velocities are unique. The impulses are not: a sphere of the inside of
    // the pyramid rests on four others, and how they share depends on the way there.
    let scene = Scene::pyramid(6, 0.0, 0.05);
    let at = |order: Order| solve(&scene, &Options { order, iterations: 50_000, tolerance: 1e-13, ..PLAIN });
    let answers = [Order::Random(1), Order::Random(2), Order::Colored, Order::Natural, Order::Symmetric].map(at);
    let largest = answers[0].impulses.iter().fold(0.0, |largest: f64, impulse| largest.max(impulse.normal));
    for (index, one) in answers.iter().enumerate() {
        assert!(one.outcome.residual_max <= 1e-13, "{index}: {:?}", one.outcome);
        for (before, other) in answers[..index].iter().enumerate() {
            // The residual bounds the error of the velocities up to the condition of the contacts, some 100.
            let apart = apart(&one.velocities, &other.velocities);
            assert!(apart <= 1e-10, "{index} and {before}: {apart:e} m/s");
            let differ = |(a, b): (&Impulse, &Impulse)| (a.normal - b.normal).abs();
            let differ = one.impulses.iter().zip(&other.impulses).map(differ).fold(0.0, f64::max);
            // Two seeds, two force networks: 4 per cent. The natural order and the symmetric one are the closest, 1.6.
            let enough = if index == 1 { 0.03 } else { 0.01 } * largest;
            assert!(differ > enough, "{index} and {before}: impulses differ by {differ:e} of {largest:e}");
        }
    }
}

#[test]
fn orders_and_seeds_show_in_the_forces_and_repeat_to_the_bit() {
    let scene = Scene::pyramid(4, 0.5, 0.0);
    let at = |order: Order| solve(&scene, &Options { order, iterations: 50, ..PLAIN }).impulses;
    for order in ORDERS {
        assert_eq!(at(order), at(order), "{order:?}");
    }
    for (index, order) in ORDERS.iter().enumerate() {
        for other in &ORDERS[..index] {
            assert_ne!(at(*order), at(*other), "{order:?} and {other:?}");
        }
    }
}

#[test]
fn the_answer_as_history_needs_no_sweep() {
    for scene in [Scene::pyramid(4, 0.5, 0.02), box_on_floor(9.0, 0.5)] {
        let cold = solve(&scene, &Options { iterations: 20_000, tolerance: 1e-12, ..PLAIN });
        assert!(cold.outcome.iterations > 10 && cold.outcome.residual_max <= 1e-12, "{:?}", cold.outcome);
        let options = Options { iterations: 100, tolerance: 1e-10, ..PLAIN };
        let warm = solve_from(&scene, &Options { start: Start::History(1.0), ..options }, &cold.impulses);
        assert_eq!(warm.outcome.iterations, 0);
        // At an answer lambda . w <= 0 (sticking 0, sliding below), so that the guard -(q . lambda) / (lambda . D lambda)
        // = 1 - (lambda . w) / (lambda . D lambda) keeps all of it, up to the residual.
        let guarded = solve_from(&scene, &Options { start: Start::Guarded, ..options }, &cold.impulses);
        assert_eq!(guarded.outcome.iterations, 0);
        // Without its friction or a tenth of it, it is no answer.
        for start in [Start::Normals(1.0), Start::History(0.9), Start::Zero] {
            let less = solve_from(&scene, &Options { iterations: 20_000, start, ..options }, &cold.impulses);
            assert!(less.outcome.iterations > 1 && less.outcome.residual_max <= 1e-10, "{start:?}: {:?}", less.outcome);
        }
    }
}

#[test]
fn history_without_velocity_fails() {
    // A point of 1 kg falls on the floor with g h = 0.01 m/s; the answer is 0.01 N s. From it, the velocity still falls
    // by 0.01 m/s and gets as much again: 0.02 N s, so it flies off with +g h, and that is the residual.
    let mut scene = Scene::default();
    scene.sphere(1.0, 0.5, Velocity { linear: Vec3::new(0.0, 0.0, -0.01), angular: Vec3::zeros() });
    scene.contacts.push(plain(BodyRow::NONE, BodyRow(0), Vec3::z()));
    let answer = [Impulse::force(0.01, Vec3::zeros())];
    let failed = solve_from(&scene, &Options { start: Start::WithoutVelocity(1.0), ..PLAIN }, &answer);
    assert!((failed.impulses[0].normal - 0.02).abs() <= 1e-17, "{:?}", failed.impulses);
    assert!((failed.outcome.residual_max - 0.01).abs() <= 1e-16, "{:?}", failed.outcome);
    let history = solve_from(&scene, &Options { start: Start::History(1.0), ..PLAIN }, &answer);
    assert_eq!(history.outcome.residual_max, 0.0);
    // The same with general rows: of some g h = 0.1 m/s.
    let scene = box_on_floor(0.0, 0.5);
    let cold = solve(&scene, &Options { iterations: 500, ..PLAIN });
    let failed = solve_from(&scene, &Options { start: Start::WithoutVelocity(1.0), ..PLAIN }, &cold.impulses);
    assert!(failed.outcome.residual_max > 0.03, "{:?}", failed.outcome);
}

#[test]
fn a_solver_used_before_answers_like_a_new_one() {
    let mut random = Random(4);
    let mut used = Solver::default();
    for order in ORDERS {
        let (bodies, contacts) = (5 + random.index(20), random.index(60));
        let scene = Scene::random(&mut random, bodies, contacts);
        let options = Options { order, iterations: 5, ..PLAIN };
        let mut impulses = scene.no_impulses();
        let outcome = used.solve(&scene.problem(), &options, &mut impulses).expect("memory");
        let fresh = solve(&scene, &options);
        let Impulses { contacts: found, .. } = impulses;
        assert_eq!((outcome, found, used.velocities()), (fresh.outcome, fresh.impulses, &fresh.velocities[..]));
        assert_eq!(used.residuals().len(), contacts);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_impulse_is_in_its_cone(
        seed in any::<u64>(),
        bodies in 2_usize..20,
        contacts in 0_usize..50,
        sweeps in 1_u32..8,
        order in 0_usize..5,
        relaxation in 0.05_f64..1.95,
        factor in 0.0_f64..1.0,
        start in 0_usize..5,
    ) {
        let mut random = Random(seed);
        let scene = Scene::random(&mut random, bodies, contacts);
        let remembered: Vec<Impulse> = scene.contacts.iter().map(|contact| {
            let normal = random.between(0.0, 1.0);
            let tangential = contact.normal.cross(&random.direction()) * (contact.friction * normal);
            Impulse::force(normal, tangential)
        }).collect();
        let starts =
            [Start::Zero, Start::History(factor), Start::Normals(factor), Start::WithoutVelocity(factor), Start::Guarded];
        let options = Options { order: ORDERS[order], iterations: sweeps, relaxation, start: starts[start], ..PLAIN };
        let answer = solve_from(&scene, &options, &remembered);
        for (index, (contact, Impulse { normal, tangential, .. })) in scene.contacts.iter().zip(&answer.impulses).enumerate() {
            prop_assert!(normal.is_finite() && *normal >= 0.0, "contact {}: normal {}", index, normal);
            // Tangents are unit vectors to a few eps; a contact of immovable bodies keeps what it was given.
            let limit = contact.friction * normal * (1.0 + 1e-14);
            prop_assert!(tangential.norm() <= limit, "contact {}: {} above {}", index, tangential.norm(), limit);
            let tilt = tangential.dot(&contact.normal).abs();
            prop_assert!(tilt <= 1e-14 * (1.0 + normal), "contact {}: {} out of the tangent plane", index, tilt);
        }
    }
}

#[test]
fn rows_that_went_leave_nothing_behind() {
    // Two boxes beside each other, joined by a row, then by none, then by one again: the same bodies and contacts.
    let mut scene = box_on_floor(3.0, 0.5);
    let other = box_on_floor(-3.0, 0.5);
    scene.masses.extend_from_slice(&other.masses);
    scene.velocities.extend_from_slice(&other.velocities);
    scene.contacts.extend(other.contacts.iter().map(|contact| Contact { body_b: BodyRow(1), ..*contact }));
    let along = |sign: f64| Jacobian { linear: sign * Vec3::x(), angular: Vec3::zeros() };
    let row = Row {
        body_a: BodyRow(0),
        body_b: BodyRow(1),
        jacobian_a: along(-1.0),
        jacobian_b: along(1.0),
        rhs: 0.0,
        compliance: 0.0,
        lower: f64::NEG_INFINITY,
        upper: f64::INFINITY,
        friction_row: None,
        ball: None,
    };
    let mut used = Solver::default();
    for order in [Order::Colored, Order::Natural] {
        for joined in [true, false, false, true, true, false] {
            scene.rows = if joined { vec![row] } else { Vec::new() };
            let options = Options { order, ..PLAIN };
            let answer = |solver: &mut Solver| {
                let mut impulses = scene.no_impulses();
                let outcome = solver.solve(&scene.problem(), &options, &mut impulses).expect("memory");
                (outcome, impulses, solver.velocities().to_vec())
            };
            let found = answer(&mut used);
            assert_eq!(found, answer(&mut Solver::default()), "{order:?}, joined: {joined}");
            assert_eq!(found.0.islands, if joined { 1 } else { 2 });
        }
    }
}

#[test]
fn a_random_order_starts_equally_whether_the_rows_are_kept_or_rebuilt() {
    let scene = Scene::pyramid(4, 0.3, 0.0);
    let options = Options { order: Order::Random(5), start: Start::History(1.0), iterations: 7, ..PLAIN };
    let problem = scene.problem();
    let end = |takes: bool| {
        let (mut solver, mut impulses) = (Solver::default(), scene.no_impulses());
        for _ in 0..3 {
            solver.solve(&problem, &options, &mut impulses).expect("memory");
            if takes {
                // discards which bodies touch each other
                solver.take(&problem, &impulses).expect("memory");
            }
        }
        impulses
    };
    assert!(end(false) == end(true));
}
