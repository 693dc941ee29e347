//! Rows in sweeps: box friction and torques against closed forms, and every order at the same fixed point.

use super::random::{Random, Scene, plain, resisting};
use crate::math::{BodyRow, ContactId, RowId, Symmetric3, Vec3, tangents};
use crate::solver::problem::order::Order;
use crate::solver::problem::start::Start;
use crate::solver::problem::{Contact, Friction, Impulse, Impulses, OptionalTerms, Problem, Row, Velocity, box_rows};
use crate::solver::{Method, Options, Outcome, Solver, StickProjection};

const ORDERS: [Order; 4] = [Order::Colored, Order::Natural, Order::Symmetric, Order::Random(3)];

fn options(order: Order) -> Options {
    Options {
        method: Method::Pgs,
        order,
        iterations: 50,
        tolerance: 1e-14,
        relaxation: 1.0,
        start: Start::Zero,
        projection: StickProjection::Off,
        splits: false,
    }
}

fn solve(scene: &Scene, order: Order, iterations: u32) -> (Outcome, Impulses, Vec<Velocity>) {
    let options = Options { iterations, ..options(order) };
    let mut solver = Solver::default();
    let mut impulses = scene.no_impulses();
    let outcome = solver.solve(&scene.problem(), &options, &mut impulses).expect("memory");
    (outcome, impulses, solver.velocities().to_vec())
}

fn apart(one: &[Velocity], other: &[Velocity]) -> f64 {
    let differ = |(a, b): (&Velocity, &Velocity)| (a.linear - b.linear).norm().max((a.angular - b.angular).norm());
    one.iter().zip(other).map(differ).fold(0.0, f64::max)
}

/// A ball of 2 kg and radius 1/2 m on the world with `velocity`; it touches along z.
fn ball(velocity: Velocity, contact: Contact) -> Scene {
    let mut scene = Scene::default();
    scene.sphere(2.0, 0.5, velocity);
    scene.contacts.push(Contact { arm_b: -0.5 * Vec3::z(), ..contact });
    scene
}

#[test]
fn box_friction_of_one_contact_is_its_closed_form() {
    // D_n = 1/2; with r^2 / I = 1 / (0.4 m) = 5/4, D_t = 1/2 + 5/4 = 7/4. Falling with 1: lambda_n = 2, and the bound
    // is 1 along either tangent (x and y): 7/4 of sliding velocity along x need 1, 7 along y need 4.
    let linear = Vec3::new(1.75, 7.0, -1.0);
    let contact = Contact { friction: 0.5, ..plain(BodyRow::NONE, BodyRow(0), Vec3::z()) };
    let mut scene = ball(Velocity { linear, angular: Vec3::zeros() }, contact);
    scene.friction = Friction::Box;
    for order in ORDERS {
        let (outcome, impulses, velocities) = solve(&scene, order, 20);
        let Impulse { normal, tangential } = impulses.contacts[0];
        assert!((normal - 2.0).abs() <= 1e-15, "{order:?}: {normal}");
        assert!((tangential - Vec3::new(-1.0, -1.0, 0.0)).norm() <= 4e-15, "{order:?}: {tangential}");
        assert_eq!(impulses.torque(ContactId(0)), Vec3::zeros());
        // v = (1.75 - 1/2, 7 - 1/2, 0); the point at -r z: I w = -r z x f, w = 2.5 (z x f) (-1) of f / m r ...
        assert!((velocities[0].linear - Vec3::new(1.25, 6.5, 0.0)).norm() <= 4e-15, "{order:?}: {velocities:?}");
        let point = velocities[0].at(&(-0.5 * Vec3::z()));
        assert!((point - Vec3::new(0.0, 5.25, 0.0)).norm() <= 1e-14, "{order:?}: {point}");
        assert!(outcome.residual_max <= 1e-14, "{order:?}: {outcome:?}");
    }
    // Coulomb's cone takes it against the sliding: not along the diagonal.
    scene.friction = Friction::Coulomb;
    let (_, impulses, _) = solve(&scene, Order::Natural, 20);
    assert!((impulses.contacts[0].tangential.norm() - 1.0).abs() <= 1e-14);
}

