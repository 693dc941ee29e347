//! Scalar rows in the position pass: errors undone, joints that stay whole while contacts open, and the same bits in every way of sweeping.

use std::sync::Arc;

use nalgebra::{DMatrix, DVector};

use super::random::{Random, Scene, plain, to_lanes};
use crate::math::lanes::{Level, Wide};
use crate::math::{BodyRow, RowId, Symmetric3, Vec3};
use crate::solver::problem::order::Order;
use crate::solver::problem::start::Start;
use crate::solver::problem::{Contact, Jacobian, Row, Velocity};
use crate::solver::{Method, Options, PositionRows, RowTarget, Solver, StickProjection};
use crate::tasks::{Pool, Serial, Tasks};

const FREE: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];

/// A row between two bodies along an axis, at arms.
fn row([body_a, body_b]: [BodyRow; 2], axis: Vec3, [arm_a, arm_b]: [Vec3; 2], [lower, upper]: [f64; 2]) -> Row {
    Row {
        body_a,
        body_b,
        jacobian_a: Jacobian { linear: -axis, angular: -arm_a.cross(&axis) },
        jacobian_b: Jacobian { linear: axis, angular: arm_b.cross(&axis) },
        rhs: 0.0,
        compliance: 0.0,
        lower,
        upper,
        friction_row: None,
        ball: None,
    }
}

/// The rows of a ball joint.
fn joint(pair: [BodyRow; 2], arms: [Vec3; 2]) -> [Row; 3] {
    [Vec3::x(), Vec3::y(), Vec3::z()].map(|axis| row(pair, axis, arms, FREE))
}

/// What the position pass does after a solve without sweeps.
struct Pass {
    order: Order,
    level: Level,
    tasks: Arc<dyn Tasks>,
}

impl Pass {
    fn plain() -> Self {
        Self { order: Order::Natural, level: Level::best(), tasks: Arc::new(Serial) }
    }

    /// The displacements, from these targets of contacts and rows; the multipliers of the rows are given and found.
    fn run(self, scene: &Scene, opens: &[f64], targets: &[RowTarget], multipliers: &mut [f64]) -> Vec<Velocity> {
        let options = Options {
            method: Method::Pgs,
            order: self.order,
            iterations: 0,
            tolerance: 0.0,
            relaxation: 1.0,
            start: Start::Zero,
            projection: StickProjection::Off,
            splits: false,
        };
        let (mut solver, mut impulses) = (Solver::with_tasks(self.tasks), scene.no_impulses());
        solver.solve(&scene.problem(), &options, &mut impulses).expect("memory");
        solver.rows.set_level(self.level);
        impulses.rows.iter_mut().for_each(|lambda| *lambda = 0.25);
        solver.rows.set_scalars(&impulses);
        let opens = to_lanes(solver.lanes(), opens);
        let mut column = vec![Wide::splat(0.0); solver.lanes().len()];
        let position_rows = PositionRows { targets, multipliers };
        solver.project_positions(&scene.masses, &opens, &mut column, position_rows, 0.0).expect("memory");
        // impulses are what they were
        for row in RowId::range(0..scene.rows.len()) {
            assert_eq!(solver.rows.row_impulse(row), 0.25);
        }
        solver.displacements()
    }
}

/// `J dq` of a row.
fn along(row: &Row, found: &[Velocity]) -> f64 {
    let of =
        |body: BodyRow, jacobian: &Jacobian| found.get(body.index()).map_or(0.0, |velocity| jacobian.dot(velocity));
    of(row.body_a, &row.jacobian_a) + of(row.body_b, &row.jacobian_b)
}

/// Balls of 1 and 3 kg joined at their centres by three rows.
fn pair() -> Scene {
    let mut scene = Scene::default();
    let (light, heavy) = (scene.sphere(1.0, 0.5, Velocity::ZERO), scene.sphere(3.0, 0.5, Velocity::ZERO));
    scene.rows.extend(joint([light, heavy], [Vec3::zeros(); 2]));
    scene
}

