//! Rows beside contacts: levers on hinges, a door, compliances and bounds with forces worked out by hand, and random problems against a dense
//! solve.

use nalgebra::{DMatrix, DVector};

use crate::math::{BodyRow, RowId, Vec3};
use crate::solver::compatibility::{Corrected, Elastic, Form, StiffContacts};
use crate::solver::problem::{Contact, Impulse, Impulses, Jacobian, Row, Velocity};
use crate::solver::solve::Solver;
use crate::solver::tests::compatibility::small::beam;
use crate::solver::tests::compatibility::{HERTZ, HOOKE, TOLERANCE, largest};
use crate::solver::tests::random::{Random, Scene, plain};

const FREE: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];

/// A row on a body that moves against the world.
fn row(body: BodyRow, linear: Vec3, angular: Vec3) -> Row {
    Row {
        body_a: BodyRow::NONE,
        body_b: body,
        jacobian_a: Jacobian::ZERO,
        jacobian_b: Jacobian { linear, angular },
        rhs: 0.0,
        compliance: 0.0,
        lower: FREE[0],
        upper: FREE[1],
        friction_row: None,
        ball: None,
    }
}

/// The rows of a hinge at a point of body 0: along x, y and z, then about x and z.
fn hinge(arm: Vec3) -> [Row; 5] {
    let [x, y, z] = [Vec3::x(), Vec3::y(), Vec3::z()];
    let along = |axis: Vec3| row(BodyRow(0), axis, arm.cross(&axis));
    let about = |axis: Vec3| row(BodyRow(0), Vec3::zeros(), axis);
    [along(x), along(y), along(z), about(x), about(z)]
}

/// A lever of weight 10 and length 2 on a hinge at its end, over supports at 0.7 and 1.6 from there.
fn lever() -> Scene {
    let mut scene = beam(10.0, &[-0.3, 0.6]);
    scene.rows.extend(hinge(Vec3::new(-1.0, 0.0, -0.1)));
    scene
}

/// These normal impulses and impulses of rows.
fn impulses(normals: &[f64], rows: &[f64]) -> Impulses {
    let contacts = normals.iter().map(|normal| Impulse::force(*normal, Vec3::zeros())).collect();
    Impulses { contacts, torques: Vec::new(), rows: rows.to_vec() }
}

/// Corrects impulses that balance the load of a scene; checks that the answer is in balance too.
fn solved(scene: &Scene, given: &Impulses, stiffness: &[f64], exponent: f64, form: Form) -> (Corrected, Impulses) {
    let problem = scene.problem();
    let mut solver = Solver::default();
    solver.take(&problem, given).expect("memory");
    let elastic = Elastic { exponent, form, ratio: 2.0 / 7.0, tolerance: TOLERANCE, closing: 1e-9, touching: 0.0 };
    let (mut displacements, mut found) = (Vec::new(), Impulses::default());
    let input = StiffContacts { impulses: given, stiffness, openings: &[] };
    let report = solver.correct(&problem, input, &elastic, &mut displacements, &mut found).expect("memory");
    assert_eq!((report.infeasible, report.unconverged), (0, 0), "{report:?}");
    let (before, after) = (resultants(scene, given), resultants(scene, &found));
    // torques count by the longest arm, which is below 2 in these tests
    assert!((before.clone() - after).amax() <= 2.0 * TOLERANCE * before.norm(), "{:?}", found.rows);
    (report, found)
}

/// Hooke's law without friction.
fn hooke(scene: &Scene, given: &Impulses, stiffness: &[f64]) -> (Corrected, Vec<f64>, Vec<f64>) {
    let (report, found) = solved(scene, given, stiffness, HOOKE, Form::Normal);
    (report, found.contacts.iter().map(|impulse| impulse.normal).collect(), found.rows)
}

