//! What rests is left as it is, to the last bit, and nothing else is.

use super::ball;
use crate::math::{BodyRow, Symmetric3, Vec3};
use crate::solver::{Contact, MassInverse, OptionalTerms, Velocity};
use crate::world::external::{ContactProblem, ContactSolution, ContactSolver};
use crate::world::report::Report;
use crate::world::settings::{Projection, Settings, WarmStart};

/// Four points below a ball and a row along x: more than it takes to hold it.
fn held(down: f64) -> ContactProblem {
    let mut problem = ball(1, 9, down);
    let [point] = problem.contacts[..] else { unreachable!("one contact") };
    problem.contacts.clear();
    problem.contact_keys.clear();
    problem.stiffness = vec![0.0; 4];
    for (key, (x, y)) in (1..).zip([(0.5, 0.25), (-0.5, 0.25), (0.5, -0.25), (-0.5, -0.25)]) {
        problem.contacts.push(Contact { arm_b: Vec3::new(x, y, -1.0), ..point });
        problem.contact_keys.push(key);
    }
    problem.velocities[0].linear.y = 0.25 * down;
    problem
}

fn settings() -> Settings {
    Settings { projection: Projection::Stick, iterations: 10, ..Settings::default() }
}

fn solve(solver: &mut ContactSolver, problem: ContactProblem, settings: &Settings) -> Report {
    *solver.problem() = problem;
    solver.solve(settings).expect("an answer")
}

fn answer(solver: &ContactSolver) -> (Vec<Velocity>, Vec<ContactSolution>, Vec<f64>) {
    let contacts = solver.contact_solutions().map(|contact| ContactSolution { state: 0, ..contact });
    (solver.velocities().to_vec(), contacts.collect(), solver.row_impulses().to_vec())
}

#[test]
fn a_problem_that_is_solved_already_is_not_swept() {
    let mut solver = ContactSolver::default();
    assert_eq!(solve(&mut solver, held(0.1), &settings()).iterations, 10);
    let first = answer(&solver);
    for _ in 0..3 {
        let report = solve(&mut solver, held(0.1), &settings());
        assert_eq!((report.iterations, report.islands, report.contacts, report.new_contacts), (0, 1, 4, 0));
        assert_eq!(answer(&solver), first);
    }
}

#[test]
fn what_changed_by_more_than_round_off_is_solved() {
    let mut solver = ContactSolver::default();
    _ = solve(&mut solver, held(0.1), &settings());
    // ten times what counts as rest, 1e-14 of the speed
    assert_eq!(solve(&mut solver, held(0.1 * (1.0 + 1e-13)), &settings()).iterations, 10);
    let mut away = held(0.1);
    away.contacts[2].friction = 0.0;
    assert_eq!(solve(&mut solver, away, &settings()).iterations, 10);
}

/// A ball of 1 kg under one of 1000 kg: impulses of 40 N s stop 40 m/s of it, of which 7e-14 m/s are round-off.
fn pressed(trace: f64) -> ContactProblem {
    let mut problem = ball(1, 0, 0.04 + trace);
    let [below] = problem.contacts[..] else { unreachable!("one contact") };
    problem.rows.clear();
    problem.row_keys.clear();
    let light = problem.masses[0];
    let angular = Symmetric3 { entries: light.angular.entries.map(|entry| 1e-3 * entry) };
    problem.masses.push(MassInverse { linear: 1e-3 * light.linear, angular });
    problem.velocities.push(Velocity { linear: -0.04 * Vec3::z(), angular: Vec3::zeros() });
    problem.contacts.push(Contact { body_a: BodyRow(0), body_b: BodyRow(1), arm_a: Vec3::z(), ..below });
    problem.contact_keys.push(2);
    problem.stiffness.push(0.0);
    problem
}

