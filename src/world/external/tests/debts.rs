//! What the projection has spent is remembered by the keys of contacts, not by the order of the bodies.

use crate::math::{BodyRow, Symmetric3, Vec3};
use crate::solver::{Contact, MassInverse, Velocity};
use crate::world::external::{ContactProblem, ContactSolver};
use crate::world::settings::{Settings, Sweep, WarmStart};

/// The first key of the four contacts of a cube, and their friction.
type Cube = (u64, f64);

/// Cubes that slide on a slope of 0.4.
const SLIDES: Cube = (11, 0.3);
const OTHER: Cube = (21, 0.3);

/// Cubes beside each other on a slope of 0.4. Those whose first key is 0 have no keys.
fn cubes(cubes: &[Cube]) -> ContactProblem {
    let mut problem = ContactProblem { step: 0.01, ..ContactProblem::default() };
    for (body, (key, friction)) in (0..).zip(cubes) {
        let angular = Symmetric3::diagonal([1.0 / 6.0; 3]);
        problem.masses.push(MassInverse { linear: Vec3::repeat(1.0), angular });
        problem.velocities.push(Velocity { linear: Vec3::new(0.016, 0.0, -0.04), angular: Vec3::zeros() });
        for (number, (x, y)) in (0..).zip([(0.35, 0.35), (-0.35, 0.35), (-0.35, -0.35), (0.35, -0.35)]) {
            problem.contacts.push(Contact {
                body_a: BodyRow::NONE,
                body_b: BodyRow(body),
                normal: Vec3::z(),
                arm_a: Vec3::zeros(),
                arm_b: Vec3::new(x, y, -0.5),
                normal_bias: 0.0,
                friction: *friction,
            });
            problem.contact_keys.push(if *key == 0 { 0 } else { key + number });
            problem.stiffness.push(1.0);
        }
    }
    problem
}

/// Solves with default settings, except for cold starts and what `change` sets. Returns the number of islands with a
/// projection.
fn projected(solver: &mut ContactSolver, given: &[Cube], change: impl Fn(&mut Settings)) -> u32 {
    let mut settings =
        Settings { iterations: 10, sweep: Sweep::Natural, warm_start: WarmStart::Off, ..Settings::default() };
    change(&mut settings);
    *solver.problem() = cubes(given);
    solver.solve(&settings).map_or(u32::MAX, |report| report.projected_islands)
}

/// Solves until what slides has spent its credit.
fn spend(solver: &mut ContactSolver, given: &[Cube]) {
    assert_eq!(projected(solver, given, |_| ()), 1);
    assert!((0..100).any(|_| projected(solver, given, |_| ()) == 0));
}

#[test]
fn debts_go_by_keys() {
    let mut solver = ContactSolver::default();
    spend(&mut solver, &[SLIDES]);
    // Another body with as many contacts, in the same place, owes nothing; what slid waits wherever its body stands.
    assert_eq!(projected(&mut solver, &[OTHER, SLIDES], |_| ()), 1);
    assert_eq!(projected(&mut solver, &[SLIDES, OTHER], |_| ()), 1);
    assert_eq!(projected(&mut solver, &[SLIDES], |_| ()), 0);
}

#[test]
fn what_has_no_keys_shares_one_debt() {
    let mut solver = ContactSolver::default();
    spend(&mut solver, &[(0, 0.3)]);
    assert_eq!(projected(&mut solver, &[(0, 0.3), SLIDES], |_| ()), 1);
    assert_eq!(projected(&mut solver, &[SLIDES, (0, 0.3)], |_| ()), 1);
    assert_eq!(projected(&mut solver, &[(0, 0.3)], |_| ()), 0);
    let again = (0..5000).map(|_| projected(&mut solver, &[(0, 0.3)], |_| ())).sum::<u32>();
    assert!((1..=200).contains(&again), "{again} of 5000 within the work of the sweeps");
}

#[test]
fn a_call_that_fails_spends_nothing() {
    let mut solver = ContactSolver::default();
    let strict = |settings: &mut Settings| (settings.require_convergence, settings.tolerance) = (true, 1e-300);
    assert_eq!(projected(&mut solver, &[SLIDES], strict), u32::MAX);
    assert_eq!(projected(&mut solver, &[SLIDES], |_| ()), 1);
}
