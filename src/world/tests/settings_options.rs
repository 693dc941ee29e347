//! Every solver of the ladder steps a world, and says what it did.

use super::scene::{STEP, Scene, close, column};
use crate::body::Definition;
use crate::world::Settings;
use crate::world::report::{FALLBACK, PROJECTION_REJECTED};
use crate::world::settings::{Projection, SolverKind, WarmStart};

const LADDER: [SolverKind; 4] = [SolverKind::Pgs, SolverKind::PgsAccelerated, SolverKind::Newton, SolverKind::Apgd];

#[test]
fn every_solver_carries_a_column() {
    for solver in LADDER {
        let settings = Settings { solver, iterations: 5000, tolerance: 1e-12, ..Settings::default() };
        let (mut scene, [floor, low, middle, high, alone]) = column(settings);
        let report = scene.world.step(STEP).expect("a step");
        assert!(report.residual_max <= 1e-12, "{solver:?}: {report:?}");
        // two islands: the column, and the ball beside it
        assert_eq!((report.islands, report.flags), (2, 0), "{solver:?}");
        // Each ball is 1 kg and weighs 10 N: the floor carries four. The velocity of the k-th ball holds k residuals,
        // before the step and after it. So 2 (1 + 2 + 3 + 1) of them are in the floor's impulse, and as many as
        // rubbing adds.
        let allowed = 28.0 * 1e-12 / STEP;
        close(scene.force(floor), [0.0, 0.0, -40.0], allowed);
        for ball in [low, middle, high, alone] {
            close(scene.force(ball), [0.0, 0.0, 10.0], allowed);
        }
    }
}

#[test]
fn iterations_are_counted_and_spared() {
    for solver in LADDER {
        let settled = Settings { solver, iterations: 5000, tolerance: 1e-13, ..Settings::default() };
        let (mut scene, _) = column(settled);
        let settings = Settings { tolerance: 1e-11, ..settled };
        scene.world.set_settings(settings).expect("settings");
        let step = |scene: &mut Scene| scene.world.step(STEP).expect("a step").iterations;
        assert_eq!(step(&mut scene), 0, "{solver:?}: the last step's impulses are the answer");
        scene.world.set_settings(Settings { warm_start: WarmStart::Off, ..settings }).expect("settings");
        assert!(step(&mut scene) > 0, "{solver:?}: nothing is not");
    }
}

#[test]
fn newton_leaves_large_islands_to_sweeps_and_reports_it() {
    // The column has three contacts, the ball beside it one.
    for (limit, flags) in [(3, 0), (2, FALLBACK), (0, FALLBACK)] {
        let solver = SolverKind::Newton;
        let settings =
            Settings { solver, newton_limit: limit, iterations: 500, tolerance: 1e-10, ..Settings::default() };
        let (mut scene, _) = column(settings);
        scene.world.set_settings(Settings { warm_start: WarmStart::Off, ..settings }).expect("settings");
        let report = scene.world.step(STEP).expect("a step");
        assert_eq!(report.flags, flags, "limit {limit}");
        assert!(report.residual_max <= 1e-10, "{report:?}");
    }
}

#[test]
fn the_projection_reports_what_it_did() {
    // Three sweeps leave a cold column moving; one pass brings it to rest, to round-off of g h = 10 / 64 m/s.
    let settings =
        Settings { projection: Projection::Stick, warm_start: WarmStart::Off, iterations: 3, ..Settings::default() };
    let (mut scene, _) = column(settings);
    let report = scene.world.step(STEP).expect("a step");
    assert!(report.solver_residual > 1e-3 && report.residual_max <= 1e-15, "{report:?}");
    assert!(report.projection_passes >= 1 && report.projection_passes <= 3, "{report:?}");
    assert_eq!((report.projected_islands, report.rejected_islands), (1, 0), "the ball beside it is at rest already");
    // A ball thrown upwards touches nothing that could be held.
    let ball = scene.ball([6.0, 0.0, 0.5]);
    let up = Definition { linear_velocity: [0.0, 0.0, 1.0], ..scene.ball_at([9.0, 0.0, 0.5]) };
    scene.add(&up);
    let report = scene.world.step(STEP).expect("a step");
    assert_eq!(report.flags & PROJECTION_REJECTED, 0, "{report:?}");
    assert_eq!(scene.velocity(ball), [0.0; 3]);
}