/// Impulses that stopped a trace of motion would set it going again, and the next ones stop it, for ever.
#[test]
fn impulses_that_stopped_a_trace_of_motion_are_not_those_of_rest() {
    let mut solver = ContactSolver::default();
    assert!(solve(&mut solver, pressed(5e-14), &settings()).residual_max < 3e-14);
    let report = solve(&mut solver, pressed(0.0), &settings());
    assert!(report.iterations > 0);
    assert!(report.residual_max < 3e-14, "{:e}", report.residual_max);
    assert_eq!(solve(&mut solver, pressed(0.0), &settings()).iterations, 0);
}

#[test]
fn without_a_projection_all_sweeps_are_done() {
    let mut solver = ContactSolver::default();
    _ = solve(&mut solver, held(0.1), &settings());
    let plain = Settings { projection: Projection::Off, ..settings() };
    assert_eq!(solve(&mut solver, held(0.1), &plain).iterations, 10);
    // nor does an answer stand that is not wholly remembered
    for warm_start in [WarmStart::Off, WarmStart::Guarded, WarmStart::Normals] {
        assert_eq!(solve(&mut solver, held(0.1), &Settings { warm_start, ..settings() }).iterations, 10);
    }
    let part = Settings { warm_start_factor: 0.5, ..settings() };
    assert_eq!(solve(&mut solver, held(0.1), &part).iterations, 10);
}

/// A problem that needed no sweeps does not leave the couplings of an earlier one to the next call.
#[test]
fn what_follows_a_rest_is_solved_as_ever() {
    let two = |problem: ContactProblem| {
        let mut two = problem.clone();
        two.masses.extend(&problem.masses);
        two.velocities.extend(&problem.velocities);
        two.stiffness.extend(&problem.stiffness);
        two.contacts.extend(problem.contacts.iter().map(|contact| Contact { body_b: BodyRow(1), ..*contact }));
        two.contact_keys.extend(problem.contact_keys.iter().map(|key| key + 100));
        two.rows.clear();
        two.row_keys.clear();
        two
    };
    let one = |problem: ContactProblem| ContactProblem { rows: vec![], row_keys: vec![], ..problem };
    let mut apart = two(held(0.1));
    apart.contacts.iter_mut().for_each(|contact| contact.body_a = BodyRow::NONE);
    let plain = Settings { projection: Projection::Off, ..settings() };
    for then in [settings(), plain] {
        let (mut rested, mut fresh) = (ContactSolver::default(), ContactSolver::default());
        // swept: two balls; rests: the first of them; swept: both, faster
        _ = solve(&mut rested, apart.clone(), &settings());
        assert_eq!(solve(&mut rested, one(held(0.1)), &settings()).iterations, 0);
        let report = solve(&mut rested, two(held(0.2)), &then);
        _ = solve(&mut fresh, one(held(0.1)), &settings());
        let expected = solve(&mut fresh, two(held(0.2)), &then);
        assert_eq!((report.islands, report.iterations), (2, expected.iterations));
        assert_eq!(answer(&rested), answer(&fresh));
    }
}

#[test]
fn a_torque_that_nothing_carries_any_more_lets_the_ball_roll() {
    let rolling = |rolling: f64| {
        let mut problem = ball(1, 0, 0.1);
        problem.rows.clear();
        problem.row_keys.clear();
        problem.velocities[0].linear.x = 0.02;
        problem.optional.push(OptionalTerms { rolling, ..OptionalTerms::NONE });
        problem
    };
    let mut solver = ContactSolver::default();
    for _ in 0..2 {
        _ = solve(&mut solver, rolling(1.0), &settings());
    }
    assert_eq!(solve(&mut solver, rolling(1.0), &settings()).iterations, 0, "held by its torque");
    assert!(solve(&mut solver, rolling(0.0), &settings()).iterations > 0);
    let (velocities, contacts, _) = answer(&solver);
    assert!(velocities[0].linear.x > 1e-3, "{velocities:?}");
    assert_eq!(contacts[0].torque_impulse, Vec3::zeros());
}
