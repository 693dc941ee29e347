//! The report of a step with substeps, without a projection: what sweeps leave is to be seen.

use super::scene::{STEP, column};
use crate::error::ErrorKind;
use crate::world::Settings;
use crate::world::report::NOT_CONVERGED;
use crate::world::settings::Projection;

fn substeps(substeps: u32) -> Settings {
    Settings { substeps, projection: Projection::Off, ..Settings::default() }
}

#[test]
fn a_step_that_must_converge_and_does_not_is_undone() {
    let (mut scene, _) = column(substeps(4));
    let (mut twin, _) = column(substeps(4));
    for world in [&mut scene.world, &mut twin.world] {
        world.set_gravity([0.0, 0.0, -20.0]).expect("gravity");
    }
    let before = scene.world.hash();
    let strict = Settings { iterations: 1, tolerance: 1e-12, require_convergence: true, ..substeps(4) };
    scene.world.set_settings(strict).expect("settings");
    let failure = scene.world.step(STEP).expect_err("one sweep is not enough");
    assert_eq!(failure.error.kind, ErrorKind::NotConverged);
    let report = failure.report.expect("it came that far");
    // One sweep in each of four.
    assert_eq!((report.iterations, report.flags), (4, NOT_CONVERGED));
    assert!(report.residual_max > 1e-12 && report.worst_contact != 0);
    scene.world.set_settings(substeps(4)).expect("settings");
    assert_eq!(scene.world.hash(), before);
    scene.steps(1);
    twin.steps(1);
    assert_eq!(scene.world.hash(), twin.world.hash());
}

#[test]
fn the_report_is_of_all_substeps() {
    // A settled column meets twice the gravity with too few sweeps: errors differ from substep to substep.
    let double = |count: u32| {
        let (mut scene, _) = column(Settings { iterations: 5000, tolerance: 1e-13, ..substeps(count) });
        scene.world.set_settings(Settings { iterations: 3, ..substeps(count) }).expect("settings");
        scene.world.set_gravity([0.0, 0.0, -20.0]).expect("gravity");
        scene
    };
    let whole = double(4).world.step(4.0 * STEP).expect("a step");
    let mut parts = double(1);
    let parts = [(); 4].map(|()| parts.world.step(STEP).expect("a step"));
    assert_eq!((whole.iterations, whole.contacts, whole.islands, whole.awake_bodies), (12, 4, 2, 4));
    let worst = parts.iter().max_by(|a, b| a.residual_max.total_cmp(&b.residual_max)).expect("one of four");
    // Which one is the worst depends on the order of the sweeps; it is not the last.
    assert!(worst.residual_max > 2.0 * parts[3].residual_max, "{parts:?}");
    // The columns were settled to 1e-13 m/s, stretched from substeps of a sixteenth.
    let close = |found: f64, expected: f64| assert!((found - expected).abs() <= 1e-10, "{found} {expected}");
    close(whole.residual_max, worst.residual_max);
    close(whole.residual_mean, worst.residual_mean);
    close(whole.solver_residual, worst.solver_residual);
    assert_eq!(whole.worst_contact, worst.worst_contact);
    assert!(whole.seconds_total >= whole.seconds_solve + whole.seconds_assemble + whole.seconds_integrate);
}
