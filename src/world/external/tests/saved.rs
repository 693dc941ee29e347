//! A restored solver goes on as the one that was saved, to the last bit; damaged snapshots are refused or harmless.

use super::ball;
use crate::error::ErrorKind;
use crate::visit::xxh64;
use crate::world::external::ContactSolver;
use crate::world::settings::{Compatibility, Projection, Settings};

fn settings() -> Settings {
    Settings { iterations: 3, projection: Projection::Auto, compatibility: Compatibility::Hooke, ..Settings::default() }
}

/// Solves a problem whose ball comes down faster each time.
fn solve(solver: &mut ContactSolver, time: u32) -> Vec<u64> {
    let mut problem = ball(1, 9, 0.1 * f64::from(time));
    problem.contacts[0].friction = 0.3;
    problem.velocities[0].linear.x = 0.05;
    *solver.problem() = problem;
    solver.solve(&settings()).expect("an answer");
    let velocities = solver.velocities().iter().flat_map(|velocity| velocity.linear.iter().chain(&velocity.angular));
    let impulses = solver.contact_solutions().flat_map(|contact| Vec::from(contact.impulse.as_slice()));
    velocities.copied().chain(impulses).map(f64::to_bits).collect()
}

fn used() -> ContactSolver {
    let mut solver = ContactSolver::default();
    (1..5).for_each(|time| _ = solve(&mut solver, time));
    solver
}

#[test]
fn a_restored_solver_goes_on_alike() {
    let mut solver = used();
    let (snapshot, mut other) = (solver.snapshot().expect("memory"), ContactSolver::default());
    assert_eq!(solver.snapshot_size(), snapshot.len());
    other.restore(&snapshot).expect("a solver");
    assert_eq!(other.snapshot().expect("memory"), snapshot);
    for time in 5..9 {
        assert_eq!(solve(&mut solver, time), solve(&mut other, time));
    }
}

#[test]
fn damaged_snapshots_are_refused_or_solve() {
    let snapshot = used().snapshot().expect("memory");
    let mut solver = ContactSolver::default();
    let (mut refused, mut accepted) = (0, 0);
    for at in 32..snapshot.len() - 8 {
        for change in [1_u8, 64, 255] {
            let mut bytes = snapshot.clone();
            bytes[at] ^= change;
            let error = solver.restore(&bytes).expect_err("the checksum does not fit");
            assert_eq!(error.kind, ErrorKind::Format, "{error}");
            let body = bytes.len() - 8;
            let checksum = xxh64(&bytes[..body]);
            bytes[body..].copy_from_slice(&checksum.to_le_bytes());
            match solver.restore(&bytes) {
                Ok(()) => {
                    accepted += 1;
                    *solver.problem() = ball(1, 9, 0.1);
                    let _ = solver.solve(&settings());
                }
                Err(error) => {
                    refused += 1;
                    assert_eq!(error.kind, ErrorKind::Format, "{error}");
                }
            }
        }
    }
    assert!(refused > 0 && accepted > 0);
}