#[test]
fn a_box_contact_has_its_bounds_along_the_tangents_and_its_conveyor() {
    let mut random = Random(1);
    for _ in 0..200 {
        let contact = Contact {
            arm_a: random.vector(1.0),
            arm_b: random.vector(1.0),
            normal_bias: 0.5,
            friction: 0.75,
            ..plain(BodyRow(0), BodyRow(1), random.direction())
        };
        let optional = OptionalTerms {
            surface_velocity: random.vector(1.0),
            normal_compliance: 0.25,
            tangential_compliance: 0.125,
            turning_compliance: 0.25,
            rolling: 0.5,
            twisting: 0.375,
        };
        let velocities = [0, 1].map(|_| Velocity { linear: random.vector(1.0), angular: random.vector(1.0) });
        let lambda = Impulse::force(2.0, contact.normal.cross(&random.vector(1.0)));
        let rows: Vec<Row> = box_rows(&contact, &optional).collect();
        let (t1, t2) = tangents(&contact.normal);
        let (w_n, w_t) = contact.defect(&contact.relative_velocity(&velocities[0], &velocities[1]), &lambda, &optional);
        let spin = velocities[1].angular - velocities[0].angular;
        let values = [2.0, t1.dot(&lambda.tangential), t2.dot(&lambda.tangential), 0.0, 0.0, 0.0];
        let expected = [w_n, t1.dot(&w_t), t2.dot(&w_t), t1.dot(&spin), t2.dot(&spin), contact.normal.dot(&spin)];
        let bounds = [0.75, 0.75, 0.5, 0.5, 0.375];
        assert_eq!(rows.len(), 6);
        for (index, row) in rows.iter().enumerate() {
            let w = row.jacobian_a.dot(&velocities[0]) + row.jacobian_b.dot(&velocities[1]) - row.rhs;
            // Some ten products of numbers below 3.
            assert!((w + row.compliance * values[index] - expected[index]).abs() <= 1e-14, "row {index}");
            if index > 0 {
                assert_eq!((row.lower, row.upper), (-bounds[index - 1], bounds[index - 1]));
            }
        }
        assert_eq!((rows[0].lower, rows[0].upper), (0.0, f64::INFINITY));
        assert_eq!(box_rows(&contact, &OptionalTerms { rolling: 0.0, twisting: 0.0, ..optional }).count(), 3);
    }
}

/// A slab on four corners that slides along x and turns with a pull, and a ball that rolls on it.
fn slab_and_ball() -> Scene {
    let mut scene = Scene::default();
    let linear = Vec3::new(0.06, 0.0, -0.1);
    let slab = scene.body(2.0, Symmetric3::diagonal([0.7, 0.7, 1.3]), Velocity { linear, angular: Vec3::zeros() });
    for (x, y) in [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)] {
        let arm_b = Vec3::new(x, y, -0.25);
        scene.contacts.push(Contact { arm_b, friction: 0.5, ..plain(BodyRow::NONE, slab, Vec3::z()) });
    }
    let falling = Velocity { linear: Vec3::new(0.0, 0.3, -0.1), angular: Vec3::new(-0.7, 0.0, 0.2) };
    let ball = scene.sphere(0.5, 0.25, falling);
    let (arm_a, arm_b) = (Vec3::new(0.1, 0.2, 0.25), -0.25 * Vec3::z());
    let contact = Contact { arm_a, arm_b, friction: 0.4, ..plain(slab, ball, Vec3::z()) };
    scene.add(contact, resisting(0.02, 0.01));
    scene
}

#[test]
fn visits_of_every_order_reach_the_same_fixed_point() {
    for friction in [Friction::Coulomb, Friction::Box] {
        let mut scene = slab_and_ball();
        scene.friction = friction;
        let (outcome, impulses, natural) = solve(&scene, Order::Natural, 50_000);
        assert!(outcome.residual_max <= 1e-14, "{friction:?}: {outcome:?}");
        assert!(impulses.torque(ContactId(4)).norm() > 1e-5, "the ball is not held back: {impulses:?}");
        for order in ORDERS {
            let (outcome, _, velocities) = solve(&scene, order, 50_000);
            assert!(outcome.residual_max <= 1e-14, "{friction:?}, {order:?}: {outcome:?}");
            // The residual bounds the error of the velocities up to the condition of the contacts, some 100.
            let apart = apart(&velocities, &natural);
            assert!(apart <= 1e-12, "{friction:?}, {order:?}: {apart:e}");
        }
    }
}

#[test]
fn box_contacts_and_the_same_rows_handed_over_give_the_same_velocities() {
    let mut scene = slab_and_ball();
    scene.friction = Friction::Box;
    let mut rows = Scene { masses: scene.masses.clone(), velocities: scene.velocities.clone(), ..Scene::default() };
    // Normal rows behind the rows that they bound, as some legacy solvers have them.
    for (contact, optional) in &scene.wholes() {
        let mut own: Vec<Row> = box_rows(contact, optional).collect();
        let normal = RowId::from(rows.rows.len() + own.len() - 1);
        own.rotate_left(1);
        let last = own.len() - 1;
        own[..last].iter_mut().for_each(|row| row.friction_row = Some(normal));
        rows.rows.extend(own);
    }
    let (_, impulses, by_contacts) = solve(&scene, Order::Natural, 50_000);
    for order in ORDERS {
        let (outcome, of_rows, by_rows) = solve(&rows, order, 50_000);
        assert!(outcome.residual_max <= 1e-14, "{order:?}: {outcome:?}");
        assert!(apart(&by_contacts, &by_rows) <= 1e-12, "{order:?}: {:e}", apart(&by_contacts, &by_rows));
        // the ball's normal row is the last one
        let ball = of_rows.rows.last().expect("rows");
        assert!((ball - impulses.contacts[4].normal).abs() <= 1e-13, "{order:?}: {ball}");
    }
}

