//! On which islands the stick projection follows by default, and what it may cost.

use super::random::Scene;
use super::stick::{FEW, cube, fastest};
use crate::math::{BodyRow, Vec3};
use crate::solver::project::ProjectionBudget;
use crate::solver::{Contact, Options, Outcome, Solver, StickProjection};

const WHERE_IT_PAYS: Options = Options { projection: StickProjection::WhereItPays(3), ..FEW };

/// A slope of 0.4: a box on it sticks with friction 0.5 and slides with 0.3 [m/s].
const SLOPE: Vec3 = Vec3::new(0.016, 0.0, -0.04);

/// Solves from zero.
fn solve(solver: &mut Solver, scene: &Scene) -> Outcome {
    solver.solve(&scene.problem(), &WHERE_IT_PAYS, &mut scene.no_impulses()).expect("memory")
}

/// Two scenes beside each other.
fn both(mut scene: Scene, other: Scene) -> Scene {
    let shift = scene.masses.len() as u32;
    scene.masses.extend(other.masses);
    scene.velocities.extend(other.velocities);
    for mut contact in other.contacts {
        contact.body_b.0 += shift;
        scene.contacts.push(contact);
    }
    scene
}

#[test]
fn what_sticks_is_at_rest() {
    let mut solver = Solver::default();
    let outcome = solve(&mut solver, &cube(4, 0.5, SLOPE));
    assert_eq!((outcome.projection.islands, outcome.projection.rejected), (1, 0));
    assert!(outcome.solver_residual > 1e-8 && outcome.residual_max < 1e-16, "{outcome:?}");
    // As with a projection in any case: ten roundings of what the impulses stop.
    assert!(fastest(solver.velocities()) <= 2.4e-16, "{:e}", fastest(solver.velocities()));
}

#[test]
fn what_rests_costs_nothing() {
    let scene = cube(4, 0.5, SLOPE);
    let (mut solver, mut impulses) = (Solver::default(), scene.no_impulses());
    solver.solve(&scene.problem(), &WHERE_IT_PAYS, &mut impulses).expect("memory");
    let debt = solver.budget.debt(0);
    let resumed = Options { start: crate::solver::problem::start::Start::History(1.0), ..WHERE_IT_PAYS };
    let outcome = solver.solve(&scene.problem(), &resumed, &mut impulses).expect("memory");
    assert_eq!((outcome.projection.islands, solver.budget.debt(0)), (0, debt - 1));
}

#[test]
fn what_slides_waits_once_its_credit_is_spent() {
    let (mut solver, scene) = (Solver::default(), cube(4, 0.3, SLOPE));
    let (mut projections, mut debt) = (0, 0);
    for _ in 0..2000 {
        let outcome = solve(&mut solver, &scene);
        let now = solver.budget.debt(0);
        if outcome.projection.islands == 0 {
            assert_eq!(now, debt.max(1) - 1, "nothing was spent");
        } else {
            // The solve itself earned one.
            assert!(now > debt && debt <= 2001, "the credit of a small island is 2000: {debt}, {now}");
            projections += 1;
        }
        debt = now;
    }
    assert!((2..=100).contains(&projections), "{projections}");
}

/// Bodies that slide on a slope, one on the other.
fn sliding_column(count: u32) -> Scene {
    let mut scene = cube(4, 0.3, SLOPE);
    let (mass, velocity, contacts) = (scene.masses[0], scene.velocities[0], scene.contacts.clone());
    for body in 1..count {
        scene.masses.push(mass);
        scene.velocities.push(velocity);
        scene.contacts.extend(contacts.iter().map(|contact| Contact {
            body_a: BodyRow(body - 1),
            body_b: BodyRow(body),
            arm_a: contact.arm_b + Vec3::z(),
            ..*contact
        }));
    }
    scene
}

#[test]
fn a_large_island_that_slides_uses_up_its_credit_at_once() {
    for (count, wait) in [(64, 0), (65, 200)] {
        let (mut solver, scene) = (Solver::default(), sliding_column(count));
        solve(&mut solver, &scene);
        let debt = solver.budget.debt(0);
        // It slides, so the projection does not bring it to rest.
        assert!(debt > wait, "{count} bodies: {debt}");
        solve(&mut solver, &scene);
        assert_eq!(solver.budget.debt(0) < debt, count == 65, "{count} bodies: only the larger island has to wait");
    }
}

#[test]
fn islands_are_chosen_one_by_one() {
    let scene = both(cube(4, 0.5, SLOPE), cube(4, 0.3, SLOPE));
    let mut solver = Solver::default();
    assert_eq!(solve(&mut solver, &scene).projection.islands, 2);
    // The one that slides has to wait once its credit is spent; both start from zero again.
    assert!((0..100).any(|_| solve(&mut solver, &scene).projection.islands == 1));
    assert!(solver.velocities()[0].linear.norm() <= 2.4e-16);
    assert!(solver.velocities()[1].linear.norm() > 1e-3);
}

#[test]
fn the_budget_of_a_world_goes_by_slots() {
    let mut solver = Solver::default();
    solve(&mut solver, &both(cube(4, 0.5, SLOPE), cube(4, 0.3, SLOPE)));
    let debts = [0, 1].map(|body| solver.budget.debt(body));
    assert!(debts[0] < debts[1], "{debts:?}");
    let mut all = ProjectionBudget::default();
    all.reserve(4).expect("memory");
    all.write(&solver.budget, &[3, 1]);
    assert_eq!([0, 1, 2, 3].map(|slot| all.debt(slot)), [0, debts[1], 0, debts[0]]);
    let mut rows = ProjectionBudget::default();
    rows.read(&all, &[1, 2, 3]).expect("memory");
    assert_eq!([0, 1, 2].map(|row| rows.debt(row)), [debts[1], 0, debts[0]]);
    all.clear_debt(1);
    assert_eq!([all.debt(1), all.debt(3), all.debt(7)], [0, debts[0], 0]);
}
