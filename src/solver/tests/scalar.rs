//! One scalar row against its closed form: bilateral, bounded, coupled; momentum, locks, relaxation.

use super::random::{Random, Scene, on_lines, plain, random_row, row_on_world};
use crate::math::lanes::Wide;
use crate::math::{BodyRow, ContactId, RowId, Symmetric3, Vec3};
use crate::solver::gauss_seidel::scalar::ScalarRow;
use crate::solver::problem::{Impulse, ImpulsiveWrench, Jacobian, MassInverse, OptionalTerms, Row, Velocity, box_rows};

/// A row along x for body 0 on the fixed world: `w = v_x + S lambda - rhs`.
fn along_x(rhs: f64, compliance: f64, bounds: [f64; 2]) -> Row {
    let along = |linear| Jacobian { linear, ..Jacobian::ZERO };
    row_on_world([along(-Vec3::x()), along(Vec3::x())], [rhs, compliance], bounds)
}

/// A body of 2 kg that moves along x with `speed`.
fn moving(speed: f64) -> Scene {
    let mut scene = Scene::default();
    let linear = Vec3::new(speed, 0.0, 0.0);
    scene.body(2.0, Symmetric3::diagonal([1.0; 3]), Velocity { linear, angular: Vec3::zeros() });
    scene
}

/// The impulse after one visit from `lambda`, the speed along x, and the square of the change in velocity.
fn visited(speed: f64, row: &Row, lambda: f64, scale: f64, relaxation: f64) -> (f64, f64, f64) {
    let scene = moving(speed);
    let (masses, mut velocities) = scene.with_world();
    let mut prepared = ScalarRow::new(&scene.problem(), row, RowId(0));
    prepared.lambda = lambda;
    let square = on_lines(&masses, &mut velocities, |bodies| prepared.relax(&masses, bodies, scale, relaxation));
    assert_eq!(velocities[1], Velocity::ZERO, "the fixed world");
    (prepared.lambda, velocities[0].linear.x, square)
}

const FREE: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];

#[test]
fn a_row_by_hand() {
    // D = 1/2: lambda = (rhs - v) / D. All exact.
    assert_eq!(visited(3.0, &along_x(1.0, 0.0, FREE), 0.0, 1.0, 1.0), (-4.0, 1.0, 4.0));
    // With S = 1/2, D = 1: lambda = -2, v = 3 - 1 = 2, and v + S lambda = 1 = rhs; the change counts with D.
    assert_eq!(visited(3.0, &along_x(1.0, 0.5, FREE), 0.0, 1.0, 1.0), (-2.0, 2.0, 4.0));
    // From lambda = 2, taken to be in the velocity: w = 3 - 1 + 1 = 3, and lambda = 2 - 3.
    assert_eq!(visited(3.0, &along_x(1.0, 0.5, FREE), 2.0, 1.0, 1.0), (-1.0, 1.5, 9.0));
    // Half of the way, and half beyond it.
    assert_eq!(visited(3.0, &along_x(1.0, 0.0, FREE), 0.0, 1.0, 0.5), (-2.0, 2.0, 1.0));
    assert_eq!(visited(3.0, &along_x(1.0, 0.0, FREE), 0.0, 1.0, 1.5), (-6.0, 0.0, 9.0));
}

#[test]
fn bounds_end_the_impulse_and_the_scale_multiplies_them() {
    assert_eq!(visited(3.0, &along_x(1.0, 0.0, [-1.0, 5.0]), 0.0, 1.0, 1.0).0, -1.0);
    assert_eq!(visited(-3.0, &along_x(1.0, 0.0, [-1.0, 5.0]), 0.0, 1.0, 1.0).0, 5.0);
    assert_eq!(visited(3.0, &along_x(1.0, 0.0, [0.0, f64::INFINITY]), 0.0, 1.0, 1.0), (0.0, 3.0, 0.0));
    assert_eq!(visited(3.0, &along_x(1.0, 0.0, [-1.0, 1.0]), 0.0, 2.0, 1.0).0, -2.0, "two times the bounds");
    assert_eq!(visited(3.0, &along_x(1.0, 0.0, [-1.0, 1.0]), -1.0, 0.25, 1.0).0, -0.25, "the scale fell");
    // Infinity times nothing is nothing, and what was carried is given back: v = 3 + 1/2.
    assert_eq!(visited(3.0, &along_x(1.0, 0.0, FREE), -1.0, 0.0, 1.0), (0.0, 3.5, 0.25));
    assert_eq!(visited(3.0, &along_x(1.0, 0.0, [-9.0, 9.0]), 0.0, 1.0, 1.9).0, -7.6, "relaxed: 1.9 * 4");
    assert_eq!(visited(3.0, &along_x(1.0, 0.0, [-5.0, 9.0]), 0.0, 1.0, 1.9).0, -5.0, "relaxed and bounded");
}