/// Force and torque on every body.
fn resultants(scene: &Scene, impulses: &Impulses) -> DVector<f64> {
    let mut sum = DVector::zeros(6 * scene.masses.len());
    let mut add = |body: BodyRow, force: Vec3, torque: Vec3| {
        if body != BodyRow::NONE {
            let mut part = sum.rows_mut(6 * body.index(), 6);
            part += DVector::from_iterator(6, force.iter().chain(torque.iter()).copied());
        }
    };
    for (contact, impulse) in scene.contacts.iter().zip(&impulses.contacts) {
        let force = impulse.vector(&contact.normal);
        add(contact.body_a, -force, contact.arm_a.cross(&-force));
        add(contact.body_b, force, contact.arm_b.cross(&force));
    }
    for (row, impulse) in scene.rows.iter().zip(&impulses.rows) {
        add(row.body_a, *impulse * row.jacobian_a.linear, *impulse * row.jacobian_a.angular);
        add(row.body_b, *impulse * row.jacobian_b.linear, *impulse * row.jacobian_b.angular);
    }
    sum
}

fn assert_near(found: &[f64], expected: &[f64], bound: f64) {
    assert_eq!(found.len(), expected.len());
    let errors: Vec<f64> = found.iter().zip(expected).map(|(a, b)| a - b).collect();
    assert!(largest(&errors) <= bound, "{found:?} for {expected:?}");
}

/// Supports at `x` give by `angle x`, so they carry `W (l/2) x / sum x^2`, however the solver shared the load. By Hertz' law they carry as
/// `x^1.5`.
#[test]
fn lever_on_a_hinge() {
    let scene = lever();
    let sum = 0.7 * 0.7 + 1.6 * 1.6;
    for [first, second] in [[0.0, 6.25], [2.0, 5.375], [1e-3, 6.25 - 0.7e-3 / 1.6]] {
        let given = impulses(&[first, second], &[0.0, 0.0, 10.0 - first - second, 0.0, 0.0]);
        let (report, contacts, rows) = hooke(&scene, &given, &[1.0; 2]);
        assert_near(&contacts, &[7.0 / sum, 16.0 / sum], 1e-10);
        assert_near(&rows, &[0.0, 0.0, 10.0 - 23.0 / sum, 0.0, 0.0], 1e-10);
        assert_eq!(report.undetermined, 0, "{report:?}");
        let (_, found) = solved(&scene, &given, &[1.0; 2], HERTZ, Form::Normal);
        let share = 10.0 / (0.7_f64.powf(2.5) + 1.6_f64.powf(2.5));
        let contacts: Vec<f64> = found.contacts.iter().map(|impulse| impulse.normal).collect();
        assert_near(&contacts, &[share * 0.7_f64.powf(1.5), share * 1.6_f64.powf(1.5)], 1e-10);
        let (_, found) = solved(&scene, &given, &[1.0; 2], 1.5, Form::Normal);
        let share = 10.0 / (0.7_f64.powf(1.5) + 1.6_f64.powf(1.5));
        let contacts: Vec<f64> = found.contacts.iter().map(|impulse| impulse.normal).collect();
        assert_near(&contacts, &[share * 0.7_f64.sqrt(), share * 1.6_f64.sqrt()], 1e-9);
    }
}

#[test]
fn order_does_not_matter() {
    let mut scene = lever();
    let given = impulses(&[2.0, 5.375], &[0.0, 0.0, 2.625, 0.0, 0.0]);
    let (_, contacts, rows) = hooke(&scene, &given, &[1.0, 3.0]);
    scene.contacts.reverse();
    scene.rows.reverse();
    let given = impulses(&[5.375, 2.0], &[0.0, 0.0, 2.625, 0.0, 0.0]);
    let (_, mut turned_contacts, mut turned_rows) = hooke(&scene, &given, &[3.0, 1.0]);
    turned_contacts.reverse();
    turned_rows.reverse();
    assert_near(&turned_contacts, &contacts, 1e-10);
    assert_near(&turned_rows, &rows, 1e-10);
}

/// Rows may be given in any unit.
#[test]
fn scale_of_rows_does_not_matter() {
    let mut scene = lever();
    for (row, factor) in scene.rows.iter_mut().zip([1e3, 1e-3, 50.0, 1e4, 1e-2]) {
        row.jacobian_b.linear *= factor;
        row.jacobian_b.angular *= factor;
    }
    let given = impulses(&[0.0, 6.25], &[0.0, 0.0, 3.75 / 50.0, 0.0, 0.0]);
    let (report, contacts, rows) = hooke(&scene, &given, &[1.0; 2]);
    let sum = 0.7 * 0.7 + 1.6 * 1.6;
    assert_near(&contacts, &[7.0 / sum, 16.0 / sum], 1e-10);
    assert_near(&[50.0 * rows[2]], &[10.0 - 23.0 / sum], 1e-10);
    assert_eq!(report.undetermined, 0, "{report:?}");
}

