//! The position pass: targets reached, momentum of the displacements balanced, nothing done where nothing overlaps.

use super::random::{Random, Scene, from_lanes, plain, to_lanes};
use crate::math::{BodyRow, Symmetric3, Vec3};
use crate::solver::problem::order::Order;
use crate::solver::problem::start::Start;
use crate::solver::problem::{Contact, Velocity};
use crate::solver::{Method, Options, PositionRows, Solver, StickProjection};

/// A solve, which leaves the rows prepared.
const PLAIN: Options = Options {
    method: Method::Pgs,
    order: Order::Natural,
    iterations: 0,
    tolerance: 0.0,
    relaxation: 1.0,
    start: Start::Zero,
    projection: StickProjection::Off,
    splits: false,
};

/// Returns a solver that has solved the problem of a scene.
fn solved(scene: &Scene) -> Solver {
    let mut solver = Solver::default();
    solver.solve(&scene.problem(), &PLAIN, &mut scene.no_impulses()).expect("memory");
    solver
}

/// Opens each contact of the problem solved last by its target. The multipliers, by the number of the contact too, are those from which the
/// pass starts and then those that it leaves.
fn project(solver: &mut Solver, scene: &Scene, targets: &[f64], multipliers: &mut [f64], slight: f64) {
    let targets = to_lanes(solver.lanes(), targets);
    let mut column = to_lanes(solver.lanes(), multipliers);
    let rows = PositionRows { targets: &[], multipliers: &mut [] };
    solver.project_positions(&scene.masses, &targets, &mut column, rows, slight).expect("memory");
    multipliers.copy_from_slice(&from_lanes(solver.lane_of(), &column));
}

/// The displacements after a solve, of contacts that remember nothing.
fn displaced(scene: &Scene, targets: &[f64]) -> Vec<Velocity> {
    let mut solver = solved(scene);
    project(&mut solver, scene, targets, &mut vec![0.0; targets.len()], 0.0);
    solver.displacements()
}

fn up(z: f64) -> Velocity {
    Velocity { linear: Vec3::new(0.0, 0.0, z), angular: Vec3::zeros() }
}

/// `count` spheres of mass 1 on top of each other on the fixed world.
fn column(count: usize) -> Scene {
    let mut scene = Scene::default();
    let mut below = BodyRow::NONE;
    for _ in 0..count {
        let body = scene.sphere(1.0, 0.5, Velocity::ZERO);
        let (arm_a, arm_b) = (0.5 * Vec3::z(), -0.5 * Vec3::z());
        scene.contacts.push(Contact { arm_a, arm_b, ..plain(below, body, Vec3::z()) });
        below = body;
    }
    scene
}

#[test]
fn one_contact_is_opened_by_its_target() {
    let d = 2_f64.powi(-10);
    assert_eq!(displaced(&column(1), &[d])[0], up(d));
}

#[test]
fn a_column_of_two_is_swept_until_a_sweep_moves_three_tenths() {
    // With d = 1: the lower contact lifts body 0 to d, the upper one moves both apart by what misses to d.
    // Sweep 1: 1 | 0, 1.  Sweep 2: 1 | 1/2, 3/2.  Sweep 3: 1 | 3/4, 7/4.  Sweep k: 1 | 1 - 2^-(k-1), 2 - 2^-(k-1).
    // Sweep k lifts body 0 by 2^-(k-2), which is below 3/10 at k = 4, the last one. All exact.
    let d = 2_f64.powi(-10);
    let missing = 2_f64.powi(-3);
    let found = displaced(&column(2), &[d, d]);
    assert_eq!(found[..2], [up((1.0 - missing) * d), up((2.0 - missing) * d)]);
}

#[test]
fn nothing_moves_where_nothing_overlaps() {
    assert!(displaced(&column(3), &[0.0, -1.0, 0.0]).is_empty());
    let scene = column(2);
    let (mut solver, mut multipliers) = (solved(&scene), [0.0; 2]);
    project(&mut solver, &scene, &[1.0; 2], &mut multipliers, 0.0);
    assert!(!solver.displacements().is_empty() && multipliers[0] > 0.0);
    solver.reset_positions();
    assert!(solver.displacements().is_empty() && solver.displacement(0) == Velocity::ZERO);
    // a pass that has nothing to open leaves the bodies, and no multipliers
    project(&mut solver, &scene, &[1.0; 2], &mut multipliers, 0.0);
    assert!(solver.displacement(0) != Velocity::ZERO && multipliers[0] > 0.0);
    project(&mut solver, &scene, &[0.0; 2], &mut multipliers, 0.0);
    assert!(solver.displacements().is_empty() && multipliers == [0.0; 2]);
}

