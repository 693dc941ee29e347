//! Bring your own contacts: the solver without a world. Declared, and not offered yet.

use crate::error::Result;

use super::guard;
use super::problem::{dry_local_problem, dry_problem, dry_solution};
use super::report::dry_step_report;
use super::settings::dry_settings;
use super::status_code::dry_status;
use super::structure;

/// A solver that is called without a world; it keeps warm starting data and workspace between calls.
pub struct dry_solver {
    _private: (),
}

/// Creates a solver. Not offered yet: DRY_ERR_UNSUPPORTED.
///
/// solver: receives the solver, which the caller ends with dry_solver_destroy.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_solver_create(solver: *mut *mut dry_solver) -> dry_status {
    guard::run(|| {
        guard::present("solver", solver)?;
        Err(guard::not_offered("dry_solver_create"))
    })
}

/// Ends a solver. No other call may be using it.
///
/// solver: NULL is nothing to do.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_solver_destroy(solver: *mut dry_solver) {
    // None was ever created.
    let _ = solver;
}

/// Solves a problem. Not offered yet: DRY_ERR_UNSUPPORTED.
///
/// problem, settings: read during the call.
/// solution: where to write; its arrays are the caller's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_solver_solve(
    solver: *mut dry_solver,
    problem: *const dry_problem,
    settings: *const dry_settings,
    solution: *mut dry_solution,
) -> dry_status {
    guard::run(|| {
        guard::present("solver", solver)?;
        // SAFETY: the host gives structures of the sizes they say.
        unsafe {
            structure::read("problem", problem)?;
            structure::read("settings", settings)?;
            structure::read("solution", solution.cast_const())?;
        }
        Err(guard::not_offered("dry_solver_solve"))
    })
}

/// Corrects given impulses, from whatever solver they come, to compatible ones with the same resultant on every body.
/// Not offered yet: DRY_ERR_UNSUPPORTED.
///
/// problem, settings: read during the call.
/// impulses: 3 numbers per contact, on body_b, world axes [N s].
/// compatible_impulses: receives 3 numbers per contact, likewise.
/// report_or_null: receives how it went.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_solver_correct(
    solver: *mut dry_solver,
    problem: *const dry_problem,
    settings: *const dry_settings,
    impulses: *const f64,
    compatible_impulses: *mut f64,
    report_or_null: *mut dry_step_report,
) -> dry_status {
    guard::run(|| {
        guard::present("solver", solver)?;
        // SAFETY: the host gives structures of the sizes they say.
        unsafe {
            structure::read("problem", problem)?;
            structure::read("settings", settings)?;
        }
        check_outputs([("impulses", impulses), ("compatible_impulses", compatible_impulses)], report_or_null)?;
        Err(guard::not_offered("dry_solver_correct"))
    })
}

/// Solves a problem that is given only by its Delassus operator. Not offered yet: DRY_ERR_UNSUPPORTED.
///
/// problem, settings: read during the call.
/// impulses: receives problem->dimension numbers per contact [N s].
/// report_or_null: receives how it went.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_solver_solve_local(
    solver: *mut dry_solver,
    problem: *const dry_local_problem,
    settings: *const dry_settings,
    impulses: *mut f64,
    report_or_null: *mut dry_step_report,
) -> dry_status {
    guard::run(|| {
        guard::present("solver", solver)?;
        // SAFETY: the host gives structures of the sizes they say.
        unsafe {
            structure::read("problem", problem)?;
            structure::read("settings", settings)?;
        }
        check_outputs([("impulses", impulses)], report_or_null)?;
        Err(guard::not_offered("dry_solver_solve_local"))
    })
}

fn check_outputs<const N: usize>(arrays: [(&str, *const f64); N], report_or_null: *mut dry_step_report) -> Result<()> {
    for (name, pointer) in arrays {
        guard::present(name, pointer)?;
    }
    // SAFETY: the host gives NULL or a structure of the size it says.
    unsafe { structure::output_or_null("report", report_or_null) }.map(drop)
}