/// A body of weight 60 that hangs in three hinges one above the other, all of it in the first one: 15 rows of rank 5.
fn door(order: [usize; 3]) -> (Scene, Impulses) {
    let mut scene = Scene::default();
    let falling = Velocity { linear: -60.0 * Vec3::z(), angular: Vec3::zeros() };
    scene.body(1.0, crate::math::Symmetric3::diagonal([0.5, 0.4, 0.3]), falling);
    let mut rows = Vec::new();
    for hinge in order {
        let arm = Vec3::new(-0.4, 0.0, [0.7, 0.1, -0.8][hinge]);
        // the axis is z: along x, y, z, and about x and y
        for axis in [Vec3::x(), Vec3::y(), Vec3::z()] {
            scene.rows.push(row(BodyRow(0), axis, arm.cross(&axis)));
        }
        for axis in [Vec3::x(), Vec3::y()] {
            scene.rows.push(row(BodyRow(0), Vec3::zeros(), axis));
        }
        // a weight beside the hinge bends it about y
        rows.extend(if hinge == 0 { [0.0, 0.0, 60.0, 0.0, -24.0] } else { [0.0; 5] });
    }
    (scene, impulses(&[], &rows))
}

#[test]
fn door_on_three_hinges() {
    let (scene, given) = door([0, 1, 2]);
    let (report, _, rows) = hooke(&scene, &given, &[]);
    assert!(rows.iter().all(|row| row.is_finite()), "{rows:?}");
    assert!((rows[2] + rows[7] + rows[12] - 60.0).abs() <= 60.0 * 1e-12, "{rows:?}");
    // none carries all of it
    assert!(largest(&[rows[2], rows[7], rows[12]]) < 30.0, "{rows:?}");
    assert_eq!(report.undetermined, 1);
    for order in [[2, 0, 1], [1, 0, 2], [2, 1, 0]] {
        let (scene, given) = door(order);
        let (_, _, turned) = hooke(&scene, &given, &[]);
        for (place, hinge) in order.into_iter().enumerate() {
            assert_near(&turned[5 * place..][..5], &rows[5 * hinge..][..5], 60.0 * 1e-9);
        }
    }
}

/// A spring row of compliance 1/2 and a contact of stiffness 3 sink alike: `C g = f / 3`, so of 10 the row carries 4.
#[test]
fn compliance_is_a_share() {
    let mut scene = beam(10.0, &[0.0]);
    scene.rows.extend(hinge(Vec3::zeros()));
    scene.rows[2].compliance = 0.5;
    for (contact, spring) in [(10.0, 0.0), (1.0, 9.0)] {
        let given = impulses(&[contact], &[0.0, 0.0, spring, 0.0, 0.0]);
        let (report, contacts, rows) = hooke(&scene, &given, &[3.0]);
        assert_near(&contacts, &[6.0], 1e-10);
        assert_near(&rows, &[0.0, 0.0, 4.0, 0.0, 0.0], 1e-10);
        assert_eq!(report.undetermined, 0, "{report:?}");
        // both ten times as stiff share alike
        scene.rows[2].compliance = 0.05;
        let (_, contacts, _) = hooke(&scene, &given, &[30.0]);
        assert_near(&contacts, &[6.0], 1e-10);
        scene.rows[2].compliance = 0.5;
    }
}

/// A rigid stop beside an elastic support carries all, up to its bound; the support carries the rest.
#[test]
fn bounds_are_kept() {
    for (upper, stop) in [(f64::INFINITY, 6.25), (3.0, 3.0)] {
        let mut scene = beam(10.0, &[-0.3]);
        scene.rows.extend(hinge(Vec3::new(-1.0, 0.0, -0.1)));
        let arm = Vec3::new(0.6, 0.0, -0.1);
        scene.rows.push(Row { lower: 0.0, upper, ..row(BodyRow(0), Vec3::z(), arm.cross(&Vec3::z())) });
        let support = (10.0 - 1.6 * stop) / 0.7;
        let given = impulses(&[10.0 / 0.7 - 1.6 * 2.0 / 0.7], &[0.0, 0.0, 8.0 - 6.8 / 0.7, 0.0, 0.0, 2.0]);
        let (report, contacts, rows) = hooke(&scene, &given, &[1.0]);
        assert_near(&contacts, &[support], 1e-10);
        assert_near(&[rows[2], rows[5]], &[10.0 - stop - support, stop], 1e-10);
        assert_eq!(report.undetermined, 0, "{report:?}");
    }
}