#[test]
fn an_open_neighbour_is_pushed_only_once_its_gap_is_closed() {
    // Body 0 is lifted by d. The gap above it is d/2: body 1 gets out of the way by the rest, shared by both, and so
    // on; a gap of 2 d is not closed, and body 1 stays.
    let d = 2_f64.powi(-10);
    assert_eq!(displaced(&column(2), &[d, -2.0 * d])[1], up(0.0));
    let found = displaced(&column(2), &[d, -0.5 * d]);
    assert!(found[1].linear.z > 0.0);
    assert!(found[1].linear.z - found[0].linear.z >= -0.5 * d * (1.0 + 1e-15), "pushed into the neighbour: {found:?}");
}

#[test]
fn immovable_bodies_stay() {
    let mut scene = Scene::default();
    let wall = scene.kinematic(up(3.0));
    let sphere = scene.sphere(2.0, 0.5, Velocity::ZERO);
    scene.contacts.push(Contact { arm_b: -0.5 * Vec3::z(), ..plain(wall, sphere, Vec3::z()) });
    scene.contacts.push(plain(BodyRow::NONE, wall, Vec3::z()));
    let found = displaced(&scene, &[0.25, 0.25]);
    assert_eq!(found[..2], [up(0.0), up(0.25)]);
}

#[test]
fn contacts_that_nothing_moves_remember_nothing() {
    let mut scene = column(1);
    let held = scene.kinematic(Velocity::ZERO);
    scene.contacts.push(plain(BodyRow::NONE, held, Vec3::z()));
    let (mut solver, mut multipliers) = (solved(&scene), [0.5; 2]);
    project(&mut solver, &scene, &[1.0; 2], &mut multipliers, 0.0);
    assert_eq!(solver.displacements()[..2], [up(1.0), up(0.0)]);
    assert_eq!(multipliers, [1.0, 0.0]);
}

#[test]
fn displacements_of_free_bodies_carry_no_momentum() {
    let mut random = Random(1);
    for case in 0..200 {
        // Free bodies somewhere, touching each other pairwise at common points.
        let mut scene = Scene::default();
        let mut places = Vec::new();
        for body in 0..4 {
            let mass = random.magnitude(0.1, 10.0);
            if body < 2 {
                scene.sphere(mass, 1.0, Velocity::ZERO);
            } else {
                let turn = random.rotation();
                scene.body(mass, Symmetric3::diagonal([1.0, 2.0, 2.5]).scaled(mass).rotated(&turn), Velocity::ZERO);
            }
            places.push(random.vector(1.0));
        }
        for (a, b) in [(0, 1), (1, 2), (2, 3), (0, 3)] {
            let between: Vec3 = places[b] - places[a];
            let (normal, central) = (between.normalize(), b == 1);
            let point = places[a] + if central { 0.5 * between } else { random.vector(1.0) };
            let half = 0.5 * between.norm() * normal;
            let (arm_a, arm_b) = if central { (half, -half) } else { (point - places[a], point - places[b]) };
            scene.contacts.push(Contact { arm_a, arm_b, ..plain(a.into(), b.into(), normal) });
        }
        let targets: Vec<f64> = (0..4).map(|_| random.between(0.0, 1e-2)).collect();
        let found = displaced(&scene, &targets);
        let (mut linear, mut angular) = (Vec3::zeros(), Vec3::zeros());
        let mut size = 0.0;
        for (body, shift) in found[..4].iter().enumerate() {
            let (mass, inertia) = scene.free[body].expect("a free body");
            let momentum = mass * shift.linear;
            linear += momentum;
            angular += places[body].cross(&momentum) + inertia.times(&shift.angular);
            size += momentum.norm() + inertia.times(&shift.angular).norm();
        }
        assert!(size > 1e-6, "case {case}: nothing moved");
        // Round-off of 16 pushes; inertias are inverted with a condition of 2.5.
        assert!(linear.norm() <= 1e-14 * size, "case {case}: {linear}");
        assert!(angular.norm() <= 1e-14 * size, "case {case}: {angular}");
    }
}