#[test]
fn a_ball_is_held_by_rolling_friction_or_rolls_off_with_what_is_left() {
    // v = (0.07, 0, -1) with m = 2, r = 1/2, I = 0.2: lambda_n = 2. Held, the floor gives the force -m v = -0.14 and the torque
    // that balances its moment 0.07: rolling 0.04 of 2 is enough, 0.03 is not.
    let velocity = Velocity { linear: Vec3::new(0.07, 0.0, -1.0), angular: Vec3::zeros() };
    let at = |rolling: f64| {
        let mut scene = ball(velocity, Contact { friction: 0.5, ..plain(BodyRow::NONE, BodyRow(0), Vec3::z()) });
        scene.optional_terms_of(0).rolling = rolling;
        solve(&scene, Order::Colored, 2000)
    };
    let (outcome, impulses, velocities) = at(0.04);
    assert!(outcome.residual_max <= 1e-14, "{outcome:?}");
    assert!(apart(&velocities, &[Velocity::ZERO]) <= 1e-13, "{velocities:?}");
    assert!((impulses.contacts[0].tangential - Vec3::new(-0.14, 0.0, 0.0)).norm() <= 1e-13, "{impulses:?}");
    // arm x f = (-r z) x (f x) = -r f y = 0.07 y
    assert!((impulses.torque(ContactId(0)) - Vec3::new(0.0, -0.07, 0.0)).norm() <= 1e-13, "{impulses:?}");
    // Rolling: v = r w; m (v - v0) = f, I w = -r f - 0.06: (m + I/r^2) v = m v0 - 0.06/r, 2.8 v = 0.02.
    let (outcome, impulses, velocities) = at(0.03);
    assert!(outcome.residual_max <= 1e-14, "{outcome:?}");
    let v = 0.02 / 2.8;
    let rolls = Velocity { linear: Vec3::new(v, 0.0, 0.0), angular: Vec3::new(0.0, 2.0 * v, 0.0) };
    assert!(apart(&velocities, &[rolls]) <= 1e-13, "{velocities:?}");
    assert!((impulses.torque(ContactId(0)) - Vec3::new(0.0, -0.06, 0.0)).norm() <= 1e-13, "{impulses:?}");
}

#[test]
fn a_hinge_of_rows_and_contacts_are_solved_together() {
    // Two slabs joined at a point by three bilateral rows, one of them on the floor: what is joined moves together.
    let mut scene = slab_and_ball();
    let velocity = Velocity { linear: Vec3::new(0.0, 0.5, -0.1), angular: Vec3::zeros() };
    let other = scene.body(1.0, Symmetric3::diagonal([0.1, 0.2, 0.3]), velocity);
    let (arm_a, arm_b) = (Vec3::new(1.5, 0.0, 0.0), Vec3::new(-0.5, 0.1, 0.0));
    for e in [Vec3::x(), Vec3::y(), Vec3::z()] {
        let contact = Contact { arm_a, arm_b, ..plain(BodyRow(0), other, e) };
        scene
            .rows
            .push(Row { lower: f64::NEG_INFINITY, ..box_rows(&contact, &OptionalTerms::NONE).next().expect("a row") });
    }
    for order in ORDERS {
        let (outcome, impulses, velocities) = solve(&scene, order, 50_000);
        assert!(outcome.islands == 1 && outcome.residual_max <= 1e-14, "{order:?}: {outcome:?}");
        let gap = velocities[other].at(&arm_b) - velocities[0].at(&arm_a);
        assert!(gap.norm() <= 1e-13, "{order:?}: {gap}");
        assert!(impulses.rows.iter().any(|lambda| lambda.abs() > 1e-3), "{impulses:?}");
    }
}

#[test]
fn a_solver_makes_the_torques_that_its_contacts_carry() {
    let velocity = Velocity { linear: Vec3::new(0.07, 0.0, -1.0), angular: Vec3::zeros() };
    let mut scene = ball(velocity, Contact { friction: 0.5, ..plain(BodyRow::NONE, BodyRow(0), Vec3::z()) });
    scene.optional_terms_of(0).rolling = 0.04;
    for order in ORDERS {
        for friction in [Friction::Coulomb, Friction::Box] {
            scene.friction = friction;
            let (_, expected, _) = solve(&scene, order, 10);
            let options = Options { iterations: 10, ..options(order) };
            // the caller need not have reserved memory for them
            let mut impulses = Impulses { contacts: vec![Impulse::ZERO], ..Impulses::default() };
            Solver::default().solve(&scene.problem(), &options, &mut impulses).expect("memory");
            assert_eq!(impulses, expected);
            assert!(impulses.torque(ContactId(0)).norm() > 1e-3, "{order:?}: {impulses:?}");
            // and where nothing resists any more there are none
            let problem = Problem { optional: &[], ..scene.problem() };
            Solver::default().solve(&problem, &options, &mut impulses).expect("memory");
            assert!(impulses.torques.is_empty(), "{impulses:?}");
        }
    }
}