/// A row that scales the bounds of another keeps its impulse, and so does that one.
#[test]
fn scaled_rows_are_load() {
    let mut scene = lever();
    let slide = row(BodyRow(0), Vec3::y(), Vec3::zeros());
    scene.rows.push(Row { lower: -0.5, upper: 0.5, friction_row: Some(RowId(2)), ..slide });
    let given = impulses(&[0.0, 6.25], &[0.0, 0.0, 3.75, 0.0, 0.0, 1e-3]);
    let (report, _, rows) = hooke(&scene, &given, &[1.0; 2]);
    assert_eq!((rows[2], rows[5]), (3.75, 1e-3));
    assert_eq!(report.undetermined, 1);
}

/// With friction forces do not depend on how the solver shared the load either.
#[test]
fn friction_beside_a_hinge() {
    let mut scene = lever();
    scene.contacts.iter_mut().for_each(|contact| contact.friction = 0.3);
    for form in [Form::Associated, Form::Elastic] {
        let mut first = None;
        for [near, far] in [[0.0, 6.25], [2.0, 5.375]] {
            let given = impulses(&[near, far], &[0.0, 0.0, 10.0 - near - far, 0.0, 0.0]);
            let (report, found) = solved(&scene, &given, &[1.0; 2], HOOKE, form);
            assert_eq!((report.undetermined, report.associated), (0, 0), "{form:?}: {report:?}");
            let normals: Vec<f64> = found.contacts.iter().map(|impulse| impulse.normal).collect();
            let (contacts, rows) = first.get_or_insert_with(|| (normals.clone(), found.rows.clone()));
            assert_near(&normals, contacts, 1e-9);
            assert_near(&found.rows, rows, 1e-9);
        }
    }
}

/// Bodies in a row, with contacts and rows between neighbours and with the world.
fn mixed(random: &mut Random, bodies: usize, contacts: usize, rows: usize) -> (Scene, Impulses, Vec<f64>) {
    let mut scene = Scene::default();
    for _ in 0..bodies {
        scene.body(1.0, crate::math::Symmetric3::diagonal([0.5, 0.4, 0.3]), Velocity::ZERO);
    }
    let pair = |random: &mut Random| match random.index(2 * bodies - 1) {
        at if at < bodies => [BodyRow::NONE, at.into()],
        at => [at - bodies, at - bodies + 1].map(BodyRow::from),
    };
    for _ in 0..contacts {
        let [body_a, body_b] = pair(random);
        let contact = plain(body_a, body_b, random.direction());
        scene.contacts.push(Contact { arm_a: random.vector(1.0), arm_b: random.vector(1.0), ..contact });
    }
    for _ in 0..rows {
        let [body_a, body_b] = pair(random);
        let side = |random: &mut Random| Jacobian { linear: random.vector(1.0), angular: random.vector(1.0) };
        let [jacobian_a, jacobian_b] = [side(random), side(random)];
        let compliance = if random.one_in(3) { random.magnitude(0.01, 10.0) } else { 0.0 };
        let all = row(body_b, Vec3::zeros(), Vec3::zeros());
        scene.rows.push(Row { body_a, jacobian_a, jacobian_b, compliance, ..all });
    }
    let normals: Vec<f64> = (0..contacts).map(|_| random.between(0.0, 2.0)).collect();
    let carried: Vec<f64> = (0..rows).map(|_| random.between(-3.0, 3.0)).collect();
    let stiffness = (0..contacts).map(|_| random.magnitude(0.3, 3.0)).collect();
    (scene, impulses(&normals, &carried), stiffness)
}

/// One column for each contact or row: its resultants for an impulse of one.
fn columns(scene: &Scene, normals: bool) -> DMatrix<f64> {
    let (contacts, rows) = (scene.contacts.len(), scene.rows.len());
    let count = if normals { contacts } else { rows };
    let unit = |count: usize, one: usize| (0..count).map(|k| f64::from(u8::from(k == one))).collect::<Vec<f64>>();
    let column = |k: usize| match normals {
        true => resultants(scene, &impulses(&unit(contacts, k), &vec![0.0; rows])),
        false => resultants(scene, &impulses(&vec![0.0; contacts], &unit(rows, k))),
    };
    DMatrix::from_columns(&(0..count).map(column).collect::<Vec<_>>())
}