#[test]
fn a_visit_solves_any_row() {
    let mut random = Random(1);
    let (mut active, mut bounded) = (0, 0);
    for case in 0..500 {
        let scene = Scene::random(&mut random, 10, 0);
        let problem = scene.problem();
        let (masses, free) = scene.with_world();
        let (a, b) =
            (BodyRow::from(random.index(10)), if random.one_in(4) { BodyRow::NONE } else { random.index(10).into() });
        if a == b || !(problem.moves(a) || problem.moves(b)) {
            continue;
        }
        let row = random_row(&mut random, a, b);
        let block = row.block(problem.mass(a), problem.mass(b));
        if block < 1e-3 {
            continue; // locks leave next to nothing of it
        }
        let mut velocities = free.clone();
        let mut prepared = ScalarRow::new(&problem, &row, RowId(0));
        on_lines(&masses, &mut velocities, |bodies| prepared.relax(&masses, bodies, 1.0, 1.0));
        let lambda = prepared.lambda;
        let at = |body: BodyRow| &velocities[body.min(BodyRow(10))];
        let w = row.jacobian_a.dot(at(a)) + row.jacobian_b.dot(at(b)) - row.rhs + row.compliance * lambda;
        // Velocities of some m/s and impulses of up to 1e4: their sum vanishes to round-off, or the bound explains it.
        let tolerance = 1e-14 * (1.0 + 20.0 * lambda.abs());
        if lambda == row.lower {
            assert!(w >= -tolerance, "case {case}: {w:e}");
            bounded += 1;
        } else if lambda == row.upper {
            assert!(w <= tolerance, "case {case}: {w:e}");
            bounded += 1;
        } else {
            assert!(w.abs() <= tolerance && lambda > row.lower && lambda < row.upper, "case {case}: {w:e}");
            active += 1;
        }
    }
    assert!(active > 50 && bounded > 50, "{active} and {bounded}");
}

#[test]
fn impulses_carry_momentum_from_body_to_body() {
    let mut random = Random(2);
    for case in 0..200 {
        // What pushes along one line on two free bodies keeps their momentum, and the angular one about the origin.
        let mut scene = Scene::default();
        let places = [random.vector(1.0), random.vector(1.0)];
        for _ in places {
            let turn = random.rotation();
            let velocity = Velocity { linear: random.vector(1.0), angular: random.vector(1.0) };
            scene.body(random.magnitude(0.5, 2.0), Symmetric3::diagonal([1.0, 2.0, 2.5]).rotated(&turn), velocity);
        }
        let (point, e) = (random.vector(1.0), random.direction());
        let [arm_a, arm_b] = places.map(|place| point - place);
        let contact = crate::solver::Contact { arm_a, arm_b, normal_bias: -1.0, ..plain(BodyRow(0), BodyRow(1), e) };
        let row = Row {
            lower: f64::NEG_INFINITY,
            ..box_rows(&contact, &OptionalTerms::NONE).next().expect("the normal row")
        };
        let (masses, mut velocities) = scene.with_world();
        let momentum = |velocities: &[Velocity]| {
            let mut sums = (Vec3::zeros(), Vec3::zeros());
            for ((velocity, free), place) in velocities.iter().zip(&scene.free).zip(&places) {
                let (mass, inertia) = free.expect("a free body");
                sums.0 += mass * velocity.linear;
                sums.1 += place.cross(&(mass * velocity.linear)) + inertia.times(&velocity.angular);
            }
            sums
        };
        let before = momentum(&velocities);
        let mut prepared = ScalarRow::new(&scene.problem(), &row, RowId(0));
        on_lines(&masses, &mut velocities, |bodies| prepared.relax(&masses, bodies, 1.0, 1.0));
        let after = momentum(&velocities);
        assert!(prepared.lambda.abs() > 1e-6);
        // Inertias of up to 2.5 are inverted once; some ten roundings of momenta of some 3 N s.
        let error = (after.0 - before.0).norm().max((after.1 - before.1).norm());
        assert!(error <= 2e-14, "case {case}: {error:e}");
    }
}