#[test]
fn an_error_is_undone_in_proportion_to_inverse_masses() {
    let (scene, error) = (pair(), 1e-3);
    let mut multipliers = [0.0; 3];
    let targets = [RowTarget::Hold(error), RowTarget::Hold(0.0), RowTarget::Free];
    let found = Pass::plain().run(&scene, &[], &targets, &mut multipliers);
    assert!((along(&scene.rows[0], &found) - error).abs() <= 1e-15 * error.abs().max(1.0));
    assert!((found[0].linear + 0.75 * error * Vec3::x()).norm() <= 1e-18, "{found:?}");
    assert!((found[1].linear - 0.25 * error * Vec3::x()).norm() <= 1e-18, "{found:?}");
    assert!((multipliers[0] - 0.75 * error).abs() <= 1e-18, "{multipliers:?}");
    assert_eq!((multipliers[1], multipliers[2]), (0.0, 0.0));
    // a pass that starts from its multipliers ends with them
    let before = multipliers;
    let again = Pass::plain().run(&scene, &[], &targets, &mut multipliers);
    assert!((along(&scene.rows[0], &again) - error).abs() <= 1e-18);
    assert!((multipliers[0] - before[0]).abs() <= 1e-18);
    // nothing to undo, and no targets
    assert!(Pass::plain().run(&scene, &[], &[RowTarget::Hold(0.0); 3], &mut [1.0; 3]).is_empty());
    assert!(Pass::plain().run(&scene, &[], &[], &mut []).is_empty());
}

#[test]
fn a_contact_opens_and_the_joint_stays_whole() {
    for order in [Order::Natural, Order::Colored] {
        let mut scene = pair();
        scene.rows.clear();
        let arms = [0.5 * Vec3::x(), Vec3::new(-0.5, 0.1, 0.0)];
        scene.rows.extend(joint([BodyRow(0), BodyRow(1)], arms));
        scene.contacts.push(Contact { arm_b: -0.5 * Vec3::z(), ..plain(BodyRow::NONE, BodyRow(0), Vec3::z()) });
        let pass = Pass { order, ..Pass::plain() };
        let found = pass.run(&scene, &[1e-3], &[RowTarget::Hold(0.0); 3], &mut [0.0; 3]);
        let opened = found[0].linear.z;
        assert!((opened - 1e-3).abs() <= 1e-2 * 1e-3, "{opened}");
        for row in &scene.rows {
            assert!(along(row, &found).abs() < 1e-12, "{found:?}");
        }
        assert!(found[1].linear.z > 5e-5, "the joint takes its other body along: {found:?}");
    }
}

#[test]
fn one_sided_rows_push_or_pull() {
    let cases = [
        (RowTarget::Push(1e-3), 1e-3),
        (RowTarget::Push(-1e-3), 0.0),
        (RowTarget::Pull(-1e-3), -1e-3),
        (RowTarget::Pull(1e-3), 0.0),
        (RowTarget::Hold(-2e-3), -2e-3),
        (RowTarget::Free, 0.0),
    ];
    for (target, expected) in cases {
        let mut scene = pair();
        scene.rows[0].lower = 0.0;
        // another row has something to undo
        let targets = [target, RowTarget::Hold(1e-3), RowTarget::Hold(0.0)];
        let mut multipliers = [0.0; 3];
        let found = Pass::plain().run(&scene, &[], &targets, &mut multipliers);
        assert!((along(&scene.rows[0], &found) - expected).abs() <= 1e-17, "{target:?}: {found:?}");
        assert_eq!(multipliers[0] == 0.0, expected == 0.0, "{target:?}");
        assert!((along(&scene.rows[1], &found) - 1e-3).abs() <= 1e-17);
    }
}

/// A row of another pair scales the bounds: these rows are in no block.
#[test]
fn rows_in_no_block_take_part() {
    let mut scene = pair();
    let other = scene.sphere(1.0, 0.5, Velocity::ZERO);
    let drag = row([BodyRow::NONE, other], Vec3::x(), [Vec3::zeros(); 2], [-0.5, 0.5]);
    scene.rows.push(Row { friction_row: Some(RowId(0)), ..drag });
    let targets = [RowTarget::Hold(1e-3), RowTarget::Hold(0.0), RowTarget::Hold(0.0), RowTarget::Free];
    let mut multipliers = [0.0; 4];
    let found = Pass::plain().run(&scene, &[], &targets, &mut multipliers);
    assert!((along(&scene.rows[0], &found) - 1e-3).abs() <= 1e-17, "{found:?}");
    assert!((multipliers[0] - 0.75e-3).abs() <= 1e-17 && multipliers[3] == 0.0, "{multipliers:?}");
}