/// Compares with the forces of `[G^T k G, J^T; J, -C]` of the contacts that carry. These are to press on no contact that does not carry. Returns
/// how many contacts lift off.
fn check_dense(scene: &Scene, given: &Impulses, stiffness: &[f64], bound: f64) -> usize {
    let (_, forces, multipliers) = hooke(scene, given, stiffness);
    let (normals, rows) = (columns(scene, true), columns(scene, false));
    let (size, count) = (normals.nrows(), rows.ncols());
    let carries = |k: usize| if forces[k] > 0.0 { stiffness[k] } else { 0.0 };
    let weights = DMatrix::from_diagonal(&DVector::from_fn(forces.len(), |k, _| carries(k)));
    let mut matrix = DMatrix::zeros(size + count, size + count);
    matrix.view_mut((0, 0), (size, size)).copy_from(&(&normals * &weights * normals.transpose()));
    matrix.view_mut((0, size), (size, count)).copy_from(&-&rows);
    matrix.view_mut((size, 0), (count, size)).copy_from(&-rows.transpose());
    for (k, row) in scene.rows.iter().enumerate() {
        matrix[(size + k, size + k)] = -row.compliance;
    }
    let mut right = DVector::zeros(size + count);
    // the load is minus what the contacts make of a displacement, plus the rows
    right.rows_mut(0, size).copy_from(&-resultants(scene, given));
    let answer = matrix.svd(true, true).solve(&right, 1e-11).expect("both factors");
    let pressed = -normals.transpose() * answer.rows(0, size);
    for (k, force) in forces.iter().enumerate() {
        let expected = stiffness[k] * pressed[k].max(0.0);
        assert!((force - expected).abs() <= bound, "contact {k}: {force} for {expected}");
    }
    assert_near(&multipliers, answer.rows(size, count).as_slice(), bound);
    forces.iter().filter(|force| **force == 0.0).count()
}

#[test]
fn random_problems_against_a_dense_solve() {
    let mut random = Random(71);
    let mut open = 0;
    for _ in 0..60 {
        let count = 1 + random.index(7);
        let (scene, given, stiffness) = mixed(&mut random, 3, 20, count);
        open += check_dense(&scene, &given, &stiffness, 1e-9);
    }
    assert!(open > 60, "{open} contacts lift off");
}

#[test]
fn the_order_of_random_problems_does_not_matter() {
    let mut random = Random(73);
    for _ in 0..30 {
        let (mut scene, mut given, mut stiffness) = mixed(&mut random, 3, 20, 5);
        let (_, contacts, rows) = hooke(&scene, &given, &stiffness);
        scene.contacts.reverse();
        scene.rows.reverse();
        given.contacts.reverse();
        given.rows.reverse();
        stiffness.reverse();
        let (_, mut turned_contacts, mut turned_rows) = hooke(&scene, &given, &stiffness);
        turned_contacts.reverse();
        turned_rows.reverse();
        assert_near(&turned_contacts, &contacts, 1e-10);
        assert_near(&turned_rows, &rows, 1e-10);
    }
}

/// Seventy bodies in a row are beyond the matrices that are factored whole.
#[test]
fn a_long_row_of_bodies_against_a_dense_solve() {
    let (scene, given, stiffness) = mixed(&mut Random(79), 70, 500, 30);
    check_dense(&scene, &given, &stiffness, 1e-9);
}

/// Rows alone carry what they carried, in every form.
#[test]
fn rows_without_contacts() {
    let mut scene = Scene::default();
    let body = scene.body(1.0, crate::math::Symmetric3::diagonal([1.0; 3]), Velocity::ZERO);
    scene.rows.push(row(body, Vec3::x(), Vec3::zeros()));
    for form in [Form::Normal, Form::Associated, Form::Elastic] {
        let (_, found) = solved(&scene, &impulses(&[], &[10.0]), &[], HOOKE, form);
        assert_eq!(found.rows, [10.0]);
    }
}