#[test]
fn a_locked_axis_carries_nothing_and_does_nothing() {
    let mut scene = Scene::default();
    let velocity = Velocity { linear: Vec3::new(3.0, 5.0, 0.0), angular: Vec3::new(7.0, 0.0, 0.0) };
    scene.masses.push(MassInverse { linear: Vec3::new(0.0, 0.5, 0.5), angular: Symmetric3::default() });
    scene.free.push(None);
    scene.velocities.push(velocity);
    let (masses, mut velocities) = scene.with_world();
    let mut row = along_x(1.0, 0.0, FREE);
    let mut prepared = ScalarRow::new(&scene.problem(), &row, RowId(0));
    assert_eq!(on_lines(&masses, &mut velocities, |bodies| prepared.relax(&masses, bodies, 1.0, 1.0)), 0.0);
    assert_eq!((prepared.lambda, velocities[0]), (0.0, velocity));
    // Along x and y only y answers: D = 1/2, w = 3 + 5 - 1, lambda = -14, and v_y = 5 - 7.
    row.jacobian_b.linear = Vec3::new(1.0, 1.0, 0.0);
    let mut prepared = ScalarRow::new(&scene.problem(), &row, RowId(0));
    on_lines(&masses, &mut velocities, |bodies| prepared.relax(&masses, bodies, 1.0, 1.0));
    assert_eq!((prepared.lambda, velocities[0].linear), (-14.0, Vec3::new(3.0, -2.0, 0.0)));
}

#[test]
fn a_push_opens_a_row_by_its_target_and_never_pulls() {
    let scene = moving(0.0);
    let (masses, _) = scene.with_world();
    let prepared = ScalarRow::new(&scene.problem(), &along_x(9.0, 0.25, [0.0, f64::INFINITY]), RowId(0));
    let mut displacements = vec![Velocity::ZERO; 2];
    let mut multiplier = 0.0;
    let d = 2_f64.powi(-10);
    let mut push = |target: f64| {
        let push = |bodies: &mut [Wide]| prepared.push(&masses, bodies, target, &mut multiplier);
        let moved = on_lines(&masses, &mut displacements, push);
        (moved, displacements[0].linear.x)
    };
    // The compliance plays no part: the displacement is the target. 1/D - S is rounded once.
    let close = |found: (f64, f64), expected: (f64, f64)| {
        assert!((found.0 - expected.0).abs() <= 4e-16 * d && (found.1 - expected.1).abs() <= 4e-16 * d, "{found:?}");
    };
    close(push(d), (d, d));
    close(push(d), (0.0, d));
    close(push(-d), (d, 0.0));
    assert_eq!(push(-d), (0.0, 0.0), "nothing is pulled");
}

#[test]
fn a_contact_goes_into_its_box_rows_and_back() {
    let mut random = Random(3);
    let scene = Scene::random(&mut random, 5, 40);
    let mut all = 0;
    for (contact, optional) in &scene.wholes() {
        let optional = OptionalTerms { rolling: 0.5, twisting: 0.5, ..*optional };
        let force = Impulse::force(2.0, contact.normal.cross(&random.vector(1.0)));
        let given = ImpulsiveWrench { force, torque: random.vector(1.0) };
        let mut back = ImpulsiveWrench::ZERO;
        let problem = scene.problem();
        let (mass_a, mass_b) = (problem.mass(contact.body_a), problem.mass(contact.body_b));
        let moves = |row: &Row| row.block(mass_a, mass_b) > 0.0;
        all += usize::from(box_rows(contact, &optional).all(|row| moves(&row)));
        for (index, row) in box_rows(contact, &optional).enumerate() {
            let mut prepared = ScalarRow::new(&problem, &row, RowId(0));
            prepared.contact = if index == 0 { ContactId(7) } else { ContactId::NONE };
            prepared.set(&given);
            if !moves(&row) {
                // no sweep would bring it within its bounds
                assert_eq!(prepared.lambda, 0.0);
            }
            if index == 0 {
                back.force.normal = prepared.lambda;
            } else {
                prepared.add_to(&mut back);
            }
        }
        if box_rows(contact, &optional).any(|row| !moves(&row)) {
            continue;
        }
        assert_eq!(back.force.normal, 2.0);
        // Tangents orthonormal to a few eps.
        let error = (back.force.tangential - force.tangential).norm().max((back.torque - given.torque).norm());
        assert!(error <= 4e-15, "{back:?} from {given:?}");
    }
    assert!(all > 0, "some contacts move along all rows");
}