/// Bodies of unlike inertia in a row.
fn bodies(random: &mut Random, count: usize) -> Scene {
    let mut scene = Scene::default();
    for _ in 0..count {
        let inertia = Symmetric3::diagonal([1.0, 2.0, 2.5]).rotated(&random.rotation());
        scene.body(random.magnitude(0.5, 2.0), inertia, Velocity::ZERO);
    }
    scene
}

#[test]
fn one_block_is_solved_exactly() {
    let mut random = Random(3);
    for case in 0..200 {
        let mut scene = bodies(&mut random, 2);
        let count = 1 + case % 6;
        for _ in 0..count {
            let arms = [random.vector(1.0), random.vector(1.0)];
            scene.rows.push(row([BodyRow(0), BodyRow(1)], random.direction(), arms, FREE));
        }
        let errors: Vec<f64> = (0..count).map(|_| random.between(-1e-3, 1e-3)).collect();
        let targets: Vec<RowTarget> = errors.iter().map(|error| RowTarget::Hold(*error)).collect();
        let mut multipliers = vec![0.0; count];
        let found = Pass::plain().run(&scene, &[], &targets, &mut multipliers);
        let response = |row: &Row, other: &Row| {
            [(0, &row.jacobian_a, &other.jacobian_a), (1, &row.jacobian_b, &other.jacobian_b)]
                .into_iter()
                .map(|(body, own, other)| {
                    let mut moved = Velocity::ZERO;
                    scene.masses[body].apply(&mut moved, &other.linear, &other.angular);
                    own.dot(&moved)
                })
                .sum::<f64>()
        };
        let matrix = DMatrix::from_fn(count, count, |i, j| response(&scene.rows[i], &scene.rows[j]));
        let expected = matrix.lu().solve(&DVector::from_column_slice(&errors)).expect("rows of full rank");
        let size = expected.amax().max(1e-3);
        for (k, multiplier) in multipliers.iter().enumerate() {
            assert!((multiplier - expected[k]).abs() <= 1e-10 * size, "case {case}: {multipliers:?} {expected}");
            assert!((along(&scene.rows[k], &found) - errors[k]).abs() <= 1e-12 * size, "case {case}");
        }
    }
}

#[test]
fn widths_and_threads_change_no_bit() {
    let mut random = Random(6);
    let links = 3000;
    let mut scene = bodies(&mut random, links);
    let mut targets = Vec::new();
    for link in 1..links {
        let pair = [BodyRow::from(link - 1), BodyRow::from(link)];
        scene.rows.extend(joint(pair, [random.vector(1.0), random.vector(1.0)]));
        targets.extend((0..3).map(|_| RowTarget::Hold(random.between(-1e-3, 1e-3))));
        if link % 3 == 0 {
            let limit = row(pair, random.direction(), [random.vector(1.0), random.vector(1.0)], [0.0, 1.0]);
            scene.rows.push(limit);
            targets.push(RowTarget::Push(random.between(-1e-3, 1e-3)));
        }
        if link % 2 == 0 {
            let contact = plain(BodyRow::NONE, pair[1], random.direction());
            scene.contacts.push(Contact { arm_b: random.vector(1.0), ..contact });
        }
    }
    let opens: Vec<f64> = scene.contacts.iter().map(|_| random.between(-1e-3, 1e-3)).collect();
    let run = |level: Level, tasks: Arc<dyn Tasks>| {
        let mut multipliers = vec![1e-5; targets.len()];
        let pass = Pass { order: Order::Colored, level, tasks };
        (pass.run(&scene, &opens, &targets, &mut multipliers), multipliers)
    };
    let serial = run(Level::best(), Arc::new(Serial));
    assert!(serial.1.iter().any(|multiplier| multiplier.abs() > 1e-4));
    for level in [Level::Baseline, Level::Avx2, Level::Avx512] {
        assert!(run(level, Arc::new(Serial)) == serial, "{level:?}");
    }
    for threads in [2, 4] {
        let pool = Pool::new(threads, || true).expect("threads");
        assert!(run(Level::best(), Arc::new(pool)) == serial, "{threads} threads");
    }
}