#[test]
fn a_pass_starts_from_the_multipliers_of_the_step_before_where_contacts_are_central() {
    // A column of eight wants a hundred sweeps and more to converge; from the answer of the step before few are enough.
    let targets = [1e-4; 8];
    let scene = column(8);
    let mut solver = solved(&scene);
    let mut multipliers = [0.0; 8];
    for slight in [0.0, 1e-3] {
        multipliers.fill(0.0);
        let mut missing = Vec::new();
        for _ in 0..40 {
            project(&mut solver, &scene, &targets, &mut multipliers, slight);
            missing.push((solver.displacements()[7].linear.z - 8e-4).abs());
        }
        // Each pass starts from a twentieth less than where the one before it ended. After a few sweeps, less than half
        // of what is missing without memory remains.
        assert!(missing[0] > 3e-4, "{missing:?}");
        assert!(missing[39] < 0.5 * missing[0], "{missing:?}");
        assert!(multipliers.iter().all(|multiplier| *multiplier > 0.0));
    }

    // what is open pushes nothing, and remembers nothing
    project(&mut solver, &scene, &[-1.0; 8], &mut multipliers, 1e-3);
    assert!(solver.displacements().is_empty());
    assert_eq!(multipliers, [0.0; 8]);
}

#[test]
fn bodies_that_can_rock_get_all_sweeps() {
    let mut scene = Scene::default();
    let turning = Symmetric3::diagonal([1.0, 2.0, 2.5]);
    let mut below = BodyRow::NONE;
    for _ in 0..3 {
        let body = scene.body(1.0, turning, Velocity::ZERO);
        for arm in [Vec3::x(), -Vec3::x()] {
            scene.contacts.push(Contact { arm_a: arm, arm_b: arm, ..plain(below, body, Vec3::z()) });
        }
        below = body;
    }
    let (mut solver, mut found) = (solved(&scene), Vec::new());
    for slight in [0.0, 1.0] {
        let mut multipliers = [0.0; 6];
        project(&mut solver, &scene, &[1e-4; 6], &mut multipliers, slight);
        assert!(multipliers.iter().all(|multiplier| *multiplier > 0.0));
        found.push(solver.displacements());
    }
    assert_eq!(found[0], found[1]);
}

#[test]
fn a_heavy_body_on_light_ones_is_lifted_as_far_as_a_light_one() {
    // Plain sweeps leave of what is missing the part m_2 / (m_1 + m_2), about 1 - 1/m_2, each.
    for heavy in [1e2, 1e4, 1e6] {
        let mut scene = column(3);
        let turning = Symmetric3::diagonal([0.1 * heavy; 3]);
        let top = scene.body(heavy, turning, Velocity::ZERO);
        for arm in [Vec3::x(), -Vec3::x()] {
            let arm_a = Vec3::new(0.0, 0.0, 0.5);
            scene.contacts.push(Contact { arm_a, arm_b: arm, ..plain(2.into(), top, Vec3::z()) });
        }
        let found = displaced(&scene, &[1e-4; 5]);
        for (body, share) in [(0, 1.0), (1, 2.0), (2, 3.0), (3, 4.0)] {
            let missing = found[body].linear.z - 1e-4 * share;
            // A hundredth of a target for each contact below it.
            assert!(missing.abs() <= 1e-6 * share, "{heavy} kg, body {body}: {missing:e}");
        }
    }
}

#[test]
fn islands_swept_together_end_each_by_its_own_target() {
    // Two columns in the same batches. The one with slight targets gets as close to them, in proportion, as the other one.
    let mut scene = column(4);
    let mut below = BodyRow::NONE;
    for _ in 0..4 {
        let body = scene.sphere(1.0, 0.5, Velocity::ZERO);
        let (arm_a, arm_b) = (0.5 * Vec3::z(), -0.5 * Vec3::z());
        scene.contacts.push(Contact { arm_a, arm_b, ..plain(below, body, Vec3::z()) });
        below = body;
    }
    let options = Options { order: Order::Colored, ..PLAIN };
    let mut solver = Solver::default();
    solver.solve(&scene.problem(), &options, &mut scene.no_impulses()).expect("memory");
    let mut targets = [1e-3; 8];
    targets[4..].fill(1e-9);
    project(&mut solver, &scene, &targets, &mut [0.0; 8], 0.0);
    let found = solver.displacements();
    for body in 0..4 {
        let [deep, slight] = [found[body].linear.z / 1e-3, found[body + 4].linear.z / 1e-9];
        // The same sweeps of the same numbers, except for their scale.
        assert!((deep - slight).abs() <= 1e-14 * deep && deep > 0.0, "body {body}: {deep}, {slight}");
    }
}
