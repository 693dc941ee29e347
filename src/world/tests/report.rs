//! What a report takes over from its substeps.

use crate::solver::Outcome;
use crate::solver::problem::options::Projected;
use crate::world::report::Report;

fn outcome(residual_max: f64) -> Outcome {
    Outcome {
        iterations: 10,
        islands: 2,
        infeasible: 0,
        fallbacks: 0,
        projection: Projected::default(),
        seconds_project: 0.0,
        solver_residual: residual_max,
        residual_max,
        residual_mean: 0.5 * residual_max,
        worst: None,
    }
}

#[test]
fn residuals_are_those_of_the_worst_substep() {
    let mut report = Report::default();
    let worst: Vec<bool> = [1.0, 3.0, 2.0].into_iter().map(|residual| report.record(&outcome(residual))).collect();
    assert_eq!(worst, [true, true, false]);
    assert_eq!((report.residual_max, report.residual_mean, report.solver_residual), (3.0, 1.5, 3.0));
    assert_eq!((report.iterations, report.islands), (30, 2));
}

#[test]
fn a_residual_that_is_no_number_stays() {
    let mut report = Report::default();
    assert!(report.record(&outcome(f64::NAN)));
    assert!(!report.record(&outcome(1.0)), "nothing is worse");
    assert!(report.residual_max.is_nan());
}
